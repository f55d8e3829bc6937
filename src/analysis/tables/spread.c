/* spread: how unlike the streams (ranks, threads) of an input are, by function and metric. Self cost of a stream is what the graph or the tree stores of it; a stream that
 * has none of a function counts as 0. */
#include <math.h>
#include <string.h>

#include "analysis/core/frames.h"
#include "analysis/tables/parts.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/profile.h"

enum {
    SPREAD_PROFILE,
    SPREAD_METRIC,
    SPREAD_FUNCTION,
    SPREAD_KEY,
    SPREAD_NAME,
    SPREAD_SOURCE,
    SPREAD_STREAMS,
    SPREAD_SUM,
    SPREAD_MIN,
    SPREAD_MEAN,
    SPREAD_MAX,
    SPREAD_STDDEV,
    SPREAD_IMBALANCE,
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
    { "sum", TABLES_NUMBER, "self cost over all streams", "2560" },
    { "min", TABLES_NUMBER, "smallest self cost in a stream; 0 where one has none", "7" },
    { "mean", TABLES_REAL, "sum divided by streams", "10" },
    { "max", TABLES_NUMBER, "largest self cost in a stream", "19" },
    { "stddev", TABLES_REAL, "standard deviation over all streams (of the population)", "2.5" },
    { "imbalance", TABLES_REAL, "max divided by mean: 1 = all streams are alike", "1.9" },
    { "max_stream", TABLES_INTEGER, "stream with the largest self cost; the first of several", "17" },
};

struct spread_row {
    uint32_t func, k;
    uint32_t seen; /* streams that have some */
    uint32_t max_stream;
    assay_value min, max, sum;
    double mean, squares; /* Welford's running mean and sum of squared distances, over the streams seen */
};

struct spread_metric {
    assay_metric_id metric;
    uint32_t streams;
};

struct spread_data {
    struct mem *mem;
    const assay_profile *p;
    VEC(struct spread_metric) metrics;
    VEC(struct spread_row) rows;
};

/* What is summed up of one metric: the cost of each function in the stream at hand, and the row that it has. */
struct spreading {
    struct spread_data *d;
    const struct frames *frames; /* of a tree */
    enum assay_type type;
    struct sums here; /* by function */
    uint32_t *row;    /* by function: number + 1 */
    VEC(uint32_t) touched;
    bool *is_touched;
    struct sums whole; /* by row of the metric, from `first` on */
    size_t first;
};

static double as_double(enum assay_type type, assay_value v) { return type == ASSAY_F64 ? v.d : type == ASSAY_I64 ? (double)v.i : (double)v.u; }

static bool is_less(enum assay_type type, assay_value a, assay_value b) { return type == ASSAY_F64 ? a.d < b.d : type == ASSAY_I64 ? a.i < b.i : a.u < b.u; }

static int touch(struct spreading *s, uint32_t func, assay_value v)
{
    if (!s->is_touched[func]) {
        uint32_t *to = vec_push(s->d->mem, &s->touched);
        if (!to) return ASSAY_ERR_MEMORY;
        *to = func;
        s->is_touched[func] = true;
    }
    sums_add(&s->here, func, v);
    return 0;
}

static struct spread_row *row_of(struct spreading *s, uint32_t func, uint32_t stream, assay_value v)
{
    if (s->row[func]) return &s->d->rows.at[s->row[func] - 1];
    struct spread_row *r = vec_push(s->d->mem, &s->d->rows);
    if (!r) return NULL;
    *r = (struct spread_row){ .func = func, .k = (uint32_t)s->d->metrics.len - 1, .min = v, .max = v, .max_stream = stream };
    s->row[func] = (uint32_t)s->d->rows.len;
    return r;
}

/* The stream is complete: what it has goes into the rows. */
static int end_stream(struct spreading *s, uint32_t stream, assay_error *err)
{
    if (s->touched.len) s->d->metrics.at[s->d->metrics.len - 1].streams++;
    for (size_t i = 0; i < s->touched.len; i++) {
        uint32_t func = s->touched.at[i];
        assay_value v = sums_value(&s->here, func);
        struct spread_row *r = row_of(s, func, stream, v);
        if (!r) return error_memory(err);
        if (is_less(s->type, v, r->min)) r->min = v;
        if (is_less(s->type, r->max, v)) {
            r->max = v;
            r->max_stream = stream;
        }
        double x = as_double(s->type, v), off = x - r->mean;
        r->mean += off / ++r->seen;
        r->squares += off * (x - r->mean);
        sums_add(&s->whole, func, v);
        sums_set_zero(&s->here, func);
        s->is_touched[func] = false;
    }
    s->touched.len = 0;
    return 0;
}

/* ---- where the cost comes from ---- */

static int add_cell(void *arg, const assay_cell *cell)
{
    struct spreading *s = arg;
    uint32_t func = cell->node ? frames_func(s->frames, s->frames->owner[cell->node]) : 0;
    return func ? touch(s, func, cell->value) : 0;
}

static int add_tree(struct spreading *s, assay_error *err)
{
    const assay_profile *p = s->d->p;
    struct columns c = columns_of(p, s->d->metrics.at[s->d->metrics.len - 1].metric);
    assay_scope_id scope = c.point.v ? c.point : c.function;
    for (uint32_t stream = 0; scope.v && stream <= p->streams.count; stream++) {
        int rc = assay_tree_column(p, (assay_stream_id){ stream }, scope, add_cell, s, err);
        if (rc != 0) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
        TRY(end_stream(s, stream, err));
    }
    return 0;
}

/* Rows of the graph are in the order of first use: streams may be mixed, so each takes a look at all. */
static int add_graph(struct spreading *s, uint32_t k, assay_error *err)
{
    const assay_profile *p = s->d->p;
    const struct assay_graph *g = &p->graph;
    for (uint32_t stream = 0; stream <= p->streams.count; stream++) {
        for (uint32_t i = 0; i < g->sum_count; i++) {
            TRY(cancel_step(i, err));
            if ((g->sum_stream ? g->sum_stream[i].v : 0) != stream) continue;
            assay_value v = g->sum_self[(size_t)i * g->block.metric_count + k];
            if (v.u && touch(s, g->sum_func[i].v, v) != 0) return error_memory(err); /* as a tree has none of zero */
        }
        TRY(end_stream(s, stream, err));
    }
    return 0;
}

/* ---- one metric after the other ---- */

/* Over the streams that have none, too. */
static void settle(struct spreading *s)
{
    struct spread_data *d = s->d;
    double streams = d->metrics.at[d->metrics.len - 1].streams;
    for (size_t i = s->first; i < d->rows.len; i++) {
        struct spread_row *r = &d->rows.at[i];
        double missing = streams - r->seen;
        r->sum = sums_value(&s->whole, r->func);
        /* as if the others had come with 0: parallel sums of squares */
        r->squares += r->mean * r->mean * r->seen * missing / streams;
        r->mean = as_double(s->type, r->sum) / streams;
        assay_value zero = { 0 };
        if (missing > 0 && is_less(s->type, zero, r->min)) r->min = zero;
        if (missing > 0 && is_less(s->type, r->max, zero)) r->max = zero;
    }
}

static int spread_metric(struct spread_data *d, const struct frames *frames, assay_metric_id metric, uint32_t k, assay_error *err)
{
    size_t funcs = (size_t)d->p->funcs.count + 1;
    struct spreading s = { .d = d, .frames = frames, .type = (enum assay_type)d->p->metrics.type[metric.v], .first = d->rows.len };
    struct spread_metric *m = vec_push(d->mem, &d->metrics);
    if (!m) return error_memory(err);
    *m = (struct spread_metric){ .metric = metric };
    bool has_sums = sums_init(&s.here, d->mem, s.type, funcs), has_whole = sums_init(&s.whole, d->mem, s.type, funcs);
    s.row = mem_zalloc(d->mem, funcs, sizeof *s.row);
    s.is_touched = mem_zalloc(d->mem, funcs, sizeof *s.is_touched);
    int rc = !has_sums || !has_whole || !s.row || !s.is_touched ? error_memory(err) : frames ? add_tree(&s, err) : add_graph(&s, k, err);
    if (rc == 0) settle(&s);
    sums_done(&s.here);
    sums_done(&s.whole);
    mem_free(d->mem, s.row, s.row ? funcs * sizeof *s.row : 0);
    mem_free(d->mem, s.is_touched, s.is_touched ? funcs * sizeof *s.is_touched : 0);
    vec_done(d->mem, &s.touched);
    return rc;
}

static int spread_tree(struct spread_data *d, struct arena *arena, assay_error *err)
{
    struct frames frames;
    assay_metric_id *metrics = arena_alloc(arena, ((size_t)d->p->metrics.count + 1) * sizeof *metrics);
    if (!metrics) return error_memory(err);
    uint32_t count = columns_metrics(d->p, metrics);
    int rc = frames_init(&frames, &d->p->tree, d->mem, err);
    for (uint32_t k = 0; rc == 0 && k < count; k++) rc = spread_metric(d, &frames, metrics[k], k, err);
    frames_done(&frames);
    return rc;
}

static int spread_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    struct spread_data *d = arena_alloc(&cache->arena, sizeof *d);
    (void)table;
    if (!d) return error_memory(err);
    *d = (struct spread_data){ .mem = t->mem, .p = p->p };
    cache->data = d;
    if (p->p->graph.sum_count && p->p->graph.sum_stream) {
        for (uint32_t k = 0; k < p->p->graph.block.metric_count; k++) TRY(spread_metric(d, NULL, p->p->graph.block.metrics[k], k, err));
        return 0;
    }
    return p->p->tree.count && p->p->streams.count ? spread_tree(d, &cache->arena, err) : ASSAY_ERR_UNSUPPORTED;
}

static void spread_drop(void *data)
{
    struct spread_data *d = data;
    vec_done(d->mem, &d->metrics);
    vec_done(d->mem, &d->rows);
}

static uint64_t spread_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)table;
    return data ? ((const struct spread_data *)data)->rows.len : (uint64_t)p->p->funcs.count * p->p->metrics.count;
}

static void spread_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const struct spread_data *d = at->data;
    const struct spread_row *r = &d->rows.at[at->row];
    const struct spread_metric *m = &d->metrics.at[r->k];
    const struct assay_funcs *f = &d->p->funcs;
    enum assay_type type = (enum assay_type)d->p->metrics.type[m->metric.v];
    switch (column) {
    case SPREAD_PROFILE: *out = cell_u64(at->p->number); break;
    case SPREAD_METRIC: *out = cell_text(metric_name_of(d->p, m->metric)); break;
    case SPREAD_FUNCTION: *out = cell_id(r->func); break;
    case SPREAD_KEY: *out = tables_key(at->t, at->p, r->func); break;
    case SPREAD_NAME: *out = cell_name(text_of(d->p, f->name, r->func)); break;
    case SPREAD_SOURCE: *out = cell_text(tables_source(at->t, at->p, f->file ? f->file[r->func].v : 0)); break;
    case SPREAD_STREAMS: *out = cell_u64(m->streams); break;
    case SPREAD_SUM: *out = cell_value(type, r->sum); break;
    case SPREAD_MIN: *out = cell_value(type, r->min); break;
    case SPREAD_MEAN: *out = cell_f64(r->mean); break;
    case SPREAD_MAX: *out = cell_value(type, r->max); break;
    case SPREAD_STDDEV: *out = cell_f64(sqrt(r->squares > 0 ? r->squares / m->streams : 0)); break;
    case SPREAD_IMBALANCE: *out = r->mean != 0 ? cell_f64(as_double(type, r->max) / r->mean) : cell_null(); break;
    default: *out = cell_u64(r->max_stream);
    }
}

static const struct tables_ops spread_ops = { .load = spread_load, .drop = spread_drop, .rows = spread_rows, .cell = spread_cell };

const struct tables_table tables_spread = {
    .name = "spread",
    .what = "how unlike the streams (ranks, threads) are in what they spend in a function, by metric",
    .example = "select name, imbalance, max_stream from spread where metric = 'CPUTIME (sec)' order by max - mean desc limit 10",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_EITHER,
    .count = SPREAD_COLUMNS,
    .columns = spread_columns,
    .ops = &spread_ops,
};
