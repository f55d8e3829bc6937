/* Mergers of all ranks of a team into that of rank 0. */
#ifndef ANALYSIS_MERGE_GATHER_H
#define ANALYSIS_MERGE_GATHER_H

#include "analysis/merge/merge.h"
#include "base/team.h"

/* Afterwards the merger of rank 0 is what it would be had the inputs of all ranks been added to it, in their order; those of the others are of no use any more.
 * All ranks call it. Errors, the same on all ranks: MEMORY; DAMAGED and UNSUPPORTED as of assay_merger_add. */
int merge_gather(struct assay_merger *m, const struct team *team, assay_error *err);

#endif
