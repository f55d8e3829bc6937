/* The cost of a tree by group of streams. Of each group a small tree is made of the contexts that it touched and those above them; the rules that give
 * the cost of nodes over all streams then work on that. */
#include <string.h>

#include "analysis/core/node_costs.h"
#include "analysis/streams/figures.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

struct gathered {
    uint32_t node, column;
    assay_value value;
};

struct gathering {
    struct mem *mem;
    const struct frames *all;
    VEC(struct gathered) cells;
    VEC(uint32_t) nodes; /* of the small tree, in the order of ids */
    uint32_t *local;     /* by node: its number in the small tree; 0 = it is not in it */
    /* The small tree: from 1, as all trees. */
    assay_node_id *parent;
    uint8_t *kind;
    uint32_t *owner;
    size_t room;
    struct node_costs costs;
};

/* ---- values of a group ---- */

static int add_cell(void *arg, const assay_cell *cell)
{
    struct gathering *x = arg;
    if (!cell->node || cell->node >= x->all->len) return 0;
    struct gathered *to = vec_push(x->mem, &x->cells);
    if (!to) return ASSAY_ERR_MEMORY;
    *to = (struct gathered){ cell->node, cell->column, cell->value };
    for (uint32_t node = cell->node; node && !x->local[node]; node = frames_parent(x->all, node)) {
        uint32_t *at = vec_push(x->mem, &x->nodes);
        if (!at) return ASSAY_ERR_MEMORY;
        *at = node;
        x->local[node] = 1; /* its number comes when all are known */
    }
    return 0;
}

static int gather_column(struct gathering *x, const assay_profile *p, uint32_t stream, assay_scope_id column, assay_error *err)
{
    if (!column.v) return 0;
    int rc = assay_tree_column(p, (assay_stream_id){ stream }, column, add_cell, x, err);
    return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
}

static int gather(struct gathering *x, const struct stream_groups *g, uint32_t group, const struct columns *c, assay_error *err)
{
    const assay_profile *p = g->profile;
    bool has_loops = x->all->tree->kind && memchr(x->all->tree->kind, ASSAY_NODE_LOOP, x->all->len);
    for (uint32_t i = g->begin[group]; i < g->begin[group + 1]; i++) {
        uint32_t stream = g->stream[i];
        TRY(gather_column(x, p, stream, c->function.v ? c->function : c->point, err));
        if (c->function.v && has_loops) TRY(gather_column(x, p, stream, c->lex_aware, err));
        TRY(gather_column(x, p, stream, c->execution, err));
        if (!c->execution.v) TRY(gather_column(x, p, stream, c->charged, err));
    }
    return 0;
}

/* ---- the small tree ---- */

static int by_id(const void *a, const void *b) { return ORDER(*(const uint32_t *)a, *(const uint32_t *)b); }

/* Where most of the tree is touched, looking for the nodes in it is faster than sorting them. */
static void sort_nodes(struct gathering *x)
{
    enum { DENSE = 16 };
    if (x->nodes.len < x->all->len / DENSE) {
        sort_by(x->nodes.at, x->nodes.len, sizeof *x->nodes.at, by_id);
        return;
    }
    size_t count = 0;
    for (uint32_t node = 1; node < x->all->len; node++)
        if (x->local[node]) x->nodes.at[count++] = node;
}

static void free_tree(struct gathering *x)
{
    mem_free(x->mem, x->parent, x->parent ? x->room * sizeof *x->parent : 0);
    mem_free(x->mem, x->kind, x->kind ? x->room : 0);
    mem_free(x->mem, x->owner, x->owner ? x->room * sizeof *x->owner : 0);
    x->parent = NULL;
    x->kind = NULL;
    x->owner = NULL;
}

static int make_room(struct gathering *x, assay_error *err)
{
    if (x->nodes.len + 1 <= x->room) return 0;
    free_tree(x);
    x->room = 2 * (x->nodes.len + 1);
    x->parent = mem_zalloc(x->mem, x->room, sizeof *x->parent);
    x->kind = mem_zalloc(x->mem, x->room, 1);
    x->owner = mem_zalloc(x->mem, x->room, sizeof *x->owner);
    return x->parent && x->kind && x->owner ? 0 : error_memory(err);
}

static int make_tree(struct gathering *x, assay_error *err)
{
    sort_nodes(x);
    TRY(make_room(x, err));
    for (uint32_t i = 0; i < x->nodes.len; i++) {
        TRY(cancel_step(i, err));
        uint32_t node = x->nodes.at[i];
        x->local[node] = i + 1;
        x->parent[i + 1].v = x->local[frames_parent(x->all, node)];
        x->owner[i + 1] = x->local[x->all->owner[node]];
        x->kind[i + 1] = frames_kind(x->all, node);
    }
    return 0;
}

static int add_gathered(const void *arg, assay_scope_id column, struct sums *values, assay_error *err)
{
    const struct gathering *x = arg;
    for (size_t i = 0; column.v && i < x->cells.len; i++) {
        TRY(cancel_step(i, err));
        if (x->cells.at[i].column == column.v) sums_add(values, x->local[x->cells.at[i].node], x->cells.at[i].value);
    }
    return 0;
}

/* ---- rows ---- */

static void add_rows(const struct stream_rows *r, const struct gathering *x, struct stream_sums *s)
{
    for (uint32_t i = 0; i < x->nodes.len; i++) {
        uint32_t node = x->nodes.at[i];
        for (uint32_t k = r->begin[node]; k < r->begin[node + 1]; k++) {
            const struct stream_member *m = &r->member[k];
            if (m->counts & STREAM_SELF) sums_add_sum(&s->self, m->row, &x->costs.self, i + 1);
            if (m->counts & STREAM_TOTAL) sums_add_sum(&s->total, m->row, &x->costs.total, i + 1);
            if (m->counts & STREAM_TOTAL_SELF) sums_add_sum(&s->total, m->row, &x->costs.self, i + 1);
            stream_sums_touch(s, m->row);
        }
    }
}

static int one_group(const struct stream_rows *r, const struct stream_groups *g, uint32_t group, const struct columns *c, struct gathering *x,
                     struct stream_sums *s, assay_error *err)
{
    TRY(gather(x, g, group, c, err));
    TRY(make_tree(x, err));
    struct assay_tree tree = { .count = (uint32_t)x->nodes.len, .parent = x->parent, .kind = x->kind };
    struct frames frames = { .mem = x->mem, .tree = &tree, .len = x->nodes.len + 1, .owner = x->owner };
    struct column_source from = { add_gathered, x };
    TRY(node_costs_load_of(&x->costs, &from, c, s->self.type, &frames, err));
    add_rows(r, x, s);
    s->is_measured = x->cells.len > 0;
    for (size_t i = 0; i < x->nodes.len; i++) x->local[x->nodes.at[i]] = 0;
    x->nodes.len = x->cells.len = 0;
    return 0;
}

static void gathering_done(struct gathering *x)
{
    free_tree(x);
    node_costs_done(&x->costs);
    vec_done(x->mem, &x->cells);
    vec_done(x->mem, &x->nodes);
}

int stream_figures_tree(const struct stream_rows *r, const struct stream_groups *g, assay_metric_id metric, struct stream_sums *s, stream_figures_fn *fn,
                        void *arg, assay_error *err)
{
    struct columns c = columns_of(r->profile, metric);
    SCRATCH(uint32_t, local, r->mem, r->frames.len);
    if (!local) return error_memory(err);
    SCOPED(gathering_done) struct gathering x = { .mem = r->mem, .all = &r->frames, .local = local };
    for (uint32_t group = 1; group <= g->count; group++) {
        TRY(one_group(r, g, group, &c, &x, s, err));
        TRY(stream_sums_end(s, group, fn, arg, err));
    }
    return 0;
}
