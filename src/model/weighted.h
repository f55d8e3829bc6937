/* Metrics that are weighted sums of others: "Ir + 10*L1m". Values of parts add up to that of the whole, as those of any metric do, so everything that shows
 * or writes a metric can show and write these. */
#ifndef MODEL_WEIGHTED_H
#define MODEL_WEIGHTED_H

#include "assay/model.h"
#include "base/slice.h"

struct weighted_sum {
    assay_slice name;
    const double *weight; /* by metric id; [0] is not used */
};

/* *out is `p` with one more metric of doubles for each sum, after all others; everything else has the ids that it had, and is not copied: *out keeps a
 * reference to `p`. A shape carries a sum where it carries all metrics that have a weight. `max_memory`: bytes, 0 = no limit. Errors: MEMORY. */
int profile_with_sums(assay_profile *p, const struct weighted_sum *sums, size_t count, uint64_t max_memory, assay_profile **out, assay_error *err);

#endif
