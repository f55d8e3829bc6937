/* Nodes by (parent, key); see base/kids.h. */
#include "base/kids.h"

enum { FEW = 8 }; /* children that are looked through */

void kids_init(struct kids *k, struct mem *m)
{
    *k = (struct kids){ .mem = m };
    index_init(&k->wide, m);
}

void kids_done(struct kids *k)
{
    index_done(&k->wide);
    if (k->mem) vec_done(k->mem, &k->of);
}

static uint64_t hash_of(uint32_t parent, uint64_t key) { return hash_mix(parent, key); }

static uint32_t find(const struct kids *k, uint32_t parent, uint64_t key)
{
    const struct kid *at = k->of.at;
    if (at[parent].count <= FEW) {
        uint32_t id = at[parent].first;
        while (id && at[id].key != key) id = at[id].next;
        return id;
    }
    for (struct index_walk w = index_walk(&k->wide, hash_of(parent, key)); index_next(&k->wide, &w);)
        if (at[w.id].parent == parent && at[w.id].key == key) return w.id;
    return 0;
}

/* The children of a node that became wide. */
static bool index_all(struct kids *k, uint32_t parent)
{
    bool done = true;
    for (uint32_t id = k->of.at[parent].first; done && id; id = k->of.at[id].next) done = index_add(&k->wide, hash_of(parent, k->of.at[id].key), id);
    return done;
}

uint32_t kids_put(struct kids *k, uint32_t parent, uint64_t key)
{
    if (!k->of.len) {
        struct kid *above = vec_push(k->mem, &k->of);
        if (!above) return 0;
        *above = (struct kid){ 0 };
    }
    uint32_t id = find(k, parent, key);
    if (id) return id;
    struct kid *made = k->of.len < UINT32_MAX ? vec_push(k->mem, &k->of) : NULL;
    if (!made) return 0;
    id = (uint32_t)(k->of.len - 1);
    struct kid *above = &k->of.at[parent];
    *made = (struct kid){ .key = key, .parent = parent, .next = above->first };
    above->first = id;
    above->count++;
    if (above->count == FEW + 1) return index_all(k, parent) ? id : 0;
    if (above->count > FEW && !index_add(&k->wide, hash_of(parent, key), id)) return 0;
    return id;
}
