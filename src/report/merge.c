/* `merge`: what came out, what was found and what was lost, as JSON. The lines on standard error are the command's. */
#include "report/report.h"

static void put_count(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_u64(j, v);
}

static void put_counts(struct json *j, const assay_coverage_counts *n)
{
    json_key(j, "counts");
    json_object(j);
    put_count(j, "files", n->files);
    put_count(j, "lines", n->lines);
    put_count(j, "lines_hit", n->lines_hit);
    put_count(j, "functions", n->functions);
    put_count(j, "functions_hit", n->functions_hit);
    put_count(j, "branches", n->branches);
    put_count(j, "branches_hit", n->branches_hit);
    json_end(j);
}

static void put_text(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_text(j, text);
}

void report_merge(struct report *r, const struct report_merge *m)
{
    struct json *j = &r->json;
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(m->profile, &count);
    report_json_begin(r, "merge");
    json_key(j, "inputs");
    json_array(j);
    for (size_t i = 0; i < m->input_count; i++) json_text(j, m->inputs[i]);
    json_end(j);
    put_text(j, "to", m->to);
    put_text(j, "version", m->version);
    put_text(j, "output", m->output);
    put_counts(j, m->counts);
    report_losses_json(j, m->losses);
    json_key(j, "warnings");
    json_array(j);
    for (size_t i = 0; i < count; i++) report_finding_json(j, &warnings[i]);
    json_end(j);
    json_end(j);
}
