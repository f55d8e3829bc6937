/* Numbers as nearly every line of callgrind text has them, parsed without a look back: the hot path of the decoder. Anything unusual
 * (many digits, other signs) gives NULL, and the careful parser in decode.c takes over. Every scan stops at the '\n' that ends a block. */
#ifndef CALLGRIND_PLAIN_H
#define CALLGRIND_PLAIN_H

#include "base/scan.h"

/* A line number: in full, or relative to `base`; NULL = look closer. */
static inline const char *plain_line_number(const char *p, const char *end, uint32_t base, uint32_t *out)
{
    uint64_t v = base;
    char sign = *p;
    if (sign == '*') {
        p++;
    } else {
        uint64_t n;
        if (sign == '+' || sign == '-') p++;
        if (!is_digit(*p) || !(p = short_number(p, end, &n))) return NULL;
        v = sign == '+' ? base + n : sign == '-' ? base - n : n;
    }
    *out = (uint32_t)v;
    return v <= UINT32_MAX ? p : NULL; /* a difference below 0 wraps far above */
}

/* An address: 0x and hex digits, or relative with a short decimal number. */
static inline const char *plain_address(const char *p, const char *end, uint64_t base, uint64_t *out)
{
    uint64_t n;
    if (p[0] == '*') {
        *out = base;
        return p + 1;
    }
    if (p[0] == '+' && is_digit(p[1]) && p[2] != 'x') {
        p = short_number(p + 1, end, &n);
        *out = base + n;
        return p && *out >= base ? p : NULL;
    }
    if (p[0] != '0' || p[1] != 'x') return NULL;
    const char *digits = p += 2;
    n = 0;
    for (int h; (h = hex_digit(*p)) >= 0; p++) n = n << 4 | (unsigned)h;
    *out = n;
    return p > digits && p - digits <= 16 ? p : NULL;
}

#endif
