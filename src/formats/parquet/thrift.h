/* Thrift's compact protocol, as far as headers and footers of Parquet need it: structures of numbered fields, in the order of their numbers. */
#ifndef FORMATS_PARQUET_THRIFT_H
#define FORMATS_PARQUET_THRIFT_H

#include "base/slice.h"
#include "formats/parquet/buffer.h"

enum { THRIFT_DEPTH = 8 };
enum thrift_type {
    THRIFT_TRUE = 1,
    THRIFT_FALSE = 2,
    THRIFT_I8 = 3,
    THRIFT_I16 = 4,
    THRIFT_I32 = 5,
    THRIFT_I64 = 6,
    THRIFT_TEXT = 8,
    THRIFT_LIST = 9,
    THRIFT_STRUCT = 12
};

struct thrift {
    struct buffer *to;
    unsigned depth;
    int last[THRIFT_DEPTH]; /* the number of the last field, by depth: numbers are written as steps */
};

/* Begins the outermost structure. */
static inline struct thrift thrift_begin(struct buffer *to) { return (struct thrift){ .to = to }; }
/* Ends the innermost structure. */
void thrift_end(struct thrift *t);

void thrift_bool(struct thrift *t, int field, bool v);
void thrift_i8(struct thrift *t, int field, int8_t v);
void thrift_i16(struct thrift *t, int field, int16_t v);
void thrift_i32(struct thrift *t, int field, int32_t v);
void thrift_i64(struct thrift *t, int field, int64_t v);
void thrift_text(struct thrift *t, int field, assay_slice s);
/* A field that is a structure: thrift_end ends it. */
void thrift_struct(struct thrift *t, int field);
/* A field that is a list; its `count` elements follow. */
void thrift_list(struct thrift *t, int field, enum thrift_type type, size_t count);
/* Elements of a list: a structure, which thrift_end ends, a number, a text. */
void thrift_element(struct thrift *t);
void thrift_element_i32(struct thrift *t, int32_t v);
void thrift_element_text(struct thrift *t, assay_slice s);

#endif
