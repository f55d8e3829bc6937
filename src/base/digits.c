/* Decimal digits of doubles; see base/digits.h. */
#include "base/digits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* Whole numbers, of which people see the most, without the detour through printf; a tie goes to the even digit, as there. */
static struct digits whole_digits(uint64_t v, unsigned count)
{
    char text[24];
    struct digits d = { .count = count };
    size_t len = number_put_u64(text, v);
    d.exp = (int)len - 1;
    if (len > count) {
        uint64_t unit = 1;
        for (size_t i = count; i < len; i++) unit *= 10;
        uint64_t top = v / unit, rest = v % unit;
        top += rest > unit / 2 || (rest == unit / 2 && top % 2);
        d.exp += number_put_u64(text, top) > count;
        len = count;
    }
    memset(d.text, '0', count);
    memcpy(d.text, text, len);
    return d;
}

struct digits digits_of(double v, unsigned count)
{
    char text[48];
    struct digits d = { 0 };
    if (v < 0x1p53 && v == floor(v)) return whole_digits((uint64_t)v, count);
    snprintf(text, sizeof text, "%.*e", (int)count - 1, v);
    const char *p = text;
    /* Whatever bytes the locale has for the point are no digits. */
    for (; *p && *p != 'e'; p++)
        if (*p >= '0' && *p <= '9' && d.count < DIGITS_MAX) d.text[d.count++] = *p;
    bool negative = *p == 'e' && p[1] == '-';
    for (; *p; p++)
        if (*p >= '0' && *p <= '9') d.exp = d.exp * 10 + (*p - '0');
    if (negative) d.exp = -d.exp;
    return d;
}

size_t digits_plain(char *buf, const struct digits *d)
{
    size_t len = 0;
    if (d->exp < 0) {
        size_t zeros = (size_t)-d->exp - 1;
        memcpy(buf, "0.", 2);
        memset(buf + 2, '0', zeros);
        len = 2 + zeros;
        memcpy(buf + len, d->text, d->count);
        len += d->count;
    } else {
        size_t before = (size_t)d->exp + 1;
        size_t given = before < d->count ? before : d->count;
        memcpy(buf, d->text, given);
        memset(buf + given, '0', before - given);
        len = before;
        if (d->count > before) {
            buf[len++] = '.';
            memcpy(buf + len, d->text + before, d->count - before);
            len += d->count - before;
        }
    }
    buf[len] = '\0';
    return len;
}

size_t digits_scientific(char *buf, const struct digits *d)
{
    size_t len = 0;
    buf[len++] = d->text[0];
    if (d->count > 1) {
        buf[len++] = '.';
        memcpy(buf + len, d->text + 1, d->count - 1);
        len += d->count - 1;
    }
    buf[len++] = 'e';
    buf[len++] = d->exp < 0 ? '-' : '+';
    unsigned exp = (unsigned)(d->exp < 0 ? -d->exp : d->exp);
    if (exp < 10) buf[len++] = '0';
    return len + number_put_u64(buf + len, exp);
}
