/* Planted defects for the rules of istanbul's JSON, texts that are nearly wrong but are not, and what becomes of lines and branches. */
#include "../coverage_rules.h"

#define AT(l, c) "{\"line\":" #l ",\"column\":" #c "}"
#define SPAN(a, b) "{\"start\":" a ",\"end\":" b "}"
#define STATEMENT SPAN(AT(1, 0), AT(1, 5))
#define OF(members) "{\"a.js\":\n{" members "}}\n"
#define MAPS(s, f, b) "\"statementMap\":{" s "},\"fnMap\":{" f "},\"branchMap\":{" b "}"
#define SOUND OF(MAPS("\"0\":" STATEMENT, "", "") ",\"s\":{\"0\":1},\"f\":{},\"b\":{}")
#define BRANCH "\"0\":{\"type\":\"if\",\"loc\":" STATEMENT ",\"locations\":[" STATEMENT "," SPAN("{}", "{}") "]}"

static const struct defect defects[] = {
    { "J-1", E, "{\"a.js\":{\"s\":{\n@]" },
    { "J-1", E, SOUND "@[]" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, OF(MAPS("\"0\":" STATEMENT, "", "") ",\"s\":{\"0\":\n@\"x\"},\"f\":{},\"b\":{}") },
    { "J-2", E, OF(MAPS("\"0\":{\"start\":\n@3}", "", "") ",\"s\":{\"0\":1},\"f\":{},\"b\":{}") },
    { "J-2", E, OF(MAPS("", "", BRANCH) ",\"s\":{},\"f\":{},\"b\":{\"0\":\n@1}") },
    { "J-3", E, "{\"a.js\":\n@{\"s\":{},\"f\":{},\"b\":{}}}" },
    { "J-3", E, "{\"a.js\":{\"lines\":\n@{\"total\":3,\"pct\":1},\"branches\":{\"total\":1,\"covered\":1},\"statements\":{\"total\":1,\"covered\":1}}}" },
    { "J-5", W, OF(MAPS("", "", "") ",\"s\":{},\n@\"s\":{}") },
    { "J-6", I, OF(MAPS("", "", "") ",\"s\":{},\n@\"colour\":{}") },
    { "J-7", W, OF(MAPS("\"0\":" STATEMENT, "", "") ",\"s\":{\"0\":\n@-1}") },
    { "IS-1", E, OF(MAPS("", "", "") ",\n@\"s\":{\"0\":1}") },
    { "IS-1", E, OF(MAPS("", "", "") ",\"s\":{},\n@\"b\":{\"x\":[1]}") },
    { "IS-2", W, OF("\"statementMap\":{\n@\"7\":" STATEMENT "},\"s\":{}") },
    { "IS-3", W, OF(MAPS("", "", BRANCH) ",\"s\":{},\"b\":{\n@\"0\":[1]}") },
    { "IS-4", I, "{\n@\"a.js\":{\"path\":\"b.js\"," MAPS("", "", "") ",\"s\":{}}}" },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, OF("\"s\":{\"0\":1.5}," MAPS("\"0\":{\"start\":{\"line\":1,\"column\":null},\"end\":{}}", "", "")) },
    { "J-3", E, OF("\"data\":{" MAPS("", "", "") ",\"s\":{}}") },
    { "J-5", W, SOUND },
    { "J-6", I, OF(MAPS("", "", "") ",\"s\":{},\"all\":true,\"bT\":{},\"inputSourceMap\":{\"x\":1},\"_coverageSchema\":\"\",\"contentHash\":\"\"") },
    { "J-7", W, SOUND },
    { "IS-1", E, OF("\"s\":{\"b\":1,\"10\":2,\"9\":3}," MAPS("\"9\":" STATEMENT ",\"10\":" STATEMENT ",\"b\":" STATEMENT, "", "")) },
    { "IS-2", W, SOUND },
    { "IS-3", W, OF(MAPS("", "", BRANCH) ",\"s\":{},\"b\":{\"0\":[1,0]}") },
    { "IS-4", I, OF("\"path\":\"a.js\"," MAPS("", "", "") ",\"s\":{}") },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "J-7", "IS-1", "IS-2", "IS-3", "IS-4", NULL };

RULE_TESTS("istanbul")

static void a_line_counts_as_the_largest_statement_that_begins_on_it(void **state)
{
    (void)state;
    assay_profile *p = read_text(OF("\"s\":{\"2\":0,\"0\":3,\"1\":7}," MAPS(
                                     "\"0\":" SPAN(AT(4, 0), AT(9, 1)) ",\"1\":" SPAN(AT(4, 8), AT(4, 9)) ",\"2\":" SPAN(AT(2, 0), AT(3, 1)), "", "")),
                                 NULL);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(c->line_count, 2);
    assert_int_equal(c->line_number[0], 2);
    assert_int_equal(c->line_hits[0], 0);
    assert_int_equal(c->line_number[1], 4);
    assert_int_equal(c->line_hits[1], 7);
    assert_int_equal(counts_of(p).statements, 3);
    assert_int_equal(counts_of(p).statements_hit, 2);
    assert_int_equal(c->region_first_column[0], 1); /* columns count from 1 in the model */
    assay_profile_release(p);
}

static void an_else_that_is_not_there_stands_where_its_if_does(void **state)
{
    (void)state;
    assay_profile *p = read_text(OF(MAPS("", "", BRANCH) ",\"s\":{},\"b\":{\"0\":[0,4]}"), NULL);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(c->branch_count, 2);
    assert_int_equal(c->branch_line[1], 1);
    assert_int_equal(c->branch_hits[1], 4);
    assert_string_equal(assay_profile_string(p, c->branch_name[1]).data, "1 if");
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(a_line_counts_as_the_largest_statement_that_begins_on_it),
        cmocka_unit_test(an_else_that_is_not_there_stands_where_its_if_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
