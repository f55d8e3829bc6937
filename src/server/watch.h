/* How long a client may take: a connection that does not send its request, or
 * does not read the answer, is cut, so that slow clients cannot hold the few
 * there are. Time that the server itself needs does not count. Thread-safe. */
#ifndef SERVER_WATCH_H
#define SERVER_WATCH_H

#include <pthread.h>
#include <stdint.h>

#include "assay/error.h"

enum { WATCH_CONNECTIONS = 16 };
enum watch_phase { WATCH_FREE, WATCH_REQUEST, WATCH_BODY, WATCH_WORK, WATCH_ANSWER, WATCH_PHASES };

struct watch {
    pthread_mutex_t lock;
    pthread_cond_t stop;
    pthread_t thread;
    int is_running, is_stopping;
    struct {
        int fd;
        enum watch_phase phase;
        int64_t since; /* ms */
    } at[2 * WATCH_CONNECTIONS];
};

/* Errors: SYSTEM, MEMORY. */
int watch_init(struct watch *w, assay_error *err);
void watch_done(struct watch *w);
/* A connection enters a phase; WATCH_FREE = it is gone. */
void watch_enter(struct watch *w, int fd, enum watch_phase phase);

#endif
