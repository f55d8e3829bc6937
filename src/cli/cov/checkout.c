/* assay cov checkout and assay cov reset: what HEAD, or the current branch, stands for. */
#include <stdio.h>
#include <string.h>

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
        const char *step = c->set.cov.steps.len ? c->set.cov.steps.at[0].option->name : "";
        const char *const *words = c->set.files.at;
        if (strcmp(step, "branch") == 0)
            rc = assay_store_checkout(v.store, ASSAY_STORE_START, words[0], count > 1 ? words[1] : NULL, &err);
        else if (strcmp(step, "orphan") == 0)
            rc = assay_store_checkout(v.store, ASSAY_STORE_ORPHAN, words[0], NULL, &err);
        else
            rc = assay_store_checkout(v.store, *step ? ASSAY_STORE_DETACH : ASSAY_STORE_SWITCH, count ? words[0] : NULL, NULL, &err);
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
    char branch[ASSAY_STORE_NAME_MAX], hex[ASSAY_STORE_ID_TEXT];
    assay_store_id id;
    int rc = assay_store_reset(v->store, v->c->set.files.at[0], branch, &id, err);
    if (rc != 0) return rc;
    if (*branch)
        output_printf(out, "Tip of '%s' branch now points to %s\n", branch, assay_store_id_text(&id, hex));
    else
        output_printf(out, "Detached HEAD now points to %s\n", assay_store_id_text(&id, hex));
    return cov_result_print(v, out, &id, *branch ? branch : NULL, err);
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
