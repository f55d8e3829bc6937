/* Planted defects for the rules of Go cover profiles, texts that are nearly wrong but are not, and what becomes of very long blocks. */
#include "../planted.h"

#define M "mode: count\n"
#define R "a/b.go:1.2,3.4 1 5\n"

static const struct defect defects[] = {
    { "GO-1", E, "@" R M },
    { "GO-2", E, M R "@mode: set\n" },
    { "GO-3", E, M "@a/b.go:1.2,3.4 1\n" },
    { "GO-3", E, M "@a/b.go:1.2,3 1 1\n" },
    { "GO-3", E, M "@a/b.go:0.2,3.4 1 1\n" },
    { "GO-3", E, M "@a/b.go:1.2,3.4 1 -1\n" },
    { "GO-3", E, M "@:1.2,3.4 1 1\n" },
    { "GO-3", E, M "@hello\n" },
    { "GO-3", E, "@mode: fast\n" },
    { "GO-4", E, M "@a/b.go:3.2,1.4 1 5\n" },
    { "GO-4", E, M "@a/b.go:3.5,3.4 1 5\n" },
    { "GO-5", W, M R "@a/b.go:1.2,3.4 2 5\n" },
    { "GO-6", I, M R "@" R },
};
static const struct defect near_misses[] = {
    { "GO-1", E, M R },
    { "GO-2", E, M R M R },
    { "GO-3", E, "mode: atomic\r\nC:/a b, c/b.go:1.2,3.4 0 18446744073709551615\r\n\n" },
    { "GO-4", E, M "a/b.go:3.4,3.4 1 5\n" },
    { "GO-5", W, M R R "a/b.go:1.2,3.5 2 5\nb/b.go:1.2,3.4 2 5\n" },
    { "GO-6", I, M R "a/b.go:1.2,3.4 2 5\n" },
};
static const char *const rules[] = { "GO-1", "GO-2", "GO-3", "GO-4", "GO-5", "GO-6", NULL };

enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("go-cover", defects, DEFECTS);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("go-cover", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

static assay_profile *profile_of(const char *text)
{
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, strlen(text), "text", NULL, &p, NULL), 0);
    return p;
}

static void blocks_of_several_programs_are_joined(void **state)
{
    (void)state;
    static const char *const texts[] = { "mode: set\n" R "a/b.go:1.2,3.4 1 0\n" R "a/b.go:3.4,5.1 2 0\n", M R R "a/b.go:3.4,5.1 2 0\n" };
    for (int i = 0; i < 2; i++) {
        assay_profile *p = profile_of(texts[i]);
        assay_coverage_counts n;
        assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
        assert_int_equal(n.blocks, 2);
        assert_int_equal(n.blocks_hit, 1);
        assert_int_equal(n.statements, 3);
        assert_int_equal(n.statements_hit, 1);
        assert_int_equal(n.lines, 5);
        assert_int_equal(n.lines_hit, 3);
        const struct assay_coverage *c = assay_profile_coverage(p);
        assert_int_equal(c->region_hits[0], i == 0 ? 1 : 10);
        assert_true(c->line_flags[2] & ASSAY_COVERAGE_PARTIAL); /* line 3: one block hit, one not */
        assert_false(c->line_flags[1] & ASSAY_COVERAGE_PARTIAL);
        assay_profile_release(p);
    }
}

static void a_block_of_two_thousand_million_lines_has_none(void **state)
{
    (void)state;
    assay_profile *p = profile_of(M "a/b.go:1.1,2000000000.1 1 1\n" R);
    size_t count;
    const assay_finding *w = assay_profile_warnings(p, &count);
    assert_int_equal(assay_profile_coverage(p)->line_count, 3);
    assert_int_equal(count, 1);
    assert_string_equal(w[0].rule, "GO-7");
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(blocks_of_several_programs_are_joined),
        cmocka_unit_test(a_block_of_two_thousand_million_lines_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
