/* Planted defects for the rules of gprof's text, texts that are nearly wrong but are not, and what the lines become. */
#include "../planted.h"

#include "base/slice.h"

#define FLAT                                                                                                                                                   \
    "Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %   cumulative   self              self     total           \n"                                   \
    " time   seconds   seconds    calls  ms/call  ms/call  name    \n"
#define GRAPH "\t\t\tCall graph\n\n\nindex % time    self  children    called     name\n"
#define ROW " 75.00      0.03     0.03       10     3.00     4.00  f(int, char)\n"
#define ROW2 " 25.00      0.04     0.01                             main\n"
#define RULE "-----------------------------------------------\n"
#define MAIN                                                                                                                                                   \
    "                                                 <spontaneous>\n[1]    100.0    0.01    0.03                 main [1]\n"                                  \
    "                0.03    0.00      10/10          f(int, char) [2]\n" RULE
#define F "                0.03    0.00      10/10          main [1]\n[2]     75.0    0.03    0.00      10         f(int, char) [2]\n" RULE

static const struct defect defects[] = {
    { "GP01", E, "@" FLAT },
    { "GP01", E, "@" GRAPH "\n" },
    { "GP02", E, FLAT ROW "@ 60.00      0.06" },
    { "GP02", E, FLAT "@ 75.00      0.03     0.03       10     3.00\n" ROW },
    { "GP02", E, FLAT "@ 75.00      0.03     nan       10     3.00     4.00  f\n" ROW },
    { "GP02", E, FLAT "@ 75.00      0.03     0.03       10     3.00     4.00  \n" ROW },
    { "GP03", E, GRAPH MAIN "                0.03    0.00      10/10          main [1]\n@[2]     75.0    0.03    0.00      1x         f [2]\n" RULE },
    { "GP03", E, GRAPH MAIN "@                0.03    0.00      10/10          main [1]\n" RULE },
    { "GP03", E, GRAPH "[1]    100.0    0.01    0.03                 main [1]\n@                0.03    0.00      10-10          f [2]\n" RULE },
    { "GP03", E, GRAPH MAIN "@[2]     75.0    0.03    0.00      10         f\n" RULE },
    { "GP04", E, GRAPH MAIN "@                0.03    0.00      10/10          main [1]\n[2]     75.0    0.03    0.00      10         f(int, char) [2]\n" },
    { "GP04", E, GRAPH "@[1]    100.0    0.01    0.03                 main [1]\n\f\nIndex by function name\n" },
    { "GP05", W, FLAT "@ 75.00      0.03     0.03 18446744073709551616     3.00     4.00  f\n" },
    { "GP06", W, GRAPH "[1]    100.0    0.01    0.03                 main [1]\n@                0.03    0.00      11/10          f [2]\n" RULE },
    { "GP07", W, FLAT ROW "@ 25.00      0.09     0.01                             main\n" },
    { "GP08", W, GRAPH "@                0.03    0.00      10/10          main [1]\n[2]     75.0    0.03    0.00      12         f [2]\n" RULE },
};
static const struct defect near_misses[] = {
    { "GP01", E, FLAT ROW },
    { "GP02", E, FLAT ROW ROW2 },
    { "GP02", E, FLAT ROW "\n60.00 is no row\n" },
    { "GP03", E, GRAPH MAIN F "\n This table describes the call tree of the program\n" },
    { "GP03", E,
      GRAPH MAIN "                                  20             g <cycle 1> [3]\n[10000  0.0    0.00    0.00      1+20    g <cycle 1> [10000]\n" RULE },
    { "GP04", E, GRAPH MAIN F },
    { "GP05", W, FLAT " 75.00      0.03     0.03 18446744073709551614     3.00     4.00  f\n" },
    { "GP06", W, GRAPH MAIN F },
    { "GP07", W, FLAT ROW " 25.00      0.05     0.01                             main\n" }, /* rounded, each by half of a hundredth */
    { "GP08", W, GRAPH "                0.03    0.00       5/5           main [1]\n[2]     75.0    0.03    0.00      12         f <cycle 1> [2]\n" RULE },
};
static const char *const rules[] = { "GP01", "GP02", "GP03", "GP04", "GP05", "GP06", "GP07", "GP08", NULL };
enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("gprof-text", defects, DEFECTS);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("gprof-text", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

/* ---- what lines become ---- */

static assay_profile *profile_of(const char *text)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    if (assay_read_memory(text, strlen(text), "text", NULL, &p, &err)) fail_msg("%s, of:\n%s", err.text, text);
    assert_string_equal(assay_profile_format(p), "gprof-text");
    return p;
}

struct figures {
    double self, total;
    uint64_t calls;
};

static struct figures figures_of(const assay_profile *p, const char *name)
{
    assay_top *top = NULL;
    struct figures f = { -1, -1, 0 };
    assert_int_equal(assay_top_new(p, &top, NULL), 0);
    for (uint32_t i = 0; i < top->count; i++)
        if (slice_is(assay_profile_string(p, assay_profile_funcs(p)->name[top->func[i].v]), name))
            f = (struct figures){ top->self[i].d, top->total[i].d, top->calls[i] };
    assay_top_free(top);
    return f;
}

static void expect(const char *text, const char *name, double self, double total, uint64_t calls)
{
    assay_profile *p = profile_of(text);
    struct figures f = figures_of(p, name);
    if (f.self != self || f.total != total || f.calls != calls)
        fail_msg("%s: %g %g %llu, not %g %g %llu, of:\n%s", name, f.self, f.total, (unsigned long long)f.calls, self, total, (unsigned long long)calls, text);
    assay_profile_release(p);
}

static void a_flat_profile_has_totals_by_calls(void **state)
{
    (void)state;
    expect(FLAT ROW ROW2, "f(int, char)", 0.03, 0.04, 10); /* 10 calls of 4 ms */
    expect(FLAT ROW ROW2, "main", 0.01, 0.01, 0);
}

static void entries_have_totals_and_recursive_calls(void **state)
{
    (void)state;
    expect(FLAT ROW ROW2 "\n" GRAPH MAIN F, "main", 0.01, 0.04, 0);
    expect(GRAPH MAIN F, "f(int, char)", 0.03, 0.03, 10);
    expect(GRAPH "[9]     75.0    0.03    0.30      10+90      f [9]\n                                  90             f [9]\n" RULE, "f", 0.03, 0.33, 100);
}

/* gprof -T prints the call graph first, and no titles; gprof -l has rows for lines. */
static void other_ways_of_printing_say_the_same(void **state)
{
    (void)state;
    static const char header[] =
        "  %   cumulative   self              self     total           \n time   seconds   seconds    calls  ms/call  ms/call  name    \n";
    char text[2048];
    snprintf(text, sizeof text, "%s%s\f\n\ngranularity: each sample hit covers 2 byte(s)\n\n%s%s", GRAPH, MAIN F, header,
             " 75.0       0.03     0.03       10     3.00     4.00  f(int, char) [2]\n 25.0       0.04     0.01                             main [1]\n");
    expect(text, "f(int, char)", 0.03, 0.03, 10);
    expect(text, "main", 0.01, 0.04, 0);
    snprintf(
        text, sizeof text, "%s%s", FLAT,
        " 50.00      0.02     0.02                             f (a.c:3 @ 11f9)\n 50.00      0.04     0.02        7     3.00     3.00  f (a.c:4 @ 120a)\n");
    expect(text, "f", 0.04, 0.04, 7);
}

static void arcs_of_callers_without_entry_are_kept(void **state)
{
    (void)state;
    assay_profile *p = profile_of(GRAPH F);
    assert_int_equal(assay_profile_graph(p)->arc_count, 1);
    assay_profile_release(p);
    p = profile_of(GRAPH MAIN F);
    assert_int_equal(assay_profile_graph(p)->arc_count, 1);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),  cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(a_flat_profile_has_totals_by_calls),  cmocka_unit_test(entries_have_totals_and_recursive_calls),
        cmocka_unit_test(other_ways_of_printing_say_the_same), cmocka_unit_test(arcs_of_callers_without_entry_are_kept),
    };
    return cmocka_run_group_tests_name("gprof-text", tests, NULL, NULL);
}
