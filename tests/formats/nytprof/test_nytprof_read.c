/* How figures come about, on small streams whose sums can be done by hand: discounts, negative ticks, recursion, several callers of a line,
 * processes, sources, the tree, salvage, and what is written again. */
#include "nyt.h"

static struct nyt s;

static uint32_t func(const assay_profile *p, const char *name)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    for (uint32_t i = 1; i <= f->count; i++)
        if (slice_is(assay_profile_string(p, f->name[i]), name)) return i;
    fail_msg("no function %s", name);
    return 0;
}

static const uint32_t everything = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES | ASSAY_WANT_COUNTS;

static void discounts_take_the_count_and_keep_the_time(void **state)
{
    (void)state;
    nyt_begin(&s);
    nyt_time(&s, 70, 1, 5);
    nyt_byte(&s, '-');
    nyt_time(&s, 7, 1, 5);
    nyt_time(&s, -20, 1, 5);
    nyt_byte(&s, '-');
    nyt_byte(&s, '-');
    nyt_time(&s, 1, 1, 300);
    nyt_end(&s);
    assay_profile *p = nyt_read(&s, everything);
    const struct assay_lines *t = assay_profile_lines(p);
    assert_int_equal(t->count, 2);
    assert_int_equal(t->hits[0], 2);
    assert_int_equal(t->self[0].i, 57);
    assert_int_equal(t->line[1], 300);
    assert_int_equal(t->hits[1], 0);
    assert_int_equal(t->self[1].i, 1);
    assay_profile_release(p);
}

static void callers_of_one_line_stay_apart_and_sums_join_them(void **state)
{
    (void)state;
    nyt_begin(&s);
    nyt_put(&s, 's', "isii", 1u, "main::f", 3u, 9u);
    nyt_call(&s, 4, "main::a", 2, 5e-7, 3e-7, 0, 0, "main::f");
    nyt_call(&s, 4, "main::b", 1, 1e-7, 1e-7, 0, 0, "main::f");
    nyt_call(&s, 5, "main::f", 3, 0, 2e-7, 4e-7, 3, "main::f");
    nyt_put(&s, 'c', "iisidddis", 0u, 0u, "", 0u, 0.0, 0.0, 0.0, 0u, "main::xs");
    nyt_end(&s);
    assay_profile *p = nyt_read(&s, everything);
    const struct assay_graph *g = assay_profile_graph(p);
    uint32_t f = func(p, "main::f");
    assert_int_equal(g->arc_count, 3);
    assert_int_equal(g->arc_depth[2], 3);
    assert_true(g->arc_recursive[2].d == 4e-7);
    for (uint32_t i = 0; i < g->sum_count; i++)
        if (g->sum_func[i].v == f) {
            assert_int_equal(g->stated_calls[i], 6);
            assert_true(g->sum_self[i].d > 5.99e-7 && g->sum_self[i].d < 6.01e-7);
            assert_true(g->stated_total[i].d > 5.99e-7 && g->stated_total[i].d < 6.01e-7);
        }
    assert_int_equal(assay_profile_funcs(p)->kind[func(p, "main::xs")], ASSAY_FUNC_INTERNAL);
    assert_int_equal(assay_profile_funcs(p)->last_line[f], 9);
    assay_profile_release(p);
}

static void processes_are_streams_when_there_are_several(void **state)
{
    (void)state;
    nyt_begin(&s);
    nyt_time(&s, 1, 1, 1);
    nyt_end(&s);
    nyt_put(&s, 'P', "iid", 101u, 100u, 1.5e9);
    nyt_time(&s, 2, 1, 1);
    nyt_call(&s, 4, "main::a", 2, 5e-7, 3e-7, 0, 0, "main::f");
    nyt_put(&s, 'p', "id", 101u, 1.5e9 + 1);
    assay_profile *p = nyt_read(&s, everything);
    const struct assay_lines *t = assay_profile_lines(p);
    assert_int_equal(assay_profile_streams(p)->count, 2);
    assert_int_equal(t->count, 2);
    assert_int_equal(t->stream[0].v, 1);
    assert_int_equal(t->self[0].i, 1);
    assert_int_equal(t->stream[1].v, 2);
    assert_int_equal(t->self[1].i, 2);
    assert_int_equal(assay_profile_graph(p)->arc_stream[0].v, 2);
    assay_profile_release(p);
}

static void sources_are_joined_with_missing_lines_empty(void **state)
{
    (void)state;
    nyt_begin(&s);
    nyt_put(&s, 'S', "iis", 1u, 3u, "three");
    nyt_put(&s, 'S', "iis", 1u, 1u, "one\n");
    nyt_end(&s);
    assay_profile *p = nyt_read(&s, everything);
    assert_true(slice_is(assay_profile_string(p, assay_profile_files(p)->source[1]), "one\n\nthree"));
    assay_profile_release(p);
}

/* f calls g twice, the second g calls f again; one call is open at the end. */
static void put_returns(void)
{
    nyt_return(&s, 3, 10, 10, "main::g");
    nyt_return(&s, 4, 5, 5, "main::f");
    nyt_return(&s, 3, 25, 20, "main::g");
    nyt_return(&s, 2, 100, 65, "main::f");
}

static void returns_make_the_tree(void **state)
{
    (void)state;
    nyt_begin(&s);
    put_returns();
    nyt_end(&s);
    assay_profile *merged = nyt_read(&s, ASSAY_WANT_TREE), *whole = nyt_read(&s, ASSAY_WANT_WHOLE);
    assert_int_equal(assay_profile_tree(merged)->count, 4); /* (unfinished), f, g, f */
    assert_int_equal(assay_profile_tree(whole)->count, 5);
    assert_true(assay_profile_tree(whole)->is_whole);
    const struct assay_tree *t = assay_profile_tree(merged);
    assert_int_equal(t->func[1].v, func(merged, "(unfinished)"));
    assert_int_equal(t->func[3].v, func(merged, "main::g"));
    assert_int_equal(t->calls[3], 2);
    assay_value v;
    assert_int_equal(assay_tree_value(merged, (assay_stream_id){ 0 }, (assay_node_id){ 3 }, (assay_scope_id){ 1 }, &v, NULL), 0);
    assert_true(v.d == 30);
    assay_profile_release(merged);
    assay_profile_release(whole);
}

static void a_cut_stream_has_its_calls_from_the_returns(void **state)
{
    (void)state;
    nyt_begin(&s);
    put_returns();
    assay_profile *p = nyt_read(&s, everything);
    const struct assay_graph *g = assay_profile_graph(p);
    double self = 0, total = 0, recursive = 0;
    uint64_t calls = 0;
    for (uint32_t i = 0; i < g->arc_count; i++)
        if (g->arc_callee[i].v == func(p, "main::f")) {
            self += g->arc_self[i].d * 1e7;
            total += g->arc_total[i].d * 1e7;
            recursive += g->arc_recursive[i].d * 1e7;
            calls += g->arc_calls[i];
        }
    assert_int_equal(calls, 2);
    assert_true(self > 69.999 && self < 70.001);
    assert_true(total > 99.999 && total < 100.001);
    assert_true(recursive > 4.999 && recursive < 5.001);
    assay_profile_release(p);
}

static int collect(void *arg, const char *data, size_t len)
{
    nyt_raw(arg, data, len);
    return 0;
}

static void large_figures_take_several_records(void **state)
{
    (void)state;
    static struct nyt out;
    assay_losses *losses = NULL;
    nyt_begin(&s);
    for (int i = 0; i < 3; i++) nyt_time(&s, INT32_MAX, 1, 1);
    for (int i = 0; i < 2; i++) nyt_call(&s, 1, "main::RUNTIME", UINT32_MAX, 1, 1, 0, 0, "main::f");
    nyt_end(&s);
    assay_profile *p = nyt_read(&s, everything | ASSAY_WANT_COSTS);
    out.len = 0;
    struct assay_write_options o = { .format = "nytprof" };
    assert_int_equal(assay_write_fn(p, &o, collect, &out, &losses, NULL), 0);
    assay_profile *again = nyt_read(&out, everything | ASSAY_WANT_COSTS);
    assert_int_equal(assay_profile_lines(again)->self[0].i, 3 * (int64_t)INT32_MAX);
    assert_int_equal(assay_profile_lines(again)->hits[0], 3);
    assert_int_equal(assay_profile_graph(again)->arc_calls[0], 2 * (uint64_t)UINT32_MAX);
    assert_true(assay_profile_graph(again)->arc_self[0].d == 2);
    assay_losses_free(losses);
    assay_profile_release(p);
    assay_profile_release(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discounts_take_the_count_and_keep_the_time),
        cmocka_unit_test(callers_of_one_line_stay_apart_and_sums_join_them),
        cmocka_unit_test(processes_are_streams_when_there_are_several),
        cmocka_unit_test(sources_are_joined_with_missing_lines_empty),
        cmocka_unit_test(returns_make_the_tree),
        cmocka_unit_test(a_cut_stream_has_its_calls_from_the_returns),
        cmocka_unit_test(large_figures_take_several_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
