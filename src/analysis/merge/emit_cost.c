/* The cost side of the merger -> a builder: metrics, places, calls, lines and contexts in the order of names and numbers. */
#include "analysis/merge/emit.h"
#include "base/cancel.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

struct cost_out {
    struct emitter *e;
    struct merge_cost *c;
    assay_metric_id *metrics; /* by number from 0 */
    struct block {
        assay_metric_id *metrics;
        uint32_t *number; /* of the metric, from 0 */
        uint32_t count;
    } graph, lines, samples;
    bool has_default; /* only one metric is the default */
    assay_value *row[MERGE_SUMS];
};

static const char *text(const struct emitter *e, uint32_t id) { return id ? intern_get(&e->m->strings, id).data : NULL; }

/* ---- metrics: by name, so that the order of the inputs does not show; the first one of the first input stays the first ---- */

static int by_metric(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_metric *x = &e->m->cost.metrics.at[a], *y = &e->m->cost.metrics.at[b];
    if (e->m->cost.has_same_metrics) return 0;
    return slice_compare(intern_get(&e->m->strings, x->name), intern_get(&e->m->strings, y->name));
}

static void add_to(struct block *b, assay_metric_id metric, uint32_t number)
{
    b->metrics[b->count] = metric;
    b->number[b->count++] = number;
}

static void put_metric(struct cost_out *o, uint32_t k)
{
    const struct merge_metric *m = &o->c->metrics.at[k];
    struct emitter *e = o->e;
    if (m->is_joined) return;
    o->metrics[k] = assay_build_metric(e->b, text(e, m->name), m->unit ? text(e, m->unit) : "", (enum assay_type)m->type, m->shapes);
    assay_build_metric_text(e->b, o->metrics[k], text(e, m->description), text(e, m->formula), m->hidden != 0);
    assay_build_metric_kind(e->b, o->metrics[k], (enum assay_metric_kind)m->kind);
    if (m->is_default && o->has_default) assay_build_metric_default(e->b, o->metrics[k]);
    if (m->period || m->period_type || m->period_unit)
        assay_build_metric_period(e->b, o->metrics[k], m->period, text(e, m->period_type), text(e, m->period_unit));
    if (m->shapes & ASSAY_SHAPE_LABELS) add_to(&o->samples, o->metrics[k], k);
    if (m->shapes & ASSAY_SHAPE_GRAPH) add_to(&o->graph, o->metrics[k], k);
    if (m->shapes & ASSAY_SHAPE_LINES) add_to(&o->lines, o->metrics[k], k);
    if (!m->has_stated) return;
    if (m->type == ASSAY_U64) {
        assay_build_metric_total_wide(e->b, o->metrics[k], m->total);
        return;
    }
    struct merge_column one = { .type = ASSAY_F64, .real = { (struct merge_double *)&m->stated_double, 1, 1 } };
    assay_value total = merge_column_value(&one, 0);
    if (m->type == ASSAY_I64) total.i = (int64_t)m->total.low;
    assay_build_metric_total(e->b, o->metrics[k], total);
}

static int put_metrics(struct cost_out *o)
{
    size_t count = o->c->metrics.len;
    uint32_t *order = emit_sorted(o->e, count, by_metric);
    size_t defaults = 0;
    for (size_t i = 0; i < count; i++) defaults += o->c->metrics.at[i].is_default;
    o->has_default = defaults == 1;
    for (size_t i = 0; order && i < count; i++) put_metric(o, order[i]);
    emit_free(o->e, order, count);
    return order ? assay_builder_failed(o->e->b) : ASSAY_ERR_MEMORY;
}

/* ---- rows ---- */

/* The values of a row in the order of the block; NULL when none is there. */
static const assay_value *values(struct cost_out *o, enum merge_which which, enum merge_sum_kind kind, uint32_t row)
{
    const struct merge_table *t = &o->c->tables[which];
    const struct block *b = which == MERGE_LINES ? &o->lines : &o->graph;
    bool has_some = false;
    for (uint32_t k = 0; k < b->count; k++) {
        size_t at = (size_t)b->number[k] * MERGE_SUMS + kind;
        o->row[kind][k] = (assay_value){ 0 };
        if (at >= t->columns.len) continue;
        o->row[kind][k] = merge_column_value(&t->columns.at[at], row);
        has_some |= o->row[kind][k].u != 0;
    }
    return has_some ? o->row[kind] : NULL;
}

/* By place first, which the columns of each list have in common under the same names; the rest of its key decides between equals. */
#define BY(name, which, LIST, T)                                                                                                                               \
    static int name(const struct emitter *e, uint32_t i, uint32_t k)                                                                                           \
    {                                                                                                                                                          \
        const union merge_key *a = &e->m->cost.tables[which].keys.at[i], *b = &e->m->cost.tables[which].keys.at[k];                                            \
        SCHEMA_COSTS(MERGE_KEY_ORDER, T)                                                                                                                       \
        LIST(MERGE_KEY_ORDER, T)                                                                                                                               \
        return 0;                                                                                                                                              \
    }
BY(by_cost, MERGE_COSTS, SCHEMA_COSTS, cost)
BY(by_arc, MERGE_ARCS, SCHEMA_ARCS, arc)

static int by_stated(const struct emitter *e, uint32_t i, uint32_t k)
{
    const union merge_key *a = &e->m->cost.tables[MERGE_STATED].keys.at[i], *b = &e->m->cost.tables[MERGE_STATED].keys.at[k];
    SCHEMA_SUMS(MERGE_KEY_ORDER, sum)
    return ORDER(a->sum.is_stated, b->sum.is_stated);
}

static int by_line(const struct emitter *e, uint32_t i, uint32_t k)
{
    const union merge_key *a = &e->m->cost.tables[MERGE_LINES].keys.at[i], *b = &e->m->cost.tables[MERGE_LINES].keys.at[k];
    ORDER_BY(e->file_rank[a->line.file], e->file_rank[b->line.file]);
    ORDER_BY(a->line.line, b->line.line);
    SCHEMA_LINES(MERGE_KEY_ORDER, line)
    return 0;
}

/* The place of a row of either table. */
#define PLACE_OF(T)                                                                                                                                            \
    (struct assay_place) { SCHEMA_COSTS(MERGE_KEY_EMIT, T) }

static void put_cost(struct cost_out *o, uint32_t i)
{
    const struct emitter *e = o->e;
    const union merge_key *key = &o->c->tables[MERGE_COSTS].keys.at[i];
    const assay_value *self = values(o, MERGE_COSTS, MERGE_SUM_self, i);
    assay_build_self(e->b, &PLACE_OF(cost), o->row[MERGE_SUM_self], self ? o->graph.count : 0);
}

static void put_arc(struct cost_out *o, uint32_t i)
{
    const struct emitter *e = o->e;
    const struct merge_table *t = &o->c->tables[MERGE_ARCS];
    const union merge_key *key = &t->keys.at[i];
    uint32_t depth = (uint32_t)merge_count_of(t, MERGE_COUNT_depth, i);
    values(o, MERGE_ARCS, MERGE_SUM_total, i);
    const assay_value *self = values(o, MERGE_ARCS, MERGE_SUM_self, i), *recursive = values(o, MERGE_ARCS, MERGE_SUM_recursive, i);
    assay_build_call(e->b, &PLACE_OF(arc), e->funcs[key->arc.callee], merge_count_of(t, MERGE_COUNT_calls, i), o->row[MERGE_SUM_total], o->graph.count);
    if (self || recursive || depth) assay_build_call_more(e->b, self, recursive, depth);
    const assay_value *nested = values(o, MERGE_ARCS, MERGE_SUM_nested, i);
    if (nested) assay_build_call_nested(e->b, assay_build_last_call(e->b), nested);
}

static void put_stated(struct cost_out *o, uint32_t i)
{
    const struct merge_table *t = &o->c->tables[MERGE_STATED];
    const union merge_key *key = &t->keys.at[i];
    assay_func_id func = o->e->funcs[key->sum.func];
    uint64_t entered = merge_count_of(t, MERGE_COUNT_entered, i);
    if (entered) assay_build_entered(o->e->b, (assay_stream_id){ 0 }, func, entered);
    const assay_value *nested = values(o, MERGE_STATED, MERGE_SUM_nested, i);
    if (nested) assay_build_nested(o->e->b, (assay_stream_id){ 0 }, func, nested);
    if (!key->sum.is_stated) return;
    values(o, MERGE_STATED, MERGE_SUM_stated_total, i);
    assay_build_stated(o->e->b, (assay_stream_id){ 0 }, func, merge_count_of(t, MERGE_COUNT_stated_calls, i), o->row[MERGE_SUM_stated_total], o->graph.count);
}

static void put_line(struct cost_out *o, uint32_t i)
{
    const struct emitter *e = o->e;
    const struct merge_table *t = &o->c->tables[MERGE_LINES];
    const union merge_key *key = &t->keys.at[i];
    const assay_value *self = values(o, MERGE_LINES, MERGE_SUM_self, i), *total = values(o, MERGE_LINES, MERGE_SUM_total, i);
    assay_build_line(e->b, &(struct assay_line){ SCHEMA_LINES(MERGE_KEY_EMIT, line) }, merge_count_of(t, MERGE_COUNT_hits, i), self, total);
}

static int put_table(struct cost_out *o, enum merge_which which, emit_order compare, void (*put)(struct cost_out *, uint32_t))
{
    size_t count = o->c->tables[which].keys.len;
    uint32_t *order = emit_sorted(o->e, count, compare);
    for (size_t i = 0; order && i < count && !cancel_at(i); i++) put(o, order[i]);
    emit_free(o->e, order, count);
    return order ? assay_builder_failed(o->e->b) : ASSAY_ERR_MEMORY;
}

/* ---- contexts ---- */

static int by_node(const struct emitter *e, uint32_t i, uint32_t k)
{
    const union merge_key *keys = e->m->cost.tables[MERGE_NODES].keys.at, *a = &keys[i], *b = &keys[k];
    ORDER_BY(e->node_depth[i], e->node_depth[k]);
    ORDER_BY(EMIT_RANK_NODE(a->node.parent), EMIT_RANK_NODE(b->node.parent));
    ORDER_BY(e->func_rank[a->node.func], e->func_rank[b->node.func]);
    ORDER_BY(e->file_rank[a->node.file], e->file_rank[b->node.file]);
    ORDER_BY(a->node.line, b->node.line);
    ORDER_BY(a->node.offset, b->node.offset);
    SCHEMA_NODES(MERGE_KEY_ORDER, node)
    return 0;
}

static int by_node_row(const void *x, const void *y, void *arg)
{
    const uint32_t *a = x, *b = y;
    int c = by_node(arg, *a, *b);
    return c ? c : ORDER(*a, *b);
}

/* Level by level: the order of a level needs the places of the one above. */
static void rank_nodes(struct emitter *e, uint32_t *order, size_t count)
{
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && e->node_depth[order[to]] == e->node_depth[order[from]];) to++;
        sort_with(order + from, to - from, sizeof *order, by_node_row, e);
        for (size_t i = from; i < to; i++) e->node_rank[order[i]] = (uint32_t)i + 1;
    }
}

static int by_depth(const void *x, const void *y, void *arg)
{
    const uint32_t *a = x, *b = y, *depth = arg;
    return ORDER(depth[*a], depth[*b]);
}

static void put_node(struct cost_out *o, uint32_t i, assay_node_id *nodes, const assay_scope_id *scopes)
{
    const struct merge_table *t = &o->c->tables[MERGE_NODES];
    const union merge_key *key = &t->keys.at[i];
    struct emitter *e = o->e;
    uint64_t calls = merge_count_of(t, MERGE_COUNT_calls, i);
    nodes[i] = assay_build_node(e->b, &(struct assay_node){ SCHEMA_NODES(MERGE_KEY_EMIT, node) });
    if (calls) assay_build_node_calls(e->b, nodes[i], calls);
    for (size_t s = 0; s < o->c->scopes.len && s < t->columns.len; s++) {
        assay_value v = merge_column_value(&t->columns.at[s], i);
        if (v.u) assay_build_value(e->b, (assay_stream_id){ 0 }, nodes[i], scopes[s], v);
    }
}

static void put_scopes(struct cost_out *o, assay_scope_id *scopes)
{
    for (size_t s = 0; s < o->c->scopes.len; s++) {
        const struct merge_scope *k = &o->c->scopes.at[s];
        if (!k->is_joined)
            scopes[s] = assay_build_scope(o->e->b, o->metrics[k->metric - 1], (enum assay_scope_kind)k->kind, text(o->e, k->name), k->propagation);
    }
}

static int put_tree(struct cost_out *o)
{
    struct emitter *e = o->e;
    struct mem *mem = &e->m->mem;
    const struct merge_table *t = &o->c->tables[MERGE_NODES];
    size_t count = t->keys.len;
    if (!count) return 0;
    e->node_depth = mem_zalloc(mem, count, sizeof *e->node_depth);
    e->node_rank = mem_zalloc(mem, count, sizeof *e->node_rank);
    SCRATCH(uint32_t, order, mem, count);
    SCRATCH(assay_node_id, nodes, mem, count);
    SCRATCH(assay_scope_id, scopes, mem, o->c->scopes.len);
    bool done = e->node_depth && e->node_rank && order && nodes && scopes;
    for (uint32_t i = 0; done && i < count && (done = !cancel_at(i)); i++) {
        order[i] = i;
        e->node_depth[i] = t->keys.at[i].node.parent ? e->node_depth[t->keys.at[i].node.parent - 1] + 1 : 0;
    }
    if (done) {
        sort_with(order, count, sizeof *order, by_depth, e->node_depth);
        rank_nodes(e, order, count);
        put_scopes(o, scopes);
        for (size_t i = 0; i < count && !cancel_at(i); i++) put_node(o, order[i], nodes, scopes);
    }
    int rc = done ? merge_samples_emit(e, order, nodes, o->samples.metrics, o->samples.number, o->samples.count) : 0;
    mem_free(mem, e->node_depth, e->node_depth ? count * sizeof *e->node_depth : 0);
    mem_free(mem, e->node_rank, e->node_rank ? count * sizeof *e->node_rank : 0);
    if (rc) return rc;
    return done ? assay_builder_failed(e->b) : error_memory(e->err);
}

/* ---- the whole ---- */

static int put_all(struct cost_out *o)
{
    struct emitter *e = o->e;
    TRY(put_metrics(o));
    if (o->graph.count) assay_build_graph_metrics(e->b, o->graph.metrics, o->graph.count);
    if (o->lines.count) assay_build_line_metrics(e->b, o->lines.metrics, o->lines.count);
    TRY(put_table(o, MERGE_COSTS, by_cost, put_cost));
    TRY(put_table(o, MERGE_ARCS, by_arc, put_arc));
    TRY(put_table(o, MERGE_STATED, by_stated, put_stated));
    if (o->c->shapes & ASSAY_SHAPE_GRAPH && !o->c->has_unknown_nesting) assay_build_nesting_known(e->b);
    TRY(put_table(o, MERGE_LINES, by_line, put_line));
    return put_tree(o);
}

static bool make_block(struct mem *mem, struct block *b, size_t count)
{
    b->metrics = mem_zalloc(mem, count, sizeof *b->metrics);
    b->number = mem_zalloc(mem, count, sizeof *b->number);
    return b->metrics && b->number;
}

static void free_block(struct mem *mem, struct block *b, size_t count)
{
    mem_free(mem, b->metrics, b->metrics ? count * sizeof *b->metrics : 0);
    mem_free(mem, b->number, b->number ? count * sizeof *b->number : 0);
}

int merge_cost_emit(struct emitter *e)
{
    struct mem *mem = &e->m->mem;
    struct cost_out o = { .e = e, .c = &e->m->cost };
    size_t n = o.c->metrics.len;
    o.metrics = mem_zalloc(mem, n, sizeof *o.metrics);
    bool done = make_block(mem, &o.graph, n);
    done = make_block(mem, &o.lines, n) && done && o.metrics;
    done = make_block(mem, &o.samples, n) && done;
    for (int i = 0; i < MERGE_SUMS; i++) {
        o.row[i] = mem_zalloc(mem, n + 1, sizeof *o.row[i]);
        done = done && o.row[i];
    }
    int rc = done ? put_all(&o) : error_memory(e->err);
    for (int i = 0; i < MERGE_SUMS; i++) mem_free(mem, o.row[i], o.row[i] ? (n + 1) * sizeof *o.row[i] : 0);
    mem_free(mem, o.metrics, o.metrics ? n * sizeof *o.metrics : 0);
    free_block(mem, &o.graph, n);
    free_block(mem, &o.lines, n);
    free_block(mem, &o.samples, n);
    return rc;
}
