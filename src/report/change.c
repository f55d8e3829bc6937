/* What the reports of changes share. */
#include "report/change.h"

#include <stdio.h>

#include "base/number.h"
#include "report/issues.h"

void report_u64_json(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_u64(j, v);
}

void report_percent_json(struct json *j, const char *key, uint64_t part, uint64_t whole)
{
    json_key(j, key);
    if (whole)
        json_double(j, 100.0 * (double)part / (double)whole);
    else
        json_null(j);
}

void report_share_cell(const struct report *r, struct table *t, uint64_t part, uint64_t whole)
{
    char buf[48] = "";
    if (r->style != REPORT_CSV)
        number_share(buf, part, whole, 2);
    else if (whole)
        buf[number_put_double(buf, assay_coverage_percent(part, whole))] = 0;
    table_text(t, buf);
}

void report_gate_json(struct json *j, const struct report_gate *gate)
{
    json_key(j, "gate");
    if (!gate->is_set) {
        json_null(j);
        return;
    }
    json_object(j);
    json_key(j, "option");
    json_text(j, "fail-under-new");
    json_key(j, "least");
    json_double(j, gate->least);
    report_percent_json(j, "value", gate->covered, gate->measured);
    json_key(j, "ok");
    json_bool(j, gate->is_ok);
    json_end(j);
}

void report_gate_issue(struct report *r, const char *group, const char *path, const struct report_gate *gate)
{
    char text[240], share[48];
    if (!gate->is_set) return;
    snprintf(text, sizeof text, "patch coverage is at least %.12g%%", gate->least);
    report_case(r, group, text);
    if (gate->is_ok) return;
    number_share_below(share, gate->covered, gate->measured, 2, gate->least);
    snprintf(text, sizeof text, "patch coverage %s (%llu of %llu measured lines) is below %.12g%%", share, (unsigned long long)gate->covered,
             (unsigned long long)gate->measured, gate->least);
    struct report_issue i = { .rule = "patch-coverage", .severity = ASSAY_ERROR, .path = path, .fails = true, .text = text };
    report_issue(r, &i);
}

void report_findings_json(struct json *j, const char *key, const assay_finding *f, size_t count)
{
    json_key(j, key);
    json_array(j);
    for (size_t i = 0; i < count; i++) report_finding_json(j, &f[i]);
    json_end(j);
}

static void put_range(struct report_ranges *r)
{
    if (!r->first) return;
    output_printf(r->out, r->has_some ? ",%u" : "%u", r->first);
    if (r->last > r->first) output_printf(r->out, "-%u", r->last);
    r->has_some = true;
}

void report_range(struct report_ranges *r, uint32_t line)
{
    if (line && r->first && line == r->last + 1) {
        r->last = line;
        return;
    }
    put_range(r);
    r->first = r->last = line;
}
