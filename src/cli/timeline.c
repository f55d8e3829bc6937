/* assay timeline: what each stream did over time. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "cli/shared.h"
#include "cli/verbs.h"
#include "report/timeline/timeline.h"

enum { WIDTH_LEAST = 40, WIDTH_MOST = 20000, STREAMS_MOST = 1000000, COLUMNS_LEAST = 500 };

/* In the order of enum timeline_sort. */
static const char *const sort_words[] = { "time", "streams", "name", NULL };

static const struct option_spec options[] = {
    { .name = "by-stream", .type = OPTION_FLAG, AT(by_stream), .help = "show one depth instead of a flame chart: one row for each stream" },
    { .name = "depth",
      .letter = 'd',
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(depth),
      GIVEN(has_depth),
      .most = UINT32_MAX,
      .help = "the same at depth N: the Nth frame of each stack; 1 = outermost, 0 = innermost",
      .text = "A shorter stack shows its innermost frame. The default is the smallest depth at which no function has more than half of the time." },
    { .name = "streams",
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(streams),
      .least = 1,
      .most = STREAMS_MOST,
      .help = "draw the flame charts of N streams; 8 by default, all of them in JSON and CSV" },
    { .name = "svg", .type = OPTION_FLAG, AT(svg), .help = "draw an SVG for a browser; implied by '-o FILE.svg'" },
    { .name = "width",
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(width),
      .least = WIDTH_LEAST,
      .most = WIDTH_MOST,
      .help = "width in columns (default: the terminal), or of the SVG in pixels (default: 1200)",
      .text = "For JSON and CSV, boxes that are narrower than a column are merged; the default is 500 columns." },
    { .name = "title", .type = OPTION_TEXT, .argument = "TEXT", AT(title), .help = "heading of the SVG; the name of the file by default" },
    { .name = "sort",
      .letter = 's',
      .type = OPTION_WORD,
      .argument = "KEY",
      AT(sort),
      .words = sort_words,
      .help = "list functions by time, streams or name; time by default" },
    OPTION_LIMIT("list at most N functions; 30 by default, 0 = all"),
    OPTIONS_TABLE,
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Shows what each stream (thread, process, GPU stream) of FILE did over time, as a flame chart: time runs from left to right, callers are above what they "
    "call, and each box is a call, or a run of samples with the same callers. Boxes that are narrower than a column are merged. Below are the functions with "
    "their exact self and total time.",
    "With --by-stream or --depth, each stream has one row, in which each column has the colour or letter of the function that ran longest in it, at one depth "
    "of "
    "the call stacks.",
    "HPCToolkit traces (databases, measurement directories, single trace files) have timestamps: a sample lasts until the next one of its stream. Xdebug, "
    "webgrind version 4 and NYTProf with calls have the order and duration of calls, but not when they started: the calls of a function are laid out one after "
    "the other, followed by its self time.",
    "Boxes too narrow for a name have the letter that the list of functions explains. An upper-case letter means that the stream was busy for more than half "
    "of "
    "the time, a lower-case letter for less; with --by-stream, a dot means that it was idle, a blank that nothing was recorded.",
    "The SVG is self-contained: open it in a browser, drag or click to zoom, press / to search, and hover over a box to see the stack. With --by-stream, + and "
    "- "
    "change the depth.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay timeline cachegrind.out.4711", "a flame chart of a PHP request" },
    { "assay timeline cachegrind.out.4711 --time 50%..60% -o timeline.svg", "a tenth of it, as an SVG for a browser" },
    { "assay timeline --stream 'THREAD 1' hpctoolkit-app-database", "a flame chart of one thread" },
    { "assay timeline --by-stream hpctoolkit-app-database", "all threads at a suitable depth, one row each" },
    { NULL, NULL },
};

/* ---- one file ---- */

static bool is_svg(const struct cli *c) { return c->set.svg || (c->set.output && slice_ends(slice_of(c->set.output), ".svg")); }

static int measure(const struct cli *c, struct timeline *t, assay_error *err)
{
    struct time_window window;
    if (!c->set.time) return timeline_measure(t, NULL, err);
    TRY(time_window_parse(c->set.time, &window, err));
    return timeline_measure(t, &window, err);
}

static int choose_depth(const struct cli *c, const struct timeline *t, uint32_t *depth, assay_error *err)
{
    if (!c->set.has_depth) return timeline_choose_depth(t, depth, err);
    *depth = c->set.depth ? (uint32_t)c->set.depth : TIMELINE_INNERMOST;
    return 0;
}

static bool is_chart(const struct cli *c) { return !c->set.by_stream && !c->set.has_depth; }

/* Into v->order, which is the caller's. */
static int choose_order(const struct cli *c, const struct report_timeline *v, uint32_t *order, assay_error *err)
{
    enum timeline_sort sort = (enum timeline_sort)c->set.sort;
    return v->totals ? timeline_totals_order(v->t, v->totals, sort, order, err) : timeline_shares_order(v->t, v->shares, sort, order, err);
}

static int show_rows(struct cli *c, struct report *r, const char *path, struct report_timeline *v, assay_error *err)
{
    size_t count = (v->totals ? v->totals->rows.len : v->shares->rows.len) + 1;
    uint32_t *order = mem_zalloc(&c->mem, count, sizeof *order);
    if (!order) return error_memory(err);
    int rc = choose_order(c, v, order, err);
    v->order = order;
    if (rc == 0) report_timeline(r, path, v);
    mem_free(&c->mem, order, count * sizeof *order);
    return rc;
}

static int show_view(struct cli *c, struct report *r, const char *path, struct report_timeline *v, assay_error *err)
{
    if (is_svg(c)) return timeline_svg(r->out, &c->mem, slice_of(c->set.title ? c->set.title : path), v, err);
    return show_rows(c, r, path, v, err);
}

static int show_chart(struct cli *c, struct report *r, const char *path, const struct timeline *t, assay_error *err)
{
    struct timeline_totals totals;
    struct report_timeline v = { .t = t, .totals = &totals, .width = (unsigned)c->set.width, .streams = (size_t)c->set.streams };
    int rc = timeline_totals_new(t, &totals, err);
    if (rc == 0) rc = show_view(c, r, path, &v, err);
    timeline_totals_done(&totals);
    return rc;
}

static int show_depth(struct cli *c, struct report *r, const char *path, const struct timeline *t, assay_error *err)
{
    struct timeline_shares shares = { 0 };
    struct report_timeline v = { .t = t, .shares = &shares, .is_chosen = !c->set.has_depth, .width = (unsigned)c->set.width };
    uint32_t depth;
    TRY(choose_depth(c, t, &depth, err));
    int rc = timeline_shares_at(t, depth, &shares, err);
    if (rc == 0) rc = show_view(c, r, path, &v, err);
    timeline_shares_done(&shares);
    return rc;
}

static int show_profile(struct cli *c, struct report *r, const char *path, const assay_profile *p, const assay_profile *whole, assay_error *err)
{
    struct timeline t;
    int rc = timeline_init(&t, &c->mem, p, whole, err);
    if (rc == 0) rc = measure(c, &t, err);
    if (rc == 0) rc = (is_chart(c) ? show_chart : show_depth)(c, r, path, &t, err);
    timeline_done(&t);
    return rc;
}

static bool has_filter(const struct settings *s)
{
    return s->focus.len || s->ignore.len || s->hide.len || s->only_modules.len || s->only_files.len || s->only_streams.len;
}

/* Calls that are narrower than half a column cannot be told apart. */
static int read_whole(struct cli *c, const struct settings *set, const char *path, assay_profile **whole, assay_error *err)
{
    struct assay_read_options o = cli_read_options(c, path, ASSAY_WANT_TIMELINE | ASSAY_WANT_WHOLE | ASSAY_WANT_COARSE);
    o.time = set->time;
    o.columns = is_svg(c) ? 0 : 2 * (uint32_t)(set->width > COLUMNS_LEAST ? set->width : COLUMNS_LEAST);
    o.contexts = !is_chart(c) || has_filter(set);
    int rc = assay_read(path, &o, whole, err);
    cli_read_done(c);
    if (rc == 0) cli_say_of_filters(path, *whole);
    return rc;
}

/* *whole is what was read; *p what the filters of cost leave of it. The time is chosen later: what is laid out has times only then, and the axis is that of
 * the whole. */
static int read_profiles(struct cli *c, const char *path, assay_profile **whole, assay_profile **p, assay_error *err)
{
    struct settings set = c->set;
    c->set.focus.len = c->set.ignore.len = c->set.hide.len = c->set.only_modules.len = c->set.only_files.len = c->set.only_streams.len = 0;
    c->set.time = NULL;
    int rc = read_whole(c, &set, path, whole, err);
    c->set = set;
    struct assay_filter filter = { .focus = set.focus.at,
                                   .focus_count = set.focus.len,
                                   .ignore = set.ignore.at,
                                   .ignore_count = set.ignore.len,
                                   .hide = set.hide.at,
                                   .hide_count = set.hide.len,
                                   .modules = set.only_modules.at,
                                   .module_count = set.only_modules.len,
                                   .files = set.only_files.at,
                                   .file_count = set.only_files.len,
                                   .streams = set.only_streams.at,
                                   .stream_count = set.only_streams.len,
                                   .max_memory = cli_max_memory(c) };
    if (rc != 0) return rc;
    if (has_filter(&set)) {
        TRY(assay_filter_apply(*whole, &filter, p, err));
        cli_say_of_filters(path, *p);
    } else {
        *p = assay_profile_retain(*whole);
    }
    return 0;
}

static void run_file(struct cli *c, struct report *r, const char *path)
{
    assay_error err = { 0 };
    assay_profile *whole = NULL, *p = NULL;
    int rc = read_profiles(c, path, &whole, &p, &err);
    if (rc == 0) rc = show_profile(c, r, path, p, whole, &err);
    if (whole) cli_warn_of_damage(path, whole);
    if (rc != 0) cli_fail_input(c, r, path, &err);
    assay_profile_release(p);
    assay_profile_release(whole);
}

static int run(struct cli *c)
{
    struct report r;
    struct output *out;
    if (is_svg(c) && (c->set.json || cli_csv(&c->set) || c->set.markdown))
        return cli_usage(c->verb, "--svg cannot be combined with --json, --csv or --markdown");
    if (is_svg(c) && c->set.files.len > 1) return cli_usage(c->verb, "--svg takes only one FILE");
    if (!cli_open_output(c, &out)) return c->exit;
    cli_report(c, out, &r);
    report_timeline_begin(&r);
    for (size_t i = 0; i < c->set.files.len && !interrupt_pending(); i++) run_file(c, &r, c->set.files.at[i]);
    if (!is_svg(c) || c->exit == CLI_OK) return cli_end_report(c, &r);
    output_abort(out); /* no half of a picture */
    return c->exit;
}

const struct verb timeline_verb = { "timeline", "show what each stream did over time", "FILE...", 1, SIZE_MAX, options, text, examples, run, NULL };
