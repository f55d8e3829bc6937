/* assay patch: what is covered of the lines that a change added. */
#include <string.h>

#include "base/error.h"
#include "cli/changes.h"
#include "cli/merged.h"
#include "cli/verbs.h"

static const char *const annotation_words[] = { "github", NULL };

static const struct option_spec options[] = {
    OPTIONS_CHANGES,
    OPTION_BRANCHES,
    { .name = "expand",
      .type = OPTION_FLAG,
      AT(expand),
      .help = "also count new lines between two measured lines, each like the one before it",
      .text = "For reports that contain only the first line of a statement." },
    OPTION_FAIL_UNDER_PATCH,
    OPTION_FAIL_UNDER_NEW,
    { .name = "annotations",
      .type = OPTION_WORD,
      .argument = "KIND",
      AT(annotations),
      GIVEN(has_annotations),
      .words = annotation_words,
      .help = "print uncovered lines as annotations: github" },
    OPTION_JSON,
    OPTION_CSV,
    OPTION_MARKDOWN,
    OPTION_STRICT_READ,
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTION_MAP_PATHS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Finds the lines that a change added, looks them up in the coverage reports, and lists those that are not covered. Several reports, in any mix of formats, "
    "are combined: a line is covered if it is covered in one of them.",
    "Changed files that are not in the reports are listed. If none of them is, although the reports have files of the same kind, the paths do not match, which "
    "is an error: use --map FROM=TO to translate them.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay patch coverage.info --git origin/main...HEAD --fail-under 80", "coverage of the lines a branch adds" },
    { "git diff -U0 origin/main...HEAD | assay patch unit.info system.info --diff -", "two reports, with a diff from another program" },
    { "assay patch coverage.xml --unstaged --annotations github", "annotate uncommitted changes on GitHub" },
    { NULL, NULL },
};

/* Nobody should take this for 100 %. */
static int refuse_lost(struct cli *c, const assay_profile *p, const assay_patch *patch)
{
    assay_error err = { 0 };
    const struct assay_files *f = assay_profile_files(p);
    assay_slice path = f->count ? assay_profile_string(p, f->path[1]) : (assay_slice){ "", 0 };
    error_set(&err, ASSAY_ERR_UNSUPPORTED, "none of the changed files is in the report: the change has '%.120s', the report '%.*s'; use --map FROM=TO",
              patch->lost, (int)(path.len < 120 ? path.len : 120), path.data);
    return cli_fail(c, &err);
}

static int show(struct cli *c, const assay_changes *changes, const assay_patch *patch, const char *name)
{
    struct report r;
    struct output *out;
    struct report_patch result = { .reports = c->set.files.at,
                                   .report_count = c->set.files.len,
                                   .changes = name,
                                   .patch = patch,
                                   .diff = changes,
                                   .branches = c->set.branches,
                                   .annotations = c->set.has_annotations };
    if (!cli_open_output(c, &out)) return c->exit;
    result.gate = cli_gate(c, patch->measured - patch->missing, patch->measured);
    cli_report(c, out, &r);
    report_patch(&r, &result);
    return cli_end_report(c, &r);
}

static int run_patch(struct cli *c, const assay_profile *p, const assay_changes *changes, const char *name)
{
    assay_error err = { 0 };
    assay_patch *patch = NULL;
    struct assay_patch_options o = { .branches = c->set.branches, .expand = c->set.expand, .max_memory = cli_max_memory(c) };
    if (assay_patch_new(p, changes, &o, &patch, &err) != 0) return cli_fail(c, &err);
    if (!c->set.json) cli_print_findings(changes->warnings, changes->warning_count);
    int code = patch->lost ? refuse_lost(c, p, patch) : show(c, changes, patch, name);
    assay_patch_free(patch);
    return code;
}

static int run(struct cli *c)
{
    assay_changes *changes;
    const char *name;
    if (!cli_has_changes(c)) return cli_usage(c->verb, "no change given; use --diff FILE, --git RANGE, --staged or --unstaged");
    if (!cli_read_changes(c, &changes, &name)) return c->exit;
    assay_profile *p = cli_read_merged(c, ASSAY_WANT_COVERAGE, NULL);
    if (p) run_patch(c, p, changes, name);
    assay_profile_release(p);
    assay_changes_free(changes);
    return c->exit;
}

const struct verb patch_verb = { "patch", "show the coverage of a change", "REPORT...", 1, SIZE_MAX, options, text, examples, run, NULL };
