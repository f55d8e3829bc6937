/* Numbers and pairs of numbers that were seen in a stream. */
#include "formats/nytprof_tlv/tables.h"

enum { SMALL_MAX = 65536 };

void tlv_ids_init(struct tlv_ids *t, struct mem *m)
{
    *t = (struct tlv_ids){ .mem = m };
    index_init(&t->index, m);
}

void tlv_ids_done(struct tlv_ids *t)
{
    vec_done(t->mem, &t->rows);
    vec_done(t->mem, &t->small);
    index_done(&t->index);
}

static uint32_t new_row(struct tlv_ids *t, uint32_t number)
{
    struct tlv_id *row = t->rows.len < UINT32_MAX ? vec_push(t->mem, &t->rows) : NULL;
    if (!row) return 0;
    *row = (struct tlv_id){ .number = number };
    return (uint32_t)t->rows.len;
}

static uint32_t add_small(struct tlv_ids *t, uint32_t number)
{
    while (t->small.len <= number) {
        uint32_t *slot = vec_push(t->mem, &t->small);
        if (!slot) return 0;
        *slot = 0;
    }
    return t->small.at[number] = new_row(t, number);
}

uint32_t tlv_ids_add(struct tlv_ids *t, uint32_t number)
{
    if (number < SMALL_MAX) return add_small(t, number);
    uint64_t hash = hash_mix(1, number);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (t->rows.at[w.id - 1].number == number) return w.id;
    uint32_t row = new_row(t, number);
    return row && index_add(&t->index, hash, row) ? row : 0;
}

void tlv_pairs_init(struct tlv_pairs *t, struct mem *m)
{
    *t = (struct tlv_pairs){ .mem = m };
    index_init(&t->index, m);
}

void tlv_pairs_done(struct tlv_pairs *t)
{
    vec_done(t->mem, &t->pages);
    index_done(&t->index);
}

/* Makes the page of a pair the last one; false = no memory. */
static bool find_page(struct tlv_pairs *t, uint32_t first, uint32_t second)
{
    uint64_t hash = hash_mix(1, (uint64_t)first << 32 | second);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);) {
        const struct tlv_page *page = &t->pages.at[w.id - 1];
        if (page->first != first || page->second != second) continue;
        t->last = w.id - 1;
        return true;
    }
    struct tlv_page *page = t->pages.len < UINT32_MAX ? vec_push(t->mem, &t->pages) : NULL;
    if (!page || !index_add(&t->index, hash, (uint32_t)t->pages.len)) return false;
    *page = (struct tlv_page){ first, second, 0 };
    t->last = t->pages.len - 1;
    return true;
}

bool tlv_pairs_add(struct tlv_pairs *t, uint32_t first, uint32_t second, bool *is_new)
{
    const uint64_t bit = (uint64_t)1 << (second & 63);
    second &= ~(uint32_t)63;
    bool is_last = t->pages.len && t->pages.at[t->last].first == first && t->pages.at[t->last].second == second;
    if (!is_last && !find_page(t, first, second)) return false;
    struct tlv_page *page = &t->pages.at[t->last];
    *is_new = !(page->seen & bit);
    page->seen |= bit;
    t->count += *is_new;
    return true;
}
