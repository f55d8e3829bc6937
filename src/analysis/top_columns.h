/* The columns of a table of functions: metrics, and formulas over them (analysis/formula.h), as a person names them: "Ir, Dw, CPI = Cycles / Ir". */
#ifndef ANALYSIS_TOP_COLUMNS_H
#define ANALYSIS_TOP_COLUMNS_H

#include "analysis/formula.h"
#include "assay/analysis.h"
#include "base/mem.h"

enum { TOP_COLUMNS_MOST = 16, TOP_COLUMN_FORMULA = -1 };

struct top_column {
    assay_slice name; /* borrowed from the profile or the specification */
    const char *unit; /* "" = none */
    enum assay_type type;
    double whole;             /* of all functions */
    bool is_sum;              /* figures add up to the whole, so that shares and averages make sense */
    int64_t k;                /* the number of the metric; TOP_COLUMN_FORMULA */
    struct formula *formula;  /* else NULL */
    assay_value *computed[2]; /* of a formula: self and total by row */
};

struct top_columns {
    struct mem *mem;
    const assay_profile *profile;
    const assay_top *top;
    uint32_t count;
    struct top_column at[TOP_COLUMNS_MOST];
    size_t rows; /* that were computed */
};

/* Parts separated by commas: names (analysis/metric_choice.h), formulas, NAME = FORMULA; NULL = the default. Borrows all it is given. Errors: MEMORY, USAGE,
 * UNSUPPORTED. top_columns_done is due in either case. */
int top_columns_init(struct top_columns *c, struct mem *mem, const assay_profile *p, const assay_top *top, const char *spec, assay_error *err);
/* One metric, by its number in the table. */
void top_columns_metric(struct top_columns *c, const assay_profile *p, const assay_top *top, uint32_t k);
/* Computes the formulas of each row of `top`, which has the metrics of the table before. Errors: MEMORY. */
int top_columns_compute(struct top_columns *c, const assay_top *top, assay_error *err);
void top_columns_done(struct top_columns *c);

enum top_kind { TOP_SELF, TOP_TOTAL };
assay_value top_columns_value(const struct top_columns *c, uint32_t column, uint32_t row, enum top_kind kind);
/* NAN where there was no call, or where it is no sum. */
double top_columns_per_call(const struct top_columns *c, uint32_t column, uint32_t row, enum top_kind kind);

/* As assay_top_order, by the first column. Errors: MEMORY. */
int top_columns_order(const struct top_columns *c, enum assay_sort sort, uint32_t *order, assay_error *err);
/* Leaves in order[0 .. count) the rows whose total (sorted by it) or self (otherwise) of the first column has `share` of the whole; returns how many. */
uint32_t top_columns_keep(const struct top_columns *c, enum assay_sort sort, double share, uint32_t *order);

#endif
