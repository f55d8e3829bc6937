/* The calls of a program in the order they were made, in memory that is bounded by what a picture can show (ASSAY_WANT_COARSE).
 *
 * Invocations come in the order they returned, callees before their callers, and each becomes a node. When there are too many nodes, the resolution
 * doubles and the tree is coarsened: siblings that follow each other and are no longer than the resolution taken together become one node for each
 * function, and what is then a sixteenth of it or shorter loses what it called. So no call moves by more than twice the resolution. What each context cost is
 * not kept here: the merged tree beside it has that, exactly. The resolution stays below a 1,024th of the whole: from there on the limit gives way. */
#ifndef FORMATS_COARSE_TREE_H
#define FORMATS_COARSE_TREE_H

#include "assay/build.h"
#include "base/vec.h"

#define COARSE_DRAWN "drawn" /* the column of what is kept; analysis/timeline_spans.c lays it out */

enum { COARSE_LIMIT = 1 << 18, COARSE_CELLS = 1024, COARSE_FOLD = 16 };

struct coarse_node {
    uint32_t func, first, last, next; /* children, and the next sibling; `next` is also the free list */
    uint64_t calls;                   /* invocations, those that are not kept below it included */
    uint64_t length, below;           /* of all of them with everything below; of the children alone */
};

/* The node that a function has among siblings that are being joined. */
struct coarse_mark {
    uint64_t group;
    uint32_t node;
};

struct coarse_tree {
    struct mem *mem;
    size_t limit;                  /* nodes */
    uint64_t resolution, total;    /* in units of lengths; total: of what has come so far */
    VEC(struct coarse_node) nodes; /* [0] unused */
    VEC(uint32_t) unclaimed;       /* nodes that no caller has claimed, in the order they returned */
    VEC(struct coarse_mark) marks; /* by function */
    VEC(uint32_t) work;
    uint64_t group;
    uint32_t free;
    size_t live;
};

void coarse_init(struct coarse_tree *t, struct mem *mem);
void coarse_done(struct coarse_tree *t);

/* An invocation of a function of the builder returns: the last `count` unclaimed ones are its calls. `length`: how long it took itself. Errors: MEMORY. */
int coarse_push(struct coarse_tree *t, assay_func_id func, uint64_t length, size_t count, assay_error *err);

/* Makes nodes of everything that came, unclaimed invocations as roots, and forgets it. How long each took itself goes into column COARSE_DRAWN of a metric, as a value of `type`. Errors: MEMORY. */
int coarse_end(struct coarse_tree *t, assay_builder *b, assay_stream_id stream, assay_metric_id metric, enum assay_type type, assay_error *err);

#endif
