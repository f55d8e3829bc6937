/* The nodes of each function are listed by counting, not sorting: how many each rank has, where its list begins, then each node to its place. One
 * array holds all lists, and nodes of one list stay in the order of the tree. See contexts.h. */
#include "analysis/core/contexts.h"

#include "base/error.h"

int contexts_init(struct contexts *x, const assay_profile *p, struct mem *mem, assay_error *err)
{
    *x = (struct contexts){ .mem = mem };
    return frames_init(&x->frames, assay_profile_tree(p), mem, err);
}

void contexts_done(struct contexts *x)
{
    if (!x->mem) return;
    mem_free(x->mem, x->begin, x->begin ? ((size_t)x->ranks + 2) * sizeof *x->begin : 0);
    mem_free(x->mem, x->node, x->node ? x->frames.len * sizeof *x->node : 0);
    walk_done(&x->children);
    frames_done(&x->frames);
    *x = (struct contexts){ 0 };
}

int contexts_link(struct contexts *x, assay_error *err) { return walk_init(&x->children, x->frames.tree, x->mem, err); }

static uint32_t rank_at(const struct contexts *x, const uint32_t *rank_of, uint32_t node)
{
    uint32_t func = contexts_is_function(x, node) ? frames_func(&x->frames, node) : 0;
    return rank_of && func ? rank_of[func] : func;
}

int contexts_list(struct contexts *x, const uint32_t *rank_of, uint32_t ranks, assay_error *err)
{
    size_t len = x->frames.len;
    x->ranks = ranks;
    x->begin = mem_zalloc(x->mem, (size_t)ranks + 2, sizeof *x->begin);
    x->node = mem_zalloc(x->mem, len, sizeof *x->node);
    if (!x->begin || !x->node) return error_memory(err);
    for (uint32_t node = 1; node < len; node++) {
        uint32_t rank = rank_at(x, rank_of, node);
        if (rank) x->begin[rank + 1]++;
    }
    for (uint32_t rank = 1; rank <= ranks; rank++) x->begin[rank + 1] += x->begin[rank];
    for (uint32_t node = 1; node < len; node++) {
        uint32_t rank = rank_at(x, rank_of, node);
        if (rank) x->node[x->begin[rank]++] = node;
    }
    for (uint32_t rank = ranks + 1; rank > 0; rank--) x->begin[rank] = x->begin[rank - 1]; /* they stand at the ends now */
    return 0;
}

uint32_t contexts_next(const struct contexts *x, uint32_t above, uint32_t node)
{
    const struct walk *w = &x->children;
    uint32_t at = node ? node : above;
    bool may_descend = !node;
    for (;;) {
        if (may_descend && w->first_child[at])
            at = w->first_child[at];
        else {
            while (at != above && !w->next[at]) at = frames_parent(&x->frames, at);
            if (at == above) return 0;
            at = w->next[at];
        }
        may_descend = !contexts_is_function(x, at);
        if (!may_descend) return at;
    }
}
