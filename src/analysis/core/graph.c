/* A call graph from a tree of calling contexts; assay/graph.h says how each figure is counted. One metric after the other, so that
 * memory grows with the nodes and not with nodes times metrics. */
#include "analysis/core/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"
#include "base/scoped.h"

/* Whole numbers from fractions: what is rounded away of one row is carried to the next one of the same function, so that the function's
 * sum is off by half a unit at most. */
struct whole {
    struct sums exact; /* by function id */
    int64_t *given;
};

static int whole_init(struct whole *w, struct grapher *g, assay_error *err)
{
    size_t n = (size_t)assay_profile_funcs(g->p)->count + 1 + GRAPH_STAND_INS;
    bool has_room = sums_init(&w->exact, g->mem, ASSAY_F64, n);
    w->given = mem_zalloc(g->mem, n, sizeof *w->given);
    return has_room && w->given ? 0 : error_memory(err);
}

static void whole_done(struct whole *w)
{
    mem_free(w->exact.mem, w->given, w->exact.len * sizeof *w->given);
    sums_done(&w->exact);
}

static int64_t nearest(double d)
{
    if (isnan(d)) return 0;
    return d >= 9223372036854775807.0 ? INT64_MAX : d <= -9223372036854775808.0 ? INT64_MIN : (int64_t)llround(d);
}

static assay_value whole_next(struct whole *w, uint32_t func, double scale, const struct sums *from, size_t row)
{
    int64_t more;
    sums_add_sum(&w->exact, func, from, row);
    int64_t until = nearest(sums_value(&w->exact, func).d * scale);
    if (__builtin_sub_overflow(until, w->given[func], &more)) more = until < 0 ? INT64_MIN : INT64_MAX;
    w->given[func] = until;
    return (assay_value){ .i = more };
}

/* ---- rows ---- */

static void put_value(struct grapher *g, const struct graph_metric *m, size_t k, struct whole *w, uint32_t func, const struct sums *from, size_t row)
{
    assay_value v = sums_value(from, row);
    if (m->scale > 0) v = func ? whole_next(w, func, m->scale, from, row) : (assay_value){ .i = nearest(v.d * m->scale) };
    g->row[k] = v;
}

static int put_places(struct grapher *g, size_t k, const struct columns *c, const struct sums *values, assay_error *err)
{
    const struct graph_metric *m = &g->metrics.at[k];
    SCOPED(sums_done) struct sums sums = { 0 };
    SCOPED(whole_done) struct whole whole = { .given = NULL };
    bool is_stored = c->function.v || c->execution.v; /* what has no place is in there already */
    if (!sums_init(&sums, g->mem, m->type, g->places.len + 1)) return error_memory(err);
    TRY(whole_init(&whole, g, err));
    if (!is_stored) sums_add_sum(&sums, g->places.len, values, 0); /* samples without a stack */
    for (uint32_t id = 1; id <= g->f.tree->count; id++) {
        TRY(cancel_step(id, err));
        if (g->f.owner[id] || !is_stored) sums_add_sum(&sums, g->place[id], values, id);
    }
    for (size_t i = 0; i <= g->places.len; i++) {
        TRY(cancel_step(i, err));
        struct assay_place at = { .func = { GRAPH_STAND_IN(GRAPH_UNKNOWN) } };
        if (i < g->places.len) at = g->places.at[i];
        if (value_is_zero(m->type, sums_value(&sums, i))) continue;
        at.func = graph_func(g, at.func.v);
        put_value(g, m, k, &whole, at.func.v, &sums, i);
        if (g->row[k].u) assay_build_self(g->b, &at, g->row, (uint32_t)k + 1);
    }
    g->row[k] = (assay_value){ 0 };
    return 0;
}

static int put_calls(struct grapher *g, size_t k, const struct sums *values, assay_error *err)
{
    const struct graph_metric *m = &g->metrics.at[k];
    SCOPED(sums_done) struct sums sums = { 0 };
    SCOPED(whole_done) struct whole whole = { .given = NULL };
    if (!sums_init(&sums, g->mem, m->type, g->sites.len)) return error_memory(err);
    TRY(whole_init(&whole, g, err));
    for (uint32_t id = 1; id <= g->f.tree->count; id++) {
        TRY(cancel_step(id, err));
        if (g->is_counted[id]) sums_add_sum(&sums, g->site[id] - 1, values, id);
    }
    for (size_t i = 0; i < g->sites.len; i++) {
        TRY(cancel_step(i, err));
        struct assay_place at = g->sites.at[i].at;
        assay_func_id callee = graph_func(g, g->sites.at[i].callee);
        if (value_is_zero(m->type, sums_value(&sums, i))) continue;
        at.func = graph_func(g, at.func.v);
        put_value(g, m, k, &whole, at.func.v == callee.v ? 0 : callee.v, &sums, i);
        assay_build_call(g->b, &at, callee, 0, g->row, (uint32_t)k + 1);
    }
    g->row[k] = (assay_value){ 0 };
    return 0;
}

/* Each call site once, whatever was measured below it. */
static void put_counts(struct grapher *g)
{
    for (size_t i = 0; i < g->sites.len; i++) {
        struct assay_place at = g->sites.at[i].at;
        uint64_t calls = g->sites.at[i].calls;
        at.func = graph_func(g, at.func.v);
        assay_build_call(g->b, &at, graph_func(g, g->sites.at[i].callee), calls ? calls : 1, g->row, 0);
        g->lost->unknown_calls += calls == 0;
    }
}

static int put_metric(struct grapher *g, size_t k, assay_error *err)
{
    struct columns c = columns_of(g->p, g->metrics.at[k].from);
    SCOPED(sums_done) struct sums values = { 0 };
    if (!sums_init(&values, g->mem, g->metrics.at[k].type, g->f.len)) return error_memory(err);
    TRY(columns_add(g->p, c.function.v ? c.function : c.point, &values, err));
    if (c.function.v) columns_take_apart(&g->f, ASSAY_SCOPE_FUNCTION, &values);
    TRY(put_places(g, k, &c, &values, err));
    TRY(columns_inclusive(g->p, &g->f, &c, &values, err));
    return put_calls(g, k, &values, err);
}

/* ---- the whole ---- */

static int fill(struct grapher *g, const struct assay_graph_options *options, assay_error *err)
{
    const struct assay_tree *tree = assay_profile_tree(g->p);
    TRY(frames_init(&g->f, tree, g->mem, err));
    TRY(graph_copy(g, options->per_second, err));
    TRY(graph_plan(g, err));
    TRY(graph_places(g, err));
    put_counts(g);
    for (size_t k = 0; k < g->metrics.len; k++) TRY(put_metric(g, k, err));
    g->lost->contexts = tree->count;
    g->lost->streams = assay_profile_streams(g->p)->count;
    return 0;
}

int assay_graph_new(const assay_profile *p, const struct assay_graph_options *options, assay_profile **out, struct assay_graph_lost *lost, assay_error *err)
{
    struct assay_graph_options o;
    struct assay_graph_lost ignored;
    assay_error local;
    struct mem mem;
    struct grapher g = { .mem = &mem, .p = p, .lost = lost ? lost : &ignored };
    err = error_enter(err, &local);
    *out = NULL;
    *g.lost = (struct assay_graph_lost){ 0 };
    TRY(OPTIONS_TAKE(struct assay_graph_options, max_memory, &o, options, err));
    if (!(assay_profile_shapes(p) & ASSAY_SHAPE_TREE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no call stacks to build a graph from");
    mem_init(&mem, (size_t)o.max_memory);
    g.b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH, .max_memory = o.max_memory }, err);
    if (!g.b) return err->code;
    int rc = fill(&g, &o, err);
    graph_plan_done(&g);
    mem_free(&mem, g.row, (g.metrics.len + 1) * sizeof *g.row);
    vec_done(&mem, &g.metrics);
    frames_done(&g.f);
    if (rc != 0) {
        assay_builder_free(g.b);
        return rc;
    }
    *out = assay_builder_seal(g.b, err);
    return *out ? 0 : err->code;
}
