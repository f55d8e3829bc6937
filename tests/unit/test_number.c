/* Numbers from text and to text, 128-bit sums, and numbers for people. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/digits.h"
#include "base/number.h"
#include "base/slice.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static double double_of(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* ---- integers from text ---- */

static void unsigned_numbers_are_read_up_to_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum number_result result;
        uint64_t value;
    } cases[] = {
        { "0", NUMBER_OK, 0 },
        { "7", NUMBER_OK, 7 },
        { "007", NUMBER_OK, 7 },
        { "1234567890", NUMBER_OK, 1234567890 },
        { "9999999999999999999", NUMBER_OK, 9999999999999999999u },
        { "18446744073709551615", NUMBER_OK, UINT64_MAX },
        { "000000000000000000000000018446744073709551615", NUMBER_OK, UINT64_MAX },
        { "18446744073709551616", NUMBER_RANGE, UINT64_MAX },
        { "99999999999999999999999", NUMBER_RANGE, UINT64_MAX },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t v = 1;
        assert_int_equal(number_u64(slice_of(cases[i].text), &v), cases[i].result);
        assert_true(v == cases[i].value);
    }
}

static void signed_numbers_are_read_up_to_both_limits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum number_result result;
        int64_t value;
    } cases[] = {
        { "0", NUMBER_OK, 0 },
        { "-0", NUMBER_OK, 0 },
        { "-42", NUMBER_OK, -42 },
        { "9223372036854775807", NUMBER_OK, INT64_MAX },
        { "9223372036854775808", NUMBER_RANGE, INT64_MAX },
        { "-9223372036854775808", NUMBER_OK, INT64_MIN },
        { "-9223372036854775809", NUMBER_RANGE, INT64_MIN },
        { "99999999999999999999999999", NUMBER_RANGE, INT64_MAX },
        { "-99999999999999999999999999", NUMBER_RANGE, INT64_MIN },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t v = 1;
        assert_int_equal(number_i64(slice_of(cases[i].text), &v), cases[i].result);
        assert_true(v == cases[i].value);
    }
}

static void hexadecimal_numbers_have_both_cases_and_no_prefix(void **state)
{
    (void)state;
    uint64_t v;
    assert_int_equal(number_hex(SLICE("0"), &v), NUMBER_OK);
    assert_int_equal(v, 0);
    assert_int_equal(number_hex(SLICE("DeadBeef"), &v), NUMBER_OK);
    assert_int_equal(v, 0xdeadbeef);
    assert_int_equal(number_hex(SLICE("0000ffffffffffffffff"), &v), NUMBER_OK);
    assert_true(v == UINT64_MAX);
    assert_int_equal(number_hex(SLICE("10000000000000000"), &v), NUMBER_RANGE);
    assert_true(v == UINT64_MAX);
    static const char *const bad[] = { "", "0x1", "g", "12 ", "-1", "@", "`", "G", "/", ":" };
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(number_hex(slice_of(bad[i]), &v), NUMBER_BAD);
        assert_int_equal(v, 0);
    }
}

static void what_is_no_number_is_bad_even_when_it_is_long(void **state)
{
    (void)state;
    static const char *const bad[] = { "", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "1a", "a1", "/", ":", "--1", "99999999999999999999999x" };
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint64_t u = 1;
        int64_t s = 1;
        assert_int_equal(number_u64(slice_of(bad[i]), &u), NUMBER_BAD);
        assert_int_equal(number_i64(slice_of(bad[i]), &s), NUMBER_BAD);
        assert_int_equal(u, 0);
        assert_int_equal(s, 0);
    }
    uint64_t u;
    assert_int_equal(number_u64(SLICE("-1"), &u), NUMBER_BAD);
    assert_int_equal(number_u64(SLICE("12\0"), &u), NUMBER_BAD);
    assert_int_equal(number_u64((assay_slice){ NULL, 0 }, &u), NUMBER_BAD);
}

/* ---- doubles from text ---- */

/* Bits by Python 3.11: struct.pack('<d', float(text)). */
static const struct {
    const char *text;
    uint64_t bits;
} read_vectors[] = {
    { "0", 0x0000000000000000 },
    { "-0", 0x8000000000000000 },
    { "1", 0x3ff0000000000000 },
    { "-1", 0xbff0000000000000 },
    { "0.1", 0x3fb999999999999a },
    { ".5", 0x3fe0000000000000 },
    { "5.", 0x4014000000000000 },
    { "1e5", 0x40f86a0000000000 },
    { "1E+5", 0x40f86a0000000000 },
    { "1e-5", 0x3ee4f8b588e368f1 },
    { "123456789012345", 0x42dc12218377de40 },
    { "1234567890123456789", 0x43b12210f47de981 },
    { "0.3", 0x3fd3333333333333 },
    { "9007199254740993", 0x4340000000000000 },
    { "9007199254740992.99999", 0x4340000000000000 },
    { "9007199254740993.00001", 0x4340000000000001 },
    { "1e22", 0x4480f0cf064dd592 },
    { "1e23", 0x44b52d02c7e14af6 },
    { "123456789012345e22", 0x476db89cafccd3a9 },
    { "8.5e-22", 0x3b900e59088c6a6a },
    { "1.7976931348623157e308", 0x7fefffffffffffff },
    { "4.9e-324", 0x0000000000000001 },
    { "2.5e-324", 0x0000000000000001 },
    { "2.2250738585072011e-308", 0x000fffffffffffff },
    { "2.2250738585072014e-308", 0x0010000000000000 },
    { "1e-320", 0x00000000000007e8 },
    { "0e999999999999999999999", 0x0000000000000000 },
    { "7.2057594037927933e16", 0x4370000000000000 },
    { "5708990770823839207320493820740630171355185151999e-3", 0x496fffffffffffff },
    { "6929495644600919.5", 0x43389e56ee5e7a58 },
    {
        "3.237883913302901289588352412501532174863037669423108059901297049552301970670676565786835742587799557860615776559838283435514391084153169252"
        "68919056439645957739461803892836530514346395510035669666562920201733134403173004436936020525834580343147166003269958073130095484836397554869"
        "00107515300188817581841745696521731104736960227499346384253806233697747365600089974040609674980283891918789639685754392222064169814626901133"
        "42524002724385941651051293552601421155333430225237291523843322331326138431477823591142408800030775170625915670728657003151953664260769822494"
        "93795184580153089523843981970840338993787324146348420560800002727053110682738790779144491853477159875016281254886276849320151899166802825173"
        "0299953143924168545708663913273994694463908672332763671875E-319",
        0x0000000000010000,
    },
};

static void doubles_are_rounded_as_python_rounds_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(read_vectors); i++) {
        double v = 99;
        assert_int_equal(number_double(slice_of(read_vectors[i].text), &v), NUMBER_OK);
        if (bits_of(v) != read_vectors[i].bits) fail_msg("%s read as %a", read_vectors[i].text, v);
    }
}

static void a_digit_a_million_places_on_still_decides_a_tie(void **state)
{
    (void)state;
    enum { LEN = 1000000 };
    static char text[LEN];
    static const char half[] = "9007199254740993."; /* between 2^53 and 2^53 + 2 */
    memset(text, '0', LEN);
    memcpy(text, half, sizeof half - 1);
    double v;
    assert_int_equal(number_double((assay_slice){ text, LEN }, &v), NUMBER_OK);
    assert_true(v == 9007199254740992.0);
    text[LEN - 1] = '1';
    assert_int_equal(number_double((assay_slice){ text, LEN }, &v), NUMBER_OK);
    assert_true(v == 9007199254740994.0);
}

static void zeros_and_exponent_may_cancel(void **state)
{
    (void)state;
    enum { LEN = 5000 };
    char text[LEN + 16];
    double v;
    memset(text, '0', LEN);
    text[1] = '.';
    text[LEN - 1] = '1'; /* 10^-(LEN - 2) */
    snprintf(text + LEN, 16, "e%d", LEN - 2);
    assert_int_equal(number_double(slice_of(text), &v), NUMBER_OK);
    assert_true(v == 1);
    memset(text, '0', LEN);
    text[0] = '1'; /* 10^(LEN - 1) */
    snprintf(text + LEN, 16, "e-%d", LEN - 1);
    assert_int_equal(number_double(slice_of(text), &v), NUMBER_OK);
    assert_true(v == 1);
}

static void doubles_out_of_range_give_the_nearest_value(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        { "1e309", 1.7976931348623157e308 },
        { "-1e309", -1.7976931348623157e308 },
        { "1.7976931348623159e308", 1.7976931348623157e308 },
        { "1e99999999999999999999999999", 1.7976931348623157e308 },
        { "2e-324", 0 },
        { "1e-99999999999999999999999999", 0 },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double v = 1;
        assert_int_equal(number_double(slice_of(cases[i].text), &v), NUMBER_RANGE);
        assert_true(v == cases[i].value);
    }
}

static void what_is_no_double_is_bad(void **state)
{
    (void)state;
    static const char *const bad[] = { "",    "-",   ".",   "-.",  "e5",    ".e1",   "1e",   "1e+", "1e-",   "+1",   " 1",       "1 ",
                                       "1,5", "1_0", "nan", "inf", "0x1p3", "1.2.3", "1e5.", "--1", "1e5e5", "1e 5", "infinity", "1d5" };
    for (size_t i = 0; i < COUNT(bad); i++) {
        double v = 1;
        assert_int_equal(number_double(slice_of(bad[i]), &v), NUMBER_BAD);
        assert_true(v == 0);
    }
}

/* ---- numbers to text ---- */

static void integers_are_written_in_full(void **state)
{
    (void)state;
    char buf[48], other[48];
    static const uint64_t cases[] = { 0,         1,   9,    10,   11,   15,   16,    99,    100,   101,    255,         256,
                                      909,       999, 1000, 1010, 9009, 9999, 10000, 12345, 99999, 100000, 4294967295u, 9999999999999999999u,
                                      UINT64_MAX };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int len = snprintf(other, sizeof other, "%llu", (unsigned long long)cases[i]);
        assert_int_equal(number_put_u64(buf, cases[i]), len);
        assert_string_equal(buf, other);
        len = snprintf(other, sizeof other, "%lld", (long long)cases[i]);
        assert_int_equal(number_put_i64(buf, (int64_t)cases[i]), len);
        assert_string_equal(buf, other);
        len = snprintf(other, sizeof other, "%llx", (unsigned long long)cases[i]);
        assert_int_equal(number_put_hex(buf, cases[i]), len);
        assert_string_equal(buf, other);
    }
    assert_int_equal(number_put_i64(buf, INT64_MIN), 20);
    assert_string_equal(buf, "-9223372036854775808");
}

/* Python 3.11: str(w), hex(w >> 64), hex(w & (2**64 - 1)), float(w).hex() */
static const struct {
    const char *text;
    uint64_t high, low;
    double rounded;
} wide_vectors[] = {
    { "0", 0, 0, 0 },
    { "1", 0, 1, 1 },
    { "-1", UINT64_MAX, UINT64_MAX, -1 },
    { "9223372036854775808", 0, 0x8000000000000000, 0x1p+63 },
    { "18446744073709551615", 0, UINT64_MAX, 0x1p+64 },
    { "18446744073709551616", 1, 0, 0x1p+64 },
    { "9999999999999999999", 0, 0x8ac7230489e7ffff, 0x1.158e460913d00p+63 },
    { "10000000000000000000", 0, 0x8ac7230489e80000, 0x1.158e460913d00p+63 },
    { "100000000000000000007", 5, 0x6bc75e2d63100007, 0x1.5af1d78b58c40p+66 },
    { "100000000000000000000000000000000000000", 0x4b3b4ca85a86c47a, 0x098a224000000000, 0x1.2ced32a16a1b1p+126 },
    { "170141183460469231731687303715884105727", 0x7fffffffffffffff, UINT64_MAX, 0x1p+127 },
    { "-170141183460469231731687303715884105728", 0x8000000000000000, 0, -0x1p+127 },
    { "-18446744073709551616", UINT64_MAX, 0, -0x1p+64 },
    { "-10000000000000000000", UINT64_MAX, 0x7538dcfb76180000, -0x1.158e460913d00p+63 },
};

static void wide_numbers_are_written_in_full_and_rounded_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(wide_vectors); i++) {
        char buf[48];
        assay_wide w = { .low = wide_vectors[i].low, .high = (int64_t)wide_vectors[i].high };
        assert_int_equal(number_put_wide(buf, w), strlen(wide_vectors[i].text));
        assert_string_equal(buf, wide_vectors[i].text);
        assert_true(wide_double(w) == wide_vectors[i].rounded);
    }
}

static void wide_sums_carry_and_borrow(void **state)
{
    (void)state;
    char buf[48];
    assay_wide w = { 0 };
    for (unsigned i = 0; i < 3; i++) w = wide_add_u64(w, UINT64_MAX);
    number_put_wide(buf, w);
    assert_string_equal(buf, "55340232221128654845"); /* 3 * (2^64 - 1) */
    for (unsigned i = 0; i < 6; i++) w = wide_add_i64(w, INT64_MIN);
    number_put_wide(buf, w);
    assert_string_equal(buf, "-3");
    w = wide_add(w, (assay_wide){ .low = 2, .high = 0 });
    w = wide_add_i64(w, INT64_MAX);
    number_put_wide(buf, w);
    assert_string_equal(buf, "9223372036854775806");
}

static void wide_numbers_are_ordered_by_value(void **state)
{
    (void)state;
    static const assay_wide ascending[] = { { 0, INT64_MIN }, { UINT64_MAX, -2 }, { 0, -1 }, { UINT64_MAX, -1 },       { 0, 0 },
                                            { 1, 0 },         { UINT64_MAX, 0 },  { 0, 1 },  { UINT64_MAX, INT64_MAX } };
    for (size_t i = 0; i < COUNT(ascending); i++)
        for (size_t k = 0; k < COUNT(ascending); k++) assert_int_equal(wide_compare(ascending[i], ascending[k]), (i > k) - (i < k));
}

/* Python 3.11: repr(). */
static const struct {
    uint64_t bits;
    const char *text;
} put_vectors[] = {
    { 0x3ff0000000000000, "1.0" },
    { 0xbff0000000000000, "-1.0" },
    { 0x4008000000000000, "3.0" },
    { 0x3fb999999999999a, "0.1" },
    { 0x3fd5555555555555, "0.3333333333333333" },
    { 0x4059000000000000, "100.0" },
    { 0x40fe240c9fbe76c9, "123456.789" },
    { 0x430c6bf526340000, "1000000000000000.0" },
    { 0x43118b54f22aeb00, "1234567890123456.0" },
    { 0x4340000000000000, "9007199254740992.0" },
    { 0x4341c37937e07fff, "9999999999999998.0" },
    { 0x4341c37937e08000, "1e+16" },
    { 0x4484e9ca52eb182a, "1.2345e+22" },
    { 0x44b52d02c7e14af6, "1e+23" },
    { 0x3f1a36e2eb1c432d, "0.0001" },
    { 0x3f202e4b6ce5dc68, "0.00012345" },
    { 0x3ee4f8b588e368f1, "1e-05" },
    { 0x3e7ad7f29abcaf48, "1e-07" },
    { 0x0000000000000001, "5e-324" },
    { 0x0010000000000000, "2.2250738585072014e-308" },
    { 0x000fffffffffffff, "2.225073858507201e-308" },
    { 0x7fefffffffffffff, "1.7976931348623157e+308" },
    { 0x3d30000000000000, "5.684341886080802e-14" },
    { 0x00f0000000000000, "3.645561009778199e-304" },
    { 0x0060000000000000, "7.120236347223045e-307" },
    { 0x4630000000000000, "1.2676506002282294e+30" },
    { 0x3fd3333333333334, "0.30000000000000004" },
    { 0x3ff0000000000001, "1.0000000000000002" },
    { 0xc01921fb54442d18, "-6.283185307179586" },
    { 0xf2a74de452e6b438, "-1.989032661366619e+244" },
    { 0x6513270e269e0d37, "7.761117632285041e+178" },
    { 0x0c5c7fd0a6a3a450, "3.980498358697587e-249" },
    { 0xd23f0824128b2f33, "-1.5432835417340557e+88" },
    { 0x1818e811892f902b, "1.3647584518757569e-192" },
    { 0x9531985d5d9dc9f8, "-1.3701135617873088e-206" },
    { 0xe8e25d940ed90475, "-1.7160537630466207e+197" },
    { 0x36f675cc81e74ef5, "6.294675241195386e-44" },
    { 0x1600a35a099950d8, "1.0613447212142254e-202" },
    { 0x6b0d549b6f03675a, "4.708325160387546e+207" },
    { 0x3d9c172411e20b8f, "6.387016158513563e-12" },
    { 0x8d116ece1738f7d9, "-9.973130378568733e-246" },
};

static void doubles_are_written_with_the_fewest_digits_that_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(put_vectors); i++) {
        char buf[48];
        size_t len = number_put_double(buf, double_of(put_vectors[i].bits));
        assert_string_equal(buf, put_vectors[i].text);
        assert_int_equal(len, strlen(buf));
    }
}

static void zeros_keep_their_sign_and_what_json_lacks_is_null(void **state)
{
    (void)state;
    char buf[48];
    number_put_double(buf, 0.0);
    assert_string_equal(buf, "0.0");
    number_put_double(buf, -0.0);
    assert_string_equal(buf, "-0.0");
    assert_int_equal(number_put_double(buf, (double)NAN), 4);
    assert_string_equal(buf, "null");
    number_put_double(buf, (double)INFINITY);
    assert_string_equal(buf, "null");
    number_put_double(buf, -(double)INFINITY);
    assert_string_equal(buf, "null");
}

static void every_exponent_survives_the_way_to_text_and_back(void **state)
{
    (void)state;
    static const uint64_t mantissas[] = { 0, 1, 0x8000000000000, 0xfffffffffffff, 0x123456789abcd };
    for (uint64_t e = 0; e < 0x7ff; e++) {
        for (size_t i = 0; i < COUNT(mantissas); i++) {
            char buf[48];
            uint64_t bits = e << 52 | mantissas[i] | (e & 1) << 63;
            double back;
            size_t len = number_put_double(buf, double_of(bits));
            assert_true(len < sizeof buf);
            assert_int_equal(number_double((assay_slice){ buf, len }, &back), NUMBER_OK);
            if (bits_of(back) != bits) fail_msg("%s", buf);
        }
    }
}

static void a_locale_with_another_point_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8", "de_DE", "fr_FR" };
    bool found = false;
    for (size_t i = 0; i < COUNT(names); i++) {
        if (!setlocale(LC_ALL, names[i]) || strcmp(localeconv()->decimal_point, ".") == 0) continue;
        found = true;
        doubles_are_rounded_as_python_rounds_them(state);
        doubles_are_written_with_the_fewest_digits_that_read_back(state);
        char buf[48];
        number_human(buf, 1234567, "count");
        assert_string_equal(buf, "1.23 M");
        number_percent(buf, 1, 3);
        assert_string_equal(buf, "33.33%");
    }
    setlocale(LC_ALL, "C");
    if (!found) skip();
}

/* ---- for people ---- */

struct human_case {
    double v;
    const char *unit, *text;
};

static void check_human(const struct human_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char buf[48];
        size_t len = number_human(buf, cases[i].v, cases[i].unit);
        assert_string_equal(buf, cases[i].text);
        assert_int_equal(len, strlen(buf));
    }
}

static void counts_have_three_digits_and_never_a_thousand_of_a_unit(void **state)
{
    (void)state;
    static const struct human_case cases[] = {
        { 0, "count", "0" },
        { 7, "count", "7" },
        { 999, "count", "999" },
        { 1000, "count", "1.00 K" },
        { 1004, "count", "1.00 K" },
        { 1006, "count", "1.01 K" },
        { 9994, "count", "9.99 K" },
        { 9996, "count", "10.0 K" },
        { 99940, "", "99.9 K" },
        { 99960, "", "100 K" },
        { 999400, "x", "999 K" },
        { 999600, "x", "1.00 M" },
        { 1234567, "count", "1.23 M" },
        { 1234567, NULL, "1.23 M" },
        { 1234567, "cycles", "1.23 M" },
        { 2.5e9, "hits", "2.50 G" },
        { 1e12, "", "1.00 T" },
        { 1e15, "", "1.00 P" },
        { 1.5e18, "", "1.50 E" },
        { 9.99e20, "", "999 E" },
        { 9.996e20, "", "1.00e+21" },
        { 1e38, "", "1.00e+38" },
        { -1234567, "", "-1.23 M" },
        { -5, "", "-5" },
        { 0.5, "", "0.500" },
        { 12.345, "", "12.3" },
        { 999.7, "", "1.00 K" },
        { 0.00123, "", "0.00123" },
        { 0.000123, "", "1.23e-04" },
    };
    check_human(cases, COUNT(cases));
}

static void times_go_from_nanoseconds_to_seconds(void **state)
{
    (void)state;
    static const struct human_case cases[] = {
        { 0, "ns", "0 ns" },           { 999, "ns", "999 ns" },   { 25600, "ns", "25.6 us" }, { 2560, "10ns", "25.6 us" }, { 3, "10ns", "30 ns" },
        { 25, "100ns", "2.50 us" },    { 5, "us", "5.00 us" },    { 1500, "us", "1.50 ms" },  { 999.6, "us", "1.00 ms" },  { 999400, "us", "999 ms" },
        { 999600, "us", "1.00 s" },    { 12, "ms", "12.0 ms" },   { 1234, "ms", "1.23 s" },   { 0.25, "s", "250 ms" },     { 3, "s", "3.00 s" },
        { 59.96, "s", "60.0 s" },      { 86400, "s", "86400 s" }, { 999.6, "s", "1000 s" },   { 1e15, "s", "1.00e+15 s" }, { -1500, "us", "-1.50 ms" },
        { 1e300, "s", "1.00e+300 s" }, { 0.5, "ns", "0.500 ns" },
    };
    check_human(cases, COUNT(cases));
}

static void bytes_go_by_1024(void **state)
{
    (void)state;
    static const struct human_case cases[] = {
        { 0, "bytes", "0 B" },
        { 1000, "bytes", "1000 B" },
        { 1023, "bytes", "1023 B" },
        { 1024, "bytes", "1.00 KiB" },
        { 1536, "bytes", "1.50 KiB" },
        { 1023 * 1024.0, "bytes", "1023 KiB" },
        { 1048575, "bytes", "1.00 MiB" },
        { 1048576, "bytes", "1.00 MiB" },
        { 123456789, "bytes", "118 MiB" }, /* 117.7 */
        { 10737418240.0, "bytes", "10.0 GiB" },
        { 1125899906842624.0, "bytes", "1.00 PiB" },
        { -2048, "bytes", "-2.00 KiB" },
    };
    check_human(cases, COUNT(cases));
}

static void what_is_no_number_is_shown_as_a_dash(void **state)
{
    (void)state;
    static const struct human_case cases[] = { { (double)NAN, "ns", "-" }, { (double)INFINITY, "", "-" }, { -(double)INFINITY, "bytes", "-" } };
    check_human(cases, COUNT(cases));
}

static void percents_are_rounded_and_what_is_there_is_never_nothing(void **state)
{
    (void)state;
    static const struct {
        double part, whole;
        const char *text;
    } cases[] = {
        { 0, 10, "0.00%" },
        { 10, 10, "100.00%" },
        { 1, 3, "33.33%" },
        { 2, 3, "66.67%" },
        { 1, 1e9, "<0.01%" },
        { -1, 1e9, ">-0.01%" },
        { 10, 1e9, "<0.01%" }, /* 10 ns of 1 s */
        { 49, 1e6, "<0.01%" },
        { 51, 1e6, "0.01%" },
        { 999999999, 1e9, "100.00%" },
        { -999999999, 1e9, "-100.00%" },
        { 1000000001, 1e9, "100.00%" },
        { 100000006, 1e8, "100.00%" }, /* 100.000006% */
        { 99994, 1e5, "99.99%" },
        { 5, 2, "250.00%" },
        { -10, 10, "-100.00%" },
        { 1, -4, "-25.00%" },
        { -1, -4, "25.00%" },
        { 0, 0, "-" },
        { 1, 0, "-" },
        { 0, -5, "0.00%" },
        { -0.0, 5, "0.00%" },
        { 5e-324, 1e308, "<0.01%" },
        { 1e15, 1, "1.00e+17%" },
        { 1e308, 1e-308, "-" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char buf[48];
        size_t len = number_percent(buf, cases[i].part, cases[i].whole);
        assert_string_equal(buf, cases[i].text);
        assert_int_equal(len, strlen(buf));
    }
    char buf[48];
    number_percent(buf, (double)NAN, 1);
    assert_string_equal(buf, "-");
    number_percent(buf, 1, (double)INFINITY);
    assert_string_equal(buf, "-");
}

static void shares_have_the_decimals_that_they_need(void **state)
{
    static const struct {
        uint64_t hit, total;
        unsigned decimals;
        double limit; /* 0 = none */
        const char *text;
    } cases[] = {
        { 1, 2, 1, 0, "50.0%" },
        { 2, 3, 2, 0, "66.67%" },
        { 2, 3, 0, 0, "67%" },
        { 7996, 10000, 1, 0, "80.0%" },
        { 7996, 10000, 1, 80, "79.96%" },
        { 799999, 1000000, 2, 80, "79.9999%" },
        { 999, 1000, 1, 0, "99.9%" },
        { 9999, 10000, 1, 0, "99.99%" },
        { 99999, 100000, 2, 0, "99.999%" },
        { 1, 100000, 1, 0, "0.001%" },
        { 0, 7, 1, 0, "0.0%" },
        { 7, 7, 1, 0, "100.0%" },
        { 7, 7, 2, 0, "100.00%" },
        { 0, 0, 1, 0, "-" },
        { 0, 0, 1, 80, "-" },
        { 5, 4, 1, 0, "125.0%" },
        { UINT64_MAX - 1, UINT64_MAX, 1, 0, "99.99999999999999999%" },
        { UINT64_MAX / 1000 * 999, UINT64_MAX, 1, 0, "99.9%" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char buf[48];
        size_t len = cases[i].limit > 0 ? number_share_below(buf, cases[i].hit, cases[i].total, cases[i].decimals, cases[i].limit)
                                        : number_share(buf, cases[i].hit, cases[i].total, cases[i].decimals);
        assert_string_equal(buf, cases[i].text);
        assert_int_equal(len, strlen(buf));
    }
}

/* The way of whole numbers beside that of printf: every width, ties to both sides, and numbers that grow a digit. */
static void whole_numbers_are_rounded_as_printf_rounds(void **state)
{
    (void)state;
    for (uint64_t unit = 1; unit < 1000000000000000u; unit *= 10)
        for (uint64_t i = 0; i < 9; i++)
            for (unsigned count = 1; count <= 17; count += 2) {
                const uint64_t steps[] = { 0, 1, 5, 15, 25, 995, 9995, 999, 1234567 };
                double v = (double)(steps[i] * unit % ((uint64_t)1 << 53));
                char want[64], got[64];
                snprintf(want, sizeof want, "%.*e", (int)count - 1, v);
                struct digits d = digits_of(v, count);
                digits_scientific(got, &d);
                assert_int_equal(strtod(got, NULL) == strtod(want, NULL), 1);
                assert_int_equal(d.count, count);
            }
}

static void percents_for_programs_are_not_rounded(void **state)
{
    (void)state;
    static const struct {
        double part, whole;
        const char *text;
    } cases[] = {
        { 10, 1e9, "1e-06" },
        { 100000006, 1e8, "100.000006" },
        { 7, 100, "7.0" },
        { 3, 3, "100.0" },
        { 0, 3, "0.0" },
        { 1, 8, "12.5" },
        { -1, 4, "-25.0" },
        { 1, 0, "" },
        { 0, 0, "" },
        { (double)NAN, 1, "" },
        { 1e308, 1e308, "100.0" },
        { -0.0, 5, "0.0" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char buf[48];
        assert_int_equal(number_percent_exact(buf, cases[i].part, cases[i].whole), strlen(cases[i].text));
        assert_string_equal(buf, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_numbers_are_read_up_to_the_limit),
        cmocka_unit_test(signed_numbers_are_read_up_to_both_limits),
        cmocka_unit_test(hexadecimal_numbers_have_both_cases_and_no_prefix),
        cmocka_unit_test(what_is_no_number_is_bad_even_when_it_is_long),
        cmocka_unit_test(doubles_are_rounded_as_python_rounds_them),
        cmocka_unit_test(a_digit_a_million_places_on_still_decides_a_tie),
        cmocka_unit_test(zeros_and_exponent_may_cancel),
        cmocka_unit_test(doubles_out_of_range_give_the_nearest_value),
        cmocka_unit_test(what_is_no_double_is_bad),
        cmocka_unit_test(integers_are_written_in_full),
        cmocka_unit_test(wide_numbers_are_written_in_full_and_rounded_right),
        cmocka_unit_test(wide_sums_carry_and_borrow),
        cmocka_unit_test(wide_numbers_are_ordered_by_value),
        cmocka_unit_test(doubles_are_written_with_the_fewest_digits_that_read_back),
        cmocka_unit_test(zeros_keep_their_sign_and_what_json_lacks_is_null),
        cmocka_unit_test(every_exponent_survives_the_way_to_text_and_back),
        cmocka_unit_test(a_locale_with_another_point_changes_nothing),
        cmocka_unit_test(counts_have_three_digits_and_never_a_thousand_of_a_unit),
        cmocka_unit_test(times_go_from_nanoseconds_to_seconds),
        cmocka_unit_test(bytes_go_by_1024),
        cmocka_unit_test(what_is_no_number_is_shown_as_a_dash),
        cmocka_unit_test(percents_are_rounded_and_what_is_there_is_never_nothing),
        cmocka_unit_test(whole_numbers_are_rounded_as_printf_rounds),
        cmocka_unit_test(percents_for_programs_are_not_rounded),
        cmocka_unit_test(shares_have_the_decimals_that_they_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
