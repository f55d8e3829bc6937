/* Unpacking step by step, by every codec of the build: whole, in pieces, cut, flipped, out of memory. */
#include "base/inflate.h"
#include "pack.h"

struct kind {
    const struct inflate_codec *codec;
    struct bytes (*pack)(struct bytes plain);
};

static const struct kind kinds[] = {
    { &inflate_zlib, gzip_of },
#ifdef ASSAY_HAVE_ISAL
    { &inflate_isal, gzip_of },
#endif
    { &inflate_zstd, zstd_of },
#ifdef ASSAY_HAVE_LZMA
    { &inflate_xz, xz_of },
#endif
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool is_gzip(const struct kind *k) { return k->pack == gzip_of; }

/* What came out of it, and how it ended. */
struct result {
    struct bytes out;
    enum inflate_status status;
    const char *reason;
    size_t used, back;
};

/* Unpacks with input given `in_step` bytes and output taken `out_step` bytes at a time. */
static struct result unpack(const struct inflate_codec *codec, struct bytes compressed, size_t in_step, size_t out_step, size_t room, struct mem *mem)
{
    struct result r = { bytes_new(room), INFLATE_NO_MEMORY, "", 0, 0 };
    struct inflate *z = inflate_new(codec, mem);
    r.out.len = 0;
    if (!z) return r;
    do {
        size_t in_len = compressed.len - r.used < in_step ? compressed.len - r.used : in_step;
        size_t out_len = room - r.out.len < out_step ? room - r.out.len : out_step;
        /* A heap block of the exact length each time, so that a byte too many is seen by the sanitizer. */
        struct bytes in = bytes_new(in_len), out = bytes_new(out_len);
        memcpy(in.at, compressed.at + r.used, in_len);
        struct inflate_io io = { in.at, in_len, out.at, out_len, r.used + in_len == compressed.len, 0 };
        r.status = inflate_run(z, &io, &r.reason);
        memcpy(r.out.at + r.out.len, out.at, out_len - io.out_len);
        r.used += in_len - io.in_len;
        r.back = io.back;
        r.out.len += out_len - io.out_len;
        free(in.at);
        free(out.at);
    } while (r.status == INFLATE_GO_ON && r.out.len < room);
    inflate_free(z);
    return r;
}

static struct result unpack_all(const struct inflate_codec *codec, struct bytes compressed, size_t room)
{
    struct mem mem;
    mem_init(&mem, 0);
    struct result r = unpack(codec, compressed, SIZE_MAX, SIZE_MAX, room, &mem);
    assert_int_equal(mem.used, 0);
    return r;
}

static void assert_unpacks(const struct inflate_codec *codec, struct bytes compressed, struct bytes plain, size_t in_step, size_t out_step)
{
    struct mem mem;
    mem_init(&mem, 0);
    struct result r = unpack(codec, compressed, in_step, out_step, plain.len + 1, &mem);
    assert_int_equal(r.status, INFLATE_END);
    assert_int_equal(r.used, compressed.len);
    assert_int_equal(r.out.len, plain.len);
    assert_memory_equal(r.out.at, plain.at, plain.len);
    assert_int_equal(mem.used, 0);
    free(r.out.at);
}

static void any_step_sizes_give_the_same_bytes(void **state)
{
    (void)state;
    static const size_t steps[][2] = { { SIZE_MAX, SIZE_MAX }, { 1, SIZE_MAX }, { SIZE_MAX, 1 }, { 7, 13 },
                                       { 4096, 100 },          { 100, 40000 },  { 1, 1 },        { 333, 65537 } };
    for (size_t k = 0; k < KINDS; k++) {
        struct bytes plain = bytes_join(text_new(90000, 1), noise_new(5000, 2)), compressed = kinds[k].pack(plain);
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) assert_unpacks(kinds[k].codec, compressed, plain, steps[i][0], steps[i][1]);
        free(plain.at);
        free(compressed.at);
    }
}

static void nothing_packed_gives_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        struct bytes plain = bytes_new(0), compressed = kinds[k].pack(plain);
        assert_unpacks(kinds[k].codec, compressed, plain, SIZE_MAX, SIZE_MAX);
        assert_unpacks(kinds[k].codec, compressed, plain, 1, 1);
        free(plain.at);
        free(compressed.at);
    }
}

/* Members of many sizes, so that ends fall on every place relative to the steps. */
static void members_are_joined(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        struct bytes plain = bytes_new(0), compressed = bytes_new(0);
        for (uint32_t i = 0; i < 60; i++) {
            struct bytes part = i % 7 == 3 ? bytes_new(0) : text_new(i * i * 5 + 1, i);
            compressed = bytes_join(compressed, kinds[k].pack(part));
            plain = bytes_join(plain, part);
        }
        for (size_t in_step = 1; in_step < 40; in_step += 3) assert_unpacks(kinds[k].codec, compressed, plain, in_step, 50 + in_step);
        assert_unpacks(kinds[k].codec, compressed, plain, SIZE_MAX, SIZE_MAX);
        free(plain.at);
        free(compressed.at);
    }
}

static void every_kind_of_deflate_block_is_read(void **state)
{
    (void)state;
    static const int how[][2] = { { 0, Z_DEFAULT_STRATEGY }, { 1, Z_FIXED }, { 6, Z_HUFFMAN_ONLY }, { 9, Z_RLE }, { 9, Z_DEFAULT_STRATEGY } };
    struct bytes plain = bytes_join(text_new(200000, 3), noise_new(70000, 4));
    for (size_t k = 0; k < KINDS && is_gzip(&kinds[k]); k++)
        for (size_t i = 0; i < sizeof how / sizeof how[0]; i++) {
            struct bytes compressed = gzip_with(plain, how[i][0], how[i][1], NULL);
            assert_unpacks(kinds[k].codec, compressed, plain, SIZE_MAX, SIZE_MAX);
            assert_unpacks(kinds[k].codec, compressed, plain, 1000, 777);
            free(compressed.at);
        }
    free(plain.at);
}

static void gzip_header_fields_are_passed_over(void **state)
{
    (void)state;
    Bytef extra[300] = { 1, 2, 3 };
    gz_header header = {
        .text = 1, .time = 99, .os = 3, .extra = extra, .extra_len = sizeof extra, .name = (Bytef *)"a name", .comment = (Bytef *)"said", .hcrc = 1
    };
    struct bytes plain = text_new(3000, 5), one = gzip_with(plain, 6, Z_DEFAULT_STRATEGY, &header), two = gzip_with(plain, 6, Z_DEFAULT_STRATEGY, &header);
    struct bytes compressed = bytes_join(one, two), same = text_new(3000, 5);
    plain = bytes_join(plain, same);
    for (size_t k = 0; k < KINDS && is_gzip(&kinds[k]); k++)
        for (size_t step = 1; step < 700; step += 9) assert_unpacks(kinds[k].codec, compressed, plain, step, SIZE_MAX);
    free(plain.at);
    free(compressed.at);
}

static void zeros_after_gzip_are_padding_and_rubbish_is_damage(void **state)
{
    (void)state;
    static const struct {
        const char *tail;
        size_t len;
        enum inflate_status status;
    } cases[] = { { "\0", 1, INFLATE_END },
                  { "\0\0\0\0\0\0\0\0\0\0\0", 11, INFLATE_END },
                  { "rubbish", 7, INFLATE_DAMAGED },
                  { "\0\0\0x", 4, INFLATE_DAMAGED },
                  { "\x1f", 1, INFLATE_CUT },
                  { "\x1f\x8b\x08", 3, INFLATE_CUT },
                  { "\x1frubbish that is long", 21, INFLATE_DAMAGED } };
    for (size_t k = 0; k < KINDS && is_gzip(&kinds[k]); k++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct bytes plain = text_new(3000, 6), compressed = gzip_of(plain), tail = bytes_new(cases[i].len);
            memcpy(tail.at, cases[i].tail, tail.len);
            compressed = bytes_join(compressed, tail);
            struct result r = unpack_all(kinds[k].codec, compressed, plain.len + 1);
            assert_int_equal(r.status, cases[i].status);
            assert_int_equal(r.out.len, plain.len);
            free(r.out.at);
            free(plain.at);
            free(compressed.at);
        }
}

static void skippable_zstd_frames_are_passed_over(void **state)
{
    (void)state;
    struct bytes plain = text_new(3000, 7), skip = bytes_new(13);
    memcpy(skip.at, "\x53\x2a\x4d\x18\x05\0\0\0hello", 13);
    struct bytes compressed = bytes_join(skip, zstd_of(plain));
    assert_unpacks(&inflate_zstd, compressed, plain, SIZE_MAX, SIZE_MAX);
    assert_unpacks(&inflate_zstd, compressed, plain, 1, SIZE_MAX);
    free(plain.at);
    free(compressed.at);
}

static void a_cut_stream_gives_a_prefix_and_says_cut(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        struct bytes plain = text_new(6000, 8), compressed = kinds[k].pack(plain);
        size_t before = 0;
        for (size_t len = 1; len < compressed.len; len++) {
            struct result r = unpack_all(kinds[k].codec, (struct bytes){ compressed.at, len }, plain.len + 1);
            assert_int_equal(r.status, INFLATE_CUT);
            assert_int_equal(r.used, len);
            assert_true(r.out.len >= before && r.out.len <= plain.len);
            assert_memory_equal(r.out.at, plain.at, r.out.len);
            before = r.out.len;
            free(r.out.at);
        }
        assert_int_equal(before, plain.len); /* only the check was missing at the last cut */
        free(plain.at);
        free(compressed.at);
    }
}

/* zlib gives every byte whose code is complete; nobody may give noticeably less. */
static void isal_gives_as_much_of_a_cut_stream_as_zlib(void **state)
{
    (void)state;
#ifdef ASSAY_HAVE_ISAL
    struct bytes plain = text_new(40000, 9), compressed = gzip_of(plain);
    for (size_t len = 20; len < compressed.len; len += 11) {
        struct result a = unpack_all(&inflate_zlib, (struct bytes){ compressed.at, len }, plain.len + 1);
        struct result b = unpack_all(&inflate_isal, (struct bytes){ compressed.at, len }, plain.len + 1);
        assert_true(b.out.len + 8 >= a.out.len);
        free(a.out.at);
        free(b.out.at);
    }
    free(plain.at);
    free(compressed.at);
#else
    skip();
#endif
}

/* Of the checksum and of the length, in steps that part them in every way. */
static void a_wrong_check_is_placed_where_the_checks_begin(void **state)
{
    (void)state;
    struct bytes plain = text_new(3000, 14), compressed = gzip_of(plain);
    for (size_t at = compressed.len - 8; at < compressed.len; at++) {
        compressed.at[at] ^= 1;
        for (size_t k = 0; k < KINDS; k++)
            for (size_t step = 1; is_gzip(&kinds[k]) && step < 20; step++) {
                struct mem mem;
                mem_init(&mem, 0);
                struct result r = unpack(kinds[k].codec, compressed, step, SIZE_MAX, plain.len + 1, &mem);
                assert_int_equal(r.status, INFLATE_DAMAGED);
                assert_int_equal(r.out.len, plain.len);
                assert_int_equal(r.used - r.back, compressed.len - 8);
                free(r.out.at);
            }
        compressed.at[at] ^= 1;
    }
    free(plain.at);
    free(compressed.at);
}

static void a_flipped_bit_never_passes_for_other_data(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        struct bytes plain = text_new(2000, 10), compressed = kinds[k].pack(plain);
        size_t found = 0;
        for (size_t i = 0; i < compressed.len * 8; i++) {
            compressed.at[i / 8] ^= (uint8_t)(1 << i % 8);
            struct result r = unpack_all(kinds[k].codec, compressed, 100000);
            if (r.status == INFLATE_END) {
                assert_int_equal(r.out.len, plain.len);
                assert_memory_equal(r.out.at, plain.at, plain.len);
            } else {
                found++;
            }
            if (r.status == INFLATE_DAMAGED) assert_true(strlen(r.reason) > 0);
            free(r.out.at);
            compressed.at[i / 8] ^= (uint8_t)(1 << i % 8);
        }
        assert_true(found > compressed.len * 7);
        free(plain.at);
        free(compressed.at);
    }
}

static void noise_after_a_good_head_does_no_harm(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        struct bytes plain = text_new(500, 11), head = kinds[k].pack(plain);
        for (uint32_t seed = 0; seed < 300; seed++) {
            struct bytes compressed = noise_new(400, seed);
            memcpy(compressed.at, head.at, 1 + seed % (head.len < 60 ? head.len : 60));
            struct result r = unpack_all(kinds[k].codec, compressed, 300000);
            assert_int_not_equal(r.status, INFLATE_END);
            free(r.out.at);
            free(compressed.at);
        }
        free(plain.at);
        free(head.at);
    }
}

static void each_refused_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        struct bytes plain = text_new(50000, 12), compressed = kinds[k].pack(plain);
        enum inflate_status status = INFLATE_NO_MEMORY;
        uint64_t n = 1;
        for (; status != INFLATE_END; n++) {
            struct mem mem;
            mem_init(&mem, 0);
            mem.fail_at = n;
            struct result r = unpack(kinds[k].codec, compressed, 1000, 1000, plain.len + 1, &mem);
            status = r.status;
            assert_true(status == INFLATE_END || status == INFLATE_NO_MEMORY);
            assert_int_equal(mem.used, 0);
            assert_true(n < 1000);
            free(r.out.at);
        }
        assert_true(n > 2);
        free(plain.at);
        free(compressed.at);
    }
}

static void a_zstd_window_beyond_reason_is_refused(void **state)
{
    (void)state;
    /* RFC 8878 3.1.1.1.2: window descriptor 0xa8 = 2^(10+21) bytes. */
    static uint8_t frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00 };
    struct result r = unpack_all(&inflate_zstd, (struct bytes){ frame, sizeof frame }, 10);
    assert_int_equal(r.status, INFLATE_TOO_LARGE);
    free(r.out.at);
}

static void the_end_stays_the_end(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    struct bytes plain = text_new(100, 13), compressed = gzip_of(plain);
    struct inflate *z = inflate_new(inflate_codec_for(INPUT_GZIP), &mem);
    uint8_t out[200];
    const char *reason;
    struct inflate_io io = { compressed.at, compressed.len, out, sizeof out, true, 0 };
    assert_int_equal(inflate_run(z, &io, &reason), INFLATE_END);
    io = (struct inflate_io){ compressed.at, compressed.len, out, sizeof out, true, 0 };
    assert_int_equal(inflate_run(z, &io, &reason), INFLATE_END);
    assert_int_equal(io.out_len, sizeof out);
    assert_null(inflate_codec_for(INPUT_PLAIN));
    inflate_free(z);
    inflate_free(NULL);
    free(plain.at);
    free(compressed.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_step_sizes_give_the_same_bytes),
        cmocka_unit_test(nothing_packed_gives_nothing),
        cmocka_unit_test(members_are_joined),
        cmocka_unit_test(every_kind_of_deflate_block_is_read),
        cmocka_unit_test(gzip_header_fields_are_passed_over),
        cmocka_unit_test(zeros_after_gzip_are_padding_and_rubbish_is_damage),
        cmocka_unit_test(skippable_zstd_frames_are_passed_over),
        cmocka_unit_test(a_cut_stream_gives_a_prefix_and_says_cut),
        cmocka_unit_test(isal_gives_as_much_of_a_cut_stream_as_zlib),
        cmocka_unit_test(a_wrong_check_is_placed_where_the_checks_begin),
        cmocka_unit_test(a_flipped_bit_never_passes_for_other_data),
        cmocka_unit_test(noise_after_a_good_head_does_no_harm),
        cmocka_unit_test(each_refused_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(a_zstd_window_beyond_reason_is_refused),
        cmocka_unit_test(the_end_stays_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
