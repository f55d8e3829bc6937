/* Gates over the difference of two coverage reports; see changes.h. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/plural.h"
#include "base/slice.h"
#include "report/verbs/changes.h"

/* What a line of each category is, for "2 lines ...", in the order of enum assay_category. */
static const char *const meanings[ASSAY_CATEGORIES] = {
    "new and not covered",
    "no longer covered",
    "newly measured and not covered",
    "still not covered",
    "now covered",
    "newly measured and covered",
    "new and covered",
    "covered as before",
    "no longer measured, not covered before",
    "no longer measured, covered before",
    "removed, not covered before",
    "removed, covered before",
};

static bool parse_fail_on(const char *text, bool *is_set)
{
    memset(is_set, 0, ASSAY_CATEGORIES * sizeof *is_set);
    for (const char *at = text; at; at = strchr(at, ',')) {
        at += at != text;
        size_t len = strcspn(at, ","), k = 0;
        while (k < ASSAY_CATEGORIES && !(len == 3 && strncasecmp(at, assay_category_name((unsigned)k), len) == 0)) k++;
        if (k == ASSAY_CATEGORIES) return false;
        is_set[k] = true;
    }
    return true;
}

int diff_gates_check(const assay_reporter *r, assay_error *err)
{
    bool is_set[ASSAY_CATEGORIES];
    if (!r->set.fail_on || parse_fail_on(r->set.fail_on, is_set)) return 0;
    FAIL(err, ASSAY_ERR_USAGE, "--fail-on: invalid value '%s'; use a list of UNC, LBC, UIC, UBC, GBC, GIC, GNC, CBC, EUB, ECB, DUB, DCB", r->set.fail_on);
}

/* The fall with as many decimals as it takes to see that it is more than allowed. */
static void put_points(char *buf, size_t len, double points, double limit)
{
    double shown = limit;
    for (int decimals = 2; decimals <= 15 && shown <= limit; decimals++) {
        snprintf(buf, len, "%.*f", decimals, points);
        if (number_double(slice_of(buf), &shown) != NUMBER_OK) return;
    }
}

static void judge_drop(assay_reporter *r, const assay_coverage_diff *d, struct report_diff *out)
{
    char before[48], after[48], points[48];
    out->has_max_drop = r->set.has_max_drop;
    out->max_drop = r->set.max_drop;
    out->drop = assay_coverage_drop(d->before_hit, d->before, d->after_hit, d->after);
    out->keeps_drop = !out->has_max_drop || out->drop <= out->max_drop;
    if (out->keeps_drop) return;
    number_share(before, d->before_hit, d->before, 2);
    number_share(after, d->after_hit, d->after, 2);
    put_points(points, sizeof points, out->drop, out->max_drop);
    report_say(r, "line coverage fell by %s points, from %s (%llu of %llu) to %s (%llu of %llu); --max-drop allows %.12g", points, before,
               (unsigned long long)d->before_hit, (unsigned long long)d->before, after, (unsigned long long)d->after_hit, (unsigned long long)d->after,
               out->max_drop);
    r->is_no = true;
}

static void say_category(const assay_reporter *r, const assay_coverage_diff *d, unsigned category)
{
    for (size_t i = 0; i < d->count; i++) {
        const assay_diff_file *f = &d->files[i];
        for (uint32_t k = 0; k < f->line_count; k++) {
            if (f->lines[k].category != category) continue;
            bool is_new = f->new_path && f->lines[k].new_line;
            uint64_t count = d->by_category[category];
            report_say(r, "%s: %llu line%s %s, first at %s:%u", assay_category_name(category), (unsigned long long)count, plural(count), meanings[category],
                       is_new ? f->new_path : f->old_path, is_new ? f->lines[k].new_line : f->lines[k].old_line);
            return;
        }
    }
}

static void judge_categories(assay_reporter *r, const assay_coverage_diff *d, struct report_diff *out)
{
    if (!r->set.fail_on || !parse_fail_on(r->set.fail_on, out->fail_on)) return;
    out->has_fail_on = true;
    for (unsigned k = 0; k < ASSAY_CATEGORIES; k++) {
        if (!out->fail_on[k] || !d->by_category[k]) continue;
        out->failed += d->by_category[k];
        say_category(r, d, k);
        r->is_no = true;
    }
}

void diff_gates(assay_reporter *r, const assay_coverage_diff *d, struct report_diff *out)
{
    const uint64_t *n = d->by_category;
    uint64_t hit = n[out->changes ? ASSAY_GNC : ASSAY_GIC], all = hit + n[out->changes ? ASSAY_UNC : ASSAY_UIC];
    out->gate = change_gate(r, hit, all);
    judge_drop(r, d, out);
    judge_categories(r, d, out);
}
