/* assay flame: calling contexts as a picture. */
#include <stdio.h>
#include <string.h>

#include "analysis/core/function.h"
#include "analysis/core/units.h"
#include "base/error.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "cli/contexts.h"
#include "cli/merged.h"
#include "cli/metric.h"
#include "cli/shared.h"
#include "cli/verbs.h"
#include "report/flame/flame.h"

enum { WIDTH_DEFAULT = 1200, WIDTH_LEAST = 300, WIDTH_MOST = 20000 };
#define LEAST_SVG 0.00008 /* a tenth of a pixel */
#define LEAST_TEXT 0.01

static const struct option_spec options[] = {
    OPTION_METRIC(""),
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
    { "perf script | stackcollapse-perf.pl | assay flame - -o flame.svg", "from stacks of another profiler" },
    { NULL, NULL },
};

/* ---- what is drawn ---- */

static const char *note_of(const struct cli *c, bool is_estimated)
{
    if (is_estimated) return "stacks are estimated from a call graph; only the totals of functions are exact";
    if (c->set.bottom_up) return "bottom-up: functions by self cost, with their callers on top";
    return c->set.normalise ? "before is scaled to the same total" : "";
}

static double least_share(const struct cli *c)
{
    if (c->set.has_least) return c->set.least / 100;
    return c->set.as_text ? LEAST_TEXT : LEAST_SVG;
}

static struct flame begin(const struct cli *c, const assay_profile *p, assay_metric_id metric, const char *title, bool is_estimated)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    struct flame f = { .title = slice_of(c->set.title ? c->set.title : title), .is_icicle = c->set.icicle, .depth = (uint32_t)c->set.depth };
    f.note = note_of(c, is_estimated);
    f.metric = report_text(p, m->name[metric.v]);
    f.unit = units_name(p, metric);
    f.width = c->set.as_text ? c->term.width : c->set.width ? (unsigned)c->set.width : WIDTH_DEFAULT;
    f.is_fluid = !c->set.width;
    f.exact = c->set.exact;
    f.least = least_share(c);
    return f;
}

static void put(const struct cli *c, struct output *out, const struct flame *f)
{
    if (c->set.as_text)
        flame_text(out, f);
    else
        flame_svg(out, f);
}

/* ---- one profile ---- */

static int draw(struct cli *c, const char *title, const assay_profile *p, bool is_estimated, struct output *out, assay_error *err)
{
    assay_metric_id metric;
    struct paths paths;
    TRY(cli_choose_metric(c, p, ASSAY_SHAPE_TREE, &metric, err));
    int rc = c->set.bottom_up ? paths_init_callers(&paths, &c->mem, p, metric, least_share(c), err) : paths_init(&paths, &c->mem, p, metric, err);
    struct flame f = begin(c, p, metric, title, is_estimated);
    f.paths = &paths;
    if (rc == 0) put(c, out, &f);
    paths_done(&paths);
    return rc;
}

/* Several files are one; NULL = it failed, printed. */
static assay_profile *read_all(struct cli *c, const char *path, bool *is_estimated)
{
    assay_error err = { 0 };
    assay_profile *p = NULL;
    int rc = 0;
    if (c->set.files.len > 1) {
        p = cli_read_merged(c, cli_want_tree(c), NULL);
        if (!p) return NULL;
        rc = cli_make_tree(c, &p, is_estimated, &err);
    } else
        rc = cli_read_tree(c, path, &p, is_estimated, &err);
    if (p && c->set.files.len == 1) cli_warn_of_damage(path, p);
    if (rc == 0) return p;
    error_path(&err, path);
    cli_fail(c, &err);
    assay_profile_release(p);
    return NULL;
}

static int draw_one(struct cli *c, struct output *out, assay_error *err)
{
    const char *path = c->set.files.at[0];
    char title[300];
    bool is_estimated = false;
    assay_profile *p = read_all(c, path, &is_estimated);
    if (!p) return -1;
    snprintf(title, sizeof title, c->set.files.len > 1 ? "%.200s and %zu more" : "%.250s", path, c->set.files.len - 1);
    int rc = draw(c, title, p, is_estimated, out, err);
    if (rc != 0) error_path(err, path);
    assay_profile_release(p);
    return rc;
}

/* ---- two of them ---- */

struct pair {
    assay_profile *p[PATHS_SIDES];
    assay_metric_id metric[PATHS_SIDES];
    struct paths paths[PATHS_SIDES];
    bool is_estimated;
};

static int read_pair(struct cli *c, struct pair *pair, assay_error *err)
{
    for (int side = 0; side < PATHS_SIDES; side++) {
        const char *path = c->set.files.at[side];
        bool is_estimated = false;
        int rc = cli_read_tree(c, path, &pair->p[side], &is_estimated, err);
        if (pair->p[side]) cli_warn_of_damage(path, pair->p[side]);
        if (rc == 0) rc = cli_choose_metric(c, pair->p[side], ASSAY_SHAPE_TREE, &pair->metric[side], err);
        if (rc != 0) error_path(err, path);
        if (rc != 0) return rc;
        pair->is_estimated |= is_estimated;
    }
    return 0;
}

/* The metric that --metric names, or the first of each: cycles less nanoseconds are nothing. */
static int check_metrics(const struct pair *pair, assay_error *err)
{
    const char *name[PATHS_SIDES], *unit[PATHS_SIDES];
    for (int side = 0; side < PATHS_SIDES; side++) {
        const struct assay_metrics *m = assay_profile_metrics(pair->p[side]);
        name[side] = report_text(pair->p[side], m->name[pair->metric[side].v]);
        unit[side] = report_text(pair->p[side], MODEL_STR(m->unit, pair->metric[side].v));
    }
    if (strcmp(name[0], name[1]) != 0 || strcmp(unit[0], unit[1]) != 0)
        FAIL(err, ASSAY_ERR_USAGE, "cannot compare '%.60s' (%.20s) before with '%.60s' (%.20s) after; use --metric with a metric that both have", name[0],
             unit[0], name[1], unit[1]);
    return 0;
}

static int draw_difference(struct cli *c, struct pair *pair, struct output *out, assay_error *err)
{
    struct paths_diff diff;
    char title[600];
    struct paths_diff_options o = { .normalise = c->set.normalise, .by = c->set.by_before ? PATHS_BEFORE : PATHS_AFTER };
    TRY(check_metrics(pair, err));
    for (int side = 0; side < PATHS_SIDES; side++) TRY(paths_init(&pair->paths[side], &c->mem, pair->p[side], pair->metric[side], err));
    snprintf(title, sizeof title, "%.250s to %.250s", c->set.files.at[0], c->set.files.at[1]);
    struct flame f = begin(c, pair->p[PATHS_AFTER], pair->metric[PATHS_AFTER], title, pair->is_estimated);
    int rc = paths_diff_init(&diff, &c->mem, &pair->paths[PATHS_BEFORE], &pair->paths[PATHS_AFTER], &o, err);
    f.paths = &diff.shown;
    f.diff = &diff;
    if (rc == 0) put(c, out, &f);
    paths_diff_done(&diff);
    return rc;
}

static int draw_pair(struct cli *c, struct output *out, assay_error *err)
{
    struct pair pair = { .p = { NULL, NULL } };
    int rc = read_pair(c, &pair, err);
    if (rc == 0) rc = draw_difference(c, &pair, out, err);
    for (int side = 0; side < PATHS_SIDES; side++) {
        if (pair.paths[side].mem) paths_done(&pair.paths[side]);
        assay_profile_release(pair.p[side]);
    }
    return rc;
}

/* ---- the run ---- */

static int run(struct cli *c)
{
    assay_error err = { 0 };
    struct output *out;
    if (c->set.is_difference && c->set.files.len != 2) return cli_usage(c->verb, "--diff compares two files, BEFORE and AFTER");
    if (!c->set.is_difference && (c->set.by_before || c->set.normalise))
        return cli_usage(c->verb, "--%s needs --diff", c->set.by_before ? "before" : "normalise");
    if (c->set.is_difference && c->set.bottom_up) return cli_usage(c->verb, "--bottom-up and --diff cannot be combined");
    if (!cli_open_output(c, &out)) return c->exit;
    int rc = c->set.is_difference ? draw_pair(c, out, &err) : draw_one(c, out, &err);
    if (rc == 0) return c->set.as_text ? cli_close_paged(c, out) : cli_close_output(c, out);
    if (err.code) cli_fail(c, &err);
    output_abort(out);
    return c->exit;
}

const struct verb flame_verb = { "flame", "draw a flame graph", "FILE...", 1, SIZE_MAX, options, text, examples, run, NULL };
