/* A mutator for formats with a compressed stream in them (all of cov, the body of nytprof, anything in gzip): plain mutation seldom gets past its
 * checksum. Three times of four it changes what the stream holds and compresses it again; what stands before the stream stays. */
#include <string.h>
#include <zlib.h>

#include "fuzz.h"

enum { HOLDS_MOST = 64 << 10, GZIP_BITS = 31, ZLIB_BITS = 15 };

static uint8_t held[HOLDS_MOST];

/* Inflates the stream that begins at `data`; returns what it holds, as far as it goes; 0 = it is none. */
static size_t unpack(const uint8_t *data, size_t len, int bits)
{
    z_stream z = { .next_in = (uint8_t *)(uintptr_t)data, .avail_in = (uInt)len, .next_out = held, .avail_out = sizeof held };
    if (inflateInit2(&z, bits) != Z_OK) return 0;
    (void)inflate(&z, Z_FINISH);
    (void)inflateEnd(&z);
    return z.total_out;
}

static size_t pack(uint8_t *data, size_t room, size_t len, int bits)
{
    z_stream z = { .next_in = held, .avail_in = (uInt)len, .next_out = data, .avail_out = (uInt)room };
    if (deflateInit2(&z, 1, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    int rc = deflate(&z, Z_FINISH);
    (void)deflateEnd(&z);
    return rc == Z_STREAM_END ? z.total_out : 0;
}

/* Where a stream begins: a gzip header at the start, or a zlib header anywhere. */
static bool find_stream(const uint8_t *data, size_t len, size_t *at, size_t *holds, int *bits)
{
    *bits = len > 2 && data[0] == 0x1f && data[1] == 0x8b ? GZIP_BITS : ZLIB_BITS;
    for (*at = 0; *at + 1 < len; ++*at) {
        bool is_zlib = data[*at] == 0x78 && (data[*at] << 8 | data[*at + 1]) % 31 == 0;
        if (*bits == GZIP_BITS ? *at > 0 : !is_zlib) continue;
        *holds = unpack(data + *at, len - *at, *bits);
        if (*holds) return true;
    }
    return false;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t room, unsigned seed)
{
    size_t at, holds = 0;
    int bits;
    if (seed % 4 == 0 || !find_stream(data, len, &at, &holds, &bits)) return LLVMFuzzerMutate(data, len, room);
    holds = LLVMFuzzerMutate(held, holds, room < sizeof held ? room : sizeof held);
    size_t made = pack(data + at, room - at, holds, bits);
    return made ? at + made : LLVMFuzzerMutate(data, len, room);
}
