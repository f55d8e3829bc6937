/* assay check: can a file be trusted. */
#include "cli/cli.h"
#include "cli/shared.h"
#include "cli/verbs.h"

static const struct option_spec options[] = {
    OPTION_JSON,
    OPTION_CSV,
    OPTION_MARKDOWN,
    { .name = "all",
      .type = OPTION_FLAG,
      AT(all),
      .help = "show every finding, not only the first of each rule",
      .text = "Lists the first 100 findings of each rule in a file and counts the rest. JSON, CSV and Markdown always list them." },
    OPTION_LIMIT("show at most N lines per file; all by default"),
    { .name = "verbose", .letter = 'v', .type = OPTION_FLAG, AT(verbose), .help = "also show notes, which are neither errors nor warnings" },
    { .name = "deep", .type = OPTION_FLAG, AT(deep), .help = "also run slow checks, such as sums over all values" },
    { .name = "source",
      .type = OPTION_FLAG,
      AT(sources),
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

static const struct example examples[] = {
    { "assay check callgrind.out.4711", "findings, one per line" },
    { "assay check --json *.out >findings.json", "for other programs" },
    { NULL, NULL },
};

static void run_file(struct cli *c, struct report *r, const char *path)
{
    assay_error err = { 0 };
    assay_check_result *result = NULL;
    struct assay_read_options o = cli_read_options(c, path, 0);
    int rc = assay_check(path, &o, &result, &err);
    cli_read_done(c);
    report_check(r, path, rc == 0 ? result : NULL, &err);
    if (rc != 0)
        cli_fail(c, &err);
    else if (result->errors)
        cli_note(c, CLI_NO);
    assay_check_free(result);
}

static int run(struct cli *c)
{
    struct report r;
    struct output *out;
    if (!cli_open_output(c, &out)) return c->exit;
    cli_report(c, out, &r);
    report_check_begin(&r);
    for (size_t i = 0; i < c->set.files.len && !interrupt_pending(); i++) run_file(c, &r, c->set.files.at[i]);
    return cli_end_report(c, &r);
}

const struct verb check_verb = { "check", "validate a file", "FILE...", 1, SIZE_MAX, options, text, examples, run };
