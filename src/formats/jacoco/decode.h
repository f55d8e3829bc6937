/* JaCoCo XML: elements -> records. The only parser of this format; read, check and dump take its records. It knows which element a line or
 * counter stands in, but joins and sums nothing. docs/formats/jacoco.md has the grammar. Damage goes to the findings list. */
#ifndef JACOCO_DECODE_H
#define JACOCO_DECODE_H

#include "formats/coverage/xml.h"

enum jacoco_kind {
    JACOCO_REPORT,  /* name */
    JACOCO_SESSION, /* name: id; attributes */
    JACOCO_GROUP,   /* name */
    JACOCO_GROUP_END,
    JACOCO_PACKAGE, /* name: a/b, may be empty */
    JACOCO_PACKAGE_END,
    JACOCO_CLASS,  /* name: a/b/C$D; detail: sourcefilename, may be empty */
    JACOCO_METHOD, /* name; detail: desc; line, 0 = none */
    JACOCO_SOURCE, /* name */
    JACOCO_SOURCE_END,
    JACOCO_LINE,   /* line; instructions unless is_unknown, branches */
    JACOCO_COUNTER /* scope, type, missed, covered */
};
enum jacoco_scope { JACOCO_OF_REPORT, JACOCO_OF_GROUP, JACOCO_OF_PACKAGE, JACOCO_OF_CLASS, JACOCO_OF_METHOD, JACOCO_OF_SOURCE };
enum jacoco_type { JACOCO_INSTRUCTIONS, JACOCO_BRANCHES, JACOCO_LINES, JACOCO_METHODS, JACOCO_COMPLEXITY, JACOCO_CLASSES, JACOCO_TYPES };

struct jacoco_pair {
    uint64_t missed, covered;
};
struct jacoco_record {
    enum jacoco_kind kind;
    uint64_t off;
    uint64_t number; /* line of the document; 0 unless d->wants_numbers */
    const char *const *attributes;
    assay_slice name, detail;
    uint32_t line; /* of the source */
    uint32_t missed_instructions, instructions_hit, missed_branches, branches_hit;
    bool is_unknown; /* a line that says nothing of its instructions */
    enum jacoco_scope scope;
    enum jacoco_type type;
    struct jacoco_pair counter;
};

typedef int (*jacoco_fn)(void *arg, const struct jacoco_record *r);

struct jacoco_decoder {
    jacoco_fn take;
    void *arg;
    struct findings *damage;
    assay_error *err;
    bool wants_numbers;
    /* where it stands */
    bool has_root, in_package, in_class, in_method, in_source;
    unsigned groups;
    uint64_t source_off, source_number, unknown; /* lines of the source file that say nothing of their instructions */
};

/* Every record goes to take(arg, record), in order; what it returns other than 0 ends the work and is returned. Slices last for the call. */
int jacoco_decode(struct jacoco_decoder *d, const struct read_job *job, assay_error *err);
/* "instructions", "branches", ... */
const char *jacoco_type_name(enum jacoco_type type);

#endif
