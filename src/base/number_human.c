/* Numbers for people: three significant digits with a unit, and percent; see base/number.h. */
#include <math.h>
#include <string.h>

#include "base/digits.h"
#include "base/number.h"

/* Digits, a blank, and the word for the unit ("" = none). */
static size_t finish(char *buf, size_t len, const char *word)
{
    size_t word_len = strlen(word);
    if (word_len) {
        buf[len++] = ' ';
        memcpy(buf + len, word, word_len);
        len += word_len;
    }
    buf[len] = '\0';
    return len;
}

static bool is_small_integer(double v) { return v < 1000 && v == floor(v); }

/* v as it is, without a scale: whole numbers below 1000 without a point, very small and very large ones with an exponent. */
static size_t put_plain(char *buf, double v, const char *word)
{
    if (is_small_integer(v)) return finish(buf, number_put_u64(buf, (uint64_t)v), word);
    struct digits d = digits_of(v, 3);
    if (d.exp < -3 || d.exp > 14) return finish(buf, digits_scientific(buf, &d), word);
    return finish(buf, digits_plain(buf, &d), word);
}

/* Scales by thousands; `words` has one for each thousand that v can have. Rounding comes first, so that 999999 is 1.00 M and never 1000 K. */
static size_t put_thousands(char *buf, double v, const char *const *words)
{
    struct digits d = digits_of(v, 3);
    if (d.exp < 3) return put_plain(buf, v, words[0]);
    int scale = d.exp / 3;
    d.exp %= 3;
    return finish(buf, digits_plain(buf, &d), words[scale]);
}

static size_t put_count(char *buf, double v)
{
    static const char *const words[] = { "", "K", "M", "G", "T", "P", "E" };
    if (v >= 999.5e18) return put_plain(buf, v, "");
    return put_thousands(buf, v, words);
}

/* Seconds are the largest unit of time; many of them are shown in full. */
static size_t put_time(char *buf, double v, double per_second)
{
    static const char *const words[] = { "ns", "us", "ms" };
    double s = v / per_second;
    if (s < 0.9995) return put_thousands(buf, v * (1e9 / per_second), words);
    if (s < 999.5 || s >= 1e15) {
        struct digits d = digits_of(s, 3);
        return finish(buf, d.exp < 3 ? digits_plain(buf, &d) : digits_scientific(buf, &d), "s");
    }
    return finish(buf, number_put_u64(buf, (uint64_t)(s + 0.5)), "s");
}

/* 1000 to 1023 of a unit are shown as that, because the next one is 1024 away. */
static size_t put_bytes(char *buf, double v)
{
    static const char *const words[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    unsigned scale = 0;
    for (; v >= 1023.5 && scale < 6; scale++) v /= 1024;
    if (v >= 999.5 && v < 1024) return finish(buf, number_put_u64(buf, (uint64_t)(v + 0.5)), words[scale]);
    if (scale == 0 || v >= 1024) return put_plain(buf, v, words[scale]);
    struct digits d = digits_of(v, 3);
    return finish(buf, digits_plain(buf, &d), words[scale]);
}

size_t number_human(char *buf, double v, const char *unit)
{
    static const struct {
        const char *name;
        double per_second;
    } times[] = { { "ns", 1e9 }, { "10ns", 1e8 },  { "100ns", 1e7 },        { "us", 1e6 },           { "ms", 1e3 },         { "s", 1 },
                  { "sec", 1 },  { "seconds", 1 }, { "milliseconds", 1e3 }, { "microseconds", 1e6 }, { "nanoseconds", 1e9 } };
    size_t len = 0;
    if (!isfinite(v)) return memcpy(buf, "-", 2), 1;
    if (v < 0) buf[len++] = '-';
    v = fabs(v);
    if (!unit) unit = "";
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strcmp(unit, times[i].name) == 0) return len + put_time(buf + len, v, times[i].per_second);
    if (strcmp(unit, "bytes") == 0 || strcmp(unit, "B") == 0) return len + put_bytes(buf + len, v);
    return len + put_count(buf + len, v);
}

/* 100 * part / whole; NAN where there is no such share. */
static double share(double part, double whole)
{
    double ratio = part / whole;
    if (whole == 0 || !isfinite(part) || !isfinite(whole) || !isfinite(ratio)) return (double)NAN;
    double percent = 100 * part / whole;
    return isfinite(percent) ? percent : 100 * ratio;
}

size_t number_percent(char *buf, double part, double whole)
{
    double percent = share(part, whole), size = fabs(percent);
    size_t len = 0;
    if (!isfinite(percent)) return memcpy(buf, "-", 2), 1;
    uint64_t hundredths = size < 1e14 ? (uint64_t)llround(size * 100) : 0;
    if (part != 0 && hundredths == 0 && size < 1) return strcpy(buf, (part < 0) == (whole < 0) ? "<0.01%" : ">-0.01%"), strlen(buf);
    if (percent < 0) buf[len++] = '-';
    if (size >= 1e14) {
        struct digits d = digits_of(size, 3);
        len += digits_scientific(buf + len, &d);
    } else {
        len += number_put_u64(buf + len, hundredths / 100);
        buf[len++] = '.';
        buf[len++] = (char)('0' + hundredths / 10 % 10);
        buf[len++] = (char)('0' + hundredths % 10);
    }
    buf[len++] = '%';
    buf[len] = '\0';
    return len;
}

size_t number_percent_exact(char *buf, double part, double whole)
{
    double percent = share(part, whole);
    if (isfinite(percent)) return number_put_double(buf, percent + 0.0);
    buf[0] = '\0';
    return 0;
}
