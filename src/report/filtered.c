/* What a report says of a profile that is only a part of what its file has: which filters, and how much of the whole is left. */
#include "analysis/core/metric_choice.h"
#include "analysis/core/units.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/report.h"

/* The last one counts: those before it are the file's own. */
static assay_slice attribute(const assay_profile *p, const char *key)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    for (uint32_t i = a->count; i > 0; i--)
        if (!(a->stream && a->stream[i - 1].v) && slice_is(assay_profile_string(p, a->key[i - 1]), key)) return assay_profile_string(p, a->value[i - 1]);
    return (assay_slice){ NULL, 0 };
}

static double total_of(const assay_profile *p, uint32_t metric)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    return m->total_double ? m->total_double[metric] : 0;
}

void report_filtered(struct report *r, const assay_profile *p, uint32_t metric)
{
    assay_slice by = attribute(p, "filtered");
    double whole, total = total_of(p, metric);
    char buf[48];
    if (!by.len) return;
    output_text(r->out, "filtered: ");
    text_show(r->out, by);
    if (metric && number_double(metric_whole(p, (assay_metric_id){ metric }), &whole) == NUMBER_OK && whole > 0 && total < whole) {
        number_percent(buf, total, whole);
        output_printf(r->out, " (%s of ", buf);
        if (r->exact)
            output_slice(r->out, metric_whole(p, (assay_metric_id){ metric }));
        else {
            number_human(buf, whole, units_name(p, (assay_metric_id){ metric }));
            output_text(r->out, buf);
        }
        output_char(r->out, ')');
    }
    output_text(r->out, r->style == REPORT_MARKDOWN ? "\n\n" : "\n");
}

void report_filtered_json(struct json *j, const assay_profile *p, uint32_t metric)
{
    assay_slice by = attribute(p, "filtered"), whole = metric ? metric_whole(p, (assay_metric_id){ metric }) : (assay_slice){ NULL, 0 };
    uint64_t n;
    int64_t i;
    double d;
    if (!by.len) return;
    json_key(j, "filtered");
    json_string(j, by);
    json_key(j, "whole");
    if (number_u64(whole, &n) == NUMBER_OK)
        json_u64(j, n);
    else if (number_i64(whole, &i) == NUMBER_OK)
        json_i64(j, i);
    else if (number_double(whole, &d) == NUMBER_OK)
        json_double(j, d);
    else
        json_null(j);
}
