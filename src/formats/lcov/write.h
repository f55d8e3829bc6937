/* Writing a tracefile: the plan says which record (file and test) each row of the profile goes to, and in which order; a record is written
 * in the order of lcov: functions, branches, conditions, lines. */
#ifndef LCOV_WRITE_H
#define LCOV_WRITE_H

#include "base/index.h"
#include "base/vec.h"
#include "formats/lcov/lcov.h"

struct lcov_unit {
    uint32_t file, test;
};

/* Rows of one record that stand together in the order of lines. */
struct lcov_run {
    uint32_t unit, end; /* number of the record from 1, its place once they are ranked; the row behind the last */
};

/* Rows of a table by record and line. */
struct lcov_rows {
    uint32_t *row;
    uint32_t count, at;
    const uint32_t *line; /* of each row, where the table itself is in order: then there are no keys */
    VEC(struct lcov_run) runs;
    size_t run;
    uint64_t *key; /* record << 32 | line */
};

struct lcov_plan {
    const assay_profile *p;
    const struct assay_coverage *c;
    struct mem *mem;
    VEC(struct lcov_unit) units; /* by path, then name of the test */
    struct index unit_index;
    uint32_t *rank; /* unit -> its place in `units` */
    size_t rank_count;
    struct lcov_rows lines, funcs, branches, sums, conditions;
};

/* Errors: MEMORY. lcov_plan_free in any case. */
int lcov_plan_make(struct lcov_plan *plan, const assay_profile *p, struct mem *mem, assay_error *err);
void lcov_plan_free(struct lcov_plan *plan);

/* The rows of the record in work that follow and stand at one line: rows[from .. at). False = there are no more. */
bool lcov_rows_next(struct lcov_rows *rows, uint32_t unit, uint32_t *line, uint32_t *from);

/* A line of the record in work. */
struct lcov_out_line {
    uint64_t hits;
    uint32_t line;
    assay_str_id checksum;
};

struct lcov_out_branch {
    uint64_t hits;
    int64_t target;
    uint32_t row, block, name, func, index, column, end_line, end_column;
    uint8_t flags;
};

struct lcov_out_condition {
    uint64_t hits;
    uint32_t row, group, index;
    uint8_t sense, flags;
};

struct lcov_out {
    struct lcov_plan *plan;
    struct output *o;
    bool is_2x;
    VEC(struct lcov_out_line) lines;
    VEC(struct lcov_out_branch) branches;
    VEC(struct lcov_out_condition) conditions;
};

enum { LCOV_SUM_MAX = 10000 }; /* more branches of one line are not written one by one */

static inline uint64_t lcov_add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
/* BRDA, BRF and BRH of a record. false = no memory */
bool lcov_write_branches(struct lcov_out *w, uint32_t unit);
/* MCDC, MCF and MCH. false = no memory */
bool lcov_write_conditions(struct lcov_out *w, uint32_t unit);
/* A name as it stands in a line: line ends become '?'. */
void lcov_write_name(struct output *o, assay_slice name);

#endif
