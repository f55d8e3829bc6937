/* What each group of streams spent in each row of a table: rows are functions, files, loops, lines or contexts.
 *
 *     stream_rows_functions(&rows, profile, top, NULL, mem, err);      // which cost belongs to which row
 *     stream_figures_each(&rows, &groups, metric, fn, arg, err);       // fn: one group after the other
 *
 * Figures of a group follow the rules of the table over all streams: self and total of functions are those of assay/top.h, of nodes those of
 * analysis/core/node_costs.h. Only the contexts that a group has touched are looked at. */
#ifndef ANALYSIS_STREAMS_FIGURES_H
#define ANALYSIS_STREAMS_FIGURES_H

#include "analysis/core/frames.h"
#include "analysis/core/top_groups.h"
#include "analysis/streams/groups.h"

/* What a node adds to a row. */
enum stream_counts {
    STREAM_SELF = 1,       /* its self to self */
    STREAM_TOTAL = 2,      /* its total to total */
    STREAM_TOTAL_SELF = 4, /* its self to total */
};

struct stream_member {
    uint32_t node, row;
    uint8_t counts; /* enum stream_counts */
};

struct stream_rows {
    struct mem *mem;
    const assay_profile *profile;
    uint32_t count;
    bool has_totals;
    /* of a tree: members by node */
    struct frames frames;
    uint32_t *begin;
    struct stream_member *member;
    size_t members;
    /* of a graph: by function, row + 1 */
    bool is_graph;
    uint32_t *row_of;
    size_t funcs;
};

/* The rows of `top`; `groups` is what it was made with. Errors: MEMORY, UNSUPPORTED (cost is not known by stream). stream_rows_done is due in either case. */
int stream_rows_functions(struct stream_rows *r, const assay_profile *p, const assay_top *top, const struct top_groups *groups, struct mem *mem,
                          assay_error *err);
/* Rows 0 .. rows - 1 of nodes of the tree; members in any order, copied. */
int stream_rows_nodes(struct stream_rows *r, const assay_profile *p, const struct stream_member *members, size_t count, uint32_t rows, struct mem *mem,
                      assay_error *err);
void stream_rows_done(struct stream_rows *r);

struct stream_figure {
    uint32_t row;
    assay_value self, total;
};
/* The rows in which a group has anything, in no particular order; lent for the time of the call. */
struct stream_figures {
    const struct stream_figure *at;
    size_t count;
    bool is_measured; /* it has any cost of the metric, in these rows or elsewhere */
};
/* Not 0: stop with that code. */
typedef int stream_figures_fn(void *arg, uint32_t group, const struct stream_figures *f, assay_error *err);
/* Every group, also one that has nothing (count 0), in their order. Errors: MEMORY, UNSUPPORTED (the metric is not known by row), those of stored values. */
int stream_figures_each(const struct stream_rows *r, const struct stream_groups *g, assay_metric_id metric, stream_figures_fn *fn, void *arg, assay_error *err);

/* ---- for the files of this room ---- */

/* Sums of the group at hand, by row. */
struct stream_sums {
    struct mem *mem;
    struct sums self, total;
    uint8_t *is_touched;
    uint32_t *touched;
    struct stream_figure *out;
    size_t count, rows;
    bool is_measured;
};
void stream_sums_touch(struct stream_sums *s, uint32_t row);
/* Gives the figures of the group to `fn` and begins the next. */
int stream_sums_end(struct stream_sums *s, uint32_t group, stream_figures_fn *fn, void *arg, assay_error *err);
int stream_figures_tree(const struct stream_rows *r, const struct stream_groups *g, assay_metric_id metric, struct stream_sums *s, stream_figures_fn *fn,
                        void *arg, assay_error *err);

#endif
