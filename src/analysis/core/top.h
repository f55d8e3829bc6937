/* Internal to the functions table: its storage, and the two shapes it is made from. */
#ifndef ANALYSIS_CORE_TOP_H
#define ANALYSIS_CORE_TOP_H

#include "analysis/core/top_groups.h"
#include "analysis/core/top_lines.h"
#include "analysis/core/value.h"
#include "assay/analysis.h"
#include "base/mem.h"

struct top {
    assay_top pub; /* first, so that an assay_top * is a struct top * */
    struct mem mem;
    const assay_profile *profile;
    uint32_t room; /* rows and metrics that the columns have room for */
    uint32_t width;
    assay_metric_id *metrics;
    uint8_t *types;
    assay_func_id *func;
    uint64_t *calls;
    assay_value *self, *total;
    size_t cells;     /* of either */
    uint64_t *begin;  /* room + 1 of them, where rows are short; else NULL */
    uint32_t *row_of; /* by function id, row + 1 */
    size_t row_of_len;
    const struct top_groups *groups; /* NULL = each function has a row of its own */
    const struct top_lines *lines;   /* rows are lines; else NULL */
};

/* A figure of a table whose rows may be short; `column` is self or total. */
static inline assay_value top_cell(const assay_top *t, const assay_value *column, uint32_t row, uint32_t k)
{
    if (!t->begin) return column[(size_t)row * t->metric_count + k];
    return k < t->begin[row + 1] - t->begin[row] ? column[t->begin[row] + k] : (assay_value){ 0 };
}
/* How many metrics a row has figures of. */
static inline uint32_t top_len(const assay_top *t, uint32_t row) { return t->begin ? (uint32_t)(t->begin[row + 1] - t->begin[row]) : t->metric_count; }

/* As assay_top_order, of which only the first so many places are needed: the others are in any order. */
void top_order_first(const assay_profile *p, const assay_top *top, enum assay_sort sort, uint32_t k, size_t first, uint32_t *order);

/* The function whose row a function has. */
static inline uint32_t top_head(const struct top *t, uint32_t func) { return t->groups ? t->groups->of[func] : func; }
/* The row of a function, made when it is not there yet. */
uint32_t top_row(struct top *t, assay_func_id func);
/* Adds to a number of calls; it stays at the largest value when it overflows. */
void top_add_calls(struct top *t, uint32_t row, uint64_t calls);

/* Adds the total of row i of the graph's sums, which is one function in one stream; its values of the metric are at place `at` of the columns. */
void top_graph_total(const struct assay_graph *g, uint32_t i, size_t at, struct sums *total, uint32_t row);
/* Sets the figures of metric number k, by row. */
void top_put(struct top *t, uint32_t k, const struct sums *self, const struct sums *total);

/* A table of `room` rows without figures, pub.count 0. With `begin`, of room + 1 places, rows are short. Errors: MEMORY. */
int top_make(const assay_profile *p, const assay_metric_id *metrics, uint32_t width, uint32_t room, const uint64_t *begin, struct top **out, assay_error *err);
/* The same figures with room for `more` rows, which have no function and no cost yet. Errors: MEMORY. */
int top_copy(const struct top *from, uint32_t more, struct top **out, assay_error *err);

int top_from_tree(struct top *t, assay_error *err);

/* The end of a table that a function makes for itself; NULL is allowed. For SCOPED. */
static inline void top_drop(assay_top **top) { assay_top_free(*top); }

#endif
