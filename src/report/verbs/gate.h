/* Gates: the least coverage that a build must have. */
#ifndef REPORT_VERBS_GATE_H
#define REPORT_VERBS_GATE_H

#include "report/verb.h"

/* Judges coverage against --fail-under and --fail-under-each: a message and the answer "no" for each figure that is below its limit, and for the
 * whole also when there is nothing of it. Does nothing without the options. Errors: MEMORY. */
int gate_judge(assay_reporter *r, const char *path, const assay_profile *p, assay_error *err);
/* What --fail-under asks of lines (statements where a summary states no lines), functions and branches, in percent; 0 = nothing. */
void gate_limits(const assay_reporter *r, const assay_coverage_counts *total, double limits[3]);
/* Whether there is anything to judge: then the rows of coverage are wanted. */
static inline bool gate_is_set(const struct settings *s) { return s->fail_under || s->fail_under_each; }
/* Whether the options can be understood. To be called before any work. Errors: USAGE. */
int gate_check(const struct settings *s, assay_error *err);

#endif
