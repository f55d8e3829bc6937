/* A call graph made of a tree: figures worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assay/analysis.h"
#include "assay/build.h"
#include "base/mem.h"

enum { A, B, C, D, FUNCS };

struct fixture {
    assay_builder *b;
    assay_scope_id point;
    assay_file_id source, header;
    assay_func_id f[FUNCS]; /* a (line 10), b (20), c (30) in a.c; d (5) in d.h */
    assay_profile *tree, *graph;
    struct assay_graph_lost lost;
};

static assay_str_id text(struct fixture *x, const char *s) { return assay_build_string(x->b, s, strlen(s)); }

static struct fixture start(const char *metric, const char *unit, enum assay_type type)
{
    struct fixture x = { .b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, NULL) };
    assay_module_id module = assay_build_module(x.b, text(&x, "/bin/app"), (assay_str_id){ 0 });
    x.source = assay_build_file(x.b, text(&x, "a.c"), module);
    x.header = assay_build_file(x.b, text(&x, "d.h"), module);
    x.point = assay_build_scope(x.b, assay_build_metric(x.b, metric, unit, type, 0), ASSAY_SCOPE_POINT, NULL, 0);
    for (int i = A; i < FUNCS; i++)
        x.f[i] = assay_build_func(x.b, assay_build_string(x.b, &"abcd"[i], 1), i == D ? x.header : x.source, module, 0, i == D ? 5 : 10 * (uint32_t)(i + 1));
    return x;
}

static void make_graph(struct fixture *x, uint32_t per_second)
{
    assay_error err = { 0 };
    struct assay_graph_options o = { .per_second = per_second };
    x->tree = assay_builder_seal(x->b, &err);
    if (!x->tree) fail_msg("%s", err.text);
    if (assay_graph_new(x->tree, &o, &x->graph, &x->lost, &err) != 0) fail_msg("%s", err.text);
    assert_int_equal(assay_profile_shapes(x->graph), ASSAY_SHAPE_GRAPH);
}

static void stop(struct fixture *x)
{
    assay_profile_release(x->tree);
    assay_profile_release(x->graph);
}

/* ---- planting ---- */

static assay_node_id call(struct fixture *x, assay_node_id parent, int f)
{
    return assay_build_node(x->b, &(struct assay_node){ .parent = parent, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = x->f[f] });
}

static assay_node_id inside(struct fixture *x, assay_node_id parent, enum assay_node_kind kind, assay_file_id file, uint32_t line)
{
    return assay_build_node(x->b, &(struct assay_node){ .parent = parent, .kind = (uint8_t)kind, .file = file, .line = line });
}

static void spend(struct fixture *x, assay_stream_id stream, assay_node_id node, uint64_t cost)
{
    assay_build_value(x->b, stream, node, x->point, (assay_value){ .u = cost });
}

static void spend_double(struct fixture *x, assay_node_id node, assay_scope_id scope, double cost)
{
    assay_build_value(x->b, (assay_stream_id){ 0 }, node, scope, (assay_value){ .d = cost });
}

static const assay_node_id root = { 0 };
static const assay_stream_id whole = { 0 };

/* ---- looking ---- */

static const char *name_of(const struct fixture *x, assay_func_id f)
{
    return f.v ? assay_profile_string(x->graph, assay_profile_funcs(x->graph)->name[f.v]).data : "";
}

static uint32_t line_at(const uint32_t *column, uint32_t i) { return column ? column[i] : 0; }

static void expect_cost(const struct fixture *x, const char *func, assay_file_id file, uint32_t line, uint64_t address, uint64_t cost)
{
    const struct assay_graph *g = assay_profile_graph(x->graph);
    for (uint32_t i = 0; i < g->cost_count; i++) {
        uint64_t at = g->cost_address ? g->cost_address[i] : 0;
        uint32_t in = g->cost_file ? g->cost_file[i].v : 0;
        if (strcmp(name_of(x, g->cost_func[i]), func) || in != file.v || line_at(g->cost_line, i) != line || at != address) continue;
        if (g->cost_self[i].u != cost) fail_msg("%s:%u costs %llu, not %llu", func, line, (unsigned long long)g->cost_self[i].u, (unsigned long long)cost);
        return;
    }
    fail_msg("%s has no cost at file %u, line %u, address %llu", func, file.v, line, (unsigned long long)address);
}

static void expect_arc(const struct fixture *x, const char *from, uint32_t line, const char *to, uint64_t calls, uint64_t cost)
{
    const struct assay_graph *g = assay_profile_graph(x->graph);
    for (uint32_t i = 0; i < g->arc_count; i++) {
        if (strcmp(name_of(x, g->arc_caller[i]), from) || strcmp(name_of(x, g->arc_callee[i]), to) || line_at(g->arc_line, i) != line) continue;
        if (g->arc_calls[i] != calls || g->arc_total[i].u != cost)
            fail_msg("%s:%u -> %s: %llu calls, %llu", from, line, to, (unsigned long long)g->arc_calls[i], (unsigned long long)g->arc_total[i].u);
        return;
    }
    fail_msg("no call from %s:%u to %s", from, line, to);
}

static void expect_rows(const struct fixture *x, uint32_t costs, uint32_t arcs)
{
    assert_int_equal(assay_profile_graph(x->graph)->cost_count, costs);
    assert_int_equal(assay_profile_graph(x->graph)->arc_count, arcs);
}

/* Self and total of a function, from the tree and from the graph. */
static void expect_top(const struct fixture *x, const char *func, uint64_t self, uint64_t tree_total, uint64_t graph_total)
{
    const assay_profile *profiles[] = { x->tree, x->graph };
    uint64_t totals[] = { tree_total, graph_total };
    for (int k = 0; k < 2; k++) {
        assay_top *top = NULL;
        bool found = false;
        assert_int_equal(assay_top_new(profiles[k], &top, NULL), 0);
        for (uint32_t i = 0; i < top->count; i++) {
            if (strcmp(assay_profile_string(profiles[k], assay_profile_funcs(profiles[k])->name[top->func[i].v]).data, func)) continue;
            found = true;
            assert_int_equal(top->self[i].u, self);
            assert_int_equal(top->total[i].u, totals[k]);
        }
        assert_true(found);
        assay_top_free(top);
    }
}

/* ---- tests ---- */

/* a:11 -> b:21 -> c, a:12 -> c; cost in a loop, in its line, at an instruction, and at a function node itself. */
static void places_and_sites(void **state)
{
    (void)state;
    struct fixture x = start("m", "count", ASSAY_U64);
    assay_node_id a = call(&x, root, A), loop = inside(&x, a, ASSAY_NODE_LOOP, x.source, 13);
    assay_node_id line = inside(&x, loop, ASSAY_NODE_LINE, x.source, 14), other = inside(&x, a, ASSAY_NODE_LINE, x.header, 3);
    assay_node_id code = assay_build_node(x.b, &(struct assay_node){ .parent = line, .kind = ASSAY_NODE_INSTRUCTION, .offset = 0x40 });
    assay_node_id b = call(&x, inside(&x, a, ASSAY_NODE_LINE, x.source, 11), B);
    assay_node_id c1 = call(&x, inside(&x, b, ASSAY_NODE_LINE, x.source, 21), C), c2 = call(&x, inside(&x, a, ASSAY_NODE_LINE, x.source, 12), C);
    spend(&x, whole, a, 1);
    spend(&x, whole, loop, 2);
    spend(&x, whole, line, 4);
    spend(&x, whole, code, 8);
    spend(&x, whole, other, 16);
    spend(&x, whole, c1, 32);
    spend(&x, whole, c2, 64);
    make_graph(&x, 0);
    expect_rows(&x, 6, 4);
    expect_cost(&x, "a", x.source, 10, 0, 1);
    expect_cost(&x, "a", x.source, 13, 0, 2);
    expect_cost(&x, "a", x.source, 14, 0, 4);
    expect_cost(&x, "a", x.source, 14, 0x40, 8);
    expect_cost(&x, "a", x.header, 3, 0, 16);
    expect_cost(&x, "c", x.source, 30, 0, 96);
    expect_arc(&x, "<program root>", 0, "a", 1, 127);
    expect_arc(&x, "a", 11, "b", 1, 32);
    expect_arc(&x, "a", 12, "c", 1, 64);
    expect_arc(&x, "b", 21, "c", 1, 32);
    expect_top(&x, "a", 31, 127, 127);
    expect_top(&x, "c", 96, 96, 96);
    assert_int_equal(x.lost.contexts, 11);
    assert_int_equal(x.lost.unknown_calls, 4);
    stop(&x);
}

/* The line of a call may stand at the callee; known numbers of calls are kept. */
static void lines_and_counts_of_calls(void **state)
{
    (void)state;
    struct fixture x = start("m", "count", ASSAY_U64);
    assay_node_id a = call(&x, root, A);
    struct assay_node n = { .parent = a, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = x.f[B], .line = 17 };
    assay_node_id b = assay_build_node(x.b, &n);
    assay_build_node_calls(x.b, b, 5);
    spend(&x, whole, b, 3);
    make_graph(&x, 0);
    expect_arc(&x, "a", 17, "b", 5, 3);
    expect_cost(&x, "b", x.source, 20, 0, 3);
    assert_int_equal(x.lost.unknown_calls, 1);
    stop(&x);
}

/* a -> b -> b -> b: what b spends below itself counts once. */
static void direct_recursion(void **state)
{
    (void)state;
    struct fixture x = start("m", "count", ASSAY_U64);
    assay_node_id a = call(&x, root, A), b1 = call(&x, a, B), b2 = call(&x, b1, B), b3 = call(&x, b2, B);
    spend(&x, whole, b1, 1);
    spend(&x, whole, b2, 10);
    spend(&x, whole, b3, 100);
    make_graph(&x, 0);
    expect_arc(&x, "a", 0, "b", 1, 111);
    expect_arc(&x, "b", 0, "b", 1, 110);
    expect_top(&x, "a", 0, 111, 111);
    expect_top(&x, "b", 111, 111, 111);
    stop(&x);
}

/* a -> b:21 -> c -> b:22 -> c: the second call from b to c is part of the first, though it stands elsewhere. The total of b has both calls
 * to it, as in every graph with a cycle. */
static void mutual_recursion(void **state)
{
    (void)state;
    struct fixture x = start("m", "count", ASSAY_U64);
    assay_node_id a = call(&x, root, A), b1 = call(&x, a, B), c1 = call(&x, inside(&x, b1, ASSAY_NODE_LINE, x.source, 21), C);
    assay_node_id b2 = call(&x, c1, B), c2 = call(&x, inside(&x, b2, ASSAY_NODE_LINE, x.source, 22), C);
    spend(&x, whole, b1, 1);
    spend(&x, whole, c1, 10);
    spend(&x, whole, b2, 100);
    spend(&x, whole, c2, 1000);
    make_graph(&x, 0);
    expect_arc(&x, "a", 0, "b", 1, 1111);
    expect_arc(&x, "b", 21, "c", 1, 1110);
    expect_arc(&x, "b", 22, "c", 1, 0);
    expect_arc(&x, "c", 0, "b", 1, 1100);
    expect_top(&x, "a", 0, 1111, 1111);
    expect_top(&x, "b", 101, 1111, 2211);
    expect_top(&x, "c", 1010, 1110, 1110);
    stop(&x);
}

/* Two calls side by side are no recursion; an inlined function is one. */
static void inlined_and_repeated(void **state)
{
    (void)state;
    struct fixture x = start("m", "count", ASSAY_U64);
    assay_node_id a = call(&x, root, A), l1 = inside(&x, a, ASSAY_NODE_LINE, x.source, 11), l2 = inside(&x, a, ASSAY_NODE_LINE, x.source, 12);
    struct assay_node n = { .parent = l1, .kind = ASSAY_NODE_INLINED, .relation = ASSAY_RELATION_INLINED_CALL, .func = x.f[D] };
    assay_node_id d1 = assay_build_node(x.b, &n);
    n.parent = l2;
    assay_node_id d2 = assay_build_node(x.b, &n);
    spend(&x, whole, inside(&x, d1, ASSAY_NODE_LINE, x.header, 6), 7);
    spend(&x, whole, inside(&x, d2, ASSAY_NODE_LINE, x.header, 6), 9);
    make_graph(&x, 0);
    expect_cost(&x, "d", x.header, 6, 0, 16);
    expect_arc(&x, "a", 11, "d", 1, 7);
    expect_arc(&x, "a", 12, "d", 1, 9);
    expect_top(&x, "d", 16, 16, 16);
    stop(&x);
}

/* Entries have names; what was not unwound, what has no function and what has no place is unknown. */
static void entries_and_unknowns(void **state)
{
    (void)state;
    struct fixture x = start("m", "count", ASSAY_U64);
    assay_func_id main_thread = assay_build_func(x.b, text(&x, "main thread"), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_func_kind(x.b, main_thread, ASSAY_FUNC_PLACEHOLDER, 1);
    assay_node_id entry = assay_build_node(x.b, &(struct assay_node){ .kind = ASSAY_NODE_ENTRY, .func = main_thread });
    assay_node_id a = call(&x, entry, A), lost = assay_build_node(x.b, &(struct assay_node){ .parent = a, .relation = ASSAY_RELATION_CALL });
    struct assay_node cut = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .flags = ASSAY_NODE_CALL_UNKNOWN, .func = x.f[B] };
    assay_node_id b = assay_build_node(x.b, &cut);
    assay_node_id nowhere = assay_build_node(x.b, &(struct assay_node){ .kind = ASSAY_NODE_INSTRUCTION, .flags = ASSAY_NODE_NO_PLACE, .origin = 9 });
    spend(&x, whole, entry, 1);
    spend(&x, whole, a, 2);
    spend(&x, whole, lost, 4);
    spend(&x, whole, b, 8);
    spend(&x, whole, nowhere, 16);
    make_graph(&x, 0);
    expect_rows(&x, 4, 3);
    expect_cost(&x, "main thread", (assay_file_id){ 0 }, 0, 0, 1);
    expect_cost(&x, "<unknown>", (assay_file_id){ 0 }, 0, 0, 20);
    expect_arc(&x, "main thread", 0, "a", 1, 6);
    expect_arc(&x, "a", 0, "<unknown>", 1, 4);
    expect_arc(&x, "<unknown>", 0, "b", 1, 8);
    expect_top(&x, "a", 2, 6, 6);
    assert_int_equal(assay_profile_metrics(x.graph)->total[1].low, 31);
    stop(&x);
}

static void streams_are_added_up(void **state)
{
    (void)state;
    struct fixture x = start("m", "count", ASSAY_U64);
    assay_stream_id s1 = assay_build_stream(x.b, "one"), s2 = assay_build_stream(x.b, "two");
    assay_build_attribute(x.b, s1, "host", 4, "h1", 2);
    assay_build_attribute(x.b, whole, "title", 5, "t", 1);
    assay_node_id a = call(&x, root, A), b = call(&x, a, B);
    spend(&x, s1, b, 3);
    spend(&x, s2, b, 4);
    spend(&x, s2, a, 5);
    make_graph(&x, 0);
    expect_cost(&x, "b", x.source, 20, 0, 7);
    expect_arc(&x, "a", 0, "b", 1, 7);
    expect_top(&x, "a", 5, 12, 12);
    assert_int_equal(x.lost.streams, 2);
    assert_int_equal(assay_profile_streams(x.graph)->count, 0);
    const struct assay_attributes *at = assay_profile_attributes(x.graph);
    assert_int_equal(at->count, 1);
    assert_string_equal(assay_profile_string(x.graph, at->key[0]).data, "title");
    stop(&x);
}

/* Stored scopes stand for the sums: self 7 of which 3 in a line, and 20 with all below, though there is no more in the tree. */
static void stored_scopes(void **state)
{
    (void)state;
    struct fixture x = start("m", "count", ASSAY_F64);
    assay_metric_id m = { 1 };
    assay_scope_id function = assay_build_scope(x.b, m, ASSAY_SCOPE_FUNCTION, NULL, 0), execution = assay_build_scope(x.b, m, ASSAY_SCOPE_EXECUTION, NULL, 0);
    assay_node_id a = call(&x, root, A), line = inside(&x, a, ASSAY_NODE_LINE, x.source, 12);
    assay_node_id nowhere = assay_build_node(x.b, &(struct assay_node){ .kind = ASSAY_NODE_INSTRUCTION, .flags = ASSAY_NODE_NO_PLACE, .origin = 9 });
    spend_double(&x, a, function, 7);
    spend_double(&x, line, function, 3);
    spend_double(&x, a, execution, 20);
    spend_double(&x, nowhere, x.point, 7);
    make_graph(&x, 0);
    const struct assay_graph *g = assay_profile_graph(x.graph);
    expect_rows(&x, 2, 1);
    for (uint32_t i = 0; i < 2; i++) assert_true(g->cost_self[i].d == (g->cost_line[i] == 12 ? 3 : 4));
    assert_true(g->arc_total[0].d == 20);
    stop(&x);
}

/* 0.4 + 0.4 + 0.4 us at three lines of one function: 0, 1, 0 give the rounded sum, where each alone would be nothing. */
static void seconds_become_whole_numbers(void **state)
{
    (void)state;
    struct fixture x = start("CPUTIME (sec)", "sec", ASSAY_F64);
    assay_node_id a = call(&x, root, A);
    for (uint32_t line = 11; line <= 13; line++) spend_double(&x, inside(&x, a, ASSAY_NODE_LINE, x.source, line), x.point, 4e-7);
    make_graph(&x, 1000000);
    const struct assay_metrics *m = assay_profile_metrics(x.graph);
    assert_string_equal(assay_profile_string(x.graph, m->name[1]).data, "CPUTIME (us)");
    assert_string_equal(assay_profile_string(x.graph, m->unit[1]).data, "us");
    assert_int_equal(m->type[1], ASSAY_I64);
    assert_int_equal(m->total[1].low, 1);
    expect_arc(&x, "<program root>", 0, "a", 1, 1);
    expect_cost(&x, "a", x.source, 12, 0, 1);
    assert_int_equal(x.lost.scaled_metrics, 1);
    stop(&x);
}

/* A name that is taken is not given twice. */
static void a_name_in_use_stays(void **state)
{
    (void)state;
    struct fixture x = start("T (sec)", "sec", ASSAY_F64);
    assay_build_scope(x.b, assay_build_metric(x.b, "T (ns)", "ns", ASSAY_U64, 0), ASSAY_SCOPE_POINT, NULL, 0);
    spend_double(&x, call(&x, root, A), x.point, 2.5);
    make_graph(&x, 1000000000);
    assert_string_equal(assay_profile_string(x.graph, assay_profile_metrics(x.graph)->name[1]).data, "T (sec)");
    assert_true(assay_profile_graph(x.graph)->cost_self[0].d == 2.5);
    assert_int_equal(x.lost.scaled_metrics, 0);
    stop(&x);
}

/* A chain as deep as no stack could hold. */
static void any_depth(void **state)
{
    (void)state;
    struct fixture x = start("m", "count", ASSAY_U64);
    assay_node_id at = call(&x, root, A);
    for (int i = 0; i < 300000; i++) {
        at = call(&x, at, i % 2 ? B : C);
        spend(&x, whole, at, 1);
    }
    make_graph(&x, 0);
    expect_arc(&x, "<program root>", 0, "a", 1, 300000);
    expect_arc(&x, "a", 0, "c", 1, 300000);
    expect_arc(&x, "c", 0, "b", 1, 299999);
    expect_arc(&x, "b", 0, "c", 1, 299998);
    stop(&x);
}

static void what_has_no_tree(void **state)
{
    (void)state;
    assay_error err = { 0 };
    assay_profile *p = assay_builder_seal(assay_builder_new(NULL, NULL), NULL), *graph = NULL;
    assert_int_equal(assay_graph_new(p, NULL, &graph, NULL, &err), ASSAY_ERR_UNSUPPORTED);
    assert_null(graph);
    assay_profile_release(p);
}

/* The n-th allocation fails, for each n until it goes well. */
static void every_refused_allocation(void **state)
{
    (void)state;
    struct fixture x = start("CPUTIME (sec)", "sec", ASSAY_F64);
    assay_node_id a = call(&x, root, A), b = call(&x, inside(&x, a, ASSAY_NODE_LINE, x.source, 11), B);
    spend_double(&x, call(&x, b, A), x.point, 0.5);
    x.tree = assay_builder_seal(x.b, NULL);
    assert_non_null(x.tree);
    int rc = ASSAY_ERR_MEMORY;
    uint64_t n = 0;
    while (rc != 0) {
        assay_error err = { 0 };
        struct assay_graph_options o = { .per_second = 1000000000 };
        mem_fail_new(++n, 0, UINT32_MAX);
        rc = assay_graph_new(x.tree, &o, &x.graph, &x.lost, &err);
        mem_fail_new(0, 0, 0);
        if (rc != 0) assert_int_equal(rc, ASSAY_ERR_MEMORY);
        assert_int_equal(x.graph == NULL, rc != 0);
        assert_true(n < 100000);
    }
    assert_true(n > 20);
    stop(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_sites),
        cmocka_unit_test(lines_and_counts_of_calls),
        cmocka_unit_test(direct_recursion),
        cmocka_unit_test(mutual_recursion),
        cmocka_unit_test(inlined_and_repeated),
        cmocka_unit_test(entries_and_unknowns),
        cmocka_unit_test(streams_are_added_up),
        cmocka_unit_test(stored_scopes),
        cmocka_unit_test(seconds_become_whole_numbers),
        cmocka_unit_test(a_name_in_use_stays),
        cmocka_unit_test(any_depth),
        cmocka_unit_test(what_has_no_tree),
        cmocka_unit_test(every_refused_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
