/* Contexts estimated from a call graph: sums by function are those of the graph, and where nothing has to be guessed nothing is. */
#include "base/mem.h"
#include "stacks.h"

#include <stdio.h>

#include "analysis/paths/estimate.h"
#include "analysis/paths/paths.h"

enum { FUNCS_MOST = 64 };

struct call {
    unsigned caller, callee; /* from 1; caller 0 = outside */
    uint64_t calls, cost;
};

/* Functions named "a", "b", ... with a cost of their own; both lists end with 0. */
static assay_profile *graph(enum assay_type type, const uint64_t *self, size_t count, const struct call *calls)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH }, NULL);
    assay_metric_id m = assay_build_metric(b, "cost", "count", type, ASSAY_SHAPE_GRAPH);
    assay_func_id func[FUNCS_MOST] = { { 0 } };
    assay_build_graph_metrics(b, &m, 1);
    for (size_t i = 0; i < count; i++) {
        char name[2] = { (char)('a' + i), '\0' };
        func[i + 1] = assay_build_func(b, assay_build_string(b, name, 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        assay_value v = type == ASSAY_F64 ? (assay_value){ .d = (double)self[i] } : (assay_value){ .u = self[i] };
        assay_build_self(b, &(struct assay_place){ .func = func[i + 1], .line = 1 }, &v, 1);
    }
    for (; calls && calls->callee; calls++) {
        assay_value v = type == ASSAY_F64 ? (assay_value){ .d = (double)calls->cost } : (assay_value){ .u = calls->cost };
        assay_build_call(b, &(struct assay_place){ .func = func[calls->caller], .line = 2 }, func[calls->callee], calls->calls, &v, 1);
    }
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

/* "a;b 5(2)": self and calls of each context, in the order of the rows; contexts without cost too. */
static char *tree_text(const assay_profile *p)
{
    static char text[4096];
    struct mem mem;
    struct paths s;
    mem_init(&mem, 0);
    assert_int_equal(paths_init(&s, &mem, p, (assay_metric_id){ 1 }, NULL), 0);
    *text = '\0';
    for (uint32_t row = 1; row < s.rows.len; row++) {
        char path[256] = "", number[64];
        for (uint32_t at = row; at; at = s.rows.at[at].parent) {
            memmove(path + 1, path, strlen(path) + 1);
            path[0] = paths_name(&s, at).data[0];
        }
        snprintf(number, sizeof number, " %g(%llu)\n", paths_self(&s, row), (unsigned long long)s.rows.at[row].calls);
        strcat(strcat(text, path), number);
    }
    paths_done(&s);
    return text;
}

static assay_profile *estimate(assay_profile *g, uint32_t max_nodes)
{
    assay_profile *p = NULL;
    assert_int_equal(estimate_tree(g, &(struct estimate_options){ .max_nodes = max_nodes }, &p, NULL), 0);
    assert_int_equal(assay_profile_shapes(p), ASSAY_SHAPE_TREE);
    assert_int_not_equal(assay_profile_find_string(p, "estimated").v, 0);
    return p;
}

/* What every estimate must keep: the self cost of each function, to the last unit. */
static void expect_sums(assay_profile *g, assay_profile *p)
{
    assay_top *of_graph, *of_tree;
    assert_int_equal(assay_top_new(g, &of_graph, NULL), 0);
    assert_int_equal(assay_top_new(p, &of_tree, NULL), 0);
    assert_int_equal(of_graph->count, of_tree->count);
    for (uint32_t i = 0; i < of_graph->count; i++) {
        uint32_t j = 0;
        while (of_tree->func[j].v != of_graph->func[i].v) j++;
        for (uint32_t k = 0; k < of_graph->metric_count; k++)
            assert_true(of_graph->self[i * of_graph->metric_count + k].u == of_tree->self[j * of_tree->metric_count + k].u);
    }
    assay_top_free(of_graph);
    assay_top_free(of_tree);
}

static void expect(assay_profile *g, uint32_t max_nodes, const char *text)
{
    assay_profile *p = estimate(g, max_nodes);
    expect_sums(g, p);
    if (text) assert_string_equal(tree_text(p), text);
    assay_profile_release(p);
    assay_profile_release(g);
}

static void one_caller_each_is_exact(void **state)
{
    (void)state;
    static const uint64_t self[] = { 1, 20, 3, 0 };
    static const struct call calls[] = { { 1, 2, 4, 23 }, { 2, 3, 7, 3 }, { 1, 4, 2, 0 }, { 0, 0, 0, 0 } };
    expect(graph(ASSAY_U64, self, 4, calls), 0, "a 1(0)\nab 20(4)\nabc 3(7)\nad 0(2)\n");
}

/* c costs 10: 3 of 4 parts of it below b, as the calls say. */
static void a_callee_is_parted_as_its_calls_cost(void **state)
{
    (void)state;
    static const uint64_t self[] = { 0, 5, 10 };
    static const struct call calls[] = { { 1, 2, 1, 11 }, { 2, 3, 6, 6 }, { 1, 3, 4, 2 }, { 0, 0, 0, 0 } };
    expect(graph(ASSAY_U64, self, 3, calls), 0, "a 0(0)\nab 5(1)\nabc 7(6)\nac 3(4)\n");
    expect(graph(ASSAY_F64, self, 3, calls), 0, "a 0(0)\nab 5(1)\nabc 7.5(6)\nac 2.5(4)\n");
}

/* Three contexts of the same weight and a cost of 10: what is rounded off is not lost. */
static void units_are_neither_lost_nor_made(void **state)
{
    (void)state;
    static const uint64_t self[] = { 0, 1, 1, 1, 10 };
    static const struct call calls[] = { { 1, 2, 1, 4 }, { 1, 3, 1, 4 }, { 1, 4, 1, 4 }, { 2, 5, 1, 3 }, { 3, 5, 1, 3 }, { 4, 5, 1, 3 }, { 0, 0, 0, 0 } };
    expect(graph(ASSAY_U64, self, 5, calls), 0, "a 0(0)\nab 1(1)\nac 1(1)\nad 1(1)\nabe 3(1)\nace 3(1)\nade 4(1)\n");
}

/* b and c call each other: neither is entered twice on a path. d calls itself. */
static void cycles_are_cut(void **state)
{
    (void)state;
    static const uint64_t self[] = { 10, 50, 40, 7 };
    static const struct call calls[] = { { 1, 2, 1, 90 }, { 2, 3, 5, 200 }, { 3, 2, 4, 160 }, { 1, 4, 1, 7 }, { 4, 4, 9, 60 }, { 0, 0, 0, 0 } };
    expect(graph(ASSAY_U64, self, 4, calls), 0, "a 10(0)\nab 50(1)\nabc 40(5)\nad 7(1)\n");
}

/* Nobody calls b or c but they themselves: the heavier one comes first. */
static void functions_without_a_root_have_one_made(void **state)
{
    (void)state;
    static const uint64_t self[] = { 1, 2, 30 };
    static const struct call calls[] = { { 2, 3, 2, 31 }, { 3, 2, 2, 4 }, { 0, 0, 0, 0 } };
    expect(graph(ASSAY_U64, self, 3, calls), 0, "a 1(0)\nc 30(0)\ncb 2(2)\n");
}

static void calls_from_outside_are_roots(void **state)
{
    (void)state;
    static const uint64_t self[] = { 6, 8 };
    static const struct call calls[] = { { 0, 1, 1, 10 }, { 0, 2, 1, 4 }, { 1, 2, 1, 4 }, { 0, 0, 0, 0 } };
    expect(graph(ASSAY_U64, self, 2, calls), 0, "a 6(1)\nb 4(1)\nab 4(1)\n");
}

/* A file may give calls no cost: then their number decides. */
static void calls_without_cost_count_by_number(void **state)
{
    (void)state;
    static const uint64_t self[] = { 4, 4, 9 };
    static const struct call calls[] = { { 1, 2, 1, 0 }, { 1, 3, 1, 0 }, { 2, 3, 2, 0 }, { 0, 0, 0, 0 } };
    expect(graph(ASSAY_U64, self, 3, calls), 0, "a 4(0)\nab 4(1)\nabc 6(2)\nac 3(1)\n");
}

/* Layers of two functions where each calls both of the next: 2^20 paths. However few contexts are made, no function is missing and no cost. */
static void the_number_of_contexts_is_bounded(void **state)
{
    (void)state;
    enum { LAYERS = 20 };
    uint64_t self[2 * LAYERS];
    struct call calls[4 * LAYERS + 1] = { { 0, 0, 0, 0 } };
    size_t n = 0;
    for (unsigned i = 0; i < 2 * LAYERS; i++) self[i] = 1000003 + i;
    for (unsigned i = 0; i + 2 < 2 * LAYERS; i++)
        for (unsigned k = 0; k < 2; k++) calls[n++] = (struct call){ i + 1, i / 2 * 2 + 3 + k, 3 + k, (2 * LAYERS - i) * 1000 };
    for (uint32_t most = 1; most <= 10000; most *= 10) {
        assay_profile *g = graph(ASSAY_U64, self, 2 * LAYERS, calls), *p = estimate(g, most);
        assert_in_range(assay_profile_tree(p)->count, 2 * LAYERS, most + 2 * LAYERS);
        expect_sums(g, p);
        assay_profile_release(p);
        assay_profile_release(g);
    }
}

static void large_numbers_stay_exact(void **state)
{
    (void)state;
    static const uint64_t self[] = { 1, 1, UINT64_MAX / 2 + 12345, 1 };
    static const struct call calls[] = { { 1, 2, 1, 3 }, { 1, 4, 1, 5 }, { 2, 3, 1, 1000003 }, { 4, 3, 1, 998001 }, { 0, 0, 0, 0 } };
    expect(graph(ASSAY_U64, self, 4, calls), 0, NULL);
}

static void what_has_no_graph_is_refused(void **state)
{
    (void)state;
    static const char *const stacks[] = { "a;b 1", NULL };
    assay_profile *tree = stacks_profile(ASSAY_U64, stacks), *p = NULL;
    assay_error err = { 0 };
    assert_int_equal(estimate_tree(tree, NULL, &p, &err), ASSAY_ERR_UNSUPPORTED);
    assert_int_equal(err.code, ASSAY_ERR_UNSUPPORTED);
    assert_null(p);
    assay_profile_release(tree);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    static const uint64_t self[] = { 1, 2, 30, 5 };
    static const struct call calls[] = { { 1, 2, 2, 31 }, { 1, 3, 2, 4 }, { 2, 3, 1, 26 }, { 3, 2, 1, 1 }, { 0, 0, 0, 0 } };
    assay_profile *g = graph(ASSAY_U64, self, 4, calls), *p = NULL;
    int rc = -1;
    for (uint64_t n = 1; rc != 0; n++) {
        assay_error err = { 0 };
        mem_fail_new(n, 0, UINT32_MAX);
        rc = estimate_tree(g, &(struct estimate_options){ 0 }, &p, &err);
        mem_fail_new(0, 0, 0);
        assert_true(rc == 0 ? n > 10 : rc == ASSAY_ERR_MEMORY && !p);
    }
    assay_profile_release(p);
    assay_profile_release(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_caller_each_is_exact),
        cmocka_unit_test(a_callee_is_parted_as_its_calls_cost),
        cmocka_unit_test(units_are_neither_lost_nor_made),
        cmocka_unit_test(cycles_are_cut),
        cmocka_unit_test(functions_without_a_root_have_one_made),
        cmocka_unit_test(calls_from_outside_are_roots),
        cmocka_unit_test(calls_without_cost_count_by_number),
        cmocka_unit_test(the_number_of_contexts_is_bounded),
        cmocka_unit_test(large_numbers_stay_exact),
        cmocka_unit_test(what_has_no_graph_is_refused),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
