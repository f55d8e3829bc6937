/* Exact sums of doubles: the result does not depend on order or grouping. A fixed-point accumulator over the whole exponent range. */
#ifndef BASE_EXACT_H
#define BASE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

enum { EXACT_LIMBS = 68 };

/* Zero it to begin. 32 bits of value for each limb, carries kept in the upper half until they are settled. */
struct exact {
    int64_t limb[EXACT_LIMBS];
    uint32_t pending; /* additions since the carries were settled */
    bool has_nan, has_plus_inf, has_minus_inf;
};

void exact_add(struct exact *x, double v);
/* x += y */
void exact_merge(struct exact *x, const struct exact *y);
/* The sum, correctly rounded to nearest even. */
double exact_value(const struct exact *x);

#endif
