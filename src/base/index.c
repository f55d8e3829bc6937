/* Growing and filling the open-addressing index; see base/index.h. */
#include "base/index.h"

#include <string.h>

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

static bool grow(struct index *ix)
{
    size_t to = ix->slot ? ((size_t)ix->mask + 1) * 2 : 64;
    if (to > (size_t)1 << 31) return false;
    struct index_slot *slot = mem_zalloc(ix->mem, to, sizeof *slot);
    if (!slot) return false;
    for (size_t i = 0; ix->slot && i <= ix->mask; i++)
        if (ix->slot[i].id) place(slot, (uint32_t)(to - 1), ix->slot[i]);
    mem_free(ix->mem, ix->slot, slots_len(ix));
    ix->slot = slot;
    ix->mask = (uint32_t)(to - 1);
    return true;
}

bool index_add(struct index *ix, uint64_t hash, uint32_t id)
{
    if ((!ix->slot || (size_t)ix->count * 8 >= ((size_t)ix->mask + 1) * 5) && !grow(ix)) return false;
    place(ix->slot, ix->mask, (struct index_slot){ index_fold(hash), id });
    ix->count++;
    return true;
}
