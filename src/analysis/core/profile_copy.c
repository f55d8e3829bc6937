/* From profile to builder; see profile_copy.h. */
#include "analysis/core/profile_copy.h"
#include "model/entry.h"

assay_str_id profile_copy_string(const assay_profile *from, assay_builder *to, uint32_t id)
{
    assay_slice s = assay_profile_string(from, (assay_str_id){ id });
    return s.data ? assay_build_string(to, s.data, s.len) : (assay_str_id){ 0 };
}

void profile_copy_load(const assay_profile *from, assay_builder *to, enum schema_number table, uint64_t row, union schema_cell *cells)
{
    const struct schema_table *t = &schema_tables[table];
    schema_row(from, t, row, cells);
    for (unsigned c = 0; c < t->count; c++)
        if (t->columns[c].type == SCHEMA_STRING) cells[c].u = profile_copy_string(from, to, (uint32_t)cells[c].u).v;
}

static void copy_row(const assay_profile *from, assay_builder *to, enum schema_number table, uint64_t row)
{
    union schema_cell cells[SCHEMA_COLUMNS_MAX];
    profile_copy_load(from, to, table, row, cells);
    builder_append(to, table, 0, cells);
}

/* false = a row of a stream that is left out. */
static bool map_streams(const struct schema_table *t, const uint32_t *stream, union schema_cell *cells)
{
    for (unsigned c = 0; c < t->count; c++) {
        if (t->columns[c].type != SCHEMA_STREAM) continue;
        cells[c].u = stream[cells[c].u];
        if (cells[c].u == PROFILE_COPY_NONE) return false;
    }
    return true;
}

void profile_copy_streams(const assay_profile *from, assay_builder *to, enum schema_number table, const uint32_t *stream)
{
    const struct schema_table *t = &schema_tables[table];
    for (uint64_t row = schema_begin(t); row < schema_end(from, t); row++) {
        union schema_cell cells[SCHEMA_COLUMNS_MAX];
        profile_copy_load(from, to, table, row, cells);
        if (map_streams(t, stream, cells)) builder_append(to, table, 0, cells);
    }
}

void profile_copy_table(const assay_profile *from, assay_builder *to, enum schema_number table)
{
    const struct schema_table *t = &schema_tables[table];
    for (uint64_t row = schema_begin(t); row < schema_end(from, t); row++) copy_row(from, to, table, row);
}

void profile_copy_names(const assay_profile *from, assay_builder *to)
{
    builder_copy_names(to, SCHEMA_T_MODULES, from);
    builder_copy_names(to, SCHEMA_T_FILES, from);
    builder_copy_names(to, SCHEMA_T_FUNCS, from);
}

static void copy_total(const assay_profile *from, assay_builder *b, assay_metric_id to, uint32_t id)
{
    const struct assay_metrics *m = assay_profile_metrics(from);
    enum assay_type type = (enum assay_type)AT(m->type, id);
    if (type == ASSAY_F64)
        assay_build_metric_total(b, to, (assay_value){ .d = AT(m->total_double, id) });
    else if (type == ASSAY_U64 && m->total)
        assay_build_metric_total_wide(b, to, m->total[id]);
    else if (m->total)
        assay_build_metric_total(b, to, (assay_value){ .i = (int64_t)m->total[id].low });
}

void profile_copy_metrics(const assay_profile *from, assay_builder *to, const struct assay_block *block, uint32_t shape, assay_metric_id *list)
{
    const struct assay_metrics *m = assay_profile_metrics(from);
    for (uint32_t k = 0; k < block->metric_count; k++) {
        uint32_t id = block->metrics[k].v;
        const char *name = assay_profile_string(from, m->name[id]).data, *unit = assay_profile_string(from, (assay_str_id){ ID(m->unit, id) }).data;
        list[k] = assay_build_metric(to, name ? name : "", unit, (enum assay_type)AT(m->type, id), shape);
        builder_copy_metric(to, list[k], from, id);
        copy_total(from, to, list[k], id);
    }
}

void profile_copy_stream(const assay_profile *from, assay_builder *to, uint32_t stream)
{
    const struct assay_streams *t = assay_profile_streams(from);
    copy_row(from, to, SCHEMA_T_STREAMS, stream);
    for (uint32_t k = t->tuple_begin[stream]; k < t->tuple_begin[stream + 1]; k++) copy_row(from, to, SCHEMA_T_TUPLES, k);
}

void profile_copy_facts(const assay_profile *from, assay_builder *to, const uint32_t *stream)
{
    const struct schema_table *a = &schema_tables[SCHEMA_T_ATTRIBUTES];
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(from, &count);
    for (uint64_t i = 0; i < schema_end(from, a); i++) {
        union schema_cell cells[SCHEMA_COLUMNS_MAX];
        profile_copy_load(from, to, SCHEMA_T_ATTRIBUTES, i, cells);
        if (!ID(assay_profile_attributes(from)->stream, i) || map_streams(a, stream, cells)) builder_append(to, SCHEMA_T_ATTRIBUTES, 0, cells);
    }
    for (size_t i = 0; i < count; i++) assay_build_warning(to, &warnings[i]);
    assay_build_source(to, assay_profile_format(from), assay_profile_version(from), assay_profile_producer(from).data);
    assay_build_offers(to, assay_profile_offers(from));
}

#define NODE_ID(column)                                                                                                                                        \
    {                                                                                                                                                          \
        ID(column, id)                                                                                                                                         \
    }
#define NODE_NODE(column) NODE_ID(column)
#define NODE_FUNC(column) NODE_ID(column)
#define NODE_FILE(column) NODE_ID(column)
#define NODE_MODULE(column) NODE_ID(column)
#define NODE_WORD(column) AT(column, id)
#define NODE_FLAGS(column) AT(column, id)
#define NODE_U32(column) AT(column, id)
#define NODE_U64(column) AT(column, id)
#define NODE_KEY(name, type) .name = NODE_##type(tree->name),
#define NODE_NOTE(name, type) NODE_KEY(name, type)
#define NODE_FIGURE(name, type)
#define NODE_CELL(T, name, member, type, role, ...) NODE_##role(name, type)

struct assay_node profile_copy_node(const struct assay_tree *tree, uint32_t id) { return (struct assay_node){ SCHEMA_NODES(NODE_CELL, _) }; }
