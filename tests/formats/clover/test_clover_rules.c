/* Planted defects for the rules of Clover, texts that are nearly wrong but are not, and what the two counts of a condition mean. */
#include "../planted.h"

#define ROOT "<coverage clover=\"4.3\" generated=\"1\">\n<project name=\"p\">\n"
#define ISTANBUL "<coverage clover=\"3.2.0\" generated=\"1\">\n<project name=\"All files\">\n"
#define FILE_ "<file name=\"a\" path=\"a.c\">\n"
#define OPEN ROOT FILE_
#define END "</file></project></coverage>\n"
#define METRICS "<metrics statements=\"2\" coveredstatements=\"1\" conditionals=\"2\" coveredconditionals=\"1\" methods=\"1\" coveredmethods=\"0\"/>\n"
#define LINES                                                                                                                                                  \
    "<line num=\"2\" type=\"method\" name=\"f\" count=\"0\"/>\n<line num=\"3\" type=\"stmt\" count=\"0\"/>\n<line num=\"4\" type=\"cond\" truecount=\"5\" "    \
    "falsecount=\"0\"/>\n"
#define SOUND OPEN METRICS LINES END

static const struct defect defects[] = {
    { "X-1", E, OPEN LINES "@</coverage>\n" },
    { "X-2", E, "<!DOCTYPE coverage [\n@<!ENTITY a 'b'>]>\n" SOUND },
    { "X-3", E, "@<report clover=\"1\"/>\n" },
    { "CL-1", W, OPEN "@<metrics statements=\"3\" coveredstatements=\"1\"/>\n" LINES END },
    { "CL-1", W, OPEN "@<metrics conditionals=\"2\" coveredconditionals=\"2\"/>\n" LINES END },
    { "CL-1", W, OPEN "@<metrics methods=\"1\" coveredmethods=\"1\"/>\n" LINES END },
    { "CL-2", E, OPEN "@<line num=\"4\" count=\"1\"/>\n" END },
    { "CL-3", I, OPEN "@<line num=\"4\" type=\"cond\" count=\"5\" truecount=\"5\" falsecount=\"1\"/>\n" END },
    { "CL-4", I, ROOT "@<file name=\"a.c\">\n" LINES END },
    { "CL-5", E, ROOT "@<file>\n" LINES END },
};
static const struct placed placed[] = {
    { "CL-2", E, OPEN "<line num=\"4\" type=\"branch\" count=\"1\"/>" END, "type" },
    { "CL-6", W, OPEN "<line num=\"0\" type=\"stmt\" count=\"1\"/>" END, "num" },
    { "X-4", E, OPEN "<line num=\"x\" type=\"stmt\" count=\"1\"/>" END, "num" },
    { "X-4", E, OPEN "<line num=\"4\" type=\"stmt\"/>" END, "<line" },
    { "X-4", E, ISTANBUL FILE_ "<line num=\"4\" type=\"cond\" count=\"1\" truecount=\"4294967296\" falsecount=\"1\"/>" END, "truecount" },
    { "X-5", W, OPEN "<line num=\"4\" type=\"stmt\" count=\"-1\"/>" END, "count=\"-1" },
};
static const struct defect near_misses[] = {
    { "X-1", E, SOUND },           { "X-2", E, "<!DOCTYPE coverage SYSTEM \"x.dtd\">\n" SOUND },
    { "X-3", E, SOUND },           { "CL-1", W, SOUND },
    { "CL-1", W, OPEN LINES END }, { "CL-1", W, OPEN "<class name=\"A\"><metrics statements=\"9\"/></class>" METRICS LINES END },
    { "CL-2", E, SOUND },          { "CL-3", I, SOUND },
    { "CL-4", I, SOUND },          { "CL-5", E, ROOT "<file name=\"a.c\">\n" LINES END },
    { "CL-6", W, SOUND },
};
static const char *const rules[] = { "X-1", "X-2", "X-3", "CL-1", "CL-2", "CL-3", "CL-4", "CL-5", NULL };

enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("clover", defects, DEFECTS);
    each_defect_is_found_at("clover", placed, sizeof placed / sizeof *placed);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("clover", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

static assay_profile *profile_of(const char *text)
{
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, strlen(text), "text", NULL, &p, NULL), 0);
    return p;
}

static void counts_of_a_condition_are_times_or_branches(void **state)
{
    (void)state;
    static const char *const texts[] = { OPEN "<line num=\"4\" type=\"cond\" truecount=\"3\" falsecount=\"1\"/>" END,
                                         ISTANBUL FILE_ "<line num=\"4\" type=\"cond\" count=\"7\" truecount=\"3\" falsecount=\"1\"/>" END };
    static const uint64_t want[][3] = { { 4, 2, 2 }, { 7, 3, 4 } };
    for (int i = 0; i < 2; i++) {
        assay_profile *p = profile_of(texts[i]);
        const struct assay_coverage *c = assay_profile_coverage(p);
        assert_int_equal(c->line_hits[0], want[i][0]);
        assert_int_equal(c->sum_hit[0], want[i][1]);
        assert_int_equal(c->sum_total[0], want[i][2]);
        assay_profile_release(p);
    }
}

/* A statement and a condition of one line: the larger count. Methods are functions and no lines. */
static void rows_of_one_line_are_joined(void **state)
{
    (void)state;
    assay_profile *p = profile_of(OPEN "<line num=\"4\" type=\"stmt\" count=\"9\"/><line num=\"4\" type=\"cond\" truecount=\"2\" falsecount=\"2\"/>"
                                       "<line num=\"3\" type=\"method\" signature=\"g()\" count=\"8\"/>" END);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(c->line_count, 1);
    assert_int_equal(c->line_hits[0], 9);
    assert_int_equal(c->func_count, 1);
    assert_int_equal(c->func_calls[0], 8);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(counts_of_a_condition_are_times_or_branches),
        cmocka_unit_test(rows_of_one_line_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
