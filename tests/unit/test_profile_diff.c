/* Differences of profiles: nothing between a profile and itself, a planted slowdown is found and named. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"

struct func {
    const char *name, *file;
    double cost;
};

/* Functions with a cost of their own, called by the first of them. */
static assay_profile *profile(const char *metric, enum assay_type type, const struct func *funcs, size_t count)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH }, NULL);
    assay_metric_id m = assay_build_metric(b, metric, "ns", type, ASSAY_SHAPE_GRAPH);
    assay_build_graph_metrics(b, &m, 1);
    for (size_t i = 0; i < count; i++) {
        assay_file_id file = assay_build_file(b, assay_build_string(b, funcs[i].file, strlen(funcs[i].file)), (assay_module_id){ 0 });
        assay_func_id f = assay_build_func_new(b, assay_build_string(b, funcs[i].name, strlen(funcs[i].name)), file, (assay_module_id){ 0 }, 0, 0);
        assay_value v = type == ASSAY_F64 ? (assay_value){ .d = funcs[i].cost } : (assay_value){ .u = (uint64_t)funcs[i].cost };
        assay_build_self(b, &(struct assay_place){ .func = f, .file = file, .line = 1 }, &v, 1);
    }
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

static assay_profile_diff *diff(assay_profile *a, assay_profile *b)
{
    assay_profile_diff *d = NULL;
    assert_int_equal(assay_profile_diff_new(a, b, NULL, &d, NULL), 0);
    if (a != b) assay_profile_release(a);
    assay_profile_release(b);
    return d;
}

static const struct func base[] = { { "main", "a.c", 1000 }, { "work", "a.c", 8000 }, { "tiny", "a.c", 10 }, { "work", "b.c", 990 } };

static void a_profile_does_not_differ_from_itself(void **state)
{
    (void)state;
    for (int type = ASSAY_U64; type <= ASSAY_F64; type++) {
        assay_profile *p = profile("t", (enum assay_type)type, base, 4);
        assay_profile_diff *d = diff(p, p);
        assert_int_equal(d->count, 0);
        assert_int_equal(d->same, 4);
        assert_true(assay_diff_growth(d, SIZE_MAX, &(struct assay_diff_gate){ .percent = 0 }) == 0);
        assay_profile_diff_free(d);
    }
}

/* work of a.c costs 5 % more; tiny costs twice as much but does not matter. */
static void a_slowdown_is_found_and_named(void **state)
{
    (void)state;
    static const struct func slow[] = { { "main", "./a.c", 1000 }, { "work", "a.c", 8400 }, { "tiny", "a.c", 20 }, { "work", "b.c", 990 } };
    struct assay_diff_gate gate = { .percent = 2, .min_cost = 1 };
    assay_profile_diff *d = diff(profile("t", ASSAY_U64, base, 4), profile("t", ASSAY_U64, slow, 4));
    assert_int_equal(d->count, 2);
    assert_string_equal(d->funcs[0].name, "work");
    assert_string_equal(d->funcs[0].file, "a.c");
    assert_int_equal(d->before_self[0].u, 8000);
    assert_int_equal(d->after_self[0].u, 8400);
    assert_true(fabs(assay_diff_growth(d, 0, &gate) - 5) < 1e-9);
    assert_true(assay_diff_growth(d, 1, &gate) == 0);
    assert_true(fabs(assay_diff_growth(d, SIZE_MAX, &gate) - 4.1) < 1e-9);
    gate.min_cost = 0;
    assert_true(fabs(assay_diff_growth(d, 1, &gate) - 100) < 1e-9);
    assay_profile_diff_free(d);
}

/* Twice as long in every function: the shares are the same. */
static void shares_tell_a_longer_run_from_a_slower_one(void **state)
{
    (void)state;
    struct func twice[4];
    memcpy(twice, base, sizeof twice);
    for (int i = 0; i < 4; i++) twice[i].cost *= 2;
    assay_profile_diff *d = diff(profile("t", ASSAY_F64, base, 4), profile("t", ASSAY_F64, twice, 4));
    struct assay_diff_gate gate = { .normalise = true };
    assert_int_equal(d->count, 4);
    for (size_t i = 0; i < 4; i++) assert_true(fabs(assay_diff_growth(d, i, &gate)) < 1e-9);
    gate.normalise = false;
    for (size_t i = 0; i < 4; i++) assert_true(fabs(assay_diff_growth(d, i, &gate) - 100) < 1e-9);
    assay_profile_diff_free(d);
}

static void functions_come_and_go(void **state)
{
    (void)state;
    static const struct func before[] = { { "main", "a.c", 100 }, { "old", "a.c", 50 }, { "_ZN1x1y17h0123456789abcdefE", "x.rs", 7 } };
    static const struct func after[] = { { "main", "a.c", 100 }, { "new", "a.c", 30 }, { "_ZN1x1y17hfedcba9876543210E", "x.rs", 7 } };
    assay_profile_diff *d = diff(profile("t", ASSAY_I64, before, 3), profile("t", ASSAY_I64, after, 3));
    assert_int_equal(d->count, 2);
    assert_int_equal(d->same, 2);
    assert_int_equal(d->funcs[0].state, ASSAY_DIFF_GONE);
    assert_int_equal(d->funcs[1].state, ASSAY_DIFF_NEW);
    assert_true(fabs(assay_diff_growth(d, 1, &(struct assay_diff_gate){ .percent = 2 }) - 100.0 * 30 / 157) < 1e-9);
    assay_profile_diff_free(d);
}

static void metrics_of_either_profile_are_there(void **state)
{
    (void)state;
    assay_profile_diff *d = diff(profile("ticks", ASSAY_U64, base, 4), profile("time", ASSAY_F64, base, 4));
    assert_int_equal(d->metric_count, 2);
    assert_string_equal(d->metrics[0].name, "time");
    assert_true(d->metrics[0].is_after && !d->metrics[0].is_before && d->metrics[1].is_before && !d->metrics[1].is_after);
    assert_int_equal(d->count, 4);
    assay_profile_diff_free(d);
    d = diff(profile("t", ASSAY_U64, base, 4), profile("t", ASSAY_F64, base, 4));
    assert_int_equal(d->metrics[0].type, ASSAY_F64);
    assert_int_equal(d->count, 0);
    assay_profile_diff_free(d);
}

static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    assay_profile *a = profile("t", ASSAY_F64, base, 4), *b = profile("t", ASSAY_F64, base, 3);
    assay_profile_diff *d = NULL;
    for (uint64_t n = 1; !d && n < 10000; n++) {
        assay_error err = { 0 };
        int rc = assay_profile_diff_new(a, b, &(struct assay_profile_diff_options){ .fail_at = n }, &d, &err);
        assert_int_equal(rc, d ? 0 : ASSAY_ERR_MEMORY);
    }
    assert_non_null(d);
    assay_profile_diff_free(d);
    assert_int_equal(assay_profile_diff_new(a, b, &(struct assay_profile_diff_options){ .metric = "x" }, &d, NULL), ASSAY_ERR_USAGE);
    assay_profile_release(a);
    assay_profile_release(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_does_not_differ_from_itself),      cmocka_unit_test(a_slowdown_is_found_and_named),
        cmocka_unit_test(shares_tell_a_longer_run_from_a_slower_one), cmocka_unit_test(functions_come_and_go),
        cmocka_unit_test(metrics_of_either_profile_are_there),        cmocka_unit_test(every_refused_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
