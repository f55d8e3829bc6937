/* Structure files (.hpcstruct, docs/formats/hpcstruct.md): XML -> records, in document order. The only parser of them; it knows offsets and
 * damage and builds nothing. */
#ifndef SYMBOLS_STRUCTURE_H
#define SYMBOLS_STRUCTURE_H

#include "base/input.h"

enum structure_kind {
    STRUCTURE_ROOT,
    STRUCTURE_MODULE,    /* LM */
    STRUCTURE_FILE,      /* F */
    STRUCTURE_FUNCTION,  /* P */
    STRUCTURE_LOOP,      /* L */
    STRUCTURE_STATEMENT, /* S */
    STRUCTURE_CALL,      /* C: a statement with a call */
    STRUCTURE_CALL_SITE, /* the outer A of a pair */
    STRUCTURE_INLINED,   /* the inner A of a pair */
    STRUCTURE_UNKNOWN,   /* an element that is none of these; follows its damage */
    STRUCTURE_END,       /* of the innermost element; `ends` says what it was */
    STRUCTURE_DAMAGE
};

/* Half-open. */
struct structure_range {
    uint64_t begin, end;
};

struct structure_record {
    enum structure_kind kind;
    uint64_t off, line;                   /* of the element in the XML */
    unsigned depth;                       /* root 0 */
    const char *tag;                      /* as written */
    const char *const *attributes;        /* name, value, ..., NULL */
    assay_slice name;                     /* n; of the root: version */
    assay_slice link_name;                /* ln */
    uint32_t file;                        /* in force for what lies inside, dense from 1; 0 = none */
    assay_slice file_name;                /* of `file` */
    uint32_t source_line;                 /* l; 0 = none */
    const struct structure_range *ranges; /* v */
    size_t range_count;
    bool has_calls;  /* LM */
    bool has_target; /* C */
    uint64_t target; /* t */
    enum structure_kind ends;
    /* DAMAGE */
    const char *rule;
    int severity;
    const char *message;
};

/* Everything in a record is borrowed for the call. Anything but 0 stops: structure_parse returns it. */
typedef int (*structure_fn)(void *arg, const struct structure_record *r);

/* Gives all records of `in`. A document that is not well-formed is DAMAGE of rule HRS01 and the end, not an error. Errors: SYSTEM, MEMORY, CANCELLED,
 * UNSUPPORTED (a build without expat), and what `fn` returned. */
int structure_parse(struct input *in, struct mem *mem, structure_fn fn, void *arg, assay_error *err);

#endif
