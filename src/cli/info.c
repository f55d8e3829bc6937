/* assay info: what is in a file. */
#include "cli/cli.h"
#include "cli/gate.h"
#include "cli/shared.h"
#include "cli/verbs.h"

static const char *const sort_words[] = { "total", "name", NULL };

static const struct option_spec options[] = {
    OPTION_JSON,
    OPTION_CSV,
    OPTION_MARKDOWN,
    OPTION_EXACT,
    { .name = "brief",
      .letter = 'b',
      .type = OPTION_FLAG,
      AT(brief),
      .help = "one line for each file: format, total of the default metric, command",
      .text = "The command is that of the file's headers, of its first run where there are several; the program that wrote the file where there is none." },
    { .name = "sort",
      .letter = 's',
      .type = OPTION_WORD,
      .argument = "KEY",
      AT(sort),
      GIVEN(has_sort),
      .words = sort_words,
      .help = "with --brief: sort by total (largest first) or name; by default as given",
      .text = "Times are compared whatever their units are, and come before other metrics." },
    OPTION_LIMIT("show at most N attributes, streams and warnings; 20 by default, 0 = all; with --brief N files, all by default"),
    { .name = "all",
      .letter = 'a',
      .type = OPTION_FLAG,
      AT(verbose),
      .help = "also list hidden and zero metrics, and every count and attribute",
      .text = "By default, text omits metrics that are zero or hidden by the file, and details of the file layout." },
    { .name = "verbose", .letter = 'v', .type = OPTION_FLAG, AT(verbose), .help = "same as --all", .is_hidden = true },
    OPTIONS_GATES,
    OPTION_STRICT_READ,
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Reads each FILE and shows what it contains: format and version, the program that wrote it, metrics with their totals, the number of functions, calls and "
    "so on, the kinds of data, its own headers, and any damage.",
    "FILE is a path, a directory for formats that use one, or '-' for standard input; gzip, zstd and xz are decompressed automatically.",
    NULL,
};

static const struct example examples[] = {
    { "assay info callgrind.out.4711", "what is in this profile" },
    { "assay info --exclude 'test/**' --fail-under 80 coverage.info", "fail if line coverage without the tests is below 80%" },
    { "assay info --json *.out | jq '.files[].metrics'", "totals of many files" },
    { "assay info --brief --sort total cachegrind.out.*", "which request was slow" },
    { NULL, NULL },
};

static void run_file(struct cli *c, struct report *r, struct report_brief *brief, const char *path)
{
    assay_error err = { 0 };
    assay_profile *p = NULL;
    uint32_t want = (ASSAY_WANT_INFO | ASSAY_WANT_SPARSE) & ~(gate_is_set(c) ? (uint32_t)ASSAY_WANT_TOTALS : 0); /* a gate looks at the rows */
    struct assay_read_options o = cli_read_options(c, path, want);
    o.no_symbols = true; /* no name is shown, so none is looked for */
    int rc = assay_read(path, &o, &p, &err);
    cli_read_done(c);
    if (rc == 0) {
        if (brief)
            report_brief_add(brief, path, p);
        else
            report_info(r, path, cli_file_size(path), p);
        rc = gate_judge(c, path, p, &err);
    } else
        report_failed(r, path, &err);
    if (rc != 0) cli_fail(c, &err);
    assay_profile_release(p);
}

static int run(struct cli *c)
{
    struct report r;
    struct report_brief brief;
    struct output *out;
    if (!gate_is_good(c)) return CLI_USAGE;
    if (c->set.has_sort && !c->set.brief) return cli_usage(c->verb, "--sort needs --brief");
    if (!cli_open_output(c, &out)) return c->exit;
    cli_report(c, out, &r);
    if (c->set.brief)
        report_brief_init(&brief, &r);
    else
        report_info_begin(&r);
    for (size_t i = 0; i < c->set.files.len && !interrupt_pending(); i++) run_file(c, &r, c->set.brief ? &brief : NULL, c->set.files.at[i]);
    if (c->set.brief) report_brief_end(&brief, c->set.has_sort ? (enum report_brief_sort)(c->set.sort + 1) : REPORT_BRIEF_AS_GIVEN);
    return cli_end_report(c, &r);
}

const struct verb info_verb = { "info", "show what is in a file", "FILE...", 1, SIZE_MAX, options, text, examples, run };
