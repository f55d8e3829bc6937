/* Planted defects for the rules of Cobertura, texts that are nearly wrong but are not, and how rows of one line are joined. */
#include "../planted.h"

#define ROOT "<coverage line-rate=\"0.5\" lines-valid=\"2\" lines-covered=\"1\" branches-valid=\"2\" branches-covered=\"1\" branch-rate=\"0.5\">\n"
#define SOURCES "<sources><source>/s</source></sources>\n"
#define OPEN SOURCES "<packages><package name=\"p\"><classes>\n"
#define CLASS "<class name=\"a\" filename=\"a.c\">\n"
#define LINES "<methods/><lines>\n<line number=\"1\" hits=\"3\" branch=\"true\" condition-coverage=\"50% (1/2)\"/>\n<line number=\"2\" hits=\"0\"/>\n</lines>\n"
#define END "</class>\n</classes></package></packages></coverage>\n"
#define WITH(line) ROOT OPEN CLASS "<lines>\n" line "</lines>" END
#define SOUND ROOT OPEN CLASS LINES END

static const struct defect defects[] = {
    { "X-1", E, ROOT OPEN CLASS "<lines>\n@</class>\n" },
    { "X-1", E, "<coverage>\n@" },
    { "X-2", E, "<!DOCTYPE coverage [\n@<!ENTITY a 'b'>]>\n" SOUND },
    { "X-3", E, "@<report></report>\n" },
    { "CB-4", W, "@<coverage lines-valid=\"3\">\n" OPEN CLASS LINES END },
    { "CB-4", W, "@<coverage branches-covered=\"2\">\n" OPEN CLASS LINES END },
    { "CB-5", W, "@<coverage line-rate=\"0.51\">\n" OPEN CLASS LINES END },
    { "CB-6", I, "@<coverage line-rate=\"0.5\">\n<packages><package><classes>\n" CLASS LINES END },
    { "CB-7", I, "@" ROOT SOURCES OPEN CLASS LINES END },
    { "CB-8", I, ROOT OPEN "@<class filename=\"b.c\"><methods/><lines/></class>\n" CLASS LINES END },
    { "CB-9", I, WITH("@<line number=\"2\" hits=\"1\" branch=\"true\"/>\n") },
    { "CB-10", W, ROOT OPEN CLASS "<methods><method name=\"f\"><lines>\n@<line number=\"9\" hits=\"1\"/>\n</lines></method></methods>\n" LINES END },
    { "CB-11", E, ROOT OPEN "@<class name=\"a\">\n" LINES END },
};
/* Attributes are found where they begin, which need not be the start of a line. */
static const struct placed placed[] = {
    { "X-4", E, WITH("<line number=\"two\" hits=\"1\"/>\n"), "number=\"two" },
    { "X-4", E, WITH("<line number=\"2\" hits=\"NaN\"/>\n"), "hits=\"NaN" },
    { "X-4", E, WITH("<line hits=\"1\"/>\n"), "<line hits" },
    { "X-4", E, WITH("<line number=\"2147483648\" hits=\"1\"/>\n"), "number=\"2147483648" },
    { "X-5", W, WITH("<line number=\"2\" hits=\"-3\"/>\n"), "hits=\"-3" },
    { "CB-1", W, WITH("<line number=\"0\" hits=\"1\"/>\n"), "number=\"0" },
    { "CB-2", W, WITH("<line number=\"2\" hits=\"1\" branch=\"true\" condition-coverage=\"150% (3/2)\"/>\n"), "condition-coverage" },
    { "CB-2", W, WITH("<line number=\"2\" hits=\"1\" branch=\"true\" condition-coverage=\"-50% (-1/2)\"/>\n"), "condition-coverage" },
    { "CB-2", W, WITH("<line number=\"2\" hits=\"1\" branch=\"true\" condition-coverage=\"0% (0/0)\"/>\n"), "condition-coverage" },
    { "CB-3", W, WITH("<line number=\"2\" hits=\"1\" branch=\"true\" condition-coverage=\"90% (1/2)\"/>\n"), "condition-coverage" },
};

static const struct defect near_misses[] = {
    { "X-1", E, SOUND },
    { "X-2", E, "<!DOCTYPE coverage SYSTEM \"http://example.org/coverage-04.dtd\">\n" SOUND },
    { "X-3", E, "<!-- <report> -->\n" SOUND },
    { "X-4", E, WITH("<line number=\"2\" hits=\"1.0\"/>\n<line number=\"2147483647\" hits=\"18446744073709551616\"/>\n") },
    { "X-5", W, WITH("<line number=\"2\" hits=\"0\"/>\n") },
    { "CB-1", W, WITH("<line number=\"1\" hits=\"1\"/>\n") },
    { "CB-2", W, WITH("<line number=\"2\" hits=\"1\" branch=\"True\" condition-coverage=\"100% (2/2)\"/>\n") },
    { "CB-3", W, WITH("<line number=\"2\" hits=\"1\" branch=\"true\" condition-coverage=\"33.3% (1/3)\"/>\n") },
    { "CB-4", W, "<coverage lines-valid=\"2.0\" branches-valid=\"2\">\n" OPEN CLASS LINES END },
    { "CB-5", W, "<coverage line-rate=\"0.50005\">\n" OPEN CLASS LINES END },
    { "CB-6", I, SOUND },
    { "CB-7", I, SOUND },
    { "CB-8", I, SOUND },
    { "CB-9", I, WITH("<line number=\"2\" hits=\"1\" branch=\"true\"><conditions><condition coverage=\"0\"/></conditions></line>\n") },
    { "CB-10", W, ROOT OPEN CLASS "<methods><method name=\"f\"><lines><line number=\"9\" hits=\"1\"/></lines></method></methods>" END },
    { "CB-11", E, SOUND },
};
static const char *const rules[] = { "X-1", "X-2", "X-3", "CB-4", "CB-5", "CB-6", "CB-7", "CB-8", "CB-9", "CB-10", "CB-11", NULL };

enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("cobertura", defects, DEFECTS);
}

static void attributes_are_found_where_they_begin(void **state)
{
    (void)state;
    each_defect_is_found_at("cobertura", placed, sizeof placed / sizeof *placed);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("cobertura", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

static void too_deep_odd_encodings_and_document_types_are_named(void **state)
{
    (void)state;
    char text[4096] = "<coverage>";
    struct checked c;
    for (int i = 0; i < 64; i++) strcat(text, "<a>");
    check_text(&c, "cobertura", text, strlen(text));
    assert_non_null(found_rule(&c, "X-6"));
    assert_int_equal(found_rule(&c, "X-6")->offset, 10 + 63 * 3);
    check_done(&c);
    snprintf(text, sizeof text, "<?xml version=\"1.0\" encoding=\"UTF-16\"?><!DOCTYPE coverage SYSTEM \"x.dtd\"><coverage/>");
    check_text(&c, "cobertura", text, strlen(text));
    assert_int_equal(found_rule(&c, "X-7")->offset, 30);
    assert_int_equal(found_rule(&c, "X-8")->severity, I);
    check_done(&c);
    check_text(&c, "cobertura", SOUND, strlen(SOUND));
    assert_null(found_rule(&c, "X-6"));
    assert_null(found_rule(&c, "X-7"));
    assert_null(found_rule(&c, "X-8"));
    check_done(&c);
}

static assay_profile *profile_of(const char *text)
{
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, strlen(text), "text", NULL, &p, NULL), 0);
    return p;
}

/* One class: the larger of a line's rows. Several classes of a file: counts are added, branches are the larger. */
static void rows_of_one_line_are_joined(void **state)
{
    (void)state;
    assay_profile *p = profile_of(ROOT OPEN CLASS "<lines><line number=\"5\" hits=\"2\"/><line number=\"3\" hits=\"1\"/>"
                                                  "<line number=\"5\" hits=\"7\" branch=\"true\" condition-coverage=\"50% (1/2)\"/></lines></class>" CLASS
                                                  "<lines><line number=\"5\" hits=\"10\" branch=\"true\" condition-coverage=\"50% (2/4)\"/></lines>" END);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assay_coverage_counts n;
    assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
    assert_int_equal(n.lines, 2);
    assert_int_equal(n.branches, 4);
    assert_int_equal(n.branches_hit, 2);
    assert_int_equal(c->line_count, 3);
    assert_int_equal(c->line_hits[1], 7);
    assert_int_equal(c->line_hits[2], 10);
    assay_profile_release(p);
}

static void methods_are_functions_and_lend_their_lines(void **state)
{
    (void)state;
    assay_profile *p =
        profile_of(ROOT OPEN CLASS "<methods><method name=\"f\" signature=\"(I)V\"><lines><line number=\"8\" hits=\"2\"/><line number=\"7\" hits=\"4\"/>"
                                   "</lines></method><method name=\"g\" hits=\"9\"><lines><line number=\"11\" hits=\"1\"/></lines></method></methods>" END);
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    assert_int_equal(c->func_count, 2);
    assert_int_equal(c->func_calls[0], 4);
    assert_int_equal(f->first_line[c->func[0].v], 7);
    assert_memory_equal(assay_profile_string(p, f->name[c->func[0].v]).data, "f(I)V", 5);
    assert_int_equal(c->func_calls[1], 9);
    assert_int_equal(c->line_count, 3);
    assay_profile_release(p);
}

static void what_stands_before_a_cut_is_read(void **state)
{
    (void)state;
    assay_profile *p = profile_of(ROOT OPEN CLASS "<lines><line number=\"5\" hits=\"2\"/><line numb");
    size_t count;
    assert_int_equal(assay_profile_coverage(p)->line_count, 1);
    assert_string_equal(assay_profile_warnings(p, &count)[0].rule, "X-1");
    assert_int_equal(count, 1);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(attributes_are_found_where_they_begin),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(too_deep_odd_encodings_and_document_types_are_named),
        cmocka_unit_test(rows_of_one_line_are_joined),
        cmocka_unit_test(methods_are_functions_and_lend_their_lines),
        cmocka_unit_test(what_stands_before_a_cut_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
