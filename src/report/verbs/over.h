/* What several verbs show over streams, threads, ranks, nodes or GPUs. For option tables: include base/option_table.h first. */
#ifndef REPORT_VERBS_OVER_H
#define REPORT_VERBS_OVER_H

#include "analysis/streams/stats.h"
#include "report/stats.h"
#include "report/verb.h"

#define STATS_TEXT                                                                                                                                             \
    "Over streams, or with =KIND over threads, processes, ranks, nodes or GPUs. Minimum, mean, maximum and standard deviation are those of the streams that "  \
    "have the row at all, as HPCToolkit counts them; imbalance is the maximum divided by the mean over all streams in which the metric was measured, less 1, " \
    "and lost the sum of what each of them spends less than the slowest. Statistics that a database stores of a context are taken from it."

#define OPTION_STATS(more)                                                                                                                                     \
    {                                                                                                                                                          \
        .name = "stats", .type = OPTION_FORM, .argument = "KIND", AT(stats), .words = stream_by_words,                                                         \
        .help = "show how evenly cost is spread over streams, threads, ranks, nodes or GPUs", .text = STATS_TEXT more                                          \
    }

/* What --stats asks for. */
static inline enum stream_by stats_by(const struct settings *s) { return s->stats > 1 ? (enum stream_by)(s->stats - 2) : STREAM_BY_STREAM; }

struct over {
    struct stream_groups groups;
    struct stream_rows rows;
    struct stream_stats stats;
    struct report_stats shown;
};
/* Statistics of the rows of `top`. Errors: those of the parts, USAGE (it cannot be computed of this column). over_done is due in either case. */
int over_stats(assay_reporter *r, const assay_profile *p, const assay_top *top, const struct top_groups *groups, const struct metric_columns *columns,
               bool by_total, struct over *o, assay_error *err);
void over_done(struct over *o);
/* The metric of the first column. Errors: USAGE where that is a formula that does not add up: it has no value of a stream that could be averaged. */
int over_metric(const struct metric_columns *columns, const char *option, assay_metric_id *out, assay_error *err);

#endif
