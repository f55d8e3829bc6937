/* Internal to estimate_tree: the graph as it is needed, and the contexts made of it. */
#ifndef ANALYSIS_PATHS_ESTIMATE_PARTS_H
#define ANALYSIS_PATHS_ESTIMATE_PARTS_H

#include "analysis/core/value.h"
#include "analysis/paths/estimate.h"
#include "base/index.h"
#include "base/vec.h"

/* All calls from one function to another; a function that calls itself is left out. */
struct estimate_arc {
    uint32_t caller, callee;
    uint32_t next_out, next_in; /* of the same caller, of the same callee; number + 1, 0 = none */
    uint64_t calls;
};

struct estimate_func {
    uint32_t first_out, first_in; /* arcs: number + 1 */
    uint32_t callers;
    uint32_t nodes; /* contexts that it has */
    uint32_t node;  /* the heaviest of them: the first one made */
    bool is_known;  /* has a cost or a call */
    double calls;   /* by others */
    double cost;    /* of the ranking metric, calls included */
};

/* A context. Its share stands in another array: which part of the function's cost it has. */
struct estimate_node {
    uint32_t parent, func;
    uint32_t arc;  /* number + 1; 0 = a root */
    uint32_t path; /* the functions from the root down to it: a set of `sets` */
};

/* A set of function ids as a tree over their bits, two for each level. Sets share what they have in common: one with a function more needs a new part
 * for each level and nothing else, so that long paths cost no more than short ones. Part 0 is the empty set. */
struct estimate_part {
    uint32_t of[4]; /* parts; at the last level 0 or 1 */
};

/* A context that might be made. */
struct estimate_candidate {
    double rank;
    uint32_t serial; /* the older one of two that are alike comes first */
    uint32_t parent, func, arc;
};

struct estimator {
    struct mem mem;
    const assay_profile *p;
    const struct assay_graph *g;
    uint32_t width, driver;      /* metrics of the graph; the one that ranks */
    uint32_t k;                  /* the metric whose costs and shares are at hand */
    struct estimate_func *funcs; /* by id; 0 = outside */
    size_t func_len;
    VEC(struct estimate_arc) arcs;
    VEC(double) arc_cost; /* by arc */
    uint32_t *arc_of;     /* by call site of the graph: number + 1 of its arc, 0 = none */
    struct index arc_index;
    double *in;                      /* cost of the calls by others, by function */
    struct sums self;                /* by function */
    VEC(struct estimate_node) nodes; /* from 1 */
    VEC(double) share;               /* by node */
    VEC(struct estimate_part) sets;
    uint32_t set_bits;   /* of a function id, an even number */
    uint32_t *by_cost;   /* functions, the most expensive first */
    size_t by_cost_next; /* the first that may have no context yet */
    VEC(struct estimate_candidate) heap;
    uint32_t serial;
};

/* Sums of functions and of calls, over streams and sites, with the costs of the metric that ranks. Errors: MEMORY. */
int estimate_load(struct estimator *e, assay_error *err);
/* Costs of another metric, one at a time: a graph may have hundreds. Contexts that are there get their shares of it. */
bool estimate_load_metric(struct estimator *e, uint32_t k);
/* Which part of its callee's cost a call causes. */
double estimate_weight(const struct estimator *e, uint32_t arc);
/* Contexts for all functions, with their shares. false = no memory. */
bool estimate_grow(struct estimator *e, uint32_t max_nodes);

#endif
