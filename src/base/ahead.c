/* Pieces go round in slots: the reader fills free ones, any thread makes those that wait, and the reader takes them in order. A reader whose next piece is not made
 * yet makes it, or one behind it, instead of waiting. See base/ahead.h. */
#include "base/ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec.h"

enum {
    SLOTS_BESIDE = 2, /* slots beside two for each worker */
    REFUSED_MOST = 8, /* so many pieces made in vain, one after another, and no more are made */
    PIECE_LEAST = 16
};

enum state { FREE, WAITING, IN_WORK, DONE };

struct slot {
    VEC(char) text;
    uint64_t off;
    enum state state; /* under the lock */
    bool is_offered;  /* for being made */
    bool is_made;
};

struct ahead {
    struct mem mem;    /* of pieces */
    struct mem *owner; /* of this */
    struct input *in;
    struct ahead_maker maker;
    size_t piece_len;

    /* the reader's */
    assay_slice rest; /* of the block at hand */
    uint64_t rest_off;
    bool has_begun, is_inside; /* is_inside: what comes next is in the middle of a record */
    bool is_ended;
    unsigned refused;
    int code; /* at the end: why */
    assay_error err;
    uint64_t taken, filled; /* pieces so far; only `filled` is looked at by others, under the lock */
    bool is_held;           /* the piece `taken` is looked at */

    struct slot slots[AHEAD_SLOTS];
    unsigned slot_count;
    pthread_mutex_t lock;
    pthread_cond_t waits, done;
    bool stop;
    pthread_t threads[AHEAD_SLOTS];
    unsigned worker_count, thread_count;
    bool has_threads;
};

/* ---- making ---- */

static struct slot *slot_at(struct ahead *a, uint64_t piece) { return &a->slots[piece % a->slot_count]; }

/* The first piece that waits; the lock is held. */
static struct slot *waiting(struct ahead *a)
{
    for (uint64_t i = a->taken; i < a->filled; i++)
        if (slot_at(a, i)->state == WAITING) return slot_at(a, i);
    return NULL;
}

/* Makes what waits in the slot. The lock is held, but not meanwhile. */
static void make(struct ahead *a, struct slot *s)
{
    s->state = IN_WORK;
    pthread_mutex_unlock(&a->lock);
    bool is_made = a->maker.make(a->maker.arg, (unsigned)(s - a->slots), (assay_slice){ s->text.at, s->text.len });
    pthread_mutex_lock(&a->lock);
    s->is_made = is_made;
    s->state = DONE;
    pthread_cond_signal(&a->done);
}

static void *work(void *arg)
{
    struct ahead *a = arg;
    pthread_mutex_lock(&a->lock);
    while (!a->stop) {
        struct slot *s = waiting(a);
        if (s)
            make(a, s);
        else
            pthread_cond_wait(&a->waits, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Where threads cannot be had it does with fewer. Signals are for the threads of the program that uses the library. */
static void start_threads(struct ahead *a)
{
    sigset_t all, before;
    a->has_threads = true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (a->thread_count + 1 < a->worker_count && pthread_create(&a->threads[a->thread_count], NULL, work, a) == 0) a->thread_count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- cutting ---- */

/* Why there are no more blocks is said when all before has been taken. */
static void next_block(struct ahead *a)
{
    if (a->is_ended) return;
    a->code = input_block(a->in, !a->maker.takes_any_block, &a->rest, &a->rest_off, &a->err);
    a->is_ended = a->code != 0 || a->rest.len == 0;
    if (a->code != 0) a->rest.len = 0;
}

static bool append(struct ahead *a, struct slot *s, size_t len)
{
    if (!vec_reserve(&a->mem, &s->text, len)) return false;
    memcpy(s->text.at + s->text.len, a->rest.data, len);
    s->text.len += len;
    a->rest.data += len;
    a->rest.len -= len;
    a->rest_off += len;
    return true;
}

/* Behind the last line end among the first `window` bytes, or behind the first one after them. */
static size_t lines_len(assay_slice text, size_t window)
{
    const char *nl = window ? memrchr(text.data, '\n', window) : NULL;
    if (!nl) nl = memchr(text.data + window, '\n', text.len - window);
    return nl ? (size_t)(nl + 1 - text.data) : text.len;
}

/* Puts the next piece into the slot; none at the end. *is_whole: it begins and ends at borders. Errors: MEMORY. */
static int fill(struct ahead *a, struct slot *s, bool *is_whole, assay_error *err)
{
    s->text.len = 0;
    *is_whole = false;
    for (;;) {
        if (!a->rest.len) next_block(a);
        if (!a->rest.len) return 0; /* whatever there is */
        if (!s->text.len) s->off = a->rest_off;
        size_t window = a->piece_len > s->text.len ? a->piece_len - s->text.len : 0;
        if (window > a->rest.len) window = a->rest.len;
        size_t len = a->maker.cut(a->maker.arg, (assay_slice){ a->rest.data, window });
        bool is_border = len != 0;
        if (!is_border) len = window == a->rest.len ? window : lines_len(a->rest, window);
        if (!append(a, s, len)) return error_memory(err);
        if (is_border) {
            *is_whole = !a->is_inside;
            a->is_inside = false;
            return 0;
        }
        if (s->text.len < a->piece_len) continue;
        a->is_inside = true;
        return 0;
    }
}

/* Fills the slots that are free. */
static int fill_all(struct ahead *a, assay_error *err)
{
    while (a->filled - a->taken < a->slot_count && !(a->is_ended && !a->rest.len)) {
        struct slot *s = slot_at(a, a->filled);
        bool is_whole;
        TRY(fill(a, s, &is_whole, err));
        if (!s->text.len) return 0;
        bool is_offered = is_whole && a->refused < REFUSED_MOST && (!a->maker.begin || a->maker.begin(a->maker.arg, (unsigned)(s - a->slots)));
        if (is_offered && !a->has_threads && a->filled > a->taken) start_threads(a);
        pthread_mutex_lock(&a->lock);
        s->is_made = false;
        s->is_offered = is_offered;
        s->state = is_offered ? WAITING : DONE;
        a->filled++;
        if (is_offered) pthread_cond_signal(&a->waits);
        pthread_mutex_unlock(&a->lock);
    }
    return 0;
}

/* The first piece: the first block as it is. */
static void first(struct ahead *a, struct ahead_piece *out)
{
    a->has_begun = true;
    next_block(a);
    assay_slice text = a->rest;
    if (a->piece_len < AHEAD_PIECE && text.len > a->piece_len) text.len = lines_len(text, a->piece_len);
    *out = (struct ahead_piece){ text, a->rest_off, -1 };
    a->is_inside = a->maker.cut(a->maker.arg, text) != text.len;
    a->rest.data += text.len;
    a->rest.len -= text.len;
    a->rest_off += text.len;
}

/* ---- taking ---- */

static int at_end(struct ahead *a, struct ahead_piece *out, assay_error *err)
{
    *out = (struct ahead_piece){ { "", 0 }, a->rest_off, -1 };
    if (a->code != 0 && err) *err = a->err;
    return a->code;
}

/* The piece that was taken last. */
static void give_back(struct ahead *a)
{
    if (!a->is_held) return;
    struct slot *s = slot_at(a, a->taken);
    if (s->is_offered) a->refused = s->is_made ? 0 : a->refused + 1;
    a->is_held = false;
    pthread_mutex_lock(&a->lock);
    s->state = FREE;
    a->taken++;
    pthread_mutex_unlock(&a->lock);
}

int ahead_next(struct ahead *a, struct ahead_piece *out, assay_error *err)
{
    if (!a->has_begun) {
        first(a, out);
        return out->text.len ? 0 : at_end(a, out, err);
    }
    give_back(a);
    TRY(fill_all(a, err));
    if (a->taken == a->filled) return at_end(a, out, err);
    struct slot *head = slot_at(a, a->taken), *s;
    pthread_mutex_lock(&a->lock);
    while (head->state != DONE)
        if ((s = waiting(a)))
            make(a, s);
        else
            pthread_cond_wait(&a->done, &a->lock);
    a->is_held = true;
    pthread_mutex_unlock(&a->lock);
    *out = (struct ahead_piece){ { head->text.at, head->text.len }, head->off, head->is_made ? (int)(head - a->slots) : -1 };
    return 0;
}

void ahead_refuse(struct ahead *a)
{
    if (a->is_held) slot_at(a, a->taken)->is_made = false;
}

/* ---- life ---- */

size_t ahead_piece_len(void)
{
    const char *chosen = getenv("ASSAY_PIECE");
    size_t len = chosen ? strtoul(chosen, NULL, 10) : 0;
    return len == 0 || len > AHEAD_PIECE ? AHEAD_PIECE : len < PIECE_LEAST ? PIECE_LEAST : len;
}

static bool make_locks(struct ahead *a)
{
    if (pthread_mutex_init(&a->lock, NULL) != 0) return false;
    if (pthread_cond_init(&a->waits, NULL) == 0) {
        if (pthread_cond_init(&a->done, NULL) == 0) return true;
        pthread_cond_destroy(&a->waits);
    }
    pthread_mutex_destroy(&a->lock);
    return false;
}

int ahead_open(struct ahead **out, struct input *in, struct mem *mem, unsigned workers, const struct ahead_maker *maker, assay_error *err)
{
    struct ahead *a = mem_zalloc(mem, 1, sizeof *a);
    if (!a) return error_memory(err);
    a->owner = mem;
    a->in = in;
    a->maker = *maker;
    a->piece_len = ahead_piece_len();
    a->worker_count = workers < AHEAD_WORKERS ? workers : AHEAD_WORKERS;
    a->slot_count = 2 * a->worker_count + SLOTS_BESIDE;
    mem_init(&a->mem, 0);
    if (!make_locks(a)) {
        mem_free(mem, a, sizeof *a);
        return error_memory(err);
    }
    *out = a;
    return 0;
}

void ahead_close(struct ahead *a)
{
    if (!a) return;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_cond_broadcast(&a->waits);
    pthread_mutex_unlock(&a->lock);
    for (unsigned i = 0; i < a->thread_count; i++) pthread_join(a->threads[i], NULL);
    pthread_cond_destroy(&a->done);
    pthread_cond_destroy(&a->waits);
    pthread_mutex_destroy(&a->lock);
    for (unsigned i = 0; i < AHEAD_SLOTS; i++) vec_done(&a->mem, &a->slots[i].text);
    mem_free(a->owner, a, sizeof *a);
}
