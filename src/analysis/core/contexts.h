/* The tree of calling contexts as views, levels of callers and flame graphs go through it: which function each node belongs to, what calls a function node, which
 * function nodes are below it, and which are a function's. How rows are made of them is theirs: a view opens rows lazily, callers go some levels up and down, a
 * flame graph takes everything at once. */
#ifndef ANALYSIS_CORE_CONTEXTS_H
#define ANALYSIS_CORE_CONTEXTS_H

#include "analysis/core/frames.h"
#include "analysis/core/walk.h"

struct contexts {
    struct mem *mem;
    struct frames frames;
    struct walk children; /* only its lists; after contexts_link */
    uint32_t ranks;
    uint32_t *begin, *node; /* after contexts_list: the function nodes of rank r are node[begin[r]] .. node[begin[r + 1] - 1], in the order of ids */
};

/* Errors of all: MEMORY. contexts_done is due in either case. */
int contexts_init(struct contexts *x, const assay_profile *p, struct mem *mem, assay_error *err);
void contexts_done(struct contexts *x);
int contexts_link(struct contexts *x, assay_error *err);
/* Function nodes by the rank of their function: rank_of is by function id, 0 = leave out; NULL = the id is the rank. Ranks are from 1 to `ranks`. */
int contexts_list(struct contexts *x, const uint32_t *rank_of, uint32_t ranks, assay_error *err);

static inline bool contexts_is_function(const struct contexts *x, uint32_t node) { return x->frames.owner[node] == node; }
/* The function node that calls a function node; 0 = a root. */
static inline uint32_t contexts_caller(const struct contexts *x, uint32_t node) { return x->frames.owner[frames_parent(&x->frames, node)]; }
/* The function node after `node` (0 = the first) among those below `above` that are not below another one; 0 = there is none. Needs contexts_link. */
uint32_t contexts_next(const struct contexts *x, uint32_t above, uint32_t node);

#endif
