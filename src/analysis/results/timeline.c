/* assay_chart: streams over time (analysis/timeline) as columns. */
#include "assay/timeline.h"

#include <stdlib.h>

#include "analysis/results/result.h"
#include "analysis/timeline/chart.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"
#include "base/scoped.h"

enum { COLUMNS_DEFAULT = 500, LEVELS_DEFAULT = 4096, NAME_LEN = 48 };

struct chart_result {
    assay_chart pub; /* first, so that an assay_chart * is a struct chart_result * */
    struct result base;
    struct timeline t; /* that events and labels belong to */
    bool has_timeline;
};

/* The name of what is known by a key; one that has to be made lasts as long as the result. */
static int name_of(struct chart_result *r, uint32_t key, assay_slice *name, assay_error *err)
{
    char buf[NAME_LEN];
    *name = timeline_name(&r->t, key, buf);
    if (name->data != buf) return 0;
    name->data = arena_copy(&r->base.arena, *name);
    return name->data ? 0 : error_memory(err);
}

static int put_lines(struct chart_result *r, assay_chart_line **out, assay_error *err)
{
    bool failed = false;
    size_t count = r->t.lines.len;
    assay_chart_line *lines = *out = result_array(&r->base, count, sizeof *lines, &failed);
    if (failed) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        const struct timeline_line *from = &r->t.lines.at[i];
        lines[i] = (assay_chart_line){ .stream = { from->stream },
                                       .label = from->label,
                                       .events = from->events,
                                       .recorded = from->recorded,
                                       .idle = from->idle,
                                       .count = from->count,
                                       .time = from->time,
                                       .node = from->node };
    }
    r->pub.line_count = count;
    r->pub.lines = lines;
    return 0;
}

/* ---- functions ---- */

struct functions {
    assay_slice *name;
    assay_func_id *func;
    uint32_t *streams;
    assay_wide *self, *total;
};

static int make_functions(struct chart_result *r, struct functions *w, size_t count, assay_error *err)
{
    bool failed = false;
    assay_chart_functions *f = &r->pub.functions;
    f->name = w->name = result_array(&r->base, count, sizeof *w->name, &failed);
    f->func = w->func = result_array(&r->base, count, sizeof *w->func, &failed);
    f->streams = w->streams = result_array(&r->base, count, sizeof *w->streams, &failed);
    f->self = w->self = result_array(&r->base, count, sizeof *w->self, &failed);
    f->total = w->total = result_array(&r->base, count, sizeof *w->total, &failed);
    f->count = (uint32_t)count;
    return failed ? error_memory(err) : 0;
}

static int put_function(struct chart_result *r, const struct functions *w, size_t i, struct timeline_total row, assay_error *err)
{
    w->func[i] = (assay_func_id){ timeline_func(&r->t, row.key) };
    w->streams[i] = row.lines;
    w->self[i] = row.self;
    w->total[i] = row.total;
    return name_of(r, row.key, &w->name[i], err);
}

/* ---- one depth ---- */

static int put_parts(struct chart_result *r, const struct timeline_shares *s, assay_chart_line *lines, assay_error *err)
{
    bool failed = false;
    size_t count = s->parts.len;
    uint32_t *function = result_array(&r->base, count, sizeof *function, &failed);
    uint64_t *time = result_array(&r->base, count, sizeof *time, &failed);
    if (failed) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        function[i] = s->parts.at[i].node;
        time[i] = s->parts.at[i].time;
    }
    for (size_t i = 0; i < r->pub.line_count; i++) {
        lines[i].part_begin = s->first[i];
        lines[i].part_end = s->first[i + 1];
    }
    r->pub.parts = (assay_chart_parts){ .count = count, .function = function, .time = time };
    return 0;
}

static int put_shares(struct chart_result *r, const struct timeline_shares *s, assay_chart_line *lines, assay_error *err)
{
    struct functions w = { 0 };
    TRY(make_functions(r, &w, s->rows.len, err));
    for (size_t i = 0; i < s->rows.len; i++) {
        const struct timeline_share *row = &s->rows.at[i];
        TRY(put_function(r, &w, i, (struct timeline_total){ row->key, row->lines, row->time, row->time }, err));
    }
    r->pub.recorded = s->recorded;
    r->pub.idle = s->idle;
    return put_parts(r, s, lines, err);
}

static int fill_depth(struct chart_result *r, const struct assay_chart_options *o, assay_chart_line *lines, assay_error *err)
{
    SCOPED(timeline_shares_done) struct timeline_shares shares = { 0 };
    uint32_t depth = o->depth;
    if (depth == ASSAY_CHART_CHOOSE) TRY(timeline_choose_depth(&r->t, &depth, err));
    r->pub.depth = depth;
    TRY(timeline_shares_at(&r->t, depth, &shares, err));
    return put_shares(r, &shares, lines, err);
}

/* ---- all depths ---- */

struct boxes {
    uint32_t *line, *depth;
    int64_t *from, *to;
    uint64_t *time, *calls;
    bool *is_merged;
    assay_func_id *func;
    assay_slice *name;
};

static int make_boxes(struct chart_result *r, struct boxes *w, size_t count, assay_error *err)
{
    bool failed = false;
    assay_chart_boxes *b = &r->pub.boxes;
    b->line = w->line = result_array(&r->base, count, sizeof *w->line, &failed);
    b->depth = w->depth = result_array(&r->base, count, sizeof *w->depth, &failed);
    b->from = w->from = result_array(&r->base, count, sizeof *w->from, &failed);
    b->to = w->to = result_array(&r->base, count, sizeof *w->to, &failed);
    b->time = w->time = result_array(&r->base, count, sizeof *w->time, &failed);
    b->calls = w->calls = result_array(&r->base, count, sizeof *w->calls, &failed);
    b->is_merged = w->is_merged = result_array(&r->base, count, sizeof *w->is_merged, &failed);
    b->func = w->func = result_array(&r->base, count, sizeof *w->func, &failed);
    b->name = w->name = result_array(&r->base, count, sizeof *w->name, &failed);
    b->count = count;
    return failed ? error_memory(err) : 0;
}

static int put_box(struct chart_result *r, const struct boxes *w, size_t i, const struct timeline_box *from, assay_error *err)
{
    uint32_t key = timeline_key(&r->t, from->frame);
    w->from[i] = from->from;
    w->to[i] = from->to;
    w->time[i] = from->time;
    w->calls[i] = from->calls;
    w->is_merged[i] = from->is_merged;
    w->func[i] = (assay_func_id){ timeline_func(&r->t, key) };
    return name_of(r, key, &w->name[i], err);
}

static int put_band(struct chart_result *r, const struct boxes *w, const struct timeline_chart *c, const struct timeline_band *band, assay_error *err)
{
    for (uint32_t level = 0; level < band->rows; level++)
        for (size_t i = c->rows.at[band->row + level].first; i < c->rows.at[band->row + level + 1].first; i++) {
            TRY(cancel_step(i, err));
            w->line[i] = (uint32_t)band->line;
            w->depth[i] = level + 1;
            TRY(put_box(r, w, i, &c->boxes.at[i], err));
        }
    return 0;
}

static int put_boxes(struct chart_result *r, const struct timeline_chart *c, assay_chart_line *lines, assay_error *err)
{
    struct boxes w = { 0 };
    TRY(make_boxes(r, &w, c->boxes.len, err));
    for (size_t i = 0; i < c->bands.len; i++) {
        const struct timeline_band *band = &c->bands.at[i];
        lines[band->line].levels = band->rows + band->left_out;
        TRY(put_band(r, &w, c, band, err));
    }
    return 0;
}

static int put_totals(struct chart_result *r, const struct timeline_totals *s, assay_error *err)
{
    struct functions w = { 0 };
    TRY(make_functions(r, &w, s->rows.len, err));
    for (size_t i = 0; i < s->rows.len; i++) TRY(put_function(r, &w, i, s->rows.at[i], err));
    r->pub.recorded = s->recorded;
    r->pub.idle = s->idle;
    return 0;
}

static int fill_chart(struct chart_result *r, const struct assay_chart_options *o, assay_chart_line *lines, assay_error *err)
{
    SCOPED(timeline_totals_done) struct timeline_totals totals;
    SCOPED(timeline_chart_done) struct timeline_chart chart = { 0 };
    TRY(timeline_totals_new(&r->t, &totals, err));
    TRY(put_totals(r, &totals, err));
    TRY(timeline_chart_draw(&r->t, o->columns ? o->columns : COLUMNS_DEFAULT, o->streams ? o->streams : SIZE_MAX, o->levels ? o->levels : LEVELS_DEFAULT,
                            &chart, err));
    return put_boxes(r, &chart, lines, err);
}

/* ---- all of it ---- */

static int measure(struct timeline *t, const char *time, assay_error *err)
{
    struct time_window window;
    if (!time) return timeline_measure(t, NULL, err);
    TRY(time_window_parse(time, &window, err));
    return timeline_measure(t, &window, err);
}

static int fill(struct chart_result *r, const struct assay_chart_options *o, assay_error *err)
{
    const struct timeline *t = &r->t;
    assay_chart_line *lines;
    r->has_timeline = true;
    TRY(timeline_init(&r->t, &r->base.mem, r->base.profile, o->whole ? o->whole : r->base.profile, err));
    TRY(measure(&r->t, o->time, err));
    r->pub.profile = r->base.profile;
    r->pub.unit = t->unit;
    r->pub.begin = t->begin;
    r->pub.end = t->end;
    r->pub.from = t->from;
    r->pub.to = t->to;
    r->pub.is_spans = t->is_spans;
    r->pub.is_laid_out = t->is_laid_out;
    r->pub.events = t->events;
    r->pub.deepest = t->deepest;
    TRY(put_lines(r, &lines, err));
    return o->depth ? fill_depth(r, o, lines, err) : fill_chart(r, o, lines, err);
}

int assay_chart_new(const assay_profile *p, const struct assay_chart_options *options, assay_chart **out, assay_error *err)
{
    assay_error local;
    struct assay_chart_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(options_take(&o, sizeof o, options, err));
    struct chart_result *r = calloc(1, sizeof *r);
    if (!r) return error_memory(err);
    int rc = result_init(&r->base, p, NULL, err);
    if (rc == 0) rc = fill(r, &o, err);
    rc = cancel_end(rc, err);
    if (rc == 0)
        *out = &r->pub;
    else
        assay_chart_free(&r->pub);
    return rc;
}

void assay_chart_free(assay_chart *chart)
{
    struct chart_result *r = (struct chart_result *)chart;
    if (!r) return;
    if (r->has_timeline) timeline_done(&r->t);
    result_done(&r->base);
    free(r);
}
