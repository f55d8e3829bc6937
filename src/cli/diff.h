/* The part of `assay diff` that compares profiles. */
#ifndef CLI_DIFF_H
#define CLI_DIFF_H

#include "cli/cli.h"

/* Compares and prints; returns the exit code, noted in c->exit too. */
int cli_diff_profiles(struct cli *c, const assay_profile *before, const assay_profile *after);

#endif
