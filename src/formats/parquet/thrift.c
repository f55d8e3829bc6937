/* Thrift's compact protocol; see thrift.h and docs/formats/parquet.md. */
#include "formats/parquet/thrift.h"

#include "base/slice.h"

static uint64_t zigzag(int64_t v) { return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63); }

/* The step from the last field and the type in a byte; fields of Parquet are few, so a step is never more than 15. */
static void head(struct thrift *t, int field, enum thrift_type type)
{
    int *last = &t->last[t->depth];
    buffer_byte(t->to, (uint8_t)((unsigned)(field - *last) << 4 | (unsigned)type));
    *last = field;
}

static void enter(struct thrift *t) { t->last[++t->depth] = 0; }

void thrift_end(struct thrift *t)
{
    buffer_byte(t->to, 0);
    if (t->depth) t->depth--;
}

void thrift_bool(struct thrift *t, int field, bool v) { head(t, field, v ? THRIFT_TRUE : THRIFT_FALSE); }

void thrift_i8(struct thrift *t, int field, int8_t v)
{
    head(t, field, THRIFT_I8);
    buffer_byte(t->to, (uint8_t)v);
}

void thrift_i16(struct thrift *t, int field, int16_t v)
{
    head(t, field, THRIFT_I16);
    buffer_varint(t->to, zigzag(v));
}

void thrift_i32(struct thrift *t, int field, int32_t v)
{
    head(t, field, THRIFT_I32);
    buffer_varint(t->to, zigzag(v));
}

void thrift_i64(struct thrift *t, int field, int64_t v)
{
    head(t, field, THRIFT_I64);
    buffer_varint(t->to, zigzag(v));
}

void thrift_element_text(struct thrift *t, assay_slice s)
{
    buffer_varint(t->to, s.len);
    buffer_put(t->to, s.data, s.len);
}

void thrift_text(struct thrift *t, int field, assay_slice s)
{
    head(t, field, THRIFT_TEXT);
    thrift_element_text(t, s);
}

void thrift_struct(struct thrift *t, int field)
{
    head(t, field, THRIFT_STRUCT);
    enter(t);
}

void thrift_list(struct thrift *t, int field, enum thrift_type type, size_t count)
{
    head(t, field, THRIFT_LIST);
    if (count < 15)
        buffer_byte(t->to, (uint8_t)(count << 4 | (unsigned)type));
    else {
        buffer_byte(t->to, (uint8_t)(0xf0 | (unsigned)type));
        buffer_varint(t->to, count);
    }
}

void thrift_element(struct thrift *t) { enter(t); }

void thrift_element_i32(struct thrift *t, int32_t v) { buffer_varint(t->to, zigzag(v)); }
