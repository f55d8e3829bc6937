/* Filters of `assay cov report`: programs that turn another format into the report JSON. They get the file on standard input, run in the work tree,
 * and write to standard output. */
#ifndef CLI_COV_FILTER_H
#define CLI_COV_FILTER_H

#include "base/arena.h"
#include "cli/cov/cov.h"

enum filter_outcome { FILTER_DONE, FILTER_MISSING, FILTER_UNUSABLE, FILTER_FAILED };

struct filter_run {
    const char *name;        /* a program in share/cov/filters of the installation, in $COV_FILTER_PATH; or a path */
    const char *input;       /* "-" = standard input */
    const char *folder;      /* to run in */
    const char *const *args; /* of the filter */
    size_t arg_count;
};
/* What it wrote is in *out, from the arena; *status is its exit code when it failed. Errors: SYSTEM, MEMORY. */
int filter_run(const struct filter_run *f, struct arena *a, struct mem *mem, assay_slice *out, enum filter_outcome *outcome, int *status, assay_error *err);

#endif
