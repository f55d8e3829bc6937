/* Blocks in order, ending at line ends where lines are wanted; see base/input.h and base/input_parts.h.
 *
 * What follows the last line end of a chunk is copied in front of the next chunk, into its head room: some dozens of bytes for a megabyte.
 * Only a line longer than the head room is put together in a buffer of its own. */
#include <time.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/input_parts.h"
#include "base/number.h"

enum { THREAD_FROM = 64 << 10, KEEP_LINE = 4 << 20 };
#define PROGRESS_NS 100000000ull

/* ---- errors and progress ---- */

int input_fail(struct input *in, const assay_error *cause, assay_error *err)
{
    if (cause != &in->err) in->err = *cause;
    error_path(&in->err, in->path);
    if (err) *err = in->err;
    return in->err.code;
}

int input_no_memory(struct input *in, assay_error *err)
{
    assay_error cause = { 0 };
    error_memory(&cause);
    return input_fail(in, &cause, err);
}

/* What begins at `in->off` is `len` bytes so far. Errors: LIMIT. */
static int check_length(struct input *in, size_t len, const char *what, assay_error *err)
{
    assay_error cause = { 0 };
    char most[48];
    if (len <= in->max_string) return 0;
    number_human(most, (double)in->max_string, "bytes");
    error_hint(&cause, error_at(&cause, ASSAY_ERR_LIMIT, in->off, "%s is longer than %s", what, most), ASSAY_HINT_MAX_STRING);
    return input_fail(in, &cause, err);
}

int input_ended(struct input *in, assay_error *err)
{
    in->unpacked_len = in->feed.given;
    return in->feed.err.code != 0 ? input_fail(in, &in->feed.err, err) : 0;
}

static int cancelled(struct input *in, assay_error *err)
{
    assay_error cause = { 0 };
    error_cancelled(&cause);
    return input_fail(in, &cause, err);
}

int input_report(struct input *in, uint64_t done, assay_error *err)
{
    if (cancel_due()) return cancelled(in, err);
    if (!in->progress) return 0;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    if (in->progress_ns && now - in->progress_ns < PROGRESS_NS) return 0;
    in->progress_ns = now;
    return in->progress(in->progress_arg, done, in->packed_len) == 0 ? 0 : cancelled(in, err);
}

bool input_waiting(void *arg)
{
    struct input *in = arg;
    if (atomic_load_explicit(&in->feed.stop, memory_order_relaxed) || cancel_due()) return true;
    return in->progress && in->progress(in->progress_arg, in->held ? in->held->packed_off : 0, in->packed_len) != 0;
}

/* ---- chunks ---- */

/* Memory that is not compressed needs no buffers: chunks point into it, one after another. */
static bool in_place(const struct input *in) { return in->memory && !in->feed.z; }

/* A small file is small in memory too; one byte more than its size shows its end with the first read. */
static size_t chunk_room(const struct input *in)
{
    return !in->feed.z && in->packed_len && in->packed_len < FEED_CHUNK ? (size_t)in->packed_len + 1 : FEED_CHUNK;
}

static bool make_slots(struct input *in, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!in->slots[i].base && !chunk_new(&in->slots[i], chunk_room(in), in->mem)) return false;
    return true;
}

/* A thread pays only when there is something left to unpack beside the first chunk, from more than a little. */
static bool wants_thread(const struct input *in)
{
    return in->held && in->next_slot == 1 && in->feed.z && (in->packed_len == 0 || in->packed_len >= THREAD_FROM);
}

/* Fills the next slot right here. */
static int fill_here(struct input *in, struct chunk **out, assay_error *err)
{
    unsigned slot = in->next_slot;
    if (!in_place(in) && !make_slots(in, slot + 1)) return input_no_memory(in, err);
    in->next_slot = slot ^ 1;
    *out = &in->slots[slot];
    feed_fill(&in->feed, *out);
    return 0;
}

/* The chunk after the held one, which stays held; NULL at the end. */
static int take(struct input *in, struct chunk **out, assay_error *err)
{
    *out = NULL;
    if (in->held && in->held->last) return 0;
    if (in->held) TRY(input_report(in, in->held->packed_off, err));
    if (!in->ring.running && wants_thread(in)) {
        if (!make_slots(in, RING_SLOTS)) return input_no_memory(in, err);
        in->feed.waiting = NULL; /* the feed is the other thread's from here on */
        if (!ring_start(&in->ring, &in->feed, in->slots)) in->feed.waiting = input_waiting;
    }
    if (!in->ring.running) return fill_here(in, out, err);
    *out = ring_take(&in->ring, input_waiting, in);
    return *out ? 0 : cancelled(in, err);
}

/* Goes over to `c`; what was held goes back. */
static void hold(struct input *in, struct chunk *c)
{
    if (in->held && in->ring.running) ring_give_back(&in->ring);
    in->held = c;
}

static void begin_at(struct input *in, struct chunk *c, const char *begin)
{
    in->begin = begin;
    in->end = c->data + c->len;
}

int input_take_first(struct input *in, assay_error *err)
{
    if (in->err.code != 0) return input_fail(in, &in->err, err);
    if (in->held) return 0;
    TRY(input_start(in, err));
    struct chunk *c;
    TRY(take(in, &c, err));
    hold(in, c);
    begin_at(in, c, c->data);
    return 0;
}

/* ---- blocks ---- */

static int give(struct input *in, const char *end, assay_slice *out, uint64_t *off)
{
    *out = slice_from(in->begin, end);
    *off = in->off;
    in->off += out->len;
    in->begin = end;
    return 0;
}

/* After the last chunk: first what is left of it, then the error if there was one, then nothing. */
static int give_rest(struct input *in, assay_slice *out, uint64_t *off, assay_error *err)
{
    give(in, in->end, out, off);
    return out->len ? 0 : input_ended(in, err);
}

static int any_block(struct input *in, assay_slice *out, uint64_t *off, assay_error *err)
{
    if (in->begin == in->end) {
        struct chunk *c;
        TRY(take(in, &c, err));
        if (!c) return give_rest(in, out, off, err);
        hold(in, c);
        begin_at(in, c, c->data);
    }
    if (in->begin == in->end) return give_rest(in, out, off, err);
    return give(in, in->end, out, off);
}

static bool append(struct input *in, const char *data, size_t len)
{
    if (len == 0) return true;
    if (!vec_reserve(in->mem, &in->line, len)) return false;
    memcpy(in->line.at + in->line.len, data, len);
    in->line.len += len;
    return true;
}

/* The held bytes begin a line that goes on through `c` and perhaps further. */
static int long_line(struct input *in, struct chunk *c, assay_slice *out, uint64_t *off, assay_error *err)
{
    if (!append(in, in->begin, (size_t)(in->end - in->begin))) return input_no_memory(in, err);
    const char *nl = NULL;
    while (c) {
        hold(in, c);
        nl = memchr(c->data, '\n', c->len);
        begin_at(in, c, nl ? nl + 1 : c->data + c->len);
        if (!append(in, c->data, (size_t)(in->begin - c->data))) return input_no_memory(in, err);
        TRY(check_length(in, in->line.len, "a line", err));
        if (nl) break;
        TRY(take(in, &c, err));
    }
    *out = (assay_slice){ in->line.at, in->line.len };
    *off = in->off;
    in->off += out->len;
    return 0;
}

/* In front of `c`, which is held from now on, stands what was left of the chunk before. */
static void join_in_head(struct input *in, struct chunk *c)
{
    size_t carry = (size_t)(in->end - in->begin);
    char *begin = c->data - carry;
    if (carry) memcpy(begin, in->begin, carry);
    hold(in, c);
    begin_at(in, c, begin);
}

/* The same in a buffer, when it is too much for the head room. What is left may stand in that buffer already. */
static int join_in_buffer(struct input *in, struct chunk *c, assay_error *err)
{
    size_t carry = (size_t)(in->end - in->begin);
    bool is_inside = in->line.len && in->end == in->line.at + in->line.len;
    if (is_inside) memmove(in->line.at, in->begin, carry);
    in->line.len = is_inside ? carry : 0;
    if (!is_inside && !append(in, in->begin, carry)) return input_no_memory(in, err);
    hold(in, c);
    if (!append(in, c->data, c->len)) return input_no_memory(in, err);
    in->begin = in->line.at;
    in->end = in->line.at + in->line.len;
    return 0;
}

int input_block_keep(struct input *in, size_t keep, assay_slice *out, uint64_t *off, assay_error *err)
{
    *out = (assay_slice){ "", 0 };
    TRY(input_take_first(in, err));
    in->begin -= keep;
    in->off -= keep;
    *off = in->off;
    if (in->off == 0 && keep == 0 && in->begin != in->end) return give(in, in->end, out, off);
    TRY(check_length(in, keep, "a name or string", err));
    struct chunk *c;
    TRY(take(in, &c, err));
    if (!c || (c->last && c->len == 0)) {
        if (c) hold(in, c); /* its bytes are those before it: they stay where they are */
        give(in, in->end, out, off);
        return input_ended(in, err);
    }
    if (in_place(in)) {
        in->end += c->len;
        in->held = c;
    } else if (keep > FEED_HEAD)
        TRY(join_in_buffer(in, c, err));
    else
        join_in_head(in, c);
    return give(in, in->end, out, off);
}

static int line_block(struct input *in, assay_slice *out, uint64_t *off, assay_error *err)
{
    const char *fresh = in->begin; /* no line end before it */
    for (;;) {
        const char *nl = fresh < in->end ? memrchr(fresh, '\n', (size_t)(in->end - fresh)) : NULL;
        if (nl) return give(in, nl + 1, out, off);
        size_t carry = (size_t)(in->end - in->begin);
        struct chunk *c;
        TRY(check_length(in, carry, "a line", err));
        TRY(take(in, &c, err));
        if (!c) return give_rest(in, out, off, err);
        if (in_place(in)) {
            fresh = in->end;
            in->end += c->len;
            in->held = c;
            continue;
        }
        if (carry > FEED_HEAD) return long_line(in, c, out, off, err);
        join_in_head(in, c);
        fresh = c->data;
    }
}

int input_block(struct input *in, bool whole_lines, assay_slice *out, uint64_t *off, assay_error *err)
{
    *out = (assay_slice){ "", 0 };
    *off = in->off;
    TRY(input_take_first(in, err));
    in->line.len = 0;
    if (in->line.cap > KEEP_LINE) vec_done(in->mem, &in->line);
    return whole_lines ? line_block(in, out, off, err) : any_block(in, out, off, err);
}
