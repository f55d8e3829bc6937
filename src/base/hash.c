/* The seed of a process, and hashes of texts; see base/hash.h. */
#include "base/hash.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>

#define XXH_INLINE_ALL
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

struct hash_seed hash_seed;
static uint8_t secret[XXH3_SECRET_DEFAULT_SIZE]; /* for long texts; deriving it from the seed each time would cost as much as the text */

/* The next of a sequence of well-mixed numbers (splitmix64): a plain seed such as 1 is as good as any. */
static uint64_t next_number(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* Early at boot the system may have no random numbers yet: rather than wait, take those that the process was given at its start. */
static uint64_t random_state(void)
{
    uint64_t state = 0;
    const void *given = (const void *)getauxval(AT_RANDOM);
    if (getrandom(&state, sizeof state, GRND_NONBLOCK) != sizeof state && given) memcpy(&state, given, sizeof state);
    return state;
}

__attribute__((constructor)) static void set_seed(void)
{
    const char *chosen = getenv("ASSAY_HASH_SEED");
    uint64_t state = chosen && *chosen ? strtoull(chosen, NULL, 10) : random_state();
    hash_seed.first = next_number(&state);
    hash_seed.second = next_number(&state);
    XXH3_generateSecret_fromSeed(secret, next_number(&state));
}

uint64_t hash_bytes(const void *data, size_t len) { return XXH3_64bits_withSecretandSeed(len ? data : "", len, secret, sizeof secret, hash_seed.first); }
