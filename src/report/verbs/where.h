/* The rows of `top` that a condition in SQL leaves. */
#ifndef REPORT_VERBS_WHERE_H
#define REPORT_VERBS_WHERE_H

#include "analysis/core/top.h"
#include "report/verb.h"

/* Drops from order[0 .. *count), row numbers of `top`, the functions for which the condition (r->set.where) on the columns of the table top, with the figures of `metric` (NULL = whatever
 * there is), does not hold. Errors: USAGE (a mistake in the condition), MEMORY, UNSUPPORTED (built without SQLite). */
int where_keep(assay_reporter *r, const assay_profile *p, const assay_top *top, const char *metric, uint32_t *order, uint32_t *count, assay_error *err);

#endif
