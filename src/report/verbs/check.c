/* check: can a file be trusted. */
#include "base/option_table.h"
#include "report/verb.h"

static const struct option_spec options[] = {
    OPTION_JSON,
    OPTION_CSV,
    OPTION_MARKDOWN,
    OPTIONS_ISSUES,
    { .name = "all",
      .type = OPTION_FLAG,
      AT(all),
      .help = "show every finding, not only the first of each rule",
      .text = "Lists the first 100 findings of each rule in a file and counts the rest. All forms but text always list them." },
    OPTION_LIMIT("show at most N lines per file; all by default"),
    { .name = "verbose", .letter = 'v', .type = OPTION_FLAG, AT(verbose), .help = "also show notes, which are neither errors nor warnings" },
    { .name = "deep", .type = OPTION_FLAG, AT(read.deep), .help = "also run slow checks, such as sums over all values" },
    { .name = "source",
      .type = OPTION_FLAG,
      AT(read.sources),
      .help = "also compare coverage with the sources: line checksums, lines past the end",
      .text = "Sources are found through --map and --source-root; --source-root alone implies this option. By default, no source file is opened." },
    OPTION_MAP_PATHS,
    OPTION_SOURCE_ROOT,
    OPTION_FOLLOW_LINKS,
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Checks each FILE against the rules of its format: syntax, references, sums, sizes. Each finding has a rule, a severity, and a line number or byte offset.",
    "Exits with status 1 if a file has an error; warnings alone do not count. A file that cannot be read gives status 3, and the remaining files are still "
    "checked.",
    "By default, the first finding of each rule is shown with the number of others; --all shows every finding.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay check callgrind.out.4711", "findings, one per line" },
    { "assay check --json *.out >findings.json", "for other programs" },
    { "assay check --sarif coverage.info -o coverage.sarif", "for code scanning" },
    { NULL, NULL },
};

/* ---- the verb ---- */

static int begin(assay_reporter *r, assay_error *err)
{
    (void)err;
    report_check_begin(&r->report);
    return 0;
}

static int file(assay_reporter *r, const char *path, assay_error *err)
{
    const assay_check_result *result;
    int rc = report_check_file(r, &result, err);
    report_check(&r->report, path, rc == 0 ? result : NULL, err);
    if (rc == 0 && result->errors) r->is_no = true;
    return rc;
}

const struct report_verb check_verb = {
    .order = 20,
    .about = { "check", "validate a file", "FILE...", 1, SIZE_MAX, NULL, text, examples },
    .options = options,
    .checks = true,
    .begin = begin,
    .file = file,
};
