/* Planted defects for the rules of V8's coverage, texts that are nearly wrong but are not, and what becomes of scripts. */
#include "../coverage_rules.h"

#define RANGE(a, b, n) "{\"startOffset\":" #a ",\"endOffset\":" #b ",\"count\":" #n "}"
#define FUNCTION(ranges) "{\"functionName\":\"f\",\"isBlockCoverage\":true,\"ranges\":[" ranges "]}"
#define SCRIPT(functions) "{\"scriptId\":\"1\",\"url\":\"file:///a.js\",\"functions\":[" functions "]}"
#define OF(ranges) "{\"result\":[" SCRIPT(FUNCTION(ranges)) "]}\n"
#define SOUND OF(RANGE(0, 90, 1) "," RANGE(10, 20, 0))

static const struct defect defects[] = {
    { "J-1", E, "{\"result\":[\n@}" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, "{\"result\":[" SCRIPT("\n@3") "]}" },
    { "J-3", E, "@{\"timestamp\":1}\n" },
    { "J-3", E, "{\"result\":[\n@{\"url\":\"file:///a.js\"}]}" },
    { "J-3", E, "{\"result\":[" SCRIPT("\n@{\"functionName\":\"\"}") "]}" },
    { "J-3", E, OF(RANGE(0, 90, 1) ",\n@{\"startOffset\":1,\"count\":2}") },
    { "J-5", W, "{\"result\":[],\n@\"result\":[]}" },
    { "J-6", I, "{\"result\":[],\n@\"colour\":[]}" },
    { "J-7", W, OF("{\"startOffset\":0,\"endOffset\":9,\"count\":\n@-1}") },
    { "V8-1", E, OF("\n@" RANGE(9, 3, 1)) },
    { "V8-1", E, OF(RANGE(0, 90, 1) "," RANGE(10, 20, 0) ",\n@" RANGE(15, 30, 0)) },
    { "V8-2", W, OF("\n@" RANGE(10, 20, 1) "," RANGE(5, 30, 0)) },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, SOUND },
    { "J-3", E, "{\"result\":[" SCRIPT("") "]}" },
    { "J-5", W, SOUND },
    { "J-6", I, "{\"result\":[],\"timestamp\":1,\"source-map-cache\":{\"x\":{}}}" },
    { "J-7", W, SOUND },
    { "V8-1", E, OF(RANGE(0, 90, 1) "," RANGE(10, 20, 0) "," RANGE(20, 30, 0) "," RANGE(22, 30, 0) "," RANGE(30, 90, 2)) },
    { "V8-2", W, SOUND },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "J-7", "V8-1", "V8-2", NULL };

RULE_TESTS("v8")

static void scripts_of_node_itself_are_only_counted(void **state)
{
    (void)state;
    assay_profile *p = read_text(
        "{\"result\":[{\"functions\":[" FUNCTION(RANGE(0, 9, 4)) "],\"url\":\"node:fs\"}," SCRIPT(FUNCTION(RANGE(0, 90, 1) "," RANGE(10, 20, 0))) "]}", NULL);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(counts_of(p).files, 1);
    assert_int_equal(counts_of(p).functions, 1);
    assert_int_equal(count_named(p, "scripts"), 2);
    assert_int_equal(count_named(p, "file_scripts"), 1);
    assert_int_equal(count_named(p, "ranges"), 2);
    assert_int_equal(count_named(p, "ranges_zero"), 1);
    assert_int_equal(c->region_count, 2);
    assert_int_equal(c->region_last[1], 20);
    assert_string_equal(assay_profile_string(p, assay_profile_funcs(p)->name[c->func[0].v]).data, "f@0");
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(scripts_of_node_itself_are_only_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
