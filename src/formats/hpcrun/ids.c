/* Node ids: see ids.h. */
#include "formats/hpcrun/ids.h"

enum { DENSE_FACTOR = 8, DENSE_MORE = 64 };

void hpcrun_ids_init(struct hpcrun_ids *t, struct mem *m)
{
    memset(t, 0, sizeof *t);
    t->mem = m;
    index_init(&t->index, m);
}

void hpcrun_ids_done(struct hpcrun_ids *t)
{
    vec_done(t->mem, &t->slots, &t->ids);
    index_done(&t->index);
}

/* The largest id; *bits: what is set in any of them. */
static uint32_t largest(const struct hpcrun_span *nodes, uint32_t *bits)
{
    uint32_t max = 0;
    *bits = 0;
    for (uint64_t i = 0; i < nodes->count; i++) {
        const unsigned char *p = nodes->at + i * nodes->stride;
        uint32_t id = nodes->is_big_endian ? hpcrun_be32(p) : hpcrun_le32(p);
        if (nodes->is_signed && id > INT32_MAX) id = 0 - id;
        *bits |= id;
        if (id > max) max = id;
    }
    return max;
}

bool hpcrun_ids_begin(struct hpcrun_ids *t, const struct hpcrun_span *nodes)
{
    uint32_t bits, max = largest(nodes, &bits);
    t->step = !(bits & 1);
    t->is_hashed = max > DENSE_FACTOR * nodes->count + DENSE_MORE;
    t->slots.len = t->ids.len = 0;
    if (t->is_hashed) {
        /* Not index_clear: that would take as long as the largest tree for each of very many small ones. */
        index_done(&t->index);
        index_init(&t->index, t->mem);
        return true;
    }
    size_t len = ((size_t)max >> t->step) + 1;
    if (!vec_reserve(t->mem, &t->slots, len)) return false;
    t->slots.len = len;
    memset(t->slots.at, 0, t->slots.len * sizeof *t->slots.at);
    return true;
}

static uint64_t hash_of(uint32_t id) { return hash_mix(id, 1); }

struct hpcrun_slot *hpcrun_ids_find_hashed(struct hpcrun_ids *t, uint32_t id)
{
    for (struct index_walk w = index_walk(&t->index, hash_of(id)); index_next(&t->index, &w);)
        if (t->ids.at[w.id - 1] == id) return &t->slots.at[w.id - 1];
    return NULL;
}

struct hpcrun_slot *hpcrun_ids_add(struct hpcrun_ids *t, uint32_t id)
{
    if (!t->is_hashed) return hpcrun_ids_slot(t, id);
    uint32_t *key = vec_push(t->mem, &t->ids);
    struct hpcrun_slot *slot = key ? vec_push(t->mem, &t->slots) : NULL;
    if (!slot || !index_add(&t->index, hash_of(id), (uint32_t)t->ids.len)) return NULL;
    *key = id;
    *slot = (struct hpcrun_slot){ 0, 0 };
    return slot;
}
