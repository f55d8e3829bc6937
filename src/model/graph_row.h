/* Where the values of a row of a graph stand: its tables may have short rows (ASSAY_WANT_SPARSE), whose metrics behind the last value are 0. */
#ifndef MODEL_GRAPH_ROW_H
#define MODEL_GRAPH_ROW_H

#include "assay/model.h"

struct graph_row {
    size_t at;    /* of its first value, in each column of values of the table */
    uint32_t len; /* how many there are */
};

static inline struct graph_row graph_row_of(const struct assay_graph *g, const uint64_t *begin, const uint32_t *len, uint32_t i)
{
    if (begin) return (struct graph_row){ (size_t)begin[i], len[i] };
    return (struct graph_row){ (size_t)i * g->block.metric_count, g->block.metric_count };
}
static inline struct graph_row graph_sum_row(const struct assay_graph *g, uint32_t i) { return graph_row_of(g, g->sum_begin, g->sum_len, i); }
static inline struct graph_row graph_cost_row(const struct assay_graph *g, uint32_t i) { return graph_row_of(g, g->cost_begin, g->cost_len, i); }
static inline struct graph_row graph_arc_row(const struct assay_graph *g, uint32_t i) { return graph_row_of(g, g->arc_begin, g->arc_len, i); }

/* The value of metric number k of the block; 0 also where the column is NULL. */
static inline assay_value graph_cell(const assay_value *column, struct graph_row row, uint32_t k)
{
    return column && k < row.len ? column[row.at + k] : (assay_value){ 0 };
}

#endif
