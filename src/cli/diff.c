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
      .help = "profiles: compare function, line or context; function by default",
      .text = "Lines are those of 'assay annotate'. Contexts are the same when the names of all functions from the root on are." },
    OPTIONS_CHANGES,
    OPTION_BRANCHES,
    OPTION_FAIL_UNDER_NEW,
    OPTIONS_DIFF_GATES,
    { .name = "metric", .letter = 'm', .type = OPTION_TEXT, .argument = "NAME", AT(metric), .help = "profiles: compare this metric; the first one by default" },
    { .name = "fail-above",
      .type = OPTION_PERCENT,
      .argument = "PERCENT",
      AT(fail_above),
      GIVEN(has_fail_above),
      .help = "profiles: exit with 1 when the whole, or a function (line, context) by itself, got dearer by more than this",
      .text = "In percent of what it was before; a new function in percent of the whole before." },
    { .name = "min-cost",
      .type = OPTION_PERCENT,
      .argument = "PERCENT",
      AT(min_cost),
      GIVEN(has_min_cost),
      .help = "profiles: --fail-above looks at functions with this share of the whole only; 1% by default" },
    { .name = "normalise",
      .type = OPTION_FLAG,
      AT(normalise),
      .help = "profiles: compare shares of the whole, for runs of different length",
      .text = "For the order, the percent column and --fail-above." },
    OPTION_LIMIT("profiles: show at most N functions, lines or contexts; 30 by default, 0 = all"),
    OPTIONS_TABLE,
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Compares two coverage reports line by line: which lines are new and missed, which were covered before and are no longer, which were gained. "
    "Each line falls into one of twelve categories (docs/patch.md); files in which nothing changed are not listed.",
    "A diff of the sources (--diff, --git) tells which old line is which new one. Without it lines are compared by number, which goes wrong "
    "behind the first line that was added or removed.",
    "Of two profiles it lists the functions whose figures differ, the largest change first: what they cost before and after by themselves, "
    "both also as a share of the whole, and how much they changed together with what they call. --by does the same with source lines or with calling "
    "contexts.",
    NULL,
};

static const struct example examples[] = {
    { "assay diff before.info after.info --git v1.0..HEAD", "since the last release" },
    { "assay diff before.info after.info --max-drop 0.5% --fail-on LBC", "for a build that must not get worse" },
    { "assay diff before.callgrind after.callgrind --fail-above 2%", "for a build that must not get slower" },
    { "assay diff before.callgrind after.callgrind --by line", "which lines got dearer" },
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
    static const uint32_t want[] = { ASSAY_WANT_SUMS, ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES, ASSAY_WANT_TREE };
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

const struct verb diff_verb = { "diff", "compare two inputs", "BEFORE AFTER", 2, 2, options, text, examples, run };
