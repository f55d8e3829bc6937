/* Figures by row and metric; see grid.h. */
#include "analysis/core/grid.h"

bool grid_init(struct grid *g, struct mem *mem, size_t rows, uint32_t width, uint32_t kinds)
{
    size_t cells;
    *g = (struct grid){ .mem = mem, .rows = rows, .width = width, .kinds = kinds };
    if (width < GRID_SPARSE_FROM) {
        if (!size_mul(&cells, rows, (size_t)width * kinds)) return false;
        g->cells = mem_zalloc(mem, cells + 1, sizeof *g->cells);
        return g->cells != NULL;
    }
    bool done = (g->columns = mem_zalloc(mem, width, sizeof *g->columns)) != NULL;
    for (uint32_t kind = 0; kind < kinds; kind++) done = (g->whole[kind] = mem_zalloc(mem, width, sizeof **g->whole)) && done;
    return done;
}

void grid_done(struct grid *g)
{
    if (!g->mem) return;
    mem_free(g->mem, g->cells, g->cells ? (g->rows * g->width * g->kinds + 1) * sizeof *g->cells : 0);
    for (uint32_t k = 0; g->columns && k < g->width; k++) vec_done(g->mem, &g->columns[k]);
    mem_free(g->mem, g->columns, g->columns ? g->width * sizeof *g->columns : 0);
    for (uint32_t kind = 0; kind < g->kinds; kind++) mem_free(g->mem, g->whole[kind], g->whole[kind] ? g->width * sizeof **g->whole : 0);
    *g = (struct grid){ 0 };
}

bool grid_put(struct grid *g, size_t row, uint32_t kind, uint32_t k, assay_value v)
{
    if (g->cells) {
        g->cells[(kind * g->rows + row) * g->width + k] = v;
        return true;
    }
    if (!v.u) return true;
    struct grid_entry *e = vec_push(g->mem, &g->columns[k]);
    if (e) *e = (struct grid_entry){ (uint64_t)row * GRID_KINDS + kind, v };
    return e != NULL;
}

static assay_value find(const grid_column *c, uint64_t key)
{
    size_t low = 0, high = c->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->at[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->len && c->at[low].key == key ? c->at[low].value : (assay_value){ 0 };
}

const assay_value *grid_row(const struct grid *g, size_t row, uint32_t kind)
{
    if (g->cells) return g->cells + (kind * g->rows + row) * g->width;
    for (uint32_t k = 0; k < g->width; k++) g->whole[kind][k] = find(&g->columns[k], (uint64_t)row * GRID_KINDS + kind);
    return g->whole[kind];
}
