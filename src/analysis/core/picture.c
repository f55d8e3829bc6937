/* Functions are taken by total, the largest first, until they are too small or too many; then the calls between those taken are added up by pair, and
 * the smallest are left out. See picture.h. */
#include "analysis/core/picture.h"

#include <math.h>

#include "analysis/core/top.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/index.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

static double whole_of(const assay_profile *p, assay_metric_id metric, enum assay_type type)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    if (type == ASSAY_F64) return m->total_double ? m->total_double[metric.v] : 0;
    return m->total ? wide_double(m->total[metric.v]) : 0;
}

/* Costs may be negative in differences: what counts is how large they are. */
static double share_of(const struct picture *x, assay_value v)
{
    double share = x->whole != 0 ? fabs(value_double(x->type, v) / x->whole) : 0;
    return share > 1 ? 1 : isnan(share) ? 0 : share;
}

/* ---- functions ---- */

static int add_nodes(struct picture *x, const uint32_t *order, uint32_t *node_of, assay_error *err)
{
    uint32_t width = x->top->metric_count, k = x->options.k;
    for (uint32_t i = 0; i < x->top->count; i++) {
        TRY(cancel_step(i, err));
        uint32_t row = order[i];
        size_t at = (size_t)row * width + k;
        struct picture_node n = { .row = row, .func = x->top->func[row].v, .self = top_cell(x->top, x->top->self, row, k), .calls = x->top->calls[row] };
        n.total = x->cycles.member_total ? x->cycles.member_total[at] : top_cell(x->top, x->top->total, row, k);
        n.self_share = share_of(x, n.self);
        n.total_share = share_of(x, n.total);
        n.cycle = x->cycles.of[n.func];
        bool is_full = x->options.most_nodes && x->nodes.len >= x->options.most_nodes;
        if (is_full || n.total_share < x->options.least_node) {
            x->nodes_left_out++;
            continue;
        }
        struct picture_node *to = vec_push(x->mem, &x->nodes);
        if (!to) return error_memory(err);
        *to = n;
        node_of[n.func] = (uint32_t)x->nodes.len;
    }
    return 0;
}

/* ---- calls ---- */

static int add_edge(struct picture *x, struct index *index, uint32_t from, uint32_t to, uint32_t arc, assay_error *err)
{
    uint64_t hash = hash_mix(from, to);
    struct picture_edge *edge = NULL;
    for (struct index_walk w = index_walk(index, hash); !edge && index_next(index, &w);)
        if (x->edges.at[w.id - 1].from == from && x->edges.at[w.id - 1].to == to) edge = &x->edges.at[w.id - 1];
    if (!edge) {
        edge = vec_push(x->mem, &x->edges);
        if (!edge || !index_add(index, hash, (uint32_t)x->edges.len)) return error_memory(err);
        *edge = (struct picture_edge){ .from = from, .to = to };
    }
    uint64_t calls = arcs_calls(&x->arcs, arc);
    edge->calls = edge->calls > UINT64_MAX - calls ? UINT64_MAX : edge->calls + calls;
    value_add(x->type, &edge->total, arcs_total(&x->arcs, arc, x->options.k));
    return 0;
}

static int add_edges(struct picture *x, const uint32_t *node_of, assay_error *err)
{
    SCOPED(index_done) struct index index;
    index_init(&index, x->mem);
    for (uint32_t i = 0; i < x->arcs.count; i++) {
        TRY(cancel_step(i, err));
        uint32_t from = node_of[arcs_caller(&x->arcs, i)], to = node_of[arcs_callee(&x->arcs, i)];
        if (from && to) TRY(add_edge(x, &index, from - 1, to - 1, i, err));
    }
    return 0;
}

static int by_share(const void *p, const void *q)
{
    const struct picture_edge *a = p, *b = q;
    ORDER_BY(b->share, a->share);
    ORDER_BY(a->from, b->from);
    return ORDER(a->to, b->to);
}

static void limit_edges(struct picture *x)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->edges.len; i++) x->edges.at[i].share = share_of(x, x->edges.at[i].total);
    if (x->edges.len) sort_by(x->edges.at, x->edges.len, sizeof *x->edges.at, by_share);
    while (kept < x->edges.len && x->edges.at[kept].share >= x->options.least_edge && (!x->options.most_edges || kept < x->options.most_edges)) kept++;
    x->edges_left_out = x->edges.len - kept;
    x->edges.len = kept;
}

/* ---- all of it ---- */

static int choose(struct picture *x, assay_error *err)
{
    size_t rows = (size_t)x->top->count + 1, funcs = x->arcs.funcs;
    SCRATCH(uint32_t, order, x->mem, rows);
    SCRATCH(uint32_t, node_of, x->mem, funcs);
    if (!order || !node_of) return error_memory(err);
    assay_top_order(x->profile, x->top, ASSAY_SORT_TOTAL, x->options.k, order);
    TRY(add_nodes(x, order, node_of, err));
    TRY(add_edges(x, node_of, err));
    limit_edges(x);
    return 0;
}

int picture_init(struct picture *x, struct mem *mem, const assay_profile *p, const assay_top *top, const struct picture_options *options, assay_error *err)
{
    *x = (struct picture){ .mem = mem, .profile = p, .top = top, .options = *options };
    if (options->k >= top->metric_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no metric for functions");
    x->type = (enum assay_type)((const struct top *)top)->types[options->k];
    x->whole = whole_of(p, top->metrics[options->k], x->type);
    if (options->arcs)
        x->arcs = arcs_borrow(options->arcs);
    else
        TRY(arcs_init(&x->arcs, mem, p, top, options->k, err));
    TRY(cycles_init(&x->cycles, mem, &x->arcs, top, options->is_collapsed ? CYCLES_MEMBERS : CYCLES_OWN, err));
    return choose(x, err);
}

void picture_done(struct picture *x)
{
    vec_done(x->mem, &x->nodes, &x->edges);
    cycles_done(&x->cycles);
    arcs_done(&x->arcs);
}
