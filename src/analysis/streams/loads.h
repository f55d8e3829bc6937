/* Groups of streams one by one: what each cost as a whole, its hottest function; and how one function did over all groups. */
#ifndef ANALYSIS_STREAMS_LOADS_H
#define ANALYSIS_STREAMS_LOADS_H

#include "analysis/streams/stats.h"

/* ---- groups as wholes ---- */

struct stream_load {
    assay_value cost;
    uint32_t hottest; /* row of the table + 1; 0 = no function has cost */
    assay_value heat; /* what that row cost here */
};

struct stream_loads {
    struct mem *mem;
    const struct stream_groups *groups;
    assay_metric_id metric;
    enum assay_type type;
    struct stream_load *at; /* by group, from 1 */
    double whole;           /* of the profile, as in every table: what belongs to no group is in it */
    uint32_t all;           /* groups that cost anything */
    struct stream_stat stat;
};

/* Hottest by self cost; rows are those of a functions table. The cost of a group is all of it, also what no function has. Errors: MEMORY, those of
 * stream_figures_each and stream_totals_init. stream_loads_done is due in either case. */
int stream_loads_init(struct stream_loads *l, const struct stream_rows *rows, const struct stream_groups *groups, assay_metric_id metric, struct mem *mem,
                      assay_error *err);
void stream_loads_done(struct stream_loads *l);
/* Group numbers by cost, the largest first; or in the order of their ids. `order` has room for groups->count. */
void stream_loads_order(const struct stream_loads *l, bool by_id, uint32_t *order);
/* Cost as a share of the mean, less 1; as a share of the whole; and what share of it the hottest function has. NAN where there is nothing to share. */
double stream_load_off(const struct stream_loads *l, uint32_t group);
double stream_load_share(const struct stream_loads *l, uint32_t group);
double stream_load_heat(const struct stream_loads *l, uint32_t group);

/* What groups cost by each metric. */
struct stream_metrics {
    struct mem *mem;
    const struct stream_groups *groups;
    uint32_t count;
    assay_metric_id *metric; /* those that have values */
    struct stream_stat *stat;
};
/* `groups` is borrowed. Errors: MEMORY, those of stream_totals_init. stream_metrics_done is due in either case. */
int stream_metrics_init(struct stream_metrics *m, const struct stream_groups *groups, struct mem *mem, assay_error *err);
void stream_metrics_done(struct stream_metrics *m);

/* ---- one row over all groups ---- */

enum { STREAM_BINS = 40 };

struct stream_course {
    struct mem *mem;
    const struct stream_groups *groups;
    enum assay_type type;
    assay_value *self, *total; /* by group, from 1 */
    bool by_total;             /* what the rest is about: total, or self where there is none */
    struct stream_stat stat;
    uint32_t all;             /* groups that have any cost of the metric */
    double median, low, high; /* the quartiles' fences: beyond them a group is an outlier */
    uint32_t *sorted;         /* groups, the largest value first */
    uint32_t *outliers;       /* the farthest from the median first */
    uint32_t outlier_count;
    double bin_from, bin_width;
    uint32_t bins, bin[STREAM_BINS]; /* how many groups have a value in it; the last bin has its upper end, too */
};

/* Row `row` of `rows`. Errors: MEMORY, those of stream_figures_each. stream_course_done is due in either case. */
int stream_course_init(struct stream_course *c, const struct stream_rows *rows, uint32_t row, const struct stream_groups *groups, assay_metric_id metric,
                       bool by_total, struct mem *mem, assay_error *err);
void stream_course_done(struct stream_course *c);
/* The value that the course is about. */
double stream_course_value(const struct stream_course *c, uint32_t group);
bool stream_course_is_outlier(const struct stream_course *c, uint32_t group);

#endif
