/* Nodes and samples -> tree, timeline and lines. */
#include <math.h>

#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/v8-cpuprofile/cpuprofile.h"

struct moment {
    double at;
    uint32_t node, place; /* place: in the file */
};

struct reader {
    assay_builder *b;
    const struct cpuprofile *s;
    struct mem *mem;
    assay_error *err;
    assay_metric_id metrics[2]; /* hits and time, or bytes */
    assay_scope_id scopes[2];
    uint32_t metric_count;
    assay_func_id *funcs;
    assay_node_id *nodes;
    uint64_t contexts; /* nodes that were made: ids are dense */
    uint64_t *hits;    /* by node, of its samples */
    struct sums time;  /* the same */
};

static void declare(struct reader *r, const char *name, const char *unit, enum assay_type type)
{
    uint32_t k = r->metric_count++;
    r->metrics[k] = assay_build_metric(r->b, name, unit, type, ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
    r->scopes[k] = assay_build_scope(r->b, r->metrics[k], ASSAY_SCOPE_POINT, NULL, 0);
}

/* ---- contexts ---- */

static assay_str_id string_of(const struct reader *r, uint32_t name)
{
    assay_slice text = intern_get(&r->s->names, name);
    return assay_build_string(r->b, text.data, text.len);
}

static assay_file_id file_of(const struct reader *r, const struct cpuprofile_func *f)
{
    return f->url ? assay_build_file(r->b, string_of(r, f->url), (assay_module_id){ 0 }) : (assay_file_id){ 0 };
}

static int build_funcs(struct reader *r)
{
    for (size_t i = 1; i < r->s->funcs.len; i++) {
        const struct cpuprofile_func *f = &r->s->funcs.at[i];
        assay_file_id file = file_of(r, f);
        TRY(cancel_step(i, r->err));
        r->funcs[i] = assay_build_func(r->b, string_of(r, f->name), file, (assay_module_id){ 0 }, f->column, f->line);
        assay_build_func_place(r->b, r->funcs[i], file, (assay_module_id){ 0 }, 0);
        assay_build_func_column(r->b, r->funcs[i], f->column);
        assay_build_func_kind(r->b, r->funcs[i], ASSAY_FUNC_PLAIN, f->line ? ASSAY_FUNC_BY_PLACE : 0);
    }
    return 0;
}

static void build_node(struct reader *r, uint32_t node)
{
    const struct cpuprofile_node *n = &r->s->nodes.at[node];
    struct assay_node row = { .parent = r->nodes[n->parent], .relation = ASSAY_RELATION_CALL, .func = r->funcs[n->func] };
    r->nodes[node] = r->s->are_contexts ? assay_build_node_new(r->b, &row) : assay_build_node(r->b, &row);
    if (r->nodes[node].v > r->contexts) r->contexts = r->nodes[node].v;
}

/* A parent mostly comes before its children; where it does not, it is built first. Nodes of equal parents and functions are one context. */
static int build_nodes(struct reader *r)
{
    VEC(uint32_t) above = { 0 };
    vec_scoped(r->mem, &above);
    for (uint32_t i = 1; i < r->s->nodes.len; i++) {
        uint32_t n = i;
        TRY(cancel_step(i, r->err));
        for (; r->s->nodes.at[n].parent && !r->nodes[r->s->nodes.at[n].parent].v; n = r->s->nodes.at[n].parent) {
            uint32_t *slot = vec_push(r->mem, &above);
            if (!slot) return error_memory(r->err);
            *slot = n;
        }
        if (!r->nodes[n].v) build_node(r, n);
        while (above.len) build_node(r, above.at[--above.len]);
        TRY(assay_builder_failed(r->b));
    }
    return 0;
}

/* ---- samples ---- */

static int by_time(const void *x, const void *y)
{
    const struct moment *a = x, *b = y;
    return a->at != b->at ? ORDER(a->at, b->at) : ORDER(a->place, b->place);
}

/* Samples with their times, in the order of time. Deltas are summed up from the beginning of the recording on. */
static int take_moments(const struct reader *r, struct moment *moments, size_t count)
{
    const struct cpuprofile *s = r->s;
    double now = s->start;
    for (size_t i = 0; i < count; i++) {
        TRY(cancel_step(i, r->err));
        now = s->timestamps_at.is_there ? s->times.at[i] : now + s->times.at[i];
        moments[i] = (struct moment){ now, s->samples.at[i], (uint32_t)i };
    }
    if (!s->negative || !count) return 0;
    return sort_by(moments, count, sizeof *moments, by_time) ? 0 : error_cancelled(r->err);
}

static int64_t nanoseconds(double us) { return us >= 9.2e15 ? INT64_MAX : us <= -9.2e15 ? INT64_MIN : llround(us * 1000); }

/* How long the last sample lasted is not known: DevTools gives it the mean of the others. A single one lasts to the end of the recording, which old files
 * have in seconds. */
static double mean_length(const struct cpuprofile *s, const struct moment *m, size_t count)
{
    if (count > 1) return (m[count - 1].at - m[0].at) / (double)(count - 1);
    return count ? fmax(0, s->stop * (s->timestamps_at.is_there ? 1e6 : 1) - m[0].at) : 0;
}

/* A sample lasts until the next one. */
static int add_samples(struct reader *r, const struct moment *m, size_t count)
{
    bool want_timeline = assay_builder_want(r->b) & ASSAY_WANT_TIMELINE;
    double mean = mean_length(r->s, m, count);
    for (size_t i = 0; i < count; i++) {
        double length = i + 1 < count ? m[i + 1].at - m[i].at : mean;
        assay_value weights[2] = { { .u = 1 }, { .d = length } };
        TRY(cancel_step(i, r->err));
        r->hits[m[i].node]++;
        sums_add(&r->time, m[i].node, weights[1]);
        if (want_timeline) assay_build_event(r->b, (assay_stream_id){ 0 }, nanoseconds(m[i].at), 0, r->nodes[m[i].node], weights);
    }
    return assay_builder_failed(r->b);
}

static int take_samples(struct reader *r)
{
    const struct cpuprofile *s = r->s;
    size_t count = s->times.len < s->samples.len ? s->times.len : s->samples.len;
    SCRATCH(struct moment, moments, r->mem, count + 1);
    if (!moments) return error_memory(r->err);
    if (assay_builder_want(r->b) & ASSAY_WANT_TIMELINE) {
        assay_build_timeline(r->b, r->metrics, r->metric_count);
        assay_build_timeline_stream(r->b, (assay_stream_id){ 0 }, "ns", false);
    }
    TRY(take_moments(r, moments, count));
    return add_samples(r, moments, count);
}

/* Without times samples are counted; without samples the nodes say how many there were. */
static int take_hits(struct reader *r)
{
    const struct cpuprofile *s = r->s;
    for (size_t i = 0; i < s->samples.len; i++) {
        TRY(cancel_step(i, r->err));
        r->hits[s->samples.at[i]]++;
    }
    for (size_t i = 1; i < s->nodes.len && !s->samples.len; i++) {
        TRY(cancel_step(i, r->err));
        r->hits[i] = s->nodes.at[i].count;
    }
    return 0;
}

static void add_value(struct reader *r, size_t node, uint32_t k, assay_value v)
{
    assay_build_value(r->b, (assay_stream_id){ 0 }, r->nodes[node], r->scopes[k], v);
}

/* A time is handed over with what its sum lost to rounding. */
static int build_values(struct reader *r)
{
    for (size_t i = 1; i < r->s->nodes.len; i++) {
        TRY(cancel_step(i, r->err));
        if (!r->hits[i]) continue;
        add_value(r, i, 0, (assay_value){ .u = r->hits[i] });
        if (r->metric_count < 2) continue;
        add_value(r, i, 1, r->time.at[i]);
        if (r->time.error[i] != 0) add_value(r, i, 1, (assay_value){ .d = r->time.error[i] });
    }
    return assay_builder_failed(r->b);
}

/* ---- lines ---- */

static int build_lines(struct reader *r)
{
    if (!(assay_builder_want(r->b) & ASSAY_WANT_LINES)) return 0;
    assay_build_line_metrics(r->b, NULL, 0);
    for (size_t i = 0; i < r->s->ticks.len; i++) {
        const struct cpuprofile_tick *t = &r->s->ticks.at[i];
        struct assay_line at = { .level = ASSAY_LEVEL_LINE, .file = file_of(r, &r->s->funcs.at[r->s->nodes.at[t->node].func]), .line = t->line };
        TRY(cancel_step(i, r->err));
        if (at.file.v && at.line) assay_build_line(r->b, &at, t->count, NULL, NULL);
    }
    return assay_builder_failed(r->b);
}

/* ---- facts ---- */

static void attribute(struct reader *r, const char *key, double v)
{
    char text[48];
    size_t len = v == floor(v) && fabs(v) < 9e15 ? number_put_i64(text, (int64_t)v) : number_put_double(text, v);
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), text, len);
}

static void build_facts(struct reader *r)
{
    const struct cpuprofile *s = r->s;
    assay_build_source(r->b, s->is_heap ? "v8-heapprofile" : "v8-cpuprofile", "", "");
    assay_build_count(r->b, "nodes", s->nodes.len - 1);
    assay_build_count(r->b, "functions", s->funcs.len - 1);
    assay_build_count(r->b, "contexts", r->contexts);
    assay_build_count(r->b, "samples", s->samples.len);
    if (s->is_heap) return;
    assay_build_count(r->b, "hit_count_sum", s->hit_count);
    assay_build_count(r->b, "negative_deltas", s->negative);
    assay_build_count(r->b, "position_ticks", s->tick_count);
    attribute(r, "start", s->start);
    attribute(r, "end", s->stop);
    attribute(r, "delta_sum", s->delta_sum);
}

/* ---- all of it ---- */

static int build_cpu(struct reader *r)
{
    const struct cpuprofile *s = r->s;
    SCRATCH(uint64_t, hits, r->mem, s->nodes.len);
    if (!hits || !sums_init(&r->time, r->mem, ASSAY_F64, s->nodes.len)) return error_memory(r->err);
    r->hits = hits;
    bool has_times = s->samples.len && s->times.len;
    declare(r, "hits", "count", ASSAY_U64);
    if (has_times) {
        declare(r, "time", "microseconds", ASSAY_F64);
        assay_build_metric_default(r->b, r->metrics[1]);
    }
    assay_build_offers(r->b, (has_times ? ASSAY_SHAPE_TIMELINE : 0) | (s->ticks.len ? ASSAY_SHAPE_LINES : 0));
    TRY(build_funcs(r));
    TRY(build_nodes(r));
    TRY(has_times ? take_samples(r) : take_hits(r));
    TRY(build_values(r));
    return build_lines(r);
}

/* Samples of memory have no time, but an order; their sizes do not add up to what was alive in the end. */
static int build_sizes(struct reader *r)
{
    const struct cpuprofile *s = r->s;
    if (!s->samples.len || !(assay_builder_want(r->b) & ASSAY_WANT_TIMELINE)) return 0;
    assay_build_timeline(r->b, r->metrics, 1);
    assay_build_timeline_stream(r->b, (assay_stream_id){ 0 }, "ordinal", false);
    for (size_t i = 0; i < s->samples.len; i++) {
        const struct cpuprofile_size *at = &s->sizes.at[i];
        TRY(cancel_step(i, r->err));
        int64_t ordinal = at->ordinal > INT64_MAX ? INT64_MAX : (int64_t)at->ordinal;
        assay_build_event(r->b, (assay_stream_id){ 0 }, ordinal, 0, r->nodes[s->samples.at[i]], &(assay_value){ .u = at->size });
    }
    return assay_builder_failed(r->b);
}

static int build_heap(struct reader *r)
{
    const struct cpuprofile *s = r->s;
    declare(r, "bytes", "bytes", ASSAY_U64);
    assay_build_metric_kind(r->b, r->metrics[0], ASSAY_METRIC_LEVEL);
    assay_build_offers(r->b, s->samples.len ? ASSAY_SHAPE_TIMELINE : 0);
    TRY(build_funcs(r));
    TRY(build_nodes(r));
    for (size_t i = 1; i < s->nodes.len; i++) {
        TRY(cancel_step(i, r->err));
        if (s->nodes.at[i].count) add_value(r, i, 0, (assay_value){ .u = s->nodes.at[i].count });
    }
    TRY(build_sizes(r));
    uint64_t sizes = 0;
    for (size_t i = 0; i < s->sizes.len && !cancel_at(i); i++) sizes += s->sizes.at[i].size;
    assay_build_count(r->b, "sample_size_sum", sizes);
    return assay_builder_failed(r->b);
}

static int build(const struct read_job *job, const struct cpuprofile *s, assay_builder *b, assay_error *err)
{
    SCRATCH(assay_func_id, funcs, job->mem, s->funcs.len);
    SCRATCH(assay_node_id, nodes, job->mem, s->nodes.len);
    if (!funcs || !nodes) return error_memory(err);
    struct reader r = { .b = b, .s = s, .mem = job->mem, .err = err, .funcs = funcs, .nodes = nodes };
    int rc = s->is_heap ? build_heap(&r) : build_cpu(&r);
    sums_done(&r.time);
    if (rc == 0) build_facts(&r);
    return rc ? rc : assay_builder_failed(b);
}

static int read_file(const struct read_job *job, bool is_heap, assay_builder *b, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    SCOPED(cpuprofile_done) struct cpuprofile s = { .mem = job->mem };
    findings_init(&damage, job->mem);
    assay_builder_has_tree(b);
    TRY(cpuprofile_collect(&s, job, is_heap, &damage, err));
    if (damage.errors && (job->options->strict || !s.is_sound || s.nodes.len < 2)) return findings_refuse(&damage, err);
    TRY(build(job, &s, b, err));
    for (size_t i = 0; i < damage.list.len; i++) assay_build_warning(b, &damage.list.at[i]);
    return 0;
}

int cpuprofile_read(const struct read_job *job, assay_builder *b, assay_error *err) { return read_file(job, false, b, err); }
int heapprofile_read(const struct read_job *job, assay_builder *b, assay_error *err) { return read_file(job, true, b, err); }
