/* Gates: the least coverage that a build must have. */
#ifndef CLI_GATE_H
#define CLI_GATE_H

#include "cli/cli.h"

/* Judges coverage against --fail-under and --fail-under-each: a message and exit code 1 for each figure that is below its limit, and for the
 * whole also when there is nothing of it. Does nothing without the options. Errors: MEMORY. */
int gate_judge(struct cli *c, const char *path, const assay_profile *p, assay_error *err);
/* What --fail-under asks of lines (statements where a summary states no lines), functions and branches, in percent; 0 = nothing. */
void gate_limits(const struct cli *c, const assay_coverage_counts *total, double limits[3]);
/* Whether there is anything to judge: then the rows of coverage are wanted. */
static inline bool gate_is_set(const struct cli *c) { return c->set.fail_under || c->set.fail_under_each; }
/* Whether the options can be understood; prints why not. To be called before any work. */
bool gate_is_good(const struct cli *c);

#endif
