/* Which file is mapped where, in every process and at every time. Mappings are kept in trees that never change: a new mapping makes a new tree that shares
 * most of the old one. So a fork costs nothing, samples may come in any order, and each state of a process has one number: that of its root, 0 = nothing is mapped. */
#ifndef FORMATS_PERF_DATA_SPACES_H
#define FORMATS_PERF_DATA_SPACES_H

#include "base/hash.h"
#include "base/vec.h"

struct pd_area {
    uint64_t start, end; /* end = the last address; so that all of them can be mapped */
    uint64_t pgoff;      /* of start, in the file */
    uint32_t dso;
    uint32_t left, right, rank; /* a treap: ranks are random, and none has a smaller one below it */
};

struct pd_spaces {
    struct mem *mem;
    VEC(struct pd_area) areas; /* from 1 */
    uint32_t fresh;            /* areas from here on belong to the change in work */
    uint64_t made;
    bool failed;
};

/* The state after start .. end was mapped, whatever was there before; dso 0 = after it was unmapped. */
uint32_t pd_space_put(struct pd_spaces *s, uint32_t root, const struct pd_area *area);

/* NULL = nothing is mapped there. */
static inline const struct pd_area *pd_space_find(const struct pd_spaces *s, uint32_t root, uint64_t address)
{
    while (root) {
        const struct pd_area *a = &s->areas.at[root - 1];
        if (address >= a->start && address <= a->end) return a;
        root = address < a->start ? a->left : a->right;
    }
    return NULL;
}

#endif
