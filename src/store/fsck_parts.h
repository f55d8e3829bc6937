/* What the files of the checker share; for nobody else. */
#ifndef STORE_FSCK_PARTS_H
#define STORE_FSCK_PARTS_H

#include <unistd.h>

#include "base/index.h"
#include "store/fsck.h"
#include "store/parts.h"
#include "store/scan.h"

struct fsck_blob {
    assay_store_id id;
    bool is_there;
};
struct fsck {
    struct scan scan;
    struct git *git;
    VEC(struct fsck_blob) blobs; /* that were looked for */
    struct index blob_index;
};

/* Rules S06, S08 to S16; notes edges and parents. */
int fsck_links(struct fsck *k, assay_error *err);
/* Rule S07. */
void fsck_cycles(struct fsck *k);
/* Rules S01 to S05, S20, S21, S24, S25. */
int fsck_refs(struct fsck *k, assay_error *err);

#endif
