/* Removing what nothing needs; see assay/store.h. */
#include "base/options.h"
#include "store/fsck.h"
#include "store/public/handle.h"

_Static_assert((int)GC_DEFAULT_GRACE == ASSAY_STORE_GRACE, "the grace that is documented");

int assay_store_gc(assay_store *h, const struct assay_store_gc_options *options, assay_store_removed *out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct assay_store_gc_options own;
    struct gc_result r;
    *out = (assay_store_removed){ 0 };
    TRY(options_take(&own, sizeof own, options, err));
    const struct gc_options o = { .grace = own.has_grace ? own.grace : GC_DEFAULT_GRACE, .dry_run = own.dry_run };
    TRY(store_gc(h->s, &o, &r, err));
    *out = (assay_store_removed){ r.objects, r.blobs, r.temporaries, r.locks, r.bytes, r.kept };
    return 0;
}
