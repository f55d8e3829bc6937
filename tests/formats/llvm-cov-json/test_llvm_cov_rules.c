/* Planted defects for the rules of llvm-cov's export, texts that are nearly wrong but are not, and what becomes of lines and branches. */
#include "../coverage_rules.h"

#define DOCUMENT(data) "{\"data\":[" data "],\"type\":\"llvm.coverage.json.export\",\"version\":\"2.0.1\"}\n"
#define OF(members) DOCUMENT("{\"files\":[\n{\"filename\":\"a.c\"," members "}]}")
#define WITH(functions) DOCUMENT("{\"files\":[{\"filename\":\"a.c\",\"segments\":[]}],\"functions\":[\n" functions "]}")
#define SOUND OF("\"segments\":[[1,1,3,true,true,false],[4,2,0,false,false,false]],\"branches\":[[1,2,1,5,3,0,0,0,4]]")
#define FUNCTION "{\"name\":\"f\",\"count\":1,\"filenames\":[\"a.c\"],\"regions\":[[1,1,4,2,3,0,0,0]]}"

static const struct defect defects[] = {
    { "J-1", E, "{\"data\":[\n@}" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, OF("\"segments\":[\n@[0,1,3,true,true,false]]") },
    { "J-2", E, OF("\"segments\":[\n@3]") },
    { "J-2", E, OF("\"branches\":[[1,2,3,4,\n@\"x\",0,0,0,4]]") },
    { "J-3", E, "@{\"data\":[],\"version\":\"2.0.1\"}\n" },
    { "J-3", E, DOCUMENT("\n@{}") },
    { "J-3", E, DOCUMENT("{\"files\":[\n@{\"segments\":[]}]}") },
    { "J-3", E, WITH("@{\"name\":\"f\"}") },
    { "J-3", E, OF("\"expansions\":[\n@{}]") },
    { "J-5", W, OF("\"segments\":[],\n@\"segments\":[]") },
    { "J-6", I, OF("\n@\"colour\":[]") },
    { "J-7", W, WITH("{\"filenames\":[\"a.c\"],\"name\":\"f\",\"count\":\n@-4}") },
    { "LV-1", E, "{\"data\":[],\"type\":\n@\"llvm\",\"version\":\"2.0.1\"}" },
    { "LV-2", W, "{\"data\":[],\"type\":\"llvm.coverage.json.export\",\"version\":\n@\"3.9.0\"}" },
    { "LV-2", E, "{\"data\":[],\"type\":\"llvm.coverage.json.export\",\"version\":\n@\"4.0.0\"}" },
    { "LV-3", E, OF("\"segments\":[\n@[1,1,3,true]]") },
    { "LV-3", E, OF("\"branches\":[\n@[1,1,3,4,5,6,7]]") },
    { "LV-3", E, OF("\"mcdc_records\":[\n@[1,1,3,4,5,[true]]]") },
    { "LV-3", E, WITH("{\"name\":\"f\",\"filenames\":[\"a.c\"],\"regions\":[\n@[1,1,4,2,3]]}") },
    { "LV-4", E, OF("\"segments\":[[4,1,3,true,true,false],\n@[3,1,3,true,true,false]]") },
    { "LV-5", W, OF("\"summary\":{\n@\"lines\":{\"count\":4,\"covered\":3,\"percent\":80}}") },
    { "LV-6", I, OF("\"segments\":[],\"summary\":{\n@\"lines\":{\"count\":4,\"covered\":3,\"percent\":75}}") },
    { "LV-7", E, WITH("{\"name\":\"f\",\"filenames\":[\"a.c\"],\"regions\":[\n@[1,1,4,2,3,1,0,0]]}") },
    { "LV-8", E, OF("\"segments\":[[1,1,3,true,true,false],\n@[2000000000,1,3,true,true,false]]") },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, OF("\"segments\":[[1, 1, 3, true, true, false], [2,1,\n0,false,false]]") },
    { "J-3", E, WITH(FUNCTION) },
    { "J-5", W, SOUND },
    { "J-6", I, "{\"cargo_llvm_cov\":{},\"data\":[],\"type\":\"llvm.coverage.json.export\",\"version\":\"2.0.1\"}" },
    { "J-7", W, WITH(FUNCTION) },
    { "LV-1", E, SOUND },
    { "LV-2", W, SOUND },
    { "LV-3", E, OF("\"mcdc_records\":[[1,1,3,4,5,6,[true]],[1,1,3,4,5,6,7,8,9,[true],[{}]]],\"segments\":[[1,1,3,true,true]]") },
    { "LV-4", E, OF("\"segments\":[[4,1,3,true,true,false],[4,1,3,true,false,false],[5,1,3,true,true,false]]") },
    { "LV-5", W, OF("\"summary\":{\"lines\":{\"count\":3,\"covered\":1,\"percent\":33.333333333333329},\"x\":{\"count\":0,\"covered\":0,\"percent\":0}}") },
    { "LV-6", I, OF("\"segments\":[[1,1,3,true,true,false],[4,2,0,false,false,false]],\"summary\":{\"lines\":{\"count\":4,\"covered\":4,\"percent\":100}}") },
    { "LV-7", E, WITH("{\"name\":\"f\",\"filenames\":[\"a.c\",\"b.c\"],\"regions\":[[1,1,4,2,3,1,0,0]]}") },
    { "LV-8", E, OF("\"segments\":[[1,1,3,true,true,false],[1000,1,3,true,true,false]]") },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "J-7", "LV-1", "LV-2", "LV-3", "LV-4", "LV-5", "LV-6", "LV-7", "LV-8", NULL };

RULE_TESTS("llvm-cov-json")

static void equal_branches_are_instances_wherever_they_stand(void **state)
{
    (void)state;
    assay_profile *p = read_text(OF("\"branches\":[[1,2,1,5,3,0,0,0,4],[2,2,2,5,0,0,0,0,4],[1,2,1,5,0,1,0,0,4]]"), NULL);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(counts_of(p).branches, 6);
    assert_int_equal(counts_of(p).branches_hit, 2);
    assert_string_equal(assay_profile_string(p, c->branch_block[2]).data, "1");
    assert_string_equal(assay_profile_string(p, c->branch_name[3]).data, "false");
    assert_int_equal(c->branch_flags[4], ASSAY_COVERAGE_BRANCH_NOT_EVALUATED);
    assay_profile_release(p);
}

static void branches_of_a_macro_stand_at_its_use(void **state)
{
    (void)state;
    assay_profile *p = read_text(OF("\"expansions\":[{\"branches\":[[90,2,90,5,3,0,0,0,4]],\"source_region\":[7,3,7,9,1,0,1,1]}]"), NULL);
    assert_int_equal(assay_profile_coverage(p)->branch_line[0], 7);
    assert_int_equal(assay_profile_coverage(p)->branch_column[1], 3);
    assay_profile_release(p);
}

static void functions_of_files_that_are_not_listed_do_not_count(void **state)
{
    (void)state;
    assay_profile *p = read_text(WITH(FUNCTION ",{\"name\":\"g\",\"count\":1,\"filenames\":[\"b.c\"],\"regions\":[]}"), NULL);
    assert_int_equal(counts_of(p).functions, 1);
    assert_int_equal(counts_of(p).files, 1);
    assert_int_equal(count_named(p, "instantiations"), 2);
    assay_profile_release(p);
}

#define FOLDED(functions)                                                                                                                                      \
    DOCUMENT("{\"files\":[{\"filename\":\"a.c\",\"branches\":[[1,2,1,5,0,0,0,0,4],[2,2,2,5,0,0,0,0,4],[1,2,1,5,0,1,0,0,4]],"                                   \
             "\"expansions\":[{\"branches\":[[90,2,90,5,0,0,1,1,4]],\"source_region\":[7,3,7,9,1,0,1,1]}]}]" functions "}")
#define BRANCHES_OF(list) "{\"branches\":[" list "],\"count\":1,\"filenames\":[\"a.c\",\"b.h\"],\"name\":\"f\",\"regions\":[]}"

/* Two instances of a template with a condition that is constant in one of them, and a condition that was never reached: the list of a file has
 * constant ones, that of a function does not. What comes out of a macro is listed without them. */
static void constant_conditions_are_no_branches(void **state)
{
    (void)state;
    assay_profile *p = read_text(FOLDED(",\"functions\":[" BRANCHES_OF("[1,2,1,5,0,1,0,0,4],[90,2,90,5,0,0,1,1,4]") "," BRANCHES_OF("[2,2,2,5,0,0,0,0,4]") "]"),
                                 "llvm-cov-json");
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(counts_of(p).branches, 6);
    assert_int_equal(counts_of(p).branches_hit, 1);
    for (uint32_t i = 0; i < c->branch_count; i++) assert_string_equal(assay_profile_string(p, c->branch_block[i]).data, "0");
    assay_profile_release(p);
    p = read_text(FOLDED(",\"functions\":[" BRANCHES_OF("[1,2,1,5,0,1,1,0,4]") "]"), "llvm-cov-json"); /* of another file */
    assert_int_equal(counts_of(p).branches, 4);
    assay_profile_release(p);
    p = read_text(FOLDED(""), "llvm-cov-json"); /* nothing is known of functions: all may be branches */
    assert_int_equal(counts_of(p).branches, 8);
    assay_profile_release(p);
}

static void a_line_that_begins_skipped_is_none(void **state)
{
    (void)state;
    assay_profile *p = read_text(
        OF("\"segments\":[[1,1,3,true,true,false],[2,1,0,false,true,false],[3,1,3,true,false,false],[4,1,0,true,true,false],[5,1,0,false,false,false]]"), NULL);
    const struct assay_coverage *c = assay_profile_coverage(p);
    static const uint32_t lines[] = { 1, 4, 5 };
    assert_int_equal(c->line_count, 3);
    assert_memory_equal(c->line_number, lines, sizeof lines);
    assert_int_equal(c->line_hits[1], 3);
    assert_int_equal(c->line_flags[1], ASSAY_COVERAGE_PARTIAL);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(equal_branches_are_instances_wherever_they_stand),
        cmocka_unit_test(branches_of_a_macro_stand_at_its_use),
        cmocka_unit_test(functions_of_files_that_are_not_listed_do_not_count),
        cmocka_unit_test(constant_conditions_are_no_branches),
        cmocka_unit_test(a_line_that_begins_skipped_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
