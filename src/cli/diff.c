/* assay diff: how two inputs differ, coverage reports or profiles. */
#include <string.h>

#include "base/error.h"
#include "cli/changes.h"
#include "cli/diff.h"
#include "cli/verbs.h"

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
    OPTIONS_CHANGES,
    OPTION_BRANCHES,
    OPTION_FAIL_UNDER_NEW,
    OPTIONS_DIFF_GATES,
    OPTION_METRICS(" By default, the first of these that both profiles have."),
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
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay diff before.info after.info --git v1.0..HEAD", "coverage since the last release" },
    { "assay diff before.info after.info --max-drop 0.5% --fail-on LBC", "fail a build that loses coverage" },
    { "assay diff before.callgrind after.callgrind --fail-above 2%", "fail a build that got slower" },
    { "assay diff before.callgrind after.callgrind --by line", "which lines cost more" },
    { NULL, NULL },
};

static int show(struct cli *c, const assay_coverage_diff *diff, const char *changes)
{
    struct report r;
    struct output *out;
    struct report_diff result = { .before = c->set.files.at[0], .after = c->set.files.at[1], .changes = changes, .diff = diff };
    if (!cli_open_output(c, &out)) return c->exit;
    cli_diff_gates(c, diff, &result);
    cli_report(c, out, &r);
    report_coverage_diff(&r, &result);
    return cli_end_report(c, &r);
}

static int compare(struct cli *c, const assay_profile *const *p, const assay_changes *changes, const char *name)
{
    assay_error err = { 0 };
    assay_coverage_diff *diff = NULL;
    struct assay_patch_options o = { .branches = c->set.branches, .max_memory = cli_max_memory(c) };
    if (assay_coverage_diff_new(p[0], p[1], changes, &o, &diff, &err) != 0) return cli_fail(c, &err);
    if (!c->set.json) cli_print_findings(diff->warnings, diff->warning_count);
    int code = show(c, diff, name);
    assay_coverage_diff_free(diff);
    return code;
}

static bool has_only_coverage(const assay_profile *p) { return assay_profile_shapes(p) == ASSAY_SHAPE_COVERAGE; }

static uint32_t want_for(unsigned by)
{
    static const uint32_t want[] = { ASSAY_WANT_SUMS | ASSAY_WANT_SPARSE, ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES, ASSAY_WANT_TREE };
    return want[by];
}

static int run(struct cli *c)
{
    assay_changes *changes = NULL;
    const char *name = NULL;
    assay_profile *p[2] = { NULL, NULL };
    assay_error err = { 0 };
    int rc = 0;
    if (!cli_diff_gates_good(c)) return CLI_USAGE;
    if (cli_has_changes(c) && !cli_read_changes(c, &changes, &name)) return c->exit;
    for (size_t i = 0; rc == 0 && i < 2; i++) {
        rc = cli_read_profile(c, c->set.files.at[i], ASSAY_WANT_COVERAGE | want_for(c->set.diff_by), &p[i], &err);
        if (rc != 0)
            error_path(&err, c->set.files.at[i]);
        else
            cli_warn_of_damage(c->set.files.at[i], p[i]);
    }
    if (rc != 0)
        cli_fail(c, &err);
    else if (!has_only_coverage(p[0]) || !has_only_coverage(p[1]))
        cli_diff_profiles(c, p[0], p[1]);
    else
        compare(c, (const assay_profile *const *)p, changes, name);
    assay_profile_release(p[0]);
    assay_profile_release(p[1]);
    assay_changes_free(changes);
    return c->exit;
}

const struct verb diff_verb = { "diff", "compare two profiles or coverage reports", "BEFORE AFTER", 2, 2, options, text, examples, run, NULL };
