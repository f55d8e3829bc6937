/* A source beside what was measured of it: hits, branches and functions of coverage, cost of lines (self and with what they call), of one file
 * after another.
 *
 *     annotate_init(&a, profile, filter, folder, mem, &err);
 *     annotate_file(&a, file, &err);           // a.rows, a.text, a.paths.tried until the next call
 *     annotate_select(&a, first, last, fold);  // which rows are shown
 *     annotate_done(&a);
 *
 * Cost comes from the lines of the profile, else from its graph, else from a graph made of its tree. A line's total is its self cost and that of
 * the calls made from it, calls of a function to itself left out. */
#ifndef ANALYSIS_ANNOTATE_H
#define ANALYSIS_ANNOTATE_H

#include "analysis/coverage_view.h"
#include "analysis/source_text.h"
#include "analysis/value.h"

enum annotate_state {
    ANNOTATE_NONE, /* nothing to hit */
    ANNOTATE_HIT,
    ANNOTATE_PARTIAL, /* hit, but a branch or a part of the line was not */
    ANNOTATE_MISSED,
    ANNOTATE_EXCLUDED, /* not counted */
    ANNOTATE_UNKNOWN
};

struct annotate_row {
    uint32_t line; /* 0 = cost that belongs to no line */
    uint8_t state; /* enum annotate_state: what coverage says */
    bool is_shown, is_measured;
    bool has_text, has_hits;
    assay_slice text;
    uint64_t hits, calls;         /* executions; calls made from the line */
    uint32_t view;                /* number of its view_line + 1, 0 = none */
    uint32_t function, functions; /* those that begin here: view.functions[function ...] */
};

enum annotate_fold { ANNOTATE_ALL, ANNOTATE_ONLY_MISSED };

struct annotate {
    struct mem *mem;
    const assay_profile *profile; /* borrowed */
    assay_profile *graph;         /* that was made of a tree, or NULL */
    uint32_t files;
    bool has_coverage, has_cost, has_totals;

    /* cost */
    const struct assay_block *block;
    struct view_table line_table, cost_table, arc_table;
    VEC(struct sums) self, total; /* by metric of the block; sums_value by row */

    /* the file at hand */
    struct coverage_view view;
    struct source_paths paths;
    struct source_text text;
    bool has_open_text;
    VEC(uint32_t) numbers;
    VEC(struct annotate_row) rows; /* by line */
    assay_cov_counts *by_file;
};

/* `folder`: where the input lies when that is a folder, else NULL; sources may have been copied there. Everything is borrowed until annotate_done,
 * which is due after a failure too. Errors: MEMORY, UNSUPPORTED (nothing was measured of lines), those of stored values. */
int annotate_init(struct annotate *a, const assay_profile *p, const struct assay_filter *filter, const char *folder, struct mem *mem, assay_error *err);
void annotate_done(struct annotate *a);

/* Whether anything was measured of the file. */
bool annotate_has(const struct annotate *a, uint32_t file);
/* Errors: MEMORY. */
int annotate_file(struct annotate *a, uint32_t file, assay_error *err);
/* Shows the rows of first .. last (last 0 = to the end); with ONLY_MISSED those that were missed or hit in part, and two lines around them. */
void annotate_select(struct annotate *a, uint32_t first, uint32_t last, enum annotate_fold fold);
/* Files with something measured, into order[0 .. *count): the dearest by the self cost of metric k first, else by path. */
int annotate_order(const struct annotate *a, uint32_t k, uint32_t *order, uint32_t *count, assay_error *err);

/* Where a function is: its file and lines, as far as names and figures tell. last 0 = not known. false = it has no file. */
bool annotate_function(const struct annotate *a, uint32_t func, uint32_t *file, uint32_t *first, uint32_t *last);

/* ---- between the files of this module ---- */
int annotate_cost_init(struct annotate *a, assay_error *err);
void annotate_cost_done(struct annotate *a);
bool annotate_cost_numbers(struct annotate *a, uint32_t file);
int annotate_cost_fill(struct annotate *a, uint32_t file, assay_error *err);
/* The profile that has the graph. */
const struct assay_graph *annotate_graph(const struct annotate *a);
struct annotate_row *annotate_row_at(struct annotate *a, uint32_t line);

#endif
