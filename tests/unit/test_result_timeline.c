/* assay_chart: lines, functions, parts and boxes of a stream made by hand. */
#include "results.h"

static assay_node_id node(assay_builder *b, assay_node_id parent, uint8_t kind, const char *name)
{
    struct assay_node n = { .parent = parent, .kind = kind, .relation = ASSAY_RELATION_CALL };
    n.func = assay_build_func(b, assay_build_string(b, name, strlen(name)), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    return assay_build_node_new(b, &n);
}

/* 0 main, 10 work, 30 inner (called by work), 60 other (called by main), 90 main, 100 the end. */
static assay_profile *stream_profile(void)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_node_id main = node(b, (assay_node_id){ 0 }, ASSAY_NODE_FUNCTION, "main"), work = node(b, main, ASSAY_NODE_FUNCTION, "work");
    assay_node_id inner = node(b, work, ASSAY_NODE_FUNCTION, "inner"), other = node(b, main, ASSAY_NODE_FUNCTION, "other");
    assay_stream_id s = assay_build_stream(b, "one");
    assay_build_tuple(b, "THREAD", 1, 1, 0);
    assay_build_timeline_stream(b, s, "ns", false);
    const struct {
        int64_t time;
        assay_node_id node;
    } events[] = { { 0, main }, { 10, work }, { 30, inner }, { 60, other }, { 90, main }, { 100, { 0 } } };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) assay_build_event(b, s, events[i].time, 0, events[i].node, NULL);
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

static void check_function(const assay_chart *c, uint32_t i, const char *name, uint64_t self, uint64_t total)
{
    assert_true(i < c->functions.count);
    assert_slice(c->functions.name[i], name);
    assert_int_equal(c->functions.self[i].low, self);
    assert_int_equal(c->functions.total[i].low, total);
    assert_int_equal(c->functions.streams[i], 1);
}

static void check_box(const assay_chart *c, size_t i, uint32_t depth, const char *name, int64_t from, int64_t to)
{
    assert_true(i < c->boxes.count);
    assert_int_equal(c->boxes.line[i], 0);
    assert_int_equal(c->boxes.depth[i], depth);
    assert_slice(c->boxes.name[i], name);
    assert_int_equal(c->boxes.from[i], from);
    assert_int_equal(c->boxes.to[i], to);
    assert_int_equal(c->boxes.time[i], to - from);
    assert_int_equal(c->boxes.calls[i], 1);
    assert_false(c->boxes.is_merged[i]);
}

static void a_chart_has_every_depth(void **state)
{
    (void)state;
    assay_profile *p = stream_profile();
    assay_chart *c;
    assert_int_equal(assay_chart_new(p, NULL, &c, NULL), 0);
    assert_true(c->begin == 0 && c->end == 100 && c->from == 0 && c->to == 100 && c->deepest == 3 && c->depth == 0 && c->events == 6);
    assert_true(c->recorded.low == 100 && c->idle.low == 0 && !c->is_spans && !c->is_laid_out);
    assert_string_equal(c->unit, "ns");
    assert_int_equal(c->line_count, 1);
    assert_true(c->lines[0].stream.v == 1 && c->lines[0].recorded == 100 && c->lines[0].levels == 3 && c->lines[0].count == 6 && c->lines[0].time[2] == 30);
    assert_int_equal(c->functions.count, 4);
    check_function(c, 0, "inner", 30, 30);
    check_function(c, 1, "other", 30, 30);
    check_function(c, 2, "main", 20, 100);
    check_function(c, 3, "work", 20, 50);
    assert_int_equal(c->boxes.count, 4);
    check_box(c, 0, 1, "main", 0, 100);
    check_box(c, 1, 2, "work", 10, 60);
    check_box(c, 2, 2, "other", 60, 90);
    check_box(c, 3, 3, "inner", 30, 60);
    assay_chart_free(c);
    assay_profile_release(p);
}

static void one_depth_has_parts_of_lines(void **state)
{
    (void)state;
    struct assay_chart_options o = { .size = sizeof o, .depth = 2 };
    static const uint64_t times[] = { 50, 30, 20 };
    assay_profile *p = stream_profile();
    assay_chart *c;
    assert_int_equal(assay_chart_new(p, &o, &c, NULL), 0);
    assert_true(c->depth == 2 && c->boxes.count == 0 && c->functions.count == 3);
    check_function(c, 0, "work", 50, 50);
    check_function(c, 1, "other", 30, 30);
    check_function(c, 2, "main", 20, 20);
    assert_true(c->lines[0].part_begin == 0 && c->lines[0].part_end == 3 && c->parts.count == 3);
    for (uint32_t i = 0; i < 3; i++) assert_true(c->parts.function[i] == i && c->parts.time[i] == times[i]);
    assay_chart_free(c);
    o.depth = ASSAY_CHART_INNERMOST;
    assert_int_equal(assay_chart_new(p, &o, &c, NULL), 0);
    check_function(c, 0, "inner", 30, 30);
    assay_chart_free(c);
    assay_profile_release(p);
}

static void a_window_is_a_part_of_the_time(void **state)
{
    (void)state;
    struct assay_chart_options o = { .size = sizeof o, .time = "20%..60%" };
    assay_profile *p = stream_profile();
    assay_chart *c;
    assay_error err;
    assert_int_equal(assay_chart_new(p, &o, &c, NULL), 0);
    assert_true(c->from == 20 && c->to == 60 && c->recorded.low == 40 && c->functions.count == 3);
    check_function(c, 0, "inner", 30, 30);
    check_function(c, 1, "work", 10, 40);
    check_function(c, 2, "main", 0, 40);
    assay_chart_free(c);
    o.time = "x";
    assert_int_equal(assay_chart_new(p, &o, &c, &err), ASSAY_ERR_USAGE);
    assert_null(c);
    assay_profile_release(p);
    p = result_tree();
    assert_int_equal(assay_chart_new(p, NULL, &c, &err), ASSAY_ERR_UNSUPPORTED);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_has_every_depth),
        cmocka_unit_test(one_depth_has_parts_of_lines),
        cmocka_unit_test(a_window_is_a_part_of_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
