/* Formulas over metrics: as a person reckons, and what is malformed is refused with its place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/core/formula.h"
#include "base/error.h"
#include "base/slice.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* a = 2, b = 3, "c d" = 5, z = 0; s stands for a formula, loop for one that uses itself. */
static const double values[] = { 2, 3, 5, 0 };
static int names(void *arg, assay_slice name, bool is_nested, struct formula_name *out, assay_error *err)
{
    static const char *const known[] = { "a", "b", "c d", "z" };
    (void)arg;
    (void)is_nested;
    for (uint32_t i = 0; i < COUNT(known); i++)
        if (slice_is(name, known[i])) return out->metric = i, 0;
    if (slice_is(name, "s")) return out->text = "a + b", 0;
    if (slice_is(name, "loop")) return out->text = "1 + loop", 0;
    return error_set(err, ASSAY_ERR_USAGE, "no such name");
}
/* Self is what it is here, total ten times that, the whole a hundred times. */
static double value(void *arg, enum formula_of of, uint32_t metric)
{
    (void)arg;
    return values[metric] * (of == FORMULA_TOTAL ? 10 : of == FORMULA_WHOLE ? 100 : 1);
}

static void operators_bind_as_in_school(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double want;
        bool is_sum;
    } cases[] = {
        { "a", 2, true },
        { "a + b * 10", 32, true },
        { "(a + b) * 10", 50, true },
        { "10 a + 2.5b", 27.5, true },
        { "10(a+b)", 50, true },
        { "a - b - 1", -2, false },
        { "a - (b - 1)", 0, false },
        { "b / a / 2", 0.75, false },
        { "a / 2", 1, true },
        { "-a * -b", 6, false },
        { "--a", 2, true },
        { "+a", 2, true },
        { "'c d' * 2", 10, true },
        { "\"c d\"", 5, true },
        { "s * s", 25, false },
        { "min(a, b)", 2, false },
        { "max(a, b, 'c d')", 5, false },
        { "max(a)", 2, true },
        { "abs(a - b)", 1, false },
        { "sqrt(a * 8)", 4, false },
        { "2 max(a, b) + 1", 7, false },
        { "min(a, b) * (b - a)", 2, false },
        { "a ^ b ^ a", 512, false },
        { "-a ^ 2", -4, false },
        { "2 ^ -1 * a", 1, true },
        { "floor(b / a) + ceil(b / a)", 3, false },
        { "log(100) + ln(1) + a - a", 2, false },
        { "min(1, 2) * a", 2, true },
        { "max ( s , 1 )", 5, false },
        { "$self(a)", 2, false },
        { "$total(a) - a", 18, false },
        { "$share( 'c d' )", 0.01, false },
        { "$share(a) * 100", 1, false },
        { "2 s", 10, true },
        { "a - s", -3, true },
        { "1e3 * a", 2000, true },
        { "a * b", 6, false },
        { "7", 7, false },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct formula f;
        assay_error err = { 0 };
        assert_int_equal(formula_parse(&f, slice_of(cases[i].text), names, NULL, &err), 0);
        assert_true(formula_value(&f, value, NULL) == cases[i].want);
        assert_int_equal(formula_is_sum(&f), cases[i].is_sum);
    }
    struct formula f;
    assert_int_equal(formula_parse(&f, slice_of("a / z"), names, NULL, NULL), 0);
    assert_true(isnan(formula_value(&f, value, NULL)));
}

static void what_is_malformed_is_refused_with_its_place(void **state)
{
    (void)state;
    static const char *const cases[] = { "",       " ",        "a +",     "* a",   "a b",      "(a",       "a)",       "()",     "a $ b",     "'a",
                                         "1 2",    "a ++ * b", "none",    "loop",  "1..2",     "a ~ b",    "3 4 a",    "min()",  "min(a",     "abs(a, b)",
                                         "(a, b)", "a, b",     "min(a,)", "$self", "$self(s)", "$half(a)", "$share(a", "sqrt a", "sqrt(-a) b" };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct formula f;
        assay_error err = { 0 };
        assert_int_equal(formula_parse(&f, slice_of(cases[i]), names, NULL, &err), ASSAY_ERR_USAGE);
        assert_true(err.text[0] != '\0');
    }
    struct formula f;
    assay_error err = { 0 };
    formula_parse(&f, slice_of("a + (b"), names, NULL, &err);
    assert_string_equal(err.text, "formula 'a + (b': missing ')' at column 7");
}

static void length_and_depth_have_bounds(void **state)
{
    (void)state;
    char text[20001];
    struct formula f;
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(formula_parse(&f, slice_of(text), names, NULL, NULL), ASSAY_ERR_USAGE);
    memset(text, '-', sizeof text - 1);
    assert_int_equal(formula_parse(&f, slice_of(text), names, NULL, NULL), ASSAY_ERR_USAGE);
    for (size_t i = 0; i + 1 < sizeof text; i++) text[i] = i % 2 ? '+' : 'a';
    assert_int_equal(formula_parse(&f, slice_of(text), names, NULL, NULL), ASSAY_ERR_USAGE);
    char deep[200] = "";
    for (int i = 0; i < 40; i++) strcat(deep, "a-(");
    assert_int_equal(formula_parse(&f, slice_of(deep), names, NULL, NULL), ASSAY_ERR_USAGE);
}

static void cycles_are_estimated_as_kcachegrind_does(void **state)
{
    (void)state;
    assert_string_equal(formula_ready(SLICE("CEst")), "Ir + 10 Bm + 10 L1m + 20 Ge + 100 L2m + 100 LLm");
    assert_string_equal(formula_ready(SLICE("LLm")), "ILmr + DLmr + DLmw");
    assert_null(formula_ready(SLICE("Ir")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_school),
        cmocka_unit_test(what_is_malformed_is_refused_with_its_place),
        cmocka_unit_test(length_and_depth_have_bounds),
        cmocka_unit_test(cycles_are_estimated_as_kcachegrind_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
