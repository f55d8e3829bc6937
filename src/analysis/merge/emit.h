/* The merger -> a builder: files by path, functions, lines and branches in the order of their names and numbers, so that the rows do not
 * tell in which order the inputs came. */
#ifndef ANALYSIS_MERGE_EMIT_H
#define ANALYSIS_MERGE_EMIT_H

#include "analysis/merge/merge.h"
#include "base/order.h"

struct emitter {
    struct assay_merger *m;
    assay_builder *b;
    assay_error *err;
    uint32_t *strings; /* the merger's -> the builder's; 0 = not yet */
    /* By the merger's id; [0] = none. A rank is the place in the order, from 1. */
    uint32_t *module_rank, *file_rank, *func_rank, *key_rank;
    uint32_t *node_depth, *node_rank; /* of contexts, by row */
    assay_file_id *files;
    assay_func_id *funcs;
    assay_module_id *modules;
    uint8_t *is_only_hit; /* by file: its lines only know hit or not */
    uint32_t branches;    /* the merger's string "branches", or 0 */
    assay_wide hits;
};

/* Comparison of two rows of the merger, by number from 0. */
typedef int (*emit_order)(const struct emitter *e, uint32_t a, uint32_t b);

/* order[0 .. count) = the numbers from 0 in this order; NULL = no memory. Freed by the caller: count numbers. */
uint32_t *emit_sorted(struct emitter *e, size_t count, emit_order compare);
void emit_free(struct emitter *e, uint32_t *order, size_t count);
/* Order of two strings of the merger: numbers by value and before others, then bytes. */
int emit_text_order(const struct emitter *e, uint32_t a, uint32_t b);
assay_str_id emit_string(struct emitter *e, uint32_t id);
assay_module_id emit_module(struct emitter *e, uint32_t id);

/* Coverage (emit_rows.c). Errors: MEMORY and those of the builder. */
int emit_rows(struct emitter *e);

#endif
