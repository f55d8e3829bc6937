/* Workers and the turn; see base/parallel.h. */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/cancel.h"

enum { DEFAULT_MOST = 4 };

struct run {
    const struct parallel *p;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* the turn, or the end */
    uint64_t next, turn;
    int rc;
    assay_error err;
};
struct worker {
    struct run *run;
    struct cancel *cancel; /* of the thread that asked for the work */
    unsigned number;
    pthread_t thread;
    bool is_running;
    /* Under the lock, where the calling thread takes: the job that was made last, from 1, and how that went. */
    uint64_t made;
    int rc;
    assay_error err;
};

static bool claim(struct run *r, uint64_t *job)
{
    pthread_mutex_lock(&r->lock);
    bool has_job = r->rc == 0 && r->next < r->p->count;
    *job = r->next;
    r->next += has_job;
    pthread_mutex_unlock(&r->lock);
    return has_job;
}

/* Waits for its turn; false = there is none any more. */
static bool wait_turn(struct run *r, uint64_t job)
{
    pthread_mutex_lock(&r->lock);
    while (r->turn != job && r->rc == 0) pthread_cond_wait(&r->moved, &r->lock);
    bool has_turn = r->rc == 0;
    pthread_mutex_unlock(&r->lock);
    return has_turn;
}

static void pass_turn(struct run *r, int rc, const assay_error *err)
{
    pthread_mutex_lock(&r->lock);
    r->turn++;
    if (rc != 0) {
        r->rc = rc;
        r->err = *err;
    }
    pthread_cond_broadcast(&r->moved);
    pthread_mutex_unlock(&r->lock);
}

static void *work(void *arg)
{
    const struct worker *w = arg;
    struct run *r = w->run;
    if (w->number) cancel_join(w->cancel);
    for (uint64_t job; claim(r, &job);) {
        assay_error err = { 0 };
        int rc = cancel_due() ? error_cancelled(&err) : r->p->make(r->p->arg, w->number, job, &err);
        if (!wait_turn(r, job)) break;
        if (rc == 0) rc = r->p->take(r->p->arg, w->number, job, &err);
        pass_turn(r, rc, &err);
    }
    return NULL;
}

/* ---- results that the calling thread takes ---- */

static void *make_ahead(void *arg)
{
    struct worker *w = arg;
    struct run *r = w->run;
    cancel_join(w->cancel);
    for (uint64_t job; claim(r, &job);) {
        assay_error err = { 0 };
        int rc = cancel_due() ? error_cancelled(&err) : r->p->make(r->p->arg, w->number, job, &err);
        pthread_mutex_lock(&r->lock);
        w->made = job + 1;
        w->rc = rc;
        w->err = err;
        pthread_cond_broadcast(&r->moved);
        while (r->turn <= job && r->rc == 0) pthread_cond_wait(&r->moved, &r->lock);
        pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

/* Waits for whoever makes the job: they are begun in order, so somebody does. */
static struct worker *wait_made(struct run *r, struct worker *workers, unsigned count, uint64_t job)
{
    struct worker *found = NULL;
    pthread_mutex_lock(&r->lock);
    while (!found) {
        for (unsigned i = 1; i < count && !found; i++)
            if (workers[i].is_running && workers[i].made == job + 1) found = &workers[i];
        if (!found) pthread_cond_wait(&r->moved, &r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    return found;
}

static void take_all(struct run *r, struct worker *workers, unsigned count)
{
    for (uint64_t job = 0; job < r->p->count && r->rc == 0; job++) {
        struct worker *w = wait_made(r, workers, count, job);
        assay_error err = w->err;
        int rc = w->rc ? w->rc : r->p->take(r->p->arg, w->number, job, &err);
        pass_turn(r, rc, &err);
    }
}

/* ---- threads ---- */

/* Signals are for the threads of the program that uses the library. */
static void start(struct worker *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->is_running = pthread_create(&w->thread, NULL, w->run->p->takes_here ? make_ahead : work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int parallel_run(const struct parallel *p, assay_error *err)
{
    struct run r = { .p = p };
    struct worker workers[PARALLEL_MOST];
    unsigned count = p->workers < PARALLEL_MOST ? p->workers : PARALLEL_MOST;
    bool has_others = false;
    if (count > p->count) count = (unsigned)p->count;
    if (pthread_mutex_init(&r.lock, NULL) != 0) return error_memory(err);
    if (pthread_cond_init(&r.moved, NULL) != 0) {
        pthread_mutex_destroy(&r.lock);
        return error_memory(err);
    }
    for (unsigned i = 0; i < count; i++) {
        workers[i] = (struct worker){ .run = &r, .cancel = cancel_of_thread(), .number = i };
        if (i) start(&workers[i]);
        has_others |= workers[i].is_running;
    }
    if (p->takes_here && has_others)
        take_all(&r, workers, count);
    else
        work(&(struct worker){ .run = &r });
    for (unsigned i = 1; i < count; i++)
        if (workers[i].is_running) pthread_join(workers[i].thread, NULL);
    pthread_cond_destroy(&r.moved);
    pthread_mutex_destroy(&r.lock);
    if (r.rc != 0 && err) *err = r.err;
    return r.rc;
}

unsigned parallel_workers(uint64_t wanted)
{
    cpu_set_t usable; /* fails where there are more processors than it has room for */
    long processors = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : sysconf(_SC_NPROCESSORS_ONLN);
    if (wanted) return wanted < PARALLEL_MOST ? (unsigned)wanted : PARALLEL_MOST;
    return processors < 1 ? 1 : processors < DEFAULT_MOST ? (unsigned)processors : DEFAULT_MOST;
}
