/* assay convert: one format into another, and what is lost on the way. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/parallel.h"
#include "cli/cli.h"
#include "cli/shared.h"
#include "cli/target.h"
#include "cli/verbs.h"

static const char *const statistic_words[] = { "sum", "none", "normal", "extrema", "stats", NULL };
static const uint32_t statistic_bits[] = { 0, 0, ASSAY_STATISTIC_NORMAL, ASSAY_STATISTIC_EXTREMA, ASSAY_STATISTIC_NORMAL | ASSAY_STATISTIC_EXTREMA };

static const struct option_spec options[] = {
    { .name = "to",
      .letter = 't',
      .type = OPTION_TARGET,
      .argument = "FORMAT[:VERSION]",
      AT(to),
      .help = "write this format",
      .text = "Without it the extension of the output decides. 'assay formats' lists formats, versions and extensions." },
    OPTION_OUTPUT,
    { .name = "strict", .type = OPTION_FLAG, AT(strict), .help = "refuse damaged input, and refuse to write when anything would be lost" },
    { .name = "estimate",
      .type = OPTION_FLAG,
      AT(estimate),
      .help = "allow figures that can only be estimated, and say so",
      .text = "webgrind:4 needs it to write a call graph. Folded stacks are estimated from a call graph unless --no-estimate is given." },
    OPTION_NO_ESTIMATE,
    { .name = "wrap",
      .type = OPTION_FLAG,
      AT(wrap),
      .help = "keep the low bits of figures too large for the target, as its own program does",
      .text = "Without it they become the largest figure that fits." },
    { .name = "metric",
      .letter = 'm',
      .type = OPTION_TEXT,
      .argument = "NAME",
      AT(metric),
      .help = "the metric to write where the target has room for one",
      .text = "The first one by default." },
    { .name = "no-ids", .type = OPTION_FLAG, AT(no_ids), .help = "callgrind: write names in full, without numbers for them" },
    { .name = "no-relative", .type = OPTION_FLAG, AT(no_relative), .help = "callgrind: write positions in full, not relative to the last" },
    { .name = "proxy",
      .type = OPTION_LIST,
      .argument = "NAME",
      AT(proxies),
      .help = "show calls through function NAME as direct calls; may be repeated",
      .text = "The default is what the target's own program does; '--proxy none' leaves every call as it is. NAME also matches NAME:{FILE:LINE}, as Xdebug "
              "writes some; =NAME is taken as webgrind "
              "does, by the whole name and the oldest call first." },
    { .name = "sum-up",
      .type = OPTION_FLAG,
      AT(sum_up),
      .help = "make one record of equal ones, also when the format stays the same",
      .text = "A profile with a record for each call becomes one with a record for each place of a call: much smaller, with the same sums." },
    { .name = "single-file",
      .type = OPTION_FLAG,
      AT(single_file),
      .help = "html: write one file that holds every page, not a folder",
      .text = "An output whose name ends with .html is one file anyway." },
    { .name = "statistics",
      .letter = 'M',
      .type = OPTION_WORD,
      .argument = "WHICH",
      AT(statistics),
      .words = statistic_words,
      .help = "hpcdb: statistics over the threads: sum, normal, extrema or stats",
      .text = "The sum is always there. normal adds mean and deviation, extrema minimum and maximum, stats all of them; none means sum. A database that is "
              "read keeps the statistics that it has." },
    { .name = "compat",
      .type = OPTION_FLAG,
      AT(compat),
      .help = "hpcdb: repeat the faults of hpcprof, for comparisons with its databases",
      .text = "docs/formats/hpcdb.md lists them." },
    { .name = "title", .type = OPTION_TEXT, .argument = "TEXT", AT(title), .help = "html: the heading of the overview; hpcdb: the title of the database" },
    { .name = "name", .letter = 'n', .type = OPTION_TEXT, .argument = "TITLE", AT(title), .help = "the same as --title, as hpcprof has it" },
    { .name = "copy-sources",
      .type = OPTION_FLAG,
      AT(copy_sources),
      .help = "hpcdb: copy the source files that can be found into the database",
      .text = "They are looked for where the paths say, after --map; with --foreign only where a map leads." },
    { .name = "threads",
      .letter = 'j',
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(threads),
      .least = 1,
      .most = PARALLEL_MOST,
      .help = "hpcdb: work with N threads",
      .text = "As many as there are processors by default, at most 4. The result does not depend on it." },
    { .name = "memory",
      .type = OPTION_SIZE,
      .argument = "SIZE",
      AT(memory),
      .help = "hpcdb: sort values with this much memory, at least 1M",
      .text = "K, M, G and T are powers of 1024; the default is 32M. The result does not depend on it." },
    OPTION_MIN("dot and mermaid: functions; 0.5% by default. Of calls a fifth of it is enough."),
    { .name = "cycles", .type = OPTION_FLAG, AT(cycles), .help = "dot, mermaid: totals of functions that call each other without their recursion" },
    OPTIONS_MEASUREMENTS,
    { .name = "json", .type = OPTION_FLAG, AT(json), .help = "print what was lost as a JSON object" },
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Reads FILE and writes it in another format. The same format on both sides is rewritten record by record, so another version of it loses "
    "nothing that version can hold.",
    "What the target cannot hold is said on standard error, a line for each kind of loss. The output is written to a temporary file and renamed, "
    "so that an old file stays as it was until the new one is whole. Without -o the result goes to standard output, which must not be a terminal.",
    NULL,
};

static const struct example examples[] = {
    { "assay convert cachegrind.out.4711 --to webgrind:7 -o profile.webgrind", "for webgrind" },
    { "assay convert old.webgrind --to webgrind:7 -o new.webgrind", "an old file in the newest version" },
    { "assay convert --strict a.out --to callgrind -o b.out", "only when nothing is lost" },
    { NULL, NULL },
};

/* ---- the run ---- */

static struct assay_write_options write_options(const struct settings *s, const char *target)
{
    return (struct assay_write_options){
        .format = target,
        .strict = s->strict,
        .estimate = s->estimate,
        .no_estimate = s->no_estimate,
        .wrap = s->wrap,
        .no_ids = s->no_ids,
        .no_relative = s->no_relative,
        .metric = s->metric,
        .sum_up = s->sum_up,
        .single_file = s->single_file,
        .statistics = statistic_bits[s->statistics],
        .compat = s->compat,
        .has_least = s->has_least,
        .least = s->least,
        .cycles = s->cycles,
        .title = s->title,
        .copy_sources = s->copy_sources,
        .foreign = s->foreign,
        .maps = s->maps.at,
        .map_count = s->maps.len,
        .memory = s->memory,
        .threads = parallel_workers(s->threads),
    };
}

/* `none` among the proxies means: not even those of the target. */
static void set_proxies(const struct settings *s, struct assay_read_options *o)
{
    static const char *const no_proxies[] = { NULL };
    if (!s->proxies.len) return;
    bool is_none = s->proxies.len == 1 && strcmp(s->proxies.at[0], "none") == 0;
    o->proxies = is_none ? no_proxies : s->proxies.at;
    o->proxy_count = is_none ? 0 : s->proxies.len;
}

/* The JSON goes to standard output, the conversion went to -o FILE. */
static void print_json(struct cli *c, const struct report_convert *result)
{
    struct report r;
    struct output *out;
    c->set.output = NULL;
    if (!cli_open_output(c, &out)) return;
    cli_report(c, out, &r);
    report_convert(&r, result);
    cli_end_report(c, &r);
}

static int run(struct cli *c)
{
    assay_error err = { 0 };
    assay_losses *losses = NULL;
    const struct assay_format_info *from = NULL;
    const char *input = c->set.files.at[0], *target = cli_find_target(c), *output = c->set.output ? c->set.output : "-";
    char name[64];
    if (!target) return CLI_USAGE;
    struct assay_read_options read = cli_read_options(c, input, 0);
    struct assay_write_options write = write_options(&c->set, target);
    write.filter = read.filter;
    set_proxies(&c->set, &read);
    struct progress writing;
    progress_begin(&writing, &c->term, output);
    write.progress = progress_step;
    write.progress_arg = &writing;
    if (strcmp(output, "-") != 0) interrupt_hold_for(output);
    int rc = assay_convert(input, &read, output, &write, &from, &losses, &err);
    cli_read_done(c);
    if (!c->set.json || rc != 0) cli_print_losses(losses);
    if (rc != 0)
        cli_fail_write(c, &err);
    else if (c->set.json) {
        struct report_convert result = { .input = input, .from = from->name, .to = name, .output = output, .losses = losses };
        cli_split_target(target, name, sizeof name, &result.version);
        print_json(c, &result);
    }
    assay_losses_free(losses);
    return c->exit;
}

const struct verb convert_verb = { "convert", "write a file in another format", "FILE", 1, 1, options, text, examples, run };
