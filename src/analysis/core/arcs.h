/* Who calls whom, by call site: what callers, cycles and pictures of graphs are made from. Of a profile with a graph these are its arcs; of one with a
 * tree the calls that its contexts are, counted as assay_graph_new counts them: each call once that is not below another from the same caller to the
 * same callee. */
#ifndef ANALYSIS_CORE_ARCS_H
#define ANALYSIS_CORE_ARCS_H

#include "assay/analysis.h"
#include "base/arena.h"
#include "model/graph_row.h"
#include "model/value.h"

/* What arc number i of a graph cost, of metric number k; where the call tree is known, without what is inside another call from the same caller to the same
 * callee. */
static inline assay_value graph_arc_total(const struct assay_graph *g, enum assay_type type, uint32_t i, uint32_t k)
{
    struct graph_row row = graph_arc_row(g, i);
    assay_value total = graph_cell(g->arc_total, row, k);
    return g->arc_nested ? value_minus(type, total, graph_cell(g->arc_nested, row, k)) : total;
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
    /* Where rows of a graph are short: as arc_begin and arc_len of it; else NULL. */
    const uint64_t *begin;
    const uint32_t *row_len;
    struct arc_list by_caller, by_callee; /* by_callee: only after arcs_list_callees */
    struct arena columns;                 /* all that is not the profile's */

    struct own_arcs *own; /* the columns above, where they are no profile's */
};

#define ARCS_ALL UINT32_MAX

/* The arcs of `p`, or of a graph that has none the pairs, without figures; by streams where it has some, with the metrics of `top`. Of a tree only the values of metric number `only` of top, or of all with
 * ARCS_ALL; the others are 0. Cost: a pass over arcs or nodes, for each metric of a tree another. Errors: MEMORY, those of stored values. arcs_done is due
 * in either case. `p` and `top` must outlive it. */
int arcs_init(struct arcs *a, struct mem *mem, const assay_profile *p, const assay_top *top, uint32_t only, assay_error *err);
void arcs_done(struct arcs *a);
/* Makes by_callee. Errors: MEMORY. */
int arcs_list_callees(struct arcs *a, assay_error *err);
/* The same arcs, borrowed from `from`, which must outlive them; arcs_done does nothing. */
struct arcs arcs_borrow(const struct arcs *from);

static inline uint32_t arcs_caller(const struct arcs *a, uint32_t i) { return a->caller ? a->caller[i].v : 0; }
static inline uint32_t arcs_callee(const struct arcs *a, uint32_t i) { return a->callee ? a->callee[i].v : 0; }
static inline uint64_t arcs_calls(const struct arcs *a, uint32_t i) { return a->calls ? a->calls[i] : 0; }
static inline struct graph_row arcs_row(const struct arcs *a, uint32_t i)
{
    return a->begin ? (struct graph_row){ (size_t)a->begin[i], a->row_len[i] } : (struct graph_row){ (size_t)i * a->width, a->width };
}
static inline assay_value arcs_total(const struct arcs *a, uint32_t i, uint32_t k) { return graph_cell(a->total, arcs_row(a, i), k); }
static inline assay_value arcs_recursive(const struct arcs *a, uint32_t i, uint32_t k) { return graph_cell(a->recursive, arcs_row(a, i), k); }

/* The number here of a function as a plan of a tree has it (analysis/core/graph.h). */
uint32_t arcs_planned(const struct arcs *a, uint32_t func);
/* The name of a function by its number here; "<unknown>" and "<program root>" for those that the profile does not have. */
assay_slice arcs_name(const struct arcs *a, uint32_t func);

#endif
