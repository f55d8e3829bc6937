/* Analysis: the numbers that people see. Every report and every writer takes them from here, so each has one definition. */
#ifndef ASSAY_ANALYSIS_H
#define ASSAY_ANALYSIS_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Figures of each function over all streams, one row for each function that has a cost or a call, in no particular order.
 * Graphs: `total` is what the file states; else, for each stream, the sum of the calls to the function, direct recursion left out, or
 * self plus its own calls where nobody calls it. Trees: the sum over outermost instances. */
typedef struct assay_top {
    uint32_t count;
    uint32_t metric_count;
    const assay_metric_id *metrics;
    const assay_func_id *func;
    const uint64_t *calls;
    const assay_value *self;  /* [row * metric_count + k] */
    const assay_value *total;
} assay_top;

/* *out is owned by the caller; free with assay_top_free before the profile is released. Errors: MEMORY, UNSUPPORTED (no shape of cost). */
ASSAY_API int assay_top_new(const assay_profile *p, assay_top **out, assay_error *err);
ASSAY_API void assay_top_free(assay_top *top);

enum assay_sort { ASSAY_SORT_SELF = 0, ASSAY_SORT_TOTAL = 1, ASSAY_SORT_CALLS = 2, ASSAY_SORT_NAME = 3 };

/* Fills order[0 .. top->count) with row numbers: by `sort` of metric number k, largest first; ties by the other metrics in order, then
 * name, file, module. */
ASSAY_API void assay_top_order(const assay_profile *p, const assay_top *top, enum assay_sort sort, uint32_t k, uint32_t *order);

#ifdef __cplusplus
}
#endif
#endif
