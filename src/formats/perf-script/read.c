/* Samples added up -> the model. Which events there are is known only at the end, and metrics come before values: so everything is built then. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "formats/perf-script/perf_script.h"

enum { MOST_WEIGHTS = 16 }; /* events whose periods are kept with each moment of the timeline */

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct findings damage;
    struct perf_script_decoder d;
    struct perf_script_stacks s;
    VEC(char) producer;
};

/* ---- comments ---- */

/* `# KEY : VALUE` of perf script --header. */
static bool add_comment(struct reader *r, assay_slice line)
{
    static const char *const keys[] = { "captured on", "hostname", "os release", "perf version", "arch", "nrcpus online", "cpudesc", "cmdline", NULL };
    const char *colon = memchr(line.data, ':', line.len);
    if (!colon || r->d.samples) return true;
    assay_slice key = slice_trim(slice_from(line.data + 1, colon)), value = slice_trim(slice_from(colon + 1, line.data + line.len));
    size_t i = 0;
    while (keys[i] && !slice_is(key, keys[i])) i++;
    if (!keys[i]) return true;
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, key.data, key.len, value.data, value.len);
    if (!slice_is(key, "perf version") || r->producer.len) return true;
    if (!vec_reserve(r->job->mem, &r->producer, value.len + sizeof "perf ")) return false;
    memcpy(r->producer.at, "perf ", 5);
    memcpy(r->producer.at + 5, value.data, value.len);
    r->producer.at[5 + value.len] = '\0';
    r->producer.len = 6 + value.len;
    return true;
}

static int add_lines(struct reader *r, assay_error *err)
{
    struct perf_script_record rec = { .kind = PERF_SCRIPT_OTHER };
    for (uint64_t i = 0; rec.kind != PERF_SCRIPT_END; i++) {
        TRY(cancel_step(i, err));
        TRY(perf_script_next(&r->d, &rec));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, err));
        if (rec.kind == PERF_SCRIPT_COMMENT && !add_comment(r, rec.text)) return error_memory(err);
        if (!perf_script_stacks_add(&r->s, &rec)) return error_memory(err);
    }
    return 0;
}

/* ---- metrics ---- */

/* cpu-clock and task-clock count nanoseconds, whatever modifiers stand behind the name. */
static const char *unit_of(const struct perf_script_event *e, assay_slice name)
{
    bool is_clock = slice_is(name, "cpu-clock") || slice_is(name, "task-clock") || slice_starts(name, "cpu-clock:") || slice_starts(name, "task-clock:");
    return is_clock && e->has_period ? "nanoseconds" : "count";
}

static void build_metrics(struct reader *r, assay_metric_id *metrics, assay_scope_id *scopes)
{
    for (size_t i = 0; i < r->s.events.len; i++) {
        const struct perf_script_event *e = &r->s.events.at[i];
        assay_slice name = intern_get(&r->s.event_names, (uint32_t)i + 1); /* terminated, as interned strings are */
        metrics[i] = assay_build_metric(r->b, name.data, unit_of(e, name), ASSAY_U64, ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
        scopes[i] = assay_build_scope(r->b, metrics[i], ASSAY_SCOPE_POINT, NULL, 0);
        if (e->has_empty) assay_build_metric_total_wide(r->b, metrics[i], e->total); /* samples without frames are in no context */
        if (i == 0) assay_build_metric_default(r->b, metrics[i]);
    }
}

/* ---- streams ---- */

/* TID, or PID/TID; numbers below 0 stand for what perf does not know. */
static void build_tuple(struct reader *r, assay_slice thread)
{
    const char *slash = memchr(thread.data, '/', thread.len), *end = thread.data + thread.len;
    uint64_t id;
    if (slash && number_u64(slice_from(thread.data, slash), &id) == NUMBER_OK) assay_build_tuple(r->b, "PROCESS", id, id, 0);
    if (number_u64(slice_from(slash ? slash + 1 : thread.data, end), &id) == NUMBER_OK) assay_build_tuple(r->b, "THREAD", id, id, 0);
}

static void build_streams(struct reader *r, assay_stream_id *ids)
{
    const struct perf_script_stacks *s = &r->s;
    for (size_t i = 0; i < s->streams.len; i++) {
        ids[i + 1] = assay_build_stream(r->b, intern_get(&s->names, s->streams.at[i].comm).data);
        build_tuple(r, s->streams.at[i].thread);
    }
    for (size_t i = 0; i < s->comms.len; i++) {
        uint32_t stream = s->comms.at[i].stream, comm = s->comms.at[i].comm;
        assay_slice name = intern_get(&s->names, comm);
        if (comm != s->streams.at[stream - 1].comm) assay_build_attribute(r->b, ids[stream], "comm", 4, name.data, name.len);
    }
}

/* ---- contexts ---- */

static assay_str_id string_of(struct reader *r, uint32_t name)
{
    assay_slice text = intern_get(&r->s.names, name);
    return assay_build_string(r->b, text.data, text.len);
}

/* A line of -F srcline can turn the frame before it into an inlined one, of another module: not every function is in a context. */
static void build_funcs(struct reader *r, assay_func_id *funcs)
{
    uint32_t functions = 0, modules = 0;
    for (size_t i = 0; i < r->s.funcs.len; i++) {
        const struct perf_script_func *f = &r->s.funcs.at[i];
        assay_module_id module = { 0 };
        if (!f->is_used) continue;
        if (f->module) module = assay_build_module(r->b, string_of(r, f->module), (assay_str_id){ 0 });
        funcs[i + 1] = assay_build_func(r->b, string_of(r, f->symbol), (assay_file_id){ 0 }, module, 0, 0);
        functions++;
        if (module.v > modules) modules = module.v; /* ids are dense */
    }
    assay_build_count(r->b, "functions", functions);
    assay_build_count(r->b, "modules", modules);
}

static assay_file_id place(struct reader *r, uint32_t site, uint32_t *line)
{
    assay_slice file;
    assay_file_id id = { 0 };
    *line = 0;
    if (site && perf_script_source(intern_get(&r->s.places, site), &file, line))
        id = assay_build_file(r->b, assay_build_string(r->b, file.data, file.len), (assay_module_id){ 0 });
    return id;
}

static int build_nodes(struct reader *r, const assay_func_id *funcs, assay_node_id *ids, assay_error *err)
{
    for (size_t i = 0; i < r->s.nodes.len; i++) {
        const struct perf_script_node *n = &r->s.nodes.at[i];
        struct assay_node made = { .parent = ids[n->parent], .func = funcs[n->func], .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL };
        TRY(cancel_step(i, err));
        if (n->is_inlined) {
            made.kind = ASSAY_NODE_INLINED;
            made.relation = ASSAY_RELATION_INLINED_CALL;
        } else if (!n->func) {
            made.kind = ASSAY_NODE_LINE;
            made.relation = ASSAY_RELATION_LEXICAL;
        }
        made.file = place(r, n->site, &made.line);
        ids[i + 1] = assay_build_node_new(r->b, &made);
    }
    return 0;
}

static int build_values(struct reader *r, const assay_stream_id *streams, const assay_node_id *nodes, const assay_scope_id *scopes, assay_error *err)
{
    for (size_t i = 0; i < r->s.cells.len; i++) {
        const struct perf_script_cell *c = &r->s.cells.at[i];
        TRY(cancel_step(i, err));
        if (c->node) assay_build_value(r->b, streams[c->stream], nodes[c->node], scopes[c->event], (assay_value){ .u = c->value });
    }
    return 0;
}

/* ---- times ---- */

static int build_moments(struct reader *r, const assay_stream_id *streams, const assay_node_id *nodes, const assay_metric_id *metrics, assay_error *err)
{
    const struct perf_script_stacks *s = &r->s;
    bool has_weights = s->events.len <= MOST_WEIGHTS;
    if (!s->moments.len) return 0;
    if (has_weights) assay_build_timeline(r->b, metrics, (uint32_t)s->events.len);
    for (size_t i = 1; i <= s->streams.len; i++) assay_build_timeline_stream(r->b, streams[i], "ns", false);
    for (size_t i = 0; i < s->moments.len; i++) {
        const struct perf_script_moment *m = &s->moments.at[i];
        assay_value weights[MOST_WEIGHTS] = { 0 };
        TRY(cancel_step(i, err));
        if (has_weights) weights[m->event].u = m->period;
        assay_build_event(r->b, streams[m->stream], m->time, 0, nodes[m->node], has_weights ? weights : NULL);
    }
    return 0;
}

/* ---- all of it ---- */

static void build_counts(struct reader *r)
{
    const struct perf_script_stacks *s = &r->s;
    assay_build_count(r->b, "samples", r->d.samples);
    assay_build_count(r->b, "contexts", kids_len(&s->paths) ? kids_len(&s->paths) - 1 : 0);
    assay_build_count(r->b, "stacks", s->stacks);
    assay_build_count(r->b, "streams", s->streams.len);
    assay_build_count(r->b, "inlined_frames", s->inlined);
    assay_build_count(r->b, "other_records", r->d.records);
    assay_build_count(r->b, "unrecognised_lines", r->d.others);
}

static int build(struct reader *r, assay_error *err)
{
    struct mem *mem = r->job->mem;
    SCRATCH(assay_metric_id, metrics, mem, r->s.events.len);
    SCRATCH(assay_scope_id, scopes, mem, r->s.events.len);
    SCRATCH(assay_stream_id, streams, mem, r->s.streams.len + 1);
    SCRATCH(assay_func_id, funcs, mem, r->s.funcs.len + 1);
    SCRATCH(assay_node_id, nodes, mem, r->s.nodes.len + 1);
    if (!metrics || !scopes || !streams || !funcs || !nodes) return error_memory(err);
    assay_build_source(r->b, "perf-script", "", r->producer.len ? r->producer.at : "");
    build_metrics(r, metrics, scopes);
    build_streams(r, streams);
    build_funcs(r, funcs);
    TRY(build_nodes(r, funcs, nodes, err));
    TRY(build_values(r, streams, nodes, scopes, err));
    TRY(build_moments(r, streams, nodes, metrics, err));
    build_counts(r);
    if (r->s.has_times) assay_build_offers(r->b, ASSAY_SHAPE_TIMELINE);
    return 0;
}

static int read_file(struct reader *r, assay_error *err)
{
    TRY(add_lines(r, err));
    if (!r->d.samples) return findings_refuse(&r->damage, err);
    if (r->s.is_saturated)
        findings_add(&r->damage, "PF05", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "the sum of a stack is too large: %llu is used", (unsigned long long)UINT64_MAX);
    TRY(build(r, err));
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
    return 0;
}

int perf_script_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b };
    findings_init(&r.damage, job->mem);
    perf_script_decoder_init(&r.d, job->in, job->mem, &r.damage, err);
    perf_script_stacks_init(&r.s, job->mem, (assay_builder_want(b) & ASSAY_WANT_TIMELINE) != 0);
    int rc = read_file(&r, err);
    vec_done(job->mem, &r.producer);
    perf_script_stacks_done(&r.s);
    perf_script_decoder_done(&r.d);
    findings_done(&r.damage);
    return rc;
}
