/* What references stood for before; see assay/store.h. */
#include <string.h>

#include "store/public/handle.h"

struct listing {
    assay_store_reflog seen;
    struct mem *mem;
    struct arena arena;
    VEC(assay_store_id) from;
    VEC(assay_store_id) to;
    VEC(assay_slice) who;
    VEC(assay_slice) why;
    VEC(uint64_t) when;
    assay_error *err;
};

static bool copy(struct arena *a, assay_slice text, assay_slice *out)
{
    const char *kept = out ? arena_copy(a, text) : NULL;
    if (kept) *out = (assay_slice){ kept, text.len };
    return kept;
}

static int take(void *arg, const struct reflog_entry *e)
{
    struct listing *l = arg;
    assay_store_id *from = vec_push(l->mem, &l->from), *to = vec_push(l->mem, &l->to);
    uint64_t *when = vec_push(l->mem, &l->when);
    assay_slice *who = vec_push(l->mem, &l->who), *why = vec_push(l->mem, &l->why);
    if (!from || !to || !when || !copy(&l->arena, e->who, who) || !copy(&l->arena, e->why, why)) return error_memory(l->err);
    *from = e->from;
    *to = e->to;
    *when = e->when;
    return 0;
}

static int fill(assay_store *h, const char *name, struct listing *l, assay_error *err)
{
    char full[REFS_NAME_MAX];
    struct ref_value value;
    TRY(name ? revision_find_ref(h->s, slice_of(name), full, &value, err) : refs_follow(h->s, "HEAD", &value, full, err));
    if (!(l->seen.reference = arena_copy(&l->arena, slice_of(full)))) return error_memory(err);
    TRY(reflog_each(h->s, full, take, l, err));
    l->seen.count = l->to.len;
    l->seen.from = l->from.at;
    l->seen.to = l->to.at;
    l->seen.who = l->who.at;
    l->seen.why = l->why.at;
    l->seen.when = l->when.at;
    return 0;
}

int assay_store_reflog_new(assay_store *h, const char *name, assay_store_reflog **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    *out = NULL;
    struct listing *l = mem_zalloc(&h->mem, 1, sizeof *l);
    if (!l) return error_memory(err);
    l->mem = &h->mem;
    l->err = err;
    arena_init(&l->arena, l->mem);
    int rc = fill(h, name, l, err);
    if (rc == 0)
        *out = &l->seen;
    else
        assay_store_reflog_free(&l->seen);
    return rc;
}

void assay_store_reflog_free(assay_store_reflog *log)
{
    struct listing *l = (struct listing *)log;
    if (!l) return;
    vec_done(l->mem, &l->from, &l->to, &l->who, &l->why, &l->when);
    arena_done(&l->arena);
    mem_free(l->mem, l, sizeof *l);
}
