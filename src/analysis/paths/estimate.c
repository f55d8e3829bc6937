/* Calling contexts guessed from a call graph; see estimate.h. This file reads the graph and writes the tree; estimate_grow.c makes the contexts. */
#include "analysis/paths/estimate.h"

#include <math.h>

#include "analysis/core/graph.h"
#include "analysis/core/profile_copy.h"
#include "analysis/paths/estimate_parts.h"
#include "assay/build.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"
#include "model/graph_row.h"

/* ---- the graph ---- */

static enum assay_type type_of(const struct estimator *e, uint32_t k)
{
    const struct assay_metrics *m = assay_profile_metrics(e->p);
    return (enum assay_type)AT(m->type, e->g->block.metrics[k].v);
}

/* Number + 1; 0 = no memory. */
static uint32_t arc_for(struct estimator *e, uint32_t caller, uint32_t callee)
{
    uint64_t hash = hash_mix(caller, callee);
    for (struct index_walk w = index_walk(&e->arc_index, hash); index_next(&e->arc_index, &w);)
        if (e->arcs.at[w.id - 1].caller == caller && e->arcs.at[w.id - 1].callee == callee) return w.id;
    struct estimate_arc *arc = vec_push(&e->mem, &e->arcs);
    uint32_t number = (uint32_t)e->arcs.len;
    if (!arc || !vec_reserve(&e->mem, &e->arc_cost, 1) || !index_add(&e->arc_index, hash, number)) return 0;
    *arc = (struct estimate_arc){ .caller = caller, .callee = callee };
    e->arc_cost.at[e->arc_cost.len++] = 0;
    e->funcs[callee].callers++;
    return number;
}

static bool load_arcs(struct estimator *e)
{
    const struct assay_graph *g = e->g;
    for (uint32_t i = 0; i < g->arc_count; i++) {
        uint32_t caller = ID(g->arc_caller, i), callee = g->arc_callee[i].v;
        e->funcs[caller].is_known = e->funcs[callee].is_known = true;
        if (caller == callee || !callee) continue;
        uint32_t arc = e->arc_of[i] = arc_for(e, caller, callee);
        if (!arc) return false;
        e->arcs.at[arc - 1].calls += AT(g->arc_calls, i);
        e->funcs[callee].calls += (double)AT(g->arc_calls, i);
    }
    return true;
}

static void load_costs(struct estimator *e)
{
    const struct assay_graph *g = e->g;
    enum assay_type type = type_of(e, e->k);
    for (uint32_t i = 0; i < g->arc_count; i++) {
        double cost = e->arc_of[i] ? value_double(type, graph_cell(g->arc_total, graph_arc_row(g, i), e->k)) : 0;
        if (!(cost > 0)) continue;
        e->arc_cost.at[e->arc_of[i] - 1] += cost;
        e->in[g->arc_callee[i].v] += cost;
    }
    for (uint32_t i = 0; i < g->sum_count; i++) sums_add(&e->self, g->sum_func[i].v, graph_cell(g->sum_self, graph_sum_row(g, i), e->k));
}

bool estimate_load_metric(struct estimator *e, uint32_t k)
{
    if (k == e->k) return true;
    e->k = k;
    sums_done(&e->self);
    if (!sums_init(&e->self, &e->mem, type_of(e, k), e->func_len)) return false;
    for (size_t f = 0; f < e->func_len; f++) e->in[f] = 0;
    for (size_t i = 0; i < e->arc_cost.len; i++) e->arc_cost.at[i] = 0;
    load_costs(e);
    for (size_t i = 1; i < e->nodes.len; i++) {
        const struct estimate_node *n = &e->nodes.at[i];
        e->share.at[i] = (n->parent ? e->share.at[n->parent] : 1) * (n->arc ? estimate_weight(e, n->arc - 1) : 1);
    }
    return true;
}

/* Calls of a function in the order of the file, and what it costs with them. */
static void link_arcs(struct estimator *e)
{
    for (size_t i = e->arcs.len; i > 0; i--) {
        struct estimate_arc *a = &e->arcs.at[i - 1];
        a->next_out = e->funcs[a->caller].first_out;
        e->funcs[a->caller].first_out = (uint32_t)i;
        a->next_in = e->funcs[a->callee].first_in;
        e->funcs[a->callee].first_in = (uint32_t)i;
        e->funcs[a->caller].cost += e->arc_cost.at[i - 1];
    }
    for (size_t f = 1; f < e->func_len; f++) e->funcs[f].cost += fmax(0, value_double(e->self.type, sums_value(&e->self, f)));
}

int estimate_load(struct estimator *e, assay_error *err)
{
    const struct assay_graph *g = e->g;
    e->k = e->driver;
    e->func_len = (size_t)assay_profile_funcs(e->p)->count + 1;
    e->funcs = mem_zalloc(&e->mem, e->func_len, sizeof *e->funcs);
    e->in = mem_zalloc(&e->mem, e->func_len, sizeof *e->in);
    e->arc_of = mem_zalloc(&e->mem, (size_t)g->arc_count + 1, sizeof *e->arc_of);
    bool done = sums_init(&e->self, &e->mem, type_of(e, e->k), e->func_len);
    if (!done || !e->funcs || !e->in || !e->arc_of || !load_arcs(e)) return error_memory(err);
    for (uint32_t i = 0; i < g->sum_count; i++) e->funcs[g->sum_func[i].v].is_known = true;
    load_costs(e);
    link_arcs(e);
    return 0;
}

/* ---- the tree ---- */

/* A number that is parted over some, each by its weight: what was rounded off goes to the next one, and the last one takes the rest. */
struct parting {
    double weights, so_far;
    uint64_t given;
    double given_double;
    uint32_t left;
};

static uint64_t next_part(struct parting *p, uint64_t whole, double weight)
{
    p->so_far += weight;
    double upto = p->left > 1 && p->weights > 0 ? floor((double)whole * fmin(1, p->so_far / p->weights)) : (double)whole;
    uint64_t to = --p->left == 0 || upto >= (double)whole ? whole : (uint64_t)upto;
    uint64_t part = to > p->given ? to - p->given : 0;
    p->given += part;
    return part;
}

static assay_value part_value(struct parting *p, const struct sums *self, uint32_t func, double weight)
{
    enum assay_type type = self->type;
    assay_value whole = sums_value(self, func);
    if (type == ASSAY_U64) return (assay_value){ .u = next_part(p, whole.u, weight) };
    if (type == ASSAY_I64) {
        uint64_t part = next_part(p, whole.i < 0 ? 0 - (uint64_t)whole.i : (uint64_t)whole.i, weight);
        return (assay_value){ .i = whole.i < 0 ? -(int64_t)part : (int64_t)part };
    }
    double part = --p->left == 0 ? whole.d - p->given_double : p->weights > 0 ? whole.d * (weight / p->weights) : 0;
    p->given_double += part;
    return (assay_value){ .d = part };
}

static void add_weight(struct parting *p, double weight)
{
    p->weights += weight;
    p->left++;
}

/* The metric at hand. */
static bool put_values(struct estimator *e, assay_builder *b, assay_scope_id scope)
{
    SCRATCH(struct parting, by_func, &e->mem, e->func_len);
    if (!by_func) return false;
    for (size_t i = 1; i < e->nodes.len; i++) add_weight(&by_func[e->nodes.at[i].func], e->share.at[i]);
    for (size_t i = 1; i < e->nodes.len; i++) {
        uint32_t func = e->nodes.at[i].func;
        assay_value v = part_value(&by_func[func], &e->self, func, e->share.at[i]);
        if (v.u) assay_build_value(b, (assay_stream_id){ 0 }, (assay_node_id){ (uint32_t)i }, scope, v);
    }
    return true;
}

/* Whether any function has a cost of the metric. */
static bool has_cost(const struct estimator *e, uint32_t k)
{
    const struct assay_graph *g = e->g;
    for (uint32_t i = 0; i < g->sum_count; i++)
        if (graph_cell(g->sum_self, graph_sum_row(g, i), k).u) return true;
    return false;
}

/* The calls of a pair of functions over the contexts of the caller; the metric at hand is the one that ranks. */
static bool put_calls(struct estimator *e, assay_builder *b)
{
    SCRATCH(struct parting, by_arc, &e->mem, e->arcs.len + 1);
    if (!by_arc) return false;
    for (size_t i = 1; i < e->nodes.len; i++) add_weight(&by_arc[e->nodes.at[i].arc], e->share.at[i]);
    for (size_t i = 1; i < e->nodes.len; i++) {
        uint32_t arc = e->nodes.at[i].arc;
        if (arc) assay_build_node_calls(b, (assay_node_id){ (uint32_t)i }, next_part(&by_arc[arc], e->arcs.at[arc - 1].calls, e->share.at[i]));
    }
    return true;
}

static assay_scope_id put_metric(struct estimator *e, assay_builder *b, uint32_t k)
{
    const struct assay_metrics *m = assay_profile_metrics(e->p);
    uint32_t id = e->g->block.metrics[k].v;
    assay_slice unit = assay_profile_string(e->p, (assay_str_id){ ID(m->unit, id) }),
                text = assay_profile_string(e->p, (assay_str_id){ ID(m->description, id) });
    assay_metric_id made = assay_build_metric(b, assay_profile_string(e->p, m->name[id]).data, unit.data ? unit.data : "", type_of(e, k), ASSAY_SHAPE_TREE);
    assay_build_metric_text(b, made, text.data, NULL, AT(m->hidden, id));
    builder_copy_metric(b, made, e->p, id);
    return assay_build_scope(b, made, ASSAY_SCOPE_POINT, NULL, 0);
}

static bool put_tree(struct estimator *e, assay_builder *b)
{
    static const char key[] = "estimated", value[] = "call stacks, from a call graph";
    bool done;
    profile_copy_names(e->p, b);
    graph_copy_facts(e->p, b);
    assay_build_attribute(b, (assay_stream_id){ 0 }, key, sizeof key - 1, value, sizeof value - 1);
    SCRATCH(assay_scope_id, scopes, &e->mem, e->width);
    for (uint32_t k = 0; scopes && k < e->width; k++) scopes[k] = put_metric(e, b, k);
    for (size_t i = 1; i < e->nodes.len; i++)
        assay_build_node_new(b, &(struct assay_node){ .parent = { e->nodes.at[i].parent }, .relation = ASSAY_RELATION_CALL, .func = { e->nodes.at[i].func } });
    done = scopes && put_calls(e, b);
    for (uint32_t k = 0; done && k < e->width; k++)
        if (has_cost(e, k)) done = estimate_load_metric(e, k) && put_values(e, b, scopes[k]);
    return done;
}

/* ---- all of it ---- */

static void free_all(struct estimator *e)
{
    if (e->self.mem) sums_done(&e->self);
    mem_free(&e->mem, e->in, e->in ? e->func_len * sizeof *e->in : 0);
    mem_free(&e->mem, e->arc_of, e->arc_of ? ((size_t)e->g->arc_count + 1) * sizeof *e->arc_of : 0);
    mem_free(&e->mem, e->funcs, e->funcs ? e->func_len * sizeof *e->funcs : 0);
    vec_done(&e->mem, &e->arcs, &e->arc_cost, &e->nodes, &e->share, &e->heap, &e->sets);
    mem_free(&e->mem, e->by_cost, e->by_cost ? e->func_len * sizeof *e->by_cost : 0);
    index_done(&e->arc_index);
}

static int build(struct estimator *e, const struct estimate_options *o, assay_profile **out, assay_error *err)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_TREE, .max_memory = o->max_memory }, err);
    if (!b) return err->code;
    if (!put_tree(e, b)) {
        assay_builder_free(b);
        return error_memory(err);
    }
    *out = assay_builder_seal(b, err);
    return *out ? 0 : err->code;
}

int estimate_tree(const assay_profile *p, const struct estimate_options *options, assay_profile **out, assay_error *err)
{
    static const struct estimate_options defaults;
    const struct estimate_options *o = options ? options : &defaults;
    struct estimator e = { .p = p, .g = assay_profile_graph(p) };
    assay_error local = { 0 };
    if (!err) err = &local;
    *out = NULL;
    if (!e.g->sum_count || !e.g->block.metric_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no call graph to estimate call stacks from");
    mem_init(&e.mem, (size_t)o->max_memory);
    index_init(&e.arc_index, &e.mem);
    e.width = e.g->block.metric_count;
    for (uint32_t k = 0; k < e.width; k++)
        if (e.g->block.metrics[k].v == o->metric.v) e.driver = k;
    int rc = estimate_load(&e, err);
    if (rc == 0 && !estimate_grow(&e, o->max_nodes ? o->max_nodes : ESTIMATE_NODES)) rc = error_memory(err);
    if (rc == 0) rc = build(&e, o, out, err);
    free_all(&e);
    return rc;
}
