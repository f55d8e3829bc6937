/* What is known while a graph is made of a tree: which place and which call each node stands for. assay_graph_new books it, analysis/core/arcs.h lists it. */
#ifndef ANALYSIS_CORE_GRAPH_H
#define ANALYSIS_CORE_GRAPH_H

#include "analysis/core/frames.h"
#include "assay/analysis.h"
#include "assay/build.h"
#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"

/* Functions that the tree does not have: what calls its roots, and what nobody knows. They are made when a row needs them. */
enum graph_stand_in { GRAPH_ROOT, GRAPH_UNKNOWN, GRAPH_STAND_INS };
#define GRAPH_STAND_IN(which) (UINT32_MAX - (uint32_t)(which))

struct graph_site {
    struct assay_place at; /* func is the caller */
    uint32_t callee;
    uint64_t calls; /* 0 = not known */
};

struct graph_pair {
    uint32_t caller, callee;
};

struct graph_metric {
    assay_metric_id from, to;
    enum assay_type type; /* of the values in the tree */
    double scale;         /* 0 = as they are; else whole numbers of this many to one */
};

struct grapher {
    struct mem *mem;
    const assay_profile *p;
    struct frames f;
    assay_builder *b;
    struct assay_graph_lost *lost;
    uint32_t stand_in[GRAPH_STAND_INS]; /* their ids, 0 = not made yet */
    VEC(struct graph_metric) metrics;
    assay_value *row; /* of values, one for each metric; all 0 but while one is put */

    struct arena by_node; /* holds the next five */
    uint32_t *line_node;  /* by node: the nearest of itself and those above in the same function that has a line of its own */
    uint32_t *place;      /* by node: its row of `places`; after graph_places */
    uint32_t *site;       /* by function node: its row of `sites` + 1, 0 = nothing calls it */
    uint32_t *pair;       /* by function node: its row of `pairs` + 1 */
    uint8_t *is_counted;  /* by function node: its call is not inside another one from the same caller to the same callee */
    VEC(struct assay_place) places;
    VEC(struct graph_site) sites;
    VEC(struct graph_pair) pairs;
    struct index place_index, site_index, pair_index;
};

/* Names, metrics and attributes into the builder; ids of modules, files and functions stay. per_second as in assay_graph_options. */
int graph_copy(struct grapher *g, uint32_t per_second, assay_error *err);
/* Attributes, warnings and source of the profile, for a builder of a profile whose streams are added up. */
void graph_copy_facts(const assay_profile *p, assay_builder *b);
/* The id of a function, made when it is a stand-in. */
assay_func_id graph_func(struct grapher *g, uint32_t func);
/* Which call each node stands for: fills site, pair, is_counted. Needs mem, p and f only; graph_plan_done is due in either case. */
int graph_plan(struct grapher *g, assay_error *err);
/* After that, the place that each node stands for. */
int graph_places(struct grapher *g, assay_error *err);
void graph_plan_done(struct grapher *g);

#endif
