/* The values of a column as pages: a dictionary where values repeat, else one after the other; compressed by zstd. docs/formats/parquet.md, "Pages". */
#include <math.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/slice.h"
#include "formats/parquet/column.h"
#include "formats/parquet/pack.h"
#include "formats/parquet/thrift.h"

enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };
enum { ENCODING_PLAIN = 0, ENCODING_RLE = 3, ENCODING_DICTIONARY = 8 };
enum { ENTRIES_MOST = 1 << 15, SLOTS = 2 * ENTRIES_MOST };     /* of a dictionary */
enum { PAGE_TEXT = 1 << 20, LIMIT_TEXT = 64, ZSTD_LEVEL = 1 }; /* bytes of texts in a page; of a smallest or largest text */

int parquet_scratch_init(struct parquet_scratch *s, struct mem *mem, assay_error *err)
{
    *s = (struct parquet_scratch){ .mem = mem };
    buffer_init(&s->head, mem);
    buffer_init(&s->raw, mem);
    buffer_init(&s->packed, mem);
    s->slots = mem_alloc(mem, SLOTS * sizeof *s->slots);
    s->zstd = ZSTD_createCCtx();
    if (!s->slots || !s->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL))) return error_memory(err);
    return 0;
}

void parquet_scratch_done(struct parquet_scratch *s)
{
    if (!s->mem) return;
    buffer_done(&s->head);
    buffer_done(&s->raw);
    buffer_done(&s->packed);
    mem_free(s->mem, s->slots, s->slots ? SLOTS * sizeof *s->slots : 0);
    ZSTD_freeCCtx(s->zstd);
    vec_done(s->mem, &s->entries, &s->numbers, &s->texts);
}

/* ---- the dictionary ---- */

/* Whether so many entries after so many values are worth it: half of them at most in the end, and no use going on where nearly all differ. */
static bool is_worth(size_t entries, size_t values) { return entries <= ENTRIES_MOST && (values < 4096 || entries <= values - values / 4); }

static size_t slots_for(struct parquet_scratch *s, size_t count)
{
    size_t slots = 16;
    while (slots < SLOTS && slots < 2 * count) slots *= 2;
    memset(s->slots, 0, slots * sizeof *s->slots);
    return slots - 1;
}

/* 1 = it is in s->numbers, and s->entries has the number of each value; 0 = not worth it. */
static int number_dictionary(struct parquet_scratch *s, const uint64_t *v, size_t count, assay_error *err)
{
    size_t mask = slots_for(s, count);
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && v[i] == v[i - 1]) {
            s->entries.at[i] = last;
            continue;
        }
        size_t at = (size_t)hash_mix(v[i], 0) & mask;
        while (s->slots[at] && s->numbers.at[s->slots[at] - 1] != v[i]) at = (at + 1) & mask;
        if (!s->slots[at]) {
            uint64_t *to = vec_push(s->mem, &s->numbers);
            if (!to) return error_memory(err);
            *to = v[i];
            s->slots[at] = (uint32_t)s->numbers.len;
            if (!is_worth(s->numbers.len, i)) return 0;
        }
        s->entries.at[i] = last = s->slots[at] - 1;
    }
    return 2 * s->numbers.len <= count;
}

static bool is_place(assay_slice a, assay_slice b) { return a.data == b.data && a.len == b.len; }

/* The same of texts. Most are the same piece of memory when they are equal, so that is asked first. */
static int text_dictionary(struct parquet_scratch *s, const assay_slice *v, size_t count, assay_error *err)
{
    struct {
        assay_slice text;
        uint32_t entry;
    } seen[PARQUET_SEEN] = { 0 };
    size_t mask = slots_for(s, count);
    for (size_t i = 0; i < count; i++) {
        uintptr_t where = (uintptr_t)v[i].data;
        size_t k = (where >> 3 ^ where >> 9) % PARQUET_SEEN;
        if (seen[k].text.data && is_place(seen[k].text, v[i])) {
            s->entries.at[i] = seen[k].entry;
            continue;
        }
        size_t at = (size_t)hash_bytes(v[i].data, v[i].len) & mask;
        while (s->slots[at] && !slice_equal(s->texts.at[s->slots[at] - 1], v[i])) at = (at + 1) & mask;
        if (!s->slots[at]) {
            assay_slice *to = vec_push(s->mem, &s->texts);
            if (!to) return error_memory(err);
            *to = v[i];
            s->slots[at] = (uint32_t)s->texts.len;
            if (!is_worth(s->texts.len, i)) return 0;
        }
        seen[k].text = v[i];
        seen[k].entry = s->entries.at[i] = s->slots[at] - 1;
    }
    return 2 * s->texts.len <= count;
}

static int make_dictionary(const struct parquet_column *c, struct parquet_scratch *s, size_t count, assay_error *err)
{
    s->entries.len = s->numbers.len = s->texts.len = 0;
    if (!vec_reserve(s->mem, &s->entries, count)) return error_memory(err);
    return c->type == PARQUET_TEXT ? text_dictionary(s, c->texts.at, count, err) : number_dictionary(s, c->numbers.at, count, err);
}

/* ---- smallest and largest ---- */

static void number_limits(enum parquet_type type, const uint64_t *v, size_t count, struct parquet_chunk *chunk)
{
    const uint64_t sign = type == PARQUET_INT64 ? (uint64_t)1 << 63 : 0; /* turns the order of signed numbers into that of unsigned ones */
    uint64_t min = UINT64_MAX, max = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t k = v[i] ^ sign;
        min = k < min ? k : min;
        max = k > max ? k : max;
    }
    chunk->has_limits = count > 0;
    chunk->min = min ^ sign;
    chunk->max = max ^ sign;
}

/* NaN is left out, and a zero is the one with the sign that includes both, as the format asks for. */
static void double_limits(const uint64_t *v, size_t count, struct parquet_chunk *chunk)
{
    double min = INFINITY, max = -INFINITY;
    bool has_any = false;
    for (size_t i = 0; i < count; i++) {
        double d;
        memcpy(&d, &v[i], sizeof d);
        if (isnan(d)) continue;
        has_any = true;
        min = d < min ? d : min;
        max = d > max ? d : max;
    }
    if (min == 0) min = -0.0;
    if (max == 0) max = 0.0;
    chunk->has_limits = has_any;
    memcpy(&chunk->min, &min, sizeof min);
    memcpy(&chunk->max, &max, sizeof max);
}

static int text_limits(const assay_slice *v, size_t count, struct parquet_chunk *chunk, struct arena *keep, assay_error *err)
{
    if (!count) return 0;
    assay_slice min = v[0], max = v[0];
    for (size_t i = 1; i < count; i++) {
        if (slice_compare(v[i], min) < 0) min = v[i];
        if (slice_compare(v[i], max) > 0) max = v[i];
    }
    if (min.len > LIMIT_TEXT || max.len > LIMIT_TEXT) return 0;
    chunk->min_text = (assay_slice){ arena_copy(keep, min), min.len };
    chunk->max_text = (assay_slice){ arena_copy(keep, max), max.len };
    if (!chunk->min_text.data || !chunk->max_text.data) return error_memory(err);
    chunk->has_limits = true;
    return 0;
}

/* ---- pages ---- */

struct page {
    int type, encoding;
    size_t values;
};

/* Compresses s->raw and writes it behind its header. */
static int put_page(struct parquet_scratch *s, const struct page *page, struct output *out, struct parquet_chunk *chunk, assay_error *err)
{
    size_t len = s->raw.bytes.len;
    if (s->raw.failed) return error_memory(err);
    if (len > INT32_MAX / 2) FAIL(err, ASSAY_ERR_LIMIT, "a text is too long for a page of Parquet");
    buffer_clear(&s->packed);
    uint8_t *to = buffer_room(&s->packed, ZSTD_compressBound(len));
    if (!to) return error_memory(err);
    size_t packed = ZSTD_compress2(s->zstd, to, s->packed.bytes.len, s->raw.bytes.at, len);
    if (ZSTD_isError(packed)) return error_memory(err);
    buffer_clear(&s->head);
    struct thrift t = thrift_begin(&s->head);
    thrift_i32(&t, 1, page->type);
    thrift_i32(&t, 2, (int32_t)len);
    thrift_i32(&t, 3, (int32_t)packed);
    thrift_struct(&t, page->type == PAGE_DATA ? 5 : 7);
    thrift_i32(&t, 1, (int32_t)page->values);
    thrift_i32(&t, 2, page->encoding);
    if (page->type == PAGE_DATA) {
        thrift_i32(&t, 3, ENCODING_RLE);
        thrift_i32(&t, 4, ENCODING_RLE);
    }
    thrift_end(&t);
    thrift_end(&t);
    if (s->head.failed) return error_memory(err);
    output_bytes(out, s->head.bytes.at, s->head.bytes.len);
    output_bytes(out, s->packed.bytes.at, packed);
    chunk->raw_len += s->head.bytes.len + len;
    chunk->packed_len += s->head.bytes.len + packed;
    return output_failed(out);
}

static int put_dictionary(const struct parquet_column *c, struct parquet_scratch *s, struct output *out, struct parquet_chunk *chunk, assay_error *err)
{
    bool is_text = c->type == PARQUET_TEXT;
    size_t count = is_text ? s->texts.len : s->numbers.len;
    chunk->dictionary_off = output_off(out);
    buffer_clear(&s->raw);
    if (is_text)
        pack_texts(&s->raw, s->texts.at, count);
    else
        pack_numbers(&s->raw, s->numbers.at, count);
    return put_page(s, &(struct page){ PAGE_DICTIONARY, ENCODING_PLAIN, count }, out, chunk, err);
}

/* How many of the rows from `row` on, whose values begin at `value`, a page takes: all, unless their texts are long. */
static size_t rows_of_page(const struct parquet_column *c, size_t row, size_t value, size_t *values)
{
    size_t first = row, from = value, bytes = 0;
    for (; row < c->present.len; row++) {
        if (!c->present.at[row]) continue;
        bytes += c->texts.at[value].len;
        if (bytes > PAGE_TEXT && row > first) break;
        value++;
    }
    *values = value - from;
    return row - first;
}

static int put_data(const struct parquet_column *c, struct parquet_scratch *s, bool has_dictionary, struct output *out, struct parquet_chunk *chunk,
                    assay_error *err)
{
    const size_t all = c->type == PARQUET_TEXT ? c->texts.len : c->numbers.len;
    const unsigned width = pack_width(c->type == PARQUET_TEXT ? s->texts.len : s->numbers.len);
    chunk->data_off = output_off(out);
    for (size_t row = 0, value = 0; row < c->present.len;) {
        size_t values = all, rows = c->present.len;
        if (!has_dictionary && c->type == PARQUET_TEXT) rows = rows_of_page(c, row, value, &values);
        buffer_clear(&s->raw);
        pack_levels(&s->raw, c->present.at + row, rows, values);
        if (has_dictionary) {
            buffer_byte(&s->raw, (uint8_t)width);
            pack_hybrid(&s->raw, s->entries.at + value, values, width);
        } else if (c->type == PARQUET_TEXT)
            pack_texts(&s->raw, c->texts.at + value, values);
        else
            pack_numbers(&s->raw, c->numbers.at + value, values);
        TRY(put_page(s, &(struct page){ PAGE_DATA, has_dictionary ? ENCODING_DICTIONARY : ENCODING_PLAIN, rows }, out, chunk, err));
        row += rows;
        value += values;
    }
    return 0;
}

int parquet_column_write(struct parquet_column *c, struct parquet_scratch *s, struct output *out, struct parquet_chunk *chunk, struct arena *keep,
                         assay_error *err)
{
    bool is_text = c->type == PARQUET_TEXT;
    size_t count = is_text ? c->texts.len : c->numbers.len;
    *chunk = (struct parquet_chunk){ .values = c->present.len, .nulls = c->present.len - count };
    int found = count ? make_dictionary(c, s, count, err) : 0;
    if (found < 0) return found;
    if (is_text)
        TRY(text_limits(found ? s->texts.at : c->texts.at, found ? s->texts.len : count, chunk, keep, err));
    else if (c->type == PARQUET_DOUBLE)
        double_limits(found ? s->numbers.at : c->numbers.at, found ? s->numbers.len : count, chunk);
    else
        number_limits(c->type, found ? s->numbers.at : c->numbers.at, found ? s->numbers.len : count, chunk);
    if (found) TRY(put_dictionary(c, s, out, chunk, err));
    TRY(put_data(c, s, found, out, chunk, err));
    c->present.len = c->numbers.len = c->texts.len = 0;
    c->text_bytes = 0;
    memset(c->seen, 0, sizeof c->seen); /* they may point to the copies */
    arena_done(&c->copies);
    return 0;
}
