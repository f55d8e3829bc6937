/* Calling contexts guessed from a call graph, for pictures of data that has none. What a graph does not say is which of a function's callers caused which
 * of its calls; the estimate takes all of them to be alike: a callee's cost is parted over its callers as the costs of their calls are.
 *
 * - The self cost of a function, summed over its contexts, is what the graph says: exactly, for every metric. So are the totals.
 * - A function that is on the path already is not entered again: what a recursion costs stays in the contexts that there are.
 * - Contexts are made heaviest first, until there are max_nodes; what would stand in the others goes to those of the same function. Every function that
 *   has a cost or a call has one.
 * - Where each function has one caller nothing is guessed, and the contexts are the true ones.
 * The same graph gives the same tree. */
#ifndef ANALYSIS_PATHS_ESTIMATE_H
#define ANALYSIS_PATHS_ESTIMATE_H

#include "assay/model.h"

enum { ESTIMATE_NODES = 100000 };

struct estimate_options {
    assay_metric_id metric; /* of the graph: by its cost contexts are ranked; 0 = its first */
    uint32_t max_nodes;     /* 0 = ESTIMATE_NODES; functions without a context come on top */
    uint64_t max_memory;    /* bytes; 0 = no limit */
};

/* *out is a profile of its own with a tree, the metrics of the graph and the names that `p` has, with the same function ids; an attribute says that it
 * is estimated. The caller releases it. Streams are added up. Errors: MEMORY, UNSUPPORTED (there is no graph with calls). */
int estimate_tree(const assay_profile *p, const struct estimate_options *options, assay_profile **out, assay_error *err);

#endif
