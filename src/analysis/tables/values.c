/* Values of trees as rows: pulled, for there may be more than memory holds. A node of a stream is looked up; everything else is gone through in the order of
 * stream, node and column. And the summary over the streams, which is small. */
#include "analysis/tables/parts.h"

#include <string.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/cursor.h"
#include "model/profile.h"
#include "model/schema.h"

enum { VALUE_PROFILE, VALUE_STREAM, VALUE_NODE, VALUE_METRIC, VALUE_SCOPE, VALUE_VALUE, VALUE_COLUMNS };

static const struct tables_column value_columns[VALUE_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "stream", TABLES_INTEGER, "stream that it was measured in; 0 = none", "1" },
    { "node", TABLES_INTEGER, "calling context; NULL = the whole profile", "12" },
    { "metric", TABLES_TEXT, "metric", "Ir" },
    { "scope", TABLES_TEXT, "what it counts: point = the node itself, function, lex_aware, execution = all below, or the name of a custom scope", "point" },
    { "value", TABLES_NUMBER, "the value", "1205" },
};

struct tables_values {
    struct mem *mem;
    const assay_profile *p;
    assay_cursor *cursor; /* NULL = nodes are looked up */
    uint32_t stream, last_stream;
    bool has_node, is_new;
    uint32_t node;
    uint64_t steps;
    struct arena arena;
    assay_slice *metrics, *scopes; /* by column of the tree */
    uint8_t *kinds;                /* enum tables_cell_kind */
    bool *is_wanted;
    bool wants_all;
    VEC(assay_cell) cells; /* of the node and stream that were looked up */
};

static assay_slice scope_name(const assay_profile *p, uint32_t scope)
{
    static const char *const kinds[] = { "point", "function", "lex_aware", "execution", "custom" };
    assay_slice name = text_of(p, p->scopes.name, scope);
    uint8_t kind = p->scopes.kind[scope];
    return kind == ASSAY_SCOPE_CUSTOM && name.len ? name : slice_of(kinds[kind <= ASSAY_SCOPE_CUSTOM ? kind : ASSAY_SCOPE_CUSTOM]);
}

static int describe(struct tables_values *v, assay_error *err)
{
    size_t count = (size_t)v->p->scopes.count + 1;
    v->metrics = arena_alloc(&v->arena, count * sizeof *v->metrics);
    v->scopes = arena_alloc(&v->arena, count * sizeof *v->scopes);
    v->kinds = arena_alloc(&v->arena, count);
    v->is_wanted = arena_alloc(&v->arena, count * sizeof *v->is_wanted);
    if (!v->metrics || !v->scopes || !v->kinds || !v->is_wanted) return error_memory(err);
    for (uint32_t i = 1; i < count; i++) {
        assay_metric_id metric = v->p->scopes.metric[i];
        v->metrics[i] = metric_name_of(v->p, metric);
        v->kinds[i] = (uint8_t)cell_value((enum assay_type)v->p->metrics.type[metric.v], (assay_value){ 0 }).kind;
        v->scopes[i] = scope_name(v->p, i);
        v->is_wanted[i] = true;
    }
    return 0;
}

/* A number that is asked for; what is no whole number is left to SQL. */
static bool asked(const struct tables_constraint *c, uint32_t most, uint32_t *out, bool *is_none)
{
    bool is_whole = c->value.kind == TABLES_U64 || c->value.kind == TABLES_I64;
    if (!is_whole) return false;
    *is_none |= (c->value.kind == TABLES_I64 && c->value.i < 0) || c->value.u > most;
    *out = (uint32_t)c->value.u;
    return true;
}

static bool narrow(struct tables_values *v, const struct tables_constraint *c)
{
    bool is_none = false;
    uint32_t number;
    const assay_slice *texts = c->column == VALUE_METRIC ? v->metrics : v->scopes;
    switch (c->column) {
    case VALUE_STREAM:
        if (asked(c, v->p->streams.count, &number, &is_none) && !is_none) v->stream = v->last_stream = number;
        break;
    case VALUE_NODE:
        if (asked(c, v->p->tree.count, &number, &is_none) && !is_none) {
            v->has_node = true;
            v->node = number;
        }
        break;
    case VALUE_METRIC:
    case VALUE_SCOPE:
        if (c->value.kind != TABLES_STRING) break;
        v->wants_all = false;
        for (uint32_t i = 1; i <= v->p->scopes.count; i++) v->is_wanted[i] &= slice_equal(texts[i], c->value.s);
        break;
    default: break;
    }
    return !is_none;
}

/* The only column that is asked for; 0 = there are several. */
static assay_scope_id only_column(const struct tables_values *v)
{
    assay_scope_id only = { 0 };
    for (uint32_t i = 1; i <= v->p->scopes.count; i++) {
        if (!v->is_wanted[i]) continue;
        if (only.v) return (assay_scope_id){ 0 };
        only.v = i;
    }
    return only;
}

int values_open(struct tables_place *at, struct tables_values **out, const struct tables_constraint *c, unsigned count, assay_error *err)
{
    struct mem *mem = at->t->mem;
    bool has_any = true;
    struct tables_values *v = *out = mem_zalloc(mem, 1, sizeof *v);
    if (!v) return error_memory(err);
    at->cell = at->cell_end = NULL;
    v->mem = mem;
    v->p = at->p->p;
    v->last_stream = v->p->streams.count;
    v->wants_all = true;
    arena_init(&v->arena, mem);
    TRY(describe(v, err));
    for (unsigned i = 0; i < count; i++)
        if (c[i].op == TABLES_EQ && c[i].column != VALUE_PROFILE) has_any &= narrow(v, &c[i]);
    if (!has_any) {
        v->has_node = true;
        v->stream = v->last_stream + 1;
        return 0;
    }
    if (v->has_node) return 0;
    v->cursor = assay_cursor_new(at->p->input.profile, err);
    if (!v->cursor) return err->code;
    cursor_only(v->cursor, only_column(v));
    return v->stream ? assay_cursor_seek(v->cursor, (assay_stream_id){ v->stream }, (assay_node_id){ 0 }, (assay_scope_id){ 0 }, err) : 0;
}

void values_close(struct tables_values *v)
{
    if (!v) return;
    assay_cursor_free(v->cursor);
    vec_done(v->mem, &v->cells);
    arena_done(&v->arena);
    mem_free(v->mem, v, sizeof *v);
}

static int keep_cell(void *arg, const assay_cell *cell)
{
    struct tables_values *v = arg;
    assay_cell *to = vec_push(v->mem, &v->cells);
    if (!to) return ASSAY_ERR_MEMORY;
    *to = *cell;
    return 0;
}

/* The cells of the node in this stream, or in the next that has some. */
static int look_up(struct tables_values *v, struct tables_place *at, size_t *count, assay_error *err)
{
    do {
        if (v->is_new) v->stream++;
        v->is_new = true;
        if (v->stream > v->last_stream) return 0;
        v->cells.len = 0;
        TRY(cancel_step(v->steps++, err));
        int rc = assay_tree_row(v->p, (assay_stream_id){ v->stream }, (assay_node_id){ v->node }, keep_cell, v, err);
        if (rc != 0) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
    } while (!v->cells.len);
    at->stream = v->stream;
    at->cell = v->cells.at;
    *count = v->cells.len;
    return 1;
}

/* More cells, of one stream. 1 = there are some. */
static int refill(struct tables_values *v, struct tables_place *at, assay_error *err)
{
    assay_stream_id stream;
    size_t count = 0;
    int rc = v->cursor ? cursor_block(v->cursor, &stream, &at->cell, &count, err) : look_up(v, at, &count, err);
    if (rc != 1) return rc;
    if (v->cursor) {
        if (stream.v > v->last_stream) return 0;
        at->stream = stream.v;
    }
    at->cell_end = at->cell + count;
    return 1;
}

int values_next(struct tables_values *v, struct tables_place *at, assay_error *err)
{
    for (;;) {
        if (at->cell) at->cell++;
        if (at->cell == at->cell_end) {
            int rc = refill(v, at, err);
            if (rc != 1) {
                at->cell = at->cell_end = NULL;
                return rc;
            }
        }
        if (v->wants_all || v->is_wanted[at->cell->column]) return 1;
        TRY(cancel_step(v->steps++, err));
    }
}

void values_cell(const struct tables_values *v, struct tables_place *at, unsigned column, struct tables_cell *out)
{
    uint32_t scope = at->cell->column;
    switch (column) {
    case VALUE_PROFILE: *out = cell_u64(at->p->number); break;
    case VALUE_STREAM: *out = cell_u64(at->stream); break;
    case VALUE_NODE: *out = cell_id(at->cell->node); break;
    case VALUE_METRIC: *out = cell_text(v->metrics[scope]); break;
    case VALUE_SCOPE: *out = cell_text(v->scopes[scope]); break;
    default: /* part by part: a structure made elsewhere and copied waits for its own stores, which shows with millions of rows */
        out->kind = (enum tables_cell_kind)v->kinds[scope];
        out->is_scratch = false;
        out->u = at->cell->value.u;
    }
}

/* What is stored is not counted; a value or two for each node and stream is what trees have. */
static uint64_t value_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    uint64_t rows = 0;
    (void)table;
    (void)data;
    for (size_t i = 0; i < p->p->runs.len; i++) rows += p->p->runs.at[i].values.len;
    if (!p->p->has_backing) return rows;
    return (uint64_t)p->p->tree.count * (p->p->streams.count ? p->p->streams.count : 1);
}

static const struct tables_ops value_ops = { .rows = value_rows, .is_pulled = true };

const struct tables_table tables_values_table = {
    .name = "value",
    .what = "the values of calling contexts, by stream, node, metric and scope, as they are stored",
    .example = "select sum(value) from value where stream = 1 and metric = 'Ir' and scope = 'point'",
    .kind = TABLES_RAW,
    .want = ASSAY_WANT_TREE,
    .count = VALUE_COLUMNS,
    .columns = value_columns,
    .ops = &value_ops,
};

/* ---- the summary ---- */

enum { SUMMARY_PROFILE, SUMMARY_NODE, SUMMARY_STATISTIC, SUMMARY_VALUE, SUMMARY_COLUMNS };

static const struct tables_column summary_columns[SUMMARY_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "node", TABLES_INTEGER, "calling context; NULL = the whole profile", "12" },
    { "statistic", TABLES_INTEGER, "id in the table statistic: what was summed up, and how", "1" },
    { "value", TABLES_NUMBER, "the value", "1205" },
};

struct summary {
    struct mem *mem;
    VEC(assay_cell) cells;
};

static int keep_summary(void *arg, const assay_cell *cell)
{
    struct summary *s = arg;
    assay_cell *to = vec_push(s->mem, &s->cells);
    if (!to) return ASSAY_ERR_MEMORY;
    *to = *cell;
    return 0;
}

static int load_summary(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    struct summary *s = cache->data = arena_alloc(&cache->arena, sizeof *s);
    (void)table;
    if (!s) return error_memory(err);
    *s = (struct summary){ .mem = t->mem };
    int rc = assay_tree_summary(p->p, (assay_stat_id){ 0 }, keep_summary, s, err);
    return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
}

static void drop_summary(void *data)
{
    struct summary *s = data;
    vec_done(s->mem, &s->cells);
}

static uint64_t summary_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)table;
    return data ? ((const struct summary *)data)->cells.len : (uint64_t)p->p->tree.count * p->p->stats.count;
}

static void summary_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const assay_cell *cell = &((const struct summary *)at->data)->cells.at[at->row];
    const assay_profile *p = at->p->p;
    switch (column) {
    case SUMMARY_PROFILE: *out = cell_u64(at->p->number); break;
    case SUMMARY_NODE: *out = cell_id(cell->node); break;
    case SUMMARY_STATISTIC: *out = cell_u64(cell->column); break;
    default: *out = cell_value((enum assay_type)p->metrics.type[p->scopes.metric[p->stats.scope[cell->column].v].v], cell->value);
    }
}

static const struct tables_ops summary_ops = { .load = load_summary, .drop = drop_summary, .rows = summary_rows, .cell = summary_cell };

const struct tables_table tables_summary_table = {
    .name = "summary",
    .what = "the values of calling contexts over all streams, where the input stores them",
    .example = "select node, value from summary where statistic = 1 order by value desc limit 10",
    .kind = TABLES_RAW,
    .want = ASSAY_WANT_TREE,
    .count = SUMMARY_COLUMNS,
    .columns = summary_columns,
    .ops = &summary_ops,
};
