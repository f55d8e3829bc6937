/* UTF-16 becomes UTF-8, however the bytes come and however little room there is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/inflate.h"
#include "base/slice.h"

enum { UNITS_MOST = 32, TEXT_MOST = 128 };

static const struct {
    const char *what, *utf8;
    uint16_t units[UNITS_MOST]; /* 0 = the end */
} cases[] = {
    { "mark alone", "", { 0xfeff } },
    { "letters", "a;b 1\n", { 0xfeff, 'a', ';', 'b', ' ', '1', '\n' } },
    { "two and three bytes", "\xc3\xbc\xe2\x82\xac\xef\xbf\xbf", { 0xfeff, 0xfc, 0x20ac, 0xffff } },
    { "a pair", "x\xf0\x9f\x94\xa5y", { 0xfeff, 'x', 0xd83d, 0xdd25, 'y' } },
    { "a second mark is text", "\xef\xbb\xbf", { 0xfeff, 0xfeff } },
    { "second half alone", "\xef\xbf\xbd!", { 0xfeff, 0xdd25, '!' } },
    { "first half alone", "\xef\xbf\xbd!", { 0xfeff, 0xd83d, '!' } },
    { "first half twice", "\xef\xbf\xbd\xf0\x9f\x94\xa5", { 0xfeff, 0xd83d, 0xd83d, 0xdd25 } },
    { "first half at the end", "a\xef\xbf\xbd", { 0xfeff, 'a', 0xd83d } },
};

static size_t bytes_of(const uint16_t *units, bool is_big, uint8_t *out)
{
    size_t len = 0;
    for (; *units; units++) {
        out[len++] = (uint8_t)(is_big ? *units >> 8 : *units);
        out[len++] = (uint8_t)(is_big ? *units : *units >> 8);
    }
    return len;
}

/* Takes `in_step` bytes at a time and gives `out_step`. */
static enum inflate_status unpack(bool is_big, const uint8_t *in, size_t len, size_t in_step, size_t out_step, uint8_t *out, size_t *out_len)
{
    struct mem mem;
    const char *reason = NULL;
    mem_init(&mem, 0);
    struct inflate *z = inflate_new(is_big ? &inflate_utf16_big : &inflate_utf16_little, &mem);
    assert_non_null(z);
    enum inflate_status status = INFLATE_GO_ON;
    *out_len = 0;
    for (size_t at = 0; status == INFLATE_GO_ON;) {
        size_t n = len - at < in_step ? len - at : in_step;
        struct inflate_io io = { .in = in + at, .in_len = n, .out = out + *out_len, .out_len = out_step, .last = at + n == len };
        status = inflate_run(z, &io, &reason);
        at = (size_t)(io.in - in);
        *out_len = (size_t)(io.out - out);
    }
    inflate_free(z);
    assert_int_equal(mem.used, 0);
    return status;
}

static void every_text_in_any_portions(void **state)
{
    (void)state;
    static const size_t steps[] = { 1, 2, 3, 5, 64 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int is_big = 0; is_big < 2; is_big++)
            for (size_t in = 0; in < 5; in++)
                for (size_t out = 0; out < 5; out++) {
                    uint8_t compressed[2 * UNITS_MOST], text[TEXT_MOST];
                    size_t len = bytes_of(cases[i].units, is_big, compressed), text_len;
                    assert_int_equal(unpack(is_big, compressed, len, steps[in], steps[out], text, &text_len), INFLATE_END);
                    assert_true(slice_equal((assay_slice){ (const char *)text, text_len }, slice_of(cases[i].utf8)));
                }
}

static void half_a_unit_at_the_end_is_a_cut(void **state)
{
    (void)state;
    static const uint8_t compressed[] = { 0xff, 0xfe, 'a', 0, 'b' };
    uint8_t text[TEXT_MOST];
    size_t len;
    assert_int_equal(unpack(false, compressed, sizeof compressed, 64, 64, text, &len), INFLATE_CUT);
    assert_int_equal(len, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_text_in_any_portions), cmocka_unit_test(half_a_unit_at_the_end_is_a_cut) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
