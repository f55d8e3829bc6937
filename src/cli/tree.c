/* assay tree: where the cost goes, by calling context. */
#include "report/tree.h"
#include "base/error.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "cli/contexts.h"
#include "cli/shared.h"
#include "cli/verbs.h"

/* People want the large rows, programs all of them; but nobody wants all of a bottom-up tree, which can be as large as the square of its input. */
enum { LIMIT_TEXT = 100, LIMIT_BOTTOM_UP = 10000 };
#define LEAST_TEXT 0.01

static const char *const sort_words[] = { "self", "total", "calls", "name", NULL };

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
    OPTIONS_ESTIMATE,
    OPTION_METRICS(""),
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

static const struct example examples[] = {
    { "assay tree cachegrind.out.4711", "stacks with at least 1% of the cost" },
    { "assay tree --hot-path --metric 'CPUTIME (sec)' hpctoolkit-app-measurements", "where most of the time goes" },
    { "assay tree --bottom-up --function work --depth 3 hpctoolkit-app-measurements", "callers of a function, three levels up" },
    { "assay tree --flat --functions callgrind.out.4711", "modules, files and functions of a call graph" },
    { "assay tree --json app.nytprof >tree.json", "all rows, for other programs" },
    { NULL, NULL },
};

static struct view_options view_options(const struct cli *c)
{
    const struct settings *s = &c->set;
    bool is_data = s->json || cli_csv(s);
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
static int read_input(struct cli *c, const char *path, struct view_options *o, assay_profile **p, assay_error *err)
{
    if (o->kind == VIEW_FLAT) return cli_read_profile(c, path, ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_COSTS, p, err);
    if (o->kind == VIEW_BOTTOM_UP) return cli_read_profile(c, path, ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_ARCS, p, err);
    return cli_read_tree(c, path, p, &o->is_estimated, err);
}

static int show(struct cli *c, struct report *r, const char *path, const assay_profile *p, struct view_options *o, assay_error *err)
{
    struct view v;
    int rc = view_init(&v, &c->mem, p, o, err);
    if (rc == 0) report_tree(r, path, &v);
    view_done(&v);
    return rc;
}

static void run_file(struct cli *c, struct report *r, const char *path)
{
    assay_error err = { 0 };
    assay_profile *p = NULL;
    struct view_options o = view_options(c);
    int rc = read_input(c, path, &o, &p, &err);
    if (rc == 0) rc = show(c, r, path, p, &o, &err);
    if (p) cli_warn_of_damage(path, p);
    if (rc != 0) cli_fail_input(c, r, path, &err);
    assay_profile_release(p);
}

static int run(struct cli *c)
{
    struct report r;
    struct output *out;
    const struct settings *s = &c->set;
    if (s->bottom_up + s->flat + s->hot_path > 1) return cli_usage(c->verb, "--bottom-up, --flat and --hot-path cannot be combined");
    if (s->only_functions && s->contexts) return cli_usage(c->verb, "--functions and --contexts cannot be combined");
    if (!cli_open_output(c, &out)) return c->exit;
    cli_report(c, out, &r);
    report_tree_begin(&r);
    for (size_t i = 0; i < s->files.len && !interrupt_pending(); i++) run_file(c, &r, s->files.at[i]);
    return cli_end_report(c, &r);
}

const struct verb tree_verb = { "tree", "show call stacks as a tree", "FILE...", 1, SIZE_MAX, options, text, examples, run };
