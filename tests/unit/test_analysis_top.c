/* The functions table: figures worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assay/analysis.h"
#include "assay/build.h"

enum { FUNCS = 6 };

struct fixture {
    assay_builder *b;
    assay_metric_id metric;
    assay_func_id f[FUNCS]; /* a, b, c, ... */
    assay_profile *p;
    assay_top *top;
};

static struct fixture start(enum assay_type type)
{
    struct fixture x = { .b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, NULL) };
    x.metric = assay_build_metric(x.b, "m", "count", type, 0);
    for (uint32_t i = 0; i < FUNCS; i++)
        x.f[i] = assay_build_func(x.b, assay_build_string(x.b, &"abcdef"[i], 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    return x;
}

static void finish(struct fixture *x)
{
    assay_error err = { 0 };
    x->p = assay_builder_seal(x->b, &err);
    if (!x->p) fail_msg("%s", err.text);
    if (assay_top_new(x->p, &x->top, &err) != 0) fail_msg("%s", err.text);
}

static void stop(struct fixture *x)
{
    assay_top_free(x->top);
    assay_profile_release(x->p);
}

/* The row of a function; -1 = none. */
static int row_of(const struct fixture *x, int f)
{
    for (uint32_t i = 0; i < x->top->count; i++)
        if (x->top->func[i].v == x->f[f].v) return (int)i;
    return -1;
}

static void expect(const struct fixture *x, int f, int64_t self, int64_t total, uint64_t calls)
{
    int row = row_of(x, f);
    if (row < 0) fail_msg("function %c has no row", 'a' + f);
    const assay_value *s = &x->top->self[(uint32_t)row * x->top->metric_count], *t = &x->top->total[(uint32_t)row * x->top->metric_count];
    if (s->i != self || t->i != total || x->top->calls[row] != calls)
        fail_msg("function %c: self %lld, total %lld, calls %llu", 'a' + f, (long long)s->i, (long long)t->i, (unsigned long long)x->top->calls[row]);
}

static void expect_double(const struct fixture *x, int f, double self, double total)
{
    int row = row_of(x, f);
    assert_true(row >= 0);
    if (x->top->self[row].d != self || x->top->total[row].d != total)
        fail_msg("function %c: self %.17g, total %.17g", 'a' + f, x->top->self[row].d, x->top->total[row].d);
}

/* ---- graph ---- */

static void spend(struct fixture *x, uint32_t stream, int f, int64_t cost)
{
    assay_value v = { .i = cost };
    assay_build_self(x->b, &(struct assay_place){ .stream = { stream }, .func = x->f[f], .line = 1 }, &v, 1);
}

static void call(struct fixture *x, uint32_t stream, int from, int to, uint64_t calls, int64_t cost)
{
    assay_value v = { .i = cost };
    struct assay_place site = { .stream = { stream }, .func = { from < 0 ? 0 : x->f[from].v }, .line = 2 };
    assay_build_call(x->b, &site, x->f[to], calls, &v, 1);
}

static void graph_total_is_the_calls_to_it_or_self_and_its_calls(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    spend(&x, 0, 0, 10);
    spend(&x, 0, 1, 20);
    spend(&x, 0, 2, 30);
    call(&x, 0, 0, 1, 2, 45);
    call(&x, 0, 1, 2, 4, 25);
    call(&x, 0, 0, 2, 1, 5);
    call(&x, 0, -1, 3, 7, 8); /* from outside */
    finish(&x);
    assert_int_equal(x.top->count, 4);
    assert_int_equal(x.top->metric_count, 1);
    expect(&x, 0, 10, 10 + 45 + 5, 0);
    expect(&x, 1, 20, 45, 2);
    expect(&x, 2, 30, 25 + 5, 5);
    expect(&x, 3, 0, 8, 7);
    stop(&x);
}

static void graph_total_leaves_direct_recursion_out(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    spend(&x, 0, 0, 1);
    spend(&x, 0, 1, 50);
    call(&x, 0, 0, 1, 1, 60);
    call(&x, 0, 1, 1, 9, 400);
    call(&x, 0, 1, 2, 3, 10);
    spend(&x, 0, 2, 10);
    /* called by itself only: it is called, so its own calls do not count */
    spend(&x, 0, 3, 5);
    call(&x, 0, 3, 3, 2, 4);
    call(&x, 0, 3, 2, 1, 6);
    finish(&x);
    expect(&x, 0, 1, 61, 0);
    expect(&x, 1, 50, 60, 10);
    expect(&x, 2, 10, 16, 4);
    expect(&x, 3, 5, 0, 2);
    stop(&x);
}

static void graph_total_is_decided_in_each_stream_and_added(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    uint32_t s = assay_build_stream(x.b, "1").v, t = assay_build_stream(x.b, "2").v;
    spend(&x, s, 0, 10);
    call(&x, s, 0, 1, 1, 100); /* b is called in the first stream */
    spend(&x, t, 1, 7);        /* and begins the second */
    call(&x, t, 1, 2, 2, 30);
    finish(&x);
    expect(&x, 0, 10, 110, 0);
    expect(&x, 1, 7, 100 + 7 + 30, 1);
    expect(&x, 2, 0, 30, 2);
    stop(&x);
}

static void what_the_file_states_comes_first(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    spend(&x, 0, 0, 10);
    call(&x, 0, 0, 1, 2, 45);
    assay_value total = { .i = 99 };
    assay_build_stated(x.b, (assay_stream_id){ 0 }, x.f[1], 3, &total, 1);
    finish(&x);
    expect(&x, 0, 10, 55, 0);
    expect(&x, 1, 0, 99, 3);
    stop(&x);
}

static void integers_stay_at_the_nearest_value(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    uint32_t s = assay_build_stream(x.b, "1").v, t = assay_build_stream(x.b, "2").v;
    spend(&x, s, 0, INT64_MAX - 1);
    spend(&x, t, 0, 5);
    spend(&x, s, 1, INT64_MIN + 1);
    spend(&x, t, 1, -5);
    call(&x, s, 2, 0, UINT64_MAX, 1);
    call(&x, t, 2, 0, UINT64_MAX, 1);
    finish(&x);
    expect(&x, 0, INT64_MAX, 2, UINT64_MAX);
    expect(&x, 1, INT64_MIN, INT64_MIN, 0);
    stop(&x);
}

/* ---- trees ---- */

/* A node with its kind and relation; f < 0 = without a function. */
static assay_node_id node(struct fixture *x, assay_node_id parent, int f, enum assay_node_kind kind, enum assay_relation relation)
{
    return assay_build_node_new(
        x->b, &(struct assay_node){ .parent = parent, .kind = (uint8_t)kind, .relation = (uint8_t)relation, .func = { f < 0 ? 0 : x->f[f].v } });
}

static assay_node_id called(struct fixture *x, assay_node_id parent, int f) { return node(x, parent, f, ASSAY_NODE_FUNCTION, ASSAY_RELATION_CALL); }
static assay_node_id inside(struct fixture *x, assay_node_id parent, enum assay_node_kind kind) { return node(x, parent, -1, kind, ASSAY_RELATION_LEXICAL); }

static assay_scope_id scope(struct fixture *x, enum assay_scope_kind kind, const char *name) { return assay_build_scope(x->b, x->metric, kind, name, 0); }

static void cost(struct fixture *x, assay_node_id n, assay_scope_id column, int64_t v)
{
    assay_build_value(x->b, (assay_stream_id){ 0 }, n, column, (assay_value){ .i = v });
}

static const assay_node_id root = { 0 };

/* a > b > a > c, and a > c: a's inner instance is part of the outer one. */
static void tree_total_counts_recursion_once(void **state)
{
    (void)state;
    for (int is_whole = 0; is_whole < 2; is_whole++) {
        struct fixture x = start(ASSAY_I64);
        assay_scope_id point = scope(&x, ASSAY_SCOPE_POINT, NULL);
        assay_node_id a = called(&x, root, 0), b = called(&x, a, 1), inner = called(&x, b, 0), c = called(&x, inner, 2), d = called(&x, a, 2);
        cost(&x, a, point, 1);
        cost(&x, b, point, 10);
        cost(&x, inner, point, 100);
        cost(&x, c, point, 1000);
        cost(&x, d, point, 10000);
        assay_node_id all[] = { a, b, inner, c, d };
        for (int i = 0; i < 5; i++) assay_build_node_calls(x.b, all[i], 1);
        if (is_whole) assay_build_tree_whole(x.b);
        finish(&x);
        assert_int_equal(x.top->count, 3);
        expect(&x, 0, 101, 11111, 2);
        expect(&x, 1, 10, 1110, 1);
        expect(&x, 2, 11000, 11000, 2);
        stop(&x);
    }
}

/* a { loop { line, line > b { instruction > c } } line }, all cost in places below the functions. */
static void cost_of_lines_loops_and_instructions_belongs_to_the_function_around_them(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    assay_scope_id point = scope(&x, ASSAY_SCOPE_POINT, NULL);
    assay_node_id entry = node(&x, root, 5, ASSAY_NODE_ENTRY, ASSAY_RELATION_LEXICAL), a = called(&x, entry, 0);
    assay_node_id loop = inside(&x, a, ASSAY_NODE_LOOP), first = inside(&x, loop, ASSAY_NODE_LINE), second = inside(&x, loop, ASSAY_NODE_LINE);
    assay_node_id last = inside(&x, a, ASSAY_NODE_LINE), b = called(&x, second, 1), i = inside(&x, b, ASSAY_NODE_INSTRUCTION), c = called(&x, i, 2);
    assay_node_id inlined = node(&x, last, 3, ASSAY_NODE_INLINED, ASSAY_RELATION_INLINED_CALL), deep = inside(&x, inlined, ASSAY_NODE_LINE);
    assay_node_id stray = inside(&x, entry, ASSAY_NODE_LINE);
    /* repeats the function that it stands in, once lexically and once as a call */
    assay_node_id repeated = node(&x, a, 0, ASSAY_NODE_LINE, ASSAY_RELATION_LEXICAL);
    cost(&x, loop, point, 1);
    cost(&x, first, point, 10);
    cost(&x, second, point, 100);
    cost(&x, last, point, 1000);
    cost(&x, i, point, 10000);
    cost(&x, c, point, 100000);
    cost(&x, deep, point, 1000000);
    cost(&x, stray, point, 10000000);
    cost(&x, entry, point, 100000000);
    cost(&x, repeated, point, 5);
    assay_build_node_calls(x.b, a, 3);
    assay_build_node_calls(x.b, loop, 50);
    assay_build_node_calls(x.b, entry, 1);
    finish(&x);
    assert_int_equal(x.top->count, 4);
    assert_int_equal(row_of(&x, 5), -1); /* no row for an entry, whatever its name */
    expect(&x, 0, 1116, 1111116, 3);
    expect(&x, 1, 10000, 110000, 0);
    expect(&x, 2, 100000, 100000, 0);
    expect(&x, 3, 1000000, 1000000, 0);
    assert_int_equal(assay_profile_metrics(x.p)->total[x.metric.v].low, 111111116);
    stop(&x);
}

/* A called instruction is a function of its own; called code that nobody knows belongs to nobody, its callers still include it. */
static void called_places_begin_something_new(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    assay_scope_id point = scope(&x, ASSAY_SCOPE_POINT, NULL);
    assay_node_id a = called(&x, root, 0), known = node(&x, a, 1, ASSAY_NODE_INSTRUCTION, ASSAY_RELATION_CALL);
    assay_node_id unknown = node(&x, a, -1, ASSAY_NODE_INSTRUCTION, ASSAY_RELATION_CALL), below = inside(&x, unknown, ASSAY_NODE_LINE);
    cost(&x, a, point, 1);
    cost(&x, known, point, 10);
    cost(&x, unknown, point, 100);
    cost(&x, below, point, 1000);
    finish(&x);
    assert_int_equal(x.top->count, 2);
    expect(&x, 0, 1, 1111, 0);
    expect(&x, 1, 10, 10, 0);
    stop(&x);
}

/* The stored figures differ from the sums on purpose, so that it shows which were taken. */
static void stored_function_and_execution_scopes_are_used_at_function_nodes(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    assay_scope_id point = scope(&x, ASSAY_SCOPE_POINT, NULL), function = scope(&x, ASSAY_SCOPE_FUNCTION, NULL);
    assay_scope_id execution = scope(&x, ASSAY_SCOPE_EXECUTION, NULL);
    assay_node_id a = called(&x, root, 0), line = inside(&x, a, ASSAY_NODE_LINE), b = called(&x, line, 1), inner = called(&x, b, 0);
    assay_node_id l = node(&x, inner, 0, ASSAY_NODE_LINE, ASSAY_RELATION_LEXICAL);
    const assay_node_id all[] = { a, line, b, inner, l };
    const int64_t function_cost[] = { 2, 20, 200, 2000, 20000 }, execution_cost[] = { 30000, 3000, 300, 30, 3 };
    for (int i = 0; i < 5; i++) {
        cost(&x, all[i], point, 7);
        cost(&x, all[i], function, function_cost[i]);
        cost(&x, all[i], execution, execution_cost[i]);
    }
    finish(&x);
    expect(&x, 0, 2002, 30000, 0);
    expect(&x, 1, 200, 300, 0);
    stop(&x);
}

/* Function scope alone: everything below is the sum of the functions below. */
static void function_scope_alone_gives_totals_too(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    assay_scope_id function = scope(&x, ASSAY_SCOPE_FUNCTION, NULL);
    assay_node_id a = called(&x, root, 0), line = inside(&x, a, ASSAY_NODE_LINE), b = called(&x, line, 1);
    cost(&x, a, function, 5);
    cost(&x, line, function, 3);
    cost(&x, b, function, 40);
    finish(&x);
    expect(&x, 0, 5, 45, 0);
    expect(&x, 1, 40, 40, 0);
    stop(&x);
}

/* What the caller was charged may differ from what the callee's nodes add up to; the caller's figure counts. */
static void a_call_scope_makes_totals_of_self_and_charges(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    assay_scope_id point = scope(&x, ASSAY_SCOPE_POINT, NULL), charged = scope(&x, ASSAY_SCOPE_CUSTOM, "call");
    scope(&x, ASSAY_SCOPE_CUSTOM, "other");
    assay_node_id a = called(&x, root, 0), line = inside(&x, a, ASSAY_NODE_LINE), b = called(&x, line, 1), c = called(&x, b, 2);
    cost(&x, a, point, 1);
    cost(&x, line, point, 2);
    cost(&x, b, point, 30);
    cost(&x, c, point, 400);
    cost(&x, b, charged, 500);
    cost(&x, c, charged, 401);
    finish(&x);
    expect(&x, 0, 3, 503, 0);
    expect(&x, 1, 30, 431, 0);
    expect(&x, 2, 400, 400, 0);
    stop(&x);
}

static void nodes_without_a_place_count_for_their_own_function_only(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    assay_scope_id point = scope(&x, ASSAY_SCOPE_POINT, NULL);
    assay_node_id a = called(&x, root, 0);
    assay_node_id lost = assay_build_node_new(x.b, &(struct assay_node){ .kind = ASSAY_NODE_INSTRUCTION, .flags = ASSAY_NODE_NO_PLACE });
    assay_node_id named = assay_build_node_new(x.b, &(struct assay_node){ .kind = ASSAY_NODE_INSTRUCTION, .flags = ASSAY_NODE_NO_PLACE, .func = x.f[1] });
    cost(&x, a, point, 1);
    cost(&x, lost, point, 20);
    cost(&x, named, point, 300);
    finish(&x);
    assert_int_equal(x.top->count, 2);
    expect(&x, 0, 1, 1, 0);
    expect(&x, 1, 300, 300, 0);
    assert_int_equal(assay_profile_metrics(x.p)->total[x.metric.v].low, 321);
    stop(&x);
}

/* Values without stream and of streams add up, unless the sum is stored. */
static void a_stored_summary_stands_for_the_sum_over_streams(void **state)
{
    (void)state;
    for (int is_stored = 0; is_stored < 2; is_stored++) {
        struct fixture x = start(ASSAY_I64);
        assay_scope_id point = scope(&x, ASSAY_SCOPE_POINT, NULL);
        assay_stat_id max = assay_build_stat(x.b, point, "$$", ASSAY_COMBINE_MAX), sum = assay_build_stat(x.b, point, "$$", ASSAY_COMBINE_SUM);
        assay_stream_id s[] = { { 0 }, assay_build_stream(x.b, "1"), assay_build_stream(x.b, "2") };
        assay_node_id a = called(&x, root, 0), b = called(&x, a, 1);
        for (int i = 0; i < 3; i++) assay_build_value(x.b, s[i], b, point, (assay_value){ .i = 10 + i });
        assay_build_summary(x.b, b, max, (assay_value){ .i = 12 });
        if (is_stored) assay_build_summary(x.b, b, sum, (assay_value){ .i = 34 });
        finish(&x);
        expect(&x, 0, 0, is_stored ? 34 : 33, 0);
        expect(&x, 1, is_stored ? 34 : 33, is_stored ? 34 : 33, 0);
        stop(&x);
    }
}

static void a_tree_without_metrics_still_has_calls(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    assay_node_id a = called(&x, root, 0), b = called(&x, a, 1), again = called(&x, b, 1);
    assay_build_node_calls(x.b, b, 4);
    assay_build_node_calls(x.b, again, UINT64_MAX);
    finish(&x);
    assert_int_equal(x.top->metric_count, 0);
    assert_int_equal(x.top->count, 2);
    assert_int_equal(x.top->calls[row_of(&x, 0)], 0);
    assert_true(x.top->calls[row_of(&x, 1)] == UINT64_MAX);
    stop(&x);
}

/* 1e16 + 1 + 1 ... loses each 1 when added plainly in this order; the other order does not. */
static void sums_of_doubles_do_not_depend_on_the_order_of_nodes(void **state)
{
    (void)state;
    for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
        struct fixture x = start(ASSAY_F64);
        assay_scope_id point = scope(&x, ASSAY_SCOPE_POINT, NULL);
        assay_node_id a = called(&x, root, 0);
        for (int i = 0; i < 101; i++) {
            bool is_large = i == (is_reversed ? 100 : 0);
            assay_build_value(x.b, (assay_stream_id){ 0 }, called(&x, a, 1), point, (assay_value){ .d = is_large ? 1e16 : 1.0 });
        }
        finish(&x);
        expect_double(&x, 0, 0, 1e16 + 100);
        expect_double(&x, 1, 1e16 + 100, 1e16 + 100);
        stop(&x);
    }
}

static void infinite_and_missing_doubles_stay_what_they_are(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_F64);
    assay_scope_id point = scope(&x, ASSAY_SCOPE_POINT, NULL);
    assay_node_id a = called(&x, root, 0), b = called(&x, a, 1), c = called(&x, root, 2);
    assay_build_value(x.b, (assay_stream_id){ 0 }, a, point, (assay_value){ .d = 1 });
    assay_build_value(x.b, (assay_stream_id){ 0 }, b, point, (assay_value){ .d = INFINITY });
    assay_build_value(x.b, (assay_stream_id){ 0 }, c, point, (assay_value){ .d = NAN });
    finish(&x);
    expect_double(&x, 0, 1, INFINITY);
    expect_double(&x, 1, INFINITY, INFINITY);
    assert_true(isnan(x.top->self[row_of(&x, 2)].d) && isnan(x.top->total[row_of(&x, 2)].d));
    stop(&x);
}

static void doubles_of_a_graph_do_not_depend_on_the_order_of_streams(void **state)
{
    (void)state;
    for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
        struct fixture x = start(ASSAY_F64);
        for (int i = 0; i < 11; i++) {
            assay_value v = { .d = i == (is_reversed ? 10 : 0) ? 1e16 : 1.0 };
            assay_build_self(x.b, &(struct assay_place){ .stream = assay_build_stream(x.b, "s"), .func = x.f[0] }, &v, 1);
        }
        finish(&x);
        expect_double(&x, 0, 1e16 + 10, 1e16 + 10);
        stop(&x);
    }
}

/* ---- coverage, and nothing ---- */

static void coverage_gives_calls_over_all_tests_and_no_metric(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_U64);
    assay_str_id one = assay_build_string(x.b, "one", 3), two = assay_build_string(x.b, "two", 3);
    assay_build_coverage_func(x.b, &(struct assay_coverage_func){ .test = one, .func = x.f[2], .calls = 3 });
    assay_build_coverage_func(x.b, &(struct assay_coverage_func){ .test = one, .func = x.f[0], .calls = 0 });
    assay_build_coverage_func(x.b, &(struct assay_coverage_func){ .test = two, .func = x.f[2], .calls = 4 });
    assay_build_coverage_func(x.b, &(struct assay_coverage_func){ .test = two, .calls = 9 }); /* of no function */
    finish(&x);
    assert_int_equal(x.top->metric_count, 0);
    assert_int_equal(x.top->count, 2);
    assert_int_equal(x.top->calls[row_of(&x, 2)], 7);
    assert_int_equal(x.top->calls[row_of(&x, 0)], 0);
    uint32_t order[2];
    assay_top_order(x.p, x.top, ASSAY_SORT_CALLS, 0, order);
    assert_int_equal(x.top->func[order[0]].v, x.f[2].v);
    assay_top_order(x.p, x.top, ASSAY_SORT_SELF, 0, order); /* no metric: by name */
    assert_int_equal(x.top->func[order[0]].v, x.f[0].v);
    stop(&x);
}

static void a_profile_without_figures_is_refused_and_one_with_lines_has_no_rows(void **state)
{
    (void)state;
    assay_error err = { 0 };
    assay_top *top;
    assay_profile *p = assay_builder_seal(assay_builder_new(NULL, NULL), &err);
    assert_int_equal(assay_top_new(p, &top, &err), ASSAY_ERR_UNSUPPORTED);
    assert_null(top);
    assay_top_free(top);
    assay_profile_release(p);
    struct fixture x = start(ASSAY_U64);
    assay_build_line(x.b, &(struct assay_line){ .line = 4 }, 1, NULL, NULL);
    finish(&x);
    assert_int_equal(x.top->count, 0);
    assert_int_equal(x.top->metric_count, 0);
    stop(&x);
}

/* ---- order ---- */

static void rows_are_ordered_by_value_then_the_other_metrics_then_names(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_I64);
    assay_build_metric(x.b, "n", "count", ASSAY_U64, 0);
    assay_str_id same = assay_build_string(x.b, "same", 4);
    assay_file_id file[2] = { assay_build_file(x.b, assay_build_string(x.b, "2.c", 3), (assay_module_id){ 0 }),
                              assay_build_file(x.b, assay_build_string(x.b, "1.c", 3), (assay_module_id){ 0 }) };
    assay_func_id s[4] = { assay_build_func(x.b, same, file[0], (assay_module_id){ 0 }, 0, 3),
                           assay_build_func(x.b, same, file[1], (assay_module_id){ 0 }, 0, 9),
                           assay_build_func(x.b, same, file[1], (assay_module_id){ 0 }, 1, 8),
                           assay_build_func(x.b, same, file[1], (assay_module_id){ 0 }, 2, 8) };
    assay_build_func_column(x.b, s[2], 4);
    assay_build_func_column(x.b, s[3], 2);
    const struct {
        assay_func_id func;
        int64_t first;
        uint64_t second;
        int by_first, by_second;
    } rows[] = { { x.f[0], -5, 1, 7, 7 }, { x.f[1], 9, 2, 1, 1 }, { x.f[2], 9, UINT64_MAX, 0, 0 },
                 { x.f[3], 9, 2, 2, 2 },  { s[0], 4, 2, 6, 6 },   { s[1], 4, 2, 5, 5 },
                 { s[2], 4, 2, 4, 4 },    { s[3], 4, 2, 3, 3 } };
    for (size_t i = 0; i < 8; i++) {
        assay_value v[2] = { { .i = rows[i].first }, { .u = rows[i].second } };
        assay_build_self(x.b, &(struct assay_place){ .func = rows[i].func }, v, 2);
    }
    finish(&x);
    uint32_t order[8];
    assert_int_equal(x.top->count, 8);
    for (int k = 0; k < 2; k++)
        for (int sort = ASSAY_SORT_SELF; sort <= ASSAY_SORT_TOTAL; sort++) {
            assay_top_order(x.p, x.top, (enum assay_sort)sort, (uint32_t)k, order);
            for (int i = 0; i < 8; i++) {
                int place = k ? rows[i].by_second : rows[i].by_first;
                if (x.top->func[order[place]].v != rows[i].func.v) fail_msg("metric %d, sort %d: row %d is not at place %d", k, sort, i, place);
            }
        }
    assay_top_order(x.p, x.top, ASSAY_SORT_NAME, 0, order);
    const assay_func_id by_name[] = { x.f[0], x.f[1], x.f[2], x.f[3], s[3], s[2], s[1], s[0] };
    for (int i = 0; i < 8; i++) assert_int_equal(x.top->func[order[i]].v, by_name[i].v);
    stop(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graph_total_is_the_calls_to_it_or_self_and_its_calls),
        cmocka_unit_test(graph_total_leaves_direct_recursion_out),
        cmocka_unit_test(graph_total_is_decided_in_each_stream_and_added),
        cmocka_unit_test(what_the_file_states_comes_first),
        cmocka_unit_test(integers_stay_at_the_nearest_value),
        cmocka_unit_test(tree_total_counts_recursion_once),
        cmocka_unit_test(cost_of_lines_loops_and_instructions_belongs_to_the_function_around_them),
        cmocka_unit_test(called_places_begin_something_new),
        cmocka_unit_test(stored_function_and_execution_scopes_are_used_at_function_nodes),
        cmocka_unit_test(function_scope_alone_gives_totals_too),
        cmocka_unit_test(a_call_scope_makes_totals_of_self_and_charges),
        cmocka_unit_test(nodes_without_a_place_count_for_their_own_function_only),
        cmocka_unit_test(a_stored_summary_stands_for_the_sum_over_streams),
        cmocka_unit_test(a_tree_without_metrics_still_has_calls),
        cmocka_unit_test(sums_of_doubles_do_not_depend_on_the_order_of_nodes),
        cmocka_unit_test(infinite_and_missing_doubles_stay_what_they_are),
        cmocka_unit_test(doubles_of_a_graph_do_not_depend_on_the_order_of_streams),
        cmocka_unit_test(coverage_gives_calls_over_all_tests_and_no_metric),
        cmocka_unit_test(a_profile_without_figures_is_refused_and_one_with_lines_has_no_rows),
        cmocka_unit_test(rows_are_ordered_by_value_then_the_other_metrics_then_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
