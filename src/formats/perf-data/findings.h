/* The rules that only the whole recording can break: see check.c. */
#ifndef FORMATS_PERF_DATA_FINDINGS_H
#define FORMATS_PERF_DATA_FINDINGS_H

#include "formats/perf-data/walk.h"

/* Adds them to the findings of the walk. */
void pd_findings(struct pd_walk *w);

#endif
