/* Costly results, kept within a limit; see cache.h. */
#include "server/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cancel.h"
#include "base/error.h"

enum { WAIT_NS = 20 * 1000 * 1000 }; /* between two looks at whether the client is still there */

int cache_init(struct cache *c, size_t limit, assay_error *err)
{
    *c = (struct cache){ .limit = limit };
    if (pthread_mutex_init(&c->lock, NULL) != 0) return error_memory(err);
    if (pthread_cond_init(&c->made, NULL) != 0) {
        pthread_mutex_destroy(&c->lock);
        return error_memory(err);
    }
    return 0;
}

static void discard(struct cached *item)
{
    if (item->value && item->free) item->free(item->value);
    pthread_mutex_destroy(&item->use);
    free(item->key);
    free(item);
}

void cache_done(struct cache *c)
{
    while (c->first) {
        struct cached *item = c->first;
        c->first = item->next;
        discard(item);
    }
    pthread_cond_destroy(&c->made);
    pthread_mutex_destroy(&c->lock);
}

static void unlink_item(struct cache *c, struct cached *item)
{
    struct cached **at = &c->first;
    while (*at != item) at = &(*at)->next;
    *at = item->next;
    c->used -= item->is_ready ? item->bytes : 0;
}

/* Takes out what is not in use and was not for longest, until the rest fits;
 * returns the list of it. Called with the lock; the caller discards without. */
static struct cached *evict(struct cache *c)
{
    struct cached *out = NULL;
    while (c->used > c->limit) {
        struct cached *oldest = NULL;
        for (struct cached *i = c->first; i; i = i->next)
            if (i->is_ready && !i->refs && (!oldest || i->last_use < oldest->last_use)) oldest = i;
        if (!oldest) break;
        unlink_item(c, oldest);
        oldest->next = out;
        out = oldest;
    }
    return out;
}

static void discard_all(struct cached *list)
{
    while (list) {
        struct cached *next = list->next;
        discard(list);
        list = next;
    }
}

static struct cached *find(struct cache *c, const char *key)
{
    struct cached *i = c->first;
    while (i && strcmp(i->key, key) != 0) i = i->next;
    return i;
}

static struct cached *add(struct cache *c, const char *key)
{
    struct cached *item = calloc(1, sizeof *item);
    if (!item) return NULL;
    item->key = strdup(key);
    if (!item->key || pthread_mutex_init(&item->use, NULL) != 0) {
        free(item->key);
        free(item);
        return NULL;
    }
    item->refs = 1;
    item->next = c->first;
    c->first = item;
    return item;
}

/* Waits for the end of some making, or a moment. */
static void wait_a_moment(struct cache *c)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&c->made, &c->lock, &until);
}

/* Called with the lock, which is held again on return. NULL = to be made by the
 * caller, or cancelled. */
static struct cached *wait_for(struct cache *c, const char *key, bool *is_cancelled)
{
    struct cached *item;
    while ((item = find(c, key)) && !item->is_ready) {
        pthread_mutex_unlock(&c->lock);
        *is_cancelled = cancel_due();
        pthread_mutex_lock(&c->lock);
        if (*is_cancelled) return NULL;
        if ((item = find(c, key)) && !item->is_ready) wait_a_moment(c);
    }
    return item;
}

static int make_item(struct cache *c, struct cached *item, cache_make_fn *make, void *arg, assay_error *err)
{
    int rc = make(arg, item, err);
    struct cached *gone = NULL;
    pthread_mutex_lock(&c->lock);
    if (rc != 0) {
        unlink_item(c, item);
        item->next = NULL;
        gone = item;
    } else {
        item->is_ready = true;
        c->used += item->bytes;
        gone = evict(c);
    }
    pthread_cond_broadcast(&c->made);
    pthread_mutex_unlock(&c->lock);
    discard_all(gone);
    return rc;
}

int cache_get(struct cache *c, const char *key, cache_make_fn *make, void *arg, struct cached **out, assay_error *err)
{
    bool is_cancelled = false;
    *out = NULL;
    pthread_mutex_lock(&c->lock);
    struct cached *item = wait_for(c, key, &is_cancelled);
    bool is_new = !item && !is_cancelled;
    if (is_new)
        item = add(c, key);
    else if (item)
        item->refs++;
    if (item) item->last_use = ++c->clock;
    pthread_mutex_unlock(&c->lock);
    if (is_cancelled) return error_cancelled(err);
    if (!item) return error_memory(err);
    if (is_new) TRY(make_item(c, item, make, arg, err));
    *out = item;
    return 0;
}

bool cache_has(struct cache *c, const char *key)
{
    pthread_mutex_lock(&c->lock);
    const struct cached *item = find(c, key);
    bool is_there = item && item->is_ready;
    pthread_mutex_unlock(&c->lock);
    return is_there;
}

void cache_drop(struct cache *c, struct cached *item)
{
    pthread_mutex_lock(&c->lock);
    if (!item->is_dropped) unlink_item(c, item);
    item->is_dropped = true;
    pthread_mutex_unlock(&c->lock);
}

void cache_release(struct cache *c, struct cached *item)
{
    if (!item) return;
    pthread_mutex_lock(&c->lock);
    item->refs--;
    struct cached *gone = evict(c);
    if (item->is_dropped && !item->refs) {
        item->next = gone;
        gone = item;
    }
    pthread_mutex_unlock(&c->lock);
    discard_all(gone);
}
