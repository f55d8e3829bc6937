/* Coverage as a person sees it beside the source: for one file its lines with hits, branches and conditions, and its functions. Rows of one
 * line, branch or function are added over tests and records; what counts is what assay_coverage_count counts.
 *
 *     coverage_view_init(&v, mem, profile);
 *     coverage_view_file(&v, file) ... v.lines, v.branches, v.functions until the next call
 *     coverage_view_done(&v); */
#ifndef ANALYSIS_COVERAGE_VIEW_H
#define ANALYSIS_COVERAGE_VIEW_H

#include "analysis/coverage/rows.h"
#include "assay/error.h"

struct view_branch {
    uint32_t row; /* of the branch table: the first one of this branch */
    uint64_t hits;
    uint8_t flags; /* enum assay_coverage_branch_flags that all its rows have */
};

struct view_line {
    uint32_t line;
    bool is_code;  /* counts as a line: there is a row that is neither excluded nor no code */
    uint8_t flags; /* enum assay_coverage_line_flags of its rows; EXCLUDED and NONCODE only when all rows have it */
    uint64_t hits;
    uint32_t branches, branches_hit; /* single ones and n-of-m sums */
    uint32_t conditions, conditions_hit;
    uint32_t first_branch, branch_count; /* in v->branches; unreachable and excluded ones are there too */
};

struct view_function {
    uint32_t func, line;
    uint8_t flags; /* enum assay_coverage_line_flags of its rows */
    uint64_t calls;
};

struct view_table {
    struct places places;
    uint32_t *begin; /* places of file f: begin[f] .. begin[f + 1] */
};

struct coverage_view {
    struct mem *mem;
    const assay_profile *profile;
    const struct assay_coverage *c;
    uint32_t files;
    struct view_table line_table, branch_table, sum_table, condition_table, func_table;
    assay_file_id *func_file; /* of each row of the function table */
    struct distinct distinct_branches, distinct_conditions;

    VEC(struct view_line) lines;         /* by line number; also lines that have branches or conditions alone */
    VEC(struct view_branch) branches;    /* in the order of the lines */
    VEC(struct view_function) functions; /* by first line */
};

/* Errors: MEMORY; coverage_view_done is due all the same. Cost: a sort of the tables that do not stand in order. */
int coverage_view_init(struct coverage_view *v, struct mem *mem, const assay_profile *p, assay_error *err);
void coverage_view_done(struct coverage_view *v);
/* File 0 is what has no file. Errors: MEMORY. */
int coverage_view_file(struct coverage_view *v, uint32_t file, assay_error *err);

#endif
