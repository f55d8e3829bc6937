/* Planted defects for the rules of pstats files, bytes that are nearly wrong but are not, and what the strings of both Pythons become. */
#include "../planted.h"

#define KEY                                                                                                                                                    \
    "\xa9\x03\xfa\x04"                                                                                                                                         \
    "a.py\xe9\x01\0\0\0\xda\x01"                                                                                                                               \
    "f" /* references 0 to 3: the key, its file, line and name */
#define FIGURES ")\x05i\x01\0\0\0i\x02\0\0\0g\0\0\0\0\0\0\xe0?g\0\0\0\0\0\0\xf0?"
#define CALLER "r\0\0\0\0)\x04i\x02\0\0\0i\x01\0\0\0g\0\0\0\0\0\0\xe0?g\0\0\0\0\0\0\xf0?"
#define FUNCTION KEY FIGURES "{" CALLER "0"
#define OFF_FIGURES 17

struct bytes {
    const char *rule;
    int severity;
    const char *data;
    size_t len;
    uint64_t off;
};
#define B(rule, severity, text, off)                                                                                                                           \
    {                                                                                                                                                          \
        rule, severity, text, sizeof(text) - 1, off                                                                                                            \
    }

static const struct bytes defects[] = {
    B("PS01", E, "{" FUNCTION, 1 + sizeof(FUNCTION) - 1),
    B("PS01", E, "{" KEY FIGURES "{r\0\0", 1 + sizeof(KEY FIGURES "{r\0\0") - 1),
    B("PS02", E,
      "[\x01\0\0\0"
      "0",
      0),
    B("PS02", E, "N", 0),
    B("PS03", E, "{\x7f\x03", 1),
    B("PS04", E, "{r\xf4\x01\0\0N0", 1),
    B("PS04", E, "{" FUNCTION "R\x01\0\0\0", 1 + sizeof(FUNCTION) - 1),
    B("PS05", E,
      "{(\xff\xff\xff\xff"
      "0",
      2),
    B("PS05", E,
      "{(\x03\xff\0\0"
      "0",
      2),
    B("PS06", E,
      "{)\x03z\x01"
      "al\x06\0\0\0\1\0\1\0\1\0\1\0\1\0\1\0z\x01"
      "f",
      6),
    B("PS06", E,
      "{)\x03z\x01"
      "ai\1\0\0\0z\x01"
      "f)\x05i\1\0\0\0i\1\0\0\0f\x02"
      "xy",
      26),
    B("PS07", E,
      "{)\x02z\x01"
      "ai\1\0\0\0"
      "0",
      1),
    B("PS07", E,
      "{)\x03z\x01"
      "ai\xff\xff\xff\xffz\x01"
      "f",
      6),
    B("PS07", E,
      "{" KEY ")\x04i\x01\0\0\0i\x01\0\0\0i\0\0\0\0i\0\0\0\0"
      "0",
      OFF_FIGURES),
    B("PS07", E, "{" KEY FIGURES "N0", OFF_FIGURES + sizeof(FIGURES) - 1),
    B("PS07", E,
      "{" KEY ")\x05i\x01\0\0\0i\x01\0\0\0g\0\0\0\0\0\0\xf0\x7fg\0\0\0\0\0\0\xf0?{0"
      "0",
      OFF_FIGURES + 12),
    B("PS08", W, "{" FUNCTION "0more", 1 + sizeof(FUNCTION) - 1 + 1),
    B("PS09", W,
      "{" KEY ")\x05i\x03\0\0\0i\x02\0\0\0g\0\0\0\0\0\0\xe0?g\0\0\0\0\0\0\xf0?{0"
      "0",
      1),
    B("PS10", W,
      "{" KEY ")\x05i\x01\0\0\0i\x02\0\0\0g\0\0\0\0\0\0\xe0\xbfg\0\0\0\0\0\0\xf0?{0"
      "0",
      1),
};
static const struct bytes sound[] = {
    B("PS01", E, "{" FUNCTION "0", 0),
    B("PS02", E,
      "\xfb"
      "0",
      0),
    B("PS03", E,
      "{(\x03\0\0\0s\x01\0\0\0at\x01\0\0\0fR\0\0\0\0"
      "0",
      0), /* wrong, but every code is known */
    B("PS04", E, "{" FUNCTION "0", 0),
    B("PS05", E,
      "{(\x03\0\0\0u\x01\0\0\0ai\1\0\0\0a\x01\0\0\0f" FIGURES "{0"
      "0",
      0),
    B("PS06", E,
      "{)\x03z\x01"
      "al\x04\0\0\0\1\0\0\0\0\0\0\0z\x01"
      "f)\x05I\1\0\0\0\0\0\0\0i\1\0\0\0f\x03"
      "0.5f\x01"
      "1{0"
      "0",
      0),
    B("PS07", E,
      "{" KEY ")\x05i\x01\0\0\0i\x01\0\0\0i\0\0\0\0r\2\0\0\0{r\0\0\0\0i\2\0\0\0"
      "0"
      "0",
      0),
    B("PS08", W, "{" FUNCTION "0", 0),
    B("PS09", W, "{" FUNCTION "0", 0),
    B("PS10", W, "{" FUNCTION "0", 0),
};
enum { DEFECTS = sizeof defects / sizeof *defects, SOUND = sizeof sound / sizeof *sound };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    for (size_t i = 0; i < DEFECTS; i++) {
        struct checked c;
        check_text(&c, "pstats", defects[i].data, defects[i].len);
        const assay_finding *f = found_rule(&c, defects[i].rule);
        if (!f) fail_msg("defect %zu: no %s", i, defects[i].rule);
        assert_int_equal(f->severity, defects[i].severity);
        if (f->offset != defects[i].off)
            fail_msg("defect %zu: %s at %llu, not %llu", i, f->rule, (unsigned long long)f->offset, (unsigned long long)defects[i].off);
        check_done(&c);
    }
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < SOUND; i++) {
        struct checked c;
        check_text(&c, "pstats", sound[i].data, sound[i].len);
        const assay_finding *f = found_rule(&c, sound[i].rule);
        if (f) fail_msg("near miss %zu: %s at %llu: %s", i, f->rule, (unsigned long long)f->offset, f->message);
        check_done(&c);
    }
}

static void figures_of_callers_are_those_of_calls(void **state)
{
    (void)state;
    static const char file[] = "{" FUNCTION "0";
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(file, sizeof file - 1, "f", NULL, &p, NULL), 0);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_string_equal(assay_profile_format(p), "pstats");
    assert_int_equal(g->arc_count, 1);
    assert_int_equal(g->arc_calls[0], 2);
    assert_true(g->arc_total[0].d == 1.0);
    assert_int_equal(g->stated_calls[0], 2);
    assert_true(g->stated_total[0].d == 1.0 && g->sum_self[0].d == 0.5);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(figures_of_callers_are_those_of_calls),
    };
    return cmocka_run_group_tests_name("pstats", tests, NULL, NULL);
}
