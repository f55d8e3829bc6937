/* Units of time; see units.h. */
#include "analysis/core/units.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/slice.h"

static const struct {
    const char *name;
    double ns;
} times[] = { { "ns", 1 },    { "us", 1e3 },      { "usec", 1e3 },         { "ms", 1e6 },           { "s", 1e9 },
              { "sec", 1e9 }, { "seconds", 1e9 }, { "milliseconds", 1e6 }, { "microseconds", 1e3 }, { "nanoseconds", 1 } };
enum { TIMES = sizeof times / sizeof *times };

double units_time(assay_slice unit)
{
    double factor = 1;
    size_t digits = 0;
    if (!unit.len) return 0;
    while (digits < unit.len && ((unit.data[digits] >= '0' && unit.data[digits] <= '9') || unit.data[digits] == '.')) digits++;
    if (digits && (number_double((assay_slice){ unit.data, digits }, &factor) != NUMBER_OK || !(factor > 0))) return 0;
    for (size_t i = 0; i < TIMES; i++)
        if (slice_is((assay_slice){ unit.data + digits, unit.len - digits }, times[i].name)) return factor * times[i].ns;
    return 0;
}

static assay_slice unit_of(const assay_profile *p, assay_metric_id metric)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    return m->unit ? assay_profile_string(p, m->unit[metric.v]) : SLICE("");
}

static double ns_of_tick(const assay_profile *p)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    double per_second = 0;
    for (uint32_t i = 0; i < a->count && per_second <= 0; i++)
        if (slice_is(assay_profile_string(p, a->key[i]), "ticks_per_sec") && number_double(assay_profile_string(p, a->value[i]), &per_second) != NUMBER_OK)
            per_second = 0;
    return per_second > 0 && per_second <= 1e9 ? 1e9 / per_second : 0;
}

double units_ns(const assay_profile *p, assay_metric_id metric)
{
    assay_slice unit = unit_of(p, metric);
    if (slice_is(unit, "tick")) return ns_of_tick(p);
    return units_time(unit);
}

double units_quantity(const assay_profile *p, assay_metric_id metric)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    double ns = units_ns(p, metric);
    return (m->total_double ? m->total_double[metric.v] : 0) * (ns > 0 ? ns : 1);
}

const char *units_name(const assay_profile *p, assay_metric_id metric)
{
    static const char *const ticks[] = { "ns", "10ns", "100ns", "us", "ms", "s" };
    assay_slice unit = unit_of(p, metric);
    double ns = slice_is(unit, "tick") ? ns_of_tick(p) : 0;
    for (size_t i = 0; ns > 0 && i < sizeof ticks / sizeof *ticks; i++)
        if (units_time(slice_of(ticks[i])) == ns) return ticks[i];
    return unit.data ? unit.data : "";
}

bool units_is_count(assay_slice unit)
{
    static const char *const names[] = { "", "count", "n", "executions", "hits", "samples", "calls", "events", "lines", "functions" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(unit, names[i])) return true;
    return false;
}

/* ---- in names ---- */

static void copy(assay_slice s, char unit[UNITS_TEXT])
{
    size_t len = s.len < UNITS_TEXT ? s.len : 0;
    if (len) memcpy(unit, s.data, len);
    unit[len] = '\0';
}

void units_in_name(assay_slice name, char unit[UNITS_TEXT])
{
    const char *close = name.len ? memrchr(name.data, ')', name.len) : NULL;
    const char *open = close ? memrchr(name.data, '(', (size_t)(close - name.data)) : NULL;
    copy(open ? slice_from(open + 1, close) : SLICE(""), unit);
}

void units_of_event(assay_slice name, char unit[UNITS_TEXT])
{
    copy(SLICE("count"), unit);
    if (slice_is(name, "Time")) copy(SLICE("us"), unit);
    if (slice_is(name, "sysTime")) copy(SLICE("ms"), unit);
    if (slice_starts(name, "Memory") || slice_contains(name, "_(bytes)")) copy(SLICE("bytes"), unit);
    if (name.len > 3 && name.data[name.len - 1] == ')' && slice_contains(name, "_(")) units_in_name(name, unit);
    if (!*unit) copy(SLICE("count"), unit);
}

void units_to_tell(const assay_profile *p, assay_metric_id metric, const char *told, char unit[UNITS_TEXT])
{
    assay_slice own = unit_of(p, metric);
    const char *name = units_name(p, metric);
    unit[0] = '\0';
    if (units_is_count(own) && units_is_count(slice_of(told))) return;
    if (slice_is(own, told) || strcmp(name, told) == 0) return;
    copy(units_is_count(own) ? SLICE("count") : slice_of(name), unit);
    double ns = slice_is(slice_of(name), "tick") ? ns_of_tick(p) : 0;
    if (ns > 0) { /* of a clock that matches no unit */
        char number[48];
        size_t len = number_put_double(number, ns);
        snprintf(unit, UNITS_TEXT, "%.*sns", (int)len, number);
    }
    for (char *at = unit; *at; at++)
        if ((unsigned char)*at <= ' ' || *at == '(' || *at == ')') *at = '_';
}

bool units_full_name(const assay_profile *p, assay_metric_id metric, struct arena *text, assay_slice *out)
{
    char told[UNITS_TEXT], unit[UNITS_TEXT];
    assay_slice name = assay_profile_string(p, assay_profile_metrics(p)->name[metric.v]);
    units_in_name(name, told);
    units_to_tell(p, metric, told, unit);
    *out = name;
    if (!*unit) return true;
    size_t room = name.len + UNITS_TEXT + 4;
    char *at = arena_text(text, room);
    if (!at) return false;
    *out = (assay_slice){ at, (size_t)snprintf(at, room, "%.*s (%s)", (int)name.len, name.data ? name.data : "", unit) };
    return true;
}
