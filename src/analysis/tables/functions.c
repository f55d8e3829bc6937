/* top: what functions cost, as `assay top` shows it; caller: who calls whom, as `assay callers` does. */
#include "analysis/tables/parts.h"

#include "assay/callers.h"
#include "assay/top.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/profile.h"

/* ---- top ---- */

enum {
    TOP_PROFILE,
    TOP_METRIC,
    TOP_FUNCTION,
    TOP_KEY,
    TOP_NAME,
    TOP_SOURCE,
    TOP_LINE,
    TOP_MODULE,
    TOP_SELF,
    TOP_TOTAL,
    TOP_SELF_SHARE,
    TOP_TOTAL_SHARE,
    TOP_CALLS,
    TOP_COLUMNS
};

static const struct tables_column top_columns[TOP_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "metric", TABLES_TEXT, "metric of the figures in this row; NULL = nothing but calls was measured", "Ir" },
    { "function", TABLES_INTEGER, "id in the table function", "7" },
    { "key", TABLES_INTEGER, "the same for the same function in other profiles", "4611686018427387905" },
    { "name", TABLES_TEXT, "name of the function", "main" },
    { "source", TABLES_TEXT, "file that defines it; the same for the same file in other profiles", "src/main.c" },
    { "line", TABLES_INTEGER, "its first line", "42" },
    { "module", TABLES_TEXT, "program or library that it is in", "/usr/bin/app" },
    { "self", TABLES_NUMBER, "own cost", "1205" },
    { "total", TABLES_NUMBER, "cost with everything that it calls", "20413" },
    { "self_share", TABLES_REAL, "self as a share of the whole, from 0 to 1", "0.059" },
    { "total_share", TABLES_REAL, "total as a share of the whole, from 0 to 1", "1" },
    { "calls", TABLES_UNSIGNED, "how often it was called", "10" },
};

static int top_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    struct assay_table_options o = { .size = sizeof o };
    assay_table *top = NULL;
    (void)t;
    (void)table;
    int rc = assay_table_new(p->p, &o, &top, err);
    cache->data = top;
    return rc;
}

static void top_drop(void *data) { assay_table_free(data); }

static uint64_t top_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    const assay_table *top = data;
    (void)table;
    if (!top) return (uint64_t)p->p->funcs.count * (p->p->metrics.count ? p->p->metrics.count : 1);
    return (uint64_t)top->count * (top->column_count ? top->column_count : 1);
}

/* The default metric first, then the others in their order. */
static uint32_t metric_at(uint32_t key, uint32_t number) { return number == 0 ? key : number <= key ? number - 1 : number; }

static void top_move(struct tables_place *at)
{
    const assay_table *top = at->data;
    at->base = at->row % top->count;
    at->k = metric_at(top->key, (uint32_t)(at->row / top->count));
}

static struct tables_cell top_figure(const struct tables_place *at, const assay_value *values, bool is_share)
{
    const assay_table *top = at->data;
    if (!values || !top->column_count) return cell_null();
    const assay_column *c = &top->columns[at->k];
    assay_value v = values[at->base * top->column_count + at->k];
    return is_share ? cell_share(c->type, v, c->whole) : cell_value(c->type, v);
}

static void top_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const assay_table *top = at->data;
    const assay_profile *p = at->p->p;
    uint64_t i = at->base;
    switch (column) {
    case TOP_PROFILE: *out = cell_u64(at->p->number); break;
    case TOP_METRIC: *out = top->column_count ? cell_text(top->columns[at->k].name) : cell_null(); break;
    case TOP_FUNCTION: *out = cell_id(top->func[i].v); break;
    case TOP_KEY: *out = tables_key(at->t, at->p, top->func[i].v); break;
    case TOP_NAME: *out = cell_name(top->name[i]); break;
    case TOP_SOURCE: *out = cell_text(tables_source(at->t, at->p, top->file[i].v)); break;
    case TOP_LINE: *out = cell_id(top->line[i]); break;
    case TOP_MODULE: *out = cell_text(text_of(p, p->modules.path, top->module[i].v)); break;
    case TOP_SELF: *out = top_figure(at, top->self, false); break;
    case TOP_TOTAL: *out = top_figure(at, top->total, false); break;
    case TOP_SELF_SHARE: *out = top_figure(at, top->self, true); break;
    case TOP_TOTAL_SHARE: *out = top_figure(at, top->total, true); break;
    default: *out = cell_u64(top->calls[i]);
    }
}

static const struct tables_ops top_ops = { .load = top_load, .drop = top_drop, .rows = top_rows, .move = top_move, .cell = top_cell };

const struct tables_table tables_top = {
    .name = "top",
    .what = "what each function costs, by metric, the most expensive first: what `assay top` shows",
    .example = "select name, self, total from top where metric = 'Ir' order by self desc limit 10",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_SUMS | ASSAY_WANT_PAIRS | ASSAY_WANT_COVERAGE,
    .count = TOP_COLUMNS,
    .columns = top_columns,
    .ops = &top_ops,
};

/* ---- caller ---- */

enum {
    CALLER_PROFILE,
    CALLER_METRIC,
    CALLER_CALLER,
    CALLER_CALLER_KEY,
    CALLER_CALLER_NAME,
    CALLER_CALLEE,
    CALLER_CALLEE_KEY,
    CALLER_CALLEE_NAME,
    CALLER_SOURCE,
    CALLER_LINE,
    CALLER_SITES,
    CALLER_CALLS,
    CALLER_TOTAL,
    CALLER_TOTAL_SHARE,
    CALLER_COLUMNS
};

static const struct tables_column caller_columns[CALLER_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "metric", TABLES_TEXT, "metric of the figures in this row", "Ir" },
    { "caller", TABLES_INTEGER, "id of the caller in the table function; NULL = the program itself, or not known", "7" },
    { "caller_key", TABLES_INTEGER, "the same for the same function in other profiles", "4611686018427387905" },
    { "caller_name", TABLES_TEXT, "name of the caller", "main" },
    { "callee", TABLES_INTEGER, "id of the callee in the table function", "8" },
    { "callee_key", TABLES_INTEGER, "the same for the same function in other profiles", "4611686018427387906" },
    { "callee_name", TABLES_TEXT, "name of the callee", "work" },
    { "source", TABLES_TEXT, "file of the call; of several calls the most expensive", "src/main.c" },
    { "line", TABLES_INTEGER, "line of the call", "44" },
    { "sites", TABLES_INTEGER, "how many places in the caller make the call", "1" },
    { "calls", TABLES_UNSIGNED, "number of calls", "10" },
    { "total", TABLES_NUMBER, "cost of these calls with all that they lead to", "19208" },
    { "total_share", TABLES_REAL, "total as a share of the whole, from 0 to 1", "0.94" },
};

/* A block and a row of its callers. */
struct caller_row {
    uint32_t block, row;
};

struct callers_data {
    assay_callers *callers;
    uint64_t count;
    struct caller_row *rows;
};

static int list_callers(struct callers_data *d, struct tables_cache *cache, assay_error *err)
{
    for (uint32_t b = 0; b < d->callers->count; b++) d->count += d->callers->blocks[b].callers.count;
    d->rows = arena_alloc(&cache->arena, (size_t)(d->count + 1) * sizeof *d->rows);
    if (!d->rows) return error_memory(err);
    uint64_t at = 0;
    for (uint32_t b = 0; b < d->callers->count; b++)
        for (uint32_t r = 1; r <= d->callers->blocks[b].callers.count; r++) d->rows[at++] = (struct caller_row){ b, r };
    return 0;
}

static int caller_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    struct assay_callers_options o = { .size = sizeof o };
    struct callers_data *d = arena_alloc(&cache->arena, sizeof *d);
    (void)t;
    (void)table;
    if (!d) return error_memory(err);
    *d = (struct callers_data){ 0 };
    cache->data = d;
    int rc = assay_callers_new(p->p, "(?s).*", &o, &d->callers, err); /* every function */
    if (rc == ASSAY_ERR_USAGE) return ASSAY_ERR_UNSUPPORTED;          /* there is none */
    return rc == 0 ? list_callers(d, cache, err) : rc;
}

static void caller_drop(void *data) { assay_callers_free(((struct callers_data *)data)->callers); }

static uint64_t caller_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    const struct callers_data *d = data;
    (void)table;
    if (d) return d->count * (d->callers->column_count ? d->callers->column_count : 1);
    uint64_t pairs = p->p->graph.arc_count ? p->p->graph.arc_count : 2 * (uint64_t)p->p->funcs.count;
    return pairs * (p->p->metrics.count ? p->p->metrics.count : 1);
}

static void caller_move(struct tables_place *at)
{
    const struct callers_data *d = at->data;
    at->base = at->row % d->count;
    at->k = metric_at(d->callers->key, (uint32_t)(at->row / d->count));
}

static void caller_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const struct callers_data *d = at->data;
    const struct caller_row *r = &d->rows[at->base];
    const assay_callers_block *block = &d->callers->blocks[r->block];
    const assay_callers_side *side = &block->callers;
    const assay_column *c = d->callers->column_count ? &d->callers->columns[at->k] : NULL;
    size_t figure = (size_t)r->row * d->callers->column_count + at->k;
    switch (column) {
    case CALLER_PROFILE: *out = cell_u64(at->p->number); break;
    case CALLER_METRIC: *out = c ? cell_text(c->name) : cell_null(); break;
    case CALLER_CALLER: *out = cell_id(side->func[r->row].v); break;
    case CALLER_CALLER_KEY: *out = tables_key(at->t, at->p, side->func[r->row].v); break;
    case CALLER_CALLER_NAME: *out = cell_name(side->name[r->row]); break;
    case CALLER_CALLEE: *out = cell_id(block->func.v); break;
    case CALLER_CALLEE_KEY: *out = tables_key(at->t, at->p, block->func.v); break;
    case CALLER_CALLEE_NAME: *out = cell_name(block->name); break;
    case CALLER_SOURCE: *out = cell_text(tables_source(at->t, at->p, side->file[r->row].v)); break;
    case CALLER_LINE: *out = cell_id(side->line[r->row]); break;
    case CALLER_SITES: *out = cell_u64(side->sites[r->row]); break;
    case CALLER_CALLS: *out = cell_u64(side->calls[r->row]); break;
    case CALLER_TOTAL: *out = c ? cell_value(c->type, side->total[figure]) : cell_null(); break;
    default: *out = c ? cell_share(c->type, side->total[figure], c->whole) : cell_null();
    }
}

static const struct tables_ops caller_ops = { .load = caller_load, .drop = caller_drop, .rows = caller_rows, .move = caller_move, .cell = caller_cell };

const struct tables_table tables_caller = {
    .name = "caller",
    .what = "who calls whom, by metric: what `assay callers` shows of each function",
    .example = "select caller_name, calls, total from caller where callee_name = 'malloc' order by total desc",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS,
    .count = CALLER_COLUMNS,
    .columns = caller_columns,
    .ops = &caller_ops,
};
