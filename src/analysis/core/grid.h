/* The figures of a result by row and metric. Where there are many metrics most of them are 0, and only the others are kept: memory grows with the figures
 * of the input, not with rows times metrics. */
#ifndef ANALYSIS_CORE_GRID_H
#define ANALYSIS_CORE_GRID_H

#include "assay/model.h"
#include "base/mem.h"
#include "base/vec.h"

enum { GRID_KINDS = 4, GRID_SPARSE_FROM = 17 /* metrics */ };

struct grid_entry {
    uint64_t key; /* row * GRID_KINDS + kind */
    assay_value value;
};
typedef VEC(struct grid_entry) grid_column; /* by key */

struct grid {
    struct mem *mem;
    size_t rows;
    uint32_t width, kinds;
    assay_value *cells;             /* [(kind * rows + row) * width + k]; NULL = by columns */
    grid_column *columns;           /* by metric */
    assay_value *whole[GRID_KINDS]; /* room for a row of each kind */
};

/* false = no memory; grid_done is due in either case. `kinds`: figures of each row and metric (self, total, ...). */
bool grid_init(struct grid *g, struct mem *mem, size_t rows, uint32_t width, uint32_t kinds);
void grid_done(struct grid *g);
/* Sets a figure that was not set yet. Those of a metric come in the order of rows, and of a row in that of kinds. false = no memory. */
bool grid_put(struct grid *g, size_t row, uint32_t kind, uint32_t k, assay_value v);
/* All metrics of a row, until the next call for the same kind. */
const assay_value *grid_row(const struct grid *g, size_t row, uint32_t kind);

#endif
