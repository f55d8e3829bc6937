/* Lines of a text input: blocks of whole lines, each ended by '\n', also the last one of a file that has none. Decoders of text formats pull
 * from it. One whose hot path must not look for the line end first walks from `at` to `end` itself, and keeps `at` and `count` up to date. */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/ahead.h"
#include "base/findings.h"
#include "base/input.h"
#include "base/vec.h"

struct lines {
    struct mem *mem;
    struct input *in;
    struct findings *damage;
    assay_error *err;
    const char *at, *end; /* what is left of the block; end[-1] is '\n' */
    const char *begin;    /* of the block */
    uint64_t begin_off;
    uint64_t count; /* lines taken so far */
    VEC(char) last; /* copy of a last line without '\n', with one */
    bool is_cut;    /* the block is that last line */
    bool at_eof;
    struct ahead *ahead; /* where blocks come from; NULL = from `in` itself */
    int slot;            /* of the block, where something was made of it ahead; -1 = it was not */
};

struct line {
    assay_slice text; /* without the line end and a CR before it; {NULL, 0} = the input is at its end */
    uint64_t off;
    uint64_t number; /* from 1 */
};

/* All but `l` is borrowed until lines_done. `ahead` may be set behind it; whoever takes what was made of a block sets `at` and `count` behind it. Damage of the packing goes to `damage`: Z-1 cut, Z-2 damaged, offset in the compressed file. */
void lines_init(struct lines *l, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void lines_done(struct lines *l);
/* The lines of a piece of a text, which ends with a line end; it is borrowed. Offsets are its own, and none is 0. */
void lines_of(struct lines *l, assay_slice text, struct mem *mem, struct findings *damage, assay_error *err);
/* Makes at < end unless the input is at its end. Errors: those of input_block but damaged packing, and MEMORY. */
int lines_fill(struct lines *l);
/* The next line; its text lasts until the next call. */
int lines_next(struct lines *l, struct line *out);
/* Offset of a byte of the block. */
static inline uint64_t lines_off(const struct lines *l, const char *p) { return l->begin_off + (uint64_t)(p - l->begin); }
/* Offset behind the last byte, once the input is at its end: the line end that a last line was given does not count. */
static inline uint64_t lines_end_off(const struct lines *l) { return lines_off(l, l->end) - l->is_cut; }

#endif
