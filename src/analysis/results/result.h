/* What the public results of the analysis share: a profile that they are about, columns that they own, and the figures that were asked for.
 *
 *     result_init(&r->base, profile, metric, &err);
 *     result_estimate(&r->base, &err);               // where contexts may be guessed
 *     result_columns_init(&shown, &r->base, &set, &err);
 *     result_done(&r->base); */
#ifndef ANALYSIS_RESULTS_RESULT_H
#define ANALYSIS_RESULTS_RESULT_H

#include "analysis/core/metric_columns.h"
#include "assay/top.h"
#include "base/arena.h"

struct result {
    struct mem mem;
    struct arena arena;           /* all that the caller sees */
    const assay_profile *profile; /* that was given, or `made` */
    assay_profile *made;          /* owned; NULL = the caller's will do */
    bool is_estimated;
    const char *metric; /* a copy; NULL = none was named */
};

/* `p` is borrowed. Formulas of `metric` that only add metrics up become metrics. Errors: MEMORY, USAGE. result_done is due in either case. */
int result_init(struct result *r, const assay_profile *p, const char *metric, assay_error *err);
void result_done(struct result *r);
/* Gives a profile that has a call graph and no contexts estimated ones. Errors: MEMORY, those of metric_choose_key. */
int result_estimate(struct result *r, assay_error *err);

/* An array of zeros that lasts as long as the result; NULL = no memory, which *failed then says. */
void *result_array(struct result *r, size_t count, size_t size, bool *failed);
/* The text of a string of the profile by its number in a table; `ids` may be NULL. */
assay_slice result_string(const struct result *r, const assay_str_id *ids, uint32_t i);
/* The name of a function; "<unknown>" for 0. */
assay_slice result_function(const struct result *r, uint32_t func);
assay_func_id result_func_id(const struct result *r, uint32_t func); /* 0 for a number that is not the profile's */

/* The columns that a result shows: those that were named, or each metric. */
struct result_columns {
    const struct metric_columns *set;
    bool is_all;
    uint32_t count;
    assay_column *at;
    uint32_t key;
};
/* `set` is what the result's metric means, and must last. Errors: MEMORY. */
int result_columns_init(struct result_columns *c, struct result *r, const struct metric_columns *set, assay_error *err);
/* The figures of row `row`, of values by metric, into to[row * count]; values NULL = zeros. */
void result_put(const struct result_columns *c, assay_value *to, size_t row, const assay_value *values);
/* The same where self and total of the row are known. */
void result_put_row(const struct result_columns *c, assay_value *to, size_t row, const struct metric_row *values);

#endif
