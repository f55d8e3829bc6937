/* Clover XML: elements -> records. The only parser of this format; read, check and dump take its records. It knows which element metrics and
 * lines stand in and what the two counts of a condition mean, but joins and sums nothing. docs/formats/clover.md has the grammar. Damage goes
 * to the findings list. */
#ifndef CLOVER_DECODE_H
#define CLOVER_DECODE_H

#include "formats/coverage/xml.h"

enum clover_kind {
    CLOVER_ROOT,    /* attributes */
    CLOVER_PROJECT, /* name; is_test */
    CLOVER_PACKAGE, /* name */
    CLOVER_FILE,    /* name: path, else name */
    CLOVER_CLASS,   /* name */
    CLOVER_METRICS, /* scope, attributes */
    CLOVER_STMT,    /* line, count */
    CLOVER_COND,    /* line, count, covered of total */
    CLOVER_METHOD,  /* line, count, name */
    CLOVER_FILE_END
};
enum clover_scope { CLOVER_OF_PROJECT, CLOVER_OF_PACKAGE, CLOVER_OF_FILE, CLOVER_OF_CLASS };

struct clover_record {
    enum clover_kind kind;
    uint64_t off;
    uint64_t number; /* line of the document; 0 unless d->wants_numbers */
    const char *const *attributes;
    assay_slice name;
    enum clover_scope scope;
    uint64_t count;
    uint32_t line; /* of the source, at least 1 */
    uint32_t covered, total;
    bool is_test;
};

typedef int (*clover_fn)(void *arg, const struct clover_record *r);

struct clover_decoder {
    clover_fn take;
    void *arg;
    struct findings *damage;
    assay_error *err;
    bool wants_numbers;
    /* where it stands */
    bool has_root, has_version, is_istanbul, in_package, in_file, in_class, has_guessed;
};

/* Every record goes to take(arg, record), in order; what it returns other than 0 ends the work and is returned. Slices last for the call. */
int clover_decode(struct clover_decoder *d, const struct read_job *job, assay_error *err);

#endif
