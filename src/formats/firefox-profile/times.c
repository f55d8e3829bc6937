/* Times of samples, markers and counters. */
#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "formats/firefox-profile/read.h"

/* ---- samples ---- */

static int build_events(struct firefox_reader *r, size_t i)
{
    const struct firefox_thread *t = &r->f->threads.at[i];
    const struct firefox_samples *s = &t->samples[0];
    assay_value weights[FIREFOX_METRICS] = { { 0 } };
    bool is_real = s->metric == FIREFOX_BY_TIME || r->f->has_fraction[s->metric];
    double at = 0;
    assay_build_timeline_stream(r->b, r->streams[i], r->f->is_time_bytes ? "bytes" : "ns", false);
    for (uint32_t k = 0; k < s->length && k < s->time.len; k++) {
        double time = isfinite(s->time.at[k]) ? s->time.at[k] : 0, v = s->has_weight ? s->weight.at[k] : 1;
        TRY(cancel_step(k, r->err));
        at = s->has_deltas ? at + time : time;
        if (!isfinite(v) || s->stack.at[k] < 0) v = 0;
        if (is_real)
            weights[r->place[s->metric]].d = v;
        else
            weights[r->place[s->metric]].i = fabs(v) < 9e18 ? (int64_t)v : v < 0 ? INT64_MIN : INT64_MAX;
        assay_node_id node = s->stack.at[k] < 0 ? (assay_node_id){ 0 } : firefox_leaf(r, t->tables, (uint32_t)s->stack.at[k]);
        assay_build_event(r->b, r->streams[i], firefox_ns(r->f->is_time_bytes ? at / 1e6 : at), 0, node, weights);
    }
    return assay_builder_failed(r->b);
}

int firefox_build_times(struct firefox_reader *r)
{
    assay_metric_id list[FIREFOX_METRICS];
    uint32_t count = 0;
    for (unsigned m = 0; m < FIREFOX_BY_JS; m++)
        if (r->metric[m].v) list[count++] = r->metric[m];
    assay_build_timeline(r->b, list, count);
    for (size_t i = 0; i < r->f->threads.len; i++)
        if (r->streams[i].v) TRY(build_events(r, i));
    return 0;
}

/* ---- markers ---- */

struct marking {
    struct firefox_reader *r;
    const struct firefox_thread *t;
    const struct firefox_tables *strings;
    size_t thread;
    uint32_t type, interval, start, end, cause, name; /* keys of data, of names */
    VEC(assay_label_id) labels;
};

static const struct firefox_field *field_of(const struct marking *m, const struct firefox_marker *k, uint32_t key)
{
    for (size_t i = k->fields; key && i < k->fields_end; i++)
        if (m->r->f->fields.at[i].key == key) return &m->r->f->fields.at[i];
    return NULL;
}

static assay_slice text_of(const struct marking *m, const struct firefox_field *f)
{
    return f ? intern_get(&m->r->f->names, f->text) : (assay_slice){ NULL, 0 };
}

/* Before version 30 the data says whether a marker is an interval. */
static void find_phase(const struct marking *m, struct firefox_marker *k)
{
    const struct firefox_field *start = field_of(m, k, m->start), *end = field_of(m, k, m->end);
    assay_slice interval = text_of(m, field_of(m, k, m->interval));
    bool is_tracing = slice_is(text_of(m, field_of(m, k, m->type)), "tracing");
    k->phase = FIREFOX_INSTANT;
    if (is_tracing && slice_is(interval, "start")) k->phase = FIREFOX_INTERVAL_START;
    if (is_tracing && slice_is(interval, "end")) {
        k->phase = FIREFOX_INTERVAL_END;
        k->end = k->start;
    }
    if (is_tracing || !start || !end || start->value != JSON_NUMBER || end->value != JSON_NUMBER) return;
    k->phase = FIREFOX_INTERVAL;
    k->start = start->number;
    k->end = end->number;
}

/* An end belongs to the last start of its name that has none yet. */
static int pair_up(struct marking *m, struct firefox_marker *rows, uint32_t count)
{
    size_t names = m->strings->strings.len;
    SCRATCH(uint32_t, last, m->r->mem, names + 1);
    SCRATCH(uint32_t, before, m->r->mem, (size_t)count + 1);
    if (!last || !before) return error_memory(m->r->err);
    for (uint32_t i = 0; i < count; i++) {
        struct firefox_marker *k = &rows[i];
        TRY(cancel_step(i, m->r->err));
        if (k->phase == FIREFOX_NONE) find_phase(m, k);
        if (k->name < 0 || (size_t)k->name >= names) continue;
        if (k->phase == FIREFOX_INTERVAL_START) {
            before[i] = last[k->name];
            last[k->name] = i + 1;
        } else if (k->phase == FIREFOX_INTERVAL_END && last[k->name]) {
            struct firefox_marker *begin = &rows[last[k->name] - 1];
            last[k->name] = before[last[k->name] - 1];
            begin->phase = FIREFOX_INTERVAL;
            begin->end = k->end;
            k->phase = FIREFOX_NONE; /* it is told with its start */
        }
    }
    return 0;
}

/* A string by its number, where the schema says so. */
static uint32_t string_by_number(const struct marking *m, uint32_t type, const struct firefox_field *f)
{
    const struct firefox *all = m->r->f;
    if (f->value != JSON_NUMBER || !type || f->number < 0 || f->number >= (double)m->strings->strings.len) return 0;
    for (size_t i = 0; i < all->schema.len; i++)
        if (all->schema.at[i].type == type && all->schema.at[i].key == f->key) return m->strings->strings.at[(size_t)f->number];
    return 0;
}

static void add_label(struct marking *m, uint32_t type, const struct firefox_field *f)
{
    struct firefox_reader *r = m->r;
    uint32_t string = string_by_number(m, type, f);
    struct assay_label l = { .key = firefox_string(r, f->key), .kind = ASSAY_LABEL_TEXT };
    if (f->value == JSON_NUMBER && !string) {
        bool is_whole = number_i64(intern_get(&r->f->names, f->text), &l.number) == NUMBER_OK;
        l.kind = is_whole ? ASSAY_LABEL_INTEGER : ASSAY_LABEL_DOUBLE;
        if (!is_whole) l.number = 0;
        if (!is_whole) l.real = f->number;
    } else if (f->value == JSON_TRUE || f->value == JSON_FALSE) {
        l.kind = ASSAY_LABEL_BOOLEAN;
        l.number = f->value == JSON_TRUE;
    } else
        l.text = firefox_string(r, string ? string : f->text);
    m->labels.at[m->labels.len++] = assay_build_label(r->b, &l);
}

/* The text of a marker is its member `name`; the stack that caused it is told by numbers that mean nothing elsewhere. */
static int build_marker(struct marking *m, const struct firefox_marker *k)
{
    struct firefox_reader *r = m->r;
    const struct firefox_field *type = field_of(m, k, m->type), *text = field_of(m, k, m->name);
    struct assay_marker row = { .stream = r->streams[m->thread] };
    double at = k->phase == FIREFOX_INTERVAL_END ? k->end : k->start;
    uint32_t text_id = text ? string_by_number(m, type ? type->text : 0, text) : 0;
    if (text && text->value == JSON_STRING) text_id = text->text;
    if (!isfinite(at)) return 0;
    row.time = firefox_ns(at);
    if (k->phase == FIREFOX_INTERVAL && isfinite(k->end) && k->end > at) row.duration = firefox_ns(k->end) - row.time;
    if (k->name >= 0 && (size_t)k->name < m->strings->strings.len) row.name = firefox_string(r, m->strings->strings.at[k->name]);
    if (k->category >= 0 && (size_t)k->category < r->f->categories.len) row.category = firefox_string(r, r->f->categories.at[k->category]);
    if (text_id) row.text = firefox_string(r, text_id);
    m->labels.len = 0;
    if (!vec_reserve(r->mem, &m->labels, k->fields_end - k->fields)) return error_memory(r->err);
    for (size_t i = k->fields; i < k->fields_end; i++) {
        const struct firefox_field *f = &r->f->fields.at[i];
        if (f->key != m->cause && !(f == text && text_id)) add_label(m, type ? type->text : 0, f);
    }
    if (m->labels.len) row.set = assay_build_label_set(r->b, m->labels.at, (uint32_t)m->labels.len);
    assay_build_marker(r->b, &row);
    return assay_builder_failed(r->b);
}

static int build_marks(struct marking *m)
{
    uint32_t count = m->t->marker_count;
    if (count > m->t->markers.len) count = (uint32_t)m->t->markers.len;
    TRY(pair_up(m, m->t->markers.at, count));
    for (uint32_t i = 0; i < count; i++) {
        TRY(cancel_step(i, m->r->err));
        if (m->t->markers.at[i].phase != FIREFOX_NONE) TRY(build_marker(m, &m->t->markers.at[i]));
    }
    return 0;
}

int firefox_build_markers(struct firefox_reader *r)
{
    const struct intern *names = &r->f->names;
    struct marking m = { .r = r };
    vec_scoped(r->mem, &m.labels);
    m.type = intern_find(names, SLICE("type"));
    m.interval = intern_find(names, SLICE("interval"));
    m.start = intern_find(names, SLICE("startTime"));
    m.end = intern_find(names, SLICE("endTime"));
    m.cause = intern_find(names, SLICE("cause"));
    m.name = intern_find(names, SLICE("name"));
    for (size_t i = 0; i < r->f->threads.len; i++) {
        m.t = &r->f->threads.at[i];
        m.thread = i;
        m.strings = firefox_strings_of(r->f, firefox_tables_of(r->f, m.t));
        if (r->streams[i].v && m.t->has_markers) TRY(build_marks(&m));
    }
    return 0;
}

/* ---- counters ---- */

static int build_series(struct firefox_reader *r, const struct firefox_counter *c, const double *values, size_t count, const char *series)
{
    assay_slice category = intern_get(&r->f->names, c->category);
    struct assay_counter row = { .name = firefox_string(r, c->name), .kind = ASSAY_METRIC_FLOW };
    double at = 0;
    if (c->thread >= 0 && c->thread < (double)r->f->threads.len) row.stream = r->streams[(size_t)c->thread];
    if (category.len) row.category = firefox_string(r, c->category);
    if (series) row.series = assay_build_string(r->b, series, strlen(series));
    if (!series && c->unit)
        row.unit = firefox_string(r, c->unit);
    else if (!series && slice_is(category, "Memory"))
        row.unit = assay_build_string(r->b, "bytes", 5);
    assay_counter_id id = assay_build_counter(r->b, &row);
    for (size_t i = 0; i < c->length && i < count && i < c->time.len; i++) {
        TRY(cancel_step(i, r->err));
        if (!isfinite(c->time.at[i]) || !isfinite(values[i])) continue;
        at = c->has_deltas ? at + c->time.at[i] : c->time.at[i];
        assay_build_reading(r->b, id, firefox_ns(at), values[i]);
    }
    return assay_builder_failed(r->b);
}

int firefox_build_counters(struct firefox_reader *r)
{
    for (size_t i = 0; i < r->f->counters.len; i++) {
        const struct firefox_counter *c = &r->f->counters.at[i];
        if (!c->is_whole) continue;
        TRY(build_series(r, c, c->count.at, c->count.len, NULL));
        if (c->number.len) TRY(build_series(r, c, c->number.at, c->number.len, "number"));
    }
    return 0;
}
