/* The part of a call graph that a picture can show: functions and calls above a share of the whole, calls of one pair of functions added up. Figures are those
 * of assay_top and of analysis/core/arcs.h. */
#ifndef ANALYSIS_CORE_PICTURE_H
#define ANALYSIS_CORE_PICTURE_H

#include "analysis/core/cycles.h"
#include "base/vec.h"

struct picture_options {
    uint32_t k;                      /* the metric, by its number in `top` */
    double least_node, least_edge;   /* shares of the whole */
    uint32_t most_nodes, most_edges; /* 0 = any number */
    bool is_collapsed;               /* members of cycles have the totals that cycles give them */
    const struct arcs *arcs;         /* of `p` and `top`, with metric k; NULL = made here */
};

struct picture_node {
    uint32_t row, func; /* of `top`; as in struct arcs */
    assay_value self, total;
    double self_share, total_share; /* of the whole, 0 to 1: what counts more than once is 1 */
    uint64_t calls;
    uint32_t cycle;
};
struct picture_edge {
    uint32_t from, to; /* nodes */
    uint64_t calls;
    assay_value total;
    double share;
};

struct picture {
    struct mem *mem;
    const assay_profile *profile;
    const assay_top *top;
    struct picture_options options;
    enum assay_type type;
    double whole;
    bool *out_of_memory; /* for the drawing code: set when a text could not be made; may be NULL */
    struct arcs arcs;
    struct cycles cycles;
    VEC(struct picture_node) nodes;          /* largest total first */
    VEC(struct picture_edge) edges;          /* largest total first */
    uint64_t nodes_left_out, edges_left_out; /* functions with a cost or a call; pairs of functions that are shown */
};

/* `p` and `top` must outlive it. Errors: MEMORY, UNSUPPORTED (no metric), those of stored values. picture_done is due in either case. */
int picture_init(struct picture *x, struct mem *mem, const assay_profile *p, const assay_top *top, const struct picture_options *options, assay_error *err);
void picture_done(struct picture *x);

#endif
