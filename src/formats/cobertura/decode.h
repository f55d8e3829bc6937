/* Cobertura XML: elements -> records. The only parser of this format; read, check and dump take its records. It knows which element a line
 * stands in, but joins and sums nothing. docs/formats/cobertura.md has the grammar. Damage goes to the findings list. */
#ifndef COBERTURA_DECODE_H
#define COBERTURA_DECODE_H

#include "formats/coverage/xml.h"

enum cobertura_kind {
    COBERTURA_ROOT,   /* attributes */
    COBERTURA_SOURCE, /* name: the text of <source> */
    COBERTURA_CLASS,  /* name: filename; class_name */
    COBERTURA_METHOD, /* name, signature, hits when has_hits */
    COBERTURA_LINE,   /* line, hits, in_method; covered of total when has_sum */
    COBERTURA_METHOD_END,
    COBERTURA_CLASS_END
};

struct cobertura_record {
    enum cobertura_kind kind;
    uint64_t off;
    uint64_t number; /* line of the document; 0 unless d->wants_numbers */
    const char *const *attributes;
    assay_slice name, class_name, signature;
    uint64_t hits;
    uint32_t line; /* of the source, at least 1 */
    uint32_t covered, total;
    bool has_hits, in_method, has_sum;
};

typedef int (*cobertura_fn)(void *arg, const struct cobertura_record *r);

struct cobertura_decoder {
    cobertura_fn take;
    void *arg;
    struct findings *damage;
    struct mem *mem;
    assay_error *err;
    bool wants_numbers;
    /* where it stands */
    bool has_root, in_class, in_method, in_source, in_line, is_branch, has_conditions;
    struct cobertura_record row; /* the <line> in work */
    uint32_t conditions, conditions_hit;
    uint64_t source_off, sources;
    VEC(char) text;
};

/* Every record goes to take(arg, record), in order; what it returns other than 0 ends the work and is returned. Slices last for the call. */
int cobertura_decode(struct cobertura_decoder *d, const struct read_job *job, assay_error *err);

#endif
