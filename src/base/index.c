/* Growing and filling the open-addressing index; see base/index.h. */
#include "base/index.h"

#include <string.h>

#include "base/cancel.h"

void index_init(struct index *ix, struct mem *m) { *ix = (struct index){ .mem = m }; }

static size_t slots_len(const struct index *ix) { return ix->slot ? ((size_t)ix->mask + 1) * sizeof *ix->slot : 0; }

void index_done(struct index *ix)
{
    mem_free(ix->mem, ix->slot, slots_len(ix));
    *ix = (struct index){ .mem = ix->mem };
}

void index_clear(struct index *ix)
{
    if (ix->slot) memset(ix->slot, 0, slots_len(ix));
    ix->count = 0;
}

static void place(struct index_slot *slot, uint32_t mask, struct index_slot s)
{
    uint32_t at = s.hash & mask;
    while (slot[at].id) at = (at + 1) & mask;
    slot[at] = s;
}

static void move_slots(const struct index_slot *from, size_t count, struct index_slot *slot, uint32_t mask)
{
    for (size_t i = 0; i < count; i++)
        if (from[i].id) place(slot, mask, from[i]);
}

static bool grow(struct index *ix)
{
    size_t to = ix->slot ? ((size_t)ix->mask + 1) * 2 : 64;
    if (to > (size_t)1 << 31) return false;
    struct index_slot *slot = mem_zalloc(ix->mem, to, sizeof *slot);
    if (!slot) return false;
    for (size_t from = 0, half = to / 2; ix->slot && from < half; from += CANCEL_STEPS) {
        if (cancel_due()) {
            mem_free(ix->mem, slot, to * sizeof *slot);
            return false;
        }
        move_slots(ix->slot + from, half - from < CANCEL_STEPS ? half - from : CANCEL_STEPS, slot, (uint32_t)(to - 1));
    }
    mem_free(ix->mem, ix->slot, slots_len(ix));
    ix->slot = slot;
    ix->mask = (uint32_t)(to - 1);
    return true;
}

static bool is_full(const struct index *ix) { return (size_t)ix->count * 8 >= ((size_t)ix->mask + 1) * 5; }

/* Now and then: room for one more, unless the work is cancelled. Whoever adds many need not ask. */
static __attribute__((noinline)) bool prepare(struct index *ix) { return !cancel_at(ix->count) && ((ix->slot && !is_full(ix)) || grow(ix)); }

bool index_add(struct index *ix, uint64_t hash, uint32_t id)
{
    if (((ix->count & (CANCEL_STEPS - 1)) == 0 || is_full(ix)) && !prepare(ix)) return false;
    place(ix->slot, ix->mask, (struct index_slot){ index_fold(hash), id });
    ix->count++;
    return true;
}
