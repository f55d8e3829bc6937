/* Exact sums of doubles: right, whatever the order and the grouping. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/exact.h"

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

/* The bits of the numbers of each vector, one vector after the other. Made with Python 3.11: chosen by hand, by random.getrandbits and by
 * random.gauss (seed 20240607). */
static const uint64_t inputs[] = {
    0x3ff0000000000000, 0x3fb999999999999a, 0x3fb999999999999a, 0x3fb999999999999a, 0x3fb999999999999a, 0x3fb999999999999a, 0x3fb999999999999a,
    0x3fb999999999999a, 0x3fb999999999999a, 0x3fb999999999999a, 0x3fb999999999999a, 0x54b249ad2594c37d, 0x3ff0000000000000, 0xd4b249ad2594c37d,
    0x4340000000000000, 0x3ff0000000000000, 0x4340000000000001, 0x3ff0000000000000, 0x4340000000000000, 0x3ff0000000000000, 0x0000000000000001,
    0x4340000000000001, 0x3ff0000000000000, 0x8000000000000001, 0x3fffffffffffffff, 0x3ca0000000000000, 0x0000000000000001, 0x0000000000000001,
    0x0000000000000001, 0x000fffffffffffff, 0x0000000000000001, 0x0010000000000000, 0x8000000000000001, 0x7fe1ccf385ebc8a0, 0x800730d67819e8d2,
    0xffe1ccf385ebc8a0, 0x000730d67819e8d2, 0x7fe0000000000000, 0x7fdffffffffffffe, 0x7fefffffffffffff, 0x7c8fffffffffffa7, 0xc340000000000000,
    0xbff0000000000000, 0x3ff0000000000000, 0xc341c37937e08000, 0x4008000000000000, 0xbc9cd2b297d889bc, 0x7e37e43c8800759c, 0x01a56e1fc2f8f359,
    0xfe37e43c8800759c, 0x00000000000007e8, 0x4008000000000000, 0x7e70000000000000, 0x8000000000000001, 0x4340000000000000, 0xbfe0000000000000,
    0xbc90000000000000, 0xb76e9d129018775a, 0x3ed5bd698687b18d, 0x9ff373df9ba05717, 0x1df62a8ccb674d99, 0x2bd9cf26bda513bd, 0x24137b29bafcaba9,
    0xd49fccf9e8a4987e, 0x536a8b4fe2c532cf, 0xda8ec5b0ea81606d, 0x6f2ba7b67f5364eb, 0xc45832f34dd5a9ec, 0x1608973c37302053, 0x16a660353a1290fc,
    0x133899f76acc5fa2, 0x9ba6623fe0d33d02, 0x400e79ab4e9ac62a, 0x0edd2c2c7dc7abbe, 0x116a8c4db4d343a8, 0x7bc515a87d521eaf, 0xec5199a0189c32bf,
    0xcfc0ec81837a0c10, 0xe5fd2e6ae0c18e67, 0x7ba92a40775fdcc1, 0xab7e5346353e81ce, 0xd6d08f4a51fc914b, 0x40dd205da5c7bac6, 0xc3f0aee2738be540,
    0xddc23f533ddf5687, 0x1f15ac2ef625e510, 0xb00fa34b9c010945, 0x315fe02dc8e65212, 0xe16067877f31f325, 0x675ab6c860effb82, 0xabe46f6857c0bf6c,
    0x014e9170fc83b786, 0xdb3a6c8630f3b4ff, 0x084575111324c266, 0x1a12df6207286e92, 0xb1b7f586e7e56d53, 0xf4a2d3c8c84b039c, 0xe82b633637316c00,
    0xd0902104daa0e46b, 0xd54401c2d606563e, 0x7f70e53486c074ec, 0x863a283b3c375d47, 0xfb6ef85cbd1c8831, 0x1ba0f9d78d7fd0c6, 0xf8ef0e808d1af788,
    0x3e2452c8224e3cc4, 0xc260c972eeec1d4b, 0xbf3c131cca6e3ae9, 0x40fc12c388c04d4e, 0x3edcb594127093e6, 0x3c402115b7465d8a, 0x4104644f5aba1655,
    0xbe2452c8224e3cc9, 0x4260c972eeec1d4f, 0x3f3c131cca6e3af0, 0xc0fc12c388c04d55, 0xbedcb594127093ed, 0xbc402115b7465d8e, 0xc104644f5aba165a,
    0x4289f5f2d4d35720, 0xbfdb1f98f9d9084c, 0xbddb21fe2bc026ea, 0xbff7867150ab9c94, 0x3c3d59797643ceed, 0xbd4c64e337113998, 0x41711256e4e6f2c1,
    0xc289f5f2d4d35726, 0x3fdb1f98f9d90853, 0x3ddb21fe2bc026f1, 0x3ff7867150ab9c9a, 0xbc3d59797643cef4, 0x3d4c64e33711399f, 0xc1711256e4e6f2c5,
    0x40807b42101836fc, 0x3df329f8c14c4a83, 0xc287e0fe67c416e9, 0xc3a1de9e1b3131f8, 0xbeb0288906445468, 0x42d17b2e2845c48e, 0x3c237f75d0ada91b,
    0xc0807b4210183700, 0xbdf329f8c14c4a88, 0x4287e0fe67c416ef, 0x43a1de9e1b3131fc, 0x3eb028890644546c, 0xc2d17b2e2845c492, 0xbc237f75d0ada920,
    0x40540cb2d8e699d6, 0x421152974e5d2a38, 0x3e128fbbf79ea1cc, 0x3e1ec6a565c792a4, 0x3d6305f397fed057, 0xc390c03f2d7ebcd9, 0x3fe24de38914fe1f,
    0xc0540cb2d8e699db, 0xc21152974e5d2a3c, 0xbe128fbbf79ea1d1, 0xbe1ec6a565c792ac, 0xbd6305f397fed05c, 0x4390c03f2d7ebcdd, 0xbfe24de38914fe24,
    0xbc839ebc5212d2d3, 0xbe3b546dc68f227d, 0x42c1a8906a6b9dc0, 0x422e33cd2eb9c8a0, 0x40b3155109c0ac39, 0x3d6244e59a7e31bb, 0x3fa2e544c33224b1,
    0x3c839ebc5212d2d8, 0x3e3b546dc68f2284, 0xc2c1a8906a6b9dc4, 0xc22e33cd2eb9c8a8, 0xc0b3155109c0ac3e, 0xbd6244e59a7e31c0, 0xbfa2e544c33224b6,
    0x4231eb07d92b662c, 0xc1beecd4e82dcb53, 0x416f650f80a58264, 0xc3364dff23dc9c3d, 0xc1c4fba586abf3a3, 0xbf71e2a956c9c7f1, 0xbcb9f96911cd795d,
    0xc231eb07d92b6630, 0x41beecd4e82dcb5b, 0xc16f650f80a5826c, 0x43364dff23dc9c43, 0x41c4fba586abf3a8, 0x3f71e2a956c9c7f5, 0x3cb9f96911cd7963,
    0x0037628a783be266, 0x8013b9ed89b77a30, 0x800d513e1b73fbf5, 0x00112fecce96793f, 0x001557aef2cecde2, 0x802e411252c737f3, 0x80022c0b05268932,
    0x002cb7ffb2ddd13d, 0x802c56c23d90594d, 0x80018b89a49854b2, 0x8004ad6fc59baad2, 0x800a9528f3d9c815, 0x00246b0f2e65be59, 0x8008f25da3b18531,
    0x802dda04b2d9146e, 0x003a4f7e8fd5f980, 0x802719d10844ec47, 0x800c2d73d2cc8ad1, 0x002cafcedd33d701, 0x801d176258809832, 0x0005e6f51a95a7dd,
    0x00069ac0848fbb64, 0x0036f70e93024531, 0x001b234807ee601e,
};
/* What math.fsum of Python 3.11 makes of them. */
static const struct {
    const char *name;
    unsigned count;
    uint64_t sum;
} vectors[] = {
    { "nothing", 0, 0x0000000000000000 },
    { "one", 1, 0x3ff0000000000000 },
    { "tenth ten times", 10, 0x3ff0000000000000 },
    { "large pair cancels", 3, 0x3ff0000000000000 },
    { "tie to even, down", 2, 0x4340000000000000 },
    { "tie to even, up", 2, 0x4340000000000002 },
    { "tie broken by the smallest number", 3, 0x4340000000000001 },
    { "tie broken from below", 3, 0x4340000000000001 },
    { "carry into a new binade", 2, 0x4000000000000000 },
    { "subnormals", 3, 0x0000000000000003 },
    { "subnormals to normal", 2, 0x0010000000000000 },
    { "normals to subnormal", 2, 0x000fffffffffffff },
    { "all cancels", 4, 0x0000000000000000 },
    { "largest from two halves", 2, 0x7fefffffffffffff },
    { "largest less a half step stays", 2, 0x7fefffffffffffff },
    { "negative tie", 2, 0xc340000000000000 },
    { "negative total of mixed", 4, 0xc341c37937e07ffe },
    { "wide spread", 5, 0x4008000000000000 },
    { "borrow through many limbs", 2, 0x7e70000000000000 },
    { "python issue 2819", 3, 0x433fffffffffffff },
    { "random bits 0", 8, 0xd49fccf6973a9c25 },
    { "random bits 1", 8, 0x6f2ba7b67f5364eb },
    { "random bits 2", 8, 0x7bcb60389b2a15df },
    { "random bits 3", 8, 0xe16067877f31f325 },
    { "random bits 4", 8, 0xf4a2d3c8c84b039c },
    { "random bits 5", 8, 0x7f70e53486c074ec },
    { "gauss, nearly cancelling 0", 14, 0x3f3ffffef0000007 },
    { "gauss, nearly cancelling 1", 14, 0xbf680007fffff080 },
    { "gauss, nearly cancelling 2", 14, 0x407fff0bfffffff8 },
    { "gauss, nearly cancelling 3", 14, 0x406fffffdffffffd },
    { "gauss, nearly cancelling 4", 14, 0xbfa00800000a0005 },
    { "gauss, nearly cancelling 5", 14, 0x4017fff047000000 },
    { "subnormal mix 0", 8, 0x0037721a6e0c00fe },
    { "subnormal mix 1", 8, 0x0003f20ab9913a72 },
    { "subnormal mix 2", 8, 0x00395a175c6b62a5 },
};

static uint64_t sum_of(const uint64_t *bits, unsigned count)
{
    struct exact x = { 0 };
    for (unsigned i = 0; i < count; i++) exact_add(&x, double_of(bits[i]));
    return bits_of(exact_value(&x));
}

static void sums_are_those_of_fsum(void **state)
{
    (void)state;
    const uint64_t *at = inputs;
    for (size_t i = 0; i < COUNT(vectors); at += vectors[i++].count)
        if (sum_of(at, vectors[i].count) != vectors[i].sum) fail_msg("%s", vectors[i].name);
    assert_true(at == inputs + COUNT(inputs));
}

static uint32_t random_next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void the_order_does_not_matter(void **state)
{
    (void)state;
    uint64_t shuffled[16];
    uint32_t seed = 1;
    const uint64_t *at = inputs;
    for (size_t i = 0; i < COUNT(vectors); at += vectors[i++].count) {
        unsigned count = vectors[i].count;
        memcpy(shuffled, at, count * sizeof *at);
        for (unsigned round = 0; round < 50; round++) {
            for (unsigned k = count; k > 1; k--) {
                unsigned other = random_next(&seed) % k;
                uint64_t swap = shuffled[k - 1];
                shuffled[k - 1] = shuffled[other];
                shuffled[other] = swap;
            }
            if (sum_of(shuffled, count) != vectors[i].sum) fail_msg("%s", vectors[i].name);
        }
    }
}

static void the_grouping_does_not_matter(void **state)
{
    (void)state;
    const uint64_t *at = inputs;
    for (size_t i = 0; i < COUNT(vectors); at += vectors[i++].count) {
        for (unsigned cut = 0; cut <= vectors[i].count; cut++) {
            struct exact a = { 0 }, b = { 0 };
            for (unsigned k = 0; k < vectors[i].count; k++) exact_add(k < cut ? &a : &b, double_of(at[k]));
            struct exact ab = a, ba = b;
            exact_merge(&ab, &b);
            exact_merge(&ba, &a);
            if (bits_of(exact_value(&ab)) != vectors[i].sum || bits_of(exact_value(&ba)) != vectors[i].sum) fail_msg("%s", vectors[i].name);
        }
    }
}

static void negated_numbers_have_the_negated_sum(void **state)
{
    (void)state;
    uint64_t negated[16];
    const uint64_t sign = (uint64_t)1 << 63;
    const uint64_t *at = inputs;
    for (size_t i = 0; i < COUNT(vectors); at += vectors[i++].count) {
        for (unsigned k = 0; k < vectors[i].count; k++) negated[k] = at[k] ^ sign;
        uint64_t expected = vectors[i].sum ? vectors[i].sum ^ sign : 0;
        if (sum_of(negated, vectors[i].count) != expected) fail_msg("%s", vectors[i].name);
    }
}

static void reading_the_value_changes_nothing(void **state)
{
    (void)state;
    struct exact x = { 0 };
    exact_add(&x, 1e16);
    assert_true(exact_value(&x) == 1e16);
    exact_add(&x, 1);
    assert_true(exact_value(&x) == 1e16);
    exact_add(&x, 1);
    assert_true(exact_value(&x) == 1e16 + 2);
    exact_add(&x, -1e16);
    assert_true(exact_value(&x) == 2);
}

static void a_sum_beyond_the_largest_double_is_infinite_until_it_comes_back(void **state)
{
    (void)state;
    const double most = 1.7976931348623157e308, half_step = 9.9792015476736e291; /* 2^970 */
    struct exact x = { 0 };
    exact_add(&x, most);
    exact_add(&x, half_step);
    assert_true(isinf(exact_value(&x)) && exact_value(&x) > 0);
    exact_add(&x, -5e-324);
    assert_true(exact_value(&x) == most);
    for (unsigned i = 0; i < 1000; i++) exact_add(&x, most);
    assert_true(isinf(exact_value(&x)));
    for (unsigned i = 0; i < 1001; i++) exact_add(&x, -most);
    exact_add(&x, 5e-324);
    assert_true(exact_value(&x) == half_step);
    for (unsigned i = 0; i < 3; i++) exact_add(&x, -most);
    assert_true(isinf(exact_value(&x)) && exact_value(&x) < 0);
}

static void infinities_and_nan_follow_ieee_addition(void **state)
{
    (void)state;
    const double inf = (double)INFINITY;
    struct exact plus = { 0 }, minus = { 0 }, nan = { 0 }, one = { 0 };
    exact_add(&plus, inf);
    exact_add(&minus, -inf);
    exact_add(&nan, (double)NAN);
    exact_add(&one, 1);
    assert_true(exact_value(&plus) == inf);
    assert_true(exact_value(&minus) == -inf);
    assert_true(isnan(exact_value(&nan)));
    struct exact x = plus;
    exact_add(&x, -1e308);
    assert_true(exact_value(&x) == inf);
    exact_merge(&x, &one);
    assert_true(exact_value(&x) == inf);
    exact_merge(&x, &minus);
    assert_true(isnan(exact_value(&x)));
    x = one;
    exact_merge(&x, &minus);
    assert_true(exact_value(&x) == -inf);
    exact_merge(&x, &nan);
    assert_true(isnan(exact_value(&x)));
}

static void carries_are_settled_in_time(void **state)
{
    (void)state;
    /* Doubling by merging makes the limbs grow as fast as they can: 2^40 times the largest mantissa, spread over three limbs. */
    struct exact x = { 0 };
    const double v = 9007199254740991.0 * 0x1p-20;
    exact_add(&x, v);
    for (unsigned i = 0; i < 40; i++) {
        struct exact y = x;
        exact_merge(&x, &y);
        assert_true(exact_value(&x) == ldexp(v, (int)i + 1));
    }
    struct exact negative = { 0 };
    exact_add(&negative, -v);
    for (unsigned i = 0; i < 40; i++) {
        struct exact y = negative;
        exact_merge(&negative, &y);
    }
    exact_merge(&x, &negative);
    assert_true(exact_value(&x) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_fsum),
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(the_grouping_does_not_matter),
        cmocka_unit_test(negated_numbers_have_the_negated_sum),
        cmocka_unit_test(reading_the_value_changes_nothing),
        cmocka_unit_test(a_sum_beyond_the_largest_double_is_infinite_until_it_comes_back),
        cmocka_unit_test(infinities_and_nan_follow_ieee_addition),
        cmocka_unit_test(carries_are_settled_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
