/* assay_paths: contexts by function in the order of a walk, from either end, true and estimated. */
#include "results.h"

struct wanted {
    uint32_t parent, end;
    const char *name;
    uint64_t self, total;
};

static void check_rows(const assay_paths *s, const struct wanted *want, uint32_t count)
{
    assert_int_equal(s->count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(s->parent[i + 1], want[i].parent);
        assert_int_equal(s->end[i + 1], want[i].end);
        assert_slice(s->name[i + 1], want[i].name);
        assert_int_equal(s->self[i + 1].u, want[i].self);
        assert_int_equal(s->total[i + 1].u, want[i].total);
    }
    assert_int_equal(s->end[0], count + 1);
}

static const struct wanted top_down[] = { { 0, 6, "main", 1, 11 }, { 1, 4, "a", 2, 7 }, { 2, 4, "c", 5, 5 }, { 1, 6, "b", 0, 3 }, { 4, 6, "c", 3, 3 } };

static void rows_are_in_the_order_of_a_walk(void **state)
{
    (void)state;
    assay_profile *p = result_tree();
    assay_paths *s;
    assert_int_equal(assay_paths_new(p, NULL, &s, NULL), 0);
    check_rows(s, top_down, 5);
    assert_true(s->total[0].u == 11 && s->type == ASSAY_U64 && s->metric.v == 1 && s->deepest == 3 && !s->is_estimated);
    assay_paths_free(s);
    /* a third of 11: b and what it calls are left out, but not what stands after them */
    assert_int_equal(assay_paths_new(p, &(struct assay_paths_options){ .size = sizeof(struct assay_paths_options), .least = 0.34 }, &s, NULL), 0);
    check_rows(s, (const struct wanted[]){ { 0, 4, "main", 1, 11 }, { 1, 4, "a", 2, 7 }, { 2, 4, "c", 5, 5 } }, 3);
    assay_paths_free(s);
    assay_profile_release(p);
}

static void from_the_other_end_callers_are_below(void **state)
{
    (void)state;
    static const struct wanted want[] = { { 0, 6, "c", 0, 8 }, { 1, 4, "a", 0, 5 }, { 2, 4, "main", 0, 5 }, { 1, 6, "b", 0, 3 }, { 4, 6, "main", 0, 3 } };
    struct assay_paths_options o = { .size = sizeof o, .callers = true, .least = 0.2 };
    assay_profile *p = result_tree();
    assay_paths *s;
    assert_int_equal(assay_paths_new(p, &o, &s, NULL), 0);
    check_rows(s, want, 5);
    assay_paths_free(s);
    assay_profile_release(p);
}

static void a_graph_is_estimated_when_asked_for(void **state)
{
    (void)state;
    struct assay_paths_options o = { .size = sizeof o };
    assay_profile *p = result_graph(), *estimated;
    assay_paths *s;
    assay_error err;
    assert_int_equal(assay_paths_new(p, &o, &s, &err), ASSAY_ERR_UNSUPPORTED);
    assert_null(s);
    o.estimate = true;
    assert_int_equal(assay_paths_new(p, &o, &s, NULL), 0);
    check_rows(s, top_down, 5);
    assert_true(s->is_estimated && s->profile != p);
    assert_int_equal(s->calls[3], 5);
    assay_paths_free(s);
    assert_int_equal(assay_estimate_new(p, NULL, &estimated, NULL), 0);
    assert_int_equal(assay_paths_new(estimated, NULL, &s, NULL), 0);
    check_rows(s, top_down, 5);
    assay_paths_free(s);
    assay_profile_release(estimated);
    assert_int_equal(
        assay_estimate_new(p, &(struct assay_estimate_options){ .size = sizeof(struct assay_estimate_options), .metric = "none" }, &estimated, &err),
        ASSAY_ERR_USAGE);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_the_order_of_a_walk),
        cmocka_unit_test(from_the_other_end_callers_are_below),
        cmocka_unit_test(a_graph_is_estimated_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
