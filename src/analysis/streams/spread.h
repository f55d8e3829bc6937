/* How the cost of a function, or of everything, is spread over the streams: what each rank, thread or part had of it. */
#ifndef ANALYSIS_STREAMS_SPREAD_H
#define ANALYSIS_STREAMS_SPREAD_H

#include "analysis/core/value.h"
#include "assay/model.h"

struct stream_spread {
    struct mem *mem;
    enum assay_type type;
    size_t len;                 /* streams + 1; [0] is what belongs to no stream */
    struct sums self, total;    /* by stream */
    bool has_total;             /* a call graph does not tell it of one function */
    double least, mean, most;   /* of the totals (else of self) over the streams */
    double deviation;           /* from the mean: of a population */
    double imbalance;           /* of --stats: stream_imbalance over the streams in which the metric was measured */
    uint32_t smallest, largest; /* streams; 0 = there is none */
};

/* Of a function, or of the whole (func 0). Recursion counts once. In the contexts of a tree, `self` is the cost of the function's nodes, `total` all cost below its outermost ones, by
 * the rules of assay/top.h. Errors: MEMORY, UNSUPPORTED (there are no streams), those of stored values. stream_spread_done is due in either case. */
int stream_spread_init(struct stream_spread *s, const assay_profile *p, assay_metric_id metric, assay_func_id func, struct mem *mem, assay_error *err);
void stream_spread_done(struct stream_spread *s);

#endif
