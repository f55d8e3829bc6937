/* Gates: the least coverage that a build must have. */
#ifndef CLI_GATE_H
#define CLI_GATE_H

#include "cli/cli.h"

/* Judges coverage against --fail-under: a message and exit code 1 for each figure that is under its limit, or that there is nothing of. Does
 * nothing without the option. */
void gate_judge(struct cli *c, const char *path, const assay_cov_counts *n);
/* The same, counting first. */
void gate_judge_profile(struct cli *c, const char *path, const assay_profile *p);
/* Whether the option can be understood; prints why not. To be called before any work. */
bool gate_is_good(const struct cli *c);

#endif
