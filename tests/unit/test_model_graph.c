/* The graph: sums, costs, calls, jumps, stated figures, totals. Figures are small enough to be added up by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/build.h"

struct fixture {
    assay_builder *b;
    assay_func_id f[4];
    assay_file_id file;
};

static assay_func_id func(assay_builder *b, const char *name)
{
    return assay_build_func(b, assay_build_string(b, name, strlen(name)), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
}

static struct fixture start(uint32_t want, enum assay_type type)
{
    struct fixture x = { .b = assay_builder_new(&(struct assay_build_options){ .want = want }, NULL) };
    assay_build_metric(x.b, "Ir", "count", type, 0);
    for (int i = 0; i < 4; i++) x.f[i] = func(x.b, (const char *[]){ "main", "a", "b", "c" }[i]);
    x.file = assay_build_file(x.b, assay_build_string(x.b, "x.c", 3), (assay_module_id){ 0 });
    return x;
}

static assay_profile *seal(assay_builder *b)
{
    assay_error err = { 0 };
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static void self(struct fixture *x, assay_func_id f, uint32_t line, int64_t cost)
{
    assay_build_self(x->b, &(struct assay_place){ .func = f, .line = line }, &(assay_value){ .i = cost }, 1);
}

static void call(struct fixture *x, assay_func_id from, assay_func_id to, uint64_t calls, int64_t cost)
{
    assay_build_call(x->b, &(struct assay_place){ .func = from, .line = 5 }, to, calls, &(assay_value){ .i = cost }, 1);
}

/* main (10) calls a twice (30); a (20 + 1) calls itself once (7) and b once (9); b (9). Rows in the order of first booking. */
static void sums_keep_direct_recursion_apart(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_SUMS, ASSAY_I64);
    self(&x, x.f[0], 1, 10);
    call(&x, x.f[0], x.f[1], 2, 30);
    self(&x, x.f[1], 1, 20);
    self(&x, x.f[1], 2, 1);
    call(&x, x.f[1], x.f[1], 1, 7);
    call(&x, x.f[1], x.f[2], 1, 9);
    self(&x, x.f[2], 1, 9);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->sum_count, 3);
    assert_null(g->sum_stream);
    const int64_t want[3][7] = { /* func, self, calls, recursive calls, in, out, recursive */
                                 { 1, 10, 0, 0, 0, 30, 0 },
                                 { 2, 21, 3, 1, 30, 9, 7 },
                                 { 3, 9, 1, 0, 9, 0, 0 }
    };
    for (int r = 0; r < 3; r++) {
        assert_int_equal(g->sum_func[r].v, want[r][0]);
        assert_int_equal(g->sum_self[r].i, want[r][1]);
        assert_int_equal(g->sum_calls[r], want[r][2]);
        assert_int_equal(g->sum_calls_recursive[r], want[r][3]);
        assert_int_equal(g->sum_in[r].i, want[r][4]);
        assert_int_equal(g->sum_out[r].i, want[r][5]);
        assert_int_equal(g->sum_recursive[r].i, want[r][6]);
    }
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 40);
    assert_int_equal(assay_profile_shapes(p), ASSAY_SHAPE_GRAPH);
    assert_int_equal(g->cost_count, 0);
    assert_int_equal(g->arc_count, 0);
    assert_null(g->has_stated);
    assay_profile_release(p);
}

static void a_caller_gets_its_row_before_the_callee(void **state)
{
    (void)state;
    struct fixture x = start(0, ASSAY_I64);
    call(&x, x.f[3], x.f[1], 1, 1);
    call(&x, x.f[0], x.f[3], 1, 1);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->sum_count, 3);
    assert_int_equal(g->sum_func[0].v, x.f[3].v);
    assert_int_equal(g->sum_func[1].v, x.f[1].v);
    assert_int_equal(g->sum_func[2].v, x.f[0].v);
    assay_profile_release(p);
}

static void streams_have_rows_of_their_own_however_they_alternate(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_GRAPH, ASSAY_I64);
    assay_stream_id s[3] = { { 0 }, assay_build_stream(x.b, "one"), assay_build_stream(x.b, "two") };
    for (int i = 0; i < 30; i++)
        assay_build_self(x.b, &(struct assay_place){ .stream = s[i % 3], .func = x.f[i % 2], .line = 1 }, &(assay_value){ .i = 1 + i % 3 }, 1);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->sum_count, 6);
    assert_int_equal(g->cost_count, 6);
    for (uint32_t r = 0; r < 6; r++) {
        assert_int_equal(g->sum_stream[r].v, r % 3);
        assert_int_equal(g->sum_func[r].v, x.f[r % 2].v);
        assert_int_equal(g->sum_self[r].i, 5 * (1 + r % 3));
        assert_int_equal(g->cost_stream[r].v, r % 3);
        assert_int_equal(g->cost_self[r].i, 5 * (1 + r % 3));
    }
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 60);
    assay_profile_release(p);
}

static void costs_and_calls_are_merged_by_place(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_GRAPH, ASSAY_U64);
    const assay_value one = { .u = 1 }, two = { .u = 2 };
    struct assay_place at = { .func = x.f[0], .file = x.file, .line = 7, .address = 0x40 }, next = at;
    next.address = 0x44;
    assay_build_self(x.b, &at, &one, 1);
    assay_build_self(x.b, &next, &one, 1);
    assay_build_self(x.b, &at, &two, 1);
    assay_build_call(x.b, &at, x.f[1], 1, &one, 1);
    assay_build_call(x.b, &next, x.f[1], 4, &one, 1);
    assay_build_call(x.b, &at, x.f[2], 1, &one, 1);
    assay_build_call(x.b, &at, x.f[1], 2, &two, 1);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->cost_count, 2);
    assert_int_equal(g->cost_self[0].u, 3);
    assert_int_equal(g->cost_address[1], 0x44);
    assert_int_equal(g->cost_line[1], 7);
    assert_int_equal(g->cost_file[0].v, x.file.v);
    assert_int_equal(g->arc_count, 3);
    assert_int_equal(g->arc_calls[0], 3);
    assert_int_equal(g->arc_total[0].u, 3);
    assert_int_equal(g->arc_calls[1], 4);
    assert_int_equal(g->arc_callee[2].v, x.f[2].v);
    assert_null(g->arc_stream);
    assert_null(g->arc_self);
    assert_null(g->arc_recursive);
    assert_null(g->arc_depth);
    assay_profile_release(p);
}

static void columns_of_places_that_are_zero_everywhere_are_null(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_GRAPH, ASSAY_U64);
    assay_build_self(x.b, &(struct assay_place){ .func = x.f[0] }, &(assay_value){ .u = 1 }, 1);
    assay_build_call(x.b, &(struct assay_place){ .func = x.f[0] }, x.f[1], 1, NULL, 0);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_null(g->cost_stream);
    assert_null(g->cost_file);
    assert_null(g->cost_line);
    assert_null(g->cost_address);
    assert_null(g->arc_file);
    assert_null(g->arc_line);
    assert_null(g->arc_address);
    assert_int_equal(g->jump_count, 0);
    assert_int_equal(g->arc_total[0].u, 0);
    assay_profile_release(p);
}

/* More places than the cache has entries, in an order that defeats it: a second pass must find every row again. */
static void many_places_are_found_again(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_GRAPH, ASSAY_I64);
    assay_func_id f[100];
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        f[i] = func(x.b, name);
    }
    for (int pass = 0; pass < 3; pass++)
        for (uint32_t i = 0; i < 20000; i++) {
            struct assay_place at = { .func = f[i * 7 % 100], .line = i * 13 % 20000, .address = i % 3 };
            assay_build_self(x.b, &at, &(assay_value){ .i = i }, 1);
            assay_build_call(x.b, &at, f[i % 100], 1, &(assay_value){ .i = i }, 1);
        }
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->cost_count, 20000);
    assert_int_equal(g->arc_count, 20000);
    for (uint32_t i = 0; i < 20000; i++) {
        assert_int_equal(g->cost_func[i].v, f[i * 7 % 100].v);
        assert_int_equal(g->cost_line[i], i * 13 % 20000);
        assert_int_equal(g->cost_self[i].i, 3 * i);
        assert_int_equal(g->arc_callee[i].v, f[i % 100].v);
        assert_int_equal(g->arc_calls[i], 3);
        assert_int_equal(g->arc_total[i].i, 3 * i);
    }
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 3ull * 19999 * 20000 / 2);
    assay_profile_release(p);
}

static void what_is_known_beyond_a_call_goes_to_the_last_one(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_GRAPH, ASSAY_I64);
    call(&x, x.f[0], x.f[1], 1, 10);
    call(&x, x.f[0], x.f[2], 1, 20);
    assay_build_call_more(x.b, &(assay_value){ .i = 4 }, NULL, 3);
    assay_build_call_more(x.b, &(assay_value){ .i = 1 }, NULL, 2);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->arc_self[0].i, 0);
    assert_int_equal(g->arc_self[1].i, 5);
    assert_null(g->arc_recursive);
    assert_int_equal(g->arc_depth[0], 0);
    assert_int_equal(g->arc_depth[1], 3);
    assay_profile_release(p);
}

static void stated_figures_stand_beside_the_sums(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_SUMS, ASSAY_I64);
    self(&x, x.f[0], 1, 5);
    self(&x, x.f[1], 1, 6);
    assay_build_stated(x.b, (assay_stream_id){ 0 }, x.f[1], 3, &(assay_value){ .i = 50 }, 1);
    assay_build_stated(x.b, (assay_stream_id){ 0 }, x.f[1], 1, &(assay_value){ .i = 8 }, 1);
    assay_build_stated(x.b, (assay_stream_id){ 0 }, x.f[2], 0, NULL, 0);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    const uint8_t has[] = { 0, 1, 1 };
    assert_memory_equal(g->has_stated, has, 3);
    assert_int_equal(g->stated_calls[1], 4);
    assert_int_equal(g->stated_total[1].i, 58);
    assert_int_equal(g->stated_total[2].i, 0);
    assert_int_equal(g->sum_self[1].i, 6);
    assay_profile_release(p);
}

static void jumps_are_merged_and_need_costs_to_be_wanted(void **state)
{
    (void)state;
    for (int is_wanted = 0; is_wanted < 2; is_wanted++) {
        struct fixture x = start(is_wanted ? ASSAY_WANT_GRAPH : ASSAY_WANT_SUMS, ASSAY_I64);
        struct assay_place from = { .func = x.f[0], .line = 3 }, to = { .func = x.f[0], .line = 9 };
        assay_build_jump(x.b, &from, &to, 10, 4, true);
        assay_build_jump(x.b, &from, &to, 1, 1, true);
        assay_build_jump(x.b, &from, &to, 2, 0, false);
        assay_profile *p = seal(x.b);
        const struct assay_graph *g = assay_profile_graph(p);
        assert_int_equal(g->jump_count, is_wanted ? 2 : 0);
        if (is_wanted) {
            assert_int_equal(g->jump_executed[0], 11);
            assert_int_equal(g->jump_followed[0], 5);
            assert_int_equal(g->jump_conditional[0], 1);
            assert_int_equal(g->jump_conditional[1], 0);
            assert_int_equal(g->jump_to_line[1], 9);
            assert_null(g->jump_address);
        }
        assay_profile_release(p);
    }
}

static void sums_stop_at_the_largest_value_and_say_so(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_GRAPH, ASSAY_I64);
    self(&x, x.f[0], 1, INT64_MAX);
    assert_false(assay_builder_saturated(x.b));
    self(&x, x.f[0], 2, 1);
    assert_true(assay_builder_saturated(x.b));
    self(&x, x.f[1], 1, INT64_MIN);
    self(&x, x.f[1], 1, -1);
    call(&x, x.f[0], x.f[1], UINT64_MAX, 1);
    call(&x, x.f[0], x.f[1], 2, 1);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_true(g->sum_self[0].i == INT64_MAX);
    assert_true(g->sum_self[1].i == INT64_MIN);
    assert_true(g->sum_calls[1] == UINT64_MAX);
    assay_profile_release(p);
}

static void totals_are_exact_beyond_64_bits(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_SUMS, ASSAY_U64);
    for (int i = 0; i < 4; i++) assay_build_self(x.b, &(struct assay_place){ .func = x.f[i] }, &(assay_value){ .u = UINT64_MAX }, 1);
    assert_false(assay_builder_saturated(x.b));
    assay_profile *p = seal(x.b);
    /* 4 * (2^64 - 1) = 4 * 2^64 - 4 = 3 * 2^64 + (2^64 - 4) */
    assert_true(assay_profile_metrics(p)->total[1].high == 3);
    assert_true(assay_profile_metrics(p)->total[1].low == UINT64_MAX - 3);
    assay_profile_release(p);
}

static void negative_totals_are_exact(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_SUMS, ASSAY_I64);
    for (int i = 0; i < 3; i++) self(&x, x.f[i], 1, INT64_MIN);
    assay_profile *p = seal(x.b);
    /* -3 * 2^63 = -2 * 2^64 + 2^63 */
    assert_true(assay_profile_metrics(p)->total[1].high == -2);
    assert_true(assay_profile_metrics(p)->total[1].low == (uint64_t)1 << 63);
    assay_profile_release(p);
}

static void totals_of_doubles_do_not_lose_small_parts(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_SUMS, ASSAY_F64);
    const double parts[] = { 1e100, 1.5, -1e100, 0.25 };
    for (int i = 0; i < 4; i++) assay_build_self(x.b, &(struct assay_place){ .func = x.f[i] }, &(assay_value){ .d = parts[i] }, 1);
    assay_profile *p = seal(x.b);
    assert_true(assay_profile_metrics(p)->total_double[1] == 1.75);
    assay_profile_release(p);
}

static void metrics_of_several_types_can_stand_in_one_row(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id u = assay_build_metric(b, "u", "count", ASSAY_U64, 0), skipped = assay_build_metric(b, "x", "count", ASSAY_U64, 0);
    assay_metric_id i = assay_build_metric(b, "i", "count", ASSAY_I64, 0), d = assay_build_metric(b, "d", "s", ASSAY_F64, 0);
    assay_func_id f = func(b, "f");
    assay_build_graph_metrics(b, (assay_metric_id[]){ d, u, i }, 3);
    const assay_value values[] = { { .d = 0.5 }, { .u = 3 }, { .i = -4 } };
    assay_build_self(b, &(struct assay_place){ .func = f }, values, 3);
    assay_build_self(b, &(struct assay_place){ .func = f }, values, 2); /* the rest is 0 */
    assay_profile *p = seal(b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->block.metric_count, 3);
    assert_int_equal(g->block.metrics[0].v, d.v);
    assert_true(g->sum_self[0].d == 1.0);
    assert_int_equal(g->sum_self[1].u, 6);
    assert_int_equal(g->sum_self[2].i, -4);
    const struct assay_metrics *m = assay_profile_metrics(p);
    assert_true(m->total_double[d.v] == 1.0);
    assert_int_equal(m->total[u.v].low, 6);
    assert_true(m->total[i.v].high == -1 && m->total[i.v].low == (uint64_t)-4);
    assert_int_equal(m->shapes[u.v], ASSAY_SHAPE_GRAPH);
    assert_int_equal(m->shapes[skipped.v], 0);
    assay_profile_release(p);
}

static void by_default_the_graph_has_every_metric_but_formulas_and_those_of_other_shapes(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id any = assay_build_metric(b, "any", "count", ASSAY_U64, 0), graph = assay_build_metric(b, "graph", "count", ASSAY_U64, ASSAY_SHAPE_GRAPH);
    assay_build_metric(b, "lines", "count", ASSAY_U64, ASSAY_SHAPE_LINES);
    assay_build_metric_text(b, assay_build_metric(b, "sum", "count", ASSAY_U64, 0), NULL, "any + graph", false);
    assay_build_self(b, &(struct assay_place){ .func = func(b, "f") }, (assay_value[]){ { .u = 1 }, { .u = 2 } }, 2);
    assay_profile *p = seal(b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->block.metric_count, 2);
    assert_int_equal(g->block.metrics[0].v, any.v);
    assert_int_equal(g->block.metrics[1].v, graph.v);
    assay_profile_release(p);
}

/* A file whose second part has another event: what is booked before has 0 of it. */
static void metrics_can_be_added_after_the_first_rows(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_GRAPH, ASSAY_I64);
    assay_metric_id m[3] = { { 1 }, assay_build_metric(x.b, "Dr", "count", ASSAY_I64, 0), assay_build_metric(x.b, "time", "s", ASSAY_F64, 0) };
    assay_build_graph_metrics(x.b, m, 1);
    self(&x, x.f[0], 1, 10);
    self(&x, x.f[1], 1, 20);
    call(&x, x.f[0], x.f[1], 2, 25);
    assay_build_graph_metrics(x.b, m, 1); /* says nothing new */
    assay_build_graph_metrics(x.b, m, 3);
    const assay_value more[] = { { .i = 1 }, { .i = 2 }, { .d = 0.5 } };
    assay_build_self(x.b, &(struct assay_place){ .func = x.f[1], .line = 1 }, more, 3);
    assay_build_call(x.b, &(struct assay_place){ .func = x.f[0], .line = 5 }, x.f[1], 1, more, 3);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->block.metric_count, 3);
    assert_int_equal(g->sum_self[0].i, 10);
    assert_int_equal(g->sum_self[1].i, 0);
    assert_int_equal(g->sum_self[3].i, 21);
    assert_int_equal(g->sum_self[4].i, 2);
    assert_true(g->sum_self[5].d == 0.5);
    assert_int_equal(g->sum_in[3].i, 26);
    assert_int_equal(g->sum_out[1].i, 2);
    assert_int_equal(g->cost_count, 2);
    assert_int_equal(g->cost_self[3].i, 21);
    assert_int_equal(g->arc_count, 1);
    assert_int_equal(g->arc_total[0].i, 26);
    assert_true(g->arc_total[2].d == 0.5);
    assert_null(g->arc_self);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 31);
    assert_int_equal(assay_profile_metrics(p)->total[2].low, 2);
    assay_profile_release(p);
}

static void the_first_metrics_of_a_graph_without_any_can_come_late(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_GRAPH, ASSAY_I64);
    const assay_metric_id m = { 1 };
    assay_build_graph_metrics(x.b, &m, 0);
    call(&x, x.f[0], x.f[1], 2, 25);
    assay_build_graph_metrics(x.b, &m, 1);
    self(&x, x.f[1], 1, 4);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->sum_self[1].i, 4);
    assert_int_equal(g->arc_total[0].i, 0);
    assert_null(g->arc_self);
    assay_profile_release(p);
}

static void metrics_of_the_graph_cannot_be_taken_back_swapped_or_doubled(void **state)
{
    (void)state;
    static const struct {
        uint32_t first_count, second[2], second_count;
    } cases[] = { { 2, { 1, 2 }, 1 }, { 2, { 2, 1 }, 2 }, { 1, { 1, 1 }, 2 }, { 1, { 1, 9 }, 2 }, { 1, { 1, 0 }, 2 }, { 0, { 9, 0 }, 1 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture x = start(0, ASSAY_U64);
        const assay_metric_id m[2] = { { 1 }, assay_build_metric(x.b, "Dr", "count", ASSAY_U64, 0) };
        if (cases[i].first_count) assay_build_graph_metrics(x.b, m, cases[i].first_count);
        assert_int_equal(assay_builder_failed(x.b), 0);
        assay_build_graph_metrics(x.b, (assay_metric_id[]){ { cases[i].second[0] }, { cases[i].second[1] } }, cases[i].second_count);
        if (assay_builder_failed(x.b) != ASSAY_ERR_USAGE) fail_msg("case %zu", i);
        assay_builder_free(x.b);
    }
}

static void entries_are_counted_apart_from_calls(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_SUMS, ASSAY_I64);
    call(&x, x.f[0], x.f[1], 2, 1);
    assay_build_entered(x.b, (assay_stream_id){ 0 }, x.f[1], 3);
    assay_build_entered(x.b, (assay_stream_id){ 0 }, x.f[1], 1);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->sum_entered[0], 0);
    assert_int_equal(g->sum_entered[1], 4);
    assert_int_equal(g->sum_calls[1], 2);
    assay_profile_release(p);
}

static void calls_from_and_to_no_function_are_booked_on_the_other_side(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_GRAPH, ASSAY_I64);
    call(&x, (assay_func_id){ 0 }, x.f[1], 2, 10);
    call(&x, x.f[1], (assay_func_id){ 0 }, 1, 4);
    self(&x, (assay_func_id){ 0 }, 1, 3);
    assay_profile *p = seal(x.b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->sum_count, 2);
    assert_int_equal(g->sum_func[0].v, x.f[1].v);
    assert_int_equal(g->sum_calls[0], 2);
    assert_int_equal(g->sum_in[0].i, 10);
    assert_int_equal(g->sum_out[0].i, 4);
    assert_int_equal(g->sum_func[1].v, 0);
    assert_int_equal(g->sum_self[1].i, 3);
    assert_int_equal(g->arc_count, 2);
    assay_profile_release(p);
}

static void a_graph_that_nobody_wants_is_not_booked(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_LINES, ASSAY_I64);
    self(&x, x.f[0], 1, 10);
    call(&x, x.f[0], x.f[1], 1, 5);
    assay_build_call_more(x.b, &(assay_value){ .i = 1 }, NULL, 1);
    assay_build_stated(x.b, (assay_stream_id){ 0 }, x.f[1], 1, &(assay_value){ .i = 5 }, 1);
    assay_build_entered(x.b, (assay_stream_id){ 0 }, x.f[1], 1);
    assay_profile *p = seal(x.b);
    assert_int_equal(assay_profile_graph(p)->sum_count, 0);
    assert_int_equal(assay_profile_shapes(p), 0);
    assay_profile_release(p);
}

static void a_graph_without_metrics_still_counts_calls(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_func_id f = func(b, "f"), g = func(b, "g");
    assay_build_call(b, &(struct assay_place){ .func = f }, g, 3, NULL, 0);
    assay_build_self(b, &(struct assay_place){ .func = f }, NULL, 0);
    assay_profile *p = seal(b);
    assert_int_equal(assay_profile_graph(p)->block.metric_count, 0);
    assert_int_equal(assay_profile_graph(p)->sum_calls[1], 3);
    assert_int_equal(assay_profile_shapes(p), ASSAY_SHAPE_GRAPH);
    assay_profile_release(p);
}

enum { MANY = 40, BOOKINGS = 500 };

/* The same bookings of 40 metrics, of which most give the first few values only; 18 of the metrics come when there are rows already. */
static assay_profile *book_many(uint32_t want)
{
    struct fixture x = start(want, ASSAY_I64);
    assay_metric_id metrics[MANY];
    uint32_t seed = 7;
    for (uint32_t k = 0; k < MANY; k++) {
        char name[8] = { 'm', (char)('a' + k / 26), (char)('a' + k % 26), '\0' };
        metrics[k] = assay_build_metric(x.b, name, "count", k % 3 ? ASSAY_U64 : ASSAY_F64, ASSAY_SHAPE_GRAPH);
    }
    assay_build_graph_metrics(x.b, metrics, MANY - 18);
    for (uint32_t i = 0; i < BOOKINGS; i++) {
        assay_value values[MANY] = { { 0 } };
        uint32_t count = (seed = seed * 1103515245 + 12345) >> 16 & 7;
        if (i == BOOKINGS / 2) assay_build_graph_metrics(x.b, metrics, MANY);
        if (count == 7 && i % 5 == 0) count = MANY;
        for (uint32_t k = 0; k < count; k++) values[k] = k % 3 ? (assay_value){ .u = i + k } : (assay_value){ .d = 0.5 * i };
        struct assay_place at = { .func = x.f[i % 4], .line = 1 + i % 9 };
        if (i % 3 == 0) assay_build_call(x.b, &at, x.f[seed >> 18 & 3], 1, values, count);
        if (i % 12 == 0) assay_build_call_more(x.b, values, i % 24 ? NULL : values, 1);
        if (i % 3) assay_build_self(x.b, &at, values, count);
        if (i % 50 == 0) assay_build_stated(x.b, (assay_stream_id){ 0 }, x.f[3], 1, values, count);
    }
    return seal(x.b);
}

/* Every value of a column with short rows is that of the full ones. */
static void same_values(uint32_t rows, const assay_value *full, const assay_value *column, const uint64_t *begin, const uint32_t *len)
{
    size_t cells = 0;
    assert_non_null(begin);
    for (uint32_t i = 0; i < rows; i++) {
        cells += len[i];
        for (uint32_t k = 0; k < MANY; k++) assert_int_equal(k < len[i] ? column[begin[i] + k].u : 0, full[(size_t)i * MANY + k].u);
    }
    assert_true(cells < (size_t)rows * MANY); /* some are short */
}

static void short_rows_of_places_and_calls_have_the_figures_of_full_ones(void **state)
{
    (void)state;
    assay_profile *full = book_many(ASSAY_WANT_GRAPH), *sparse = book_many(ASSAY_WANT_GRAPH | ASSAY_WANT_SPARSE);
    const struct assay_graph *a = assay_profile_graph(full), *b = assay_profile_graph(sparse);
    assert_true(!a->cost_begin && !a->arc_begin);
    assert_int_equal(a->cost_count, b->cost_count);
    assert_int_equal(a->arc_count, b->arc_count);
    same_values(a->cost_count, a->cost_self, b->cost_self, b->cost_begin, b->cost_len);
    same_values(a->arc_count, a->arc_total, b->arc_total, b->arc_begin, b->arc_len);
    same_values(a->arc_count, a->arc_self, b->arc_self, b->arc_begin, b->arc_len);
    same_values(a->arc_count, a->arc_recursive, b->arc_recursive, b->arc_begin, b->arc_len);
    assay_profile_release(full);
    assay_profile_release(sparse);
}

static void short_rows_have_the_figures_of_full_ones(void **state)
{
    (void)state;
    assay_profile *full = book_many(ASSAY_WANT_SUMS), *sparse = book_many(ASSAY_WANT_SUMS | ASSAY_WANT_SPARSE);
    const struct assay_graph *a = assay_profile_graph(full), *b = assay_profile_graph(sparse);
    assert_null(a->sum_begin);
    assert_non_null(b->sum_begin);
    assert_int_equal(a->sum_count, b->sum_count);
    const assay_value *columns[][2] = { { a->sum_self, b->sum_self },
                                        { a->sum_in, b->sum_in },
                                        { a->sum_out, b->sum_out },
                                        { a->sum_recursive, b->sum_recursive },
                                        { a->stated_total, b->stated_total } };
    for (uint32_t i = 0; i < a->sum_count; i++)
        for (uint32_t k = 0; k < MANY; k++)
            for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
                uint64_t got = k < b->sum_len[i] ? columns[c][1][b->sum_begin[i] + k].u : 0;
                assert_int_equal(got, columns[c][0][(size_t)i * MANY + k].u);
            }
    const struct assay_metrics *m = assay_profile_metrics(full), *n = assay_profile_metrics(sparse);
    for (uint32_t id = 1; id <= m->count; id++) assert_true(m->total[id].low == n->total[id].low && m->total_double[id] == n->total_double[id]);
    assay_profile_release(full);
    assay_profile_release(sparse);
}

/* Callers that add all their calls in a row, that come again, and that alternate, against a table of all pairs. */
static void pairs_stand_once_in_the_order_met_however_callers_alternate(void **state)
{
    (void)state;
    enum { FUNCS = 40, CALLS = 4000 };
    assay_func_id f[FUNCS];
    bool is_met[FUNCS][FUNCS] = { { false } };
    uint32_t order[FUNCS * FUNCS][2], met = 0, seed = 1;
    char name[8];
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_SUMS | ASSAY_WANT_PAIRS }, NULL);
    assay_build_metric(b, "Ir", "count", ASSAY_I64, 0);
    assay_stream_id stream = assay_build_stream(b, "");
    for (int i = 0; i < FUNCS; i++) {
        snprintf(name, sizeof name, "f%d", i);
        f[i] = func(b, name);
    }
    for (uint32_t i = 0, from = 0; i < CALLS; i++) {
        seed = seed * 1664525 + 1013904223;
        if (seed >> 28 < (i < CALLS / 2 ? 2 : 12)) from = seed >> 8 & 0xffff; /* long runs first, then short ones */
        from %= FUNCS;
        uint32_t to = (seed >> 16) % FUNCS;
        assay_build_call(b, &(struct assay_place){ .stream = stream, .func = f[from] }, f[to], 1, &(assay_value){ .i = 1 }, 1);
        if (from == to || is_met[from][to]) continue;
        is_met[from][to] = true;
        order[met][0] = f[from].v;
        order[met++][1] = f[to].v;
    }
    assay_profile *p = seal(b);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_true(met > FUNCS * FUNCS / 2);
    assert_int_equal(g->pair_count, met);
    for (uint32_t i = 0; i < met; i++) {
        assert_int_equal(g->pair_caller[i].v, order[i][0]);
        assert_int_equal(g->pair_callee[i].v, order[i][1]);
    }
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_rows_have_the_figures_of_full_ones),
        cmocka_unit_test(short_rows_of_places_and_calls_have_the_figures_of_full_ones),
        cmocka_unit_test(sums_keep_direct_recursion_apart),
        cmocka_unit_test(a_caller_gets_its_row_before_the_callee),
        cmocka_unit_test(streams_have_rows_of_their_own_however_they_alternate),
        cmocka_unit_test(costs_and_calls_are_merged_by_place),
        cmocka_unit_test(columns_of_places_that_are_zero_everywhere_are_null),
        cmocka_unit_test(many_places_are_found_again),
        cmocka_unit_test(what_is_known_beyond_a_call_goes_to_the_last_one),
        cmocka_unit_test(stated_figures_stand_beside_the_sums),
        cmocka_unit_test(jumps_are_merged_and_need_costs_to_be_wanted),
        cmocka_unit_test(sums_stop_at_the_largest_value_and_say_so),
        cmocka_unit_test(totals_are_exact_beyond_64_bits),
        cmocka_unit_test(negative_totals_are_exact),
        cmocka_unit_test(totals_of_doubles_do_not_lose_small_parts),
        cmocka_unit_test(metrics_of_several_types_can_stand_in_one_row),
        cmocka_unit_test(by_default_the_graph_has_every_metric_but_formulas_and_those_of_other_shapes),
        cmocka_unit_test(metrics_can_be_added_after_the_first_rows),
        cmocka_unit_test(the_first_metrics_of_a_graph_without_any_can_come_late),
        cmocka_unit_test(metrics_of_the_graph_cannot_be_taken_back_swapped_or_doubled),
        cmocka_unit_test(entries_are_counted_apart_from_calls),
        cmocka_unit_test(calls_from_and_to_no_function_are_booked_on_the_other_side),
        cmocka_unit_test(a_graph_that_nobody_wants_is_not_booked),
        cmocka_unit_test(a_graph_without_metrics_still_counts_calls),
        cmocka_unit_test(pairs_stand_once_in_the_order_met_however_callers_alternate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
