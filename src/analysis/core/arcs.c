/* A graph has its arcs as columns, which are borrowed. For a tree the call sites are planned as for a graph, and the totals of contexts are summed up by
 * site: calls inside another call of the same pair apart, so that recursion is not counted twice. Lists by caller and by callee come from counting, since
 * ends are small numbers. See arcs.h. */
#include "analysis/core/arcs.h"

#include "analysis/core/graph.h"
#include "analysis/core/top.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"

/* What a tree gives: one row for each site of its plan; of a graph only what differs from its own. */
struct own_arcs {
    size_t len, cells; /* rows; values of all rows */
    assay_func_id *caller, *callee;
    assay_file_id *file;
    uint32_t *line, *contexts;
    uint64_t *calls;
    assay_value *total, *recursive;
};

/* ---- columns that are no profile's ---- */

static void *own_column(struct arcs *a, size_t len, size_t size, bool *failed)
{
    void *p = arena_zalloc(&a->columns, len, size);
    if (!p) *failed = true;
    return p;
}

/* ---- from a graph ---- */

/* Calls that are inside another one of the same pair are kept apart. */
static int take_nested(struct arcs *a, const struct assay_graph *g, const struct top *t, assay_error *err)
{
    struct own_arcs *o = a->own = arena_zalloc(&a->columns, 1, sizeof *o);
    bool failed = false;
    if (!o) return error_memory(err);
    o->len = a->count;
    for (uint32_t i = 0; i < a->count; i++) {
        struct graph_row row = graph_arc_row(g, i);
        if (row.at + row.len > o->cells) o->cells = row.at + row.len;
    }
    o->total = own_column(a, o->cells, sizeof *o->total, &failed);
    if (failed) return error_memory(err);
    for (uint32_t i = 0; i < a->count; i++) {
        struct graph_row row = graph_arc_row(g, i);
        for (uint32_t k = 0; k < row.len; k++) o->total[row.at + k] = graph_arc_total(g, (enum assay_type)t->types[k], i, k);
    }
    a->total = o->total;
    a->recursive = g->arc_nested;
    return 0;
}

static int take_graph(struct arcs *a, const struct top *t, assay_error *err)
{
    const struct assay_graph *g = assay_profile_graph(a->profile);
    a->count = g->arc_count;
    a->caller = g->arc_caller;
    a->callee = g->arc_callee;
    a->file = g->arc_file;
    a->line = g->arc_line;
    a->calls = g->arc_calls;
    a->total = g->arc_total;
    a->recursive = g->arc_recursive;
    a->begin = g->arc_begin;
    a->row_len = g->arc_len;
    if (a->count) return g->arc_nested ? take_nested(a, g, t, err) : 0;
    a->count = g->pair_count;
    a->caller = g->pair_caller;
    a->callee = g->pair_callee;
    return 0;
}

/* ---- from a tree ---- */

static int own_init(struct arcs *a, size_t count, assay_error *err)
{
    struct own_arcs *o = a->own = arena_zalloc(&a->columns, 1, sizeof *o);
    bool failed = false;
    if (!o) return error_memory(err);
    o->len = count + 1;
    if (!size_mul(&o->cells, o->len, a->width)) return error_memory(err);
    o->caller = own_column(a, o->len, sizeof *o->caller, &failed);
    o->callee = own_column(a, o->len, sizeof *o->callee, &failed);
    o->file = own_column(a, o->len, sizeof *o->file, &failed);
    o->line = own_column(a, o->len, sizeof *o->line, &failed);
    o->contexts = own_column(a, o->len, sizeof *o->contexts, &failed);
    o->calls = own_column(a, o->len, sizeof *o->calls, &failed);
    o->total = own_column(a, o->cells, sizeof *o->total, &failed);
    o->recursive = own_column(a, o->cells, sizeof *o->recursive, &failed);
    return failed ? error_memory(err) : 0;
}

uint32_t arcs_planned(const struct arcs *a, uint32_t func)
{
    if (func == GRAPH_STAND_IN(GRAPH_ROOT)) return a->funcs - 1;
    return func == GRAPH_STAND_IN(GRAPH_UNKNOWN) ? 0 : func;
}

static void take_sites(struct arcs *a, const struct grapher *g)
{
    struct own_arcs *o = a->own;
    for (size_t i = 0; i < g->sites.len; i++) {
        const struct graph_site *s = &g->sites.at[i];
        o->caller[i].v = arcs_planned(a, s->at.func.v);
        o->callee[i].v = arcs_planned(a, s->callee);
        o->file[i] = s->at.file;
        o->line[i] = s->at.line;
        o->calls[i] = s->calls;
    }
    for (uint32_t id = 1; id <= g->f.tree->count; id++)
        if (g->site[id]) o->contexts[g->site[id] - 1]++;
    a->count = (uint32_t)g->sites.len;
    a->caller = o->caller;
    a->callee = o->callee;
    a->file = o->file;
    a->line = o->line;
    a->contexts = o->contexts;
    a->calls = o->calls;
    a->total = o->total;
    a->recursive = o->recursive;
}

static int fill_metric(struct arcs *a, const struct grapher *g, const struct top *t, uint32_t k, assay_error *err)
{
    enum assay_type type = (enum assay_type)t->types[k];
    SCOPED(sums_done) struct sums values = { 0 }, total = { 0 }, recursive = { 0 };
    if (!sums_init(&values, a->mem, type, g->f.len)) return error_memory(err);
    if (!sums_init(&total, a->mem, type, a->own->len)) return error_memory(err);
    if (!sums_init(&recursive, a->mem, type, a->own->len)) return error_memory(err);
    TRY(columns_totals(a->profile, &g->f, t->metrics[k], &values, err));
    for (uint32_t id = 1; id <= g->f.tree->count; id++) {
        TRY(cancel_step(id, err));
        if (g->site[id]) sums_add_sum(g->is_counted[id] ? &total : &recursive, g->site[id] - 1, &values, id);
    }
    for (size_t i = 0; i < a->count; i++) {
        TRY(cancel_step(i, err));
        a->own->total[i * a->width + k] = sums_value(&total, i);
        a->own->recursive[i * a->width + k] = sums_value(&recursive, i);
    }
    return 0;
}

/* The plan does not own its frames: others share those of a tree. Here they are its own. */
static void grapher_done(struct grapher *g)
{
    graph_plan_done(g);
    frames_done(&g->f);
}

static int take_tree(struct arcs *a, const struct top *t, uint32_t only, assay_error *err)
{
    SCOPED(grapher_done) struct grapher g = { .mem = a->mem, .p = a->profile };
    TRY(frames_init(&g.f, assay_profile_tree(a->profile), a->mem, err));
    TRY(graph_plan(&g, err));
    TRY(own_init(a, g.sites.len, err));
    take_sites(a, &g);
    for (uint32_t k = 0; k < a->width; k++)
        if (only == ARCS_ALL || only == k) TRY(fill_metric(a, &g, t, k, err));
    return 0;
}

/* ---- by their ends ---- */

static int list_init(struct arcs *a, struct arc_list *l, uint32_t (*end)(const struct arcs *, uint32_t), assay_error *err)
{
    l->start = arena_zalloc(&a->columns, (size_t)a->funcs + 2, sizeof *l->start);
    l->arc = arena_zalloc(&a->columns, (size_t)a->count + 1, sizeof *l->arc);
    if (!l->start || !l->arc) return error_memory(err);
    for (uint32_t i = 0; i < a->count; i++) l->start[end(a, i) + 2]++;
    for (uint32_t f = 2; f <= a->funcs + 1; f++) l->start[f] += l->start[f - 1];
    for (uint32_t i = 0; i < a->count; i++) l->arc[l->start[end(a, i) + 1]++] = i;
    return 0;
}

/* ---- all of it ---- */

int arcs_init(struct arcs *a, struct mem *mem, const assay_profile *p, const assay_top *top, uint32_t only, assay_error *err)
{
    uint32_t shapes = assay_profile_shapes(p);
    *a = (struct arcs){ .mem = mem, .profile = p, .funcs = assay_profile_funcs(p)->count + 2, .width = top->metric_count };
    arena_init(&a->columns, mem);
    a->is_tree = !(shapes & ASSAY_SHAPE_GRAPH) && shapes & ASSAY_SHAPE_TREE;
    if (a->is_tree)
        TRY(take_tree(a, (const struct top *)top, only, err));
    else
        TRY(take_graph(a, (const struct top *)top, err));
    a->has_calls = !a->is_tree || assay_profile_tree(p)->calls;
    a->is_exact = a->is_tree || assay_profile_graph(p)->keeps_recursion || assay_profile_graph(p)->knows_nesting;
    return list_init(a, &a->by_caller, arcs_caller, err);
}

int arcs_list_callees(struct arcs *a, assay_error *err) { return list_init(a, &a->by_callee, arcs_callee, err); }

void arcs_done(struct arcs *a)
{
    if (!a->mem) return;
    arena_done(&a->columns);
    *a = (struct arcs){ 0 };
}

struct arcs arcs_borrow(const struct arcs *from)
{
    struct arcs a = *from;
    a.mem = NULL;
    return a;
}

assay_slice arcs_name(const struct arcs *a, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(a->profile);
    if (func > f->count) return SLICE("<program root>");
    assay_slice name = func ? assay_profile_string(a->profile, f->name[func]) : SLICE("<unknown>");
    return name.data ? name : SLICE("");
}
