/* stream_top: what functions cost in each stream (rank, thread), by metric; spread: how unlike the streams are in that. Self cost of a stream is what the graph or the tree
 * stores of it, by the rules of `top`; a stream that has none of a function counts as 0. */
#include <math.h>
#include <string.h>

#include "analysis/core/frames.h"
#include "analysis/streams/spread.h"
#include "analysis/tables/parts.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"
#include "model/profile.h"

/* ---- one stream after the other ---- */

struct stream_cost {
    uint32_t func;
    assay_value self;
};

/* The functions that a stream has cost in, in no order; none is a stream without any. Not 0: stop. */
typedef int streams_fn(void *arg, uint32_t stream, const struct stream_cost *at, size_t count, assay_error *err);

/* What is summed up of one metric in the stream at hand. */
struct streaming {
    struct mem *mem;
    const assay_profile *p;
    const struct frames *frames; /* of a tree; NULL = of the graph */
    bool is_whole;               /* the values of a tree are those of functions as wholes: only function nodes count */
    struct sums here;            /* by function */
    bool *is_touched;
    VEC(struct stream_cost) touched;
    streams_fn *fn;
    void *arg;
};

static int touch(struct streaming *s, uint32_t func, assay_value v)
{
    if (!s->is_touched[func]) {
        struct stream_cost *to = vec_push(s->mem, &s->touched);
        if (!to) return ASSAY_ERR_MEMORY;
        to->func = func;
        s->is_touched[func] = true;
    }
    sums_add(&s->here, func, v);
    return 0;
}

static int end_stream(struct streaming *s, uint32_t stream, assay_error *err)
{
    for (size_t i = 0; i < s->touched.len; i++) {
        struct stream_cost *c = &s->touched.at[i];
        c->self = sums_value(&s->here, c->func);
        sums_set_zero(&s->here, c->func);
        s->is_touched[c->func] = false;
    }
    TRY(s->fn(s->arg, stream, s->touched.at, s->touched.len, err));
    s->touched.len = 0;
    return 0;
}

static int add_cell(void *arg, const assay_cell *cell)
{
    struct streaming *s = arg;
    uint32_t owner = cell->node < s->frames->len ? s->frames->owner[cell->node] : 0, func = frames_func(s->frames, owner);
    return func && (!s->is_whole || owner == cell->node) ? touch(s, func, cell->value) : 0;
}

static int walk_tree(struct streaming *s, assay_metric_id metric, assay_error *err)
{
    struct columns c = columns_of(s->p, metric);
    assay_scope_id scope = c.function.v ? c.function : c.point;
    s->is_whole = c.function.v != 0;
    for (uint32_t stream = 0; scope.v && stream <= s->p->streams.count; stream++) {
        int rc = assay_tree_column(s->p, (assay_stream_id){ stream }, scope, add_cell, s, err);
        if (rc != 0) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
        TRY(end_stream(s, stream, err));
    }
    return 0;
}

/* Rows of the graph are in the order of first use: streams may be mixed, so each takes a look at all. */
static int walk_graph(struct streaming *s, uint32_t k, assay_error *err)
{
    const struct assay_graph *g = &s->p->graph;
    for (uint32_t stream = 0; stream <= s->p->streams.count; stream++) {
        for (uint32_t i = 0; i < g->sum_count; i++) {
            TRY(cancel_step(i, err));
            if (g->sum_stream[i].v != stream || (g->sum_begin && k >= g->sum_len[i])) continue;
            assay_value v = g->sum_self[g->sum_begin ? g->sum_begin[i] + k : (size_t)i * g->block.metric_count + k];
            if (v.u && touch(s, g->sum_func[i].v, v) != 0) return error_memory(err); /* as a tree has none of zero */
        }
        TRY(end_stream(s, stream, err));
    }
    return 0;
}

static int walk_metric(struct streaming *s, assay_metric_id metric, uint32_t k, assay_error *err)
{
    size_t funcs = (size_t)s->p->funcs.count + 1;
    bool has_sums = sums_init(&s->here, s->mem, (enum assay_type)s->p->metrics.type[metric.v], funcs);
    s->is_touched = mem_zalloc(s->mem, funcs, sizeof *s->is_touched);
    int rc = !has_sums || !s->is_touched ? error_memory(err) : s->frames ? walk_tree(s, metric, err) : walk_graph(s, k, err);
    sums_done(&s->here);
    mem_free(s->mem, s->is_touched, s->is_touched ? funcs * sizeof *s->is_touched : 0);
    vec_done(s->mem, &s->touched);
    return rc;
}

/* ---- all metrics ---- */

struct streams_metric {
    assay_metric_id metric;
    uint32_t streams; /* that have any cost of it */
};

struct stream_row {
    uint32_t k, stream, func;
    assay_value self;
};

struct spread_row {
    uint32_t k, func;
    assay_value sum;
    struct stream_even even;
};

/* Of either table; each has rows of its own. */
struct streams_data {
    struct mem *mem;
    const assay_profile *p;
    VEC(struct streams_metric) metrics;
    VEC(struct stream_row) rows;
    VEC(struct spread_row) spreads;
    uint32_t *spread_of; /* by function, while the metric is gone through: number + 1 */
    struct sums whole;
};

static struct streams_metric *metric_at_hand(struct streams_data *d) { return &d->metrics.at[d->metrics.len - 1]; }

static enum assay_type type_at(const struct streams_data *d, uint32_t k) { return (enum assay_type)d->p->metrics.type[d->metrics.at[k].metric.v]; }

/* One metric after the other, with `begin` before and `end` after each; both may be NULL. Errors: UNSUPPORTED (cost is not known by stream), those of stored values. */
static int walk_all(struct streams_data *d, struct arena *arena, streams_fn *fn, int (*begin)(struct streams_data *, assay_error *),
                    void (*end)(struct streams_data *), assay_error *err)
{
    const assay_profile *p = d->p;
    struct frames frames = { 0 };
    assay_metric_id *metrics = arena_alloc(arena, ((size_t)p->metrics.count + 1) * sizeof *metrics);
    bool is_graph = p->graph.sum_count && p->graph.sum_stream;
    if (!metrics) return error_memory(err);
    if (!is_graph && (!p->tree.count || !p->streams.count)) return ASSAY_ERR_UNSUPPORTED;
    uint32_t count = is_graph ? p->graph.block.metric_count : columns_metrics(p, metrics);
    int rc = is_graph ? 0 : frames_init(&frames, &p->tree, d->mem, err);
    for (uint32_t k = 0; rc == 0 && k < count; k++) {
        struct streaming s = { .mem = d->mem, .p = p, .frames = is_graph ? NULL : &frames, .fn = fn, .arg = d };
        struct streams_metric *m = vec_push(d->mem, &d->metrics);
        rc = m ? 0 : error_memory(err);
        if (rc == 0) *m = (struct streams_metric){ .metric = is_graph ? p->graph.block.metrics[k] : metrics[k] };
        if (rc == 0 && begin) rc = begin(d, err);
        if (rc == 0) rc = walk_metric(&s, m->metric, k, err);
        if (rc == 0 && end) end(d);
    }
    frames_done(&frames);
    return rc;
}

static struct streams_data *new_data(struct tables *t, const struct tables_profile *p, struct tables_cache *cache)
{
    struct streams_data *d = cache->data = arena_alloc(&cache->arena, sizeof *d);
    if (d) *d = (struct streams_data){ .mem = t->mem, .p = p->p };
    return d;
}

static void drop_data(void *data)
{
    struct streams_data *d = data;
    mem_free(d->mem, d->spread_of, d->spread_of ? ((size_t)d->p->funcs.count + 1) * sizeof *d->spread_of : 0);
    if (d->whole.mem) sums_done(&d->whole);
    vec_done(d->mem, &d->metrics, &d->rows, &d->spreads);
}

/* ---- stream_top ---- */

enum { STREAM_PROFILE, STREAM_METRIC, STREAM_STREAM, STREAM_FUNCTION, STREAM_KEY, STREAM_NAME, STREAM_SOURCE, STREAM_SELF, STREAM_COLUMNS };

static const struct tables_column stream_columns[STREAM_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "metric", TABLES_TEXT, "metric of the figures in this row", "CPUTIME (sec)" },
    { "stream", TABLES_INTEGER, "id in the table stream; 0 = none", "17" },
    { "function", TABLES_INTEGER, "id in the table function", "7" },
    { "key", TABLES_INTEGER, "the same for the same function in other profiles", "4611686018427387905" },
    { "name", TABLES_TEXT, "name of the function", "solve" },
    { "source", TABLES_TEXT, "file that defines it", "src/solve.c" },
    { "self", TABLES_NUMBER, "own cost in this stream; functions that have none have no row", "19" },
};

static int by_cost(const void *pa, const void *pb, void *arg)
{
    const struct stream_row *a = pa, *b = pb;
    enum assay_type type = *(const enum assay_type *)arg;
    if (type != ASSAY_F64 && a->self.u == b->self.u) return ORDER(a->func, b->func);
    double x = value_double(type, a->self), y = value_double(type, b->self);
    return x > y ? -1 : x < y ? 1 : ORDER(a->func, b->func);
}

static int take_stream(void *arg, uint32_t stream, const struct stream_cost *at, size_t count, assay_error *err)
{
    struct streams_data *d = arg;
    uint32_t k = (uint32_t)d->metrics.len - 1;
    enum assay_type type = type_at(d, k);
    if (!count) return 0;
    if (!vec_reserve(d->mem, &d->rows, count)) return error_memory(err);
    struct stream_row *to = d->rows.at + d->rows.len;
    for (size_t i = 0; i < count; i++) to[i] = (struct stream_row){ k, stream, at[i].func, at[i].self };
    d->rows.len += count;
    return sort_with(to, count, sizeof *to, by_cost, &type) ? 0 : error_cancelled(err);
}

static int stream_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    struct streams_data *d = new_data(t, p, cache);
    (void)table;
    return d ? walk_all(d, &cache->arena, take_stream, NULL, NULL, err) : error_memory(err);
}

static uint64_t stream_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)table;
    return data ? ((const struct streams_data *)data)->rows.len : (uint64_t)p->p->funcs.count * p->p->metrics.count * p->p->streams.count;
}

static void stream_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const struct streams_data *d = at->data;
    const struct stream_row *r = &d->rows.at[at->row];
    const struct assay_funcs *f = &d->p->funcs;
    switch (column) {
    case STREAM_PROFILE: *out = cell_u64(at->p->number); break;
    case STREAM_METRIC: *out = cell_text(metric_name_of(d->p, d->metrics.at[r->k].metric)); break;
    case STREAM_STREAM: *out = cell_u64(r->stream); break;
    case STREAM_FUNCTION: *out = cell_id(r->func); break;
    case STREAM_KEY: *out = tables_key(at->t, at->p, r->func); break;
    case STREAM_NAME: *out = cell_name(text_of(d->p, f->name, r->func)); break;
    case STREAM_SOURCE: *out = cell_text(tables_source(at->t, at->p, f->file ? f->file[r->func].v : 0)); break;
    default: *out = cell_value(type_at(d, r->k), r->self);
    }
}

static const struct tables_ops stream_ops = { .load = stream_load, .drop = drop_data, .rows = stream_rows, .cell = stream_cell };

const struct tables_table tables_stream_top = {
    .name = "stream_top",
    .what = "what each function costs in each stream (rank, thread), by metric, the most expensive of a stream first",
    .example = "select stream, name, self from stream_top where metric = 'Ir' and stream = 1 order by self desc limit 10",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_EITHER,
    .is_wide = true,
    .count = STREAM_COLUMNS,
    .columns = stream_columns,
    .ops = &stream_ops,
};

/* ---- spread ---- */

enum {
    SPREAD_PROFILE,
    SPREAD_METRIC,
    SPREAD_FUNCTION,
    SPREAD_KEY,
    SPREAD_NAME,
    SPREAD_SOURCE,
    SPREAD_STREAMS,
    SPREAD_PRESENT,
    SPREAD_SUM,
    SPREAD_MIN,
    SPREAD_MEAN,
    SPREAD_MAX,
    SPREAD_STDDEV,
    SPREAD_IMBALANCE,
    SPREAD_LOST,
    SPREAD_MAX_STREAM,
    SPREAD_COLUMNS
};

static const struct tables_column spread_columns[SPREAD_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "metric", TABLES_TEXT, "metric of the figures in this row", "CPUTIME (sec)" },
    { "function", TABLES_INTEGER, "id in the table function", "7" },
    { "key", TABLES_INTEGER, "the same for the same function in other profiles", "4611686018427387905" },
    { "name", TABLES_TEXT, "name of the function", "solve" },
    { "source", TABLES_TEXT, "file that defines it", "src/solve.c" },
    { "streams", TABLES_INTEGER, "streams in which the metric was measured", "256" },
    { "present", TABLES_INTEGER, "streams that have any cost in the function", "250" },
    { "sum", TABLES_NUMBER, "self cost over all streams", "2560" },
    { "min", TABLES_NUMBER, "smallest self cost in a stream; 0 where one has none", "7" },
    { "mean", TABLES_REAL, "sum divided by streams", "10" },
    { "max", TABLES_NUMBER, "largest self cost in a stream", "19" },
    { "stddev", TABLES_REAL, "standard deviation over all streams (of the population)", "2.5" },
    { "imbalance", TABLES_REAL, "max divided by mean, less 1: 0 = all streams are alike", "0.9" },
    { "lost", TABLES_REAL, "(max - mean) * streams: what the others wait for the slowest", "2304" },
    { "max_stream", TABLES_INTEGER, "stream with the largest self cost; the first of several", "17" },
};

static int begin_spread(struct streams_data *d, assay_error *err)
{
    size_t funcs = (size_t)d->p->funcs.count + 1;
    if (!d->spread_of) d->spread_of = mem_zalloc(d->mem, funcs, sizeof *d->spread_of);
    if (d->whole.mem) sums_done(&d->whole);
    return sums_init(&d->whole, d->mem, type_at(d, (uint32_t)d->metrics.len - 1), funcs) && d->spread_of ? 0 : error_memory(err);
}

static struct spread_row *spread_at(struct streams_data *d, uint32_t func)
{
    uint32_t k = (uint32_t)d->metrics.len - 1;
    if (d->spread_of[func]) return &d->spreads.at[d->spread_of[func] - 1];
    struct spread_row *r = vec_push(d->mem, &d->spreads);
    if (!r) return NULL;
    *r = (struct spread_row){ .k = k, .func = func, .even = { .type = type_at(d, k) } };
    d->spread_of[func] = (uint32_t)d->spreads.len;
    return r;
}

static int take_spread(void *arg, uint32_t stream, const struct stream_cost *at, size_t count, assay_error *err)
{
    struct streams_data *d = arg;
    metric_at_hand(d)->streams += count > 0;
    for (size_t i = 0; i < count; i++) {
        struct spread_row *r = spread_at(d, at[i].func);
        if (!r) return error_memory(err);
        stream_even_add(&r->even, stream, at[i].self);
        sums_add(&d->whole, at[i].func, at[i].self);
    }
    return 0;
}

/* The rows of the metric are those at the end. */
static void end_spread(struct streams_data *d)
{
    uint32_t k = (uint32_t)d->metrics.len - 1;
    for (size_t i = d->spreads.len; i > 0 && d->spreads.at[i - 1].k == k; i--) {
        struct spread_row *r = &d->spreads.at[i - 1];
        r->sum = sums_value(&d->whole, r->func);
        stream_even_settle(&r->even, r->sum, metric_at_hand(d)->streams);
        d->spread_of[r->func] = 0;
    }
}

static int spread_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    struct streams_data *d = new_data(t, p, cache);
    (void)table;
    return d ? walk_all(d, &cache->arena, take_spread, begin_spread, end_spread, err) : error_memory(err);
}

static uint64_t spread_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)table;
    return data ? ((const struct streams_data *)data)->spreads.len : (uint64_t)p->p->funcs.count * p->p->metrics.count;
}

static void spread_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const struct streams_data *d = at->data;
    const struct spread_row *r = &d->spreads.at[at->row];
    const struct streams_metric *m = &d->metrics.at[r->k];
    const struct assay_funcs *f = &d->p->funcs;
    enum assay_type type = r->even.type;
    switch (column) {
    case SPREAD_PROFILE: *out = cell_u64(at->p->number); break;
    case SPREAD_METRIC: *out = cell_text(metric_name_of(d->p, m->metric)); break;
    case SPREAD_FUNCTION: *out = cell_id(r->func); break;
    case SPREAD_KEY: *out = tables_key(at->t, at->p, r->func); break;
    case SPREAD_NAME: *out = cell_name(text_of(d->p, f->name, r->func)); break;
    case SPREAD_SOURCE: *out = cell_text(tables_source(at->t, at->p, f->file ? f->file[r->func].v : 0)); break;
    case SPREAD_STREAMS: *out = cell_u64(m->streams); break;
    case SPREAD_PRESENT: *out = cell_u64(r->even.present); break;
    case SPREAD_SUM: *out = cell_value(type, r->sum); break;
    case SPREAD_MIN: *out = cell_value(type, r->even.least); break;
    case SPREAD_MEAN: *out = cell_f64(r->even.mean); break;
    case SPREAD_MAX: *out = cell_value(type, r->even.most); break;
    case SPREAD_STDDEV: *out = cell_f64(r->even.deviation); break;
    case SPREAD_IMBALANCE: *out = isnan(r->even.imbalance) ? cell_null() : cell_f64(r->even.imbalance); break;
    case SPREAD_LOST: *out = cell_f64(r->even.lost); break;
    default: *out = cell_u64(r->even.largest);
    }
}

static const struct tables_ops spread_ops = { .load = spread_load, .drop = drop_data, .rows = spread_rows, .cell = spread_cell };

const struct tables_table tables_spread = {
    .name = "spread",
    .what = "how unlike the streams (ranks, threads) are in what they spend in a function, by metric",
    .example = "select name, imbalance, lost, max_stream from spread where metric = 'CPUTIME (sec)' order by lost desc limit 10",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_EITHER,
    .count = SPREAD_COLUMNS,
    .columns = spread_columns,
    .ops = &spread_ops,
};
