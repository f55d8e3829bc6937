/* Chunked bump allocation; see base/arena.h. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

enum { CHUNK_LEN = 64 * 1024, LARGE_LEN = 4096 };

struct arena_chunk {
    struct arena_chunk *before;
    size_t len; /* of the whole block, this head included */
};

enum { ALIGN = alignof(max_align_t), HEAD_LEN = (sizeof(struct arena_chunk) + ALIGN - 1) / ALIGN * ALIGN };

void arena_init(struct arena *a, struct mem *m) { *a = (struct arena){ .mem = m }; }

static bool new_chunk(struct arena *a, size_t need)
{
    size_t len;
    if (!size_add(&len, need, sizeof(struct arena_chunk) + alignof(max_align_t))) return false;
    if (len < CHUNK_LEN) len = a->last ? CHUNK_LEN : 4096 > len ? 4096 : len; /* small owners stay small */
    struct arena_chunk *c = mem_alloc(a->mem, len);
    if (!c) return false;
    c->before = a->last;
    c->len = len;
    a->last = c;
    a->at = (char *)(c + 1);
    a->end = (char *)c + len;
    return true;
}

void *arena_alloc(struct arena *a, size_t len)
{
    size_t pad = (size_t)(-(uintptr_t)a->at) & (alignof(max_align_t) - 1);
    if (!a->last || (size_t)(a->end - a->at) < pad || (size_t)(a->end - a->at) - pad < len) {
        if (!new_chunk(a, len)) return NULL;
        pad = (size_t)(-(uintptr_t)a->at) & (alignof(max_align_t) - 1);
    }
    char *p = a->at + pad;
    a->at = p + len;
    return p;
}

/* The system has zeroed pages for large blocks, so these are asked for and not cleared. They go behind the chunk in use, which keeps its room. */
static void *zeroed_chunk(struct arena *a, size_t len)
{
    size_t whole;
    if (!size_add(&whole, len, HEAD_LEN)) return NULL;
    struct arena_chunk *c = mem_zalloc(a->mem, 1, whole);
    if (!c) return NULL;
    c->len = whole;
    if (a->last) {
        c->before = a->last->before;
        a->last->before = c;
    } else {
        a->last = c;
        a->at = a->end = (char *)c + whole;
    }
    return (char *)c + HEAD_LEN;
}

void *arena_zalloc(struct arena *a, size_t count, size_t size)
{
    size_t len;
    if (!size_mul(&len, count, size)) return NULL;
    if (len >= LARGE_LEN) return zeroed_chunk(a, len);
    void *p = arena_alloc(a, len);
    if (p) memset(p, 0, len);
    return p;
}

char *arena_text(struct arena *a, size_t len)
{
    if ((!a->last || (size_t)(a->end - a->at) < len) && !new_chunk(a, len)) return NULL;
    char *p = a->at;
    a->at += len;
    return p;
}

char *arena_copy(struct arena *a, assay_slice s)
{
    char *p = arena_text(a, s.len + 1);
    if (!p) return NULL;
    if (s.len) memcpy(p, s.data, s.len);
    p[s.len] = '\0';
    return p;
}

void arena_done(struct arena *a)
{
    while (a->last) {
        struct arena_chunk *c = a->last;
        a->last = c->before;
        mem_free(a->mem, c, c->len);
    }
    a->at = a->end = NULL;
}
