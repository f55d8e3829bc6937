/* Timelines made by hand: what fills the time, at which depth, in which window and column; and every allocation refused in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/timeline/chart.h"
#include "assay/analysis.h"
#include "assay/build.h"
#include "base/slice.h"
#include "model/profile.h"

/* root (an entry) > main > { work > inner (by a line and a loop), other } */
struct made {
    assay_builder *b;
    assay_node_id root, main, work, line, inner, other;
};

static assay_func_id func(assay_builder *b, const char *name)
{
    return assay_build_func(b, assay_build_string(b, name, strlen(name)), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
}

static assay_node_id node(assay_builder *b, assay_node_id parent, uint8_t kind, const char *name)
{
    struct assay_node n = { .parent = parent, .kind = kind, .relation = name ? ASSAY_RELATION_CALL : ASSAY_RELATION_LEXICAL };
    if (name) n.func = func(b, name);
    return assay_build_node_new(b, &n);
}

static struct made make(void)
{
    struct made m = { .b = assay_builder_new(NULL, NULL) };
    m.root = node(m.b, (assay_node_id){ 0 }, ASSAY_NODE_ENTRY, "<root>");
    m.main = node(m.b, m.root, ASSAY_NODE_FUNCTION, "main");
    m.work = node(m.b, m.main, ASSAY_NODE_FUNCTION, "work");
    m.line = node(m.b, node(m.b, m.work, ASSAY_NODE_LOOP, NULL), ASSAY_NODE_LINE, NULL);
    m.inner = node(m.b, m.line, ASSAY_NODE_FUNCTION, "inner");
    m.other = node(m.b, m.main, ASSAY_NODE_FUNCTION, "other");
    return m;
}

static assay_stream_id stream(struct made *m, const char *kind, uint64_t logical, bool is_spans)
{
    assay_stream_id s = assay_build_stream(m->b, "");
    assay_build_tuple(m->b, "NODE", 7, 7, 0);
    assay_build_tuple(m->b, kind, logical, logical, 0);
    assay_build_timeline_stream(m->b, s, "ns", is_spans);
    return s;
}

static void sample(struct made *m, assay_stream_id s, int64_t time, assay_node_id n) { assay_build_event(m->b, s, time, 0, n, NULL); }

static const assay_node_id idle = { 0 };

/* ---- what comes out, in short ---- */

struct seen {
    struct mem mem;
    assay_profile *p;
    struct timeline t;
    struct timeline_shares shares;
};

static void open_seen(struct seen *s, struct made *m, const struct time_window *w, uint32_t depth)
{
    *s = (struct seen){ .p = assay_builder_seal(m->b, NULL) };
    assert_non_null(s->p);
    mem_init(&s->mem, 0);
    assert_int_equal(timeline_init(&s->t, &s->mem, s->p, s->p, NULL), 0);
    assert_int_equal(timeline_measure(&s->t, w, NULL), 0);
    assert_int_equal(timeline_shares_at(&s->t, depth, &s->shares, NULL), 0);
}

static void close_seen(struct seen *s)
{
    timeline_shares_done(&s->shares);
    timeline_done(&s->t);
    assert_int_equal(s->mem.used, 0);
    assay_profile_release(s->p);
}

/* "work 5/1, other 2/1; idle 3 of 10": time and streams of each row. */
static void check_shares(const struct seen *s, const char *want)
{
    char text[400] = "", name[48];
    size_t used = 0;
    for (size_t i = 0; i < s->shares.rows.len; i++) {
        assay_slice n = timeline_name(&s->t, s->shares.rows.at[i].key, name);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s %llu/%u", i ? ", " : "", (int)n.len, n.data,
                                 (unsigned long long)s->shares.rows.at[i].time.low, s->shares.rows.at[i].lines);
    }
    snprintf(text + used, sizeof text - used, "; idle %llu of %llu", (unsigned long long)s->shares.idle.low, (unsigned long long)s->shares.recorded.low);
    assert_string_equal(text, want);
}

/* A letter for each column: the first of the function, small where half or less was busy, '.' idle, ' ' nothing. */
static void check_row(const struct seen *s, uint32_t columns, uint32_t most_rows, uint32_t row, const char *want)
{
    struct timeline_picture p;
    char text[200] = "", name[48];
    assert_int_equal(timeline_draw(&s->t, columns, most_rows, &s->shares.depth, 1, &p, NULL), 0);
    const struct timeline_layer *layer = &p.layers[0];
    for (size_t i = layer->first[row], at = 0; i < layer->first[row + 1]; i++) {
        const struct timeline_run *run = &layer->runs.at[i];
        uint32_t end = i + 1 < layer->first[row + 1] ? run[1].column : p.columns;
        char c = run->is_empty ? ' ' : run->frame ? timeline_name(&s->t, timeline_key(&s->t, run->frame), name).data[0] : '.';
        if (run->frame && run->quarters > 2) c = (char)(c - 'a' + 'A');
        while (at < end) text[at++] = c;
    }
    timeline_picture_done(&p);
    assert_string_equal(text, want);
}

/* ---- samples ---- */

static void a_sample_fills_the_time_up_to_the_next(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    assay_stream_id a = stream(&m, "THREAD", 0, false);
    sample(&m, a, 100, m.work);
    sample(&m, a, 105, idle);
    sample(&m, a, 108, m.other);
    sample(&m, a, 110, m.other); /* the last one fills nothing */
    open_seen(&s, &m, NULL, 3);
    check_shares(&s, "work 5/1, other 2/1; idle 3 of 10");
    check_row(&s, 10, 9, 0, "WWWWW...OO");
    check_row(&s, 5, 9, 0, "WWw.O");
    assert_int_equal(s.t.events, 4);
    assert_int_equal(s.t.events_inside, 3);
    close_seen(&s);
}

static void depth_counts_functions_and_stops_at_the_innermost(void **state)
{
    (void)state;
    static const char *const want[] = { "<root> 9/1; idle 0 of 9", "main 9/1; idle 0 of 9", "work 6/1, main 3/1; idle 0 of 9",
                                        "inner 3/1, main 3/1, work 3/1; idle 0 of 9" /* equal ones by name */ };
    for (uint32_t depth = 1; depth <= 4; depth++) {
        struct made m = make();
        struct seen s;
        assay_stream_id a = stream(&m, "THREAD", 0, false);
        sample(&m, a, 0, m.main);
        sample(&m, a, 3, m.line); /* a line in work */
        sample(&m, a, 6, m.inner);
        sample(&m, a, 9, idle);
        open_seen(&s, &m, NULL, depth);
        check_shares(&s, want[depth - 1]);
        assert_int_equal(s.t.deepest, 4);
        close_seen(&s);
    }
}

static void one_sample_and_equal_times_fill_nothing(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    sample(&m, stream(&m, "THREAD", 0, false), 42, m.work);
    open_seen(&s, &m, NULL, 3);
    check_shares(&s, "; idle 0 of 0");
    check_row(&s, 10, 9, 0, " ");
    close_seen(&s);

    m = make();
    assay_stream_id a = stream(&m, "THREAD", 0, false);
    sample(&m, a, 1, m.work);
    sample(&m, a, 1, m.other); /* of two at one time the later one counts */
    sample(&m, a, 4, m.work);
    sample(&m, a, 4, idle);
    open_seen(&s, &m, NULL, 3);
    check_shares(&s, "other 3/1; idle 0 of 3");
    close_seen(&s);
}

static void a_window_cuts_samples_at_its_edges(void **state)
{
    (void)state;
    static const struct {
        const char *window, *want;
    } cases[] = { { "2ns..7ns", "work 3/1; idle 2 of 5" }, { "..5ns", "work 5/1; idle 0 of 5" }, { "5ns..8 ns", "; idle 3 of 3" },
                  { "80%..", "other 2/1; idle 0 of 2" },   { "..20%", "work 2/1; idle 0 of 2" }, { "9ns..99", "other 1/1; idle 0 of 1" },
                  { "10ns..", "; idle 0 of 0" },           { "3ns..3ns", "; idle 0 of 0" },      { "0ns..0.006us", "work 5/1; idle 1 of 6" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m = make();
        struct seen s;
        struct time_window w;
        assay_stream_id a = stream(&m, "THREAD", 0, false);
        sample(&m, a, 100, m.work);
        sample(&m, a, 105, idle);
        sample(&m, a, 108, m.other);
        sample(&m, a, 110, idle);
        assert_int_equal(time_window_parse(cases[i].window, &w, NULL), 0);
        open_seen(&s, &m, &w, 3);
        check_shares(&s, cases[i].want);
        close_seen(&s);
    }
}

static void windows_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = { "", "5", "a..b", "1..2..3", "-1..2", "101%..", "1h..", "1e3..", "..%", "1min.." };
    struct time_window w;
    assay_error err = { 0 };
    int64_t from, to;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_int_equal(time_window_parse(bad[i], &w, &err), ASSAY_ERR_USAGE);
    assert_int_equal(time_window_parse("5..4", &w, NULL), 0);
    assert_int_equal(time_window_apply(&w, 1, 0, 100, &from, &to, &err), ASSAY_ERR_USAGE);
    assert_int_equal(time_window_parse("101..", &w, NULL), 0);
    assert_int_equal(time_window_apply(&w, 1, 0, 100, &from, &to, &err), ASSAY_ERR_USAGE);
    assert_int_equal(time_window_parse("1.5s..120", &w, NULL), 0);
    assert_int_equal(time_window_apply(&w, 1e9, INT64_MIN, INT64_MAX, &from, &to, NULL), 0);
    assert_int_equal(from, INT64_MIN + 1500000000);
    assert_int_equal(to, INT64_MIN + 120000000000);
}

static void the_widest_times_do_not_wrap(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    for (uint64_t i = 0; i < 3; i++) {
        assay_stream_id a = stream(&m, "THREAD", i, false);
        sample(&m, a, INT64_MIN, m.work);
        sample(&m, a, INT64_MAX, idle);
    }
    open_seen(&s, &m, NULL, 3);
    assert_int_equal(s.shares.rows.at[0].time.high, 2); /* 3 * (2^64 - 1) */
    assert_true(s.shares.rows.at[0].time.low == UINT64_MAX - 2);
    check_row(&s, 4, 9, 2, "WWWW");
    close_seen(&s);
}

/* ---- spans ---- */

static void span(struct made *m, assay_stream_id s, int64_t begin, int64_t end, assay_node_id n) { assay_build_event(m->b, s, begin, end - begin, n, NULL); }

static void the_span_that_began_last_tells_the_context(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    assay_stream_id a = stream(&m, "THREAD", 0, true);
    span(&m, a, 0, 20, m.main);
    span(&m, a, 2, 10, m.work);
    span(&m, a, 4, 6, m.inner);
    span(&m, a, 10, 14, m.other); /* begins where another ends */
    span(&m, a, 12, 12, m.work);  /* an instant */
    span(&m, a, 25, 30, m.main);  /* after a gap */
    open_seen(&s, &m, NULL, TIMELINE_INNERMOST);
    check_shares(&s, "main 13/1, work 6/1, other 4/1, inner 2/1; idle 5 of 30");
    check_row(&s, 30, 9, 0, "MMWWIIWWWWOOOOMMMMMM.....MMMMM");
    assert_int_equal(s.t.events, 6);
    close_seen(&s);
}

static void spans_in_any_order_and_across_each_other(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    assay_stream_id a = stream(&m, "THREAD", 0, true);
    span(&m, a, 0, 4, m.inner); /* the inner one is written first */
    span(&m, a, 0, 10, m.main);
    span(&m, a, 6, 12, m.work); /* outlives what it began in */
    open_seen(&s, &m, NULL, TIMELINE_INNERMOST);
    check_row(&s, 12, 9, 0, "IIIIMMWWWWWW");
    close_seen(&s);
}

/* ---- streams ---- */

static void streams_stand_by_their_ids_with_what_tells_them_apart(void **state)
{
    (void)state;
    static const char *const want[] = { "RANK 3", "THREAD 2", "THREAD 10", "THREAD 10 (2)", "GPUSTREAM 1" };
    static const struct {
        const char *kind;
        uint64_t logical;
    } given[] = { { "GPUSTREAM", 1 }, { "THREAD", 10 }, { "THREAD", 10 }, { "THREAD", 2 }, { "RANK", 3 } };
    struct made m = make();
    struct seen s;
    for (size_t i = 0; i < 5; i++) sample(&m, stream(&m, given[i].kind, given[i].logical, false), (int64_t)i, m.work);
    stream(&m, "THREAD", 99, false); /* without events */
    open_seen(&s, &m, NULL, 1);
    assert_int_equal(s.t.lines.len, 5);
    assert_int_equal(s.t.stream_count, 6);
    for (size_t i = 0; i < 5; i++) assert_string_equal(s.t.lines.at[i].label, want[i]);
    close_seen(&s);
}

static void times_count_from_the_first_event_of_the_whole(void **state)
{
    (void)state;
    struct made m = make();
    struct mem mem;
    struct timeline t;
    static const char *const streams[] = { "THREAD=3-5" };
    struct assay_filter filter = { .streams = streams, .stream_count = 1 };
    assay_profile *left = NULL;
    for (uint64_t i = 0; i < 12; i++) sample(&m, stream(&m, "THREAD", i, false), (int64_t)i, m.work);
    assay_profile *p = assay_builder_seal(m.b, NULL);
    assert_int_equal(assay_filter_apply(p, &filter, &left, NULL), 0);
    mem_init(&mem, 0);
    assert_int_equal(timeline_init(&t, &mem, left, p, NULL), 0);
    assert_int_equal(t.lines.len, 3);
    assert_string_equal(t.lines.at[2].label, "THREAD 5");
    assert_int_equal(timeline_measure(&t, NULL, NULL), 0);
    assert_true(t.begin == 0 && t.end == 11 && t.from == 3 && t.to == 5);
    timeline_done(&t);
    assert_int_equal(mem.used, 0);
    assay_profile_release(left);
    assay_profile_release(p);
}

static void rows_that_are_shared_show_what_most_streams_did(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    for (uint64_t i = 0; i < 6; i++) {
        assay_stream_id a = stream(&m, "THREAD", i, false);
        sample(&m, a, 0, i == 1 ? m.other : m.work);
        sample(&m, a, 10, i < 3 ? m.other : idle);
        sample(&m, a, 20, idle);
    }
    open_seen(&s, &m, NULL, 3);
    check_shares(&s, "work 50/5, other 40/3; idle 30 of 120");
    check_row(&s, 2, 2, 0, "WO");
    check_row(&s, 2, 2, 1, "W.");
    check_row(&s, 2, 1, 0, "Wo");
    close_seen(&s);
}

/* Twice 2^63 in one column. */
static void times_of_a_shared_row_do_not_wrap(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    for (uint64_t i = 0; i < 2; i++) {
        assay_stream_id a = stream(&m, "THREAD", i, false);
        sample(&m, a, INT64_MIN / 2, m.work);
        sample(&m, a, INT64_MAX / 2 + 1, m.other);
    }
    open_seen(&s, &m, NULL, 3);
    check_row(&s, 1, 1, 0, "W");
    close_seen(&s);
}

static void expect_same_picture(const struct timeline_picture *a, const struct timeline_picture *b)
{
    assert_int_equal(a->rows, b->rows);
    for (uint32_t k = 0; k < a->layer_count; k++) {
        const struct timeline_layer *x = &a->layers[k], *y = &b->layers[k];
        assert_int_equal(x->runs.len, y->runs.len);
        for (uint32_t row = 0; row <= a->rows; row++) assert_int_equal(x->first[row], y->first[row]);
        for (size_t i = 0; i < x->runs.len; i++) {
            assert_int_equal(x->runs.at[i].column, y->runs.at[i].column);
            assert_int_equal(x->runs.at[i].frame, y->runs.at[i].frame);
            assert_int_equal(x->runs.at[i].quarters, y->runs.at[i].quarters);
        }
    }
}

/* Enough samples for several threads; with one depth times are summed by frame, with two by context. */
static void threads_and_depths_do_not_change_a_picture(void **state)
{
    (void)state;
    static const uint32_t depths[] = { 3, 2 };
    struct made m = make();
    const assay_node_id nodes[] = { m.work, m.line, m.inner, m.other, m.main, idle };
    struct timeline_picture one, several, alone;
    struct seen s;
    uint32_t random = 1;
    for (uint64_t i = 0; i < 5; i++) {
        assay_stream_id a = stream(&m, "THREAD", i, false);
        for (int64_t at = 0; at < 60000; at++) sample(&m, a, 3 * at + (int64_t)i, nodes[((random = random * 1664525 + 1013904223) >> 16) % 6]);
    }
    open_seen(&s, &m, NULL, 3);
    struct timeline_part first = s.t.parts.at[s.t.lines.at[4].part];
    uint64_t recorded = s.t.lines.at[4].recorded, inside = s.t.events_inside;
    assert_int_equal(timeline_draw(&s.t, 500, 3, depths, 2, &one, NULL), 0);
    s.p->threads = 3;
    assert_int_equal(timeline_measure(&s.t, NULL, NULL), 0);
    assert_int_equal(s.t.parts.at[s.t.lines.at[4].part].node, first.node);
    assert_int_equal(s.t.parts.at[s.t.lines.at[4].part].time, first.time);
    assert_int_equal(s.t.lines.at[4].recorded, recorded);
    assert_int_equal(recorded, 3 * 59999);
    assert_int_equal(s.t.events_inside, inside);
    assert_int_equal(timeline_draw(&s.t, 500, 3, depths, 2, &several, NULL), 0);
    expect_same_picture(&one, &several);
    assert_int_equal(timeline_draw(&s.t, 500, 3, depths, 1, &alone, NULL), 0);
    one.layer_count = 1;
    expect_same_picture(&one, &alone);
    one.layer_count = 2;
    timeline_picture_done(&alone);
    timeline_picture_done(&several);
    timeline_picture_done(&one);
    close_seen(&s);
}

/* ---- whole trees ---- */

static void whole_trees_are_laid_out_in_order(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_WHOLE }, NULL);
    assay_metric_id us = assay_build_metric(b, "Time", "us", ASSAY_I64, 0);
    assay_scope_id point = assay_build_scope(b, us, ASSAY_SCOPE_POINT, NULL, 0);
    assay_build_tree_whole(b);
    assay_node_id root = node(b, (assay_node_id){ 0 }, ASSAY_NODE_FUNCTION, "main"), a = node(b, root, ASSAY_NODE_FUNCTION, "alpha");
    assay_node_id c = node(b, a, ASSAY_NODE_FUNCTION, "leaf"), d = node(b, root, ASSAY_NODE_FUNCTION, "beta");
    const assay_node_id nodes[] = { root, a, c, d };
    static const int64_t self[] = { 3, 2, 1, 4 };
    for (size_t i = 0; i < 4; i++) assay_build_value(b, (assay_stream_id){ 0 }, nodes[i], point, (assay_value){ .i = self[i] });
    struct made m = { .b = b };
    struct seen s;
    open_seen(&s, &m, NULL, TIMELINE_INNERMOST);
    assert_true(s.t.is_laid_out);
    assert_int_equal(s.t.events, 4);
    check_shares(&s, "beta 4000/1, main 3000/1, alpha 2000/1, leaf 1000/1; idle 0 of 10000");
    check_row(&s, 10, 9, 0, "LAABBBBMMM");
    close_seen(&s);
}

static void what_has_no_time_is_refused(void **state)
{
    (void)state;
    struct mem mem;
    struct timeline t;
    assay_error err = { 0 };
    struct made m = make();
    assay_profile *p = assay_builder_seal(m.b, NULL);
    mem_init(&mem, 0);
    assert_int_equal(timeline_init(&t, &mem, p, p, &err), ASSAY_ERR_UNSUPPORTED);
    timeline_done(&t);
    assay_profile_release(p);
    p = assay_builder_seal(assay_builder_new(NULL, NULL), NULL);
    assert_int_equal(timeline_init(&t, &mem, p, p, &err), ASSAY_ERR_UNSUPPORTED);
    timeline_done(&t);
    assert_int_equal(mem.used, 0);
    assay_profile_release(p);
}

/* ---- depth ---- */

static void the_depth_that_is_chosen_tells_functions_apart(void **state)
{
    (void)state;
    struct made m = make();
    struct seen s;
    uint32_t depth;
    assay_stream_id a = stream(&m, "THREAD", 0, false);
    sample(&m, a, 0, m.other);
    sample(&m, a, 5, m.inner);
    sample(&m, a, 10, idle);
    open_seen(&s, &m, NULL, 1);
    assert_int_equal(timeline_choose_depth(&s.t, &depth, NULL), 0);
    assert_int_equal(depth, 3); /* work and other, half each */
    close_seen(&s);
}

/* ---- memory ---- */

/* Everything once; 0 or MEMORY. */
static int run_all(struct mem *mem, const assay_profile *p)
{
    static const uint32_t depths[] = { 1, 3, TIMELINE_INNERMOST };
    struct timeline t;
    struct timeline_shares shares = { 0 };
    struct timeline_picture picture = { 0 };
    struct timeline_chart chart = { 0 };
    struct timeline_totals totals = { 0 };
    uint32_t depth, order[16];
    int rc = timeline_init(&t, mem, p, p, NULL);
    if (rc == 0) rc = timeline_measure(&t, NULL, NULL);
    if (rc == 0) rc = timeline_choose_depth(&t, &depth, NULL);
    if (rc == 0) rc = timeline_shares_at(&t, 3, &shares, NULL);
    if (rc == 0) rc = timeline_shares_order(&t, &shares, TIMELINE_SORT_NAME, order, NULL);
    if (rc == 0) rc = timeline_draw(&t, 7, 2, depths, 3, &picture, NULL);
    if (rc == 0) rc = timeline_chart_draw(&t, 7, 2, 20, &chart, NULL);
    if (rc == 0) rc = timeline_totals_new(&t, &totals, NULL);
    if (rc == 0) rc = timeline_totals_order(&t, &totals, TIMELINE_SORT_STREAMS, order, NULL);
    timeline_totals_done(&totals);
    timeline_chart_done(&chart);
    timeline_picture_done(&picture);
    timeline_shares_done(&shares);
    timeline_done(&t);
    return rc;
}

static void refuse_each(assay_profile *p)
{
    struct mem mem;
    int rc = ASSAY_ERR_MEMORY;
    assert_non_null(p);
    for (uint64_t n = 1; rc != 0; n++) {
        assert_true(n < 1000);
        mem_init(&mem, 0);
        mem.fail_at = n;
        rc = run_all(&mem, p);
        assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
        assert_int_equal(mem.used, 0);
    }
    assay_profile_release(p);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct made m = make();
    assay_stream_id a = stream(&m, "THREAD", 0, false), b = stream(&m, "THREAD", 1, true), c = stream(&m, "THREAD", 1, true);
    for (int64_t i = 0; i < 40; i++) sample(&m, a, i, i % 2 ? m.work : m.other);
    for (int64_t i = 0; i < 40; i++) span(&m, b, i / 4, 60 - i, i % 2 ? m.inner : m.other);
    span(&m, c, 1, 2, m.main);
    refuse_each(assay_builder_seal(m.b, NULL));

    assay_builder *w = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_WHOLE }, NULL);
    assay_scope_id point = assay_build_scope(w, assay_build_metric(w, "t", "s", ASSAY_F64, 0), ASSAY_SCOPE_POINT, NULL, 0);
    assay_build_tree_whole(w);
    assay_node_id n = { 0 };
    for (int i = 0; i < 30; i++) {
        n = node(w, n, ASSAY_NODE_FUNCTION, i % 2 ? "odd" : "even");
        assay_build_value(w, (assay_stream_id){ 0 }, n, point, (assay_value){ .d = 1e-9 * i });
    }
    refuse_each(assay_builder_seal(w, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_fills_the_time_up_to_the_next),
        cmocka_unit_test(depth_counts_functions_and_stops_at_the_innermost),
        cmocka_unit_test(one_sample_and_equal_times_fill_nothing),
        cmocka_unit_test(a_window_cuts_samples_at_its_edges),
        cmocka_unit_test(windows_that_make_no_sense_are_refused),
        cmocka_unit_test(the_widest_times_do_not_wrap),
        cmocka_unit_test(the_span_that_began_last_tells_the_context),
        cmocka_unit_test(spans_in_any_order_and_across_each_other),
        cmocka_unit_test(streams_stand_by_their_ids_with_what_tells_them_apart),
        cmocka_unit_test(times_count_from_the_first_event_of_the_whole),
        cmocka_unit_test(rows_that_are_shared_show_what_most_streams_did),
        cmocka_unit_test(times_of_a_shared_row_do_not_wrap),
        cmocka_unit_test(threads_and_depths_do_not_change_a_picture),
        cmocka_unit_test(whole_trees_are_laid_out_in_order),
        cmocka_unit_test(what_has_no_time_is_refused),
        cmocka_unit_test(the_depth_that_is_chosen_tells_functions_apart),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
