/* Who calls whom, each pair once, in the order in which they are met. Edges of a caller stand in runs; what it calls is marked with it, so that nothing is looked up
 * when one is added. Only a caller that comes again can have an edge twice: those are taken out when they may be half of all, and at the end. */
#ifndef CALLGRIND_EDGES_H
#define CALLGRIND_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* Edges in a row. */
struct cg_run {
    uint32_t caller, begin;
    uint32_t next; /* run of the same caller, from 1 */
};

struct cg_edges {
    struct mem *mem;
    VEC(uint32_t) callees;
    VEC(struct cg_run) runs;
    VEC(uint32_t) newest; /* by function: the newest caller of it */
    VEC(uint32_t) last;   /* by function: the newest run of which it is the caller, from 1 */
    uint32_t caller;      /* of the newest run */
    bool has_again;       /* a caller has several runs */
    size_t tidy_at;       /* so many edges and runs are looked through for what is there twice */
};

static inline void cg_edges_init(struct cg_edges *e, struct mem *mem) { *e = (struct cg_edges){ .mem = mem }; }
void cg_edges_done(struct cg_edges *e);
/* Forgets all, keeps the memory. */
void cg_edges_clear(struct cg_edges *e);
/* What follows is called by this one; functions have numbers below `funcs`. false = no memory, or too many */
bool cg_edges_begin(struct cg_edges *e, uint32_t caller, size_t funcs);
/* Room for marks of functions below `funcs`, and for another edge. */
bool cg_edges_reach(struct cg_edges *e, size_t funcs);

/* An edge of the newest run, with room for it. No branch depends on whether it is known. */
static inline void cg_edges_put(struct cg_edges *e, uint32_t callee)
{
    uint32_t *newest = &e->newest.at[callee];
    e->callees.at[e->callees.len] = callee;
    e->callees.len += *newest != e->caller;
    *newest = e->caller;
}
static inline bool cg_edges_has_room(const struct cg_edges *e, uint32_t callee) { return callee < e->newest.len && e->callees.len < e->callees.cap; }

/* false = no memory, or too many */
static inline bool cg_edges_add(struct cg_edges *e, uint32_t caller, uint32_t callee, size_t funcs)
{
    if (e->caller != caller && !cg_edges_begin(e, caller, funcs)) return false;
    if (__builtin_expect(!cg_edges_has_room(e, callee), 0) && !cg_edges_reach(e, funcs)) return false;
    cg_edges_put(e, callee);
    return true;
}
/* Adds those of another one, whose functions are funcs[...] here. */
bool cg_edges_join(struct cg_edges *e, const struct cg_edges *more, const uint32_t *funcs, size_t count);
/* Takes out what is there twice. */
void cg_edges_tidy(struct cg_edges *e);

static inline size_t cg_run_end(const struct cg_edges *e, size_t run) { return run + 1 < e->runs.len ? e->runs.at[run + 1].begin : e->callees.len; }

#endif
