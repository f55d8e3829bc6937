/* Functions and calls of an input, which callers and graphs are both made of:
 * of contexts they take a pass over all of them. */
#include "server/routes/calls.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"

struct kept {
    struct calls calls; /* first: one stands for the other */
    struct mem mem;
    assay_profile *profile; /* a reference */
    _Atomic unsigned refs;
};

const struct calls *calls_retain(const struct calls *calls)
{
    ((struct kept *)(uintptr_t)calls)->refs++;
    return calls;
}

void calls_release(const struct calls *calls)
{
    struct kept *k = (struct kept *)(uintptr_t)calls;
    if (!k || --k->refs) return;
    arcs_done(&k->calls.arcs);
    assay_top_free(k->calls.top);
    assay_profile_release(k->profile);
    free(k);
}

static void free_kept(void *value) { calls_release(value); }

static int make(void *arg, struct cached *to, assay_error *err)
{
    struct kept *k = calloc(1, sizeof *k);
    if (!k) return error_memory(err);
    mem_init(&k->mem, 0);
    k->refs = 1;
    k->profile = assay_profile_retain(arg);
    int rc = assay_top_new(k->profile, &k->calls.top, err);
    if (rc == 0) rc = arcs_init(&k->calls.arcs, &k->mem, k->profile, k->calls.top, ARCS_ALL, err);
    if (rc == 0) rc = arcs_list_callees(&k->calls.arcs, err);
    if (rc != 0) {
        calls_release(&k->calls);
        return rc;
    }
    to->value = &k->calls;
    to->free = free_kept;
    to->bytes = k->mem.used + (size_t)k->calls.top->count * 64;
    return 0;
}

int calls_get(struct request *r, assay_profile *p, const struct calls **out, assay_error *err)
{
    struct cached *c;
    TRY(request_cached(r, "calls", make, p, &c, err));
    *out = c->value;
    return 0;
}
