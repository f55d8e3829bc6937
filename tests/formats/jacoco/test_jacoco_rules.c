/* Planted defects for the rules of JaCoCo XML, texts that are nearly wrong but are not, and which file a class is in. */
#include "../planted.h"

#define OPEN "<report name=\"r\">\n<package name=\"a/b\">\n"
#define METHOD(line) "<method name=\"f\" desc=\"()V\"" line "><counter type=\"METHOD\" missed=\"0\" covered=\"1\"/></method>\n"
#define CLASS "<class name=\"a/b/C\" sourcefilename=\"C.java\">\n" METHOD(" line=\"3\"") "</class>\n"
#define SOURCE "<sourcefile name=\"C.java\">\n"
#define LINES "<line nr=\"3\" mi=\"0\" ci=\"4\" mb=\"0\" cb=\"0\"/>\n<line nr=\"4\" mi=\"2\" ci=\"1\" mb=\"1\" cb=\"1\"/>\n<line nr=\"5\" mi=\"2\" ci=\"0\"/>\n"
#define END "</sourcefile></package></report>\n"
#define COUNTED(counter) OPEN CLASS SOURCE LINES "</sourcefile></package>\n" counter "</report>\n"
#define COUNTER(type, missed, covered) "<counter type=\"" type "\" missed=\"" missed "\" covered=\"" covered "\"/>\n"
#define TRUE_ COUNTER("INSTRUCTION", "4", "5") COUNTER("BRANCH", "1", "1") COUNTER("LINE", "1", "2") COUNTER("METHOD", "0", "1") COUNTER("CLASS", "7", "7")
#define SOUND COUNTED(TRUE_)

static const struct defect defects[] = {
    { "X-1", E, OPEN SOURCE LINES "@</package></report>\n" },
    { "X-2", E, "<!DOCTYPE report [\n@<!ENTITY a 'b'>]>\n" SOUND },
    { "X-3", E, "@<coverage/>\n" },
    { "JX-1", W, COUNTED("@" COUNTER("INSTRUCTION", "4", "6")) },
    { "JX-1", W, COUNTED("@" COUNTER("BRANCH", "0", "2")) },
    { "JX-1", W, COUNTED("@" COUNTER("LINE", "2", "1")) },
    { "JX-1", W, COUNTED("@" COUNTER("METHOD", "1", "1")) },
    { "JX-2", W, OPEN "@<class name=\"a/b/X\">\n</class>\n" SOURCE LINES "</sourcefile><sourcefile name=\"D.java\">" END },
    { "JX-3", I, OPEN "<class name=\"a/b/C\">\n@" METHOD("") "</class>\n" SOURCE LINES END },
    { "JX-4", W, OPEN "@" SOURCE "<line nr=\"3\"/>\n" LINES END },
    { "JX-5", I, OPEN SOURCE LINES "@" COUNTER("LINE", "2", "1") END },
    { "JX-7", E, "<report>\n<package>\n@<sourcefile>\n" LINES END },
    { "JX-7", E, "<report>\n<package>\n@<class/>\n</package></report>\n" },
};
static const struct placed placed[] = {
    { "JX-6", W, OPEN SOURCE "<line nr=\"0\" mi=\"0\" ci=\"1\"/>" END, "nr=" },
    { "X-4", E, OPEN SOURCE "<line nr=\"x\" mi=\"0\" ci=\"1\"/>" END, "nr=" },
    { "X-4", E, OPEN SOURCE "<line mi=\"0\" ci=\"1\"/>" END, "<line" },
    { "X-4", E, OPEN SOURCE "<line nr=\"3\" mi=\"0\" ci=\"2147483648\"/>" END, "ci=" },
    { "X-4", E, COUNTED("<counter type=\"LINE\" missed=\"1\"/>\n"), "<counter type=\"LINE" },
    { "X-5", W, OPEN SOURCE "<line nr=\"3\" mi=\"-1\" ci=\"1\"/>" END, "mi=" },
};
static const struct defect near_misses[] = {
    { "X-1", E, SOUND },
    { "X-2", E, "<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">\n" SOUND },
    { "X-3", E, SOUND },
    { "JX-1", W, SOUND },
    { "JX-1", W, OPEN SOURCE "<line nr=\"3\"/>" LINES "</sourcefile></package>" COUNTER("LINE", "9", "9") COUNTER("BRANCH", "1", "1") "</report>" },
    { "JX-2", W, OPEN "<class name=\"a/b/X\"></class>\n" SOURCE LINES END },
    { "JX-3", I, SOUND },
    { "JX-4", W, OPEN SOURCE "<line nr=\"9\" ci=\"1\"/>\n" END },
    { "JX-5", I, OPEN SOURCE LINES COUNTER("LINE", "1", "2") COUNTER("METHOD", "9", "9") END },
    { "JX-6", W, SOUND },
    { "JX-7", E, "<report><package>" SOURCE LINES END },
};
static const char *const rules[] = { "X-1", "X-2", "X-3", "JX-1", "JX-2", "JX-3", "JX-4", "JX-5", "JX-7", NULL };

enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("jacoco", defects, DEFECTS);
    each_defect_is_found_at("jacoco", placed, sizeof placed / sizeof *placed);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("jacoco", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

static assay_profile *profile_of(const char *text)
{
    struct assay_read_options o = { .format = "jacoco" };
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, strlen(text), "text", &o, &p, NULL), 0);
    return p;
}

static void lines_have_state_branches_and_instructions(void **state)
{
    (void)state;
    assay_profile *p = profile_of(OPEN SOURCE "<line nr=\"2\" cb=\"1\" mb=\"1\"/>" LINES END);
    const struct assay_coverage *c = assay_profile_coverage(p);
    static const uint8_t flags[] = { ASSAY_COVERAGE_ONLY_HIT | ASSAY_COVERAGE_UNKNOWN, ASSAY_COVERAGE_ONLY_HIT,
                                     ASSAY_COVERAGE_ONLY_HIT | ASSAY_COVERAGE_PARTIAL, ASSAY_COVERAGE_ONLY_HIT };
    static const uint64_t hits[] = { 1, 1, 1, 0 };
    assert_int_equal(c->line_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(c->line_flags[i], flags[i]);
        assert_int_equal(c->line_hits[i], hits[i]);
    }
    assert_int_equal(c->sum_count, 5);
    assert_int_equal(c->sum_hit[1], 4);
    assay_profile_release(p);
}

/* By sourcefilename; by the outermost name, also of Kotlin's files; the only one; none. */
static void a_class_finds_its_file(void **state)
{
    (void)state;
#define OF(name, source) "<class name=\"" name "\"" source ">" METHOD("") "</class>"
    assay_profile *p =
        profile_of("<report><package name=\"p\">" OF("p/A", " sourcefilename=\"B.java\"") OF("p/A$1", "") OF("p/BKt", "")
                       OF("p/Z", "") "<sourcefile name=\"A.java\"/><sourcefile name=\"B.java\"/><sourcefile name=\"B.kt\"/></package>"
                                     "<package name=\"\">" OF("Y", " sourcefilename=\"gone.java\"") "<sourcefile name=\"only.java\"/></package></report>");
    static const char *const want[] = { "p/B.java", "p/A.java", "p/B.java", NULL, "only.java" };
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(c->func_count, 5);
    for (int i = 0; i < 5; i++) {
        uint32_t file = assay_profile_funcs(p)->file[c->func[i].v].v;
        assert_int_equal(file != 0, want[i] != NULL);
        if (want[i]) assert_true(slice_is(assay_profile_string(p, assay_profile_files(p)->path[file]), want[i]));
    }
    assay_profile_release(p);
}

/* No document type allows it; the classes of the outer package are forgotten by then. */
static void a_package_inside_a_class_is_none_of_the_class(void **state)
{
    (void)state;
    assay_profile *p = profile_of("<report><package name=\"p\"><class name=\"p/A\"><package name=\"q\"><counter type=\"LINE\" missed=\"1\" covered=\"1\"/>"
                                  "<method name=\"m\" desc=\"()V\"/></package></class></package></report>");
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(c->stated_count, 1);
    assert_true(slice_is(assay_profile_string(p, c->stated_scope[0]), "package q"));
    assert_int_equal(c->func_count, 0);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(lines_have_state_branches_and_instructions),
        cmocka_unit_test(a_class_finds_its_file),
        cmocka_unit_test(a_package_inside_a_class_is_none_of_the_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
