/* Sums of one metric by row: integers stay at the nearest value when they overflow, doubles are summed exactly and rounded once, so that neither
 * the order nor the grouping of the inputs shows. */
#ifndef ANALYSIS_MERGE_VALUES_H
#define ANALYSIS_MERGE_VALUES_H

#include "assay/model.h"
#include "base/exact.h"
#include "base/vec.h"

enum { MERGE_PARTS = 3 };

/* An exact sum as parts that do not overlap; what needs more of them, or is not finite, is in `big`. */
struct merge_double {
    double part[MERGE_PARTS]; /* by size, the smallest first */
    struct exact *big;
    uint8_t count;
};

struct merge_column {
    enum assay_type type;
    VEC(assay_value) whole;
    VEC(struct merge_double) real;
};

void merge_column_free(struct mem *mem, struct merge_column *c);
/* false = no memory. *saturated is set when an integer does not fit. */
bool merge_column_add(struct mem *mem, struct merge_column *c, size_t row, assay_value v, bool *saturated);
/* Adds what another sum, or row `i` of another column of this type, has, exactly; likewise. */
bool merge_double_join(struct mem *mem, struct merge_double *to, const struct merge_double *from);
bool merge_column_join(struct mem *mem, struct merge_column *to, size_t row, const struct merge_column *from, size_t i, bool *saturated);
/* 0 for a row that has none. */
assay_value merge_column_value(const struct merge_column *c, size_t row);

#endif
