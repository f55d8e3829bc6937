/* Internal to weighted sums: the values of a tree, computed from those of the profile below. */
#ifndef MODEL_WEIGHTED_VALUES_H
#define MODEL_WEIGHTED_VALUES_H

#include "assay/build.h"

struct weighted_part {
    uint32_t column;      /* of the base: a scope, or a statistic */
    enum assay_type type; /* of its values */
    double weight;
};
struct weighted_column {
    struct weighted_part *at;
    size_t count;
};
struct weighted_values {
    const assay_profile *base;
    struct weighted_column *columns, *stats; /* those after the columns of the base */
    size_t column_count, stat_count;
};

/* `self` is a struct weighted_values, which stays the caller's. */
extern const struct assay_backing weighted_backing;

#endif
