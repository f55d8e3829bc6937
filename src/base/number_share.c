/* Shares of coverage, in whole numbers: nothing is bent, and nothing that was missed is rounded away. */
#include <string.h>

#include "base/number.h"

typedef unsigned __int128 u128;

enum { DECIMALS_MOST = 17 };

/* The share in units of 10^-decimals percent, rounded to the nearest. */
static u128 units_of(uint64_t hit, uint64_t total, u128 scale) { return ((u128)hit * 100 * scale + total / 2) / total; }

static size_t put(char *buf, u128 units, u128 scale, unsigned decimals)
{
    size_t len = number_put_u64(buf, (uint64_t)(units / scale));
    if (decimals) buf[len++] = '.';
    for (units %= scale; decimals--; units %= scale) {
        scale /= 10;
        buf[len++] = (char)('0' + (int)(units / scale));
    }
    buf[len++] = '%';
    buf[len] = '\0';
    return len;
}

static u128 power_of_10(unsigned n)
{
    u128 scale = 1;
    while (n--) scale *= 10;
    return scale;
}

size_t number_share(char *buf, uint64_t hit, uint64_t total, unsigned decimals)
{
    if (!total) return memcpy(buf, "-", 2), 1;
    for (;; decimals++) {
        u128 scale = power_of_10(decimals), units = units_of(hit, total, scale);
        bool is_bent = (units == 0 && hit) || (units == 100 * scale && hit != total);
        if (!is_bent || decimals >= DECIMALS_MOST) return put(buf, units, scale, decimals);
    }
}

size_t number_share_below(char *buf, uint64_t hit, uint64_t total, unsigned decimals, double limit)
{
    if (!total) return memcpy(buf, "-", 2), 1;
    while (decimals < DECIMALS_MOST && (double)units_of(hit, total, power_of_10(decimals)) / (double)power_of_10(decimals) >= limit) decimals++;
    return number_share(buf, hit, total, decimals);
}
