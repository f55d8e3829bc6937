/* UTF-8, text that is safe for a terminal, widths and edit distance. */
#include "capture.h"

#include "base/text.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void put_utf8(unsigned char *p, uint32_t c, unsigned len)
{
    static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    for (unsigned i = len; i > 1; i--, c >>= 6) p[i - 1] = (unsigned char)(0x80 | (c & 0x3f));
    p[0] = (unsigned char)(first[len] | c);
}

static unsigned len_for(uint32_t c) { return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4; }

/* RFC 3629: every code up to U+10FFFF but the surrogates, in its shortest form only. */
static void every_code_is_read_in_its_shortest_form_only(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < 0x200000; c++) {
        bool valid = c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
        for (unsigned len = len_for(c); len <= 4; len++) {
            unsigned char p[4];
            uint32_t code = 1;
            put_utf8(p, c, len);
            assay_slice s = { (const char *)p, len };
            unsigned expected = valid && len == len_for(c) ? len : 0;
            if (text_utf8(s, &code) != expected || code != (expected ? c : 0)) fail_msg("U+%04X in %u bytes", c, len);
        }
    }
}

static void a_sequence_that_is_cut_or_broken_is_none(void **state)
{
    (void)state;
    static const char *const whole[] = { "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80" };
    for (size_t i = 0; i < COUNT(whole); i++) {
        size_t len = strlen(whole[i]);
        assert_int_equal(text_utf8(slice_of(whole[i]), NULL), len);
        for (size_t k = 0; k < len; k++) {
            char broken[5];
            strcpy(broken, whole[i]);
            assert_int_equal(text_utf8((assay_slice){ whole[i], k }, NULL), 0);
            for (unsigned c = 0; k && c < 256; c++) {
                broken[k] = (char)c;
                if ((c & 0xc0) != 0x80) assert_int_equal(text_utf8((assay_slice){ broken, len }, NULL), 0);
            }
        }
    }
    for (unsigned c = 0x80; c < 256; c++) assert_int_equal(text_utf8((assay_slice){ (char[]){ (char)c, 'a', 'b', 'c' }, 4 }, NULL), 0);
}

static void check_show(const char *text, size_t len, const char *shown)
{
    struct capture c;
    capture_begin(&c);
    text_show(c.out, (assay_slice){ text, len });
    capture_end(&c, shown);
}

#define SHOW(text, shown) check_show((text), sizeof(text) - 1, (shown))

static void printable_text_is_shown_as_it_is(void **state)
{
    (void)state;
    SHOW("", "");
    SHOW("main(int, char **) \"~\\x\"", "main(int, char **) \"~\\x\"");
    SHOW("caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80 e\xcc\x81", "caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80 e\xcc\x81");
}

static void nothing_that_steers_a_terminal_gets_through(void **state)
{
    (void)state;
    SHOW("\033[31mred", "\\x1b[31mred");
    SHOW("a\0b", "a\\x00b");
    SHOW("a\n\t\r\x7f", "a\\x0a\\x09\\x0d\\x7f");
    SHOW("\xc2\x9b"
         "2J",
         "\\xc2\\x9b2J"); /* U+009B, CSI in one character */
    SHOW("\x9b"
         "2J",
         "\\x9b2J"); /* the same in Latin-1 */
    SHOW("\xe2\x80\xae"
         "gpj",
         "\\xe2\\x80\\xaegpj");              /* U+202E, right to left from here */
    SHOW("\xe2\x80\xa8", "\\xe2\\x80\\xa8"); /* U+2028, end of line */
    SHOW("\xef\xbb\xbf"
         "x",
         "\\xef\\xbb\\xbfx"); /* U+FEFF */
}

/* Eight bytes are looked at at once: each byte that is not printable, at each place of a long name. */
static void a_byte_is_escaped_wherever_it_stands(void **state)
{
    (void)state;
    for (unsigned c = 0; c < 256; c++)
        for (size_t at = 0; at < 20; at++) {
            char text[21] = "abcdefgh ~}|{ijklmno", shown[40];
            bool is_plain = c >= 0x20 && c < 0x7f;
            text[at] = (char)c;
            snprintf(shown, sizeof shown, is_plain ? "%.*s%c%s" : "%.*s\\x%02x%s", (int)at, text, c, text + at + 1);
            check_show(text, 20, shown);
        }
}

static void places_are_aligned(void **state)
{
    (void)state;
    static const uint64_t offs[] = { 0, 0x1f, 0xffffffff, 0x100000000, UINT64_MAX }, lines[] = { 0, 9, 99999, 999999, 1000000, UINT64_MAX };
    for (size_t i = 0; i < COUNT(offs); i++)
        for (size_t k = 0; k < COUNT(lines); k++) {
            char expected[80];
            struct capture c;
            snprintf(expected, sizeof expected, "%08llx %6llu  ", (unsigned long long)offs[i], (unsigned long long)lines[k]);
            capture_begin(&c);
            text_place(c.out, offs[i], lines[k]);
            capture_end(&c, expected);
        }
}

static void bytes_that_are_no_utf8_are_shown_one_by_one(void **state)
{
    (void)state;
    SHOW("caf\xe9", "caf\\xe9");
    SHOW("\xc3", "\\xc3");
    SHOW("\xc0\xaf", "\\xc0\\xaf");
    SHOW("\xed\xa0\x80", "\\xed\\xa0\\x80");
    SHOW("\xf0\x9f\x98", "\\xf0\\x9f\\x98");
    SHOW("\xff\xc3\xa9\xff", "\\xff\xc3\xa9\\xff");
}

/* Unicode 14, EastAsianWidth.txt and UnicodeData.txt. */
static void widths_count_columns_of_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned width;
    } cases[] = {
        { "", 0 },
        { "main", 4 },
        { "caf\xc3\xa9", 4 },
        { "cafe\xcc\x81", 4 },             /* U+0301 combining acute */
        { "\xe6\x97\xa5\xe6\x9c\xac", 4 }, /* U+65E5 U+672C */
        { "\xed\x95\x9c", 2 },             /* U+D55C Hangul */
        { "\xef\xbc\xa1", 2 },             /* U+FF21 fullwidth A */
        { "\xef\xbd\xb1", 1 },             /* U+FF71 halfwidth katakana */
        { "\xf0\x9f\x98\x80", 2 },         /* U+1F600 */
        { "\xf0\xa0\x80\x80", 2 },         /* U+20000 */
        { "\xe3\x81\x8b\xe3\x82\x99", 2 }, /* U+304B and the combining U+3099 */
        { "\xe2\x80\xa6", 1 },             /* U+2026 ellipsis */
        { "\xce\xb1", 1 },                 /* U+03B1 */
        { "\xe2\x80\x8b", 0 },             /* U+200B zero width space */
        { "\x01", 4 },
        { "\xff\xfe", 8 },
        { "\xe2\x80\xae", 12 },
    };
    for (size_t i = 0; i < COUNT(cases); i++) assert_int_equal(text_width(slice_of(cases[i].text)), cases[i].width);
}

static void fitting_takes_whole_characters(void **state)
{
    (void)state;
    assay_slice s = SLICE("a\xe6\x97\xa5"
                          "e\xcc\x81\xff"
                          "b"); /* columns: 1, 2, 1 + 0, 4, 1 */
    static const size_t bytes[] = { 0, 1, 1, 4, 7, 7, 7, 7, 8, 9, 9 };
    for (unsigned columns = 0; columns < COUNT(bytes); columns++) {
        size_t len = text_fit(s, columns);
        assert_int_equal(len, bytes[columns]);
        assert_true(text_width((assay_slice){ s.data, len }) <= columns);
    }
}

static void the_width_is_that_of_what_is_shown(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 256; a++) {
        char text[] = { 'x', (char)a, (char)0x80, 'y' };
        assay_slice s = { text, sizeof text };
        struct capture c;
        capture_begin(&c);
        text_show(c.out, s);
        assay_slice shown = output_memory(c.out);
        assert_int_equal(text_width(shown), text_width(s));
        for (size_t i = 0; i < shown.len; i++) assert_true((unsigned char)shown.data[i] >= 0x20 && shown.data[i] != 0x7f);
        output_abort(c.out);
    }
}

static void distances_are_counted_up_to_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        unsigned limit, distance;
    } cases[] = {
        { "", "", 0, 0 },       { "convert", "convert", 3, 0 }, { "covnert", "convert", 3, 1 }, { "chekc", "check", 3, 1 },
        { "tpo", "top", 1, 1 }, { "badc", "abcd", 3, 2 },       { "top", "tops", 1, 1 },        { "", "abc", 5, 3 },
        { "abc", "", 5, 3 },    { "kitten", "sitting", 5, 3 },  { "saturday", "sunday", 5, 3 }, { "kitten", "sitting", 2, 3 },
        { "abc", "xyz", 1, 2 }, { "a", "abcdefgh", 2, 3 },      { "abc", "abd", 0, 1 },         { "abc", "abc", 0, 0 },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(text_distance(cases[i].a, cases[i].b, cases[i].limit), cases[i].distance);
        assert_int_equal(text_distance(cases[i].b, cases[i].a, cases[i].limit), cases[i].distance);
    }
}

static void words_too_long_to_mistype_are_far_unless_equal(void **state)
{
    (void)state;
    char a[200], b[200];
    memset(a, 'a', sizeof a);
    memset(b, 'a', sizeof b);
    a[64] = b[64] = '\0';
    b[10] = 'b';
    assert_int_equal(text_distance(a, b, 3), 1);
    a[64] = b[64] = 'a';
    a[65] = b[65] = '\0';
    assert_int_equal(text_distance(a, b, 3), 4);
    b[10] = 'a';
    assert_int_equal(text_distance(a, b, 3), 0);
}

/* Under the undefined-behaviour sanitizer: NULL must not get as far as memcmp, not even with length 0. */
static void nothing_begins_and_ends_with_nothing(void **state)
{
    (void)state;
    assay_slice none = { NULL, 0 };
    assert_true(slice_starts(none, ""));
    assert_true(slice_ends(none, ""));
    assert_true(slice_equal(none, SLICE("")));
    assert_int_equal(slice_compare(none, SLICE("")), 0);
    assert_false(slice_starts(none, "a"));
    assert_false(slice_ends(none, "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_is_read_in_its_shortest_form_only),
        cmocka_unit_test(a_sequence_that_is_cut_or_broken_is_none),
        cmocka_unit_test(printable_text_is_shown_as_it_is),
        cmocka_unit_test(nothing_that_steers_a_terminal_gets_through),
        cmocka_unit_test(a_byte_is_escaped_wherever_it_stands),
        cmocka_unit_test(places_are_aligned),
        cmocka_unit_test(bytes_that_are_no_utf8_are_shown_one_by_one),
        cmocka_unit_test(widths_count_columns_of_a_terminal),
        cmocka_unit_test(fitting_takes_whole_characters),
        cmocka_unit_test(the_width_is_that_of_what_is_shown),
        cmocka_unit_test(distances_are_counted_up_to_the_limit),
        cmocka_unit_test(words_too_long_to_mistype_are_far_unless_equal),
        cmocka_unit_test(nothing_begins_and_ends_with_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
