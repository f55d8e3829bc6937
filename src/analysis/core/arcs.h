/* Who calls whom, by call site: what callers, cycles and pictures of graphs are made from. Of a profile with a graph these are its arcs; of one with a
 * tree the calls that its contexts are, counted as assay_graph_new counts them: each call once that is not below another from the same caller to the
 * same callee. */
#ifndef ANALYSIS_CORE_ARCS_H
#define ANALYSIS_CORE_ARCS_H

#include "assay/analysis.h"
#include "base/mem.h"
#include "model/value.h"

/* What an arc of a graph cost; where the call tree is known, without what is inside another call from the same caller to the same callee. `at`: its
 * number times the metrics of the graph, plus that of the metric. */
static inline assay_value graph_arc_total(const struct assay_graph *g, enum assay_type type, size_t at)
{
    return g->arc_nested ? value_minus(type, g->arc_total[at], g->arc_nested[at]) : g->arc_total[at];
}

/* Arcs by one of their ends: those of function f are arc[start[f]] .. arc[start[f + 1] - 1], in their order. */
struct arc_list {
    uint32_t *start, *arc;
};

struct arcs {
    struct mem *mem;
    const assay_profile *profile;
    bool is_tree;   /* from contexts */
    bool has_calls; /* numbers of calls are known */
    bool is_exact;  /* recursion counts once: a tree, a graph whose tree is known, or a format that keeps what is recursive apart */
    uint32_t count;
    uint32_t funcs;              /* numbers of functions are below: 0 = not known, those of the profile, the last one = what calls the roots of a tree */
    const assay_func_id *caller; /* any column may be NULL: 0 in every row */
    const assay_func_id *callee;
    const assay_file_id *file; /* of the call site */
    const uint32_t *line;
    const uint64_t *calls;
    const uint32_t *contexts; /* trees: how many function nodes are such a call */
    uint32_t width;
    const assay_value *total;     /* inclusive: [arc * width + k], k as in assay_top */
    const assay_value *recursive; /* of calls that are part of others already; NULL = not known apart */
    struct arc_list by_caller, by_callee;

    struct own_arcs *own; /* the columns above, where they are no profile's */
};

#define ARCS_ALL UINT32_MAX

/* The arcs of `p`, or of a graph that has none the pairs, without figures; by streams where it has some, with the metrics of `top`. Of a tree only the values of metric number `only` of top, or of all with
 * ARCS_ALL; the others are 0. Cost: a pass over arcs or nodes, for each metric of a tree another. Errors: MEMORY, those of stored values. arcs_done is due
 * in either case. `p` and `top` must outlive it. */
int arcs_init(struct arcs *a, struct mem *mem, const assay_profile *p, const assay_top *top, uint32_t only, assay_error *err);
void arcs_done(struct arcs *a);

static inline uint32_t arcs_caller(const struct arcs *a, uint32_t i) { return a->caller ? a->caller[i].v : 0; }
static inline uint32_t arcs_callee(const struct arcs *a, uint32_t i) { return a->callee ? a->callee[i].v : 0; }
static inline uint64_t arcs_calls(const struct arcs *a, uint32_t i) { return a->calls ? a->calls[i] : 0; }
static inline assay_value arcs_total(const struct arcs *a, uint32_t i, uint32_t k)
{
    return a->total ? a->total[(size_t)i * a->width + k] : (assay_value){ 0 };
}
static inline assay_value arcs_recursive(const struct arcs *a, uint32_t i, uint32_t k)
{
    return a->recursive ? a->recursive[(size_t)i * a->width + k] : (assay_value){ 0 };
}

/* The number here of a function as a plan of a tree has it (analysis/core/graph.h). */
uint32_t arcs_planned(const struct arcs *a, uint32_t func);
/* The name of a function by its number here; "<unknown>" and "<program root>" for those that the profile does not have. */
assay_slice arcs_name(const struct arcs *a, uint32_t func);

#endif
