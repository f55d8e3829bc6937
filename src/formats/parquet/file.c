/* Row groups and the footer; see file.h, and docs/formats/parquet.md for the numbers of fields. */
#include "formats/parquet/file.h"

#include <stdio.h>

#include "base/error.h"
#include "formats/parquet/thrift.h"

/* A group is what a thread of a reader takes at once, and what is held in memory here. */
enum { GROUP_ROWS = 122880, GROUP_TEXT = 32 << 20 };
enum { TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTES = 6, OPTIONAL = 1, CODEC_ZSTD = 6 };
enum { CONVERTED_UTF8 = 0, CONVERTED_UINT64 = 14, CONVERTED_INT64 = 18 };
enum { ENCODING_PLAIN = 0, ENCODING_RLE = 3, ENCODING_DICTIONARY = 8 };
static const char magic[] = { 'P', 'A', 'R', '1' };

void parquet_file_begin(struct parquet_file *f, struct parquet_scratch *s, struct output *out, const char *table, const char *what, unsigned count)
{
    *f = (struct parquet_file){ .scratch = s, .out = out, .table = table, .what = what, .count = count };
    arena_init(&f->keep, s->mem);
    output_bytes(out, magic, sizeof magic);
}

void parquet_file_done(struct parquet_file *f)
{
    if (!f->scratch) return;
    for (unsigned i = 0; i < f->count; i++) parquet_column_done(&f->columns[i], f->scratch->mem);
    vec_done(f->scratch->mem, &f->groups, &f->chunks);
    arena_done(&f->keep);
}

/* ---- row groups ---- */

static int put_group(struct parquet_file *f, assay_error *err)
{
    struct mem *mem = f->scratch->mem;
    struct parquet_group *group = vec_push(mem, &f->groups);
    if (!group || !vec_reserve(mem, &f->chunks, f->count)) return error_memory(err);
    *group = (struct parquet_group){ output_off(f->out), f->pending };
    for (unsigned i = 0; i < f->count; i++) {
        TRY(parquet_column_write(&f->columns[i], f->scratch, f->out, &f->chunks.at[f->chunks.len], &f->keep, err));
        f->chunks.len++;
    }
    f->rows += f->pending;
    f->pending = 0;
    return 0;
}

int parquet_file_row(struct parquet_file *f, assay_error *err)
{
    uint64_t bytes = 0;
    f->pending++;
    for (unsigned i = 0; i < f->count; i++) bytes += f->columns[i].text_bytes;
    return f->pending == GROUP_ROWS || bytes > GROUP_TEXT ? put_group(f, err) : 0;
}

/* ---- the footer ---- */

static int physical(enum parquet_type type) { return type == PARQUET_TEXT ? TYPE_BYTES : type == PARQUET_DOUBLE ? TYPE_DOUBLE : TYPE_INT64; }

/* What the bytes mean, twice: for readers of today, and for those of before 2018. */
static void put_meaning(struct thrift *t, enum parquet_type type)
{
    if (type == PARQUET_DOUBLE) return;
    thrift_i32(t, 6, type == PARQUET_TEXT ? CONVERTED_UTF8 : type == PARQUET_UINT64 ? CONVERTED_UINT64 : CONVERTED_INT64);
    thrift_struct(t, 10);
    thrift_struct(t, type == PARQUET_TEXT ? 1 : 10);
    if (type != PARQUET_TEXT) {
        thrift_i8(t, 1, 64);
        thrift_bool(t, 2, type == PARQUET_INT64);
    }
    thrift_end(t);
    thrift_end(t);
}

static void put_schema(const struct parquet_file *f, struct thrift *t)
{
    thrift_list(t, 2, THRIFT_STRUCT, (size_t)f->count + 1);
    thrift_element(t);
    thrift_text(t, 4, slice_of(f->table));
    thrift_i32(t, 5, (int32_t)f->count);
    thrift_end(t);
    for (unsigned i = 0; i < f->count; i++) {
        const struct parquet_column *c = &f->columns[i];
        thrift_element(t);
        thrift_i32(t, 1, physical(c->type));
        thrift_i32(t, 3, OPTIONAL);
        thrift_text(t, 4, slice_of(c->name));
        put_meaning(t, c->type);
        thrift_end(t);
    }
}

static void put_statistics(struct thrift *t, const struct parquet_chunk *chunk, bool is_text)
{
    char min[8], max[8];
    for (unsigned i = 0; i < 8; i++) min[i] = (char)(chunk->min >> 8 * i), max[i] = (char)(chunk->max >> 8 * i);
    thrift_struct(t, 12);
    thrift_i64(t, 3, (int64_t)chunk->nulls);
    if (chunk->has_limits) {
        thrift_text(t, 5, is_text ? chunk->max_text : (assay_slice){ max, 8 });
        thrift_text(t, 6, is_text ? chunk->min_text : (assay_slice){ min, 8 });
    }
    thrift_end(t);
}

static void put_chunk(struct thrift *t, const struct parquet_column *c, const struct parquet_chunk *chunk)
{
    bool has_dictionary = chunk->dictionary_off != 0;
    thrift_element(t);
    thrift_i64(t, 2, 0);
    thrift_struct(t, 3);
    thrift_i32(t, 1, physical(c->type));
    thrift_list(t, 2, THRIFT_I32, has_dictionary ? 3 : 2);
    thrift_element_i32(t, ENCODING_PLAIN);
    thrift_element_i32(t, ENCODING_RLE);
    if (has_dictionary) thrift_element_i32(t, ENCODING_DICTIONARY);
    thrift_list(t, 3, THRIFT_TEXT, 1);
    thrift_element_text(t, slice_of(c->name));
    thrift_i32(t, 4, CODEC_ZSTD);
    thrift_i64(t, 5, (int64_t)chunk->values);
    thrift_i64(t, 6, (int64_t)chunk->raw_len);
    thrift_i64(t, 7, (int64_t)chunk->packed_len);
    thrift_i64(t, 9, (int64_t)chunk->data_off);
    if (has_dictionary) thrift_i64(t, 11, (int64_t)chunk->dictionary_off);
    put_statistics(t, chunk, c->type == PARQUET_TEXT);
    thrift_end(t);
    thrift_end(t);
}

static void put_groups(const struct parquet_file *f, struct thrift *t)
{
    thrift_list(t, 4, THRIFT_STRUCT, f->groups.len);
    for (size_t g = 0; g < f->groups.len; g++) {
        const struct parquet_chunk *chunks = f->chunks.at + g * f->count;
        uint64_t raw = 0, packed = 0;
        thrift_element(t);
        thrift_list(t, 1, THRIFT_STRUCT, f->count);
        for (unsigned i = 0; i < f->count; i++) {
            put_chunk(t, &f->columns[i], &chunks[i]);
            raw += chunks[i].raw_len;
            packed += chunks[i].packed_len;
        }
        thrift_i64(t, 2, (int64_t)raw);
        thrift_i64(t, 3, (int64_t)f->groups.at[g].rows);
        thrift_i64(t, 5, (int64_t)f->groups.at[g].off);
        thrift_i64(t, 6, (int64_t)packed);
        if (g <= INT16_MAX) thrift_i16(t, 7, (int16_t)g);
        thrift_end(t);
    }
}

static void put_pair(struct thrift *t, const char *key, const char *value)
{
    thrift_element(t);
    thrift_text(t, 1, slice_of(key));
    thrift_text(t, 2, slice_of(value));
    thrift_end(t);
}

/* What the table and its columns mean. */
static void put_meanings(const struct parquet_file *f, struct thrift *t)
{
    char key[64];
    thrift_list(t, 5, THRIFT_STRUCT, (size_t)f->count + 1);
    put_pair(t, "table", f->what);
    for (unsigned i = 0; i < f->count; i++) {
        snprintf(key, sizeof key, "column.%s", f->columns[i].name);
        put_pair(t, key, f->columns[i].what);
    }
}

int parquet_file_end(struct parquet_file *f, assay_error *err)
{
    if (f->pending) TRY(put_group(f, err));
    struct buffer *b = &f->scratch->raw;
    buffer_clear(b);
    struct thrift t = thrift_begin(b);
    thrift_i32(&t, 1, 2);
    put_schema(f, &t);
    thrift_i64(&t, 3, (int64_t)f->rows);
    put_groups(f, &t);
    put_meanings(f, &t);
    thrift_text(&t, 6, SLICE("assay version " ASSAY_VERSION));
    /* the order of smallest and largest values is that of the types */
    thrift_list(&t, 7, THRIFT_STRUCT, f->count);
    for (unsigned i = 0; i < f->count; i++) {
        thrift_element(&t);
        thrift_struct(&t, 1);
        thrift_end(&t);
        thrift_end(&t);
    }
    thrift_end(&t);
    if (b->failed) return error_memory(err);
    if (b->bytes.len > INT32_MAX) FAIL(err, ASSAY_ERR_LIMIT, "the footer is too long for a file of Parquet");
    output_bytes(f->out, b->bytes.at, b->bytes.len);
    output_u32le(f->out, (uint32_t)b->bytes.len);
    output_bytes(f->out, magic, sizeof magic);
    return output_failed(f->out);
}
