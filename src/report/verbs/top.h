/* What other verbs show of `top`. */
#ifndef REPORT_VERBS_TOP_H
#define REPORT_VERBS_TOP_H

#include "report/verb.h"

/* The table of a profile read with SUMS, PAIRS and COVERAGE, by the settings and the limit of the report. *first becomes the name of the function in
 * the first row, borrowed from the profile; empty where rows are none. Errors: USAGE, UNSUPPORTED, MEMORY. */
int top_show(assay_reporter *r, const char *path, const assay_profile *p, assay_slice *first, assay_error *err);

#endif
