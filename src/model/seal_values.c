/* The values of the tree at seal: new node numbers, loose cells into their rows, zeros out. A run that came in order stays in place. */
#include "model/builder.h"

static enum assay_type type_of(const assay_builder *b, uint32_t stream, uint32_t column)
{
    return stream == VALUE_SUMMARY ? get8(&b->tree.stat_type, column) : get8(&b->tree.scope_type, column);
}

/* New node numbers move rows, never values. */
static bool renumber_rows(assay_builder *b, struct value_run *run, const uint32_t *map)
{
    for (size_t r = 0; r < run->rows.len; r++) run->rows.at[r] = (value_row)map[row_node(run->rows.at[r])] << 32 | row_begin(run->rows.at[r]);
    return radix_sort(b->mem, run->rows.at, NULL, run->rows.len, 32);
}

/* ---- loose cells ---- */

/* The loose cells in the order of (stream, node, column); order is the caller's to free. */
static bool sort_loose(assay_builder *b, uint64_t *key, uint32_t *order)
{
    const struct loose *l = &b->tree.loose;
    for (size_t i = 0; i < l->cells.len; i++) {
        key[i] = (uint64_t)l->cells.at[i].node << 16 | l->cells.at[i].column;
        order[i] = (uint32_t)i;
    }
    if (!radix_sort(b->mem, key, order, l->cells.len, 0)) return false;
    for (size_t i = 0; i < l->cells.len; i++) key[i] = l->cells.at[order[i]].stream;
    return radix_sort(b->mem, key, order, l->cells.len, 0);
}

static bool push(struct mem *m, struct value_run *to, uint32_t node, uint32_t column, assay_value value)
{
    bool is_new = to->rows.len == 0 || row_node(to->rows.at[to->rows.len - 1]) != node;
    if (to->values.len >= ID_MAX || !vec_reserve(m, &to->rows, 1) || !vec_reserve(m, &to->columns, 1) || !vec_reserve(m, &to->values, 1)) return false;
    if (is_new)
        to->rows.at[to->rows.len++] = (value_row)node << 32 | (uint32_t)to->values.len;
    else
        to->columns.at[to->columns.len - 1] &= VALUE_COLUMN_MAX;
    to->columns.at[to->columns.len++] = (uint16_t)(column | VALUE_LAST);
    to->values.at[to->values.len++] = value;
    return true;
}

/* Merges the run with the loose cells order[0 .. count) into `to`. No cell is on both sides: what was in the run was added there. */
static bool merge_run(assay_builder *b, const struct value_run *run, const uint32_t *order, size_t count, struct value_run *to)
{
    const struct loose_cell *cells = b->tree.loose.cells.at;
    size_t k = 0;
    for (size_t r = 0; r < run->rows.len; r++) {
        uint32_t node = row_node(run->rows.at[r]);
        for (size_t i = row_begin(run->rows.at[r]);; i++) {
            uint32_t column = run->columns.at[i] & VALUE_COLUMN_MAX;
            for (; k < count && (cells[order[k]].node < node || (cells[order[k]].node == node && cells[order[k]].column < column)); k++)
                if (!push(b->mem, to, cells[order[k]].node, cells[order[k]].column, cells[order[k]].value)) return false;
            if (!push(b->mem, to, node, column, run->values.at[i])) return false;
            if (run->columns.at[i] & VALUE_LAST) break;
        }
    }
    for (; k < count; k++)
        if (!push(b->mem, to, cells[order[k]].node, cells[order[k]].column, cells[order[k]].value)) return false;
    return true;
}

static int place_loose(assay_builder *b, const uint32_t *order)
{
    assay_profile *p = b->p;
    const struct loose *l = &b->tree.loose;
    for (size_t begin = 0, end; begin < l->cells.len; begin = end) {
        uint32_t stream = l->cells.at[order[begin]].stream;
        for (end = begin; end < l->cells.len && l->cells.at[order[end]].stream == stream;) end++;
        struct value_run *run = stream == VALUE_SUMMARY ? &p->summary : &p->runs.at[stream], merged = { 0 };
        if (!merge_run(b, run, order + begin, end - begin, &merged)) {
            run_done(b->mem, &merged);
            return builder_no_memory(b);
        }
        run_done(b->mem, run);
        *run = merged;
    }
    return 0;
}

static int settle_loose(assay_builder *b, const uint32_t *map)
{
    struct loose *l = &b->tree.loose;
    size_t n = l->cells.len;
    if (!n) return 0;
    for (size_t i = 0; map && i < n; i++) l->cells.at[i].node = map[l->cells.at[i].node];
    uint64_t *key = mem_alloc(b->mem, n * sizeof *key);
    uint32_t *order = key ? mem_alloc(b->mem, n * sizeof *order) : NULL;
    if (!order || !sort_loose(b, key, order)) builder_no_memory(b);
    mem_free(b->mem, key, n * sizeof *key);
    if (!b->code) place_loose(b, order);
    mem_free(b->mem, order, n * sizeof *order);
    vec_done(b->mem, &l->cells);
    return b->code;
}

/* ---- zeros ---- */

static bool has_zero(const assay_builder *b, uint32_t stream, const struct value_run *run)
{
    for (size_t i = 0; i < run->values.len; i++)
        if (value_is_zero(type_of(b, stream, run->columns.at[i] & VALUE_COLUMN_MAX), run->values.at[i])) return true;
    return false;
}

/* Values that became 0 by adding up; rare, so the run is written anew. */
static bool drop_zeros(assay_builder *b, uint32_t stream, struct value_run *run)
{
    if (!has_zero(b, stream, run)) return true;
    struct value_run kept = { 0 };
    for (size_t r = 0; r < run->rows.len; r++) {
        for (size_t i = row_begin(run->rows.at[r]);; i++) {
            uint32_t column = run->columns.at[i] & VALUE_COLUMN_MAX;
            bool is_zero = value_is_zero(type_of(b, stream, column), run->values.at[i]);
            if (!is_zero && !push(b->mem, &kept, row_node(run->rows.at[r]), column, run->values.at[i])) {
                run_done(b->mem, &kept);
                return false;
            }
            if (run->columns.at[i] & VALUE_LAST) break;
        }
    }
    run_done(b->mem, run);
    *run = kept;
    return true;
}

static bool finish_run(assay_builder *b, uint32_t stream, struct value_run *run)
{
    if (!drop_zeros(b, stream, run)) return false;
    run_trim(b->mem, run);
    return true;
}

int seal_values(assay_builder *b, const uint32_t *map)
{
    assay_profile *p = b->p;
    for (size_t s = 0; map && s < p->runs.len; s++)
        if (!renumber_rows(b, &p->runs.at[s], map)) return builder_no_memory(b);
    if (map && !renumber_rows(b, &p->summary, map)) return builder_no_memory(b);
    TRY(settle_loose(b, map));
    for (size_t s = 0; s < p->runs.len; s++)
        if (!finish_run(b, (uint32_t)s, &p->runs.at[s])) return builder_no_memory(b);
    if (!finish_run(b, VALUE_SUMMARY, &p->summary)) return builder_no_memory(b);
    return 0;
}
