/* See fields.h. */
#include "formats/assay-json/fields.h"

const char *const assay_json_shapes[] = { "graph", "lines", "events", "samples", NULL };
const char *const assay_json_properties[] = { "keeps_recursion", "knows_nesting", "whole_tree", NULL };

/* Values of the tree are no table of the model: their value is of the type of the scope's metric, kept as text until that is known. */
static const struct schema_column value_columns[] = {
    { .name = "stream", .type = SCHEMA_STREAM, .json = "stream" },
    { .name = "node", .type = SCHEMA_NODE, .json = "context" },
    { .name = "scope", .type = SCHEMA_SCOPE, .json = "scope", .is_needed = true },
    { .name = "value", .type = SCHEMA_WIDE, .json = "value", .is_needed = true },
};
static const struct schema_column summary_columns[] = {
    { .name = "stream", .type = SCHEMA_STREAM },
    { .name = "node", .type = SCHEMA_NODE, .json = "context" },
    { .name = "statistic", .type = SCHEMA_U32, .json = "statistic", .is_needed = true },
    { .name = "value", .type = SCHEMA_WIDE, .json = "value", .is_needed = true },
};

const enum schema_number assay_json_inner[] = {
    SCHEMA_T_TUPLES,        SCHEMA_T_COVERAGE_FUNCS,      SCHEMA_T_COVERAGE_LINES,   SCHEMA_T_COVERAGE_BRANCHES,
    SCHEMA_T_COVERAGE_SUMS, SCHEMA_T_COVERAGE_CONDITIONS, SCHEMA_T_COVERAGE_REGIONS, SCHEMA_T_COVERAGE_STATED,
};

void assay_json_inner_of(unsigned kind, unsigned *first, unsigned *end)
{
    *first = kind == SCHEMA_T_STREAMS ? 0 : kind == SCHEMA_T_FUNCS ? 1 : 2;
    *end = kind == SCHEMA_T_STREAMS ? 1 : kind == SCHEMA_T_FUNCS ? 2 : kind == SCHEMA_T_FILES ? sizeof assay_json_inner / sizeof *assay_json_inner : 2;
}

bool assay_json_is_top(unsigned kind) { return kind != SCHEMA_T_TUPLES && kind != SCHEMA_T_COVERAGE_FUNCS; }

static void add(struct assay_json_list *l, const char *key, const struct schema_column *column, unsigned cell)
{
    l->members[l->count++] = (struct assay_json_member){ slice_of(key), column, cell };
}

struct assay_json_list assay_json_list(unsigned kind)
{
    bool is_value = kind == ASSAY_JSON_VALUES, is_table = kind < SCHEMA_T_COUNT;
    const struct schema_table *t = is_table ? &schema_tables[kind] : NULL;
    struct assay_json_list l = { .list = is_table ? t->json : is_value ? "values" : "summary", .item = is_table ? t->item : is_value ? "value" : "sum" };
    const struct schema_column *columns = is_table ? t->columns : is_value ? value_columns : summary_columns;
    unsigned count = is_table ? t->count : sizeof value_columns / sizeof *value_columns;
    if (kind == SCHEMA_T_TIMELINES || kind == SCHEMA_T_EVENTS) add(&l, "stream", NULL, count);
    for (unsigned c = 0; c < count; c++)
        if (columns[c].json) add(&l, columns[c].json, &columns[c], c);
    return l;
}

unsigned assay_json_cell(enum schema_number table, const char *name)
{
    const struct schema_table *t = &schema_tables[table];
    unsigned c = 0;
    while (c + 1 < t->count && strcmp(t->columns[c].name, name) != 0) c++;
    return c;
}

unsigned assay_json_block(unsigned kind)
{
    switch (kind) {
    case SCHEMA_T_LINES: return ASSAY_JSON_LINES;
    case SCHEMA_T_EVENTS: return ASSAY_JSON_EVENTS;
    case SCHEMA_T_SAMPLES: return ASSAY_JSON_SAMPLES;
    default: return ASSAY_JSON_GRAPH;
    }
}
