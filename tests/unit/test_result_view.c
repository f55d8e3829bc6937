/* assay_view: rows, parents and figures of contexts that were added up by hand; options that do not fit. */
#include "results.h"

#include "base/options.h"

struct wanted {
    uint32_t parent, depth;
    const char *name;
    uint64_t self, total;
};

static void check_rows(const assay_view *v, const struct wanted *want, uint32_t count)
{
    assert_int_equal(v->count, count);
    assert_int_equal(v->column_count, 1);
    assert_slice(v->columns[0].name, "cost");
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(v->parent[i + 1], want[i].parent);
        assert_int_equal(v->depth[i + 1], want[i].depth);
        assert_slice(v->name[i + 1], want[i].name);
        assert_true(v->has_self[i + 1]);
        assert_int_equal(v->self[i + 1].u, want[i].self);
        assert_int_equal(v->total[i + 1].u, want[i].total);
        assert_int_equal(v->kind[i + 1], ASSAY_NODE_FUNCTION);
    }
}

static void rows_are_contexts_from_the_top(void **state)
{
    (void)state;
    static const struct wanted want[] = { { 0, 1, "main", 1, 11 }, { 1, 2, "a", 2, 7 }, { 2, 3, "c", 5, 5 }, { 1, 2, "b", 0, 3 }, { 4, 3, "c", 3, 3 } };
    assay_profile *p = result_tree();
    assay_view *v;
    assert_int_equal(assay_view_new(p, NULL, &v, NULL), 0);
    check_rows(v, want, 5);
    assert_ptr_equal(v->profile, p);
    assert_false(v->is_estimated);
    assert_int_equal(v->key, 0);
    assert_true(v->columns[0].whole == 11 && v->columns[0].is_sum && v->columns[0].metric.v == 1);
    assert_int_equal(v->left_out, 0);
    assay_view_free(v);
    assay_profile_release(p);
}

/* 20 % of 11 is 2.2: the 2 of a, the 1 of main and the 0 of b are left out. */
static void bottom_up_leaves_out_what_is_small(void **state)
{
    (void)state;
    static const struct wanted want[] = { { 0, 1, "c", 8, 8 }, { 1, 2, "a", 5, 5 }, { 2, 3, "main", 5, 5 }, { 1, 2, "b", 3, 3 }, { 4, 3, "main", 3, 3 } };
    struct assay_view_options o = { .size = sizeof o, .kind = ASSAY_VIEW_BOTTOM_UP, .detail = ASSAY_VIEW_FUNCTIONS, .least = 0.2 };
    assay_profile *p = result_tree();
    assay_view *v;
    assert_int_equal(assay_view_new(p, &o, &v, NULL), 0);
    check_rows(v, want, 5);
    assert_int_equal(v->left_out, 3);
    assay_view_free(v);
    assay_profile_release(p);
}

static void a_view_can_begin_at_a_function_and_end_at_a_depth(void **state)
{
    (void)state;
    static const struct wanted want[] = { { 0, 1, "a", 2, 7 }, { 1, 2, "c", 5, 5 } }, first[] = { { 0, 1, "main", 1, 11 } };
    struct assay_view_options o = { .size = sizeof o, .function = "a", .metric = "cost" };
    assay_profile *p = result_tree();
    assay_view *v;
    assert_int_equal(assay_view_new(p, &o, &v, NULL), 0);
    check_rows(v, want, 2);
    assay_view_free(v);
    assert_int_equal(assay_view_new(p, &(struct assay_view_options){ .size = sizeof o, .depth = 1 }, &v, NULL), 0);
    check_rows(v, first, 1);
    assay_view_free(v);
    assay_profile_release(p);
}

/* From main to a, which has 7 of 11, to c, which has 5 of 7; with a limit of two rows the ends are left. */
static void a_hot_path_with_a_limit_has_its_ends(void **state)
{
    (void)state;
    static const struct wanted all[] = { { 0, 1, "main", 1, 11 }, { 1, 2, "a", 2, 7 }, { 2, 3, "c", 5, 5 } };
    static const struct wanted ends[] = { { 0, 1, "main", 1, 11 }, { 1, 3, "c", 5, 5 } };
    struct assay_view_options o = { .size = sizeof o, .kind = ASSAY_VIEW_HOT_PATH };
    assay_profile *p = result_tree();
    assay_view *v;
    assert_int_equal(assay_view_new(p, &o, &v, NULL), 0);
    check_rows(v, all, 3);
    assay_view_free(v);
    o.limit = 2;
    assert_int_equal(assay_view_new(p, &o, &v, NULL), 0);
    check_rows(v, ends, 2);
    assay_view_free(v);
    assay_profile_release(p);
}

/* A call graph has none; where each call's cost is known, dividing c's 8 by the calls of 5 and 3 gives the contexts of the tree. */
static void contexts_of_a_graph_are_estimated_when_asked_for(void **state)
{
    (void)state;
    struct assay_view_options o = { .size = sizeof o, .detail = ASSAY_VIEW_FUNCTIONS };
    static const uint64_t totals[] = { 11, 7, 5, 3, 3 };
    assay_profile *p = result_graph();
    assay_view *v;
    assay_error err;
    assert_int_equal(assay_view_new(p, &o, &v, &err), ASSAY_ERR_UNSUPPORTED);
    assert_null(v);
    o.estimate = true;
    assert_int_equal(assay_view_new(p, &o, &v, NULL), 0);
    assert_true(v->is_estimated && v->profile != p);
    assert_int_equal(v->count, 5);
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(v->total[i + 1].u, totals[i]);
    assay_view_free(v);
    assay_profile_release(p);
}

/* cost + cost is a metric that is made; a quotient is computed for each row. */
static void formulas_are_columns(void **state)
{
    (void)state;
    struct assay_view_options o = { .size = sizeof o, .metric = "twice = cost + cost, ratio = cost / (cost + cost)" };
    assay_profile *p = result_tree();
    assay_view *v;
    assay_error err;
    int rc = assay_view_new(p, &o, &v, &err);
    if (rc) print_message("%s\n", err.text);
    assert_int_equal(rc, 0);
    assert_int_equal(v->column_count, 2);
    assert_slice(v->columns[0].name, "twice");
    assert_slice(v->columns[1].name, "ratio");
    assert_true(v->columns[0].metric.v != 0 && v->columns[1].metric.v == 0 && !v->columns[1].is_sum);
    assert_true(v->columns[0].type == ASSAY_F64 ? v->total[2].d == 22 : v->total[2].u == 22);
    assert_true(v->total[3].d == 0.5);
    assay_view_free(v);
    assay_profile_release(p);
}

static void options_may_be_older_or_newer(void **state)
{
    (void)state;
    struct {
        struct assay_view_options o;
        size_t later;
    } newer = { .o = { .size = sizeof newer } };
    assay_profile *p = result_tree();
    assay_view *v;
    assay_error err;
    assert_int_equal(assay_view_new(p, &newer.o, &v, NULL), 0);
    assay_view_free(v);
    newer.later = 1;
    assert_int_equal(assay_view_new(p, &newer.o, &v, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_view_new(p, &(struct assay_view_options){ .limit = 1 }, &v, &err), 0); /* no size: the first version of the structure */
    assert_int_equal(v->count, 1);
    assay_view_free(v);
    assert_int_equal(assay_view_new(p, &(struct assay_view_options){ 0 }, &v, NULL), 0);
    assay_view_free(v);
    struct assay_view_options o = { .size = offsetof(struct assay_view_options, limit), .limit = 1 };
    assert_int_equal(assay_view_new(p, &o, &v, NULL), 0); /* a program that knows no limit */
    assert_int_equal(v->count, 5);
    assay_view_free(v);
    assert_int_equal(assay_view_new(p, &(struct assay_view_options){ .size = sizeof o, .sort = 9 }, &v, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_view_new(p, &(struct assay_view_options){ .size = sizeof o, .metric = "nothing" }, &v, &err), ASSAY_ERR_USAGE);
    assert_null(v);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_contexts_from_the_top),
        cmocka_unit_test(bottom_up_leaves_out_what_is_small),
        cmocka_unit_test(a_view_can_begin_at_a_function_and_end_at_a_depth),
        cmocka_unit_test(a_hot_path_with_a_limit_has_its_ends),
        cmocka_unit_test(contexts_of_a_graph_are_estimated_when_asked_for),
        cmocka_unit_test(formulas_are_columns),
        cmocka_unit_test(options_may_be_older_or_newer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
