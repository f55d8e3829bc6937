/* `diff --scaling`; see scaling.h. */
#include "report/verbs/scaling.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "report/scaling.h"

const char *const scaling_words[] = { "strong", "weak", NULL };

/* Number i of a list of numbers; 0 = there is none. */
static uint64_t listed(const char *list, size_t i)
{
    uint64_t n = 0;
    for (; i && list; i--) {
        list = strchr(list, ',');
        if (list) list++;
    }
    assay_slice text = list ? (assay_slice){ list, strcspn(list, ",") } : (assay_slice){ "", 0 };
    return number_u64(slice_trim(text), &n) == NUMBER_OK ? n : 0;
}

int scaling_check(const assay_reporter *r, assay_error *err)
{
    const struct settings *s = &r->set;
    size_t inputs = r->inputs + (s->base != NULL), commas = 0;
    if (!s->has_scaling && (s->ranks || s->draws_scaling)) FAIL(err, ASSAY_ERR_USAGE, "--%s needs --scaling", s->ranks ? "ranks" : "plot");
    if (!s->has_scaling) return 0;
    if (s->has_fail_above || s->normalise) FAIL(err, ASSAY_ERR_USAGE, "--scaling and --%s cannot be combined", s->normalise ? "normalise" : "fail-above");
    if (s->draws_scaling && (s->json || report_is_csv(s) || s->markdown))
        FAIL(err, ASSAY_ERR_USAGE, "--plot draws an SVG; it cannot be combined with --json, --csv or --markdown");
    for (const char *at = s->ranks; at && (at = strchr(at, ',')); at++) commas++;
    if (s->ranks && commas + 1 != inputs) FAIL(err, ASSAY_ERR_USAGE, "--ranks has %zu numbers for %zu inputs", commas + 1, inputs);
    for (size_t i = 0; s->ranks && i < inputs; i++)
        if (!listed(s->ranks, i))
            FAIL(err, ASSAY_ERR_USAGE, "--ranks: invalid value '%s'; use a number of 1 or more for each input, such as 8,16,32", s->ranks);
    return 0;
}

int scaling_show(assay_reporter *r, const assay_profile *const *p, const char *const *paths, size_t count, assay_error *err)
{
    SCOPED(scaling_done) struct scaling s = { .mem = NULL };
    struct assay_profile_diff_options o = {
        .metric = r->set.metric, .max_memory = r->set.read.max_memory, .by = (enum assay_diff_by)r->set.diff_by, .only_metric = true
    };
    SCRATCH(struct scaling_run, runs, &r->mem, count);
    if (!runs) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        runs[i].path = paths[i];
        runs[i].ranks = listed(r->set.ranks, i);
        if (!r->set.ranks) TRY(scaling_ranks(p[i], &r->mem, &runs[i].ranks, err));
    }
    TRY(scaling_init(&s, (enum scaling_kind)r->set.scaling, p, runs, count, &o, &r->mem, err));
    if (r->set.draws_scaling)
        report_scaling_svg(&r->report, &s);
    else
        report_scaling(&r->report, &s);
    return 0;
}
