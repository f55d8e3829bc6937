/* See cycles_profile.h. */
#include "analysis/core/cycles_profile.h"

#include <stdio.h>

#include "analysis/core/cycles.h"
#include "analysis/core/profile_copy.h"
#include "analysis/core/top.h"
#include "assay/build.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "model/entry.h"
#include "model/graph_row.h"

struct collapsing {
    const assay_profile *p;
    const struct assay_graph *g;
    const struct cycles *cycles;
    assay_builder *b;
    struct mem mem;
    assay_func_id *cycle; /* by number of a cycle */
};

static assay_func_id func_of(const struct collapsing *c, uint32_t func)
{
    uint32_t of = func ? c->cycles->of[func] : 0;
    return of ? c->cycle[of] : (assay_func_id){ func };
}

static int make_cycles(struct collapsing *c)
{
    char name[32];
    for (uint32_t i = 1; i <= c->cycles->count; i++) {
        int len = snprintf(name, sizeof name, "<cycle %u>", i);
        c->cycle[i] = assay_build_func_new(c->b, assay_build_string(c->b, name, (size_t)len), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    }
    return assay_builder_failed(c->b);
}

static int copy_costs(const struct collapsing *c, assay_error *err)
{
    const struct assay_graph *g = c->g;
    for (uint32_t i = 0; i < g->cost_count; i++) {
        struct graph_row row = graph_cost_row(g, i);
        struct assay_place at = { .func = func_of(c, g->cost_func[i].v), .file = { ID(g->cost_file, i) }, .line = AT(g->cost_line, i) };
        TRY(cancel_step(i, err));
        if (row.len) assay_build_self(c->b, &at, g->cost_self + row.at, row.len);
    }
    for (uint32_t i = 0; i < g->sum_count; i++) {
        struct graph_row row = graph_sum_row(g, i);
        struct assay_place at = { .func = func_of(c, g->sum_func[i].v) };
        TRY(cancel_step(i, err));
        if (g->cost_count) row.len = 0;
        assay_build_self(c->b, &at, row.len ? g->sum_self + row.at : NULL, row.len);
    }
    return 0;
}

static int copy_arcs(const struct collapsing *c, assay_error *err)
{
    const struct assay_graph *g = c->g;
    for (uint32_t i = 0; i < g->arc_count; i++) {
        struct graph_row row = graph_arc_row(g, i);
        uint32_t caller = ID(g->arc_caller, i), callee = g->arc_callee[i].v;
        TRY(cancel_step(i, err));
        if (caller && c->cycles->of[caller] && c->cycles->of[caller] == c->cycles->of[callee]) continue;
        struct assay_place at = { .func = func_of(c, caller), .file = { ID(g->arc_file, i) }, .line = AT(g->arc_line, i) };
        assay_build_call(c->b, &at, func_of(c, callee), AT(g->arc_calls, i), g->arc_total && row.len ? g->arc_total + row.at : NULL,
                         g->arc_total ? row.len : 0);
    }
    return 0;
}

/* All metrics keep their ids; formulas are texts. */
static int copy_metrics(struct collapsing *c, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(c->p);
    uint32_t width = c->g->block.metric_count;
    SCRATCH(assay_metric_id, list, &c->mem, (size_t)width + 1);
    if (!list) return error_memory(err);
    profile_copy_metrics(c->p, c->b, &c->g->block, ASSAY_SHAPE_GRAPH, list);
    assay_build_graph_metrics(c->b, list, width);
    for (uint32_t i = 1; i <= m->count; i++) {
        const char *name = assay_profile_string(c->p, m->name[i]).data, *unit = assay_profile_string(c->p, (assay_str_id){ ID(m->unit, i) }).data;
        const char *formula = assay_profile_string(c->p, (assay_str_id){ ID(m->formula, i) }).data;
        const char *about = assay_profile_string(c->p, (assay_str_id){ ID(m->description, i) }).data;
        if (!formula && !about) continue;
        bool is_graph = AT(m->shapes, i) & ASSAY_SHAPE_GRAPH;
        assay_metric_id id = assay_build_metric(c->b, name ? name : "", unit, (enum assay_type)AT(m->type, i), is_graph ? ASSAY_SHAPE_GRAPH : 0);
        assay_build_metric_text(c->b, id, about, formula, AT(m->hidden, i));
    }
    return assay_builder_failed(c->b);
}

static int fill(struct collapsing *c, assay_error *err)
{
    size_t streams = (size_t)assay_profile_streams(c->p)->count + 1, count = (size_t)c->cycles->count + 1;
    SCRATCH(uint32_t, none, &c->mem, streams);
    SCRATCH(assay_func_id, cycle, &c->mem, count);
    if (!none || !cycle) return error_memory(err);
    for (size_t i = 1; i < streams; i++) none[i] = PROFILE_COPY_NONE;
    c->cycle = cycle;
    profile_copy_names(c->p, c->b);
    profile_copy_facts(c->p, c->b, none);
    TRY(copy_metrics(c, err));
    TRY(make_cycles(c));
    TRY(copy_costs(c, err));
    TRY(copy_arcs(c, err));
    return assay_builder_failed(c->b);
}

static int build(struct collapsing *c, uint64_t max_memory, assay_profile **out, assay_error *err)
{
    uint32_t want = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | (c->g->cost_count ? ASSAY_WANT_COSTS : 0);
    c->b = assay_builder_new(&(struct assay_build_options){ .want = want, .max_memory = max_memory }, err);
    if (!c->b) return err->code;
    int rc = fill(c, err);
    if (rc != 0 && !assay_builder_failed(c->b)) {
        assay_builder_free(c->b);
        return rc;
    }
    *out = assay_builder_seal(c->b, err);
    return *out ? 0 : err->code;
}

static int collapse(assay_profile *p, const assay_top *top, uint64_t max_memory, assay_profile **out, assay_error *err)
{
    struct collapsing c = { .p = p, .g = assay_profile_graph(p) }; /* first: its memory is given back to last */
    SCOPED(arcs_done) struct arcs arcs = { 0 };
    SCOPED(cycles_done) struct cycles cycles = { 0 };
    c.cycles = &cycles;
    mem_init(&c.mem, (size_t)max_memory);
    TRY(arcs_init(&arcs, &c.mem, p, top, 0, err));
    TRY(cycles_init(&cycles, &c.mem, &arcs, top, CYCLES_NONE, err));
    if (cycles.count) return build(&c, max_memory, out, err);
    *out = assay_profile_retain(p);
    return 0;
}

int cycles_profile(assay_profile *p, uint64_t max_memory, assay_profile **out, assay_error *err)
{
    const struct assay_graph *g = assay_profile_graph(p);
    SCOPED(top_drop) assay_top *top = NULL;
    if (!(assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH) || !g->arc_count || g->keeps_recursion || g->knows_nesting) {
        *out = assay_profile_retain(p);
        return 0;
    }
    TRY(assay_top_new(p, &top, err));
    return collapse(p, top, max_memory, out, err);
}
