/* For writers of coverage: the rows of a table by file and line, those of one line in their old order. */
#ifndef FORMATS_COVERAGE_ORDER_H
#define FORMATS_COVERAGE_ORDER_H

#include "assay/model.h"
#include "base/mem.h"

struct cov_order {
    uint64_t *key; /* file << 32 | line */
    uint32_t *row;
    uint32_t count;
};

/* `file` and `line` may be NULL, which is 0 in every row. false = no memory; cov_order_free in any case. */
bool cov_order_make(struct cov_order *o, struct mem *mem, const assay_file_id *file, const uint32_t *line, uint32_t count);
/* The same for the rows of functions, by function within a line. */
bool cov_order_functions(struct cov_order *o, struct mem *mem, const assay_profile *p);
/* Rows of functions by function, whose number takes the place of the file. */
bool cov_order_called(struct cov_order *o, struct mem *mem, const struct assay_coverage *c);
void cov_order_free(struct cov_order *o, struct mem *mem);
/* The first place in the order that is of `file`, or behind it. */
uint32_t cov_order_first(const struct cov_order *o, uint32_t file);
static inline bool cov_order_is_of(const struct cov_order *o, uint32_t at, uint32_t file) { return at < o->count && o->key[at] >> 32 == file; }

#endif
