/* The built-in filter strip-excludes of `assay cov report`. */
#ifndef CLI_COV_STRIP_H
#define CLI_COV_STRIP_H

#include "cli/cov/filter.h"

/* As filter_run; *status is not 0 when the filter refuses, which it then has said. */
int strip_run(struct cli *c, const struct filter_run *f, struct arena *a, assay_slice *out, int *status, assay_error *err);

#endif
