/* SonarQube's generic coverage: elements -> records. The only parser of this format; read, check and dump take its records.
 * docs/formats/sonarqube-generic.md has the grammar. Damage goes to the findings list. */
#ifndef FORMATS_SONARQUBE_GENERIC_DECODE_H
#define FORMATS_SONARQUBE_GENERIC_DECODE_H

#include "formats/coverage/xml.h"

enum sonarqube_kind {
    SONARQUBE_ROOT, /* name: version */
    SONARQUBE_FILE, /* name: path */
    SONARQUBE_LINE, /* line, is_hit; covered of total when total > 0 */
    SONARQUBE_FILE_END
};

struct sonarqube_record {
    enum sonarqube_kind kind;
    uint64_t off;
    uint64_t number; /* line of the document; 0 unless d->wants_numbers */
    assay_slice name;
    uint32_t line; /* of the source, at least 1 */
    uint32_t covered, total;
    bool is_hit;
};

typedef int (*sonarqube_fn)(void *arg, const struct sonarqube_record *r);

struct sonarqube_decoder {
    sonarqube_fn take;
    void *arg;
    struct findings *damage;
    assay_error *err;
    bool wants_numbers;
    /* where it stands */
    bool has_root, in_file;
};

/* Every record goes to take(arg, record), in order; what it returns other than 0 ends the work and is returned. Slices last for the call. */
int sonarqube_decode(struct sonarqube_decoder *d, const struct read_job *job, assay_error *err);

#endif
