/* Shares of coverage, in whole numbers: nothing is bent, and nothing that was missed is rounded away. */
#include <string.h>

#include "base/number.h"
#include "base/wide.h"

enum { DECIMALS_MOST = 17 }; /* 100 * 10^17 still fits into 64 bits */

/* The share in units of 10^-decimals percent, rounded to the nearest. */
static u128 units_of(uint64_t hit, uint64_t total, uint64_t scale)
{
    return u128_quotient(u128_plus(u128_product(hit, 100 * scale), u128_of(total / 2)), total, NULL);
}

static size_t put(char *buf, u128 units, uint64_t scale, unsigned decimals)
{
    uint64_t left;
    size_t len = number_put_u64(buf, u128_quotient(units, scale, &left).low);
    if (decimals) buf[len++] = '.';
    for (; decimals--; left %= scale) {
        scale /= 10;
        buf[len++] = (char)('0' + (int)(left / scale));
    }
    buf[len++] = '%';
    buf[len] = '\0';
    return len;
}

static uint64_t power_of_10(unsigned n)
{
    uint64_t scale = 1;
    while (n--) scale *= 10;
    return scale;
}

size_t number_share(char *buf, uint64_t hit, uint64_t total, unsigned decimals)
{
    if (!total) return memcpy(buf, "-", 2), 1;
    for (;; decimals++) {
        uint64_t scale = power_of_10(decimals);
        u128 units = units_of(hit, total, scale);
        bool is_bent = u128_fits(units) && ((units.low == 0 && hit) || (units.low == 100 * scale && hit != total));
        if (!is_bent || decimals >= DECIMALS_MOST) return put(buf, units, scale, decimals);
    }
}

size_t number_share_below(char *buf, uint64_t hit, uint64_t total, unsigned decimals, double limit)
{
    if (!total) return memcpy(buf, "-", 2), 1;
    while (decimals < DECIMALS_MOST && u128_double(units_of(hit, total, power_of_10(decimals))) / (double)power_of_10(decimals) >= limit) decimals++;
    return number_share(buf, hit, total, decimals);
}
