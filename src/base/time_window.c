/* Parts of the time, as people write them; see base/time_window.h. */
#include "base/time_window.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

/* What a unit is in ns; 0 = there is no such unit. */
static double unit_of(assay_slice s)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = { { "", 1 }, { "ns", 1 }, { "us", 1e3 }, { "\xc2\xb5s", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "min", 60e9 } };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (slice_is(s, units[i].name)) return units[i].ns;
    return 0;
}

static size_t number_len(assay_slice s)
{
    size_t n = 0;
    while (n < s.len && ((s.data[n] >= '0' && s.data[n] <= '9') || s.data[n] == '.')) n++;
    return n;
}

static bool parse_end(assay_slice s, struct time_end *out)
{
    double v;
    size_t digits = number_len(s);
    assay_slice number = { s.data, digits }, unit = slice_trim((assay_slice){ s.data + digits, s.len - digits });
    *out = (struct time_end){ .is_given = s.len > 0, .is_percent = slice_is(unit, "%") };
    if (!s.len) return true;
    if (!out->is_percent && number_u64(number, &out->since) == NUMBER_OK && unit_of(unit) == 1) return true;
    if (number_double(number, &v) != NUMBER_OK) return false;
    out->percent = v;
    if (out->is_percent) return v <= 100;
    v = round(v * unit_of(unit));
    out->since = v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
    return unit_of(unit) > 0;
}

int time_window_parse(const char *text, struct time_window *out, assay_error *err)
{
    const char *dots = strstr(text, "..");
    *out = (struct time_window){ 0 };
    if (!dots || !parse_end(slice_trim(slice_from(text, dots)), &out->from) || !parse_end(slice_trim(slice_of(dots + 2)), &out->to))
        FAIL(err, ASSAY_ERR_USAGE, "'%.60s' is no time: A..B is expected, each end empty or a number with ns, us, ms, s, min or %%, such as 1.5s..2s or 90%%..",
             text);
    return 0;
}

static uint64_t since_of(const struct time_end *e, uint64_t span, uint64_t otherwise)
{
    if (!e->is_given) return otherwise;
    if (!e->is_percent) return e->since;
    double at = round((double)span * e->percent / 100);
    return at < (double)span ? (uint64_t)at : span;
}

int time_window_apply(const struct time_window *w, int64_t begin, int64_t end, int64_t *from, int64_t *to, assay_error *err)
{
    uint64_t span = (uint64_t)end - (uint64_t)begin;
    uint64_t first = since_of(&w->from, span, 0), last = since_of(&w->to, span, span);
    if (last < first) FAIL(err, ASSAY_ERR_USAGE, "the time ends before it begins");
    if (first > span) FAIL(err, ASSAY_ERR_USAGE, "nothing happened in that time: it begins after the last event");
    *from = (int64_t)((uint64_t)begin + first);
    *to = (int64_t)((uint64_t)begin + (last < span ? last : span));
    return 0;
}
