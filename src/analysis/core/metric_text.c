/* Metrics and their values as text; see metric_text.h. */
#include "analysis/core/metric_text.h"

#include "analysis/core/units.h"
#include "analysis/core/value.h"
#include "base/number.h"

enum assay_type metric_type(const assay_profile *p, assay_metric_id metric)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    return m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64;
}

assay_slice metric_name(const assay_profile *p, assay_metric_id metric) { return assay_profile_string(p, assay_profile_metrics(p)->name[metric.v]); }

double metric_total(const assay_profile *p, assay_metric_id metric)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    if (metric_type(p, metric) == ASSAY_F64) return m->total_double ? m->total_double[metric.v] : 0;
    return m->total ? wide_double(m->total[metric.v]) : 0;
}

bool metric_has_total(const struct assay_metrics *m, uint32_t metric)
{
    return !m->formula || !m->formula[metric].v || (m->has_stated && m->has_stated[metric]);
}

const char *value_text(char *buf, bool exact, enum assay_type type, assay_value v, const char *unit)
{
    if (!exact)
        number_human(buf, value_double(type, v), unit);
    else if (type == ASSAY_U64)
        number_put_u64(buf, v.u);
    else if (type == ASSAY_I64)
        number_put_i64(buf, v.i);
    else
        number_put_double(buf, v.d);
    return buf;
}

const char *metric_total_text(char *buf, bool exact, const assay_profile *p, uint32_t metric)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    assay_metric_id id = { metric };
    buf[0] = '\0';
    if (!metric_has_total(m, metric)) return buf;
    if (!exact)
        number_human(buf, metric_total(p, id), units_name(p, id));
    else if (metric_type(p, id) == ASSAY_F64)
        number_put_double(buf, m->total_double ? m->total_double[metric] : 0);
    else
        number_put_wide(buf, m->total ? m->total[metric] : (assay_wide){ 0 });
    return buf;
}
