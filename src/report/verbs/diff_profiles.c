/* diff of two profiles: functions, and the gate for builds. */

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/change.h"
#include "report/verbs/changes.h"

enum { NAMED = 10 /* functions that the gate names */, NAME_LEN = 1200 };

static void say(const assay_reporter *r, const assay_profile_diff *d, size_t row, const char *name, const struct assay_diff_gate *gate)
{
    char text[NAME_LEN + 80];
    report_diff_growth(text, sizeof text, d, row, name, gate);
    report_say(r, "%s", text);
}

/* What the gate calls a row: "work in main.c", "main.c:20", "main;work". */
static void name_row(assay_reporter *r, char *buf, size_t len, const assay_profile_diff *d, size_t row)
{
    const assay_diff_func *f = &d->funcs[row];
    report_bytes place = { 0 };
    bool is_function = d->by == ASSAY_DIFF_BY_FUNCTION;
    const char *text = report_diff_place(&r->mem, &place, d, row, REPORT_NAMES_SHOWN);
    snprintf(buf, len, "%s%s%s", is_function ? f->name : "", is_function && *f->file ? " in " : "", text);
    vec_done(&r->mem, &place);
}

/* Names what grew more than allowed; true = nothing did. */
static bool keeps_gate(assay_reporter *r, const assay_profile_diff *d, const struct assay_diff_gate *gate)
{
    const assay_diff_metric *m = &d->metrics[gate->k];
    double whole = assay_diff_growth(d, SIZE_MAX, gate);
    size_t named = 0, found = 0;
    if (whole > gate->percent) say(r, d, SIZE_MAX, "the total", gate);
    for (size_t i = 0; i < d->count; i++) {
        char name[NAME_LEN];
        if (!(assay_diff_growth(d, i, gate) > gate->percent)) continue;
        found++;
        if (named == NAMED) continue;
        named++;
        name_row(r, name, sizeof name, d, i);
        say(r, d, i, name, gate);
    }
    if (found > named) report_say(r, "and %zu more %ss", found - named, report_diff_nouns[d->by]);
    if (found || whole > gate->percent) report_say(r, "%s: --fail-above allows %g%%", m->name, gate->percent);
    return !found && !(whole > gate->percent);
}

static void show(assay_reporter *r, const assay_profile_diff *d, const char *const *names)
{
    struct assay_diff_gate gate = { d->metric, r->set.fail_above, r->set.has_min_cost ? r->set.min_cost : 1, r->set.normalise };
    struct report_profile_diff result = { names[0], names[1], d, gate, r->set.has_fail_above, true };
    if (r->set.has_fail_above) result.is_ok = keeps_gate(r, d, &gate);
    r->is_no |= !result.is_ok;
    report_profile_diff(&r->report, &result);
}

int diff_profiles(assay_reporter *r, const assay_profile *before, const assay_profile *after, const char *const *names, assay_error *err)
{
    assay_profile_diff *d = NULL;
    struct assay_profile_diff_options o = {
        .metric = r->set.metric,
        .max_memory = r->set.read.max_memory,
        .by = (enum assay_diff_by)r->set.diff_by,
        .normalise = r->set.normalise,
        .only_metric = r->set.json != JSON_FULL,
    };
    int rc = assay_profile_diff_new(before, after, &o, &d, err);
    if (rc == 0 && r->set.has_fail_above && d->metric_count > d->first_formula && d->metric >= d->first_formula)
        rc = error_set(err, ASSAY_ERR_USAGE, "--fail-above needs a metric that adds up over functions, not '%.60s'", d->metrics[d->metric].name);
    if (rc == 0 && !d->metric_count) rc = error_set(err, ASSAY_ERR_UNSUPPORTED, "the inputs have no metric to compare");
    if (rc == 0) show(r, d, names);
    assay_profile_diff_free(d);
    return rc;
}
