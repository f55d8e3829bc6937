/* Callers and callees of functions: who calls them from where, what they call, and what that costs. docs/callers.md says what each figure means.
 *
 * Of a graph and at depth 1 the rows are arcs (analysis/core/arcs.h). With more levels the rows are contexts: a caller of a caller has what the function cost
 * when it was reached that way, so the rows of a level add up to the row that they belong to. */
#ifndef ANALYSIS_CALLERS_CALLERS_H
#define ANALYSIS_CALLERS_CALLERS_H

#include "analysis/core/arcs.h"
#include "analysis/core/cycles.h"
#include "analysis/core/metric_columns.h"
#include "base/vec.h"

struct callers_options {
    uint32_t k;                           /* the metric, by its number in assay_top, that rows are chosen and sorted by */
    bool all_metrics;                     /* else only the figures of metric k are filled */
    const struct metric_columns *columns; /* what reports show; may be NULL */
    enum assay_sort sort;                 /* TOTAL, CALLS or NAME: of the rows of one level */
    bool by_site;                         /* a row for each call site, not for each function */
    uint32_t depth;                       /* levels, from 1; more than one needs a tree */
    uint64_t limit;                       /* rows on each side; 0 = all */
    double least;                         /* share of the whole that a row must have; 0 = any */
    bool is_collapsed;                    /* cycles are items of their own (graphs) */
    const struct arcs *arcs;              /* of `p` and `top`, with all metrics; NULL = made here */
};

struct callers {
    struct mem *mem;
    const assay_profile *profile;
    const assay_top *top;
    struct callers_options options;
    struct arcs arcs;
    struct cycles cycles;  /* none where recursion counts once */
    struct levels *levels; /* for more than one level */
    assay_value *whole[2]; /* where rows of `top` are short, room for a whole one: self, total */
};

/* `p` and `top` must outlive it. Errors: MEMORY, UNSUPPORTED (several levels without a tree), those of stored values. callers_done is due in either
 * case. */
int callers_init(struct callers *c, struct mem *mem, const assay_profile *p, const assay_top *top, const struct callers_options *options, assay_error *err);
void callers_done(struct callers *c);

/* What a block is about: a function, by its row of `top`, or a cycle (from 1). */
struct callers_subject {
    uint32_t row, cycle;
};
struct callers_found {
    struct callers_subject *at;
    size_t len, cap;
};
/* The functions (and cycles, when collapsed) of this name; else those that the regular expression `text` matches. Cycles by number, then functions, the largest total first. Errors: MEMORY, USAGE
 * (it is no regular expression). */
int callers_find(const struct callers *c, const char *text, struct callers_found *found, assay_error *err);
/* The name that is nearest to `text`; {NULL, 0} = none is near. */
assay_slice callers_nearest(const struct callers *c, const char *text);

struct callers_row {
    uint32_t func;       /* as in struct arcs */
    uint32_t parent;     /* row + 1 of the same side; 0 = of the function itself */
    uint32_t depth;      /* 1 = direct */
    uint32_t file, line; /* the call site; of several the one that cost most */
    uint32_t sites;
    uint64_t calls;
    uint64_t contexts; /* trees */
    bool is_recursion; /* caller and callee are one function */
    bool is_inside;    /* both are in one cycle */
};
struct callers_side {
    uint32_t count; /* rows to show, in their order: what belongs to a row follows it */
    struct callers_row *rows;
    assay_value *total, *recursive; /* [row * width + k] */
    uint32_t left_out;              /* further rows of level 1 */
    assay_value *rest;              /* their total, by metric */
    size_t len;                     /* rows that there is room for */
};
struct callers_block {
    struct callers_subject subject;
    struct callers_side callers, callees;
};
/* Both sides of a subject. callers_block_done is due in either case. Errors: MEMORY. */
int callers_block_init(struct callers_block *b, const struct callers *c, struct callers_subject subject, assay_error *err);
void callers_block_done(struct callers_block *b, const struct callers *c);

/* Figures of a subject, by metric, until the next call: of a function as in `top`; of a cycle, and of its members when collapsed, as in analysis/core/cycles.h. */
const assay_value *callers_self(const struct callers *c, struct callers_subject s);
const assay_value *callers_total(const struct callers *c, struct callers_subject s);
uint64_t callers_calls(const struct callers *c, struct callers_subject s);

#endif
