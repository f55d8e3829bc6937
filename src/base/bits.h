/* A set of numbers below a limit, filled in any order and taken out in ascending order: what a sparse pass over many ids has touched. A walk looks at a
 * word for 64 of them, so that a pass costs what it touches and not what there is.
 *
 *     uint64_t *set = mem_zalloc(mem, bits_words(limit), sizeof *set);
 *     bits_add(set, 7);
 *     for (struct bits_walk w = bits_walk(set, limit); bits_take(&w);) use(w.at);    // empties the set */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t bits_words(uint32_t limit) { return (size_t)limit / 64 + 1; }

static inline void bits_add(uint64_t *set, uint32_t number) { set[number / 64] |= UINT64_C(1) << number % 64; }

struct bits_walk {
    uint64_t *set;
    size_t words;
    size_t word;
    uint32_t at; /* the number that was taken out last */
};

static inline struct bits_walk bits_walk(uint64_t *set, uint32_t limit) { return (struct bits_walk){ .set = set, .words = bits_words(limit) }; }

/* false = the set is empty now. */
static inline bool bits_take(struct bits_walk *w)
{
    while (w->word < w->words && !w->set[w->word]) w->word++;
    if (w->word == w->words) return false;
    uint64_t *word = &w->set[w->word];
    w->at = (uint32_t)(w->word * 64 + (size_t)__builtin_ctzll(*word));
    *word &= *word - 1;
    return true;
}

#endif
