/* Units of time; see units.h. */
#include "analysis/units.h"

#include "base/number.h"
#include "base/slice.h"

static const struct {
    const char *name;
    double ns;
} times[] = { { "ns", 1 }, { "10ns", 10 }, { "100ns", 100 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "sec", 1e9 } };
enum { TIMES = sizeof times / sizeof *times };

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
    for (size_t i = 0; i < TIMES; i++)
        if (slice_is(unit, times[i].name)) return times[i].ns;
    return 0;
}

const char *units_name(const assay_profile *p, assay_metric_id metric)
{
    assay_slice unit = unit_of(p, metric);
    double ns = slice_is(unit, "tick") ? ns_of_tick(p) : 0;
    for (size_t i = 0; ns > 0 && i < TIMES; i++)
        if (times[i].ns == ns) return times[i].name;
    return unit.data ? unit.data : "";
}
