/* Exact sums of doubles; see base/exact.h.
 *
 * The accumulator is one long fixed-point number: bit b of limb i weighs 2^(32 i + b - 1074), so that bit 0 is the smallest subnormal and
 * the largest double ends in limb 65. An addition touches three limbs and leaves each at most 2^32 further from zero, so that
 *     |limb| <= (pending + 1) * 2^32
 * always holds; carries are settled often enough for two accumulators to be added without reaching 2^63. */
#include "base/exact.h"

#include <math.h>
#include <string.h>

enum { PENDING_MOST = 1 << 29, MANTISSA_BITS = 52, EXPONENT_ALL = 0x7ff };

#define LIMB_MASK 0xffffffff
#define MANTISSA_TOP ((uint64_t)1 << MANTISSA_BITS)

static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Brings all limbs but the last into 0 .. 2^32-1; the last one carries the sign. */
static void settle(struct exact *x)
{
    int64_t carry = 0;
    for (unsigned i = 0; i < EXACT_LIMBS - 1; i++) {
        int64_t v = x->limb[i] + carry;
        x->limb[i] = v & LIMB_MASK;
        carry = (v - x->limb[i]) / ((int64_t)1 << 32);
    }
    x->limb[EXACT_LIMBS - 1] += carry;
    x->pending = 0;
}

static void add_special(struct exact *x, double v)
{
    if (isnan(v))
        x->has_nan = true;
    else if (v > 0)
        x->has_plus_inf = true;
    else
        x->has_minus_inf = true;
}

void exact_add(struct exact *x, double v)
{
    uint64_t bits = bits_of(v);
    unsigned exponent = (unsigned)(bits >> MANTISSA_BITS) & EXPONENT_ALL;
    uint64_t m = bits & (MANTISSA_TOP - 1);
    if (exponent == EXPONENT_ALL) {
        add_special(x, v);
        return;
    }
    if (exponent) {
        m |= MANTISSA_TOP;
        exponent--; /* subnormals have the weight of exponent 1 */
    }
    int64_t *limb = &x->limb[exponent / 32];
    unsigned shift = exponent % 32;
    uint64_t low = (m & LIMB_MASK) << shift;
    uint64_t high = ((m >> 32) << shift) + (low >> 32);
    int64_t sign = bits >> 63 ? -1 : 1;
    limb[0] += sign * (int64_t)(low & LIMB_MASK);
    limb[1] += sign * (int64_t)(high & LIMB_MASK);
    limb[2] += sign * (int64_t)(high >> 32);
    if (++x->pending > PENDING_MOST) settle(x);
}

void exact_merge(struct exact *x, const struct exact *y)
{
    for (unsigned i = 0; i < EXACT_LIMBS; i++) x->limb[i] += y->limb[i];
    x->pending += y->pending + 1;
    if (x->pending > PENDING_MOST) settle(x);
    x->has_nan |= y->has_nan;
    x->has_plus_inf |= y->has_plus_inf;
    x->has_minus_inf |= y->has_minus_inf;
}

/* Bits at .. at+31 of the settled number, at >= 0. */
static uint64_t word_at(const struct exact *x, unsigned at)
{
    unsigned i = at / 32, shift = at % 32;
    uint64_t low = (uint64_t)x->limb[i] >> shift;
    uint64_t high = i + 1 < EXACT_LIMBS ? (uint64_t)x->limb[i + 1] << (32 - shift) : 0;
    return (low | high) & LIMB_MASK;
}

static bool any_below(const struct exact *x, unsigned at)
{
    for (unsigned i = 0; i < at / 32; i++)
        if (x->limb[i]) return true;
    return (x->limb[at / 32] & (((int64_t)1 << at % 32) - 1)) != 0;
}

/* The bits of the settled number >= 0 as a double, rounded to nearest even. */
static uint64_t rounded(const struct exact *x)
{
    const uint64_t infinity = (uint64_t)EXPONENT_ALL << MANTISSA_BITS;
    unsigned top = EXACT_LIMBS;
    while (top && x->limb[top - 1] == 0) top--;
    if (top == 0) return 0;
    unsigned highest = 32 * (top - 1) + 63 - (unsigned)__builtin_clzll((uint64_t)x->limb[top - 1]);
    unsigned from = highest > MANTISSA_BITS ? highest - MANTISSA_BITS : 0;
    uint64_t exponent = from + 1;
    if (exponent >= EXPONENT_ALL) return infinity;
    uint64_t m = word_at(x, from) | (word_at(x, from + 32) & 0x1fffff) << 32;
    /* The lowest 53 bits are a subnormal or one of the smallest normal numbers: they are the bits of the double itself. */
    if (from == 0) return m;
    bool half = word_at(x, from - 1) & 1;
    if (half && ((m & 1) || any_below(x, from - 1))) m++;
    /* A mantissa that rounds up to 2^53 carries into the exponent, and past the largest double to infinity. */
    return (exponent << MANTISSA_BITS) + (m - MANTISSA_TOP);
}

double exact_value(const struct exact *x)
{
    if (x->has_nan || (x->has_plus_inf && x->has_minus_inf)) return (double)NAN;
    if (x->has_plus_inf) return (double)INFINITY;
    if (x->has_minus_inf) return -(double)INFINITY;
    struct exact sum = *x;
    settle(&sum);
    bool negative = sum.limb[EXACT_LIMBS - 1] < 0;
    if (negative) {
        for (unsigned i = 0; i < EXACT_LIMBS; i++) sum.limb[i] = -sum.limb[i];
        settle(&sum);
    }
    double v = double_of(rounded(&sum));
    return negative ? -v : v;
}
