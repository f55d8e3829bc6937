/* Reading and unpacking into chunks; see base/feed.h. */
#include "base/feed.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

bool chunk_new(struct chunk *c, size_t room, struct mem *mem)
{
    *c = (struct chunk){ .base_len = room + FEED_HEAD, .room = room };
    c->base = mem_alloc(mem, c->base_len);
    if (!c->base) return false;
    c->data = c->base + FEED_HEAD;
    return true;
}

void chunk_free(struct chunk *c, struct mem *mem)
{
    mem_free(mem, c->base, c->base_len);
    *c = (struct chunk){ 0 };
}

/* ---- bytes as they lie there ---- */

enum { WAIT_MS = 25 }; /* how long closing may have to wait for a thread that waits for a pipe */

static bool stopped(struct feed *f)
{
    if (!atomic_load_explicit(&f->stop, memory_order_relaxed)) return false;
    errno = ECANCELED;
    return true;
}

/* Waits until there is something to read; false = stopped, or an errno. */
static bool wait_readable(struct feed *f)
{
    struct pollfd p = { .fd = f->fd, .events = POLLIN };
    for (;;) {
        int n = poll(&p, 1, WAIT_MS);
        if (n > 0) return true;
        if (n < 0 && errno != EINTR) return false;
        if (stopped(f)) return false;
        if (f->waiting && f->waiting(f->waiting_arg)) {
            errno = ECANCELED;
            return false;
        }
    }
}

static int64_t pull_some(struct feed *f, void *buf, size_t len)
{
    int64_t n = f->pull(f->pull_arg, buf, len);
    if (n >= 0 && (uint64_t)n <= len) return n;
    errno = EIO;
    return -1;
}

/* read() that goes on after signals; -1 and errno. */
static int64_t read_some(struct feed *f, void *buf, size_t len)
{
    if (f->pull) return pull_some(f, buf, len);
    for (;;) {
        if (f->may_wait && !wait_readable(f)) return -1;
        ssize_t n = read(f->fd, buf, len);
        if (n >= 0) return n;
        if (errno == EAGAIN) f->may_wait = true;
        if (errno != EINTR && errno != EAGAIN) return -1;
    }
}

static void read_failed(struct feed *f, int why)
{
    if (why == ECANCELED)
        error_cancelled(&f->err);
    else
        error_sys(&f->err, ASSAY_ERR_SYSTEM, why, "cannot read at offset %llu", (unsigned long long)f->off);
}

static void fill_plain(struct feed *f, struct chunk *c)
{
    c->len = 0;
    while (c->len < c->room && !f->end) {
        int64_t n = read_some(f, c->data + c->len, c->room - c->len);
        if (n < 0) read_failed(f, errno);
        if (n <= 0) f->end = true;
        if (n > 0) c->len += (size_t)n;
        if (n > 0) f->off += (uint64_t)n;
    }
    c->last = f->end;
}

static void point_into(struct feed *f, struct chunk *c)
{
    c->data = (char *)(uintptr_t)f->at;
    c->len = f->len < FEED_CHUNK ? f->len : FEED_CHUNK;
    f->at += c->len;
    f->len -= c->len;
    f->off += c->len;
    c->last = f->len == 0;
}

/* ---- unpacking ---- */

static bool refill_from(struct feed *f)
{
    assay_slice s;
    if (f->more(f->more_arg, &s, &f->err) != 0) return false;
    f->at = (const uint8_t *)s.data;
    f->len = s.len;
    f->end = s.len == 0;
    return true;
}

/* Reads more compressed bytes when there are none; false = the system refused. */
static bool refill(struct feed *f)
{
    if (f->len || f->end) return true;
    if (f->more) return refill_from(f);
    int64_t n = stopped(f) ? -1 : read_some(f, f->buf, f->buf_len);
    if (n < 0) {
        read_failed(f, errno);
        return false;
    }
    f->at = f->buf;
    f->len = (size_t)n;
    f->end = n == 0;
    return true;
}

/* Turns the end of unpacking into an error, or none. */
static void unpack_ended(struct feed *f, enum inflate_status status, const char *reason)
{
    unsigned long long given = f->given;
    switch (status) {
    case INFLATE_GO_ON:
    case INFLATE_END: break;
    case INFLATE_CUT: error_at(&f->err, ASSAY_ERR_TRUNCATED, f->off + f->len, "%s stream ends early after %llu decompressed bytes", f->packing, given); break;
    case INFLATE_DAMAGED:
        error_at(&f->err, ASSAY_ERR_DAMAGED, f->off, "%s stream is damaged after %llu decompressed bytes: %s", f->packing, given, reason);
        break;
    case INFLATE_TOO_LARGE: error_at(&f->err, ASSAY_ERR_LIMIT, f->off, "%s stream needs too much memory: %s", f->packing, reason); break;
    case INFLATE_NO_MEMORY: error_memory(&f->err); break;
    }
}

static bool over_limit(struct feed *f, struct chunk *c)
{
    if (f->given <= f->max_output) return false;
    c->len -= (size_t)(f->given - f->max_output);
    f->given = f->max_output;
    error_at(&f->err, ASSAY_ERR_LIMIT, f->off, "decompresses to more than %llu bytes", (unsigned long long)f->max_output);
    error_hint(&f->err, ASSAY_ERR_LIMIT, ASSAY_HINT_MAX_OUTPUT);
    return true;
}

static enum inflate_status unpack_some(struct feed *f, struct chunk *c, size_t room, const char **reason)
{
    struct inflate_io io = { f->at, f->len, (uint8_t *)c->data + c->len, room - c->len, f->end, 0 };
    enum inflate_status status = inflate_run(f->z, &io, reason);
    size_t made = room - c->len - io.out_len;
    f->off += f->len - io.in_len - io.back;
    f->at = io.in;
    f->len = io.in_len;
    c->len += made;
    f->given += made;
    return status;
}

/* One byte more than the limit is asked for: only when it comes is the limit passed. */
static void fill_unpacked(struct feed *f, struct chunk *c)
{
    uint64_t left = f->max_output - f->given;
    size_t room = left < c->room ? (size_t)left + 1 : c->room;
    const char *reason = "";
    c->len = 0;
    while (c->len < room && !c->last) {
        c->last = !refill(f);
        if (c->last) break;
        enum inflate_status status = unpack_some(f, c, room, &reason);
        c->last = over_limit(f, c) || status != INFLATE_GO_ON;
        if (f->err.code == 0) unpack_ended(f, status, reason);
    }
}

void feed_fill(struct feed *f, struct chunk *c)
{
    c->last = false;
    if (f->z)
        fill_unpacked(f, c);
    else if (f->fd >= 0 || f->pull)
        fill_plain(f, c);
    else
        point_into(f, c);
    c->packed_off = f->off;
}
