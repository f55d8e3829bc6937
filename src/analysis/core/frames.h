/* Which function each node of a tree belongs to, and what each node costs: the one definition that the functions table and the call graph
 * share. See docs/model.md, "Which figure comes from where". */
#ifndef ANALYSIS_CORE_FRAMES_H
#define ANALYSIS_CORE_FRAMES_H

#include "analysis/core/value.h"
#include "assay/model.h"
#include "base/mem.h"

struct frames {
    struct mem *mem;
    const struct assay_tree *tree;
    size_t len;      /* nodes + 1 */
    uint32_t *owner; /* by node: its enclosing function node (an ENTRY is one too), 0 = none */
};

/* Errors: MEMORY. frames_done is needed in either case. */
int frames_init(struct frames *f, const struct assay_tree *tree, struct mem *mem, assay_error *err);
void frames_done(struct frames *f);

static inline uint8_t frames_kind(const struct frames *f, uint32_t node) { return f->tree->kind ? f->tree->kind[node] : ASSAY_NODE_FUNCTION; }
static inline uint32_t frames_parent(const struct frames *f, uint32_t node) { return f->tree->parent[node].v; }
/* The function of a function node; 0 = none that has a row: an ENTRY is no function. */
static inline uint32_t frames_func(const struct frames *f, uint32_t node)
{
    return node && f->tree->func && frames_kind(f, node) != ASSAY_NODE_ENTRY ? f->tree->func[node].v : 0;
}

/* The columns that hold a metric; 0 = not stored. */
struct columns {
    assay_scope_id point, function, lex_aware, execution, charged;
};

struct columns columns_of(const assay_profile *p, assay_metric_id m);
/* The metrics that a tree has values of, in the order of their ids, into list (metrics.count entries); returns how many. */
uint32_t columns_metrics(const assay_profile *p, assay_metric_id *list);
/* The statistic that is the sum of a column over the streams, or 0. */
assay_stat_id columns_summary(const assay_profile *p, assay_scope_id column);
/* Adds a column over all streams to values[node]; nothing for column 0. A stored summary stands for the sum over the streams. */
int columns_add(const assay_profile *p, assay_scope_id column, struct sums *values, assay_error *err);
/* The same for one stream. */
int columns_add_stream(const assay_profile *p, assay_stream_id stream, assay_scope_id column, struct sums *values, assay_error *err);
/* From a stored scope, FUNCTION or EXECUTION, to what each node adds to it. */
void columns_take_apart(const struct frames *f, enum assay_scope_kind scope, struct sums *values);
/* Where the values of a tree come from: `add` adds a column to values[node]; nothing for column 0. */
struct column_source {
    int (*add)(const void *arg, assay_scope_id column, struct sums *values, assay_error *err);
    const void *arg;
};
/* A profile as a whole: what columns_add gives. */
struct column_source columns_source(const assay_profile *p);
/* What counts as self: added up over the nodes that belong to a function it is the function's. What is stored of a function as a whole stands at its
 * function node, and the nodes inside have nothing. */
int columns_self(const assay_profile *p, const struct frames *f, const struct columns *c, struct sums *values, assay_error *err);
int columns_self_of(const struct column_source *from, const struct frames *f, const struct columns *c, struct sums *values, assay_error *err);
/* From that to the cost of everything below, at least at function nodes: what is stored, else what was charged, else summed up. */
int columns_inclusive(const assay_profile *p, const struct frames *f, const struct columns *c, struct sums *values, assay_error *err);
int columns_inclusive_of(const struct column_source *from, const struct frames *f, const struct columns *c, struct sums *values, assay_error *err);
/* The inclusive cost of each function node into `values`, which are 0; what other nodes then have means nothing. */
int columns_totals(const assay_profile *p, const struct frames *f, assay_metric_id m, struct sums *values, assay_error *err);

#endif
