/* Libraries that are loaded when they are used (base/late.h), and sets of numbers (base/bits.h). */
#include "base/late.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"

static const char *const names[] = { "cos", "sqrt" };
static const char *const wrong[] = { "cos", "assay_has_no_such_function" };

static void functions_of_a_library(void **state)
{
    (void)state;
    struct {
        double (*cosine)(double), (*root)(double);
    } table = { 0 };
    struct late_library l = { .soname = "libm.so.6", .names = names, .count = 2, .table = &table };
    assay_error err;
    for (int i = 0; i < 2; i++) assert_int_equal(late_load(&l, &err), 0);
    assert_true(table.cosine(0) == 1 && table.root(9) == 3);
}

static void a_library_that_is_not_there(void **state)
{
    (void)state;
    void *table[2] = { 0 };
    struct late_library l = { .soname = "libassay-nowhere.so.9", .names = names, .count = 2, .table = table };
    assay_error err;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(late_load(&l, &err), ASSAY_ERR_UNSUPPORTED);
        assert_string_equal(err.text, "the library libassay-nowhere.so.9 cannot be loaded; install it to do this");
    }
    struct late_library other = { .soname = "libm.so.6", .names = wrong, .count = 2, .table = table };
    assert_int_equal(late_load(&other, &err), ASSAY_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "has no function assay_has_no_such_function"));
}

static void numbers_come_out_in_order(void **state)
{
    (void)state;
    static const uint32_t in[] = { 20000, 0, 63, 4096, 64, 127, 3, 63, 4095, 12287 }, out[] = { 0, 3, 63, 64, 127, 4095, 4096, 12287, 20000 };
    enum { LIMIT = 20001 };
    uint64_t set[(LIMIT / BITS_OF_BLOCK + 1) * BITS_BLOCK] = { 0 };
    assert_int_equal(bits_words(LIMIT), sizeof set / sizeof *set);
    for (int round = 0; round < 2; round++) {
        size_t count = 0;
        for (size_t i = 0; i < sizeof in / sizeof *in; i++) bits_add(set, in[i]);
        for (struct bits_walk w = bits_walk(set, LIMIT); bits_take(&w); count++) assert_int_equal(w.at, out[count]);
        assert_int_equal(count, sizeof out / sizeof *out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_a_library),
        cmocka_unit_test(a_library_that_is_not_there),
        cmocka_unit_test(numbers_come_out_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
