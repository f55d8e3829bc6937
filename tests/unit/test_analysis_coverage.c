/* Coverage is counted by identity: the same rows in another order or over several tests give the same counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"

static assay_str_id str(assay_builder *b, const char *s) { return assay_build_string(b, s, strlen(s)); }

static assay_coverage_counts count(assay_builder *b, assay_coverage_counts *by_file)
{
    assay_coverage_counts n;
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    assert_int_equal(assay_coverage_count(p, &n, by_file, NULL), 0);
    assay_profile_release(p);
    return n;
}

static void a_line_counts_once_in_any_order(void **state)
{
    (void)state;
    static const struct {
        int file, line;
        uint64_t hits;
        uint8_t flags;
    } rows[] = { { 2, 5, 0, 0 },
                 { 1, 9, 1, 0 },
                 { 1, 3, 0, 0 },
                 { 2, 5, 7, 0 },
                 { 1, 3, 0, 0 },
                 { 1, 4, 1, ASSAY_COVERAGE_EXCLUDED },
                 { 1, 5, 0, ASSAY_COVERAGE_NONCODE } };
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id files[3] = { { 0 } };
    files[1] = assay_build_file(b, str(b, "a"), (assay_module_id){ 0 });
    files[2] = assay_build_file(b, str(b, "b"), (assay_module_id){ 0 });
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assay_build_coverage_line(
            b,
            &(struct assay_coverage_line){
                .test = str(b, i % 2 ? "x" : "y"), .file = files[rows[i].file], .line = (uint32_t)rows[i].line, .hits = rows[i].hits, .flags = rows[i].flags });
    assay_coverage_counts by_file[3], n = count(b, by_file);
    assert_int_equal(n.files, 2);
    assert_int_equal(n.lines, 3);
    assert_int_equal(n.lines_hit, 2);
    assert_int_equal(by_file[1].lines, 2);
    assert_int_equal(by_file[1].lines_hit, 1);
    assert_int_equal(by_file[2].lines, 1);
    assert_int_equal(by_file[2].lines_hit, 1);
}

static void functions_of_one_line_are_a_group(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t line;
        uint64_t calls;
    } rows[] = { { "f<int>", 3, 0 }, { "f<char>", 3, 2 }, { "f<int>", 3, 0 }, { "g", 9, 0 }, { "h", 0, 1 }, { "i", 0, 0 } };
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id file = assay_build_file(b, str(b, "a"), (assay_module_id){ 0 });
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assay_func_id f = assay_build_func(b, str(b, rows[i].name), file, (assay_module_id){ 0 }, 0, rows[i].line);
        assay_build_coverage_func(b, &(struct assay_coverage_func){ .func = f, .calls = rows[i].calls });
    }
    assay_coverage_counts n = count(b, NULL);
    assert_int_equal(n.functions, 5);
    assert_int_equal(n.functions_hit, 2);
    assert_int_equal(n.groups, 4);
    assert_int_equal(n.groups_hit, 2);
}

/* More branches on a line than are compared one by one, each twice, and other lines between them. */
static void a_crowded_line_counts_each_branch_once(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id file = assay_build_file(b, str(b, "a"), (assay_module_id){ 0 });
    assay_str_id block = str(b, "0");
    for (uint32_t i = 0; i < 20000; i++) {
        char name[16];
        name[0] = 'b';
        for (uint32_t k = 0, v = i % 10000; k < 5; k++, v /= 10) name[k + 1] = (char)('0' + v % 10);
        name[6] = 0;
        assay_build_coverage_branch(b, &(struct assay_coverage_branch){ .file = file, .line = 7, .block = block, .name = str(b, name), .hits = i >= 19000 });
        if (i % 5000 == 0) assay_build_coverage_branch(b, &(struct assay_coverage_branch){ .file = file, .line = i + 1, .index = i, .hits = 1 });
    }
    assay_build_coverage_branch(
        b, &(struct assay_coverage_branch){ .file = file, .line = 7, .block = block, .name = str(b, "U"), .flags = ASSAY_COVERAGE_BRANCH_UNREACHABLE });
    assay_coverage_counts n = count(b, NULL);
    assert_int_equal(n.branches, 10004);
    assert_int_equal(n.branches_hit, 1004);
}

static void branches_without_a_name_differ_by_function_and_index(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id file = assay_build_file(b, str(b, "a"), (assay_module_id){ 0 });
    assay_func_id f = assay_build_func(b, str(b, "f"), file, (assay_module_id){ 0 }, 0, 0);
    for (uint32_t i = 0; i < 8; i++)
        assay_build_coverage_branch(
            b, &(struct assay_coverage_branch){ .file = file, .line = 7, .func = i & 1 ? f : (assay_func_id){ 0 }, .index = i >> 1 & 1, .hits = i == 5 });
    assay_build_coverage_sum(b, &(struct assay_coverage_sum){ .file = file, .line = 8, .hit = 1, .total = 4, .kind = str(b, "branches") });
    assay_build_coverage_sum(b, &(struct assay_coverage_sum){ .file = file, .line = 8, .hit = 2, .total = 3, .kind = str(b, "branches") });
    assay_build_coverage_sum(b, &(struct assay_coverage_sum){ .file = file, .line = 8, .hit = 9, .total = 9, .kind = str(b, "calls") });
    assay_coverage_counts n = count(b, NULL);
    assert_int_equal(n.branches, 4 + 4);
    assert_int_equal(n.branches_hit, 1 + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_counts_once_in_any_order),
        cmocka_unit_test(functions_of_one_line_are_a_group),
        cmocka_unit_test(a_crowded_line_counts_each_branch_once),
        cmocka_unit_test(branches_without_a_name_differ_by_function_and_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
