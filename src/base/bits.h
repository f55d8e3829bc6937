/* A set of numbers below a limit, filled in any order and taken out in ascending order: what a sparse pass over many ids has touched. A walk looks at a
 * word for 4096 of them, so that a pass costs what it touches and not what there is.
 *
 *     uint64_t *set = mem_zalloc(mem, bits_words(limit), sizeof *set);
 *     bits_add(set, 7);
 *     for (struct bits_walk w = bits_walk(set, limit); bits_take(&w);) use(w.at);    // empties the set */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In blocks of a word that says which of the 64 words behind it are not 0. */
enum { BITS_BLOCK = 65, BITS_OF_BLOCK = 64 * 64 };

static inline size_t bits_words(uint32_t limit) { return ((size_t)limit / BITS_OF_BLOCK + 1) * BITS_BLOCK; }

static inline void bits_add(uint64_t *set, uint32_t number)
{
    uint64_t *block = set + (size_t)(number / BITS_OF_BLOCK) * BITS_BLOCK;
    unsigned word = number / 64 % 64;
    block[0] |= UINT64_C(1) << word;
    block[1 + word] |= UINT64_C(1) << number % 64;
}

struct bits_walk {
    uint64_t *block, *end;
    uint32_t first; /* number of the block */
    uint32_t at;    /* the number that was taken out last */
};

static inline struct bits_walk bits_walk(uint64_t *set, uint32_t limit) { return (struct bits_walk){ .block = set, .end = set + bits_words(limit) }; }

/* false = the set is empty now. */
static inline bool bits_take(struct bits_walk *w)
{
    for (; w->block < w->end && !w->block[0]; w->block += BITS_BLOCK) w->first += BITS_OF_BLOCK;
    if (w->block == w->end) return false;
    uint32_t word = (uint32_t)__builtin_ctzll(w->block[0]);
    uint64_t *bits = &w->block[1 + word];
    w->at = w->first + word * 64 + (uint32_t)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    if (!*bits) w->block[0] &= w->block[0] - 1;
    return true;
}

#endif
