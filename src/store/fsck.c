/* The check of a whole store, step by step; see fsck.h. */
#include "store/fsck.h"

#include <stdio.h>

#include "base/scoped.h"
#include "store/fsck_parts.h"

static void count(const struct scan *c, struct fsck_counts *out)
{
    *out = (struct fsck_counts){ .objects = c->objects.len };
    for (size_t i = 0; i < c->objects.len; i++) {
        const struct scan_object *o = &c->objects.at[i];
        out->kinds[o->kind]++;
        out->unreachable += !o->is_live && o->kind != COV_NONE;
    }
}

static void tell_unreachable(struct fsck *k)
{
    char hex[COV_ID_HEX + 1];
    for (size_t i = 0; i < k->scan.objects.len; i++) {
        const struct scan_object *o = &k->scan.objects.at[i];
        if (!o->is_live && o->kind != COV_NONE)
            findings_add(k->scan.findings, "S17", ASSAY_INFO, FINDING_NO_OFFSET, 0, "object %s: unreachable %s", cov_id_hex(&o->id, hex),
                         cov_kind_name(o->kind));
    }
}

static int run(struct fsck *k, assay_error *err)
{
    TRY(scan_objects(&k->scan, err));
    TRY(fsck_links(k, err));
    TRY(fsck_refs(k, err));
    fsck_cycles(k);
    TRY(scan_mark_refs(&k->scan, err));
    tell_unreachable(k);
    return k->scan.findings->failed ? error_memory(err) : 0;
}

int store_fsck(struct store *s, struct git *g, uint64_t max_bytes, struct findings *out, struct fsck_counts *counts, assay_error *err)
{
    struct fsck k = { .git = g };
    scan_init(&k.scan, s, max_bytes, out);
    index_init(&k.blob_index, store_mem(s));
    int rc = run(&k, err);
    if (rc == 0 && counts) count(&k.scan, counts);
    vec_done(k.scan.mem, &k.blobs);
    index_done(&k.blob_index);
    scan_done(&k.scan);
    return rc;
}

int store_count(struct store *s, uint64_t max_bytes, struct fsck_counts *counts, assay_error *err)
{
    SCOPED(scan_done) struct scan c;
    scan_init(&c, s, max_bytes, NULL);
    TRY(scan_objects(&c, err));
    TRY(scan_edges(&c, err));
    TRY(scan_mark_refs(&c, err));
    count(&c, counts);
    return 0;
}
