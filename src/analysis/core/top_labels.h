/* The values of one label as rows of a table: a profile in which each value is a function, so that all that can be said of functions can be said of them. */
#ifndef ANALYSIS_CORE_TOP_LABELS_H
#define ANALYSIS_CORE_TOP_LABELS_H

#include "assay/model.h"

/* *out is to be released. A function for each value of `key`, with what the samples that have it cost, and one called "<without KEY>" for those that have none. A
 * sample with several values counts for each; totals of metrics stay those of `p`. Errors: UNSUPPORTED (no labels), USAGE (no such key; the sentence lists those
 * there are), MEMORY. */
int top_labels_profile(const assay_profile *p, const char *key, uint64_t max_memory, assay_profile **out, assay_error *err);

#endif
