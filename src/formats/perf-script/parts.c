/* Event lines and frames, taken apart. Both begin with what may hold anything (the name of a thread, a symbol), so the parts with a fixed form are looked for. */
#include "base/number.h"
#include "base/slice.h"
#include "formats/perf-script/perf_script.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p)) p++;
    return p;
}
static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && is_digit(*p)) p++;
    return p;
}
static const char *skip_word(const char *p, const char *end)
{
    while (p < end && !is_blank(*p)) p++;
    return p;
}

/* ---- event lines ---- */

/* -N or N; NULL = neither. */
static const char *skip_id(const char *p, const char *end)
{
    if (p < end && *p == '-') p++;
    const char *after = skip_digits(p, end);
    return after > p ? after : NULL;
}

/* TID or PID/TID, and blanks; NULL = it does not stand here. */
static const char *take_thread(const char *p, const char *end, assay_slice *out)
{
    const char *after = skip_id(p, end);
    if (after && after < end && *after == '/') after = skip_id(after + 1, end);
    if (!after || after == end || !is_blank(*after)) return NULL;
    *out = slice_from(p, after);
    return skip_blanks(after, end);
}

/* [CPU] and blanks, where they stand. */
static const char *skip_cpu(const char *p, const char *end)
{
    if (p == end || *p != '[') return p;
    const char *after = skip_digits(p + 1, end);
    bool is_cpu = after > p + 1 && after + 1 < end && *after == ']' && is_blank(after[1]);
    return is_cpu ? skip_blanks(after + 1, end) : p;
}

/* Seconds with a fraction, as whole nanoseconds; false = beyond what 64 bits hold. */
static bool to_ns(assay_slice whole, assay_slice part, int64_t *out)
{
    int64_t seconds, ns = 0, scale = 100000000;
    if (number_i64(whole, &seconds) != NUMBER_OK) return false;
    for (size_t i = 0; i < part.len && scale; i++, scale /= 10) ns += (part.data[i] - '0') * scale;
    return !__builtin_mul_overflow(seconds, INT64_C(1000000000), &seconds) && !__builtin_add_overflow(seconds, ns, out);
}

/* SECONDS.FRACTION: and blanks; NULL = it does not stand here. */
static const char *take_time(const char *p, const char *end, int64_t *out)
{
    const char *point = skip_digits(p, end);
    if (point == p || point == end || *point != '.') return NULL;
    const char *after = skip_digits(point + 1, end);
    if (after == point + 1 || after + 1 >= end || *after != ':' || !is_blank(after[1])) return NULL;
    return to_ns(slice_from(p, point), slice_from(point + 1, after), out) ? skip_blanks(after + 1, end) : NULL;
}

/* A word that ends with ':', perhaps after a number that is the period; what follows may be a frame. */
static bool take_event(const char *p, const char *end, struct perf_script_head *h)
{
    const char *after = skip_digits(p, end);
    h->period = 1;
    if (after > p && after < end && is_blank(*after)) {
        h->has_period = true;
        h->is_large = number_u64(slice_from(p, after), &h->period) != NUMBER_OK;
        p = skip_blanks(after, end);
    }
    after = skip_word(p, end);
    if (after < p + 2 || after[-1] != ':' || (!h->has_time && !is_letter(*p))) return false;
    h->event = slice_from(p, after - 1);
    assay_slice rest = slice_trim(slice_from(after, end));
    if (perf_script_is_frame(rest, false)) h->frame = rest;
    return true;
}

/* What follows the name of the thread. */
static bool match(const char *p, const char *end, bool has_time, struct perf_script_head *h)
{
    *h = (struct perf_script_head){ .has_time = has_time };
    p = take_thread(p, end, &h->thread);
    if (!p) return false;
    p = skip_cpu(p, end);
    if (has_time) p = take_time(p, end, &h->time);
    return p && take_event(p, end, h);
}

/* With a time the first place counts where everything fits, without one the last: names of threads end with numbers, and an event is one word. */
bool perf_script_head(assay_slice line, struct perf_script_head *out)
{
    struct perf_script_head h;
    const char *begin = line.data, *end = begin + line.len, *found = NULL;
    bool has_time = memchr(begin, '.', line.len) != NULL;
    for (const char *p = skip_blanks(begin, end); has_time && p < end; p = skip_blanks(skip_word(p, end), end)) {
        if (!(is_digit(*p) || *p == '-') || !match(p, end, true, out)) continue;
        out->comm = slice_trim(slice_from(begin, p));
        return true;
    }
    for (const char *p = skip_blanks(begin, end); p < end; p = skip_blanks(skip_word(p, end), end)) {
        if (!(is_digit(*p) || *p == '-') || !match(p, end, false, &h)) continue;
        assay_slice comm = slice_trim(slice_from(begin, p));
        if (!comm.len) continue;
        found = p;
        *out = h;
        out->comm = comm;
    }
    return found != NULL;
}

bool perf_script_has_time(assay_slice line)
{
    const char *at = line.data, *end = at + line.len;
    while ((at = memchr(at, '.', (size_t)(end - at)))) {
        const char *from = at, *to = skip_digits(at + 1, end);
        while (from > line.data && is_digit(from[-1])) from--;
        bool is_time = to - at > 6 && to - at <= 10 && from < at && to + 1 < end && *to == ':' && is_blank(to[1]);
        if (is_time && from > line.data && is_blank(from[-1])) return true;
        at++;
    }
    return false;
}

/* ---- frames ---- */

bool perf_script_is_frame(assay_slice line, bool must_end)
{
    const char *p = line.data, *end = p + line.len;
    while (p < end && is_hex(*p)) p++;
    return p > line.data && p < end && is_blank(*p) && (!must_end || end[-1] == ')');
}

/* The last group in parentheses that stands behind a blank; names of files may have parentheses of their own. NULL = there is none. */
static const char *find_module(assay_slice text)
{
    size_t open = 0;
    if (!text.len || text.data[text.len - 1] != ')') return NULL;
    for (const char *p = text.data + text.len; p-- > text.data;) {
        if (*p == ')') open++;
        if (*p == '(' && --open == 0) return p == text.data || is_blank(p[-1]) ? p : NULL;
    }
    return NULL;
}

/* Without +0x and digits at its end. */
static assay_slice cut_offset(assay_slice symbol)
{
    const char *p = symbol.data + symbol.len;
    while (p > symbol.data && is_hex(p[-1])) p--;
    bool is_offset = p < symbol.data + symbol.len && p - symbol.data >= 3 && p[-1] == 'x' && p[-2] == '0' && p[-3] == '+';
    return is_offset ? slice_from(symbol.data, p - 3) : symbol;
}

struct perf_script_frame perf_script_frame(assay_slice text)
{
    struct perf_script_frame f = { 0 };
    const char *p = text.data, *end = p + text.len;
    while (p < end && is_hex(*p)) p++;
    (void)number_hex(slice_from(text.data, p), &f.ip);
    assay_slice rest = slice_trim(slice_from(p, end));
    const char *module = find_module(rest);
    if (module) {
        f.module = slice_from(module + 1, end - 1);
        rest = slice_trim(slice_from(rest.data, module));
    }
    f.is_inlined = slice_is(f.module, "inlined");
    if (f.is_inlined) f.module = (assay_slice){ NULL, 0 };
    f.symbol = cut_offset(rest);
    if (!f.symbol.len) f.symbol = SLICE("[unknown]");
    return f;
}

bool perf_script_source(assay_slice text, assay_slice *file, uint32_t *line)
{
    uint64_t number;
    const char *colon = text.len ? memrchr(text.data, ':', text.len) : NULL;
    if (!colon || number_u64(slice_from(colon + 1, text.data + text.len), &number) != NUMBER_OK || !number || number > UINT32_MAX) return false;
    *file = slice_from(text.data, colon);
    *line = (uint32_t)number;
    return file->len > 0;
}
