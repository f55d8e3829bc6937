/* Sources of a call graph that was read without the cost of each place, of which there may be many: calls by line, and the text. What has no figures is what
 * assay_annotate_new would have to wait for. */
#ifndef ANALYSIS_RESULTS_ANNOTATE_CALLS_H
#define ANALYSIS_RESULTS_ANNOTATE_CALLS_H

#include "assay/annotate.h"

/* As assay_annotate_new; self and total are NULL, and sources are sorted by the cost of their functions. */
int annotate_calls_new(const assay_profile *p, const struct assay_annotate_options *options, assay_annotate **out, assay_error *err);

#endif
