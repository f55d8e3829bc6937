/* assay cov checkout and assay cov reset: what HEAD, or the current branch, stands for. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/cov/view.h"
#include "cli/shared.h"

static const struct option_spec checkout_options[] = {
    { .name = "branch", .letter = 'b', .type = OPTION_STEP, AT(cov.steps), .help = "NAME [START]: create this branch first, from HEAD or START" },
    { .name = "detach", .type = OPTION_STEP, AT(cov.steps), .help = "[REVISION]: point HEAD at the report itself instead of a branch" },
    { .name = "orphan", .type = OPTION_STEP, AT(cov.steps), .help = "NAME: start a branch without any reports" },
    OPTION_HELP,
    OPTION_END,
};

static const char *const checkout_text[] = {
    "Points HEAD at a branch, so that the next report is added to it, or at a report if NAME is a tag or another revision.",
    NULL,
};

static const struct assay_verb_example checkout_examples[] = {
    { "assay cov checkout feature", "switch to another branch" },
    { "assay cov checkout -b feature", "create a branch and switch to it" },
    { NULL, NULL },
};

static int one_report(struct cov *v, const char *typed, struct cov_id *out, assay_error *err)
{
    struct revision_text text;
    struct store_object o;
    TRY(revision_parse(slice_of(typed), false, &text, err));
    if (text.is_range) FAIL(err, ASSAY_ERR_USAGE, "'%s' is a range; one report is needed", typed);
    TRY(revision_find(v->store, &text.to, out, err));
    if (cov_id_is_zero(out)) FAIL(err, ASSAY_ERR_UNKNOWN, "'%s' is before the first report", typed);
    TRY(store_read(v->store, out, COV_REPORT, &o, err));
    store_object_done(&o);
    return 0;
}

/* HEAD stands for a branch (`target`), or for a report. */
static int set_head(struct cov *v, const char *target, const struct cov_id *id, const char *why, assay_error *err)
{
    struct ref_lock lock;
    TRY(ref_lock(v->store, "HEAD", &lock, err));
    return target ? ref_lock_point(&lock, target, why, err) : ref_lock_set(&lock, id, why, err);
}

static int new_branch(struct cov *v, const char *name, const char *start, assay_error *err)
{
    char full[REFS_NAME_MAX];
    struct cov_id id, none = { { 0 } };
    bool is_moved;
    TRY(cov_ref_name("refs/heads/", "branch", name, true, full, err));
    TRY(one_report(v, start, &id, err));
    TRY(refs_update(v->store, full, &none, &id, "branch: created by checkout", &is_moved, NULL, err));
    if (!is_moved) FAIL(err, ASSAY_ERR_USAGE, "branch '%s' already exists", name);
    return set_head(v, full, NULL, "checkout: to a new branch", err);
}

static int orphan(struct cov *v, const char *name, assay_error *err)
{
    char full[REFS_NAME_MAX];
    struct ref_value value;
    TRY(cov_ref_name("refs/heads/", "branch", name, true, full, err));
    TRY(refs_read(v->store, full, &value, err));
    if (value.kind != REF_NONE) FAIL(err, ASSAY_ERR_USAGE, "branch '%s' already exists", name);
    return set_head(v, full, NULL, "checkout: to an orphan branch", err);
}

static int switch_to(struct cov *v, const char *name, bool detach, assay_error *err)
{
    char full[REFS_NAME_MAX];
    struct ref_value value;
    struct cov_id id;
    if (!detach && cov_ref_name("refs/heads/", "branch", name, false, full, NULL) == 0 && refs_read(v->store, full, &value, NULL) == 0 &&
        value.kind != REF_NONE)
        return set_head(v, full, NULL, "checkout: to a branch", err);
    TRY(one_report(v, name, &id, err));
    return set_head(v, NULL, &id, "checkout: detached", err);
}

static int check(const struct cli *c, size_t *count)
{
    const struct steps *steps = &c->set.cov.steps;
    *count = c->set.files.len;
    if (steps->len > 1) return cli_usage(c->verb, "--%s and --%s cannot be combined", steps->at[0].option->name, steps->at[1].option->name);
    if (!steps->len) return *count == 1 ? 0 : cli_usage(c->verb, "checkout needs a branch or a revision");
    const char *name = steps->at[0].option->name;
    if (steps->at[0].first > 0) return cli_usage(c->verb, "unexpected argument '%s' before --%s", c->set.files.at[0], name);
    bool is_fine = strcmp(name, "detach") == 0 ? *count <= 1 : strcmp(name, "orphan") == 0 ? *count == 1 : *count == 1 || *count == 2;
    return is_fine ? 0 : cli_usage(c->verb, "--%s has the wrong number of arguments: %zu", name, *count);
}

static int run_checkout(struct cli *c)
{
    struct cov v;
    size_t count;
    assay_error err = { 0 };
    int code = check(c, &count), rc;
    if (code != 0) return code;
    code = cov_open(&v, c);
    if (code == 0) {
        cov_identify(&v);
        const char *step = c->set.cov.steps.len ? c->set.cov.steps.at[0].option->name : "";
        const char *const *words = c->set.files.at;
        if (strcmp(step, "branch") == 0)
            rc = new_branch(&v, words[0], count > 1 ? words[1] : "HEAD", &err);
        else if (strcmp(step, "orphan") == 0)
            rc = orphan(&v, words[0], &err);
        else
            rc = switch_to(&v, count ? words[0] : "HEAD", *step != '\0', &err);
        if (rc != 0) code = cov_fail(&v, &err);
    }
    cov_close(&v);
    return code;
}

const struct verb cov_checkout_verb = { .name = "cov checkout",
                                        .summary = "switch to another branch or report",
                                        .arguments = "NAME",
                                        .most_files = SIZE_MAX,
                                        .options = checkout_options,
                                        .text = checkout_text,
                                        .examples = checkout_examples,
                                        .run = run_checkout };

/* ---- reset ---- */

static const struct option_spec reset_options[] = { OPTION_COLOR, OPTION_HELP, OPTION_END };

static const char *const reset_text[] = {
    "Points the current branch at another report, or HEAD itself if it is detached. 'assay cov reflog' shows the previous report.",
    NULL,
};

static const struct assay_verb_example reset_examples[] = {
    { "assay cov reset HEAD~", "remove the newest report from the branch" },
    { NULL, NULL },
};

static int reset(struct cov *v, struct output *out, assay_error *err)
{
    char last[REFS_NAME_MAX], hex[COV_ID_HEX + 1];
    struct ref_value value;
    struct cov_id id;
    bool is_moved;
    cov_identify(v);
    TRY(one_report(v, v->c->set.files.at[0], &id, err));
    TRY(refs_follow(v->store, "HEAD", &value, last, err));
    TRY(refs_update(v->store, last, NULL, &id, "reset", &is_moved, NULL, err));
    const char *branch = strncmp(last, "refs/heads/", 11) == 0 ? last + 11 : NULL;
    if (branch)
        output_printf(out, "Tip of '%s' branch now points to %s\n", branch, cov_id_hex(&id, hex));
    else
        output_printf(out, "Detached HEAD now points to %s\n", cov_id_hex(&id, hex));
    return cov_result_print(v, out, &id, branch, err);
}

static int run_reset(struct cli *c)
{
    struct cov v;
    struct output *out;
    assay_error err = { 0 };
    int code = cov_open(&v, c);
    if (code == 0 && !cli_open_output(c, &out))
        code = COV_WRONG;
    else if (code == 0) {
        if (reset(&v, out, &err) != 0) code = cov_fail(&v, &err);
        if (cli_close_output(c, out) != 0) code = COV_WRONG;
    }
    cov_close(&v);
    return code;
}

const struct verb cov_reset_verb = { .name = "cov reset",
                                     .summary = "point the current branch at another report",
                                     .arguments = "REVISION",
                                     .least_files = 1,
                                     .most_files = 1,
                                     .options = reset_options,
                                     .text = reset_text,
                                     .examples = reset_examples,
                                     .run = run_reset };
