/* Python's marshal format, as much of it as pstats files have (docs/formats/pstats.md, "Bytes"): values one after another, containers as their heads.
 * Nothing is built and nothing recurses: the caller knows which value must come next. */
#ifndef FORMATS_PSTATS_MARSHAL_H
#define FORMATS_PSTATS_MARSHAL_H

#include "base/cursor.h"
#include "base/mem.h"
#include "base/vec.h"

enum marshal_kind {
    MARSHAL_STOP, /* the end of a dict */
    MARSHAL_DICT,
    MARSHAL_TUPLE, /* `count` values follow */
    MARSHAL_AGAIN, /* a tuple that stands elsewhere: see marshal_enter */
    MARSHAL_INT,
    MARSHAL_FLOAT,
    MARSHAL_TEXT,
    MARSHAL_OTHER /* none, list, set: known, but not expected anywhere */
};
enum marshal_fault { MARSHAL_SOUND, MARSHAL_CUT, MARSHAL_TYPE, MARSHAL_REFERENCE, MARSHAL_SIZE, MARSHAL_NUMBER, MARSHAL_MEMORY };

struct marshal_value {
    enum marshal_kind kind;
    uint64_t off;
    uint32_t count; /* of a tuple */
    int64_t number;
    double real; /* of a float, and of an integer too */
    assay_slice text;
    uint64_t target; /* AGAIN: where the tuple stands */
    uint32_t ref;    /* its number among the values that may be referred to, from 1; 0 = it has none */
};

struct marshal {
    struct cursor c;
    struct mem *mem;
    VEC(uint64_t) refs;        /* the values that may be referred to: where they stand, and their code in the lowest byte */
    VEC(assay_slice) interned; /* Python 2 refers to its interned strings by a numbering of their own */
    uint64_t from;             /* where to go on after marshal_leave */
    bool is_inside;            /* between marshal_enter and marshal_leave: what stands there was counted before */
    bool has_bytes, has_flags; /* strings of Python 2; references of Python 3 */
    enum marshal_fault fault;
    uint64_t fault_off;
    uint64_t fault_detail; /* code, reference or size */
};

void marshal_init(struct marshal *m, assay_slice bytes, struct mem *mem);
void marshal_done(struct marshal *m);
/* The next value. References to numbers and strings are followed. false = `fault` says why. */
bool marshal_next(struct marshal *m, struct marshal_value *v);
/* A number as most of them stand there, which nothing refers to. false = marshal_next has to be asked. */
static inline bool marshal_int(struct marshal *m, int64_t *out)
{
    const unsigned char *p = m->c.at;
    if (cursor_left(&m->c) < 5 || *p != 'i') return false;
    *out = (int32_t)bytes_u32le(p + 1);
    m->c.at += 5;
    return true;
}
static inline bool marshal_real(struct marshal *m, double *out)
{
    const unsigned char *p = m->c.at;
    if (cursor_left(&m->c) < 9 || *p != 'g') return false;
    *out = bytes_f64le(p + 1);
    m->c.at += 9;
    return true;
}
/* Reads the values of a tuple that stands elsewhere, then goes on behind the reference. Not to be nested. */
void marshal_enter(struct marshal *m, const struct marshal_value *again, uint32_t *count);
void marshal_leave(struct marshal *m);

#endif
