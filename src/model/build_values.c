/* Booking values of the tree. Readers mostly come by in the order of the nodes, so a cell is appended to the run of its stream; a cell
 * whose place has gone by is found by binary search or waits among the loose ones until seal. */
#include "model/builder.h"

enum { SHIFT_MAX = 32 }; /* cells moved for a column that comes late; beyond that it waits with the loose ones */

static enum assay_type type_of(const assay_builder *b, uint32_t stream, uint32_t column)
{
    return stream == VALUE_SUMMARY ? get8(&b->tree.stat_type, column) : get8(&b->tree.scope_type, column);
}

/* Values of one cell: sums add up, and statistics combine as they say. */
static void merge(assay_builder *b, uint32_t stream, uint32_t column, assay_value *to, assay_value more)
{
    enum assay_type type = type_of(b, stream, column);
    enum assay_combine combine = stream == VALUE_SUMMARY ? get8(&b->stats.combine, column) : ASSAY_COMBINE_SUM;
    if (combine == ASSAY_COMBINE_SUM) {
        if (!value_add(type, to, more)) b->saturated = true;
    } else if (combine == ASSAY_COMBINE_MIN ? value_compare(type, more, *to) < 0 : value_compare(type, more, *to) > 0) {
        *to = more;
    }
}

static struct value_run *run_of(assay_builder *b, uint32_t stream)
{
    assay_profile *p = b->p;
    if (stream == VALUE_SUMMARY) return &p->summary;
    if (column_reach(b->mem, &p->runs, (size_t)stream + 1)) return &p->runs.at[stream];
    builder_no_memory(b);
    return NULL;
}

/* A new cell at the end of the arrays. */
static void append(assay_builder *b, struct value_run *run, uint32_t column, assay_value value)
{
    if (run->values.len >= ID_MAX) {
        builder_next(b, ID_MAX, "values of one stream");
        return;
    }
    if (!vec_reserve(b->mem, &run->columns, 1) || !vec_reserve(b->mem, &run->values, 1)) {
        builder_no_memory(b);
        return;
    }
    run->columns.at[run->columns.len++] = (uint16_t)(column | VALUE_LAST);
    run->values.at[run->values.len++] = value;
}

static void new_row(assay_builder *b, struct value_run *run, uint32_t node, uint32_t column, assay_value value)
{
    if (!vec_reserve(b->mem, &run->rows, 1)) {
        builder_no_memory(b);
        return;
    }
    append(b, run, column, value);
    if (!b->code) run->rows.at[run->rows.len++] = (value_row)node << 32 | (uint32_t)(run->values.len - 1);
}

static uint32_t column_at(const struct value_run *run, size_t i) { return run->columns.at[i] & VALUE_COLUMN_MAX; }

/* The first of the cells begin .. end whose column is not smaller, or end. */
static size_t seek(const struct value_run *run, size_t begin, size_t end, uint32_t column)
{
    if (column_at(run, end - 1) < column) return end;
    while (begin < end) {
        size_t mid = begin + (end - begin) / 2;
        if (column_at(run, mid) < column)
            begin = mid + 1;
        else
            end = mid;
    }
    return begin;
}

static void add_loose(assay_builder *b, uint32_t stream, uint32_t node, uint32_t column, assay_value value)
{
    struct loose *l = &b->tree.loose;
    uint64_t hash = hash_mix((uint64_t)node << 32 | stream, column);
    for (struct index_walk w = index_walk(&l->index, hash); index_next(&l->index, &w);) {
        struct loose_cell *c = &l->cells.at[w.id - 1];
        if (c->node != node || c->stream != stream || c->column != column) continue;
        merge(b, stream, column, &c->value, value);
        return;
    }
    uint32_t id = builder_next(b, (uint32_t)l->cells.len, "values");
    if (!id) return;
    if (!vec_reserve(b->mem, &l->cells, 1) || !index_add(&l->index, hash, id)) {
        builder_no_memory(b);
        return;
    }
    l->cells.at[l->cells.len++] = (struct loose_cell){ stream, node, column, value };
}

/* Into the newest row, whose cells are the last ones. */
static void add_newest(assay_builder *b, struct value_run *run, uint32_t stream, uint32_t node, uint32_t column, assay_value value)
{
    size_t end = run->values.len, at = seek(run, row_begin(run->rows.at[run->rows.len - 1]), end, column);
    if (at < end && column_at(run, at) == column) {
        merge(b, stream, column, &run->values.at[at], value);
        return;
    }
    if (end - at > SHIFT_MAX) {
        add_loose(b, stream, node, column, value);
        return;
    }
    append(b, run, column, value);
    if (b->code) return;
    if (at == end) {
        run->columns.at[end - 1] &= VALUE_COLUMN_MAX;
        return;
    }
    memmove(run->columns.at + at + 1, run->columns.at + at, (end - at) * sizeof *run->columns.at);
    memmove(run->values.at + at + 1, run->values.at + at, (end - at) * sizeof *run->values.at);
    run->columns.at[at] = (uint16_t)column;
    run->values.at[at] = value;
}

/* Until seal the rows stand in the arrays as in the list, so a row ends where the next one begins. */
static void add_earlier(assay_builder *b, struct value_run *run, uint32_t stream, uint32_t node, uint32_t column, assay_value value)
{
    const value_row *row = run_find(run, node);
    size_t end = row ? row_begin(row[1]) : 0, at = row ? seek(run, row_begin(row[0]), end, column) : 0;
    if (at < end && column_at(run, at) == column)
        merge(b, stream, column, &run->values.at[at], value);
    else
        add_loose(b, stream, node, column, value);
}

void values_add(assay_builder *b, uint32_t stream, uint32_t node, uint32_t column, assay_value value)
{
    bool combines_zero = stream == VALUE_SUMMARY && get8(&b->stats.combine, column) != ASSAY_COMBINE_SUM;
    if (!combines_zero && value_is_zero(type_of(b, stream, column), value)) return;
    struct value_run *run = run_of(b, stream);
    if (!run) return;
    uint32_t newest = run->rows.len ? row_node(run->rows.at[run->rows.len - 1]) : 0;
    if (run->rows.len == 0 || node > newest)
        new_row(b, run, node, column, value);
    else if (node == newest)
        add_newest(b, run, stream, node, column, value);
    else
        add_earlier(b, run, stream, node, column, value);
}
