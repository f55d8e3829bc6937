/* The functions table from a tree. Self: the values of the nodes that belong to a function. Total: inclusive values of its outermost
 * instances, so that recursion counts once. See assay/analysis.h for which stored scopes stand for which sums. */
#include "analysis/top.h"
#include "analysis/walk.h"
#include "base/error.h"
#include "base/slice.h"

/* Which function each node belongs to. */
struct frames {
    const struct assay_tree *tree;
    size_t len;
    uint32_t *owner;       /* by node: its enclosing function node, 0 = none */
    uint8_t *is_outermost; /* by function node: no node of the same function above it */
};

static uint8_t kind_of(const struct assay_tree *tree, uint32_t node) { return tree->kind ? tree->kind[node] : ASSAY_NODE_FUNCTION; }
static uint32_t parent_of(const struct assay_tree *tree, uint32_t node) { return tree->parent[node].v; }

/* The function of a function node; 0 = none that has a row. */
static uint32_t func_of(const struct assay_tree *tree, uint32_t node)
{
    return node && tree->func && kind_of(tree, node) != ASSAY_NODE_ENTRY ? tree->func[node].v : 0;
}

/* A call always begins something new, even where nobody knows what. A func that is only repeated below its own node does not. */
static bool is_function_node(const struct frames *f, uint32_t node)
{
    const struct assay_tree *tree = f->tree;
    uint8_t kind = kind_of(tree, node), relation = tree->relation ? tree->relation[node] : ASSAY_RELATION_LEXICAL;
    if (kind == ASSAY_NODE_FUNCTION || kind == ASSAY_NODE_INLINED || kind == ASSAY_NODE_ENTRY) return true;
    if (relation == ASSAY_RELATION_CALL || relation == ASSAY_RELATION_INLINED_CALL) return true;
    uint32_t func = func_of(tree, node);
    return func && func != func_of(tree, f->owner[parent_of(tree, node)]);
}

/* Makes the rows, and finds the outermost node of each function on each path. */
static int add_rows(struct top *t, struct frames *f, assay_error *err)
{
    uint32_t *open = mem_zalloc(&t->mem, t->row_of_len, sizeof *open);
    struct walk w;
    if (!open) return error_memory(err);
    int rc = walk_init(&w, f->tree, &t->mem, err);
    while (rc == 0 && walk_next(&w)) {
        uint32_t func = f->owner[w.node] == w.node ? func_of(f->tree, w.node) : 0;
        if (!func) continue;
        if (w.is_leaving) {
            open[func]--;
            continue;
        }
        uint32_t row = top_row(t, (assay_func_id){ func });
        f->is_outermost[w.node] = open[func]++ == 0;
        if (f->tree->calls) top_add_calls(t, row, f->tree->calls[w.node]);
    }
    walk_done(&w);
    mem_free(&t->mem, open, t->row_of_len * sizeof *open);
    return rc;
}

static int frames_init(struct frames *f, struct top *t, assay_error *err)
{
    *f = (struct frames){ .tree = assay_profile_tree(t->profile) };
    f->len = (size_t)f->tree->count + 1;
    f->owner = mem_zalloc(&t->mem, f->len, sizeof *f->owner);
    f->is_outermost = mem_zalloc(&t->mem, f->len, 1);
    if (!f->owner || !f->is_outermost) return error_memory(err);
    for (uint32_t id = 1; id <= f->tree->count; id++) f->owner[id] = is_function_node(f, id) ? id : f->owner[parent_of(f->tree, id)];
    return add_rows(t, f, err);
}

static void frames_done(struct frames *f, struct top *t)
{
    mem_free(&t->mem, f->owner, f->len * sizeof *f->owner);
    mem_free(&t->mem, f->is_outermost, f->len);
}

/* ---- columns ---- */

struct columns {
    assay_scope_id point, function, execution, charged;
};

static struct columns columns_of(const assay_profile *p, assay_metric_id m)
{
    const struct assay_scopes *s = assay_profile_scopes(p);
    struct columns c = { { 0 }, { 0 }, { 0 }, { 0 } };
    for (uint32_t id = 1; id <= s->count; id++) {
        if (s->metric[id].v != m.v) continue;
        if (s->kind[id] == ASSAY_SCOPE_POINT) c.point.v = id;
        if (s->kind[id] == ASSAY_SCOPE_FUNCTION) c.function.v = id;
        if (s->kind[id] == ASSAY_SCOPE_EXECUTION) c.execution.v = id;
        if (s->kind[id] == ASSAY_SCOPE_CUSTOM && s->name && slice_is(assay_profile_string(p, s->name[id]), "call")) c.charged.v = id;
    }
    return c;
}

/* The statistic that is the sum of a column over the streams, or 0. */
static assay_stat_id sum_of_streams(const assay_profile *p, assay_scope_id column)
{
    const struct assay_stats *s = assay_profile_stats(p);
    for (uint32_t id = 1; id <= s->count; id++)
        if (s->scope[id].v == column.v && s->combine[id] == ASSAY_COMBINE_SUM && slice_is(assay_profile_string(p, s->formula[id]), "$$"))
            return (assay_stat_id){ id };
    return (assay_stat_id){ 0 };
}

enum { LATER = 16 };

/* Nodes of a backing jump about in memory: each cell is added when its place has had time to arrive. */
struct fill {
    struct sums *values; /* by node */
    uint64_t count;
    assay_cell waiting[LATER];
};

static int add_cell(void *arg, const assay_cell *cell)
{
    struct fill *f = arg;
    if (cell->node >= f->values->len) return 0; /* a backing may answer anything */
    assay_cell *slot = &f->waiting[f->count % LATER];
    __builtin_prefetch(&f->values->at[cell->node], 1);
    if (f->count >= LATER) sums_add(f->values, slot->node, slot->value);
    *slot = *cell;
    f->count++;
    return 0;
}

static void add_waiting(struct fill *f)
{
    for (uint64_t i = f->count > LATER ? f->count - LATER : 0; i < f->count; i++) sums_add(f->values, f->waiting[i % LATER].node, f->waiting[i % LATER].value);
}

/* Adds a column over all streams to values[node]; nothing for column 0. */
static int add_column(const assay_profile *p, assay_scope_id column, struct sums *values, assay_error *err)
{
    struct fill f = { .values = values };
    assay_stat_id sum = sum_of_streams(p, column);
    if (!column.v) return 0;
    if (sum.v) TRY(assay_tree_summary(p, sum, add_cell, &f, err));
    bool is_summed = f.count > 0;
    for (uint32_t s = 0; !is_summed && s <= assay_profile_streams(p)->count; s++) TRY(assay_tree_column(p, (assay_stream_id){ s }, column, add_cell, &f, err));
    add_waiting(&f);
    return 0;
}

/* ---- inclusive ---- */

/* Children have larger ids than their parents. */
static void sum_up(const struct frames *f, struct sums *values)
{
    for (uint32_t id = f->tree->count; id > 0; id--) {
        uint32_t parent = parent_of(f->tree, id);
        if (parent) sums_add_sum(values, parent, values, id);
    }
}

/* What each function node spent itself, and what it was charged for the calls it made. */
static int add_charges(struct top *t, const struct frames *f, assay_scope_id charged, struct sums *values, assay_error *err)
{
    struct sums charges;
    int rc = sums_init(&charges, &t->mem, values->type, f->len) ? 0 : error_memory(err);
    if (rc == 0) rc = add_column(t->profile, charged, &charges, err);
    for (uint32_t id = 1; rc == 0 && id <= f->tree->count; id++) {
        uint32_t owner = f->owner[id], caller = f->owner[parent_of(f->tree, id)];
        if (owner != id && owner) sums_add_sum(values, owner, values, id);
        if (caller) sums_add_sum(values, caller, &charges, id);
    }
    sums_done(&charges);
    return rc;
}

/* From the cost of each node to that of everything below, at least at function nodes. */
static int make_inclusive(struct top *t, const struct frames *f, const struct columns *c, struct sums *values, assay_error *err)
{
    if (c->execution.v) {
        sums_clear(values);
        return add_column(t->profile, c->execution, values, err);
    }
    if (c->charged.v) return add_charges(t, f, c->charged, values, err);
    sum_up(f, values);
    return 0;
}

/* ---- by function ---- */

/* What is stored for a function as a whole counts at its function nodes only. */
static void keep_function_nodes(const struct frames *f, struct sums *values)
{
    for (uint32_t id = 1; id <= f->tree->count; id++)
        if (f->owner[id] != id) sums_set_zero(values, id);
}

static void add_self(const struct top *t, const struct frames *f, const struct sums *values, struct sums *self)
{
    for (uint32_t id = 1; id <= f->tree->count; id++) {
        uint32_t func = func_of(f->tree, f->owner[id]);
        if (func) sums_add_sum(self, t->row_of[func] - 1, values, id);
    }
}

static void add_total(const struct top *t, const struct frames *f, const struct sums *values, struct sums *total)
{
    for (uint32_t id = 1; id <= f->tree->count; id++)
        if (f->is_outermost[id]) sums_add_sum(total, t->row_of[f->tree->func[id].v] - 1, values, id);
}

static int sum_metric(struct top *t, const struct frames *f, uint32_t k, assay_error *err)
{
    struct columns c = columns_of(t->profile, t->metrics[k]);
    enum assay_type type = (enum assay_type)t->types[k];
    struct sums values, self, total;
    bool has_room = sums_init(&values, &t->mem, type, f->len);
    has_room = sums_init(&self, &t->mem, type, t->pub.count) && has_room;
    has_room = sums_init(&total, &t->mem, type, t->pub.count) && has_room;
    int rc = has_room ? add_column(t->profile, c.function.v ? c.function : c.point, &values, err) : error_memory(err);
    if (rc == 0) {
        if (c.function.v) keep_function_nodes(f, &values);
        add_self(t, f, &values, &self);
        rc = make_inclusive(t, f, &c, &values, err);
    }
    if (rc == 0) {
        add_total(t, f, &values, &total);
        top_put(t, k, &self, &total);
    }
    sums_done(&values);
    sums_done(&self);
    sums_done(&total);
    return rc;
}

int top_from_tree(struct top *t, assay_error *err)
{
    struct frames f;
    int rc = frames_init(&f, t, err);
    for (uint32_t k = 0; rc == 0 && k < t->width; k++) rc = sum_metric(t, &f, k, err);
    frames_done(&f, t);
    return rc;
}
