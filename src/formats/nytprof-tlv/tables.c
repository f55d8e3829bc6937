/* Numbers and pairs of numbers that were seen in a stream. */
#include "formats/nytprof-tlv/tables.h"

enum { SMALL_MAX = 1 << 18 };

void tlv_ids_init(struct tlv_ids *t, struct mem *m)
{
    *t = (struct tlv_ids){ .mem = m };
    index_init(&t->index, m);
}

void tlv_ids_done(struct tlv_ids *t)
{
    vec_done(t->mem, &t->rows, &t->small);
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
    if (t->small.len <= number) {
        size_t more = number + 1 - t->small.len;
        if (!vec_reserve(t->mem, &t->small, more)) return 0;
        memset(t->small.at + t->small.len, 0, more * sizeof *t->small.at);
        t->small.len += more;
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

static uint64_t page_hash(uint32_t first, uint32_t second) { return hash_mix(1, (uint64_t)first << 32 | second); }

static bool new_page(struct tlv_pairs *t, uint32_t first, uint32_t second)
{
    struct tlv_page *page = t->pages.len < UINT32_MAX ? vec_push(t->mem, &t->pages) : NULL;
    if (!page || (t->is_indexed && !index_add(&t->index, page_hash(first, second), (uint32_t)t->pages.len))) return false;
    *page = (struct tlv_page){ first, second, 0 };
    t->last = t->pages.len - 1;
    return true;
}

static bool is_after(const struct tlv_pairs *t, uint32_t first, uint32_t second)
{
    if (!t->pages.len) return true;
    const struct tlv_page *newest = &t->pages.at[t->pages.len - 1];
    return newest->first != first ? newest->first < first : newest->second < second;
}

static bool make_index(struct tlv_pairs *t)
{
    for (size_t i = 0; i < t->pages.len; i++)
        if (!index_add(&t->index, page_hash(t->pages.at[i].first, t->pages.at[i].second), (uint32_t)i + 1)) return false;
    t->is_indexed = true;
    return true;
}

bool tlv_pairs_turn(struct tlv_pairs *t, uint32_t first, uint32_t second)
{
    if (!t->is_indexed) {
        if (is_after(t, first, second)) return new_page(t, first, second);
        if (!make_index(t)) return false;
    }
    for (struct index_walk w = index_walk(&t->index, page_hash(first, second)); index_next(&t->index, &w);) {
        const struct tlv_page *page = &t->pages.at[w.id - 1];
        if (page->first != first || page->second != second) continue;
        t->last = w.id - 1;
        return true;
    }
    return new_page(t, first, second);
}
