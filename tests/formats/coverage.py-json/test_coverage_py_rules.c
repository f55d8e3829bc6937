/* Planted defects for the rules of coverage.py's JSON, texts that are nearly wrong but are not, and what becomes of lines and contexts. */
#include "../planted.h"

#define OF(members) "{\"files\":{\"a.py\":\n{" members "}}}\n"
#define LISTS "\"executed_lines\":[1,2],\"missing_lines\":[3],\"excluded_lines\":[]"
#define SOUND OF(LISTS ",\"summary\":{\"covered_lines\":2,\"num_statements\":3}")

static const struct defect defects[] = {
    { "J-1", E, "{\"files\":{\"a.py\":{\"executed_lines\":[1,\n@}}}" },
    { "J-1", E, SOUND "@[]" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, OF("\"missing_lines\":[],\"executed_lines\":[1,\n@\"2\"]") },
    { "J-2", E, OF("\"missing_lines\":[],\"executed_lines\":[1,\n@0]") },
    { "J-2", E, OF(LISTS ",\"executed_branches\":[\n@[1]]") },
    { "J-2", E, OF(LISTS ",\"executed_branches\":[\n@[1,2,3]]") },
    { "J-2", E, OF(LISTS ",\"executed_branches\":[\n@[-1,2]]") },
    { "J-2", E, OF(LISTS ",\"contexts\":{\n@\"x\":[]}") },
    { "J-3", E, "@{\"meta\":{}}\n" },
    { "J-3", E, "{\"files\":{\"a.py\":\n@{\"executed_lines\":[]}}}" },
    { "J-5", W, OF(LISTS ",\n@\"missing_lines\":[]") },
    { "J-6", I, OF(LISTS ",\n@\"colour\":[]") },
    { "PY-1", W, "{\"files\":{\"a.py\":\n@{" LISTS ",\"summary\":{\"covered_lines\":1,\"num_statements\":2}}}}" },
    { "PY-1", W, "{\"files\":{\"a.py\":\n@{" LISTS ",\"missing_branches\":[[1,2]],\"summary\":{\"covered_branches\":1,\"num_branches\":1}}}}" },
    { "PY-2", I, "{\"files\":{\"a.py\":\n@{" LISTS ",\"summary\":{\"covered_lines\":1,\"num_statements\":2}}}}" },
    { "PY-3", W, OF("\"executed_lines\":[1],\"missing_lines\":[\n@1]") },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, OF(LISTS ",\"executed_branches\":[[1,-1]],\"contexts\":{\"1\":[\"\"]}") },
    { "J-3", E, "{\"files\":{}}" },
    { "J-5", W, SOUND },
    { "J-6", I, OF(LISTS ",\"functions\":{\"f\":{}},\"classes\":{}") },
    { "PY-1", W, OF("\"executed_lines\":[1,2,4],\"missing_lines\":[3],\"excluded_lines\":[4],\"summary\":{\"covered_lines\":2,\"num_statements\":3}") },
    { "PY-2", I, SOUND },
    { "PY-3", W, OF("\"executed_lines\":[1],\"missing_lines\":[2],\"excluded_lines\":[1]") },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "PY-1", "PY-2", "PY-3", NULL };

enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("coverage.py-json", defects, DEFECTS);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("coverage.py-json", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

static void contexts_are_tests_and_excluded_lines_do_not_count(void **state)
{
    (void)state;
    static const char text[] = OF("\"contexts\":{\"2\":[\"x\",\"y\"],\"1\":[\"\"]},\"executed_lines\":[1,2,4],\"missing_lines\":[3],\"excluded_lines\":[4],"
                                  "\"executed_branches\":[[2,3]],\"missing_branches\":[[2,-1]]");
    assay_profile *p = NULL;
    assay_coverage_counts n;
    assert_int_equal(assay_read_memory(text, sizeof text - 1, "text", NULL, &p, NULL), 0);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
    assert_int_equal(n.lines, 3);
    assert_int_equal(n.lines_hit, 2);
    assert_int_equal(n.branches, 2);
    assert_int_equal(n.branches_hit, 1);
    assert_int_equal(c->line_count, 5); /* line 2 once for each context */
    assert_memory_equal(assay_profile_string(p, c->line_test[1]).data, "x", 1);
    assert_memory_equal(assay_profile_string(p, c->line_test[2]).data, "y", 1);
    assert_int_equal(c->branch_target[1], -1);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(contexts_are_tests_and_excluded_lines_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
