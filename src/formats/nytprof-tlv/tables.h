/* What checking and reading remember of a stream: the numbers of files and subs, and which pairs of numbers were seen. Both grow with
 * what is distinct, never with a number that the file claims. */
#ifndef FORMATS_NYTPROF_TLV_TABLES_H
#define FORMATS_NYTPROF_TLV_TABLES_H

#include "base/index.h"
#include "base/vec.h"

enum { TLV_DEFINED = 1, TLV_USED = 2 };

struct tlv_id {
    uint32_t number;
    uint32_t bits; /* TLV_DEFINED, TLV_USED */
};

/* Numbers below 2^18 are found by themselves, others through the index. */
struct tlv_ids {
    struct mem *mem;
    VEC(struct tlv_id) rows; /* row n stands at n - 1 */
    VEC(uint32_t) small;     /* by number: row, or 0 */
    struct index index;
};

void tlv_ids_init(struct tlv_ids *t, struct mem *m);
void tlv_ids_done(struct tlv_ids *t);
uint32_t tlv_ids_add(struct tlv_ids *t, uint32_t number);

/* The row of a number, from 1, made when it is not there yet; 0 = no memory. */
static inline uint32_t tlv_ids_row(struct tlv_ids *t, uint32_t number)
{
    if (number < t->small.len && t->small.at[number]) return t->small.at[number];
    return tlv_ids_add(t, number);
}

/* Sixty-four neighbours of one pair share a page, because lines come in order; as long as the pages do too, they need no index. */
struct tlv_page {
    uint32_t first, second; /* second without its six lowest bits */
    uint64_t seen;
};
struct tlv_pairs {
    struct mem *mem;
    VEC(struct tlv_page) pages;
    struct index index;
    bool is_indexed;
    size_t last; /* the page used last */
    uint64_t count;
};

void tlv_pairs_init(struct tlv_pairs *t, struct mem *m);
void tlv_pairs_done(struct tlv_pairs *t);
/* Makes the page of a pair the last one; false = no memory. */
bool tlv_pairs_turn(struct tlv_pairs *t, uint32_t first, uint32_t second);

/* Remembers a pair. *is_new = it was not there. false = no memory. */
static inline bool tlv_pairs_add(struct tlv_pairs *t, uint32_t first, uint32_t second, bool *is_new)
{
    const uint64_t bit = (uint64_t)1 << (second & 63);
    second &= ~(uint32_t)63;
    bool is_last = t->pages.len && t->pages.at[t->last].first == first && t->pages.at[t->last].second == second;
    if (!is_last && !tlv_pairs_turn(t, first, second)) return false;
    struct tlv_page *page = &t->pages.at[t->last];
    *is_new = !(page->seen & bit);
    page->seen |= bit;
    t->count += *is_new;
    return true;
}

#endif
