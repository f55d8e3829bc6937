/* Counted, limited, fault-injecting allocation; see base/mem.h. */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, LARGE = 4 << 20 };

#include "base/cancel.h"

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

/* Books `more` bytes, or refuses. */
static bool take(struct mem *m, size_t more)
{
    uint64_t n = atomic_fetch_add_explicit(&m->requests, 1, memory_order_relaxed) + 1;
    if ((m->fail_at && n >= m->fail_at) || cancel_due()) return false;
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

/* Asks for large pages behind a large block: most of what it costs otherwise are its page faults. All of the block's pages are asked for: where the system keeps the
 * first and the last one apart from the others, the block cannot be moved to another address when it grows, and is copied. */
static void *with_large_pages(void *p, size_t len)
{
#ifdef MADV_HUGEPAGE
    size_t before = (uintptr_t)p % PAGE;
    if (p && len >= LARGE) madvise((char *)p - before, (before + len + PAGE - 1) / PAGE * PAGE, MADV_HUGEPAGE);
#endif
    return p;
}

void *mem_alloc(struct mem *m, size_t len)
{
    if (!take(m, len)) return NULL;
    void *p = malloc(len ? len : 1);
    if (!p) give(m, len);
    return with_large_pages(p, len);
}

void *mem_zalloc(struct mem *m, size_t count, size_t size)
{
    size_t len;
    if (!size_mul(&len, count, size) || !take(m, len)) return NULL;
    void *p = calloc(1, len ? len : 1);
    if (!p) give(m, len);
    return with_large_pages(p, len);
}

void *mem_resize(struct mem *m, void *p, size_t old_len, size_t new_len)
{
    if (new_len > old_len && !take(m, new_len - old_len)) return NULL;
    void *q = realloc(p, new_len ? new_len : 1);
    if (!q) {
        if (new_len > old_len) give(m, new_len - old_len);
        return NULL;
    }
    if (new_len < old_len) give(m, old_len - new_len);
    return new_len > old_len ? with_large_pages(q, new_len) : q;
}

void mem_free(struct mem *m, void *p, size_t len)
{
    if (!p) return;
    give(m, len);
    free(p);
}
