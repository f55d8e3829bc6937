/* The functions table: what each function of a profile costs. Every report and every writer takes these figures from here, so each has one definition. */
#ifndef ASSAY_TOP_H
#define ASSAY_TOP_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Figures of each function over all streams, in no particular order. A profile with a graph gives a row for each function that has a
 * cost or a call; else one with a tree for each that has a node; else one with coverage for each that it covers, with calls but no metric.
 *
 * Graph: `total` is what the file states; else, where its call tree is known (knows_nesting), the cost of the invocations that are not inside another
 * one of the function, and `calls` is the number of invocations; else, for each stream, the sum of the calls to the function, direct recursion left out, or
 * self plus its own calls, direct recursion left out, where it is never called (not even by itself).
 * Tree: `self` is the cost of the nodes that belong to the function (see struct assay_tree), or what is stored as FUNCTION scope at its
 * function nodes; `total` the inclusive cost of its outermost instances, so that recursion counts once: what is stored as EXECUTION scope,
 * else what it spent and was charged for calls (scope "call"), else the sum of everything below. A stored summary ("$$", summed) stands
 * for the sum over the streams. ENTRY nodes give no row. A node with ASSAY_NODE_NO_PLACE counts for its own function, if it has one.
 * Coverage: calls are added over the tests.
 *
 * Integers stay at the nearest value when they overflow. Sums of doubles carry their error along (twice the digits), so that the order
 * of nodes and streams does not show. */
typedef struct assay_top {
    uint32_t count;
    uint32_t metric_count;
    const assay_metric_id *metrics;
    const assay_func_id *func;
    const uint64_t *calls;
    const assay_value *self; /* [row * metric_count + k] */
    const assay_value *total;
    /* Of a profile with short rows (sum_begin of the graph): the values of a row stand from begin[row] up to begin[row + 1], the metrics behind them are 0. NULL =
     * rows are full. */
    const uint64_t *begin;
} assay_top;

/* *out is owned by the caller; free with assay_top_free before the profile is released. Errors: MEMORY, UNSUPPORTED (nothing was measured). */
ASSAY_API int assay_top_new(const assay_profile *p, assay_top **out, assay_error *err);
ASSAY_API void assay_top_free(assay_top *top);

enum assay_sort { ASSAY_SORT_SELF = 0, ASSAY_SORT_TOTAL = 1, ASSAY_SORT_CALLS = 2, ASSAY_SORT_NAME = 3 };

/* Fills order[0 .. top->count) with row numbers: by `sort` of metric number k, largest first; ties by the metrics after it and then those
 * before it, then name, file, module, line, column. */
ASSAY_API void assay_top_order(const assay_profile *p, const assay_top *top, enum assay_sort sort, uint32_t k, uint32_t *order);

/* ---- any table of costs ---- */

/* A column of figures: a metric, or a formula over metrics such as "CPI = Cycles / Ir". Wherever options have `metric`, it names one or several, separated
 * by commas, by name, part of a name, or formula; NULL = all metrics there are, with the default one (time, else cycles or instructions, else the largest) as
 * the one that rows are chosen and sorted by. */
typedef struct assay_column {
    assay_slice name;
    const char *unit;       /* "" = none */
    assay_metric_id metric; /* 0 = a formula */
    enum assay_type type;   /* of its figures */
    double whole;           /* its total in the profile, of which shares are taken */
    bool is_sum;            /* figures add up to the whole; false of a formula such as a quotient, whose figures may be NAN */
} assay_column;

#ifdef __cplusplus
}
#endif
#endif
