/* For writers of coverage formats: what the profile holds of each line, joined over tests and instances, by file and line. */
#ifndef FORMATS_COVERAGE_PLAN_H
#define FORMATS_COVERAGE_PLAN_H

#include "base/vec.h"
#include "formats/format.h"

struct coverage_out_line {
    uint64_t key; /* file << 32 | line */
    uint64_t hits;
    bool only_hit;
};
struct coverage_out_branch {
    uint64_t key;
    int64_t target;
    uint32_t func, block, name, index, column, end_line, end_column;
    uint8_t flags; /* enum assay_coverage_branch_flags that all of its rows have */
    uint64_t hits;
};
struct coverage_out_sum {
    uint64_t key;
    uint64_t covered, total;
};
struct coverage_out_func {
    uint64_t key; /* file << 32 | first line */
    uint64_t calls;
    uint32_t func;
    uint32_t column, end_column; /* 0 = unknown */
};

/* Where rows stand in the lists of the plan. */
struct coverage_at {
    size_t line, branch, sum, func;
};
struct coverage_out_file {
    assay_slice path; /* "?" for rows without a file */
    uint32_t file;
    struct coverage_at at; /* its first rows */
};
/* A line and its branches. */
struct coverage_out_row {
    uint32_t line;
    uint64_t hits, covered, total;
};

/* Each sorted by key, each thing once; files by path. */
struct coverage_plan {
    struct mem *mem;
    VEC(struct coverage_out_line) lines;
    VEC(struct coverage_out_branch) branches;
    VEC(struct coverage_out_sum) sums; /* branches counted, and sums of the profile */
    VEC(struct coverage_out_func) funcs;
    VEC(struct coverage_out_file) files;
};

/* false = no memory; coverage_plan_free in any case. */
bool coverage_plan_make(struct coverage_plan *plan, const assay_profile *p, struct mem *mem);
void coverage_plan_free(struct coverage_plan *plan);
/* The next line of `file` from *at on, which moves behind it. false = no more. Branches at a line that has no row of its own, as JavaScript's
 * default arguments, are passed over: where branches are written with lines, each of them would add a line that was never measured. */
bool coverage_plan_next(const struct coverage_plan *plan, uint32_t file, struct coverage_at *at, struct coverage_out_row *out);
/* Names the branches that are passed over as a loss. */
void coverage_plan_lose_strays(const struct coverage_plan *plan, struct losses *l);

static inline uint64_t coverage_add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

#endif
