/* top: where the cost goes, by function; what is not covered, by file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/cycles.h"
#include "analysis/core/metric_choice.h"
#include "analysis/core/top.h"
#include "analysis/core/top_addresses.h"
#include "analysis/core/top_columns.h"
#include "analysis/core/top_groups.h"
#include "analysis/core/top_labels.h"
#include "analysis/core/top_lines.h"
#include "analysis/coverage/copy.h"
#include "analysis/coverage/table.h"
#include "base/error.h"
#include "base/number.h"
#include "base/option_table.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "report/verbs/gate.h"
#include "report/verbs/hints.h"
#include "report/verbs/loads.h"
#include "report/verbs/over.h"
#include "report/verbs/top.h"
#include "report/verbs/where.h"

/* In the order of enum assay_sort, then what coverage has besides. */
enum { SORT_NAME = 3, SORT_COVERAGE = 4, SORT_STATS = 8 };
static const char *const sort_words[] = {
    "self", "total", "calls", "name", "lines", "functions", "branches", "missed", "lost", "imbalance", "cv", "max", NULL
};
/* enum assay_coverage_by, enum top_by */
static const char *const by_words[] = { "file",   "directory", "module",  "class", "line", "address", "label:",
                                        "stream", "thread",    "process", "rank",  "node", "gpu",     NULL };

static const struct option_spec options[] = {
    OPTION_METRICS(" 'calls' is always available."),
    OPTION_METRICS_FILE,
    OPTION_PER_CALL,
    { .name = "sort",
      .letter = 's',
      .type = OPTION_WORD,
      .argument = "KEY",
      AT(sort),
      GIVEN(has_sort),
      .words = sort_words,
      .help = "sort by self, total, calls or name; self by default",
      .text = "Figures sort in descending order; ties are broken by the other metrics, then by name. Coverage sorts by lines (the default), functions or "
              "branches, least covered first, by missed lines, or by name. With --stats, rows can also be sorted by lost (the default then), imbalance, cv or "
              "max of their self cost; sorted by total, the statistics are those of the total." },
    { .name = "by",
      .type = OPTION_WORD,
      .argument = "WHAT",
      AT(by),
      GIVEN(has_by),
      .words = by_words,
      .rest = offsetof(struct settings, by_label),
      .help = "one row for each file, directory, module, class, line, address, label:KEY, or stream, thread, process, rank, node, gpu; coverage has files and "
              "directories",
      .text = "In a profile, a row covers the functions defined there: self is their sum, and total counts a call stack once, however many of its frames are "
              "in the row. A call graph alone has no such total, so the column is left out. The class of a function is what its name has before the last part: "
              "'Cart' of 'Cart::add'. The total of a line includes the calls made from it, and calls "
              "counts them; the function with most of its cost is shown in brackets. An address has self cost only. The row of a value has the samples with "
              "this label, and samples with "
              "several values of it count for each. The row of a stream, thread, process, rank, node or GPU has its cost, how far that is from the mean, and "
              "the function "
              "with the largest self cost in it. In coverage, a directory is the sum of the files directly in it. --depth "
              "adds up subdirectories." },
    { .name = "depth",
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(depth),
      .least = 1,
      .most = UINT32_MAX,
      .help = "with '--by directory': add up directories more than N levels deep",
      .text = "Counted from the directory that all files share. The rows still add up to the total." },
    OPTION_STATS(" Rows are sorted by lost time unless --sort says otherwise."),
    OPTION_CLUSTER,
    OPTION_CYCLES,
    OPTION_MIN("Compares self cost, or total cost if sorted by it."),
    { .name = "at-least", .type = OPTION_TEXT, .argument = "N", AT(at_least), .help = "only rows whose first metric or formula is N or more" },
    { .name = "at-most",
      .type = OPTION_TEXT,
      .argument = "N",
      AT(at_most),
      .help = "only rows whose first metric or formula is N or less",
      .text = "In the unit of the file; compares self cost, or total cost if sorted by it. Combine it with --min to leave out what costs little: that "
              "compares the first metric that adds up." },
    { .name = "where",
      .type = OPTION_TEXT,
      .argument = "SQL",
      AT(where),
      .help = "only functions for which a condition in SQL holds, such as \"self > 1000 and name like 'read%'\"",
      .text = "On the columns of the table top of 'assay query' (name, source, line, module, self, total, self_share, total_share, calls), with the figures of "
              "the first metric shown. Shares and totals stay those of "
              "the whole." },
    OPTIONS_GATES,
    OPTION_LIMIT("show at most N functions or files; 30 by default, 0 = all"),
    OPTIONS_TABLE,
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Lists the functions of each FILE with their own cost (self), their cost including callees (total), each also as a share of the whole, and how often they "
    "were called.",
    "For coverage, lists the source files, least covered first: the share of lines, functions and branches that were hit, and the lines that were missed. "
    "--metric calls lists functions by calls instead.",
    "Functions without cost come last, if the limit allows. --json includes every metric of each function.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay top callgrind.out.4711", "the thirty most expensive functions" },
    { "assay top --metric Dr --sort total --limit 10 callgrind.out.4711", "top ten functions by inclusive data reads" },
    { "assay top --metric CEst,Ir --per-call callgrind.out.4711", "estimated cycles next to instructions, also per call" },
    { "assay top --by module --sort total hpctoolkit-app-measurements", "which library takes the time" },
    { "assay top --by line callgrind.out.4711", "the most expensive source lines" },
    { "assay top --by class --sort total cachegrind.out.4711", "which classes take the time" },
    { "assay top --by label:endpoint cpu.pb.gz", "which requests take the time" },
    { "assay top --stats=rank hpctoolkit-app-database", "which functions make ranks wait for the slowest" },
    { "assay top --by rank --cluster hpctoolkit-app-database", "what each rank cost, its hottest function, and which ranks are alike" },
    { "assay top coverage.info", "the least covered files and their missed lines" },
    { "assay top --by directory --fail-under lines=80,branches=70 coverage.xml", "by directory; exit status 1 if coverage is too low" },
    { "assay top --csv --limit 0 profile.webgrind >functions.csv", "all functions, for a spreadsheet" },
    { NULL, NULL },
};

static const char *const by_several[] = { "files", "directories", "modules", "classes", "lines", "addresses", "labels" }; /* streams have loads */

/* ---- which metric ---- */

/* Calls when there is no metric, or when they are asked for. */
static int choose_columns(assay_reporter *r, struct report_top *t, struct top_columns *columns, assay_error *err)
{
    struct metric_set set = { .profile = t->profile, .at = t->top->metrics, .count = t->top->metric_count };
    bool asks_calls = r->set.metric && strcmp(r->set.metric, "calls") == 0 && !metric_is_named(&set, "calls");
    t->by_calls = asks_calls || (!r->set.metric && !t->top->metric_count);
    *columns = (struct top_columns){ .set = { .profile = t->profile, .mem = &r->mem }, .top = t->top };
    t->columns = columns;
    if (t->by_calls && !t->top->metric_count) return 0;
    return top_columns_init(columns, &r->mem, t->profile, t->top, t->by_calls ? NULL : r->set.metric, err);
}

/* The metric whose arcs show recursion. */
static uint32_t first_metric(const struct top_columns *c) { return c->set.count ? metric_columns_key(&c->set) : 0; }

/* ---- coverage ---- */

/* What is covered, and nothing of cost; asked for a metric, it shows its functions as any profile does. */
static bool is_coverage(const assay_reporter *r, const assay_profile *p)
{
    uint32_t shapes = assay_profile_shapes(p) | assay_profile_offers(p);
    return !r->set.metric && shapes & ASSAY_SHAPE_COVERAGE && !(assay_profile_shapes(p) & (ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE));
}

static int choose_order(const struct settings *s, enum assay_coverage_sort *sort, assay_error *err)
{
    *sort = !s->has_sort ? ASSAY_COVERAGE_SORT_LINES : s->sort == SORT_NAME ? ASSAY_COVERAGE_SORT_NAME : (enum assay_coverage_sort)(s->sort - SORT_COVERAGE);
    if (s->has_sort && s->sort < SORT_NAME)
        FAIL(err, ASSAY_ERR_USAGE, "coverage cannot be sorted by %s; use lines, functions, branches, missed or name, or '--metric calls' for its functions",
             sort_words[s->sort]);
    return 0;
}

/* What the reader and the filters left out or changed: a line for each rule. `said` is a message that was printed already. */
static void say_dropped(const assay_reporter *r, const char *path, const assay_profile *p, const char *said)
{
    size_t count;
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++) {
        uint64_t more = 0;
        bool is_first = f[i].severity == ASSAY_WARNING && f[i].message != said && strncmp(f[i].rule, "FI-", 3) != 0;
        for (size_t k = 0; is_first && k < i; k++) is_first = strcmp(f[k].rule, f[i].rule) != 0 || f[k].severity != ASSAY_WARNING;
        if (!is_first) continue;
        for (size_t k = i; k < count; k++)
            if (strcmp(f[k].rule, f[i].rule) == 0 && f[k].severity == ASSAY_WARNING) more += (k > i) + f[k].repeats;
        char others[64] = "";
        if (more) snprintf(others, sizeof others, ", and %llu more", (unsigned long long)more);
        if (f[i].line)
            report_say(r, "%s:%llu: %s (%s)%s", path, (unsigned long long)f[i].line, f[i].message, f[i].rule, others);
        else
            report_say(r, "%s: %s (%s)%s", path, f[i].message, f[i].rule, others);
    }
}

static void say_differences(const assay_reporter *r, const char *path, const assay_coverage_table *t)
{
    static const char *const kinds[ASSAY_COVERAGE_COMPARED] = { "lines", "functions", "branches" };
    for (unsigned k = 0; k < ASSAY_COVERAGE_COMPARED; k++) {
        const assay_coverage_difference *d = &t->differs[k];
        if (d->files)
            report_say(r, "%s: counted %llu of %llu %s in %llu file%s whose totals state %llu of %llu", path, (unsigned long long)d->counted_hit,
                       (unsigned long long)d->counted, kinds[k], (unsigned long long)d->files, plural(d->files), (unsigned long long)d->stated_hit,
                       (unsigned long long)d->stated);
    }
}

static int show_coverage(assay_reporter *r, const char *path, const assay_profile *p, assay_error *err)
{
    struct report_coverage show = { .by = (enum assay_coverage_by)r->set.by };
    assay_coverage_table *table;
    if (r->set.has_by && r->set.by > TOP_BY_DIRECTORY && r->set.by != TOP_BY_LINE)
        FAIL(err, ASSAY_ERR_USAGE, "'--by %s' is for profiles; coverage has files and directories",
             r->set.by == TOP_BY_LABEL ? "label:KEY" : by_words[r->set.by]);
    if (r->set.stats) FAIL(err, ASSAY_ERR_USAGE, "--stats is for profiles");
    if (r->set.by == TOP_BY_LINE) FAIL(err, ASSAY_ERR_USAGE, "'--by line' is for profiles; 'assay annotate' shows the lines of coverage");
    TRY(choose_order(&r->set, &show.sort, err));
    if (show.by == ASSAY_COVERAGE_BY_DIRECTORY)
        TRY(coverage_folders_new(p, (uint32_t)r->set.depth, show.sort, &table, err));
    else
        TRY(assay_coverage_table_new(p, show.by, show.sort, report_coverage_rows(&r->report, UINT32_MAX), &table, err));
    show.table = table;
    gate_limits(r, &table->total, show.limits);
    report_coverage(&r->report, path, &show);
    const char *lack = coverage_offsets_lack(p);
    if (lack) report_say(r, "%s: %s%s", path, lack, r->filter.source_root_count ? "" : HINT_OF_SOURCES);
    say_dropped(r, path, p, lack);
    say_differences(r, path, table);
    assay_coverage_table_free(table);
    return gate_judge(r, path, p, err);
}

/* ---- one file ---- */

/* The metric whose figures a condition is about: the first that is shown; of a formula the first that there is. NULL = none was measured. */
static const char *metric_of_where(const struct report_top *t, const struct top_columns *columns)
{
    if (!t->top->metric_count) return NULL;
    assay_metric_id metric = t->top->metrics[columns->set.count ? metric_columns_key(&columns->set) : 0];
    return report_text(t->profile, assay_profile_metrics(t->profile)->name[metric.v]);
}

/* --at-least and --at-most. */
static int range_of(const struct settings *s, double *least, double *most, assay_error *err)
{
    const char *const texts[] = { s->at_least, s->at_most };
    double *const to[] = { least, most };
    *least = -(double)INFINITY;
    *most = (double)INFINITY;
    for (int i = 0; i < 2; i++)
        if (texts[i] && number_double(slice_of(texts[i]), to[i]) != NUMBER_OK)
            FAIL(err, ASSAY_ERR_USAGE, "--at-%s: invalid value '%s'; use a number", i ? "most" : "least", texts[i]);
    return 0;
}

/* What makes streams wait comes first, unless something else was asked for. */
static int add_stats(assay_reporter *r, struct report_top *t, const struct top_columns *columns, struct over *over, uint32_t *order, assay_error *err)
{
    bool by_total = r->set.has_sort && r->set.sort == ASSAY_SORT_TOTAL;
    unsigned sort = !r->set.has_sort ? SORT_STATS : r->set.sort;
    TRY(over_stats(r, t->profile, t->top, t->groups, &columns->set, by_total, over, err));
    t->stats = &over->shown;
    if (sort < SORT_STATS) return 0;
    t->sorted = sort_words[sort];
    return stream_stats_order(&over->stats, by_total, (enum stream_sort)(sort - SORT_STATS), order, t->count, err);
}

static int show(assay_reporter *r, const char *path, struct report_top *t, struct top_columns *columns, assay_slice *first, assay_error *err)
{
    SCOPED(over_done) struct over over = { .groups = { 0 } };
    size_t count = t->top->count;
    TRY(top_columns_compute(columns, t->top, err));
    SCRATCH(uint32_t, order, &r->mem, count + 1);
    if (!order) return error_memory(err);
    t->sort = r->set.sort < SORT_COVERAGE ? (enum assay_sort)r->set.sort : ASSAY_SORT_SELF;
    if (t->by_calls && (!r->set.has_sort || t->sort != ASSAY_SORT_NAME)) t->sort = ASSAY_SORT_CALLS;
    bool is_filtered = r->set.has_least || r->set.at_least || r->set.at_most || r->set.where || r->set.stats;
    uint64_t limit = is_filtered ? count : report_top_limit(&r->report);
    TRY(top_columns_order(columns, t->sort, limit < count ? (size_t)limit : count, order, err));
    for (size_t i = 0; i < t->functions; i++) t->calls = wide_add_u64(t->calls, t->top->calls[i]);
    t->order = order;
    t->count = r->set.has_least && !t->by_calls ? top_columns_keep(columns, t->sort, r->set.least / 100, order) : t->top->count;
    double least, most;
    TRY(range_of(&r->set, &least, &most, err));
    if ((r->set.at_least || r->set.at_most) && !t->by_calls) t->count = top_columns_within(columns, t->sort, least, most, order, t->count);
    if (r->set.where) TRY(where_keep(r, t->profile, t->top, metric_of_where(t, columns), order, &t->count, err));
    if (r->set.stats) TRY(add_stats(r, t, columns, &over, order, err));
    report_top(&r->report, path, t);
    if (t->count && order[0] < t->functions && !t->by)
        *first = assay_profile_string(t->profile, assay_profile_funcs(t->profile)->name[t->top->func[order[0]].v]);
    return 0;
}

/* What calls itself by way of others has a total that counts every level: it is marked, or taken together. */
struct recursion {
    struct arcs arcs;
    struct cycles cycles;
    assay_top *collapsed;
};

static int find_recursion(assay_reporter *r, const char *path, struct report_top *t, struct recursion *x, assay_error *err)
{
    const struct assay_graph *g = assay_profile_graph(t->profile);
    bool is_exact = !(assay_profile_shapes(t->profile) & ASSAY_SHAPE_GRAPH) || g->keeps_recursion || g->knows_nesting;
    t->functions = t->top->count;
    if (t->by) return 0;
    if (is_exact && r->set.cycles && t->top->metric_count) report_say(r, "%s: --cycles has no effect: recursion is already counted once", path);
    if (is_exact || (report_is_csv(&r->set) && !r->set.cycles)) return 0;
    TRY(arcs_init(&x->arcs, &r->mem, t->profile, t->top, first_metric(t->columns), err));
    TRY(cycles_init(&x->cycles, &r->mem, &x->arcs, t->top, r->set.cycles ? CYCLES_MEMBERS : CYCLES_NONE, err));
    t->cycles = &x->cycles;
    if (!r->set.cycles || !x->cycles.count) return 0;
    TRY(cycles_collapse(&x->cycles, t->top, &x->collapsed, err));
    t->top = x->collapsed;
    return 0;
}

static void recursion_done(struct recursion *x)
{
    assay_top_free(x->collapsed);
    cycles_done(&x->cycles);
    arcs_done(&x->arcs);
}

/* What rows are, where they are not functions. */
struct rows {
    struct top_groups groups;
    struct top_lines lines;
    assay_profile *labels; /* its functions are values of a label, or addresses */
};

static void rows_done(struct rows *rows)
{
    top_groups_done(&rows->groups);
    top_lines_done(&rows->lines);
    assay_profile_release(rows->labels);
}

static int choose_rows(assay_reporter *r, const assay_profile *p, struct rows *rows, struct report_top *t, assay_top **top, assay_error *err)
{
    const struct settings *s = &r->set;
    if (!s->has_by) return top_groups_table(p, NULL, top, err);
    if (s->cycles) FAIL(err, ASSAY_ERR_USAGE, "--by and --cycles cannot be combined");
    if ((s->by == TOP_BY_LINE || s->by == TOP_BY_ADDRESS) && s->per_call)
        FAIL(err, ASSAY_ERR_USAGE, "'--by %s' and --per-call cannot be combined", by_words[s->by]);
    t->by = s->by == TOP_BY_LABEL ? s->by_label : by_words[s->by];
    t->by_several = by_several[s->by];
    if (s->by == TOP_BY_LABEL) {
        TRY(top_labels_profile(p, s->by_label + strlen(by_words[TOP_BY_LABEL]), s->read.max_memory, &rows->labels, err));
        t->profile = p = rows->labels;
    }
    if (s->by == TOP_BY_ADDRESS) {
        TRY(top_addresses_profile(p, s->read.max_memory, &rows->labels, err));
        t->profile = rows->labels;
        t->has_no_totals = true;
        TRY(top_groups_table(rows->labels, NULL, top, err));
    } else if (s->by == TOP_BY_LINE) {
        TRY(top_lines_init(&rows->lines, p, &r->mem, top, err));
        t->lines = &rows->lines;
        t->profile = line_costs_profile(&rows->lines.costs);
    } else {
        TRY(top_groups_init(&rows->groups, p, (enum top_by)s->by, (uint32_t)s->depth, &r->mem, err));
        TRY(top_groups_table(p, &rows->groups, top, err));
        t->groups = &rows->groups;
    }
    bool has_totals = !t->has_no_totals && (t->lines ? t->lines->costs.has_totals : t->groups->has_totals);
    if (s->has_sort && s->sort == ASSAY_SORT_TOTAL && !has_totals)
        FAIL(err, ASSAY_ERR_USAGE,
             t->lines           ? "it has no calls by line, so the total of a %s is not known; sort by self"
             : t->has_no_totals ? "what was called from an %s is not known; sort by self"
                                : "it has no call stacks, so the total of a %s is not known; sort by self",
             t->by);
    return 0;
}

static int show_functions(assay_reporter *r, const char *path, const assay_profile *p, assay_slice *first, assay_error *err)
{
    if (r->set.has_sort && r->set.sort >= SORT_COVERAGE && !(r->set.stats && r->set.sort >= SORT_STATS))
        FAIL(err, ASSAY_ERR_USAGE, "functions cannot be sorted by %s; use self, total, calls or name%s", sort_words[r->set.sort],
             r->set.sort >= SORT_STATS ? ", or add --stats" : "");
    if (r->set.has_by && r->set.by >= TOP_BY_STREAM) return loads_show(r, path, p, (enum stream_by)(r->set.by - TOP_BY_STREAM), err);
    SCOPED(rows_done) struct rows rows = { .groups = { 0 } };
    SCOPED(top_drop) assay_top *top = NULL;
    struct report_top t = { .profile = p };
    SCOPED(recursion_done) struct recursion x = { .collapsed = NULL };
    SCOPED(top_columns_done) struct top_columns columns = { 0 };
    TRY(choose_rows(r, p, &rows, &t, &top, err));
    t.top = top;
    TRY(choose_columns(r, &t, &columns, err));
    TRY(find_recursion(r, path, &t, &x, err));
    TRY(show(r, path, &t, &columns, first, err));
    return gate_judge(r, path, p, err);
}

int top_show(assay_reporter *r, const char *path, const assay_profile *p, assay_slice *first, assay_error *err)
{
    *first = (assay_slice){ "", 0 };
    if (r->set.where && is_coverage(r, p))
        FAIL(err, ASSAY_ERR_USAGE, "--where is for functions, and coverage shows files; add '--metric calls', or ask 'assay query'");
    return is_coverage(r, p) ? show_coverage(r, path, p, err) : show_functions(r, path, p, first, err);
}

/* ---- the verb ---- */

struct top_verb {
    bool is_coverage; /* the input before */
};

static uint32_t want(const assay_reporter *r)
{
    const struct settings *s = &r->set;
    bool needs_rows = !s->metric || gate_is_set(s);
    uint32_t by_function = s->cycles ? ASSAY_WANT_ARCS : ASSAY_WANT_PAIRS, by_line = ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES;
    uint32_t by_address = ASSAY_WANT_COSTS | ASSAY_WANT_TREE | ASSAY_WANT_EITHER;
    uint32_t by_place = ASSAY_WANT_TREE | ASSAY_WANT_EITHER | (s->by == TOP_BY_LABEL ? ASSAY_WANT_LABELS : 0);
    uint32_t by = !s->has_by ? by_function : s->by == TOP_BY_LINE ? by_line : s->by == TOP_BY_ADDRESS ? by_address : by_place;
    if (s->stats) by |= ASSAY_WANT_TREE | ASSAY_WANT_EITHER;
    return ASSAY_WANT_SUMS | ASSAY_WANT_SPARSE | by | (needs_rows ? ASSAY_WANT_COVERAGE : 0);
}

static int check_streams(const struct settings *s, assay_error *err)
{
    bool by_stream = s->has_by && s->by >= TOP_BY_STREAM;
    if (s->stats && s->cycles) FAIL(err, ASSAY_ERR_USAGE, "--stats and --cycles cannot be combined");
    if (s->stats && s->has_by && s->by >= TOP_BY_LINE)
        FAIL(err, ASSAY_ERR_USAGE, "--stats and '--by %s' cannot be combined%s", by_words[s->by],
             s->by == TOP_BY_LINE ? "; 'assay tree --flat --stats' has lines and loops" : "");
    if (s->cluster && !by_stream) FAIL(err, ASSAY_ERR_USAGE, "--cluster needs '--by rank', or another kind of stream");
    if (by_stream && s->per_call) FAIL(err, ASSAY_ERR_USAGE, "'--by %s' and --per-call cannot be combined", by_words[s->by]);
    if (by_stream && s->has_sort && s->sort != ASSAY_SORT_NAME && s->sort > ASSAY_SORT_TOTAL)
        FAIL(err, ASSAY_ERR_USAGE, "'--by %s' can be sorted by self or name", by_words[s->by]);
    return 0;
}

static int check(assay_reporter *r, assay_error *err)
{
    TRY(gate_check(&r->set, err));
    if (r->set.where && (r->set.has_by || r->set.cycles))
        FAIL(err, ASSAY_ERR_USAGE, "--where is for functions; it cannot be combined with --%s", r->set.cycles ? "cycles" : "by");
    TRY(check_streams(&r->set, err));
    TRY(range_of(&r->set, &(double){ 0 }, &(double){ 0 }, err));
    if (r->set.depth && r->set.by != ASSAY_COVERAGE_BY_DIRECTORY) FAIL(err, ASSAY_ERR_USAGE, "--depth needs '--by directory'");
    return 0;
}

static int begin(assay_reporter *r, assay_error *err)
{
    (void)err;
    report_top_begin(&r->report);
    return 0;
}

/* Rows of cost and rows of coverage cannot share one table of values. */
static int check_mixture(const struct report *r, bool coverage, struct top_verb *top, assay_error *err)
{
    if (r->style == REPORT_CSV && r->shown && top->is_coverage != coverage)
        FAIL(err, ASSAY_ERR_USAGE, "coverage and cost cannot share a CSV table; run 'assay top' once for each kind");
    top->is_coverage = coverage;
    return 0;
}

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    assay_slice first;
    TRY(check_mixture(&r->report, is_coverage(r, p), r->state, err));
    return top_show(r, path, p, &first, err);
}

const struct report_verb top_verb = {
    .order = 40,
    .about = { "top", "list functions by cost, or files by coverage", "FILE...", 1, SIZE_MAX, NULL, text, examples },
    .options = options,
    .state = sizeof(struct top_verb),
    .check = check,
    .want = want,
    .begin = begin,
    .add = add,
};
