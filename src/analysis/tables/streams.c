/* stream_top: what functions cost in each stream (rank, thread), by metric; spread: how unlike the streams are in that. Figures and statistics are those of `top --by stream` and
 * `top --stats` (analysis/streams). */
#include <math.h>

#include "analysis/core/frames.h"
#include "analysis/streams/stats.h"
#include "analysis/tables/parts.h"
#include "assay/top.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "model/profile.h"

struct stream_row {
    uint32_t k, stream, func;
    assay_value self, total;
};

struct spread_row {
    uint32_t k, func, max_stream;
    struct stream_stat stat;
};

struct streams_metric {
    assay_metric_id metric;
    uint32_t streams; /* that have any cost of it */
};

/* Of either table; each has rows of its own. */
struct streams_data {
    struct mem *mem;
    const assay_profile *p;
    assay_top *top;
    struct stream_groups groups; /* each stream for itself */
    struct stream_rows rows;     /* functions */
    VEC(struct streams_metric) metrics;
    VEC(struct stream_row) costs;
    VEC(struct spread_row) spreads;
};

/* ---- all metrics ---- */

static enum assay_type type_at(const struct streams_data *d, uint32_t k) { return (enum assay_type)d->p->metrics.type[d->metrics.at[k].metric.v]; }

static uint32_t stream_at(const struct streams_data *d, uint32_t group) { return d->groups.stream[d->groups.begin[group]]; }

/* Calls `take` for each metric, which is the last of d->metrics then. Errors: UNSUPPORTED (cost is not known by stream), those of stored values. */
static int walk_metrics(struct streams_data *d, struct arena *arena, int (*take)(struct streams_data *, assay_error *), assay_error *err)
{
    assay_metric_id *metrics = arena_alloc(arena, ((size_t)d->p->metrics.count + 1) * sizeof *metrics);
    if (!metrics) return error_memory(err);
    TRY(assay_top_new(d->p, &d->top, err));
    TRY(stream_groups_init(&d->groups, d->p, STREAM_BY_STREAM, d->mem, err));
    TRY(stream_rows_functions(&d->rows, d->p, d->top, NULL, d->mem, err));
    uint32_t count = d->rows.is_graph ? d->top->metric_count : columns_metrics(d->p, metrics);
    for (uint32_t k = 0; k < count; k++) {
        struct streams_metric *m = vec_push(d->mem, &d->metrics);
        if (!m) return error_memory(err);
        *m = (struct streams_metric){ .metric = d->rows.is_graph ? d->top->metrics[k] : metrics[k] };
        int rc = take(d, err);
        if (rc != 0 && rc != ASSAY_ERR_UNSUPPORTED) return rc; /* one that is not known by function has no rows */
    }
    return 0;
}

static int load(struct tables *t, const struct tables_profile *p, struct tables_cache *cache, int (*take)(struct streams_data *, assay_error *),
                assay_error *err)
{
    struct streams_data *d = cache->data = arena_alloc(&cache->arena, sizeof *d);
    if (!d) return error_memory(err);
    *d = (struct streams_data){ .mem = t->mem, .p = p->p };
    return walk_metrics(d, &cache->arena, take, err);
}

static void drop_data(void *data)
{
    struct streams_data *d = data;
    stream_rows_done(&d->rows);
    stream_groups_done(&d->groups);
    assay_top_free(d->top);
    vec_done(d->mem, &d->metrics, &d->costs, &d->spreads);
}

/* ---- stream_top ---- */

enum { COST_PROFILE, COST_METRIC, COST_STREAM, COST_FUNCTION, COST_KEY, COST_NAME, COST_SOURCE, COST_SELF, COST_TOTAL, COST_COLUMNS };

static const struct tables_column stream_columns[COST_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "metric", TABLES_TEXT, "metric of the figures in this row", "CPUTIME (sec)" },
    { "stream", TABLES_INTEGER, "id in the table stream; 0 = none", "17" },
    { "function", TABLES_INTEGER, "id in the table function", "7" },
    { "key", TABLES_INTEGER, "the same for the same function in other profiles", "4611686018427387905" },
    { "name", TABLES_TEXT, "name of the function", "solve" },
    { "source", TABLES_TEXT, "file that defines it", "src/solve.c" },
    { "self", TABLES_NUMBER, "own cost in this stream; functions that have neither self nor total there have no row", "19" },
    { "total", TABLES_NUMBER, "cost in this stream with everything that it calls; NULL = not known", "40" },
};

static int by_cost(const void *pa, const void *pb, void *arg)
{
    const struct stream_row *a = pa, *b = pb;
    enum assay_type type = *(const enum assay_type *)arg;
    if (type != ASSAY_F64 && a->self.u == b->self.u) return ORDER(a->func, b->func);
    double x = value_double(type, a->self), y = value_double(type, b->self);
    return x > y ? -1 : x < y ? 1 : ORDER(a->func, b->func);
}

static int take_group(void *arg, uint32_t group, const struct stream_figures *f, assay_error *err)
{
    struct streams_data *d = arg;
    size_t count = f->count;
    uint32_t k = (uint32_t)d->metrics.len - 1, stream = stream_at(d, group);
    enum assay_type type = type_at(d, k);
    if (!count) return 0;
    if (!vec_reserve(d->mem, &d->costs, count)) return error_memory(err);
    struct stream_row *to = d->costs.at + d->costs.len;
    for (size_t i = 0; i < count; i++) to[i] = (struct stream_row){ k, stream, d->top->func[f->at[i].row].v, f->at[i].self, f->at[i].total };
    d->costs.len += count;
    return sort_with(to, count, sizeof *to, by_cost, &type) ? 0 : error_cancelled(err);
}

static int take_costs(struct streams_data *d, assay_error *err)
{
    return stream_figures_each(&d->rows, &d->groups, d->metrics.at[d->metrics.len - 1].metric, take_group, d, err);
}

static int stream_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    (void)table;
    return load(t, p, cache, take_costs, err);
}

static uint64_t cost_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)table;
    return data ? ((const struct streams_data *)data)->costs.len : (uint64_t)p->p->funcs.count * p->p->metrics.count * p->p->streams.count;
}

static void stream_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const struct streams_data *d = at->data;
    const struct stream_row *r = &d->costs.at[at->row];
    const struct assay_funcs *f = &d->p->funcs;
    switch (column) {
    case COST_PROFILE: *out = cell_u64(at->p->number); break;
    case COST_METRIC: *out = cell_text(metric_name_of(d->p, d->metrics.at[r->k].metric)); break;
    case COST_STREAM: *out = cell_u64(r->stream); break;
    case COST_FUNCTION: *out = cell_id(r->func); break;
    case COST_KEY: *out = tables_key(at->t, at->p, r->func); break;
    case COST_NAME: *out = cell_name(text_of(d->p, f->name, r->func)); break;
    case COST_SOURCE: *out = cell_text(tables_source(at->t, at->p, f->file ? f->file[r->func].v : 0)); break;
    case COST_SELF: *out = cell_value(type_at(d, r->k), r->self); break;
    default: *out = d->rows.has_totals ? cell_value(type_at(d, r->k), r->total) : cell_null();
    }
}

static const struct tables_ops stream_ops = { .load = stream_load, .drop = drop_data, .rows = cost_rows, .cell = stream_cell };

const struct tables_table tables_stream_top = {
    .name = "stream_top",
    .what = "what each function costs in each stream (rank, thread), by metric, the most expensive of a stream first",
    .example = "select stream, name, self from stream_top where metric = 'Ir' and stream = 1 order by self desc limit 10",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_EITHER,
    .is_wide = true,
    .count = COST_COLUMNS,
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
    { "present", TABLES_INTEGER, "streams that have any cost in the function, or in what it calls", "250" },
    { "sum", TABLES_REAL, "self cost over all streams", "2560" },
    { "min", TABLES_NUMBER, "smallest self cost in those that are present", "7" },
    { "mean", TABLES_REAL, "sum divided by present", "10.24" },
    { "max", TABLES_NUMBER, "largest self cost in a stream", "19" },
    { "stddev", TABLES_REAL, "standard deviation over those that are present (of the population)", "2.5" },
    { "imbalance", TABLES_REAL, "max * streams / sum - 1: 0 = all streams are alike", "0.9" },
    { "lost", TABLES_REAL, "max * streams - sum: what the others wait for the slowest", "2304" },
    { "max_stream", TABLES_INTEGER, "stream with the largest self cost; the first of several", "17" },
};

static int take_spread(struct streams_data *d, assay_error *err)
{
    struct streams_metric *m = &d->metrics.at[d->metrics.len - 1];
    SCOPED(stream_stats_done) struct stream_stats stats = { .mem = NULL };
    TRY(stream_stats_init(&stats, &d->rows, &d->groups, m->metric, d->mem, err));
    m->streams = stats.all;
    for (uint32_t row = 0; row < stats.rows; row++) {
        const struct stream_stat *of = &stats.self[row];
        if (!of->count || (value_is_zero(stats.type, of->min) && value_is_zero(stats.type, of->max))) continue;
        struct spread_row *to = vec_push(d->mem, &d->spreads);
        if (!to) return error_memory(err);
        *to = (struct spread_row){ (uint32_t)d->metrics.len - 1, d->top->func[row].v, of->largest ? stream_at(d, of->largest) : 0, *of };
    }
    return 0;
}

static int spread_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    (void)table;
    return load(t, p, cache, take_spread, err);
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
    enum assay_type type = type_at(d, r->k);
    switch (column) {
    case SPREAD_PROFILE: *out = cell_u64(at->p->number); break;
    case SPREAD_METRIC: *out = cell_text(metric_name_of(d->p, m->metric)); break;
    case SPREAD_FUNCTION: *out = cell_id(r->func); break;
    case SPREAD_KEY: *out = tables_key(at->t, at->p, r->func); break;
    case SPREAD_NAME: *out = cell_name(text_of(d->p, f->name, r->func)); break;
    case SPREAD_SOURCE: *out = cell_text(tables_source(at->t, at->p, f->file ? f->file[r->func].v : 0)); break;
    case SPREAD_STREAMS: *out = cell_u64(m->streams); break;
    case SPREAD_PRESENT: *out = cell_u64(r->stat.count); break;
    case SPREAD_SUM: *out = cell_f64(r->stat.sum); break;
    case SPREAD_MIN: *out = cell_value(type, r->stat.min); break;
    case SPREAD_MEAN: *out = cell_f64(r->stat.mean); break;
    case SPREAD_MAX: *out = cell_value(type, r->stat.max); break;
    case SPREAD_STDDEV: *out = cell_f64(r->stat.deviation); break;
    case SPREAD_IMBALANCE: *out = isnan(r->stat.imbalance) ? cell_null() : cell_f64(r->stat.imbalance); break;
    case SPREAD_LOST: *out = cell_f64(r->stat.lost); break;
    default: *out = cell_id(r->max_stream);
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
