/* Callers, callees and cycles: figures worked out by hand, allocations that fail, and size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "analysis/callers/callers.h"
#include "assay/build.h"

enum { FUNCS = 8 };

struct fixture {
    assay_builder *b;
    assay_func_id f[FUNCS]; /* a, b, c, ... */
    assay_profile *p;
    assay_top *top;
    struct mem mem;
    struct callers c;
};

static struct fixture start(uint32_t want)
{
    struct fixture x = { .b = assay_builder_new(&(struct assay_build_options){ .want = want }, NULL) };
    assay_build_metric(x.b, "m", "count", ASSAY_U64, 0);
    for (uint32_t i = 0; i < FUNCS; i++)
        x.f[i] = assay_build_func(x.b, assay_build_string(x.b, &"abcdefgh"[i], 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    return x;
}

static void seal(struct fixture *x)
{
    assay_error err = { 0 };
    x->p = assay_builder_seal(x->b, &err);
    if (!x->p) fail_msg("%s", err.text);
    if (assay_top_new(x->p, &x->top, &err) != 0) fail_msg("%s", err.text);
    mem_init(&x->mem, 0);
}

static void finish(struct fixture *x, struct callers_options o)
{
    assay_error err = { 0 };
    seal(x);
    if (!o.depth) o.depth = 1;
    if (!o.sort) o.sort = ASSAY_SORT_TOTAL;
    if (callers_init(&x->c, &x->mem, x->p, x->top, &o, &err) != 0) fail_msg("%s", err.text);
}

static void stop(struct fixture *x)
{
    callers_done(&x->c);
    assert_int_equal(x->mem.used, 0);
    assay_top_free(x->top);
    assay_profile_release(x->p);
}

static void spend(struct fixture *x, int f, uint64_t cost)
{
    assay_value v = { .u = cost };
    assay_build_self(x->b, &(struct assay_place){ .func = x->f[f], .line = 1 }, &v, 1);
}

static void call_at(struct fixture *x, uint32_t stream, int from, uint32_t line, int to, uint64_t calls, uint64_t cost)
{
    assay_value v = { .u = cost };
    assay_build_call(x->b, &(struct assay_place){ .stream = { stream }, .func = { from < 0 ? 0 : x->f[from].v }, .line = line }, x->f[to], calls, &v, 1);
}

static void call(struct fixture *x, int from, int to, uint64_t calls, uint64_t cost) { call_at(x, 0, from, 2, to, calls, cost); }

static uint32_t row_of(const struct fixture *x, int f)
{
    for (uint32_t i = 0; i < x->top->count; i++)
        if (x->top->func[i].v == x->f[f].v) return i;
    fail_msg("function %c has no row", 'a' + f);
    return 0;
}

/* "DEPTH NAME:LINE calls total" for each row; name ? = not known, < = what calls the roots; + = recursion; further sites as *N. */
static const char *text_of(const struct fixture *x, const struct callers_side *s)
{
    static char text[2000];
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct callers_row *r = &s->rows[i];
        char name = r->func > FUNCS ? '<' : !r->func ? '?' : (char)('a' + (int)(r->func - x->f[0].v));
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u %c%s:%u", i ? ", " : "", r->depth, name, r->is_recursion ? "+" : "", r->line);
        if (r->sites > 1) used += (size_t)snprintf(text + used, sizeof text - used, "*%u", r->sites);
        used += (size_t)snprintf(text + used, sizeof text - used, " %llu %llu", (unsigned long long)r->calls, (unsigned long long)s->total[i].u);
        if (s->recursive[i].u) used += (size_t)snprintf(text + used, sizeof text - used, "+%llu", (unsigned long long)s->recursive[i].u);
    }
    return text;
}

static void expect_subject(const struct fixture *x, struct callers_subject subject, const char *callers, const char *callees)
{
    struct callers_block block;
    assert_int_equal(callers_block_init(&block, &x->c, subject, NULL), 0);
    if (callers) assert_string_equal(text_of(x, &block.callers), callers);
    if (callees) assert_string_equal(text_of(x, &block.callees), callees);
    callers_block_done(&block, &x->c);
}

static void expect(const struct fixture *x, int f, const char *callers, const char *callees)
{
    expect_subject(x, (struct callers_subject){ .row = row_of(x, f) }, callers, callees);
}

/* ---- graphs ---- */

/* a calls b twice from line 3 (20) and once from line 4 (30), c once (5); c calls b (7); someone calls a. */
static void fill_graph(struct fixture *x)
{
    spend(x, 0, 10);
    spend(x, 1, 57);
    spend(x, 2, 1);
    call_at(x, 0, -1, 0, 0, 1, 75);
    call_at(x, 0, 0, 3, 1, 2, 20);
    call_at(x, 0, 0, 4, 1, 1, 30);
    call_at(x, 0, 0, 5, 2, 1, 5);
    call_at(x, 0, 2, 6, 1, 1, 7);
}

static void rows_are_functions_with_their_dearest_site(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_ALL);
    fill_graph(&x);
    finish(&x, (struct callers_options){ 0 });
    expect(&x, 1, "1 a:4*2 3 50, 1 c:6 1 7", "");
    expect(&x, 0, "1 ?:0 1 75", "1 b:4*2 3 50, 1 c:5 1 5");
    stop(&x);
}

static void rows_by_site_name_calls_and_limit(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_ALL);
    fill_graph(&x);
    finish(&x, (struct callers_options){ .by_site = true });
    expect(&x, 1, "1 a:4 1 30, 1 a:3 2 20, 1 c:6 1 7", "");
    x.c.options.sort = ASSAY_SORT_NAME;
    expect(&x, 0, NULL, "1 b:4 1 30, 1 b:3 2 20, 1 c:5 1 5");
    x.c.options.sort = ASSAY_SORT_CALLS;
    expect(&x, 0, NULL, "1 b:3 2 20, 1 b:4 1 30, 1 c:5 1 5");
    x.c.options.limit = 1;
    struct callers_block block;
    assert_int_equal(callers_block_init(&block, &x.c, (struct callers_subject){ .row = row_of(&x, 0) }, NULL), 0);
    assert_string_equal(text_of(&x, &block.callees), "1 b:3 2 20");
    assert_int_equal(block.callees.left_out, 2);
    assert_int_equal(block.callees.rest[0].u, 35);
    callers_block_done(&block, &x.c);
    stop(&x);
}

static void streams_are_added_up(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_ALL);
    assay_build_stream(x.b, "one");
    assay_build_stream(x.b, "two");
    spend(&x, 1, 1);
    call_at(&x, 1, 0, 2, 1, 3, 10);
    call_at(&x, 2, 0, 2, 1, 4, 20);
    finish(&x, (struct callers_options){ 0 });
    expect(&x, 1, "1 a:2 7 30", "");
    stop(&x);
}

static void direct_recursion_is_a_row_of_its_own_on_both_sides(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_ALL);
    spend(&x, 1, 20);
    call(&x, 0, 1, 1, 20);
    call(&x, 1, 1, 3, 12);
    finish(&x, (struct callers_options){ 0 });
    expect(&x, 1, "1 a:2 1 20, 1 b+:2 3 12", "1 b+:2 3 12");
    assert_int_equal(x.c.cycles.count, 0);
    stop(&x);
}

static void names_are_found_exactly_then_as_patterns_dearest_first(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_ALL);
    struct callers_found found = { 0 };
    fill_graph(&x);
    finish(&x, (struct callers_options){ 0 });
    assert_int_equal(callers_find(&x.c, "b", &found, NULL), 0);
    assert_int_equal(found.len, 1);
    found.len = 0;
    assert_int_equal(callers_find(&x.c, "^[abc]$", &found, NULL), 0);
    assert_int_equal(found.len, 3);
    assert_int_equal(found.at[0].row, row_of(&x, 0));
    assert_int_equal(found.at[1].row, row_of(&x, 1));
    assert_int_equal(found.at[2].row, row_of(&x, 2));
    found.len = 0;
    assert_int_equal(callers_find(&x.c, "x", &found, NULL), 0);
    assert_int_equal(found.len, 0);
    assay_error err = { 0 };
    assert_int_equal(callers_find(&x.c, "(", &found, &err), ASSAY_ERR_USAGE);
    vec_done(&x.mem, &found);
    assert_int_equal(callers_nearest(&x.c, "x").len, 1);
    assert_null(callers_nearest(&x.c, "nothing like it").data);
    stop(&x);
}

/* ---- cycles ---- */

static void expect_cycle(const struct fixture *x, uint32_t n, uint32_t members, uint64_t calls, uint64_t self, uint64_t total)
{
    const struct cycles *c = &x->c.cycles;
    if (c->members[n] != members || c->calls[n] != calls || c->self[n].u != self || c->total[n].u != total)
        fail_msg("cycle %u: %u members, %llu calls, self %llu, total %llu", n, c->members[n], (unsigned long long)c->calls[n], (unsigned long long)c->self[n].u,
                 (unsigned long long)c->total[n].u);
}

static uint32_t cycle_of(const struct fixture *x, int f) { return x->c.cycles.of[x->f[f].v]; }

static void mutual_recursion_is_a_cycle(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_ALL);
    for (int i = 0; i < 4; i++) spend(&x, i, 10);
    call(&x, 0, 1, 1, 30); /* a -> b <-> c, c -> d */
    call(&x, 1, 2, 2, 40);
    call(&x, 2, 1, 1, 15);
    call(&x, 2, 3, 5, 10);
    call(&x, 2, 2, 9, 100); /* inside */
    finish(&x, (struct callers_options){ .is_collapsed = true });
    assert_int_equal(x.c.cycles.count, 1);
    assert_int_equal(cycle_of(&x, 0), 0);
    assert_int_equal(cycle_of(&x, 1), 1);
    assert_int_equal(cycle_of(&x, 2), 1);
    assert_int_equal(cycle_of(&x, 3), 0);
    expect_cycle(&x, 1, 2, 1, 20, 30);
    expect_subject(&x, (struct callers_subject){ .cycle = 1 }, "1 a:2 1 30", "1 d:2 5 10");
    struct callers_subject b = { .row = row_of(&x, 1) }, c = { .row = row_of(&x, 2) }, d = { .row = row_of(&x, 3) };
    assert_int_equal(callers_total(&x.c, b)[0].u, 10);
    assert_int_equal(callers_total(&x.c, c)[0].u, 20);
    assert_int_equal(callers_total(&x.c, d)[0].u, 10);
    stop(&x);
}

static void cycles_that_touch_are_two_or_one(void **state)
{
    (void)state;
    /* a <-> b and c <-> d, joined by b -> c: two cycles; with d -> a as well: one */
    for (int joined = 0; joined < 2; joined++) {
        struct fixture x = start(ASSAY_WANT_ALL);
        for (int i = 0; i < 4; i++) spend(&x, i, 1);
        call(&x, 0, 1, 1, 40);
        call(&x, 1, 0, 1, 30);
        call(&x, 1, 2, 3, 20);
        call(&x, 2, 3, 1, 10);
        call(&x, 3, 2, 1, 5);
        if (joined) call(&x, 3, 0, 1, 2);
        finish(&x, (struct callers_options){ .is_collapsed = true });
        assert_int_equal(x.c.cycles.count, joined ? 1 : 2);
        assert_int_equal(cycle_of(&x, 0), 1); /* the larger total */
        assert_int_equal(cycle_of(&x, 2), joined ? 1 : 2);
        if (joined)
            expect_cycle(&x, 1, 4, 0, 4, 4);
        else {
            expect_cycle(&x, 1, 2, 0, 2, 22); /* nobody outside calls it */
            expect_cycle(&x, 2, 2, 3, 2, 2);
        }
        stop(&x);
    }
}

/* The search begins inside the cycle, and reaches closed components from open ones. */
static void a_cycle_is_found_wherever_the_search_begins(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_ALL);
    call(&x, 0, 1, 1, 1); /* a -> b -> c -> a, a -> d -> e -> d, c -> e, f -> g -> f, f -> a */
    call(&x, 1, 2, 1, 1);
    call(&x, 0, 3, 1, 1);
    call(&x, 3, 4, 1, 1);
    call(&x, 4, 3, 1, 1);
    call(&x, 2, 4, 1, 1);
    call(&x, 2, 0, 1, 1);
    call(&x, 5, 6, 1, 1);
    call(&x, 6, 5, 1, 1);
    call(&x, 5, 0, 1, 1);
    finish(&x, (struct callers_options){ 0 });
    assert_int_equal(x.c.cycles.count, 3);
    assert_int_equal(cycle_of(&x, 0), cycle_of(&x, 1));
    assert_int_equal(cycle_of(&x, 0), cycle_of(&x, 2));
    assert_int_equal(cycle_of(&x, 3), cycle_of(&x, 4));
    assert_int_equal(cycle_of(&x, 5), cycle_of(&x, 6));
    assert_int_not_equal(cycle_of(&x, 0), cycle_of(&x, 3));
    assert_int_not_equal(cycle_of(&x, 0), cycle_of(&x, 5));
    stop(&x);
}

static void pairs_alone_give_the_same_cycles(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_SUMS | ASSAY_WANT_PAIRS);
    for (int i = 0; i < 3; i++) {
        call(&x, 0, 1, 1, 30);
        call(&x, 1, 2, 2, 40);
        call(&x, 2, 1, 1, 15);
        call(&x, 2, 2, 1, 15);
    }
    finish(&x, (struct callers_options){ 0 });
    assert_int_equal(assay_profile_graph(x.p)->arc_count, 0);
    assert_int_equal(assay_profile_graph(x.p)->pair_count, 3);
    assert_int_equal(x.c.cycles.count, 1);
    assert_int_equal(cycle_of(&x, 0), 0);
    assert_int_equal(cycle_of(&x, 1), 1);
    assert_int_equal(cycle_of(&x, 2), 1);
    stop(&x);
}

static void what_keeps_recursion_apart_has_no_cycles(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_WANT_ALL);
    assay_value none = { .u = 0 }, again = { .u = 8 };
    call(&x, 0, 1, 1, 30);
    assay_build_call_more(x.b, NULL, &none, 0);
    call(&x, 1, 0, 1, 0);
    assay_build_call_more(x.b, NULL, &again, 0);
    finish(&x, (struct callers_options){ 0 });
    assert_true(x.c.arcs.is_exact);
    assert_int_equal(x.c.cycles.count, 0);
    expect(&x, 0, "1 b:2 1 0+8", "1 b:2 1 30");
    stop(&x);
}

/* ---- trees ---- */

/* A function node below `parent`, called from `line`. */
static assay_node_id node(struct fixture *x, assay_node_id parent, int f, uint32_t line, uint64_t calls, uint64_t cost)
{
    struct assay_node n = { .parent = parent, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = x->f[f], .line = line };
    assay_node_id id = assay_build_node(x->b, &n);
    assay_build_node_calls(x->b, id, calls);
    if (cost) assay_build_value(x->b, (assay_stream_id){ 0 }, id, (assay_scope_id){ 1 }, (assay_value){ .u = cost });
    return id;
}

/*  a 1
 *    b 2      (line 3, 1 call)
 *      c 4    (line 7, 2 calls)
 *    d 8      (line 4, 1 call)
 *      b 16   (line 5, 3 calls)
 *        b 32 (line 6, 6 calls)
 *          c 64 (line 7, 9 calls) */
static struct fixture tree_fixture(void)
{
    struct fixture x = start(ASSAY_WANT_TREE);
    assay_build_scope(x.b, (assay_metric_id){ 1 }, ASSAY_SCOPE_POINT, NULL, 0);
    assay_node_id a = node(&x, (assay_node_id){ 0 }, 0, 0, 1, 1);
    node(&x, node(&x, a, 1, 3, 1, 2), 2, 7, 2, 4);
    node(&x, node(&x, node(&x, node(&x, a, 3, 4, 1, 8), 1, 5, 3, 16), 1, 6, 6, 32), 2, 7, 9, 64);
    return x;
}

static void a_tree_counts_recursion_once(void **state)
{
    (void)state;
    struct fixture x = tree_fixture();
    finish(&x, (struct callers_options){ 0 });
    assert_true(x.c.arcs.is_tree && x.c.arcs.is_exact);
    /* b: from d 16 + 32 + 64, from itself 32 + 64, from a 2 + 4 */
    expect(&x, 1, "1 d:5 3 112, 1 b+:6 6 96, 1 a:3 1 6", "1 b+:6 6 96, 1 c:7 11 68");
    expect(&x, 0, "1 <:0 1 127", "1 d:4 1 120, 1 b:3 1 6");
    stop(&x);
}

static void levels_follow_the_contexts_and_add_up(void **state)
{
    (void)state;
    struct fixture x = tree_fixture();
    finish(&x, (struct callers_options){ .depth = 3 });
    expect(&x, 2, "1 b:7 11 68, 2 b+:6 9 64, 3 d:5 9 64, 2 a:3 2 4, 3 <:0 2 4", "");
    expect(&x, 0, "1 <:0 1 127", "1 d:4 1 120, 2 b:5 3 112, 3 b+:6 6 96, 1 b:3 1 6, 2 c:7 2 4");
    x.c.options.limit = 2;
    expect(&x, 0, NULL, "1 d:4 1 120, 2 b:5 3 112");
    stop(&x);
}

/* The first level by contexts is what the arcs say. */
static void the_first_level_is_the_same_both_ways(void **state)
{
    (void)state;
    struct fixture x = tree_fixture();
    finish(&x, (struct callers_options){ .depth = 2 });
    for (int f = 0; f < 4; f++) {
        struct callers_block by_nodes, by_arcs;
        struct callers_subject s = { .row = row_of(&x, f) };
        struct levels *levels = x.c.levels;
        char text[2000];
        x.c.options.depth = 1;
        assert_int_equal(callers_block_init(&by_nodes, &x.c, s, NULL), 0);
        x.c.levels = NULL;
        assert_int_equal(callers_block_init(&by_arcs, &x.c, s, NULL), 0);
        x.c.levels = levels;
        snprintf(text, sizeof text, "%s", text_of(&x, &by_arcs.callers));
        assert_string_equal(text_of(&x, &by_nodes.callers), text);
        snprintf(text, sizeof text, "%s", text_of(&x, &by_arcs.callees));
        assert_string_equal(text_of(&x, &by_nodes.callees), text);
        callers_block_done(&by_nodes, &x.c);
        callers_block_done(&by_arcs, &x.c);
    }
    stop(&x);
}

/* ---- refused memory ---- */

static int everything(struct fixture *x, const struct callers_options *o, uint64_t fail_at)
{
    assay_error err = { 0 };
    struct callers_found found = { 0 };
    mem_init(&x->mem, 0);
    x->mem.fail_at = fail_at;
    int rc = callers_init(&x->c, &x->mem, x->p, x->top, o, &err);
    if (rc == 0) rc = callers_find(&x->c, ".", &found, &err);
    for (size_t i = 0; rc == 0 && i < found.len; i++) {
        struct callers_block block;
        rc = callers_block_init(&block, &x->c, found.at[i], &err);
        callers_block_done(&block, &x->c);
    }
    vec_done(&x->mem, &found);
    callers_done(&x->c);
    assert_int_equal(x->mem.used, 0);
    if (rc != 0) assert_int_equal(err.code, ASSAY_ERR_MEMORY);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct fixture x = kind ? tree_fixture() : start(ASSAY_WANT_ALL);
        struct callers_options o = { .depth = kind == 2 ? 3 : 1, .sort = ASSAY_SORT_TOTAL, .all_metrics = true, .is_collapsed = true };
        if (!kind) {
            fill_graph(&x);
            call(&x, 1, 0, 1, 1);
            call(&x, 3, 4, 1, 1);
            call(&x, 4, 3, 1, 1);
        }
        seal(&x);
        uint64_t n = 1;
        while (everything(&x, &o, n) != 0) n++;
        assert_true(n > 20);
        stop(&x);
    }
}

/* ---- size ---- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A million arcs: a chain that is closed to one cycle of 200,000 functions, which no recursion by depth survives, and five calls from each. */
static void a_million_arcs_in_one_deep_cycle(void **state)
{
    (void)state;
    enum { COUNT = 200000, CALLS = 5 };
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH }, NULL);
    assay_value one = { .u = 1 };
    assay_build_metric(b, "m", "count", ASSAY_U64, 0);
    assay_str_id name = assay_build_string(b, "f", 1);
    for (uint32_t i = 0; i < COUNT; i++) assay_build_func_new(b, name, (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < CALLS; k++)
            assay_build_call(b, &(struct assay_place){ .func = { i + 1 }, .line = k }, (assay_func_id){ (i + 1 + k * 37) % COUNT + 1 }, 1, &one, 1);
    struct fixture x = { .b = b };
    seal(&x);
    double begun = seconds();
    struct callers_options o = { .depth = 1, .sort = ASSAY_SORT_TOTAL };
    assert_int_equal(callers_init(&x.c, &x.mem, x.p, x.top, &o, NULL), 0);
    assert_int_equal(x.c.arcs.count, COUNT * CALLS);
    assert_int_equal(x.c.cycles.count, 1);
    assert_int_equal(x.c.cycles.members[1], COUNT);
    struct callers_found found = { 0 };
    assert_int_equal(callers_find(&x.c, "f", &found, NULL), 0);
    assert_int_equal(found.len, COUNT);
    for (size_t i = 0; i < found.len; i += 100) {
        struct callers_block block;
        assert_int_equal(callers_block_init(&block, &x.c, found.at[i], NULL), 0);
        assert_int_equal(block.callers.count, CALLS);
        callers_block_done(&block, &x.c);
    }
    vec_done(&x.mem, &found);
    print_message("a million arcs: %.2f s\n", seconds() - begun);
    stop(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_functions_with_their_dearest_site),
        cmocka_unit_test(rows_by_site_name_calls_and_limit),
        cmocka_unit_test(streams_are_added_up),
        cmocka_unit_test(direct_recursion_is_a_row_of_its_own_on_both_sides),
        cmocka_unit_test(names_are_found_exactly_then_as_patterns_dearest_first),
        cmocka_unit_test(mutual_recursion_is_a_cycle),
        cmocka_unit_test(cycles_that_touch_are_two_or_one),
        cmocka_unit_test(a_cycle_is_found_wherever_the_search_begins),
        cmocka_unit_test(pairs_alone_give_the_same_cycles),
        cmocka_unit_test(what_keeps_recursion_apart_has_no_cycles),
        cmocka_unit_test(a_tree_counts_recursion_once),
        cmocka_unit_test(levels_follow_the_contexts_and_add_up),
        cmocka_unit_test(the_first_level_is_the_same_both_ways),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_million_arcs_in_one_deep_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
