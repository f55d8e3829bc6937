/* Walking a tree of any depth without recursion: children lists and a depth-first cursor. */
#ifndef ANALYSIS_CORE_WALK_H
#define ANALYSIS_CORE_WALK_H

#include "assay/model.h"
#include "base/mem.h"

struct walk {
    struct mem *mem;
    const struct assay_tree *tree;
    uint32_t *first_child; /* by node id; [0] = first root */
    uint32_t *next;        /* next sibling, by node id */
    uint32_t node;         /* where the walk stands; 0 = before the start or at the end */
    bool is_leaving;       /* true: all below `node` has been visited */
    bool is_done;
};

/* Errors: MEMORY. */
int walk_init(struct walk *w, const struct assay_tree *tree, struct mem *mem, assay_error *err);
void walk_done(struct walk *w);
/* To the next entering or leaving of a node, siblings in the order of their ids; false at the end. Each node is entered and left once. */
bool walk_next(struct walk *w);

#endif
