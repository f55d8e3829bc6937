/* What is costly to make and is asked for again: profiles, filtered profiles,
 * tables, trees. Within a limit of memory; what was not used for longest goes
 * first, what is in use stays. Whoever asks for something that is being made
 * waits for it, as long as its own client is there. Thread-safe. */
#ifndef SERVER_CACHE_H
#define SERVER_CACHE_H

#include <pthread.h>

#include "assay/error.h"
#include "base/mem.h"

struct cached {
    /* Set by whoever makes it. */
    void *value;
    void (*free)(void *value);
    size_t bytes; /* about what it takes */
    /* For values that change while they are used. */
    pthread_mutex_t use;

    /* The cache's own. */
    char *key;
    struct cached *next;
    uint32_t refs;
    uint64_t last_use;
    bool is_ready, is_dropped;
};

/* Fills value, free and bytes. Anything but 0 = it failed, and nothing is kept.
 */
typedef int cache_make_fn(void *arg, struct cached *to, assay_error *err);

struct cache {
    pthread_mutex_t lock;
    pthread_cond_t made;
    struct cached *first;
    size_t limit, used;
    uint64_t clock;
};

int cache_init(struct cache *c, size_t limit, assay_error *err);
/* Nothing may be in use. */
void cache_done(struct cache *c);
/* What the key stands for, made by `make` if it is not there; give it back with
 * cache_release. Errors: MEMORY, CANCELLED, those of `make`. */
int cache_get(struct cache *c, const char *key, cache_make_fn *make, void *arg, struct cached **out, assay_error *err);
/* Whether it is there, so that cache_get would not make it. */
bool cache_has(struct cache *c, const char *key);
/* The next one who asks gets a new one: for values that were left half changed.
 */
void cache_drop(struct cache *c, struct cached *item);
/* NULL is allowed. */
void cache_release(struct cache *c, struct cached *item);

#endif
