/* diff: how two inputs differ, coverage reports or profiles. */
#include <string.h>

#include "base/error.h"
#include "base/option_table.h"
#include "report/verbs/changes.h"
#include "report/verbs/scaling.h"

/* In the order of enum assay_diff_by. */
static const char *const by_words[] = { "function", "line", "context", NULL };

static const struct option_spec options[] = {
    { .name = "by",
      .type = OPTION_WORD,
      .argument = "WHAT",
      AT(diff_by),
      .words = by_words,
      .help = "profiles: compare by function, line or context; function by default",
      .text = "Lines are those of 'assay annotate'. Contexts match if all function names from the root match." },
    { .name = "base",
      .type = OPTION_PATH,
      .argument = "FILE",
      AT(base),
      .help = "the input to compare with: 'diff --base BEFORE AFTER' is 'diff BEFORE AFTER'" },
    OPTIONS_SCALING,
    OPTIONS_CHANGES,
    OPTION_BRANCHES,
    OPTION_FAIL_UNDER_NEW,
    OPTIONS_DIFF_GATES,
    OPTION_METRICS(" By default, the first of these that both profiles have."),
    OPTION_METRICS_FILE,
    { .name = "fail-above",
      .type = OPTION_PERCENT,
      .argument = "PERCENT",
      AT(fail_above),
      GIVEN(has_fail_above),
      .help = "profiles: exit with status 1 if the total, or the self cost of any function (line, context), grows by more than PERCENT",
      .text = "Relative to the cost before; for a new function, relative to the total before." },
    { .name = "min-cost",
      .type = OPTION_PERCENT,
      .argument = "PERCENT",
      AT(min_cost),
      GIVEN(has_min_cost),
      .help = "profiles: --fail-above ignores functions below PERCENT of the total; 1% by default" },
    { .name = "normalise",
      .type = OPTION_FLAG,
      AT(normalise),
      .help = "profiles: compare shares of the total, for runs of different length",
      .text = "Applies to the order of rows, the percent column and --fail-above." },
    OPTION_LIMIT("profiles: show at most N functions, lines or contexts; 30 by default, 0 = all"),
    OPTIONS_TABLE,
    OPTIONS_ISSUES,
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Compares two coverage reports or two profiles. Coverage is compared line by line: new lines that are missed, lines that are no longer covered, lines that "
    "are now covered. Each line falls into one of twelve categories (docs/patch.md); files without changes are not listed.",
    "A diff of the sources (--diff, --git) maps old line numbers to new ones. Without it, lines are compared by number, which is wrong after the first line "
    "that was added or removed.",
    "For profiles, it lists the functions whose cost differs, the largest change first: self cost before and after, each also as a share of the total, and the "
    "change including callees. --by compares source lines or calling contexts instead.",
    "With --scaling, the inputs are runs of one program on different numbers of ranks, the first of them the one to compare with: what each costs above the "
    "ideal, its efficiency, and "
    "which functions, lines or contexts the loss is in.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay diff before.info after.info --git v1.0..HEAD", "coverage since the last release" },
    { "assay diff before.info after.info --max-drop 0.5% --fail-on LBC", "fail a build that loses coverage" },
    { "assay diff before.callgrind after.callgrind --fail-above 2%", "fail a build that got slower" },
    { "assay diff before.callgrind after.callgrind --by line", "which lines cost more" },
    { "assay diff --scaling strong --ranks 8,64 before.callgrind after.callgrind", "what a run on 64 ranks loses, and in which functions" },
    { NULL, NULL },
};

/* ---- two inputs ---- */

struct compared {
    VEC(assay_profile *) p;
    VEC(const char *) path;
};

static int compare(assay_reporter *r, const struct compared *x, assay_error *err)
{
    assay_coverage_diff *diff = NULL;
    struct assay_patch_options o = { .branches = r->set.branches, .max_memory = r->set.read.max_memory };
    struct report_diff result = { .before = x->path.at[0], .after = x->path.at[1], .changes = r->change };
    TRY(assay_coverage_diff_new(x->p.at[0], x->p.at[1], r->changes, &o, &diff, err));
    change_say_findings(r, diff->warnings, diff->warning_count);
    result.diff = diff;
    diff_gates(r, diff, &result);
    report_coverage_diff(&r->report, &result);
    assay_coverage_diff_free(diff);
    return 0;
}

static bool has_only_coverage(const assay_profile *p) { return assay_profile_shapes(p) == ASSAY_SHAPE_COVERAGE; }

/* ---- the verb ---- */

static uint32_t want(const assay_reporter *r)
{
    static const uint32_t by[] = { ASSAY_WANT_SUMS | ASSAY_WANT_SPARSE, ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_SPARSE | ASSAY_WANT_LINES,
                                   ASSAY_WANT_TREE };
    return ASSAY_WANT_COVERAGE | by[r->set.diff_by];
}

static int check(assay_reporter *r, assay_error *err)
{
    size_t inputs = r->inputs + (r->set.base != NULL);
    TRY(diff_gates_check(r, err));
    if (r->set.has_scaling && (r->set.sarif || r->set.junit))
        FAIL(err, ASSAY_ERR_USAGE, "--scaling has no gates: it cannot be combined with --sarif or --junit");
    if (!r->set.has_scaling && inputs > 2) FAIL(err, ASSAY_ERR_USAGE, "two inputs are compared, not %zu; add --scaling to compare more", inputs);
    TRY(scaling_check(r, err));
    return change_check(r, err);
}

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    struct compared *x = r->state;
    const char **name = vec_push(&r->mem, &x->path);
    assay_profile **to = name ? vec_push(&r->mem, &x->p) : NULL;
    if (!to) return error_memory(err);
    *name = path;
    *to = assay_profile_retain(p);
    return 0;
}

static int end(assay_reporter *r, assay_error *err)
{
    const struct compared *x = r->state;
    if (x->p.len < 2) FAIL(err, ASSAY_ERR_USAGE, "two inputs are needed");
    if (r->set.has_scaling) return scaling_show(r, (const assay_profile *const *)x->p.at, x->path.at, x->p.len, err);
    if (has_only_coverage(x->p.at[0]) && has_only_coverage(x->p.at[1])) return compare(r, x, err);
    return diff_profiles(r, x->p.at[0], x->p.at[1], x->path.at, err);
}

static void done(assay_reporter *r)
{
    struct compared *x = r->state;
    for (size_t i = 0; i < x->p.len; i++) assay_profile_release(x->p.at[i]);
    vec_done(&r->mem, &x->p, &x->path);
    change_done(r);
}

const struct report_verb diff_verb = {
    .order = 110,
    .about = { "diff", "compare two profiles or coverage reports", "BEFORE AFTER...", 2, SIZE_MAX, NULL, text, examples },
    .options = options,
    .needs_all = true,
    .state = sizeof(struct compared),
    .check = check,
    .want = want,
    .begin = change_read,
    .add = add,
    .end = end,
    .done = done,
};
