/* assay diff of two profiles: functions, and the gate for builds. */
#include "cli/diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/change.h"

enum { NAMED = 10 /* functions that the gate names */, NAME_LEN = 1200 };

static void say(const char *what, double growth, const char *how)
{
    if (isinf(growth))
        cli_message("%s %s, up from zero", what, how);
    else
        cli_message("%s %s: +%.2f%%", what, how, growth);
}

/* What the gate calls a row: "work in main.c", "main.c:20", "main;work". */
static void name_row(struct cli *c, char *buf, size_t len, const assay_profile_diff *d, size_t row)
{
    const assay_diff_func *f = &d->funcs[row];
    report_bytes place = { 0 };
    bool is_function = d->by == ASSAY_DIFF_BY_FUNCTION;
    const char *text = report_diff_place(&c->mem, &place, d, row, REPORT_NAMES_SHOWN);
    snprintf(buf, len, "%s%s%s", is_function ? f->name : "", is_function && *f->file ? " in " : "", text);
    vec_done(&c->mem, &place);
}

/* Names what grew more than allowed; true = nothing did. */
static bool keeps_gate(struct cli *c, const assay_profile_diff *d, const struct assay_diff_gate *gate)
{
    const assay_diff_metric *m = &d->metrics[gate->k];
    double whole = assay_diff_growth(d, SIZE_MAX, gate);
    size_t named = 0, found = 0;
    if (whole > gate->percent) say("the total", whole, "is higher");
    for (size_t i = 0; i < d->count; i++) {
        char name[NAME_LEN];
        double growth = assay_diff_growth(d, i, gate);
        if (!(growth > gate->percent)) continue;
        found++;
        if (named == NAMED) continue;
        named++;
        name_row(c, name, sizeof name, d, i);
        if (d->funcs[i].state == ASSAY_DIFF_NEW)
            cli_message("%s is new and costs %.2f%% of the total%s", name, growth, gate->normalise ? "" : " before");
        else
            say(name, growth, "costs more");
    }
    if (found > named) cli_message("and %zu more %ss", found - named, report_diff_nouns[d->by]);
    if (found || whole > gate->percent) cli_message("%s: --fail-above allows %g%%", m->name, gate->percent);
    return !found && !(whole > gate->percent);
}

static int show(struct cli *c, const assay_profile_diff *d)
{
    struct report r;
    struct output *out;
    struct assay_diff_gate gate = { d->metric, c->set.fail_above, c->set.has_min_cost ? c->set.min_cost : 1, c->set.normalise };
    struct report_profile_diff result = { c->set.files.at[0], c->set.files.at[1], d, gate, c->set.has_fail_above, true };
    if (!cli_open_output(c, &out)) return c->exit;
    if (c->set.has_fail_above) result.is_ok = keeps_gate(c, d, &gate);
    if (!result.is_ok) cli_note(c, CLI_NO);
    cli_report(c, out, &r);
    report_profile_diff(&r, &result);
    return cli_end_report(c, &r);
}

int cli_diff_profiles(struct cli *c, const assay_profile *before, const assay_profile *after)
{
    assay_error err = { 0 };
    assay_profile_diff *d = NULL;
    struct assay_profile_diff_options o = {
        .metric = c->set.metric,
        .max_memory = cli_max_memory(c),
        .by = (enum assay_diff_by)c->set.diff_by,
        .normalise = c->set.normalise,
        .only_metric = c->set.json != JSON_FULL,
    };
    int rc = assay_profile_diff_new(before, after, &o, &d, &err);
    if (rc == 0 && c->set.has_fail_above && d->metric_count > d->first_formula && d->metric >= d->first_formula)
        rc = error_set(&err, ASSAY_ERR_USAGE, "--fail-above needs a metric that adds up over functions, not '%.60s'", d->metrics[d->metric].name);
    if (rc == 0 && !d->metric_count) rc = error_set(&err, ASSAY_ERR_UNSUPPORTED, "the inputs have no metric to compare");
    int code = rc == 0 ? show(c, d) : cli_fail(c, &err);
    assay_profile_diff_free(d);
    return code;
}
