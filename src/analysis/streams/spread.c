/* How cost is spread over the streams; see spread.h. */
#include "analysis/streams/spread.h"

#include <math.h>

#include "analysis/core/frames.h"
#include "base/cancel.h"
#include "base/error.h"

/* ---- trees ---- */

enum { IN_SELF = 1, IN_TOTAL = 2, IS_OUTERMOST = 4 };

struct walk {
    struct stream_spread *to;
    const uint8_t *marks;
    uint32_t stream;
    uint8_t self, total; /* which marks add to which sum */
};

static int add_cell(void *arg, const assay_cell *cell)
{
    struct walk *w = arg;
    if (w->marks[cell->node] & w->self) sums_add(&w->to->self, w->stream, cell->value);
    if (w->marks[cell->node] & w->total) sums_add(&w->to->total, w->stream, cell->value);
    return 0;
}

/* By node: whether it belongs to the function, and whether it is below one of
 * its nodes. */
static int mark_nodes(const assay_profile *p, uint32_t func, uint8_t *marks, struct mem *mem, assay_error *err)
{
    struct frames f;
    const struct assay_tree *t = assay_profile_tree(p);
    int rc = frames_init(&f, t, mem, err);
    for (uint32_t node = 1; rc == 0 && node <= t->count; node++) {
        rc = cancel_step(node, err);
        uint32_t owner = f.owner[node], above = t->parent[node].v;
        bool is_its = !func || (owner && frames_func(&f, owner) == func), is_below = above && marks[above] & IN_TOTAL;
        marks[node] = (uint8_t)((is_its ? IN_SELF : 0) | (is_its || is_below ? IN_TOTAL : 0) |
                                (is_its && !is_below && (func ? owner == node : !above) ? IS_OUTERMOST : 0));
    }
    frames_done(&f);
    return rc;
}

/* Cost of single nodes where it is stored; else what is stored of whole
 * functions and of all below. */
static int add_tree(struct stream_spread *s, const assay_profile *p, assay_metric_id metric, const uint8_t *marks, assay_error *err)
{
    struct columns c = columns_of(p, metric);
    for (uint32_t i = 0; i < s->len; i++) {
        struct walk w = { .to = s, .marks = marks, .stream = i };
        if (c.point.v) {
            w.self = IN_SELF;
            w.total = IN_TOTAL;
            TRY(assay_tree_column(p, (assay_stream_id){ i }, c.point, add_cell, &w, err));
            continue;
        }
        w.total = IS_OUTERMOST;
        if (c.execution.v) TRY(assay_tree_column(p, (assay_stream_id){ i }, c.execution, add_cell, &w, err));
        w.total = 0;
        w.self = IN_SELF;
        if (c.function.v) TRY(assay_tree_column(p, (assay_stream_id){ i }, c.function, add_cell, &w, err));
    }
    return 0;
}

static int spread_tree(struct stream_spread *s, const assay_profile *p, assay_metric_id metric, uint32_t func, assay_error *err)
{
    size_t len = (size_t)assay_profile_tree(p)->count + 1;
    uint8_t *marks = mem_zalloc(s->mem, len, 1);
    int rc = marks ? mark_nodes(p, func, marks, s->mem, err) : error_memory(err);
    if (rc == 0) rc = add_tree(s, p, metric, marks, err);
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

/* ---- figures over the streams ---- */

static void describe(struct stream_spread *s)
{
    const struct sums *of = s->has_total ? &s->total : &s->self;
    double sum = 0, squares = 0, n = (double)(s->len - 1);
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
        sum += v;
    }
    if (s->len < 2) return;
    s->mean = sum / n;
    for (uint32_t i = 1; i < s->len; i++) {
        double d = value_double(s->type, sums_value(of, i)) - s->mean;
        squares += d * d;
    }
    s->deviation = sqrt(squares / n);
    s->imbalance = s->most > 0 ? (s->most - s->mean) / s->most * 100 : 0;
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
    describe(s);
    return 0;
}

void stream_spread_done(struct stream_spread *s)
{
    sums_done(&s->self);
    sums_done(&s->total);
}
