/* callers: who calls a function, and what it calls. */
#include <stdio.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/core/top.h"
#include "base/error.h"
#include "base/option_table.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "report/verb.h"
#include "report/verbs/course.h"

enum { LIMIT_DEFAULT = 10, DEPTH_MOST = 100 };

/* In the order of enum assay_sort from TOTAL on. */
static const char *const sort_words[] = { "total", "calls", "name", NULL };

static const struct option_spec options[] = {
    OPTION_METRICS(""),
    OPTION_METRICS_FILE,
    OPTION_PER_CALL,
    { .name = "callers", .type = OPTION_FLAG, AT(callers), .help = "show only callers" },
    { .name = "callees", .type = OPTION_FLAG, AT(callees), .help = "show only callees" },
    { .name = "by-site",
      .type = OPTION_FLAG,
      AT(by_site),
      .help = "show one row per call site instead of one per function",
      .text = "By default, a row with several call sites shows the most expensive one and the number of others." },
    { .name = "depth",
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(depth),
      .least = 1,
      .most = DEPTH_MOST,
      .help = "also show callers of callers and callees of callees, N levels; 1 by default",
      .text = "Needs call stacks in the input. The figures are those of the path through the rows above, and add up to them." },
    { .name = "by",
      .type = OPTION_WORD,
      .argument = "KIND",
      AT(over),
      GIVEN(has_over),
      .words = stream_by_words,
      .help = "show the function over streams, threads, processes, ranks, nodes or GPUs instead",
      .text = "One row for each, the largest total first, with the outliers marked; --csv and --json have all of them in the order of their ids." },
    OPTION_PLOT,
    OPTION_CYCLES,
    { .name = "sort",
      .letter = 's',
      .type = OPTION_WORD,
      .argument = "KEY",
      AT(sort),
      .words = sort_words,
      .help = "sort rows by total, calls or name; total by default" },
    OPTION_MIN("Applies to callers and callees; the function itself is always shown."),
    OPTION_LIMIT("show at most N matching functions, and N callers and N callees of each; 10 by default, 0 = all"),
    OPTIONS_TABLE,
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Shows a function with its callers above (<) and its callees below (>): the cost of these calls, as a share of the whole and of the function's total, how "
    "often they were made, and from which source line.",
    "FUNCTION is a name, or a regular expression if no function has that name. Each matching function gets its own table, the most expensive first.",
    "For a call graph, the figures are those in the file. For call stacks, a call nested in another call from the same caller to the same callee is not "
    "counted again, so recursion counts once.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay callers main callgrind.out.4711", "callers and callees of main" },
    { "assay callers --callers --by-site --limit 0 is_prime callgrind.out.4711", "every line that calls is_prime" },
    { "assay callers --by rank work hpctoolkit-app-database", "what a function cost on each rank" },
    { "assay callers --by rank --plot sorted -o work.svg work hpctoolkit-app-database", "the same as a plot" },
    { "assay callers --depth 3 '^main::' app.nytprof", "three levels up and down from the functions of a package" },
    { NULL, NULL },
};

/* ---- one file ---- */

static uint64_t limit_of(const assay_reporter *r) { return !r->set.has_limit ? LIMIT_DEFAULT : r->set.limit ? r->set.limit : UINT64_MAX; }

static int choose(assay_reporter *r, const assay_profile *p, const assay_top *top, struct metric_columns *columns, struct callers_options *o, assay_error *err)
{
    struct metric_set set = { .profile = p, .at = top->metrics, .count = top->metric_count };
    TRY(metric_columns_init(columns, &r->mem, &set, r->set.metric, err));
    TRY(metric_columns_refuse_rows(columns, "'assay callers'", err));
    o->k = metric_columns_key(columns);
    o->columns = columns;
    o->all_metrics = r->set.json == JSON_FULL || columns->count > 1 || columns->at[0].formula;
    o->sort = (enum assay_sort)(ASSAY_SORT_TOTAL + r->set.sort);
    o->by_site = r->set.by_site;
    o->depth = r->set.depth ? (uint32_t)r->set.depth : 1;
    o->limit = limit_of(r);
    o->least = r->set.has_least ? r->set.least / 100 : 0;
    o->is_collapsed = r->set.cycles;
    return 0;
}

static int refuse(const struct callers *callers, const char *function, assay_error *err)
{
    assay_slice near = callers_nearest(callers, function);
    if (near.data) FAIL(err, ASSAY_ERR_USAGE, "no function matches '%.100s'; did you mean '%.100s'?", function, near.data);
    FAIL(err, ASSAY_ERR_USAGE, "no function matches '%.100s'; 'assay top' lists the functions", function);
}

static int show_found(struct report *r, const struct callers *callers, const struct callers_found *found, struct report_callers *s, assay_error *err)
{
    int rc = 0;
    report_callers_begin_input(r, s);
    for (uint64_t i = 0; rc == 0 && i < s->shown; i++) {
        struct callers_block block;
        rc = callers_block_init(&block, callers, found->at[i], err);
        if (rc == 0) report_callers_block(r, s, &block);
        callers_block_done(&block, callers);
    }
    report_callers_end_input(r, s);
    return rc;
}

static int show_streams(assay_reporter *r, const char *path, const struct callers *callers, const struct callers_found *found, uint64_t count, assay_error *err)
{
    SCRATCH(uint32_t, rows, &r->mem, found->len + 1);
    if (!rows) return error_memory(err);
    for (uint64_t i = 0; i < count; i++) rows[i] = found->at[i].row;
    return course_show(r, path, callers->profile, callers->top, callers->options.columns, rows, (size_t)count, (enum stream_by)r->set.over, err);
}

static int show(assay_reporter *r, const char *path, const struct callers *callers, assay_error *err)
{
    struct report_callers s = { .c = callers, .path = path, .function = r->function };
    struct callers_found found = { 0 };
    vec_scoped(&r->mem, &found);
    TRY(callers_find(callers, s.function, &found, err));
    if (!found.len) return refuse(callers, s.function, err);
    s.found = found.len;
    s.shown = found.len < limit_of(r) ? found.len : limit_of(r);
    if (r->set.has_over) return show_streams(r, path, callers, &found, s.shown, err);
    s.no_callers = r->set.callees && !r->set.callers;
    s.no_callees = r->set.callers && !r->set.callees;
    return show_found(&r->report, callers, &found, &s, err);
}

/* What the file has to tell for this. */
static int refuse_shape(const assay_reporter *r, const assay_profile *p, assay_error *err)
{
    uint32_t shapes = assay_profile_shapes(p);
    if (shapes & ASSAY_SHAPE_TREE || (shapes & ASSAY_SHAPE_GRAPH && r->set.depth <= 1)) return 0;
    if (r->set.depth > 1) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no call stacks, so callers of callers are unknown; omit --depth");
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no calls between functions");
}

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    struct callers_options o = { 0 };
    SCOPED(top_drop) assay_top *own = NULL;
    SCOPED(metric_columns_done) struct metric_columns columns = { 0 };
    SCOPED(callers_done) struct callers callers = { 0 };
    TRY(refuse_shape(r, p, err));
    bool is_kept = r->arcs && r->arcs->profile == p;
    if (!is_kept) TRY(assay_top_new(p, &own, err));
    const assay_top *top = is_kept ? r->top : own;
    o.arcs = is_kept ? r->arcs : NULL;
    TRY(choose(r, p, top, &columns, &o, err));
    TRY(callers_init(&callers, &r->mem, p, top, &o, err));
    if (r->set.cycles && callers.arcs.is_exact) report_say(r, "%s: --cycles has no effect: recursion is already counted once", path);
    return show(r, path, &callers, err);
}

/* ---- the verb ---- */

static const char *const words[] = { "FUNCTION", NULL };

static uint32_t want(const assay_reporter *r)
{
    if (r->set.depth > 1) return ASSAY_WANT_TREE;
    return ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_SPARSE | (r->set.has_over ? (uint32_t)(ASSAY_WANT_TREE | ASSAY_WANT_EITHER) : 0);
}

static int check(assay_reporter *r, assay_error *err)
{
    const struct settings *s = &r->set;
    if (!r->function) FAIL(err, ASSAY_ERR_USAGE, "callers needs FUNCTION");
    if (s->has_over && (s->callers || s->callees || s->by_site || s->depth || s->cycles))
        FAIL(err, ASSAY_ERR_USAGE, "--by shows the function itself; it cannot be combined with --callers, --callees, --by-site, --depth or --cycles");
    return course_check(r, err);
}

static int begin(assay_reporter *r, assay_error *err)
{
    (void)err;
    report_callers_begin(&r->report);
    return 0;
}

const struct report_verb callers_verb = {
    .order = 60,
    .about = { "callers", "show the callers and callees of a function", "FUNCTION FILE...", 2, SIZE_MAX, words, text, examples },
    .options = options,
    .check = check,
    .want = want,
    .begin = begin,
    .add = add,
};
