/* A column of a row group: values are collected, then written as pages. */
#ifndef FORMATS_PARQUET_COLUMN_H
#define FORMATS_PARQUET_COLUMN_H

#include <zstd.h>

#include "analysis/tables/tables.h"
#include "base/output.h"
#include "formats/parquet/buffer.h"

enum parquet_type { PARQUET_INT64, PARQUET_UINT64, PARQUET_DOUBLE, PARQUET_TEXT };

/* Which text a name became, by where it is in memory: names of a profile come again and again. */
enum { PARQUET_SEEN = 64 };
struct parquet_seen {
    assay_slice from, to;
};

struct parquet_column {
    const char *name, *what;
    enum parquet_type type;
    VEC(uint8_t) present;   /* of each row: 1 = it has a value */
    VEC(uint64_t) numbers;  /* of the rows that have one, as bits */
    VEC(assay_slice) texts; /* the same of texts; borrowed from the profile or from `copies` */
    struct arena copies;
    uint64_t text_bytes;
    struct parquet_seen seen[PARQUET_SEEN];
};

/* What the footer says of a column of a row group. */
struct parquet_chunk {
    uint64_t dictionary_off, data_off; /* dictionary_off 0 = there is none */
    uint64_t raw_len, packed_len;      /* of all pages with their headers */
    uint64_t values, nulls;
    bool has_limits;
    uint64_t min, max; /* as bits */
    assay_slice min_text, max_text;
};

/* What all columns use in turn. */
struct parquet_scratch {
    struct mem *mem;
    ZSTD_CCtx *zstd;
    struct buffer head, raw, packed;
    uint32_t *slots;       /* of the dictionary: entry + 1 */
    VEC(uint32_t) entries; /* of each value */
    VEC(uint64_t) numbers; /* the dictionary */
    VEC(assay_slice) texts;
};

/* Errors: MEMORY. parquet_scratch_done is due in either case. */
int parquet_scratch_init(struct parquet_scratch *s, struct mem *mem, assay_error *err);
void parquet_scratch_done(struct parquet_scratch *s);

void parquet_column_init(struct parquet_column *c, struct mem *mem, const char *name, const char *what, enum parquet_type type);
void parquet_column_done(struct parquet_column *c, struct mem *mem);
/* One more row. Errors: MEMORY, UNSUPPORTED (the column has no place for the value). */
int parquet_column_add(struct parquet_column *c, struct mem *mem, const struct tables_cell *cell, assay_error *err);
/* Writes the rows as pages, and forgets them. Texts of *chunk are copied to `keep`. Errors: MEMORY, LIMIT (a text of 2 GiB), WRITE. */
int parquet_column_write(struct parquet_column *c, struct parquet_scratch *s, struct output *out, struct parquet_chunk *chunk, struct arena *keep,
                         assay_error *err);

#endif
