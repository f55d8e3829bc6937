/* Merging: the same rows whatever the order and grouping of the inputs, each rule with its finding, and no allocation that may not fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "base/mem.h"

static assay_str_id str(assay_builder *b, const char *s) { return assay_build_string(b, s, strlen(s)); }

static assay_file_id file_of(assay_builder *b, const char *path) { return assay_build_file(b, str(b, path), (assay_module_id){ 0 }); }

static assay_profile *seal(assay_builder *b)
{
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

static assay_profile *merged(const struct assay_merge_options *o, assay_profile *const *list, size_t count)
{
    assay_error err = { 0 };
    assay_merger *m = assay_merger_new(o, &err);
    assert_non_null(m);
    for (size_t i = 0; i < count; i++) assert_int_equal(assay_merger_add(m, list[i], &err), 0);
    assay_profile *p = assay_merger_finish(m, &err);
    assert_non_null(p);
    return p;
}

static void assert_equal(const assay_profile *a, const assay_profile *b)
{
    char why[400] = "";
    if (assay_profile_equal(a, b, why, sizeof why, NULL) != 0) fail_msg("%s", why);
}

static bool has_rule(const assay_profile *p, const char *rule, uint64_t times)
{
    size_t count;
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(f[i].rule, rule) == 0) return f[i].repeats + 1 == times;
    return times == 0;
}

/* Everything that coverage has, other figures and other rows for each `k`. */
static assay_profile *sample(uint32_t k)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id z = file_of(b, "src/z.c"), a = file_of(b, k % 2 ? "src/a.c" : "src/only_even.c");
    assay_func_id f = assay_build_func(b, str(b, "f"), z, (assay_module_id){ 0 }, 0, 3);
    assay_str_id test = str(b, k % 2 ? "odd" : "even");
    assay_build_attribute(b, (assay_stream_id){ 0 }, "test", 4, k % 2 ? "odd" : "even", k % 2 ? 3 : 4);
    for (uint32_t line = 3; line < 40; line += 1 + k % 3)
        assay_build_coverage_line(
            b, &(struct assay_coverage_line){ .test = test, .file = z, .line = line, .hits = line * k % 7, .flags = line % 5 ? 0 : ASSAY_COVERAGE_EXCLUDED });
    assay_build_coverage_line(b, &(struct assay_coverage_line){ .test = test, .file = a, .line = 1, .hits = UINT32_MAX, .checksum = str(b, "sum") });
    assay_build_coverage_func(b, &(struct assay_coverage_func){ .test = test, .func = f, .calls = k, .blocks = 4, .blocks_hit = k % 4 });
    for (uint32_t i = 0; i < 12; i++) {
        char name[8];
        snprintf(name, sizeof name, "%u", (i * 5 + k) % 12);
        assay_build_coverage_branch(
            b, &(struct assay_coverage_branch){ .test = test, .file = z, .line = 5, .block = str(b, "0"), .name = str(b, name), .hits = i % 3 });
    }
    assay_build_coverage_branch(b, &(struct assay_coverage_branch){ .file = z, .line = 7, .func = f, .index = k, .hits = 1, .target = -3, .column = 4 });
    assay_build_coverage_sum(b, &(struct assay_coverage_sum){ .file = a, .line = 1, .hit = k % 3, .total = 3, .kind = str(b, "branches") });
    assay_build_coverage_condition(
        b, &(struct assay_coverage_condition){ .file = z, .line = 9, .group = 2, .index = k % 2, .sense = 1, .hits = k, .text = str(b, "x") });
    assay_build_coverage_region(
        b, &(struct assay_coverage_region){ .file = z, .func = f, .kind = ASSAY_REGION_BLOCK, .first = 3, .last = 9, .statements = 2, .hits = k });
    assay_build_source(b, "lcov", "1", "");
    return seal(b);
}

static void order_and_grouping_make_no_difference(void **state)
{
    (void)state;
    assay_profile *p[4];
    for (uint32_t i = 0; i < 4; i++) p[i] = sample(i + 1);
    for (int keep = 0; keep < 2; keep++) {
        struct assay_merge_options o = { .keep_tests = keep };
        assay_profile *forwards = merged(&o, p, 4);
        assay_profile *backwards = merged(&o, (assay_profile *[]){ p[3], p[2], p[1], p[0] }, 4);
        assay_profile *left = merged(&o, p, 2), *right = merged(&o, p + 2, 2);
        assay_profile *grouped = merged(&o, (assay_profile *[]){ left, right }, 2);
        assert_equal(forwards, backwards);
        assert_equal(forwards, grouped);
        for (uint32_t i = 0; i < assay_profile_files(forwards)->count; i++)
            assert_string_equal(assay_profile_string(forwards, assay_profile_files(forwards)->path[i + 1]).data,
                                assay_profile_string(backwards, assay_profile_files(backwards)->path[i + 1]).data);
        assay_profile_release(forwards);
        assay_profile_release(backwards);
        assay_profile_release(left);
        assay_profile_release(right);
        assay_profile_release(grouped);
    }
    for (int i = 0; i < 4; i++) assay_profile_release(p[i]);
}

static void one_input_stays_what_it_is(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id file = file_of(b, "./a.c");
    assay_build_coverage_line(b, &(struct assay_coverage_line){ .file = file, .line = 9, .hits = 4, .flags = ASSAY_COVERAGE_PARTIAL });
    assay_build_coverage_line(b, &(struct assay_coverage_line){ .file = file, .line = 2, .hits = 0, .flags = ASSAY_COVERAGE_UNKNOWN });
    assay_build_coverage_sum(b, &(struct assay_coverage_sum){ .file = file, .line = 9, .hit = 1, .total = 2, .kind = str(b, "branches") });
    assay_build_coverage_stated(b, &(struct assay_coverage_stated){ file, str(b, "file"), str(b, "lines"), 1, 2 });
    assay_build_attribute(b, (assay_stream_id){ 0 }, "z", 1, "1", 1);
    assay_build_attribute(b, (assay_stream_id){ 0 }, "a", 1, "1", 1);
    assay_build_count(b, "negative", 3);
    assay_metric_id hits = assay_build_metric(b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_build_metric_total(b, hits, (assay_value){ .u = 4 });
    assay_profile *p = seal(b), *same = merged(NULL, &p, 1);
    assert_equal(p, same);
    assay_profile_release(same);
    same = merged(NULL, (assay_profile *[]){ p, p }, 2);
    assert_int_equal(assay_profile_coverage(same)->stated_count, 0);
    assert_int_equal(assay_profile_counts(same)->count, 0);
    assay_profile_release(same);
    assay_profile_release(p);
}

/* A profile with one line and whatever `more` adds. */
static assay_profile *line_of(const char *path, uint64_t hits, uint8_t flags, const char *version)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id file = file_of(b, path);
    if (version) assay_build_file_source(b, file, (assay_str_id){ 0 }, str(b, version));
    assay_build_coverage_line(b, &(struct assay_coverage_line){ .file = file, .line = 1, .hits = hits, .flags = flags });
    return seal(b);
}

static assay_profile *pair(assay_profile *x, assay_profile *y)
{
    assay_profile *p = merged(NULL, (assay_profile *[]){ x, y }, 2);
    assay_profile_release(x);
    assay_profile_release(y);
    return p;
}

static void counts_are_added_and_stay_at_the_largest(void **state)
{
    (void)state;
    assay_profile *p = pair(line_of("a", UINT32_MAX, 0, NULL), line_of("a", 2, 0, NULL));
    assert_true(assay_profile_coverage(p)->line_hits[0] == (uint64_t)UINT32_MAX + 2);
    assert_true(has_rule(p, "MG-5", 0));
    assay_profile_release(p);
    p = pair(line_of("a", UINT64_MAX - 1, 0, NULL), line_of("a", 2, 0, NULL));
    assert_true(assay_profile_coverage(p)->line_hits[0] == UINT64_MAX);
    assert_true(has_rule(p, "MG-5", 1));
    assay_profile_release(p);
}

static void hit_or_not_and_counts_give_hit_or_not(void **state)
{
    (void)state;
    assay_profile *p = pair(line_of("a", 1, ASSAY_COVERAGE_ONLY_HIT, NULL), line_of("a", 1, ASSAY_COVERAGE_ONLY_HIT, NULL));
    assert_int_equal(assay_profile_coverage(p)->line_hits[0], 1);
    assert_true(has_rule(p, "MG-7", 0));
    assay_profile_release(p);
    p = pair(line_of("a", 5, 0, NULL), line_of("a", 0, ASSAY_COVERAGE_ONLY_HIT, NULL));
    assert_int_equal(assay_profile_coverage(p)->line_hits[0], 1);
    assert_int_equal(assay_profile_coverage(p)->line_flags[0], ASSAY_COVERAGE_ONLY_HIT);
    assert_true(has_rule(p, "MG-7", 1));
    assay_profile_release(p);
}

/* Two files, each with a spelling, a version and counts or hits only of its own in each input. */
static assay_profile *disagreeing(unsigned k)
{
    static const char *const paths[3][2] = { { "x", "y" }, { "./x", "y" }, { "x", "./y" } }, *const versions[3] = { "v1", "v2", "v1" };
    assay_builder *b = assay_builder_new(NULL, NULL);
    for (int i = 0; i < 2; i++) {
        assay_file_id file = file_of(b, paths[k][i]);
        assay_build_file_source(b, file, (assay_str_id){ 0 }, str(b, versions[k]));
        assay_build_coverage_line(b, &(struct assay_coverage_line){ .file = file, .line = k + 1, .hits = 1, .flags = k ? ASSAY_COVERAGE_ONLY_HIT : 0 });
    }
    return seal(b);
}

static void findings_do_not_tell_the_order_of_the_inputs(void **state)
{
    (void)state;
    static const unsigned orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    static const struct {
        const char *rule, *example;
    } wanted[] = { { "P-2", "'x'" }, { "MG-1", "'x' differs" }, { "MG-7", "'x'" } };
    for (int i = 0; i < 6; i++) {
        assay_profile *p[3];
        size_t count;
        for (int k = 0; k < 3; k++) p[k] = disagreeing(orders[i][k]);
        assay_profile *all = merged(NULL, p, 3);
        const assay_finding *f = assay_profile_warnings(all, &count);
        assert_int_equal(count, 3);
        for (size_t k = 0; k < count; k++) {
            assert_string_equal(f[k].rule, wanted[k].rule);
            assert_non_null(strstr(f[k].message, wanted[k].example));
            assert_int_equal(f[k].repeats, 1);
        }
        for (int k = 0; k < 3; k++) assay_profile_release(p[k]);
        assay_profile_release(all);
    }
}

static uint8_t flags_of(uint64_t hits_a, uint8_t a, uint64_t hits_b, uint8_t b)
{
    assay_profile *p = pair(line_of("a", hits_a, a, NULL), line_of("a", hits_b, b, NULL));
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint8_t flags = c->line_flags ? c->line_flags[0] : 0;
    assay_profile_release(p);
    return flags;
}

static void flags_of_lines(void **state)
{
    (void)state;
    assert_int_equal(flags_of(1, ASSAY_COVERAGE_EXCLUDED, 1, 0), ASSAY_COVERAGE_EXCLUDED);
    assert_int_equal(flags_of(0, ASSAY_COVERAGE_NONCODE, 0, 0), 0);
    assert_int_equal(flags_of(0, ASSAY_COVERAGE_NONCODE, 0, ASSAY_COVERAGE_NONCODE), ASSAY_COVERAGE_NONCODE);
    assert_int_equal(flags_of(0, ASSAY_COVERAGE_UNKNOWN, 3, 0), 0);
    assert_int_equal(flags_of(1, ASSAY_COVERAGE_PARTIAL, 1, ASSAY_COVERAGE_PARTIAL), ASSAY_COVERAGE_PARTIAL);
    assert_int_equal(flags_of(1, ASSAY_COVERAGE_PARTIAL, 0, ASSAY_COVERAGE_PARTIAL), ASSAY_COVERAGE_PARTIAL);
    /* Each saw whole what the other did not. */
    assert_int_equal(flags_of(1, ASSAY_COVERAGE_PARTIAL, 1, ASSAY_COVERAGE_UNEXECUTED_BLOCK), 0);
}

static void versions_that_differ_are_said_and_refused_when_strict(void **state)
{
    (void)state;
    assay_error err = { 0 };
    assay_profile *a = line_of("a", 1, 0, "v1"), *b = line_of("./a", 1, 0, "v2");
    assay_profile *p = merged(NULL, (assay_profile *[]){ a, b }, 2);
    assert_int_equal(assay_profile_files(p)->count, 1);
    assert_true(has_rule(p, "MG-1", 1));
    assert_true(has_rule(p, "P-2", 1));
    assay_profile_release(p);
    assay_merger *m = assay_merger_new(&(struct assay_merge_options){ .strict = true }, &err);
    assert_int_equal(assay_merger_add(m, a, &err), 0);
    assert_int_equal(assay_merger_add(m, b, &err), ASSAY_ERR_DAMAGED);
    assay_merger_free(m);
    assay_profile_release(a);
    assay_profile_release(b);
}

/* One branch, or n of m, at line 4. */
static assay_profile *branch_of(uint64_t hits, uint8_t flags, uint32_t sum_hit, uint32_t sum_total)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id file = file_of(b, "a");
    if (!sum_total)
        assay_build_coverage_branch(
            b, &(struct assay_coverage_branch){ .file = file, .line = 4, .block = str(b, "0"), .name = str(b, "0"), .hits = hits, .flags = flags });
    if (sum_total)
        assay_build_coverage_sum(b, &(struct assay_coverage_sum){ .file = file, .line = 4, .hit = sum_hit, .total = sum_total, .kind = str(b, "branches") });
    return seal(b);
}

static void a_branch_is_not_evaluated_when_it_never_is(void **state)
{
    (void)state;
    const uint8_t not_evaluated = ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
    assay_profile *p = pair(branch_of(0, not_evaluated, 0, 0), branch_of(0, not_evaluated, 0, 0));
    assert_int_equal(assay_profile_coverage(p)->branch_flags[0], not_evaluated);
    assay_profile_release(p);
    p = pair(branch_of(0, not_evaluated, 0, 0), branch_of(3, 0, 0, 0));
    assert_int_equal(assay_profile_coverage(p)->branch_hits[0], 3);
    assert_true(!assay_profile_coverage(p)->branch_flags || !assay_profile_coverage(p)->branch_flags[0]);
    assay_profile_release(p);
}

static void sums_of_several_inputs_are_a_lower_bound(void **state)
{
    (void)state;
    static const struct {
        uint32_t hit_a, hit_b, hit;
        uint8_t flags;
    } cases[] = { { 1, 2, 2, ASSAY_COVERAGE_AT_LEAST }, { 0, 2, 2, 0 }, { 4, 1, 4, 0 }, { 0, 0, 0, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_profile *p = pair(branch_of(0, 0, cases[i].hit_a, 4), branch_of(0, 0, cases[i].hit_b, 4));
        const struct assay_coverage *c = assay_profile_coverage(p);
        assert_int_equal(c->sum_count, 1);
        assert_int_equal(c->sum_hit[0], cases[i].hit);
        assert_int_equal(c->sum_total[0], 4);
        assert_int_equal(c->sum_flags ? c->sum_flags[0] : 0, cases[i].flags);
        assert_true(has_rule(p, "MG-3", cases[i].flags != 0));
        assay_profile_release(p);
    }
}

static void single_branches_stay_unless_the_sum_knows_of_more(void **state)
{
    (void)state;
    assay_profile *p = pair(branch_of(1, 0, 0, 0), branch_of(0, 0, 1, 1));
    assert_int_equal(assay_profile_coverage(p)->branch_count, 1);
    assert_int_equal(assay_profile_coverage(p)->sum_count, 0);
    assert_true(has_rule(p, "MG-4", 0));
    assay_profile_release(p);
    p = pair(branch_of(0, 0, 1, 2), branch_of(1, 0, 0, 0));
    assert_int_equal(assay_profile_coverage(p)->branch_count, 0);
    assert_int_equal(assay_profile_coverage(p)->sum_count, 1);
    assert_true(has_rule(p, "MG-4", 1));
    assay_profile_release(p);
}

static assay_profile *func_of(uint32_t line, uint32_t statements)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id file = file_of(b, "a");
    assay_func_id f = assay_build_func(b, str(b, "f"), file, (assay_module_id){ 0 }, 0, line);
    assay_build_coverage_func(b, &(struct assay_coverage_func){ .func = f, .calls = 1 });
    assay_build_coverage_region(
        b, &(struct assay_coverage_region){ .file = file, .kind = ASSAY_REGION_BLOCK, .first = 1, .last = 2, .statements = statements, .hits = 1 });
    assay_build_coverage_region(b, &(struct assay_coverage_region){ .file = file, .kind = ASSAY_REGION_OTHER, .first = 1, .last = 1, .hits = 1 });
    return seal(b);
}

static void functions_that_moved_and_blocks_that_grew_are_said(void **state)
{
    (void)state;
    assay_profile *p = pair(func_of(3, 2), func_of(3, 2));
    assert_int_equal(assay_profile_coverage(p)->func_count, 1);
    assert_int_equal(assay_profile_coverage(p)->func_calls[0], 2);
    assert_int_equal(assay_profile_coverage(p)->region_hits[0] + assay_profile_coverage(p)->region_hits[1], 2 + 1);
    assert_true(has_rule(p, "MG-2", 0) && has_rule(p, "MG-6", 0));
    assay_profile_release(p);
    p = pair(func_of(3, 2), func_of(5, 4));
    assert_int_equal(assay_profile_coverage(p)->func_count, 2);
    assert_true(has_rule(p, "MG-2", 1) && has_rule(p, "MG-6", 1));
    assay_profile_release(p);
}

static void nothing_to_merge_is_refused(void **state)
{
    (void)state;
    assay_error err = { 0 };
    assay_merger *m = assay_merger_new(NULL, &err);
    assert_null(assay_merger_finish(m, &err));
    assert_int_equal(err.code, ASSAY_ERR_USAGE);
    assay_profile *p = seal(assay_builder_new(NULL, NULL));
    m = assay_merger_new(NULL, &err);
    assert_int_equal(assay_merger_add(m, p, &err), ASSAY_ERR_UNSUPPORTED);
    assay_merger_free(m);
    assay_profile_release(p);
}

/* ---- cost ---- */

/* A graph, lines and a tree with one metric of doubles and one of integers; `k` makes figures and rows different. */
static assay_profile *costs(uint32_t k)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH | ASSAY_WANT_TREE | ASSAY_WANT_LINES }, NULL);
    assay_metric_id m[2] = { assay_build_metric(b, "time", "s", ASSAY_F64, 0), assay_build_metric(b, k % 2 ? "ticks" : "misses", "count", ASSAY_U64, 0) };
    static const double times[] = { 1e16, 1, -1e16, 3e-9, 1e300, -1e300 };
    assay_file_id file = file_of(b, "a.c");
    assay_func_id f = assay_build_func(b, str(b, "f"), file, (assay_module_id){ 0 }, 0, 3),
                  g = assay_build_func(b, str(b, "g"), file, (assay_module_id){ 0 }, 0, k);
    assay_value v[2] = { { .d = times[k % 6] }, { .u = k } };
    struct assay_place at = { .func = f, .file = file, .line = 4 };
    assay_build_graph_metrics(b, m, 2);
    assay_build_line_metrics(b, m, 2);
    assay_build_self(b, &at, v, 2);
    assay_build_call(b, &at, g, k, v, 2);
    assay_build_call_more(b, v, NULL, k);
    assay_build_line(b, &(struct assay_line){ .file = file, .line = 9 }, k, v, NULL);
    assay_scope_id scope = assay_build_scope(b, m[0], ASSAY_SCOPE_POINT, NULL, 0);
    assay_node_id root = assay_build_node(b, &(struct assay_node){ .func = f });
    assay_node_id leaf = assay_build_node(b, &(struct assay_node){ .parent = root, .func = g, .relation = ASSAY_RELATION_CALL, .line = 4 + k % 2 });
    assay_build_value(b, (assay_stream_id){ 0 }, leaf, scope, v[0]);
    assay_build_node_calls(b, leaf, k);
    return seal(b);
}

/* `ticks` of a clock in a graph, on a line and in a tree, with a total that is stated. */
static assay_profile *ticking(const char *rate, int64_t ticks)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH | ASSAY_WANT_TREE | ASSAY_WANT_LINES }, NULL);
    assay_metric_id m[2] = { assay_build_metric(b, "whole", "tick", ASSAY_I64, 0), assay_build_metric(b, "real", "tick", ASSAY_F64, 0) };
    assay_value v[2] = { { .i = ticks }, { .d = (double)ticks } };
    assay_file_id file = file_of(b, "a.c");
    assay_func_id f = assay_build_func(b, str(b, "f"), file, (assay_module_id){ 0 }, 0, 3);
    if (rate) assay_build_attribute(b, (assay_stream_id){ 0 }, "ticks_per_sec", 13, rate, strlen(rate));
    assay_build_graph_metrics(b, m, 2);
    assay_build_line_metrics(b, m, 2);
    assay_build_self(b, &(struct assay_place){ .func = f, .file = file, .line = 4 }, v, 2);
    assay_build_line(b, &(struct assay_line){ .file = file, .line = 9 }, 1, v, NULL);
    assay_scope_id scope = assay_build_scope(b, m[0], ASSAY_SCOPE_POINT, NULL, 0);
    assay_build_value(b, (assay_stream_id){ 0 }, assay_build_node(b, &(struct assay_node){ .func = f }), scope, v[0]);
    assay_build_metric_total(b, m[0], v[0]);
    return seal(b);
}

/* Two graphs, the first with a jump or not. */
static void jumps_are_left_out_and_told(void **state)
{
    (void)state;
    for (int has_jump = 0; has_jump < 2; has_jump++) {
        assay_profile *p[2];
        for (int i = 0; i < 2; i++) {
            assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, NULL);
            assay_metric_id m = assay_build_metric(b, "whole", "count", ASSAY_I64, 0);
            assay_file_id file = file_of(b, "a.c");
            struct assay_place at = { .func = assay_build_func(b, str(b, "f"), file, (assay_module_id){ 0 }, 0, 3), .file = file, .line = 4 };
            assay_build_graph_metrics(b, &m, 1);
            assay_build_self(b, &at, &(assay_value){ .i = 1 }, 1);
            if (has_jump && i == 0) assay_build_jump(b, &at, &at, 2, 1, true);
            p[i] = seal(b);
        }
        assay_profile *q = merged(NULL, p, 2);
        assert_true(has_rule(q, "MG-8", (uint64_t)has_jump));
        for (int i = 0; i < 2; i++) assay_profile_release(p[i]);
        assay_profile_release(q);
    }
}

/* Every figure of the two in ticks of the finer clock, in either order. */
static void two_clocks(const char *rate, int64_t ticks, const char *other, int64_t more, int64_t whole, double real, bool is_rounded)
{
    assay_profile *p[2] = { ticking(rate, ticks), ticking(other, more) };
    assay_profile *q = merged(NULL, p, 2), *turned = merged(NULL, (assay_profile *[]){ p[1], p[0] }, 2);
    const struct assay_graph *g = assay_profile_graph(q);
    const struct assay_attributes *a = assay_profile_attributes(q);
    assert_equal(q, turned);
    assert_int_equal(assay_profile_metrics(q)->count, 2); /* real, whole */
    assert_int_equal(g->cost_count, 1);
    assert_float_equal(g->cost_self[0].d, real, 1e-9);
    assert_int_equal(g->cost_self[1].i, whole);
    assert_int_equal(assay_profile_lines(q)->self[1].i, whole);
    assert_int_equal(assay_profile_metrics(q)->total[2].low, whole);
    assert_int_equal(assay_profile_scopes(q)->count, 1);
    assay_value v = { 0 };
    assert_int_equal(assay_tree_value(q, (assay_stream_id){ 0 }, (assay_node_id){ 1 }, (assay_scope_id){ 1 }, &v, NULL), 0);
    assert_int_equal(v.i, whole);
    assert_int_equal(a->count, 1);
    assert_string_equal(assay_profile_string(q, a->value[0]).data, "10000000");
    assert_true(has_rule(q, "MG-9", is_rounded));
    for (int i = 0; i < 2; i++) assay_profile_release(p[i]);
    assay_profile_release(q);
    assay_profile_release(turned);
}

static void ticks_of_two_clocks_are_converted_to_the_finer(void **state)
{
    (void)state;
    two_clocks("1000000", 7, "10000000", 5, 75, 75, false);
    two_clocks("1000000.0", -7, "10000000", 5, -65, -65, false);
    two_clocks("3000000", 8, "10000000", 5, 32, 5 + 80.0 / 3, true); /* 26.67 */
}

static void clocks_that_cannot_be_converted_are_refused(void **state)
{
    (void)state;
    assay_error err = { 0 };
    assay_profile *p[4] = { ticking("1000000", 1), ticking("2000000", 1), ticking(NULL, 1), ticking("0.5", 1) };
    assay_merger *m = assay_merger_new(NULL, &err);
    for (int i = 0; i < 3; i++) assert_int_equal(assay_merger_add(m, p[i], &err), 0);
    assert_null(assay_merger_finish(m, &err));
    assert_int_equal(err.code, ASSAY_ERR_UNSUPPORTED);
    m = assay_merger_new(NULL, &err);
    assert_int_equal(assay_merger_add(m, p[0], &err), 0);
    assert_int_equal(assay_merger_add(m, p[3], &err), ASSAY_ERR_UNSUPPORTED);
    assay_merger_free(m);
    for (int i = 0; i < 4; i++) assay_profile_release(p[i]);
}

static void costs_are_summed_exactly_in_any_order(void **state)
{
    (void)state;
    assay_profile *p[6];
    for (uint32_t i = 0; i < 6; i++) p[i] = costs(i);
    assay_profile *forwards = merged(NULL, p, 6), *backwards = merged(NULL, (assay_profile *[]){ p[5], p[2], p[0], p[4], p[1], p[3] }, 6);
    assert_equal(forwards, backwards);
    const struct assay_graph *g = assay_profile_graph(forwards);
    const struct assay_lines *l = assay_profile_lines(forwards);
    assert_int_equal(g->block.metric_count, 3); /* misses, ticks, time */
    assert_int_equal(g->cost_count, 1);
    assert_int_equal(g->cost_self[0].u + g->cost_self[1].u, 0 + 1 + 2 + 3 + 4 + 5);
    assert_true(g->cost_self[2].d == 1 + 3e-9);
    assert_int_equal(g->arc_count, 6); /* g has another line in each */
    assert_int_equal(l->count, 1);
    assert_int_equal(l->hits[0], 15);
    assert_true(l->self[2].d == 1 + 3e-9);
    assert_int_equal(assay_profile_tree(forwards)->count, 7);
    assay_profile_release(forwards);
    assay_profile_release(backwards);
    for (int i = 0; i < 6; i++) assay_profile_release(p[i]);
}

static void a_metric_in_another_unit_is_refused(void **state)
{
    (void)state;
    assay_error err = { 0 };
    assay_merger *m = assay_merger_new(NULL, &err);
    for (int i = 0; i < 2; i++) {
        assay_builder *b = assay_builder_new(NULL, NULL);
        assay_metric_id t = assay_build_metric(b, "time", i ? "ns" : "us", ASSAY_U64, 0);
        assay_func_id f = assay_build_func(b, str(b, "f"), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        assay_build_graph_metrics(b, &t, 1);
        assay_build_self(b, &(struct assay_place){ .func = f }, &(assay_value){ .u = 1 }, 1);
        assay_profile *p = seal(b);
        assert_int_equal(assay_merger_add(m, p, &err), i ? ASSAY_ERR_UNSUPPORTED : 0);
        assay_profile_release(p);
    }
    assay_merger_free(m);
}

/* Whatever allocation fails: the error says so, and what was made is given back (the leak checker looks). */
static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    assay_profile *p[2] = { sample(1), costs(1) }, *out = NULL;
    uint64_t n = 1;
    for (; !out && n < 100000; n++) {
        assay_error err = { 0 };
        mem_fail_new(n, 0, UINT32_MAX);
        assay_merger *m = assay_merger_new(&(struct assay_merge_options){ .keep_tests = true }, &err);
        int rc = assay_merger_add(m, p[0], &err);
        if (rc == 0) rc = assay_merger_add(m, p[1], &err);
        if (rc != 0)
            assay_merger_free(m);
        else
            out = assay_merger_finish(m, &err);
        mem_fail_new(0, 0, 0);
        if (!out) assert_int_equal(err.code, ASSAY_ERR_MEMORY);
    }
    assert_true(out && n > 50);
    assay_profile_release(out);
    assay_profile_release(p[0]);
    assay_profile_release(p[1]);
}

static assay_profile *with_eval(const char *parent, uint32_t line)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id m = assay_build_metric(b, "Ir", "count", ASSAY_U64, 0);
    assay_file_id eval = file_of(b, "(eval 1)"), in = file_of(b, parent);
    assay_build_file_parent(b, eval, in, line, 0);
    assay_build_graph_metrics(b, &m, 1);
    assay_func_id f = assay_build_func(b, str(b, "f"), eval, (assay_module_id){ 0 }, 0, 0);
    assay_build_self(b, &(struct assay_place){ .func = f, .file = eval, .line = 1 }, &(assay_value){ .u = 1 }, 1);
    return seal(b);
}

static void an_eval_keeps_the_place_that_evaluated_it(void **state)
{
    (void)state;
    assay_profile *list[] = { with_eval("b.pl", 9), with_eval("b.pl", 7), with_eval("z.pl", 3) }, *back[] = { list[2], list[0], list[1] };
    assay_profile *p = merged(NULL, list, 3), *q = merged(NULL, back, 3);
    const struct assay_files *f = assay_profile_files(p);
    for (uint32_t i = 1; i <= f->count; i++) {
        if (strcmp(assay_profile_string(p, f->path[i]).data, "(eval 1)") != 0) continue;
        assert_string_equal(assay_profile_string(p, f->path[f->parent[i].v]).data, "b.pl");
        assert_int_equal(f->parent_line[i], 7);
    }
    assert_non_null(f->parent);
    assert_equal(p, q);
    for (size_t i = 0; i < 3; i++) assay_profile_release(list[i]);
    assay_profile_release(p);
    assay_profile_release(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eval_keeps_the_place_that_evaluated_it),
        cmocka_unit_test(order_and_grouping_make_no_difference),
        cmocka_unit_test(one_input_stays_what_it_is),
        cmocka_unit_test(counts_are_added_and_stay_at_the_largest),
        cmocka_unit_test(hit_or_not_and_counts_give_hit_or_not),
        cmocka_unit_test(findings_do_not_tell_the_order_of_the_inputs),
        cmocka_unit_test(flags_of_lines),
        cmocka_unit_test(versions_that_differ_are_said_and_refused_when_strict),
        cmocka_unit_test(a_branch_is_not_evaluated_when_it_never_is),
        cmocka_unit_test(sums_of_several_inputs_are_a_lower_bound),
        cmocka_unit_test(single_branches_stay_unless_the_sum_knows_of_more),
        cmocka_unit_test(functions_that_moved_and_blocks_that_grew_are_said),
        cmocka_unit_test(nothing_to_merge_is_refused),
        cmocka_unit_test(costs_are_summed_exactly_in_any_order),
        cmocka_unit_test(jumps_are_left_out_and_told),
        cmocka_unit_test(ticks_of_two_clocks_are_converted_to_the_finer),
        cmocka_unit_test(clocks_that_cannot_be_converted_are_refused),
        cmocka_unit_test(a_metric_in_another_unit_is_refused),
        cmocka_unit_test(every_refused_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
