/* An open-addressing index from a hash to row numbers. It knows neither keys nor rows: the owner compares.
 *
 *     for (struct index_walk w = index_walk(ix, hash); index_next(ix, &w);)
 *         if (row w.id equals the key) return w.id;
 *     index_add(ix, hash, new_id)
 *
 * Each slot keeps 32 bits of the hash, so growing never touches the rows. Row number 0 cannot be stored. */
#ifndef BASE_INDEX_H
#define BASE_INDEX_H

#include "base/hash.h"
#include "base/mem.h"

struct index_slot {
    uint32_t hash, id;
};
struct index {
    struct mem *mem;
    struct index_slot *slot;
    uint32_t mask; /* slots - 1; 0 = nothing allocated yet */
    uint32_t count;
};
struct index_walk {
    uint32_t at, hash, id;
};

void index_init(struct index *ix, struct mem *m);
void index_done(struct index *ix);
/* Forgets all rows, keeps the memory. */
void index_clear(struct index *ix);
/* false = no memory; nothing was added. */
bool index_add(struct index *ix, uint64_t hash, uint32_t id);

static inline uint32_t index_fold(uint64_t hash) { return (uint32_t)(hash ^ (hash >> 32)); }

static inline struct index_walk index_walk(const struct index *ix, uint64_t hash)
{
    uint32_t h = index_fold(hash);
    return (struct index_walk){ .at = h & ix->mask, .hash = h, .id = 0 };
}

/* Goes to the next row whose stored hash equals; false = there is none. */
static inline bool index_next(const struct index *ix, struct index_walk *w)
{
    if (!ix->slot) return false;
    for (;;) {
        struct index_slot s = ix->slot[w->at];
        if (s.id == 0) return false;
        w->at = (w->at + 1) & ix->mask;
        if (s.hash == w->hash) {
            w->id = s.id;
            return true;
        }
    }
}

#endif
