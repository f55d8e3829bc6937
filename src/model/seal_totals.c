/* The total of each metric: the exact sum of its self values in the first shape that has it (graph, lines, tree, timeline), unless the
 * reader stated it. Shapes are views of the same cost, so they are never added up. */
#include "base/exact.h"
#include "base/number.h"
#include "model/builder.h"

struct totals {
    assay_builder *b;
    struct exact *exact; /* by metric, of doubles; NULL when no metric is a double */
    uint8_t *source;     /* by metric: the ASSAY_SHAPE_* that gives its total, or 0 */
    uint8_t *scope_kind; /* by metric, of trees: the scope that is summed */
    size_t len;          /* entries: metrics + 1 */
};

static void add(struct totals *t, uint32_t metric, assay_value v)
{
    struct build_metrics *m = &t->b->metrics;
    enum assay_type type = get8(&m->type, metric);
    if (type == ASSAY_F64)
        exact_add(&t->exact[metric], v.d);
    else
        m->total.at[metric] = type == ASSAY_I64 ? wide_add_i64(m->total.at[metric], v.i) : wide_add_u64(m->total.at[metric], v.u);
}

static void add_row(struct totals *t, const struct build_block *block, const struct colvalue *column, size_t row, uint32_t shape)
{
    for (uint32_t k = 0; k < block->count; k++) {
        size_t at = row * block->count + k;
        if (at < column->len && t->source[block->metrics.at[k]] == shape) add(t, block->metrics.at[k], column->at[at]);
    }
}

/* A row of the sums by function, which may be short. */
static void add_sum(struct totals *t, size_t row)
{
    const struct build_graph *g = &t->b->graph;
    if (!g->is_sparse) {
        add_row(t, &g->block, &g->sums.self, row, ASSAY_SHAPE_GRAPH);
        return;
    }
    for (uint32_t k = 0; k < g->sums.len.at[row]; k++) {
        size_t at = (size_t)g->sums.begin.at[row] + k;
        if (t->source[g->block.metrics.at[k]] == ASSAY_SHAPE_GRAPH) add(t, g->block.metrics.at[k], g->sums.self.at[at]);
    }
}

/* ---- tree ---- */

/* The best scope for a sum: the nodes themselves, else everything below the roots. */
static void choose_scopes(struct totals *t)
{
    const struct build_scopes *s = &t->b->scopes;
    for (size_t m = 0; m < t->len; m++) t->scope_kind[m] = ASSAY_SCOPE_CUSTOM;
    for (uint32_t id = 1; id <= s->count; id++) {
        uint8_t kind = get8(&s->kind, id), *best = &t->scope_kind[get32(&s->metric, id)];
        if (kind == ASSAY_SCOPE_POINT || (kind == ASSAY_SCOPE_EXECUTION && *best == ASSAY_SCOPE_CUSTOM)) *best = kind;
    }
}

static int add_cell(void *arg, const assay_cell *cell)
{
    struct totals *t = arg;
    const struct build_scopes *s = &t->b->scopes;
    if (cell->column > s->count) return 0; /* a backing may answer anything */
    uint32_t metric = get32(&s->metric, cell->column);
    uint8_t kind = get8(&s->kind, cell->column);
    if (t->source[metric] != ASSAY_SHAPE_TREE || kind != t->scope_kind[metric] || kind == ASSAY_SCOPE_CUSTOM) return 0;
    if (kind == ASSAY_SCOPE_EXECUTION && (cell->node == 0 || get32(&t->b->tree.parent, cell->node) != 0)) return 0;
    add(t, metric, cell->value);
    return 0;
}

static int add_tree(struct totals *t)
{
    assay_builder *b = t->b;
    bool is_needed = false;
    for (size_t m = 1; m < t->len; m++) is_needed |= t->source[m] == ASSAY_SHAPE_TREE;
    if (!is_needed) return 0;
    choose_scopes(t);
    for (uint32_t s = 0; s <= b->streams.count; s++)
        if (assay_tree_column(b->p, (assay_stream_id){ s }, (assay_scope_id){ 0 }, add_cell, t, &b->error) != 0)
            return b->code = b->error.code ? b->error.code : builder_fail(b, ASSAY_ERR_INTERNAL, "the backing gave up while the totals were summed");
    return 0;
}

/* ---- all shapes ---- */

static void choose_sources(struct totals *t)
{
    const assay_builder *b = t->b;
    uint32_t there = (b->graph.sums.count ? ASSAY_SHAPE_GRAPH : 0u) | (b->lines.count ? ASSAY_SHAPE_LINES : 0u) | (b->tree.count ? ASSAY_SHAPE_TREE : 0u) |
                     (b->timeline.count ? ASSAY_SHAPE_TIMELINE : 0u);
    static const uint8_t order[] = { ASSAY_SHAPE_GRAPH, ASSAY_SHAPE_LINES, ASSAY_SHAPE_TREE, ASSAY_SHAPE_TIMELINE };
    for (uint32_t m = 1; m < t->len; m++) {
        if (get8(&b->metrics.has_stated, m)) continue;
        for (size_t i = 0; i < sizeof order && !t->source[m]; i++)
            if (get8(&b->metrics.carried, m) & there & order[i]) t->source[m] = order[i];
    }
}

static int add_all(struct totals *t)
{
    assay_builder *b = t->b;
    choose_sources(t);
    for (size_t row = 0; row < b->graph.sums.count; row++) add_sum(t, row);
    for (size_t row = 0; row < b->lines.count; row++)
        if (get8(&b->lines.level, row) == ASSAY_LEVEL_LINE) add_row(t, &b->lines.block, &b->lines.self, row, ASSAY_SHAPE_LINES);
    TRY(add_tree(t));
    for (size_t row = 0; row < b->timeline.count; row++) add_row(t, &b->timeline.block, &b->timeline.weight, row, ASSAY_SHAPE_TIMELINE);
    return 0;
}

static void settle(struct totals *t, uint32_t m)
{
    struct build_metrics *x = &t->b->metrics;
    enum assay_type type = get8(&x->type, m);
    bool is_stated = get8(&x->has_stated, m);
    const assay_wide zero = { 0, 0 };
    if (type == ASSAY_F64) {
        x->total_double.at[m] = is_stated ? x->stated.at[m].d : exact_value(&t->exact[m]);
        return;
    }
    if (is_stated && type == ASSAY_I64) x->total.at[m] = wide_add_i64(zero, x->stated.at[m].i);
    if (is_stated && type == ASSAY_U64) x->total.at[m] = (assay_wide){ x->stated.at[m].u, (int64_t)get64(&x->stated_high, m) };
    x->total_double.at[m] = wide_double(x->total.at[m]);
}

int seal_totals(assay_builder *b)
{
    struct totals t = { .b = b, .len = (size_t)b->metrics.count + 1 };
    bool has_double = false;
    for (uint32_t m = 1; m < t.len; m++) has_double |= get8(&b->metrics.type, m) == ASSAY_F64;
    t.source = mem_zalloc(b->mem, t.len, 1);
    t.scope_kind = mem_zalloc(b->mem, t.len, 1);
    if (has_double) t.exact = mem_zalloc(b->mem, t.len, sizeof *t.exact);
    bool has_room = t.source && t.scope_kind && (!has_double || t.exact) && column_reach(b->mem, &b->metrics.total, t.len) &&
                    column_reach(b->mem, &b->metrics.total_double, t.len);
    if (!has_room)
        builder_no_memory(b);
    else if (add_all(&t) == 0)
        for (uint32_t m = 1; m < t.len; m++) settle(&t, m);
    mem_free(b->mem, t.exact, t.len * sizeof *t.exact);
    mem_free(b->mem, t.source, t.len);
    mem_free(b->mem, t.scope_kind, t.len);
    return b->code;
}
