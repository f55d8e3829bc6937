/* assay cov log: the reports of a branch, the newest first. */
#include "cli/cov/view.h"
#include "cli/shared.h"

static const struct option_spec options[] = {
    { .name = "max-count",
      .letter = 'n',
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(limit),
      GIVEN(has_limit),
      .most = UINT64_MAX,
      .help = "print at most N reports" },
    { .name = "oneline", .type = OPTION_FLAG, AT(cov.oneline), .help = "print one line per report: --format oneline --abbrev-hash" },
    { .name = "stat",
      .type = OPTION_TEXT,
      .argument = "PATH",
      AT(cov.file),
      .help = "print the coverage of this file or directory over time, one line per report",
      .text = "The date is that of the commit. '.' means everything." },
    COV_OPTION_FORMAT,
    COV_OPTIONS_LOOK,
    OPTION_COLOR,
    OPTION_JSON,
    OPTION_NO_PAGER,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Lists the report at REVISION (HEAD by default) and its ancestors. A..B lists the reports in B that are not in A.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov log --oneline -n 10", "the last ten reports" },
    { "assay cov log main..feature", "what the branch 'feature' adds" },
    { "assay cov log --format '%hR %pPL %s'", "id, percentage and subject" },
    { NULL, NULL },
};

static int run(struct cli *c)
{
    struct assay_store_print look = cov_print_options(c);
    look.stat = c->set.cov.file;
    return cov_print(c, &look, assay_store_print_log);
}

const struct verb cov_log_verb = { .name = "cov log",
                                   .summary = "list reports",
                                   .arguments = "[REVISION|A..B]",
                                   .most_files = 1,
                                   .options = options,
                                   .text = text,
                                   .examples = examples,
                                   .run = run };
