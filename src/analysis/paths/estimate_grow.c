/* Which contexts are made: the heaviest first; see estimate.h. */
#include "analysis/paths/estimate_parts.h"
#include "base/cancel.h"
#include "base/order.h"
#include "base/sort.h"

/* ---- the queue: a heap with the heaviest on top ---- */

static bool is_heavier(const struct estimate_candidate *a, const struct estimate_candidate *b)
{
    return a->rank != b->rank ? a->rank > b->rank : a->serial < b->serial;
}

static bool push(struct estimator *e, struct estimate_candidate c)
{
    if (!vec_reserve(&e->mem, &e->heap, 1)) return false;
    struct estimate_candidate *at = e->heap.at;
    size_t i = e->heap.len++;
    for (; i > 0 && is_heavier(&c, &at[(i - 1) / 2]); i = (i - 1) / 2) at[i] = at[(i - 1) / 2];
    at[i] = c;
    return true;
}

static struct estimate_candidate pop(struct estimator *e)
{
    struct estimate_candidate *at = e->heap.at, top = at[0], last = at[--e->heap.len];
    size_t len = e->heap.len, i = 0;
    for (;;) {
        size_t kid = 2 * i + 1;
        if (kid >= len) break;
        if (kid + 1 < len && is_heavier(&at[kid + 1], &at[kid])) kid++;
        if (!is_heavier(&at[kid], &last)) break;
        at[i] = at[kid];
        i = kid;
    }
    at[i] = last;
    return top;
}

/* ---- paths ---- */

static bool has_function(const struct estimator *e, uint32_t set, uint32_t func)
{
    for (uint32_t shift = e->set_bits; set && shift > 0; shift -= 2) set = e->sets.at[set].of[func >> (shift - 2) & 3];
    return set != 0;
}

/* The set with a function more; 0 = no memory. */
static uint32_t with_function(struct estimator *e, uint32_t set, uint32_t func)
{
    if (!vec_reserve(&e->mem, &e->sets, e->set_bits / 2 + 1)) return 0;
    if (!e->sets.len) e->sets.at[e->sets.len++] = (struct estimate_part){ 0 };
    uint32_t made = (uint32_t)e->sets.len;
    for (uint32_t shift = e->set_bits; shift > 0; shift -= 2) {
        struct estimate_part *part = &e->sets.at[e->sets.len++];
        uint32_t *of = &part->of[func >> (shift - 2) & 3];
        *part = e->sets.at[set];
        set = *of;
        *of = shift > 2 ? (uint32_t)e->sets.len : 1;
    }
    return made;
}

/* ---- shares ---- */

/* Where the file gives calls no cost, their number decides. */
double estimate_weight(const struct estimator *e, uint32_t arc)
{
    const struct estimate_arc *a = &e->arcs.at[arc];
    const struct estimate_func *callee = &e->funcs[a->callee];
    double in = e->in[a->callee];
    if (in > 0) return e->arc_cost.at[arc] / in;
    return callee->calls > 0 ? (double)a->calls / callee->calls : 1.0 / callee->callers;
}

static bool consider(struct estimator *e, uint32_t parent, uint32_t func, uint32_t arc)
{
    double share = parent ? e->share.at[parent] : 1;
    if (arc) share *= estimate_weight(e, arc - 1);
    double rank = share * e->funcs[func].cost;
    if (!(rank > 0)) return true;
    return push(e, (struct estimate_candidate){ rank, e->serial++, parent, func, arc });
}

/* 0 = no memory */
static uint32_t make_node(struct estimator *e, uint32_t parent, uint32_t func, uint32_t arc)
{
    struct estimate_node *node = vec_push(&e->mem, &e->nodes);
    if (!node || !vec_reserve(&e->mem, &e->share, 1)) return 0;
    uint32_t id = (uint32_t)e->nodes.len - 1;
    *node = (struct estimate_node){ parent, func, arc, with_function(e, e->nodes.at[parent].path, func) };
    if (!node->path) return 0;
    e->share.at[e->share.len++] = (parent ? e->share.at[parent] : 1) * (arc ? estimate_weight(e, arc - 1) : 1);
    if (!e->funcs[func].nodes++) e->funcs[func].node = id;
    return id;
}

/* What the context calls, but for functions that are on its path. */
static bool consider_callees(struct estimator *e, uint32_t node)
{
    bool done = true;
    for (uint32_t arc = e->funcs[e->nodes.at[node].func].first_out; done && arc; arc = e->arcs.at[arc - 1].next_out) {
        uint32_t callee = e->arcs.at[arc - 1].callee;
        if (!has_function(e, e->nodes.at[node].path, callee)) done = consider(e, node, callee, arc);
    }
    return done;
}

static bool take_heaviest(struct estimator *e, uint32_t max_nodes)
{
    while (e->heap.len && e->nodes.len <= max_nodes) {
        struct estimate_candidate c = pop(e);
        uint32_t node = make_node(e, c.parent, c.func, c.arc);
        if (!node || !consider_callees(e, node)) return false;
    }
    return true;
}

/* ---- roots ---- */

static bool consider_roots(struct estimator *e)
{
    bool done = true;
    for (uint32_t arc = e->funcs[0].first_out; done && arc; arc = e->arcs.at[arc - 1].next_out) done = consider(e, 0, e->arcs.at[arc - 1].callee, arc);
    for (uint32_t f = 1; done && f < e->func_len && (done = !cancel_at(f)); f++)
        if (e->funcs[f].is_known && !e->funcs[f].callers) done = consider(e, 0, f, 0);
    return done;
}

static int by_cost(const void *x, const void *y, void *funcs)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const struct estimate_func *f = funcs;
    return f[a].cost != f[b].cost ? ORDER(f[b].cost, f[a].cost) : ORDER(a, b);
}

static bool sort_by_cost(struct estimator *e)
{
    e->by_cost = mem_zalloc(&e->mem, e->func_len, sizeof *e->by_cost);
    if (!e->by_cost) return false;
    for (uint32_t f = 1; f < e->func_len; f++) e->by_cost[f - 1] = f;
    return sort_with(e->by_cost, e->func_len - 1, sizeof *e->by_cost, by_cost, e->funcs);
}

/* The heaviest function that has no context yet: of functions that only call each other one has to come first. 0 = all have one, or no cost. */
static uint32_t next_root(struct estimator *e)
{
    for (; e->by_cost_next < e->func_len - 1; e->by_cost_next++) {
        const struct estimate_func *f = &e->funcs[e->by_cost[e->by_cost_next]];
        if (!(f->cost > 0)) break;
        if (f->is_known && !f->nodes) return e->by_cost[e->by_cost_next];
    }
    return 0;
}

/* ---- functions that are left ---- */

/* The heaviest call to the function from one that has a context; 0 = there is none. */
static uint32_t heaviest_call(const struct estimator *e, uint32_t func)
{
    uint32_t best = 0;
    for (uint32_t arc = e->funcs[func].first_in; arc; arc = e->arcs.at[arc - 1].next_in) {
        if (!e->funcs[e->arcs.at[arc - 1].caller].nodes) continue;
        double cost = e->arc_cost.at[arc - 1], most = best ? e->arc_cost.at[best - 1] : -1;
        if (cost > most || (cost == most && e->arcs.at[arc - 1].calls > e->arcs.at[best - 1].calls)) best = arc;
    }
    return best;
}

/* One context for a function that has none, and for those that only it calls. The queue holds functions here. */
static bool settle(struct estimator *e, uint32_t func)
{
    e->heap.len = 0;
    if (!push(e, (struct estimate_candidate){ .func = func })) return false;
    while (e->heap.len) {
        uint32_t f = e->heap.at[--e->heap.len].func;
        if (e->funcs[f].nodes) continue;
        uint32_t arc = heaviest_call(e, f), node = make_node(e, arc ? e->funcs[e->arcs.at[arc - 1].caller].node : 0, f, arc);
        if (!node) return false;
        for (arc = e->funcs[f].first_out; arc; arc = e->arcs.at[arc - 1].next_out) {
            uint32_t callee = e->arcs.at[arc - 1].callee;
            if (!e->funcs[callee].nodes && !push(e, (struct estimate_candidate){ .func = callee })) return false;
        }
    }
    return true;
}

bool estimate_grow(struct estimator *e, uint32_t max_nodes)
{
    struct estimate_node *none = vec_push(&e->mem, &e->nodes);
    if (!none || !vec_reserve(&e->mem, &e->share, 1)) return false;
    *none = (struct estimate_node){ 0 };
    e->share.at[e->share.len++] = 0;
    while (e->set_bits < 32 && e->func_len >> e->set_bits) e->set_bits += 2;
    bool done = consider_roots(e) && take_heaviest(e, max_nodes) && sort_by_cost(e);
    for (uint32_t root; done && e->nodes.len <= max_nodes && (root = next_root(e)) != 0;) done = consider(e, 0, root, 0) && take_heaviest(e, max_nodes);
    /* those with a caller that has a context first, so that the others can follow them */
    for (int turn = 0; turn < 2; turn++)
        for (uint32_t f = 1; done && f < e->func_len && (done = !cancel_at(f)); f++)
            if (e->funcs[f].is_known && !e->funcs[f].nodes && (turn || heaviest_call(e, f))) done = settle(e, f);
    return done;
}
