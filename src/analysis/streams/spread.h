/* How the cost of a function, or of everything, is spread over the streams: what each rank, thread or part had of it. */
#ifndef ANALYSIS_STREAMS_SPREAD_H
#define ANALYSIS_STREAMS_SPREAD_H

#include "analysis/core/value.h"
#include "assay/model.h"

/* How even a figure is over streams: the one place for these numbers. Streams are added in any order; those that are not have 0. */
struct stream_even {
    enum assay_type type;
    uint32_t present;           /* streams that were added */
    uint32_t smallest, largest; /* streams, the first of several among those that were added; 0 = there is none */
    assay_value least, most;
    double mean;      /* over all streams */
    double deviation; /* from the mean: of a population */
    double imbalance; /* most / mean - 1: 0 = all are alike; NAN where the mean is 0 */
    double lost;      /* (most - mean) * streams: what the others wait for the one that has most */
    double squares;   /* while they are added: of the distances from the mean of those so far */
};
void stream_even_add(struct stream_even *e, uint32_t stream, assay_value v);
/* All were added: `sum` is what they have together, `streams` how many there are, at least those that were added. */
void stream_even_settle(struct stream_even *e, assay_value sum, uint32_t streams);

struct stream_spread {
    struct mem *mem;
    enum assay_type type;
    size_t len;                 /* streams + 1; [0] is what belongs to no stream */
    struct sums self, total;    /* by stream */
    bool has_total;             /* a call graph does not tell it of one function */
    double least, mean, most;   /* of the totals (else of self) over the streams */
    double deviation;           /* from the mean: of a population */
    double imbalance;           /* how much more the largest has than the mean, in percent of the largest */
    uint32_t smallest, largest; /* streams; 0 = there is none */
};

/* Of a function, or of the whole (func 0). Recursion counts once. In the contexts of a tree, `self` is the cost of the function's nodes, `total` all cost below its outermost ones, by
 * the rules of assay/top.h. Errors: MEMORY, UNSUPPORTED (there are no streams), those of stored values. stream_spread_done is due in either case. */
int stream_spread_init(struct stream_spread *s, const assay_profile *p, assay_metric_id metric, assay_func_id func, struct mem *mem, assay_error *err);
void stream_spread_done(struct stream_spread *s);

#endif
