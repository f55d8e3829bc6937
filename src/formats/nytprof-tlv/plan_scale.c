/* Figures of a profile -> ticks of 100 ns. */
#include <math.h>

#include "analysis/core/units.h"
#include "base/number.h"
#include "base/wide.h"
#include "formats/nytprof-tlv/decode.h"
#include "formats/nytprof-tlv/plan.h"

assay_slice tlv_plan_attribute(const assay_profile *p, const char *key)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    assay_slice found = { NULL, 0 };
    for (uint32_t i = 0; i < a->count; i++)
        if ((!a->stream || a->stream[i].v == 0) && slice_is(assay_profile_string(p, a->key[i]), key)) found = assay_profile_string(p, a->value[i]);
    return found;
}

/* Readers of chunked streams count it, because an A chunk may say otherwise than the banner. */
static uint64_t ticks_per_sec(const assay_profile *p)
{
    const struct assay_counts *c = assay_profile_counts(p);
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (slice_is(assay_profile_string(p, c->name[i]), "ticks_per_sec")) ticks = c->value[i];
    if (!ticks) (void)number_u64(tlv_plan_attribute(p, "ticks_per_sec"), &ticks);
    return ticks ? ticks : TLV_TICKS_PER_SEC;
}

struct tlv_scale tlv_scale_of(const assay_profile *p, assay_metric_id m)
{
    const struct assay_metrics *all = assay_profile_metrics(p);
    struct tlv_scale s = { 1, 1, false, all->type ? (enum assay_type)all->type[m.v] : ASSAY_U64 };
    assay_slice unit = assay_profile_string(p, all->unit[m.v]);
    if (slice_is(unit, "tick")) s = (struct tlv_scale){ TLV_TICKS_PER_SEC, ticks_per_sec(p), true, s.type };
    double ns = units_time(unit);
    if (ns >= 1 && ns == floor(ns) && ns <= 1e12) s = (struct tlv_scale){ (uint64_t)ns, 1000000000 / TLV_TICKS_PER_SEC, true, s.type };
    return s;
}

static uint64_t from_double(struct tlv_plan *plan, const struct tlv_scale *scale, double v)
{
    double ticks = v * (double)scale->num / (double)scale->den, whole = nearbyint(ticks);
    if (!(ticks >= 0)) {
        plan->negative++;
        return 0;
    }
    /* seconds that were ticks once are not exact as doubles */
    plan->rounded += fabs(whole - ticks) > 1e-3;
    if (whole < 18446744073709551615.0) return (uint64_t)whole;
    plan->saturated++;
    return UINT64_MAX;
}

uint64_t tlv_plan_ticks(struct tlv_plan *plan, const struct tlv_scale *scale, assay_value v)
{
    if (scale->type == ASSAY_F64) return from_double(plan, scale, v.d);
    if (scale->type == ASSAY_I64 && v.i < 0) {
        plan->negative++;
        return 0;
    }
    if (scale->num == scale->den) return v.u;
    uint64_t rest;
    u128 product = u128_product(v.u, scale->num);
    u128_quotient(product, scale->den, &rest);
    plan->rounded += rest != 0;
    product = u128_quotient(u128_plus(product, u128_of(scale->den / 2)), scale->den, NULL);
    if (u128_fits(product)) return product.low;
    plan->saturated++;
    return UINT64_MAX;
}
