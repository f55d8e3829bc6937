/* What other verbs show of `top`. */
#ifndef CLI_TOP_H
#define CLI_TOP_H

#include "cli/cli.h"

/* The table of a profile read with SUMS, PAIRS and COVERAGE, by the settings and the limit of the report. *first becomes the name of the function in
 * the first row, borrowed from the profile; empty where rows are none. Errors: USAGE, UNSUPPORTED, MEMORY. */
int top_show(struct cli *c, struct report *r, const char *path, const assay_profile *p, assay_slice *first, assay_error *err);

#endif
