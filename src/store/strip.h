/* What the filter strip-excludes of cov does: takes out of a report JSON what marks in the sources exclude.
 *
 * Marks are GCOV_EXCL_, LCOV_EXCL_ or GRCOV_EXCL_ and LINE, START or STOP; the lines of START and STOP belong to what is excluded. [tag,tag] behind
 * LINE or START restricts the mark to these systems and compilers. */
#ifndef STORE_STRIP_H
#define STORE_STRIP_H

#include "store/json_tree.h"

struct strip_options {
    const char *sources;     /* folder */
    const char *const *tags; /* of this build */
    size_t tag_count;
    /* Told what was found, a sentence; line 0 = it is about the whole. May be NULL. */
    void (*tell)(void *arg, const char *path, uint32_t line, uint32_t column, const char *message);
    void *arg;
};
struct strip_result {
    uint64_t lines, functions; /* that were taken out */
};

/* Marks what is excluded as removed. Errors: DAMAGED (no report: git/head or files is missing), MEMORY. */
int strip_report(struct json_node *report, const struct strip_options *options, struct mem *mem, struct strip_result *out, assay_error *err);

#endif
