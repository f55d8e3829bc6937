/* Views: rows and figures worked out by hand. Each test draws the view as text: name, self/total, x calls, @ line of the call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/paths/paths.h"
#include "analysis/views/views.h"
#include "assay/build.h"
#include "base/mem.h"

enum { A, B, C, D, FUNCS };

struct fixture {
    assay_builder *b;
    assay_metric_id metric;
    assay_scope_id point;
    assay_file_id files[2];
    assay_func_id f[FUNCS]; /* a, b, c, d, at lines 10, 20, 30, 40 where there are files */
    assay_profile *p;
    struct mem mem;
};

static assay_str_id text(struct fixture *x, const char *s) { return assay_build_string(x->b, s, strlen(s)); }

/* With files: a and b in one.c of module one, c and d in two.c of module two. */
static struct fixture start(bool has_files)
{
    struct fixture x = { .b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, NULL) };
    assay_module_id modules[2] = { { 0 }, { 0 } };
    mem_init(&x.mem, 0);
    x.metric = assay_build_metric(x.b, "m", "count", ASSAY_U64, 0);
    for (int i = 0; has_files && i < 2; i++) {
        modules[i] = assay_build_module(x.b, text(&x, i ? "two" : "one"), (assay_str_id){ 0 });
        x.files[i] = assay_build_file(x.b, text(&x, i ? "two.c" : "one.c"), modules[i]);
    }
    for (int i = 0; i < FUNCS; i++)
        x.f[i] = assay_build_func(x.b, assay_build_string(x.b, &"abcd"[i], 1), x.files[i / 2], modules[i / 2], 0, has_files ? 10 * (uint32_t)(i + 1) : 0);
    return x;
}

static void finish(struct fixture *x)
{
    assay_error err = { 0 };
    x->p = assay_builder_seal(x->b, &err);
    if (!x->p) fail_msg("%s", err.text);
}

static void stop(struct fixture *x)
{
    assay_profile_release(x->p);
    assert_int_equal(x->mem.used, 0);
}

/* ---- planting ---- */

static const assay_node_id root = { 0 };

static void spend(struct fixture *x, assay_node_id node, uint64_t cost)
{
    if (!x->point.v) x->point = assay_build_scope(x->b, x->metric, ASSAY_SCOPE_POINT, NULL, 0);
    assay_build_value(x->b, (assay_stream_id){ 0 }, node, x->point, (assay_value){ .u = cost });
}

static assay_node_id call(struct fixture *x, assay_node_id parent, int f, uint64_t cost)
{
    assay_node_id n =
        assay_build_node_new(x->b, &(struct assay_node){ .parent = parent, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = x->f[f] });
    if (cost) spend(x, n, cost);
    assay_build_node_calls(x->b, n, 1);
    return n;
}

static assay_node_id inside(struct fixture *x, assay_node_id parent, enum assay_node_kind kind, uint32_t line, uint64_t cost)
{
    assay_node_id n = assay_build_node_new(x->b, &(struct assay_node){ .parent = parent, .kind = (uint8_t)kind, .file = x->files[0], .line = line });
    if (cost) spend(x, n, cost);
    return n;
}

/* ---- looking ---- */

static void put_name(const struct view *v, const struct view_row *row, char *to, size_t room)
{
    static const char *const kinds[] = { "", "<", "inlined ", "loop ", "line ", "instruction ", "other ", "module ", "file ", "calls " };
    const struct assay_modules *m = assay_profile_modules(v->profile);
    const struct assay_files *f = assay_profile_files(v->profile);
    if (row->func)
        snprintf(to, room, "%s%s", kinds[row->kind], assay_profile_string(v->profile, assay_profile_funcs(v->profile)->name[row->func]).data);
    else if (row->kind == VIEW_MODULE)
        snprintf(to, room, "module %s", assay_profile_string(v->profile, m->path[row->module]).data);
    else if (row->kind == VIEW_FILE)
        snprintf(to, room, "file %s", assay_profile_string(v->profile, f->path[row->file]).data);
    else
        snprintf(to, room, "%s%u", kinds[row->kind], row->line);
}

static void draw(const struct view *v, char *to, size_t room)
{
    size_t used = 0;
    to[0] = 0;
    for (size_t i = 0; i < v->order.len; i++) {
        const struct view_row *row = &v->rows.at[v->order.at[i]];
        char name[64], self[32] = "?", calls[32] = "", site[32] = "";
        put_name(v, row, name, sizeof name);
        assert_int_equal(row->depth, row->parent ? v->rows.at[row->parent].depth + 1 : 1);
        if (row->has_self) snprintf(self, sizeof self, "%llu", (unsigned long long)view_self(v, i)[v->columns.at[0].k].u);
        if (row->calls) snprintf(calls, sizeof calls, " x%llu", (unsigned long long)row->calls);
        if (row->site_line) snprintf(site, sizeof site, " @%u", row->site_line);
        used += (size_t)snprintf(to + used, room - used, "%*s%s %s/%llu%s%s\n", 2 * (int)row->depth - 2, "", name, self,
                                 (unsigned long long)view_total(v, i)[v->columns.at[0].k].u, calls, site);
        assert_true(used < room);
    }
}

static void expect(struct fixture *x, struct view_options o, const char *want)
{
    char got[4000];
    assay_error err = { 0 };
    struct view v;
    o.metric = x->metric;
    if (view_init(&v, &x->mem, x->p, &o, &err) != 0) fail_msg("%s", err.text);
    draw(&v, got, sizeof got);
    view_done(&v);
    assert_string_equal(got, want);
}

static struct view_options of(enum view_kind kind, enum view_detail detail)
{
    bool by_self = kind == VIEW_BOTTOM_UP || kind == VIEW_FLAT;
    return (struct view_options){ .kind = kind, .detail = detail, .sort = by_self ? ASSAY_SORT_SELF : ASSAY_SORT_TOTAL };
}

/* ---- recursion ---- */

/* a calls b, which calls a, which calls b; and a calls c, which calls itself. */
static struct fixture recursive(bool has_files)
{
    struct fixture x = start(has_files);
    assay_node_id a = call(&x, root, A, 1), b = call(&x, a, B, 2), inner = call(&x, b, A, 4), c;
    call(&x, inner, B, 8);
    c = call(&x, a, C, 16);
    call(&x, c, C, 32);
    finish(&x);
    return x;
}

static void top_down_has_each_context(void **state)
{
    (void)state;
    struct fixture x = recursive(false);
    expect(&x, of(VIEW_TOP_DOWN, VIEW_CALL_SITES),
           "a 1/63 x1\n"
           "  c 16/48 x1\n"
           "    c 32/32 x1\n"
           "  b 2/14 x1\n"
           "    a 4/12 x1\n"
           "      b 8/8 x1\n");
    stop(&x);
}

static void bottom_up_counts_recursion_once(void **state)
{
    (void)state;
    struct fixture x = recursive(false);
    /* c: the outer instance has all of the total; the inner one only what it spent. b: both are called by a. */
    expect(&x, of(VIEW_BOTTOM_UP, VIEW_CALL_SITES),
           "c 48/48 x2\n"
           "  c 32/0 x1\n"
           "    a 32/0 x1\n"
           "  a 16/48 x1\n"
           "b 10/14 x2\n"
           "  a 10/14 x2\n"
           "    b 8/0 x1\n"
           "      a 8/0 x1\n"
           "a 5/63 x2\n"
           "  b 4/0 x1\n"
           "    a 4/0 x1\n");
    stop(&x);
}

static void flat_counts_recursion_once(void **state)
{
    (void)state;
    struct fixture x = recursive(true);
    /* module one is open all the time; two.c has c once. a calls b twice, the second time within the first. */
    expect(&x, of(VIEW_FLAT, VIEW_CALL_SITES),
           "module two 48/48\n"
           "  file two.c 48/48\n"
           "    c 48/48 x2\n"
           "      calls c 32/32 x1\n"
           "module one 15/63\n"
           "  file one.c 15/63\n"
           "    b 10/14 x2\n"
           "      calls a 4/12 x1\n"
           "    a 5/63 x2\n"
           "      calls c 16/48 x1\n"
           "      calls b 10/14 x2\n");
    expect(&x, (struct view_options){ .kind = VIEW_FLAT, .detail = VIEW_FUNCTIONS, .sort = ASSAY_SORT_NAME, .depth = 2 },
           "module one 15/63\n"
           "  file one.c 15/63\n"
           "module two 48/48\n"
           "  file two.c 48/48\n");
    stop(&x);
}

static void a_function_as_the_beginning(void **state)
{
    (void)state;
    struct fixture x = recursive(false);
    struct view_options o = of(VIEW_TOP_DOWN, VIEW_FUNCTIONS);
    o.function = "b";
    expect(&x, o,
           "b 2/14 x1\n"
           "  a 4/12 x1\n"
           "    b 8/8 x1\n");
    o.kind = VIEW_BOTTOM_UP;
    o.depth = 2;
    expect(&x, o, "b 10/14 x2\n  a 10/14 x2\n");
    o.kind = VIEW_HOT_PATH;
    o.depth = 0;
    o.function = "c";
    expect(&x, o, "c 16/48 x1\n  c 32/32 x1\n");
    struct view v;
    assay_error err = { 0 };
    o.metric = x.metric;
    o.function = "nobody";
    assert_int_equal(view_init(&v, &x.mem, x.p, &o, &err), ASSAY_ERR_USAGE);
    view_done(&v);
    stop(&x);
}

/* ---- lines, loops, inlined code ---- */

/* a: a loop (12) with a line (13), an inner loop (14) with a line (15), and a line (16) that calls b and has c inlined. */
static struct fixture looping(void)
{
    struct fixture x = start(true);
    assay_node_id a = call(&x, root, A, 0), outer = inside(&x, a, ASSAY_NODE_LOOP, 12, 0), line;
    inside(&x, outer, ASSAY_NODE_LINE, 13, 5);
    inside(&x, inside(&x, outer, ASSAY_NODE_LOOP, 14, 0), ASSAY_NODE_LINE, 15, 7);
    line = inside(&x, outer, ASSAY_NODE_LINE, 16, 1);
    call(&x, line, B, 3);
    assay_node_id c =
        assay_build_node_new(x.b, &(struct assay_node){ .parent = line, .kind = ASSAY_NODE_INLINED, .relation = ASSAY_RELATION_INLINED_CALL, .func = x.f[C] });
    spend(&x, c, 2);
    return x;
}

static void a_line_and_its_call_are_one_row(void **state)
{
    (void)state;
    struct fixture x = looping();
    finish(&x);
    expect(&x, of(VIEW_TOP_DOWN, VIEW_CALL_SITES),
           "a 13/18 x1\n"
           "  loop 12 6/18\n"
           "    loop 14 7/7\n"
           "      line 15 7/7\n"
           "    line 13 5/5\n"
           "    b 3/3 x1 @16\n"
           "    inlined c 2/2 @16\n"
           "    line 16 1/1\n");
    expect(&x, of(VIEW_TOP_DOWN, VIEW_CONTEXTS),
           "a 13/18 x1\n"
           "  loop 12 6/18\n"
           "    loop 14 7/7\n"
           "      line 15 7/7\n"
           "    line 16 1/6\n"
           "      b 3/3 x1 @16\n"
           "      inlined c 2/2 @16\n"
           "    line 13 5/5\n");
    expect(&x, of(VIEW_TOP_DOWN, VIEW_FUNCTIONS), "a 13/18 x1\n  b 3/3 x1\n  inlined c 2/2\n");
    expect(&x, of(VIEW_HOT_PATH, VIEW_CALL_SITES), "a 13/18 x1\n  loop 12 6/18\n");
    stop(&x);
}

/* Instructions of a line are part of it: one of them calls b, the other only costs. */
static void instructions_belong_to_their_line(void **state)
{
    (void)state;
    struct fixture x = start(true);
    assay_node_id a = call(&x, root, A, 0), line = inside(&x, a, ASSAY_NODE_LINE, 11, 0);
    call(&x, inside(&x, line, ASSAY_NODE_INSTRUCTION, 0, 2), B, 4);
    inside(&x, line, ASSAY_NODE_INSTRUCTION, 0, 1);
    finish(&x);
    expect(&x, of(VIEW_TOP_DOWN, VIEW_CALL_SITES), "a 3/7 x1\n  b 4/4 x1 @11\n  line 11 3/3\n");
    expect(&x, of(VIEW_TOP_DOWN, VIEW_CONTEXTS),
           "a 3/7 x1\n"
           "  line 11 3/7\n"
           "    instruction 0 2/6\n"
           "      b 4/4 x1 @11\n"
           "    instruction 0 1/1\n");
    stop(&x);
}

static void flat_shows_what_is_inside_functions(void **state)
{
    (void)state;
    struct fixture x = looping();
    finish(&x);
    struct view_options o = of(VIEW_FLAT, VIEW_CALL_SITES);
    o.function = "a";
    expect(&x, o,
           "module one 13/18\n"
           "  file one.c 13/18\n"
           "    a 13/18 x1\n"
           "      loop 12 6/18\n"
           "        loop 14 7/7\n"
           "          line 15 7/7\n"
           "        line 13 5/5\n"
           "        calls b 3/3 x1 @16\n"
           "        calls c 2/2 @16\n"
           "        line 16 1/1\n");
    stop(&x);
}

static void bottom_up_tells_where_the_call_is(void **state)
{
    (void)state;
    struct fixture x = looping();
    finish(&x);
    struct view_options o = of(VIEW_BOTTOM_UP, VIEW_CALL_SITES);
    o.least = 0.12; /* of 18: c is too small */
    expect(&x, o, "a 13/18 x1\nb 3/3 x1\n  a 3/3 x1 @16\n");
    stop(&x);
}

/* Stored FUNCTION and EXECUTION scopes, with a node that has no place: its cost is in them, and it is no row. */
static void stored_scopes_are_taken_apart(void **state)
{
    (void)state;
    struct fixture x = start(true);
    assay_scope_id function = assay_build_scope(x.b, x.metric, ASSAY_SCOPE_FUNCTION, NULL, 0);
    assay_scope_id execution = assay_build_scope(x.b, x.metric, ASSAY_SCOPE_EXECUTION, NULL, 0);
    assay_node_id a = call(&x, root, A, 0), outer = inside(&x, a, ASSAY_NODE_LOOP, 12, 0), inner = inside(&x, outer, ASSAY_NODE_LOOP, 14, 0);
    assay_node_id line = inside(&x, inner, ASSAY_NODE_LINE, 15, 0), b = call(&x, line, B, 0);
    struct {
        assay_node_id node;
        uint64_t self, total;
    } stored[] = { { a, 10, 13 }, { outer, 9, 12 }, { inner, 4, 7 }, { line, 4, 7 }, { b, 3, 3 } };
    for (size_t i = 0; i < sizeof stored / sizeof *stored; i++) {
        assay_build_value(x.b, (assay_stream_id){ 0 }, stored[i].node, function, (assay_value){ .u = stored[i].self });
        assay_build_value(x.b, (assay_stream_id){ 0 }, stored[i].node, execution, (assay_value){ .u = stored[i].total });
    }
    assay_node_id hidden = assay_build_node_new(x.b, &(struct assay_node){ .kind = ASSAY_NODE_INSTRUCTION, .flags = ASSAY_NODE_NO_PLACE });
    assay_build_value(x.b, (assay_stream_id){ 0 }, hidden, function, (assay_value){ .u = 4 });
    assay_build_metric_total(x.b, x.metric, (assay_value){ .u = 13 });
    finish(&x);
    expect(&x, of(VIEW_TOP_DOWN, VIEW_CALL_SITES),
           "a 10/13 x1\n"
           "  loop 12 5/12\n"
           "    loop 14 4/7\n"
           "      line 15 4/4\n"
           "      b 3/3 x1 @15\n");
    expect(&x, of(VIEW_HOT_PATH, VIEW_CALL_SITES),
           "a 10/13 x1\n"
           "  loop 12 5/12\n"
           "    loop 14 4/7\n"
           "      line 15 4/7\n");
    stop(&x);
}

/* Invocations of one function from one place are one row. */
static void whole_trees_are_merged(void **state)
{
    (void)state;
    struct fixture x = start(false);
    assay_build_tree_whole(x.b);
    assay_node_id a = call(&x, root, A, 1), first = call(&x, a, B, 2), second = call(&x, a, B, 4);
    call(&x, first, C, 8);
    call(&x, second, C, 16);
    call(&x, second, D, 32);
    finish(&x);
    const char *want = "a 1/63 x1\n"
                       "  b 6/62 x2\n"
                       "    d 32/32 x1\n"
                       "    c 24/24 x2\n";
    expect(&x, of(VIEW_TOP_DOWN, VIEW_CALL_SITES), want);
    expect(&x, of(VIEW_TOP_DOWN, VIEW_CONTEXTS), want);
    stop(&x);
}

/* ---- which rows ---- */

static void a_limit_keeps_the_largest_rows(void **state)
{
    (void)state;
    struct fixture x = recursive(false);
    struct view_options o = of(VIEW_TOP_DOWN, VIEW_CALL_SITES);
    o.limit = 3;
    expect(&x, o, "a 1/63 x1\n  c 16/48 x1\n    c 32/32 x1\n");
    o.limit = 4;
    o.sort = ASSAY_SORT_NAME;
    expect(&x, o, "a 1/63 x1\n  b 2/14 x1\n  c 16/48 x1\n    c 32/32 x1\n");
    o.limit = 0;
    o.least = 0.2; /* of 63 */
    expect(&x, o, "a 1/63 x1\n  b 2/14 x1\n  c 16/48 x1\n    c 32/32 x1\n");
    o.depth = 1;
    expect(&x, o, "a 1/63 x1\n");
    stop(&x);
}

static void a_long_path_keeps_its_ends(void **state)
{
    (void)state;
    struct fixture x = start(false);
    assay_node_id n = root;
    for (int i = 0; i < 30000; i++) n = call(&x, n, i == 29999 ? D : i == 29998 ? C : i ? B : A, i == 29999);
    finish(&x);
    struct view_options o = of(VIEW_HOT_PATH, VIEW_CALL_SITES);
    struct view v;
    assay_error err = { 0 };
    o.metric = x.metric;
    o.limit = 5;
    if (view_init(&v, &x.mem, x.p, &o, &err) != 0) fail_msg("%s", err.text);
    assert_int_equal(v.order.len, 5);
    static const uint32_t depths[] = { 1, 2, 29998, 29999, 30000 };
    for (size_t i = 0; i < 5; i++) assert_int_equal(v.rows.at[v.order.at[i]].depth, depths[i]);
    assert_int_equal(v.rows.at[v.order.at[2]].skipped, 29995);
    view_done(&v);
    o = of(VIEW_BOTTOM_UP, VIEW_CALL_SITES);
    o.limit = 4;
    expect(&x, o, "d 1/1 x1\n  c 1/1 x1\n    b 1/1 x1\n      b 1/1 x1\n");
    stop(&x);
}

static void functions_are_the_rows_of_flame_graphs(void **state)
{
    (void)state;
    struct fixture x = recursive(false);
    struct view_options o = of(VIEW_TOP_DOWN, VIEW_FUNCTIONS);
    struct paths paths;
    struct view v;
    assay_error err = { 0 };
    o.metric = x.metric;
    assert_int_equal(paths_init(&paths, &x.mem, x.p, x.metric, &err), 0);
    assert_int_equal(view_init(&v, &x.mem, x.p, &o, &err), 0);
    assert_int_equal(v.order.len, paths.rows.len - 1);
    double self = 0;
    for (size_t i = 0; i < v.order.len; i++) self += (double)view_self(&v, i)[0].u;
    for (uint32_t row = 1; row < paths.rows.len; row++) self -= paths_self(&paths, row);
    assert_true(self == 0);
    view_done(&v);
    paths_done(&paths);
    stop(&x);
}

/* ---- graphs ---- */

static void self_cost(struct fixture *x, int f, uint32_t line, uint64_t cost)
{
    assay_value v = { .u = cost };
    assay_build_self(x->b, &(struct assay_place){ .func = x->f[f], .file = x->files[f / 2], .line = line }, &v, 1);
}

static void arc(struct fixture *x, int from, uint32_t line, int to, uint64_t calls, uint64_t cost)
{
    assay_value v = { .u = cost };
    assay_build_call(x->b, &(struct assay_place){ .func = x->f[from], .file = x->files[from / 2], .line = line }, x->f[to], calls, &v, 1);
}

/* a (1) calls c (2 + 4 in d), which calls b (8) back in the first file; b calls itself. */
static struct fixture graph(void)
{
    struct fixture x = start(true);
    self_cost(&x, A, 11, 1);
    self_cost(&x, B, 21, 5);
    self_cost(&x, B, 22, 3);
    self_cost(&x, C, 31, 2);
    self_cost(&x, D, 41, 4);
    arc(&x, A, 12, C, 1, 14);
    arc(&x, C, 32, D, 3, 4);
    arc(&x, C, 33, B, 1, 8);
    arc(&x, B, 23, B, 7, 6);
    finish(&x);
    return x;
}

static void graphs_have_flat_views(void **state)
{
    (void)state;
    struct fixture x = graph();
    /* one.c: a is called by nobody (15) and b from outside (8), but no more than the whole. */
    expect(&x, of(VIEW_FLAT, VIEW_CALL_SITES),
           "module one 9/15\n"
           "  file one.c 9/15\n"
           "    b 8/8 x8\n"
           "      line 21 5/5\n"
           "      line 22 3/3\n"
           "      calls b ?/0 x7 @23\n"
           "    a 1/15\n"
           "      line 11 1/1\n"
           "      calls c ?/14 x1 @12\n"
           "module two 6/14\n"
           "  file two.c 6/14\n"
           "    d 4/4 x3\n"
           "      line 41 4/4\n"
           "    c 2/14 x1\n"
           "      line 31 2/2\n"
           "      calls b ?/8 x1 @33\n"
           "      calls d ?/4 x3 @32\n");
    stop(&x);
}

static void graphs_know_one_level_of_callers(void **state)
{
    (void)state;
    struct fixture x = graph();
    expect(&x, of(VIEW_BOTTOM_UP, VIEW_CALL_SITES),
           "b 8/8 x8\n"
           "  c ?/8 x1 @33\n"
           "  b ?/0 x7 @23\n"
           "d 4/4 x3\n"
           "  c ?/4 x3 @32\n"
           "c 2/14 x1\n"
           "  a ?/14 x1 @12\n"
           "a 1/15\n");
    assay_error err = { 0 };
    assert_int_equal(view_check(x.p, VIEW_TOP_DOWN, &err), ASSAY_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "call graph"));
    stop(&x);
}

/* ---- no memory ---- */

static void refuse_each(struct fixture *x, struct view_options o)
{
    assay_error err = { 0 };
    int rc = ASSAY_ERR_MEMORY;
    o.metric = x->metric;
    o.all_metrics = true;
    for (uint64_t n = 1; rc == ASSAY_ERR_MEMORY; n++) {
        struct view v;
        mem_init(&x->mem, 0);
        x->mem.fail_at = n;
        rc = view_init(&v, &x->mem, x->p, &o, &err);
        view_done(&v);
        assert_int_equal(x->mem.used, 0);
        assert_true(n < 1000);
    }
    assert_int_equal(rc, 0);
}

static void refused_memory_is_an_error(void **state)
{
    (void)state;
    struct fixture fixtures[] = { recursive(true), looping(), graph() };
    finish(&fixtures[1]);
    for (size_t i = 0; i < 3; i++) {
        for (int kind = VIEW_TOP_DOWN; kind <= VIEW_HOT_PATH; kind++)
            for (int detail = VIEW_CALL_SITES; detail <= VIEW_FUNCTIONS; detail++) {
                struct view_options o = of((enum view_kind)kind, (enum view_detail)detail);
                assay_error err;
                if (view_check(fixtures[i].p, o.kind, &err) != 0) continue;
                refuse_each(&fixtures[i], o);
                o.limit = 4;
                o.function = "b";
                refuse_each(&fixtures[i], o);
            }
        stop(&fixtures[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_down_has_each_context),
        cmocka_unit_test(bottom_up_counts_recursion_once),
        cmocka_unit_test(flat_counts_recursion_once),
        cmocka_unit_test(a_function_as_the_beginning),
        cmocka_unit_test(a_line_and_its_call_are_one_row),
        cmocka_unit_test(instructions_belong_to_their_line),
        cmocka_unit_test(flat_shows_what_is_inside_functions),
        cmocka_unit_test(bottom_up_tells_where_the_call_is),
        cmocka_unit_test(stored_scopes_are_taken_apart),
        cmocka_unit_test(whole_trees_are_merged),
        cmocka_unit_test(a_limit_keeps_the_largest_rows),
        cmocka_unit_test(a_long_path_keeps_its_ends),
        cmocka_unit_test(functions_are_the_rows_of_flame_graphs),
        cmocka_unit_test(graphs_have_flat_views),
        cmocka_unit_test(graphs_know_one_level_of_callers),
        cmocka_unit_test(refused_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
