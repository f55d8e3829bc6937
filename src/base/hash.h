/* Hashes of keys in tables, seeded anew in each process, so that nobody can craft a file whose keys collide. They never leave the process: what is
 * written must not depend on them. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/wide.h"

/* Set before main, from the system or, for tests and measurements, from the number in the environment variable ASSAY_HASH_SEED; constant after that. */
struct hash_seed {
    uint64_t first, second;
};
extern struct hash_seed hash_seed;

/* Mixes two numbers; chain it for longer keys, each part as an argument of its own: parts that are joined by ^ or + can cancel out. All 128 bits of the
 * product count, so that neither equal arguments, nor swapped ones, nor ids that follow each other meet. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    u128 product = u128_product(a ^ hash_seed.first, b ^ hash_seed.second);
    return product.low ^ product.high;
}

/* Of a text; `data` may be NULL when `len` is 0. */
uint64_t hash_bytes(const void *data, size_t len);

#endif
