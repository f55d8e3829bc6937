/* Cost of an input -> the tables of the merger; see cost.h. */
#include "analysis/merge/cost.h"

#include "analysis/merge/merge.h"
#include "base/cancel.h"
#include "base/number.h"
#include "model/graph_row.h"

/* ---- tables ---- */

void merge_cost_init(struct merge_cost *c, struct mem *mem)
{
    for (int i = 0; i < MERGE_TABLES; i++) index_init(&c->tables[i].index, mem);
    index_init(&c->label_index, mem);
    index_init(&c->set_index, mem);
}

void merge_cost_free(struct merge_cost *c, struct mem *mem)
{
    for (int i = 0; i < MERGE_TABLES; i++) {
        struct merge_table *t = &c->tables[i];
        for (size_t k = 0; k < t->columns.len; k++) merge_column_free(mem, &t->columns.at[k]);
        vec_done(mem, &t->keys, &t->count, &t->columns);
        index_done(&t->index);
    }
    for (size_t k = 0; k < c->metrics.len; k++)
        mem_free(mem, c->metrics.at[k].stated_double.big, c->metrics.at[k].stated_double.big ? sizeof(struct exact) : 0);
    vec_done(mem, &c->metrics, &c->scopes, &c->depth, &c->entered, &c->labels, &c->sets);
    index_done(&c->label_index);
    index_done(&c->set_index);
}

static bool same_key(const struct merge_key *a, const struct merge_key *b)
{
    return a->address == b->address && a->func == b->func && a->other == b->other && a->file == b->file && a->line == b->line && a->module == b->module &&
           a->kind == b->kind;
}

uint32_t merge_row(struct assay_merger *m, enum merge_which which, const struct merge_key *key)
{
    struct merge_table *t = &m->cost.tables[which];
    uint64_t hash = hash_mix(hash_mix(hash_mix(key->func, key->other), (uint64_t)key->file << 32 | key->line), key->address);
    hash = hash_mix(hash, (uint64_t)key->module << 32 | key->kind);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (same_key(&t->keys.at[w.id - 1], key)) return w.id - 1;
    struct merge_key *slot = vec_push(&m->mem, &t->keys);
    uint64_t *count = slot ? vec_push(&m->mem, &t->count) : NULL;
    if (!count) return UINT32_MAX;
    *slot = *key;
    *count = 0;
    return index_add(&t->index, hash, (uint32_t)t->keys.len) ? (uint32_t)t->keys.len - 1 : UINT32_MAX;
}

bool merge_value(struct assay_merger *m, enum merge_which which, size_t at, enum assay_type type, uint32_t row, assay_value v)
{
    struct merge_table *t = &m->cost.tables[which];
    bool saturated = false;
    while (t->columns.len <= at) {
        struct merge_column *c = vec_push(&m->mem, &t->columns);
        if (!c) return false;
        *c = (struct merge_column){ .type = ASSAY_U64 };
    }
    t->columns.at[at].type = type;
    bool done = merge_column_add(&m->mem, &t->columns.at[at], row, v, &saturated);
    if (saturated) merge_note(m, MERGE_SATURATED, "a cost");
    return done;
}

static void add_count(struct assay_merger *m, enum merge_which which, uint32_t row, uint64_t more)
{
    uint64_t *count = &m->cost.tables[which].count.at[row];
    *count = merge_add(m, *count, more);
}

/* ---- metrics ---- */

static bool state_total(struct merge_input *in, struct merge_metric *t, uint32_t id)
{
    const struct assay_metrics *m = assay_profile_metrics(in->p);
    bool is_stated = MERGE_AT(m->has_stated, id), saturated = false;
    t->is_stated |= is_stated;
    t->is_not_stated |= !is_stated;
    if (!is_stated) return true;
    t->stated = wide_add(t->stated, m->total[id]);
    struct merge_column one = { .type = ASSAY_F64, .real = { &t->stated_double, 1, 1 } };
    return merge_column_add(&in->m->mem, &one, 0, (assay_value){ .d = m->total_double[id] }, &saturated);
}

static void agree(struct merge_metric *t, const struct merge_metric *said)
{
    if (t->kind != said->kind) t->kind = ASSAY_METRIC_FLOW;
    t->is_default &= said->is_default;
    if (t->period == said->period && t->period_type == said->period_type && t->period_unit == said->period_unit) return;
    t->period = 0;
    t->period_type = t->period_unit = 0;
}

static int metric_id(struct merge_input *in, uint32_t id, uint32_t *out)
{
    struct merge_cost *c = &in->m->cost;
    const struct assay_metrics *m = assay_profile_metrics(in->p);
    struct merge_metric said = { .name = merge_string(in, m->name[id].v),
                                 .unit = merge_string(in, MERGE_ID(m->unit, id)),
                                 .description = merge_string(in, MERGE_ID(m->description, id)),
                                 .formula = merge_string(in, MERGE_ID(m->formula, id)),
                                 .type = (enum assay_type)MERGE_AT(m->type, id),
                                 .hidden = MERGE_AT(m->hidden, id),
                                 .kind = MERGE_AT(m->kind, id),
                                 .is_default = MERGE_AT(m->is_default, id),
                                 .period = MERGE_AT(m->period, id),
                                 .period_type = merge_string(in, MERGE_ID(m->period_type, id)),
                                 .period_unit = merge_string(in, MERGE_ID(m->period_unit, id)) };
    size_t k = 0;
    TRY(merge_clock_of(in, said.unit, &said.clock));
    while (k < c->metrics.len && (c->metrics.at[k].name != said.name || c->metrics.at[k].clock != said.clock)) k++;
    if (k == c->metrics.len) {
        struct merge_metric *t = vec_push(&in->m->mem, &c->metrics);
        if (!t) return error_memory(in->err);
        *t = said;
    }
    struct merge_metric *t = &c->metrics.at[k];
    if (t->type != said.type || t->unit != said.unit)
        FAIL(in->err, ASSAY_ERR_UNSUPPORTED, "its metric '%.80s' has a different unit or type than in earlier inputs",
             intern_get(&in->m->strings, said.name).data);
    t->hidden &= said.hidden;
    agree(t, &said);
    t->description = merge_smaller(in->m, t->description, said.description);
    t->formula = merge_smaller(in->m, t->formula, said.formula);
    if (!state_total(in, t, id)) return error_memory(in->err);
    *out = (uint32_t)k + 1;
    return 0;
}

/* ---- rows ---- */

/* An input's metrics as the merger's, from 1. */
struct cost_input {
    struct merge_input *in;
    uint32_t *metrics;
};

static bool add_row(struct cost_input *x, enum merge_which which, enum merge_sum_kind kind, uint32_t row, const struct assay_block *block,
                    const assay_value *column, struct graph_row from)
{
    struct assay_merger *m = x->in->m;
    for (uint32_t k = 0; column && k < from.len; k++) {
        uint32_t metric = x->metrics[block->metrics[k].v] - 1;
        if (!merge_value(m, which, (size_t)metric * MERGE_SUMS + kind, m->cost.metrics.at[metric].type, row, column[from.at + k])) return false;
    }
    return true;
}

static bool add_places(struct cost_input *x)
{
    struct merge_input *in = x->in;
    const struct assay_graph *g = assay_profile_graph(in->p);
    bool done = true;
    for (uint32_t i = 0; done && i < g->cost_count && (done = !cancel_at(i)); i++) {
        struct merge_key key = { .address = MERGE_AT(g->cost_address, i),
                                 .func = merge_func(in, g->cost_func[i].v),
                                 .file = in->files[MERGE_ID(g->cost_file, i)],
                                 .line = MERGE_AT(g->cost_line, i) };
        uint32_t row = merge_row(in->m, MERGE_PLACES, &key);
        done = row != UINT32_MAX && add_row(x, MERGE_PLACES, MERGE_SELF, row, &g->block, g->cost_self, graph_cost_row(g, i));
    }
    /* a reader that only has sums */
    for (uint32_t i = 0; done && !g->cost_count && i < g->sum_count && (done = !cancel_at(i)); i++) {
        uint32_t row = merge_row(in->m, MERGE_PLACES, &(struct merge_key){ .func = merge_func(in, g->sum_func[i].v) });
        done = row != UINT32_MAX && add_row(x, MERGE_PLACES, MERGE_SELF, row, &g->block, g->sum_self, graph_sum_row(g, i));
    }
    return done;
}

static bool reach(struct mem *mem, void **at, size_t *len, size_t *cap, size_t rows, size_t size)
{
    if (rows <= *len) return true;
    if (!vec_grow_(mem, at, *len, cap, rows - *len, size)) return false;
    memset((char *)*at + *len * size, 0, (rows - *len) * size);
    *len = rows;
    return true;
}
#define REACH(mem, v, rows) reach((mem), (void **)&(v)->at, &(v)->len, &(v)->cap, (rows), sizeof *(v)->at)

static bool add_arcs(struct cost_input *x)
{
    struct merge_input *in = x->in;
    struct merge_cost *c = &in->m->cost;
    const struct assay_graph *g = assay_profile_graph(in->p);
    bool done = true;
    for (uint32_t i = 0; done && i < g->arc_count && (done = !cancel_at(i)); i++) {
        struct merge_key key = { .address = MERGE_AT(g->arc_address, i),
                                 .func = merge_func(in, g->arc_caller[i].v),
                                 .other = merge_func(in, g->arc_callee[i].v),
                                 .file = in->files[MERGE_ID(g->arc_file, i)],
                                 .line = MERGE_AT(g->arc_line, i) };
        uint32_t row = merge_row(in->m, MERGE_ARCS, &key), depth = MERGE_AT(g->arc_depth, i);
        struct graph_row from = graph_arc_row(g, i);
        done = row != UINT32_MAX && add_row(x, MERGE_ARCS, MERGE_TOTAL, row, &g->block, g->arc_total, from) &&
               add_row(x, MERGE_ARCS, MERGE_SELF, row, &g->block, g->arc_self, from) &&
               add_row(x, MERGE_ARCS, MERGE_RECURSIVE, row, &g->block, g->arc_recursive, from) &&
               add_row(x, MERGE_ARCS, MERGE_NESTED, row, &g->block, g->arc_nested, from) && REACH(&in->m->mem, &c->depth, (size_t)row + 1);
        if (!done) break;
        add_count(in->m, MERGE_ARCS, row, g->arc_calls[i]);
        if (depth > c->depth.at[row]) c->depth.at[row] = depth;
    }
    return done;
}

static bool add_stated(struct cost_input *x)
{
    struct merge_input *in = x->in;
    struct merge_cost *c = &in->m->cost;
    const struct assay_graph *g = assay_profile_graph(in->p);
    bool done = true;
    for (uint32_t i = 0; done && i < g->sum_count && (done = !cancel_at(i)); i++) {
        bool is_stated = MERGE_AT(g->has_stated, i);
        uint64_t entered = MERGE_AT(g->sum_entered, i);
        if (!is_stated && !entered) continue;
        uint32_t row = merge_row(in->m, MERGE_STATED, &(struct merge_key){ .func = merge_func(in, g->sum_func[i].v), .kind = is_stated });
        done = row != UINT32_MAX && REACH(&in->m->mem, &c->entered, (size_t)row + 1);
        if (!done) break;
        c->entered.at[row] = merge_add(in->m, c->entered.at[row], entered);
        done = add_row(x, MERGE_STATED, MERGE_NESTED, row, &g->block, g->sum_nested, graph_sum_row(g, i));
        if (is_stated) add_count(in->m, MERGE_STATED, row, g->stated_calls[i]);
        if (is_stated && done) done = add_row(x, MERGE_STATED, MERGE_TOTAL, row, &g->block, g->stated_total, graph_sum_row(g, i));
    }
    return done;
}

static bool add_lines(struct cost_input *x)
{
    struct merge_input *in = x->in;
    const struct assay_lines *l = assay_profile_lines(in->p);
    bool done = true;
    for (uint32_t i = 0; done && i < l->count && (done = !cancel_at(i)); i++) {
        struct merge_key key = { .file = in->files[l->file[i].v], .line = l->line[i], .kind = MERGE_AT(l->level, i) };
        uint32_t row = merge_row(in->m, MERGE_LINES, &key);
        struct graph_row from = { (size_t)i * l->block.metric_count, l->block.metric_count };
        done = row != UINT32_MAX && add_row(x, MERGE_LINES, MERGE_SELF, row, &l->block, l->self, from) &&
               add_row(x, MERGE_LINES, MERGE_TOTAL, row, &l->block, l->total, from);
        if (done) add_count(in->m, MERGE_LINES, row, l->hits[i]);
    }
    return done;
}

/* ---- tree ---- */

struct tree_input {
    struct cost_input *x;
    uint32_t *nodes;  /* the input's -> the merger's row + 1 */
    uint32_t *scopes; /* the input's -> the merger's number */
};

static bool add_scope(struct tree_input *t, uint32_t id)
{
    struct merge_input *in = t->x->in;
    struct merge_cost *c = &in->m->cost;
    const struct assay_scopes *s = assay_profile_scopes(in->p);
    struct merge_scope said = { t->x->metrics[s->metric[id].v], merge_string(in, MERGE_ID(s->name, id)), s->kind[id], MERGE_AT(s->propagation, id), false };
    size_t k = 0;
    while (k < c->scopes.len && (c->scopes.at[k].metric != said.metric || c->scopes.at[k].name != said.name || c->scopes.at[k].kind != said.kind ||
                                 c->scopes.at[k].propagation != said.propagation))
        k++;
    if (k == c->scopes.len) {
        struct merge_scope *slot = vec_push(&in->m->mem, &c->scopes);
        if (!slot) return false;
        *slot = said;
    }
    t->scopes[id] = (uint32_t)k;
    c->metrics.at[said.metric - 1].shapes |= ASSAY_SHAPE_TREE;
    return true;
}

static bool add_nodes(struct tree_input *t)
{
    struct merge_input *in = t->x->in;
    const struct assay_tree *tree = assay_profile_tree(in->p);
    for (uint32_t i = 1; i <= tree->count; i++) {
        if (cancel_at(i)) return false;
        struct merge_key key = { .address = MERGE_AT(tree->offset, i),
                                 .func = merge_func(in, MERGE_ID(tree->func, i)),
                                 .other = t->nodes[tree->parent[i].v],
                                 .file = in->files[MERGE_ID(tree->file, i)],
                                 .line = MERGE_AT(tree->line, i),
                                 .module = in->modules[MERGE_ID(tree->module, i)],
                                 .kind = MERGE_AT(tree->kind, i) | (uint32_t)MERGE_AT(tree->relation, i) << 8 | (uint32_t)MERGE_AT(tree->flags, i) << 16 };
        uint32_t row = merge_row(in->m, MERGE_NODES, &key);
        if (row == UINT32_MAX) return false;
        t->nodes[i] = row + 1;
        add_count(in->m, MERGE_NODES, row, MERGE_AT(tree->calls, i));
    }
    return true;
}

static int add_cell(void *arg, const assay_cell *cell)
{
    struct tree_input *t = arg;
    struct assay_merger *m = t->x->in->m;
    uint32_t scope = t->scopes[cell->column];
    if (!cell->node) return 0; /* of the whole: it is summed up again */
    enum assay_type type = m->cost.metrics.at[m->cost.scopes.at[scope].metric - 1].type;
    return merge_value(m, MERGE_NODES, scope, type, t->nodes[cell->node] - 1, cell->value) ? 0 : ASSAY_ERR_MEMORY;
}

static int add_tree(struct cost_input *x)
{
    struct merge_input *in = x->in;
    struct mem *mem = &in->m->mem;
    size_t nodes = (size_t)assay_profile_tree(in->p)->count + 1, scopes = (size_t)assay_profile_scopes(in->p)->count + 1;
    struct tree_input t = { x, mem_zalloc(mem, nodes, sizeof(uint32_t)), mem_zalloc(mem, scopes, sizeof(uint32_t)) };
    bool done = t.nodes && t.scopes;
    for (uint32_t i = 1; done && i < scopes; i++) done = add_scope(&t, i);
    done = done && add_nodes(&t);
    int rc = done ? 0 : error_memory(in->err);
    uint32_t streams = assay_profile_streams(in->p)->count;
    for (uint32_t s = 0; rc == 0 && s <= streams; s++) rc = assay_tree_column(in->p, (assay_stream_id){ s }, (assay_scope_id){ 0 }, add_cell, &t, in->err);
    if (rc == ASSAY_ERR_MEMORY) error_memory(in->err);
    if (rc == 0) rc = merge_samples_add(in, t.nodes, x->metrics);
    mem_free(mem, t.nodes, t.nodes ? nodes * sizeof *t.nodes : 0);
    mem_free(mem, t.scopes, t.scopes ? scopes * sizeof *t.scopes : 0);
    return rc;
}

/* ---- the whole ---- */

static void mark_block(struct cost_input *x, const struct assay_block *block, uint32_t shape)
{
    for (uint32_t k = 0; k < block->metric_count; k++) x->in->m->cost.metrics.at[x->metrics[block->metrics[k].v] - 1].shapes |= shape;
}

static int add_all(struct cost_input *x)
{
    struct merge_input *in = x->in;
    struct merge_cost *c = &in->m->cost;
    const struct assay_metrics *m = assay_profile_metrics(in->p);
    uint32_t shapes = assay_profile_shapes(in->p);
    size_t had = c->metrics.len, own = 0;
    bool is_first = in->number == 1, is_same = true;
    for (uint32_t i = 1; i <= m->count; i++) {
        /* what is only said of coverage is counted again */
        if (MERGE_AT(m->shapes, i) == ASSAY_SHAPE_COVERAGE) continue;
        TRY(metric_id(in, i, &x->metrics[i]));
        is_same = is_same && x->metrics[i] == ++own;
    }
    mark_block(x, &assay_profile_graph(in->p)->block, ASSAY_SHAPE_GRAPH);
    mark_block(x, &assay_profile_lines(in->p)->block, ASSAY_SHAPE_LINES);
    mark_block(x, &assay_profile_labels(in->p)->block, ASSAY_SHAPE_LABELS);
    c->has_same_metrics = is_first || (c->has_same_metrics && is_same && own == had);
    c->left_out += assay_profile_timeline(in->p)->count + assay_profile_graph(in->p)->jump_count + assay_profile_stats(in->p)->count +
                   assay_profile_markers(in->p)->count + assay_profile_counters(in->p)->reading_count;
    c->shapes |= shapes;
    c->has_unknown_nesting |= shapes & ASSAY_SHAPE_GRAPH && !assay_profile_graph(in->p)->knows_nesting;
    if (!add_places(x) || !add_arcs(x) || !add_stated(x) || !add_lines(x)) return error_memory(in->err);
    return shapes & ASSAY_SHAPE_TREE ? add_tree(x) : 0;
}

int merge_cost_add(struct merge_input *in)
{
    size_t count = (size_t)assay_profile_metrics(in->p)->count + 1;
    struct cost_input x = { in, mem_zalloc(&in->m->mem, count, sizeof *x.metrics) };
    int rc = x.metrics ? add_all(&x) : error_memory(in->err);
    mem_free(&in->m->mem, x.metrics, x.metrics ? count * sizeof *x.metrics : 0);
    return rc;
}
