/* Functions and calls of an input, with all metrics: what callers and graphs
 * are made of. */
#ifndef SERVER_ROUTES_CALLS_H
#define SERVER_ROUTES_CALLS_H

#include "analysis/core/arcs.h"
#include "server/server.h"

struct calls {
    assay_top *top;
    struct arcs arcs;
};

/* Of `p`, which is what the state leaves of the graph (WANT_GRAPH). Held until the
 * request ends, or longer by calls_retain. Errors: MEMORY, those of stored values. */
int calls_get(struct request *r, assay_profile *p, const struct calls **out, assay_error *err);
const struct calls *calls_retain(const struct calls *calls);
/* NULL is allowed. */
void calls_release(const struct calls *calls);

#endif
