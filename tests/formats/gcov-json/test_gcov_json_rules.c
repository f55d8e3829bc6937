/* Planted defects for the rules of gcov's JSON, texts that are nearly wrong but are not, and what becomes of lines, branches and conditions. */
#include "../planted.h"

#define HEAD "{\"format_version\":\"1\",\"files\":[{\"file\":\"a.c\",\n"
#define LINE "{\"line_number\":1,\"count\":2,\"branches\":[]}"
#define FUNCTION "{\"name\":\"f\",\"start_line\":1,\"execution_count\":2,\"blocks\":2,\"blocks_executed\":1}"
#define FILE_OF(lines, functions) HEAD "\"lines\":[\n" lines "],\n\"functions\":[\n" functions "]}]}\n"
#define SOUND FILE_OF(LINE, FUNCTION)

static const struct defect defects[] = {
    { "J-1", E, HEAD "\"lines\":[" LINE "\n@}]}]}\n" },
    { "J-1", E, HEAD "\"lines\":[" LINE "\n@" },
    { "J-1", E, SOUND "@{}\n" },
    { "J-2", E, "{\"format_version\":\"1\",\"files\":\n@3}\n" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, FILE_OF("{\"line_number\":\n@\"1\",\"count\":2}", FUNCTION) },
    { "J-2", E, FILE_OF("{\"count\":2,\"line_number\":\n@2147483648}", FUNCTION) },
    { "J-2", E, FILE_OF("{\"line_number\":1,\"count\":2,\"branches\":[\n@7]}", FUNCTION) },
    { "J-2", E, FILE_OF("{\"line_number\":1,\"count\":2,\"conditions\":[\n@{\"count\":130}]}", FUNCTION) },
    { "J-3", E, "@{\"files\":[]}\n" },
    { "J-3", E, "@{\"format_version\":\"1\"}\n" },
    { "J-3", E, "{\"format_version\":\"1\",\"files\":[\n@{\"lines\":[]}]}\n" },
    { "J-3", E, FILE_OF("@{\"line_number\":1}", FUNCTION) },
    { "J-3", E, FILE_OF(LINE, "@{\"name\":\"f\",\"execution_count\":2}") },
    { "J-3", E, FILE_OF("{\"line_number\":1,\"count\":2,\"branches\":[\n@{\"throw\":true}]}", FUNCTION) },
    { "J-5", W, FILE_OF("{\"line_number\":1,\"count\":2,\n@\"count\":3}", FUNCTION) },
    { "J-6", I, FILE_OF("{\"line_number\":1,\"count\":2,\n@\"colour\":[3,{}]}", FUNCTION) },
    { "GJ-1", E, "{\"files\":[],\"format_version\":\n@\"9\"}\n" },
    { "GJ-2", W, FILE_OF("{\"line_number\":1,\"count\":\n@-2}", FUNCTION) },
    { "GJ-2", W, FILE_OF("{\"line_number\":1,\"count\":2,\"branches\":[{\"count\":\n@-1}]}", FUNCTION) },
    { "GJ-3", I, FILE_OF("@{\"line_number\":0,\"count\":2}", "") },
    { "GJ-4", W, FILE_OF(LINE, "@{\"name\":\"f\",\"start_line\":1,\"execution_count\":2,\"blocks\":2,\"blocks_executed\":3}") },
    { "GJ-5", W, FILE_OF(LINE, "@{\"name\":\"f\",\"start_line\":2,\"execution_count\":2}") },
    { "GV-1", W, "{\"files\":[],\"gcovr/format_version\":\n@\"0.99\"}" },
    { "GV-1", W, "{\"files\":[],\"gcovr/format_version\":\n@\"1.3\"}" },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, FILE_OF("{\"line_number\":2147483647,\"count\":2.0e3}", "") },
    { "J-3", E, "{\"format_version\":\"2\",\"files\":[{\"file\":\"a\"}]}" },
    { "J-5", W, SOUND },
    { "J-6", I, FILE_OF("{\"line_number\":1,\"count\":2,\"block_ids\":[1,2],\"calls\":[],\"conditions\":[]}", FUNCTION) },
    { "GJ-1", E, "{\"files\":[],\"format_version\":\"2\"}" },
    { "GJ-2", W, FILE_OF("{\"line_number\":1,\"count\":0}", "") },
    { "GJ-3", I, SOUND },
    { "GJ-4", W, FILE_OF(LINE, "{\"name\":\"f\",\"start_line\":1,\"execution_count\":2,\"blocks\":2,\"blocks_executed\":2}") },
    { "GJ-5", W, FILE_OF(LINE, "{\"name\":\"f\",\"start_line\":2,\"execution_count\":0}") },
    { "GJ-5", W, "{\"gcovr/format_version\":\"0.3\",\"files\":[{\"file\":\"a\",\"functions\":[{\"name\":\"f\",\"lineno\":2,\"execution_count\":1}]}]}" },
    { "GV-1", W, "{\"files\":[],\"gcovr/format_version\":\"0.15\"}" },
    { "J-6", I,
      "{\"gcovr/format_version\":\"0.9\",\"files\":[{\"file\":\"a\",\"gcovr/data_sources\":[],\"lines\":[{\"line_number\":1,\"count\":0,\"gcovr/md5\":\"x\"}],"
      "\"functions\":[{\"name\":\"f\",\"lineno\":2,\"execution_count\":1,\"pos\":[\"1:2\",\"3:4\"],\"blocks_percent\":1.5,\"returned_count\":1}]}]}" },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "GJ-1", "GJ-2", "GJ-3", "GJ-4", "GJ-5", "GV-1", NULL };

enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("gcov-json", defects, DEFECTS);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("gcov-json", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

static assay_profile *profile_of(const char *text)
{
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, strlen(text), "text", NULL, &p, NULL), 0);
    return p;
}

/* Two instances of a template on one line: counts are added, branches stay apart. */
static void instances_of_a_template_are_added(void **state)
{
    (void)state;
    assay_profile *p = profile_of("{\"gcc_version\":\"12\",\"files\":[{\"lines\":[{\"branches\":[{\"count\":1},{\"count\":0}],\"line_number\":5,\"count\":3,"
                                  "\"function_name\":\"_Z1fIiEvT_\"},"
                                  "{\"branches\":[{\"count\":0},{\"count\":0}],\"line_number\":5,\"count\":0,\"function_name\":\"_Z1fIcEvT_\"}],\"functions\":["
                                  "{\"name\":\"_Z1fIiEvT_\",\"demangled_name\":\"f<int>(int)\",\"start_line\":5,\"end_line\":6,\"execution_count\":3},"
                                  "{\"name\":\"_Z1fIcEvT_\",\"start_line\":5,\"execution_count\":0}],\"file\":\"t.h\"}],\"format_version\":\"1\"}");
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    assay_coverage_counts n;
    assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
    assert_int_equal(n.lines, 1);
    assert_int_equal(n.functions, 2);
    assert_int_equal(n.groups, 1);
    assert_int_equal(n.branches, 4);
    assert_int_equal(n.branches_hit, 1);
    assert_int_equal(c->branch_flags[1], 0);
    assert_int_equal(c->branch_flags[2], ASSAY_COVERAGE_BRANCH_NOT_EVALUATED);
    assert_int_equal(f->last_line[c->func[0].v], 6);
    assert_memory_equal(assay_profile_string(p, f->link_name[c->func[0].v]).data, "f<int>(int)", 11);
    assay_profile_release(p);
}

static void conditions_of_a_line_are_numbered_on(void **state)
{
    (void)state;
    assay_profile *p = profile_of(FILE_OF("{\"line_number\":1,\"count\":2,\"calls\":[{\"returned\":1},{\"returned\":0}],\"conditions\":["
                                          "{\"count\":4,\"covered\":3,\"not_covered_false\":[1]},{\"count\":2,\"covered\":1,\"not_covered_true\":[0]}]}",
                                          FUNCTION));
    const struct assay_coverage *c = assay_profile_coverage(p);
    assay_coverage_counts n;
    assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
    assert_int_equal(n.conditions, 6);
    assert_int_equal(n.conditions_hit, 4);
    assert_int_equal(c->condition_group[0], 3);
    assert_int_equal(c->condition_index[5], 2);
    assert_int_equal(c->sum_total[0], 2);
    assert_int_equal(c->sum_hit[0], 1);
    assay_profile_release(p);
}

static void what_stands_before_a_cut_is_read(void **state)
{
    (void)state;
    assay_profile *p = profile_of("{\"gcc_version\":\"12\",\"format_version\":\"1\",\"files\":[{\"file\":\"a\",\"lines\":[" LINE ",{\"line_num");
    size_t count;
    assert_int_equal(assay_profile_coverage(p)->line_count, 1);
    assert_string_equal(assay_profile_warnings(p, &count)[0].rule, "J-1");
    assert_int_equal(count, 1);
    assay_profile_release(p);
}

static void rows_that_gcovr_left_out_are_kept_but_do_not_count(void **state)
{
    (void)state;
    assay_profile *p = profile_of(
        "{\"files\":[{\"file\":\"a.c\",\"lines\":[{\"line_number\":1,\"count\":2,\"gcovr/md5\":\"m\",\"branches\":[{\"count\":1,\"gcovr/"
        "excluded\":true},{\"count\":1}]},"
        "{\"line_number\":2,\"count\":9,\"gcovr/excluded\":true,\"branches\":[{\"count\":1}]},{\"line_number\":3,\"count\":0,\"gcovr/noncode\":true}],"
        "\"functions\":[{\"demangled_name\":\"f()\",\"lineno\":1,\"execution_count\":2,\"pos\":[\"1:5\",\"4:1\"]},"
        "{\"name\":\"g\",\"lineno\":2,\"execution_count\":1,\"gcovr/excluded\":true}]}],\"gcovr/format_version\":\"0.11\"}");
    const struct assay_coverage *c = assay_profile_coverage(p);
    assay_coverage_counts n;
    assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
    assert_string_equal(assay_profile_format(p), "gcovr-json");
    assert_string_equal(assay_profile_version(p), "0.11");
    assert_int_equal(n.lines, 1);
    assert_int_equal(n.branches, 1);
    assert_int_equal(n.functions, 1);
    assert_int_equal(c->line_count, 3);
    assert_int_equal(c->branch_count, 3);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 2);
    assert_string_equal(assay_profile_string(p, c->line_checksum[0]).data, "m");
    assert_int_equal(assay_profile_funcs(p)->last_line[c->func[0].v], 4);
    assert_int_equal(c->func_first_column[0], 5);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect), cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(instances_of_a_template_are_added),  cmocka_unit_test(conditions_of_a_line_are_numbered_on),
        cmocka_unit_test(what_stands_before_a_cut_is_read),   cmocka_unit_test(rows_that_gcovr_left_out_are_kept_but_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
