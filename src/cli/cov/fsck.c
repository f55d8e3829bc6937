/* assay cov fsck: whether the store can be trusted. The same as assay check of the store, which needs no path here. */
#include "base/vec.h"
#include "cli/cov/cov.h"
#include "cli/report.h"
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

static int run(struct cli *c)
{
    struct cov v;
    int code = cov_open(&v, c);
    if (code == 0) {
        const char **path = vec_push(&c->mem, &c->set.files);
        bool is_ready = path && report_take(c, "from", "cov");
        if (is_ready) *path = assay_store_path(v.store);
        code = is_ready ? report_run(c) : CLI_OUTPUT;
        code = code == CLI_OK ? COV_DONE : code == CLI_NO ? COV_REFUSED : COV_WRONG;
    }
    cov_close(&v);
    return code;
}

const struct verb cov_fsck_verb = {
    .name = "cov fsck", .summary = "check the store", .arguments = "", .options = options, .text = text, .examples = examples, .run = run, .as = "check"
};
