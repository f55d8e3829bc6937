/* Planted defects for the rules of grcov's covdir, texts that are nearly wrong but are not, and what becomes of paths. */
#include "../coverage_rules.h"

#define FILE_(list, covered, total) "{\"coverage\":[" list "],\"linesCovered\":" #covered ",\"linesTotal\":" #total ",\"name\":\"a.c\"}"
#define OF(children) "{\"children\":{" children "},\"name\":\"\"}\n"
#define SOUND OF("\"a.c\":" FILE_("-1,3,0", 1, 2))

static const struct defect defects[] = {
    { "J-1", E, "{\"children\":{\n@]" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, OF("\"a.c\":\n@3") },
    { "J-2", E, OF("\"a.c\":{\"coverage\":[1,\n@true]}") },
    { "J-2", E, OF("\"a.c\":{\"coverage\":[1],\"linesTotal\":\n@\"1\"}") },
    { "J-3", E, OF("\"a\":\n@{\"name\":\"a\"}") },
    { "J-5", W, OF("\"a.c\":{\"coverage\":[1],\n@\"coverage\":[]}") },
    { "J-6", I, OF("\"a.c\":{\"coverage\":[1],\n@\"colour\":[]}") },
    { "CD-1", W, OF("\"a.c\":\n@" FILE_("-1,3,0", 2, 2)) },
    { "CD-1", W, "@{\"children\":{\"a.c\":" FILE_("-1,3,0", 1, 2) "},\"linesCovered\":1,\"linesTotal\":3}" },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, SOUND },
    { "J-3", E, OF("") },
    { "J-5", W, SOUND },
    { "J-6", I, OF("\"a.c\":{\"coverage\":[1],\"coveragePercent\":100.0,\"linesMissed\":0}") },
    { "CD-1", W, "{\"linesTotal\":2,\"linesCovered\":1,\"children\":{\"d\":" OF("\"a.c\":" FILE_("-1,3,0", 1, 2)) "}}" },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "CD-1", NULL };

RULE_TESTS("grcov-covdir")

static void paths_are_the_keys_from_the_root(void **state)
{
    (void)state;
    assay_profile *p = read_text("{\"children\":{\"src\":{\"linesTotal\":2,\"linesCovered\":1,\"children\":{\"x\":{\"children\":{\"a.c\":{\"coverage\":[-1,7]}}"
                                 "},\"b.c\":{\"coverage\":[0]}}}}}",
                                 NULL);
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_files *f = assay_profile_files(p);
    assert_int_equal(f->count, 2);
    assert_string_equal(assay_profile_string(p, f->path[1]).data, "src/x/a.c");
    assert_string_equal(assay_profile_string(p, f->path[2]).data, "src/b.c");
    assert_int_equal(c->line_number[0], 2);
    assert_int_equal(c->line_hits[0], 7);
    assert_int_equal(c->stated_count, 1);
    assert_string_equal(assay_profile_string(p, c->stated_scope[0]).data, "directory src");
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(paths_are_the_keys_from_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
