/* The parts of lines: samples, symbols, mappings. Nothing here knows where in a file it is. */
#include "base/number.h"
#include "base/slice.h"
#include "formats/pprof-legacy/legacy.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static assay_slice without(assay_slice s, size_t len) { return (assay_slice){ s.data + len, s.len - len }; }

static void skip_blanks(assay_slice *s)
{
    while (s->len && is_blank(s->data[0])) *s = without(*s, 1);
}

/* Digits after blanks. Larger than 64 bits is the largest. */
static bool take_number(assay_slice *s, uint64_t *out)
{
    size_t n = 0;
    skip_blanks(s);
    while (n < s->len && is_digit(s->data[n])) n++;
    if (!n) return false;
    number_u64((assay_slice){ s->data, n }, out);
    *s = without(*s, n);
    return true;
}

static bool take_char(assay_slice *s, char c)
{
    skip_blanks(s);
    if (!s->len || s->data[0] != c) return false;
    *s = without(*s, 1);
    return true;
}

static bool take_hex(assay_slice *s, uint64_t *out)
{
    size_t n = 0;
    while (n < s->len && is_hex(s->data[n])) n++;
    if (!n || number_hex((assay_slice){ s->data, n }, out) != NUMBER_OK) return false;
    *s = without(*s, n);
    return true;
}

enum legacy_address legacy_take_address(assay_slice *rest, bool strict, uint64_t *out)
{
    assay_slice s = *rest;
    if (strict) {
        skip_blanks(&s);
        if (!s.len) return LEGACY_NO_MORE;
        if (!slice_starts(s, "0x")) return LEGACY_NO_ADDRESS;
        *rest = without(s, 2);
        return take_hex(rest, out) && (!rest->len || is_blank(rest->data[0])) ? LEGACY_ADDRESS : LEGACY_NO_ADDRESS;
    }
    for (;;) {
        const char *at = s.len ? memmem(s.data, s.len, "0x", 2) : NULL;
        if (!at) return LEGACY_NO_MORE;
        s = slice_from(at + 2, s.data + s.len);
        if (!take_hex(&s, out)) continue;
        *rest = s;
        return LEGACY_ADDRESS;
    }
}

/* ---- samples ---- */

/* `N: BYTES [N: BYTES] @ ` */
bool legacy_heap_sample(assay_slice line, uint64_t raw[LEGACY_VALUES], assay_slice *stack)
{
    *stack = line;
    if (!take_number(stack, &raw[0]) || !take_char(stack, ':') || !take_number(stack, &raw[1]) || !take_char(stack, '[')) return false;
    if (!take_number(stack, &raw[2]) || !take_char(stack, ':') || !take_number(stack, &raw[3]) || !take_char(stack, ']')) return false;
    return take_char(stack, '@');
}

/* `DELAY COUNT @ ` or `BYTES COUNT @ ` */
bool legacy_pair_sample(assay_slice line, uint64_t raw[LEGACY_VALUES], assay_slice *stack)
{
    *stack = line;
    return take_number(stack, &raw[0]) && take_number(stack, &raw[1]) && take_char(stack, '@');
}

/* `COUNT @ ` */
bool legacy_count_sample(assay_slice line, uint64_t raw[LEGACY_VALUES], assay_slice *stack)
{
    *stack = line;
    return take_number(stack, &raw[0]) && take_char(stack, '@');
}

/* ---- symbols ---- */

/* Cuts `:LINE` off the end of a path. */
static void cut_line(assay_slice place, struct legacy_record *r)
{
    const char *colon = place.len ? memrchr(place.data, ':', place.len) : NULL;
    uint64_t line;
    r->file = place;
    if (!colon) return;
    assay_slice digits = slice_from(colon + 1, place.data + place.len);
    if (digits.len && digits.data[0] == '-') { /* Java says -1 where it does not know */
        r->file = slice_from(place.data, colon);
        return;
    }
    if (number_u64(digits, &line) != NUMBER_OK || line > UINT32_MAX) return;
    r->file = slice_from(place.data, colon);
    r->line = (uint32_t)line;
}

bool legacy_java_symbol(assay_slice line, struct legacy_record *r)
{
    assay_slice s = slice_trim(line);
    if (!slice_starts(s, "0x")) return false;
    s = without(s, 2);
    if (!take_hex(&s, &r->address) || !s.len || !is_blank(s.data[0])) return false;
    s = slice_trim(s);
    const char *open = s.len && s.data[s.len - 1] == ')' ? memrchr(s.data, '(', s.len) : NULL;
    r->name = s;
    if (!open || open == s.data || !is_blank(open[-1])) return s.len > 0;
    cut_line(slice_from(open + 1, s.data + s.len - 1), r);
    r->name = slice_trim(slice_from(s.data, open));
    return r->name.len > 0;
}

bool legacy_go_symbol(assay_slice line, struct legacy_record *r)
{
    assay_slice s = line;
    if (!take_char(&s, '#')) return false;
    skip_blanks(&s);
    if (!slice_starts(s, "0x")) return false;
    s = without(s, 2);
    if (!take_hex(&s, &r->address) || !s.len || !is_blank(s.data[0])) return false;
    s = slice_trim(s);
    const char *tab = memchr(s.data, '\t', s.len);
    r->name = slice_trim(tab ? slice_from(s.data, tab) : s);
    if (tab) cut_line(slice_trim(slice_from(tab, s.data + s.len)), r);
    const char *plus = r->name.len ? memrchr(r->name.data, '+', r->name.len) : NULL;
    if (plus && plus > r->name.data && slice_starts(slice_from(plus, r->name.data + r->name.len), "+0x")) r->name = slice_from(r->name.data, plus);
    return r->name.len > 0;
}

/* ---- mappings ---- */

/* ` r-xp 00000000 08:01 1234   /lib/libc.so`: what follows the range in /proc/self/maps. */
static bool take_kernel(assay_slice s, struct legacy_record *r)
{
    uint64_t major, minor, inode;
    skip_blanks(&s);
    if (s.len < 5 || !is_blank(s.data[4])) return false;
    for (size_t i = 0; i < 4; i++)
        if (!memchr("rwxps-", s.data[i], 6)) return false;
    bool is_executable = memchr(s.data, 'x', 4);
    s = without(s, 4);
    skip_blanks(&s);
    if (!take_hex(&s, &r->offset)) return false;
    skip_blanks(&s);
    if (!take_hex(&s, &major) || !take_char(&s, ':') || !take_hex(&s, &minor) || !take_number(&s, &inode)) return false;
    r->is_executable = is_executable;
    r->value = slice_trim(s);
    return true;
}

/* `: /lib/libc.so (@OFFSET) BUILD-ID`, all but the range may be missing. */
static bool take_brief(assay_slice s, struct legacy_record *r)
{
    take_char(&s, ':');
    s = slice_trim(s);
    const char *blank = memchr(s.data, ' ', s.len), *end = s.data + s.len;
    r->is_executable = true;
    r->value = blank ? slice_from(s.data, blank) : s;
    if (!blank) return true;
    s = slice_trim(slice_from(blank, end));
    if (slice_starts(s, "(@")) {
        s = without(s, 2);
        if (!take_hex(&s, &r->offset) || !take_char(&s, ')')) return false;
        s = slice_trim(s);
    }
    r->build_id = s;
    return true;
}

/* `I0102 03:04:05 12 file.cc:34] `, which programs that log their profile have before each line. */
static assay_slice without_log(assay_slice s)
{
    const char *close = s.len ? memchr(s.data, ']', s.len) : NULL;
    if (!close || memchr(s.data, '[', (size_t)(close - s.data)) || close + 1 == s.data + s.len || !is_blank(close[1])) return s;
    const char *digit = close;
    while (digit > s.data && is_digit(digit[-1])) digit--;
    return digit < close && digit > s.data && digit[-1] == ':' ? slice_from(close + 2, s.data + s.len) : s;
}

bool legacy_mapping(assay_slice line, struct legacy_record *r)
{
    assay_slice s = without_log(line);
    skip_blanks(&s);
    if (!take_hex(&s, &r->start) || !s.len || s.data[0] != '-') return false;
    s = without(s, 1);
    if (!take_hex(&s, &r->limit) || (s.len && !is_blank(s.data[0]) && s.data[0] != ':')) return false;
    return take_kernel(s, r) || take_brief(s, r);
}
