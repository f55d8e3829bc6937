/* Numbers and frames of the four files: the only place that knows how they are put into bytes. */
#ifndef FORMATS_HPCDB_ENCODE_H
#define FORMATS_HPCDB_ENCODE_H

#include "base/output_dir.h"
#include "formats/hpcdb/decode.h"

static inline void put_u16(unsigned char *at, uint16_t v)
{
    at[0] = (unsigned char)v;
    at[1] = (unsigned char)(v >> 8);
}
static inline void put_u32(unsigned char *at, uint32_t v)
{
    for (unsigned i = 0; i < 4; i++) at[i] = (unsigned char)(v >> 8 * i);
}
static inline void put_u64(unsigned char *at, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++) at[i] = (unsigned char)(v >> 8 * i);
}
static inline void put_f64(unsigned char *at, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    put_u64(at, bits);
}

/* One of the files while it is written. */
struct hpcdb_encoder {
    enum hpcdb_part part;
    struct output *out;
};

/* Creates the file and leaves room for its header: first_section bytes. */
int hpcdb_encode_open(struct hpcdb_encoder *e, struct output_dir *dir, enum hpcdb_part part, uint64_t first_section, assay_error *err);
/* Where section `number` lies: from `off` to here. */
void hpcdb_encode_section(struct hpcdb_encoder *e, unsigned number, uint64_t off);
/* Zero bytes up to a multiple of `align`; returns where that is. */
uint64_t hpcdb_encode_align(struct hpcdb_encoder *e, unsigned align);
void hpcdb_encode_zeros(struct hpcdb_encoder *e, uint64_t len);
/* A text with its NUL; returns where it begins. */
uint64_t hpcdb_encode_text(struct hpcdb_encoder *e, assay_slice text);
/* Footer, and the file takes its place in the folder. */
int hpcdb_encode_close(struct hpcdb_encoder *e, assay_error *err);

/* Elements as they are stored; each fills its whole length. */
static inline void hpcdb_encode_value(unsigned char *at, uint16_t metric, double value)
{
    put_u16(at, metric);
    put_f64(at + 2, value);
}
static inline void hpcdb_encode_index(unsigned char *at, uint32_t ctx, uint64_t start)
{
    put_u32(at, ctx);
    put_u64(at + 4, start);
}
static inline void hpcdb_encode_cct_value(unsigned char *at, uint32_t profile, double value)
{
    put_u32(at, profile);
    put_f64(at + 4, value);
}
static inline void hpcdb_encode_cct_index(unsigned char *at, uint16_t metric, uint64_t start)
{
    put_u16(at, metric);
    put_u64(at + 2, start);
}
void hpcdb_encode_sample(unsigned char *at, uint64_t time, uint32_t ctx);

/* Values of one profile and where they stand in its file. */
struct hpcdb_block {
    uint64_t value_count, values_at, ctxs_at;
    uint32_t ctx_count;
};
void hpcdb_encode_profile(unsigned char *at, const struct hpcdb_block *b, uint64_t tuple_at, uint32_t flags);
/* An array's header: pointer, count, and its element size as one byte or as two. */
void hpcdb_encode_array(unsigned char *at, uint64_t pointer, uint32_t count, uint16_t size);

#endif
