/* One session over a pair of descriptors. The thread that serves reads lines and writes answers, whichever is possible; calls of tools wait in a queue for one
 * other thread. So a ping is answered, and a call cancelled, while another one is at work, and a client that does not read its answers holds up nobody but
 * itself: what waits for it is bounded, and then nothing more is read. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "assay/cancel.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "mcp/mcp.h"

enum {
    LINE_MOST = 4 << 20,    /* bytes: a patch can be an argument */
    WAITING_MOST = 4 << 20, /* bytes of answers that the client has not read */
    QUEUE_MOST = 32,        /* calls */
    BLOCK = 65536,
    WRITE_MOST = 4096, /* what a pipe takes at once when it says that it can be written */
    GRACE_MS = 1000    /* for calls under way when the input ends */
};

struct job {
    struct job *next;
    struct message *message;
    _Atomic bool is_cancelled;
};

struct serving {
    struct session session;
    struct mem mem;
    int in, out, wake[2];
    VEC(char) line; /* what has come of the line at hand */
    bool is_too_long, has_ended, has_failed;
    int64_t ended;     /* ms */
    VEC(char) waiting; /* answers that are to be written, from `written` on */
    size_t written;

    /* Of both threads. */
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct job *queue, *running;
    size_t queued;
    VEC(char) answers; /* of calls that have ended */
    bool is_over;
    _Atomic bool is_stopping; /* no call may go on */
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- calls ---- */

static void free_job(struct serving *s, struct job *job)
{
    message_free(job->message);
    mem_free(&s->mem, job, sizeof *job);
}

static int is_unwanted(void *arg)
{
    const struct serving *s = arg;
    return s->is_stopping || s->running->is_cancelled;
}

static void run_job(struct serving *s, struct job *job, struct output *out)
{
    assay_error err = { 0 };
    assay_cancel_set(is_unwanted, s);
    int rc = call_run(s->session.mcp, job->message, out, &err);
    assay_cancel_set(NULL, NULL);
    if (rc != 0 && rc != ASSAY_ERR_CANCELLED) session_put_error(out, &job->message->id, RPC_INTERNAL, err.text);
}

/* An answer goes to the thread that writes. What was cancelled meanwhile has none. */
static void hand_over(struct serving *s, const struct job *job, assay_slice text)
{
    if (job->is_cancelled || s->is_stopping) return;
    if (!vec_reserve(&s->mem, &s->answers, text.len)) {
        s->has_failed = true;
        return;
    }
    if (text.len) memcpy(s->answers.at + s->answers.len, text.data, text.len);
    s->answers.len += text.len;
}

static void *work(void *arg)
{
    struct serving *s = arg;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->queue && !s->is_over) pthread_cond_wait(&s->more, &s->lock);
        struct job *job = s->running = s->is_stopping ? NULL : s->queue;
        if (!job) break;
        s->queue = job->next;
        s->queued--;
        pthread_mutex_unlock(&s->lock);
        struct output *out = NULL;
        if (output_open_memory(&out, &s->mem, NULL) == 0) run_job(s, job, out);
        pthread_mutex_lock(&s->lock);
        if (!out || output_failed(out))
            s->has_failed = true;
        else
            hand_over(s, job, output_memory(out));
        s->running = NULL;
        output_abort(out);
        free_job(s, job);
        if (write(s->wake[1], "", 1) < 0) continue; /* it is full: the other thread wakes up anyway */
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static bool is_full(struct serving *s)
{
    pthread_mutex_lock(&s->lock);
    bool full = s->queued >= QUEUE_MOST;
    pthread_mutex_unlock(&s->lock);
    return full;
}

static bool add_job(struct serving *s, struct message *m)
{
    struct job *job = mem_zalloc(&s->mem, 1, sizeof *job), **to = &s->queue;
    if (!job) return false;
    job->message = m;
    pthread_mutex_lock(&s->lock);
    while (*to) to = &(*to)->next;
    *to = job;
    s->queued++;
    pthread_cond_signal(&s->more);
    pthread_mutex_unlock(&s->lock);
    return true;
}

/* What runs is asked to stop, what waits is forgotten. Neither is answered. */
static void cancel(struct serving *s, const struct message_id *id)
{
    pthread_mutex_lock(&s->lock);
    if (s->running && message_id_equal(&s->running->message->id, id)) s->running->is_cancelled = true;
    for (struct job **at = &s->queue; *at;) {
        struct job *job = *at;
        if (!message_id_equal(&job->message->id, id)) {
            at = &job->next;
            continue;
        }
        *at = job->next;
        s->queued--;
        free_job(s, job);
    }
    pthread_mutex_unlock(&s->lock);
}

static bool is_idle(struct serving *s)
{
    pthread_mutex_lock(&s->lock);
    bool idle = !s->queue && !s->running && !s->answers.len;
    pthread_mutex_unlock(&s->lock);
    return idle && s->written == s->waiting.len;
}

/* ---- lines ---- */

static bool add_waiting(struct serving *s, assay_slice text)
{
    if (!vec_reserve(&s->mem, &s->waiting, text.len)) return false;
    if (text.len) memcpy(s->waiting.at + s->waiting.len, text.data, text.len);
    s->waiting.len += text.len;
    return true;
}

/* false = no memory. */
static bool take_message(struct serving *s, struct messages *all, size_t i, struct output *out)
{
    struct message *m = all->at[i];
    switch (session_take(&s->session, m, out)) {
    case SESSION_CANCEL: cancel(s, &m->request_id); return true;
    case SESSION_CALL:
        if (is_full(s)) {
            session_put_error(out, &m->id, RPC_BUSY, "too many calls are waiting");
            return true;
        }
        if (!add_job(s, m)) return false;
        (void)messages_take(all, i);
        return true;
    default: return true;
    }
}

static int take_line(struct serving *s, const char *line, size_t len, assay_error *err)
{
    static const struct message_id none = { false, false, { NULL, 0 } };
    struct messages all = { .mem = &s->mem };
    struct output *out;
    TRY(output_open_memory(&out, &s->mem, err));
    int rc = 0;
    if (s->is_too_long)
        session_put_error(out, &none, RPC_PARSE, "this line is too long");
    else
        rc = messages_read(&all, line, len, &s->mem, err);
    for (size_t i = 0; rc == 0 && i < all.count; i++)
        if (!take_message(s, &all, i, out)) rc = error_memory(err);
    if (rc == 0 && (output_failed(out) || !add_waiting(s, output_memory(out)))) rc = error_memory(err);
    messages_done(&all);
    output_abort(out);
    s->is_too_long = false;
    return rc;
}

/* Lines that end in `data`, and what has come of the next one. */
static int take_bytes(struct serving *s, const char *data, size_t len, assay_error *err)
{
    while (len) {
        const char *end = memchr(data, '\n', len);
        size_t part = end ? (size_t)(end - data) : len;
        if (s->line.len + part > LINE_MOST) s->is_too_long = true;
        if (s->is_too_long)
            s->line.len = 0;
        else if (!vec_reserve(&s->mem, &s->line, part + 1))
            return error_memory(err);
        else {
            memcpy(s->line.at + s->line.len, data, part);
            s->line.len += part;
        }
        if (!end) return 0;
        TRY(take_line(s, s->line.at, s->line.len, err));
        s->line.len = 0;
        data = end + 1;
        len -= part + 1;
    }
    return 0;
}

static void note_end(struct serving *s)
{
    s->has_ended = true;
    s->ended = now_ms();
}

static int read_some(struct serving *s, assay_error *err)
{
    char block[BLOCK];
    ssize_t got = read(s->in, block, sizeof block);
    if (got > 0) return take_bytes(s, block, (size_t)got, err);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    if (got < 0) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot read requests");
    note_end(s);
    /* A last line without its end is a line. */
    return s->line.len || s->is_too_long ? take_line(s, s->line.at, s->line.len, err) : 0;
}

static int write_some(struct serving *s, assay_error *err)
{
    size_t left = s->waiting.len - s->written;
    ssize_t put = write(s->out, s->waiting.at + s->written, left < WRITE_MOST ? left : WRITE_MOST);
    if (put < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    if (put < 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot write answers");
    s->written += (size_t)put;
    if (s->written == s->waiting.len) s->written = s->waiting.len = 0;
    return 0;
}

/* ---- the loop ---- */

static bool fetch_answers(struct serving *s)
{
    pthread_mutex_lock(&s->lock);
    bool ok = add_waiting(s, (assay_slice){ s->answers.at, s->answers.len }) && !s->has_failed;
    s->answers.len = 0;
    pthread_mutex_unlock(&s->lock);
    return ok;
}

static int turn(struct serving *s, assay_error *err)
{
    char bytes[64];
    size_t unread = s->waiting.len - s->written;
    bool has_answers = unread > 0, is_behind = unread > WAITING_MOST;
    struct pollfd at[3] = { { .fd = s->wake[0], .events = POLLIN },
                            { .fd = s->has_ended ? -1 : s->in, .events = is_behind ? POLLRDHUP : POLLIN },
                            { .fd = s->out, .events = has_answers ? POLLOUT : 0 } };
    int64_t left = s->has_ended ? s->ended + GRACE_MS - now_ms() : -1;
    if (s->has_ended && left < 0) left = 0;
    if (poll(at, 3, (int)left) < 0 && errno != EINTR) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot wait for requests");
    if (at[0].revents) (void)!read(s->wake[0], bytes, sizeof bytes);
    if (!fetch_answers(s)) return error_memory(err);
    if (at[2].revents & (POLLERR | POLLHUP | POLLNVAL)) return error_sys(err, ASSAY_ERR_WRITE, EPIPE, "cannot write answers");
    if (at[2].revents & POLLOUT) TRY(write_some(s, err));
    if (at[1].revents && is_behind) note_end(s); /* who hangs up without reading what was asked for gets no more */
    return at[1].revents && !is_behind ? read_some(s, err) : 0;
}

static int run(struct serving *s, assay_error *err)
{
    while (!s->has_ended || (!is_idle(s) && now_ms() < s->ended + GRACE_MS)) TRY(turn(s, err));
    return 0;
}

static void done(struct serving *s)
{
    while (s->queue) {
        struct job *job = s->queue;
        s->queue = job->next;
        free_job(s, job);
    }
    vec_done(&s->mem, &s->line, &s->waiting, &s->answers);
    close(s->wake[0]);
    close(s->wake[1]);
    pthread_cond_destroy(&s->more);
    pthread_mutex_destroy(&s->lock);
}

int assay_mcp_serve(assay_mcp *mcp, int in, int out, assay_error *err)
{
    assay_error local;
    pthread_t worker;
    err = error_enter(err, &local);
    struct serving s = { .session = { .mcp = mcp }, .in = in, .out = out };
    mem_init(&s.mem, 0);
    if (pipe2(s.wake, O_CLOEXEC | O_NONBLOCK) != 0) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot make a pipe");
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.more, NULL);
    int failed = pthread_create(&worker, NULL, work, &s);
    int rc = failed ? error_sys(err, ASSAY_ERR_SYSTEM, failed, "cannot start a thread") : run(&s, err);
    pthread_mutex_lock(&s.lock);
    s.is_over = true;
    s.is_stopping = true;
    pthread_cond_signal(&s.more);
    pthread_mutex_unlock(&s.lock);
    if (!failed) pthread_join(worker, NULL);
    done(&s);
    return rc;
}
