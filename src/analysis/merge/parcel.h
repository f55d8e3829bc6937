/* A merger as bytes for another process of the team (base/team.h). */
#ifndef ANALYSIS_MERGE_PARCEL_H
#define ANALYSIS_MERGE_PARCEL_H

#include "analysis/merge/merge.h"
#include "base/wire.h"

/* All that the merger knows, as merge_join wants it; to->failed = no memory. */
void merge_pack(const struct assay_merger *m, struct wire *to);
/* Fills a new merger, which gets no indexes: merge_join takes it, assay_merger_add does not. Errors: MEMORY, INTERNAL (the bytes are not those of a merger). */
int merge_unpack(struct assay_merger *m, struct wire_in in, assay_error *err);

#endif
