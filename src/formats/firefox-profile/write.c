/* A tree -> version 70: a thread for each stream, and one more for each further metric. Samples with times stay in their order; without times there is one
 * sample for each distinct stack, with its figure as the weight. */
#include <stdio.h>

#include "formats/firefox-profile/write.h"

#include "analysis/core/units.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "formats/firefox-profile/collect.h"
#include "model/entry.h"

/* ---- figures ---- */

/* In milliseconds what is a time; `ns` is how long one of the metric is, 0 = it is no time. */
static double in_ms(double v, double ns) { return ns > 0 ? v * ns / 1e6 : v; }

static const char *weight_type(const struct firefox_writer *w, assay_metric_id m)
{
    const char *unit = units_name(w->p, m);
    if (units_ns(w->p, m) > 0) return "tracing-ms";
    return strcmp(unit, "bytes") == 0 || strcmp(unit, "B") == 0 ? "bytes" : "samples";
}

static assay_slice metric_name(const struct firefox_writer *w, assay_metric_id m) { return assay_profile_string(w->p, assay_profile_metrics(w->p)->name[m.v]); }

/* Which table of a thread holds a metric that is no thread of its own; NULL = it is one. */
static const char *allocations(const struct firefox_writer *w, assay_metric_id m)
{
    assay_slice name = metric_name(w, m);
    return slice_is(name, "js-allocations") ? "jsAllocations" : slice_is(name, "native-allocations") ? "nativeAllocations" : NULL;
}

static enum assay_type type_of(const struct firefox_writer *w, assay_metric_id m) { return (enum assay_type)assay_profile_metrics(w->p)->type[m.v]; }

static int add_cell(void *arg, const assay_cell *cell)
{
    struct firefox_writer *w = arg;
    if (!cell->node) return 0;
    if (!w->s->frames.owner[cell->node]) {
        w->has_unplaced = true;
        return 0;
    }
    assay_cell *slot = vec_push(w->mem, &w->cells);
    if (!slot) return error_memory(w->err);
    *slot = *cell;
    return 0;
}

/* What nodes of a stream cost themselves, into w->cells: points, which know lines, but functions as a whole where points have no place below one. */
static int find_cells(struct firefox_writer *w, uint32_t stream, assay_metric_id m)
{
    struct columns c = columns_of(w->p, m);
    bool any;
    w->cells.len = 0;
    w->has_unplaced = false;
    if (c.point.v) TRY(assay_tree_column(w->p, (assay_stream_id){ stream }, c.point, add_cell, w, w->err));
    if (c.point.v && !(w->has_unplaced && c.function.v)) return 0;
    w->cells.len = 0;
    SCOPED(sums_done) struct sums self = { 0 };
    if (!sums_init(&self, w->mem, type_of(w, m), w->s->frames.len)) return error_memory(w->err);
    TRY(stacks_self(w->s, (assay_stream_id){ stream }, m, &self, &any));
    for (uint32_t node = 1; node < w->s->frames.len; node++) {
        TRY(cancel_step(node, w->err));
        if (value_double(self.type, sums_value(&self, node)) != 0) TRY(add_cell(w, &(assay_cell){ .node = node, .value = sums_value(&self, node) }));
    }
    return 0;
}

/* The place of a metric among the weights of the events of a stream; -1 = there are none. */
static int weight_of(const struct firefox_writer *w, uint32_t stream, assay_metric_id m)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    if (!t->count || stream > t->stream_count || t->begin[stream] == t->begin[stream + 1] || (t->is_spans && t->is_spans[stream])) return -1;
    for (uint32_t k = 0; k < t->block.metric_count; k++)
        if (t->block.metrics[k].v == m.v) return (int)k;
    return -1;
}

/* ---- rows ---- */

/* Rows and strings for all that is going to be written, and which threads there are. */
static int plan_sums(struct firefox_writer *w, uint32_t stream, assay_metric_id m)
{
    TRY(find_cells(w, stream, m));
    for (size_t i = 0; i < w->cells.len && !w->failed; i++) {
        TRY(cancel_step(i, w->err));
        firefox_stack_row(w, w->cells.at[i].node);
    }
    return w->failed ? error_memory(w->err) : 0;
}

static int plan_events(struct firefox_writer *w, uint32_t stream)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    for (uint64_t i = t->begin[stream]; i < t->begin[stream + 1] && !w->failed; i++) {
        TRY(cancel_step(i, w->err));
        if (t->node && t->node[i].v) firefox_stack_row(w, t->node[i].v);
    }
    return w->failed ? error_memory(w->err) : 0;
}

static int plan_thread(struct firefox_writer *w, uint32_t stream, assay_metric_id m, uint32_t *copies)
{
    struct firefox_out_thread *t = vec_push(w->mem, &w->threads);
    if (!t) return error_memory(w->err);
    *t = (struct firefox_out_thread){ stream, (*copies)++, m };
    if (!w->first_thread[stream]) w->first_thread[stream] = (uint32_t)w->threads.len;
    return 0;
}

static bool has_events(const struct firefox_writer *w, uint32_t stream, bool *is_spans)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    bool has = t->count && stream <= t->stream_count && t->begin[stream] < t->begin[stream + 1];
    *is_spans = has && t->is_spans && t->is_spans[stream];
    return has;
}

static int plan_stream(struct firefox_writer *w, uint32_t stream, bool has_markers)
{
    uint32_t copies = 0;
    bool is_spans, has_any = has_events(w, stream, &is_spans), has_allocations = false;
    assay_metric_id first = w->s->metric_count ? w->s->metrics[0] : (assay_metric_id){ 0 };
    if (is_spans) w->spans += assay_profile_timeline(w->p)->begin[stream + 1] - assay_profile_timeline(w->p)->begin[stream];
    for (uint32_t i = 0; i < w->s->metric_count; i++) {
        assay_metric_id m = w->s->metrics[i];
        if (!stacks_has_values(w->s, (assay_stream_id){ stream }, m)) continue;
        has_allocations |= allocations(w, m) != NULL;
        if (!allocations(w, m)) TRY(plan_thread(w, stream, m, &copies));
        TRY(weight_of(w, stream, m) >= 0 ? plan_events(w, stream) : plan_sums(w, stream, m));
    }
    /* A stream of which there is nothing but idle time or markers is a thread all the same. */
    if (!copies && (has_any || has_allocations || has_markers)) return plan_thread(w, stream, first, &copies);
    return 0;
}

static int plan(struct firefox_writer *w)
{
    const struct assay_modules *m = assay_profile_modules(w->p);
    const struct assay_streams *streams = assay_profile_streams(w->p);
    const struct assay_markers *markers = assay_profile_markers(w->p);
    SCRATCH(uint8_t, has_markers, w->mem, (size_t)streams->count + 1);
    if (!has_markers) return error_memory(w->err);
    for (uint32_t i = 0; i < markers->count && !cancel_at(i); i++) has_markers[ID(markers->stream, i)] = 1;
    for (uint32_t s = 0; s <= streams->count; s++) TRY(plan_stream(w, s, s && has_markers[s]));
    if (!w->threads.len) TRY(plan_thread(w, 0, w->s->metric_count ? w->s->metrics[0] : (assay_metric_id){ 0 }, &(uint32_t){ 0 }));
    for (uint32_t id = 1; id <= m->count; id++) firefox_string_row(w, assay_profile_string(w->p, m->path[id]));
    return firefox_plan_markers(w);
}

/* ---- samples ---- */

enum { STACKS, TIMES, WEIGHTS, COLUMNS };
static const char *const column_names[COLUMNS] = { "stack", "time", "weight" };

static void put_stack(struct firefox_writer *w, uint32_t node)
{
    int32_t row = node ? firefox_stack_row(w, node) : -1;
    if (row < 0)
        json_null(&w->j);
    else
        json_u64(&w->j, (uint64_t)row);
}

static void put_weight(struct firefox_writer *w, assay_metric_id m, assay_value v)
{
    double ns = units_ns(w->p, m);
    if (ns > 0 || type_of(w, m) == ASSAY_F64)
        stacks_put_number(&w->j, in_ms(value_double(type_of(w, m), v), ns));
    else
        json_value(&w->j, type_of(w, m), v);
}

/* One column of the samples that have times. */
static int put_event_column(struct firefox_writer *w, const struct firefox_out_thread *t, uint32_t k, int column)
{
    const struct assay_timeline *l = assay_profile_timeline(w->p);
    bool is_time = slice_is(assay_profile_string(w->p, l->unit[t->stream]), "ns");
    for (uint64_t i = l->begin[t->stream]; i < l->begin[t->stream + 1]; i++) {
        TRY(cancel_step(i, w->err));
        if (column == STACKS)
            put_stack(w, ID(l->node, i));
        else if (column == TIMES)
            stacks_put_number(&w->j, is_time ? (double)l->time[i] / 1e6 : (double)l->time[i]);
        else
            put_weight(w, t->metric, l->weight[i * l->block.metric_count + k]);
    }
    return 0;
}

static bool all_are_one(const struct firefox_writer *w, const struct firefox_out_thread *t, uint32_t k)
{
    const struct assay_timeline *l = assay_profile_timeline(w->p);
    enum assay_type type = type_of(w, t->metric);
    for (uint64_t i = l->begin[t->stream]; i < l->begin[t->stream + 1]; i++) {
        double v = value_double(type, l->weight[i * l->block.metric_count + k]);
        if (cancel_at(i) || v < 1 - (double)(ID(l->node, i) == 0) || v > 1) return false;
    }
    return true;
}

/* Without times samples stand one after the other: for as long as they take, or a millisecond apart. */
static int put_sum_column(struct firefox_writer *w, assay_metric_id m, int column)
{
    double at = 0, ns = units_ns(w->p, m);
    for (size_t i = 0; i < w->cells.len; i++) {
        const assay_cell *c = &w->cells.at[i];
        double v = value_double(type_of(w, m), c->value);
        TRY(cancel_step(i, w->err));
        if (column == STACKS)
            put_stack(w, c->node);
        else if (column == TIMES)
            stacks_put_number(&w->j, at);
        else
            put_weight(w, m, c->value);
        at += ns > 0 && v > 0 ? in_ms(v, ns) : 1;
    }
    return 0;
}

static void put_type(struct firefox_writer *w, assay_metric_id m)
{
    json_key(&w->j, "weightType");
    json_text(&w->j, m.v ? weight_type(w, m) : "samples");
}

static int put_sums(struct firefox_writer *w, uint32_t stream, assay_metric_id m)
{
    TRY(find_cells(w, stream, m));
    put_type(w, m);
    firefox_put_length(w, w->cells.len);
    for (int column = 0; column < COLUMNS; column++) {
        json_key(&w->j, column_names[column]);
        json_array(&w->j);
        TRY(put_sum_column(w, m, column));
        json_end(&w->j);
    }
    return 0;
}

static int put_events(struct firefox_writer *w, const struct firefox_out_thread *t, int k)
{
    const struct assay_timeline *l = assay_profile_timeline(w->p);
    bool has_weights = k >= 0 && !(strcmp(weight_type(w, t->metric), "samples") == 0 && all_are_one(w, t, (uint32_t)k));
    put_type(w, k >= 0 ? t->metric : (assay_metric_id){ 0 });
    firefox_put_length(w, l->begin[t->stream + 1] - l->begin[t->stream]);
    for (int column = 0; column < COLUMNS; column++) {
        json_key(&w->j, column_names[column]);
        if (column == WEIGHTS && !has_weights) {
            json_null(&w->j);
            continue;
        }
        json_array(&w->j);
        TRY(put_event_column(w, t, (uint32_t)(k < 0 ? 0 : k), column));
        json_end(&w->j);
    }
    return 0;
}

static int put_samples(struct firefox_writer *w, const struct firefox_out_thread *t)
{
    bool is_spans, has = has_events(w, t->stream, &is_spans);
    int k = t->metric.v ? weight_of(w, t->stream, t->metric) : -1;
    json_key(&w->j, "samples");
    json_object(&w->j);
    bool is_empty = !t->metric.v || !stacks_has_values(w->s, (assay_stream_id){ t->stream }, t->metric);
    if (k >= 0 || (is_empty && has && !is_spans && !assay_profile_timeline(w->p)->block.metric_count))
        TRY(put_events(w, t, k));
    else if (t->metric.v && !allocations(w, t->metric))
        TRY(put_sums(w, t->stream, t->metric));
    else {
        put_type(w, (assay_metric_id){ 0 });
        firefox_put_length(w, 0);
        for (int column = 0; column < COLUMNS; column++) {
            json_key(&w->j, column_names[column]);
            json_array(&w->j);
            json_end(&w->j);
        }
    }
    json_end(&w->j);
    return output_failed(w->s->out);
}

static int put_allocations(struct firefox_writer *w, const struct firefox_out_thread *t)
{
    for (uint32_t i = 0; i < w->s->metric_count && t->copy == 0; i++) {
        assay_metric_id m = w->s->metrics[i];
        const char *table = allocations(w, m);
        if (!table || !stacks_has_values(w->s, (assay_stream_id){ t->stream }, m)) continue;
        json_key(&w->j, table);
        json_object(&w->j);
        TRY(put_sums(w, t->stream, m));
        json_end(&w->j);
    }
    return 0;
}

/* ---- threads ---- */

/* The number of the thread, or its place among all. */
static void put_tid(struct firefox_writer *w, const struct firefox_out_thread *t, size_t at)
{
    const struct assay_streams *s = assay_profile_streams(w->p);
    json_key(&w->j, "tid");
    for (uint32_t i = s->tuple_count && t->stream ? s->tuple_begin[t->stream] : 0; t->stream && s->tuple_count && i < s->tuple_begin[t->stream + 1]; i++)
        if (t->copy == 0 && slice_is(assay_profile_string(w->p, s->tuple_kind[i]), "THREAD")) {
            json_u64(&w->j, s->tuple_physical ? s->tuple_physical[i] : s->tuple_logical[i]);
            return;
        }
    char text[48] = "assay-";
    number_put_u64(text + 6, at + 1);
    json_text(&w->j, text);
}

static void put_name(struct firefox_writer *w, const struct firefox_out_thread *t)
{
    const struct assay_streams *streams = assay_profile_streams(w->p);
    assay_slice label = t->stream && streams->label ? assay_profile_string(w->p, streams->label[t->stream]) : SLICE("all");
    assay_slice metric = t->copy ? metric_name(w, t->metric) : (assay_slice){ NULL, 0 };
    char name[400];
    snprintf(name, sizeof name, "%.*s%s%.*s%s%s", (int)(label.len < 200 ? label.len : 200), label.data ? label.data : "", metric.len ? " (" : "",
             (int)(metric.len < 100 ? metric.len : 100), metric.len ? metric.data : "", metric.len ? ")" : "", w->s->is_estimated ? " (estimated)" : "");
    json_key(&w->j, "name");
    json_text(&w->j, name);
}

static void put_text(struct firefox_writer *w, const char *key, assay_slice value)
{
    json_key(&w->j, key);
    json_string(&w->j, value.data ? value : SLICE(""));
}

static void put_plain(struct firefox_writer *w, const char *key, const char *value)
{
    json_key(&w->j, key);
    json_number(&w->j, slice_of(value));
}

static int put_thread(struct firefox_writer *w, size_t at)
{
    const struct firefox_out_thread *t = &w->threads.at[at];
    assay_slice type = firefox_attribute(w, t->stream, "processType");
    char pid[48];
    json_object(&w->j);
    put_name(w, t);
    put_plain(w, "isMainThread", at == 0 || firefox_attribute(w, t->stream, "isMainThread").len ? "true" : "false");
    put_text(w, "processType", type.len ? type : SLICE("default"));
    put_text(w, "processName", firefox_attribute(w, t->stream, "processName"));
    put_plain(w, "processStartupTime", "0");
    put_plain(w, "processShutdownTime", "null");
    put_plain(w, "registerTime", "0");
    put_plain(w, "unregisterTime", "null");
    put_text(w, "pid", firefox_pid(w, t->stream, pid));
    put_tid(w, t, at);
    put_plain(w, "pausedRanges", "[]");
    TRY(put_samples(w, t));
    TRY(put_allocations(w, t));
    TRY(firefox_put_markers(w, t));
    json_end(&w->j);
    return output_failed(w->s->out);
}

/* ---- the document ---- */

/* Time between samples in milliseconds. */
static double interval(const struct firefox_writer *w)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    double ms = 0;
    if (number_double(firefox_attribute(w, 0, "interval"), &ms) == NUMBER_OK && ms > 0) return ms;
    for (uint32_t i = 0; i < w->s->metric_count && m->period; i++)
        if (m->period[w->s->metrics[i].v] > 0 && m->period_unit)
            ms = (double)m->period[w->s->metrics[i].v] * units_time(assay_profile_string(w->p, m->period_unit[w->s->metrics[i].v])) / 1e6;
    return ms > 0 ? ms : 1;
}

static void put_meta(struct firefox_writer *w)
{
    double start = 0;
    number_double(firefox_attribute(w, 0, "startTime"), &start);
    assay_slice product = firefox_attribute(w, 0, "product");
    json_key(&w->j, "meta");
    json_object(&w->j);
    json_key(&w->j, "interval");
    stacks_put_number(&w->j, interval(w));
    json_key(&w->j, "startTime");
    stacks_put_number(&w->j, start);
    put_text(w, "product", product.len ? product : SLICE("assay"));
    put_plain(w, "processType", "0");
    put_plain(w, "stackwalk", "1");
    put_plain(w, "debug", "false");
    put_plain(w, "version", "36");
    put_plain(w, "preprocessedProfileVersion", "70");
    put_plain(w, "symbolicated", "true");
    put_plain(w, "markerSchema", "[]");
    json_key(&w->j, "categories");
    json_array(&w->j);
    for (uint32_t i = 1; i <= intern_count(&w->categories); i++) {
        json_object(&w->j);
        put_text(w, "name", intern_get(&w->categories, i));
        put_text(w, "color", i == 1 ? SLICE("grey") : SLICE("blue"));
        put_plain(w, "subcategories", "[\"Other\"]");
        json_end(&w->j);
    }
    json_end(&w->j);
    json_end(&w->j);
}

static int write_document(struct firefox_writer *w)
{
    json_init(&w->j, w->s->out);
    json_object(&w->j);
    put_meta(w);
    TRY(firefox_put_tables(w));
    TRY(firefox_put_counters(w));
    put_plain(w, "pages", "[]");
    json_key(&w->j, "threads");
    json_array(&w->j);
    for (size_t i = 0; i < w->threads.len; i++) TRY(put_thread(w, i));
    json_end(&w->j);
    json_end(&w->j);
    return w->failed ? error_memory(w->err) : output_failed(w->s->out);
}

static void note_losses(const struct firefox_writer *w)
{
    struct losses *losses = w->s->job->losses;
    uint32_t alike = stacks_metrics_alike(w->s, true);
    if (w->s->is_estimated) losses_add(losses, "estimated", 1, "stacks are estimated from a call graph: only the sums of functions are exact");
    if (alike) losses_add(losses, "metrics", alike, "%u metrics of one unit are told apart by the names of threads alone", alike);
    if (w->spans) losses_add(losses, "times", w->spans, "times of spans are not written: their stacks have the time that they took");
}

static int write_planned(struct firefox_writer *w)
{
    TRY(w->failed ? error_memory(w->err) : plan(w));
    note_losses(w);
    TRY(losses_settle(w->s->job, w->err));
    return write_document(w);
}

static int write_all(struct stacks *s)
{
    struct firefox_writer w = { 0 };
    size_t funcs = (size_t)assay_profile_funcs(s->p)->count + 1, files = (size_t)assay_profile_files(s->p)->count + 1;
    size_t streams = (size_t)assay_profile_streams(s->p)->count + 1;
    SCRATCH(uint32_t, first_thread, s->job->mem, streams);
    SCRATCH(uint32_t, attributes, s->job->mem, streams + assay_profile_attributes(s->p)->count);
    SCRATCH(uint32_t, markers, s->job->mem, (size_t)assay_profile_markers(s->p)->count + 1);
    SCRATCH(uint32_t, marker_begin, s->job->mem, streams + 1);
    if (!first_thread || !attributes || !markers || !marker_begin) return error_memory(s->err);
    firefox_writer_init(&w, s);
    w.first_thread = first_thread;
    w.attributes = attributes;
    w.markers = markers;
    w.marker_begin = marker_begin;
    firefox_plan_attributes(&w);
    w.failed |= !vec_reserve(w.mem, &w.func_row, funcs) || !vec_reserve(w.mem, &w.file_row, files);
    if (!w.failed) memset(w.func_row.at, 0, funcs * sizeof *w.func_row.at);
    if (!w.failed) memset(w.file_row.at, 0, files * sizeof *w.file_row.at);
    int rc = write_planned(&w);
    firefox_writer_done(&w);
    return rc;
}

int firefox_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return stacks_write(p, job, out, "firefox-profile", write_all, err);
}
