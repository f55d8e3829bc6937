/* Agreement and offsets of processes that work together; see team.h. */
#include "base/team.h"

static _Thread_local const struct team *mine;

void team_set(const struct team *team) { mine = team; }
const struct team *team_mine(void) { return mine; }

int team_agree(const struct team *t, int rc, assay_error *err)
{
    uint32_t failed = rc != 0;
    int32_t code = 0;
    uint32_t rank = 0;
    if (!t) return rc;
    t->add(t->arg, &failed, 1);
    if (!failed) return 0;
    for (; rank < t->count && !code; rank++) {
        code = rc;
        t->broadcast(t->arg, rank, &code, sizeof code);
    }
    assay_error first = *err;
    t->broadcast(t->arg, rank - 1, &first, sizeof first);
    if (rank - 1 != t->rank) first.rule = NULL; /* a pointer of the other process */
    *err = first;
    return code;
}

uint64_t team_before(const struct team *t, uint64_t own, uint64_t *total)
{
    uint64_t before = t ? t->before(t->arg, own) : 0, end = before + own;
    if (t && total) t->broadcast(t->arg, t->count - 1, &end, sizeof end);
    if (total) *total = end;
    return before;
}

bool team_same(const struct team *t, uint64_t value)
{
    uint64_t first = value;
    uint32_t differing;
    if (!t) return true;
    t->broadcast(t->arg, 0, &first, sizeof first);
    differing = first != value;
    t->add(t->arg, &differing, 1);
    return differing == 0;
}

void team_fill(const struct team *t, void *array, size_t size, uint64_t own_count)
{
    char *at = array;
    for (uint32_t rank = 0; t && rank < t->count; rank++) {
        uint64_t count = own_count;
        t->broadcast(t->arg, rank, &count, sizeof count);
        t->broadcast(t->arg, rank, at, (size_t)count * size);
        at += count * size;
    }
}
