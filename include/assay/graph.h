/* The call graph of a tree of calling contexts. */
#ifndef ASSAY_GRAPH_H
#define ASSAY_GRAPH_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For callers that do not need contexts. All streams are added up; names, metrics, what is said
 * of the whole and warnings are kept, with the ids that they have.
 *
 * Self cost stands at (function, file, line, address): the enclosing function of a node (see struct assay_tree); file and line of the
 * nearest of the node and those above it in the same function that has a line, else those of the function; the offset of an INSTRUCTION.
 * A stored FUNCTION scope is taken apart over the nodes of the function, so that `self` is what assay_top says.
 * Calls are those of (caller, file, line, address, callee) with the inclusive cost of the function nodes that they lead to (as in
 * assay_top), save those that lie below a call from the same caller to the same callee: they are part of it already. So a function that
 * is never below itself has the same `total` in both, by its callers as well as by what it calls. One that is below itself by way of
 * others has a larger one, as in every graph with cycles.
 * ENTRY nodes become functions of their names. Roots that are none are called by "<program root>", those whose caller was not unwound by
 * "<unknown>", which is also the name of functions without one and of cost that belongs to none.
 * A call whose number is not known counts as 1, for each site: it was seen. */
struct assay_graph_options {
    size_t size;         /* of this structure, as in assay_read_options */
    uint32_t per_second; /* 1000000 or 1000000000: doubles in seconds become whole us or ns, and the metric's name says so; 0 = as they are */
    uint64_t max_memory; /* bytes; 0 = no limit */
};
struct assay_graph_lost {
    uint64_t contexts;      /* nodes that were summed up */
    uint64_t streams;       /* that were added up */
    uint64_t unknown_calls; /* call sites whose number of calls is not known */
    uint64_t scaled_metrics;
};

/* *out is a profile of its own with a graph and no tree; the caller releases it. `options` and `lost` may be NULL. Memory in proportion to
 * nodes. Errors: MEMORY, UNSUPPORTED (no tree), those of stored values that cannot be read. */
ASSAY_API int assay_graph_new(const assay_profile *p, const struct assay_graph_options *options, assay_profile **out, struct assay_graph_lost *lost,
                              assay_error *err);

#ifdef __cplusplus
}
#endif
#endif
