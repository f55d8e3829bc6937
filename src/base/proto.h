/* Protocol buffers: the fields of a message, one after the other, out of bounded bytes. Knows wire types only; what a field means is the format's. */
#ifndef BASE_PROTO_H
#define BASE_PROTO_H

#include "base/cursor.h"

enum proto_wire { PROTO_VARINT = 0, PROTO_FIXED64 = 1, PROTO_BYTES = 2, PROTO_FIXED32 = 5 };

struct proto_field {
    uint32_t number;
    uint8_t wire;            /* enum proto_wire */
    uint64_t value;          /* of a varint or fixed number */
    assay_slice bytes;       /* of PROTO_BYTES: borrowed from the message */
    const unsigned char *at; /* its key */
};

enum proto_status { PROTO_END, PROTO_FIELD, PROTO_DAMAGED };

/* A varint, most of which have one or two bytes. */
static inline bool proto_varint(struct cursor *c, uint64_t *out)
{
    if (cursor_left(c) >= 2) {
        if (c->at[0] < 0x80) {
            *out = *c->at++;
            return true;
        }
        if (c->at[1] < 0x80) {
            *out = (uint64_t)(c->at[0] & 0x7f) | (uint64_t)c->at[1] << 7;
            c->at += 2;
            return true;
        }
    }
    return cursor_varint(c, out);
}

/* The next field. PROTO_DAMAGED: a varint that does not end, a length beyond the end, a wire type or number that there is not; the cursor stays at the key. */
static inline enum proto_status proto_next(struct cursor *c, struct proto_field *f)
{
    uint64_t key, len = 0;
    if (c->at == c->end) return PROTO_END;
    f->at = c->at;
    bool done = proto_varint(c, &key) && key >> 3 && key >> 3 <= UINT32_MAX;
    f->number = (uint32_t)(key >> 3);
    f->wire = key & 7;
    if (done && f->wire == PROTO_VARINT)
        done = proto_varint(c, &f->value);
    else if (done && f->wire == PROTO_BYTES)
        done = proto_varint(c, &len) && cursor_bytes(c, len, &f->bytes);
    else if (done)
        done = (f->wire == PROTO_FIXED64 && cursor_u64le(c, &f->value)) || (f->wire == PROTO_FIXED32 && cursor_le(c, 4, &f->value));
    if (done) return PROTO_FIELD;
    c->at = f->at;
    return PROTO_DAMAGED;
}

/* What is inside of a field: nothing, if it has no bytes, whatever the fields before it left in *f. */
static inline struct cursor proto_message(const struct proto_field *f)
{
    bool has_bytes = f->wire == PROTO_BYTES;
    return cursor_of(has_bytes ? f->bytes.data : NULL, has_bytes ? f->bytes.len : 0);
}

/* Bytes of a number as a varint, at most 10; returns how many. */
static inline size_t proto_put_varint(unsigned char *to, uint64_t v)
{
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) to[n++] = (unsigned char)(v | 0x80);
    to[n++] = (unsigned char)v;
    return n;
}

#endif
