/* The unpacking thread; see base/ring.h. */
#include "base/ring.h"

#include <signal.h>
#include <time.h>

enum { WAIT_NS = 25000000 };

/* A slot to fill, or NULL when the reader has gone. */
static struct chunk *wait_free(struct ring *r)
{
    pthread_mutex_lock(&r->lock);
    while (!r->stop && r->filled_count - r->freed_count == RING_SLOTS) pthread_cond_wait(&r->freed, &r->lock);
    struct chunk *c = r->stop ? NULL : &r->slots[r->filled_count % RING_SLOTS];
    pthread_mutex_unlock(&r->lock);
    return c;
}

static void *fill_slots(void *arg)
{
    struct ring *r = arg;
    struct chunk *c;
    bool last = false;
    while (!last && (c = wait_free(r)) != NULL) {
        feed_fill(r->feed, c);
        last = c->last;
        pthread_mutex_lock(&r->lock);
        r->filled_count++;
        pthread_cond_signal(&r->filled);
        pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

/* Signals are for the threads of the program that uses the library. */
static int start_quietly(struct ring *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(&r->thread, NULL, fill_slots, r);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}

bool ring_start(struct ring *r, struct feed *feed, struct chunk *slots)
{
    *r = (struct ring){ .feed = feed, .slots = slots, .filled_count = 1, .taken_count = 1 };
    if (pthread_mutex_init(&r->lock, NULL) != 0) return false;
    if (pthread_cond_init(&r->filled, NULL) == 0) {
        if (pthread_cond_init(&r->freed, NULL) == 0) {
            r->running = start_quietly(r) == 0;
            if (r->running) return true;
            pthread_cond_destroy(&r->freed);
        }
        pthread_cond_destroy(&r->filled);
    }
    pthread_mutex_destroy(&r->lock);
    return false;
}

/* false = nothing came for a moment. The lock is held. */
static bool wait_filled(struct ring *r)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(&r->filled, &r->lock, &until) == 0;
}

struct chunk *ring_take(struct ring *r, bool (*waiting)(void *arg), void *arg)
{
    pthread_mutex_lock(&r->lock);
    while (r->filled_count == r->taken_count) {
        if (wait_filled(r)) continue;
        pthread_mutex_unlock(&r->lock);
        if (waiting(arg)) return NULL;
        pthread_mutex_lock(&r->lock);
    }
    struct chunk *c = &r->slots[r->taken_count++ % RING_SLOTS];
    pthread_mutex_unlock(&r->lock);
    return c;
}

void ring_give_back(struct ring *r)
{
    pthread_mutex_lock(&r->lock);
    r->freed_count++;
    pthread_cond_signal(&r->freed);
    pthread_mutex_unlock(&r->lock);
}

void ring_stop(struct ring *r)
{
    if (!r->running) return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    atomic_store_explicit(&r->feed->stop, true, memory_order_relaxed);
    pthread_cond_signal(&r->freed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->freed);
    pthread_cond_destroy(&r->filled);
    pthread_mutex_destroy(&r->lock);
    r->running = false;
}
