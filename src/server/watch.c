/* How long a client may take; see watch.h. */
#include "server/watch.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/error.h"

/* Milliseconds that a phase may last; 0 = any. */
static const int64_t limits[WATCH_PHASES] = { [WATCH_REQUEST] = 10000, [WATCH_BODY] = 60000, [WATCH_ANSWER] = 60000 };
enum { PERIOD_MS = 500, PLACES = 2 * WATCH_CONNECTIONS };

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void cut_slow_ones(struct watch *w)
{
    int64_t now = now_ms();
    for (int i = 0; i < PLACES; i++) {
        int64_t limit = limits[w->at[i].phase];
        if (limit && now - w->at[i].since > limit) (void)shutdown(w->at[i].fd, SHUT_RDWR);
    }
}

static void *run(void *arg)
{
    struct watch *w = arg;
    pthread_mutex_lock(&w->lock);
    while (!w->is_stopping) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PERIOD_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&w->stop, &w->lock, &until);
        cut_slow_ones(w);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

int watch_init(struct watch *w, assay_error *err)
{
    memset(w, 0, sizeof *w);
    if (pthread_mutex_init(&w->lock, NULL) != 0) return error_memory(err);
    if (pthread_cond_init(&w->stop, NULL) != 0) return error_memory(err);
    int rc = pthread_create(&w->thread, NULL, run, w);
    if (rc != 0) return error_sys(err, ASSAY_ERR_SYSTEM, rc, "cannot start a thread");
    w->is_running = 1;
    return 0;
}

void watch_done(struct watch *w)
{
    if (!w->is_running) return;
    pthread_mutex_lock(&w->lock);
    w->is_stopping = 1;
    pthread_cond_signal(&w->stop);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->stop);
    pthread_mutex_destroy(&w->lock);
    w->is_running = 0;
}

void watch_enter(struct watch *w, int fd, enum watch_phase phase)
{
    int place = -1;
    pthread_mutex_lock(&w->lock);
    for (int i = 0; i < PLACES; i++) {
        bool is_this = w->at[i].phase != WATCH_FREE && w->at[i].fd == fd;
        if (is_this || (place < 0 && w->at[i].phase == WATCH_FREE)) place = i;
        if (is_this) break;
    }
    if (place >= 0) {
        w->at[place].fd = fd;
        w->at[place].phase = phase;
        w->at[place].since = now_ms();
    }
    pthread_mutex_unlock(&w->lock);
}
