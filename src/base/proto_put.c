/* See proto_put.h. */
#include "base/proto_put.h"

static unsigned char *reserve(struct proto_buffer *b, size_t len)
{
    if (b->failed || !vec_reserve(b->mem, &b->bytes, len)) {
        b->failed = true;
        return NULL;
    }
    return b->bytes.at + b->bytes.len;
}

void proto_put_element(struct proto_buffer *b, uint64_t v)
{
    unsigned char *to = reserve(b, 10);
    if (to) b->bytes.len += proto_put_varint(to, v);
}

void proto_put_element64(struct proto_buffer *b, uint64_t v)
{
    unsigned char *to = reserve(b, 8);
    for (unsigned i = 0; to && i < 8; i++) to[i] = (unsigned char)(v >> (8 * i));
    if (to) b->bytes.len += 8;
}

void proto_put_present(struct proto_buffer *b, uint32_t field, uint64_t v)
{
    proto_put_element(b, (uint64_t)field << 3 | PROTO_VARINT);
    proto_put_element(b, v);
}

void proto_put_number(struct proto_buffer *b, uint32_t field, uint64_t v)
{
    if (v) proto_put_present(b, field, v);
}

void proto_put_fixed64(struct proto_buffer *b, uint32_t field, uint64_t v)
{
    proto_put_element(b, (uint64_t)field << 3 | PROTO_FIXED64);
    proto_put_element64(b, v);
}

void proto_put_bytes(struct proto_buffer *b, uint32_t field, const void *data, size_t len)
{
    proto_put_element(b, (uint64_t)field << 3 | PROTO_BYTES);
    proto_put_element(b, len);
    unsigned char *to = reserve(b, len);
    if (to && len) memcpy(to, data, len);
    if (to) b->bytes.len += len;
}

void proto_put_message(struct proto_buffer *b, uint32_t field, struct proto_buffer *message)
{
    b->failed |= message->failed;
    proto_put_bytes(b, field, message->bytes.at, message->bytes.len);
    message->bytes.len = 0;
}

void proto_put_packed(struct proto_buffer *b, uint32_t field, const uint64_t *values, size_t count, struct proto_buffer *scratch)
{
    if (!count) return;
    scratch->bytes.len = 0;
    for (size_t i = 0; i < count; i++) proto_put_element(scratch, values[i]);
    proto_put_message(b, field, scratch);
}

/* ---- lengths that are known later: a varint of fixed width, which is legal ---- */

enum { LENGTH_BYTES = 5 };

size_t proto_put_begin(struct proto_buffer *b, uint32_t field)
{
    proto_put_element(b, (uint64_t)field << 3 | PROTO_BYTES);
    unsigned char *to = reserve(b, LENGTH_BYTES);
    if (to) b->bytes.len += LENGTH_BYTES;
    return b->bytes.len;
}

void proto_put_end(struct proto_buffer *b, size_t begin)
{
    if (b->failed) return;
    uint64_t len = b->bytes.len - begin;
    b->failed = len >> (7 * LENGTH_BYTES) != 0;
    for (unsigned i = 0; i < LENGTH_BYTES; i++)
        b->bytes.at[begin - LENGTH_BYTES + i] = (unsigned char)((len >> (7 * i) & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}

void proto_buffer_done(struct proto_buffer *b) { vec_done(b->mem, &b->bytes); }
