/* How evenly cost is spread over streams, threads, ranks, nodes or GPUs: statistics of each row of a table.
 *
 * Minimum, mean, maximum and deviation are over the groups that have anything in the row, as HPCToolkit's statistics are, so that figures from its
 * databases and figures computed here mean the same. Imbalance and lost time are over all groups in which the metric was measured: one that has
 * nothing of a row waits longest for those that do. */
#ifndef ANALYSIS_STREAMS_STATS_H
#define ANALYSIS_STREAMS_STATS_H

#include "analysis/streams/figures.h"

struct stream_stat {
    uint32_t count;        /* groups that have anything in the row */
    uint32_t largest;      /* the group with the maximum, the first of several; 0 = that is 0 */
    assay_value min, max;  /* of the metric's type */
    double sum, mean;      /* over `count` groups */
    double deviation;      /* of a population, around that mean */
    double cv;             /* deviation / mean */
    double imbalance;      /* max / (sum / all groups) - 1 */
    double lost;           /* max * all groups - sum: what would be saved if all waited for none */
    double squares, other; /* while they are added up: around the mean; the part of the sum that rounding leaves */
};

struct stream_stats {
    struct mem *mem;
    const struct stream_groups *groups;
    assay_metric_id metric;
    enum assay_type type;
    uint32_t rows;
    uint32_t all; /* groups that have any cost of the metric */
    bool has_totals;
    struct stream_stat *self, *total; /* by row */
};

/* `groups` is borrowed. Errors: MEMORY, those of stream_figures_each. stream_stats_done is due in either case. */
int stream_stats_init(struct stream_stats *s, const struct stream_rows *rows, const struct stream_groups *groups, assay_metric_id metric, struct mem *mem,
                      assay_error *err);
void stream_stats_done(struct stream_stats *s);

/* max / (sum / all) - 1: 0 = all have the same; not a number = they have nothing. The one definition of imbalance. */
double stream_imbalance(double max, double sum, uint32_t all);

/* Of values by group, values[group], from 1 on, of which `all` have any cost of the metric. */
struct stream_stat stream_stat_of(enum assay_type type, const assay_value *values, uint32_t count, uint32_t all);

/* What rows can be sorted by. */
enum stream_sort { STREAM_SORT_LOST, STREAM_SORT_IMBALANCE, STREAM_SORT_CV, STREAM_SORT_MAX };
/* Sorts row numbers, the largest first; those that have none last; ties as they were. Errors: MEMORY. */
int stream_stats_order(const struct stream_stats *s, bool by_total, enum stream_sort sort, uint32_t *order, uint32_t count, assay_error *err);

/* ---- what a file stores ---- */

/* Takes count, minimum, maximum, mean and deviation of a row from the file, where it has all of them of the row's node; node[row] = 0: none. Only where
 * groups are single streams. Returns how many rows were filled. Errors: those of stored values. */
int stream_stats_stored(struct stream_stats *s, const struct frames *f, const uint32_t *node, uint32_t *filled, assay_error *err);

#endif
