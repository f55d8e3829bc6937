/* Files of coverage in their folders, each folder with the sum of what is below it: what overviews show. */
#ifndef ANALYSIS_COVERAGE_TREE_H
#define ANALYSIS_COVERAGE_TREE_H

#include "assay/analysis.h"
#include "base/vec.h"

/* Deeper folders are shown as part of the names below them. */
enum { COVERAGE_TREE_DEPTH = 64 };

struct tree_row {
    assay_slice path; /* whole */
    assay_slice name; /* the part of it that is shown below the row above: one component, or a chain of folders with nothing else in them */
    uint32_t depth;   /* from 0 */
    uint32_t file;    /* 0 = a folder */
    uint32_t end;     /* the row after the last one below it */
    assay_coverage_counts counts;
};

struct coverage_tree {
    struct mem *mem;
    assay_slice prefix; /* the folder that all files are in, with its slash; part of no name */
    assay_coverage_counts total;
    VEC(struct tree_row) rows; /* a folder before what is in it; siblings by the bytes of their names */
};

/* Files without a path, and what has no file, are left out of the rows, not of the total. Errors: MEMORY; coverage_tree_done is due all the
 * same. */
int coverage_tree_init(struct coverage_tree *t, struct mem *mem, const assay_profile *p, assay_error *err);
void coverage_tree_done(struct coverage_tree *t);

#endif
