/* Planted defects for the rules of gcov's texts, and texts that are nearly wrong but are not. */
#include "../planted.h"

#define S "        -:    0:Source:a.c\n"
#define ROW "        3:    7:x\n"
#define F "file:a.c\n"

static const struct defect text_defects[] = {
    { "GT-1", E, S "@hello\n" ROW },
    { "GT-1", E, "@        3:    7:x\n" },
    { "GT-1", E, S ROW "@branch  0 taken x\n" },
    { "GT-1", E, S ROW "@branch  x taken 1\n" },
    { "GT-1", E, S "@branch  0 taken 1\n" ROW },
    { "GT-1", E, S "@function f called\n" ROW },
    { "GT-1", E, S "@function f called x returned 1%\n" ROW },
    { "GT-1", E, S "@        x:    7:x\n" ROW },
    { "GT-1", E, S "@        3:99999999999:x\n" ROW },
    { "GT-1", E, S "@        -:    0:hello\n" ROW },
    { "GT-2", W, "@" S "        -:    0:Runs:1\n" },
    { "GT-3", I, "@" S ROW "branch  0 taken 50% (fallthrough)\n" },
    { "GT-4", W, S "@        3:    7:x\n------------------\nf:\n        1:    7:x\n------------------\ng:\n        1:    7:x\n------------------\n" },
    { "GT-5", W, S "@       -3:    7:x\n" },
    { "GT-5", W, S ROW "@branch  0 taken -1\n" },
};
static const struct defect text_near[] = {
    { "GT-1", E,
      S ROW
      "function f(int, int) const called 2 returned 100% blocks executed 75%\n    #####:    8:y: z:\n    =====:    9:\n     1.5k:   10:\n       2*:   11:x\n"
      "        1:   11-block  0\n    $$$$$:   11-block  1\nunconditional  0 taken 1\ncondition outcomes covered 1/4\ncondition  0 not covered (true)\n"
      "call    0 never executed\nbranch  1 never executed\n        -:   12:/*EOF*/\n" },
    { "GT-2", W, S "        -:    1:x\n" },
    { "GT-3", I, S ROW "branch  0 taken 50\ncall    0 returned 100%\n" },
    { "GT-4", W, S ROW "------------------\nf:\n        1:    7:x\n------------------\ng:\n        2:    7:x\n------------------\n    #####:    8:\n" },
    { "GT-5", W, S "        -:    7:x\n        0:    8:\n" },
};
static const struct defect other_defects[] = {
    { "GT-1", E, "@lcount:1,2\n" F },      { "GT-1", E, F "@lcount:1\n" },       { "GT-1", E, F "@lcount:x,1\n" },     { "GT-1", E, F "@lcount:1,x\n" },
    { "GT-1", E, F "@function:1,f\n" },    { "GT-1", E, F "@branch:1,maybe\n" }, { "GT-1", E, F "@hello\n" },          { "GT-5", W, F "@lcount:40,-2534\n" },
    { "GT-5", W, F "@function:1,-1,f\n" }, { "GT-6", W, F "@lcount:0,1\n" },     { "GT-6", W, F "@branch:0,taken\n" },
};
static const struct defect other_near[] = {
    { "GT-1", E,
      "version:8.1.0\ncwd:/b\n" F
      "function:1,3,2,f(int, int)\nfunction:4,2,g\nfunction:5,1,2\n\nlcount:1,2,1\nlcount:2,0,0\nbranch:2,notexec\nbranch:2,nottaken\n" },
    { "GT-5", W, F "lcount:40,0\nlcount:41,-0\n" },
    { "GT-6", W, F "lcount:1,0\nfunction:0,1,f\n" },
};

static const char *const text_rules[] = { "GT-1", "GT-2", "GT-3", "GT-4", "GT-5", NULL };
static const char *const other_rules[] = { "GT-1", "GT-5", "GT-6", NULL };

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("gcov-text", text_defects, COUNT(text_defects));
    each_defect_is_found_where_it_stands("gcov-intermediate", other_defects, COUNT(other_defects));
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("gcov-text", text_near, COUNT(text_near));
    near_misses_are_not_reported("gcov-intermediate", other_near, COUNT(other_near));
}

static void every_rule_has_a_defect_and_a_near_miss(void **state)
{
    (void)state;
    every_rule_is_there(text_rules, text_defects, COUNT(text_defects), text_near, COUNT(text_near));
    every_rule_is_there(other_rules, other_defects, COUNT(other_defects), other_near, COUNT(other_near));
}

/* Counts by the rules of docs/formats/gcov.md. */
static void percentages_and_sections_are_counted(void **state)
{
    (void)state;
    static const char text[] =
        S "        2:    7:x\n------------------\nf:\nfunction f called 1 returned 100% blocks executed 100%\n        1:    7:x\nbranch  0 taken 50%\n"
          "branch  1 taken 0%\n------------------\ng:\nfunction g called 1 returned 100% blocks executed 100%\n        1:    7:x\nbranch  0 taken 50%\n"
          "branch  1 taken 0%\n------------------\n";
    assay_profile *p = NULL;
    assay_coverage_counts n;
    struct assay_read_options o = { .format = "gcov-text" };
    assert_int_equal(assay_read_memory(text, sizeof text - 1, "text", &o, &p, NULL), 0);
    assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
    assert_int_equal(n.lines, 1);
    assert_int_equal(n.functions, 2);
    assert_int_equal(n.branches, 4);
    assert_int_equal(n.branches_hit, 2);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(every_rule_has_a_defect_and_a_near_miss),
        cmocka_unit_test(percentages_and_sections_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
