/* See wide.h. */
#include "base/wide.h"

#include <math.h>

u128 u128_portable_quotient(u128 a, uint64_t by, uint64_t *rest)
{
    u128 quotient = { .high = a.high / by };
    uint64_t left = a.high % by;
    for (unsigned bit = 64; bit--;) {
        bool carry = left >> 63;
        left = left << 1 | (a.low >> bit & 1);
        if (!carry && left < by) continue;
        left -= by; /* modulo 2^64: what was carried goes with it */
        quotient.low |= (uint64_t)1 << bit;
    }
    if (rest) *rest = left;
    return quotient;
}

double u128_double(u128 v)
{
    if (!v.high) return (double)v.low;
    int lead = __builtin_clzll(v.high);
    uint64_t top = lead ? v.high << lead | v.low >> (64 - lead) : v.high;
    bool is_more = lead ? v.low << lead : v.low; /* below the 64 bits on top: enough to leave the middle between two doubles */
    return ldexp((double)(top | is_more), 64 - lead);
}
