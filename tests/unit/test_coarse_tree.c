/* Calls in the order they returned become what a picture can show: depths and times are kept, however few nodes are left; and every allocation is refused in
 * turn. The stack of bytes behind it comes back as it was written, with and without a temporary file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/timeline/chart.h"
#include "assay/build.h"
#include "base/number.h"
#include "formats/coarse/tree.h"

/* ---- the log ---- */

static void fill_and_empty(size_t count)
{
    struct mem mem;
    struct spill s;
    uint32_t x = 1;
    mem_init(&mem, 0);
    spill_init(&s, &mem);
    for (size_t i = 0; i < count; i++) {
        x = x * 1664525 + 1013904223;
        assert_true(spill_room(&s, 1));
        s.tail.at[s.tail.len++] = (uint8_t)(x >> 24);
    }
    assert_int_equal(spill_len(&s), count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(spill_take(&s), (uint8_t)(x >> 24));
        x = (x - 1013904223) * 4276115653u; /* the step back */
    }
    assert_int_equal(spill_len(&s), 0);
    assert_int_equal(spill_take(&s), 0);
    assert_false(s.is_broken);
    spill_done(&s);
    assert_int_equal(mem.used, 0);
}

static void bytes_come_back_in_reverse(void **state)
{
    (void)state;
    fill_and_empty(1000);
    fill_and_empty((20 << 20) + 7);
}

static void without_a_temporary_file_they_stay_in_memory(void **state)
{
    (void)state;
    setenv("TMPDIR", "/nonexistent/folder", 1);
    fill_and_empty((20 << 20) + 7);
    unsetenv("TMPDIR");
}

/* ---- calls ---- */

enum { FUNCS = 5 };

struct made {
    struct mem mem;
    assay_builder *b;
    assay_func_id func[FUNCS];
    struct coarse_tree t;
    struct coarse_unit unit;
    assay_stream_id stream;
};

static void make(struct made *m, uint64_t fail_at)
{
    *m = (struct made){ .b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_WHOLE }, NULL) };
    mem_init(&m->mem, 0);
    m->mem.fail_at = fail_at;
    for (unsigned i = 0; i < FUNCS; i++) {
        const char name[2] = { (char)('a' + (int)i), 0 };
        m->func[i] = assay_build_func(m->b, assay_build_string(m->b, name, 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    }
    m->unit = (struct coarse_unit){ assay_build_metric(m->b, "t", "ns", ASSAY_U64, 0), ASSAY_U64, 1, 1 };
    m->stream = assay_build_stream(m->b, "s");
    assay_build_tree_whole(m->b);
    coarse_init(&m->t, &m->mem);
}

/* a > 1,000 times { b > c }: b takes 1 itself, c 2, a 100. */
static int push_loop(struct made *m)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < 1000; i++) {
        rc = coarse_push(&m->t, m->func[2], 2, 0, NULL);
        if (rc == 0) rc = coarse_push(&m->t, m->func[1], 1, 1, NULL);
    }
    if (rc == 0) rc = coarse_push(&m->t, m->func[0], 100, 1000, NULL);
    return rc == 0 ? coarse_end(&m->t, m->stream, NULL) : rc;
}

struct seen {
    assay_profile *p;
    struct timeline t;
    struct timeline_chart chart;
    struct timeline_totals totals;
};

static void look(struct made *m, const char *time, uint32_t columns, struct seen *s)
{
    struct assay_read_options o = { .time = time, .columns = columns };
    struct time_window w;
    assert_int_equal(coarse_build(&m->t, m->b, &m->unit, &o, NULL), 0);
    s->p = assay_builder_seal(m->b, NULL);
    assert_non_null(s->p);
    assert_int_equal(timeline_init(&s->t, &m->mem, s->p, s->p, NULL), 0);
    if (time) assert_int_equal(time_window_parse(time, &w, NULL), 0);
    assert_int_equal(timeline_measure(&s->t, time ? &w : NULL, NULL), 0);
    assert_int_equal(timeline_chart_draw(&s->t, columns, 1, 10, &s->chart, NULL), 0);
    assert_int_equal(timeline_totals_new(&s->t, &s->totals, NULL), 0);
}

static void put_away(struct made *m, struct seen *s)
{
    timeline_totals_done(&s->totals);
    timeline_chart_done(&s->chart);
    timeline_done(&s->t);
    assay_profile_release(s->p);
    coarse_done(&m->t);
    assert_int_equal(m->mem.used, 0);
}

static uint64_t time_at(const struct seen *s, uint32_t row)
{
    uint64_t sum = 0;
    for (size_t i = s->chart.rows.at[row].first; i < s->chart.rows.at[row + 1].first; i++) sum += s->chart.boxes.at[i].time;
    return sum;
}

static double total_of(const struct seen *s, uint32_t func, double *self)
{
    for (size_t i = 0; i < s->totals.rows.len; i++)
        if (s->totals.rows.at[i].key == func) {
            *self = wide_double(s->totals.rows.at[i].self);
            return wide_double(s->totals.rows.at[i].total);
        }
    return *self = -1;
}

static void short_calls_are_merged_at_each_depth(void **state)
{
    (void)state;
    struct made m;
    struct seen s;
    double self;
    make(&m, 0);
    assert_int_equal(push_loop(&m), 0);
    look(&m, NULL, 10, &s);
    assert_true(assay_profile_tree(s.p)->count < 40);
    assert_int_equal(s.t.events, 2001);
    assert_int_equal(s.chart.bands.at[0].rows, 3);
    assert_true(time_at(&s, 0) == 3100 && time_at(&s, 1) == 3000 && time_at(&s, 2) == 2000);
    assert_true(total_of(&s, m.func[0].v, &self) == 3100 && self == 100);
    assert_true(total_of(&s, m.func[1].v, &self) == 3000 && self == 1000);
    assert_true(total_of(&s, m.func[2].v, &self) == 2000 && self == 2000);
    put_away(&m, &s);
}

/* From 100 to 130: b from 99 to 102, ..., from 129 to 132, each with c for its first 2. */
static void a_window_is_exact_at_its_edges(void **state)
{
    (void)state;
    struct made m;
    struct seen s;
    double self;
    make(&m, 0);
    assert_int_equal(push_loop(&m), 0);
    look(&m, "100ns..130ns", 4, &s);
    assert_true(assay_profile_tree(s.p)->count < 40);
    assert_int_equal(s.t.events, 2001);
    assert_true(s.t.end == 3100 && s.t.from == 100 && s.t.to == 130);
    assert_true(time_at(&s, 0) == 30 && time_at(&s, 1) == 30 && time_at(&s, 2) == 20);
    assert_true(total_of(&s, m.func[0].v, &self) == 30 && self == 0);
    assert_true(total_of(&s, m.func[1].v, &self) == 30 && self == 10);
    assert_true(total_of(&s, m.func[2].v, &self) == 20 && self == 20);
    put_away(&m, &s);
}

static void recursion_counts_once(void **state)
{
    (void)state;
    struct made m;
    struct seen s;
    double self;
    make(&m, 0);
    assert_int_equal(coarse_push(&m.t, m.func[1], 5, 0, NULL), 0);
    for (int i = 0; i < 6; i++) assert_int_equal(coarse_push(&m.t, m.func[i % 2], 10, 1, NULL), 0);
    assert_int_equal(coarse_end(&m.t, m.stream, NULL), 0);
    look(&m, NULL, 4096, &s);
    assert_true(total_of(&s, m.func[0].v, &self) == 55 && self == 30);
    assert_true(total_of(&s, m.func[1].v, &self) == 65 && self == 35);
    for (uint32_t i = 0; i < 7; i++) assert_int_equal(time_at(&s, i), i < 6 ? 65 - 10 * i : 5);
    put_away(&m, &s);
}

static void absurd_lengths_do_not_wrap(void **state)
{
    (void)state;
    struct made m;
    struct seen s;
    make(&m, 0);
    for (int i = 0; i < 3; i++) assert_int_equal(coarse_push(&m.t, m.func[i], UINT64_MAX, 0, NULL), 0);
    assert_int_equal(coarse_push(&m.t, m.func[3], UINT64_MAX, 3, NULL), 0);
    assert_int_equal(coarse_push(&m.t, m.func[4], 7, 0, NULL), 0);
    assert_int_equal(coarse_end(&m.t, m.stream, NULL), 0);
    look(&m, NULL, 100, &s);
    assert_int_equal(s.t.events, 5);
    put_away(&m, &s);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int contexts = 0; contexts < 2; contexts++) {
        int rc = ASSAY_ERR_MEMORY;
        for (uint64_t n = 1; rc != 0; n++) {
            struct made m;
            assert_true(n < 1000);
            make(&m, n);
            rc = push_loop(&m);
            if (rc == 0) rc = coarse_build(&m.t, m.b, &m.unit, &(struct assay_read_options){ .time = "10%..50%", .contexts = contexts }, NULL);
            assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
            coarse_done(&m.t);
            assert_int_equal(m.mem.used, 0);
            assay_builder_free(m.b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_back_in_reverse),
        cmocka_unit_test(without_a_temporary_file_they_stay_in_memory),
        cmocka_unit_test(short_calls_are_merged_at_each_depth),
        cmocka_unit_test(a_window_is_exact_at_its_edges),
        cmocka_unit_test(recursion_counts_once),
        cmocka_unit_test(absurd_lengths_do_not_wrap),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
