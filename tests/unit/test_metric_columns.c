/* What --metric asks for: sums become metrics of every shape, with the figures that a sum over its parts has; quotients are of sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/core/metric_columns.h"
#include "assay/assay.h"
#include "assay/build.h"
#include "base/slice.h"

enum { NODES = 3 };

/* Metrics a (whole numbers) and b (doubles) in a tree of two streams, a graph and lines; c only in the graph. */
static assay_profile *profile(void)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, NULL);
    const uint32_t shapes = ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES;
    assay_metric_id m[3] = { assay_build_metric(b, "a", "ns", ASSAY_U64, shapes), assay_build_metric(b, "b", "ns", ASSAY_F64, shapes),
                             assay_build_metric(b, "c", "bytes", ASSAY_I64, ASSAY_SHAPE_GRAPH) };
    assay_scope_id point[2] = { assay_build_scope(b, m[0], ASSAY_SCOPE_POINT, NULL, 0), assay_build_scope(b, m[1], ASSAY_SCOPE_POINT, NULL, 0) };
    assay_stream_id s[2] = { assay_build_stream(b, "one"), assay_build_stream(b, "two") };
    assay_func_id f = assay_build_func_new(b, assay_build_string(b, "f", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 1);
    assay_file_id file = assay_build_file_new(b, assay_build_string(b, "f.c", 3), (assay_module_id){ 0 });
    assay_node_id node = { 0 };
    for (uint32_t i = 0; i < NODES; i++) {
        node = assay_build_node_new(b, &(struct assay_node){ .parent = node, .kind = ASSAY_NODE_FUNCTION, .func = f });
        for (int k = 0; k < 2; k++) {
            assay_build_value(b, s[k], node, point[0], (assay_value){ .u = i + 1 });
            if (i != 1) assay_build_value(b, s[k], node, point[1], (assay_value){ .d = 0.5 });
        }
    }
    assay_build_graph_metrics(b, m, 3);
    assay_build_self(b, &(struct assay_place){ .func = f }, (assay_value[]){ { .u = 12 }, { .d = 2 }, { .i = -4 } }, 3);
    assay_build_line_metrics(b, m, 2);
    assay_build_line(b, &(struct assay_line){ .file = file, .line = 7 }, 1, (assay_value[]){ { .u = 5 }, { .d = 0.25 } }, NULL);
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

static assay_profile *with(const char *spec)
{
    assay_profile *p = profile();
    assert_int_equal(metric_sums_add(&p, spec, 0, NULL), 0);
    return p;
}

static uint32_t metric_called(const assay_profile *p, const char *name)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    for (uint32_t id = 1; id <= m->count; id++)
        if (slice_is(assay_profile_string(p, m->name[id]), name)) return id;
    return 0;
}

static int keep_cell(void *arg, const assay_cell *cell)
{
    ((double *)arg)[cell->node] += cell->value.d;
    return 0;
}

static void a_sum_is_a_metric_of_all_shapes_of_its_parts(void **state)
{
    (void)state;
    assay_profile *p = with("x = a + 10*b");
    const struct assay_metrics *m = assay_profile_metrics(p);
    const struct assay_graph *g = assay_profile_graph(p);
    const struct assay_lines *l = assay_profile_lines(p);
    uint32_t x = metric_called(p, "x");
    assert_int_equal(x, 4);
    assert_int_equal(m->shapes[x], ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES);
    assert_true(m->total_double[x] == 32);
    assert_int_equal(g->block.metric_count, 4);
    assert_int_equal(g->sum_self[0].u, 12);
    assert_true(g->sum_self[3].d == 32);
    assert_int_equal(l->block.metric_count, 3);
    assert_true(l->self[2].d == 7.5);

    const struct assay_scopes *s = assay_profile_scopes(p);
    assert_int_equal(s->count, 3);
    assert_int_equal(s->metric[3].v, x);
    double cells[NODES + 1] = { 0 };
    assert_int_equal(assay_tree_column(p, (assay_stream_id){ 1 }, (assay_scope_id){ 3 }, keep_cell, cells, NULL), 0);
    assert_true(cells[1] == 6 && cells[2] == 2 && cells[3] == 8);
    assay_value v;
    assert_int_equal(assay_tree_value(p, (assay_stream_id){ 2 }, (assay_node_id){ 3 }, (assay_scope_id){ 3 }, &v, NULL), 0);
    assert_true(v.d == 8);
    assay_profile_release(p);
}

static void what_one_shape_lacks_the_sum_lacks_there(void **state)
{
    (void)state;
    assay_profile *p = with("a - c, b + c");
    uint32_t x = metric_called(p, "a - c");
    assert_int_equal(assay_profile_metrics(p)->shapes[x], ASSAY_SHAPE_GRAPH);
    assert_int_equal(assay_profile_scopes(p)->count, 2);
    assert_int_equal(assay_profile_lines(p)->block.metric_count, 2);
    assert_true(assay_profile_graph(p)->sum_self[3].d == 16 && assay_profile_graph(p)->sum_self[4].d == -2);
    assay_profile_release(p);
}

static void only_sums_of_one_unit_keep_it(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *unit;
    } cases[] = { { "x = a + b", "ns" }, { "x = a - b", "ns" }, { "x = a + 2*b", NULL }, { "x = a + c", NULL } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_profile *p = with(cases[i].spec);
        assay_slice unit = assay_profile_string(p, assay_profile_metrics(p)->unit[metric_called(p, "x")]);
        if (cases[i].unit)
            assert_true(slice_is(unit, cases[i].unit));
        else
            assert_null(unit.data);
        assay_profile_release(p);
    }
}

static void names_and_quotients_change_nothing(void **state)
{
    (void)state;
    assay_profile *p = profile(), *before = p;
    assert_int_equal(metric_sums_add(&p, "a, b, q = a / b", 0, NULL), 0);
    assert_ptr_equal(p, before);
    assert_int_equal(metric_sums_add(&p, "b = a + c", 0, NULL), ASSAY_ERR_USAGE);
    assert_int_equal(metric_sums_add(&p, "x = a +", 0, NULL), ASSAY_ERR_USAGE);
    assert_ptr_equal(p, before);
    assay_profile_release(p);
}

static void quotients_are_of_sums_and_one_metric_is_no_list(void **state)
{
    (void)state;
    assay_profile *p = with("x = a + b");
    const struct assay_block *block = &assay_profile_graph(p)->block;
    struct metric_set set = { .profile = p, .at = block->metrics, .count = block->metric_count };
    struct metric_columns c;
    struct mem mem;
    assay_metric_id id;
    mem_init(&mem, 0);
    assert_int_equal(metric_columns_init(&c, &mem, &set, "q = a / b, x = a + b", NULL), 0);
    assert_int_equal(c.count, 2);
    assert_true(!c.at[0].is_sum && c.at[1].is_sum && !c.at[1].formula);
    assert_int_equal(metric_columns_key(&c), 3);
    assert_true(metric_columns_value(&c, 0, assay_profile_graph(p)->sum_self).d == 6);
    assert_true(metric_columns_average(&c, 1, assay_profile_graph(p)->sum_self, 4) == 3.5);
    assay_metric_id left[4];
    memcpy(left, block->metrics, sizeof left);
    c.metrics = left;
    assert_int_equal(metric_columns_compact(&c, left), 3); /* without c */
    assert_true(metric_columns_value(&c, 0, (assay_value[]){ { .u = 9 }, { .d = 3 }, { .d = 0 } }).d == 3);
    metric_columns_done(&c);

    assert_int_equal(metric_choose_one(&set, "x = a + b", &id, NULL), 0);
    assert_int_equal(id.v, 4);
    assert_int_equal(metric_choose_one(&set, "a, b", &id, NULL), ASSAY_ERR_USAGE);
    assert_int_equal(metric_choose_one(&set, "a / b", &id, NULL), ASSAY_ERR_USAGE);
    assert_int_equal(metric_choose_key(&set, "a / b, b", &id, NULL), 0);
    assert_int_equal(id.v, 2);
    assay_profile_release(p);
}

static void too_little_memory_is_an_error(void **state)
{
    (void)state;
    for (uint64_t limit = 1;; limit += 97) {
        assay_profile *p = profile(), *before = p;
        assay_error err = { 0 };
        int rc = metric_sums_add(&p, "x = a + b, y = a - b", limit, &err);
        assert_true(rc == 0 || (rc == ASSAY_ERR_MEMORY && p == before));
        assay_profile_release(p);
        if (rc == 0) return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_is_a_metric_of_all_shapes_of_its_parts),
        cmocka_unit_test(what_one_shape_lacks_the_sum_lacks_there),
        cmocka_unit_test(only_sums_of_one_unit_keep_it),
        cmocka_unit_test(names_and_quotients_change_nothing),
        cmocka_unit_test(quotients_are_of_sums_and_one_metric_is_no_list),
        cmocka_unit_test(too_little_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
