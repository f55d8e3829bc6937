/* Statistics over streams, threads, ranks, nodes or GPUs, whatever table they stand in; for the files of this folder. */
#ifndef REPORT_STATS_H
#define REPORT_STATS_H

#include "analysis/streams/stats.h"
#include "report/report.h"

/* How a statistic looks: what it is of, and over how many groups. */
struct report_stats {
    const struct stream_stats *of;
    bool by_total; /* of totals; else of self cost */
};

/* Heads of what report_stats_cells fills. */
void report_stats_heads(struct report *r, enum stream_by by);
/* The cells of one statistic of a metric of type `type`. */
void report_stat_cells(const struct report *r, struct table *table, const struct stream_groups *g, assay_metric_id metric, const struct stream_stat *s,
                       uint32_t all);
void report_stats_cells(const struct report *r, struct table *table, const struct report_stats *s, uint32_t row);
/* Empty cells in their place. */
void report_stats_blank(const struct report *r, struct table *table);
/* ", lost time of self over 16 ranks" and the like for a title. */
void report_stats_title(const struct report *r, const struct report_stats *s);

/* {"groups","all","min","mean","max","stddev","cv","imbalance","lost","slowest"} */
void report_stat_json(struct json *j, const struct stream_groups *g, enum assay_type type, const struct stream_stat *s, uint32_t all);
/* "stats": {"self": ..., "total": ...} of a row */
void report_stats_json(struct json *j, const struct report_stats *s, uint32_t row);
/* "over": {"by","groups","measured"} of the whole */
void report_over_json(struct json *j, const struct stream_groups *g, uint32_t all);

#endif
