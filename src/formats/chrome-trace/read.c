/* Spans, samples, markers and counters -> tree and timeline. A thread is a stream; so is an embedded profile, and each name of async events. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "formats/chrome-trace/chrome.h"

enum { WALL, SAMPLES, TIME, METRICS };

struct reader {
    assay_builder *b;
    struct chrome *c;
    assay_error *err;
    assay_metric_id metric[METRICS];
    assay_scope_id scope[METRICS];
    unsigned place[METRICS]; /* among those of samples and events */
    unsigned metrics;
    assay_stream_id *streams; /* by stream of the file */
    VEC(assay_func_id) funcs; /* by function */
    VEC(assay_node_id) nodes; /* by node */
    uint64_t with_spans, with_samples;
    struct exact time; /* of samples that have a stack */
    int64_t samples;
};

static assay_slice name(const struct reader *r, uint32_t id)
{
    assay_slice s = intern_get(&r->c->names, id);
    return s.data ? s : SLICE("");
}

static assay_str_id text(struct reader *r, uint32_t id)
{
    assay_slice s = name(r, id);
    return assay_build_string(r->b, s.data, s.len);
}

static void attribute(struct reader *r, assay_stream_id stream, const char *key, assay_slice value)
{
    assay_build_attribute(r->b, stream, key, strlen(key), value.data, value.len);
}

/* ---- metrics ---- */

static void declare(struct reader *r, unsigned which, const char *label, const char *unit, enum assay_type type)
{
    r->metric[which] = assay_build_metric(r->b, label, unit, type, ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
    r->scope[which] = assay_build_scope(r->b, r->metric[which], ASSAY_SCOPE_POINT, NULL, 0);
    r->place[which] = r->metrics++;
}

static void declare_metrics(struct reader *r)
{
    const struct chrome *c = r->c;
    bool has_spans = false, has_samples = c->sample_count != 0;
    assay_metric_id list[METRICS];
    for (size_t i = 0; i < c->streams.len; i++) has_spans |= c->streams.at[i].spans.len != 0;
    for (size_t i = 0; i < c->profiles.len; i++) has_samples |= c->profiles.at[i].samples.len != 0;
    if (has_spans || !c->sample_count) declare(r, WALL, "wall", "microseconds", ASSAY_F64);
    if (has_samples) {
        declare(r, SAMPLES, "samples", "count", ASSAY_I64);
        declare(r, TIME, "time", "microseconds", ASSAY_F64);
    }
    assay_build_metric_default(r->b, r->metric[c->sample_count ? TIME : WALL]);
    for (unsigned i = 0; i < METRICS; i++)
        if (r->metric[i].v) list[r->place[i]] = r->metric[i];
    assay_build_sample_metrics(r->b, list, r->metrics);
    if (assay_builder_want(r->b) & ASSAY_WANT_TIMELINE) assay_build_timeline(r->b, list, r->metrics);
}

/* ---- streams ---- */

static size_t put_id(const struct reader *r, struct chrome_id id, char *buf, size_t size)
{
    assay_slice s = name(r, id.text);
    if (!id.text) return number_put_i64(buf, id.number);
    return (size_t)snprintf(buf, size, "%.*s", (int)(s.len < size - 1 ? s.len : size - 1), s.data);
}

/* Ids that are no number of the model's are attributes. */
static void build_id(struct reader *r, assay_stream_id stream, const char *kind, const char *key, struct chrome_id id)
{
    if (!id.text && id.number >= 0) {
        assay_build_tuple(r->b, kind, (uint64_t)id.number, (uint64_t)id.number, 0);
        return;
    }
    char number[24];
    attribute(r, stream, key, id.text ? name(r, id.text) : (assay_slice){ number, number_put_i64(number, id.number) });
}

static assay_stream_id build_stream(struct reader *r, const char *label, struct chrome_id pid, const struct chrome_id *tid)
{
    assay_stream_id stream = assay_build_stream(r->b, label);
    const struct chrome_process *process = chrome_find_process(r->c, pid);
    build_id(r, stream, "PROCESS", "pid", pid);
    if (tid) build_id(r, stream, "THREAD", "tid", *tid);
    if (process && process->name) attribute(r, stream, "process", name(r, process->name));
    return stream;
}

/* A thread whose samples stand beside its spans has a stream for each. */
static assay_stream_id thread_stream(struct reader *r, size_t at, const char *more)
{
    const struct chrome_stream *s = &r->c->streams.at[at];
    char label[300];
    assay_slice thread = name(r, s->name);
    if (s->name)
        snprintf(label, sizeof label, "%.*s%s", (int)(thread.len < 250 ? thread.len : 250), thread.data, more);
    else {
        char id[200];
        put_id(r, s->tid, id, sizeof id);
        snprintf(label, sizeof label, "tid %s%s", id, more);
    }
    return build_stream(r, label, s->pid, &s->tid);
}

/* The stream of a thread, made where it is first needed: of many threads only the name is known. */
static assay_stream_id stream_at(struct reader *r, size_t at)
{
    if (!r->streams[at].v) r->streams[at] = thread_stream(r, at, "");
    return r->streams[at];
}

static int build_streams(struct reader *r)
{
    for (size_t i = 0; i < r->c->streams.len; i++) {
        const struct chrome_stream *s = &r->c->streams.at[i];
        TRY(cancel_step(i, r->err));
        r->with_spans += s->spans.len != 0;
        r->with_samples += s->samples.len != 0;
        if (s->spans.len || s->samples.len) stream_at(r, i);
    }
    return assay_builder_failed(r->b);
}

/* ---- contexts ---- */

static assay_func_id function_of(struct reader *r, uint32_t func)
{
    if (r->funcs.at[func].v) return r->funcs.at[func];
    const struct chrome_func *f = &r->c->funcs.at[func];
    assay_module_id module = { 0 };
    assay_file_id file = { 0 };
    if (f->cat) module = assay_build_module(r->b, text(r, f->cat), (assay_str_id){ 0 });
    if (f->file) file = assay_build_file(r->b, text(r, f->file), (assay_module_id){ 0 });
    assay_func_id id = assay_build_func(r->b, text(r, f->name), file, module, f->column, f->line);
    if (f->file) {
        assay_build_func_place(r->b, id, file, module, 0);
        assay_build_func_column(r->b, id, f->column);
        assay_build_func_kind(r->b, id, ASSAY_FUNC_PLAIN, f->line ? ASSAY_FUNC_BY_PLACE : 0);
    }
    return r->funcs.at[func] = id;
}

static int make_room(struct reader *r)
{
    size_t funcs = r->c->funcs.len, nodes = kids_len(&r->c->nodes) + 1;
    if (!vec_reserve(r->c->mem, &r->funcs, funcs) || !vec_reserve(r->c->mem, &r->nodes, nodes)) return error_memory(r->err);
    if (funcs > r->funcs.len) memset(r->funcs.at + r->funcs.len, 0, (funcs - r->funcs.len) * sizeof *r->funcs.at);
    r->funcs.len = funcs > r->funcs.len ? funcs : r->funcs.len;
    if (!r->nodes.len) r->nodes.at[r->nodes.len++] = (assay_node_id){ 0 };
    return 0;
}

/* Those that came since; a parent has a smaller number than its children. */
static int build_nodes(struct reader *r)
{
    TRY(make_room(r));
    for (size_t node = r->nodes.len; node < kids_len(&r->c->nodes); node++) {
        const struct kid *k = &r->c->nodes.of.at[node];
        TRY(cancel_step(node, r->err));
        struct assay_node row = { .parent = r->nodes.at[k->parent], .relation = ASSAY_RELATION_CALL, .func = function_of(r, (uint32_t)k->key) };
        r->nodes.at[r->nodes.len++] = assay_build_node(r->b, &row);
    }
    return assay_builder_failed(r->b);
}

/* ---- figures ---- */

static double us(int64_t ns) { return (double)ns / 1e3; }

static void add_value(struct reader *r, assay_stream_id stream, assay_node_id node, unsigned which, assay_value v)
{
    assay_build_value(r->b, stream, node, r->scope[which], v);
}

static int add_cells(struct reader *r, assay_stream_id stream, bool is_spans)
{
    for (size_t i = 0; i < r->c->cells.len; i++) {
        const struct chrome_cell *cell = &r->c->cells.at[i];
        assay_node_id node = r->nodes.at[cell->node];
        TRY(cancel_step(i, r->err));
        exact_add(&r->time, cell->time);
        if (__builtin_add_overflow(r->samples, cell->samples, &r->samples)) r->samples = INT64_MAX;
        if (cell->calls) assay_build_node_calls(r->b, node, cell->calls);
        if (r->c->labels) continue; /* rows are added with their labels */
        if (is_spans)
            add_value(r, stream, node, WALL, (assay_value){ .d = us(cell->wall) });
        else {
            add_value(r, stream, node, SAMPLES, (assay_value){ .i = cell->samples });
            add_value(r, stream, node, TIME, (assay_value){ .d = cell->time });
        }
    }
    return assay_builder_failed(r->b);
}

/* Weights of a row by metric: self time of a span, or what a sample stands for. */
static void weigh(const struct reader *r, const struct chrome_row *row, bool is_spans, assay_value *values)
{
    if (is_spans)
        values[r->place[WALL]].d = us(row->self);
    else {
        values[r->place[SAMPLES]].i = row->weight;
        values[r->place[TIME]].d = row->us;
    }
}

static int add_rows(struct reader *r, assay_stream_id stream, bool is_spans)
{
    bool wants_time = assay_builder_want(r->b) & ASSAY_WANT_TIMELINE;
    if (wants_time) assay_build_timeline_stream(r->b, stream, "ns", is_spans);
    for (size_t i = 0; i < r->c->rows.len; i++) {
        const struct chrome_row *row = &r->c->rows.at[i];
        assay_value values[METRICS] = { { 0 } };
        assay_node_id node = r->nodes.at[row->node];
        TRY(cancel_step(i, r->err));
        weigh(r, row, is_spans, values);
        if (r->c->labels && node.v) assay_build_sample(r->b, stream, node, (assay_set_id){ row->set }, values);
        if (!wants_time) continue;
        if (is_spans) values[r->place[WALL]].d = 0;
        assay_build_event(r->b, stream, row->time, is_spans ? row->length : 0, node, values);
        if (row->set) assay_build_event_set(r->b, (assay_set_id){ row->set });
    }
    return assay_builder_failed(r->b);
}

/* ---- parts ---- */

static assay_stream_id profile_stream(struct reader *r, const struct chrome_profile *p)
{
    const struct chrome_stream *s = chrome_find_stream(r->c, p->pid, p->tid);
    assay_slice thread = name(r, s && s->name ? s->name : p->id);
    char label[200];
    snprintf(label, sizeof label, "%.*s, V8 profile", (int)(thread.len < 150 ? thread.len : 150), thread.data);
    return build_stream(r, label, p->pid, &p->tid);
}

/* Overlapping spans without contexts or figures. */
static int add_async(struct reader *r, uint32_t func)
{
    const struct chrome_func *f = &r->c->funcs.at[func];
    char label[200];
    assay_slice cat = name(r, f->cat), what = name(r, f->name);
    snprintf(label, sizeof label, "async %.*s/%.*s", (int)(cat.len < 80 ? cat.len : 80), cat.data, (int)(what.len < 80 ? what.len : 80), what.data);
    assay_stream_id stream = assay_build_stream(r->b, label);
    TRY(make_room(r));
    struct assay_node row = { .kind = ASSAY_NODE_OTHER, .relation = ASSAY_RELATION_OTHER, .func = function_of(r, func) };
    assay_node_id node = assay_build_node(r->b, &row);
    assay_build_timeline_stream(r->b, stream, "ns", true);
    for (size_t i = 0; i < r->c->rows.len; i++) {
        const struct chrome_row *at = &r->c->rows.at[i];
        assay_value none[METRICS] = { { 0 } };
        TRY(cancel_step(i, r->err));
        assay_build_event(r->b, stream, at->time, at->length, node, none);
        if (at->set) assay_build_event_set(r->b, (assay_set_id){ at->set });
    }
    return assay_builder_failed(r->b);
}

static int add_part(void *arg, const struct chrome_part *part)
{
    struct reader *r = arg;
    bool is_spans = part->kind == CHROME_SPANS;
    if (part->kind == CHROME_ASYNC) return assay_builder_want(r->b) & ASSAY_WANT_TIMELINE ? add_async(r, part->at) : 0;
    if (part->kind == CHROME_PROFILE && !r->c->profiles.at[part->at].samples.len) return 0;
    assay_stream_id stream = part->kind == CHROME_PROFILE ? profile_stream(r, &r->c->profiles.at[part->at]) : stream_at(r, part->at);
    if (part->kind == CHROME_SAMPLES && r->c->streams.at[part->at].spans.len) stream = thread_stream(r, part->at, ", samples");
    TRY(build_nodes(r));
    TRY(add_cells(r, stream, is_spans));
    return add_rows(r, stream, is_spans);
}

/* ---- markers and counters ---- */

static int add_markers(struct reader *r)
{
    for (size_t i = 0; i < r->c->markers.len; i++) {
        const struct chrome_marker *m = &r->c->markers.at[i];
        TRY(cancel_step(i, r->err));
        struct assay_marker row = { .stream = stream_at(r, m->stream), .time = m->ts, .name = text(r, m->name), .set = { m->set } };
        if (m->cat) row.category = text(r, m->cat);
        assay_build_marker(r->b, &row);
    }
    return assay_builder_failed(r->b);
}

/* A counter belongs to a process: a thread of it stands for that. */
static assay_stream_id stream_of(struct reader *r, struct chrome_id pid)
{
    const struct chrome_process *p = chrome_find_process(r->c, pid);
    return p && p->stream ? stream_at(r, p->stream - 1) : (assay_stream_id){ 0 };
}

static int add_counters(struct reader *r)
{
    SCRATCH(assay_counter_id, ids, r->c->mem, r->c->counters.len + 1);
    if (!ids) return error_memory(r->err);
    for (size_t i = 0; i < r->c->counters.len; i++) {
        const struct chrome_counter *k = &r->c->counters.at[i];
        char full[300];
        assay_slice what = name(r, k->name), id = name(r, k->id);
        TRY(cancel_step(i, r->err));
        struct assay_counter row = { .stream = stream_of(r, k->pid), .name = text(r, k->name), .series = text(r, k->series), .kind = ASSAY_METRIC_LEVEL };
        int len = snprintf(full, sizeof full, "%.*s[%.*s]", (int)(what.len < 200 ? what.len : 200), what.data, (int)(id.len < 80 ? id.len : 80), id.data);
        if (k->id) row.name = assay_build_string(r->b, full, (size_t)len);
        if (k->cat) row.category = text(r, k->cat);
        ids[i] = assay_build_counter(r->b, &row);
    }
    for (size_t i = 0; i < r->c->readings.len; i++) {
        const struct chrome_reading *at = &r->c->readings.at[i];
        TRY(cancel_step(i, r->err));
        assay_build_reading(r->b, ids[at->counter], at->ts, at->value);
    }
    return assay_builder_failed(r->b);
}

/* ---- facts ---- */

static void add_count(struct reader *r, const char *label, uint64_t value)
{
    if (value) assay_build_count(r->b, label, value);
}

static void add_facts(struct reader *r)
{
    const struct chrome *c = r->c;
    char phases[128 * 24];
    size_t len = 0;
    for (unsigned ph = ' ' + 1; ph < 127; ph++)
        if (c->phases[ph])
            len += (size_t)snprintf(phases + len, sizeof phases - len, "%s%c %llu", len ? ", " : "", (char)ph, (unsigned long long)c->phases[ph]);
    for (size_t i = 0; i + 1 < c->texts.len; i += 2) attribute(r, (assay_stream_id){ 0 }, name(r, c->texts.at[i]).data, name(r, c->texts.at[i + 1]));
    if (len) attribute(r, (assay_stream_id){ 0 }, "phases", (assay_slice){ phases, len });
    if (c->walk.is_cut) attribute(r, (assay_stream_id){ 0 }, "unterminated", SLICE("true"));
    assay_build_count(r->b, "events", c->events);
    assay_build_count(r->b, "streams", c->sample_count ? r->with_samples : r->with_spans);
    assay_build_count(r->b, "functions", c->functions);
    assay_build_count(r->b, "contexts", c->contexts);
    assay_build_count(r->b, "spans", c->spans);
    add_count(r, "samples", c->sample_count);
    if (c->sample_count) add_count(r, "stacks", c->stacks);
    add_count(r, "stack_frames", c->frame_count);
    add_count(r, "unmatched_begin", c->unmatched_begin);
    add_count(r, "unmatched_end", c->unmatched_end);
    add_count(r, "async_spans", c->async_spans);
    add_count(r, "async_unmatched", c->async_unmatched);
    add_count(r, "instants", c->instants);
    add_count(r, "flows", c->flows);
    add_count(r, "counters", c->counters.len);
    add_count(r, "embedded_profiles", c->profiles.len);
    add_count(r, "embedded_samples", c->profile_samples);
}

/* Time without a stack is part of the whole, but of no context. */
static void state_totals(struct reader *r)
{
    const struct chrome *c = r->c;
    if (!r->metric[TIME].v || (!(c->idle_time < 0 || c->idle_time > 0) && !c->idle_samples)) return;
    exact_add(&r->time, c->idle_time);
    if (__builtin_add_overflow(r->samples, c->idle_samples, &r->samples)) r->samples = INT64_MAX;
    assay_build_metric_total(r->b, r->metric[TIME], (assay_value){ .d = exact_value(&r->time) });
    assay_build_metric_total(r->b, r->metric[SAMPLES], (assay_value){ .i = r->samples });
}

static int build(struct reader *r)
{
    declare_metrics(r);
    TRY(build_streams(r));
    assay_build_offers(r->b, ASSAY_SHAPE_TIMELINE);
    TRY(chrome_settle(r->c, add_part, r));
    if (assay_builder_want(r->b) & ASSAY_WANT_TIMELINE) {
        TRY(add_markers(r));
        TRY(add_counters(r));
    }
    state_totals(r);
    assay_build_source(r->b, "chrome-trace", "", "");
    add_facts(r);
    return assay_builder_failed(r->b);
}

int chrome_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    SCOPED(chrome_done) struct chrome c = { .mem = job->mem };
    uint32_t want = assay_builder_want(b);
    findings_init(&damage, job->mem);
    assay_builder_has_tree(b);
    c.wants_rows = want & (ASSAY_WANT_TIMELINE | ASSAY_WANT_LABELS);
    if (want & ASSAY_WANT_LABELS) c.labels = b;
    TRY(chrome_collect(&c, job, &damage, err));
    if (damage.errors && (job->options->strict || (!c.events && !c.sample_count))) return findings_refuse(&damage, err);
    SCRATCH(assay_stream_id, streams, job->mem, c.streams.len + 1);
    struct reader r = { .b = b, .c = &c, .err = err, .streams = streams };
    vec_scoped(job->mem, &r.funcs);
    vec_scoped(job->mem, &r.nodes);
    if (!streams) return error_memory(err);
    TRY(build(&r));
    if (job->options->strict) TRY(findings_refuse(&damage, err));
    for (size_t i = 0; i < damage.list.len; i++) assay_build_warning(b, &damage.list.at[i]);
    return 0;
}
