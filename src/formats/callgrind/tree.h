/* The exact call tree of Xdebug text, built from invocations in the order they returned. */
#ifndef CALLGRIND_TREE_H
#define CALLGRIND_TREE_H

#include "formats/callgrind/read.h"
#include "formats/coarse/tree.h"

/* A call of a block: which line, and what the caller was charged (a row of values). */
struct cg_call {
    uint32_t callee, line;
    uint64_t calls;
};

/* A context: all invocations of one function under one path (read_merge.c). */
struct cg_context {
    uint32_t func, parent, first, last, next; /* first and last child, next sibling; next is also the free list */
    uint32_t count;                           /* children */
    uint64_t calls;
};

struct cg_tree {
    bool is_whole, is_coarse;
    uint32_t width; /* values in a row */
    assay_scope_id point[CG_MAX_EVENTS], charged[CG_MAX_EVENTS];
    uint32_t scope_count;

    VEC(uint32_t) nodes;   /* of invocations that nobody has claimed */
    VEC(uint32_t) funcs;   /* of the same */
    VEC(assay_value) took; /* whole trees: a row for each of them, what it and its calls took */

    struct coarse_tree coarse;
    uint32_t time; /* of coarse trees: the slot that tells how long a call took */

    /* merged trees */
    VEC(struct cg_context) contexts; /* [0] unused */
    VEC(assay_value) values;         /* for each context a row of self and a row of charged */
    uint32_t free;
    uint32_t *slots; /* (parent, func) -> context, open addressing; of parents with many children */
    uint32_t slot_mask, slot_count;
};

/* A block is finished: its node, with the last `count` unclaimed ones below it. rows: a row for each call. *is_matching comes back false,
 * and nothing was done, when those are not invocations of the functions called. */
int cg_tree_push(struct cg_reader *r, struct cg_tree *t, uint32_t func, const assay_value *self, const struct cg_call *calls, const assay_value *rows,
                 size_t count, bool *is_matching, assay_error *err);
/* The run ends: what is unclaimed are its roots. */
int cg_tree_end(struct cg_reader *r, struct cg_tree *t, assay_error *err);
/* The file ends: makes the nodes of coarse trees. */
int cg_tree_build(struct cg_reader *r, struct cg_tree *t, assay_error *err);
void cg_tree_done(struct cg_tree *t, struct mem *m);

/* Adds rows of the builder's values. */
void cg_tree_values(struct cg_reader *r, const struct cg_tree *t, assay_node_id node, const assay_scope_id *columns, const assay_value *row);

/* Merged trees. */
int cg_merge_push(struct cg_reader *r, struct cg_tree *t, uint32_t func, const assay_value *self, const assay_value *rows, size_t count, assay_error *err);
int cg_merge_end(struct cg_reader *r, struct cg_tree *t, assay_error *err);

#endif
