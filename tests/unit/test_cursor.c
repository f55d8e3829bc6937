/* The bounded cursor: every get at every distance from the end. The bytes are in blocks of their exact size, so that a sanitizer sees
 * each read beyond them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/cursor.h"

enum { LEN = 12 };

/* 0x11, 0x22, ... in a block of exactly `len` bytes. */
static __attribute__((noinline)) unsigned char *bytes_new(size_t len)
{
    unsigned char *p = malloc(len ? len : 1);
    assert_non_null(p);
    for (size_t i = 0; i < len; i++) p[i] = (unsigned char)(0x11 * (i + 1));
    return p;
}

static uint64_t expected(const unsigned char *p, unsigned n, bool big)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) v = v * 256 + p[big ? i : n - 1 - i];
    return v;
}

/* Gets of n bytes: width, order and function. */
static bool get_u16le(struct cursor *c, uint64_t *v)
{
    uint16_t x = 1;
    bool ok = cursor_u16le(c, &x);
    return *v = x, ok;
}
static bool get_u32le(struct cursor *c, uint64_t *v)
{
    uint32_t x = 1;
    bool ok = cursor_u32le(c, &x);
    return *v = x, ok;
}
static bool get_u16be(struct cursor *c, uint64_t *v)
{
    uint16_t x = 1;
    bool ok = cursor_u16be(c, &x);
    return *v = x, ok;
}
static bool get_u32be(struct cursor *c, uint64_t *v)
{
    uint32_t x = 1;
    bool ok = cursor_u32be(c, &x);
    return *v = x, ok;
}
static bool get_u8(struct cursor *c, uint64_t *v)
{
    uint8_t x = 1;
    bool ok = cursor_u8(c, &x);
    return *v = x, ok;
}

static void check_get(bool (*get)(struct cursor *, uint64_t *), unsigned n, bool big)
{
    for (size_t len = 0; len <= LEN; len++) {
        unsigned char *p = bytes_new(len);
        for (size_t at = 0; at <= len; at++) {
            struct cursor c = cursor_of(p, len);
            uint64_t v = 1;
            assert_true(cursor_seek(&c, at));
            bool fits = at + n <= len;
            assert_int_equal(get(&c, &v), fits);
            assert_true(v == (fits ? expected(p + at, n, big) : 0));
            assert_int_equal(cursor_off(&c), fits ? at + n : at);
        }
        free(p);
    }
}

static void every_get_stops_at_the_end(void **state)
{
    (void)state;
    check_get(get_u8, 1, false);
    check_get(get_u16le, 2, false);
    check_get(get_u32le, 4, false);
    check_get(cursor_u64le, 8, false);
    check_get(get_u16be, 2, true);
    check_get(get_u32be, 4, true);
    check_get(cursor_u64be, 8, true);
}

static void any_number_of_bytes_up_to_eight_is_assembled(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 8; n++) {
        for (size_t len = 0; len <= LEN; len++) {
            unsigned char *p = bytes_new(len);
            struct cursor little = cursor_of(p, len), big = little;
            uint64_t v = 1;
            assert_int_equal(cursor_le(&little, n, &v), n <= len);
            assert_true(v == (n <= len ? expected(p, n, false) : 0));
            v = 1;
            assert_int_equal(cursor_be(&big, n, &v), n <= len);
            assert_true(v == (n <= len ? expected(p, n, true) : 0));
            assert_int_equal(cursor_off(&little), n <= len ? n : 0);
            assert_int_equal(cursor_off(&big), n <= len ? n : 0);
            free(p);
        }
    }
}

static void seek_and_skip_reach_the_end_and_no_further(void **state)
{
    (void)state;
    unsigned char *p = bytes_new(LEN);
    struct cursor c = cursor_of(p, LEN);
    assert_true(cursor_skip(&c, 5));
    assert_int_equal(cursor_left(&c), LEN - 5);
    assert_false(cursor_skip(&c, LEN - 4));
    assert_false(cursor_skip(&c, UINT64_MAX));
    assert_int_equal(cursor_off(&c), 5);
    assert_true(cursor_skip(&c, LEN - 5));
    assert_int_equal(cursor_left(&c), 0);
    assert_true(cursor_skip(&c, 0));
    assert_true(cursor_seek(&c, 0));
    assert_true(cursor_seek(&c, LEN));
    assert_false(cursor_seek(&c, LEN + 1));
    assert_false(cursor_seek(&c, UINT64_MAX));
    assert_int_equal(cursor_off(&c), LEN);
    free(p);
}

static void counts_are_checked_against_the_bytes_left(void **state)
{
    (void)state;
    unsigned char *p = bytes_new(LEN);
    struct cursor c = cursor_of(p, LEN);
    assert_true(cursor_fits(&c, LEN, 1));
    assert_false(cursor_fits(&c, LEN + 1, 1));
    assert_true(cursor_fits(&c, 3, 4));
    assert_false(cursor_fits(&c, 4, 4));
    assert_true(cursor_fits(&c, 2, 5));
    assert_false(cursor_fits(&c, 3, 5));
    assert_false(cursor_fits(&c, UINT64_MAX, 8));
    assert_false(cursor_fits(&c, (UINT64_MAX >> 3) + 2, 8)); /* the product wraps to 8 */
    assert_true(cursor_fits(&c, UINT64_MAX, 0));
    assert_true(cursor_fits(&c, 0, UINT64_MAX));
    free(p);
}

static void bytes_are_borrowed_in_place(void **state)
{
    (void)state;
    unsigned char *p = bytes_new(LEN);
    for (size_t at = 0; at <= LEN; at++) {
        for (uint64_t len = 0; len <= LEN + 2; len++) {
            struct cursor c = cursor_of(p, LEN);
            assay_slice s = { "x", 1 };
            assert_true(cursor_seek(&c, at));
            bool fits = at + len <= LEN;
            assert_int_equal(cursor_bytes(&c, len, &s), fits);
            assert_ptr_equal(s.data, fits ? (const char *)p + at : NULL);
            assert_int_equal(s.len, fits ? len : 0);
            assert_int_equal(cursor_off(&c), fits ? at + len : at);
        }
    }
    struct cursor c = cursor_of(p, LEN);
    assay_slice s;
    assert_false(cursor_bytes(&c, UINT64_MAX, &s));
    free(p);
}

static void until_stops_before_the_byte_and_goes_behind_it(void **state)
{
    (void)state;
    static const char text[] = "one\ntwo\n\nlast";
    struct cursor c = cursor_of(text, sizeof text - 1);
    assay_slice s;
    assert_true(cursor_until(&c, '\n', &s));
    assert_true(slice_is(s, "one"));
    assert_true(cursor_until(&c, '\n', &s));
    assert_true(slice_is(s, "two"));
    assert_true(cursor_until(&c, '\n', &s));
    assert_int_equal(s.len, 0);
    assert_non_null(s.data);
    assert_int_equal(cursor_off(&c), 9);
    assert_false(cursor_until(&c, '\n', &s));
    assert_null(s.data);
    assert_int_equal(cursor_off(&c), 9);
    assert_true(cursor_seek(&c, sizeof text - 1));
    assert_false(cursor_until(&c, '\n', &s));
}

static void no_bytes_at_all_are_an_end_too(void **state)
{
    (void)state;
    struct cursor c = cursor_of(NULL, 0);
    uint8_t byte;
    uint64_t v;
    assay_slice s;
    assert_int_equal(cursor_left(&c), 0);
    assert_false(cursor_u8(&c, &byte));
    assert_false(cursor_u64le(&c, &v));
    assert_false(cursor_varint(&c, &v));
    assert_false(cursor_until(&c, 0, &s));
    assert_true(cursor_bytes(&c, 0, &s));
    assert_true(cursor_seek(&c, 0));
    assert_false(cursor_skip(&c, 1));
}

static size_t varint_put(unsigned char *p, uint64_t v)
{
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) p[n++] = (unsigned char)(v | 0x80);
    p[n++] = (unsigned char)v;
    return n;
}

static void varints_of_every_length_are_read_and_none_is_read_when_cut(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit <= 64; bit++) {
        uint64_t around = bit == 64 ? 0 : (uint64_t)1 << bit;
        for (unsigned k = 0; k < 3; k++) {
            uint64_t value = around + k - 1, got = 1;
            unsigned char buf[10];
            size_t n = varint_put(buf, value);
            for (size_t len = 0; len <= n; len++) {
                unsigned char *p = malloc(len ? len : 1);
                assert_non_null(p);
                memcpy(p, buf, len);
                struct cursor c = cursor_of(p, len);
                assert_int_equal(cursor_varint(&c, &got), len == n);
                assert_true(got == (len == n ? value : 0));
                assert_int_equal(cursor_off(&c), len == n ? n : 0);
                free(p);
            }
        }
    }
}

static void varints_beyond_64_bits_are_refused(void **state)
{
    (void)state;
    static const struct {
        unsigned char bytes[12];
        bool ok;
        uint64_t value;
    } cases[] = {
        { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 }, true, UINT64_MAX },
        { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02 }, false, 0 },
        { { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 }, true, (uint64_t)1 << 63 },
        { { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 0x00 }, false, 0 },
        { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 }, false, 0 },
        { { 0x80, 0x00 }, true, 0 }, /* longer than need be, but a number */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cursor c = cursor_of(cases[i].bytes, sizeof cases[i].bytes);
        uint64_t v = 1;
        assert_int_equal(cursor_varint(&c, &v), cases[i].ok);
        assert_true(v == cases[i].value);
        if (!cases[i].ok) assert_int_equal(cursor_off(&c), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_get_stops_at_the_end),
        cmocka_unit_test(any_number_of_bytes_up_to_eight_is_assembled),
        cmocka_unit_test(seek_and_skip_reach_the_end_and_no_further),
        cmocka_unit_test(counts_are_checked_against_the_bytes_left),
        cmocka_unit_test(bytes_are_borrowed_in_place),
        cmocka_unit_test(until_stops_before_the_byte_and_goes_behind_it),
        cmocka_unit_test(no_bytes_at_all_are_an_end_too),
        cmocka_unit_test(varints_of_every_length_are_read_and_none_is_read_when_cut),
        cmocka_unit_test(varints_beyond_64_bits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
