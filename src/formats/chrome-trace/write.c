/* A tree -> a trace: what of it is written and how, what is lost, and samples with their stack frames. Spans stay spans; a sample lasts until the next one, so the
 * times of samples are what their figures add up to. Counts are never expanded into repeated samples. */
#include "formats/chrome-trace/write.h"

#include <math.h>
#include <stdio.h>

#include "analysis/core/metric_columns.h"
#include "analysis/core/units.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "model/entry.h"

/* ---- what every event and sample has ---- */

void write_time(struct writer *w, const char *key, int64_t ns)
{
    char text[40];
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    int len = snprintf(text, sizeof text, "%s%llu.%03u", ns < 0 ? "-" : "", (unsigned long long)(v / 1000), (unsigned)(v % 1000));
    while (text[len - 1] == '0') len--;
    if (text[len - 1] == '.') len--;
    json_key(&w->j, key);
    json_number(&w->j, (assay_slice){ text, (size_t)len });
}

static bool tuple_of(const struct writer *w, uint32_t stream, const char *kind, uint64_t *out)
{
    const struct assay_streams *s = assay_profile_streams(w->p);
    for (uint32_t i = s->tuple_begin ? s->tuple_begin[stream] : 0; s->tuple_begin && i < s->tuple_begin[stream + 1]; i++) {
        if (!slice_is(assay_profile_string(w->p, s->tuple_kind[i]), kind)) continue;
        *out = s->tuple_physical ? s->tuple_physical[i] : s->tuple_logical[i];
        return true;
    }
    return false;
}

static int by_place(const void *x, const void *y, void *arg)
{
    const struct write_place *places = arg;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    if (places[a].pid != places[b].pid) return ORDER(places[a].pid, places[b].pid);
    return places[a].tid != places[b].tid ? ORDER(places[a].tid, places[b].tid) : ORDER(a, b);
}

/* Threads are told apart by these alone, so a stream whose ids another has gets a thread of its own. */
static int plan_places(struct writer *w)
{
    uint32_t count = assay_profile_streams(w->p)->count, written = 0;
    uint64_t fresh = 0;
    SCRATCH(uint32_t, order, w->mem, (size_t)count + 1);
    SCRATCH(uint8_t, is_taken, w->mem, (size_t)count + 1);
    if (!order || !is_taken) return error_memory(w->err);
    for (uint32_t s = 0; s <= count; s++) {
        struct write_place *at = &w->places[s];
        at->tid = s;
        if (!s || (!tuple_of(w, s, "PROCESS", &at->pid) && !tuple_of(w, s, "RANK", &at->pid))) at->pid = s ? 1 : 0;
        if (s) tuple_of(w, s, "THREAD", &at->tid);
        if (at->tid >= fresh && at->tid < UINT32_MAX) fresh = at->tid + 1;
        if (s || w->how[s] != WRITE_NOTHING) order[written++] = s;
    }
    if (written && !sort_with(order, written, sizeof *order, by_place, w->places)) return error_cancelled(w->err);
    for (uint32_t i = 1; i < written; i++) {
        const struct write_place *last = &w->places[order[i - 1]], *at = &w->places[order[i]];
        is_taken[order[i]] = last->pid == at->pid && last->tid == at->tid;
    }
    for (uint32_t s = 1; s <= count; s++)
        if (is_taken[s]) w->places[s].tid = fresh++;
    return 0;
}

void write_place(struct writer *w, assay_stream_id stream, bool has_tid)
{
    json_key(&w->j, "pid");
    json_u64(&w->j, w->places[stream.v].pid);
    if (!has_tid) return;
    json_key(&w->j, "tid");
    json_u64(&w->j, w->places[stream.v].tid);
}

/* ---- samples ---- */

struct clock {
    assay_stream_id stream;
    int64_t now;
    uint32_t last; /* node */
    bool has_any;
};

static void put_sample(struct writer *w, const struct clock *c, uint32_t node, int64_t weight)
{
    if (!w->out) return;
    json_object(&w->j);
    write_place(w, c->stream, true);
    write_time(w, "ts", c->now);
    json_key(&w->j, "name");
    json_text(&w->j, "");
    if (node) {
        json_key(&w->j, "sf");
        json_u64(&w->j, node);
    }
    json_key(&w->j, "weight");
    json_i64(&w->j, weight);
    json_end(&w->j);
}

static int add_sample(struct writer *w, struct clock *c, uint32_t node, double value, int64_t weight)
{
    double length = value * w->ns;
    uint32_t owner = node ? w->s->frames.owner[node] : 0;
    if (length < 0) {
        w->negative += !w->out;
        return 0;
    }
    if (!(length < (double)(CHROME_TIME_MAX - c->now)))
        FAIL(w->err, ASSAY_ERR_UNSUPPORTED, "chrome-trace: the figures are too large for times: choose another metric");
    w->fractions += !w->out && length != floor(length);
    put_sample(w, c, owner, weight);
    for (uint32_t n = owner; n && !w->is_frame[n]; n = stacks_above(w->s, n)) w->is_frame[n] = 1;
    c->now += llround(length);
    c->last = owner;
    c->has_any = true;
    return 0;
}

/* The last sample has no length, so one that counts for nothing closes the thread. */
static void close_clock(struct writer *w, const struct clock *c)
{
    if (c->has_any) put_sample(w, c, c->last, 0);
}

static int64_t whole(double v) { return v < 9e18 && v > -9e18 ? llround(v) : v < 0 ? INT64_MIN : INT64_MAX; }

static int write_sums(struct writer *w, assay_stream_id stream)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    SCOPED(sums_done) struct sums self = { 0 };
    SCOPED(sums_done) struct sums weights = { 0 };
    struct clock c = { .stream = stream };
    bool any, weighs = false;
    if (!sums_init(&self, w->mem, (enum assay_type)m->type[w->time.v], w->nodes)) return error_memory(w->err);
    TRY(stacks_self(w->s, stream, w->time, &self, &any));
    if (w->weight.v) {
        if (!sums_init(&weights, w->mem, (enum assay_type)m->type[w->weight.v], w->nodes)) return error_memory(w->err);
        TRY(stacks_self(w->s, stream, w->weight, &weights, &weighs));
    }
    for (size_t node = 1; node < w->nodes; node++) {
        double v = value_double(self.type, sums_value(&self, node)), n = weighs ? value_double(weights.type, sums_value(&weights, node)) : w->is_time ? 1 : v;
        TRY(cancel_step(node, w->err));
        if (v < 0 || v > 0 || (weighs && (n < 0 || n > 0))) TRY(add_sample(w, &c, (uint32_t)node, v, whole(n)));
    }
    close_clock(w, &c);
    return 0;
}

/* The place of a metric among the weights of events, or -1. */
static int weight_of(const struct assay_timeline *t, assay_metric_id m)
{
    for (uint32_t k = 0; m.v && t->weight && k < t->block.metric_count; k++)
        if (t->block.metrics[k].v == m.v) return (int)k;
    return -1;
}

static int write_timed(struct writer *w, assay_stream_id stream)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    int k = weight_of(t, w->time), n = weight_of(t, w->weight);
    bool has_times = w->is_time && slice_is(assay_profile_string(w->p, t->unit[stream.v]), "ns");
    struct clock c = { .stream = stream, .now = has_times ? AT(t->time, t->begin[stream.v]) : 0 };
    for (uint64_t i = t->begin[stream.v]; i < t->begin[stream.v + 1]; i++) {
        const assay_value *row = &t->weight[i * t->block.metric_count];
        double v = value_double((enum assay_type)m->type[w->time.v], row[k]);
        double count = n >= 0 ? value_double((enum assay_type)m->type[w->weight.v], row[n]) : w->is_time ? 1 : v;
        TRY(cancel_step(i, w->err));
        w->moved += !w->out && (!has_times || AT(t->time, i) != c.now);
        TRY(add_sample(w, &c, t->node ? t->node[i].v : 0, v, whole(count)));
    }
    close_clock(w, &c);
    return 0;
}

int write_samples(struct writer *w)
{
    for (uint32_t s = 0; s <= assay_profile_streams(w->p)->count; s++) {
        if (w->how[s] == WRITE_SAMPLES) TRY(write_timed(w, (assay_stream_id){ s }));
        if (w->how[s] == WRITE_SUMS) TRY(write_sums(w, (assay_stream_id){ s }));
    }
    return w->out ? output_failed(w->out) : 0;
}

static void put_frames(struct writer *w)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    json_key(&w->j, "stackFrames");
    json_object(&w->j);
    for (uint32_t node = 1; node < w->nodes && !cancel_at(node); node++) {
        if (!w->is_frame[node]) continue;
        uint32_t func = stacks_func(w->s, node), above = stacks_above(w->s, node);
        char id[24];
        snprintf(id, sizeof id, "%u", node);
        json_key(&w->j, id);
        json_object(&w->j);
        json_key(&w->j, "name");
        json_string(&w->j, stacks_name(w->s, func));
        json_key(&w->j, "category");
        assay_slice module =
            func && f->module && f->module[func].v ? assay_profile_string(w->p, assay_profile_modules(w->p)->path[f->module[func].v]) : SLICE("");
        json_string(&w->j, module.data ? module : SLICE(""));
        if (above) {
            json_key(&w->j, "parent");
            json_u64(&w->j, above);
        }
        json_end(&w->j);
    }
    json_end(&w->j);
}

/* ---- the plan ---- */

/* Whether some stream that is not written as spans has figures of a metric. */
static bool has_values(const struct writer *w, assay_metric_id m)
{
    bool has = false;
    for (uint32_t s = 0; s <= assay_profile_streams(w->p)->count && !has; s++)
        has = w->how[s] != WRITE_SPANS && stacks_has_values(w->s, (assay_stream_id){ s }, m);
    return has;
}

static bool has_events(const struct writer *w, uint32_t s)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    return t->count && s <= t->stream_count && t->begin[s] < t->begin[s + 1];
}

static void plan_spans(struct writer *w)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    for (uint32_t s = 0; s <= assay_profile_streams(w->p)->count; s++)
        if (has_events(w, s) && t->is_spans && t->is_spans[s] && slice_is(assay_profile_string(w->p, t->unit[s]), "ns")) w->how[s] = WRITE_SPANS;
}

/* What is written as the time of samples: the metric that was asked for, else the first time, else the first metric. */
static void choose_metrics(struct writer *w)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    for (uint32_t i = 0; i < w->s->metric_count && !w->is_time; i++) {
        assay_metric_id id = w->s->metrics[i];
        if (!has_values(w, id)) continue;
        w->is_time = units_ns(w->p, id) > 0;
        if (!w->time.v || w->is_time) w->time = id;
    }
    w->ns = w->is_time ? units_ns(w->p, w->time) : 1000;
    for (uint32_t i = 0; i < w->s->metric_count && w->is_time; i++)
        if (slice_is(assay_profile_string(w->p, m->name[w->s->metrics[i].v]), "samples")) w->weight = w->s->metrics[i];
}

static void plan_samples(struct writer *w)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    for (uint32_t s = 0; s <= assay_profile_streams(w->p)->count && w->time.v; s++) {
        if (w->how[s] == WRITE_SPANS) continue;
        bool is_timed = has_events(w, s) && weight_of(t, w->time) >= 0 && !(t->is_spans && t->is_spans[s]);
        bool any = stacks_has_values(w->s, (assay_stream_id){ s }, w->time);
        w->how[s] = is_timed ? WRITE_SAMPLES : any ? WRITE_SUMS : WRITE_NOTHING;
        if (has_events(w, s) && !is_timed) w->moved += t->begin[s + 1] - t->begin[s];
    }
}

/* Metrics that have figures, but no place. */
static uint64_t metrics_left(const struct writer *w)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < w->s->metric_count; i++) {
        assay_metric_id m = w->s->metrics[i];
        left += m.v != w->time.v && m.v != w->weight.v && has_values(w, m);
    }
    return left;
}

static uint64_t calls_left(const struct writer *w)
{
    const struct assay_tree *tree = w->s->frames.tree;
    uint64_t left = 0;
    for (size_t node = 1; tree->calls && node < w->nodes && !cancel_at(node); node++) left += w->is_frame[node] && tree->calls[node];
    return left;
}

/* Labels of what is no span. */
static uint64_t labels_left(const struct writer *w)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    uint64_t left = 0;
    for (uint32_t i = 0; i < l->sample_count && !cancel_at(i); i++)
        left += l->sample_set && l->sample_set[i].v && w->how[l->sample_stream ? l->sample_stream[i].v : 0] != WRITE_SPANS;
    return left;
}

static void note_losses(struct writer *w)
{
    struct losses *l = w->s->job->losses;
    uint64_t metrics = metrics_left(w), calls = calls_left(w);
    const char *name = w->time.v ? assay_profile_string(w->p, assay_profile_metrics(w->p)->name[w->time.v]).data : "";
    if (w->s->is_estimated) losses_add(l, "estimated", 1, "stacks are estimated from a call graph: only the sums of functions are exact");
    if (metrics) losses_add(l, "metrics", metrics, "%llu other metrics are not written", (unsigned long long)metrics);
    if (!w->is_time && w->time.v) losses_add(l, "units", 1, "%s is written as microseconds, which is all that traces have", name);
    if (w->moved) losses_add(l, "times", w->moved, "times of samples are not written: they last as long as their figures say");
    if (w->fractions) losses_add(l, "fractions", w->fractions, "figures are rounded to nanoseconds");
    if (w->negative) losses_add(l, "negative", w->negative, "negative figures are not written");
    if (w->misplaced) losses_add(l, "spans", w->misplaced, "%llu spans are outside their callers, and will be below others", (unsigned long long)w->misplaced);
    if (calls) losses_add(l, "calls", calls, "calls of contexts that have no spans are not written");
    uint64_t labels = labels_left(w);
    if (labels) losses_add(l, "labels", labels, "labels of samples are not written");
}

/* ---- the document ---- */

static int write_document(struct writer *w, struct output *out)
{
    w->out = out;
    json_init(&w->j, out);
    json_object(&w->j);
    json_key(&w->j, "displayTimeUnit");
    json_text(&w->j, "ns");
    json_key(&w->j, "otherData");
    json_object(&w->j);
    json_key(&w->j, "exporter");
    json_text(&w->j, "assay@" ASSAY_VERSION);
    json_end(&w->j);
    json_key(&w->j, "traceEvents");
    json_array(&w->j);
    TRY(write_events(w));
    json_end(&w->j);
    bool has_samples = false;
    for (uint32_t s = 0; s <= assay_profile_streams(w->p)->count; s++) has_samples |= w->how[s] >= WRITE_SAMPLES;
    if (has_samples) {
        put_frames(w);
        json_key(&w->j, "samples");
        json_array(&w->j);
        TRY(write_samples(w));
        json_end(&w->j);
    }
    json_end(&w->j);
    return output_failed(out);
}

static int write_all(struct stacks *s)
{
    const struct assay_tree *tree = s->frames.tree;
    struct writer w = { .s = s, .p = s->p, .mem = s->job->mem, .err = s->err, .nodes = s->frames.len };
    SCRATCH(uint8_t, how, w.mem, (size_t)assay_profile_streams(s->p)->count + 1);
    SCRATCH(struct write_place, places, w.mem, (size_t)assay_profile_streams(s->p)->count + 1);
    SCRATCH(uint8_t, is_frame, w.mem, w.nodes);
    SCRATCH(uint32_t, depth, w.mem, w.nodes);
    vec_scoped(w.mem, &w.spans);
    vec_scoped(w.mem, &w.open);
    if (!how || !places || !is_frame || !depth) return error_memory(s->err);
    w.how = how;
    w.places = places;
    w.is_frame = is_frame;
    w.depth = depth;
    for (size_t node = 1; node < w.nodes; node++) depth[node] = depth[tree->parent[node].v] + 1;
    plan_spans(&w);
    choose_metrics(&w);
    plan_samples(&w);
    TRY(plan_places(&w));
    TRY(write_events(&w));
    TRY(write_samples(&w));
    note_losses(&w);
    TRY(losses_settle(s->job, s->err));
    return write_document(&w, s->out);
}

int chrome_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return stacks_write(p, job, out, "chrome-trace", write_all, err);
}
