/* A flame chart: for each line of a timeline a band of rows, one for each depth of its stacks, with a box wherever a frame was on the stack.
 *
 * Boxes that are narrower than a column are merged with their neighbours at the same depth, so the size of a chart depends on columns and rows, not on events:
 * a row has at most three boxes for each column. No time is lost: what the boxes at a depth took adds up to all of the time in which stacks were that deep. */
#ifndef ANALYSIS_TIMELINE_CHART_H
#define ANALYSIS_TIMELINE_CHART_H

#include "analysis/timeline/timeline.h"

struct timeline_box {
    uint32_t column, end; /* where it is drawn; equal = its neighbours leave no column for it */
    uint32_t frame;       /* function node; of merged ones the one that took longest */
    uint64_t calls;       /* calls where the profile knows them, else times that the stack got that deep */
    uint64_t time;        /* less than to - from where merged ones have gaps */
    int64_t from, to;
    bool is_merged;
};
struct timeline_row {
    size_t first; /* its boxes are those before the first one of the next row */
};
/* A line, and where it is drawn. */
struct timeline_band {
    size_t line;
    uint32_t row, rows; /* depth 1 comes first */
    uint32_t left_out;  /* levels of its stacks that are deeper than what is drawn */
};
struct timeline_chart {
    struct mem *mem;
    uint32_t columns;
    VEC(struct timeline_band) bands;
    VEC(struct timeline_row) rows; /* one more than there are */
    VEC(struct timeline_box) boxes;
};

/* The window in `columns` columns: of the first `most_lines` lines, and of each at most `most_depth` levels. Errors: MEMORY. timeline_chart_done is due
 * in either case. */
int timeline_chart_draw(const struct timeline *t, uint32_t columns, size_t most_lines, uint32_t most_depth, struct timeline_chart *out, assay_error *err);
void timeline_chart_done(struct timeline_chart *c);
/* How much of a box was busy, in quarters, rounded up. */
unsigned timeline_box_quarters(const struct timeline_box *box);

/* ---- functions, at any depth ---- */

struct timeline_total {
    uint32_t key;
    uint32_t lines;         /* on whose stacks it was */
    assay_wide self, total; /* as the innermost frame; anywhere on the stack, counted once */
};
struct timeline_totals {
    struct mem *mem;
    VEC(struct timeline_total) rows; /* most self time first, then most total time, then by name */
    assay_wide recorded, idle;       /* over all lines; idle is part of recorded */
};

/* Exact, of the window that was measured. Errors: MEMORY. timeline_totals_done is due in either case. */
int timeline_totals_new(const struct timeline *t, struct timeline_totals *out, assay_error *err);
void timeline_totals_done(struct timeline_totals *s);
/* Fills order[0 .. rows.len) with row numbers: in the order of the rows, those on most streams first, or by name. Errors: MEMORY. */
int timeline_totals_order(const struct timeline *t, const struct timeline_totals *s, enum timeline_sort sort, uint32_t *order, assay_error *err);

#endif
