/* Flame charts of timelines made by hand: which boxes stand where, what is merged, what functions took at any depth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/timeline/chart.h"
#include "assay/build.h"
#include "base/number.h"
#include "base/slice.h"

/* main > { work > work, other } */
struct made {
    assay_builder *b;
    assay_stream_id stream;
    assay_node_id main, work, again, other;
};

static assay_node_id node(assay_builder *b, assay_node_id parent, const char *name)
{
    assay_func_id f = assay_build_func(b, assay_build_string(b, name, strlen(name)), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    return assay_build_node_new(b, &(struct assay_node){ .parent = parent, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = f });
}

static assay_stream_id stream(assay_builder *b, uint64_t number)
{
    assay_stream_id s = assay_build_stream(b, "");
    assay_build_tuple(b, "THREAD", number, number, 0);
    assay_build_timeline_stream(b, s, "ns", false);
    return s;
}

static struct made make(void)
{
    struct made m = { .b = assay_builder_new(NULL, NULL) };
    m.main = node(m.b, (assay_node_id){ 0 }, "main");
    m.work = node(m.b, m.main, "work");
    m.again = node(m.b, m.work, "work");
    m.other = node(m.b, m.main, "other");
    m.stream = stream(m.b, 0);
    return m;
}

static void at(struct made *m, int64_t time, assay_node_id n) { assay_build_event(m->b, m->stream, time, 0, n, NULL); }

struct seen {
    struct mem mem;
    assay_profile *p;
    struct timeline t;
    struct timeline_chart chart;
    struct timeline_totals totals;
};

static void open_seen(struct seen *s, struct made *m, uint32_t columns, uint32_t most_depth)
{
    *s = (struct seen){ .p = assay_builder_seal(m->b, NULL) };
    assert_non_null(s->p);
    mem_init(&s->mem, 0);
    assert_int_equal(timeline_init(&s->t, &s->mem, s->p, s->p, NULL), 0);
    assert_int_equal(timeline_measure(&s->t, NULL, NULL), 0);
    assert_int_equal(timeline_chart_draw(&s->t, columns, 8, most_depth, &s->chart, NULL), 0);
    assert_int_equal(timeline_totals_new(&s->t, &s->totals, NULL), 0);
}

static void close_seen(struct seen *s)
{
    timeline_totals_done(&s->totals);
    timeline_chart_done(&s->chart);
    timeline_done(&s->t);
    assay_profile_release(s->p);
    assert_int_equal(s->mem.used, 0);
}

/* "depth name from..to@column..end xcalls;" of each box */
static const char *boxes(const struct seen *s)
{
    static char text[4000];
    size_t used = 0;
    text[0] = '\0';
    for (size_t b = 0; b < s->chart.bands.len; b++)
        for (uint32_t i = 0; i < s->chart.bands.at[b].rows; i++)
            for (size_t k = s->chart.rows.at[s->chart.bands.at[b].row + i].first; k < s->chart.rows.at[s->chart.bands.at[b].row + i + 1].first; k++) {
                const struct timeline_box *box = &s->chart.boxes.at[k];
                char buf[48];
                assay_slice name = timeline_name(&s->t, timeline_key(&s->t, box->frame), buf);
                used += (size_t)snprintf(text + used, sizeof text - used, "%u %.*s %lld..%lld@%u..%u x%llu;", i + 1, (int)name.len, name.data,
                                         (long long)box->from, (long long)box->to, box->column, box->end, (unsigned long long)box->calls);
                assert_true(used < sizeof text);
            }
    return text;
}

static void consecutive_samples_with_the_same_callers_are_one_box(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    at(&m, 0, m.work);
    at(&m, 5, m.again);
    at(&m, 10, m.other);
    at(&m, 20, (assay_node_id){ 0 });
    at(&m, 25, m.main);
    at(&m, 30, m.main);
    open_seen(&s, &m, 30, 10);
    assert_string_equal(boxes(&s), "1 main 0..20@0..20 x1;1 main 25..30@25..30 x1;2 work 0..10@0..10 x1;2 other 10..20@10..20 x1;3 work 5..10@5..10 x1;");
    close_seen(&s);
}

static void a_function_counts_once_however_often_it_is_on_the_stack(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    char buf[48];
    at(&m, 0, m.work);
    at(&m, 5, m.again);
    at(&m, 11, m.other);
    at(&m, 20, (assay_node_id){ 0 });
    at(&m, 25, (assay_node_id){ 0 });
    open_seen(&s, &m, 30, 10);
    static const struct {
        const char *name;
        double self, total;
    } want[] = { { "work", 11, 11 }, { "other", 9, 9 }, { "main", 0, 20 } };
    assert_int_equal(s.totals.rows.len, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(slice_is(timeline_name(&s.t, s.totals.rows.at[i].key, buf), want[i].name));
        assert_true(wide_double(s.totals.rows.at[i].self) == want[i].self && wide_double(s.totals.rows.at[i].total) == want[i].total);
        assert_int_equal(s.totals.rows.at[i].lines, 1);
    }
    assert_true(wide_double(s.totals.recorded) == 25 && wide_double(s.totals.idle) == 5);
    uint32_t order[3];
    assert_int_equal(timeline_totals_order(&s.t, &s.totals, TIMELINE_SORT_NAME, order, NULL), 0);
    assert_true(order[0] == 2 && order[1] == 1 && order[2] == 0);
    close_seen(&s);
}

/* 3,000 changes in 10 columns: work for 2 of every 3 ns. */
static void narrow_boxes_are_merged_and_lose_no_time(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    for (int64_t i = 0; i < 1000; i++) {
        at(&m, 3 * i, m.work);
        at(&m, 3 * i + 2, m.other);
    }
    at(&m, 3000, (assay_node_id){ 0 });
    open_seen(&s, &m, 10, 10);
    assert_string_equal(boxes(&s), "1 main 0..3000@0..10 x1;2 work 0..3000@0..10 x2000;");
    assert_int_equal(s.chart.boxes.at[1].time, 3000);
    assert_true(s.chart.boxes.at[1].is_merged && !s.chart.boxes.at[0].is_merged);
    close_seen(&s);
}

static void a_merged_box_tells_how_much_of_it_was_busy(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    for (int64_t i = 0; i < 1000; i++) {
        at(&m, 10 * i, m.work);
        at(&m, 10 * i + 1, m.main);
    }
    at(&m, 10000, m.main);
    open_seen(&s, &m, 20, 10);
    const struct timeline_box *box = &s.chart.boxes.at[1];
    assert_int_equal(s.chart.boxes.len, 2);
    assert_true(box->calls == 1000 && box->time == 1000 && box->from == 0 && box->to == 9991);
    assert_int_equal(timeline_box_quarters(box), 1);
    assert_int_equal(timeline_box_quarters(&s.chart.boxes.at[0]), 4);
    close_seen(&s);
}

/* A short call at the end of a long one: it has a column, and that is one of its caller. */
static void what_is_called_stands_below_its_caller(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    at(&m, 0, m.other);
    at(&m, 106, m.work);
    at(&m, 107, m.again);
    at(&m, 109, m.work);
    at(&m, 290, m.again);
    at(&m, 292, m.other);
    at(&m, 400, m.other);
    open_seen(&s, &m, 40, 10);
    assert_string_equal(boxes(&s), "1 main 0..400@0..40 x1;2 other 0..106@0..11 x1;2 work 106..292@11..29 x1;2 other 292..400@29..40 x1;"
                                   "3 work 107..109@11..12 x1;3 work 290..292@28..29 x1;");
    close_seen(&s);
}

static void levels_and_streams_that_are_too_many_are_counted(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    at(&m, 0, m.again);
    at(&m, 10, m.main);
    for (uint64_t i = 1; i < 20; i++) {
        m.stream = stream(m.b, i);
        at(&m, 0, m.main);
        at(&m, 10, m.main);
    }
    open_seen(&s, &m, 10, 2);
    assert_int_equal(s.chart.bands.len, 8);
    assert_true(s.chart.bands.at[0].rows == 2 && s.chart.bands.at[0].left_out == 1);
    assert_true(s.chart.bands.at[1].rows == 1 && s.chart.bands.at[1].left_out == 0);
    assert_int_equal(s.totals.rows.at[0].lines, 20);
    close_seen(&s);
}

static void the_widest_times_do_not_wrap(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    at(&m, INT64_MIN, m.work);
    at(&m, 0, m.other);
    at(&m, INT64_MAX, m.other);
    open_seen(&s, &m, 20000, 10);
    assert_int_equal(s.chart.boxes.len, 3);
    assert_true(s.chart.boxes.at[0].time == UINT64_MAX && s.chart.boxes.at[1].end == 10000 && s.chart.boxes.at[2].end == 20000);
    close_seen(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consecutive_samples_with_the_same_callers_are_one_box),
        cmocka_unit_test(a_function_counts_once_however_often_it_is_on_the_stack),
        cmocka_unit_test(narrow_boxes_are_merged_and_lose_no_time),
        cmocka_unit_test(a_merged_box_tells_how_much_of_it_was_busy),
        cmocka_unit_test(what_is_called_stands_below_its_caller),
        cmocka_unit_test(levels_and_streams_that_are_too_many_are_counted),
        cmocka_unit_test(the_widest_times_do_not_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
