/* A tree -> speedscope: one profile for each stream and metric. Samples with times stay in their order, spans become events; without times there is one
 * sample for each distinct stack. Counts are never expanded into repeated samples. */
#include <stdio.h>

#include "analysis/core/units.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/speedscope/speedscope.h"
#include "formats/stacks/stacks.h"

struct span {
    int64_t begin, end;
    uint32_t node, depth;
};

struct writer {
    const struct stacks *s;
    const assay_profile *p;
    struct mem *mem;
    struct json j;
    struct output *out; /* NULL = only losses are looked for */
    assay_error *err;
    size_t nodes;       /* of the tree, and one */
    uint32_t *frame_of; /* by function: its number + 1 */
    uint32_t *depth;    /* by node */
    bool names_metric;
    VEC(struct span) spans;
    VEC(struct span) open;
    VEC(uint32_t) stack;
    uint64_t clipped, misplaced, aggregated, apart;
};

/* ---- names ---- */

static void put_frame(struct writer *w, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    assay_slice file = stacks_file(w->s, func);
    json_object(&w->j);
    json_key(&w->j, "name");
    json_string(&w->j, stacks_name(w->s, func));
    if (file.data) {
        json_key(&w->j, "file");
        json_string(&w->j, file);
    }
    if (func && f->first_line && f->first_line[func]) {
        json_key(&w->j, "line");
        json_u64(&w->j, f->first_line[func]);
    }
    if (func && f->first_column && f->first_column[func]) {
        json_key(&w->j, "col");
        json_u64(&w->j, f->first_column[func]);
    }
    json_end(&w->j);
}

/* Functions in the order in which contexts first have them. */
static void put_frames(struct writer *w)
{
    uint32_t next = 0;
    json_key(&w->j, "shared");
    json_object(&w->j);
    json_key(&w->j, "frames");
    json_array(&w->j);
    for (uint32_t node = 1; node < w->nodes && !cancel_at(node); node++) {
        uint32_t func = stacks_func(w->s, node);
        if (w->s->frames.owner[node] != node || w->frame_of[func]) continue;
        w->frame_of[func] = ++next;
        put_frame(w, func);
    }
    json_end(&w->j);
    json_end(&w->j);
}

/* ---- figures ---- */

/* The unit that is written for a metric, and what its values are to be multiplied by. */
static enum speedscope_unit unit_of(const struct writer *w, assay_metric_id m, double *factor)
{
    double ns = units_ns(w->p, m);
    *factor = 1;
    for (unsigned u = SPEEDSCOPE_NS; u <= SPEEDSCOPE_S; u++)
        if (ns >= speedscope_unit_ns((enum speedscope_unit)u) && ns <= speedscope_unit_ns((enum speedscope_unit)u)) return (enum speedscope_unit)u;
    if (ns > 0) {
        *factor = ns;
        return SPEEDSCOPE_NS;
    }
    const char *name = units_name(w->p, m);
    return strcmp(name, "bytes") == 0 || strcmp(name, "B") == 0 ? SPEEDSCOPE_BYTES : SPEEDSCOPE_NONE;
}

static void put_head(struct writer *w, assay_stream_id s, assay_metric_id m, enum speedscope_unit unit, bool is_evented)
{
    const struct assay_streams *streams = assay_profile_streams(w->p);
    assay_slice label = s.v && streams->label ? assay_profile_string(w->p, streams->label[s.v]) : SLICE("all");
    assay_slice metric = assay_profile_string(w->p, assay_profile_metrics(w->p)->name[m.v]);
    char name[400];
    if (w->names_metric)
        snprintf(name, sizeof name, "%.*s (%.*s)%s", (int)(label.len < 200 ? label.len : 200), label.data ? label.data : "",
                 (int)(metric.len < 100 ? metric.len : 100), metric.data, w->s->is_estimated ? " (estimated)" : "");
    else
        snprintf(name, sizeof name, "%.*s%s", (int)(label.len < 300 ? label.len : 300), label.data ? label.data : "", w->s->is_estimated ? " (estimated)" : "");
    json_object(&w->j);
    json_key(&w->j, "type");
    json_text(&w->j, is_evented ? "evented" : "sampled");
    json_key(&w->j, "name");
    json_text(&w->j, name);
    json_key(&w->j, "unit");
    json_text(&w->j, speedscope_unit_names[unit]);
}

static void put_limits(struct writer *w, double start, double stop)
{
    json_key(&w->j, "startValue");
    stacks_put_number(&w->j, start);
    json_key(&w->j, "endValue");
    stacks_put_number(&w->j, stop);
}

/* The stack that ends in a function node, root first; node 0 is the empty one. */
static int put_stack(struct writer *w, uint32_t node)
{
    w->stack.len = 0;
    for (uint32_t n = node ? w->s->frames.owner[node] : 0; n; n = stacks_above(w->s, n)) {
        uint32_t *slot = vec_push(w->mem, &w->stack);
        if (!slot) return error_memory(w->err);
        *slot = w->frame_of[stacks_func(w->s, n)] - 1;
    }
    json_array(&w->j);
    for (size_t i = w->stack.len; i-- > 0;) json_u64(&w->j, w->stack.at[i]);
    json_end(&w->j);
    return 0;
}

/* ---- one sample for each stack ---- */

static double value_at(const struct sums *s, size_t i) { return value_double(s->type, sums_value(s, i)); }

static int put_sums(struct writer *w, assay_stream_id s, assay_metric_id m, const struct sums *self)
{
    double factor, stop = 0;
    enum speedscope_unit unit = unit_of(w, m, &factor);
    put_head(w, s, m, unit, false);
    for (size_t node = 1; node < w->nodes; node++) stop += value_at(self, node) * factor;
    put_limits(w, 0, stop);
    for (int weights = 0; weights < 2; weights++) {
        json_key(&w->j, weights ? "weights" : "samples");
        json_array(&w->j);
        for (size_t node = 1; node < w->nodes; node++) {
            double v = value_at(self, node) * factor;
            TRY(cancel_step(node, w->err));
            if (!(v < 0 || v > 0)) continue;
            if (!weights)
                TRY(put_stack(w, (uint32_t)node));
            else if (self->type == ASSAY_F64 || factor > 1)
                stacks_put_number(&w->j, v);
            else
                json_value(&w->j, self->type, sums_value(self, node));
        }
        json_end(&w->j);
    }
    json_end(&w->j);
    return output_failed(w->out);
}

static int write_sums(struct writer *w, assay_stream_id s, assay_metric_id m)
{
    SCOPED(sums_done) struct sums self = { 0 };
    bool any;
    enum assay_type type = (enum assay_type)assay_profile_metrics(w->p)->type[m.v];
    if (!sums_init(&self, w->mem, type, w->nodes)) return error_memory(w->err);
    TRY(stacks_self(w->s, s, m, &self, &any));
    return any ? put_sums(w, s, m, &self) : 0;
}

/* ---- samples with times ---- */

static int write_samples(struct writer *w, assay_stream_id s, assay_metric_id m, uint32_t k)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    enum assay_type type = (enum assay_type)assay_profile_metrics(w->p)->type[m.v];
    uint64_t from = t->begin[s.v], to = t->begin[s.v + 1];
    uint32_t columns = t->block.metric_count;
    double factor, start = 0, stop, ns;
    enum speedscope_unit unit = unit_of(w, m, &factor);
    bool any = false;
    for (uint64_t i = from; i < to && !any; i++) any = value_double(type, t->weight[i * columns + k]) != 0;
    if (!any) return 0;
    ns = speedscope_unit_ns(unit);
    put_head(w, s, m, unit, false);
    if (ns > 0 && slice_is(assay_profile_string(w->p, t->unit[s.v]), "ns")) start = (double)t->time[from] / ns;
    stop = start;
    for (uint64_t i = from; i < to; i++) stop += value_double(type, t->weight[i * columns + k]) * factor;
    put_limits(w, start, stop);
    for (int weights = 0; weights < 2; weights++) {
        json_key(&w->j, weights ? "weights" : "samples");
        json_array(&w->j);
        for (uint64_t i = from; i < to; i++) {
            TRY(cancel_step(i, w->err));
            if (weights)
                stacks_put_number(&w->j, value_double(type, t->weight[i * columns + k]) * factor);
            else
                TRY(put_stack(w, t->node ? t->node[i].v : 0));
        }
        json_end(&w->j);
    }
    json_end(&w->j);
    return output_failed(w->out);
}

/* ---- spans ---- */

/* A caller before what it calls, and what takes no time before what follows it at the same moment. */
static int by_begin(const void *x, const void *y)
{
    const struct span *a = x, *b = y;
    if (a->begin != b->begin) return ORDER(a->begin, b->begin);
    return a->depth != b->depth ? ORDER(a->depth, b->depth) : ORDER(a->end, b->end);
}

static void put_event(struct writer *w, char type, uint32_t node, int64_t at, double ns)
{
    if (!w->out) return;
    json_object(&w->j);
    json_key(&w->j, "type");
    json_string(&w->j, (assay_slice){ &type, 1 });
    json_key(&w->j, "frame");
    json_u64(&w->j, w->frame_of[stacks_func(w->s, node)] - 1);
    json_key(&w->j, "at");
    stacks_put_number(&w->j, (double)at / ns);
    json_end(&w->j);
}

static void close_last(struct writer *w, double ns)
{
    struct span last = w->open.at[--w->open.len];
    put_event(w, 'C', last.node, last.end, ns);
}

/* Closes what is over. What ends in the moment in which a callee of it begins and ends is not over yet. */
static int put_span(struct writer *w, struct span s, double ns)
{
    uint32_t parent = stacks_above(w->s, s.node);
    while (w->open.len) {
        const struct span *top = &w->open.at[w->open.len - 1];
        if (top->end > s.begin || (top->end == s.begin && s.end == s.begin && top->node == parent)) break;
        close_last(w, ns);
    }
    const struct span *top = w->open.len ? &w->open.at[w->open.len - 1] : NULL;
    if ((top ? top->node : 0) != parent) {
        w->misplaced += w->out == NULL;
        return 0;
    }
    if (top && s.end > top->end) {
        w->clipped += w->out == NULL;
        s.end = top->end;
    }
    struct span *slot = vec_push(w->mem, &w->open);
    if (!slot) return error_memory(w->err);
    *slot = s;
    put_event(w, 'O', s.node, s.begin, ns);
    return 0;
}

static int take_spans(struct writer *w, assay_stream_id s)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    w->spans.len = w->open.len = 0;
    for (uint64_t i = t->begin[s.v]; i < t->begin[s.v + 1]; i++) {
        uint32_t node = t->node && t->node[i].v ? w->s->frames.owner[t->node[i].v] : 0;
        TRY(cancel_step(i, w->err));
        if (!node) continue;
        if (frames_kind(&w->s->frames, node) == ASSAY_NODE_OTHER) { /* no calls: they would count as time */
            w->apart += w->out == NULL;
            continue;
        }
        struct span *slot = vec_push(w->mem, &w->spans);
        if (!slot) return error_memory(w->err);
        *slot = (struct span){ t->time[i], t->time[i] + t->duration[i], node, w->depth[node] };
    }
    return !w->spans.len || sort_by(w->spans.at, w->spans.len, sizeof *w->spans.at, by_begin) ? 0 : error_cancelled(w->err);
}

static int write_spans(struct writer *w, assay_stream_id s, assay_metric_id m)
{
    double factor, ns = 1;
    enum speedscope_unit unit = unit_of(w, m, &factor);
    bool is_time = slice_is(assay_profile_string(w->p, assay_profile_timeline(w->p)->unit[s.v]), "ns");
    if (is_time && speedscope_unit_ns(unit) > 0) ns = speedscope_unit_ns(unit);
    if (is_time && !(speedscope_unit_ns(unit) > 0)) unit = SPEEDSCOPE_NS;
    TRY(take_spans(w, s));
    if (!w->spans.len) return 0;
    if (w->out) {
        int64_t stop = w->spans.at[0].end;
        for (size_t i = 0; i < w->spans.len; i++) stop = w->spans.at[i].end > stop ? w->spans.at[i].end : stop;
        put_head(w, s, m, unit, true);
        put_limits(w, (double)w->spans.at[0].begin / ns, (double)stop / ns);
        json_key(&w->j, "events");
        json_array(&w->j);
    }
    for (size_t i = 0; i < w->spans.len; i++) {
        TRY(cancel_step(i, w->err));
        TRY(put_span(w, w->spans.at[i], ns));
    }
    while (w->open.len) close_last(w, ns);
    if (!w->out) return 0;
    json_end(&w->j);
    json_end(&w->j);
    return output_failed(w->out);
}

/* ---- profiles ---- */

/* The metric that the spans of a stream measure, by its place: the first of time, else the first. */
static uint32_t metric_of_spans(const struct writer *w, assay_stream_id s)
{
    uint32_t first = w->s->metric_count;
    for (uint32_t i = 0; i < w->s->metric_count; i++) {
        if (!stacks_has_values(w->s, s, w->s->metrics[i])) continue;
        if (units_ns(w->p, w->s->metrics[i]) > 0) return i;
        if (first == w->s->metric_count) first = i;
    }
    return first < w->s->metric_count ? first : 0;
}

/* The place of a metric among the weights of events, or -1. */
static int weight_of(const struct assay_timeline *t, assay_metric_id m)
{
    for (uint32_t k = 0; t->weight && k < t->block.metric_count; k++)
        if (t->block.metrics[k].v == m.v) return (int)k;
    return -1;
}

static int write_stream(struct writer *w, assay_stream_id s)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    bool has_events = t->count && s.v <= t->stream_count && t->begin[s.v] < t->begin[s.v + 1];
    bool has_spans = has_events && t->is_spans && t->is_spans[s.v];
    uint32_t of_spans = has_spans ? metric_of_spans(w, s) : w->s->metric_count, with_values = 0;
    for (uint32_t i = 0; i < w->s->metric_count; i++) with_values += stacks_has_values(w->s, s, w->s->metrics[i]);
    w->names_metric = with_values > 1;
    for (uint32_t i = 0; i < w->s->metric_count; i++) {
        assay_metric_id m = w->s->metrics[i];
        int k = has_events && !has_spans ? weight_of(t, m) : -1;
        if (i == of_spans)
            TRY(write_spans(w, s, m));
        else if (!w->out)
            w->aggregated += has_events && k < 0 && stacks_has_values(w->s, s, m);
        else
            TRY(k >= 0 ? write_samples(w, s, m, (uint32_t)k) : write_sums(w, s, m));
    }
    return 0;
}

static int write_streams(struct writer *w)
{
    for (uint32_t s = 0; s <= assay_profile_streams(w->p)->count; s++) TRY(write_stream(w, (assay_stream_id){ s }));
    return 0;
}

static void note_losses(struct writer *w)
{
    struct losses *l = w->s->job->losses;
    stacks_note_losses(w->s);
    uint32_t alike = stacks_metrics_alike(w->s, false);
    if (alike) losses_add(l, "metrics", alike, "%u metrics of one unit are told apart by the names of profiles alone", alike);
    if (w->aggregated) losses_add(l, "times", w->aggregated, "times of samples that have no weight are not written");
    if (w->clipped) losses_add(l, "clipped", w->clipped, "%llu spans that outlive their callers end with them", (unsigned long long)w->clipped);
    if (w->apart) losses_add(l, "spans", w->apart, "%llu async spans are not written", (unsigned long long)w->apart);
    if (w->misplaced) losses_add(l, "spans", w->misplaced, "%llu spans outside their callers are not written", (unsigned long long)w->misplaced);
}

static int write_document(struct writer *w, struct output *out)
{
    assay_slice title = { NULL, 0 };
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    for (uint32_t i = 0; i < a->count && !title.data; i++)
        if (slice_is(assay_profile_string(w->p, a->key[i]), "name") && (!a->stream || !a->stream[i].v)) title = assay_profile_string(w->p, a->value[i]);
    w->out = out;
    json_init(&w->j, out);
    json_object(&w->j);
    json_key(&w->j, "$schema");
    json_text(&w->j, "https://www.speedscope.app/file-format-schema.json");
    json_key(&w->j, "exporter");
    json_text(&w->j, "assay@" ASSAY_VERSION);
    if (title.len) {
        json_key(&w->j, "name");
        json_string(&w->j, title);
    }
    json_key(&w->j, "activeProfileIndex");
    json_u64(&w->j, 0);
    put_frames(w);
    json_key(&w->j, "profiles");
    json_array(&w->j);
    TRY(write_streams(w));
    json_end(&w->j);
    json_end(&w->j);
    return output_failed(out);
}

static int write_all(struct stacks *s)
{
    const struct assay_tree *tree = s->frames.tree;
    struct writer w = { .s = s, .p = s->p, .mem = s->job->mem, .err = s->err, .nodes = s->frames.len };
    SCRATCH(uint32_t, frame_of, w.mem, (size_t)assay_profile_funcs(s->p)->count + 1);
    SCRATCH(uint32_t, depth, w.mem, w.nodes);
    vec_scoped(w.mem, &w.spans);
    vec_scoped(w.mem, &w.open);
    vec_scoped(w.mem, &w.stack);
    if (!frame_of || !depth) return error_memory(s->err);
    w.frame_of = frame_of;
    w.depth = depth;
    for (size_t node = 1; node < w.nodes; node++) depth[node] = depth[tree->parent[node].v] + 1;
    TRY(write_streams(&w));
    note_losses(&w);
    TRY(losses_settle(s->job, s->err));
    return write_document(&w, s->out);
}

int speedscope_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return stacks_write(p, job, out, "speedscope", write_all, err);
}
