/* Encodings of Parquet for arrays of small numbers and of values; docs/formats/parquet.md, "Pages". */
#ifndef FORMATS_PARQUET_PACK_H
#define FORMATS_PARQUET_PACK_H

#include "base/slice.h"
#include "formats/parquet/buffer.h"

/* Bits that numbers below `count` need. */
unsigned pack_width(size_t count);
/* Runs of equal numbers, and between them groups of eight that are packed by bits. `width` is 32 at most. */
void pack_hybrid(struct buffer *to, const uint32_t *v, size_t count, unsigned width);
/* Whether rows have a value: a byte for each, 0 or 1; `set` of them are 1. With the length in front. */
void pack_levels(struct buffer *to, const uint8_t *v, size_t count, size_t set);
/* Eight bytes each, little-endian. */
void pack_numbers(struct buffer *to, const uint64_t *v, size_t count);
/* Each after its length, of four bytes. */
void pack_texts(struct buffer *to, const assay_slice *v, size_t count);

#endif
