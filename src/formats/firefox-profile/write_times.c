/* Markers and counters -> columns. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/firefox-profile/write.h"
#include "model/entry.h"

/* The last attribute is the first of its list to be met, so they are linked from the end. */
void firefox_plan_attributes(struct firefox_writer *w)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    uint32_t streams = assay_profile_streams(w->p)->count + 1;
    for (uint32_t i = a->count; i-- > 0 && !cancel_at(i);) {
        uint32_t *list = &w->attributes[ID(a->stream, i)];
        w->attributes[streams + i] = *list;
        *list = i + 1;
    }
}

assay_slice firefox_attribute(const struct firefox_writer *w, uint32_t stream, const char *key)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    uint32_t streams = assay_profile_streams(w->p)->count + 1;
    for (uint32_t i = w->attributes[stream]; i; i = w->attributes[streams + i - 1])
        if (slice_is(assay_profile_string(w->p, a->key[i - 1]), key)) return assay_profile_string(w->p, a->value[i - 1]);
    return (assay_slice){ NULL, 0 };
}

assay_slice firefox_pid(const struct firefox_writer *w, uint32_t stream, char *buf)
{
    const struct assay_streams *s = assay_profile_streams(w->p);
    for (uint32_t i = stream && s->tuple_count ? s->tuple_begin[stream] : 0; stream && s->tuple_count && i < s->tuple_begin[stream + 1]; i++)
        if (slice_is(assay_profile_string(w->p, s->tuple_kind[i]), "PROCESS"))
            return (assay_slice){ buf, number_put_u64(buf, s->tuple_physical ? s->tuple_physical[i] : s->tuple_logical[i]) };
    assay_slice said = stream ? firefox_attribute(w, stream, "pid") : (assay_slice){ NULL, 0 };
    return said.len ? said : SLICE("0");
}

/* ---- markers ---- */

enum { NAMES, STARTS, ENDS, PHASES, CATEGORIES, DATA, COLUMNS };
static const char *const column_names[COLUMNS] = { "name", "startTime", "endTime", "phase", "category", "data" };

static assay_slice string_of(const struct firefox_writer *w, const assay_str_id *column, uint32_t row)
{
    return assay_profile_string(w->p, (assay_str_id){ ID(column, row) });
}

static void put_label(struct firefox_writer *w, uint32_t id)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    json_key_slice(&w->j, assay_profile_string(w->p, l->key[id]));
    switch (AT(l->kind, id)) {
    case ASSAY_LABEL_INTEGER: json_i64(&w->j, AT(l->number, id)); break;
    case ASSAY_LABEL_DOUBLE: json_double(&w->j, AT(l->real, id)); break;
    case ASSAY_LABEL_BOOLEAN: json_bool(&w->j, AT(l->number, id) != 0); break;
    default: {
        assay_slice text = string_of(w, l->text, id);
        json_string(&w->j, text.data ? text : SLICE(""));
    }
    }
}

/* The type says how a marker is shown; one that has none is text. */
static void put_data(struct firefox_writer *w, uint32_t row)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    const struct assay_markers *m = assay_profile_markers(w->p);
    uint32_t set = ID(m->set, row), last = 0;
    assay_slice text = string_of(w, m->text, row);
    bool has_type = false;
    if (!set && !text.len) {
        json_null(&w->j);
        return;
    }
    json_object(&w->j);
    for (uint32_t s = set; s; s = l->set_rest[s].v) {
        uint32_t id = l->set_label[s].v;
        if (last && l->key[last].v == l->key[id].v) continue; /* a member can be there once */
        last = id;
        has_type |= slice_is(assay_profile_string(w->p, l->key[id]), "type");
        put_label(w, id);
    }
    if (!has_type) {
        json_key(&w->j, "type");
        json_text(&w->j, "Text");
    }
    if (text.len) {
        json_key(&w->j, "name");
        json_string(&w->j, text);
    }
    json_end(&w->j);
}

static uint32_t category_row(struct firefox_writer *w, uint32_t row)
{
    assay_slice name = string_of(w, assay_profile_markers(w->p)->category, row);
    uint32_t id = name.len ? intern_put(&w->categories, name) : 1;
    w->failed |= !id;
    return id ? id - 1 : 0;
}

static void put_marker(struct firefox_writer *w, uint32_t row, int column)
{
    const struct assay_markers *m = assay_profile_markers(w->p);
    int64_t duration = AT(m->duration, row);
    switch (column) {
    case NAMES: json_u64(&w->j, firefox_string_row(w, string_of(w, m->name, row))); break;
    case STARTS: stacks_put_number(&w->j, (double)AT(m->time, row) / 1e6); break;
    case ENDS:
        if (duration > 0)
            stacks_put_number(&w->j, (double)(m->time[row] + duration) / 1e6);
        else
            json_null(&w->j);
        break;
    case PHASES: json_u64(&w->j, duration > 0); break;
    case CATEGORIES: json_u64(&w->j, category_row(w, row)); break;
    default: put_data(w, row);
    }
}

/* The stream whose thread has a marker. */
static uint32_t stream_of(const struct firefox_writer *w, uint32_t row)
{
    uint32_t stream = ID(assay_profile_markers(w->p)->stream, row);
    return w->first_thread[stream] ? stream : w->threads.at[0].stream;
}

static int by_time(const void *x, const void *y, void *arg)
{
    const struct firefox_writer *w = arg;
    const struct assay_markers *m = assay_profile_markers(w->p);
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    ORDER_BY(stream_of(w, a), stream_of(w, b));
    ORDER_BY(AT(m->time, a), AT(m->time, b));
    return ORDER(a, b);
}

int firefox_plan_markers(struct firefox_writer *w)
{
    const struct assay_markers *m = assay_profile_markers(w->p);
    uint32_t streams = assay_profile_streams(w->p)->count + 1;
    for (uint32_t i = 0; i < m->count; i++) {
        TRY(cancel_step(i, w->err));
        w->markers[i] = i;
        w->marker_begin[stream_of(w, i) + 1]++;
        category_row(w, i);
        firefox_string_row(w, string_of(w, m->name, i));
    }
    for (uint32_t s = 0; s < streams; s++) w->marker_begin[s + 1] += w->marker_begin[s];
    if (m->count && !sort_with(w->markers, m->count, sizeof *w->markers, by_time, w)) return error_cancelled(w->err);
    return w->failed ? error_memory(w->err) : 0;
}

int firefox_put_markers(struct firefox_writer *w, const struct firefox_out_thread *t)
{
    uint32_t from = w->marker_begin[t->stream], to = t->copy ? from : w->marker_begin[t->stream + 1];
    json_key(&w->j, "markers");
    json_object(&w->j);
    firefox_put_length(w, to - from);
    for (int column = 0; column < COLUMNS; column++) {
        json_key(&w->j, column_names[column]);
        json_array(&w->j);
        for (uint32_t i = from; i < to && !cancel_at(i); i++) put_marker(w, w->markers[i], column);
        json_end(&w->j);
    }
    json_end(&w->j);
    return w->failed ? error_memory(w->err) : output_failed(w->s->out);
}

/* ---- counters ---- */

struct series {
    const uint32_t *order; /* readings by counter */
    const uint32_t *begin; /* by counter */
};

/* What came since the reading before; of a level that is the difference. */
static void put_counts(struct firefox_writer *w, const struct series *s, uint32_t id)
{
    const struct assay_counters *c = assay_profile_counters(w->p);
    bool is_level = AT(c->kind, id) == ASSAY_METRIC_LEVEL;
    double before = 0;
    for (uint32_t i = s->begin[id]; i < s->begin[id + 1] && !cancel_at(i); i++) {
        double v = c->reading_value[s->order[i]];
        stacks_put_number(&w->j, is_level ? v - before : v);
        before = v;
    }
}

static void put_display(struct firefox_writer *w, uint32_t id, assay_slice name)
{
    assay_slice unit = string_of(w, assay_profile_counters(w->p)->unit, id);
    json_key(&w->j, "display");
    json_object(&w->j);
    json_key(&w->j, "graphType");
    json_text(&w->j, AT(assay_profile_counters(w->p)->kind, id) == ASSAY_METRIC_LEVEL || slice_is(unit, "bytes") ? "line-accumulated" : "line-rate");
    json_key(&w->j, "unit");
    json_string(&w->j, unit.data ? unit : SLICE(""));
    json_key(&w->j, "color");
    json_text(&w->j, "grey");
    json_key(&w->j, "markerSchemaLocation");
    json_null(&w->j);
    json_key(&w->j, "sortWeight");
    json_u64(&w->j, 50);
    json_key(&w->j, "label");
    json_string(&w->j, name);
    json_key(&w->j, "tooltipRows");
    json_array(&w->j);
    json_end(&w->j);
    json_end(&w->j);
}

/* The series `number` of a counter stands right behind it, and is a column of it. */
static bool is_number_of(const struct firefox_writer *w, const struct series *s, uint32_t id)
{
    const struct assay_counters *c = assay_profile_counters(w->p);
    if (id < 2 || id > c->count || !slice_is(string_of(w, c->series, id), "number") || ID(c->series, id - 1)) return false;
    return c->name[id].v == c->name[id - 1].v && s->begin[id + 1] - s->begin[id] == s->begin[id] - s->begin[id - 1];
}

static void put_readings(struct firefox_writer *w, const struct series *s, uint32_t id)
{
    const struct assay_counters *c = assay_profile_counters(w->p);
    json_key(&w->j, "samples");
    json_object(&w->j);
    firefox_put_length(w, s->begin[id + 1] - s->begin[id]);
    json_key(&w->j, "time");
    json_array(&w->j);
    for (uint32_t i = s->begin[id]; i < s->begin[id + 1] && !cancel_at(i); i++) stacks_put_number(&w->j, (double)c->reading_time[s->order[i]] / 1e6);
    json_end(&w->j);
    json_key(&w->j, "count");
    json_array(&w->j);
    put_counts(w, s, id);
    json_end(&w->j);
    if (is_number_of(w, s, id + 1)) {
        json_key(&w->j, "number");
        json_array(&w->j);
        put_counts(w, s, id + 1);
        json_end(&w->j);
    }
    json_end(&w->j);
}

static void put_counter(struct firefox_writer *w, const struct series *s, uint32_t id)
{
    const struct assay_counters *c = assay_profile_counters(w->p);
    uint32_t stream = ID(c->stream, id), thread = w->first_thread[stream] ? w->first_thread[stream] - 1 : 0;
    assay_slice name = string_of(w, c->name, id), series = string_of(w, c->series, id), category = string_of(w, c->category, id);
    char pid[48], full[400];
    int len = snprintf(full, sizeof full, "%.*s%s%.*s", (int)(name.len < 200 ? name.len : 200), name.data ? name.data : "", series.len ? " " : "",
                       (int)(series.len < 100 ? series.len : 100), series.data ? series.data : "");
    json_object(&w->j);
    json_key(&w->j, "name");
    json_string(&w->j, (assay_slice){ full, (size_t)len });
    json_key(&w->j, "category");
    json_string(&w->j, category.data ? category : SLICE(""));
    json_key(&w->j, "description");
    json_text(&w->j, "");
    json_key(&w->j, "pid");
    json_string(&w->j, firefox_pid(w, w->threads.at[thread].stream, pid));
    json_key(&w->j, "mainThreadIndex");
    json_u64(&w->j, thread);
    put_readings(w, s, id);
    put_display(w, id, (assay_slice){ full, (size_t)len });
    json_end(&w->j);
}

int firefox_put_counters(struct firefox_writer *w)
{
    const struct assay_counters *c = assay_profile_counters(w->p);
    SCRATCH(uint32_t, begin, w->mem, (size_t)c->count + 3);
    SCRATCH(uint32_t, order, w->mem, (size_t)c->reading_count + 1);
    if (!begin || !order) return error_memory(w->err);
    for (uint32_t i = 0; i < c->reading_count; i++) begin[c->reading_counter[i].v + 2]++;
    for (uint32_t id = 1; id < c->count + 3; id++) begin[id] += begin[id - 1];
    for (uint32_t i = 0; i < c->reading_count; i++) order[begin[c->reading_counter[i].v + 1]++] = i;
    struct series s = { order, begin };
    json_key(&w->j, "counters");
    json_array(&w->j);
    for (uint32_t id = 1; id <= c->count; id++) {
        TRY(cancel_step(id, w->err));
        if (!is_number_of(w, &s, id)) put_counter(w, &s, id);
    }
    json_end(&w->j);
    return output_failed(w->s->out);
}
