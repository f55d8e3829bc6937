/* Writing a tracefile: the plan says which record (file and test) each row of the profile goes to, and in which order; a record is written
 * in the order of lcov: functions, branches, conditions, lines. Several threads may write records of one plan, each with cursors of its own. */
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
    uint32_t unit;      /* number of the record from 1, its place once they are ranked */
    uint32_t from, end; /* the first row, the one behind the last */
};

/* Rows of a table by record and line, and how far they are written. Mostly each record has one run: then the runs are put in order, and the rows stay where
 * they are. */
struct lcov_rows {
    VEC(struct lcov_run) runs;
    const uint32_t *line; /* of each row; NULL = 0 everywhere, and for functions, which are sorted by whoever takes them */
    uint64_t *key;        /* record << 32 | line, in order; NULL = each record has one run */
    uint32_t *row;        /* of each key; NULL = its own place */
    uint32_t count;
    /* the cursor */
    uint32_t at;
    size_t run;
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

/* All cursors to the first row of the record, which may be any. */
void lcov_plan_seek(struct lcov_plan *plan, uint32_t unit);
/* The rows of the record in work that follow and stand at one line: rows[from .. at). False = there are no more. */
bool lcov_rows_next(struct lcov_rows *rows, uint32_t unit, uint32_t *line, uint32_t *from);
/* All of them at once: rows[from .. at). False = there are none. */
bool lcov_rows_take(struct lcov_rows *rows, uint32_t unit, uint32_t *from);
/* The row of the table. */
static inline uint32_t lcov_row(const struct lcov_rows *rows, uint32_t i) { return rows->row ? rows->row[i] : i; }

struct lcov_out_function {
    assay_slice name;
    uint64_t calls;
    uint32_t func, line, end_line;
};
struct lcov_functions {
    struct lcov_out_function *at;
    size_t len, cap;
};

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

/* Digits of a block or branch and the comma behind them. */
struct lcov_number {
    uint32_t id, len; /* len 0 = it is no number, or a long one */
    char text[8];
};

enum { LCOV_TEXT = 8192, LCOV_ROW_MAX = 64, LCOV_NUMBERS = 256 };

/* Rows on their way out: each takes at most LCOV_ROW_MAX bytes, so that room is looked for once in a row. */
struct lcov_text {
    size_t len;
    char at[LCOV_TEXT];
};

/* Of one thread. */
struct lcov_out {
    struct lcov_plan *plan; /* with cursors of its own */
    struct mem *mem;
    struct output *o;
    bool is_2x;
    bool has_plain_branches; /* they have block and name, hits and flags, and nothing else */
    struct lcov_text text;
    struct lcov_number numbers[LCOV_NUMBERS]; /* by string id, the last of those that share a place */
    struct lcov_functions functions;
    VEC(struct lcov_out_line) lines;
    VEC(struct lcov_out_branch) branches;
    VEC(struct lcov_out_condition) conditions;
};

enum { LCOV_SUM_MAX = 10000 }; /* more branches on one line are not written individually */

static inline uint64_t lcov_add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
/* Branches found and hit. */
struct lcov_tally {
    uint64_t found, hit;
};

/* ---- the usual rows (write_plain.c) ---- */

/* DA of the lines gathered; returns how many are hit. */
uint64_t lcov_write_lines(struct lcov_out *w);
/* BRDA of the rows [from, to) of one line. False = nothing was written, they need a closer look. */
bool lcov_write_plain(struct lcov_out *w, uint32_t line, uint32_t from, uint32_t to, struct lcov_tally *n);
/* What is in w->text goes to the output. */
void lcov_write_text(struct lcov_out *w);

/* BRDA, BRF and BRH of a record. false = no memory */
bool lcov_write_branches(struct lcov_out *w, uint32_t unit);
/* MCDC, MCF and MCH. false = no memory */
bool lcov_write_conditions(struct lcov_out *w, uint32_t unit);
/* A name as it stands in a line: line ends become '?'. */
void lcov_write_name(struct output *o, assay_slice name);

#endif
