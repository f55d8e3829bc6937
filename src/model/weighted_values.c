/* Weighted sums in a tree; see weighted_values.h. A node that several parts have a value of gets one cell. */
#include "model/weighted_values.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/sort.h"
#include "base/vec.h"
#include "model/value.h"

struct term {
    uint32_t node;
    uint32_t part;
    double value;
};

struct gathering {
    struct mem mem;
    VEC(struct term) terms;
    const struct weighted_part *part;
    uint32_t number; /* of the part */
    bool failed;
};

static int gather(void *arg, const assay_cell *cell)
{
    struct gathering *g = arg;
    struct term *t = vec_push(&g->mem, &g->terms);
    if (!t) {
        g->failed = true;
        return ASSAY_ERR_MEMORY;
    }
    *t = (struct term){ cell->node, g->number, g->part->weight * value_double(g->part->type, cell->value) };
    return 0;
}

static int by_node(const void *x, const void *y)
{
    const struct term *a = x, *b = y;
    ORDER_BY(a->node, b->node);
    return ORDER(a->part, b->part);
}

static int pass_on(const struct gathering *g, uint32_t column, assay_cell_fn fn, void *arg)
{
    for (size_t i = 0; i < g->terms.len;) {
        assay_cell cell = { .node = g->terms.at[i].node, .column = column };
        for (; i < g->terms.len && g->terms.at[i].node == cell.node; i++) cell.value.d += g->terms.at[i].value;
        if (value_is_zero(ASSAY_F64, cell.value)) continue;
        int rc = fn(arg, &cell);
        if (rc) return rc;
    }
    return 0;
}

/* Visits one new column: of a stream, or of the summary. `id`: what it is called. */
static int visit(const struct weighted_values *v, const struct weighted_column *c, bool is_summary, assay_stream_id stream, uint32_t id, assay_cell_fn fn,
                 void *arg, assay_error *err)
{
    struct gathering g = { .part = c->at };
    int rc = 0;
    mem_init(&g.mem, 0);
    for (; rc == 0 && g.number < c->count; g.number++) {
        g.part = &c->at[g.number];
        rc = is_summary ? assay_tree_summary(v->base, (assay_stat_id){ g.part->column }, gather, &g, err)
                        : assay_tree_column(v->base, stream, (assay_scope_id){ g.part->column }, gather, &g, err);
    }
    if (g.failed) rc = error_memory(err);
    if (rc == 0 && g.terms.len) sort_by(g.terms.at, g.terms.len, sizeof *g.terms.at, by_node);
    if (rc == 0) rc = pass_on(&g, id, fn, arg);
    vec_done(&g.mem, &g.terms);
    return rc;
}

static uint32_t scopes_below(const struct weighted_values *v) { return assay_profile_scopes(v->base)->count; }

/* ---- the backing ---- */

static int get_column(void *self, assay_stream_id stream, assay_scope_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    const struct weighted_values *v = self;
    uint32_t below = scopes_below(v);
    if (column.v <= below) TRY(assay_tree_column(v->base, stream, column, fn, arg, err));
    for (uint32_t i = 0; i < v->column_count; i++)
        if (!column.v || column.v == below + 1 + i) TRY(visit(v, &v->columns[i], false, stream, below + 1 + i, fn, arg, err));
    return 0;
}

static int get_summary(void *self, assay_stat_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    const struct weighted_values *v = self;
    uint32_t below = assay_profile_stats(v->base)->count;
    if (column.v <= below) TRY(assay_tree_summary(v->base, column, fn, arg, err));
    for (uint32_t i = 0; i < v->stat_count; i++)
        if (!column.v || column.v == below + 1 + i) TRY(visit(v, &v->stats[i], true, (assay_stream_id){ 0 }, below + 1 + i, fn, arg, err));
    return 0;
}

static int sum_value(const struct weighted_values *v, const struct weighted_column *c, assay_stream_id stream, assay_node_id node, assay_value *out,
                     assay_error *err)
{
    *out = (assay_value){ .d = 0 };
    for (size_t i = 0; i < c->count; i++) {
        assay_value part;
        TRY(assay_tree_value(v->base, stream, node, (assay_scope_id){ c->at[i].column }, &part, err));
        out->d += c->at[i].weight * value_double(c->at[i].type, part);
    }
    return 0;
}

static int get_value(void *self, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value *out, assay_error *err)
{
    const struct weighted_values *v = self;
    uint32_t below = scopes_below(v);
    if (column.v <= below) return assay_tree_value(v->base, stream, node, column, out, err);
    *out = (assay_value){ 0 };
    return column.v - below <= v->column_count ? sum_value(v, &v->columns[column.v - below - 1], stream, node, out, err) : 0;
}

static int get_row(void *self, assay_stream_id stream, assay_node_id node, assay_cell_fn fn, void *arg, assay_error *err)
{
    const struct weighted_values *v = self;
    TRY(assay_tree_row(v->base, stream, node, fn, arg, err));
    for (uint32_t i = 0; i < v->column_count; i++) {
        assay_cell cell = { .node = node.v, .column = scopes_below(v) + 1 + i };
        TRY(sum_value(v, &v->columns[i], stream, node, &cell.value, err));
        if (!value_is_zero(ASSAY_F64, cell.value)) TRY(fn(arg, &cell));
    }
    return 0;
}

const struct assay_backing weighted_backing = { get_row, get_column, get_value, get_summary, NULL };
