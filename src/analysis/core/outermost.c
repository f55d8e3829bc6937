/* Which node is inside which by intervals: numbered depth first, the nodes below one are those up to its end. So nothing is walked: parents come before
 * their children in the tables, and each pass goes through them in order; see outermost.h. */
#include "analysis/core/outermost.h"

#include "base/cancel.h"
#include "base/fetch.h"
#include "base/scoped.h"

enum { SOON = 16 }; /* nodes between fetching what is known of a key, and using it */

/* A function node in depth-first order. */
struct place {
    uint32_t key; /* 0 = nothing to mark */
    uint32_t end; /* the place behind all that is below it */
    uint32_t node;
};

/* end[node]: how many nodes there are below it, itself included. Children come after their parents. */
static int count_below(const struct frames *f, uint32_t *end, assay_error *err)
{
    for (uint32_t id = f->tree->count; id > 0; id--) {
        TRY(cancel_step(id, err));
        end[id]++;
        end[frames_parent(f, id)] += end[id];
    }
    return 0;
}

/* `end` becomes where the next child of a node goes, and so in the end the place behind the last of them. */
static int put_in_order(const struct frames *f, const uint32_t *key_of, uint32_t *end, struct place *order, assay_error *err)
{
    end[0] = 0;
    for (uint32_t id = 1; id <= f->tree->count; id++) {
        TRY(cancel_step(id, err));
        uint32_t *next = &end[frames_parent(f, id)], at = *next, func = f->owner[id] == id ? frames_func(f, id) : 0;
        *next += end[id];
        order[at] = (struct place){ func && key_of ? key_of[func] : func, *next, id };
        end[id] = at + 1;
    }
    return 0;
}

int outermost_mark(const struct frames *f, const uint32_t *key_of, size_t key_count, uint8_t *marks, uint8_t bit, assay_error *err)
{
    uint32_t count = f->tree->count;
    SCRATCH(uint32_t, end, f->mem, f->len);
    SCRATCH(struct place, order, f->mem, f->len);
    SCRATCH(uint32_t, until, f->mem, key_count); /* by key: the end of the newest one that is marked */
    if (!end || !order || !until) return error_memory(err);
    TRY(count_below(f, end, err));
    TRY(put_in_order(f, key_of, end, order, err));
    for (uint32_t at = 0; at < count; at++) {
        TRY(cancel_step(at, err));
        if (count - at > SOON) fetch_to_write(&until[order[at + SOON].key]);
        const struct place *p = &order[at];
        if (!p->key || at < until[p->key]) continue;
        until[p->key] = p->end;
        marks[p->node] |= bit;
    }
    return 0;
}
