/* A profile in which every column of model/schema.def is filled, made from that list alone; one cell can be different. */
#ifndef SCHEMA_FILL_H
#define SCHEMA_FILL_H

#include <stdio.h>
#include <string.h>

#include "model/schema.h"

enum { FILL_ROWS = 2, FILL_METRICS = 2, FILL_NONE = -1 };

/* Tables to leave out, as bits; and the cell of the last row that is different. */
struct fill {
    assay_builder *b;
    uint64_t without;
    int table, column;
    assay_value values[SCHEMA_COLUMNS_MAX][FILL_METRICS];
};

static inline unsigned fill_words(const struct schema_column *c)
{
    unsigned n = 0;
    while (c->words[n]) n++;
    return n;
}

/* Rows of a table are ordered by their first columns, so that a merge leaves them where they are. */
static inline union schema_cell fill_cell(struct fill *f, int table, unsigned column, uint32_t row)
{
    const struct schema_table *t = &schema_tables[table];
    const struct schema_column *c = &t->columns[column];
    bool is_changed = f->table == table && f->column == (int)column && row == FILL_ROWS;
    uint32_t n = row * 100 + column + 10 + is_changed;
    union schema_cell cell = { .u = n };
    char text[80];
    switch (c->type) {
    case SCHEMA_STRING:
        snprintf(text, sizeof text, "%s %s %u%s", t->item, c->name, row, is_changed ? " changed" : "");
        cell.u = assay_build_string(f->b, text, strlen(text)).v;
        break;
    case SCHEMA_FILE:
    case SCHEMA_NODE:
        /* the parent of a node comes before it; that of a file is the other one */
        cell.u = c->type == SCHEMA_NODE && table == SCHEMA_T_NODES ? row - 1 : table == SCHEMA_T_FILES ? FILL_ROWS + 1 - row : row;
        if (is_changed) cell.u = cell.u == 1 ? 0 : 1;
        break;
    case SCHEMA_MODULE:
    case SCHEMA_FUNC:
    case SCHEMA_METRIC:
    case SCHEMA_SCOPE:
    case SCHEMA_LABEL:
    case SCHEMA_COUNTER:
    case SCHEMA_STREAM: cell.u = is_changed ? 1 : row; break;
    case SCHEMA_SET: /* what a set goes on with comes before it */
        cell.u = table == SCHEMA_T_LABEL_SETS ? row - 1 : row;
        if (is_changed) cell.u = cell.u == 1 ? 0 : 1;
        break;
    case SCHEMA_BOOL: cell.u = !is_changed && (row == FILL_ROWS || strcmp(c->name, "is_default") != 0); break; /* only one is the default */
    case SCHEMA_WORD: cell.u = (row + is_changed) % fill_words(c); break;
    case SCHEMA_FLAGS: cell.u = is_changed ? 0 : fill_words(c) > 1 ? 2 : 1; break; /* the first of a line says that hits are no counts */
    case SCHEMA_SHAPES: cell.u = is_changed ? 47 : 63; break;
    case SCHEMA_U8: cell.u = row + is_changed; break;
    case SCHEMA_I64: cell.i = -(int64_t)n; break;
    case SCHEMA_F64: cell.d = n + 0.1; break;
    case SCHEMA_VALUES:
        f->values[column][0].i = n;
        f->values[column][1].d = n + 0.25;
        cell.values = f->values[column];
        break;
    default: break;
    }
    return cell;
}

static inline bool fill_has(const struct fill *f, int table) { return !(f->without >> table & 1); }

static inline void fill_row(struct fill *f, int table, uint32_t row)
{
    union schema_cell cells[SCHEMA_COLUMNS_MAX];
    uint32_t stream = table == SCHEMA_T_TIMELINES || table == SCHEMA_T_EVENTS ? row : 0;
    for (unsigned c = 0; c < schema_tables[table].count; c++) cells[c] = fill_cell(f, table, c, row);
    builder_append(f->b, (enum schema_number)table, stream, cells);
    if (table == SCHEMA_T_STREAMS && fill_has(f, SCHEMA_T_TUPLES)) fill_row(f, SCHEMA_T_TUPLES, row);
}

static inline void fill_metrics(struct fill *f)
{
    const assay_metric_id all[] = { { 1 }, { 2 } };
    bool is_total = f->table == SCHEMA_T_METRICS && !strcmp(schema_tables[f->table].columns[f->column].name, "total");
    bool is_double = f->table == SCHEMA_T_METRICS && !strcmp(schema_tables[f->table].columns[f->column].name, "total_double");
    assay_build_metric_total(f->b, all[0], (assay_value){ .i = -77 + is_total });
    assay_build_metric_total(f->b, all[1], (assay_value){ .d = 0.1 + is_double });
    if (fill_has(f, SCHEMA_T_SUMS)) assay_build_graph_metrics(f->b, all, FILL_METRICS);
    if (fill_has(f, SCHEMA_T_LINES)) assay_build_line_metrics(f->b, all, FILL_METRICS);
    if (fill_has(f, SCHEMA_T_EVENTS)) assay_build_timeline(f->b, all, FILL_METRICS);
    if (fill_has(f, SCHEMA_T_SAMPLES)) builder_sample_metrics(f->b, all, FILL_METRICS);
}

static inline assay_profile *fill_profile(uint64_t without, int table, int column, assay_error *err)
{
    struct fill f = { .b = assay_builder_new(NULL, err), .without = without, .table = table, .column = column };
    for (int t = 0; t < SCHEMA_T_COUNT; t++) {
        for (uint32_t row = 1; t != SCHEMA_T_TUPLES && fill_has(&f, t) && row <= FILL_ROWS; row++) fill_row(&f, t, row);
        if (t == SCHEMA_T_METRICS && fill_has(&f, t)) fill_metrics(&f);
        if (t == SCHEMA_T_NODES && fill_has(&f, t) && fill_has(&f, SCHEMA_T_SCOPES)) {
            assay_build_value(f.b, (assay_stream_id){ 2 }, (assay_node_id){ 1 }, (assay_scope_id){ 1 }, (assay_value){ .i = -5 });
            assay_build_value(f.b, (assay_stream_id){ 1 }, (assay_node_id){ 2 }, (assay_scope_id){ 2 }, (assay_value){ .d = 0.3 });
            assay_build_summary(f.b, (assay_node_id){ 2 }, (assay_stat_id){ 2 }, (assay_value){ .d = 0.3 });
        }
    }
    if (fill_has(&f, SCHEMA_T_SUMS)) assay_build_nesting_known(f.b);
    assay_build_source(f.b, "callgrind", "1", "a producer");
    return assay_builder_seal(f.b, err);
}

#endif
