/* Packing by zlib; see base/deflate.h. */
#include "base/deflate.h"

#include <zlib.h>

#include "base/inflate.h"

enum { ROOM = 64 << 10 };

struct deflate {
    struct mem *mem;
    struct output *out;
    z_stream stream;
    uint8_t room[ROOM];
};

static void *z_alloc(void *mem, unsigned count, unsigned size)
{
    size_t len;
    return size_mul(&len, count, size) ? inflate_alloc(mem, len) : NULL;
}

static void z_release(void *mem, void *p) { inflate_release(mem, p); }

struct deflate *deflate_new(struct output *out, int level, struct mem *mem)
{
    struct deflate *z = mem_zalloc(mem, 1, sizeof *z);
    if (!z) return NULL;
    z->mem = mem;
    z->out = out;
    z->stream.zalloc = z_alloc;
    z->stream.zfree = z_release;
    z->stream.opaque = mem;
    if (deflateInit(&z->stream, level) == Z_OK) return z;
    mem_free(mem, z, sizeof *z);
    return NULL;
}

void deflate_free(struct deflate *z)
{
    if (!z) return;
    deflateEnd(&z->stream);
    mem_free(z->mem, z, sizeof *z);
}

/* Runs until zlib needs more input, or has ended. */
static void run(struct deflate *z, int flush)
{
    int rc;
    do {
        z->stream.next_out = z->room;
        z->stream.avail_out = ROOM;
        rc = deflate(&z->stream, flush);
        output_bytes(z->out, z->room, ROOM - z->stream.avail_out);
    } while (rc == Z_OK && z->stream.avail_out == 0);
}

void deflate_bytes(struct deflate *z, const void *data, size_t len)
{
    const uint8_t *at = data;
    while (len) {
        size_t part = len < 1u << 30 ? len : 1u << 30;
        z->stream.next_in = (Bytef *)(uintptr_t)at;
        z->stream.avail_in = (unsigned)part;
        run(z, Z_NO_FLUSH);
        at += part;
        len -= part;
    }
}

void deflate_finish(struct deflate *z)
{
    z->stream.next_in = NULL;
    z->stream.avail_in = 0;
    run(z, Z_FINISH);
}

/* ---- whole buffers ---- */

struct packer {
    struct mem *mem;
    z_stream stream;
};

struct packer *packer_new(bool gzip, int level, struct mem *mem)
{
    struct packer *z = mem_zalloc(mem, 1, sizeof *z);
    if (!z) return NULL;
    z->mem = mem;
    z->stream = (z_stream){ .zalloc = z_alloc, .zfree = z_release, .opaque = mem };
    if (deflateInit2(&z->stream, level, Z_DEFLATED, gzip ? 15 + 16 : 15, 8, Z_DEFAULT_STRATEGY) == Z_OK) return z;
    mem_free(mem, z, sizeof *z);
    return NULL;
}

void packer_free(struct packer *z)
{
    if (!z) return;
    deflateEnd(&z->stream);
    mem_free(z->mem, z, sizeof *z);
}

/* deflateBound() only looks. */
size_t packer_bound(const struct packer *z, size_t len) { return deflateBound((z_stream *)(uintptr_t)&z->stream, len); }

size_t packer_run(struct packer *z, const void *data, size_t len, void *out, size_t out_len)
{
    deflateReset(&z->stream);
    z->stream.next_in = (Bytef *)(uintptr_t)data;
    z->stream.avail_in = (unsigned)len;
    z->stream.next_out = out;
    z->stream.avail_out = (unsigned)out_len;
    deflate(&z->stream, Z_FINISH);
    return out_len - z->stream.avail_out;
}

const char *deflate_version(void) { return zlibVersion(); }
