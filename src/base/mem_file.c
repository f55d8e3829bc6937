/* The file grows by slabs, each mapped once; blocks are cut from the newest one. */
#include "base/mem_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/temporary.h"

enum { SLABS = 128, SLAB_LEAST = 64 << 20, SLAB_SHARE = 4 /* the next slab is a quarter of what there is, so that there are not many */, ALIGNED = 64 };

struct slab {
    uint8_t *at;
    size_t len, used;
};

struct mem_file {
    pthread_mutex_t lock;
    int file; /* -1 = not yet */
    bool is_full;
    size_t page, len;
    struct slab slabs[SLABS];
    unsigned count;
};

struct mem_file *mem_file_new(void)
{
    struct mem_file *f = calloc(1, sizeof *f);
    long page = sysconf(_SC_PAGESIZE);
    if (!f || page <= 0 || pthread_mutex_init(&f->lock, NULL) != 0) {
        free(f);
        return NULL;
    }
    f->page = (size_t)page;
    f->file = -1;
    return f;
}

void mem_file_free(struct mem_file *f)
{
    if (!f) return;
    for (unsigned i = 0; i < f->count; i++) munmap(f->slabs[i].at, f->slabs[i].len);
    if (f->file >= 0) close(f->file);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

/* What a block of `len` bytes takes; 0 = too large. */
static size_t room_of(size_t len) { return len > SIZE_MAX - ALIGNED ? 0 : (len + ALIGNED - 1) / ALIGNED * ALIGNED; }
static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

static bool add_slab(struct mem_file *f, size_t least)
{
    size_t len = f->len / SLAB_SHARE / f->page * f->page;
    if (f->file < 0) f->file = temporary_open();
    if (f->file < 0 || f->count == SLABS) return false;
    if (len < SLAB_LEAST) len = SLAB_LEAST;
    if (len < least && least < SIZE_MAX / 2) len = round_up(least, f->page);
    if (len < least || len > PTRDIFF_MAX - f->len || posix_fallocate(f->file, (off_t)f->len, (off_t)len) != 0) return false;
    void *at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, f->file, (off_t)f->len);
    if (at == MAP_FAILED) return false;
    f->slabs[f->count++] = (struct slab){ .at = at, .len = len };
    f->len += len;
    return true;
}

static void *cut(struct mem_file *f, size_t len)
{
    struct slab *s = f->count ? &f->slabs[f->count - 1] : NULL;
    if (!s || s->len - s->used < len) {
        f->is_full = f->is_full || !add_slab(f, len);
        if (f->is_full) return NULL;
        s = &f->slabs[f->count - 1];
    }
    s->used += len;
    return s->at + s->used - len;
}

void *mem_file_take(struct mem_file *f, size_t len)
{
    size_t room = room_of(len);
    if (!room) return NULL;
    pthread_mutex_lock(&f->lock);
    void *p = cut(f, room);
    pthread_mutex_unlock(&f->lock);
    return p;
}

static struct slab *slab_of(struct mem_file *f, const void *p)
{
    for (unsigned i = f->count; i > 0; i--)
        if ((uintptr_t)p - (uintptr_t)f->slabs[i - 1].at < f->slabs[i - 1].len) return &f->slabs[i - 1];
    return NULL;
}

bool mem_file_has(struct mem_file *f, const void *p)
{
    if (!f || !p) return false;
    pthread_mutex_lock(&f->lock);
    bool has = slab_of(f, p) != NULL;
    pthread_mutex_unlock(&f->lock);
    return has;
}

/* Whole pages of what is no longer needed; a file system that cannot take them back keeps them until the end. */
static void drop(const struct mem_file *f, uint8_t *at, size_t len)
{
#ifdef MADV_REMOVE
    size_t before = round_up((uintptr_t)at, f->page) - (uintptr_t)at;
    if (len >= before + f->page) madvise(at + before, (len - before) / f->page * f->page, MADV_REMOVE);
#else
    (void)f, (void)at, (void)len;
#endif
}

bool mem_file_resize(struct mem_file *f, void *p, size_t old_len, size_t new_len)
{
    size_t before = room_of(old_len), after = room_of(new_len);
    if (!after) return false;
    if (after <= before) {
        drop(f, (uint8_t *)p + after, before - after);
        return true;
    }
    pthread_mutex_lock(&f->lock);
    struct slab *s = slab_of(f, p);
    bool is_newest = (uint8_t *)p + before == s->at + s->used && s->len - s->used >= after - before;
    if (is_newest) s->used += after - before;
    pthread_mutex_unlock(&f->lock);
    return is_newest;
}

void mem_file_give(struct mem_file *f, void *p, size_t len) { drop(f, p, room_of(len)); }
