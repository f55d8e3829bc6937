/* The calls of a program in the order they were made, in memory that is bounded by what a picture can show (ASSAY_WANT_COARSE).
 *
 * Invocations come in the order they returned, callees before their callers, and each becomes a node. When there are too many nodes, the resolution
 * doubles and the tree is coarsened: siblings that follow each other and are no longer than the resolution taken together become one node for each
 * function, and so do their callees. So no call moves by more than twice the resolution, and what each context cost stays exact. The resolution stays
 * below a 2,048th of the whole: from there on the limit gives way instead. */
#ifndef FORMATS_COARSE_TREE_H
#define FORMATS_COARSE_TREE_H

#include "assay/build.h"
#include "base/vec.h"

enum { COARSE_LIMIT = 1 << 18, COARSE_CELLS = 2048 };

struct coarse_node {
    uint32_t func, first, last, next; /* children, and the next sibling; `next` is also the free list */
    uint64_t calls, length;           /* of its invocations with everything below */
};

/* The node that a function has among siblings that are being joined. */
struct coarse_mark {
    uint64_t group;
    uint32_t node;
    bool is_fed; /* others were joined to it */
};

struct coarse_tree {
    struct mem *mem;
    enum assay_type type;
    uint32_t width;                /* values in a row */
    size_t limit;                  /* nodes */
    uint64_t resolution, total;    /* in units of lengths; total: of what has come so far */
    VEC(struct coarse_node) nodes; /* [0] unused */
    VEC(assay_value) values;       /* a row for each */
    VEC(uint32_t) unclaimed;       /* nodes that no caller has claimed, in the order they returned */
    VEC(struct coarse_mark) marks; /* by function */
    VEC(uint32_t) work;
    uint64_t group;
    uint32_t free;
    size_t live;
};

void coarse_init(struct coarse_tree *t, struct mem *mem);
void coarse_done(struct coarse_tree *t);

/* Before the first invocation of a run: rows have `width` values of a type. */
void coarse_begin(struct coarse_tree *t, enum assay_type type, uint32_t width);

/* An invocation of a function of the builder returns: the last `count` unclaimed ones are its calls. `length`: how long it took itself. Errors: MEMORY. */
int coarse_push(struct coarse_tree *t, assay_func_id func, uint64_t length, const assay_value *self, size_t count, assay_error *err);

/* Makes nodes of everything that came, unclaimed invocations as roots, and forgets it. `columns`: as many as a row has values. Errors: MEMORY. */
int coarse_end(struct coarse_tree *t, assay_builder *b, assay_stream_id stream, const assay_scope_id *columns, assay_error *err);

#endif
