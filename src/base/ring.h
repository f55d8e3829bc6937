/* A feed filled by a second thread into chunks that go round: the thread fills the next free one while the reader uses those before. */
#ifndef BASE_RING_H
#define BASE_RING_H

#include <pthread.h>

#include "base/feed.h"

enum { RING_SLOTS = 4 };

struct ring {
    bool running;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled, freed;
    struct feed *feed;
    struct chunk *slots; /* RING_SLOTS, borrowed */
    /* Under the lock. Slots are filled, taken and given back in order; these count all of them so far. */
    uint64_t filled_count, taken_count, freed_count;
    bool stop;
};

/* Starts the thread, which owns `feed` and the slots that are not taken from now on. Slot 0 counts as taken. false = no thread could be had. */
bool ring_start(struct ring *r, struct feed *feed, struct chunk *slots);
/* The next chunk, in order; waits for it, asking waiting(arg) now and then: NULL = that said to give up. Not to be called after a chunk with `last`. */
struct chunk *ring_take(struct ring *r, bool (*waiting)(void *arg), void *arg);
/* Gives the oldest taken chunk back. */
void ring_give_back(struct ring *r);
/* Stops the thread, whatever it is doing, and waits for it. */
void ring_stop(struct ring *r);

#endif
