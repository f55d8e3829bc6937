/* `top --by rank` and the like: a row for each stream, thread, process, rank, node or GPU. */
#ifndef REPORT_LOADS_H
#define REPORT_LOADS_H

#include "analysis/streams/clusters.h"
#include "analysis/streams/loads.h"
#include "report/report.h"

struct report_loads {
    const struct stream_loads *loads;
    const assay_top *top; /* that `hottest` is a row of */
    const uint32_t *order;
    const struct stream_clusters *clusters; /* NULL = not asked for */
};
/* Begin and end are those of `top`. */
void report_loads(struct report *r, const char *path, const struct report_loads *l);

#endif
