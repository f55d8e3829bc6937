/* assay flame: calling contexts as a picture. */
#include <stdio.h>
#include <string.h>

#include "analysis/units.h"
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
    { .name = "text", .type = OPTION_FLAG, AT(as_text), .help = "print the tree with bars, not a picture" },
    { .name = "icicle", .type = OPTION_FLAG, AT(icicle), .help = "roots on top, not at the bottom" },
    { .name = "bottom-up",
      .type = OPTION_FLAG,
      AT(bottom_up),
      .help = "the other way round: functions by what they cost themselves, and on each its callers",
      .text = "The first boxes are the functions, the dearest first, wherever they were called; what stands on one are those that called it." },
    { .name = "diff",
      .type = OPTION_FLAG,
      AT(is_difference),
      .help = "of two FILEs, BEFORE and AFTER: what takes more and what takes less",
      .text =
          "Boxes are as wide as in AFTER. Their colour is the change of what a function costs by itself in that context: blue takes less, orange takes more. "
          "Contexts are the same when the names from the root to them are." },
    { .name = "before", .type = OPTION_FLAG, AT(by_before), .help = "with --diff: boxes as wide as in BEFORE, so that what is gone is shown too" },
    { .name = "normalise",
      .type = OPTION_FLAG,
      AT(normalise),
      .help = "with --diff: compare shares of the whole, for runs of different length",
      .text = "What was before is scaled to the whole of AFTER." },
    OPTIONS_ESTIMATE,
    OPTION_MIN("A tenth of a pixel by default, with --text 1%."),
    OPTION_DEPTH,
    { .name = "width",
      .type = OPTION_NUMBER,
      .argument = "PIXELS",
      AT(width),
      .least = WIDTH_LEAST,
      .most = WIDTH_MOST,
      .help = "width of the picture; that of the window by default",
      .text = "Where nothing tells the width of a window, as in a page that embeds the picture, it is 1200." },
    { .name = "title", .type = OPTION_TEXT, .argument = "TEXT", AT(title), .help = "what stands above the picture; the name of the file by default" },
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
    "Draws the calling contexts of FILE as boxes: a box is as wide as what its function cost together with all it called from there, and stands on the box "
    "of its caller. The SVG needs nothing else: open it in a browser, click to zoom, / to search, arrows and Enter to walk. Several FILEs are added up.",
    "The contexts are exact where the format tells them: Xdebug text, webgrind version 4, NYTProf with calls, hpcrun, HPCToolkit's databases, folded stacks. A "
    "call graph alone (Valgrind's callgrind, webgrind 5 to 7) does not say which caller caused which cost of a callee: its stacks are "
    "estimated, by dividing the cost of a function among its callers, and the picture says so.",
    "docs/flame.md has more.",
    NULL,
};

static const struct example examples[] = {
    { "assay flame cachegrind.out.4711 -o flame.svg", "a picture for a browser" },
    { "assay flame --text --min 5% app.nytprof", "the hot contexts, in the terminal" },
    { "assay flame --diff before.folded after.folded -o diff.svg", "what takes more since, and what takes less" },
    { "perf script | stackcollapse-perf.pl | assay flame - -o flame.svg", "of stacks from elsewhere" },
    { NULL, NULL },
};

/* ---- what is drawn ---- */

static const char *note_of(const struct cli *c, bool is_estimated)
{
    if (is_estimated) return "stacks are estimated from a call graph: only the figures of functions are exact";
    if (c->set.bottom_up) return "bottom-up: what functions cost by themselves, with their callers on top";
    return c->set.normalise ? "what was before is scaled to the same whole" : "";
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
        unit[side] = report_text(pair->p[side], REPORT_STR(m->unit, pair->metric[side].v));
    }
    if (strcmp(name[0], name[1]) != 0 || strcmp(unit[0], unit[1]) != 0)
        FAIL(err, ASSAY_ERR_USAGE, "the figures cannot be compared: '%.60s' (%.20s) before and '%.60s' (%.20s) after; --metric names one that both have",
             name[0], unit[0], name[1], unit[1]);
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
        return cli_usage(c->verb, "--%s is for --diff", c->set.by_before ? "before" : "normalise");
    if (c->set.is_difference && c->set.bottom_up) return cli_usage(c->verb, "--bottom-up does not go with --diff");
    if (!cli_open_output(c, &out)) return c->exit;
    int rc = c->set.is_difference ? draw_pair(c, out, &err) : draw_one(c, out, &err);
    if (rc == 0) return c->set.as_text ? cli_close_paged(c, out) : cli_close_output(c, out);
    if (err.code) cli_fail(c, &err);
    output_abort(out);
    return c->exit;
}

const struct verb flame_verb = { "flame", "draw calling contexts as a flame graph", "FILE...", 1, SIZE_MAX, options, text, examples, run };
