/* UTF-8, terminal-safe text and edit distance; see base/text.h.
 *
 * The ranges of wide and of combining characters are the main blocks of Unicode 14 (East Asian Width W and F; categories Mn and Me), not
 * each character: what is missed is aligned one column off and nothing else. */
#include "base/text.h"

#include <limits.h>
#include <time.h>

#include "base/number.h"

/* Decides by the table of well-formed sequences (Unicode, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF. */
unsigned text_utf8(assay_slice s, uint32_t *code)
{
    const unsigned char *p = (const unsigned char *)s.data;
    uint32_t c = 0;
    unsigned len = 0;
    if (s.len && p[0] < 0x80) {
        c = p[0];
        len = 1;
    } else if (s.len >= 2 && p[0] >= 0xc2 && p[0] <= 0xdf) {
        c = p[0] & 0x1fu;
        len = 2;
    } else if (s.len >= 3 && (p[0] & 0xf0) == 0xe0) {
        unsigned least = p[0] == 0xe0 ? 0xa0 : 0x80;
        unsigned most = p[0] == 0xed ? 0x9f : 0xbf;
        c = p[0] & 0x0fu;
        len = p[1] >= least && p[1] <= most ? 3 : 0;
    } else if (s.len >= 4 && p[0] >= 0xf0 && p[0] <= 0xf4) {
        unsigned least = p[0] == 0xf0 ? 0x90 : 0x80;
        unsigned most = p[0] == 0xf4 ? 0x8f : 0xbf;
        c = p[0] & 0x07u;
        len = p[1] >= least && p[1] <= most ? 4 : 0;
    }
    for (unsigned i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80) len = 0;
        c = c << 6 | (p[i] & 0x3fu);
    }
    if (code) *code = len ? c : 0;
    return len;
}

struct range {
    uint32_t first, last;
};

static const struct range wide[] = {
    { 0x1100, 0x115f },   { 0x231a, 0x231b },   { 0x2329, 0x232a },   { 0x23e9, 0x23ec },   { 0x25fd, 0x25fe },   { 0x2614, 0x2615 },   { 0x2648, 0x2653 },
    { 0x26aa, 0x26ab },   { 0x26bd, 0x26be },   { 0x26c4, 0x26c5 },   { 0x270a, 0x270b },   { 0x2753, 0x2755 },   { 0x2795, 0x2797 },   { 0x2b1b, 0x2b1c },
    { 0x2e80, 0x303e },   { 0x3041, 0x3247 },   { 0x3250, 0x4dbf },   { 0x4e00, 0xa4cf },   { 0xa960, 0xa97c },   { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },
    { 0xfe10, 0xfe19 },   { 0xfe30, 0xfe6b },   { 0xff01, 0xff60 },   { 0xffe0, 0xffe6 },   { 0x16fe0, 0x16ff1 }, { 0x17000, 0x18d08 }, { 0x1aff0, 0x1b2fb },
    { 0x1f200, 0x1f320 }, { 0x1f32d, 0x1f335 }, { 0x1f337, 0x1f37c }, { 0x1f37e, 0x1f393 }, { 0x1f3a0, 0x1f3ca }, { 0x1f3e0, 0x1f3f0 }, { 0x1f3f8, 0x1f43e },
    { 0x1f442, 0x1f4fc }, { 0x1f4ff, 0x1f53d }, { 0x1f550, 0x1f567 }, { 0x1f5fb, 0x1f64f }, { 0x1f680, 0x1f6c5 }, { 0x1f6f4, 0x1f6fc }, { 0x1f7e0, 0x1f7f0 },
    { 0x1f90c, 0x1f93a }, { 0x1f93c, 0x1f945 }, { 0x1f947, 0x1f9ff }, { 0x1fa70, 0x1faf6 }, { 0x20000, 0x3fffd },
};

static const struct range combining[] = {
    { 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x0610, 0x061a },   { 0x064b, 0x065f },   { 0x06d6, 0x06dc }, { 0x06df, 0x06e4 },
    { 0x06ea, 0x06ed }, { 0x0730, 0x074a }, { 0x07a6, 0x07b0 }, { 0x07eb, 0x07f3 },   { 0x0816, 0x0819 },   { 0x08ca, 0x08e1 }, { 0x08e3, 0x0902 },
    { 0x0941, 0x0948 }, { 0x0951, 0x0957 }, { 0x0e34, 0x0e3a }, { 0x0e47, 0x0e4e },   { 0x0eb4, 0x0ebc },   { 0x0ec8, 0x0ecd }, { 0x0f71, 0x0f7e },
    { 0x0f80, 0x0f84 }, { 0x0f8d, 0x0fbc }, { 0x17b7, 0x17bd }, { 0x17c9, 0x17d3 },   { 0x1a73, 0x1a7f },   { 0x1ab0, 0x1ace }, { 0x1cd4, 0x1ce0 },
    { 0x1dc0, 0x1dff }, { 0x200b, 0x200d }, { 0x20d0, 0x20f0 }, { 0x2de0, 0x2dff },   { 0x302a, 0x302d },   { 0x3099, 0x309a }, { 0xa66f, 0xa672 },
    { 0xa8e0, 0xa8f1 }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0x1e000, 0x1e02a }, { 0xe0100, 0xe01ef },
};

/* C1 controls, separators of lines, and what turns the direction of the text around it: none of them may come out of a name. */
static const struct range unprintable[] = {
    { 0x0080, 0x009f }, { 0x061c, 0x061c }, { 0x200e, 0x200f }, { 0x2028, 0x202e },
    { 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xe0001, 0xe007f },
};

#define IN(table, code) in_ranges((table), sizeof(table) / sizeof *(table), (code))

static bool in_ranges(const struct range *table, size_t count, uint32_t code)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code > table[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && code >= table[low].first;
}

static bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7f; }

/* The same of eight bytes: none sets its highest bit, as it is, less 0x20 or plus 1. What is borrowed or carried comes from a byte that is not plain. */
static bool are_plain(const char *p)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return !((x | (x - 0x20 * ones) | (x + ones)) & 0x80 * ones);
}

/* What stands at the start of s: its length in bytes, and its columns when shown; `escaped` = byte by byte as \xNN. */
struct glyph {
    unsigned len, columns;
    bool escaped;
};

static struct glyph glyph_at(assay_slice s)
{
    uint32_t code;
    unsigned len = text_utf8(s, &code);
    if (len == 0) return (struct glyph){ 1, 4, true };
    if (len == 1) return (struct glyph){ 1, is_plain((unsigned char)code) ? 1 : 4, !is_plain((unsigned char)code) };
    if (IN(unprintable, code)) return (struct glyph){ len, 4 * len, true };
    return (struct glyph){ len, IN(combining, code) ? 0 : IN(wide, code) ? 2 : 1, false };
}

static assay_slice drop(assay_slice s, size_t len) { return (assay_slice){ s.data + len, s.len - len }; }

static size_t plain_run(assay_slice s)
{
    size_t n = 0;
    while (s.len - n >= 8 && are_plain(s.data + n)) n += 8;
    while (n < s.len && is_plain((unsigned char)s.data[n])) n++;
    return n;
}

void text_show(struct output *o, assay_slice s)
{
    while (s.len) {
        size_t run = plain_run(s);
        if (run) output_bytes(o, s.data, run);
        s = drop(s, run);
        if (!s.len) return;
        struct glyph g = glyph_at(s);
        if (!g.escaped) output_bytes(o, s.data, g.len);
        for (unsigned i = 0; g.escaped && i < g.len; i++) {
            output_bytes(o, "\\x", 2);
            output_hex(o, (unsigned char)s.data[i], 2);
        }
        s = drop(s, g.len);
    }
}

void text_place(struct output *o, uint64_t off, uint64_t line)
{
    char text[64], number[24];
    size_t digits = number_put_u64(number, line), at = 8;
    while (at < 16 && off >> 4 * at) at++;
    for (size_t i = at; i--; off >>= 4) text[i] = "0123456789abcdef"[off & 15];
    memset(text + at, ' ', 7);
    at += digits < 6 ? 7 - digits : 1;
    memcpy(text + at, number, digits);
    memcpy(text + at + digits, "  ", 2);
    output_bytes(o, text, at + digits + 2);
}

unsigned text_width(assay_slice s)
{
    size_t columns = 0;
    while (s.len) {
        size_t run = plain_run(s);
        columns += run;
        s = drop(s, run);
        if (!s.len) break;
        struct glyph g = glyph_at(s);
        columns += g.columns;
        s = drop(s, g.len);
    }
    return columns > UINT_MAX ? UINT_MAX : (unsigned)columns;
}

size_t text_fit(assay_slice s, unsigned columns)
{
    assay_slice rest = s;
    while (rest.len) {
        struct glyph g = glyph_at(rest);
        if (g.columns > columns) break;
        columns -= g.columns;
        rest = drop(rest, g.len);
    }
    return s.len - rest.len;
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned text_distance(const char *a, const char *b, unsigned limit)
{
    enum { LONGEST = 64 };
    unsigned rows[3][LONGEST + 1]; /* of the letters before this one, of the one before, of this one */
    size_t a_len = strlen(a), b_len = strlen(b);
    unsigned far = limit == UINT_MAX ? limit : limit + 1;
    size_t apart = a_len > b_len ? a_len - b_len : b_len - a_len;
    if (strcmp(a, b) == 0) return 0;
    /* Nobody mistypes words of that length by a letter or two. */
    if (apart > limit || a_len > LONGEST || b_len > LONGEST) return far;
    unsigned *older = rows[0], *old = rows[1], *row = rows[2];
    for (unsigned j = 0; j <= b_len; j++) row[j] = j;
    for (unsigned i = 1; i <= a_len; i++) {
        unsigned *oldest = older;
        older = old, old = row, row = oldest;
        row[0] = i;
        for (unsigned j = 1; j <= b_len; j++) {
            row[j] = least(old[j - 1] + (a[i - 1] != b[j - 1]), least(old[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = least(row[j], older[j - 2] + 1);
        }
    }
    return least(row[b_len], far);
}

/* ---- time ---- */

void text_time(struct output *out, uint64_t when, char what)
{
    static const char *const formats[] = { ['d'] = "%c", ['i'] = "%Y-%m-%d %H:%M:%S ", ['I'] = "%Y-%m-%dT%H:%M:%S%z", ['s'] = "%Y-%m-%d" };
    char buf[128] = "", zone[16] = "";
    time_t t = (time_t)when;
    struct tm tm;
    if (when > INT64_MAX || !localtime_r(&t, &tm)) {
        output_u64(out, when);
        return;
    }
    strftime(buf, sizeof buf, formats[(unsigned char)what], &tm);
    output_text(out, buf);
    if (what != 'i') return;
    strftime(zone, sizeof zone, "%z", &tm);
    output_printf(out, "%.3s:%s", zone, strlen(zone) > 3 ? zone + 3 : "");
}
