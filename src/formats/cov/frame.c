/* The stream around an object: zlib in stores, gzip in cov-spec, or none; see object.h. What a stream says of its length is never used: the
 * buffer grows with what comes out, up to the limit. */
#include "base/cursor.h"
#include "base/deflate.h"
#include "base/inflate.h"
#include "base/plural.h"
#include "formats/cov/magic.h"
#include "formats/cov/object.h"

enum { FIRST_ROOM = 4096, LEVEL_COV = 1, LEVEL_SPEC = 9 };

void cov_unpacker_init(struct cov_unpacker *u, struct mem *mem) { *u = (struct cov_unpacker){ .mem = mem }; }

void cov_unpacker_done(struct cov_unpacker *u)
{
    inflate_free(u->zlib);
    inflate_free(u->gzip);
    vec_done(u->mem, &u->room);
}

enum cov_framing cov_framing_of(assay_slice raw)
{
    const unsigned char *p = (const unsigned char *)raw.data;
    if (raw.len < 2 || cov_magic_find(raw)) return COV_BARE;
    if (p[0] == 0x1f && p[1] == 0x8b) return COV_GZIP;
    return (p[0] & 0x0f) == 8 && (p[0] << 8 | p[1]) % 31 == 0 ? COV_ZLIB : COV_BARE;
}

static struct inflate *begin(struct cov_unpacker *u, enum cov_framing framing)
{
    struct inflate **z = framing == COV_ZLIB ? &u->zlib : &u->gzip;
    if (*z)
        inflate_restart(*z);
    else
        *z = inflate_new(inflate_codec_for(framing == COV_ZLIB ? INPUT_ZLIB : INPUT_GZIP), u->mem);
    return *z;
}

/* Runs to the end of the stream, its damage, or the limit (GO_ON). */
static enum inflate_status run(struct cov_unpacker *u, struct inflate *z, struct inflate_io *io, uint64_t limit, const char **reason)
{
    enum inflate_status status = INFLATE_GO_ON;
    u->room.len = 0;
    while (status == INFLATE_GO_ON && u->room.len <= limit) {
        size_t want = u->room.len ? u->room.len : FIRST_ROOM;
        if (want > limit + 1 - u->room.len) want = (size_t)(limit + 1 - u->room.len);
        if (!vec_reserve(u->mem, &u->room, want)) return INFLATE_NO_MEMORY;
        io->out = u->room.at + u->room.len;
        io->out_len = want;
        status = inflate_run(z, io, reason);
        u->room.len += want - io->out_len;
    }
    return u->room.len > limit ? INFLATE_GO_ON : status;
}

static void report(enum inflate_status status, const char *reason, assay_slice raw, const struct inflate_io *io, uint64_t limit, struct findings *f)
{
    switch (status) {
    case INFLATE_END:
        if (io->in_len) findings_add(f, "C03", ASSAY_ERROR, raw.len - io->in_len, 0, "%zu byte%s after the end of the stream", io->in_len, plural(io->in_len));
        break;
    case INFLATE_CUT: findings_add(f, "C02", ASSAY_ERROR, raw.len, 0, "the stream ends early"); break;
    case INFLATE_GO_ON: findings_add(f, "C05", ASSAY_ERROR, 0, 0, "decompresses to more than %llu bytes", (unsigned long long)limit); break;
    default: findings_add(f, "C01", ASSAY_ERROR, 0, 0, "the stream cannot be decompressed: %s", reason ? reason : "bad data"); break;
    }
}

int cov_unpack(struct cov_unpacker *u, assay_slice raw, uint64_t max_bytes, assay_slice *out, enum cov_framing *framing, struct findings *findings,
               assay_error *err)
{
    uint64_t limit = max_bytes ? max_bytes : COV_MAX_BYTES;
    const char *reason = NULL;
    *framing = cov_framing_of(raw);
    *out = raw;
    if (*framing == COV_BARE) {
        if (raw.len > limit) findings_add(findings, "C05", ASSAY_ERROR, 0, 0, "has more than %llu bytes", (unsigned long long)limit);
        return 0;
    }
    struct inflate *z = begin(u, *framing);
    if (!z) return error_memory(err);
    struct inflate_io io = { .in = (const uint8_t *)raw.data, .in_len = raw.len, .last = true };
    enum inflate_status status = run(u, z, &io, limit, &reason);
    if (status == INFLATE_NO_MEMORY) return error_memory(err);
    report(status, reason, raw, &io, limit, findings);
    *out = (assay_slice){ (const char *)u->room.at, u->room.len };
    return 0;
}

/* ---- packing ---- */

void cov_bytes_done(struct cov_bytes *b) { vec_done(b->mem, &b->v); }

struct packer *cov_packer_new(enum cov_dialect dialect, struct mem *mem)
{
    bool spec = dialect == COV_DIALECT_SPEC;
    return packer_new(spec, spec ? LEVEL_SPEC : LEVEL_COV, mem);
}

int cov_pack(struct packer *p, const struct cov_bytes *in, struct cov_bytes *out, assay_error *err)
{
    if (in->v.len > INT32_MAX) FAIL(err, ASSAY_ERR_LIMIT, "the object has %zu bytes, more than any reader accepts", in->v.len);
    size_t room = packer_bound(p, in->v.len);
    if (!vec_reserve(out->mem, &out->v, room)) return error_memory(err);
    out->v.len += packer_run(p, in->v.at, in->v.len, out->v.at + out->v.len, room);
    return 0;
}
