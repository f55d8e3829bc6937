/* Inputs of all kinds: files, pipes, memory, compressed or not; blocks and lines, damage, limits, failing allocations. */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pack.h"

enum { MIB = 1 << 20 };

/* ---- where the bytes come from ---- */

enum from { FROM_MEMORY, FROM_FILE, FROM_PIPE, FROMS };

/* A writer at the other end of a pipe that takes the place of standard input. */
struct source {
    struct mem mem;
    struct input_options options;
    struct input *in;
    char path[64];
    pthread_t writer;
    int write_fd, saved_stdin;
    struct bytes bytes;
    enum from from;
    assay_error err;
};

static void *write_pipe(void *arg)
{
    struct source *s = arg;
    size_t done = 0;
    while (done < s->bytes.len) {
        size_t step = s->bytes.len - done < 50000 ? s->bytes.len - done : 50000;
        ssize_t n = write(s->write_fd, s->bytes.at + done, step);
        if (n <= 0) break;
        done += (size_t)n;
    }
    close(s->write_fd);
    return NULL;
}

static int open_pipe(struct source *s)
{
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    s->write_fd = fds[1];
    s->saved_stdin = dup(0);
    assert_int_equal(dup2(fds[0], 0), 0);
    close(fds[0]);
    assert_int_equal(pthread_create(&s->writer, NULL, write_pipe, s), 0);
    return input_open(&s->in, "-", &s->options, &s->err);
}

static void write_file(const char *path, struct bytes bytes)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.at, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
}

static int open_source(struct source *s, enum from from, struct bytes bytes)
{
    s->from = from;
    s->bytes = bytes;
    s->options.mem = &s->mem;
    if (from == FROM_MEMORY) return input_open_memory(&s->in, bytes.at, bytes.len, "bytes", &s->options, &s->err);
    if (from == FROM_PIPE) return open_pipe(s);
    strcpy(s->path, "/tmp/assay-test-input-XXXXXX");
    int fd = mkstemp(s->path);
    assert_true(fd >= 0);
    close(fd);
    write_file(s->path, bytes);
    return input_open(&s->in, s->path, &s->options, &s->err);
}

static void close_source(struct source *s)
{
    input_close(s->in);
    s->in = NULL;
    if (s->from == FROM_FILE) unlink(s->path);
    if (s->from == FROM_PIPE) {
        dup2(s->saved_stdin, 0);
        close(s->saved_stdin);
        pthread_join(s->writer, NULL);
    }
    assert_int_equal(s->mem.used, 0);
}

/* ---- packings ---- */

static struct bytes plain_of(struct bytes plain)
{
    struct bytes b = bytes_new(plain.len);
    memcpy(b.at, plain.at, plain.len);
    return b;
}

static const struct {
    enum input_packing packing;
    struct bytes (*pack)(struct bytes);
} packs[] = {
    { INPUT_PLAIN, plain_of },
    { INPUT_GZIP, gzip_of },
    { INPUT_ZSTD, zstd_of },
#ifdef ASSAY_HAVE_LZMA
    { INPUT_XZ, xz_of },
#endif
};
enum { PACKS = sizeof packs / sizeof packs[0] };

/* ---- reading in blocks ---- */

/* All blocks, each compared with the place it claims to come from. Returns the code of the end. `seen` = how many bytes. */
static int read_blocks(struct source *s, struct bytes plain, bool lines, size_t *seen)
{
    bool torn = false; /* only the last block may end within a line */
    *seen = 0;
    for (;;) {
        assay_slice block;
        uint64_t off = 0;
        int rc = input_block(s->in, lines, &block, &off, &s->err);
        if (rc != 0 || block.len == 0) return rc;
        assert_int_equal(off, *seen);
        assert_true(block.len <= plain.len - *seen);
        assert_memory_equal(block.data, plain.at + *seen, block.len);
        *seen += block.len;
        assert_false(torn);
        torn = lines && block.data[block.len - 1] != '\n';
    }
}

static void assert_reads(enum from from, struct bytes compressed, struct bytes plain, bool lines)
{
    struct source s = { 0 };
    size_t seen;
    assert_int_equal(open_source(&s, from, compressed), 0);
    assert_int_equal(read_blocks(&s, plain, lines, &seen), 0);
    assert_int_equal(seen, plain.len);
    assay_slice block;
    uint64_t off;
    assert_int_equal(input_block(s.in, lines, &block, &off, &s.err), 0);
    assert_int_equal(block.len, 0);
    assert_int_equal(off, plain.len);
    close_source(&s);
}

static void every_source_and_packing_gives_the_same_blocks(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 1, 70000, MIB - 1, MIB, MIB + 1, 6 * MIB + 12345 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t p = 0; p < PACKS; p++) {
            struct bytes plain = text_new(sizes[i], (uint32_t)i), compressed = packs[p].pack(plain);
            for (enum from from = 0; from < FROMS; from++) {
                assert_reads(from, compressed, plain, true);
                assert_reads(from, compressed, plain, false);
            }
            free(plain.at);
            free(compressed.at);
        }
}

static void noise_without_lines_comes_whole(void **state)
{
    (void)state;
    struct bytes plain = noise_new(7 * MIB, 3), compressed = gzip_of(plain);
    assert_reads(FROM_FILE, compressed, plain, false);
    assert_reads(FROM_FILE, plain, plain, true);
    free(plain.at);
    free(compressed.at);
}

/* Line ends at chosen distances: just before, at and after chunk ends and head room, and lines of several chunks. */
static struct bytes lines_new(const size_t *lengths, size_t count)
{
    size_t len = 0, at = 0;
    for (size_t i = 0; i < count; i++) len += lengths[i];
    struct bytes b = bytes_new(len);
    for (size_t i = 0; i < len; i++) b.at[i] = (uint8_t)('a' + i % 23);
    for (size_t i = 0; i < count; i++) {
        at += lengths[i];
        if (lengths[i]) b.at[at - 1] = '\n';
    }
    return b;
}

static void lines_are_never_torn(void **state)
{
    (void)state;
    enum { HEAD = 64 << 10 };
    static const size_t patterns[][6] = {
        { MIB, MIB, MIB, 5 },
        { MIB - 1, 2, MIB, 1, 1, 1 },
        { MIB + 1, MIB - 1, 3 },
        { MIB - HEAD, HEAD + 10, 2 * MIB },
        { MIB - HEAD + 1, HEAD + 10, 2 * MIB },
        { MIB - HEAD - 1, HEAD + 10, 100, 3 * MIB },
        { 3 * MIB + 7, 1, 1, 5 * MIB, 10, MIB },
        { 1, 6 * MIB, 1 },
        { 4 * MIB, 4 * MIB, 30 },
    };
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        for (size_t p = 0; p < PACKS; p++) {
            struct bytes plain = lines_new(patterns[i], 6), compressed = packs[p].pack(plain);
            for (enum from from = 0; from < FROMS; from++) assert_reads(from, compressed, plain, true);
            plain.len -= 1; /* the last line without its end */
            free(compressed.at);
            compressed = packs[p].pack(plain);
            assert_reads(FROM_FILE, compressed, plain, true);
            free(plain.at);
            free(compressed.at);
        }
}

static void a_line_of_sixty_megabytes_is_one_block(void **state)
{
    (void)state;
    const size_t lengths[] = { 10, 60 * MIB, 20 };
    struct bytes plain = lines_new(lengths, 3), compressed = gzip_with(plain, 1, Z_DEFAULT_STRATEGY, NULL);
    assert_reads(FROM_FILE, compressed, plain, true);
    struct source s = { 0 };
    size_t seen;
    s.mem.limit = 30 * MIB;
    assert_int_equal(open_source(&s, FROM_FILE, compressed), 0);
    assert_int_equal(read_blocks(&s, plain, true, &seen), ASSAY_ERR_MEMORY);
    assert_int_equal(seen, 10);
    assert_true(s.mem.peak <= 30 * MIB);
    close_source(&s);
    free(plain.at);
    free(compressed.at);
}

static void lines_may_be_asked_for_now_and_then(void **state)
{
    (void)state;
    struct bytes plain = text_new(5 * MIB, 5), compressed = gzip_of(plain);
    struct source s = { 0 };
    assert_int_equal(open_source(&s, FROM_FILE, compressed), 0);
    size_t seen = 0;
    assay_slice block;
    for (int i = 0;; i++) {
        uint64_t off;
        assert_int_equal(input_block(s.in, i % 3 != 0, &block, &off, &s.err), 0);
        if (block.len == 0) break;
        assert_int_equal(off, seen);
        assert_memory_equal(block.data, plain.at + seen, block.len);
        seen += block.len;
    }
    assert_int_equal(seen, plain.len);
    close_source(&s);
    free(plain.at);
    free(compressed.at);
}

/* ---- looking and mapping ---- */

static void peeking_takes_nothing(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 5, 65535, 65536, 65537, 3 * MIB };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t p = 0; p < PACKS; p++) {
            struct bytes plain = text_new(sizes[i], 6), compressed = packs[p].pack(plain);
            for (enum from from = 0; from < FROMS; from++) {
                struct source s = { 0 };
                assay_slice peek;
                size_t seen;
                assert_int_equal(open_source(&s, from, compressed), 0);
                for (int twice = 0; twice < 2; twice++) {
                    assert_int_equal(input_peek(s.in, &peek, &s.err), 0);
                    assert_int_equal(peek.len, sizes[i] < 65536 ? sizes[i] : 65536);
                    assert_memory_equal(peek.data, plain.at, peek.len);
                }
                assert_int_equal(read_blocks(&s, plain, true, &seen), 0);
                assert_int_equal(seen, plain.len);
                close_source(&s);
            }
            free(plain.at);
            free(compressed.at);
        }
}

static void mapping_gives_all_bytes_after_a_peek_or_without(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 5, 65537, MIB, 5 * MIB + 3 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t p = 0; p < PACKS; p++) {
            struct bytes plain = text_new(sizes[i], 7), compressed = packs[p].pack(plain);
            for (int mode = 0; mode < 2 * FROMS; mode++) {
                struct source s = { 0 };
                assay_slice peek, all;
                assert_int_equal(open_source(&s, (enum from)(mode / 2), compressed), 0);
                assert_int_equal(input_packing(s.in), packs[p].packing);
                if (mode % 2) assert_int_equal(input_peek(s.in, &peek, &s.err), 0);
                assert_int_equal(input_map(s.in, &all, &s.err), 0);
                assert_int_equal(all.len, plain.len);
                assert_memory_equal(all.data, plain.at, plain.len);
                close_source(&s);
            }
            free(plain.at);
            free(compressed.at);
        }
}

static void a_large_plain_file_is_reached_without_taking_memory(void **state)
{
    (void)state;
    struct bytes plain = text_new(6 * MIB, 8);
    struct source s = { 0 };
    assay_slice all;
    assert_int_equal(open_source(&s, FROM_FILE, plain), 0);
    assert_int_equal(input_packed_len(s.in), plain.len);
    assert_int_equal(input_reach(s.in, &all, &s.err), 0);
    assert_null(all.data);
    assert_int_equal(all.len, plain.len);
    char bytes[1000];
    input_at(s.in, 5 * MIB + 7, bytes, sizeof bytes);
    assert_memory_equal(bytes, plain.at + 5 * MIB + 7, sizeof bytes);
    assert_true(s.mem.peak < 2 * MIB);
    close_source(&s);
    free(plain.at);
}

static void a_file_that_shrinks_or_changes_is_told(void **state)
{
    (void)state;
    static const struct timespec long_ago[2] = { { 1000, 0 }, { 1000, 0 } };
    struct bytes plain = text_new(3 * MIB, 9);
    for (int step = 0; step < 3; step++) {
        struct source s = { 0 };
        assay_slice all;
        char bytes[16];
        bool has_changed = true;
        assert_int_equal(open_source(&s, FROM_FILE, plain), 0);
        assert_int_equal(input_reach(s.in, &all, &s.err), 0);
        assert_int_equal(input_steady(s.in, &has_changed, &s.err), 0);
        assert_false(has_changed);
        if (step == 2)
            assert_int_equal(utimensat(AT_FDCWD, s.path, long_ago, 0), 0);
        else
            assert_int_equal(truncate(s.path, step ? (off_t)(4 * MIB) : 100), 0);
        input_at(s.in, 2 * MIB, bytes, sizeof bytes);
        int rc = input_steady(s.in, &has_changed, &s.err);
        assert_int_equal(rc, step ? 0 : ASSAY_ERR_SYSTEM);
        if (step) assert_true(has_changed);
        if (step == 0) {
            assert_string_equal(s.err.text, "shrank while it was being read");
            assert_string_equal(s.err.path, s.path);
            for (size_t i = 0; i < sizeof bytes; i++) assert_int_equal(bytes[i], 0);
        }
        close_source(&s);
    }
    free(plain.at);
}

/* ---- trouble ---- */

/* Everything that could be unpacked comes first, then the error with its place in the compressed file. */
static void assert_cut(struct bytes compressed, size_t len, struct bytes plain, const char *name, size_t *given)
{
    struct source s = { 0 };
    size_t seen;
    char sentence[100];
    assay_slice all;
    assert_int_equal(open_source(&s, FROM_FILE, (struct bytes){ compressed.at, len }), 0);
    assert_int_equal(read_blocks(&s, plain, true, &seen), ASSAY_ERR_TRUNCATED);
    assert_int_equal(s.err.code, ASSAY_ERR_TRUNCATED);
    assert_true(s.err.has_offset);
    assert_int_equal(s.err.offset, len);
    assert_int_equal(input_unpacked_len(s.in), seen);
    snprintf(sentence, sizeof sentence, "%s stream ends early after %zu decompressed bytes", name, seen);
    assert_string_equal(s.err.text, sentence);
    assert_string_equal(s.err.path, s.path);
    assert_int_equal(read_blocks(&s, plain, true, given), ASSAY_ERR_TRUNCATED);
    close_source(&s);

    s = (struct source){ 0 };
    assert_int_equal(open_source(&s, FROM_MEMORY, (struct bytes){ compressed.at, len }), 0);
    assert_int_equal(input_peek(s.in, &all, &s.err), 0);
    assert_int_equal(all.len, seen < 65536 ? seen : 65536);
    assert_int_equal(input_map(s.in, &all, &s.err), ASSAY_ERR_TRUNCATED);
    assert_int_equal(all.len, seen);
    assert_memory_equal(all.data, plain.at, seen);
    assert_int_equal(s.err.offset, len);
    close_source(&s);
    *given = seen;
}

static void a_cut_file_gives_all_there_is_and_then_the_error(void **state)
{
    (void)state;
    struct bytes plain = text_new(3000, 9);
    for (size_t p = 1; p < 3; p++) {
        struct bytes compressed = packs[p].pack(plain);
        size_t given = 0;
        for (size_t len = p == 1 ? 2 : 4; len < compressed.len; len++) assert_cut(compressed, len, plain, input_packing_name(packs[p].packing), &given);
        assert_int_equal(given, plain.len);
        free(compressed.at);
    }
    free(plain.at);
}

static void a_large_cut_file_gives_all_there_is_through_the_thread(void **state)
{
    (void)state;
    struct bytes plain = text_new(7 * MIB, 10);
    for (size_t p = 1; p < PACKS; p++) {
        struct bytes compressed = packs[p].pack(plain);
        size_t given = 0;
        assert_cut(compressed, compressed.len - compressed.len / 5, plain, input_packing_name(packs[p].packing), &given);
        assert_true(given > plain.len / 2);
        free(compressed.at);
    }
    free(plain.at);
}

static void a_wrong_checksum_is_damage_after_all_the_bytes(void **state)
{
    (void)state;
    struct bytes plain = text_new(5 * MIB, 11), compressed = gzip_of(plain);
    compressed.at[compressed.len - 6] ^= 1;
    struct source s = { 0 };
    size_t seen;
    assert_int_equal(open_source(&s, FROM_FILE, compressed), 0);
    assert_int_equal(read_blocks(&s, plain, true, &seen), ASSAY_ERR_DAMAGED);
    assert_int_equal(seen, plain.len);
    assert_true(s.err.has_offset);
    assert_int_equal(s.err.offset, compressed.len - 8);
    assert_non_null(strstr(s.err.text, "gzip stream is damaged after 5242880 decompressed bytes: incorrect data check"));
    close_source(&s);
    free(plain.at);
    free(compressed.at);
}

static void flipped_bytes_never_crash_and_never_lie(void **state)
{
    (void)state;
    struct bytes plain = text_new(3000, 12);
    for (size_t p = 1; p < PACKS; p++) {
        struct bytes compressed = packs[p].pack(plain);
        for (size_t i = 8; i < compressed.len; i++) {
            compressed.at[i] ^= 0xff;
            struct source s = { 0 };
            assay_slice all;
            assert_int_equal(open_source(&s, FROM_MEMORY, compressed), 0);
            int rc = input_map(s.in, &all, &s.err);
            assert_int_equal(rc, s.err.code);
            if (rc == 0) assert_true(all.len == plain.len && memcmp(all.data, plain.at, all.len) == 0);
            close_source(&s);
            compressed.at[i] ^= 0xff;
        }
        free(compressed.at);
    }
    free(plain.at);
}

static void more_unpacked_bytes_than_allowed_are_refused(void **state)
{
    (void)state;
    struct bytes plain = text_new(3 * MIB, 13);
    for (size_t p = 1; p < PACKS; p++) {
        struct bytes compressed = packs[p].pack(plain);
        for (int exact = 0; exact < 2; exact++) {
            struct source s = { .options.max_output = exact ? plain.len : plain.len - 1 };
            size_t seen;
            assert_int_equal(open_source(&s, FROM_FILE, compressed), 0);
            assert_int_equal(read_blocks(&s, plain, false, &seen), exact ? 0 : ASSAY_ERR_LIMIT);
            assert_int_equal(seen, s.options.max_output);
            if (!exact) assert_int_equal(s.err.hint, ASSAY_HINT_MAX_OUTPUT);
            close_source(&s);
        }
        free(compressed.at);
    }
    free(plain.at);
}

/* A line of 5 MiB behind a short one: with 4 MiB it is refused where it begins, with 5 it is read; so is what a reader keeps. */
static void a_line_longer_than_allowed_is_refused(void **state)
{
    (void)state;
    struct bytes plain = text_new(6 * MIB, 15);
    memset(plain.at, 'x', plain.len);
    plain.at[99] = plain.at[5 * MIB + 99] = '\n';
    for (enum from from = 0; from < FROM_PIPE; from++)
        for (uint64_t limit = 4; limit <= 5; limit++) {
            struct source s = { .options.max_string = limit * MIB };
            size_t seen;
            assert_int_equal(open_source(&s, from, plain), 0);
            assert_int_equal(read_blocks(&s, plain, true, &seen), limit == 5 ? 0 : ASSAY_ERR_LIMIT);
            if (limit == 4) assert_int_equal(seen, 100);
            if (limit == 4) assert_int_equal(s.err.offset, 100);
            if (limit == 4) assert_int_equal(s.err.hint, ASSAY_HINT_MAX_STRING);
            close_source(&s);
        }
    struct source s = { .options.max_string = 2 * MIB };
    assay_slice block = { NULL, 0 };
    uint64_t off;
    int rc = open_source(&s, FROM_FILE, plain);
    while (rc == 0) rc = input_block_keep(s.in, block.len, &block, &off, &s.err);
    assert_int_equal(rc, ASSAY_ERR_LIMIT);
    assert_int_equal(s.err.offset, 0);
    assert_true(s.mem.peak < 8 * MIB);
    close_source(&s);
    free(plain.at);
}

static void mapping_a_packed_input_keeps_within_the_memory(void **state)
{
    (void)state;
    struct bytes plain = text_new(20 * MIB, 14), compressed = zstd_of(plain);
    struct source s = { .mem.limit = 9 * MIB };
    assay_slice all;
    assert_int_equal(open_source(&s, FROM_FILE, compressed), 0);
    assert_int_equal(input_map(s.in, &all, &s.err), ASSAY_ERR_MEMORY);
    assert_true(s.mem.peak <= 9 * MIB);
    close_source(&s);
    free(plain.at);
    free(compressed.at);
}

static void closing_early_stops_the_thread(void **state)
{
    (void)state;
    struct bytes plain = text_new(7 * MIB, 15);
    for (size_t p = 1; p < PACKS; p++) {
        struct bytes compressed = packs[p].pack(plain);
        for (int blocks = 0; blocks < 7; blocks++) {
            struct source s = { 0 };
            assay_slice block;
            uint64_t off;
            assert_int_equal(open_source(&s, FROM_FILE, compressed), 0);
            for (int i = 0; i < blocks; i++) assert_int_equal(input_block(s.in, true, &block, &off, &s.err), 0);
            close_source(&s);
        }
        free(compressed.at);
    }
    free(plain.at);
}

/* The writer says nothing more and does not close: only closing the reader can end it. */
static void closing_does_not_wait_for_a_silent_pipe(void **state)
{
    (void)state;
    struct bytes plain = noise_new(4 * MIB, 16), compressed = gzip_of(plain);
    struct source s = { .options.mem = &s.mem };
    int fds[2], saved = dup(0);
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(dup2(fds[0], 0), 0);
    close(fds[0]);
    s.bytes = (struct bytes){ compressed.at, compressed.len - 2 * MIB };
    s.write_fd = dup(fds[1]);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_pipe, &s), 0);
    assert_int_equal(input_open(&s.in, "-", &s.options, &s.err), 0);
    assay_slice block;
    uint64_t off;
    for (int i = 0; i < 2; i++) assert_int_equal(input_block(s.in, false, &block, &off, &s.err), 0);
    pthread_join(writer, NULL);
    input_close(s.in);
    assert_int_equal(s.mem.used, 0);
    close(fds[1]);
    dup2(saved, 0);
    close(saved);
    free(plain.at);
    free(compressed.at);
}

static int count_and_stop(void *arg, uint64_t done, uint64_t total)
{
    uint64_t *seen = arg;
    seen[0]++;
    seen[1] = done;
    seen[2] = total;
    return seen[3] != 0;
}

static void progress_tells_packed_bytes_and_can_cancel(void **state)
{
    (void)state;
    struct bytes plain = text_new(6 * MIB, 17), compressed = gzip_of(plain);
    for (uint64_t cancel = 0; cancel < 2; cancel++) {
        uint64_t told[4] = { 0, 0, 0, cancel };
        struct source s = { .options = { .progress = count_and_stop, .progress_arg = told } };
        size_t seen;
        assert_int_equal(open_source(&s, FROM_FILE, compressed), 0);
        assert_int_equal(read_blocks(&s, plain, true, &seen), cancel ? ASSAY_ERR_CANCELLED : 0);
        assert_true(told[0] >= 1);
        assert_true(told[1] > 0 && told[1] <= compressed.len);
        assert_int_equal(told[2], compressed.len);
        assert_int_equal(seen < plain.len, cancel);
        close_source(&s);
    }
    free(plain.at);
    free(compressed.at);
}

static void what_cannot_be_opened_is_named(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    struct input_options options = { .mem = &mem };
    struct input *in;
    assay_error err = { 0 };
    assert_int_equal(input_open(&in, "/nonexistent/profile.out", &options, &err), ASSAY_ERR_SYSTEM);
    assert_null(in);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_string_equal(err.path, "/nonexistent/profile.out");
    char text[120];
    snprintf(text, sizeof text, "cannot open: %s", strerror(ENOENT)); /* C libraries have sentences of their own */
    assert_string_equal(err.text, text);
    assert_int_equal(input_open(&in, "/nonexistent/profile.out", &options, NULL), ASSAY_ERR_SYSTEM);
    err = (assay_error){ 0 };
    assert_int_equal(input_open(&in, "/proc/self/mem", &options, &err), ASSAY_ERR_SYSTEM); /* opens, but nothing lies at its beginning */
    assert_int_equal(err.sys_errno, EIO);
    snprintf(text, sizeof text, "cannot read at offset 0: %s", strerror(EIO));
    assert_string_equal(err.text, text);
    assert_string_equal(err.path, "/proc/self/mem");
    assert_int_equal(mem.used, 0);
}

static void a_packing_the_build_lacks_is_named(void **state)
{
    (void)state;
#ifdef ASSAY_HAVE_LZMA
    skip();
#else
    struct source s = { 0 };
    assay_slice all;
    assert_int_equal(open_source(&s, FROM_MEMORY, (struct bytes){ (uint8_t *)"\3757zXZ\0rest", 10 }), 0);
    assert_int_equal(input_packing(s.in), INPUT_XZ);
    assert_int_equal(input_peek(s.in, &all, &s.err), ASSAY_ERR_UNSUPPORTED);
    assert_int_equal(input_map(s.in, &all, &s.err), ASSAY_ERR_UNSUPPORTED);
    assert_string_equal(s.err.text, "compressed with xz, which this build of assay cannot read");
    close_source(&s);
#endif
}

static void devices_and_directories_open(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    struct input_options options = { .mem = &mem };
    struct input *in;
    assay_error err = { 0 };
    assay_slice s;
    uint64_t off;
    assert_int_equal(input_open(&in, "/dev/null", &options, &err), 0);
    assert_false(input_is_dir(in));
    assert_int_equal(input_peek(in, &s, &err), 0);
    assert_int_equal(s.len, 0);
    assert_int_equal(input_map(in, &s, &err), 0);
    assert_int_equal(s.len, 0);
    input_close(in);
    assert_int_equal(input_open(&in, "/proc/self/status", &options, &err), 0); /* a regular file that says it is empty */
    assert_int_equal(input_map(in, &s, &err), 0);
    assert_true(slice_starts(s, "Name:"));
    input_close(in);
    assert_int_equal(input_open(&in, "/tmp", &options, &err), 0);
    assert_true(input_is_dir(in));
    assert_string_equal(input_path(in), "/tmp");
    assert_int_equal(input_block(in, true, &s, &off, &err), ASSAY_ERR_SYSTEM);
    assert_int_equal(err.sys_errno, EISDIR);
    input_close(in);
    assert_int_equal(mem.used, 0);
}

static void a_file_cut_while_it_is_read_ends_early(void **state)
{
    (void)state;
    struct bytes plain = text_new(5 * MIB, 18);
    struct source s = { 0 };
    size_t seen = 0;
    assert_int_equal(open_source(&s, FROM_FILE, plain), 0);
    assert_int_equal(truncate(s.path, 2 * MIB + 100), 0);
    assert_int_equal(read_blocks(&s, (struct bytes){ plain.at, 2 * MIB + 100 }, true, &seen), 0);
    assert_int_equal(seen, 2 * MIB + 100);
    close_source(&s);
    free(plain.at);
}

static void each_refused_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    const size_t lengths[] = { MIB, 2 * MIB, 30 };
    struct bytes plain = lines_new(lengths, 3);
    for (size_t p = 0; p < PACKS; p++)
        for (int map = 0; map < 2; map++) {
            struct bytes compressed = packs[p].pack(plain);
            int rc = ASSAY_ERR_MEMORY;
            for (uint64_t n = 1; rc != 0; n++) {
                struct source s = { .mem.fail_at = n };
                size_t seen = 0;
                assay_slice all;
                rc = open_source(&s, map ? FROM_PIPE : FROM_FILE, compressed);
                if (rc == 0) rc = map ? input_map(s.in, &all, &s.err) : read_blocks(&s, plain, true, &seen);
                assert_int_equal(rc, s.err.code);
                assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
                assert_true(n < 200);
                close_source(&s);
            }
            free(compressed.at);
        }
    free(plain.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_source_and_packing_gives_the_same_blocks),
        cmocka_unit_test(noise_without_lines_comes_whole),
        cmocka_unit_test(lines_are_never_torn),
        cmocka_unit_test(a_line_of_sixty_megabytes_is_one_block),
        cmocka_unit_test(lines_may_be_asked_for_now_and_then),
        cmocka_unit_test(peeking_takes_nothing),
        cmocka_unit_test(mapping_gives_all_bytes_after_a_peek_or_without),
        cmocka_unit_test(a_large_plain_file_is_reached_without_taking_memory),
        cmocka_unit_test(a_file_that_shrinks_or_changes_is_told),
        cmocka_unit_test(a_cut_file_gives_all_there_is_and_then_the_error),
        cmocka_unit_test(a_large_cut_file_gives_all_there_is_through_the_thread),
        cmocka_unit_test(a_wrong_checksum_is_damage_after_all_the_bytes),
        cmocka_unit_test(flipped_bytes_never_crash_and_never_lie),
        cmocka_unit_test(more_unpacked_bytes_than_allowed_are_refused),
        cmocka_unit_test(a_line_longer_than_allowed_is_refused),
        cmocka_unit_test(mapping_a_packed_input_keeps_within_the_memory),
        cmocka_unit_test(closing_early_stops_the_thread),
        cmocka_unit_test(closing_does_not_wait_for_a_silent_pipe),
        cmocka_unit_test(progress_tells_packed_bytes_and_can_cancel),
        cmocka_unit_test(what_cannot_be_opened_is_named),
        cmocka_unit_test(a_packing_the_build_lacks_is_named),
        cmocka_unit_test(devices_and_directories_open),
        cmocka_unit_test(a_file_cut_while_it_is_read_ends_early),
        cmocka_unit_test(each_refused_allocation_is_reported_and_nothing_leaks),
    };
    signal(SIGPIPE, SIG_IGN); /* the pipe writer outlives a reader that gave up */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
