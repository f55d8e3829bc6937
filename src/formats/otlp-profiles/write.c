/* A tree -> OpenTelemetry profiles of layout 1.10: a ResourceProfiles for each stream, a Profile in it for each metric, a sample for each context and set of
 * labels, with its times where the timeline has them. Entries of tables are numbered in the order of their first use: the same profile gives the same bytes. */
#include "formats/otlp-profiles/write.h"

#include "analysis/core/metric_choice.h"
#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "model/entry.h"

/* ---- figures ---- */

static int add_figure(struct otlp_writer *w, uint32_t stream, uint32_t metric, uint32_t node, uint32_t set, assay_value v, assay_error *err)
{
    int64_t value = located_figure(&w->located, &w->located.metrics.at[w->order.at[metric]], v);
    if (!value) return 0;
    struct otlp_figure *f = vec_push(w->mem, &w->sums);
    if (!f) return error_memory(err);
    *f = (struct otlp_figure){ stream, metric, node, set, value, 0 };
    return 0;
}

static int add_labelled(struct otlp_writer *w, assay_error *err)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    size_t width = w->located.metrics.len;
    for (uint32_t i = 0; i < l->sample_count; i++) {
        TRY(cancel_step(i, err));
        for (uint32_t k = 0; k < width; k++)
            TRY(add_figure(w, ID(l->sample_stream, i), k, l->sample_node[i].v, ID(l->sample_set, i), l->sample_self[(size_t)i * width + w->order.at[k]], err));
    }
    return 0;
}

struct adding {
    struct otlp_writer *w;
    uint32_t stream, metric;
    bool is_of_functions; /* what stands at other nodes is part of it */
    assay_error *err;
};

static int add_cell(void *arg, const assay_cell *cell)
{
    struct adding *a = arg;
    if (a->is_of_functions && (!cell->node || a->w->located.frames.owner[cell->node] != cell->node)) return 0;
    return add_figure(a->w, a->stream, a->metric, cell->node, 0, cell->value, a->err);
}

/* What is stored for streams; where there is no such thing the sums over all of them. */
static int add_metric(struct otlp_writer *w, uint32_t k, assay_error *err)
{
    struct located_metric m = w->located.metrics.at[w->order.at[k]];
    struct columns c = columns_of(w->p, m.id);
    assay_scope_id column = c.function.v ? c.function : c.point;
    size_t before = w->sums.len;
    for (uint32_t s = 0; column.v && s <= assay_profile_streams(w->p)->count; s++) {
        struct adding a = { w, s, k, c.function.v != 0, err };
        TRY(cancel_step(s, err));
        TRY(assay_tree_column(w->p, (assay_stream_id){ s }, column, add_cell, &a, err));
    }
    if (w->sums.len > before) return 0;
    SCOPED(sums_done) struct sums own;
    if (!sums_init(&own, w->mem, m.type, w->located.frames.len)) return error_memory(err);
    TRY(columns_self(w->p, &w->located.frames, &c, &own, err));
    for (uint32_t node = c.function.v || !c.point.v; node < w->located.frames.len; node++) {
        TRY(cancel_step(node, err));
        TRY(add_figure(w, 0, k, node, 0, sums_value(&own, node), err));
    }
    return 0;
}

/* ---- times ---- */

static int by_place(const void *x, const void *y, void *arg)
{
    const struct otlp_figure *a = x, *b = y;
    (void)arg;
    ORDER_BY(a->stream, b->stream);
    ORDER_BY(a->metric, b->metric);
    ORDER_BY(a->node, b->node);
    ORDER_BY(a->set, b->set);
    return ORDER(a->time, b->time);
}

/* The first metric of an event, or of one that has no weight the first of all. */
static int add_event(struct otlp_writer *w, uint32_t stream, uint64_t i, const uint32_t *weight_of, assay_error *err)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    size_t width = w->located.metrics.len, before = w->events.len;
    for (uint32_t k = 0; k <= width; k++) {
        bool is_rest = k == width;
        if (is_rest && (w->events.len > before || !width)) continue;
        if (!is_rest && !weight_of[k]) continue;
        assay_value v = is_rest ? (assay_value){ .i = 0 } : t->weight[i * t->block.metric_count + weight_of[k] - 1];
        int64_t value = is_rest ? 0 : located_figure(&w->located, &w->located.metrics.at[w->order.at[k]], v);
        if (!value && !is_rest) continue;
        struct otlp_figure *f = vec_push(w->mem, &w->events);
        if (!f) return error_memory(err);
        *f = (struct otlp_figure){ stream, is_rest ? 0 : k, t->node[i].v, ID(t->set, i), value, t->time[i] };
    }
    return 0;
}

static int add_events(struct otlp_writer *w, assay_error *err)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    size_t width = w->located.metrics.len;
    SCRATCH(uint32_t, weight_of, w->mem, width + 1);
    if (!weight_of) return error_memory(err);
    for (uint32_t k = 0; k < width; k++) {
        const struct located_metric *m = &w->located.metrics.at[w->order.at[k]];
        for (uint32_t i = 0; m->type != ASSAY_F64 && i < t->block.metric_count; i++)
            if (t->block.metrics[i].v == m->id.v) weight_of[k] = i + 1;
    }
    for (uint32_t s = 0; t->count && s <= t->stream_count; s++) {
        bool is_time = !AT(t->is_spans, s) && slice_is(assay_profile_string(w->p, (assay_str_id){ ID(t->unit, s) }), "ns");
        if (!is_time) w->times_lost += t->begin[s + 1] - t->begin[s];
        for (uint64_t i = t->begin[s]; is_time && i < t->begin[s + 1]; i++) {
            TRY(cancel_step(i, err));
            TRY(add_event(w, s, i, weight_of, err));
        }
    }
    return 0;
}

/* Rows of one stream and metric. */
struct group {
    const struct otlp_figure *at;
    size_t count;
};

static struct group next_group(const struct otlp_figure *at, size_t left, uint32_t stream, uint32_t metric)
{
    size_t n = 0;
    while (n < left && at[n].stream == stream && at[n].metric == metric) n++;
    return (struct group){ at, n };
}

/* How many of these belong to the same sample, and what they add up to. */
static size_t same_sample(const struct otlp_figure *at, size_t left, assay_wide *sum)
{
    size_t n = 0;
    for (*sum = (assay_wide){ 0 }; n < left && at[n].node == at->node && at[n].set == at->set; n++) *sum = wide_add_i64(*sum, at[n].value);
    return n;
}

/* Times are written only where they say the same as the sums. */
static bool times_agree(struct group sums, struct group events)
{
    size_t i = 0, k = 0;
    while (k < events.count) {
        assay_wide sum, own = { 0 };
        size_t n = same_sample(events.at + k, events.count - k, &sum);
        bool is_same = i < sums.count && sums.at[i].node == events.at[k].node && sums.at[i].set == events.at[k].set;
        if (events.at[k].time < 0) return false;
        if (is_same) i += same_sample(sums.at + i, sums.count - i, &own);
        if (wide_compare(own, sum) != 0) return false;
        k += n;
    }
    return i == sums.count && events.count;
}

/* ---- samples and profiles ---- */

static void put_sample(struct otlp_writer *w, const struct otlp_figure *at, size_t count, bool has_times, bool has_values)
{
    uint64_t stack = otlp_put_stack(w, at->node), link = otlp_put_set(w, at->stream, at->set);
    size_t begin = proto_put_begin(&w->out, 2);
    proto_put_number(&w->out, 1, stack);
    proto_put_packed(&w->out, 2, w->numbers.at, w->numbers.len, &w->scratch);
    proto_put_number(&w->out, 3, link);
    w->scratch.bytes.len = 0;
    for (size_t i = 0; i < count && has_values; i++) proto_put_element(&w->scratch, (uint64_t)at[i].value);
    if (has_values) proto_put_message(&w->out, 4, &w->scratch);
    for (size_t i = 0; i < count && has_times; i++) proto_put_element64(&w->scratch, (uint64_t)at[i].time);
    if (has_times) proto_put_message(&w->out, 5, &w->scratch);
    proto_put_end(&w->out, begin);
}

static void put_type(struct otlp_writer *w, uint32_t field, assay_slice type, assay_slice unit)
{
    proto_put_number(&w->message, 1, otlp_put_string(w, type));
    proto_put_number(&w->message, 2, otlp_put_string(w, unit));
    proto_put_message(&w->out, field, &w->message);
}

/* Attributes of the whole: times have a place of their own, pprof's have names of their own. */
static void put_attributes(struct otlp_writer *w)
{
    static const char *const pprof[][2] = { { "drop_frames", "pprof.profile.drop_frames" },
                                            { "keep_frames", "pprof.profile.keep_frames" },
                                            { "doc_url", "pprof.profile.doc_url" } };
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    unsigned comments = 0;
    char name[48];
    w->numbers.len = 0;
    for (uint32_t n = 0; n < w->attribute_begin.at[1]; n++) {
        uint32_t i = w->attributes_of.at[n];
        assay_slice key = assay_profile_string(w->p, a->key[i]), value = assay_profile_string(w->p, a->value[i]);
        const char *as = NULL;
        for (size_t k = 0; k < sizeof pprof / sizeof *pprof; k++)
            if (slice_is(key, pprof[k][0])) as = pprof[k][1];
        if (slice_is(key, "comment")) {
            memcpy(name, "pprof.profile.comment.", 22);
            number_put_u64(name + 22, comments++);
            as = name;
        }
        uint64_t *slot = as ? vec_push(w->mem, &w->numbers) : NULL;
        if (as && !slot) w->failed = true;
        if (slot) *slot = otlp_put_text_attribute(w, as, value);
    }
    proto_put_packed(&w->out, 11, w->numbers.at, w->numbers.len, &w->scratch);
}

static uint64_t stated(const struct otlp_writer *w, const char *key)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    uint64_t v = 0;
    for (uint32_t n = 0; n < w->attribute_begin.at[1]; n++) {
        uint32_t i = w->attributes_of.at[n];
        if (slice_is(assay_profile_string(w->p, a->key[i]), key) && number_u64(assay_profile_string(w->p, a->value[i]), &v) != NUMBER_OK) v = 0;
    }
    return v;
}

/* When it began, and for how long: as stated, or from the times. */
static void put_times(struct otlp_writer *w, struct group events)
{
    uint64_t start = stated(w, "time_nanos"), duration = stated(w, "duration_nanos");
    int64_t first = INT64_MAX, last = 0;
    for (size_t i = 0; i < events.count; i++) {
        if (events.at[i].time < first) first = events.at[i].time;
        if (events.at[i].time > last) last = events.at[i].time;
    }
    if (!start && events.count) {
        start = (uint64_t)first;
        duration = (uint64_t)(last - first) + 1;
    }
    if (start) proto_put_fixed64(&w->out, 3, start);
    proto_put_number(&w->out, 4, duration);
}

static int put_profile(struct otlp_writer *w, uint32_t k, struct group sums, struct group events, assay_error *err)
{
    const struct located_metric *m = &w->located.metrics.at[w->order.at[k]];
    const struct assay_metrics *t = assay_profile_metrics(w->p);
    bool has_times = times_agree(sums, events), has_values = !has_times;
    struct group rows = has_times ? events : sums;
    size_t begin = proto_put_begin(&w->out, 2);
    put_type(w, 1, assay_profile_string(w->p, t->name[m->id.v]), slice_of(m->unit));
    for (size_t i = 0; i < rows.count && !has_values; i++) has_values = rows.at[i].value != 1;
    w->times_lost += has_times ? 0 : events.count;
    w->has_times |= has_times;
    for (size_t i = 0, n; i < rows.count; i += n) {
        assay_wide sum;
        TRY(cancel_step(i, err));
        n = same_sample(rows.at + i, rows.count - i, &sum);
        put_sample(w, rows.at + i, n, has_times, has_values);
        if (w->failed || w->out.failed) return error_memory(err);
    }
    put_times(w, has_times ? events : (struct group){ NULL, 0 });
    assay_slice type = assay_profile_string(w->p, (assay_str_id){ ID(t->period_type, m->id.v) });
    assay_slice unit = assay_profile_string(w->p, (assay_str_id){ ID(t->period_unit, m->id.v) });
    if (type.len || unit.len) put_type(w, 5, type, unit);
    proto_put_number(&w->out, 6, (uint64_t)AT(t->period, m->id.v));
    put_attributes(w);
    proto_put_end(&w->out, begin);
    return w->failed || w->out.failed ? error_memory(err) : 0;
}

/* ---- streams ---- */

static bool scope_key(assay_slice key, assay_slice *rest)
{
    bool is_scope = slice_starts(key, "otel.scope.");
    *rest = is_scope ? (assay_slice){ key.data + 11, key.len - 11 } : key;
    return is_scope;
}

/* Ranks, nodes and the like, which OpenTelemetry has no names for, under those of HPCToolkit in lower case: threads of two ranks stay two streams. */
static void put_tuple(struct otlp_writer *w, uint32_t stream)
{
    const struct assay_streams *s = assay_profile_streams(w->p);
    char key[40] = "hpctoolkit.";
    bool has_some = false;
    for (uint32_t i = s->tuple_count ? s->tuple_begin[stream] : 0; s->tuple_count && i < s->tuple_begin[stream + 1]; i++) {
        assay_slice kind = assay_profile_string(w->p, s->tuple_kind[i]);
        size_t len = 11;
        if (slice_is(kind, "THREAD") || slice_is(kind, "PROCESS")) continue;
        for (size_t c = 0; c < kind.len && len < sizeof key; c++)
            key[len++] = (char)(kind.data[c] >= 'A' && kind.data[c] <= 'Z' ? kind.data[c] + 32 : kind.data[c]);
        otlp_put_key_value(w, &w->out, 1, (assay_slice){ key, len }, (assay_slice){ NULL, 0 }, AT(s->tuple_logical, i));
        has_some = true;
    }
    /* two processes of one rank, after a fork */
    if (has_some) otlp_put_key_value(w, &w->out, 1, SLICE("hpctoolkit.stream"), (assay_slice){ NULL, 0 }, stream);
}

/* What a stream is: attributes of a resource, or of the profiler. */
static void put_stream(struct otlp_writer *w, uint32_t stream, bool is_scope)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    const struct assay_streams *s = assay_profile_streams(w->p);
    uint64_t pid, tid;
    if (!stream) return;
    size_t begin = proto_put_begin(&w->out, 1), empty = w->out.bytes.len;
    assay_slice label = assay_profile_string(w->p, s->label[stream]), rest;
    if (!is_scope && label.len && !otlp_stream_id(w, stream, "THREAD", &tid)) otlp_put_key_value(w, &w->out, 1, SLICE("service.name"), label, 0);
    if (!is_scope && otlp_stream_id(w, stream, "PROCESS", &pid)) otlp_put_key_value(w, &w->out, 1, SLICE("process.pid"), (assay_slice){ NULL, 0 }, pid);
    if (!is_scope) put_tuple(w, stream);
    for (uint32_t n = w->attribute_begin.at[stream]; n < w->attribute_begin.at[stream + 1]; n++) {
        uint32_t i = w->attributes_of.at[n];
        assay_slice key = assay_profile_string(w->p, a->key[i]), value = assay_profile_string(w->p, a->value[i]);
        if (scope_key(key, &rest) != is_scope) continue;
        if (!value.data) value = SLICE("");
        if (!is_scope)
            otlp_put_key_value(w, &w->out, 1, key, value, 0);
        else if (slice_is(rest, "name") || slice_is(rest, "version"))
            proto_put_bytes(&w->out, slice_is(rest, "name") ? 1 : 2, value.data, value.len);
        else
            otlp_put_key_value(w, &w->out, 3, rest, value, 0);
    }
    bool is_empty = w->out.bytes.len == empty;
    proto_put_end(&w->out, begin);
    if (is_empty && !w->out.failed) w->out.bytes.len = begin - 6; /* neither key nor length */
}

static int put_streams(struct otlp_writer *w, assay_error *err)
{
    uint32_t streams = assay_profile_streams(w->p)->count;
    size_t i = 0, k = 0, width = w->located.metrics.len;
    bool is_first = true;
    for (uint32_t s = 0; s <= streams; s++) {
        bool has_some = (i < w->sums.len && w->sums.at[i].stream == s) || (k < w->events.len && w->events.at[k].stream == s);
        bool is_last = s == streams && is_first;
        w->streams_lost += s && !has_some;
        if (!has_some && !is_last) continue;
        size_t resource = proto_put_begin(&w->out, 1);
        put_stream(w, is_last && !has_some ? 0 : s, false);
        size_t scope = proto_put_begin(&w->out, 2);
        put_stream(w, is_last && !has_some ? 0 : s, true);
        for (uint32_t m = 0; m < width; m++) {
            struct group sums = next_group(vec_from(&w->sums, i), w->sums.len - i, s, m);
            struct group events = next_group(vec_from(&w->events, k), w->events.len - k, s, m);
            if (is_first || sums.count || events.count) TRY(put_profile(w, m, sums, events, err)); /* the first says all there are, in order */
            i += sums.count;
            k += events.count;
        }
        proto_put_end(&w->out, scope);
        proto_put_end(&w->out, resource);
        is_first = false;
    }
    return w->out.failed ? error_memory(err) : 0;
}

/* ---- all of it ---- */

/* Rows of attributes by stream. */
static bool order_attributes(struct otlp_writer *w)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    size_t streams = (size_t)assay_profile_streams(w->p)->count + 1;
    if (!vec_reserve(w->mem, &w->attribute_begin, streams + 2) || !vec_reserve(w->mem, &w->attributes_of, (size_t)a->count + 1)) return false;
    uint32_t *begin = w->attribute_begin.at; /* one ahead until the rows stand in their places */
    memset(begin, 0, (streams + 2) * sizeof *begin);
    for (uint32_t i = 0; i < a->count; i++) begin[ID(a->stream, i) + 2]++;
    for (size_t s = 2; s < streams + 2; s++) begin[s] += begin[s - 1];
    for (uint32_t i = 0; i < a->count; i++) w->attributes_of.at[begin[ID(a->stream, i) + 1]++] = i;
    return true;
}

static int plan(struct otlp_writer *w, assay_error *err)
{
    if (!order_attributes(w)) return error_memory(err);
    TRY(located_init(&w->located, w->p, w->mem, err));
    size_t width = w->located.metrics.len;
    assay_metric_id best = metric_default(&(struct metric_set){ .profile = w->p, .shapes = ASSAY_SHAPE_TREE });
    if (!vec_reserve(w->mem, &w->order, width + 1) || !vec_reserve(w->mem, &w->stack_of, w->located.frames.len + 1)) return error_memory(err);
    memset(w->stack_of.at, 0, (w->located.frames.len + 1) * sizeof *w->stack_of.at);
    for (int is_other = 0; is_other < 2; is_other++)
        for (uint32_t k = 0; k < width; k++)
            if ((w->located.metrics.at[k].id.v != best.v) == is_other) w->order.at[w->order.len++] = k;
    if (assay_profile_labels(w->p)->sample_count) TRY(add_labelled(w, err));
    for (uint32_t k = 0; !assay_profile_labels(w->p)->sample_count && k < width; k++) TRY(add_metric(w, k, err));
    TRY(add_events(w, err));
    bool done =
        sort_with(w->sums.at, w->sums.len, sizeof *w->sums.at, by_place, NULL) && sort_with(w->events.at, w->events.len, sizeof *w->events.at, by_place, NULL);
    return done ? 0 : error_memory(err);
}

/* Entry 0 of each table stands for none. */
static int open_tables(struct otlp_writer *w, assay_error *err)
{
    static const unsigned char no_link[] = { 0x0a, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x12, 8, 0, 0, 0, 0, 0, 0, 0, 0 };
    bool done = intern_put(&w->strings, SLICE("")) && intern_put(&w->attributes, SLICE("")) && intern_put(&w->stacks, SLICE("")) &&
                intern_put(&w->links, (assay_slice){ (const char *)no_link, sizeof no_link });
    return done ? 0 : error_memory(err);
}

/* Lines of metrics that are taken as what functions cost as a whole (add_metric). */
static uint64_t lines_of_functions(const struct otlp_writer *w)
{
    const struct assay_tree *t = assay_profile_tree(w->p);
    uint64_t count = 0;
    bool has_functions = false;
    for (size_t k = 0; k < w->located.metrics.len; k++) has_functions |= columns_of(w->p, w->located.metrics.at[k].id).function.v != 0;
    for (uint32_t node = 1; has_functions && t->line && node <= t->count; node++) count += t->line[node] && w->located.frames.owner[node] != node;
    return count;
}

static void note_losses(const struct otlp_writer *w, struct losses *l)
{
    uint64_t lines = lines_of_functions(w);
    if (lines) losses_add(l, "lines", lines, "%llu lines are not written: their functions have the cost", (unsigned long long)lines);
    located_note_losses(&w->located, l);
    if (w->times_lost) losses_add(l, "times", w->times_lost, "%llu times are not written", (unsigned long long)w->times_lost);
    if (w->streams_lost) losses_add(l, "streams", w->streams_lost, "%llu streams without samples are not written", (unsigned long long)w->streams_lost);
    if (w->lists) losses_add(l, "labels", w->lists, "%llu sets have several labels of one key: these are written as one list", (unsigned long long)w->lists);
    if (w->odd) losses_add(l, "bytes", w->odd, "%llu texts are not UTF-8: other bytes are replaced", (unsigned long long)w->odd);
}

static int fill(struct otlp_writer *w, const struct write_job *job, struct output *out, assay_error *err)
{
    TRY(open_tables(w, err));
    TRY(plan(w, err));
    TRY(put_streams(w, err));
    TRY(otlp_put_dictionary(w, err));
    note_losses(w, job->losses);
    TRY(losses_settle(job, err));
    assay_slice all = { (const char *)w->out.bytes.at, w->out.bytes.len };
    if (strcmp(job->version, "1.10-json") == 0) return otlp_print_json(all, w->mem, out, err);
    output_slice(out, all);
    return 0;
}

static int write_tree(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct otlp_writer w;
    otlp_writer_init(&w, p, job->mem);
    int rc = fill(&w, job, out, err);
    otlp_writer_done(&w);
    return rc;
}

int otlp_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return located_write(p, job, out, "otlp-profiles", write_tree, err);
}
