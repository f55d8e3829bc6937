/* Several inputs as one profile, for the verbs that add them up. */
#ifndef REPORT_VERBS_MERGED_H
#define REPORT_VERBS_MERGED_H

#include "report/verb.h"

struct merged {
    assay_merger *merger; /* NULL = none yet */
    size_t added;
};

/* What is empty or has nothing to merge is left out and said, unless it is the only input or strict reading is asked for. Errors: those of assay_merger_add. */
int merged_add(assay_reporter *r, struct merged *m, const char *path, const assay_profile *p, assay_error *err);
/* For an input that could not be read: 0 = it is left out, else `rc`. */
int merged_unread(assay_reporter *r, const char *path, int rc, assay_error *err);
/* The sum, owned by the caller. Errors: UNSUPPORTED (nothing was added), MEMORY. */
int merged_finish(struct merged *m, assay_profile **out, assay_error *err);
void merged_done(struct merged *m);

#endif
