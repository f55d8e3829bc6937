/* Calling contexts by function: what flame graphs, folded stacks and call trees show. Lines, loops and instructions belong to the function that
 * they are in, and the calls of one function from one context are one row, wherever in it they were made. */
#ifndef ANALYSIS_PATHS_PATHS_H
#define ANALYSIS_PATHS_PATHS_H

#include "analysis/core/value.h"
#include "assay/model.h"
#include "base/vec.h"

struct path_row {
    uint32_t parent; /* row; 0 = a root */
    uint32_t func;   /* 0 = none is known */
    uint32_t depth;  /* roots have 1 */
    uint32_t first;  /* child with the largest total; 0 = none */
    uint32_t next;   /* sibling with the next largest */
    uint8_t kind;    /* enum assay_node_kind: FUNCTION, INLINED, ENTRY */
    uint64_t calls;
};

/* What becomes of a function below itself. */
enum paths_recursion {
    PATHS_AS_IT_IS,
    PATHS_NO_DIRECT, /* a call of a function by itself is part of the caller */
    PATHS_NONE       /* so is any call of a function that is further up: what it calls stands below that one */
};

struct paths {
    struct mem *mem;
    const assay_profile *profile;
    assay_metric_id metric;
    enum assay_type type;
    VEC(struct path_row) rows; /* from 1; a parent has a smaller number than its children; 0 stands for the whole */
    struct sums self, total;   /* by row */
    uint32_t depth;            /* of the deepest row */
};

/* Rows of the tree of `p` with the figures of `metric`: self is what assay_top counts as self, total what is stored or summed up below. Nodes whose
 * place is not known are roots. Memory in proportion to nodes. Errors: MEMORY, UNSUPPORTED (there is no tree), those of stored values. paths_done is
 * due in either case. */
int paths_init(struct paths *s, struct mem *mem, const assay_profile *p, assay_metric_id metric, assay_error *err);
/* The other way round: functions by what they cost themselves, and on each its callers, so that `total` of a row is the self cost of the function at the end
 * of the path for these callers; `self` is 0. Rows with less than the share `least` of the whole are not linked. Siblings by cost. Errors and
 * paths_done as above. */
int paths_init_callers(struct paths *s, struct mem *mem, const assay_profile *p, assay_metric_id metric, double least, assay_error *err);
/* As paths_init, with recursion folded: then `total` is the sum of all self costs below. */
int paths_init_folded(struct paths *s, struct mem *mem, const assay_profile *p, assay_metric_id metric, enum paths_recursion recursion, assay_error *err);
void paths_done(struct paths *s);

/* For callers that make rows of their own, numbered as in `kids`: sets first and next of all rows, siblings by `totals` (by row). false = no memory. */
struct kids;
bool paths_order(struct paths *s, const struct kids *kids, const struct sums *totals);

/* The name of a row's function; "<unknown>" where there is none. */
assay_slice paths_name(const struct paths *s, uint32_t row);
static inline double paths_total(const struct paths *s, uint32_t row) { return value_double(s->type, sums_value(&s->total, row)); }
static inline double paths_self(const struct paths *s, uint32_t row) { return value_double(s->type, sums_value(&s->self, row)); }

#endif
