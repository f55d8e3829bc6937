/* Runs of edges; see edges.h. */
#include "formats/callgrind/edges.h"

enum { TIDY_LEAST = 1 << 16 };

void cg_edges_done(struct cg_edges *e)
{
    if (e->mem) vec_done(e->mem, &e->callees, &e->runs, &e->newest, &e->last);
}

void cg_edges_clear(struct cg_edges *e)
{
    e->callees.len = e->runs.len = e->newest.len = e->last.len = e->tidy_at = 0;
    e->caller = 0;
    e->has_again = false;
}

bool cg_edges_reach(struct cg_edges *e, size_t funcs)
{
    size_t len = e->newest.len, more = funcs > len ? funcs - len : 0;
    if (!vec_reserve(e->mem, &e->newest, more) || !vec_reserve(e->mem, &e->last, more) || !vec_reserve(e->mem, &e->callees, 1)) return false;
    if (!more) return true;
    memset(e->newest.at + len, 0, more * sizeof *e->newest.at);
    memset(e->last.at + len, 0, more * sizeof *e->last.at);
    e->newest.len = e->last.len = funcs;
    return true;
}

/* A run that nothing follows yet; there is room for it. */
static void put_run(struct cg_edges *e, uint32_t caller)
{
    uint32_t *last = &e->last.at[caller];
    e->runs.at[e->runs.len++] = (struct cg_run){ .caller = caller, .begin = (uint32_t)e->callees.len };
    if (*last) e->runs.at[*last - 1].next = (uint32_t)e->runs.len;
    e->has_again |= *last;
    *last = (uint32_t)e->runs.len;
    e->caller = caller;
}

bool cg_edges_begin(struct cg_edges *e, uint32_t caller, size_t funcs)
{
    if (e->callees.len + e->runs.len > e->tidy_at) {
        cg_edges_tidy(e);
        e->tidy_at = 2 * (e->callees.len + e->runs.len) + TIDY_LEAST;
    }
    if (e->callees.len + e->runs.len > UINT32_MAX / 2 || !cg_edges_reach(e, funcs) || !vec_reserve(e->mem, &e->runs, 1)) return false;
    put_run(e, caller);
    return true;
}

/* What a caller with several runs has twice becomes 0 where it comes again. */
static void take_out(struct cg_edges *e, size_t first)
{
    uint32_t caller = e->runs.at[first].caller;
    for (size_t run = first + 1; run; run = e->runs.at[run - 1].next)
        for (size_t i = e->runs.at[run - 1].begin; i < cg_run_end(e, run - 1); i++) e->newest.at[e->callees.at[i]] = 0;
    for (size_t run = first + 1; run; run = e->runs.at[run - 1].next)
        for (size_t i = e->runs.at[run - 1].begin; i < cg_run_end(e, run - 1); i++) {
            uint32_t *callee = &e->callees.at[i];
            if (e->newest.at[*callee] == caller)
                *callee = 0;
            else
                e->newest.at[*callee] = caller;
        }
}

/* Closes the gaps. What is written stands before what is still to be read. */
static void close_up(struct cg_edges *e)
{
    size_t runs = e->runs.len, edges = e->callees.len;
    for (size_t run = 0; run < runs; run++) e->last.at[e->runs.at[run].caller] = 0;
    e->runs.len = e->callees.len = 0;
    for (size_t run = 0; run < runs; run++) {
        struct cg_run from = e->runs.at[run];
        size_t end = run + 1 < runs ? e->runs.at[run + 1].begin : edges, to = e->callees.len;
        size_t i = from.begin;
        while (i < end && !e->callees.at[i]) i++;
        if (i == end) continue;
        put_run(e, from.caller);
        for (; i < end; i++)
            if (e->callees.at[i]) e->callees.at[to++] = e->callees.at[i];
        e->callees.len = to;
    }
    e->caller = 0;
}

void cg_edges_tidy(struct cg_edges *e)
{
    if (!e->has_again) return;
    for (size_t run = 0; run < e->runs.len; run++) e->last.at[e->runs.at[run].caller] = 0;
    for (size_t run = 0; run < e->runs.len; run++) {
        uint32_t *is_met = &e->last.at[e->runs.at[run].caller];
        if (!*is_met && e->runs.at[run].next) take_out(e, run);
        *is_met = 1;
    }
    close_up(e);
}

bool cg_edges_join(struct cg_edges *e, const struct cg_edges *more, const uint32_t *funcs, size_t count)
{
    for (size_t run = 0; run < more->runs.len; run++) {
        size_t i = more->runs.at[run].begin, end = cg_run_end(more, run);
        if (i == end) continue;
        uint32_t caller = funcs[more->runs.at[run].caller];
        if (e->caller != caller && !cg_edges_begin(e, caller, count)) return false;
        if (!vec_reserve(e->mem, &e->callees, end - i)) return false;
        for (; i < end; i++) cg_edges_put(e, funcs[more->callees.at[i]]);
    }
    return true;
}
