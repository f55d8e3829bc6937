/* Sources beside what was measured of them: each line with its state, its cost and its text, whatever shape the figures come from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/annotate/annotate.h"

static const struct assay_filter no_filter;

static assay_profile *read_text(const char *text, const char *name, uint32_t want)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = want };
    assert_int_equal(assay_read_memory(text, strlen(text), name, &o, &p, NULL), 0);
    return p;
}

static const char report[] = "SF:a.c\nFN:2,f\nFNDA:3,f\nBRDA:3,0,0,1\nBRDA:3,0,1,0\nDA:2,3\nDA:3,3\nDA:5,0\nDA:9,1\nend_of_record\n";

static void states_come_from_hits_and_branches(void **state)
{
    (void)state;
    static const struct {
        uint32_t line;
        uint8_t state;
        uint64_t hits;
    } want[] = { { 2, ANNOTATE_HIT, 3 }, { 3, ANNOTATE_PARTIAL, 3 }, { 5, ANNOTATE_MISSED, 0 }, { 9, ANNOTATE_HIT, 1 } };
    struct mem mem;
    struct annotate a;
    assay_profile *p = read_text(report, "x.info", ASSAY_WANT_COVERAGE);
    mem_init(&mem, 0);
    assert_int_equal(annotate_init(&a, p, NULL, &no_filter, NULL, &mem, NULL), 0);
    assert_true(a.has_coverage && !a.has_cost);
    assert_true(annotate_has(&a, 1));
    assert_int_equal(annotate_file(&a, 1, NULL), 0);
    assert_null(a.text.path);
    assert_int_equal(a.rows.len, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(a.rows.at[i].line, want[i].line);
        assert_int_equal(a.rows.at[i].state, want[i].state);
        assert_int_equal(a.rows.at[i].hits, want[i].hits);
        assert_false(a.rows.at[i].has_text);
    }
    assert_int_equal(a.rows.at[0].functions, 1);
    annotate_select(&a, 0, 0, &(struct annotate_fold){ .only = ANNOTATE_ONLY_MISSED, .context = 2 });
    assert_true(a.rows.at[0].is_shown && a.rows.at[1].is_shown && a.rows.at[2].is_shown && !a.rows.at[3].is_shown);
    annotate_select(&a, 3, 5, &(struct annotate_fold){ .only = ANNOTATE_ALL });
    assert_true(!a.rows.at[0].is_shown && a.rows.at[1].is_shown && a.rows.at[2].is_shown && !a.rows.at[3].is_shown);
    annotate_done(&a);
    assert_int_equal(mem.used, 0);
    assay_profile_release(p);
}

/* Every line of the source is there, and what was measured behind its end. */
static void the_source_of_the_profile_comes_first(void **state)
{
    (void)state;
    struct mem mem;
    struct annotate a;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id file = assay_build_file(b, assay_build_string(b, "a.c", 3), (assay_module_id){ 0 });
    assay_build_file_source(b, file, assay_build_string(b, "one\r\ntwo\n\nfour", 14), (assay_str_id){ 0 });
    assay_build_coverage_line(b, &(struct assay_coverage_line){ .file = file, .line = 2, .hits = 0 });
    assay_build_coverage_line(b, &(struct assay_coverage_line){ .file = file, .line = 4000000000u, .hits = 1 });
    assay_profile *p = assay_builder_seal(b, NULL);
    mem_init(&mem, 0);
    assert_int_equal(annotate_init(&a, p, NULL, &no_filter, NULL, &mem, NULL), 0);
    assert_int_equal(annotate_file(&a, 1, NULL), 0);
    assert_string_equal(a.text.path, "");
    assert_int_equal(a.rows.len, 5);
    assert_true(slice_is(a.rows.at[0].text, "one") && slice_is(a.rows.at[3].text, "four"));
    assert_int_equal(a.rows.at[1].state, ANNOTATE_MISSED);
    assert_int_equal(a.rows.at[4].line, 4000000000u);
    assert_false(a.rows.at[4].has_text);
    annotate_done(&a);
    assert_int_equal(mem.used, 0);
    assay_profile_release(p);
}

static const char profile[] =
    "events: Ir Dr\nfl=a.c\nfn=main\n10 100 10\ncfn=work\ncalls=2 20\n11 300 30\n11 7 0\nfn=work\n20 250 25\nfi=b.h\n5 50 5\nfe=a.c\n21 1 0\n";

static void expect_cost(const struct annotate *a, uint32_t line, int64_t self, int64_t total)
{
    for (size_t i = 0; i < a->rows.len; i++)
        if (a->rows.at[i].line == line) {
            size_t at = a->rows.at[i].cost - 1;
            assert_int_equal(sums_value(&a->cost.self.at[0], at).i, self);
            assert_int_equal(sums_value(&a->cost.total.at[0], at).i, total);
            return;
        }
    fail_msg("there is no line %u", line);
}

static void calls_add_to_the_total_of_their_line(void **state)
{
    (void)state;
    struct mem mem;
    struct annotate a;
    uint32_t order[4], count, file, first, last;
    assay_profile *p = read_text(profile, "callgrind.out", ASSAY_WANT_COSTS | ASSAY_WANT_ARCS);
    mem_init(&mem, 0);
    assert_int_equal(annotate_init(&a, p, NULL, &no_filter, NULL, &mem, NULL), 0);
    assert_int_equal(annotate_order(&a, 0, order, &count, NULL), 0);
    assert_int_equal(count, 2);
    assert_int_equal(annotate_file(&a, order[0], NULL), 0);
    expect_cost(&a, 10, 100, 100);
    expect_cost(&a, 11, 7, 307);
    expect_cost(&a, 20, 250, 250);
    expect_cost(&a, 21, 1, 1);
    assert_true(annotate_function(&a, p, 2, &file, &first, &last));
    assert_int_equal(file, order[0]);
    assert_true(first == 20 && last == 21);
    assert_true(annotate_function(&a, p, 1, &file, &first, &last));
    assert_true(first == 10 && last == 11);
    assert_int_equal(annotate_file(&a, order[1], NULL), 0);
    expect_cost(&a, 5, 50, 50);
    annotate_done(&a);
    assert_int_equal(mem.used, 0);
    assay_profile_release(p);
}

static int annotate_all(const assay_profile *p, const assay_profile *coverage, uint64_t fail_at)
{
    struct mem mem;
    struct annotate a;
    uint32_t order[8], count;
    mem_init(&mem, 0);
    mem.fail_at = fail_at;
    int rc = annotate_init(&a, p, coverage, &no_filter, NULL, &mem, NULL);
    if (rc == 0) rc = annotate_order(&a, 0, order, &count, NULL);
    for (uint32_t i = 0; rc == 0 && i < count; i++) rc = annotate_file(&a, order[i], NULL);
    annotate_done(&a);
    assert_int_equal(mem.used, 0);
    return rc;
}

static void each_refused_allocation_gives_a_memory_error(void **state)
{
    (void)state;
    assay_profile *both[2] = { read_text(report, "x.info", ASSAY_WANT_COVERAGE), read_text(profile, "callgrind.out", ASSAY_WANT_COSTS | ASSAY_WANT_ARCS) };
    for (int k = 0; k < 3; k++) {
        uint64_t n = 1;
        int rc = ASSAY_ERR_MEMORY;
        for (; rc == ASSAY_ERR_MEMORY && n < 1000; n++) rc = annotate_all(both[k > 0], k == 2 ? both[0] : NULL, n);
        assert_int_equal(rc, 0);
        assert_true(n > 8);
    }
    for (int k = 0; k < 2; k++) assay_profile_release(both[k]);
}

/* b.h of the profile is inc/b.h of the report; a.c is the same in both; only.c is of the report alone. */
static void cost_and_coverage_of_one_file_meet(void **state)
{
    (void)state;
    static const char other[] = "SF:a.c\nDA:10,1\nDA:20,0\nend_of_record\nSF:inc/b.h\nDA:5,9\nend_of_record\nSF:only.c\nDA:1,1\nend_of_record\n";
    struct mem mem;
    struct annotate a;
    uint32_t order[8], count;
    assay_profile *p = read_text(profile, "callgrind.out", ASSAY_WANT_COSTS | ASSAY_WANT_ARCS), *q = read_text(other, "x.info", ASSAY_WANT_COVERAGE);
    mem_init(&mem, 0);
    assert_int_equal(annotate_init(&a, p, q, &no_filter, NULL, &mem, NULL), 0);
    assert_int_equal(annotate_order(&a, 0, order, &count, NULL), 0);
    assert_int_equal(count, 3);
    assert_true(slice_is(annotate_path(&a, order[1]), "b.h") && slice_is(annotate_path(&a, order[2]), "only.c"));
    assert_int_equal(annotate_file(&a, order[0], NULL), 0);
    expect_cost(&a, 20, 250, 250);
    assert_int_equal(a.rows.len, 4);
    assert_true(a.rows.at[0].has_hits && a.rows.at[0].hits == 1 && a.rows.at[0].state == ANNOTATE_HIT);
    assert_int_equal(a.rows.at[2].state, ANNOTATE_MISSED);
    const struct line_cost *caller = annotate_cost(&a, &a.rows.at[1]);
    assert_true(caller->line == 11 && caller->calls == 2 && caller->callee_count == 1);
    assert_int_equal(sums_value(&a.cost.callee_total.at[0], a.cost.callees.at[caller->callee].sum).i, 300);
    assert_int_equal(annotate_file(&a, order[1], NULL), 0);
    assert_true(a.rows.len == 1 && a.rows.at[0].hits == 9 && a.rows.at[0].cost);
    assert_int_equal(annotate_file(&a, order[2], NULL), 0);
    assert_true(a.rows.len == 1 && !a.rows.at[0].cost);
    annotate_done(&a);
    assert_int_equal(mem.used, 0);
    assay_profile_release(p);
    assay_profile_release(q);
}

static void is_refused(assay_builder *b)
{
    assay_profile *p = assay_builder_seal(b, NULL);
    assay_error err = { 0 };
    struct mem mem;
    struct annotate a;
    mem_init(&mem, 0);
    assert_int_equal(annotate_init(&a, p, NULL, &no_filter, NULL, &mem, &err), ASSAY_ERR_UNSUPPORTED);
    annotate_done(&a);
    assert_int_equal(mem.used, 0);
    assay_profile_release(p);
}

static void what_says_nothing_of_lines_is_refused(void **state)
{
    (void)state;
    is_refused(assay_builder_new(NULL, NULL));
}

static void a_tree_without_values_is_refused(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_TREE }, NULL);
    (void)assay_build_node(b, &(struct assay_node){ .relation = ASSAY_RELATION_CALL, .kind = ASSAY_NODE_ENTRY });
    is_refused(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_come_from_hits_and_branches),    cmocka_unit_test(the_source_of_the_profile_comes_first),
        cmocka_unit_test(calls_add_to_the_total_of_their_line),  cmocka_unit_test(each_refused_allocation_gives_a_memory_error),
        cmocka_unit_test(what_says_nothing_of_lines_is_refused), cmocka_unit_test(a_tree_without_values_is_refused),
        cmocka_unit_test(cost_and_coverage_of_one_file_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
