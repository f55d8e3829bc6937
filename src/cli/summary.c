/* `assay FILE...` without a verb: what it is, where its cost goes or what is not covered, what is wrong with it, and how to go on. Everything here is
 * said by a verb, too; this only puts the beginnings of three of them together. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/shared.h"
#include "cli/top.h"
#include "cli/verbs.h"

enum { ROWS = 5 };

static const struct option_spec options[] = { OPTION_COLOR, OPTIONS_READING, OPTION_END };

static const char *const text[] = {
    "Shows what each FILE is, its five most expensive functions or least covered files, the findings of 'assay check', and commands to run next.",
    NULL,
};

static const struct example examples[] = { { "assay callgrind.out.4711", "what it is, and where the cost goes" }, { NULL, NULL } };

bool summary_takes(const char *argument)
{
    struct stat st;
    return strcmp(argument, "-") == 0 || strchr(argument, '/') || stat(argument, &st) == 0;
}

/* ---- what is wrong with it ---- */

static void put_checked(struct report *r, const assay_check_result *result)
{
    const assay_finding *first = NULL;
    for (size_t i = 0; i < result->count && !first; i++)
        if (result->findings[i].severity == (result->errors ? ASSAY_ERROR : ASSAY_WARNING)) first = &result->findings[i];
    output_text(r->out, "\ncheck: ");
    report_check_counts(r, result);
    if (first) {
        output_text(r->out, "; first: ");
        if (first->line)
            output_printf(r->out, "line %llu: ", (unsigned long long)first->line);
        else if (first->has_offset)
            output_printf(r->out, "offset %llu: ", (unsigned long long)first->offset);
        report_finding_text(r, first);
    }
    output_char(r->out, '\n');
}

static void check(struct cli *c, struct report *r, const char *path)
{
    assay_error err = { 0 };
    assay_check_result *result = NULL;
    struct assay_read_options o = cli_read_options(c, path, 0);
    int rc = assay_check(path, &o, &result, &err);
    cli_read_done(c);
    if (rc == 0)
        put_checked(r, result);
    else
        cli_fail(c, &err);
    assay_check_free(result);
}

/* ---- how to go on ---- */

/* As a shell takes it for one word, unless a terminal cannot show it. */
static void put_word(struct output *out, assay_slice word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,-";
    bool is_plain = word.len && word.data[0] != '-';
    for (size_t i = 0; i < word.len; i++) is_plain &= word.data[i] && strchr(plain, word.data[i]);
    if (!is_plain) output_char(out, '\'');
    for (const char *p = word.data, *end = p + word.len; p < end;) {
        const char *quote = memchr(p, '\'', (size_t)(end - p));
        text_show(out, slice_from(p, quote ? quote : end));
        if (quote) output_text(out, "'\\''");
        p = quote ? quote + 1 : end;
    }
    if (!is_plain) output_char(out, '\'');
}

/* `before` FUNCTION FILE `after`; without a function none is named. */
static void put_command(struct report *r, const char *before, assay_slice function, const char *path, const char *after, const char *what)
{
    output_printf(r->out, "  assay %s ", before);
    if (function.len) {
        put_word(r->out, function);
        output_char(r->out, ' ');
    }
    put_word(r->out, slice_of(path));
    output_printf(r->out, "%s\n      %s\n", after, what);
}

static bool has_calls(const assay_profile *p)
{
    const struct assay_graph *g = assay_profile_graph(p);
    return assay_profile_tree(p)->count || g->pair_count || g->arc_count || g->knows_nesting;
}

static void put_next(struct report *r, const char *path, const assay_profile *p, assay_slice hottest)
{
    const assay_slice none = { "", 0 };
    uint32_t shapes = assay_profile_shapes(p) | assay_profile_offers(p);
    output_text(r->out, "\nnext:\n");
    if (hottest.len && has_calls(p)) {
        put_command(r, "callers", hottest, path, "", "callers and callees of the most expensive function");
        put_command(r, "tree --hot-path", none, path, "", "the most expensive call path");
        put_command(r, "flame", none, path, " -o flame.svg", "a flame graph for a browser");
    } else if (hottest.len) {
        put_command(r, "top", none, path, "", "all functions");
        put_command(r, "annotate --function", hottest, path, "", "the most expensive function, line by line");
        put_command(r, "annotate", none, path, "", "the most expensive source files");
    } else if (shapes & ASSAY_SHAPE_COVERAGE) {
        put_command(r, "top", none, path, "", "all files, least covered first");
        put_command(r, "annotate --missing --source-root .", none, path, "", "the lines that were not executed");
        put_command(r, "convert --to html --source-root . -o site", none, path, "", "an HTML report");
    } else {
        put_command(r, "info", none, path, "", "everything known about it");
        if (shapes & ASSAY_SHAPE_LINES) put_command(r, "annotate", none, path, "", "cost of each source line");
        if (shapes & ASSAY_SHAPE_TIMELINE) put_command(r, "timeline", none, path, "", "activity over time");
        put_command(r, "dump", none, path, "", "every record, with its offset");
    }
}

/* ---- one file ---- */

/* A trace alone or a structure file has nothing to list. */
static bool has_table(const assay_profile *p)
{
    uint32_t shapes = assay_profile_shapes(p);
    return shapes & ASSAY_SHAPE_COVERAGE || (shapes & (ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES) && assay_profile_metrics(p)->count);
}

static void run_file(struct cli *c, struct report *r, const char *path)
{
    assay_error err = { 0 };
    assay_profile *p = NULL;
    assay_slice hottest = { "", 0 };
    bool is_once = strcmp(path, "-") == 0; /* it cannot be read again */
    int rc = cli_read_profile(c, path, ASSAY_WANT_SUMS | ASSAY_WANT_SPARSE | ASSAY_WANT_PAIRS | ASSAY_WANT_COVERAGE, &p, &err);
    if (rc == 0) {
        report_summary(r, path, cli_file_size(path), p);
        if (has_table(p)) {
            output_char(r->out, '\n');
            r->shown = 0; /* no blank line of its own */
            rc = top_show(c, r, path, p, &hottest, &err);
        }
    }
    if (rc == 0 && !is_once) check(c, r, path);
    if (rc == 0 && !is_once) put_next(r, path, p, hottest);
    if (p && is_once) cli_warn_of_damage(path, p);
    if (rc != 0) cli_fail_input(c, r, path, &err);
    assay_profile_release(p);
}

static int run(struct cli *c)
{
    struct report r;
    struct output *out;
    if (!cli_open_output(c, &out)) return c->exit;
    cli_report(c, out, &r);
    r.has_limit = true;
    r.limit = ROWS;
    for (size_t i = 0; i < c->set.files.len && !interrupt_pending(); i++) {
        if (i) output_char(out, '\n');
        run_file(c, &r, c->set.files.at[i]);
    }
    return cli_end_report(c, &r);
}

const struct verb summary_verb = { "", "give an overview of a file", "FILE...", 1, SIZE_MAX, options, text, examples, run };
