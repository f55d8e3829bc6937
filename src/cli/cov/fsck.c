/* assay cov fsck: whether the store can be trusted. The same as assay check of the store, which needs no path here. */
#include "cli/cov/cov.h"
#include "cli/print.h"
#include "cli/shared.h"

static const struct option_spec options[] = {
    OPTION_JSON,
    OPTION_CSV,
    OPTION_MARKDOWN,
    OPTION_LIMIT("show at most N findings; all by default"),
    { .name = "verbose", .letter = 'v', .type = OPTION_FLAG, AT(verbose), .help = "also show notes, such as unreachable objects" },
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTION_MAX_OUTPUT,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Checks every object of the store, the links between objects, references, worktrees, and the commits and files git should have. docs/formats/cov.md "
    "explains each rule.",
    "The exit status is 1 if there is an error; warnings and notes do not count.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov fsck", "what is wrong with the store" },
    { "assay cov fsck -v --json", "for other programs, including notes" },
    { NULL, NULL },
};

static int check(struct cov *v, struct cli *c)
{
    assay_error err = { 0 };
    assay_check_result *result = NULL;
    struct report r;
    struct output *out;
    if (!cli_open_output(c, &out)) return COV_WRONG;
    cli_report(c, out, &r);
    report_check_begin(&r);
    struct assay_read_options o = cli_read_options(c, v->path, 0);
    o.format = "cov";
    int rc = assay_check(v->path, &o, &result, &err);
    cli_read_done(c);
    report_check(&r, v->path, rc == 0 ? result : NULL, &err);
    bool is_sound = rc == 0 && !result->errors;
    if (rc != 0) cov_fail(v, &err);
    assay_check_free(result);
    if (cli_end_report(c, &r) != 0 || rc != 0) return COV_WRONG;
    return is_sound ? COV_DONE : COV_REFUSED;
}

static int run(struct cli *c)
{
    struct cov v;
    int code = cov_open(&v, c);
    if (code == 0) code = check(&v, c);
    cov_close(&v);
    return code;
}

const struct verb cov_fsck_verb = {
    .name = "cov fsck", .summary = "check the store", .arguments = "", .options = options, .text = text, .examples = examples, .run = run
};
