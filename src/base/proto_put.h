/* Protocol buffers, written: a message as it grows. Errors of memory are sticky in `failed`. */
#ifndef BASE_PROTO_PUT_H
#define BASE_PROTO_PUT_H

#include "base/proto.h"
#include "base/vec.h"

struct proto_buffer {
    struct mem *mem;
    VEC(unsigned char) bytes;
    bool failed;
};

/* A varint field; 0 is not written, as in proto3. */
void proto_put_number(struct proto_buffer *b, uint32_t field, uint64_t v);
/* The same where 0 has to be said. */
void proto_put_present(struct proto_buffer *b, uint32_t field, uint64_t v);
void proto_put_fixed64(struct proto_buffer *b, uint32_t field, uint64_t v);
void proto_put_bytes(struct proto_buffer *b, uint32_t field, const void *data, size_t len);
/* A field that is a message: all that `message` has, which is emptied. */
void proto_put_message(struct proto_buffer *b, uint32_t field, struct proto_buffer *message);
/* Repeated numbers, packed; none are not written. `scratch` is emptied. */
void proto_put_packed(struct proto_buffer *b, uint32_t field, const uint64_t *values, size_t count, struct proto_buffer *scratch);
/* The key of a message or packed field whose bytes are put next, with room for their length; proto_put_end, with what this returns, fills it in. */
size_t proto_put_begin(struct proto_buffer *b, uint32_t field);
void proto_put_end(struct proto_buffer *b, size_t begin);
/* An element of a packed field. */
void proto_put_element(struct proto_buffer *b, uint64_t v);
void proto_put_element64(struct proto_buffer *b, uint64_t v);
void proto_buffer_done(struct proto_buffer *b);

#endif
