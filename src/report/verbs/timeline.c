/* timeline: what each stream did over time. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/option_table.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "report/timeline/timeline.h"
#include "report/verb.h"

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

static bool is_svg(const assay_reporter *r) { return r->set.svg || (r->set.output && slice_ends(slice_of(r->set.output), ".svg")); }

static int measure(const assay_reporter *r, struct timeline *t, assay_error *err)
{
    struct time_window window;
    if (!r->set.read.time) return timeline_measure(t, NULL, err);
    TRY(time_window_parse(r->set.read.time, &window, err));
    return timeline_measure(t, &window, err);
}

static int choose_depth(const assay_reporter *r, const struct timeline *t, uint32_t *depth, assay_error *err)
{
    if (!r->set.has_depth) return timeline_choose_depth(t, depth, err);
    *depth = r->set.depth ? (uint32_t)r->set.depth : TIMELINE_INNERMOST;
    return 0;
}

static bool is_chart(const assay_reporter *r) { return !r->set.by_stream && !r->set.has_depth; }

/* Into v->order, which is the caller's. */
static int choose_order(const assay_reporter *r, const struct report_timeline *v, uint32_t *order, assay_error *err)
{
    enum timeline_sort sort = (enum timeline_sort)r->set.sort;
    return v->totals ? timeline_totals_order(v->t, v->totals, sort, order, err) : timeline_shares_order(v->t, v->shares, sort, order, err);
}

static int show_rows(assay_reporter *r, const char *path, struct report_timeline *v, assay_error *err)
{
    size_t count = (v->totals ? v->totals->rows.len : v->shares->rows.len) + 1;
    SCRATCH(uint32_t, order, &r->mem, count);
    if (!order) return error_memory(err);
    TRY(choose_order(r, v, order, err));
    v->order = order;
    report_timeline(&r->report, path, v);
    return 0;
}

static int show_view(assay_reporter *r, const char *path, struct report_timeline *v, assay_error *err)
{
    if (is_svg(r)) return timeline_svg(r->report.out, &r->mem, slice_of(r->set.title ? r->set.title : path), v, err);
    return show_rows(r, path, v, err);
}

static int show_chart(assay_reporter *r, const char *path, const struct timeline *t, assay_error *err)
{
    SCOPED(timeline_totals_done) struct timeline_totals totals = { 0 };
    struct report_timeline v = { .t = t, .totals = &totals, .width = (unsigned)r->set.width, .streams = (size_t)r->set.streams };
    TRY(timeline_totals_new(t, &totals, err));
    return show_view(r, path, &v, err);
}

static int show_depth(assay_reporter *r, const char *path, const struct timeline *t, assay_error *err)
{
    SCOPED(timeline_shares_done) struct timeline_shares shares = { 0 };
    struct report_timeline v = { .t = t, .shares = &shares, .is_chosen = !r->set.has_depth, .width = (unsigned)r->set.width };
    uint32_t depth;
    TRY(choose_depth(r, t, &depth, err));
    TRY(timeline_shares_at(t, depth, &shares, err));
    return show_view(r, path, &v, err);
}

static int show_profile(assay_reporter *r, const char *path, const assay_profile *p, const assay_profile *whole, assay_error *err)
{
    SCOPED(timeline_done) struct timeline t = { 0 };
    TRY(timeline_init(&t, &r->mem, p, whole, err));
    TRY(measure(r, &t, err));
    return (is_chart(r) ? show_chart : show_depth)(r, path, &t, err);
}

/* ---- the verb ---- */

static int check(assay_reporter *r, assay_error *err)
{
    const struct settings *s = &r->set;
    if (is_svg(r) && (s->json || report_is_csv(s) || s->markdown)) FAIL(err, ASSAY_ERR_USAGE, "--svg cannot be combined with --json, --csv or --markdown");
    if (is_svg(r) && r->inputs > 1) FAIL(err, ASSAY_ERR_USAGE, "--svg takes only one FILE");
    r->needs_all = is_svg(r); /* no half of a picture */
    return 0;
}

static uint32_t want(const assay_reporter *r)
{
    (void)r;
    return ASSAY_WANT_TIMELINE | ASSAY_WANT_WHOLE | ASSAY_WANT_COARSE;
}

/* Calls that are narrower than half a column cannot be told apart. The filters of cost come later: the axis is that of the whole. So does the time: what is
 * laid out has times only then. */
static void reading(const assay_reporter *r, struct assay_read_options *o, struct assay_filter *filter)
{
    const struct settings *s = &r->set;
    *filter = (struct assay_filter){ .maps = s->read.maps.at, .map_count = s->read.maps.len };
    o->filter = s->read.maps.len ? filter : NULL;
    o->time = s->read.time;
    o->columns = is_svg(r) ? 0 : 2 * (uint32_t)(s->width > COLUMNS_LEAST ? s->width : COLUMNS_LEAST);
    o->contexts = !is_chart(r) || reading_has_cost_filter(&s->read);
}

static int begin(assay_reporter *r, assay_error *err)
{
    (void)err;
    report_timeline_begin(&r->report);
    return 0;
}

/* What the filters of cost leave of the whole; to be released. */
static int filter(const assay_reporter *r, const char *path, assay_profile *whole, assay_profile **p, assay_error *err)
{
    const struct settings *s = &r->set;
    struct assay_filter f = reading_cost_filter(&s->read);
    if (!reading_has_cost_filter(&s->read)) {
        *p = assay_profile_retain(whole);
        return 0;
    }
    TRY(assay_filter_apply(whole, &f, p, err));
    report_say_filters(r, path, *p);
    return 0;
}

static int add(assay_reporter *r, const char *path, assay_profile *whole, assay_error *err)
{
    assay_profile *p = NULL;
    int rc = filter(r, path, whole, &p, err);
    if (rc == 0) rc = show_profile(r, path, p, whole, err);
    assay_profile_release(p);
    return rc;
}

const struct report_verb timeline_verb = {
    .order = 90,
    .about = { "timeline", "show what each stream did over time", "FILE...", 1, SIZE_MAX, NULL, text, examples },
    .options = options,
    .check = check,
    .want = want,
    .reading = reading,
    .begin = begin,
    .add = add,
};
