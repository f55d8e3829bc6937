/* Bytes that grow: pages and headers before they are written. A failure is sticky, so that whoever fills a buffer asks once, at the end. */
#ifndef FORMATS_PARQUET_BUFFER_H
#define FORMATS_PARQUET_BUFFER_H

#include "base/vec.h"

struct buffer {
    struct mem *mem;
    VEC(uint8_t) bytes;
    bool failed; /* no memory */
};

static inline void buffer_init(struct buffer *b, struct mem *mem) { *b = (struct buffer){ .mem = mem }; }
static inline void buffer_done(struct buffer *b) { vec_done(b->mem, &b->bytes); }
static inline void buffer_clear(struct buffer *b) { b->bytes.len = 0; }

/* `len` bytes at the end, to be filled by the caller; NULL = no memory. */
static inline uint8_t *buffer_room(struct buffer *b, size_t len)
{
    if (b->failed || !vec_reserve(b->mem, &b->bytes, len)) {
        b->failed = true;
        return NULL;
    }
    uint8_t *at = b->bytes.at + b->bytes.len;
    b->bytes.len += len;
    return at;
}

static inline void buffer_put(struct buffer *b, const void *data, size_t len)
{
    uint8_t *to = buffer_room(b, len);
    if (to && len) memcpy(to, data, len);
}

static inline void buffer_byte(struct buffer *b, uint8_t v) { buffer_put(b, &v, 1); }

/* The lowest `len` bytes of a number, little-endian. */
static inline void buffer_le(struct buffer *b, uint64_t v, unsigned len)
{
    uint8_t *to = buffer_room(b, len);
    for (unsigned i = 0; to && i < len; i++) to[i] = (uint8_t)(v >> 8 * i);
}

/* Seven bits a byte, the lowest first. */
static inline void buffer_varint(struct buffer *b, uint64_t v)
{
    for (; v > 127; v >>= 7) buffer_byte(b, (uint8_t)(v | 128));
    buffer_byte(b, (uint8_t)v);
}

#endif
