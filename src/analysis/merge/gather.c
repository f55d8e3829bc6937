/* Mergers on their way to rank 0; see gather.h. In steps: every second rank takes that of the next one, then every fourth that of the one two behind it, and so
 * on: each always has a run of ranks without gaps, so that the order of the inputs is kept. */
#include "analysis/merge/gather.h"

#include "analysis/merge/join.h"
#include "analysis/merge/parcel.h"
#include "base/scoped.h"

static int send_to(struct assay_merger *m, const struct team *t, uint32_t to, int rc, assay_error *err)
{
    struct wire w = { .mem = &m->mem };
    uint32_t is_wanted;
    if (rc == 0) merge_pack(m, &w);
    uint64_t len = w.failed ? 0 : w.bytes.len; /* 0 = nothing follows: this rank has failed */
    t->send(t->arg, to, &len, sizeof len);
    t->receive(t->arg, to, &is_wanted, sizeof is_wanted);
    if (is_wanted) t->send(t->arg, to, w.bytes.at, w.bytes.len);
    vec_done(&m->mem, &w.bytes);
    return w.failed ? error_memory(err) : rc;
}

/* Into a new merger; the bytes are given back before its rows are joined. *is_there: false when nothing came, of which the other rank says why at the
 * agreement. */
static int unpack(struct assay_merger *m, const struct team *t, uint32_t from, struct assay_merger *other, bool *is_there, assay_error *err)
{
    uint64_t len;
    t->receive(t->arg, from, &len, sizeof len);
    SCRATCH(char, bytes, &m->mem, (size_t)len + 1);
    uint32_t is_wanted = other && bytes && len;
    t->send(t->arg, from, &is_wanted, sizeof is_wanted);
    *is_there = len != 0;
    if (!len) return 0;
    if (!is_wanted) return error_memory(err);
    t->receive(t->arg, from, bytes, (size_t)len);
    return merge_unpack(other, (struct wire_in){ bytes, (size_t)len, false }, err);
}

/* A rank that has failed takes what is sent, so that nobody waits for it. */
static int receive_from(struct assay_merger *m, const struct team *t, uint32_t from, int rc, assay_error *err)
{
    assay_error ignored;
    bool is_there;
    struct assay_merger *other = rc == 0 ? assay_merger_new(&m->options, &ignored) : NULL;
    int taken = unpack(m, t, from, other, &is_there, rc == 0 ? err : &ignored);
    if (rc == 0) rc = taken;
    if (rc == 0 && is_there) rc = merge_join(m, other, err);
    assay_merger_free(other);
    return rc;
}

int merge_gather(struct assay_merger *m, const struct team *t, assay_error *err)
{
    int rc = 0;
    for (uint32_t step = 1; step < t->count; step *= 2) {
        if (t->rank & step) {
            rc = send_to(m, t, t->rank - step, rc, err);
            break;
        }
        if (t->count - t->rank > step) rc = receive_from(m, t, t->rank + step, rc, err);
    }
    return team_agree(t, rc, err);
}
