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
void node_costs_done(struct node_costs *c);

#endif
