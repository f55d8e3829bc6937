/* assay_profile_equal: equal whatever the numbering and the order of rows, and every kind of difference is found and named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "model/equal.h"
#include "model_sample.h"

static assay_profile *make(enum sample_change change, bool is_reversed)
{
    assay_error err = { 0 };
    assay_profile *p = sample_build(NULL, change, is_reversed, &err);
    if (!p) fail_msg("change %d: %s", (int)change, err.text);
    return p;
}

static void a_profile_equals_itself_and_a_second_copy(void **state)
{
    (void)state;
    char why[512] = "?";
    assay_profile *a = make(SAME, false), *b = make(SAME, false);
    assert_int_equal(assay_profile_equal(a, a, why, sizeof why, NULL), 0);
    assert_int_equal(assay_profile_equal(a, b, why, sizeof why, NULL), 0);
    assert_string_equal(why, "");
    assay_profile_release(a);
    assay_profile_release(b);
}

static void other_ids_and_another_order_of_rows_are_equal(void **state)
{
    (void)state;
    char why[512];
    assay_profile *a = make(SAME, false), *b = make(SAME, true);
    int rc = assay_profile_equal(a, b, why, sizeof why, NULL);
    if (rc) fail_msg("%s", why);
    rc = assay_profile_equal(b, a, why, sizeof why, NULL);
    if (rc) fail_msg("%s", why);
    assay_profile_release(a);
    assay_profile_release(b);
}

static void every_single_change_is_found_and_named(void **state)
{
    (void)state;
    static const char *const phrases[] = { "",
#define X(name, phrase) phrase,
                                           SAMPLE_CHANGES(X)
#undef X
    };
    static const char *const names[] = { "",
#define X(name, phrase) #name,
                                         SAMPLE_CHANGES(X)
#undef X
    };
    assay_profile *a = make(SAME, false);
    for (int change = 1; change < CHANGE_COUNT; change++) {
        char why[512] = "", back[512] = "";
        assay_profile *b = make((enum sample_change)change, false);
        if (assay_profile_equal(a, b, why, sizeof why, NULL) != 1) fail_msg("%s is not found", names[change]);
        if (!strstr(why, phrases[change])) fail_msg("%s: '%s' does not say '%s'", names[change], why, phrases[change]);
        if (assay_profile_equal(b, a, back, sizeof back, NULL) != 1) fail_msg("%s is not found the other way round", names[change]);
        assay_profile_release(b);
    }
    assay_profile_release(a);
}

static void the_sentence_is_optional_and_never_overruns(void **state)
{
    (void)state;
    assay_profile *a = make(SAME, false), *b = make(CHANGE_COUNT_VALUE, false);
    char small[8] = "xxxxxxx";
    assert_int_equal(assay_profile_equal(a, b, NULL, 0, NULL), 1);
    assert_int_equal(assay_profile_equal(a, b, small, 4, NULL), 1);
    assert_int_equal(small[3], '\0');
    assert_int_equal(small[4], 'x');
    assay_profile_release(a);
    assay_profile_release(b);
}

static assay_profile *empty(void)
{
    assay_profile *p = assay_builder_seal(assay_builder_new(NULL, NULL), NULL);
    assert_non_null(p);
    return p;
}

static void empty_profiles_are_equal_and_differ_from_others(void **state)
{
    (void)state;
    char why[512];
    assay_profile *a = empty(), *b = empty(), *c = make(SAME, false);
    assert_int_equal(assay_profile_equal(a, b, why, sizeof why, NULL), 0);
    assert_int_equal(assay_profile_equal(a, c, why, sizeof why, NULL), 1);
    assert_non_null(strstr(why, "only the second profile"));
    assay_profile_release(a);
    assay_profile_release(b);
    assay_profile_release(c);
}

static void warnings_and_the_format_are_no_difference(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_build_source(b, "callgrind", "1", "x");
    assay_build_warning(b, &(assay_finding){ .rule = "CG01", .message = "m" });
    assay_build_offers(b, ASSAY_SHAPE_TREE);
    assay_profile *a = assay_builder_seal(b, NULL), *c = empty();
    assert_int_equal(assay_profile_equal(a, c, NULL, 0, NULL), 0);
    assay_profile_release(a);
    assay_profile_release(c);
}

static assay_profile *with_double(double v)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_build_metric(b, "time", "s", ASSAY_F64, 0);
    assay_func_id f = assay_build_func(b, assay_build_string(b, "f", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_self(b, &(struct assay_place){ .func = f }, &(assay_value){ .d = v }, 1);
    return assay_builder_seal(b, NULL);
}

static void doubles_are_compared_by_bits_and_the_two_zeros_are_equal(void **state)
{
    (void)state;
    char why[512];
    assay_profile *zero = with_double(0.0), *minus = with_double(-0.0), *tenth = with_double(0.1), *near = with_double(0.1 + 0x1p-56);
    assert_int_equal(assay_profile_equal(zero, minus, NULL, 0, NULL), 0);
    assert_int_equal(assay_profile_equal(tenth, near, why, sizeof why, NULL), 1);
    assert_non_null(strstr(why, "0.1 in the first profile and 0.10000000000000002 in the second"));
    assay_profile_release(zero);
    assay_profile_release(minus);
    assay_profile_release(tenth);
    assay_profile_release(near);
}

/* One function with Ir 3 and Dr 4; the block of the graph has them in either order, or lacks one. */
static assay_profile *with_block(bool is_swapped, uint32_t count)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id ir = assay_build_metric(b, "Ir", "count", ASSAY_U64, ASSAY_SHAPE_GRAPH),
                    dr = assay_build_metric(b, "Dr", "count", ASSAY_U64, ASSAY_SHAPE_GRAPH);
    assay_metric_id order[2] = { is_swapped ? dr : ir, is_swapped ? ir : dr };
    assay_value values[2] = { { .u = is_swapped ? 4 : 3 }, { .u = is_swapped ? 3 : 4 } };
    assay_build_graph_metrics(b, order, count);
    assay_build_metric_total(b, dr, (assay_value){ .u = 4 });
    assay_func_id f = assay_build_func(b, assay_build_string(b, "f", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_self(b, &(struct assay_place){ .func = f }, values, count);
    return assay_builder_seal(b, NULL);
}

static void the_order_of_metrics_in_a_table_is_no_difference_but_a_missing_one_is(void **state)
{
    (void)state;
    char why[512];
    assay_profile *a = with_block(false, 2), *b = with_block(true, 2), *c = with_block(false, 1);
    int rc = assay_profile_equal(a, b, why, sizeof why, NULL);
    if (rc) fail_msg("%s", why);
    assert_int_equal(assay_profile_equal(a, c, why, sizeof why, NULL), 1);
    assert_non_null(strstr(why, "2 metrics in the first profile and 1 in the second"));
    assay_profile_release(a);
    assay_profile_release(b);
    assay_profile_release(c);
}

/* Functions that nothing tells apart count as often as they occur. */
static assay_profile *twins(int64_t first, int64_t second, int count)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_build_metric(b, "Ir", "count", ASSAY_I64, 0);
    assay_value v[3] = { { .i = first }, { .i = second }, { .i = 0 } };
    for (int i = 0; i < count; i++) {
        assay_func_id f = assay_build_func_new(b, assay_build_string(b, "f", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        assay_build_self(b, &(struct assay_place){ .func = f }, &v[i], 1);
    }
    return assay_builder_seal(b, NULL);
}

static void twins_are_matched_as_a_set(void **state)
{
    (void)state;
    assay_profile *a = twins(1, 2, 2), *b = twins(2, 1, 2), *c = twins(0, 3, 2), *d = twins(1, 2, 3);
    assert_int_equal(assay_profile_equal(a, b, NULL, 0, NULL), 0);
    assert_int_equal(assay_profile_equal(a, c, NULL, 0, NULL), 1);
    assert_int_equal(assay_profile_equal(a, d, NULL, 0, NULL), 1);
    assay_profile_release(a);
    assay_profile_release(b);
    assay_profile_release(c);
    assay_profile_release(d);
}

/* root -> (first, second), created from above or from below */
static assay_profile *whole(const char *first, const char *second, bool from_below)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id m = assay_build_metric(b, "t", "ns", ASSAY_U64, 0);
    assay_scope_id point = assay_build_scope(b, m, ASSAY_SCOPE_POINT, NULL, 0);
    assay_func_id a = assay_build_func(b, assay_build_string(b, "a", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_func_id z = assay_build_func(b, assay_build_string(b, "z", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_tree_whole(b);
    assay_node_id root = { 0 }, kid[2];
    if (!from_below) root = assay_build_node_new(b, &(struct assay_node){ .func = a });
    for (int i = 0; i < 2; i++) {
        kid[i] = assay_build_node_new(b, &(struct assay_node){ .parent = root, .func = *(i ? second : first) == 'a' ? a : z });
        assay_build_value(b, (assay_stream_id){ 0 }, kid[i], point, (assay_value){ .u = 5 });
    }
    if (from_below) root = assay_build_node_new(b, &(struct assay_node){ .func = a });
    for (int i = 0; i < 2; i++) assay_build_node_parent(b, kid[i], root);
    return assay_builder_seal(b, NULL);
}

static void in_whole_trees_the_order_of_siblings_counts(void **state)
{
    (void)state;
    char why[512];
    assay_profile *az = whole("a", "z", false), *below = whole("a", "z", true), *za = whole("z", "a", false);
    assert_int_equal(assay_profile_equal(az, below, why, sizeof why, NULL), 0);
    assert_int_equal(assay_profile_equal(az, za, why, sizeof why, NULL), 1);
    assert_non_null(strstr(why, "nodes of the tree"));
    assay_profile_release(az);
    assay_profile_release(below);
    assay_profile_release(za);
}

static void a_refused_allocation_is_an_error_not_an_answer(void **state)
{
    (void)state;
    assay_profile *a = make(SAME, false), *b = make(SAME, true);
    int rc = ASSAY_ERR_MEMORY;
    uint64_t n = 1;
    for (; rc != 0 && n < 2000; n++) {
        assay_error err = { 0 };
        char why[64];
        rc = equal_profiles(a, b, why, sizeof why, n, &err);
        if (rc != 0) assert_int_equal(rc, ASSAY_ERR_MEMORY);
        assert_int_equal(err.code, rc);
    }
    assert_int_equal(rc, 0);
    assert_true(n > 20);
    assay_profile_release(a);
    assay_profile_release(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_equals_itself_and_a_second_copy),
        cmocka_unit_test(other_ids_and_another_order_of_rows_are_equal),
        cmocka_unit_test(every_single_change_is_found_and_named),
        cmocka_unit_test(the_sentence_is_optional_and_never_overruns),
        cmocka_unit_test(empty_profiles_are_equal_and_differ_from_others),
        cmocka_unit_test(warnings_and_the_format_are_no_difference),
        cmocka_unit_test(doubles_are_compared_by_bits_and_the_two_zeros_are_equal),
        cmocka_unit_test(the_order_of_metrics_in_a_table_is_no_difference_but_a_missing_one_is),
        cmocka_unit_test(twins_are_matched_as_a_set),
        cmocka_unit_test(in_whole_trees_the_order_of_siblings_counts),
        cmocka_unit_test(a_refused_allocation_is_an_error_not_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
