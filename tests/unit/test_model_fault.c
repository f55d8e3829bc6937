/* Every allocation of a profile that uses every feature is refused in turn: an error and no leak (the sanitizers look), until it seals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "model_sample.h"

static void each_refused_allocation_gives_a_memory_error(void **state)
{
    (void)state;
    assay_profile *whole = sample_build(NULL, SAME, false, NULL), *p = NULL;
    assert_non_null(whole);
    uint64_t n = 1;
    for (; !p && n < 5000; n++) {
        assay_error err = { 0 };
        mem_fail_new(n, 0, UINT32_MAX);
        p = sample_build(NULL, SAME, n % 2, &err);
        mem_fail_new(0, 0, 0);
        assert_int_equal(err.code, p ? ASSAY_OK : ASSAY_ERR_MEMORY);
    }
    assert_true(n > 200);
    assert_non_null(p);
    assert_int_equal(assay_profile_equal(whole, p, NULL, 0, NULL), 0);
    assay_profile_release(p);
    assay_profile_release(whole);
}

/* What only happens at times: nodes from below, cells out of order, late metrics, events out of order. */
static assay_profile *build_from_below(assay_error *err)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_WHOLE | ASSAY_WANT_GRAPH }, err);
    if (!b) return NULL;
    assay_metric_id m[2] = { assay_build_metric(b, "i", "count", ASSAY_I64, 0), assay_build_metric(b, "d", "s", ASSAY_F64, 0) };
    assay_scope_id s[2] = { assay_build_scope(b, m[0], ASSAY_SCOPE_POINT, NULL, 0), assay_build_scope(b, m[1], ASSAY_SCOPE_POINT, NULL, 0) };
    assay_func_id f = assay_build_func(b, assay_build_string(b, "f", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_graph_metrics(b, m, 1);
    for (uint32_t i = 1; i <= 40; i++) {
        assay_node_id id = assay_build_node_new(b, &(struct assay_node){ .func = f, .line = i });
        assay_build_value(b, (assay_stream_id){ 0 }, id, s[i % 2], (assay_value){ .i = 8 });
        assay_build_value(b, (assay_stream_id){ 0 }, (assay_node_id){ id.v / 2 }, s[0], (assay_value){ .i = i % 3 ? 1 : -8 });
        assay_build_event(b, (assay_stream_id){ 0 }, 100 - (int64_t)i, 1, id, NULL);
        assay_build_self(b, &(struct assay_place){ .func = f, .line = i }, &(assay_value){ .i = 1 }, 1);
    }
    for (uint32_t i = 1; i < 40; i++) assay_build_node_parent(b, (assay_node_id){ i }, (assay_node_id){ i + 1 });
    assay_build_graph_metrics(b, m, 2);
    return assay_builder_seal(b, err);
}

static void refusals_while_renumbering_sorting_and_widening_are_clean(void **state)
{
    (void)state;
    assay_profile *whole = build_from_below(NULL), *p = NULL;
    assert_non_null(whole);
    uint64_t n = 1;
    for (; !p && n < 5000; n++) {
        assay_error err = { 0 };
        mem_fail_new(n, 0, UINT32_MAX);
        p = build_from_below(&err);
        mem_fail_new(0, 0, 0);
        assert_int_equal(err.code, p ? ASSAY_OK : ASSAY_ERR_MEMORY);
    }
    assert_true(n > 60);
    assert_int_equal(assay_profile_equal(whole, p, NULL, 0, NULL), 0);
    assay_profile_release(p);
    assay_profile_release(whole);
}

static void a_missing_builder_is_no_crash(void **state)
{
    (void)state;
    assay_error err;
    assay_builder *b = assay_builder_new(NULL, &err);
    assay_build_tuple(b, "RANK", 0, 0, 0);
    assert_null(assay_builder_seal(b, &err));
    assert_int_equal(err.code, ASSAY_ERR_USAGE);
    mem_fail_new(1, 0, UINT32_MAX);
    assert_null(assay_builder_seal(assay_builder_new(NULL, &err), &err));
    mem_fail_new(0, 0, 0);
    assert_int_equal(err.code, ASSAY_ERR_MEMORY);
}

static void a_memory_limit_is_kept(void **state)
{
    (void)state;
    assay_profile *p = NULL;
    int refused = 0;
    for (uint64_t limit = 1000; !p && limit < 10000000; limit += limit / 16) {
        assay_error err = { 0 };
        p = sample_build(&(struct assay_build_options){ .max_memory = limit }, SAME, false, &err);
        assert_int_equal(err.code, p ? ASSAY_OK : ASSAY_ERR_MEMORY);
        if (!p) assert_non_null(strstr(err.text, "memory"));
        refused += !p;
    }
    assert_non_null(p);
    assert_true(refused > 10);
    assay_profile_release(p);
}

static void after_an_error_calls_do_nothing_and_ids_are_zero(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_build_tuple(b, "RANK", 0, 0, 0); /* no stream to add it to */
    assert_int_equal(assay_builder_failed(b), ASSAY_ERR_USAGE);
    assert_int_equal(assay_build_string(b, "x", 1).v, 0);
    assert_int_equal(assay_build_stream(b, "x").v, 0);
    assert_int_equal(assay_build_metric(b, "x", "count", ASSAY_U64, 0).v, 0);
    assert_int_equal(assay_build_func(b, (assay_str_id){ 0 }, (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0).v, 0);
    assert_int_equal(assay_build_file(b, (assay_str_id){ 0 }, (assay_module_id){ 0 }).v, 0);
    assert_int_equal(assay_build_module(b, (assay_str_id){ 0 }, (assay_str_id){ 0 }).v, 0);
    assert_int_equal(assay_build_node(b, &(struct assay_node){ 0 }).v, 0);
    assay_build_self(b, &(struct assay_place){ 0 }, NULL, 0);
    assay_build_event(b, (assay_stream_id){ 9 }, 0, 0, (assay_node_id){ 0 }, NULL);
    assay_error err = { 0 };
    assert_null(assay_builder_seal(b, &err));
    assert_int_equal(err.code, ASSAY_ERR_USAGE);
    assert_non_null(strstr(err.text, "needs a stream"));
}

static void a_builder_can_be_given_up(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_build_stream(b, "x");
    assay_build_metric(b, "Ir", "count", ASSAY_U64, 0);
    assay_build_node(b, &(struct assay_node){ .line = 3 });
    assay_builder_free(b);
    assay_builder_free(NULL);
}

/* Ids that were never given out must not become rows that crash readers. */
static void ids_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 14; i++) {
        assay_builder *b = assay_builder_new(NULL, NULL);
        assay_scope_id point = assay_build_scope(b, assay_build_metric(b, "m", "count", ASSAY_U64, 0), ASSAY_SCOPE_POINT, NULL, 0);
        assay_node_id node = assay_build_node(b, &(struct assay_node){ 0 });
        const assay_value one = { .u = 1 };
        if (i == 0) assay_build_self(b, &(struct assay_place){ .func = { 1 } }, &one, 1);
        if (i == 1) assay_build_self(b, &(struct assay_place){ .stream = { 1 } }, &one, 1);
        if (i == 2) assay_build_self(b, &(struct assay_place){ .file = { 1 } }, &one, 1);
        if (i == 3) assay_build_call(b, &(struct assay_place){ 0 }, (assay_func_id){ 5 }, 1, &one, 1);
        if (i == 4) assay_build_call(b, &(struct assay_place){ .func = { 5 } }, (assay_func_id){ 0 }, 1, &one, 1);
        if (i == 5) assay_build_value(b, (assay_stream_id){ 1 }, node, point, one);
        if (i == 6) assay_build_value(b, (assay_stream_id){ 0 }, (assay_node_id){ 2 }, point, one);
        if (i == 7) assay_build_value(b, (assay_stream_id){ 0 }, node, (assay_scope_id){ 2 }, one);
        if (i == 8) assay_build_value(b, (assay_stream_id){ 0 }, node, (assay_scope_id){ 0 }, one);
        if (i == 9) assay_build_summary(b, node, (assay_stat_id){ 1 }, one);
        if (i == 10) assay_build_node(b, &(struct assay_node){ .parent = { 2 } });
        if (i == 11) assay_build_line(b, &(struct assay_line){ .file = { 1 } }, 1, NULL, NULL);
        if (i == 12) assay_build_func(b, (assay_str_id){ 99 }, (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        if (i == 13) assay_build_coverage_line(b, &(struct assay_coverage_line){ .file = { 1 } });
        if (assay_builder_failed(b) != ASSAY_ERR_USAGE) fail_msg("case %d: code %d", i, assay_builder_failed(b));
        assay_builder_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_refused_allocation_gives_a_memory_error),
        cmocka_unit_test(refusals_while_renumbering_sorting_and_widening_are_clean),
        cmocka_unit_test(a_missing_builder_is_no_crash),
        cmocka_unit_test(a_memory_limit_is_kept),
        cmocka_unit_test(after_an_error_calls_do_nothing_and_ids_are_zero),
        cmocka_unit_test(a_builder_can_be_given_up),
        cmocka_unit_test(ids_that_do_not_exist_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
