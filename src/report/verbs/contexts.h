/* Calling contexts for the verbs that need them: those of the input, or estimated from its call graph. */
#ifndef REPORT_VERBS_CONTEXTS_H
#define REPORT_VERBS_CONTEXTS_H

#include "report/verb.h"

/* What has to be read for them, by estimate and no-estimate. */
uint32_t contexts_want(const assay_reporter *r);
/* *out is a profile with a tree, to be released: `p` itself where it has one. Errors: UNSUPPORTED (there is neither, or no estimate is allowed), USAGE, MEMORY. */
int contexts_make(assay_reporter *r, assay_profile *p, assay_profile **out, bool *is_estimated, assay_error *err);

#endif
