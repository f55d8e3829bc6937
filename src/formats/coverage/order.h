/* For writers of coverage: the rows of a table by file and line, those of one line in their old order. */
#ifndef FORMATS_COVERAGE_ORDER_H
#define FORMATS_COVERAGE_ORDER_H

#include "assay/model.h"
#include "base/mem.h"

struct coverage_order {
    uint64_t *key; /* file << 32 | line */
    uint32_t *row;
    uint32_t count;
};

/* `file` and `line` may be NULL, which is 0 in every row. false = no memory; coverage_order_free in any case. */
bool coverage_order_make(struct coverage_order *o, struct mem *mem, const assay_file_id *file, const uint32_t *line, uint32_t count);
/* The same for the rows of functions, by function within a line. */
bool coverage_order_functions(struct coverage_order *o, struct mem *mem, const assay_profile *p);
/* Rows of functions by function, whose number takes the place of the file. */
bool coverage_order_called(struct coverage_order *o, struct mem *mem, const struct assay_coverage *c);
void coverage_order_free(struct coverage_order *o, struct mem *mem);
/* The first place in the order that is of `file`, or behind it. */
uint32_t coverage_order_first(const struct coverage_order *o, uint32_t file);
static inline bool coverage_order_is_of(const struct coverage_order *o, uint32_t at, uint32_t file) { return at < o->count && o->key[at] >> 32 == file; }

#endif
