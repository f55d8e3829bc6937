/* A bounded cursor over bytes: the only way binary formats are read. It never reads past the end: a get that does not fit returns
 * false, leaves the cursor where it is, and stores 0. Bytes are assembled by shifts, so every host gives the same answers. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/slice.h"

struct cursor {
    const unsigned char *begin, *at, *end;
};

static inline struct cursor cursor_of(const void *data, size_t len)
{
    /* No bytes are somewhere too: arithmetic on NULL is undefined even when nothing is added. */
    const unsigned char *p = data ? data : (const void *)"";
    return (struct cursor){ p, p, p + (data ? len : 0) };
}
static inline uint64_t cursor_off(const struct cursor *c) { return (uint64_t)(c->at - c->begin); }
static inline size_t cursor_left(const struct cursor *c) { return (size_t)(c->end - c->at); }
/* false = `off` lies past the end. */
static inline bool cursor_seek(struct cursor *c, uint64_t off)
{
    if (off > (uint64_t)(c->end - c->begin)) return false;
    c->at = c->begin + off;
    return true;
}
static inline bool cursor_skip(struct cursor *c, uint64_t len)
{
    if (len > cursor_left(c)) return false;
    c->at += len;
    return true;
}
/* true = `count` items of at least `size` bytes can still follow. */
static inline bool cursor_fits(const struct cursor *c, uint64_t count, uint64_t size) { return size == 0 || count <= cursor_left(c) / size; }

/* n bytes (1..8), least or most significant first. */
static inline bool cursor_le(struct cursor *c, unsigned n, uint64_t *out)
{
    *out = 0;
    if (cursor_left(c) < n) return false;
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) v |= (uint64_t)c->at[i] << (8 * i);
    c->at += n;
    *out = v;
    return true;
}
static inline bool cursor_be(struct cursor *c, unsigned n, uint64_t *out)
{
    *out = 0;
    if (cursor_left(c) < n) return false;
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) v = v << 8 | c->at[i];
    c->at += n;
    *out = v;
    return true;
}
static inline bool cursor_u8(struct cursor *c, uint8_t *out)
{
    *out = 0;
    if (c->at == c->end) return false;
    *out = *c->at++;
    return true;
}
#define CURSOR_GET(name, type, bytes, order)                                                                                                                   \
    static inline bool name(struct cursor *c, type *out)                                                                                                       \
    {                                                                                                                                                          \
        uint64_t v;                                                                                                                                            \
        bool ok = order(c, bytes, &v);                                                                                                                         \
        *out = (type)v;                                                                                                                                        \
        return ok;                                                                                                                                             \
    }
CURSOR_GET(cursor_u16le, uint16_t, 2, cursor_le)
CURSOR_GET(cursor_u32le, uint32_t, 4, cursor_le)
CURSOR_GET(cursor_u64le, uint64_t, 8, cursor_le)
CURSOR_GET(cursor_u16be, uint16_t, 2, cursor_be)
CURSOR_GET(cursor_u32be, uint32_t, 4, cursor_be)
CURSOR_GET(cursor_u64be, uint64_t, 8, cursor_be)
#undef CURSOR_GET

/* Numbers of an array whose bytes were checked as a whole, least significant first: compilers make one load of each. */
static inline uint16_t bytes_u16le(const unsigned char *p) { return (uint16_t)(p[0] | p[1] << 8); }
static inline uint32_t bytes_u32le(const unsigned char *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }
static inline uint64_t bytes_u64le(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
           (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}
static inline double bytes_f64le(const unsigned char *p)
{
    uint64_t bits = bytes_u64le(p);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Unsigned LEB128 of at most ten bytes. */
static inline bool cursor_varint(struct cursor *c, uint64_t *out)
{
    uint64_t v = 0;
    *out = 0;
    for (unsigned i = 0; i < 10 && i < cursor_left(c); i++) {
        uint64_t byte = c->at[i];
        if (i == 9 && byte > 1) return false;
        v |= (byte & 0x7f) << (7 * i);
        if (!(byte & 0x80)) {
            c->at += i + 1;
            *out = v;
            return true;
        }
    }
    return false;
}

/* `len` bytes in place, borrowed from the input. */
static inline bool cursor_bytes(struct cursor *c, uint64_t len, assay_slice *out)
{
    *out = (assay_slice){ NULL, 0 };
    if (len > cursor_left(c)) return false;
    *out = (assay_slice){ (const char *)c->at, (size_t)len };
    c->at += len;
    return true;
}
/* Up to and without `stop`, which is skipped; false = there is none before the end. */
static inline bool cursor_until(struct cursor *c, char stop, assay_slice *out)
{
    const unsigned char *hit = cursor_left(c) ? memchr(c->at, stop, cursor_left(c)) : NULL;
    *out = (assay_slice){ NULL, 0 };
    if (!hit) return false;
    *out = (assay_slice){ (const char *)c->at, (size_t)(hit - c->at) };
    c->at = hit + 1;
    return true;
}

#endif
