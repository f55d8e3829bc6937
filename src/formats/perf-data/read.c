/* Samples added up -> the model, as perf-script does it: the same recording gives the same profile either way. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/perf-data/findings.h"

#include <stdio.h>

enum { MOST_WEIGHTS = 16 }; /* events whose periods are kept with each moment of the timeline */

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct findings damage;
    struct pd_walk w;
};

/* ---- attributes ---- */

static void attribute(struct reader *r, const char *key, assay_slice value)
{
    if (value.len) assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), value.data, value.len);
}

static void build_attributes(struct reader *r)
{
    const struct pd_facts *f = &r->w.d.facts;
    char buf[32];
    attribute(r, "mode", r->w.d.is_pipe ? SLICE("pipe") : r->w.d.is_dir ? SLICE("directory") : SLICE("file"));
    attribute(r, "byte order", r->w.d.is_big ? SLICE("big") : SLICE("little"));
    attribute(r, "hostname", f->hostname);
    attribute(r, "os release", f->os_release);
    attribute(r, "perf version", f->version);
    attribute(r, "arch", f->arch);
    if (f->has_cpus) {
        snprintf(buf, sizeof buf, "%lu", (unsigned long)f->cpus_online);
        attribute(r, "nrcpus online", slice_of(buf));
        snprintf(buf, sizeof buf, "%lu", (unsigned long)f->cpus_available);
        attribute(r, "nrcpus avail", slice_of(buf));
    }
    attribute(r, "cpudesc", f->cpu);
    attribute(r, "cpuid", f->cpu_id);
    if (f->has_memory) {
        snprintf(buf, sizeof buf, "%llu kB", (unsigned long long)f->memory_kb);
        attribute(r, "total memory", slice_of(buf));
    }
    attribute(r, "cmdline", f->cmdline);
}

/* ---- metrics ---- */

/* cpu-clock and task-clock count nanoseconds, whatever modifiers stand behind the name. */
static const char *unit_of(assay_slice name)
{
    static const char *const clocks[] = { "cpu-clock", "task-clock" };
    for (int i = 0; i < 2; i++)
        if (slice_starts(name, clocks[i]) && (name.len == strlen(clocks[i]) || name.data[strlen(clocks[i])] == ':' || name.data[strlen(clocks[i])] == '/'))
            return "nanoseconds";
    return "count";
}

/* Events may have the same name: the second is NAME #2. */
static const char *metric_name(struct reader *r, size_t event, char *buf, size_t len)
{
    const struct pd_decoder *d = &r->w.d;
    unsigned before = 0;
    for (size_t i = 0; i < event; i++) before += slice_equal(d->attrs.at[i].name, d->attrs.at[event].name);
    if (!before) return d->attrs.at[event].name.data;
    snprintf(buf, len, "%s #%u", d->attrs.at[event].name.data, before + 1);
    return buf;
}

static int build_metrics(struct reader *r, assay_metric_id *metrics, assay_scope_id *scopes, assay_error *err)
{
    const struct pd_decoder *d = &r->w.d;
    char buf[512];
    for (size_t i = 0; i < d->attrs.len; i++) {
        const struct pd_event *e = &r->w.stacks.events.at[i];
        TRY(cancel_due() ? error_cancelled(err) : 0);
        metrics[i] =
            assay_build_metric(r->b, metric_name(r, i, buf, sizeof buf), unit_of(d->attrs.at[i].name), ASSAY_U64, ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
        scopes[i] = assay_build_scope(r->b, metrics[i], ASSAY_SCOPE_POINT, NULL, 0);
        if (e->has_empty) assay_build_metric_total_wide(r->b, metrics[i], e->total); /* samples without frames are in no context */
        if (i == 0) assay_build_metric_default(r->b, metrics[i]);
    }
    return 0;
}

/* ---- streams ---- */

static const char *comm_of(const struct reader *r, uint32_t comm, int32_t tid, char *buf, size_t len)
{
    if (comm) return intern_get(&r->w.tracks.comms, comm).data;
    snprintf(buf, len, ":%ld", (long)tid); /* as perf calls a thread whose name it does not know */
    return buf;
}

static int by_first(const void *a, const void *b, void *arg)
{
    const struct pd_stream *all = arg, *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];
    ORDER_BY(x->first.time, y->first.time);
    return ORDER(x->first.seq, y->first.seq);
}

/* In order of their first sample. */
static int build_streams(struct reader *r, assay_stream_id *ids, assay_error *err)
{
    const struct pd_stacks *s = &r->w.stacks;
    char buf[16];
    SCRATCH(uint32_t, order, r->job->mem, s->streams.len);
    if (!order) return error_memory(err);
    for (size_t i = 0; i < s->streams.len; i++) order[i] = (uint32_t)i;
    if (s->streams.len > 1 && !sort_with(order, s->streams.len, sizeof *order, by_first, s->streams.at)) return error_memory(err);
    for (size_t i = 0; i < s->streams.len; i++) {
        const struct pd_stream *of = &s->streams.at[order[i]];
        TRY(cancel_step(i, err));
        ids[order[i] + 1] = assay_build_stream(r->b, comm_of(r, of->comm, of->tid, buf, sizeof buf));
        if (of->pid >= 0) assay_build_tuple(r->b, "PROCESS", (uint64_t)of->pid, (uint64_t)of->pid, 0);
        if (of->tid >= 0) assay_build_tuple(r->b, "THREAD", (uint64_t)of->tid, (uint64_t)of->tid, 0);
    }
    for (size_t i = 0; i < s->comms.len; i++) {
        const struct pd_comm *c = &s->comms.at[i];
        if (c->comm == s->streams.at[c->stream - 1].comm) continue;
        assay_slice name = intern_get(&r->w.tracks.comms, c->comm);
        assay_build_attribute(r->b, ids[c->stream], "comm", 4, name.data, name.len);
    }
    return 0;
}

/* ---- contexts ---- */

static assay_str_id string_of(struct reader *r, uint32_t name)
{
    assay_slice text = intern_get(&r->w.frames.names, name);
    return assay_build_string(r->b, text.data, text.len);
}

/* Modules are counted if an address of the file lies in them: those that unwinding finds depend on what is at hand. */
static int build_funcs(struct reader *r, assay_func_id *funcs, assay_error *err)
{
    const struct pd_frames *f = &r->w.frames;
    uint32_t functions = 0, modules = 0;
    SCRATCH(bool, seen, r->job->mem, (size_t)intern_count(&f->names) + 1);
    if (!seen) return error_memory(err);
    for (size_t i = 0; i < f->funcs.len; i++) {
        const struct pd_func *from = &f->funcs.at[i];
        assay_module_id module = { 0 };
        TRY(cancel_step(i, err));
        if (!from->is_used) continue;
        modules += from->module && from->is_met && !seen[from->module];
        seen[from->module] |= from->is_met;
        if (from->module) {
            assay_slice id = f->tracks->dsos.at[from->dso - 1].id;
            module = assay_build_module(r->b, string_of(r, from->module), id.len ? assay_build_string(r->b, id.data, id.len) : (assay_str_id){ 0 });
        }
        funcs[i + 1] = assay_build_func(r->b, string_of(r, from->name), (assay_file_id){ 0 }, module, 0, 0);
        functions++;
    }
    assay_build_count(r->b, "functions", functions);
    assay_build_count(r->b, "modules", modules);
    return 0;
}

static int build_nodes(struct reader *r, const assay_func_id *funcs, assay_node_id *ids, assay_error *err)
{
    const struct pd_stacks *s = &r->w.stacks;
    for (size_t i = 0; i < s->nodes.len; i++) {
        const struct pd_node *n = &s->nodes.at[i];
        struct assay_node made = { .parent = ids[n->parent], .func = funcs[n->func], .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL };
        TRY(cancel_step(i, err));
        if (n->is_inlined) {
            made.kind = ASSAY_NODE_INLINED;
            made.relation = ASSAY_RELATION_INLINED_CALL;
        }
        ids[i + 1] = assay_build_node_new(r->b, &made);
    }
    return 0;
}

static int build_values(struct reader *r, const assay_stream_id *streams, const assay_node_id *nodes, const assay_scope_id *scopes, assay_error *err)
{
    const struct pd_stacks *s = &r->w.stacks;
    for (size_t i = 0; i < s->cells.len; i++) {
        const struct pd_cell *c = &s->cells.at[i];
        TRY(cancel_step(i, err));
        if (c->node) assay_build_value(r->b, streams[c->stream], nodes[c->node], scopes[c->event], (assay_value){ .u = c->value });
    }
    return 0;
}

/* ---- times ---- */

static int build_moments(struct reader *r, const assay_stream_id *streams, const assay_node_id *nodes, const assay_metric_id *metrics, assay_error *err)
{
    const struct pd_stacks *s = &r->w.stacks;
    bool has_weights = s->events.len <= MOST_WEIGHTS;
    if (!s->moments.len) return 0;
    if (has_weights) assay_build_timeline(r->b, metrics, (uint32_t)s->events.len);
    for (size_t i = 1; i <= s->streams.len; i++) assay_build_timeline_stream(r->b, streams[i], "ns", false);
    for (size_t i = 0; i < s->moments.len; i++) {
        const struct pd_moment *m = &s->moments.at[i];
        assay_value weights[MOST_WEIGHTS] = { 0 };
        TRY(cancel_step(i, err));
        if (has_weights) weights[m->event].u = m->period;
        assay_build_event(r->b, streams[m->stream], m->time > INT64_MAX ? INT64_MAX : (int64_t)m->time, 0, nodes[m->node], has_weights ? weights : NULL);
    }
    return 0;
}

/* ---- all of it ---- */

static int build_counts(struct reader *r, assay_error *err)
{
    const struct pd_walk *w = &r->w;
    uint64_t stacks;
    TRY(pd_ends(&w->stacks, &stacks, err));
    uint64_t records = w->others;
    for (size_t i = 0; i <= PD_LAST_USER; i++) records += i == PD_SAMPLE ? 0 : w->types[i];
    assay_build_count(r->b, "samples", w->types[PD_SAMPLE]);
    assay_build_count(r->b, "contexts", pd_paths(&w->stacks));
    assay_build_count(r->b, "stacks", stacks);
    assay_build_count(r->b, "streams", w->stacks.streams.len);
    assay_build_count(r->b, "events", w->d.attrs.len);
    assay_build_count(r->b, "lost", w->lost);
    assay_build_count(r->b, "lost_samples", w->lost_samples);
    assay_build_count(r->b, "other_records", records);
    return 0;
}

static int build(struct reader *r, assay_error *err)
{
    struct mem *mem = r->job->mem;
    const struct pd_stacks *s = &r->w.stacks;
    SCRATCH(assay_metric_id, metrics, mem, s->events.len + 1);
    SCRATCH(assay_scope_id, scopes, mem, s->events.len + 1);
    SCRATCH(assay_stream_id, streams, mem, s->streams.len + 1);
    SCRATCH(assay_func_id, funcs, mem, r->w.frames.funcs.len + 1);
    SCRATCH(assay_node_id, nodes, mem, s->nodes.len + 1);
    if (!metrics || !scopes || !streams || !funcs || !nodes) return error_memory(err);
    char producer[128];
    snprintf(producer, sizeof producer, "perf %.100s", r->w.d.facts.version.len ? r->w.d.facts.version.data : "");
    assay_build_source(r->b, "perf-data", "2", r->w.d.facts.version.len ? producer : "perf");
    build_attributes(r);
    TRY(build_metrics(r, metrics, scopes, err));
    TRY(build_streams(r, streams, err));
    TRY(build_funcs(r, funcs, err));
    TRY(build_nodes(r, funcs, nodes, err));
    TRY(build_values(r, streams, nodes, scopes, err));
    TRY(build_moments(r, streams, nodes, metrics, err));
    TRY(build_counts(r, err));
    if (s->has_times) assay_build_offers(r->b, ASSAY_SHAPE_TIMELINE);
    return 0;
}

static int read_file(struct reader *r, assay_error *err)
{
    bool wants_times = (assay_builder_want(r->b) & ASSAY_WANT_TIMELINE) != 0;
    TRY(pd_walk(&r->w, r->job, &r->damage, wants_times, err));
    if (r->w.d.is_dead || !r->w.d.attrs.len) {
        TRY(findings_refuse(&r->damage, err));
        FAIL(err, ASSAY_ERR_DAMAGED, "there is nothing to read");
    }
    pd_findings(&r->w);
    TRY(build(r, err));
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
    return r->damage.failed ? error_memory(err) : 0;
}

int pd_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b };
    findings_init(&r.damage, job->mem);
    int rc = read_file(&r, err);
    pd_walk_done(&r.w);
    findings_done(&r.damage);
    return rc;
}
