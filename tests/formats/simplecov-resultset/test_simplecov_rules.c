/* Planted defects for the rules of simplecov's result sets, texts that are nearly wrong but are not, and what makes branches equal. */
#include "../coverage_rules.h"

#define OF(file) "{\"RSpec\":{\"coverage\":{\"a.rb\":" file "},\"timestamp\":1}}\n"
#define BRANCHES(list) OF("{\"lines\":[],\"branches\":{" list "}}")
#define SOUND OF("{\"lines\":[1,null,0]}")

static const struct defect defects[] = {
    { "J-1", E, "{\"RSpec\":\n@}" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, OF("{\"lines\":[1,\n@\"x\"]}") },
    { "J-2", E, OF("\n@3") },
    { "J-2", E, BRANCHES("\"[:if, 0, 3, 4, 5, 7]\":{\"[:then, 1, 4, 6, 4, 9]\":\n@null}") },
    { "J-3", E, "{\n@\"RSpec\":{\"timestamp\":1}}" },
    { "J-3", E, OF("\n@{\"branches\":{}}") },
    { "J-5", W, OF("{\"lines\":[],\n@\"lines\":[]}") },
    { "J-6", I, OF("{\"lines\":[],\n@\"colour\":[]}") },
    { "J-7", W, OF("[1,\n@-1]") },
    { "SC-1", E, BRANCHES("\n@\"if\":{}") },
    { "SC-1", E, BRANCHES("\n@\"[:if, 0, 3, 4, 5]\":{}") },
    { "SC-1", E, BRANCHES("\"[:if, 0, 3, 4, 5, 7]\":{\n@\"[:then, 1, x, 6, 4, 9]\":1}") },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, OF("[1,null,\"ignored\"]") },
    { "J-3", E, "{\"RSpec\":{\"coverage\":{}}}" },
    { "J-5", W, SOUND },
    { "J-6", I, OF("{\"lines\":[],\"methods\":{\"x\":1},\"oneshot_lines\":[]}") },
    { "J-7", W, SOUND },
    { "SC-1", E, BRANCHES("\"[:\\\"&.\\\", 0, 3, 4, 5, 7]\":{\"[:then,1,4,6,4,9]\":0}") },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "J-7", "SC-1", NULL };

RULE_TESTS("simplecov-resultset")

static void branches_are_equal_by_kind_and_place_in_any_run(void **state)
{
    (void)state;
    assay_profile *p = read_text("{\"a\":{\"coverage\":{\"a.rb\":{\"lines\":[2,\"ignored\"],\"branches\":{\"[:if, 0, 3, 4, 5, 7]\":{\"[:then, 1, 4, 6, 4, "
                                 "9]\":0,\"[:else, 2, 3, 4, 5, 7]\":3}}}}},"
                                 "\"b\":{\"coverage\":{\"a.rb\":{\"lines\":[0,1],\"branches\":{\"[:if, 8, 3, 4, 5, 7]\":{\"[:then, 9, 4, 6, 4, 9]\":1}}}}}}",
                                 "simplecov-resultset");
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(counts_of(p).branches, 2);
    assert_int_equal(counts_of(p).branches_hit, 2);
    assert_int_equal(counts_of(p).lines, 2);
    assert_int_equal(c->branch_line[0], 3);
    assert_string_equal(assay_profile_string(p, c->branch_name[0]).data, ":then, 4, 6, 4, 9");
    assert_string_equal(assay_profile_string(p, c->line_test[c->line_count - 1]).data, "b");
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(branches_are_equal_by_kind_and_place_in_any_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
