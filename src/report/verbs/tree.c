/* tree: where the cost goes, by calling context. */
#include "report/tree.h"

#include "analysis/core/cycles_profile.h"
#include "analysis/streams/stats.h"
#include "base/error.h"
#include "base/option_table.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "report/verbs/contexts.h"
#include "report/verbs/course.h"
#include "report/verbs/over.h"

/* People want the large rows, programs all of them; but nobody wants all of a bottom-up tree, which can be as large as the square of its input. */
enum { LIMIT_TEXT = 100, LIMIT_BOTTOM_UP = 10000 };
#define LEAST_TEXT 0.01

static const char *const sort_words[] = { "self", "total", "calls", "name", NULL };

/* Kinds of streams (enum stream_by) for one function; then the same for every context. */
static const char *const over_words[] = { "stream",         "thread",          "process",      "rank",         "node",        "gpu", "context,stream",
                                          "context,thread", "context,process", "context,rank", "context,node", "context,gpu", NULL };

static const struct option_spec options[] = {
    { .name = "bottom-up",
      .type = OPTION_FLAG,
      AT(bottom_up),
      .help = "show functions, each with its callers below it",
      .text = "The figures of a caller are the cost of the function when called from there. A call graph has one level of callers." },
    { .name = "flat",
      .type = OPTION_FLAG,
      AT(flat),
      .help = "show modules, their files and functions, and the loops, lines and calls in them",
      .text = "Functions have the same figures as in 'assay top'." },
    { .name = "hot-path",
      .type = OPTION_FLAG,
      AT(hot_path),
      .help = "follow the largest callee as long as it has at least half of its caller's cost",
      .text = "Lines and loops are steps of the path. It follows the metric shown, whatever --sort says." },
    { .name = "functions", .type = OPTION_FLAG, AT(only_functions), .help = "leave out lines, loops and call sites, and combine calls to the same function" },
    { .name = "contexts",
      .type = OPTION_FLAG,
      AT(contexts),
      .help = "show lines and the calls made from them as separate rows",
      .text = "As HPCToolkit stores them. By default, the line of a call is shown with the called function, as 'from :LINE'." },
    { .name = "function",
      .type = OPTION_TEXT,
      .argument = "NAME",
      AT(function),
      .help = "start at this function, wherever it is called from",
      .text = "The full name, as shown by 'assay top'. With --bottom-up and --flat, show only this function." },
    OPTION_STATS(""),
    { .name = "by",
      .type = OPTION_WORD,
      .argument = "KIND",
      AT(over),
      GIVEN(has_over),
      .words = over_words,
      .help = "with --function: show it over streams, threads, processes, ranks, nodes or GPUs; with 'context,': every context by each",
      .text = "'--function F --by rank' shows one row for each rank, as 'assay callers --by rank F' does. '--by context,rank' shows the cost of every context "
              "on each rank "
              "that has any, for --csv and --json: rank after rank, and in each the contexts in the order of the tree. --json lists the contexts and the ranks "
              "once, and the values "
              "as [context, rank, self, total] by their places in these lists." },
    OPTION_PLOT,
    OPTIONS_ESTIMATE,
    { .name = "cycles",
      .type = OPTION_FLAG,
      AT(cycles),
      .help = "combine functions that call each other into '<cycle N>'",
      .text = "In a call graph only; call stacks tell recursion as it was. A cycle has the same figures as in 'assay top --cycles'." },
    OPTION_METRICS(""),
    OPTION_METRICS_FILE,
    OPTION_PER_CALL,
    { .name = "sort",
      .letter = 's',
      .type = OPTION_WORD,
      .argument = "KEY",
      AT(sort),
      GIVEN(has_sort),
      .words = sort_words,
      .help = "sort siblings by self, total, calls or name",
      .text = "Figures sort in descending order. The default is total, or self with --bottom-up and --flat." },
    OPTION_MIN("Compares total cost, or self cost with --bottom-up and --flat unless sorted by total. 1% by default, 0 with --json and --csv."),
    OPTION_LIMIT("show the N largest rows; 100 by default, all with --json and --csv; 0 = all"),
    OPTION_DEPTH,
    OPTIONS_TABLE,
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Shows the call stacks of each FILE as a tree: the cost of a function itself when called from there (self), its cost including callees (total), each also "
    "as a share of the whole, and how often it was called. Loops and lines are shown if the file has them.",
    "An only child is not indented, so that long call chains stay narrow.",
    "Recursion counts once: in the bottom-up and flat views, no total exceeds the whole. All views are exact for formats with call stacks: Xdebug text, "
    "webgrind version 4, NYTProf with calls, hpcrun, HPCToolkit databases, folded stacks. For a call graph (callgrind, webgrind 5 to 7), --flat and "
    "--bottom-up are exact; the other views are estimated and say so.",
    "--json and --csv print all rows, or the 10000 largest with --bottom-up; --json includes every metric of each row. docs/tree.md explains what each view "
    "counts.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay tree cachegrind.out.4711", "stacks with at least 1% of the cost" },
    { "assay tree --hot-path --metric 'CPUTIME (sec)' hpctoolkit-app-measurements", "where most of the time goes" },
    { "assay tree --bottom-up --function work --depth 3 hpctoolkit-app-measurements", "callers of a function, three levels up" },
    { "assay tree --flat --functions callgrind.out.4711", "modules, files and functions of a call graph" },
    { "assay tree --stats=rank hpctoolkit-app-database", "how evenly ranks share the cost of each context" },
    { "assay tree --by context,rank --csv hpctoolkit-app-database >values.csv", "the cost of every context on every rank" },
    { "assay tree --json app.nytprof >tree.json", "all rows, for other programs" },
    { NULL, NULL },
};

static bool is_by_context(const struct settings *s) { return s->has_over && s->over >= STREAM_BYS; }

static struct view_options view_options(const assay_reporter *r)
{
    const struct settings *s = &r->set;
    bool is_data = s->json || report_is_csv(s);
    struct view_options o = { .kind = s->bottom_up ? VIEW_BOTTOM_UP : s->flat ? VIEW_FLAT : s->hot_path ? VIEW_HOT_PATH : VIEW_TOP_DOWN };
    bool is_by_self = o.kind == VIEW_BOTTOM_UP || o.kind == VIEW_FLAT;
    o.detail = s->only_functions ? VIEW_FUNCTIONS : s->contexts ? VIEW_CONTEXTS : VIEW_CALL_SITES;
    o.all_metrics = s->json == JSON_FULL;
    o.sort = s->has_sort ? (enum assay_sort)s->sort : is_by_self ? ASSAY_SORT_SELF : ASSAY_SORT_TOTAL;
    o.least = s->has_least ? s->least / 100 : is_data ? 0 : LEAST_TEXT;
    o.limit = s->has_limit ? s->limit : !is_data ? LIMIT_TEXT : o.kind == VIEW_BOTTOM_UP ? LIMIT_BOTTOM_UP : 0;
    o.depth = (uint32_t)s->depth;
    o.function = s->function;
    o.columns = s->metric;
    return o;
}

/* Flat views show what `top` shows, so they are made of the same shapes; what files and modules cost with all they call is in the stacks. A bottom-up view makes
 * do with a graph, the others need stacks. */
static uint32_t want(const assay_reporter *r)
{
    const uint32_t graph = ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_SPARSE;
    if (r->set.has_over && !is_by_context(&r->set)) return ASSAY_WANT_SUMS | ASSAY_WANT_SPARSE | ASSAY_WANT_TREE | ASSAY_WANT_EITHER;
    if (r->set.bottom_up) return graph;
    if (r->set.flat) return graph | ASSAY_WANT_COSTS;
    return contexts_want(r);
}

static int check(assay_reporter *r, assay_error *err)
{
    const struct settings *s = &r->set;
    if (s->bottom_up + s->flat + s->hot_path > 1) FAIL(err, ASSAY_ERR_USAGE, "--bottom-up, --flat and --hot-path cannot be combined");
    if (s->only_functions && s->contexts) FAIL(err, ASSAY_ERR_USAGE, "--functions and --contexts cannot be combined");
    if (s->has_over && !is_by_context(s) && !s->function)
        FAIL(err, ASSAY_ERR_USAGE, "'--by %s' needs --function NAME; for all contexts use '--by context,%s'", over_words[s->over], over_words[s->over]);
    if (s->has_over && s->stats) FAIL(err, ASSAY_ERR_USAGE, "--by and --stats cannot be combined");
    if (s->has_plot && is_by_context(s)) FAIL(err, ASSAY_ERR_USAGE, "--plot draws one function; use --function NAME and '--by rank' or the like");
    return course_check(r, err);
}

static int begin(assay_reporter *r, assay_error *err)
{
    (void)err;
    report_tree_begin(&r->report);
    return 0;
}

/* Over streams. */
struct spread {
    struct stream_groups groups;
    struct stream_rows rows;
    struct stream_stats stats;
};

static void spread_done(struct spread *x)
{
    stream_stats_done(&x->stats);
    stream_rows_done(&x->rows);
    stream_groups_done(&x->groups);
}

static int show_by_context(assay_reporter *r, const char *path, const struct view *v, struct spread *x, assay_error *err)
{
    TRY(stream_groups_init(&x->groups, v->profile, (enum stream_by)(r->set.over - STREAM_BYS), &r->mem, err));
    TRY(view_stream_rows(v, &x->rows, err));
    struct report_tree_over over = { .report = &r->report, .path = path, .view = v, .groups = &x->groups };
    report_tree_over_begin(&over);
    int rc = stream_figures_each(&x->rows, &x->groups, v->options.metric, report_tree_over_group, &over, err);
    report_tree_over_end(&over);
    return rc;
}

static int show(assay_reporter *r, const char *path, const assay_profile *p, const struct view_options *o, assay_error *err)
{
    SCOPED(view_done) struct view v = { 0 };
    SCOPED(spread_done) struct spread x = { .groups = { 0 } };
    assay_metric_id metric;
    TRY(view_init(&v, &r->mem, p, o, err));
    if (r->set.stats || is_by_context(&r->set)) TRY(over_metric(&v.columns, r->set.stats ? "--stats" : "--by", &metric, err));
    if (is_by_context(&r->set)) return show_by_context(r, path, &v, &x, err);
    if (r->set.stats) {
        TRY(stream_groups_init(&x.groups, p, stats_by(&r->set), &r->mem, err));
        TRY(view_stats(&v, &x.groups, &x.stats, err));
        v.stats = &x.stats;
        v.stats_of_total = o->sort == ASSAY_SORT_TOTAL || (o->kind != VIEW_BOTTOM_UP && o->kind != VIEW_FLAT && o->sort != ASSAY_SORT_SELF);
    }
    report_tree(&r->report, path, &v);
    return 0;
}

static void profile_drop(assay_profile **p) { assay_profile_release(*p); }

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    struct view_options o = view_options(r);
    SCOPED(profile_drop) assay_profile *tree = NULL, *graph = NULL;
    if (r->set.cycles) {
        TRY(cycles_profile(p, r->set.read.max_memory, &graph, err));
        p = graph;
    }
    if (r->set.has_over && !is_by_context(&r->set)) return course_show_named(r, path, p, r->set.function, (enum stream_by)r->set.over, err);
    if (o.kind == VIEW_FLAT || o.kind == VIEW_BOTTOM_UP) return show(r, path, p, &o, err);
    TRY(contexts_make(r, p, &tree, &o.is_estimated, err));
    return show(r, path, tree, &o, err);
}

const struct report_verb tree_verb = {
    .order = 50,
    .about = { "tree", "show call stacks as a tree", "FILE...", 1, SIZE_MAX, NULL, text, examples },
    .options = options,
    .check = check,
    .want = want,
    .begin = begin,
    .add = add,
};
