/* Whole numbers of 128 bits without a sign: exact products of 64-bit numbers, and what is left of them after a division. The only place that knows whether the compiler has
 * such a type (those for 32-bit machines have not); the figures are the same. Signed sums are assay_wide, see number.h. */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct u128 {
    uint64_t high, low;
} u128;

/* The forms for compilers without the type; below, for the test. */
static inline u128 u128_portable_product(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, left = a1 * b0, right = a0 * b1;
    uint64_t middle = (low >> 32) + (uint32_t)left + (uint32_t)right; /* below 3 * 2^32 */
    return (u128){ .high = a1 * b1 + (left >> 32) + (right >> 32) + (middle >> 32), .low = middle << 32 | (uint32_t)low };
}
u128 u128_portable_quotient(u128 a, uint64_t by, uint64_t *rest);

static inline u128 u128_of(uint64_t v) { return (u128){ .low = v }; }
static inline bool u128_fits(u128 v) { return v.high == 0; } /* into 64 bits: v.low */

static inline int u128_compare(u128 a, u128 b)
{
    if (a.high != b.high) return a.high < b.high ? -1 : 1;
    return (a.low > b.low) - (a.low < b.low);
}

/* Modulo 2^128. */
static inline u128 u128_plus(u128 a, u128 b)
{
    uint64_t low = a.low + b.low;
    return (u128){ .high = a.high + b.high + (low < a.low), .low = low };
}

static inline u128 u128_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (u128){ .high = (uint64_t)(product >> 64), .low = (uint64_t)product };
#else
    return u128_portable_product(a, b);
#endif
}

/* Modulo 2^128. */
static inline u128 u128_times(u128 a, uint64_t b)
{
    u128 product = u128_product(a.low, b);
    product.high += a.high * b;
    return product;
}

/* a / by, which is not 0; *rest, unless it is NULL, is what is left. */
static inline u128 u128_quotient(u128 a, uint64_t by, uint64_t *rest)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 v = (unsigned __int128)a.high << 64 | a.low, quotient = v / by;
    if (rest) *rest = (uint64_t)(v - quotient * by);
    return (u128){ .high = (uint64_t)(quotient >> 64), .low = (uint64_t)quotient };
#else
    return u128_portable_quotient(a, by, rest);
#endif
}

/* The nearest double; halves go to the even one. */
double u128_double(u128 v);

#endif
