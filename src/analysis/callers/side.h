/* Internal to callers: one side of a block while it is gathered, and the contexts of trees. */
#ifndef ANALYSIS_CALLERS_SIDE_H
#define ANALYSIS_CALLERS_SIDE_H

#include "analysis/callers/callers.h"
#include "analysis/core/contexts.h"
#include "analysis/core/graph.h"
#include "base/index.h"

/* What a row is made of: an arc, or a function node with whether its cost counts. */
struct side_item {
    uint32_t row, site, source;
    bool is_counted;
};
struct side_site {
    uint32_t row, file, line;
};

struct side {
    const struct callers *c;
    VEC(struct callers_row) rows;
    VEC(struct side_site) sites;
    VEC(struct side_item) items;
    struct index row_index, site_index; /* of row + 1, site + 1 */
};

/* One more call of (or by) a function. */
struct side_call {
    uint32_t parent; /* row + 1 */
    uint32_t func, file, line;
    uint64_t calls, contexts;
    uint32_t source;
    bool is_counted, is_recursion, is_inside;
};

void side_init(struct side *s, const struct callers *c);
void side_done(struct side *s);
/* The row + 1 that the call belongs to; 0 = no memory. */
uint32_t side_add(struct side *s, const struct side_call *call);
/* Sums up, sorts and limits into `out`. Errors: MEMORY. */
int side_finish(struct side *s, struct callers_side *out, assay_error *err);

/* ---- trees ---- */

struct levels {
    struct contexts tree;
    struct grapher g;    /* its frames are those of the tree */
    struct sums *totals; /* by metric: of function nodes; len 0 = not filled */
};

/* Errors: MEMORY, those of stored values. levels_free is due in either case; it takes NULL. */
int levels_new(struct levels **out, const struct callers *c, assay_error *err);
void levels_free(struct levels *x, const struct callers *c);
/* Every level of callers or callees of a function. Errors: MEMORY. */
int levels_callers(const struct levels *x, uint32_t func, struct side *s, assay_error *err);
int levels_callees(const struct levels *x, uint32_t func, struct side *s, assay_error *err);

#endif
