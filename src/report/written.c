/* What `convert` and `merge` did, as JSON. The lines on standard error are the command's. */
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "report/report.h"

static void put_text(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_text(j, text);
}

static void put_count(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_u64(j, v);
}

/* ---- what was written ---- */

static void put_losses(struct json *j, const assay_losses *losses)
{
    json_key(j, "losses");
    json_array(j);
    for (size_t i = 0; losses && i < losses->count; i++) {
        json_object(j);
        put_text(j, "kind", losses->at[i].kind);
        put_count(j, "count", losses->at[i].count);
        put_text(j, "message", losses->at[i].message);
        json_end(j);
    }
    json_end(j);
}

/* FORMAT or FORMAT:VERSION; where no version is given, the first is written. */
static void put_target(struct json *j, const char *to)
{
    const char *colon = strchr(to, ':'), *version = colon ? colon + 1 : NULL;
    json_key(j, "to");
    json_string(j, (assay_slice){ to, colon ? (size_t)(colon - to) : strlen(to) });
    const struct assay_format_info *f = colon ? NULL : assay_format_find(to);
    if (f && f->versions) version = f->versions[0];
    put_text(j, "version", version);
}

static void put_converted(struct json *j, const struct assay_written *w)
{
    put_text(j, "input", w->input_count ? w->inputs[0] : NULL);
    put_text(j, "from", w->from);
    put_target(j, w->to);
    put_text(j, "output", w->output);
    put_losses(j, w->losses);
}

/* ---- what was merged ---- */

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

static void put_merged(struct json *j, const struct assay_written *w, const assay_coverage_counts *counts)
{
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(w->merged, &count);
    json_key(j, "inputs");
    json_array(j);
    for (size_t i = 0; i < w->input_count; i++) json_text(j, w->inputs[i]);
    json_end(j);
    put_target(j, w->to);
    put_text(j, "output", w->output);
    put_counts(j, counts);
    put_losses(j, w->losses);
    json_key(j, "warnings");
    json_array(j);
    for (size_t i = 0; i < count; i++) report_finding_json(j, &warnings[i]);
    json_end(j);
}

int assay_report_written(const struct assay_written *what, const struct assay_report_sink *sink, assay_error *err)
{
    assay_error local;
    struct assay_written w;
    struct assay_report_sink to;
    assay_coverage_counts counts;
    struct mem mem;
    struct report r = { .mem = &mem, .style = REPORT_JSON };
    err = error_enter(err, &local);
    mem_init(&mem, 0);
    TRY(OPTIONS_TAKE(struct assay_written, merged, &w, what, err));
    TRY(OPTIONS_TAKE(struct assay_report_sink, color, &to, sink, err));
    if (!w.to || !to.write) FAIL(err, ASSAY_ERR_USAGE, w.to ? "the sink has no function that takes the text" : "no target format given");
    if (w.merged) TRY(assay_coverage_count(w.merged, &counts, NULL, err));
    TRY(output_open_fn(&r.out, to.write, to.arg, &mem, err));
    json_init(&r.json, r.out);
    report_json_begin(&r, w.merged ? "merge" : "convert");
    if (w.merged)
        put_merged(&r.json, &w, &counts);
    else
        put_converted(&r.json, &w);
    json_end(&r.json);
    TRY(report_end(&r, err));
    return output_commit(r.out, err);
}
