/* A stack of bytes that may be larger than memory; see base/spill.h. */
#include "base/spill.h"

#include <errno.h>
#include <unistd.h>

#include "base/temporary.h"

enum { SPILL_MOST = 8 << 20, SPILL_BLOCK = 1 << 20 };

void spill_init(struct spill *s, struct mem *mem) { *s = (struct spill){ .mem = mem, .file = -1 }; }

void spill_done(struct spill *s)
{
    if (!s->mem) return;
    vec_done(s->mem, &s->tail);
    if (s->file >= 0) close(s->file);
    *s = (struct spill){ .file = -1 };
}

static bool write_out(struct spill *s)
{
    for (size_t done = 0; done < s->tail.len;) {
        ssize_t n = pwrite(s->file, s->tail.at + done, s->tail.len - done, (off_t)(s->filed + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    s->filed += s->tail.len;
    s->tail.len = 0;
    return true;
}

bool spill_room(struct spill *s, size_t more)
{
    if (s->tail.len + more > SPILL_MOST && s->tail.len >= SPILL_BLOCK) {
        if (!s->has_tried) s->file = temporary_open();
        s->has_tried = true;
        if (s->file >= 0 && !s->is_full) s->is_full = !write_out(s); /* no room there: the rest stays here */
    }
    return vec_reserve(s->mem, &s->tail, more);
}

bool spill_refill(struct spill *s)
{
    size_t len = s->filed < SPILL_BLOCK ? (size_t)s->filed : SPILL_BLOCK;
    if (!len || s->is_broken) return false;
    s->is_broken = !vec_reserve(s->mem, &s->tail, len);
    for (size_t done = 0; !s->is_broken && done < len;) {
        ssize_t n = pread(s->file, s->tail.at + done, len - done, (off_t)(s->filed - len + done));
        if (n < 0 && errno == EINTR) continue;
        s->is_broken = n <= 0;
        done += n > 0 ? (size_t)n : 0;
    }
    if (s->is_broken) return false;
    s->filed -= len;
    s->tail.len = len;
    return true;
}
