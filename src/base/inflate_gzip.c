/* gzip and zlib streams by zlib and, where the build has it, by ISA-L, which is about twice as fast; see base/inflate.h. Both check what the
 * stream says of its content. */
#include <string.h>
#include <zlib.h>

#include "base/inflate.h"

/* The libraries count in 32 bits. */
static unsigned clamp(size_t len) { return len < 1u << 30 ? (unsigned)len : 1u << 30; }

static void *z_alloc(void *mem, unsigned count, unsigned size)
{
    size_t len;
    return size_mul(&len, count, size) ? inflate_alloc(mem, len) : NULL;
}

static void z_release(void *mem, void *p) { inflate_release(mem, p); }

static enum inflate_status z_init(z_stream *s, struct mem *mem, int bits)
{
    s->zalloc = z_alloc;
    s->zfree = z_release;
    s->opaque = mem;
    return inflateInit2(s, bits) == Z_OK ? INFLATE_GO_ON : INFLATE_NO_MEMORY;
}

static enum inflate_status zlib_init(void *state, struct mem *mem) { return z_init(state, mem, 15 + 16); } /* 16: gzip and nothing else */
static enum inflate_status bare_init(void *state, struct mem *mem) { return z_init(state, mem, 15); }

static enum inflate_status zlib_reset(void *state) { return inflateReset(state) == Z_OK ? INFLATE_GO_ON : INFLATE_DAMAGED; }

static void zlib_done(void *state) { inflateEnd(state); }

/* The checksum and the length at the end of a stream are taken before they are compared; the damage is where the first of them begins. */
static size_t zlib_back(const char *reason)
{
    if (strcmp(reason, "incorrect data check") == 0) return 4;
    return strcmp(reason, "incorrect length check") == 0 ? 8 : 0;
}

static enum inflate_status zlib_run(void *state, struct inflate_io *io, const char **reason)
{
    z_stream *s = state;
    unsigned in_len = clamp(io->in_len), out_len = clamp(io->out_len);
    s->next_in = (Bytef *)(uintptr_t)io->in;
    s->avail_in = in_len;
    s->next_out = io->out;
    s->avail_out = out_len;
    int rc = inflate(s, Z_NO_FLUSH);
    io->in += in_len - s->avail_in;
    io->in_len -= in_len - s->avail_in;
    io->out += out_len - s->avail_out;
    io->out_len -= out_len - s->avail_out;
    switch (rc) {
    case Z_OK:
    case Z_BUF_ERROR: return INFLATE_GO_ON;
    case Z_STREAM_END: return INFLATE_END;
    case Z_MEM_ERROR: return INFLATE_NO_MEMORY;
    default:
        *reason = s->msg ? s->msg : "invalid stream";
        io->back = zlib_back(*reason);
        return INFLATE_DAMAGED;
    }
}

/* Memory on the stack: zlib takes its state and a window, once each. */
struct glance_room {
    size_t used;
    _Alignas(16) unsigned char bytes[56 << 10];
};

static void *glance_alloc(void *arg, unsigned count, unsigned size)
{
    struct glance_room *room = arg;
    size_t len;
    if (!size_mul(&len, count, size) || len > sizeof room->bytes - room->used) return NULL;
    void *p = room->bytes + room->used;
    room->used += (len + 15) & ~(size_t)15;
    if (room->used > sizeof room->bytes) room->used = sizeof room->bytes;
    return p;
}

static void glance_release(void *arg, void *p)
{
    (void)arg;
    (void)p;
}

size_t inflate_glance(assay_slice compressed, void *out, size_t len)
{
    struct glance_room room;
    room.used = 0;
    z_stream s = { .zalloc = glance_alloc, .zfree = glance_release, .opaque = &room };
    s.next_in = (Bytef *)(uintptr_t)compressed.data;
    s.avail_in = clamp(compressed.len);
    s.next_out = out;
    s.avail_out = clamp(len);
    if (inflateInit2(&s, 15) != Z_OK) return 0;
    inflate(&s, Z_SYNC_FLUSH);
    inflateEnd(&s);
    return clamp(len) - s.avail_out;
}

const struct inflate_codec inflate_zlib = {
    .state_size = sizeof(z_stream), .joins = true, .init = zlib_init, .reset = zlib_reset, .run = zlib_run, .done = zlib_done
};
const struct inflate_codec inflate_bare_zlib = { .state_size = sizeof(z_stream), .init = bare_init, .reset = zlib_reset, .run = zlib_run, .done = zlib_done };

#ifdef ASSAY_HAVE_ISAL
#include <isa-l/igzip_lib.h>

/* isal_inflate() can read the header too, but forgets its flags between two calls: a header in pieces needs a memory of its own. */
struct isal_state {
    struct inflate_state stream;
    struct isal_gzip_header header;
    struct isal_zlib_header bare_header;
    bool is_bare; /* zlib, not gzip */
    bool in_data;
};

static enum inflate_status isal_reset(void *state)
{
    struct isal_state *s = state;
    isal_inflate_reset(&s->stream);
    s->stream.crc_flag = s->is_bare ? ISAL_ZLIB_NO_HDR_VER : ISAL_GZIP_NO_HDR_VER;
    isal_gzip_header_init(&s->header);
    s->bare_header = (struct isal_zlib_header){ 0 };
    s->in_data = false;
    return INFLATE_GO_ON;
}

static enum inflate_status isal_init(void *state, struct mem *mem)
{
    (void)mem;
    isal_inflate_init(&((struct isal_state *)state)->stream);
    return isal_reset(state);
}

static enum inflate_status isal_bare_init(void *state, struct mem *mem)
{
    ((struct isal_state *)state)->is_bare = true;
    return isal_init(state, mem);
}

static void isal_done(void *state) { (void)state; }

static const char *isal_reason(int rc)
{
    switch (rc) {
    case ISAL_INVALID_BLOCK: return "invalid block";
    case ISAL_INVALID_SYMBOL: return "invalid symbol";
    case ISAL_INVALID_LOOKBACK: return "invalid distance too far back";
    case ISAL_INVALID_WRAPPER: return "incorrect header check";
    case ISAL_UNSUPPORTED_METHOD: return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM: return "incorrect data check";
    default: return "invalid stream";
    }
}

static int isal_step(struct isal_state *s)
{
    if (!s->in_data) {
        int rc = s->is_bare ? isal_read_zlib_header(&s->stream, &s->bare_header) : isal_read_gzip_header(&s->stream, &s->header);
        if (rc != ISAL_DECOMP_OK) return rc;
        s->in_data = true;
    }
    return isal_inflate(&s->stream);
}

/* The library reads up to eight bytes ahead. The end of a gzip member takes them all, that of a zlib stream only four: what is left belongs to
 * whoever comes next. (Bytes of an earlier call are gone; then what follows lacks its first few.) */
static void give_back(const struct inflate_state *s, struct inflate_io *io, unsigned in_len)
{
    unsigned ahead = s->read_in_length > 0 ? (unsigned)s->read_in_length / 8 : 0, used = in_len - s->avail_in;
    if (ahead > used) ahead = used;
    io->in -= ahead;
    io->in_len += ahead;
}

static enum inflate_status isal_run(void *state, struct inflate_io *io, const char **reason)
{
    struct inflate_state *s = &((struct isal_state *)state)->stream;
    unsigned in_len = clamp(io->in_len), out_len = clamp(io->out_len);
    s->next_in = (uint8_t *)(uintptr_t)io->in;
    s->avail_in = in_len;
    s->next_out = io->out;
    s->avail_out = out_len;
    int rc = isal_step(state);
    io->in += in_len - s->avail_in;
    io->in_len -= in_len - s->avail_in;
    io->out += out_len - s->avail_out;
    io->out_len -= out_len - s->avail_out;
    if (rc < 0) {
        *reason = isal_reason(rc);
        if (rc == ISAL_INCORRECT_CHECKSUM) io->back = ((struct isal_state *)state)->is_bare ? 4 : 8;
        return INFLATE_DAMAGED;
    }
    if (s->block_state != ISAL_BLOCK_FINISH) return INFLATE_GO_ON;
    give_back(s, io, in_len);
    return INFLATE_END;
}

const struct inflate_codec inflate_isal = {
    .state_size = sizeof(struct isal_state), .joins = true, .init = isal_init, .reset = isal_reset, .run = isal_run, .done = isal_done
};
const struct inflate_codec inflate_bare_isal = {
    .state_size = sizeof(struct isal_state), .init = isal_bare_init, .reset = isal_reset, .run = isal_run, .done = isal_done
};
#endif
