/* assay flame: calling contexts as a picture. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/cli.h"
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
    OPTION_MIN("A tenth of a pixel by default, with --text 1%."),
    OPTION_DEPTH,
    { .name = "width",
      .type = OPTION_NUMBER,
      .argument = "PIXELS",
      AT(width),
      .least = WIDTH_LEAST,
      .most = WIDTH_MOST,
      .help = "width of the picture; 1200 by default" },
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
    "of its caller. The SVG needs nothing else: open it in a browser, click to zoom, / to search, arrows and Enter to walk.",
    "Only formats that tell contexts will do: Xdebug text, webgrind version 4, NYTProf with calls, hpcrun, HPCToolkit's databases, folded stacks. A call graph "
    "alone (Valgrind's callgrind, webgrind 5 to 7) does not say which caller caused which cost of a callee, so no picture of stacks can be exact.",
    NULL,
};

static const struct example examples[] = {
    { "assay flame cachegrind.out.4711 -o flame.svg", "a picture for a browser" },
    { "assay flame --text --min 5% app.nytprof", "the hot contexts, in the terminal" },
    { "perf script | stackcollapse-perf.pl | assay flame - -o flame.svg", "of stacks from elsewhere" },
    { NULL, NULL },
};

static double least_share(const struct cli *c)
{
    if (c->set.has_least) return c->set.least / 100;
    return c->set.as_text ? LEAST_TEXT : LEAST_SVG;
}

static int refuse_graph(const assay_profile *p, assay_error *err)
{
    if (assay_profile_tree(p)->count) return 0;
    return error_set(
        err, ASSAY_ERR_UNSUPPORTED,
        "tells no calling contexts, so there are no stacks to draw; a call graph does not say which caller caused which cost of a callee ('assay top' "
        "shows its functions)");
}

static int draw(struct cli *c, const char *path, const assay_profile *p, struct output *out, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    assay_metric_id metric;
    struct paths paths;
    TRY(refuse_graph(p, err));
    TRY(cli_choose_metric(c, p, ASSAY_SHAPE_TREE, &metric, err));
    struct flame f = { .paths = &paths, .title = slice_of(c->set.title ? c->set.title : path), .is_icicle = c->set.icicle, .depth = (uint32_t)c->set.depth };
    f.metric = report_text(p, m->name[metric.v]);
    f.unit = report_text(p, REPORT_STR(m->unit, metric.v));
    f.width = c->set.as_text ? c->term.width : c->set.width ? (unsigned)c->set.width : WIDTH_DEFAULT;
    f.exact = c->set.exact;
    f.least = least_share(c);
    int rc = paths_init(&paths, &c->mem, p, metric, err);
    if (rc == 0) {
        if (c->set.as_text)
            flame_text(out, &f);
        else
            flame_svg(out, &f);
    }
    paths_done(&paths);
    return rc;
}

static int run(struct cli *c)
{
    const char *path = c->set.files.at[0];
    assay_error err = { 0 };
    assay_profile *p = NULL;
    struct output *out;
    int rc = cli_read_profile(c, path, ASSAY_WANT_TREE, &p, &err);
    if (!cli_open_output(c, &out)) {
        assay_profile_release(p);
        return c->exit;
    }
    if (rc == 0) rc = draw(c, path, p, out, &err);
    assay_profile_release(p);
    if (rc == 0) return c->set.as_text ? cli_close_paged(c, out) : cli_close_output(c, out);
    error_path(&err, path);
    cli_fail(c, &err);
    output_abort(out);
    return c->exit;
}

const struct verb flame_verb = { "flame", "draw calling contexts as a flame graph", "FILE", 1, 1, options, text, examples, run };
