/* assay cov diff and assay cov patch: two reports line by line, and what a report covers of a change. The arithmetic is that of `assay diff` and
 * `assay patch`. */
#include "base/error.h"
#include "cli/cov/cov.h"
#include "cli/report.h"
#include "cli/shared.h"

/* ---- both ---- */

struct side {
    assay_store_report *report;
    assay_profile *profile;
};

static int read_side(struct cov *v, const char *typed, struct side *out, assay_error *err)
{
    char id[ASSAY_STORE_ID_TEXT]; /* a branch may move in between */
    TRY(assay_store_report_new(v->store, typed, &out->report, err));
    return assay_store_profile(v->store, assay_store_id_text(&out->report->id, id), false, &out->profile, err);
}

static void side_done(struct side *side)
{
    assay_profile_release(side->profile);
    assay_store_report_free(side->report);
}

/* Whether the person says what changed. */
static bool has_changes(const struct cli *c) { return report_has(c, "diff") || report_has(c, "git") || report_has(c, "staged") || report_has(c, "unstaged"); }

/* ---- diff ---- */

static const struct option_spec diff_options[] = {
    OPTIONS_CHANGES, OPTION_FAIL_UNDER_NEW, OPTIONS_DIFF_GATES, OPTION_JSON, OPTION_CSV, OPTION_MARKDOWN,
    OPTION_COLOR,    OPTION_OUTPUT,         OPTION_MAX_MEMORY,  OPTION_HELP, OPTION_END,
};

static const char *const diff_text[] = {
    "Compares two reports line by line: new lines that are missed, lines that are no longer covered, lines that are now covered; docs/patch.md lists the "
    "categories. AFTER is HEAD by default.",
    "Old line numbers are mapped to new ones by the git diff between the commits of the two reports, or by --diff or --git.",
    NULL,
};

static const struct assay_verb_example diff_examples[] = {
    { "assay cov diff HEAD~ HEAD", "what changed in the newest report" },
    { "assay cov diff v1.0 --fail-under-new 80%", "fail a build that does not cover its new lines" },
    { NULL, NULL },
};

static int compare(struct cov *v, const struct side *before, const struct side *after)
{
    assay_error err = { 0 };
    assay_changes *changes = NULL;
    const struct words *files = &v->c->set.files;
    const struct report_input inputs[] = { { files->at[0], before->profile }, { files->len > 1 ? files->at[1] : "HEAD", after->profile } };
    if (!has_changes(v->c)) {
        if (assay_store_changes(v->store, before->report, after->report, cli_max_memory(v->c), &changes, &err) != 0)
            cov_fail(v, &err);
        else if (!report_take(v->c, "CHANGE", "git"))
            return COV_WRONG;
    }
    int code = report_run_profiles(v->c, inputs, 2, changes);
    assay_changes_free(changes);
    return code;
}

static int run_diff(struct cli *c)
{
    struct cov v;
    assay_error err = { 0 };
    struct side before = { 0 }, after = { 0 };
    int code = cov_open(&v, c);
    if (code == 0) {
        int rc = read_side(&v, c->set.files.at[0], &before, &err);
        if (rc == 0) rc = read_side(&v, c->set.files.len > 1 ? c->set.files.at[1] : "HEAD", &after, &err);
        code = rc == 0 ? compare(&v, &before, &after) : cov_fail(&v, &err);
    }
    side_done(&before);
    side_done(&after);
    cov_close(&v);
    return code;
}

const struct verb cov_diff_verb = { .name = "cov diff",
                                    .summary = "compare two reports line by line",
                                    .arguments = "BEFORE [AFTER]",
                                    .least_files = 1,
                                    .most_files = 2,
                                    .options = diff_options,
                                    .text = diff_text,
                                    .examples = diff_examples,
                                    .run = run_diff,
                                    .as = "diff" };

/* ---- patch ---- */

static const struct option_spec patch_options[] = {
    OPTIONS_CHANGES, OPTION_FAIL_UNDER_PATCH, OPTION_FAIL_UNDER_NEW, OPTION_JSON, OPTION_CSV, OPTION_MARKDOWN,
    OPTION_COLOR,    OPTION_OUTPUT,           OPTION_MAX_MEMORY,     OPTION_HELP, OPTION_END,
};

static const char *const patch_text[] = {
    "Finds the lines that a change added, looks them up in the report REVISION (HEAD by default), and lists those that are not covered.",
    "The change is the git diff between the commits of the previous report and this one, or the one given by --git, --diff, --staged or --unstaged.",
    NULL,
};

static const struct assay_verb_example patch_examples[] = {
    { "assay cov patch", "coverage of the change that the newest report measures" },
    { "assay cov patch --git origin/main...HEAD --fail-under-new 80%", "coverage of the lines a branch adds" },
    { NULL, NULL },
};

/* What changed since the report before; UNKNOWN = this is the first. */
static int changes_before(struct cov *v, const struct side *side, assay_changes **out, assay_error *err)
{
    char parent[ASSAY_STORE_ID_TEXT];
    assay_store_report *before;
    if (assay_store_id_is_none(&side->report->parent)) FAIL(err, ASSAY_ERR_UNKNOWN, "this is the first report; use --git RANGE or --diff FILE");
    TRY(assay_store_report_new(v->store, assay_store_id_text(&side->report->parent, parent), &before, err));
    int rc = assay_store_changes(v->store, before, side->report, cli_max_memory(v->c), out, err);
    assay_store_report_free(before);
    return rc;
}

static int take_patch(struct cov *v, const struct side *side)
{
    assay_error err = { 0 };
    assay_changes *changes = NULL;
    const struct report_input input = { v->c->set.files.len ? v->c->set.files.at[0] : "HEAD", side->profile };
    int rc = 0;
    if (!has_changes(v->c)) {
        rc = changes_before(v, side, &changes, &err);
        if (rc == 0 && !report_take(v->c, "CHANGE", "git")) rc = error_memory(&err);
    }
    int code = rc == 0 ? report_run_profiles(v->c, &input, 1, changes) : cov_fail(v, &err);
    assay_changes_free(changes);
    return code;
}

static int run_patch(struct cli *c)
{
    struct cov v;
    assay_error err = { 0 };
    struct side side = { 0 };
    int code = cov_open(&v, c);
    if (code == 0) code = read_side(&v, c->set.files.len ? c->set.files.at[0] : "HEAD", &side, &err) == 0 ? take_patch(&v, &side) : cov_fail(&v, &err);
    side_done(&side);
    cov_close(&v);
    return code;
}

const struct verb cov_patch_verb = { .name = "cov patch",
                                     .summary = "show the coverage of a change",
                                     .arguments = "[REVISION]",
                                     .most_files = 1,
                                     .options = patch_options,
                                     .text = patch_text,
                                     .examples = patch_examples,
                                     .run = run_patch,
                                     .as = "patch" };
