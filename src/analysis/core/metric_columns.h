/* What --metric asks for: one metric or several, and formulas over them (analysis/core/formula.h), as a person names them: "Ir, Dw, CPI = Cycles / Ir".
 *
 * A formula that adds metrics up (Ir + 10*L1m) becomes a metric of the profile (metric_sums_add), so that it can be shown and written wherever metrics can.
 * Any other (Cycles / Ir) is computed for each row of a table, from the sums of that row. */
#ifndef ANALYSIS_CORE_METRIC_COLUMNS_H
#define ANALYSIS_CORE_METRIC_COLUMNS_H

#include "analysis/core/formula.h"
#include "analysis/core/metric_choice.h"
#include "base/mem.h"

enum { METRIC_COLUMNS_MOST = 16, METRIC_COLUMN_FORMULA = -1 };

struct metric_column {
    assay_slice name; /* borrowed from the profile or the specification */
    const char *unit; /* "" = none */
    enum assay_type type;
    double whole;            /* of the profile */
    bool is_sum;             /* figures add up to the whole, so that shares and averages make sense */
    int64_t k;               /* the place of the metric in the set; METRIC_COLUMN_FORMULA */
    struct formula *formula; /* else NULL */
};

struct metric_columns {
    struct mem *mem;
    const assay_profile *profile;
    const assay_metric_id *metrics; /* what rows have values of; borrowed */
    uint32_t metric_count;
    const char *also; /* of the set */
    uint32_t count;
    struct metric_column at[METRIC_COLUMNS_MOST];
};

/* Parts separated by commas: names (analysis/core/metric_choice.h), formulas, NAME = FORMULA; NULL = the default. `set` needs `at`. Borrows all it is given.
 * Errors: MEMORY, USAGE, UNSUPPORTED. metric_columns_done is due in either case. */
int metric_columns_init(struct metric_columns *c, struct mem *mem, const struct metric_set *set, const char *spec, assay_error *err);
/* One metric, by its place. */
void metric_columns_one(struct metric_columns *c, const struct metric_set *set, uint32_t k);
void metric_columns_done(struct metric_columns *c);

/* The place of the metric that rows are chosen and sorted by: the first column that is one; else the default. */
uint32_t metric_columns_key(const struct metric_columns *c);
/* What is known of a row, by metric: the figures at hand, and those of its self cost and its total, for formulas that ask for them. NULL = not known. */
struct metric_row {
    const assay_value *here, *self, *total;
};
/* NAN where a formula divides by 0, or needs what is not known. */
assay_value metric_columns_value_of(const struct metric_columns *c, uint32_t column, const struct metric_row *row);
/* The same of a row with values[k] of metric k. */
assay_value metric_columns_value(const struct metric_columns *c, uint32_t column, const assay_value *values);
/* USAGE where a formula asks for self and total of a row, which `what` does not have. */
int metric_columns_refuse_rows(const struct metric_columns *c, const char *what, assay_error *err);
/* For each of so many calls; NAN where there is none, or where the column is no sum. */
double metric_columns_average(const struct metric_columns *c, uint32_t column, const assay_value *values, uint64_t calls);
/* Leaves in `metrics`, which are those of the set, what the columns use, and the key; places change. Returns how many are left. */
uint32_t metric_columns_compact(struct metric_columns *c, assay_metric_id *metrics);

/* Gives *p the formulas of `spec` that add metrics up: they become metrics, and *p another profile. Names of metrics and other formulas are left alone.
 * `max_memory`: bytes, 0 = no limit. Errors: MEMORY, USAGE, UNSUPPORTED; *p is then what it was. */
int metric_sums_add(assay_profile **p, const char *spec, uint64_t max_memory, assay_error *err);
/* The one metric that `spec` means, once its sums were added. Errors: those of metric_choose; USAGE where it means several, or a formula that does not add up. */
int metric_choose_one(const struct metric_set *set, const char *spec, assay_metric_id *out, assay_error *err);
/* The key of the columns that `spec` means. Errors: those of metric_columns_init. */
int metric_choose_key(const struct metric_set *set, const char *spec, assay_metric_id *out, assay_error *err);

#endif
