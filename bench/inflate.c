/* What unpacking alone costs: reads a gzip file, or a NYTProf stream from its 'z' on, with the libraries that assay uses and throws the text away. The bench compiles it and puts its
 * time beside that of reading a compressed profile; see bench/README.md. CRC and length are checked, as assay does. */
#define _GNU_SOURCE /* memmem */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef BENCH_ISAL
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

enum { BLOCK = 1 << 20 };

static uint8_t compressed[BLOCK], text[BLOCK];

/* Goes behind the header of a NYTProf stream; 0 = it is no such stream, or not compressed. */
static int skip_header(FILE *file)
{
    size_t len = fread(compressed, 1, 4096, file);
    const uint8_t *z = len > 8 && memcmp(compressed, "NYTProf ", 8) == 0 ? memmem(compressed, len, "\nz", 2) : NULL;
    return fseek(file, z ? (long)(z - compressed) + 2 : 0, SEEK_SET) == 0 && z != NULL;
}

#ifdef BENCH_ISAL
static int unpack(FILE *file, int is_bare, uint64_t *text_len)
{
    static struct inflate_state s;
    isal_inflate_init(&s);
    s.crc_flag = is_bare ? ISAL_ZLIB : ISAL_GZIP;
    while (s.block_state != ISAL_BLOCK_FINISH) {
        if (s.avail_in == 0) {
            s.next_in = compressed;
            s.avail_in = (uint32_t)fread(compressed, 1, sizeof compressed, file);
            if (s.avail_in == 0) return 0;
        }
        s.next_out = text;
        s.avail_out = sizeof text;
        if (isal_inflate(&s) != ISAL_DECOMP_OK) return 0;
        *text_len += sizeof text - s.avail_out;
    }
    return 1;
}
#else
static int unpack(FILE *file, int is_bare, uint64_t *text_len)
{
    z_stream s;
    memset(&s, 0, sizeof s);
    int rc = inflateInit2(&s, is_bare ? 15 : 15 + 16); /* 16: gzip */
    while (rc == Z_OK) {
        if (s.avail_in == 0) {
            s.next_in = compressed;
            s.avail_in = (uInt)fread(compressed, 1, sizeof compressed, file);
            if (s.avail_in == 0) break;
        }
        s.next_out = text;
        s.avail_out = sizeof text;
        rc = inflate(&s, Z_NO_FLUSH);
        *text_len += sizeof text - s.avail_out;
    }
    inflateEnd(&s);
    return rc == Z_STREAM_END;
}
#endif

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: inflate FILE.gz\n");
        return 2;
    }
    setvbuf(file, NULL, _IONBF, 0);
    uint64_t text_len = 0;
    int is_bare = skip_header(file), whole = unpack(file, is_bare, &text_len);
    fclose(file);
    printf("%llu\n", (unsigned long long)text_len);
    return whole ? 0 : 1;
}
