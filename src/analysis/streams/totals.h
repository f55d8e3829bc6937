/* What each stream of a profile is: the command that was measured, and what it cost by one metric. Appended runs, parts, threads and ranks are streams. */
#ifndef ANALYSIS_STREAMS_TOTALS_H
#define ANALYSIS_STREAMS_TOTALS_H

#include "analysis/core/value.h"
#include "assay/model.h"

struct stream_totals {
    bool is_known; /* false: the profile does not say what its streams cost */
    enum assay_type type;
    /* By stream from 1; [0] is what belongs to no stream. */
    size_t len;
    assay_wide *whole;    /* of integers, exact */
    struct sums real;     /* of doubles */
    assay_slice *command; /* as the headers of the file tell it; [0] is that of the file as a whole, empty = not told */
};

/* The totals of a metric (0 = none), by the rule of the metric's own total: the self cost of the graph, else of the lines, else of the tree. They add up
 * to that total, unless the file states another one. Errors: MEMORY, those of stored values; stream_totals_done in any case. */
int stream_totals_init(struct stream_totals *t, const assay_profile *p, assay_metric_id metric, struct mem *mem, assay_error *err);
void stream_totals_done(struct stream_totals *t);

/* What the file as a whole measured, else its first stream. */
assay_slice stream_command(const struct stream_totals *t);

#endif
