/* Whether a store can be trusted: rules C01 to C34 of its objects, S01 to S26 of the whole (docs/formats/cov.md). */
#ifndef STORE_FSCK_H
#define STORE_FSCK_H

#include "store/git.h"
#include "store/refs.h"

struct fsck_counts {
    uint64_t objects, kinds[6]; /* by enum cov_kind; COV_NONE = damaged */
    uint64_t unreachable;
};

/* Everything found goes to `out`, each with the object, reference or path that it is about at the beginning of its sentence. Without `g`, what
 * needs git is not looked at (S11, S16). `counts` may be NULL. max_bytes: what an object may unpack to; 0 = COV_MAX_BYTES. Errors: SYSTEM,
 * MEMORY. */
int store_fsck(struct store *s, struct git *g, uint64_t max_bytes, struct findings *out, struct fsck_counts *counts, assay_error *err);

/* Only the counts: no findings, nothing of references but what can be reached from them. */
int store_count(struct store *s, uint64_t max_bytes, struct fsck_counts *counts, assay_error *err);

struct gc_options {
    uint64_t grace; /* seconds: what is younger is kept, for imports under way */
    bool dry_run;   /* only count */
};
struct gc_result {
    uint64_t objects, blobs, temporaries, locks; /* that were removed */
    uint64_t bytes;
    uint64_t kept; /* unreachable, but younger than the grace */
};
enum { GC_DEFAULT_GRACE = 2 * 60 * 60 };
/* Removes objects that no reference, HEAD of a worktree or reflog leads to, temporary files, and locks of processes that are gone. Takes gc.lock.
 * Errors: LIMIT (another gc is at work), DAMAGED (something reachable cannot be read: nothing is removed), WRITE, SYSTEM, MEMORY. */
int store_gc(struct store *s, const struct gc_options *options, struct gc_result *out, assay_error *err);

#endif
