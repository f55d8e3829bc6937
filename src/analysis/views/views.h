/* Views of a profile as rows in a tree: top-down, bottom-up, flat, and the hot path. docs/tree.md says what each shows.
 *
 * Rows are made lazily: only what is shown, and its siblings, is looked at, so a view costs memory in proportion to nodes and rows, however large it
 * would be in full. Nothing recurses by depth. */
#ifndef ANALYSIS_VIEWS_VIEWS_H
#define ANALYSIS_VIEWS_VIEWS_H

#include "analysis/core/grid.h"
#include "analysis/core/metric_columns.h"
#include "analysis/core/value.h"
#include "assay/analysis.h"
#include "base/vec.h"

enum view_kind { VIEW_TOP_DOWN, VIEW_BOTTOM_UP, VIEW_FLAT, VIEW_HOT_PATH };
enum view_detail {
    VIEW_CALL_SITES, /* a line that makes calls is part of the call: line and callee are one row */
    VIEW_CONTEXTS,   /* nodes as the file has them, equal siblings included; the hot path unless it is of functions */
    VIEW_FUNCTIONS   /* no lines, no loops, no call sites */
};

/* Node kinds (enum assay_node_kind), and what only views have. */
enum view_row_kind { VIEW_MODULE = 7, VIEW_FILE = 8, VIEW_CALL = 9 };

struct view_options {
    enum view_kind kind;
    enum view_detail detail;
    assay_metric_id metric; /* that rows are chosen and sorted by; 0 = the key of the columns */
    const char *columns;    /* where `metric` is 0: analysis/core/metric_columns.h */
    bool all_metrics;       /* figures of the others too */
    /* By self, total or calls, largest first, or by name: siblings only. What `least` and `limit` leave is chosen by total, in bottom-up and flat views by self
     * unless the order is by total. */
    enum assay_sort sort;
    double least;         /* share of the whole that a row must have, 0 = any */
    uint64_t limit;       /* rows, the largest; 0 = all. Of a hot path the two ends */
    uint32_t depth;       /* the deepest rows, 0 = any */
    const char *function; /* begin with the functions of this name; NULL = with all */
    bool is_estimated;    /* the contexts are a guess: reports say so */
};

struct view_row {
    uint32_t parent;      /* row; 0 = the whole */
    uint32_t depth;       /* from 1 */
    uint32_t first, next; /* shown child, shown sibling, in order; 0 = none. Of a view that is opened row by row: see view_open */
    uint8_t kind;
    bool is_shown, has_self; /* without has_self nobody knows how much it is */
    uint32_t func;           /* of functions, calls, entries */
    uint32_t file, line;     /* of a function where it is defined, of others where they stand */
    uint32_t module;
    uint64_t offset; /* of instructions */
    /* Where the call is made: in a top-down or flat view the one that leads to this row, in a bottom-up view the one in this function that leads to the row above. */
    uint32_t site_file, site_line;
    uint64_t calls;
    uint64_t skipped;        /* rows of a hot path that are left out before this one */
    size_t begin, end;       /* its members */
    uint64_t tie;            /* decides between equals: the smallest number of a node in the file */
    assay_value self, total; /* of the metric asked for */
};

struct view_source;
struct stream_groups;
struct stream_rows;
struct stream_stats;

struct view {
    struct mem *mem;
    const assay_profile *profile;
    struct view_options options;
    enum assay_type type;               /* of the metric asked for */
    double whole;                       /* its total */
    VEC(struct view_row) rows;          /* from 1; 0 stands for the whole */
    VEC(uint32_t) order;                /* of the rows shown, from the top of the page */
    uint64_t below_least, beyond_limit; /* rows that were not shown nor opened */
    struct view_row fork;               /* where a hot path ends: the largest row under its last one */
    size_t fork_ways;                   /* how many there are; 0 = there is nothing under it */

    /* Of each row shown, by its place: just what the columns use unless all were asked for. */
    uint32_t metric_count;
    assay_metric_id *metrics;
    struct metric_columns columns;    /* that are shown, of these */
    struct grid values;               /* view_self, view_total */
    const struct stream_stats *stats; /* over streams, by place; NULL = not asked for. Set by the caller */
    bool stats_of_total;              /* of them, those of totals are to be shown; else those of self cost */
    struct view_source *source;
};

/* The figures of a row shown, by metric, until the next call. */
static inline const assay_value *view_self(const struct view *v, size_t place) { return grid_row(&v->values, place, 0); }
static inline const assay_value *view_total(const struct view *v, size_t place) { return grid_row(&v->values, place, 1); }

/* Whether a profile has what a view shows. Errors: UNSUPPORTED; the sentence says why, and what else there is. */
int view_check(const assay_profile *p, enum view_kind kind, assay_error *err);

/* Errors: MEMORY, those of view_check and metric_columns_init, USAGE (no such function), those of stored values. view_done is due in either case. `v` borrows the profile. */
int view_init(struct view *v, struct mem *mem, const assay_profile *p, const struct view_options *options, assay_error *err);
void view_done(struct view *v);

/* ---- over streams ---- */

/* The rows shown, by their places, for analysis/streams/figures.h. Errors: MEMORY, UNSUPPORTED (they are not made of the nodes of a tree). */
int view_stream_rows(const struct view *v, struct stream_rows *rows, assay_error *err);
/* Statistics of the rows shown, for the metric that they are chosen by; those that the file stores are taken from it. Errors: those of the parts.
 * stream_stats_done is due in either case. */
int view_stats(const struct view *v, const struct stream_groups *groups, struct stream_stats *stats, assay_error *err);

/* ---- row by row ---- */

/* A view in which nothing is chosen: rows are opened one by one, in any order, and stay. Whatever the order, a row has the same rows below it, in the same
 * places. `limit` and `depth` do nothing, nor is it a hot path. Errors and view_done as above. */
int view_begin(struct view *v, struct mem *mem, const assay_profile *p, const struct view_options *options, assay_error *err);
/* Opens a row; 0 = the whole. Those below it are then the rows from `first` up to `next` of it, in the order in which they are found. Errors: MEMORY, those of
 * stored values. */
int view_open(struct view *v, uint32_t row, assay_error *err);
/* Puts rows that have one parent into the order of the options. */
void view_order(struct view *v, uint32_t *rows, size_t count);
/* The figures of some rows: self[i * metric_count + k], and total. Errors: those of stored values. */
int view_row_figures(struct view *v, const uint32_t *rows, size_t count, assay_value *self, assay_value *total, assay_error *err);
/* The row below this one that a hot path goes on with: the largest, where it has `share` of its parent; 0 = there is none. Opens the row. */
int view_hottest(struct view *v, uint32_t row, double share, uint32_t *out, assay_error *err);

#endif
