/* Cycles of a call graph; see cycles.h. Tarjan's search, with a path of its own in place of recursion: call graphs are deep. */
#include "analysis/core/cycles.h"

#include "analysis/core/top.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

/* ---- the search ---- */

/* A function, all of it in one place: callees are anywhere. */
struct search_node {
    uint32_t number;    /* when it was met, from 1; 0 = not yet */
    uint32_t low;       /* the earliest that can be reached from it and is still open; CLOSED = its component is known */
    uint32_t next, end; /* its arcs that are still to be looked at */
};

enum { CLOSED = UINT32_MAX };

struct search {
    const struct arcs *arcs;
    struct search_node *node; /* by function */
    uint32_t *open;           /* functions that belong to no component yet, in the order met */
    uint32_t *path;           /* from where the search began to where it is */
    uint32_t open_len, path_len, met;
};

static uint32_t callee_of(const struct search *s, uint32_t i) { return arcs_callee(s->arcs, s->arcs->by_caller.arc[i]); }

static void enter(struct search *s, uint32_t func)
{
    enum { AHEAD = 16 };
    struct search_node *n = &s->node[func];
    n->number = n->low = ++s->met;
    s->open[s->open_len++] = func;
    s->path[s->path_len++] = func;
    for (uint32_t i = n->next; i < n->end && i - n->next < AHEAD; i++) __builtin_prefetch(&s->node[callee_of(s, i)]);
}

/* What closed its component has the largest number, so that it lowers nothing any more. */
static void lower(struct search *s, uint32_t func, uint32_t to)
{
    if (to < s->node[func].low) s->node[func].low = to;
}

/* All that is reached from `func`, and from nothing that was met before it, is one component. */
static void close_component(struct search *s, struct cycles *c, uint32_t func)
{
    uint32_t first = s->open_len;
    while (s->open[--first] != func) {
    }
    bool is_cycle = s->open_len - first > 1;
    c->count += is_cycle;
    for (uint32_t i = first; i < s->open_len; i++) {
        s->node[s->open[i]].low = CLOSED;
        if (is_cycle) c->of[s->open[i]] = c->count;
    }
    s->open_len = first;
}

static void leave(struct search *s, struct cycles *c)
{
    uint32_t func = s->path[--s->path_len], low = s->node[func].low;
    if (low == s->node[func].number) {
        close_component(s, c, func);
        return;
    }
    lower(s, s->path[s->path_len - 1], low); /* not the first of its component, so something is below it on the path */
}

static void search_from(struct search *s, struct cycles *c, uint32_t root)
{
    enter(s, root);
    while (s->path_len) {
        uint32_t func = s->path[s->path_len - 1];
        struct search_node *n = &s->node[func];
        if (n->next == n->end) {
            leave(s, c);
            continue;
        }
        uint32_t to = callee_of(s, n->next++);
        const struct search_node *t = &s->node[to];
        if (to && !t->number && t->next != t->end) /* what calls nothing is in no cycle */
            enter(s, to);
        else if (t->number && t->low != CLOSED)
            lower(s, func, t->number);
    }
}

static int find(struct cycles *c, const struct arcs *a, assay_error *err)
{
    size_t funcs = a->funcs;
    const uint32_t *start = a->by_caller.start;
    SCRATCH(struct search_node, node, c->mem, funcs);
    SCRATCH(uint32_t, lists, c->mem, 2 * funcs);
    if (!node || !lists) return error_memory(err);
    struct search s = { .arcs = a, .node = node, .open = lists, .path = lists + funcs };
    for (size_t func = 0; func < funcs; func++) {
        node[func].next = start[func];
        node[func].end = start[func + 1];
    }
    for (uint32_t func = 1; func < funcs; func++) {
        TRY(cancel_step(func, err));
        if (!node[func].number && node[func].next != node[func].end) search_from(&s, c, func);
    }
    return 0;
}

/* ---- numbers ---- */

struct rank {
    assay_value total; /* the largest of its members, as `top` has it */
    enum assay_type type;
    uint32_t first, old; /* the member with the smallest number; the number so far */
};

static int by_total(const void *x, const void *y)
{
    const struct rank *a = x, *b = y;
    int c = value_compare(a->type, b->total, a->total);
    return c ? c : ORDER(a->first, b->first);
}

static void rank_cycles(const struct cycles *c, const struct top *t, struct rank *ranks)
{
    for (uint32_t of = 1; of <= c->count; of++) ranks[of - 1] = (struct rank){ .type = t->width ? (enum assay_type)t->types[0] : ASSAY_U64, .old = of };
    for (uint32_t row = 0; row < t->pub.count; row++) {
        uint32_t func = t->func[row].v;
        if (!c->of[func]) continue;
        struct rank *r = &ranks[c->of[func] - 1];
        bool is_larger = t->width && (!r->first || value_compare(r->type, top_cell(&t->pub, t->total, row, 0), r->total) > 0);
        if (is_larger) r->total = top_cell(&t->pub, t->total, row, 0);
        if (!r->first || func < r->first) r->first = func;
    }
}

static int put_in_order(struct cycles *c, const struct top *t, assay_error *err)
{
    size_t n = (size_t)c->count + 1;
    SCRATCH(struct rank, ranks, c->mem, n);
    SCRATCH(uint32_t, to, c->mem, n);
    if (!ranks || !to) return error_memory(err);
    rank_cycles(c, t, ranks);
    sort_by(ranks, c->count, sizeof *ranks, by_total);
    for (uint32_t i = 0; i < c->count; i++) to[ranks[i].old] = i + 1;
    for (size_t func = 1; func < c->funcs_len; func++) c->of[func] = to[c->of[func]];
    return 0;
}

/* ---- figures ---- */

static bool leaves(const struct cycles *c, const struct arcs *a, uint32_t arc)
{
    uint32_t from = c->of[arcs_caller(a, arc)];
    return from && c->of[arcs_callee(a, arc)] != from;
}

static void count_members(struct cycles *c, const struct arcs *a)
{
    for (uint32_t func = 1; func < a->funcs; func++)
        if (c->of[func]) c->members[c->of[func]]++;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t to = c->of[arcs_callee(a, i)];
        if (!to || c->of[arcs_caller(a, i)] == to) continue;
        if (__builtin_add_overflow(c->calls[to], arcs_calls(a, i), &c->calls[to])) c->calls[to] = UINT64_MAX;
    }
}

static void add_metric(struct cycles *c, const struct arcs *a, const struct top *t, uint32_t k, struct sums *cycle, struct sums *member)
{
    for (uint32_t row = 0; row < t->pub.count; row++) {
        uint32_t of = c->of[t->func[row].v];
        assay_value self = top_cell(&t->pub, t->self, row, k);
        sums_add(member, row, of ? self : top_cell(&t->pub, t->total, row, k));
        if (of) sums_add(cycle, of, self);
    }
    for (uint32_t of = 1; of <= c->count; of++) c->self[(size_t)of * c->width + k] = sums_value(cycle, of);
    for (uint32_t i = 0; i < a->count; i++) {
        if (!leaves(c, a, i)) continue;
        uint32_t func = arcs_caller(a, i);
        sums_add(cycle, c->of[func], arcs_total(a, i, k));
        if (func < t->row_of_len && t->row_of[func]) sums_add(member, t->row_of[func] - 1, arcs_total(a, i, k));
    }
    for (uint32_t of = 1; of <= c->count; of++) c->total[(size_t)of * c->width + k] = sums_value(cycle, of);
    for (uint32_t row = 0; c->member_total && row < t->pub.count; row++) c->member_total[(size_t)row * c->width + k] = sums_value(member, row);
}

static int sum_metric(struct cycles *c, const struct arcs *a, const struct top *t, uint32_t k, assay_error *err)
{
    SCOPED(sums_done) struct sums cycle = { 0 }, member = { 0 };
    if (!sums_init(&cycle, c->mem, (enum assay_type)t->types[k], (size_t)c->count + 1)) return error_memory(err);
    if (!sums_init(&member, c->mem, (enum assay_type)t->types[k], c->rows_len)) return error_memory(err);
    add_metric(c, a, t, k, &cycle, &member);
    return 0;
}

static int make_figures(struct cycles *c, const struct arcs *a, const struct top *t, enum cycles_figures figures, assay_error *err)
{
    size_t n = (size_t)c->count + 1, cells, member_cells;
    bool has_members = figures == CYCLES_MEMBERS && c->count;
    if (!size_mul(&cells, n, c->width) || !size_mul(&member_cells, c->rows_len, c->width)) return error_memory(err);
    c->members = arena_zalloc(&c->columns, n, sizeof *c->members);
    c->calls = arena_zalloc(&c->columns, n, sizeof *c->calls);
    c->self = arena_zalloc(&c->columns, cells, sizeof *c->self);
    c->total = arena_zalloc(&c->columns, cells, sizeof *c->total);
    if (has_members) c->member_total = arena_zalloc(&c->columns, member_cells, sizeof *c->member_total);
    if (!c->members || !c->calls || !c->self || !c->total || (has_members && !c->member_total)) return error_memory(err);
    if (!c->count) return 0;
    count_members(c, a);
    for (uint32_t k = 0; k < c->width; k++) TRY(sum_metric(c, a, t, k, err));
    return 0;
}

/* ---- all of it ---- */

int cycles_init(struct cycles *c, struct mem *mem, const struct arcs *a, const assay_top *top, enum cycles_figures figures, assay_error *err)
{
    const struct top *t = (const struct top *)top;
    *c = (struct cycles){ .mem = mem, .width = figures ? top->metric_count : 0, .funcs_len = a->funcs, .rows_len = top->count };
    arena_init(&c->columns, mem);
    c->of = arena_zalloc(&c->columns, c->funcs_len, sizeof *c->of);
    if (!c->of) return error_memory(err);
    if (!a->is_exact) TRY(find(c, a, err));
    if (c->count > 1) TRY(put_in_order(c, t, err));
    return make_figures(c, a, t, figures, err);
}

void cycles_done(struct cycles *c)
{
    if (!c->mem) return;
    arena_done(&c->columns);
    *c = (struct cycles){ 0 };
}

int cycles_collapse(const struct cycles *c, const assay_top *top, assay_top **out, assay_error *err)
{
    struct top *t;
    *out = NULL;
    TRY(top_copy((const struct top *)top, c->count, &t, err));
    size_t cells = (size_t)top->count * c->width;
    for (size_t i = 0; c->member_total && i < cells; i++) t->total[i] = c->member_total[i];
    for (size_t i = 0; i < (size_t)c->count * c->width; i++) {
        t->self[cells + i] = c->self[c->width + i];
        t->total[cells + i] = c->total[c->width + i];
    }
    for (uint32_t of = 1; of <= c->count; of++) t->calls[top->count + of - 1] = c->calls[of];
    *out = &t->pub;
    return 0;
}
