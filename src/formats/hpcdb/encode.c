/* Frames and elements of the four files -> bytes; see formats/hpcdb/encode.h. */
#include "formats/hpcdb/encode.h"

int hpcdb_encode_open(struct hpcdb_encoder *e, struct output_dir *dir, enum hpcdb_part part, uint64_t first_section, assay_error *err)
{
    const struct hpcdb_layout *l = &hpcdb_layouts[part];
    unsigned char version[2] = { 4, 0 };
    *e = (struct hpcdb_encoder){ .part = part };
    TRY(output_dir_file(dir, l->name, &e->out, err));
    output_text(e->out, "HPCTOOLKIT");
    output_text(e->out, l->format);
    output_bytes(e->out, version, sizeof version);
    hpcdb_encode_zeros(e, first_section - HPCDB_HEAD_LEN);
    return 0;
}

void hpcdb_encode_section(struct hpcdb_encoder *e, unsigned number, uint64_t off)
{
    unsigned char pair[HPCDB_SECTION_LEN];
    put_u64(pair, output_off(e->out) - off);
    put_u64(pair + 8, off);
    output_patch(e->out, HPCDB_HEAD_LEN + (uint64_t)number * HPCDB_SECTION_LEN, pair, sizeof pair);
}

void hpcdb_encode_zeros(struct hpcdb_encoder *e, uint64_t len)
{
    static const unsigned char zeros[4096];
    for (; len > sizeof zeros; len -= sizeof zeros) output_bytes(e->out, zeros, sizeof zeros);
    output_bytes(e->out, zeros, (size_t)len);
}

uint64_t hpcdb_encode_align(struct hpcdb_encoder *e, unsigned align)
{
    uint64_t off = output_off(e->out), rest = off % align;
    if (rest) hpcdb_encode_zeros(e, align - rest);
    return output_off(e->out);
}

uint64_t hpcdb_encode_text(struct hpcdb_encoder *e, assay_slice text)
{
    uint64_t off = output_off(e->out);
    output_slice(e->out, text);
    output_char(e->out, '\0');
    return off;
}

int hpcdb_encode_close(struct hpcdb_encoder *e, assay_error *err)
{
    output_text(e->out, hpcdb_layouts[e->part].footer);
    int rc = output_commit(e->out, err);
    e->out = NULL;
    return rc;
}

/* ---- elements ---- */

void hpcdb_encode_sample(unsigned char *at, uint64_t time, uint32_t ctx)
{
    put_u64(at, time);
    put_u32(at + 8, ctx);
}

void hpcdb_encode_profile(unsigned char *at, const struct hpcdb_block *b, uint64_t tuple_at, uint32_t flags)
{
    memset(at, 0, HPCDB_PROFILE_LEN);
    put_u64(at, b->value_count);
    put_u64(at + 8, b->values_at);
    put_u32(at + 0x10, b->ctx_count);
    put_u64(at + 0x18, b->ctxs_at);
    put_u64(at + 0x20, tuple_at);
    put_u32(at + 0x28, flags);
}

void hpcdb_encode_array(unsigned char *at, uint64_t pointer, uint32_t count, uint16_t size)
{
    memset(at, 0, 16);
    put_u64(at, pointer);
    put_u32(at + 8, count);
    put_u16(at + 12, size);
}
