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
    } units[] = { { "", 1 }, { "ns", 1 }, { "us", 1e3 }, { "\xc2\xb5s", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
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
    size_t digits = number_len(s);
    assay_slice number = { s.data, digits }, unit = slice_trim((assay_slice){ s.data + digits, s.len - digits });
    *out = (struct time_end){ .is_given = s.len > 0, .is_percent = slice_is(unit, "%"), .is_plain = !unit.len };
    if (!s.len) return true;
    if (number_double(number, &out->number) != NUMBER_OK) return false;
    if (out->is_percent) return out->number <= 100;
    out->number *= unit_of(unit);
    return unit_of(unit) > 0;
}

int time_window_parse(const char *text, struct time_window *out, assay_error *err)
{
    const char *dots = strstr(text, "..");
    *out = (struct time_window){ 0 };
    if (!dots || !parse_end(slice_trim(slice_from(text, dots)), &out->from) || !parse_end(slice_trim(slice_of(dots + 2)), &out->to))
        FAIL(err, ASSAY_ERR_USAGE,
             "invalid time range '%.60s'; use A..B, where each end is empty or a number with ns, us, ms, s or %%, such as 1.5s..2s or 90%%..", text);
    return 0;
}

static uint64_t since_of(const struct time_end *e, double plain, uint64_t span, uint64_t otherwise)
{
    double at = e->is_percent ? (double)span * e->number / 100 : e->is_plain ? e->number * plain : e->number;
    if (!e->is_given) return otherwise;
    if (e->is_percent && e->number >= 100) return span;
    return round(at) < 0x1p64 ? (uint64_t)round(at) : UINT64_MAX;
}

int time_window_apply(const struct time_window *w, double plain, int64_t begin, int64_t end, int64_t *from, int64_t *to, assay_error *err)
{
    uint64_t span = (uint64_t)end - (uint64_t)begin;
    uint64_t first = since_of(&w->from, plain, span, 0), last = since_of(&w->to, plain, span, span);
    if (last < first && w->to.is_given) FAIL(err, ASSAY_ERR_USAGE, "the time range ends before it begins");
    if (first > span) FAIL(err, ASSAY_ERR_USAGE, "no events in that time range: it begins after the last event");
    *from = (int64_t)((uint64_t)begin + first);
    *to = (int64_t)((uint64_t)begin + (last < span ? last : span));
    return 0;
}

void time_window_snap(double tick, int64_t last, int64_t *from, int64_t *to)
{
    if (!(tick > 1)) return;
    double first = floor((double)*from / tick), end = floor((double)*to / tick);
    if (*to < last) *to = (int64_t)round((end > first ? end : first + 1) * tick);
    *from = (int64_t)round(first * tick);
    if (*to > last) *to = last;
}
