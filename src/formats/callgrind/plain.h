/* Numbers as nearly every line of callgrind text has them, parsed without a look back: the hot path of the decoder. Anything unusual
 * (many digits, other signs) gives NULL, and the careful parser in decode.c takes over. Every scan stops at the '\n' that ends a block. */
#ifndef CALLGRIND_PLAIN_H
#define CALLGRIND_PLAIN_H

#include "base/scan.h"

/* So many bytes can be looked at without asking for the end. */
enum { QUICK = 32 };

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

/* A cost line "12 120", "+3 120", "-1 7" or "* 42" of a file with lines and one event, which nearly all of Valgrind are, with so many bytes behind it that none needs
 * to ask for the end (QUICK). A relative line is told from an absolute one without a branch: they cannot be predicted. Returns where its '\n' is; NULL = look closer. */
static inline const char *quick_cost_line(const char *p, int64_t base, int64_t *line, uint64_t *cost)
{
    uint64_t n = 0;
    bool is_back = *p == '-', is_step = is_back | (*p == '+');
    const char *q = p + is_step;
    if (is_digit(*q)) {
        unsigned digits = leading_digits(q, &n);
        if (digits == 8) return NULL;
        q += digits;
        *line = (is_step ? base : 0) + (is_back ? -(int64_t)n : (int64_t)n);
    } else {
        if (*q++ != '*' || is_step) return NULL;
        *line = base;
    }
    if (*q != ' ' || !is_digit(q[1])) return NULL;
    unsigned digits = leading_digits(q + 1, cost);
    q += 1 + digits;
    return digits < 8 && *q == '\n' ? q : NULL;
}

#endif
