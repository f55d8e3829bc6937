/* info: what is in a file. */
#include "analysis/streams/loads.h"
#include "base/error.h"
#include "base/option_table.h"
#include "base/scoped.h"
#include "report/verbs/gate.h"
#include "report/verbs/over.h"

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
    OPTION_STATS(" Of every metric, what each stream cost as a whole."),
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

static const struct assay_verb_example examples[] = {
    { "assay info callgrind.out.4711", "what is in this profile" },
    { "assay info --exclude 'test/**' --fail-under 80 coverage.info", "fail if line coverage without the tests is below 80%" },
    { "assay info --json *.out | jq '.files[].metrics'", "totals of many files" },
    { "assay info --stats=rank hpctoolkit-app-database", "how evenly ranks share the cost" },
    { "assay info --brief --sort total cachegrind.out.*", "which request was slow" },
    { NULL, NULL },
};

/* ---- the verb ---- */

/* A gate looks at the rows. */
static uint32_t want(const assay_reporter *r)
{
    uint32_t want = (ASSAY_WANT_INFO | ASSAY_WANT_SPARSE) & ~(gate_is_set(&r->set) || r->set.stats ? (uint32_t)ASSAY_WANT_TOTALS : 0);
    return r->set.stats ? want | ASSAY_WANT_TREE | ASSAY_WANT_EITHER : want;
}

static int check(assay_reporter *r, assay_error *err)
{
    TRY(gate_check(&r->set, err));
    if (r->set.has_sort && !r->set.brief) FAIL(err, ASSAY_ERR_USAGE, "--sort needs --brief");
    if (r->set.stats && r->set.brief) FAIL(err, ASSAY_ERR_USAGE, "--stats and --brief cannot be combined");
    return 0;
}

static int begin(assay_reporter *r, assay_error *err)
{
    (void)err;
    if (r->set.brief)
        report_brief_init(r->state, &r->report);
    else
        report_info_begin(&r->report);
    return 0;
}

struct spread {
    struct stream_groups groups;
    struct stream_metrics metrics;
};

static void spread_done(struct spread *x)
{
    stream_metrics_done(&x->metrics);
    stream_groups_done(&x->groups);
}

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    SCOPED(spread_done) struct spread x = { .groups = { 0 } };
    if (r->set.stats) {
        TRY(stream_groups_init(&x.groups, p, stats_by(&r->set), &r->mem, err));
        TRY(stream_metrics_init(&x.metrics, &x.groups, &r->mem, err));
    }
    if (r->set.brief)
        report_brief_add(r->state, path, p);
    else
        report_info(&r->report, path, report_file_size(path), p, r->set.stats ? &x.metrics : NULL);
    return gate_judge(r, path, p, err);
}

static int end(assay_reporter *r, assay_error *err)
{
    (void)err;
    if (r->set.brief) report_brief_end(r->state, r->set.has_sort ? (enum report_brief_sort)(r->set.sort + 1) : REPORT_BRIEF_AS_GIVEN);
    return 0;
}

const struct report_verb info_verb = {
    .order = 10,
    .about = { "info", "show what is in a file", "FILE...", 1, SIZE_MAX, NULL, text, examples },
    .options = options,
    .tells_damage = true,
    .tells_filters = true,
    .state = sizeof(struct report_brief),
    .check = check,
    .want = want,
    .begin = begin,
    .add = add,
    .end = end,
};
