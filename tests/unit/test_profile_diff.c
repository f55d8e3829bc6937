/* Differences of profiles: nothing between a profile and itself, a planted slowdown is found and named. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "base/mem.h"

struct func {
    const char *name, *file;
    double cost;
};

/* Functions with a cost of their own, called by the first of them. */
static assay_profile *profile(const char *metric, enum assay_type type, const struct func *funcs, size_t count)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH }, NULL);
    assay_metric_id m = assay_build_metric(b, metric, "ns", type, ASSAY_SHAPE_GRAPH);
    assay_build_graph_metrics(b, &m, 1);
    for (size_t i = 0; i < count; i++) {
        assay_file_id file = assay_build_file(b, assay_build_string(b, funcs[i].file, strlen(funcs[i].file)), (assay_module_id){ 0 });
        assay_func_id f = assay_build_func_new(b, assay_build_string(b, funcs[i].name, strlen(funcs[i].name)), file, (assay_module_id){ 0 }, 0, 0);
        assay_value v = type == ASSAY_F64 ? (assay_value){ .d = funcs[i].cost } : (assay_value){ .u = (uint64_t)funcs[i].cost };
        assay_build_self(b, &(struct assay_place){ .func = f, .file = file, .line = 1 }, &v, 1);
    }
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

static assay_profile_diff *diff(assay_profile *a, assay_profile *b)
{
    assay_profile_diff *d = NULL;
    assert_int_equal(assay_profile_diff_new(a, b, NULL, &d, NULL), 0);
    if (a != b) assay_profile_release(a);
    assay_profile_release(b);
    return d;
}

static const struct func base[] = { { "main", "a.c", 1000 }, { "work", "a.c", 8000 }, { "tiny", "a.c", 10 }, { "work", "b.c", 990 } };

static void a_profile_does_not_differ_from_itself(void **state)
{
    (void)state;
    for (int type = ASSAY_U64; type <= ASSAY_F64; type++) {
        assay_profile *p = profile("t", (enum assay_type)type, base, 4);
        assay_profile_diff *d = diff(p, p);
        assert_int_equal(d->count, 0);
        assert_int_equal(d->same, 4);
        assert_true(assay_diff_growth(d, SIZE_MAX, &(struct assay_diff_gate){ .percent = 0 }) == 0);
        assay_profile_diff_free(d);
    }
}

/* work of a.c costs 5 % more; tiny costs twice as much but does not matter. */
static void a_slowdown_is_found_and_named(void **state)
{
    (void)state;
    static const struct func slow[] = { { "main", "./a.c", 1000 }, { "work", "a.c", 8400 }, { "tiny", "a.c", 20 }, { "work", "b.c", 990 } };
    struct assay_diff_gate gate = { .percent = 2, .min_cost = 1 };
    assay_profile_diff *d = diff(profile("t", ASSAY_U64, base, 4), profile("t", ASSAY_U64, slow, 4));
    assert_int_equal(d->count, 2);
    assert_string_equal(d->funcs[0].name, "work");
    assert_string_equal(d->funcs[0].file, "a.c");
    assert_int_equal(d->before_self[0].u, 8000);
    assert_int_equal(d->after_self[0].u, 8400);
    assert_true(fabs(assay_diff_growth(d, 0, &gate) - 5) < 1e-9);
    assert_true(assay_diff_growth(d, 1, &gate) == 0);
    assert_true(fabs(assay_diff_growth(d, SIZE_MAX, &gate) - 4.1) < 1e-9);
    gate.min_cost = 0;
    assert_true(fabs(assay_diff_growth(d, 1, &gate) - 100) < 1e-9);
    assay_profile_diff_free(d);
}

/* Twice as long in every function: the shares are the same. */
static void shares_tell_a_longer_run_from_a_slower_one(void **state)
{
    (void)state;
    struct func twice[4];
    memcpy(twice, base, sizeof twice);
    for (int i = 0; i < 4; i++) twice[i].cost *= 2;
    assay_profile_diff *d = diff(profile("t", ASSAY_F64, base, 4), profile("t", ASSAY_F64, twice, 4));
    struct assay_diff_gate gate = { .normalise = true };
    assert_int_equal(d->count, 4);
    for (size_t i = 0; i < 4; i++) assert_true(fabs(assay_diff_growth(d, i, &gate)) < 1e-9);
    gate.normalise = false;
    for (size_t i = 0; i < 4; i++) assert_true(fabs(assay_diff_growth(d, i, &gate) - 100) < 1e-9);
    assay_profile_diff_free(d);
}

static void functions_come_and_go(void **state)
{
    (void)state;
    static const struct func before[] = { { "main", "a.c", 100 }, { "old", "a.c", 50 }, { "_ZN1x1y17h0123456789abcdefE", "x.rs", 7 } };
    static const struct func after[] = { { "main", "a.c", 100 }, { "new", "a.c", 30 }, { "_ZN1x1y17hfedcba9876543210E", "x.rs", 7 } };
    assay_profile_diff *d = diff(profile("t", ASSAY_I64, before, 3), profile("t", ASSAY_I64, after, 3));
    assert_int_equal(d->count, 2);
    assert_int_equal(d->same, 2);
    assert_int_equal(d->funcs[0].state, ASSAY_DIFF_GONE);
    assert_int_equal(d->funcs[1].state, ASSAY_DIFF_NEW);
    assert_true(fabs(assay_diff_growth(d, 1, &(struct assay_diff_gate){ .percent = 2 }) - 100.0 * 30 / 157) < 1e-9);
    assay_profile_diff_free(d);
}

static void profiles_without_a_common_metric_are_refused(void **state)
{
    (void)state;
    assay_profile_diff *d;
    assay_error err;
    assay_profile *ticks = profile("ticks", ASSAY_U64, base, 4), *time = profile("time", ASSAY_F64, base, 4);
    assert_int_equal(assay_profile_diff_new(ticks, time, NULL, &d, &err), ASSAY_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "the profiles have no metric in common: the first has ticks, the second time");
    assay_profile_release(ticks);
    assay_profile_release(time);
    d = diff(profile("t", ASSAY_U64, base, 4), profile("t", ASSAY_F64, base, 4));
    assert_int_equal(d->metrics[0].type, ASSAY_F64);
    assert_int_equal(d->count, 0);
    assay_profile_diff_free(d);
}

/* ---- by line and by context ---- */

static assay_profile *read_text(const char *text, const char *name, uint32_t want)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = want };
    assert_int_equal(assay_read_memory(text, strlen(text), name, &o, &p, NULL), 0);
    return p;
}

static const char lines_before[] = "events: Ir\nfl=a.c\nfn=main\n1 10\ncfn=work\ncalls=2 5\n2 100\nfn=work\n5 90\n6 10\n";
static const char lines_after[] = "events: Ir Dr\nfl=./a.c\nfn=main\n1 10 1\ncfn=work\ncalls=2 5\n2 105 3\nfn=work\n5 94 2\nfi=b.h\n6 11 1\n";
static const char stacks_before[] = "main;a;b 100\nmain;a 5\nmain;gone 3\n";
static const char stacks_after[] = "main;a;b 105\nmain;a 5\nmain;b 1\n";

static assay_profile_diff *diff_text(const char *before, const char *after, enum assay_diff_by by)
{
    bool is_lines = by == ASSAY_DIFF_BY_LINE;
    uint32_t want = is_lines ? ASSAY_WANT_COSTS | ASSAY_WANT_ARCS : ASSAY_WANT_TREE;
    const char *name = is_lines ? "callgrind.out" : "x.folded";
    assay_profile *p = read_text(before, name, want), *q = read_text(after, name, want);
    assay_profile_diff *d = NULL;
    assert_int_equal(assay_profile_diff_new(p, q, &(struct assay_profile_diff_options){ .by = by }, &d, NULL), 0);
    assay_profile_release(p);
    assay_profile_release(q);
    return d;
}

static void lines_are_matched_by_file_and_number(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint32_t line;
        uint8_t state;
        uint64_t before, after;
    } want[] = { { "./a.c", 5, ASSAY_DIFF_CHANGED, 90, 94 }, { "b.h", 6, ASSAY_DIFF_NEW, 0, 11 }, { "a.c", 6, ASSAY_DIFF_GONE, 10, 0 } };
    assay_profile_diff *d = diff_text(lines_before, lines_after, ASSAY_DIFF_BY_LINE);
    assert_int_equal(d->metric_count, 2);
    assert_int_equal(d->count, 5); /* lines 1 (Dr), 2 (calls cost more) and these three */
    for (size_t i = 0; i < 3; i++) {
        size_t row = 0;
        while (row < d->count && (strcmp(d->funcs[row].file, want[i].file) != 0 || d->funcs[row].line != want[i].line)) row++;
        assert_true(row < d->count);
        assert_int_equal(d->funcs[row].state, want[i].state);
        assert_int_equal(d->before_self[row * 2].u, want[i].before);
        assert_int_equal(d->after_self[row * 2].u, want[i].after);
    }
    assay_profile_diff_free(d);
}

static void contexts_are_matched_by_names(void **state)
{
    (void)state;
    assay_profile_diff *d = diff_text(stacks_before, stacks_after, ASSAY_DIFF_BY_CONTEXT);
    struct assay_diff_gate gate = { .percent = 2, .min_cost = 1 };
    assert_int_equal(d->count, 5); /* main, main;a, main;a;b, main;gone, main;b */
    assert_int_equal(d->same, 0);
    const assay_diff_func *f = &d->funcs[0];
    assert_string_equal(f->name, "b");
    uint32_t above = d->contexts[f->context].parent;
    assert_string_equal(d->contexts[above].name, "a");
    assert_string_equal(d->contexts[d->contexts[above].parent].name, "main");
    assert_true(fabs(assay_diff_growth(d, 0, &gate) - 5) < 1e-9);
    assert_true(d->funcs[1].state == ASSAY_DIFF_GONE && d->funcs[2].state == ASSAY_DIFF_NEW);
    assay_profile_diff_free(d);
    d = diff_text(stacks_after, stacks_after, ASSAY_DIFF_BY_CONTEXT);
    assert_true(d->count == 0 && d->same == 4 && d->context_count == 4);
    assay_profile_diff_free(d);
}

/* ---- programs under two names ---- */

struct part {
    const char *module, *func;
    uint64_t cost;
};

/* `file` is the path of every function: that of a module, perhaps. */
static assay_profile *program(const char *file, const struct part *parts, size_t count)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH }, NULL);
    assay_metric_id m = assay_build_metric(b, "t", "ns", ASSAY_U64, ASSAY_SHAPE_GRAPH);
    assay_build_graph_metrics(b, &m, 1);
    for (size_t i = 0; i < count; i++) {
        assay_module_id module = assay_build_module(b, assay_build_string(b, parts[i].module, strlen(parts[i].module)), (assay_str_id){ 0 });
        assay_file_id f = assay_build_file(b, assay_build_string(b, file, strlen(file)), (assay_module_id){ 0 });
        assay_func_id func = assay_build_func_new(b, assay_build_string(b, parts[i].func, strlen(parts[i].func)), f, module, 0, 0);
        assay_build_self(b, &(struct assay_place){ .func = func, .file = f, .line = 1 }, &(assay_value){ .u = parts[i].cost }, 1);
    }
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

/* One module left on each side is the same program, whatever it is called and whichever name is met first; of several nobody knows. */
static void a_program_may_have_another_name(void **state)
{
    (void)state;
    static const char *const files[] = { "x.c", "/srv/two/beta" };
    static const struct part before[] = { { "/opt/one/alpha", "f", 10 }, { "/opt/one/gamma", "g", 5 } };
    static const struct part after[] = { { "/srv/two/beta", "f", 20 }, { "/srv/two/delta", "g", 5 } };
    for (int i = 0; i < 2; i++) {
        assay_profile_diff *d = diff(program(files[i], before, 1), program(files[i], after, 1));
        assert_int_equal(d->count, 1);
        assert_int_equal(d->funcs[0].state, ASSAY_DIFF_CHANGED);
        assert_int_equal(d->before_self[0].u, 10);
        assert_int_equal(d->after_self[0].u, 20);
        assay_profile_diff_free(d);
    }
    assay_profile_diff *d = diff(program("x.c", before, 2), program("x.c", after, 2));
    assert_int_equal(d->count, 4);
    for (size_t i = 0; i < 4; i++) assert_int_not_equal(d->funcs[i].state, ASSAY_DIFF_CHANGED);
    assay_profile_diff_free(d);
    /* two that are gone are not two names of one */
    static const struct part gone[] = { { "/opt/one/alpha", "f", 10 }, { "/opt/one/gamma", "f", 5 }, { "/opt/stays", "g", 1 } };
    d = diff(program("x.c", gone, 3), program("x.c", gone + 2, 1));
    assert_int_equal(d->count, 2);
    for (size_t i = 0; i < 2; i++) assert_int_equal(d->funcs[i].state, ASSAY_DIFF_GONE);
    assay_profile_diff_free(d);
}

/* ---- memory ---- */

static void refuse_each(const assay_profile *a, const assay_profile *b, enum assay_diff_by by)
{
    assay_profile_diff *d = NULL;
    for (uint64_t n = 1; !d && n < 10000; n++) {
        assay_error err = { 0 };
        mem_fail_new(n, 0, UINT32_MAX);
        int rc = assay_profile_diff_new(a, b, &(struct assay_profile_diff_options){ .by = by }, &d, &err);
        mem_fail_new(0, 0, 0);
        assert_int_equal(rc, d ? 0 : ASSAY_ERR_MEMORY);
    }
    assert_non_null(d);
    assay_profile_diff_free(d);
}

static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    assay_profile *a = profile("t", ASSAY_F64, base, 4), *b = profile("t", ASSAY_F64, base, 3);
    assay_profile *lines[2] = { read_text(lines_before, "callgrind.out", ASSAY_WANT_GRAPH), read_text(lines_after, "callgrind.out", ASSAY_WANT_GRAPH) };
    assay_profile *stacks[2] = { read_text(stacks_before, "x.folded", ASSAY_WANT_TREE), read_text(stacks_after, "x.folded", ASSAY_WANT_TREE) };
    assay_profile_diff *d = NULL;
    refuse_each(a, b, ASSAY_DIFF_BY_FUNCTION);
    refuse_each(lines[0], lines[1], ASSAY_DIFF_BY_LINE);
    refuse_each(stacks[0], stacks[1], ASSAY_DIFF_BY_CONTEXT);
    refuse_each(stacks[0], stacks[1], ASSAY_DIFF_BY_LINE);
    assert_int_equal(assay_profile_diff_new(a, b, &(struct assay_profile_diff_options){ .metric = "x" }, &d, NULL), ASSAY_ERR_USAGE);
    assert_int_equal(assay_profile_diff_new(a, b, &(struct assay_profile_diff_options){ .by = ASSAY_DIFF_BY_CONTEXT }, &d, NULL), ASSAY_ERR_UNSUPPORTED);
    assay_profile_release(a);
    assay_profile_release(b);
    for (int i = 0; i < 2; i++) {
        assay_profile_release(lines[i]);
        assay_profile_release(stacks[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_does_not_differ_from_itself),
        cmocka_unit_test(a_slowdown_is_found_and_named),
        cmocka_unit_test(shares_tell_a_longer_run_from_a_slower_one),
        cmocka_unit_test(functions_come_and_go),
        cmocka_unit_test(profiles_without_a_common_metric_are_refused),
        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(lines_are_matched_by_file_and_number),
        cmocka_unit_test(contexts_are_matched_by_names),
        cmocka_unit_test(a_program_may_have_another_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
