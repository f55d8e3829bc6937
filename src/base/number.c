/* Strict numbers from text and exact numbers to text; see base/number.h. What people read (units, percent) is in number_human.c.
 *
 * Nothing here depends on the locale: texts given to the C library hold no decimal point, and its point is never copied. */
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/order.h"
#include "base/wide.h"

static unsigned digit_of(char c) { return (unsigned)(unsigned char)c - '0'; }

/* More than 19 digits: leading zeros do not count, and the rest must be digits even when it no longer fits. */
static enum number_result long_u64(assay_slice s, uint64_t *out)
{
    uint64_t v = 0;
    bool fits = true;
    for (size_t i = 0; i < s.len; i++) {
        unsigned d = digit_of(s.data[i]);
        if (d > 9) {
            *out = 0;
            return NUMBER_BAD;
        }
        if (fits && (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, d, &v))) fits = false;
    }
    *out = fits ? v : UINT64_MAX;
    return fits ? NUMBER_OK : NUMBER_RANGE;
}

enum number_result number_u64(assay_slice s, uint64_t *out)
{
    enum { NEVER_OVERFLOWS = 19 };
    if (s.len > NEVER_OVERFLOWS) return long_u64(s, out);
    uint64_t v = 0;
    *out = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned d = digit_of(s.data[i]);
        if (d > 9) return NUMBER_BAD;
        v = v * 10 + d;
    }
    *out = v;
    return s.len ? NUMBER_OK : NUMBER_BAD;
}

enum number_result number_i64(assay_slice s, int64_t *out)
{
    bool negative = s.len && s.data[0] == '-';
    uint64_t most = (uint64_t)INT64_MAX + negative;
    uint64_t v;
    *out = 0;
    if (negative) s.data++, s.len--;
    enum number_result result = number_u64(s, &v);
    if (result == NUMBER_BAD) return result;
    if (v > most) {
        v = most;
        result = NUMBER_RANGE;
    }
    *out = negative ? (int64_t)(0 - v) : (int64_t)v;
    return result;
}

static unsigned hex_digit_of(char c)
{
    unsigned d = digit_of(c);
    if (d <= 9) return d;
    unsigned letter = ((unsigned)(unsigned char)c | 0x20u) - 'a';
    return letter < 6 ? letter + 10 : 16;
}

enum number_result number_hex(assay_slice s, uint64_t *out)
{
    uint64_t v = 0;
    bool fits = true;
    *out = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned d = hex_digit_of(s.data[i]);
        if (d > 15) return NUMBER_BAD;
        if (v >> 60) fits = false;
        v = v << 4 | d;
    }
    if (!s.len) return NUMBER_BAD;
    *out = fits ? v : UINT64_MAX;
    return fits ? NUMBER_OK : NUMBER_RANGE;
}

/* ---- doubles from text ---- */

/* No double needs more than 767 decimal digits to tell on which side of a rounding boundary a text lies; what follows them only matters
 * as "more than that", for which one digit suffices. */
enum { DIGITS_KEPT = 770 };

/* A text taken apart: sign, significant digits without leading zeros, and the power of ten of the last one. */
struct decimal {
    bool negative;
    bool any_digit;
    bool more; /* a digit that is not 0 was left out */
    unsigned count;
    int64_t exp;
    char digits[DIGITS_KEPT + 1];
};

/* Takes digits from s[at..]; `step` is what each adds to the exponent (-1 behind the point). Returns where they end. */
static size_t take_digits(struct decimal *d, assay_slice s, size_t at, int step)
{
    for (; at < s.len && digit_of(s.data[at]) <= 9; at++) {
        d->any_digit = true;
        if (d->count == 0 && s.data[at] == '0') {
            d->exp += step;
        } else if (d->count < DIGITS_KEPT) {
            d->digits[d->count++] = s.data[at];
            d->exp += step;
        } else {
            d->more |= s.data[at] != '0';
            d->exp += step + 1;
        }
    }
    return at;
}

/* "e", a sign and digits, to the end of the text. Exponents beyond any double are cut to one that still is beyond. */
static bool take_exponent(struct decimal *d, assay_slice s, size_t at)
{
    const int64_t most = INT64_MAX / 4;
    int64_t e = 0;
    bool negative = at < s.len && s.data[at] == '-';
    if (at < s.len && (s.data[at] == '-' || s.data[at] == '+')) at++;
    if (at == s.len) return false;
    for (; at < s.len; at++) {
        unsigned digit = digit_of(s.data[at]);
        if (digit > 9) return false;
        if (e < most / 10) e = e * 10 + digit;
    }
    d->exp += negative ? -e : e;
    return true;
}

static bool take_decimal(struct decimal *d, assay_slice s)
{
    size_t at = 0;
    d->negative = s.len && s.data[0] == '-';
    at += d->negative;
    at = take_digits(d, s, at, 0);
    if (at < s.len && s.data[at] == '.') at = take_digits(d, s, at + 1, -1);
    if (!d->any_digit) return false;
    if (at == s.len) return true;
    return (s.data[at] == 'e' || s.data[at] == 'E') && take_exponent(d, s, at + 1);
}

/* Both factors are exact doubles, so one rounding gives the right answer. */
static bool exact_double(const struct decimal *d, double *out)
{
    static const double ten[] = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };
    if (FLT_EVAL_METHOD != 0 || d->count > 15 || d->exp < -22 || d->exp > 22) return false;
    uint64_t m = 0;
    for (unsigned i = 0; i < d->count; i++) m = m * 10 + digit_of(d->digits[i]);
    *out = d->exp < 0 ? (double)m / ten[-d->exp] : (double)m * ten[d->exp];
    return true;
}

/* strtod rounds correctly; given digits and an exponent alone it has no decimal point to look for in the locale. */
static double slow_double(const struct decimal *d)
{
    char text[DIGITS_KEPT + 32];
    size_t len = d->count;
    int64_t exp = d->exp;
    memcpy(text, d->digits, len);
    if (d->more) {
        text[len++] = '1';
        exp--;
    }
    text[len++] = 'e';
    number_put_i64(text + len, exp < -99999 ? -99999 : exp > 99999 ? 99999 : exp);
    return strtod(text, NULL);
}

enum number_result number_double(assay_slice s, double *out)
{
    struct decimal d;
    d.any_digit = d.more = false;
    d.count = 0;
    d.exp = 0;
    *out = 0;
    if (!take_decimal(&d, s)) return NUMBER_BAD;
    double v = 0;
    if (d.count && !exact_double(&d, &v)) v = slow_double(&d);
    enum number_result result = NUMBER_OK;
    if (isinf(v)) {
        v = DBL_MAX;
        result = NUMBER_RANGE;
    } else if (v == 0 && d.count) {
        result = NUMBER_RANGE;
    }
    *out = d.negative ? -v : v;
    return result;
}

/* ---- numbers to text ---- */

static size_t digit_count(uint64_t v)
{
    size_t n = 1;
    for (; v >= 10000; v /= 10000) n += 4;
    return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
                            "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Below 10000, as most numbers are. */
static size_t put_short(char *buf, unsigned v)
{
    if (v < 10) {
        buf[0] = (char)('0' + v);
        buf[1] = '\0';
        return 1;
    }
    unsigned high = v / 100, low = v % 100;
    size_t len = (size_t)2 + (v >= 100) + (v >= 1000);
    memcpy(buf, pairs + high * 2 + (high < 10), 2); /* of one digit, and of none, the rest is overwritten */
    memcpy(buf + len - 2, pairs + low * 2, 2);
    buf[len] = '\0';
    return len;
}

size_t number_put_u64(char *buf, uint64_t v)
{
    if (v < 10000) return put_short(buf, (unsigned)v);
    size_t len = digit_count(v), at = len;
    buf[len] = '\0';
    for (; v >= 100; v /= 100) {
        at -= 2;
        memcpy(buf + at, pairs + v % 100 * 2, 2);
    }
    if (v >= 10)
        memcpy(buf, pairs + v * 2, 2);
    else
        buf[0] = (char)('0' + v);
    return len;
}

size_t number_put_i64(char *buf, int64_t v)
{
    if (v >= 0) return number_put_u64(buf, (uint64_t)v);
    buf[0] = '-';
    return 1 + number_put_u64(buf + 1, 0 - (uint64_t)v);
}

size_t number_put_hex(char *buf, uint64_t v)
{
    size_t len = 1;
    for (uint64_t rest = v >> 4; rest; rest >>= 4) len++;
    buf[len] = '\0';
    for (size_t at = len; at > 0; v >>= 4) buf[--at] = "0123456789abcdef"[v & 15];
    return len;
}

static u128 wide_bits(assay_wide v) { return (u128){ .high = (uint64_t)v.high, .low = v.low }; }
static assay_wide wide_of(u128 v) { return (assay_wide){ .low = v.low, .high = (int64_t)v.high }; }
/* Without its sign. */
static u128 wide_size(assay_wide v) { return v.high < 0 ? u128_plus((u128){ .high = ~(uint64_t)v.high, .low = ~v.low }, u128_of(1)) : wide_bits(v); }

/* Exactly 19 digits, zeros in front. */
static size_t put_padded(char *buf, uint64_t v)
{
    char text[24];
    size_t len = number_put_u64(text, v);
    memset(buf, '0', 19 - len);
    memcpy(buf + 19 - len, text, len + 1);
    return 19;
}

size_t number_put_wide(char *buf, assay_wide v)
{
    const uint64_t ten19 = 10000000000000000000u;
    uint64_t low, middle;
    size_t len = 0;
    if (v.high < 0) buf[len++] = '-';
    u128 rest = u128_quotient(wide_size(v), ten19, &low);
    if (!u128_compare(rest, u128_of(0))) return len + number_put_u64(buf + len, low);
    rest = u128_quotient(rest, ten19, &middle);
    if (rest.low) {
        len += number_put_u64(buf + len, rest.low);
        len += put_padded(buf + len, middle);
    } else {
        len += number_put_u64(buf + len, middle);
    }
    return len + put_padded(buf + len, low);
}

static bool reads_back(const struct digits *d, double v)
{
    struct decimal text = { .any_digit = true, .count = d->count, .exp = (int64_t)d->exp - (int64_t)d->count + 1 };
    double back;
    memcpy(text.digits, d->text, d->count);
    if (!exact_double(&text, &back)) back = slow_double(&text);
    return back == v;
}

/* One more in the last place; true when it did not carry into a new first digit. */
static bool step_up(struct digits *d)
{
    unsigned at = d->count;
    while (at && d->text[at - 1] == '9') d->text[--at] = '0';
    if (at) d->text[at - 1]++;
    return at != 0;
}

/* The fewest digits that read back. For normal doubles every text of up to 15 digits survives the way there and back, so that fewer
 * than 15 show as zeros at the end; subnormals have fewer bits and are tried from one digit on. Doubles lie
 * half as dense above a power of two as below: there the nearest text may miss where the next one above still reads back. */
static struct digits shortest(double v)
{
    struct digits d = { 0 };
    int exp;
    bool is_power = frexp(v, &exp) == 0.5;
    for (unsigned count = v < DBL_MIN ? 1 : 15; count <= 17; count++) {
        d = digits_of(v, count);
        if (reads_back(&d, v)) break;
        if (is_power && step_up(&d) && reads_back(&d, v)) break;
    }
    while (d.count > 1 && d.text[d.count - 1] == '0') d.count--;
    return d;
}

/* Plain up to 16 places before the point and 4 zeros behind it, otherwise with an exponent; always visibly no integer. */
size_t number_put_double(char *buf, double v)
{
    if (!isfinite(v)) return memcpy(buf, "null", 5), 4;
    size_t len = 0;
    if (signbit(v)) buf[len++] = '-';
    v = fabs(v);
    bool is_whole = v < 1e15 && v == floor(v); /* the usual case, and every digit of it is needed */
    struct digits d = { 0 };
    if (is_whole) {
        len += number_put_u64(buf + len, (uint64_t)v);
    } else {
        d = shortest(v);
        if (d.exp < -4 || d.exp >= 16) return len + digits_scientific(buf + len, &d);
        len += digits_plain(buf + len, &d);
    }
    if (is_whole || d.exp >= (int)d.count - 1) {
        memcpy(buf + len, ".0", 3);
        len += 2;
    }
    return len;
}

/* ---- 128-bit sums: modulo 2^128, which no sum of 64-bit values of one machine reaches ---- */

assay_wide wide_add(assay_wide a, assay_wide b) { return wide_of(u128_plus(wide_bits(a), wide_bits(b))); }
assay_wide wide_add_u64(assay_wide a, uint64_t v) { return wide_of(u128_plus(wide_bits(a), u128_of(v))); }
assay_wide wide_add_i64(assay_wide a, int64_t v) { return wide_add(a, (assay_wide){ .low = (uint64_t)v, .high = v < 0 ? -1 : 0 }); }

int wide_compare(assay_wide a, assay_wide b)
{
    ORDER_BY(a.high, b.high);
    return ORDER(a.low, b.low);
}

double wide_double(assay_wide a) { return a.high < 0 ? -u128_double(wide_size(a)) : u128_double(wide_bits(a)); }
