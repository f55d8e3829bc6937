/* What all ways of unpacking share: choosing one, members one after another, and memory for the libraries; see base/inflate.h. */
#include "base/inflate.h"

#include <string.h>

/* Between the members of a gzip file: another one may begin, zero bytes may fill a tape block, anything else is rubbish. */
enum place { IN_MEMBER, BETWEEN, PADDING };

struct inflate {
    const struct inflate_codec *codec;
    struct mem *mem;
    enum place place;
    enum inflate_status over; /* not GO_ON: what every further call gives */
    const char *reason;
    void *state;
};

const struct inflate_codec *inflate_codec_for(enum input_packing packing)
{
    switch (packing) {
#ifdef ASSAY_HAVE_ISAL
    case INPUT_GZIP: return &inflate_isal;
    case INPUT_ZLIB: return &inflate_bare_isal;
#else
    case INPUT_GZIP: return &inflate_zlib;
    case INPUT_ZLIB: return &inflate_bare_zlib;
#endif
    case INPUT_ZSTD: return &inflate_zstd;
    case INPUT_UTF16_LITTLE: return &inflate_utf16_little;
    case INPUT_UTF16_BIG: return &inflate_utf16_big;
#ifdef ASSAY_HAVE_LZMA
    case INPUT_XZ: return &inflate_xz;
#endif
    default: return NULL;
    }
}

struct inflate *inflate_new(const struct inflate_codec *codec, struct mem *mem)
{
    struct inflate *z = mem_zalloc(mem, 1, sizeof *z);
    if (!z) return NULL;
    z->codec = codec;
    z->mem = mem;
    z->state = mem_zalloc(mem, 1, codec->state_size);
    if (z->state && codec->init(z->state, mem) == INFLATE_GO_ON) return z;
    inflate_free(z);
    return NULL;
}

void inflate_free(struct inflate *z)
{
    if (!z) return;
    if (z->state) z->codec->done(z->state);
    mem_free(z->mem, z->state, z->codec->state_size);
    mem_free(z->mem, z, sizeof *z);
}

void inflate_restart(struct inflate *z)
{
    z->place = IN_MEMBER;
    z->reason = NULL;
    z->over = z->codec->reset(z->state);
}

/* Looks at what follows a member. GO_ON = another one begins. */
static enum inflate_status between(struct inflate *z, struct inflate_io *io)
{
    while (io->in_len && io->in[0] == 0) {
        io->in++;
        io->in_len--;
        z->place = PADDING;
    }
    if (io->in_len == 0) return io->last ? INFLATE_END : INFLATE_GO_ON;
    if (z->place == PADDING || io->in[0] != 0x1f) {
        z->reason = "its end is followed by bytes that are not gzip";
        return INFLATE_DAMAGED;
    }
    z->place = IN_MEMBER;
    return z->codec->reset(z->state);
}

static enum inflate_status step(struct inflate *z, struct inflate_io *io)
{
    if (z->place != IN_MEMBER) return between(z, io);
    enum inflate_status status = z->codec->run(z->state, io, &z->reason);
    if (status != INFLATE_END || !z->codec->joins) return status;
    z->place = BETWEEN;
    return INFLATE_GO_ON;
}

enum inflate_status inflate_run(struct inflate *z, struct inflate_io *io, const char **reason)
{
    while (z->over == INFLATE_GO_ON) {
        size_t in_len = io->in_len, out_len = io->out_len;
        enum place place = z->place;
        z->over = step(z, io);
        if (z->over != INFLATE_GO_ON) break;
        bool moved = io->in_len != in_len || io->out_len != out_len || z->place != place;
        if (io->out_len == 0 || (io->in_len == 0 && !io->last)) break;
        if (moved) continue;
        z->over = io->in_len == 0 ? INFLATE_CUT : INFLATE_DAMAGED;
        z->reason = "it cannot be decompressed any further";
    }
    *reason = z->reason;
    return z->over;
}

/* The size stands in front of the block, in a room that keeps what follows aligned. */
enum { SIZE_ROOM = 16 };

void *inflate_alloc(struct mem *mem, size_t len)
{
    size_t size;
    char *p = size_add(&size, len, SIZE_ROOM) ? mem_alloc(mem, size) : NULL;
    if (!p) return NULL;
    memcpy(p, &size, sizeof size);
    return p + SIZE_ROOM;
}

void *inflate_realloc(struct mem *mem, void *p, size_t len)
{
    size_t size, old;
    if (!p) return inflate_alloc(mem, len);
    char *block = (char *)p - SIZE_ROOM;
    memcpy(&old, block, sizeof old);
    block = size_add(&size, len, SIZE_ROOM) ? mem_resize(mem, block, old, size) : NULL;
    if (!block) return NULL;
    memcpy(block, &size, sizeof size);
    return block + SIZE_ROOM;
}

void inflate_release(struct mem *mem, void *p)
{
    if (!p) return;
    char *block = (char *)p - SIZE_ROOM;
    size_t size;
    memcpy(&size, block, sizeof size);
    mem_free(mem, block, size);
}
