/* `assay FILE...` without a verb: what it is, where its cost goes or what is not covered, what is wrong with it, and how to go on. Everything here is
 * said by a verb, too; this only puts the beginnings of three of them together. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/option_table.h"
#include "base/text.h"
#include "report/verbs/top.h"

enum { ROWS = 5 };

struct summary {
    size_t begun; /* inputs */
};

static const struct option_spec options[] = { OPTION_COLOR, OPTIONS_READING, OPTION_END };

static const char *const text[] = {
    "Shows what each FILE is, its five most expensive functions or least covered files, the findings of 'assay check', and commands to run next.",
    NULL,
};

static const struct assay_verb_example examples[] = { { "assay callgrind.out.4711", "what it is, and where the cost goes" }, { NULL, NULL } };

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

static int check_file(assay_reporter *r, assay_error *err)
{
    const assay_check_result *result;
    int rc = report_check_file(r, &result, err);
    if (rc == 0) put_checked(&r->report, result);
    return rc;
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

static int show_table(assay_reporter *r, const char *path, const assay_profile *p, assay_slice *hottest, assay_error *err)
{
    output_char(r->report.out, '\n');
    r->report.shown = 0; /* no blank line of its own */
    return top_show(r, path, p, hottest, err);
}

/* A blank line before each input but the first, whether it can be read or not. */
static void separate(assay_reporter *r)
{
    struct summary *s = r->state;
    if (s->begun != r->begun && r->begun > 1) output_char(r->report.out, '\n');
    s->begun = r->begun;
}

static int unread(assay_reporter *r, const char *path, int rc, assay_error *err)
{
    (void)path;
    (void)err;
    separate(r);
    return rc;
}

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    assay_slice hottest = { "", 0 };
    separate(r);
    report_summary(&r->report, path, report_file_size(path), p);
    if (has_table(p)) TRY(show_table(r, path, p, &hottest, err));
    if (!r->is_from_file) {
        report_say_damage(r, path, p);
        return 0;
    }
    int rc = check_file(r, err);
    put_next(&r->report, path, p, hottest);
    return rc;
}

/* ---- the verb ---- */

static uint32_t want(const assay_reporter *r)
{
    (void)r;
    return ASSAY_WANT_SUMS | ASSAY_WANT_SPARSE | ASSAY_WANT_PAIRS | ASSAY_WANT_COVERAGE;
}

static int begin(assay_reporter *r, assay_error *err)
{
    (void)err;
    r->report.has_limit = true;
    r->report.limit = ROWS;
    return 0;
}

const struct report_verb summary_verb = {
    .order = 0,
    .about = { "summary", "give an overview of a file", "FILE...", 1, SIZE_MAX, NULL, text, examples },
    .options = options,
    .state = sizeof(struct summary),
    .tells_damage = true,
    .checks = true,
    .want = want,
    .begin = begin,
    .add = add,
    .unread = unread,
};
