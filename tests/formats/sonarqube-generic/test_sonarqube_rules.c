/* Planted defects for the rules of SonarQube's generic coverage, texts that are nearly wrong but are not, and what is read and written. */
#include "../planted.h"

#define ROOT "<coverage version=\"1\">\n"
#define OPEN ROOT "<file path=\"a.c\">\n"
#define END "</file>\n</coverage>\n"
#define LINE "<lineToCover lineNumber=\"4\" covered=\"true\" branchesToCover=\"2\" coveredBranches=\"2\"/>\n"
#define SOUND OPEN LINE END

static const struct defect defects[] = {
    { "X-1", E, OPEN "@</coverage>\n" },
    { "X-2", E, "<!DOCTYPE coverage [\n@<!ENTITY a 'b'>]>\n" SOUND },
    { "X-3", E, "@<report version=\"1\"/>\n" },
    { "SQ-1", E, "@<coverage>\n</coverage>\n" },
    { "SQ-3", W, OPEN LINE "<lineToCover lineNumber=\"3\" covered=\"true\"/>\n@<lineToCover lineNumber=\"4\" covered=\"false\"/>\n" END },
    { "SQ-4", E, ROOT "@<file>\n" LINE END },
};
static const struct placed placed[] = {
    { "SQ-1", E, "<coverage version=\"2\"><file path=\"a.c\"/></coverage>", "version" },
    { "SQ-2", W, OPEN "<lineToCover lineNumber=\"4\" covered=\"true\" branchesToCover=\"2\" coveredBranches=\"3\"/>" END, "coveredBranches" },
    { "SQ-5", E, OPEN "<lineToCover lineNumber=\"4\" covered=\"yes\"/>" END, "covered=" },
    { "SQ-5", E, OPEN "<lineToCover lineNumber=\"4\"/>" END, "<lineToCover" },
    { "SQ-6", W, OPEN "<lineToCover lineNumber=\"0\" covered=\"true\"/>" END, "lineNumber" },
    { "X-4", E, OPEN "<lineToCover lineNumber=\"x\" covered=\"true\"/>" END, "lineNumber" },
    { "X-4", E, OPEN "<lineToCover covered=\"true\"/>" END, "<lineToCover" },
    { "X-4", E, OPEN "<lineToCover lineNumber=\"4\" covered=\"true\" branchesToCover=\"two\" coveredBranches=\"1\"/>" END, "branchesToCover" },
    { "X-5", W, OPEN "<lineToCover lineNumber=\"4\" covered=\"true\" branchesToCover=\"2\" coveredBranches=\"-1\"/>" END, "coveredBranches" },
};
static const struct defect near_misses[] = {
    { "X-1", E, SOUND },  { "X-2", E, "<!DOCTYPE coverage SYSTEM \"x.dtd\">\n" SOUND },   { "X-3", E, SOUND },  { "SQ-1", E, SOUND },
    { "SQ-2", W, SOUND }, { "SQ-3", W, OPEN LINE "</file><file path=\"b.c\">" LINE END }, { "SQ-4", E, SOUND }, { "SQ-5", E, SOUND },
    { "SQ-6", W, SOUND },
};
static const char *const rules[] = { "X-1", "X-2", "X-3", "SQ-1", "SQ-3", "SQ-4", NULL };

enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("sonarqube-generic", defects, DEFECTS);
    each_defect_is_found_at("sonarqube-generic", placed, sizeof placed / sizeof *placed);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("sonarqube-generic", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

/* A line that comes again: hit when one of them is, the larger numbers of branches; and what is too much is cut. */
static void lines_of_one_number_are_joined(void **state)
{
    (void)state;
    static const char text[] = OPEN "<lineToCover lineNumber=\"9\" covered=\"false\"/>"
                                    "<lineToCover lineNumber=\"4\" covered=\"true\" branchesToCover=\"4\" coveredBranches=\"1\"/>"
                                    "<lineToCover lineNumber=\"4\" covered=\"false\" branchesToCover=\"2\" coveredBranches=\"5\"/>" END;
    assay_profile *p = NULL;
    assay_coverage_counts n;
    assert_int_equal(assay_read_memory(text, strlen(text), "text", NULL, &p, NULL), 0);
    assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
    assert_int_equal(n.lines, 2);
    assert_int_equal(n.lines_hit, 1);
    assert_int_equal(n.branches, 4);
    assert_int_equal(n.branches_hit, 2);
    assert_int_equal(assay_profile_coverage(p)->line_flags[0], ASSAY_COVERAGE_ONLY_HIT);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(lines_of_one_number_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
