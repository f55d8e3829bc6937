/* The functions table from a tree. Self: the values of the function's own nodes. Total: inclusive values of its outermost nodes, so
 * that recursion counts once. Inclusive is what the file stores as execution scope; else, where it stores what callers were charged,
 * self plus what the children were charged; else the sum of everything below. */
#include "analysis/top.h"
#include "analysis/value.h"
#include "analysis/walk.h"
#include "base/error.h"
#include "base/slice.h"

struct columns {
    assay_scope_id point, function, execution, charged;
};

static struct columns columns_of(const assay_profile *p, assay_metric_id m)
{
    const struct assay_scopes *s = assay_profile_scopes(p);
    struct columns c = { { 0 }, { 0 }, { 0 }, { 0 } };
    for (uint32_t id = 1; id <= s->count; id++) {
        if (s->metric[id].v != m.v) continue;
        uint8_t kind = s->kind ? s->kind[id] : ASSAY_SCOPE_POINT;
        if (kind == ASSAY_SCOPE_POINT) c.point.v = id;
        if (kind == ASSAY_SCOPE_FUNCTION) c.function.v = id;
        if (kind == ASSAY_SCOPE_EXECUTION) c.execution.v = id;
        if (kind == ASSAY_SCOPE_CUSTOM && s->name && slice_is(assay_profile_string(p, s->name[id]), "call")) c.charged.v = id;
    }
    return c;
}

struct fill {
    assay_value *values; /* by node */
    enum assay_type type;
};

static int add_cell(void *arg, const assay_cell *cell)
{
    struct fill *f = arg;
    f->values[cell->node] = value_add(f->type, f->values[cell->node], cell->value);
    return 0;
}

/* Sums a column over all streams into values[node]. */
static int column_sum(const assay_profile *p, assay_scope_id column, enum assay_type type, assay_value *values, assay_error *err)
{
    struct fill f = { values, type };
    uint32_t streams = assay_profile_streams(p)->count;
    for (uint32_t s = streams ? 1 : 0; s <= streams; s++) TRY(assay_tree_column(p, (assay_stream_id){ s }, column, add_cell, &f, err));
    return 0;
}

/* values[] becomes inclusive: children have larger ids than their parents. */
static void sum_up(const struct assay_tree *tree, enum assay_type type, assay_value *values)
{
    for (uint32_t id = tree->count; id > 0; id--) {
        uint32_t parent = tree->parent ? tree->parent[id].v : 0;
        if (parent) values[parent] = value_add(type, values[parent], values[id]);
    }
}

static int inclusive(const assay_profile *p, struct columns c, enum assay_type type, const assay_value *self, assay_value *out, struct mem *mem, assay_error *err)
{
    const struct assay_tree *tree = assay_profile_tree(p);
    size_t n = (size_t)tree->count + 1;
    if (c.execution.v) return column_sum(p, c.execution, type, out, err);
    memcpy(out, self, n * sizeof *out);
    if (!c.charged.v) {
        sum_up(tree, type, out);
        return 0;
    }
    assay_value *charged = mem_zalloc(mem, n, sizeof *charged);
    if (!charged) return error_memory(err);
    int rc = column_sum(p, c.charged, type, charged, err);
    for (uint32_t id = 1; rc == 0 && id <= tree->count; id++) {
        uint32_t parent = tree->parent ? tree->parent[id].v : 0;
        if (parent) out[parent] = value_add(type, out[parent], charged[id]);
    }
    mem_free(mem, charged, n * sizeof *charged);
    return rc;
}

/* Adds each node to the row of its function; the total only where no node of the same function is open above. */
static int add_nodes(struct top *t, uint32_t k, const assay_value *self, const assay_value *total, assay_error *err)
{
    const struct assay_tree *tree = assay_profile_tree(t->profile);
    uint32_t *open = mem_zalloc(&t->mem, t->row_of_len, sizeof *open);
    struct walk w;
    if (!open) return error_memory(err);
    int rc = walk_init(&w, tree, &t->mem, err);
    while (rc == 0 && walk_next(&w)) {
        assay_func_id f = tree->func ? tree->func[w.node] : (assay_func_id){ 0 };
        if (!f.v) continue;
        if (w.is_leaving) {
            open[f.v]--;
            continue;
        }
        uint32_t row = top_row(t, f);
        top_add(t, t->self, row, k, self[w.node]);
        if (open[f.v]++ == 0) top_add(t, t->total, row, k, total[w.node]);
        if (k == 0 && tree->calls) t->calls[row] += tree->calls[w.node];
    }
    walk_done(&w);
    mem_free(&t->mem, open, t->row_of_len * sizeof *open);
    return rc;
}

int top_from_tree(struct top *t, assay_error *err)
{
    size_t n = (size_t)assay_profile_tree(t->profile)->count + 1, len = n * sizeof(assay_value);
    int rc = 0;
    for (uint32_t k = 0; rc == 0 && k < t->width; k++) {
        struct columns c = columns_of(t->profile, t->metrics[k]);
        enum assay_type type = (enum assay_type)t->types[k];
        assay_value *self = mem_zalloc(&t->mem, n, sizeof *self), *total = mem_zalloc(&t->mem, n, sizeof *total);
        rc = self && total ? 0 : error_memory(err);
        if (rc == 0) rc = column_sum(t->profile, c.function.v ? c.function : c.point, type, self, err);
        if (rc == 0) rc = inclusive(t->profile, c, type, self, total, &t->mem, err);
        if (rc == 0) rc = add_nodes(t, k, self, total, err);
        mem_free(&t->mem, self, len);
        mem_free(&t->mem, total, len);
    }
    return rc;
}
