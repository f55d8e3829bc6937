/* Counted, limited, fault-injecting allocation; see base/mem.h. */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/large.h"
#include "base/mem_file.h"

static _Thread_local struct {
    uint64_t at;
    uint32_t skip, count;
} fault;

void mem_fail_new(uint64_t at, uint32_t skip, uint32_t count)
{
    fault.at = at;
    fault.skip = skip;
    fault.count = count;
}

void mem_init(struct mem *m, size_t limit)
{
    memset(m, 0, sizeof *m);
    m->limit = limit;
    if (!fault.at) return;
    if (fault.skip)
        fault.skip--;
    else if (fault.count) {
        fault.count--;
        m->fail_at = fault.at;
    }
}

void mem_keep(struct mem *m, size_t bytes)
{
    m->keep = bytes;
    if (bytes && !m->file) m->file = mem_file_new();
}

void mem_end(struct mem *m)
{
    mem_file_free(m->file);
    m->file = NULL;
}

static bool may_take(struct mem *m)
{
    uint64_t n = atomic_fetch_add_explicit(&m->requests, 1, memory_order_relaxed) + 1;
    return !(m->fail_at && n >= m->fail_at) && !cancel_due();
}

/* Books `more` bytes, or refuses. */
static bool book(struct mem *m, size_t more)
{
    size_t used = atomic_fetch_add_explicit(&m->used, more, memory_order_relaxed) + more;
    if ((m->limit && used > m->limit) || used < more) {
        atomic_fetch_sub_explicit(&m->used, more, memory_order_relaxed);
        return false;
    }
    size_t peak = atomic_load_explicit(&m->peak, memory_order_relaxed);
    while (used > peak && !atomic_compare_exchange_weak_explicit(&m->peak, &peak, used, memory_order_relaxed, memory_order_relaxed)) {
    }
    return true;
}

static void give(struct mem *m, size_t len) { atomic_fetch_sub_explicit(&m->used, len, memory_order_relaxed); }

/* A block of the file, all 0, if this one is for the file and there is room. */
static void *from_file(struct mem *m, size_t len, size_t more)
{
    if (!m->file || len < MEM_FILE_LEAST || atomic_load_explicit(&m->used, memory_order_relaxed) + more <= m->keep) return NULL;
    return mem_file_take(m->file, len);
}

void *mem_alloc(struct mem *m, size_t len)
{
    if (!may_take(m)) return NULL;
    void *filed = from_file(m, len, len);
    if (filed) return filed;
    if (!book(m, len)) return NULL;
    void *p = large_is(len) ? large_new(len) : malloc(len ? len : 1);
    if (!p) give(m, len);
    return p;
}

void *mem_zalloc(struct mem *m, size_t count, size_t size)
{
    size_t len;
    if (!size_mul(&len, count, size) || !may_take(m)) return NULL;
    void *filed = from_file(m, len, len);
    if (filed) return filed;
    if (!book(m, len)) return NULL;
    void *p = large_is(len) ? large_new(len) : calloc(1, len ? len : 1);
    if (!p) give(m, len);
    return p;
}

static void release(void *p, size_t len)
{
    if (large_is(len))
        large_free(p, len);
    else
        free(p);
}

/* Into a block of the other kind. */
static void *change_kind(void *p, size_t old_len, size_t new_len)
{
    void *q = large_is(new_len) ? large_new(new_len) : malloc(new_len ? new_len : 1);
    if (!q) return NULL;
    memcpy(q, p, old_len < new_len ? old_len : new_len);
    release(p, old_len);
    return q;
}

static void *resize(void *p, size_t old_len, size_t new_len)
{
    if (!p) return large_is(new_len) ? large_new(new_len) : malloc(new_len ? new_len : 1);
    if (large_is(old_len) != large_is(new_len)) return change_kind(p, old_len, new_len);
    return large_is(new_len) ? large_resize(p, old_len, new_len) : realloc(p, new_len ? new_len : 1);
}

/* A block of the file stays there unless the disk is full. */
static void *resize_filed(struct mem *m, void *p, size_t old_len, size_t new_len)
{
    if (mem_file_resize(m->file, p, old_len, new_len)) return p;
    void *q = mem_alloc(m, new_len);
    if (!q) return NULL;
    memcpy(q, p, old_len);
    mem_file_give(m->file, p, old_len);
    return q;
}

/* A block that grows too large for what may stay in memory. */
static void *move_to_file(struct mem *m, void *p, size_t old_len, size_t new_len)
{
    void *q = new_len > old_len ? from_file(m, new_len, new_len - old_len) : NULL;
    if (!q) return NULL;
    if (p) memcpy(q, p, old_len);
    mem_free(m, p, old_len);
    return q;
}

void *mem_resize(struct mem *m, void *p, size_t old_len, size_t new_len)
{
    if (mem_file_has(m->file, p)) return resize_filed(m, p, old_len, new_len);
    if (new_len > old_len && !may_take(m)) return NULL;
    void *filed = move_to_file(m, p, old_len, new_len);
    if (filed) return filed;
    if (new_len > old_len && !book(m, new_len - old_len)) return NULL;
    void *q = resize(p, old_len, new_len);
    if (!q) {
        if (new_len > old_len) give(m, new_len - old_len);
        return NULL;
    }
    if (new_len < old_len) give(m, old_len - new_len);
    return q;
}

void mem_free(struct mem *m, void *p, size_t len)
{
    if (!p) return;
    if (mem_file_has(m->file, p)) {
        mem_file_give(m->file, p, len);
        return;
    }
    give(m, len);
    release(p, len);
}

size_t mem_drop(void *p, size_t len, size_t from, size_t to) { return p && large_is(len) ? large_drop(p, from, to) : to; }
