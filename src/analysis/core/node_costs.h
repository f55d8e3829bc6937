/* What each node of a tree costs, for views that show nodes: functions, loops, lines. */
#ifndef ANALYSIS_CORE_NODE_COSTS_H
#define ANALYSIS_CORE_NODE_COSTS_H

#include "analysis/core/frames.h"

struct node_costs {
    /* Self: of a function node what assay_top counts for it, loops and lines included; of a loop what is in it, without the loops in it; of a line or
     * an instruction its own. Calls never count. Total: with everything below. By node. */
    struct sums self, total;
};

/* Of one metric; reloads what is loaded already. Errors: MEMORY, those of stored values. node_costs_done is due in either case. */
int node_costs_load(struct node_costs *c, const assay_profile *p, const struct frames *f, assay_metric_id metric, assay_error *err);
/* The same of values that come from elsewhere, by the nodes of `f`: of some streams only, of a part of the tree. */
int node_costs_load_of(struct node_costs *c, const struct column_source *from, const struct columns *columns, enum assay_type type, const struct frames *f,
                       assay_error *err);
void node_costs_done(struct node_costs *c);

#endif
