/* Cost of an input -> the tables of the merger; see cost.h. */
#include "analysis/merge/cost.h"

#include "analysis/merge/merge.h"
#include "base/cancel.h"
#include "base/number.h"
#include "base/scoped.h"
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
        vec_done(mem, &t->keys, &t->columns);
        for (int k = 0; k < MERGE_COUNTS; k++) vec_done(mem, &t->count[k]);
        index_done(&t->index);
    }
    for (size_t k = 0; k < c->metrics.len; k++)
        mem_free(mem, c->metrics.at[k].stated_double.big, c->metrics.at[k].stated_double.big ? sizeof(struct exact) : 0);
    vec_done(mem, &c->metrics, &c->scopes, &c->labels, &c->sets);
    index_done(&c->label_index);
    index_done(&c->set_index);
}

static bool same_key(enum merge_which which, const union merge_key *a, const union merge_key *b)
{
    switch (which) {
    case MERGE_COSTS: return true SCHEMA_COSTS(MERGE_KEY_SAME, cost);
    case MERGE_ARCS: return true SCHEMA_ARCS(MERGE_KEY_SAME, arc);
    case MERGE_STATED: return a->sum.is_stated == b->sum.is_stated SCHEMA_SUMS(MERGE_KEY_SAME, sum);
    case MERGE_LINES: return true SCHEMA_LINES(MERGE_KEY_SAME, line);
    case MERGE_NODES: return true SCHEMA_NODES(MERGE_KEY_SAME, node);
    default: return true SCHEMA_SAMPLES(MERGE_KEY_SAME, sample);
    }
}

static uint64_t key_hash(enum merge_which which, const union merge_key *key)
{
    uint64_t hash = which;
    switch (which) {
    case MERGE_COSTS: SCHEMA_COSTS(MERGE_KEY_MIX, cost) break;
    case MERGE_ARCS: SCHEMA_ARCS(MERGE_KEY_MIX, arc) break;
    case MERGE_STATED: SCHEMA_SUMS(MERGE_KEY_MIX, sum) break;
    case MERGE_LINES: SCHEMA_LINES(MERGE_KEY_MIX, line) break;
    case MERGE_NODES: SCHEMA_NODES(MERGE_KEY_MIX, node) break;
    default: SCHEMA_SAMPLES(MERGE_KEY_MIX, sample) break;
    }
    return hash;
}

uint32_t merge_row(struct assay_merger *m, enum merge_which which, const union merge_key *key)
{
    struct merge_table *t = &m->cost.tables[which];
    uint64_t hash = key_hash(which, key);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (same_key(which, &t->keys.at[w.id - 1], key)) return w.id - 1;
    union merge_key *slot = vec_push(&m->mem, &t->keys);
    if (!slot) return UINT32_MAX;
    *slot = *key;
    return index_add(&t->index, hash, (uint32_t)t->keys.len) ? (uint32_t)t->keys.len - 1 : UINT32_MAX;
}

/* The count of a row; NULL = no memory. */
static uint64_t *count_at(struct assay_merger *m, enum merge_which which, enum merge_count count, uint32_t row)
{
    struct merge_table *t = &m->cost.tables[which];
    while (t->count[count].len <= row) {
        uint64_t *slot = vec_push(&m->mem, &t->count[count]);
        if (!slot) return NULL;
        *slot = 0;
    }
    return &t->count[count].at[row];
}

bool merge_counted(struct assay_merger *m, enum merge_which which, enum merge_count count, uint32_t row, uint64_t more)
{
    if (!more) return true;
    uint64_t *at = count_at(m, which, count, row);
    if (at) *at = merge_add(m, *at, more);
    return at;
}

bool merge_largest(struct assay_merger *m, enum merge_which which, enum merge_count count, uint32_t row, uint64_t least)
{
    if (!least) return true;
    uint64_t *at = count_at(m, which, count, row);
    if (at && least > *at) *at = least;
    return at;
}

struct merge_column *merge_column_at(struct assay_merger *m, enum merge_which which, size_t at, enum assay_type type)
{
    struct merge_table *t = &m->cost.tables[which];
    while (t->columns.len <= at) {
        struct merge_column *c = vec_push(&m->mem, &t->columns);
        if (!c) return NULL;
        *c = (struct merge_column){ .type = ASSAY_U64 };
    }
    t->columns.at[at].type = type;
    return &t->columns.at[at];
}

bool merge_value(struct assay_merger *m, enum merge_which which, size_t at, enum assay_type type, uint32_t row, assay_value v)
{
    struct merge_column *column = merge_column_at(m, which, at, type);
    return column && merge_column_add(&m->mem, column, row, v, &m->is_saturated);
}

/* ---- metrics ---- */

void merge_metric_fold(struct assay_merger *m, struct merge_metric *to, const struct merge_metric *said) { SCHEMA_METRICS(MERGE_FOLD, _) }

static bool is_metric(const struct merge_metric *a, const struct merge_metric *b) { return a->clock == b->clock SCHEMA_METRICS(MERGE_SAME, _); }

static bool add_stated_total(struct merge_input *in, struct merge_metric *t, double total)
{
    bool saturated = false;
    struct merge_column one = { .type = ASSAY_F64, .real = { &t->stated_double, 1, 1 } };
    return merge_column_add(&in->m->mem, &one, 0, (assay_value){ .d = total }, &saturated);
}

int merge_metric_put(struct merge_input *in, const struct merge_metric *said, uint32_t *out)
{
    struct merge_cost *c = &in->m->cost;
    size_t k = 0;
    while (k < c->metrics.len && !is_metric(&c->metrics.at[k], said)) k++;
    struct merge_metric *known = k < c->metrics.len ? &c->metrics.at[k] : NULL;
    if (known && (known->type != said->type || known->unit != said->unit))
        FAIL(in->err, ASSAY_ERR_UNSUPPORTED, "its metric '%.80s' has a different unit or type than in earlier inputs",
             intern_get(&in->m->strings, said->name).data);
    if (known) {
        merge_metric_fold(in->m, known, said);
    } else {
        known = vec_push(&in->m->mem, &c->metrics);
        if (!known) return error_memory(in->err);
        *known = *said;
        known->stated_double = (struct merge_double){ 0 };
    }
    *out = (uint32_t)k + 1;
    return 0;
}

static int metric_id(struct merge_input *in, uint32_t i, uint32_t *out)
{
    struct merge_cost *c = &in->m->cost;
    const struct assay_metrics *t = assay_profile_metrics(in->p);
    struct merge_metric said = { SCHEMA_METRICS(MERGE_TAKE, _) };
    TRY(merge_clock_of(in, said.unit, &said.clock));
    TRY(merge_metric_put(in, &said, out));
    return said.has_stated && !add_stated_total(in, &c->metrics.at[*out - 1], said.total_double) ? error_memory(in->err) : 0;
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

/* Columns of a row that is known: expanded where `in`, `x`, `which`, `t`, `i`, `row` and `from` are. */
#define ADD_FIGURES(LIST) (row != UINT32_MAX LIST(MERGE_FIGURE, _))

static bool add_costs(struct cost_input *x)
{
    const enum merge_which which = MERGE_COSTS;
    struct merge_input *in = x->in;
    const struct assay_graph *t = assay_profile_graph(in->p);
    bool done = true;
    for (uint32_t i = 0; done && i < t->cost_count && (done = !cancel_at(i)); i++) {
        union merge_key key = { 0 };
        SCHEMA_COSTS(MERGE_KEY_TAKE, cost)
        uint32_t row = merge_row(in->m, which, &key);
        struct graph_row from = graph_cost_row(t, i);
        done = ADD_FIGURES(SCHEMA_COSTS);
    }
    /* a reader that only has sums */
    for (uint32_t i = 0; done && !t->cost_count && i < t->sum_count && (done = !cancel_at(i)); i++) {
        uint32_t row = merge_row(in->m, which, &(union merge_key){ .cost.func = merge_func(in, t->sum_func[i].v) });
        done = row != UINT32_MAX && add_row(x, which, MERGE_SUM_self, row, &t->block, t->sum_self, graph_sum_row(t, i));
    }
    return done;
}

static bool add_arcs(struct cost_input *x)
{
    const enum merge_which which = MERGE_ARCS;
    struct merge_input *in = x->in;
    const struct assay_graph *t = assay_profile_graph(in->p);
    bool done = true;
    for (uint32_t i = 0; done && i < t->arc_count && (done = !cancel_at(i)); i++) {
        union merge_key key = { 0 };
        SCHEMA_ARCS(MERGE_KEY_TAKE, arc)
        uint32_t row = merge_row(in->m, which, &key);
        struct graph_row from = graph_arc_row(t, i);
        done = ADD_FIGURES(SCHEMA_ARCS);
    }
    return done;
}

/* What a file says of a function beyond its costs and calls. */
static bool add_stated(struct cost_input *x)
{
    const enum merge_which which = MERGE_STATED;
    struct merge_input *in = x->in;
    const struct assay_graph *t = assay_profile_graph(in->p);
    bool done = true;
    for (uint32_t i = 0; done && i < t->sum_count && (done = !cancel_at(i)); i++) {
        union merge_key key = { .sum.is_stated = MERGE_AT(t->has_stated, i) };
        if (!key.sum.is_stated && !MERGE_AT(t->sum_entered, i)) continue;
        SCHEMA_SUMS(MERGE_KEY_TAKE, sum)
        uint32_t row = merge_row(in->m, which, &key);
        struct graph_row from = graph_sum_row(t, i);
        done = ADD_FIGURES(SCHEMA_SUMS);
    }
    return done;
}

static bool add_lines(struct cost_input *x)
{
    const enum merge_which which = MERGE_LINES;
    struct merge_input *in = x->in;
    const struct assay_lines *t = assay_profile_lines(in->p);
    bool done = true;
    for (uint32_t i = 0; done && i < t->count && (done = !cancel_at(i)); i++) {
        union merge_key key = { 0 };
        SCHEMA_LINES(MERGE_KEY_TAKE, line)
        uint32_t row = merge_row(in->m, which, &key);
        struct graph_row from = { (size_t)i * t->block.metric_count, t->block.metric_count };
        done = ADD_FIGURES(SCHEMA_LINES);
    }
    return done;
}

/* ---- tree ---- */

struct tree_input {
    struct cost_input *x;
    uint32_t *nodes;  /* the input's -> the merger's row + 1 */
    uint32_t *scopes; /* the input's -> the merger's number */
};

static bool is_scope(const struct merge_scope *a, const struct merge_scope *b) { return true SCHEMA_SCOPES(MERGE_SAME, _); }

size_t merge_scope_place(struct assay_merger *m, const struct merge_scope *said)
{
    struct merge_cost *c = &m->cost;
    for (size_t k = 0; k < c->scopes.len; k++)
        if (is_scope(&c->scopes.at[k], said)) return k;
    struct merge_scope copy = *said, *slot = vec_push(&m->mem, &c->scopes);
    if (!slot) return SIZE_MAX;
    *slot = copy;
    return c->scopes.len - 1;
}

static bool add_scope(struct tree_input *to, uint32_t i)
{
    struct merge_input *in = to->x->in;
    const uint32_t *metrics = to->x->metrics;
    const struct assay_scopes *t = assay_profile_scopes(in->p);
    struct merge_scope said = { SCHEMA_SCOPES(MERGE_TAKE, _) };
    size_t place = merge_scope_place(in->m, &said);
    if (place == SIZE_MAX) return false;
    to->scopes[i] = (uint32_t)place;
    in->m->cost.metrics.at[said.metric - 1].shapes |= ASSAY_SHAPE_TREE;
    return true;
}

static bool add_nodes(struct tree_input *to)
{
    const enum merge_which which = MERGE_NODES;
    struct merge_input *in = to->x->in;
    const uint32_t *nodes = to->nodes;
    const struct assay_tree *t = assay_profile_tree(in->p);
    for (uint32_t i = 1; i <= t->count; i++) {
        if (cancel_at(i)) return false;
        union merge_key key = { 0 };
        SCHEMA_NODES(MERGE_KEY_TAKE, node)
        uint32_t row = merge_row(in->m, which, &key);
        if (!ADD_FIGURES(SCHEMA_NODES)) return false;
        to->nodes[i] = row + 1;
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
    uint32_t scope_count = assay_profile_scopes(in->p)->count, streams = assay_profile_streams(in->p)->count;
    SCRATCH(uint32_t, nodes, &in->m->mem, (size_t)assay_profile_tree(in->p)->count + 1);
    SCRATCH(uint32_t, scopes, &in->m->mem, (size_t)scope_count + 1);
    struct tree_input t = { x, nodes, scopes };
    bool done = nodes && scopes;
    for (uint32_t i = 1; done && i <= scope_count; i++) done = add_scope(&t, i);
    if (!done || !add_nodes(&t)) return error_memory(in->err);
    for (uint32_t s = 0; s <= streams; s++) {
        int rc = assay_tree_column(in->p, (assay_stream_id){ s }, (assay_scope_id){ 0 }, add_cell, &t, in->err);
        if (rc) return rc == ASSAY_ERR_MEMORY ? error_memory(in->err) : rc;
    }
    return merge_samples_add(in, nodes, x->metrics);
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
    if (!add_costs(x) || !add_arcs(x) || !add_stated(x) || !add_lines(x)) return error_memory(in->err);
    return shapes & ASSAY_SHAPE_TREE ? add_tree(x) : 0;
}

int merge_cost_add(struct merge_input *in)
{
    SCRATCH(uint32_t, metrics, &in->m->mem, (size_t)assay_profile_metrics(in->p)->count + 1);
    return metrics ? add_all(&(struct cost_input){ in, metrics }) : error_memory(in->err);
}
