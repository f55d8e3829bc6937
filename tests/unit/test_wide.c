/* Numbers of 128 bits: the form for compilers that have no such type says what the others compute, and rounding is that of IEEE 754. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/wide.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Where carries and halves are. */
static const uint64_t edges[] = { 1,
                                  2,
                                  3,
                                  7,
                                  10,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x100000000,
                                  0x100000001,
                                  10000000000000000000u,
                                  INT64_MAX,
                                  (uint64_t)1 << 63,
                                  0x8000000000000001,
                                  UINT64_MAX - 1,
                                  UINT64_MAX };

static void is(u128 v, uint64_t high, uint64_t low)
{
    assert_int_equal(v.high, high);
    assert_int_equal(v.low, low);
}

/* (a * b + r) / b is a, and r is left; so a product and a quotient that are both wrong would have to be so in the same way. */
static void quotients_undo_products(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(edges); i++)
        for (size_t k = 0; k < COUNT(edges); k++) {
            uint64_t a = edges[i], b = edges[k], rest;
            u128 v = u128_plus(u128_product(a, b), u128_of(b - 1));
            is(u128_quotient(v, b, &rest), 0, a);
            assert_int_equal(rest, b - 1);
            is(u128_portable_quotient(v, b, &rest), 0, a);
            assert_int_equal(rest, b - 1);
        }
}

static void both_forms_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(edges); i++)
        for (size_t k = 0; k < COUNT(edges); k++) {
            u128 product = u128_product(edges[i], edges[k]), portable = u128_portable_product(edges[i], edges[k]);
            is(portable, product.high, product.low);
            for (size_t d = 0; d < COUNT(edges); d++) {
                u128 v = { .high = edges[i], .low = edges[k] };
                uint64_t rest, portable_rest;
                u128 quotient = u128_quotient(v, edges[d], &rest), same = u128_portable_quotient(v, edges[d], &portable_rest);
                is(same, quotient.high, quotient.low);
                assert_int_equal(portable_rest, rest);
            }
        }
}

/* By hand: (2^64 - 1)^2 = 2^128 - 2^65 + 1, and 2^64 / 10. */
static void figures_are_those_of_arithmetic(void **state)
{
    (void)state;
    uint64_t rest;
    is(u128_portable_product(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1);
    is(u128_portable_product(0xffffffff, 0xffffffff), 0, 0xfffffffe00000001);
    is(u128_portable_quotient((u128){ .high = 1 }, 10, &rest), 0, 1844674407370955161);
    assert_int_equal(rest, 6);
    is(u128_times((u128){ .high = 1, .low = UINT64_MAX }, 3), 5, UINT64_MAX - 2);
    is(u128_plus((u128){ .high = 1, .low = UINT64_MAX }, u128_of(1)), 2, 0);
}

static void numbers_are_ordered(void **state)
{
    (void)state;
    assert_int_equal(u128_compare((u128){ 1, 0 }, (u128){ 0, UINT64_MAX }), 1);
    assert_int_equal(u128_compare((u128){ 0, 1 }, (u128){ 0, 2 }), -1);
    assert_int_equal(u128_compare((u128){ 3, 2 }, (u128){ 3, 2 }), 0);
    assert_true(u128_fits(u128_of(UINT64_MAX)));
    assert_false(u128_fits((u128){ .high = 1 }));
}

/* Doubles have 53 bits. */
static void doubles_are_the_nearest(void **state)
{
    (void)state;
    assert_true(u128_double(u128_of(3)) == 3.0);
    assert_true(u128_double((u128){ .high = 1 }) == 0x1p64);
    assert_true(u128_double((u128){ .high = UINT64_MAX, .low = UINT64_MAX }) == 0x1p128);
    /* 2^64 + 2^11 lies in the middle: to the even one, and up for the least bit more */
    assert_true(u128_double((u128){ .high = 1, .low = 0x800 }) == 0x1p64);
    assert_true(u128_double((u128){ .high = 1, .low = 0x801 }) == 0x1.0000000000001p64);
    assert_true(u128_double((u128){ .high = 1, .low = 0x1800 }) == 0x1.0000000000002p64);
    /* the same where the bit that decides is far below */
    assert_true(u128_double((u128){ .high = 0x8000000000000400, .low = 0 }) == 0x1p127);
    assert_true(u128_double((u128){ .high = 0x8000000000000400, .low = 1 }) == 0x1.0000000000001p127);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_undo_products), cmocka_unit_test(both_forms_agree),        cmocka_unit_test(figures_are_those_of_arithmetic),
        cmocka_unit_test(numbers_are_ordered),     cmocka_unit_test(doubles_are_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
