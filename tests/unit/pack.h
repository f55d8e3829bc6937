/* Test data: text that looks like a profile, and the same compressed by the compressors of the libraries themselves. */
#ifndef TESTS_PACK_H
#define TESTS_PACK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>
#ifdef ASSAY_HAVE_LZMA
#include <lzma.h>
#endif

struct bytes {
    uint8_t *at;
    size_t len;
};

static inline uint32_t pack_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static inline struct bytes bytes_new(size_t len)
{
    struct bytes b = { malloc(len ? len : 1), len };
    assert_non_null(b.at);
    return b;
}

/* Lines such as "fn=(17) name_17\n+3 1234\n"; exactly `len` bytes, so that the last line may be cut. */
static inline struct bytes text_new(size_t len, uint32_t seed)
{
    struct bytes b = bytes_new(len + 64);
    size_t at = 0;
    while (at < len) {
        uint32_t id = pack_random(&seed) % 500;
        at += (size_t)snprintf((char *)b.at + at, 64, "fn=(%u) name_%u\n+%u %u\n", id, id, pack_random(&seed) % 9, pack_random(&seed));
    }
    b.len = len;
    return b;
}

static inline struct bytes noise_new(size_t len, uint32_t seed)
{
    struct bytes b = bytes_new(len);
    for (size_t i = 0; i < len; i++) b.at[i] = (uint8_t)pack_random(&seed);
    return b;
}

/* Takes both. */
static inline struct bytes bytes_join(struct bytes a, struct bytes b)
{
    struct bytes j = bytes_new(a.len + b.len);
    memcpy(j.at, a.at, a.len);
    memcpy(j.at + a.len, b.at, b.len);
    free(a.at);
    free(b.at);
    return j;
}

static inline struct bytes gzip_with(struct bytes plain, int level, int strategy, gz_header *header)
{
    z_stream s = { 0 };
    assert_int_equal(deflateInit2(&s, level, Z_DEFLATED, 15 + 16, 8, strategy), Z_OK);
    if (header) assert_int_equal(deflateSetHeader(&s, header), Z_OK);
    struct bytes compressed = bytes_new(deflateBound(&s, plain.len) + 4096);
    s.next_in = plain.at;
    s.avail_in = (uInt)plain.len;
    s.next_out = compressed.at;
    s.avail_out = (uInt)compressed.len;
    assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
    compressed.len = s.total_out;
    deflateEnd(&s);
    return compressed;
}

static inline struct bytes gzip_of(struct bytes plain) { return gzip_with(plain, 3, Z_DEFAULT_STRATEGY, NULL); }

static inline struct bytes zstd_of(struct bytes plain)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    struct bytes compressed = bytes_new(ZSTD_compressBound(plain.len));
    size_t n = ZSTD_compress2(c, compressed.at, compressed.len, plain.at, plain.len);
    assert_false(ZSTD_isError(n));
    ZSTD_freeCCtx(c);
    compressed.len = n;
    return compressed;
}

#ifdef ASSAY_HAVE_LZMA
static inline struct bytes xz_of(struct bytes plain)
{
    struct bytes compressed = bytes_new(lzma_stream_buffer_bound(plain.len));
    size_t n = 0;
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, plain.at, plain.len, compressed.at, &n, compressed.len), LZMA_OK);
    compressed.len = n;
    return compressed;
}
#endif

#endif
