/* Mappings without a file; see base/large.h. */
#include "base/large.h"

#include <stdint.h>
#include <sys/mman.h>

/* Tools that look for reads behind the end of a block only know those of malloc. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_LARGE 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_LARGE 0
#endif
#endif
#if !defined(HAS_LARGE) && defined(MREMAP_FIXED) && defined(MADV_HUGEPAGE)
#define HAS_LARGE 1
#endif

enum { BORDER = 2 << 20 };

bool large_is(size_t len)
{
#if HAS_LARGE
    return len >= LARGE_LEAST && len <= PTRDIFF_MAX - 2 * BORDER;
#else
    (void)len;
    return false;
#endif
}

#if HAS_LARGE
/* Whole large pages, also the last one: what a block grows by later could not get one where small ones begin it. */
static size_t whole(size_t len) { return (len + BORDER - 1) / BORDER * BORDER; }

/* Address space that begins at a border: more is taken, and what stands before and behind is given back. */
static void *aligned(size_t len, int protection)
{
    char *p = mmap(NULL, len + BORDER, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    size_t before = (BORDER - (uintptr_t)p % BORDER) % BORDER;
    if (before) munmap(p, before);
    if (before < BORDER) munmap(p + before + len, BORDER - before);
    return p + before;
}

void *large_new(size_t len)
{
    void *p = aligned(whole(len), PROT_READ | PROT_WRITE);
    if (p) madvise(p, whole(len), MADV_HUGEPAGE);
    return p;
}

void *large_resize(void *p, size_t old_len, size_t len)
{
    size_t from = whole(old_len), to = whole(len);
    if (from == to || mremap(p, from, to, 0) == p) return p;
    void *place = aligned(to, PROT_NONE);
    if (!place) return NULL;
    if (mremap(p, from, to, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place) return place;
    munmap(place, to);
    return NULL;
}

void large_free(void *p, size_t len) { munmap(p, whole(len)); }

size_t large_drop(void *p, size_t from, size_t to)
{
    size_t begin = whole(from), end = to / BORDER * BORDER;
    if (begin >= end) return from;
    madvise((char *)p + begin, end - begin, MADV_DONTNEED);
    return end;
}
#else
void *large_new(size_t len) { return (void)len, NULL; }
void *large_resize(void *p, size_t old_len, size_t len) { return (void)p, (void)old_len, (void)len, NULL; }
void large_free(void *p, size_t len) { (void)p, (void)len; }
size_t large_drop(void *p, size_t from, size_t to) { return (void)p, (void)from, to; }
#endif
