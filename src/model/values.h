/* Values of the tree in memory: for each stream a run of rows ordered by node, each row a few (column, value) pairs ordered by column.
 * 10 bytes for each value and 8 for each row; a row may stand anywhere in the arrays, so renumbering nodes only moves rows. */
#ifndef MODEL_VALUES_H
#define MODEL_VALUES_H

#include "assay/build.h"
#include "base/index.h"
#include "model/column.h"
#include "model/value.h"

enum {
    VALUE_LAST = 0x8000, /* bit of a column: the row ends here */
    VALUE_COLUMN_MAX = 0x7fff
};

/* node << 32 | index of its first value */
typedef uint64_t value_row;
static inline uint32_t row_node(value_row r) { return (uint32_t)(r >> 32); }
static inline uint32_t row_begin(value_row r) { return (uint32_t)r; }

struct value_run {
    VEC(value_row) rows;
    VEC(uint16_t) columns;
    VEC(assay_value) values;
};

/* The stream number under which summaries wait among the loose cells. */
#define VALUE_SUMMARY UINT32_MAX

struct loose_cell {
    uint32_t stream, node, column;
    assay_value value;
};

/* Cells that came when their place in the run had gone by. */
struct loose {
    VEC(struct loose_cell) cells;
    struct index index;
};

void run_done(struct mem *m, struct value_run *run);
/* Gives back what is reserved beyond the last row and value. */
void run_trim(struct mem *m, struct value_run *run);
/* The row of the node, or NULL. */
const value_row *run_find(const struct value_run *run, uint32_t node);

#endif
