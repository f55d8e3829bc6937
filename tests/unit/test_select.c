/* What filters leave of cost: small profiles with figures worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/select/select.h"
#include "assay/analysis.h"
#include "assay/build.h"
#include "base/mem.h"

enum { FUNCS = 5 }; /* a b c d e; a and b stand in app.c of the program, the others in x.c of a library */

struct fixture {
    assay_builder *b;
    assay_metric_id metric;
    assay_scope_id point;
    assay_func_id f[FUNCS];
    assay_file_id file[2];
};

static struct fixture start(void)
{
    struct fixture x = { .b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, NULL) };
    assay_module_id module[2];
    static const char *const modules[] = { "/opt/app", "/usr/lib/libx.so.1" }, *const files[] = { "src/app.c", "src/x/x.c" };
    x.metric = assay_build_metric(x.b, "m", "count", ASSAY_I64, 0);
    x.point = assay_build_scope(x.b, x.metric, ASSAY_SCOPE_POINT, NULL, 0);
    for (int i = 0; i < 2; i++) {
        module[i] = assay_build_module(x.b, assay_build_string(x.b, modules[i], strlen(modules[i])), (assay_str_id){ 0 });
        x.file[i] = assay_build_file(x.b, assay_build_string(x.b, files[i], strlen(files[i])), (assay_module_id){ 0 });
    }
    for (uint32_t i = 0; i < FUNCS; i++) {
        char name[8] = "func_a";
        name[5] = (char)('a' + i);
        x.f[i] = assay_build_func(x.b, assay_build_string(x.b, name, 6), x.file[i > 1], module[i > 1], 0, 10 * i + 1);
        assay_build_func_lines(x.b, x.f[i], 10 * i + 1, 10 * i + 9);
    }
    return x;
}

static assay_node_id node(struct fixture *x, assay_node_id parent, int f, uint32_t line, uint64_t calls, int64_t cost)
{
    struct assay_node n = { .parent = parent, .func = x->f[f], .line = line, .relation = parent.v ? ASSAY_RELATION_CALL : ASSAY_RELATION_LEXICAL };
    assay_node_id id = assay_build_node_new(x->b, &n);
    if (calls) assay_build_node_calls(x->b, id, calls);
    assay_build_value(x->b, (assay_stream_id){ 0 }, id, x->point, (assay_value){ .i = cost });
    return id;
}

/* a 10 -> b 20 -> c 30
 *      -> d 5  -> c 7     72 in total */
static assay_profile *small_tree(void)
{
    struct fixture x = start();
    assay_node_id a = node(&x, (assay_node_id){ 0 }, 0, 0, 1, 10), b = node(&x, a, 1, 3, 2, 20);
    node(&x, b, 2, 15, 3, 30);
    assay_node_id d = node(&x, a, 3, 4, 1, 5);
    node(&x, d, 2, 35, 1, 7);
    return assay_builder_seal(x.b, NULL);
}

static assay_profile *apply_for(uint32_t want, assay_profile *p, const struct assay_filter *f)
{
    assay_profile *left = NULL;
    assay_error err = { 0 };
    if (filter_apply(p, f, want, &left, &err) != 0) fail_msg("%s", err.text);
    assay_profile_release(p);
    return left;
}

static assay_profile *apply(assay_profile *p, const struct assay_filter *f) { return apply_for(ASSAY_WANT_ALL, p, f); }

static int64_t total_of(const assay_profile *p) { return (int64_t)assay_profile_metrics(p)->total[1].low; }

/* "a 10/72 b 20/50": self and total of each function that has a row, by name. */
static void expect(assay_profile *p, const char *want, int64_t total)
{
    assay_top *top;
    char got[200] = "";
    assert_int_equal(assay_top_new(p, &top, NULL), 0);
    for (char name = 'a'; name < 'a' + FUNCS; name++)
        for (uint32_t i = 0; i < top->count; i++) {
            assay_slice s = assay_profile_string(p, assay_profile_funcs(p)->name[top->func[i].v]);
            size_t used = strlen(got);
            if (s.data[s.len - 1] != name) continue;
            snprintf(got + used, sizeof got - used, "%s%c %lld/%lld", used ? " " : "", name, (long long)top->self[i].i, (long long)top->total[i].i);
        }
    assert_string_equal(got, want);
    assert_int_equal(total_of(p), total);
    assay_top_free(top);
    assay_profile_release(p);
}

#define LIST(name, ...) (const char *const[]){ __VA_ARGS__ }, .name##_count = sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

/* ---- trees ---- */

static void stacks_are_kept_whole(void **state)
{
    (void)state;
    expect(apply(small_tree(), &(struct assay_filter){ .focus = LIST(focus, "_c$") }), "a 0/37 b 0/30 c 37/37 d 0/7", 37);
    expect(apply(small_tree(), &(struct assay_filter){ .focus = LIST(focus, "func_d", "func_b") }), "a 0/62 b 20/50 c 37/37 d 5/12", 62);
    expect(apply(small_tree(), &(struct assay_filter){ .ignore = LIST(ignore, "func_b") }), "a 10/22 c 7/7 d 5/12", 22);
    expect(apply(small_tree(), &(struct assay_filter){ .focus = LIST(focus, "func_c"), .ignore = LIST(ignore, "func_d") }), "a 0/30 b 0/30 c 30/30", 30);
}

static void hidden_cost_is_the_callers(void **state)
{
    (void)state;
    expect(apply(small_tree(), &(struct assay_filter){ .hide = LIST(hide, "func_b") }), "a 30/72 c 37/37 d 5/12", 72);
    /* what is at the top has no caller */
    expect(apply(small_tree(), &(struct assay_filter){ .hide = LIST(hide, "func_a") }), "b 20/50 c 37/37 d 5/12", 62);
    /* a function is looked for in the whole stack, hidden or not */
    expect(apply(small_tree(), &(struct assay_filter){ .focus = LIST(focus, "func_b"), .hide = LIST(hide, "func_b") }), "a 20/50 c 30/30", 50);
}

#define WITH(...) (&(struct assay_filter){ .size = sizeof(struct assay_filter), __VA_ARGS__ })

static void only_what_is_shown_is_left(void **state)
{
    (void)state;
    expect(apply(small_tree(), WITH(.show = LIST(show, "func_a", "func_c"))), "a 35/72 c 37/37", 72);
    expect(apply(small_tree(), WITH(.show = LIST(show, "func_b"))), "b 50/50", 50);
    /* a and b are in src/app.c, d is in libx */
    expect(apply(small_tree(), WITH(.show = LIST(show, "app\\.c$"))), "a 22/72 b 50/50", 72);
    expect(apply(small_tree(), WITH(.show = LIST(show, "libx"))), "c 37/37 d 5/12", 42);
    expect(apply(small_tree(), WITH(.show = LIST(show, "func_[bc]"), .hide = LIST(hide, "func_c"))), "b 50/50", 50);
}

static void only_self_cost_is_left(void **state)
{
    (void)state;
    expect(apply(small_tree(), WITH(.focus_self = LIST(focus_self, "func_c"))), "a 0/37 b 0/30 c 37/37 d 0/7", 37);
    expect(apply(small_tree(), WITH(.focus_self = LIST(focus_self, "func_b"), .focus = LIST(focus, "func_c"))), "", 0);
}

static void one_place_is_taken_out(void **state)
{
    (void)state;
    /* c is called by b and by d: only the first place goes */
    expect(apply(small_tree(), WITH(.hide_paths = LIST(hide_path, "func_a;func_b;func_c"))), "a 10/72 b 50/50 c 7/7 d 5/12", 72);
    expect(apply(small_tree(), WITH(.hide_paths = LIST(hide_path, "func_b;func_c"))), "a 10/72 b 20/50 c 37/37 d 5/12", 72);
    assay_profile *left = NULL, *p = small_tree();
    assert_int_equal(assay_filter_apply(p, WITH(.hide_paths = LIST(hide_path, "func_a;;func_b")), &left, NULL), ASSAY_ERR_USAGE);
    assay_profile_release(p);
}

static void stacks_begin_with_the_outermost(void **state)
{
    (void)state;
    expect(apply(small_tree(), WITH(.show_from = LIST(show_from, "func_[bc]"))), "b 20/50 c 37/37", 57);
    expect(apply(small_tree(), WITH(.show_from = LIST(show_from, "func_d"), .hide = LIST(hide, "func_d"))), "", 0);
    struct fixture x = start();
    assay_build_self(x.b, &(struct assay_place){ .func = x.f[0] }, &(assay_value){ .i = 1 }, 1);
    assay_profile *graph = assay_builder_seal(x.b, NULL), *left = NULL;
    assert_int_equal(assay_filter_apply(graph, WITH(.show_from = LIST(show_from, "func_a")), &left, NULL), ASSAY_ERR_UNSUPPORTED);
    assay_profile_release(graph);
}

static void stacks_end_with_the_outermost(void **state)
{
    (void)state;
    expect(apply(small_tree(), WITH(.collapse = LIST(collapse, "func_b"))), "a 10/72 b 50/50 c 7/7 d 5/12", 72);
    expect(apply(small_tree(), WITH(.collapse = LIST(collapse, "func_[bd]"))), "a 10/72 b 50/50 d 12/12", 72);
    /* both the function and what it calls */
    expect(apply(small_tree(), WITH(.collapse = LIST(collapse, "func_b"), .hide = LIST(hide, "func_b"))), "a 60/72 c 7/7 d 5/12", 72);
    /* a function is looked for in the whole stack */
    expect(apply(small_tree(), WITH(.collapse = LIST(collapse, "func_a"), .focus = LIST(focus, "func_c"))), "a 37/37", 37);
    struct fixture x = start();
    assay_build_self(x.b, &(struct assay_place){ .func = x.f[0] }, &(assay_value){ .i = 1 }, 1);
    assay_profile *graph = assay_builder_seal(x.b, NULL), *left = NULL;
    assert_int_equal(assay_filter_apply(graph, WITH(.collapse = LIST(collapse, "func_a")), &left, NULL), ASSAY_ERR_UNSUPPORTED);
    assay_profile_release(graph);
}

/* a and b are in src/app.c. */
static void others_than_a_pattern(void **state)
{
    (void)state;
    expect(apply(small_tree(), WITH(.files = LIST(file, "!app.c"))), "a 0/42 b 0/30 c 37/37 d 5/12", 42);
    expect(apply(small_tree(), WITH(.files = LIST(file, "app.c"))), "a 10/30 b 20/20", 30);
    expect(apply(small_tree(), WITH(.files = LIST(file, "app.c", "!src"))), "", 0);
}

/* Two contexts that differ in nothing but what is hidden are one, called from where the hidden functions were. */
static void hiding_joins_contexts(void **state)
{
    (void)state;
    assay_profile *p = apply(small_tree(), &(struct assay_filter){ .hide = LIST(hide, "func_[bd]") });
    const struct assay_tree *t = assay_profile_tree(p);
    assert_int_equal(t->count, 3);
    assert_int_equal(t->line[2], 3);
    assert_int_equal(t->line[3], 4);
    assert_int_equal(t->calls[2], 3);
    expect(p, "a 35/72 c 37/37", 72);
    struct fixture x = start();
    assay_node_id a = node(&x, (assay_node_id){ 0 }, 0, 0, 1, 1), b = node(&x, a, 1, 3, 1, 2), d = node(&x, a, 3, 3, 1, 4);
    node(&x, b, 2, 5, 1, 8);
    node(&x, d, 2, 6, 2, 16);
    p = apply(assay_builder_seal(x.b, NULL), &(struct assay_filter){ .hide = LIST(hide, "func_[bd]") });
    assert_int_equal(assay_profile_tree(p)->count, 2);
    assert_int_equal(assay_profile_tree(p)->calls[2], 3);
    expect(p, "a 7/31 c 24/24", 31);
}

static void recursion_is_hidden_at_every_depth(void **state)
{
    (void)state;
    struct fixture x = start();
    assay_node_id at = node(&x, (assay_node_id){ 0 }, 0, 0, 1, 1);
    for (int i = 0; i < 20000; i++) at = node(&x, at, i % 3 == 2 ? 2 : 1, 3, 1, 1);
    assay_profile *p = apply(assay_builder_seal(x.b, NULL), &(struct assay_filter){ .hide = LIST(hide, "func_b") });
    assert_int_equal(assay_profile_tree(p)->count, 6667);
    expect(p, "a 3/20001 c 19998/19998", 20001);
}

static void places_choose_own_cost(void **state)
{
    (void)state;
    expect(apply(small_tree(), &(struct assay_filter){ .modules = LIST(module, "libx.so*") }), "a 0/42 b 0/30 c 37/37 d 5/12", 42);
    expect(apply(small_tree(), &(struct assay_filter){ .files = LIST(file, "app.c") }), "a 10/30 b 20/20", 30);
    expect(apply(small_tree(), &(struct assay_filter){ .files = LIST(file, "src/x") }), "a 0/42 b 0/30 c 37/37 d 5/12", 42);
    expect(apply(small_tree(), &(struct assay_filter){ .files = LIST(file, "app.c"), .focus = LIST(focus, "func_b") }), "a 0/20 b 20/20", 20);
}

/* Lines belong to their function and have the file of their code: here b holds a line of x.c. */
static void lines_have_places_of_their_own(void **state)
{
    (void)state;
    struct fixture x = start();
    assay_node_id a = node(&x, (assay_node_id){ 0 }, 0, 0, 1, 0), b, line;
    line = assay_build_node(x.b, &(struct assay_node){ .parent = a, .kind = ASSAY_NODE_LINE, .file = x.file[0], .line = 5 });
    b = assay_build_node(x.b, &(struct assay_node){ .parent = line, .func = x.f[1], .relation = ASSAY_RELATION_CALL });
    for (uint32_t i = 0; i < 2; i++) {
        assay_node_id in = assay_build_node(x.b, &(struct assay_node){ .parent = b, .kind = ASSAY_NODE_LINE, .file = x.file[i], .line = 15 });
        assay_build_value(x.b, (assay_stream_id){ 0 }, in, x.point, (assay_value){ .i = 10 + 20 * i });
    }
    assay_profile *p = assay_builder_seal(x.b, NULL);
    expect(apply(assay_profile_retain(p), &(struct assay_filter){ .files = LIST(file, "x.c") }), "a 0/30 b 30/30", 30);
    assay_profile *q = apply(p, &(struct assay_filter){ .hide = LIST(hide, "func_b") });
    assay_value v;
    assert_int_equal(assay_profile_tree(q)->count, 2); /* a, and the line that had called b */
    assert_int_equal(assay_tree_value(q, (assay_stream_id){ 0 }, (assay_node_id){ 2 }, (assay_scope_id){ 1 }, &v, NULL), 0);
    assert_int_equal(v.i, 40);
    expect(q, "a 40/40", 40);
}

/* As databases store it: sums by function and of everything below, and cost of instructions whose place is not told. a 6 -> b 4, in two streams. */
static void stored_sums_are_taken_apart(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, NULL);
    assay_metric_id m = assay_build_metric(b, "m", "s", ASSAY_F64, 0);
    assay_scope_id point = assay_build_scope(b, m, ASSAY_SCOPE_POINT, NULL, 0), function = assay_build_scope(b, m, ASSAY_SCOPE_FUNCTION, NULL, 0),
                   all = assay_build_scope(b, m, ASSAY_SCOPE_EXECUTION, NULL, 0);
    assay_stat_id sum = assay_build_stat(b, function, "$$", ASSAY_COMBINE_SUM);
    for (int s = 0; s < 2; s++) assay_build_stream(b, s ? "two" : "one");
    assay_func_id f[2];
    for (uint32_t i = 0; i < 2; i++) f[i] = assay_build_func(b, assay_build_string(b, &"ab"[i], 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_node_id a = assay_build_node(b, &(struct assay_node){ .func = f[0] });
    assay_node_id line = assay_build_node(b, &(struct assay_node){ .parent = a, .kind = ASSAY_NODE_LINE, .line = 3 });
    assay_node_id c = assay_build_node(b, &(struct assay_node){ .parent = line, .func = f[1], .relation = ASSAY_RELATION_CALL });
    assay_node_id hidden = assay_build_node(b, &(struct assay_node){ .kind = ASSAY_NODE_INSTRUCTION, .flags = ASSAY_NODE_NO_PLACE });
    const struct {
        assay_node_id node;
        assay_scope_id scope;
        double value;
    } cells[] = { { a, function, 6 }, { a, all, 10 }, { line, function, 6 }, { line, all, 10 }, { c, function, 4 }, { c, all, 4 }, { hidden, point, 10 } };
    for (uint32_t s = 1; s <= 2; s++)
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
            assay_value v = { .d = cells[i].value * s / 3 };
            assay_build_value(b, (assay_stream_id){ s }, cells[i].node, cells[i].scope, v);
            if (cells[i].scope.v == function.v) assay_build_summary(b, cells[i].node, sum, v);
        }
    assay_profile *whole = assay_builder_seal(b, NULL);
    struct {
        struct assay_filter filter;
        double total;
    } cases[] = { { { .ignore = LIST(ignore, "b") }, 6 },
                  { { .focus = LIST(focus, "b") }, 4 },
                  { { .hide = LIST(hide, "b") }, 10 },
                  { { .streams = LIST(stream, "two") }, 20.0 / 3 },
                  { { .streams = LIST(stream, "1"), .focus = LIST(focus, "b") }, 4.0 / 3 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_profile *p = apply(assay_profile_retain(whole), &cases[i].filter);
        assay_top *top;
        double self = 0;
        assert_int_equal(assay_top_new(p, &top, NULL), 0);
        for (uint32_t k = 0; k < top->count; k++) self += top->self[k].d;
        assert_true(self > cases[i].total - 1e-12 && self < cases[i].total + 1e-12);
        double total = assay_profile_metrics(p)->total_double[1];
        assert_true(total > cases[i].total - 1e-12 && total < cases[i].total + 1e-12);
        assay_top_free(top);
        assay_profile_release(p);
    }
    assay_profile_release(whole);
}

/* ---- what matches nothing ---- */

static const char *warning(const assay_profile *p, const char *rule)
{
    size_t count;
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(f[i].rule, rule) == 0) return f[i].message;
    return "";
}

static void nothing_is_an_answer(void **state)
{
    (void)state;
    assay_profile *p = apply(small_tree(), &(struct assay_filter){ .focus = LIST(focus, "fumc_c") });
    assert_string_equal(warning(p, "FI-1"), "no function matches 'fumc_c'; did you mean 'func_c'?");
    assert_true(assay_profile_shapes(p) & ASSAY_SHAPE_TREE);
    expect(p, "", 0);
    p = apply(small_tree(), &(struct assay_filter){ .ignore = LIST(ignore, "no such thing at all") });
    assert_string_equal(warning(p, "FI-1"), "no function matches 'no such thing at all'");
    expect(p, "a 10/72 b 20/50 c 37/37 d 5/12", 72);
    p = apply(small_tree(), &(struct assay_filter){ .files = LIST(file, "*.py") });
    assert_string_equal(warning(p, "FI-3"), "no file matches '*.py'");
    expect(p, "", 0);
}

/* A name on which backtracking has more ways than the matcher tries: a hundred of one letter, split in every way. */
static void what_takes_too_long_does_not_match(void **state)
{
    (void)state;
    static const char *const regexes[] = { "^(a|aa|aaa)+$", "^a+$" };
    for (int i = 0; i < 2; i++) {
        struct fixture x = start();
        char name[101];
        memset(name, 'a', 100);
        name[99] = i ? 'a' : 'b';
        name[100] = '\0';
        assay_func_id f = assay_build_func(x.b, assay_build_string(x.b, name, 100), x.file[0], (assay_module_id){ 0 }, 0, 1);
        assay_node_id n = assay_build_node(x.b, &(struct assay_node){ .func = f });
        assay_build_value(x.b, (assay_stream_id){ 0 }, n, x.point, (assay_value){ .i = 8 });
        assay_profile *p = apply(assay_builder_seal(x.b, NULL), &(struct assay_filter){ .focus = &regexes[i], .focus_count = 1 });
        assert_int_equal(warning(p, "FI-2")[0] != '\0', i == 0);
        assert_int_equal(total_of(p), i == 0 ? 0 : 8);
        assay_profile_release(p);
    }
}

/* a 1 with user=ann, a 2 with user=bob and size=4 kb, a;b 4 without labels. */
static assay_profile *labelled(void)
{
    struct fixture x = start();
    assay_str_id user = assay_build_string(x.b, "user", 4), size = assay_build_string(x.b, "size", 4), kb = assay_build_string(x.b, "kb", 2);
    assay_node_id a = assay_build_node(x.b, &(struct assay_node){ .func = x.f[0] }),
                  b = assay_build_node(x.b, &(struct assay_node){ .parent = a, .func = x.f[1] });
    assay_label_id ann = assay_build_label(x.b, &(struct assay_label){ .key = user, .text = assay_build_string(x.b, "ann", 3) });
    assay_label_id bob[2] = { assay_build_label(x.b, &(struct assay_label){ .key = user, .text = assay_build_string(x.b, "bob", 3) }),
                              assay_build_label(x.b, &(struct assay_label){ .key = size, .kind = ASSAY_LABEL_INTEGER, .number = 4, .unit = kb }) };
    assay_build_sample(x.b, (assay_stream_id){ 0 }, a, assay_build_label_set(x.b, &ann, 1), &(assay_value){ .i = 1 });
    assay_build_sample(x.b, (assay_stream_id){ 0 }, a, assay_build_label_set(x.b, bob, 2), &(assay_value){ .i = 2 });
    assay_build_sample(x.b, (assay_stream_id){ 0 }, b, (assay_set_id){ 0 }, &(assay_value){ .i = 4 });
    return assay_builder_seal(x.b, NULL);
}

static void samples_are_chosen_by_labels(void **state)
{
    (void)state;
    expect(apply(labelled(), WITH(.tag_focus = LIST(tag_focus, "user=ann"))), "a 1/1", 1);
    expect(apply(labelled(), WITH(.tag_focus = LIST(tag_focus, "user=ann,bob"))), "a 3/3", 3);
    expect(apply(labelled(), WITH(.tag_focus = LIST(tag_focus, "ann", "bob"))), "a 3/3", 3);
    expect(apply(labelled(), WITH(.tag_focus = LIST(tag_focus, "ann,bob"))), "", 0);
    expect(apply(labelled(), WITH(.tag_ignore = LIST(tag_ignore, "user:b"))), "a 1/5 b 4/4", 5);
    expect(apply(labelled(), WITH(.tag_focus = LIST(tag_focus, "size=4096b:1mb"))), "a 2/2", 2);
    expect(apply(labelled(), WITH(.tag_focus = LIST(tag_focus, ":4095b"))), "", 0);
    expect(apply(labelled(), WITH(.tag_focus = LIST(tag_focus, "size=4"))), "", 0); /* neither bytes nor kilobytes */
    expect(apply(labelled(), WITH(.tag_focus = LIST(tag_focus, "user"), .tag_ignore = LIST(tag_ignore, "ann"))), "a 2/2", 2);
}

static void labels_that_match_nothing_are_told(void **state)
{
    (void)state;
    static const char *const wanted[] = { "user=ann", "carl" };
    for (size_t count = 1; count <= 2; count++) {
        assay_profile *p = apply(labelled(), WITH(.tag_focus = wanted, .tag_focus_count = count));
        assert_string_equal(warning(p, "FI-8"), count == 1 ? "" : "no label matches 'carl'");
        assert_int_equal(total_of(p), 1);
        assay_profile_release(p);
    }
}

static void streams_that_match_nothing_are_told(void **state)
{
    (void)state;
    static const char *const wanted[] = { "two", "three" };
    for (size_t count = 1; count <= 2; count++) {
        struct fixture x = start();
        assay_node_id n = node(&x, (assay_node_id){ 0 }, 0, 0, 0, 0);
        assay_build_value(x.b, assay_build_stream(x.b, "one"), n, x.point, (assay_value){ .i = 3 });
        assay_build_value(x.b, assay_build_stream(x.b, "two"), n, x.point, (assay_value){ .i = 4 });
        assay_profile *p = apply(assay_builder_seal(x.b, NULL), &(struct assay_filter){ .streams = wanted, .stream_count = count });
        assert_string_equal(warning(p, "FI-4"), count == 1 ? "" : "no stream matches 'three'; 'assay info' lists the streams");
        assert_int_equal(total_of(p), 4);
        assay_profile_release(p);
    }
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    const struct {
        struct assay_filter filter;
        int code;
        const char *text;
    } cases[] = { { { .focus = LIST(focus, "a(") }, ASSAY_ERR_USAGE, "at character 3" },
                  { { .hide = LIST(hide, "") }, ASSAY_ERR_USAGE, "empty" },
                  { { .files = LIST(file, "") }, ASSAY_ERR_USAGE, "empty" },
                  { { .streams = LIST(stream, "1") }, ASSAY_ERR_UNSUPPORTED, "no threads" },
                  { { .time = "1..2" }, ASSAY_ERR_UNSUPPORTED, "no timestamps" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_profile *p = small_tree(), *left = NULL;
        assay_error err = { 0 };
        assert_int_equal(assay_filter_apply(p, &cases[i].filter, &left, &err), cases[i].code);
        assert_non_null(strstr(err.text, cases[i].text));
        assert_null(left);
        assay_profile_release(p);
    }
}

/* ---- graphs and lines ---- */

static void spend(struct fixture *x, int f, int64_t cost)
{
    assay_build_self(x->b, &(struct assay_place){ .func = x->f[f], .file = x->file[f > 1], .line = 10 * (uint32_t)f + 1 }, &(assay_value){ .i = cost }, 1);
}

static void call(struct fixture *x, int from, int to, int64_t cost)
{
    assay_build_call(x->b, &(struct assay_place){ .func = x->f[from], .line = 2 }, x->f[to], 1, &(assay_value){ .i = cost }, 1);
}

/* a 10 -> b 20 -> c 30, a -> d 5 -> c 7: the same cost as a graph. c has two callers, b and d one. */
static assay_profile *small_graph(void)
{
    struct fixture x = start();
    assay_build_graph_metrics(x.b, &x.metric, 1);
    spend(&x, 0, 10), spend(&x, 1, 20), spend(&x, 2, 37), spend(&x, 3, 5);
    call(&x, 0, 1, 50), call(&x, 1, 2, 30), call(&x, 0, 3, 12), call(&x, 3, 2, 7);
    return assay_builder_seal(x.b, NULL);
}

static void graphs_choose_functions(void **state)
{
    (void)state;
    assay_profile *p = apply(small_graph(), &(struct assay_filter){ .focus = LIST(focus, "func_c") });
    assert_non_null(strstr(warning(p, "FI-5"), "no call stacks"));
    expect(p, "b 0/30 c 37/37 d 0/7", 72); /* shares stay those of the whole */
    expect(apply(small_graph(), &(struct assay_filter){ .ignore = LIST(ignore, "func_c") }), "a 10/72 b 20/50 d 5/12", 72);
    expect(apply(small_graph(), &(struct assay_filter){ .files = LIST(file, "app.c") }), "a 10/72 b 20/50 c 0/30 d 0/12", 72);
}

static void one_caller_can_take_over(void **state)
{
    (void)state;
    assay_profile *p = apply(small_graph(), &(struct assay_filter){ .hide = LIST(hide, "func_[bd]") });
    assert_string_equal(warning(p, "FI-5"), "");
    expect(p, "a 35/72 c 37/37", 72);
    expect(apply(small_graph(), &(struct assay_filter){ .hide = LIST(hide, "func_a") }), "b 20/50 c 37/37 d 5/12", 62);
    assay_profile *whole = small_graph(), *left = NULL;
    assay_error err = { 0 };
    assert_int_equal(assay_filter_apply(whole, &(struct assay_filter){ .hide = LIST(hide, "func_c") }, &left, &err), ASSAY_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "'func_c' cannot be hidden"));
    assay_profile_release(whole);
}

/* b <- c <- d <- e, each the only caller of the next but one: hidden functions in a row, and those that only call each other. */
static void hidden_callers_are_passed_over(void **state)
{
    (void)state;
    struct fixture x = start();
    assay_build_graph_metrics(x.b, &x.metric, 1);
    for (int f = 0; f < FUNCS; f++) spend(&x, f, 1 << f);
    call(&x, 0, 1, 15), call(&x, 1, 2, 12), call(&x, 2, 3, 8);
    call(&x, 4, 4, 16);
    expect(apply(assay_builder_seal(x.b, NULL), &(struct assay_filter){ .hide = LIST(hide, "func_[bce]") }), "a 7/15 d 8/8", 15);
    x = start();
    assay_build_graph_metrics(x.b, &x.metric, 1);
    for (int f = 0; f < 3; f++) spend(&x, f, 1 << f);
    call(&x, 1, 2, 4), call(&x, 2, 1, 2);
    expect(apply(assay_builder_seal(x.b, NULL), &(struct assay_filter){ .hide = LIST(hide, "func_[bc]") }), "a 1/1", 1);
}

static void lines_are_those_of_functions(void **state)
{
    (void)state;
    const struct {
        struct assay_filter filter;
        int64_t total;
    } cases[] = { { { .focus = LIST(focus, "func_b") }, 4 + 8 },
                  { { .ignore = LIST(ignore, "func_b") }, 1 + 2 + 16 + 32 },
                  { { .files = LIST(file, "x.c") }, 16 + 32 },
                  { { .focus = LIST(focus, "func_[ab]"), .ignore = LIST(ignore, "func_a") }, 4 + 8 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture x = start(); /* a: 1-9, b: 11-19 of app.c, c: 21-29 of x.c */
        const uint32_t lines[] = { 5, 10, 11, 19, 21, 99 };
        assay_build_line_metrics(x.b, &x.metric, 1);
        for (uint32_t k = 0; k < 6; k++)
            assay_build_line(x.b, &(struct assay_line){ .file = x.file[k > 3], .line = lines[k] }, 1, &(assay_value){ .i = 1 << k }, NULL);
        assay_profile *p = apply(assay_builder_seal(x.b, NULL), &cases[i].filter);
        assert_int_equal(total_of(p), cases[i].total);
        assert_int_equal(warning(p, "FI-6")[0] != '\0', cases[i].filter.focus_count || cases[i].filter.ignore_count); /* files need no callers */
        assay_profile_release(p);
    }
}

/* ---- time ---- */

/* Stream one: a from 1000, b from 1100, idle from 1400, c from 1500, the end at 2000. All below: a. */
static assay_profile *sampled(void)
{
    struct fixture x = start();
    assay_stream_id s = assay_build_stream(x.b, "one");
    assay_node_id a = node(&x, (assay_node_id){ 0 }, 0, 0, 0, 1), b = node(&x, a, 1, 1, 0, 1), c = node(&x, a, 2, 1, 0, 1);
    const struct {
        int64_t time;
        assay_node_id node;
    } events[] = { { 1000, a }, { 1100, b }, { 1400, { 0 } }, { 1500, c }, { 2000, { 0 } } };
    assay_build_timeline(x.b, NULL, 0);
    assay_build_timeline_stream(x.b, s, "ns", false);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) assay_build_event(x.b, s, events[i].time, 0, events[i].node, NULL);
    return assay_builder_seal(x.b, NULL);
}

static void samples_last_until_the_next(void **state)
{
    (void)state;
    expect(apply(sampled(), &(struct assay_filter){ .time = ".." }), "a 100/900 b 300/300 c 500/500", 900);
    expect(apply(sampled(), &(struct assay_filter){ .time = "50ns..0.2us" }), "a 50/150 b 100/100", 150);
    expect(apply(sampled(), &(struct assay_filter){ .time = "45%..60%" }), "a 0/100 c 100/100", 100);
    expect(apply(sampled(), &(struct assay_filter){ .time = "..300ns", .ignore = LIST(ignore, "func_b") }), "a 100/100", 100);
    assay_profile *p = apply(sampled(), &(struct assay_filter){ .time = "50ns..200ns" });
    const struct assay_timeline *t = assay_profile_timeline(p);
    assert_int_equal(t->count, 3); /* cut at both ends */
    assert_int_equal(t->time[0], 1050);
    assert_int_equal(t->time[2], 1200);
    assert_int_equal(t->node[2].v, 0);
    assay_profile_release(p);
    assay_profile *whole = sampled();
    assay_error err = { 0 };
    assert_int_equal(assay_filter_apply(whole, &(struct assay_filter){ .time = "5..3" }, &p, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_filter_apply(whole, &(struct assay_filter){ .time = "5" }, &p, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_filter_apply(whole, &(struct assay_filter){ .time = "5h.." }, &p, &err), ASSAY_ERR_USAGE);
    assay_profile_release(whole);
}

/* a from 0 to 100, b in it from 10 to 40, c in that from 20 to 30. */
static assay_profile *spanned(void)
{
    struct fixture x = start();
    assay_node_id a = node(&x, (assay_node_id){ 0 }, 0, 0, 0, 1), b = node(&x, a, 1, 1, 0, 1), c = node(&x, b, 2, 1, 0, 1);
    assay_build_timeline(x.b, NULL, 0);
    assay_build_timeline_stream(x.b, (assay_stream_id){ 0 }, "ns", true);
    assay_build_event(x.b, (assay_stream_id){ 0 }, 0, 100, a, NULL);
    assay_build_event(x.b, (assay_stream_id){ 0 }, 10, 30, b, NULL);
    assay_build_event(x.b, (assay_stream_id){ 0 }, 20, 10, c, NULL);
    return assay_builder_seal(x.b, NULL);
}

static void spans_are_cut(void **state)
{
    (void)state;
    assay_profile *p = spanned();
    expect(apply(assay_profile_retain(p), &(struct assay_filter){ .time = ".." }), "a 70/100 b 20/30 c 10/10", 100);
    expect(apply(assay_profile_retain(p), &(struct assay_filter){ .time = "25ns..50ns" }), "a 10/25 b 10/15 c 5/5", 25);
    assay_profile *q = apply(p, &(struct assay_filter){ .ignore = LIST(ignore, "func_b") });
    assert_int_equal(assay_profile_timeline(q)->count, 1);
    assay_profile_release(q);
}

/* ---- what is not wanted ---- */

static assay_profile *without_events(assay_profile *p, const char *time, const char *ignored)
{
    assay_profile *left = apply_for(ASSAY_WANT_TREE, p, &(struct assay_filter){ .time = time, .ignore = &ignored, .ignore_count = ignored != NULL });
    assert_int_equal(assay_profile_timeline(left)->count, 0);
    return left;
}

static void figures_need_no_events(void **state)
{
    (void)state;
    expect(without_events(sampled(), "..", NULL), "a 100/900 b 300/300 c 500/500", 900);
    expect(without_events(sampled(), "50ns..0.2us", NULL), "a 50/150 b 100/100", 150);
    expect(without_events(sampled(), "45%..60%", NULL), "a 0/100 c 100/100", 100);
    expect(without_events(sampled(), "..300ns", "func_b"), "a 100/100", 100);
    expect(without_events(spanned(), "25ns..50ns", NULL), "a 10/25 b 10/15 c 5/5", 25);
    expect(without_events(sampled(), NULL, "func_b"), "a 1/2 c 1/1", 2);
}

/* b begins and ends at one time: it was seen, if not measured. */
static void contexts_without_time_are_left(void **state)
{
    (void)state;
    const uint32_t wants[] = { ASSAY_WANT_ALL, ASSAY_WANT_TREE };
    for (size_t i = 0; i < 2; i++) {
        struct fixture x = start();
        assay_stream_id s = assay_build_stream(x.b, "one");
        const assay_node_id root = { 0 }, nodes[] = { node(&x, root, 0, 0, 0, 1), node(&x, root, 1, 0, 0, 1), node(&x, root, 2, 0, 0, 1) };
        const int64_t times[] = { 0, 50, 50 };
        assay_build_timeline(x.b, NULL, 0);
        assay_build_timeline_stream(x.b, s, "ns", false);
        for (int k = 0; k < 3; k++) assay_build_event(x.b, s, times[k], 0, nodes[k], NULL);
        assay_build_event(x.b, s, 100, 0, root, NULL);
        assay_profile *p = assay_builder_seal(x.b, NULL);
        expect(apply_for(wants[i], assay_profile_retain(p), &(struct assay_filter){ .time = "10%.." }), "a 40/40 b 0/0 c 50/50", 90);
        expect(apply_for(wants[i], p, &(struct assay_filter){ .time = "60%.." }), "c 40/40", 40);
    }
}

static void totals_need_no_contexts(void **state)
{
    (void)state;
    assay_profile *p = apply_for(ASSAY_WANT_TOTALS, small_tree(), &(struct assay_filter){ .focus = LIST(focus, "func_d", "func_b") });
    assert_int_equal(total_of(p), 62);
    assert_int_equal(assay_profile_tree(p)->count, 0);
    assay_profile_release(p);
    p = apply_for(ASSAY_WANT_TOTALS, sampled(), &(struct assay_filter){ .time = "..300ns", .ignore = LIST(ignore, "func_b") });
    assert_int_equal(total_of(p), 100);
    assay_profile_release(p);
}

/* ---- memory ---- */

static void each_allocation_may_fail(void **state)
{
    (void)state;
    assay_profile *inputs[] = { small_tree(), small_graph(), sampled(), sampled() };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        int rc = ASSAY_ERR_MEMORY;
        for (uint64_t n = 1; rc != 0; n++) {
            uint32_t want = i == 3 ? ASSAY_WANT_TREE : ASSAY_WANT_ALL;
            struct assay_filter f = { .hide = LIST(hide, "func_b"), .files = LIST(file, "app.c", "x.c"), .time = i >= 2 ? "10%.." : NULL };
            assay_profile *left = NULL;
            assay_error err = { 0 };
            mem_fail_new(n, 0, UINT32_MAX);
            rc = filter_apply(inputs[i], &f, want, &left, &err);
            mem_fail_new(0, 0, 0);
            if (rc != 0) assert_int_equal(rc, ASSAY_ERR_MEMORY);
            assert_true((rc == 0) == (left != NULL));
            assay_profile_release(left);
        }
        assay_profile_release(inputs[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_are_kept_whole),
        cmocka_unit_test(hidden_cost_is_the_callers),
        cmocka_unit_test(only_what_is_shown_is_left),
        cmocka_unit_test(only_self_cost_is_left),
        cmocka_unit_test(one_place_is_taken_out),
        cmocka_unit_test(stacks_begin_with_the_outermost),
        cmocka_unit_test(stacks_end_with_the_outermost),
        cmocka_unit_test(others_than_a_pattern),
        cmocka_unit_test(samples_are_chosen_by_labels),
        cmocka_unit_test(labels_that_match_nothing_are_told),
        cmocka_unit_test(hiding_joins_contexts),
        cmocka_unit_test(recursion_is_hidden_at_every_depth),
        cmocka_unit_test(places_choose_own_cost),
        cmocka_unit_test(lines_have_places_of_their_own),
        cmocka_unit_test(stored_sums_are_taken_apart),
        cmocka_unit_test(nothing_is_an_answer),
        cmocka_unit_test(what_takes_too_long_does_not_match),
        cmocka_unit_test(streams_that_match_nothing_are_told),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(graphs_choose_functions),
        cmocka_unit_test(one_caller_can_take_over),
        cmocka_unit_test(hidden_callers_are_passed_over),
        cmocka_unit_test(lines_are_those_of_functions),
        cmocka_unit_test(samples_last_until_the_next),
        cmocka_unit_test(spans_are_cut),
        cmocka_unit_test(figures_need_no_events),
        cmocka_unit_test(contexts_without_time_are_left),
        cmocka_unit_test(totals_need_no_contexts),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
