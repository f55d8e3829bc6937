/* xz streams by liblzma; see base/inflate.h. The library joins streams, and their padding, itself. */
#include "base/inflate.h"

#ifdef ASSAY_HAVE_LZMA
#include <lzma.h>

/* A dictionary of 64 MiB is what `xz -9` takes; a header can ask for 4 GiB. */
#define XZ_MEMORY (256ull << 20)

struct xz_state {
    lzma_stream stream;
    lzma_allocator allocator;
};

static void *xz_alloc(void *mem, size_t count, size_t size)
{
    size_t len;
    return size_mul(&len, count, size) ? inflate_alloc(mem, len) : NULL;
}

static void xz_release(void *mem, void *p) { inflate_release(mem, p); }

static enum inflate_status xz_init(void *state, struct mem *mem)
{
    struct xz_state *s = state;
    s->allocator = (lzma_allocator){ xz_alloc, xz_release, mem };
    s->stream = (lzma_stream)LZMA_STREAM_INIT;
    s->stream.allocator = &s->allocator;
    return lzma_stream_decoder(&s->stream, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK ? INFLATE_GO_ON : INFLATE_NO_MEMORY;
}

static void xz_done(void *state) { lzma_end(&((struct xz_state *)state)->stream); }

static enum inflate_status xz_status(lzma_ret rc, const char **reason)
{
    switch (rc) {
    case LZMA_OK:
    case LZMA_BUF_ERROR: return INFLATE_GO_ON;
    case LZMA_STREAM_END: return INFLATE_END;
    case LZMA_MEM_ERROR: return INFLATE_NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR: *reason = "it was compressed with a dictionary of more than 256 MiB"; return INFLATE_TOO_LARGE;
    case LZMA_FORMAT_ERROR: *reason = "its end is followed by bytes that are not xz"; return INFLATE_DAMAGED;
    case LZMA_OPTIONS_ERROR: *reason = "unknown filter or option"; return INFLATE_DAMAGED;
    default: *reason = "incorrect data or check"; return INFLATE_DAMAGED;
    }
}

static enum inflate_status xz_run(void *state, struct inflate_io *io, const char **reason)
{
    lzma_stream *s = &((struct xz_state *)state)->stream;
    s->next_in = io->in;
    s->avail_in = io->in_len;
    s->next_out = io->out;
    s->avail_out = io->out_len;
    lzma_ret rc = lzma_code(s, io->last ? LZMA_FINISH : LZMA_RUN);
    io->in += io->in_len - s->avail_in;
    io->in_len = s->avail_in;
    io->out += io->out_len - s->avail_out;
    io->out_len = s->avail_out;
    return xz_status(rc, reason);
}

const struct inflate_codec inflate_xz = { .state_size = sizeof(struct xz_state), .init = xz_init, .run = xz_run, .done = xz_done };
#endif
