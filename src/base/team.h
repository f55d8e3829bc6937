/* Several processes that do one job together, on one machine or on many: each has a rank, each calls the same function, and what they tell each other
 * goes through here. Who carries the messages is not known here: src/mpi does it with MPI. A process that dies, or a message that cannot be carried, ends
 * all of them; so these calls do not fail.
 *
 * The rule: whatever one rank alone may find (no memory, a damaged file) is kept until team_agree, which all of them call and which returns the same to
 * all. Between two of them every rank makes the same calls in the same order. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct team {
    uint32_t rank, count; /* of processes: at least 2 */
    void *arg;
    void (*send)(void *arg, uint32_t to, const void *data, size_t len);
    void (*receive)(void *arg, uint32_t from, void *data, size_t len);
    void (*broadcast)(void *arg, uint32_t from, void *data, size_t len);
    void (*add)(void *arg, uint32_t *values, size_t count); /* the sum over all ranks, to each */
    uint64_t (*before)(void *arg, uint64_t mine);           /* the sum over the ranks before this one */
};

/* The team of the calling thread; NULL = it works alone, as by default. Public calls that can share their work do so; see assay_convert. */
void team_set(const struct team *team);
const struct team *team_mine(void);

/* The following take NULL for a process that works alone. */
static inline uint32_t team_rank(const struct team *t) { return t ? t->rank : 0; }
static inline uint32_t team_count(const struct team *t) { return t ? t->count : 1; }

/* What one rank finds, all find: 0 when `rc` is 0 everywhere; otherwise the error of the lowest rank that has one, in *err and as the code. */
int team_agree(const struct team *t, int rc, assay_error *err);
/* The sum of `mine` over the ranks before this one; *total (may be NULL): over all. */
uint64_t team_before(const struct team *t, uint64_t mine, uint64_t *total);
/* Whether all ranks have the same number. */
bool team_same(const struct team *t, uint64_t mine);
/* An array of which each rank has filled its own part, in the order of ranks and without gaps; then each has all of it. */
void team_fill(const struct team *t, void *array, size_t size, uint64_t own_count);

#endif
