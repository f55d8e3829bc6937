/* The columns of a table of functions, as --metric asks for them. */
#ifndef ANALYSIS_CORE_TOP_COLUMNS_H
#define ANALYSIS_CORE_TOP_COLUMNS_H

#include "analysis/core/metric_columns.h"
#include "assay/analysis.h"

struct top_columns {
    struct metric_columns set;
    const assay_top *top;
    size_t rows;                                   /* that were computed */
    assay_value *computed[METRIC_COLUMNS_MOST][2]; /* of formulas: self and total by row */
    assay_value *whole_row[2];                     /* room for one of self and one of total, where those of the table are short */
};

/* `spec` and errors as in metric_columns_init. top_columns_done is due in either case. */
int top_columns_init(struct top_columns *c, struct mem *mem, const assay_profile *p, const assay_top *top, const char *spec, assay_error *err);
/* Computes the formulas of each row of `top`, which has the metrics of the table before. Errors: MEMORY. */
int top_columns_compute(struct top_columns *c, const assay_top *top, assay_error *err);
void top_columns_done(struct top_columns *c);

enum top_kind { TOP_SELF, TOP_TOTAL };
/* The figures of all metrics of the table, until the next call. */
const assay_value *top_columns_row(const struct top_columns *c, uint32_t row, enum top_kind kind);
/* The same of self and total, for formulas. */
struct metric_row top_columns_both(const struct top_columns *c, uint32_t row, enum top_kind kind);
assay_value top_columns_value(const struct top_columns *c, uint32_t column, uint32_t row, enum top_kind kind);

/* As top_order_first, by the first column. Errors: MEMORY. */
int top_columns_order(const struct top_columns *c, enum assay_sort sort, size_t first, uint32_t *order, assay_error *err);
/* Leaves in order[0 .. count) the rows whose total (sorted by it) or self (otherwise) of the first column has `share` of the whole; of a formula that does not add up, the
 * metric that stands for it (metric_columns_key). Returns how many. */
uint32_t top_columns_keep(const struct top_columns *c, enum assay_sort sort, double share, uint32_t *order);
/* Leaves of `count` rows those whose figure of the first column is in a range; NAN is in none. Returns how many. */
uint32_t top_columns_within(const struct top_columns *c, enum assay_sort sort, double least, double most, uint32_t *order, uint32_t count);

#endif
