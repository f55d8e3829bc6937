/* assay convert: one format into another, and what is lost on the way. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/parallel.h"
#include "cli/cli.h"
#include "cli/format_options.h"
#include "cli/shared.h"
#include "cli/target.h"
#include "cli/verbs.h"

static const struct option_spec options[] = {
    { .name = "to",
      .letter = 't',
      .type = OPTION_TARGET,
      .argument = "FORMAT[:VERSION]",
      AT(to),
      .help = "write FORMAT",
      .text = "By default, chosen by the extension of the output file. 'assay formats' lists formats, versions and extensions." },
    OPTION_OUTPUT,
    { .name = "strict", .type = OPTION_FLAG, AT(read.strict), .help = "fail if the input is damaged or if any data would be lost" },
    { .name = "estimate",
      .type = OPTION_FLAG,
      AT(estimate),
      .help = "allow estimated figures, and say so",
      .text = "Required to write a call graph as webgrind:4. Folded stacks are estimated from a call graph unless --no-estimate is given." },
    OPTION_NO_ESTIMATE,
    { .name = "metric",
      .letter = 'm',
      .type = OPTION_TEXT,
      .argument = "NAME",
      AT(metric),
      .help = "the metric to write if the target holds only one",
      .text = "By default, the first one." FORMULA_TEXT },
    OPTION_METRICS_FILE,
    { .name = "proxy",
      .type = OPTION_LIST,
      .argument = "NAME",
      AT(proxies),
      .help = "show calls through function NAME as direct calls; can be repeated",
      .text = "The default is what the target's own program does; '--proxy none' keeps every call as it is. NAME also matches NAME:{FILE:LINE}, which Xdebug "
              "writes for some functions; =NAME works as in webgrind: the whole name must match, and the oldest call comes first." },
    { .name = "sum-up",
      .type = OPTION_FLAG,
      AT(sum_up),
      .help = "combine equal records, even if the format stays the same",
      .text = "A profile with one record per call becomes one with one record per call site: much smaller, with the same totals." },
    { .name = "memory",
      .type = OPTION_SIZE,
      .argument = "SIZE",
      AT(memory),
      .help = "keep about this much in memory, the rest in a temporary file",
      .text = "For inputs that are larger than memory. The file is made in $TMPDIR or /tmp and has no name. K, M, G and T are powers of 1024; without the "
              "option all "
              "stays in memory. The result does not depend on it." },
    { .name = "json", .type = OPTION_FLAG, AT(json), .help = "print losses as a JSON object" },
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Reads FILE and writes it in another format. If the format stays the same, FILE is rewritten record by record, so converting to another version keeps "
    "everything that version can hold.",
    "Data that the target cannot hold is reported on standard error, one line for each kind of loss. The output is written to a temporary file and renamed "
    "when complete, so an existing file is never left half-written. Without -o, the result goes to standard output, which must not be a terminal.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay convert cachegrind.out.4711 --to webgrind:7 -o profile.webgrind", "an Xdebug profile for webgrind" },
    { "assay convert old.webgrind --to webgrind:7 -o new.webgrind", "upgrade a file to the newest version" },
    { "assay convert --strict a.out --to callgrind -o b.out", "fail if anything would be lost" },
    { NULL, NULL },
};

/* ---- the run ---- */

enum { WRITER_SHARE = 4 }; /* of --memory; the rest is for reading */

static struct assay_write_options write_options(const struct settings *s, const char *target)
{
    return (struct assay_write_options){
        .size = sizeof(struct assay_write_options),
        .format = target,
        .strict = s->read.strict,
        .estimate = s->estimate,
        .no_estimate = s->no_estimate,
        .metric = s->metric,
        .metrics = s->metrics,
        .sum_up = s->sum_up,
        .foreign = s->read.foreign,
        .maps = s->read.maps.at,
        .map_count = s->read.maps.len,
        .memory = s->memory / WRITER_SHARE,
        .threads = parallel_workers(s->read.threads),
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

static int run(struct cli *c)
{
    assay_error err = { 0 };
    assay_losses *losses = NULL;
    const struct assay_format_info *from = NULL;
    const char *input = c->set.files.at[0], *target = cli_find_target(c), *output = c->set.output ? c->set.output : "-";
    if (!target) return CLI_USAGE;
    if (!format_options_split(c, target)) return error_memory(&err), cli_fail(c, &err);
    struct assay_read_options read = cli_read_options(c, input, 0);
    read.memory = c->set.memory;
    struct assay_write_options write = write_options(&c->set, target);
    write.filter = read.filter;
    write.options = c->writing.at;
    write.option_count = c->writing.len;
    set_proxies(&c->set, &read);
    struct progress writing;
    progress_begin(&writing, &c->term, output);
    write.progress = progress_step;
    write.progress_arg = &writing;
    interrupt_hold_for(output);
    int rc = assay_convert(input, &read, output, &write, &from, &losses, &err);
    cli_read_done(c);
    if (!c->set.json || rc != 0) cli_print_losses(losses);
    if (rc != 0)
        cli_fail_write(c, &err);
    else if (c->set.json)
        cli_print_written(c, &(struct assay_written){ .size = sizeof(struct assay_written),
                                                      .inputs = &input,
                                                      .input_count = 1,
                                                      .from = from->name,
                                                      .to = target,
                                                      .output = output,
                                                      .losses = losses });
    assay_losses_free(losses);
    return c->exit;
}

const struct verb convert_verb = { "convert", "convert a file to another format", "FILE", 1, 1, options, text, examples, run, NULL, options };
