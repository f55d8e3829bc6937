/* flame: calling contexts as a picture. */
#include <stdio.h>
#include <string.h>

#include "analysis/core/function.h"
#include "analysis/core/metric_columns.h"
#include "analysis/core/units.h"
#include "assay/query.h"
#include "base/error.h"
#include "base/option_table.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "report/flame/flame.h"
#include "report/verbs/contexts.h"
#include "report/verbs/merged.h"

enum { WIDTH_DEFAULT = 1200, WIDTH_LEAST = 300, WIDTH_MOST = 20000 };
#define LEAST_SVG 0.00008 /* a tenth of a pixel */
#define LEAST_TEXT 0.01

static const struct option_spec options[] = {
    OPTION_METRIC(""),
    OPTION_METRICS_FILE,
    { .name = "text", .type = OPTION_FLAG, AT(as_text), .help = "print a tree with bars instead of an SVG" },
    { .name = "icicle", .type = OPTION_FLAG, AT(icicle), .help = "draw roots at the top instead of the bottom" },
    { .name = "bottom-up",
      .type = OPTION_FLAG,
      AT(bottom_up),
      .help = "start with functions by self cost, and stack their callers on top",
      .text = "The first row of boxes is all functions, the most expensive first, wherever they were called; the boxes on top of one are its callers." },
    { .name = "diff",
      .type = OPTION_FLAG,
      AT(is_difference),
      .help = "compare two FILEs, BEFORE and AFTER",
      .text = "Boxes are as wide as in AFTER. The colour shows the change in self cost in that context: blue costs less, orange costs more. Contexts match if "
              "all function names from the root match." },
    { .name = "before", .type = OPTION_FLAG, AT(by_before), .help = "with --diff: draw boxes as wide as in BEFORE, to show what is gone" },
    { .name = "normalise",
      .type = OPTION_FLAG,
      AT(normalise),
      .help = "with --diff: compare shares of the total, for runs of different length",
      .text = "BEFORE is scaled to the total of AFTER." },
    { .name = "sql",
      .type = OPTION_TEXT,
      .argument = "SQL",
      AT(sql),
      .help = "draw the rows of a statement: select id, parent, name, value ...",
      .text = "The tables are those of 'assay query', of all FILEs. A row is a box, as wide as its value and those of the rows above it on the stack together; "
              "a row whose parent is NULL, or no "
              "row's id, is a root." },
    OPTIONS_ESTIMATE,
    OPTION_MIN("A tenth of a pixel by default; 1% with --text."),
    OPTION_DEPTH,
    { .name = "width",
      .type = OPTION_NUMBER,
      .argument = "PIXELS",
      AT(width),
      .least = WIDTH_LEAST,
      .most = WIDTH_MOST,
      .help = "width of the SVG in pixels; the width of the window by default",
      .text = "1200 if the width of the window is unknown, as in a page that embeds the SVG." },
    { .name = "title", .type = OPTION_TEXT, .argument = "TEXT", AT(title), .help = "heading of the SVG; the name of the file by default" },
    OPTION_EXACT,
    OPTION_STRICT_READ,
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Draws the call stacks of FILE as a flame graph: a box is as wide as the total cost of its function in that context, and stands on the box of its caller. "
    "The SVG is self-contained: open it in a browser, click to zoom, press / to search, arrows and Enter to navigate. Several FILEs are added up.",
    "Stacks are exact if the format has them: Xdebug text, webgrind version 4, NYTProf with calls, hpcrun, HPCToolkit databases, folded stacks. A call graph "
    "(Valgrind's callgrind, webgrind 5 to 7) has none: its stacks are estimated by splitting the cost of a function among its callers, and the SVG says so.",
    "See docs/flame.md for details.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay flame cachegrind.out.4711 -o flame.svg", "an SVG for a browser" },
    { "assay flame --text --min 5% app.nytprof", "the hottest stacks, in the terminal" },
    { "assay flame --diff before.folded after.folded -o diff.svg", "what costs more now, and what costs less" },
    { "assay flame --sql 'select id, parent, name, self from flame' before.folded -o flame.svg", "any tree that SQL can make of any files" },
    { "perf script | stackcollapse-perf.pl | assay flame - -o flame.svg", "from stacks of another profiler" },
    { NULL, NULL },
};

/* ---- what is drawn ---- */

static const char *note_of(const assay_reporter *r, bool is_estimated)
{
    if (is_estimated) return "stacks are estimated from a call graph; only the totals of functions are exact";
    if (r->set.bottom_up) return "bottom-up: functions by self cost, with their callers on top";
    return r->set.normalise ? "before is scaled to the same total" : "";
}

static double least_share(const assay_reporter *r)
{
    if (r->set.has_least) return r->set.least / 100;
    return r->set.as_text ? LEAST_TEXT : LEAST_SVG;
}

static struct flame begin(const assay_reporter *r, const assay_profile *p, assay_metric_id metric, const char *title, bool is_estimated)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    struct flame f = { .title = slice_of(r->set.title ? r->set.title : title), .is_icicle = r->set.icicle, .depth = (uint32_t)r->set.depth };
    f.note = note_of(r, is_estimated);
    f.metric = report_text(p, m->name[metric.v]);
    f.unit = units_name(p, metric);
    f.width = r->set.as_text ? r->sink.width : r->set.width ? (unsigned)r->set.width : WIDTH_DEFAULT;
    f.is_fluid = !r->set.width;
    f.exact = r->set.exact;
    f.least = least_share(r);
    return f;
}

static void put(const assay_reporter *r, const struct flame *f)
{
    if (r->set.as_text)
        flame_text(r->report.out, f);
    else
        flame_svg(r->report.out, f);
}

static int choose_metric(const assay_reporter *r, const assay_profile *p, assay_metric_id *out, assay_error *err)
{
    return metric_choose_one(&(struct metric_set){ .profile = p, .shapes = ASSAY_SHAPE_TREE }, r->set.metric, out, err);
}

/* What was added so far: one profile with a tree, or two that are compared, or what is added up. */
struct drawn {
    assay_profile *p[PATHS_SIDES];
    const char *path[PATHS_SIDES];
    assay_metric_id metric[PATHS_SIDES];
    struct paths paths[PATHS_SIDES];
    bool is_estimated;
    struct merged merged;
    const char *first; /* path */
    struct assay_read_options read;
    assay_query *query; /* of --sql; NULL = none yet */
};

/* ---- one profile ---- */

static int draw(assay_reporter *r, const struct drawn *d, const char *title, assay_error *err)
{
    assay_metric_id metric;
    SCOPED(paths_done) struct paths paths = { 0 };
    const assay_profile *p = d->p[0];
    TRY(choose_metric(r, p, &metric, err));
    TRY(r->set.bottom_up ? paths_init_callers(&paths, &r->mem, p, metric, least_share(r), err) : paths_init(&paths, &r->mem, p, metric, err));
    struct flame f = begin(r, p, metric, title, d->is_estimated);
    f.paths = &paths;
    put(r, &f);
    return 0;
}

/* Several files are one. */
static int finish_sum(assay_reporter *r, struct drawn *d, assay_error *err)
{
    assay_profile *sum = NULL;
    TRY(merged_finish(&d->merged, &sum, err));
    int rc = contexts_make(r, sum, &d->p[0], &d->is_estimated, err);
    assay_profile_release(sum);
    if (rc != 0) error_path(err, d->first);
    return rc;
}

static int draw_one(assay_reporter *r, struct drawn *d, assay_error *err)
{
    char title[300];
    if (r->inputs > 1) TRY(finish_sum(r, d, err));
    if (!d->p[0]) return 0;
    snprintf(title, sizeof title, r->inputs > 1 ? "%.200s and %zu more" : "%.250s", d->first, r->inputs - 1);
    int rc = draw(r, d, title, err);
    if (rc != 0) error_path(err, d->first);
    return rc;
}

/* ---- two of them ---- */

/* The metric that --metric names, or the first of each: cycles less nanoseconds are nothing. */
static int check_metrics(const struct drawn *d, assay_error *err)
{
    const char *name[PATHS_SIDES], *unit[PATHS_SIDES];
    for (int side = 0; side < PATHS_SIDES; side++) {
        const struct assay_metrics *m = assay_profile_metrics(d->p[side]);
        name[side] = report_text(d->p[side], m->name[d->metric[side].v]);
        unit[side] = report_text(d->p[side], MODEL_STR(m->unit, d->metric[side].v));
    }
    if (strcmp(name[0], name[1]) != 0 || strcmp(unit[0], unit[1]) != 0)
        FAIL(err, ASSAY_ERR_USAGE, "cannot compare '%.60s' (%.20s) before with '%.60s' (%.20s) after; use --metric with a metric that both have", name[0],
             unit[0], name[1], unit[1]);
    return 0;
}

static int draw_difference(assay_reporter *r, struct drawn *d, assay_error *err)
{
    SCOPED(paths_diff_done) struct paths_diff diff = { 0 };
    char title[600];
    struct paths_diff_options o = { .normalise = r->set.normalise, .by = r->set.by_before ? PATHS_BEFORE : PATHS_AFTER };
    TRY(check_metrics(d, err));
    for (int side = 0; side < PATHS_SIDES; side++) TRY(paths_init(&d->paths[side], &r->mem, d->p[side], d->metric[side], err));
    snprintf(title, sizeof title, "%.250s to %.250s", d->path[0], d->path[1]);
    struct flame f = begin(r, d->p[PATHS_AFTER], d->metric[PATHS_AFTER], title, d->is_estimated);
    TRY(paths_diff_init(&diff, &r->mem, &d->paths[PATHS_BEFORE], &d->paths[PATHS_AFTER], &o, err));
    f.paths = &diff.shown;
    f.diff = &diff;
    put(r, &f);
    return 0;
}

/* ---- rows of a statement ---- */

static bool has_sql(const assay_reporter *r) { return r->set.sql != NULL; }

static int open_query(assay_reporter *r, struct drawn *d, assay_error *err)
{
    if (d->query) return 0;
    d->read = report_read_options(r, 0);
    struct assay_query_options o = { .size = sizeof o, .read = &d->read, .max_memory = r->set.read.max_memory };
    return assay_query_new(&o, &d->query, err);
}

static int ask_file(assay_reporter *r, const char *path, assay_error *err)
{
    struct drawn *d = r->state;
    if (!d->first) d->first = path;
    TRY(open_query(r, d, err));
    return assay_query_file(d->query, NULL, path, err);
}

static int ask_profile(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    struct drawn *d = r->state;
    if (!d->first) d->first = path;
    TRY(open_query(r, d, err));
    return assay_query_profile(d->query, NULL, path, p, err);
}

/* The same picture of the tree that the rows are. */
static int draw_rows(assay_reporter *r, struct drawn *d, assay_error *err)
{
    char title[300];
    if (!d->query) return 0;
    TRY(assay_query_tree(d->query, r->set.sql, &d->p[0], err));
    if (!assay_profile_tree(d->p[0])->count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "the statement gives no rows: there is nothing to draw");
    snprintf(title, sizeof title, "%.250s", r->set.sql);
    return draw(r, d, title, err);
}

/* ---- the verb ---- */

static int check(assay_reporter *r, assay_error *err)
{
    const struct settings *s = &r->set;
    if (s->is_difference && r->inputs != PATHS_SIDES) FAIL(err, ASSAY_ERR_USAGE, "--diff compares two files, BEFORE and AFTER");
    if (!s->is_difference && (s->by_before || s->normalise)) FAIL(err, ASSAY_ERR_USAGE, "--%s needs --diff", s->by_before ? "before" : "normalise");
    if (s->sql && (s->is_difference || s->metric)) FAIL(err, ASSAY_ERR_USAGE, "--sql and --%s cannot be combined", s->metric ? "metric" : "diff");
    if (s->is_difference && s->bottom_up) FAIL(err, ASSAY_ERR_USAGE, "--bottom-up and --diff cannot be combined");
    return 0;
}

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    struct drawn *d = r->state;
    size_t side = r->set.is_difference && d->p[0] ? 1 : 0;
    bool is_estimated = false;
    if (has_sql(r)) return ask_profile(r, path, p, err);
    if (!d->first) d->first = path;
    if (!r->set.is_difference && r->inputs > 1) return merged_add(r, &d->merged, path, p, err);
    int rc = contexts_make(r, p, &d->p[side], &is_estimated, err);
    report_say_damage(r, path, p);
    d->path[side] = path;
    d->is_estimated |= is_estimated;
    return rc == 0 && r->set.is_difference ? choose_metric(r, d->p[side], &d->metric[side], err) : rc;
}

static int unread(assay_reporter *r, const char *path, int rc, assay_error *err)
{
    struct drawn *d = r->state;
    if (!d->first) d->first = path;
    return r->set.is_difference ? rc : merged_unread(r, path, rc, err);
}

static int end(assay_reporter *r, assay_error *err)
{
    if (has_sql(r)) return draw_rows(r, r->state, err);
    return r->set.is_difference ? draw_difference(r, r->state, err) : draw_one(r, r->state, err);
}

static void done(assay_reporter *r)
{
    struct drawn *d = r->state;
    merged_done(&d->merged);
    assay_query_free(d->query);
    for (int side = 0; side < PATHS_SIDES; side++) {
        if (d->paths[side].mem) paths_done(&d->paths[side]);
        assay_profile_release(d->p[side]);
    }
}

const struct report_verb flame_verb = {
    .order = 80,
    .about = { "flame", "draw a flame graph", "FILE...", 1, SIZE_MAX, NULL, text, examples },
    .options = options,
    .needs_all = true,
    .tells_damage = true,
    .state = sizeof(struct drawn),
    .check = check,
    .want = contexts_want,
    .opens = has_sql,
    .add = add,
    .file = ask_file,
    .unread = unread,
    .end = end,
    .done = done,
};
