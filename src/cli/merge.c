/* assay merge: several inputs into one. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "cli/cli.h"
#include "cli/format_options.h"
#include "cli/memory.h"
#include "cli/merged.h"
#include "cli/shared.h"
#include "cli/target.h"
#include "cli/together.h"
#include "cli/verbs.h"

static const struct option_spec options[] = {
    { .name = "to",
      .letter = 't',
      .type = OPTION_TARGET,
      .argument = "FORMAT[:VERSION]",
      AT(to),
      .help = "write FORMAT",
      .text = "By default, the format that all inputs have in common, else chosen by the extension of the output. 'assay formats' lists formats, versions and "
              "extensions." },
    OPTION_OUTPUT,
    { .name = "keep-tests",
      .type = OPTION_FLAG,
      AT(keep_tests),
      .help = "keep tests separate, if the inputs name them",
      .text = "By default, the tests of all inputs are added up." },
    { .name = "strict",
      .type = OPTION_FLAG,
      AT(read.strict),
      .help = "fail if an input is damaged, the versions of a source file differ, or the target cannot hold everything" },
    { .name = "json", .type = OPTION_FLAG, AT(json), .help = "print the result, findings and losses as a JSON object" },
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Reads the inputs, in any mix of formats, and writes their sum. Counts are added, and a line hit in one input is hit in the result. "
    "The order of the inputs does not matter. Each thread (-j) reads one input at a time; no more of them are kept in memory, in addition to the result.",
    "If inputs only say how many branches of a line were hit, not which, the largest number is used: at least that many were hit. Such cases are reported on "
    "standard error. docs/merge.md lists all rules.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay merge unit.info system.info -o all.info", "two runs of the same program" },
    { "assay merge *.info coverage.json --to cobertura -o all.xml", "many runs in several formats, for a tool that reads Cobertura" },
    { "assay merge callgrind.out.4711 profile.webgrind -o all.callgrind", "two profiles" },
    { "assay merge --keep-tests unit.info system.info -o both.info", "keep the tests separate" },
    { NULL, NULL },
};

/* ---- reading ---- */

/* What the target has room for. */
static uint32_t want_for(const struct assay_format_info *f)
{
    uint32_t want = 0;
    if (f->holds & ASSAY_SHAPE_COVERAGE) want |= ASSAY_WANT_COVERAGE;
    if (f->holds & ASSAY_SHAPE_GRAPH) want |= ASSAY_WANT_GRAPH;
    if (f->holds & ASSAY_SHAPE_LINES) want |= ASSAY_WANT_LINES;
    if (f->holds & ASSAY_SHAPE_TREE && !(f->holds & ASSAY_SHAPE_GRAPH)) want |= ASSAY_WANT_TREE;
    return want;
}

/* The merged inputs; contexts become functions and calls for a target that has no room for more. NULL = it failed, printed. */
static assay_profile *read_for(struct cli *c, const struct assay_format_info *f)
{
    assay_error err = { 0 };
    assay_profile *graph = NULL,
                  *p = cli_read_merged(c, want_for(f), &(struct assay_merge_options){ .keep_tests = c->set.keep_tests, .strict = c->set.read.strict });
    uint32_t shapes = p ? assay_profile_shapes(p) : 0;
    if (!(shapes & ASSAY_SHAPE_TREE) || shapes & ASSAY_SHAPE_GRAPH || !(f->holds & ASSAY_SHAPE_GRAPH)) return p;
    struct assay_graph_options o = { .per_second = f->features & ASSAY_HAS_64_BITS ? 1000000000 : 1000000, .max_memory = cli_max_memory(c) };
    if (assay_graph_new(p, &o, &graph, NULL, &err) != 0) cli_fail(c, &err);
    assay_profile_release(p);
    return graph;
}

/* ---- writing ---- */

/* The format of some inputs; "" = all are empty. */
struct common {
    char name[64];
    bool is_mixed; /* they differ, or it cannot be told before reading (standard input) */
};

static void join_common(struct common *to, const struct common *other)
{
    to->is_mixed |= other->is_mixed || (*to->name && *other->name && strcmp(to->name, other->name) != 0);
    if (!*to->name) memcpy(to->name, other->name, sizeof to->name);
}

static struct common common_of(struct cli *c, size_t begin, size_t end)
{
    struct common all = { .is_mixed = false };
    for (size_t i = begin; i < end && !all.is_mixed; i++) {
        struct common one = { .is_mixed = false };
        const struct assay_format_info *f;
        const char *path = c->set.files.at[i];
        struct assay_read_options o = cli_read_options(c, path, 0);
        int rc = strcmp(path, "-") == 0 ? ASSAY_ERR_UNKNOWN : assay_probe(path, &o, &f, NULL, NULL, NULL);
        cli_read_done(c);
        one.is_mixed = rc != 0 && rc != ASSAY_ERR_EMPTY;
        if (rc == 0) snprintf(one.name, sizeof one.name, "%s", f->name);
        join_common(&all, &one);
    }
    return all;
}

/* The format of all inputs, where it can be written: what one tool wrote stays in its format, whatever the output is called. NULL = there is none. */
static const char *common_format(struct cli *c)
{
    const struct team *team = team_mine();
    size_t begin, end;
    cli_share_files(c, team, &begin, &end);
    const struct common own = common_of(c, begin, end);
    struct common all = own;
    for (uint32_t rank = 0; team && rank < team->count; rank++) {
        struct common other = own;
        team->broadcast(team->arg, rank, &other, sizeof other);
        join_common(&all, &other);
    }
    const struct assay_format_info *f = all.is_mixed || !*all.name ? NULL : assay_format_find(all.name);
    return f && f->can & ASSAY_CAN_WRITE ? f->name : NULL;
}

static int run(struct cli *c)
{
    assay_error err = { 0 };
    assay_losses *losses = NULL;
    for (size_t i = 0; team_mine() && i < c->set.files.len; i++)
        if (strcmp(c->set.files.at[i], "-") == 0) return cli_message("one process reads standard input: use assay"), CLI_USAGE;
    if (!c->set.to && c->set.output) c->set.to = common_format(c);
    const char *target = cli_find_target(c), *output = c->set.output ? c->set.output : "-";
    char name[64];
    if (!target) return CLI_USAGE;
    if (!format_options_split(c, target)) return error_memory(&err), cli_fail(c, &err);
    interrupt_hold_for(output);
    memory_hold_threshold(1 << 20, 64 << 20); /* columns of one input would grow inside the heap, by copies, once those of another were freed */
    cli_target_name(target, name, sizeof name);
    assay_profile *p = read_for(c, assay_format_find(name));
    if (!p) return c->exit;
    struct assay_write_options write = { .format = target,
                                         .strict = c->set.read.strict,
                                         .threads = parallel_workers(c->set.read.threads),
                                         .options = c->writing.at,
                                         .option_count = c->writing.len };
    int rc = assay_write(p, output, &write, &losses, &err);
    if (!c->set.json || rc != 0) {
        size_t count;
        const assay_finding *found = assay_profile_warnings(p, &count);
        cli_print_findings(found, count);
        cli_print_losses(losses);
    }
    if (rc != 0)
        cli_fail_write(c, &err);
    else if (c->set.json)
        cli_print_written(c, &(struct assay_written){ .size = sizeof(struct assay_written),
                                                      .inputs = c->set.files.at,
                                                      .input_count = c->set.files.len,
                                                      .to = target,
                                                      .output = output,
                                                      .losses = losses,
                                                      .merged = p });
    assay_losses_free(losses);
    assay_profile_release(p);
    return c->exit;
}

const struct verb merge_verb = { "merge", "add up several files", "FILE...", 1, SIZE_MAX, options, text, examples, run, NULL, NULL };
