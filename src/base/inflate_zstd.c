/* zstd frames, skippable ones too; see base/inflate.h. The library joins frames itself. */
#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_createDCtx_advanced: memory through struct mem */
#include <zstd.h>
#include <zstd_errors.h>

#include "base/inflate.h"

struct zstd_state {
    ZSTD_DCtx *ctx;
    bool in_frame;
};

static void *zstd_alloc(void *mem, size_t len) { return inflate_alloc(mem, len); }

static void zstd_release(void *mem, void *p) { inflate_release(mem, p); }

static enum inflate_status zstd_init(void *state, struct mem *mem)
{
    struct zstd_state *s = state;
    s->ctx = ZSTD_createDCtx_advanced((ZSTD_customMem){ zstd_alloc, zstd_release, mem });
    return s->ctx ? INFLATE_GO_ON : INFLATE_NO_MEMORY;
}

static void zstd_done(void *state) { ZSTD_freeDCtx(((struct zstd_state *)state)->ctx); }

static enum inflate_status zstd_failed(size_t rc, const char **reason)
{
    switch (ZSTD_getErrorCode(rc)) {
    case ZSTD_error_memory_allocation: return INFLATE_NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge: *reason = "it was compressed with a window of more than 128 MiB"; return INFLATE_TOO_LARGE;
    default: *reason = ZSTD_getErrorName(rc); return INFLATE_DAMAGED;
    }
}

static enum inflate_status zstd_run(void *state, struct inflate_io *io, const char **reason)
{
    struct zstd_state *s = state;
    ZSTD_inBuffer in = { io->in, io->in_len, 0 };
    ZSTD_outBuffer out = { io->out, io->out_len, 0 };
    if (in.size == 0 && io->last && !s->in_frame) return INFLATE_END;
    size_t rc = ZSTD_decompressStream(s->ctx, &out, &in);
    io->in += in.pos;
    io->in_len -= in.pos;
    io->out += out.pos;
    io->out_len -= out.pos;
    if (ZSTD_isError(rc)) return zstd_failed(rc, reason);
    s->in_frame = rc != 0;
    return INFLATE_GO_ON;
}

const struct inflate_codec inflate_zstd = { .state_size = sizeof(struct zstd_state), .init = zstd_init, .run = zstd_run, .done = zstd_done };
