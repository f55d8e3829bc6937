/* See encode.h. */
#include "formats/pprof/encode.h"

#include "base/deflate.h"
#include "base/error.h"

int pprof_pack(const struct proto_buffer *b, struct output *out, assay_error *err)
{
    enum { LEVEL = 6, MEMBER = 64 << 20 }; /* several members are one stream to every reader */
    struct packer *z = packer_new(true, LEVEL, b->mem);
    size_t room = z ? packer_bound(z, b->bytes.len < MEMBER ? b->bytes.len : MEMBER) : 0;
    unsigned char *packed = z ? mem_alloc(b->mem, room) : NULL;
    for (size_t at = 0; packed && (at == 0 || at < b->bytes.len); at += MEMBER) {
        size_t len = b->bytes.len - at < MEMBER ? b->bytes.len - at : MEMBER;
        output_bytes(out, (const char *)packed, packer_run(z, b->bytes.at + at, len, packed, room));
    }
    mem_free(b->mem, packed, packed ? room : 0);
    if (z) packer_free(z);
    return packed ? 0 : error_memory(err);
}
