/* patch: what is covered of the lines that a change added. */
#include <string.h>

#include "base/error.h"
#include "base/option_table.h"
#include "base/vec.h"
#include "report/verbs/changes.h"
#include "report/verbs/merged.h"

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
    OPTIONS_ISSUES,
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

struct patched {
    struct merged merged;
    VEC(const char *) paths;
};

/* Nobody should take this for 100 %. */
static int refuse_lost(const assay_profile *p, const assay_patch *patch, assay_error *err)
{
    const struct assay_files *f = assay_profile_files(p);
    assay_slice path = f->count ? assay_profile_string(p, f->path[1]) : (assay_slice){ "", 0 };
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "none of the changed files is in the report: the change has '%.120s', the report '%.*s'; use --map FROM=TO", patch->lost,
         (int)(path.len < 120 ? path.len : 120), path.data);
}

static int show(assay_reporter *r, const assay_profile *p, assay_error *err)
{
    const struct patched *x = r->state;
    assay_patch *patch = NULL;
    struct assay_patch_options o = { .branches = r->set.branches, .expand = r->set.expand, .max_memory = r->set.read.max_memory };
    struct report_patch result = { .reports = x->paths.at,
                                   .report_count = x->paths.len,
                                   .changes = r->change,
                                   .diff = r->changes,
                                   .branches = r->set.branches,
                                   .annotations = r->set.has_annotations };
    TRY(assay_patch_new(p, r->changes, &o, &patch, err));
    change_say_findings(r, r->changes->warnings, r->changes->warning_count);
    result.patch = patch;
    int rc = patch->lost && r->is_read ? refuse_lost(p, patch, err) : 0; /* what the caller read, the caller knows */
    if (rc == 0) {
        result.gate = change_gate(r, patch->measured - patch->missing, patch->measured);
        report_patch(&r->report, &result);
    }
    assay_patch_free(patch);
    return rc;
}

/* ---- the verb ---- */

static int check(assay_reporter *r, assay_error *err)
{
    if (!change_is_given(r)) FAIL(err, ASSAY_ERR_USAGE, "no change given; use --diff FILE, --git RANGE, --staged or --unstaged");
    if (r->set.has_annotations && (r->set.sarif || r->set.junit)) FAIL(err, ASSAY_ERR_USAGE, "--annotations cannot be combined with --sarif or --junit");
    return change_check(r, err);
}

static uint32_t want(const assay_reporter *r)
{
    (void)r;
    return ASSAY_WANT_COVERAGE;
}

static int note_path(assay_reporter *r, const char *path, assay_error *err)
{
    struct patched *x = r->state;
    const char **slot = vec_push(&r->mem, &x->paths);
    if (!slot) return error_memory(err);
    *slot = path;
    return 0;
}

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    struct patched *x = r->state;
    TRY(note_path(r, path, err));
    return merged_add(r, &x->merged, path, p, err);
}

static int unread(assay_reporter *r, const char *path, int rc, assay_error *err)
{
    if (merged_unread(r, path, rc, err) != 0) return rc;
    return note_path(r, path, err);
}

static int end(assay_reporter *r, assay_error *err)
{
    struct patched *x = r->state;
    assay_profile *p = NULL;
    TRY(merged_finish(&x->merged, &p, err));
    int rc = show(r, p, err);
    assay_profile_release(p);
    return rc;
}

static void done(assay_reporter *r)
{
    struct patched *x = r->state;
    merged_done(&x->merged);
    vec_done(&r->mem, &x->paths);
    change_done(r);
}

const struct report_verb patch_verb = {
    .order = 120,
    .about = { "patch", "show the coverage of a change", "REPORT...", 1, SIZE_MAX, NULL, text, examples },
    .options = options,
    .needs_all = true,
    .tells_damage = true,
    .state = sizeof(struct patched),
    .check = check,
    .want = want,
    .begin = change_read,
    .add = add,
    .unread = unread,
    .end = end,
    .done = done,
};
