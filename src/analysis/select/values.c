/* Values of a filtered tree, from those of the tree that it was made of: nothing is copied, so that a database of any size can be filtered.
 * What a node costs by itself is its POINT value; where a FUNCTION scope is stored, which also has what no node of the tree holds (hidden
 * contexts), it is what a node has there beyond its children in the same function. */
#include "analysis/select/select.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"

/* Differences of sums are as good as the sums: what is smaller than this share of them is nothing. */
#define NOISE 1e-12

bool select_values_column(const assay_profile *p, assay_metric_id m, struct select_column *out)
{
    const struct assay_metrics *metrics = assay_profile_metrics(p);
    struct columns c = columns_of(p, m);
    *out = (struct select_column){ .metric = m, .type = metrics->type ? (enum assay_type)metrics->type[m.v] : ASSAY_U64 };
    out->from = c.function.v ? c.function : c.point.v ? c.point : c.execution;
    out->kind = c.function.v ? ASSAY_SCOPE_FUNCTION : c.point.v ? ASSAY_SCOPE_POINT : ASSAY_SCOPE_EXECUTION;
    out->summary = columns_summary(p, out->from);
    return out->from.v != 0;
}

/* ---- one column of the source ---- */

struct visit {
    const struct select_values *v;
    size_t column;
    assay_cell_fn fn;
    void *arg;
    uint32_t node; /* the only one wanted; 0 = all */
    uint64_t count;
};

static int pass_source(void *arg, const assay_cell *cell)
{
    struct visit *t = arg;
    t->count++;
    return cell->node && cell->node < t->v->frames.len ? t->fn(t->arg, cell) : 0;
}

static void drop_noise(struct sums *values, const double *whole)
{
    for (size_t i = 0; i < values->len; i++)
        if (fabs(sums_value(values, i).d) <= NOISE * whole[i]) sums_set_zero(values, i);
}

/* Makes of stored sums what each node adds to them, and visits it. */
static int visit_apart(struct visit *t, struct sums *values, struct mem *mem, assay_error *err)
{
    const struct frames *f = &t->v->frames;
    const struct select_column *c = &t->v->columns.at[t->column];
    double *whole = mem_zalloc(mem, values->len, sizeof *whole);
    if (!whole) return error_memory(err);
    for (size_t i = 0; i < values->len && values->type == ASSAY_F64; i++) whole[i] = fabs(values->at[i].d);
    columns_take_apart(f, c->kind, values);
    if (values->type == ASSAY_F64) drop_noise(values, whole);
    mem_free(mem, whole, values->len * sizeof *whole);
    int rc = 0;
    for (uint32_t node = 1; rc == 0 && node < f->len && (rc = cancel_step(node, err)) == 0; node++) {
        assay_cell cell = { node, (uint32_t)t->column + 1, sums_value(values, node) };
        /* what belongs to nothing has no place, and is in the sums of what has one */
        if ((f->owner[node] || c->kind == ASSAY_SCOPE_EXECUTION) && !value_is_zero(values->type, cell.value)) rc = t->fn(t->arg, &cell);
    }
    return rc;
}

/* Own cost of the nodes of the source: of one of its streams, or as its summary has it. */
static int visit_own(struct visit *t, bool is_summary, uint32_t stream, assay_error *err)
{
    const struct select_values *v = t->v;
    const struct select_column *c = &v->columns.at[t->column];
    if (c->kind == ASSAY_SCOPE_POINT)
        return is_summary ? assay_tree_summary(v->source, c->summary, pass_source, t, err)
                          : assay_tree_column(v->source, (assay_stream_id){ stream }, c->from, pass_source, t, err);
    struct mem mem;
    SCOPED(sums_done) struct sums values = { 0 };
    mem_init(&mem, 0);
    if (!sums_init(&values, &mem, c->type, v->frames.len)) return error_memory(err);
    if (is_summary) TRY(columns_add(v->source, c->from, &values, err));
    if (!is_summary) TRY(columns_add_stream(v->source, (assay_stream_id){ stream }, c->from, &values, err));
    return visit_apart(t, &values, &mem, err);
}

int select_values_own(const struct select_values *v, size_t column, assay_cell_fn fn, void *arg, assay_error *err)
{
    struct visit t = { .v = v, .column = column, .fn = fn, .arg = arg };
    if (v->columns.at[column].summary.v) {
        TRY(visit_own(&t, true, 0, err));
        if (t.count || v->columns.at[column].kind != ASSAY_SCOPE_POINT) return 0;
    }
    for (size_t s = 0; s < v->streams.len; s++)
        if (v->streams.at[s] != SELECT_NO_STREAM) TRY(visit_own(&t, false, v->streams.at[s], err));
    return 0;
}

/* ---- as values of what is left ---- */

static int pass_left(void *arg, const assay_cell *cell)
{
    struct visit *t = arg;
    uint32_t to = t->v->to[cell->node];
    if (!to || (t->node && to != t->node)) return 0;
    return t->fn(t->arg, &(assay_cell){ to, (uint32_t)t->column + 1, cell->value });
}

struct joining {
    const struct select_values *v;
    struct sums *sums;
};

static int join_cell(void *arg, const assay_cell *cell)
{
    struct joining *j = arg;
    sums_add(j->sums, j->v->to[cell->node], cell->value);
    return 0;
}

/* Several nodes may have become one: their values are added up first. */
static int visit_joined(struct visit *t, bool is_summary, uint32_t stream, assay_error *err)
{
    const struct select_values *v = t->v;
    struct mem mem;
    SCOPED(sums_done) struct sums sums = { 0 };
    struct joining j = { .v = v, .sums = &sums };
    struct visit own = { .v = v, .column = t->column, .fn = join_cell, .arg = &j };
    mem_init(&mem, 0);
    if (!sums_init(&sums, &mem, v->columns.at[t->column].type, v->left)) return error_memory(err);
    TRY(visit_own(&own, is_summary, stream, err));
    for (uint32_t node = 1; node < v->left; node++) {
        TRY(cancel_step(node, err));
        assay_value value = sums_value(&sums, node);
        if (value_is_zero(sums.type, value) || (t->node && t->node != node)) continue;
        TRY(t->fn(t->arg, &(assay_cell){ node, (uint32_t)t->column + 1, value }));
    }
    return 0;
}

static int visit_left(struct visit *t, bool is_summary, uint32_t stream, assay_error *err)
{
    struct visit own = { .v = t->v, .column = t->column, .fn = pass_left, .arg = t };
    return t->v->is_one_to_one ? visit_own(&own, is_summary, stream, err) : visit_joined(t, is_summary, stream, err);
}

/* ---- the backing ---- */

static int visit_stream(const struct select_values *v, assay_stream_id stream, uint32_t node, uint32_t column, assay_cell_fn fn, void *arg, assay_error *err)
{
    uint32_t from = stream.v < v->streams.len ? v->streams.at[stream.v] : SELECT_NO_STREAM;
    if (from == SELECT_NO_STREAM) return 0;
    for (size_t k = column ? column - 1 : 0; k < (column ? column : v->columns.len); k++) {
        struct visit t = { .v = v, .column = k, .fn = fn, .arg = arg, .node = node };
        TRY(visit_left(&t, false, from, err));
    }
    return 0;
}

static int get_row(void *self, assay_stream_id stream, assay_node_id node, assay_cell_fn fn, void *arg, assay_error *err)
{
    return node.v ? visit_stream(self, stream, node.v, 0, fn, arg, err) : 0;
}

static int get_column(void *self, assay_stream_id stream, assay_scope_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    const struct select_values *v = self;
    return column.v <= v->columns.len ? visit_stream(v, stream, 0, column.v, fn, arg, err) : 0;
}

static int keep_value(void *arg, const assay_cell *cell)
{
    *(assay_value *)arg = cell->value;
    return 0;
}

static int get_value(void *self, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value *out, assay_error *err)
{
    const struct select_values *v = self;
    *out = (assay_value){ 0 };
    if (!node.v || !column.v || column.v > v->columns.len) return 0;
    return visit_stream(v, stream, node.v, column.v, keep_value, out, err);
}

struct renaming {
    assay_cell_fn fn;
    void *arg;
    uint32_t stat;
};

static int rename_cell(void *arg, const assay_cell *cell)
{
    const struct renaming *r = arg;
    return r->fn(r->arg, &(assay_cell){ cell->node, r->stat, cell->value });
}

static int get_summary(void *self, assay_stat_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    const struct select_values *v = self;
    for (size_t i = column.v ? column.v - 1 : 0; i < (column.v ? column.v : v->stats.len) && i < v->stats.len; i++) {
        struct renaming r = { fn, arg, (uint32_t)i + 1 };
        struct visit t = { .v = v, .column = v->stats.at[i], .fn = rename_cell, .arg = &r };
        TRY(visit_left(&t, true, 0, err));
    }
    return 0;
}

const struct assay_backing select_values_backing = { get_row, get_column, get_value, get_summary, select_values_free };

/* ---- life ---- */

struct select_values *select_values_new(assay_profile *p, const struct assay_filter *filter, assay_error *err)
{
    struct mem first;
    mem_init(&first, (size_t)filter->max_memory);
    struct select_values *v = mem_zalloc(&first, 1, sizeof *v);
    if (!v) {
        error_memory(err);
        return NULL;
    }
    mem_init(&v->mem, (size_t)filter->max_memory);
    v->source = assay_profile_retain(p);
    const struct assay_tree *tree = assay_profile_tree(p);
    if (frames_init(&v->frames, tree, &v->mem, err) == 0) v->to = mem_zalloc(&v->mem, v->frames.len, sizeof *v->to);
    if (v->to) return v;
    error_memory(err);
    select_values_free(v);
    return NULL;
}

void select_values_free(void *self)
{
    struct select_values *v = self;
    if (!v) return;
    struct mem mem;
    mem_free(&v->mem, v->to, v->to ? v->frames.len * sizeof *v->to : 0);
    frames_done(&v->frames);
    vec_done(&v->mem, &v->columns, &v->stats, &v->streams);
    assay_profile_release(v->source);
    mem_init(&mem, 0);
    mem_free(&mem, v, sizeof *v);
}
