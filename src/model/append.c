/* Rows of any table by schema.def: see builder_append in schema.h. */
#include "model/builder.h"
#include "model/entry.h"

/* How many there are of what a column refers to. */
static uint32_t last_id(const assay_builder *b, enum schema_type type)
{
    switch (type) {
    case SCHEMA_STRING: return intern_count(&b->p->strings);
    case SCHEMA_MODULE: return b->modules.count;
    case SCHEMA_FILE: return b->files.count;
    case SCHEMA_FUNC: return b->funcs.count;
    case SCHEMA_METRIC: return b->metrics.count;
    case SCHEMA_SCOPE: return b->scopes.count;
    case SCHEMA_STREAM: return b->streams.count;
    case SCHEMA_NODE: return b->tree.count;
    case SCHEMA_LABEL: return b->labels.count;
    case SCHEMA_SET: return b->label_sets.count;
    case SCHEMA_COUNTER: return b->counters.count;
    default: return UINT32_MAX;
    }
}

/* The parent of a node or file may come later: seal looks at nodes, whoever appends files knows how many there will be. */
static bool has_ids(assay_builder *b, enum schema_number table, const union schema_cell *cells)
{
    const struct schema_table *t = &schema_tables[table];
    for (unsigned c = 0; c < t->count; c++) {
        enum schema_type type = t->columns[c].type;
        if (!cells[c].u) continue; /* of no kind, or no id */
        bool is_own = (table == SCHEMA_T_NODES && type == SCHEMA_NODE) || (table == SCHEMA_T_FILES && type == SCHEMA_FILE);
        if (schema_is_id(type) && !is_own && !builder_has(b, (uint32_t)cells[c].u, last_id(b, type), t->item)) return false;
    }
    return true;
}

static void put_values(assay_builder *b, struct colvalue *c, const struct build_block *block, size_t row, const assay_value *values)
{
    if (!values || !block->count) return;
    if (column_reach(b->mem, c, (row + 1) * block->count))
        memcpy(c->at + row * block->count, values, block->count * sizeof *values);
    else
        builder_no_memory(b);
}

static void put_cell(assay_builder *b, const struct schema_table *t, const struct schema_column *c, size_t row, union schema_cell cell)
{
    void *column = builder_column(b, t, c);
    switch (c->type) {
    case SCHEMA_VALUES: put_values(b, column, builder_block(b, t), row, cell.values); break;
    case SCHEMA_WIDE: break;
    case SCHEMA_I64: put_int(b, column, row, cell.i); break;
    case SCHEMA_F64: put_double(b, column, row, cell.d); break;
    default:
        if (schema_size(c->type) == 1)
            put8(b, column, row, (uint8_t)cell.u);
        else if (schema_size(c->type) == 4)
            put32(b, column, row, (uint32_t)cell.u);
        else
            put64(b, column, row, cell.u);
    }
}

/* What else has to know of a new row. */
static void note_row(assay_builder *b, enum schema_number table, uint32_t stream, uint64_t row)
{
    uint32_t id = (uint32_t)row;
    switch (table) {
    case SCHEMA_T_SCOPES: {
        uint32_t metric = get32(&b->scopes.metric, id);
        put8(b, &b->tree.scope_type, id, get8(&b->metrics.type, metric));
        put8(b, &b->metrics.carried, metric, get8(&b->metrics.carried, metric) | ASSAY_SHAPE_TREE);
        break;
    }
    case SCHEMA_T_STATS: put8(b, &b->tree.stat_type, id, get8(&b->tree.scope_type, get32(&b->stats.scope, id))); break;
    case SCHEMA_T_STREAMS: put32(b, &b->streams.tuple_begin, id, b->tuples.count); break;
    case SCHEMA_T_EVENTS:
        put32(b, &b->timeline.stream, (size_t)row, stream);
        if (!column_reach(b->mem, &b->timeline.time, (size_t)row + 1) || !column_reach(b->mem, &b->timeline.node, (size_t)row + 1)) builder_no_memory(b);
        break;
    default: break;
    }
}

static bool has_room(assay_builder *b, enum schema_number table, uint64_t count)
{
    const struct schema_table *t = &schema_tables[table];
    if ((table == SCHEMA_T_SCOPES || table == SCHEMA_T_STATS) && count >= VALUE_COLUMN_MAX)
        builder_fail(b, ASSAY_ERR_LIMIT, "too many %s: a tree has at most %d columns", t->what, VALUE_COLUMN_MAX);
    else if (!t->has_wide_count)
        builder_next(b, (uint32_t)count, t->what);
    return !b->code;
}

void builder_fill(assay_builder *b, enum schema_number table, uint32_t row, const union schema_cell *cells)
{
    const struct schema_table *t = &schema_tables[table];
    if (b->code || !has_ids(b, table, cells) || !builder_has(b, row, (uint32_t)builder_count(b, t), t->item)) return;
    for (unsigned c = 0; c < t->count; c++)
        if (t->columns[c].role != SCHEMA_LAYOUT && cells[c].u) put_cell(b, t, &t->columns[c], row, cells[c]);
}

uint64_t builder_append(assay_builder *b, enum schema_number table, uint32_t stream, const union schema_cell *cells)
{
    static const assay_metric_id none = { 0 };
    const struct schema_table *t = &schema_tables[table];
    if (b->code || !has_ids(b, table, cells) || !builder_has(b, stream, b->streams.count, "stream")) return 0;
    uint64_t count = builder_count(b, t), row = t->numbering == SCHEMA_EACH ? stream : count + (t->numbering == SCHEMA_IDS);
    if (t->numbering != SCHEMA_EACH && !has_room(b, table, count)) return 0;
    if (t->has_block && !builder_block(b, t)->is_set) block_set(b, builder_block(b, t), &none, 0, 0);
    bool is_new = t->numbering != SCHEMA_EACH; /* all its entries are 0 */
    for (unsigned c = 0; c < t->count; c++)
        if (t->columns[c].role != SCHEMA_LAYOUT && (cells[c].u || !is_new)) put_cell(b, t, &t->columns[c], (size_t)row, cells[c]);
    note_row(b, table, stream, row);
    if (b->code) return 0;
    if (t->numbering == SCHEMA_EACH) return (uint64_t)stream + 1;
    uint32_t narrow = (uint32_t)++count;
    char *at = (char *)b + t->build_at;
    memcpy(at, t->has_wide_count ? (const void *)&count : (const void *)&narrow, t->has_wide_count ? sizeof count : sizeof narrow);
    return count;
}

/* ---- whole tables of names ---- */

static void copy_strings(assay_builder *b, const assay_profile *from, uint32_t *ids, size_t count)
{
    for (size_t i = 1; i < count && !b->code; i++) {
        assay_slice s = assay_profile_string(from, (assay_str_id){ ids[i] });
        ids[i] = s.data ? assay_build_string(b, s.data, s.len).v : 0;
    }
}

static void copy_column(assay_builder *b, const struct schema_table *t, const struct schema_column *c, const assay_profile *from, size_t count)
{
    const void *given = schema_column_of(from, t, c);
    size_t size = schema_size(c->type);
    void *column = builder_column(b, t, c);
    struct any_column to = column_load(column);
    if (!given) return;
    if (!column_reach_(b->mem, &to.at, &to.len, &to.cap, count, size)) {
        builder_no_memory(b);
        return;
    }
    memcpy(to.at, given, count * size);
    if (c->type == SCHEMA_STRING) copy_strings(b, from, to.at, count);
    column_store(column, to);
}

void builder_copy_names(assay_builder *b, enum schema_number table, const assay_profile *from)
{
    const struct schema_table *t = &schema_tables[table];
    uint32_t count = (uint32_t)schema_count(from, t);
    for (unsigned c = 0; c < t->count && !b->code; c++) copy_column(b, t, &t->columns[c], from, (size_t)count + 1);
    if (!b->code) memcpy((char *)b + t->build_at, &count, sizeof count);
}

void builder_copy_metric(assay_builder *b, assay_metric_id to, const assay_profile *from, uint32_t metric)
{
    const struct assay_metrics *m = assay_profile_metrics(from);
    const char *type = assay_profile_string(from, (assay_str_id){ ID(m->period_type, metric) }).data;
    const char *unit = assay_profile_string(from, (assay_str_id){ ID(m->period_unit, metric) }).data;
    assay_build_metric_kind(b, to, (enum assay_metric_kind)AT(m->kind, metric));
    if (AT(m->is_default, metric)) assay_build_metric_default(b, to);
    if (AT(m->period, metric) || type || unit) assay_build_metric_period(b, to, AT(m->period, metric), type, unit);
}

void builder_refer(assay_builder *b, enum schema_number table, uint64_t row, unsigned column, uint32_t to)
{
    const struct schema_table *t = &schema_tables[table];
    const struct schema_column *c = &t->columns[column];
    if (b->code || !row || row > builder_count(b, t) || !builder_has(b, to, last_id(b, c->type), t->item)) return;
    put32(b, builder_column(b, t, c), (size_t)row - (t->numbering != SCHEMA_IDS), to);
}

void builder_sample_metrics(assay_builder *b, const assay_metric_id *metrics, uint32_t count)
{
    static const assay_metric_id none = { 0 };
    block_set(b, &b->samples.block, count ? metrics : &none, count, ASSAY_SHAPE_LABELS);
}

void builder_keeps_recursion(assay_builder *b) { b->graph.keeps_recursion = true; }

/* No values were put, so that there are none to move. */
void builder_settle_graph(assay_builder *b)
{
    static const assay_metric_id first = { 1 };
    struct build_graph *g = &b->graph;
    bool has_rows = g->sums.count || g->costs.count || g->arcs.count;
    if (has_rows && !g->block.count && b->metrics.count) block_extend(b, &g->block, &first, 1, ASSAY_SHAPE_GRAPH);
}
