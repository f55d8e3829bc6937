/* Stacks -> tree and timeline, or sums of functions where these will do. A profile is a stream; a metric for each unit. */
#include <math.h>
#include <stdio.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/speedscope/speedscope.h"
#include "formats/stacks/sums.h"

struct reader {
    assay_builder *b;
    struct mem *mem;
    const struct speedscope *s;
    assay_metric_id metric[SPEEDSCOPE_UNITS];
    assay_scope_id scope[SPEEDSCOPE_UNITS];
    unsigned place[SPEEDSCOPE_UNITS]; /* of the metric among those of events */
    unsigned metrics;
    assay_func_id *funcs; /* by frame */
    assay_node_id *nodes; /* by node; 0 = of no sound profile */
    uint8_t *is_stack;    /* by node */
    uint8_t *is_used;     /* by function */
    uint64_t stacks, functions, samples;
    uint64_t contexts; /* nodes that were made: ids are dense */
};

/* ---- metrics ---- */

static void declare_metrics(struct reader *r)
{
    bool has[SPEEDSCOPE_UNITS] = { false };
    unsigned units = 0;
    for (size_t i = 0; i < r->s->profiles.len; i++) {
        units += !has[r->s->profiles.at[i].unit];
        has[r->s->profiles.at[i].unit] = true;
    }
    for (size_t i = 0; i < r->s->profiles.len; i++) {
        enum speedscope_unit u = r->s->profiles.at[i].unit;
        const char *name = u == SPEEDSCOPE_NONE ? "weight" : u == SPEEDSCOPE_BYTES ? "bytes" : "time";
        char full[48];
        snprintf(full, sizeof full, units > 1 ? "%s_%s" : "%s", name, speedscope_unit_names[u]);
        if (r->metric[u].v) continue;
        r->metric[u] = assay_build_metric(r->b, full, speedscope_unit_names[u], ASSAY_F64, ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
        r->scope[u] = assay_build_scope(r->b, r->metric[u], ASSAY_SCOPE_POINT, NULL, 0);
        r->place[u] = r->metrics++;
    }
}

/* Time in which there is no stack is part of the whole, but of no context. */
static void state_totals(struct reader *r)
{
    for (unsigned u = 0; u < SPEEDSCOPE_UNITS; u++) {
        struct exact sum = { 0 };
        double idle = 0;
        for (size_t i = 0; i < r->s->profiles.len; i++) {
            const struct speedscope_profile *p = &r->s->profiles.at[i];
            if (!p->is_sound || p->unit != u) continue;
            idle += p->idle;
            exact_add(&sum, p->idle);
            for (size_t c = p->cells; c < p->cells_end && !cancel_at(c); c++) {
                exact_add(&sum, r->s->cells.at[c].sum);
                exact_add(&sum, r->s->cells.at[c].rest);
            }
        }
        if (r->metric[u].v && (idle > 0 || idle < 0)) assay_build_metric_total(r->b, r->metric[u], (assay_value){ .d = exact_value(&sum) });
    }
}

/* ---- contexts ---- */

static assay_func_id function_of(struct reader *r, uint64_t frame)
{
    if (r->funcs[frame].v) return r->funcs[frame];
    const struct speedscope_frame *f = &r->s->frames.at[frame];
    assay_slice name = intern_get(&r->s->names, f->name), path = intern_get(&r->s->names, f->file);
    assay_file_id file = { 0 };
    if (path.len) file = assay_build_file(r->b, assay_build_string(r->b, path.data, path.len), (assay_module_id){ 0 });
    assay_func_id id = assay_build_func(r->b, assay_build_string(r->b, name.data, name.len), file, (assay_module_id){ 0 }, f->column, f->line);
    assay_build_func_place(r->b, id, file, (assay_module_id){ 0 }, 0);
    assay_build_func_column(r->b, id, f->column);
    assay_build_func_kind(r->b, id, ASSAY_FUNC_PLAIN, f->line ? ASSAY_FUNC_BY_PLACE : 0);
    r->funcs[frame] = id;
    if (id.v && id.v <= r->s->frames.len && !r->is_used[id.v]) {
        r->is_used[id.v] = 1;
        r->functions++;
    }
    return id;
}

/* Which nodes sound profiles have: those of the others are not built. */
static int mark_nodes(const struct speedscope *s, uint8_t *is_wanted, assay_error *err)
{
    for (size_t i = 0; i < s->profiles.len; i++) {
        const struct speedscope_profile *p = &s->profiles.at[i];
        for (size_t c = p->cells; p->is_sound && c < p->cells_end; c++) {
            TRY(cancel_step(c, err));
            for (uint32_t node = s->cells.at[c].node; node && !is_wanted[node]; node = s->nodes.of.at[node].parent) is_wanted[node] = 1;
        }
    }
    return 0;
}

/* A parent has a smaller number than its children. Frames that are listed twice are one function, and their nodes one node. */
static int build_nodes(struct reader *r, const uint8_t *is_wanted, assay_error *err)
{
    for (size_t node = 1; node < kids_len(&r->s->nodes); node++) {
        const struct kid *k = &r->s->nodes.of.at[node];
        TRY(cancel_step(node, err));
        if (!is_wanted[node]) continue;
        struct assay_node row = { .parent = r->nodes[k->parent], .relation = ASSAY_RELATION_CALL, .func = function_of(r, k->key) };
        r->nodes[node] = assay_build_node(r->b, &row);
        if (r->nodes[node].v > r->contexts) r->contexts = r->nodes[node].v;
    }
    return assay_builder_failed(r->b);
}

static int add_cells(struct reader *r, const struct speedscope_profile *p, assay_stream_id stream, assay_error *err)
{
    for (size_t i = p->cells; i < p->cells_end; i++) {
        const struct speedscope_cell *c = &r->s->cells.at[i];
        TRY(cancel_step(i, err));
        assay_node_id node = r->nodes[c->node];
        assay_build_value(r->b, stream, node, r->scope[p->unit], (assay_value){ .d = c->sum });
        if (c->rest < 0 || c->rest > 0) assay_build_value(r->b, stream, node, r->scope[p->unit], (assay_value){ .d = c->rest });
        if (c->calls) assay_build_node_calls(r->b, node, c->calls);
        r->stacks += c->is_stack && !r->is_stack[c->node];
        r->is_stack[c->node] |= c->is_stack;
    }
    return 0;
}

/* ---- sums ---- */

static double whole_cell(const struct speedscope_cell *c) { return c->rest < 0 || c->rest > 0 || c->sum != floor(c->sum) ? INFINITY : fabs(c->sum); }

static bool sums_will_do(const assay_builder *b, const struct speedscope *s)
{
    double all = 0;
    bool has_some = false, will = stack_sums_will_do(b);
    for (size_t i = 0; will && i < s->profiles.len; i++) {
        const struct speedscope_profile *p = &s->profiles.at[i];
        if (!p->is_sound) continue;
        will = p->is_by_stack;
        has_some |= p->cells < p->cells_end;
        for (size_t c = p->cells; will && c < p->cells_end && !cancel_at(c); c++) will = (all += whole_cell(&s->cells.at[c])) < 9e15;
    }
    return will && has_some;
}

static int add_sums(struct reader *r, const struct speedscope_profile *p, assay_stream_id stream, struct stack_sums *sums, assay_error *err)
{
    const struct speedscope *s = r->s;
    int64_t values[SPEEDSCOPE_UNITS] = { 0 };
    for (size_t i = p->cells; i < p->cells_end; i++) {
        const struct speedscope_cell *c = &s->cells.at[i];
        const uint32_t *frame = vec_from(&s->pool, s->begin.at[c->node]), *end = vec_from(&s->pool, s->begin.at[c->node + 1]);
        TRY(cancel_step(i, err));
        values[r->place[p->unit]] = (int64_t)c->sum;
        stack_sums_leaf(sums, function_of(r, end[-1]).v, values);
        for (; frame < end; frame++) stack_sums_frame(sums, function_of(r, *frame).v, values);
    }
    return stack_sums_book(sums, stream, err);
}

/* ---- timeline ---- */

static int64_t whole(double v) { return v >= 9.2e18 ? INT64_MAX : v <= -9.2e18 ? INT64_MIN : llround(v); }

static int add_events(struct reader *r, const struct speedscope_profile *p, assay_stream_id stream, assay_error *err)
{
    double ns = speedscope_unit_ns(p->unit), factor = ns > 0 ? ns : 1;
    assay_value weights[SPEEDSCOPE_UNITS] = { { 0 } };
    assay_build_timeline_stream(r->b, stream, ns > 0 ? "ns" : speedscope_unit_names[p->unit], p->is_evented);
    for (size_t i = p->timeline; i < p->timeline_end; i++) {
        const struct speedscope_event *e = &r->s->timeline.at[i];
        TRY(cancel_step(i, err));
        int64_t at = whole(e->at * factor), length = p->is_evented ? whole((e->at + e->length) * factor) - at : 0;
        weights[r->place[p->unit]].d = p->is_evented ? 0 : e->length;
        assay_build_event(r->b, stream, at, length, r->nodes[e->node], weights);
    }
    return assay_builder_failed(r->b);
}

/* ---- all of it ---- */

static void attribute(struct reader *r, assay_stream_id stream, const char *key, assay_slice value)
{
    assay_build_attribute(r->b, stream, key, strlen(key), value.data ? value.data : "", value.len);
}

static void add_attributes(struct reader *r, const struct speedscope_profile *p, assay_stream_id stream)
{
    char span[48];
    size_t len = number_put_double(span, p->stop - p->start);
    attribute(r, stream, "type", p->is_evented ? (assay_slice){ "evented", 7 } : (assay_slice){ "sampled", 7 });
    attribute(r, stream, "unit", (assay_slice){ speedscope_unit_names[p->unit], strlen(speedscope_unit_names[p->unit]) });
    attribute(r, stream, "span", (assay_slice){ span, len });
}

/* `sums` NULL: contexts are wanted. */
static int add_profiles(struct reader *r, struct stack_sums *sums, assay_error *err)
{
    uint64_t streams = 0;
    for (size_t i = 0; i < r->s->profiles.len; i++) {
        const struct speedscope_profile *p = &r->s->profiles.at[i];
        TRY(cancel_step(i, err));
        if (!p->is_sound) continue;
        assay_slice name = intern_get(&r->s->names, p->name);
        assay_stream_id stream = assay_build_stream(r->b, name.data ? name.data : "");
        TRY(sums ? add_sums(r, p, stream, sums, err) : add_cells(r, p, stream, err));
        if (assay_builder_want(r->b) & ASSAY_WANT_TIMELINE) TRY(add_events(r, p, stream, err));
        add_attributes(r, p, stream);
        streams++;
        r->samples += p->is_evented ? 0 : p->samples;
    }
    assay_build_count(r->b, "streams", streams);
    return assay_builder_failed(r->b);
}

static int build_sums(struct reader *r, assay_error *err)
{
    SCOPED(stack_sums_done) struct stack_sums sums = { 0 };
    assay_metric_id list[SPEEDSCOPE_UNITS];
    for (unsigned u = 0; u < SPEEDSCOPE_UNITS; u++)
        if (r->metric[u].v) list[r->place[u]] = r->metric[u];
    TRY(stack_sums_init(&sums, r->mem, r->b, list, r->metrics, (uint32_t)r->s->frames.len, true, err));
    return add_profiles(r, &sums, err);
}

static int build_tree(struct reader *r, const uint8_t *is_wanted, assay_error *err)
{
    assay_builder_has_tree(r->b);
    if (assay_builder_want(r->b) & ASSAY_WANT_TIMELINE) {
        assay_metric_id list[SPEEDSCOPE_UNITS];
        for (unsigned u = 0; u < SPEEDSCOPE_UNITS; u++)
            if (r->metric[u].v) list[r->place[u]] = r->metric[u];
        assay_build_timeline(r->b, list, r->metrics);
    }
    TRY(build_nodes(r, is_wanted, err));
    return add_profiles(r, NULL, err);
}

/* `is_wanted` NULL: sums will do. */
static int build(struct reader *r, const uint8_t *is_wanted, assay_error *err)
{
    char active[24];
    declare_metrics(r);
    assay_build_offers(r->b, ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
    TRY(is_wanted ? build_tree(r, is_wanted, err) : build_sums(r, err));
    state_totals(r);
    assay_slice exporter = intern_get(&r->s->names, r->s->exporter), name = intern_get(&r->s->names, r->s->name);
    assay_build_source(r->b, "speedscope", exporter.data ? exporter.data : "", exporter.data ? exporter.data : "");
    if (name.len) attribute(r, (assay_stream_id){ 0 }, "name", name);
    attribute(r, (assay_stream_id){ 0 }, "active", (assay_slice){ active, number_put_u64(active, r->s->active) });
    assay_build_count(r->b, "frames", r->s->frames.len);
    assay_build_count(r->b, "functions", r->functions);
    if (is_wanted) assay_build_count(r->b, "contexts", r->contexts);
    if (is_wanted) assay_build_count(r->b, "stacks", r->stacks);
    assay_build_count(r->b, "samples", r->samples);
    return assay_builder_failed(r->b);
}

static int read_tree(struct reader *r, assay_error *err)
{
    const struct speedscope *s = r->s;
    SCRATCH(assay_node_id, nodes, r->mem, kids_len(&s->nodes) + 1);
    SCRATCH(uint8_t, is_stack, r->mem, kids_len(&s->nodes) + 1);
    SCRATCH(uint8_t, is_wanted, r->mem, kids_len(&s->nodes) + 1);
    if (!nodes || !is_stack || !is_wanted) return error_memory(err);
    TRY(mark_nodes(s, is_wanted, err));
    r->nodes = nodes;
    r->is_stack = is_stack;
    return build(r, is_wanted, err);
}

static int read_stacks(const struct read_job *job, struct speedscope *s, assay_builder *b, assay_error *err)
{
    SCRATCH(assay_func_id, funcs, job->mem, s->frames.len + 1);
    SCRATCH(uint8_t, is_used, job->mem, s->frames.len + 1);
    if (!funcs || !is_used) return error_memory(err);
    struct reader r = { .b = b, .mem = job->mem, .s = s, .funcs = funcs, .is_used = is_used };
    if (sums_will_do(b, s)) return build(&r, NULL, err);
    TRY(speedscope_make_nodes(s));
    return read_tree(&r, err);
}

int speedscope_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    SCOPED(speedscope_done) struct speedscope s = { .mem = job->mem };
    enum speedscope_want want = assay_builder_want(b) & ASSAY_WANT_TIMELINE ? SPEEDSCOPE_TIMES : stack_sums_will_do(b) ? SPEEDSCOPE_STACKS : SPEEDSCOPE_NODES;
    findings_init(&damage, job->mem);
    TRY(speedscope_collect(&s, job, want, &damage, err));
    bool is_any_sound = false;
    for (size_t i = 0; i < s.profiles.len; i++) is_any_sound |= s.profiles.at[i].is_sound;
    if (damage.errors && (job->options->strict || !is_any_sound || !s.has_frames)) return findings_refuse(&damage, err);
    TRY(read_stacks(job, &s, b, err));
    for (size_t i = 0; i < damage.list.len; i++) assay_build_warning(b, &damage.list.at[i]);
    return 0;
}
