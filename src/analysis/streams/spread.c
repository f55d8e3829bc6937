/* How cost is spread over the streams; see spread.h. */
#include "analysis/streams/spread.h"

#include <math.h>

#include "analysis/core/frames.h"
#include "analysis/streams/stats.h"
#include "analysis/streams/totals.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"

/* ---- trees ---- */

enum { IN_SELF = 1, IN_TOTAL = 2, IS_OUTERMOST = 4, IS_FRAME = 8 };

struct walk {
    struct stream_spread *to;
    const uint8_t *marks;
    uint32_t stream;
    uint8_t self, total; /* a node adds to a sum that has all these marks of it; 0 = to none */
};

static int add_cell(void *arg, const assay_cell *cell)
{
    struct walk *w = arg;
    uint8_t marks = w->marks[cell->node];
    if (w->self && (marks & w->self) == w->self) sums_add(&w->to->self, w->stream, cell->value);
    if (w->total && (marks & w->total) == w->total) sums_add(&w->to->total, w->stream, cell->value);
    return 0;
}

/* By node: whether it belongs to the function, and whether it is below one of its nodes. */
static int mark_nodes(const assay_profile *p, uint32_t func, uint8_t *marks, struct mem *mem, assay_error *err)
{
    struct frames f;
    const struct assay_tree *t = assay_profile_tree(p);
    int rc = frames_init(&f, t, mem, err);
    for (uint32_t node = 1; rc == 0 && node <= t->count; node++) {
        rc = cancel_step(node, err);
        uint32_t owner = f.owner[node], above = t->parent[node].v;
        bool is_its = !func || (owner && frames_func(&f, owner) == func), is_below = above && marks[above] & IN_TOTAL;
        marks[node] = (uint8_t)((is_its ? IN_SELF : 0) | (is_its || is_below ? IN_TOTAL : 0) | (owner == node ? IS_FRAME : 0) |
                                (is_its && !is_below && (func ? owner == node : !above) ? IS_OUTERMOST : 0));
    }
    frames_done(&f);
    return rc;
}

/* What is stored of whole functions and of all below, as in the table of functions: the cost of single nodes may stand at contexts without a place. Of everything it is the cost of
 * single nodes that counts, wherever they are. */
static int add_tree(struct stream_spread *s, const assay_profile *p, assay_metric_id metric, uint32_t func, const uint8_t *marks, assay_error *err)
{
    struct columns c = columns_of(p, metric);
    bool has_function = c.function.v && (func || !c.point.v), has_execution = c.execution.v && (func || !c.point.v);
    assay_scope_id own = has_function ? c.function : c.point;
    for (uint32_t i = 0; i < s->len; i++) {
        struct walk w = { .to = s, .marks = marks, .stream = i };
        w.self = has_function ? IN_SELF | IS_FRAME : IN_SELF;
        w.total = has_execution ? 0 : has_function ? IN_TOTAL | IS_FRAME : IN_TOTAL;
        if (own.v) TRY(assay_tree_column(p, (assay_stream_id){ i }, own, add_cell, &w, err));
        w.self = 0;
        w.total = IS_OUTERMOST;
        if (has_execution) TRY(assay_tree_column(p, (assay_stream_id){ i }, c.execution, add_cell, &w, err));
    }
    return 0;
}

static int spread_tree(struct stream_spread *s, const assay_profile *p, assay_metric_id metric, uint32_t func, assay_error *err)
{
    size_t len = (size_t)assay_profile_tree(p)->count + 1;
    uint8_t *marks = mem_zalloc(s->mem, len, 1);
    int rc = marks ? mark_nodes(p, func, marks, s->mem, err) : error_memory(err);
    if (rc == 0) rc = add_tree(s, p, metric, func, marks, err);
    mem_free(s->mem, marks, marks ? len : 0);
    s->has_total = true;
    return rc;
}

/* ---- graphs ---- */

static int spread_graph(struct stream_spread *s, const assay_profile *p, assay_metric_id metric, uint32_t func, assay_error *err)
{
    const struct assay_graph *g = assay_profile_graph(p);
    uint32_t k = 0, width = g->block.metric_count;
    while (k < width && g->block.metrics[k].v != metric.v) k++;
    if (k == width) FAIL(err, ASSAY_ERR_UNSUPPORTED, "this metric is not known by function");
    for (uint32_t i = 0; i < g->sum_count; i++) {
        TRY(cancel_step(i, err));
        uint32_t stream = g->sum_stream ? g->sum_stream[i].v : 0;
        if (g->sum_self && (!func || g->sum_func[i].v == func)) sums_add(&s->self, stream, g->sum_self[(size_t)i * width + k]);
    }
    return 0;
}

/* ---- one function ---- */

/* Streams in which the metric was measured: those of the others wait for nobody. */
static int count_measured(const assay_profile *p, assay_metric_id metric, struct mem *mem, uint32_t *out, assay_error *err)
{
    SCOPED(stream_totals_done) struct stream_totals t = { 0 };
    TRY(stream_totals_init(&t, p, metric, mem, err));
    *out = 0;
    for (size_t i = 1; t.is_known && i < t.len; i++)
        *out += t.type == ASSAY_F64 ? !value_is_zero(t.type, sums_value(&t.real, i)) : t.whole[i].low || t.whole[i].high;
    return 0;
}

/* Over all streams, those that have none included. */
static int describe(struct stream_spread *s, uint32_t measured, assay_error *err)
{
    const struct sums *of = s->has_total ? &s->total : &s->self;
    double squares = 0, n = (double)(s->len - 1);
    SCOPED(sums_done) struct sums whole = { 0 };
    if (!sums_init(&whole, s->mem, s->type, 1)) return error_memory(err);
    for (uint32_t i = 1; i < s->len; i++) {
        double v = value_double(s->type, sums_value(of, i));
        if (!s->smallest || v < s->least) {
            s->smallest = i;
            s->least = v;
        }
        if (!s->largest || v > s->most) {
            s->largest = i;
            s->most = v;
        }
        sums_add_sum(&whole, 0, of, i);
    }
    s->mean = value_double(s->type, sums_value(&whole, 0)) / n;
    for (uint32_t i = 1; i < s->len; i++) {
        double d = value_double(s->type, sums_value(of, i)) - s->mean;
        squares += d * d;
    }
    s->deviation = sqrt(squares / n);
    s->imbalance = stream_imbalance(s->most, value_double(s->type, sums_value(&whole, 0)), measured);
    return 0;
}

int stream_spread_init(struct stream_spread *s, const assay_profile *p, assay_metric_id metric, assay_func_id func, struct mem *mem, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    uint32_t count = assay_profile_streams(p)->count;
    *s = (struct stream_spread){ .mem = mem, .len = (size_t)count + 1, .type = m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64 };
    if (!count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "does not tell threads, processes or parts apart");
    if (func.v > assay_profile_funcs(p)->count) FAIL(err, ASSAY_ERR_USAGE, "there is no function %u", func.v);
    if (!sums_init(&s->self, mem, s->type, s->len) || !sums_init(&s->total, mem, s->type, s->len)) return error_memory(err);
    if (assay_profile_tree(p)->count)
        TRY(spread_tree(s, p, metric, func.v, err));
    else
        TRY(spread_graph(s, p, metric, func.v, err));
    uint32_t measured;
    TRY(count_measured(p, metric, mem, &measured, err));
    return describe(s, measured, err);
}

void stream_spread_done(struct stream_spread *s)
{
    sums_done(&s->self);
    sums_done(&s->total);
}
