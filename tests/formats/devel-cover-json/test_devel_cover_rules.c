/* Planted defects for the rules of Devel::Cover's JSON, texts that are nearly wrong but are not, and what becomes of its figures. */
#include "../coverage_rules.h"

#define FIGURES(covered, missed, total) "{\"covered\":" #covered ",\"error\":" #missed ",\"total\":" #total "}"
#define OF(files) "{\"runs\":[],\"summary\":{" files "}}\n"
#define SOUND OF("\"A.pm\":{\"statement\":" FIGURES(3, 2, 5) "},\"Total\":{\"statement\":" FIGURES(3, 2, 5) "}")

static const struct defect defects[] = {
    { "J-1", E, "{\"runs\":\n@}" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, OF("\"A.pm\":\n@3") },
    { "J-2", E, OF("\"A.pm\":{\"statement\":\n@3}") },
    { "J-2", E, OF("\"A.pm\":{\"statement\":{\"total\":\n@null}}") },
    { "J-3", E, "@{\"runs\":[]}\n" },
    { "J-3", E, OF("\"A.pm\":{\n@\"statement\":{\"covered\":1}}") },
    { "J-5", W, "{\"runs\":[],\"summary\":{},\n@\"summary\":{}}" },
    { "J-6", I, "{\"runs\":[],\"summary\":{},\n@\"colour\":{}}" },
    { "DC-1", W, OF("\"A.pm\":{\n@\"statement\":" FIGURES(3, 1, 5) "}") },
    { "DC-2", W, OF("\"A.pm\":{\"statement\":" FIGURES(3, 2, 5) "},\"Total\":{\n@\"statement\":" FIGURES(3, 3, 6) "}") },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, OF("\"A.pm\":{\"pod\":{\"total\":0,\"percentage\":\"n/a\"}}") },
    { "J-3", E, "{\"summary\":{}}" },
    { "J-5", W, SOUND },
    { "J-6", I,
      "{\"runs\":[{\"OS\":\"x\",\"abstract\":null,\"dir\":\"\",\"finish\":1,\"name\":\"\",\"perl\":\"\",\"run\":\"\",\"start\":1,\"version\":\"\"}],"
      "\"summary\":{}}" },
    { "DC-1", W, OF("\"A.pm\":{\"subroutine\":{\"covered\":1,\"total\":2,\"uncoverable\":1}}") },
    { "DC-2", W, SOUND },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "DC-1", "DC-2", NULL };

RULE_TESTS("devel-cover-json")

static void figures_are_stated_by_the_names_of_the_model(void **state)
{
    (void)state;
    assay_profile *p = read_text(OF("\"Total\":{\"total\":" FIGURES(3, 2, 5) "},\"A.pm\":{\"subroutine\":" FIGURES(3, 2, 5) "}"), NULL);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(counts_of(p).files, 1);
    assert_int_equal(c->stated_count, 2);
    assert_int_equal(c->stated_file[0].v, 0);
    assert_string_equal(assay_profile_string(p, c->stated_kind[1]).data, "functions");
    assert_true(c->stated_hit[1] == 3 && c->stated_total[1] == 5);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(figures_are_stated_by_the_names_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
