/* Coverage tables: rows as given, in order; columns that no row fills are NULL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/build.h"

struct fixture {
    assay_builder *b;
    assay_file_id file;
    assay_func_id func;
};

static assay_str_id put(assay_builder *b, const char *text) { return assay_build_string(b, text, strlen(text)); }

static struct fixture start(void)
{
    struct fixture x = { .b = assay_builder_new(NULL, NULL) };
    x.file = assay_build_file(x.b, put(x.b, "a.c"), (assay_module_id){ 0 });
    x.func = assay_build_func(x.b, put(x.b, "f"), x.file, (assay_module_id){ 0 }, 0, 3);
    return x;
}

static assay_profile *seal(assay_builder *b)
{
    assay_error err = { 0 };
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    assert_int_equal(assay_profile_shapes(p), ASSAY_SHAPE_COVERAGE);
    return p;
}

static void lines_are_kept_as_given_and_never_merged(void **state)
{
    (void)state;
    struct fixture x = start();
    assay_str_id sum = put(x.b, "c0ffee");
    assay_build_coverage_line(x.b, &(struct assay_coverage_line){ .file = x.file, .line = 9, .hits = 0 });
    assay_build_coverage_line(x.b,
                              &(struct assay_coverage_line){ .file = x.file, .line = 2, .hits = UINT64_MAX, .flags = ASSAY_COVERAGE_PARTIAL, .checksum = sum });
    assay_build_coverage_line(x.b, &(struct assay_coverage_line){ .file = x.file, .line = 9, .hits = 4 });
    assay_profile *p = seal(x.b);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(c->line_count, 3);
    assert_null(c->line_test);
    const uint32_t lines[] = { 9, 2, 9 };
    const uint64_t hits[] = { 0, UINT64_MAX, 4 };
    assert_memory_equal(c->line_number, lines, sizeof lines);
    assert_memory_equal(c->line_hits, hits, sizeof hits);
    assert_int_equal(c->line_flags[0], 0);
    assert_int_equal(c->line_flags[1], ASSAY_COVERAGE_PARTIAL);
    assert_int_equal(c->line_flags[2], 0);
    assert_int_equal(c->line_checksum[1].v, sum.v);
    assert_int_equal(c->line_checksum[2].v, 0);
    assay_profile_release(p);
}

static void lines_without_a_hit_still_have_hits(void **state)
{
    (void)state;
    struct fixture x = start();
    assay_build_coverage_line(x.b, &(struct assay_coverage_line){ .file = x.file, .line = 1 });
    assay_profile *p = seal(x.b);
    assert_non_null(assay_profile_coverage(p)->line_hits);
    assert_int_equal(assay_profile_coverage(p)->line_hits[0], 0);
    assert_null(assay_profile_coverage(p)->line_flags);
    assay_profile_release(p);
}

static void functions_and_branches_keep_every_field(void **state)
{
    (void)state;
    struct fixture x = start();
    assay_str_id test = put(x.b, "unit"), block = put(x.b, "e0"), name = put(x.b, "jump to 12");
    assay_build_coverage_func(x.b, &(struct assay_coverage_func){ test, x.func, 7, 1, 2, 5, 4, ASSAY_COVERAGE_ONLY_HIT });
    assay_build_coverage_branch(x.b,
                                &(struct assay_coverage_branch){ test, x.file, 10, x.func, block, name, 1, 3, ASSAY_COVERAGE_BRANCH_EXCEPTION, 4, 11, 6, -8 });
    assay_build_coverage_branch(x.b, &(struct assay_coverage_branch){ .file = x.file, .line = 10 });
    assay_profile *p = seal(x.b);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(c->func_count, 1);
    assert_int_equal(c->func[0].v, x.func.v);
    assert_int_equal(c->func_test[0].v, test.v);
    assert_int_equal(c->func_calls[0], 7);
    assert_int_equal(c->func_first_column[0], 1);
    assert_int_equal(c->func_last_column[0], 2);
    assert_int_equal(c->func_blocks[0], 5);
    assert_int_equal(c->func_blocks_hit[0], 4);
    assert_int_equal(c->func_flags[0], ASSAY_COVERAGE_ONLY_HIT);
    assert_int_equal(c->branch_count, 2);
    assert_int_equal(c->branch_test[0].v, test.v);
    assert_int_equal(c->branch_file[0].v, x.file.v);
    assert_int_equal(c->branch_line[0], 10);
    assert_int_equal(c->branch_func[0].v, x.func.v);
    assert_int_equal(c->branch_block[0].v, block.v);
    assert_int_equal(c->branch_name[0].v, name.v);
    assert_int_equal(c->branch_index[0], 1);
    assert_int_equal(c->branch_hits[0], 3);
    assert_int_equal(c->branch_flags[0], ASSAY_COVERAGE_BRANCH_EXCEPTION);
    assert_int_equal(c->branch_column[0], 4);
    assert_int_equal(c->branch_end_line[0], 11);
    assert_int_equal(c->branch_end_column[0], 6);
    assert_int_equal(c->branch_target[0], -8);
    assert_int_equal(c->branch_target[1], 0);
    assert_int_equal(c->branch_name[1].v, 0);
    assay_profile_release(p);
}

static void sums_conditions_regions_and_statements_keep_every_field(void **state)
{
    (void)state;
    struct fixture x = start();
    assay_str_id test = put(x.b, "unit"), branches = put(x.b, "branches"), text = put(x.b, "a && b"), package = put(x.b, "package x"), rate = put(x.b, "lines");
    assay_build_coverage_sum(x.b, &(struct assay_coverage_sum){ test, x.file, 4, 1, 2, branches, 0 });
    assay_build_coverage_condition(x.b, &(struct assay_coverage_condition){ x.file, 5, 2, 3, 1, 9, text, test, ASSAY_COVERAGE_BRANCH_EXCLUDED });
    assay_build_coverage_region(
        x.b, &(struct assay_coverage_region){ x.file, x.func, ASSAY_REGION_STATEMENT, (uint64_t)1 << 40, ((uint64_t)1 << 40) + 6, 3, 4, 2, 8 });
    assay_build_coverage_stated(x.b, &(struct assay_coverage_stated){ .scope = package, .kind = rate, .hit = 0.875, .total = 1.0 });
    assay_profile *p = seal(x.b);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_int_equal(c->sum_count, 1);
    assert_int_equal(c->sum_test[0].v, test.v);
    assert_int_equal(c->sum_file[0].v, x.file.v);
    assert_int_equal(c->sum_line[0], 4);
    assert_int_equal(c->sum_hit[0], 1);
    assert_int_equal(c->sum_total[0], 2);
    assert_int_equal(c->sum_kind[0].v, branches.v);
    assert_int_equal(c->condition_count, 1);
    assert_int_equal(c->condition_file[0].v, x.file.v);
    assert_int_equal(c->condition_line[0], 5);
    assert_int_equal(c->condition_group[0], 2);
    assert_int_equal(c->condition_index[0], 3);
    assert_int_equal(c->condition_sense[0], 1);
    assert_int_equal(c->condition_hits[0], 9);
    assert_int_equal(c->condition_text[0].v, text.v);
    assert_int_equal(c->condition_test[0].v, test.v);
    assert_int_equal(c->condition_flags[0], ASSAY_COVERAGE_BRANCH_EXCLUDED);
    assert_int_equal(c->region_count, 1);
    assert_int_equal(c->region_file[0].v, x.file.v);
    assert_int_equal(c->region_func[0].v, x.func.v);
    assert_int_equal(c->region_kind[0], ASSAY_REGION_STATEMENT);
    assert_true(c->region_first[0] == (uint64_t)1 << 40);
    assert_true(c->region_last[0] == ((uint64_t)1 << 40) + 6);
    assert_int_equal(c->region_first_column[0], 3);
    assert_int_equal(c->region_last_column[0], 4);
    assert_int_equal(c->region_statements[0], 2);
    assert_int_equal(c->region_hits[0], 8);
    assert_int_equal(c->stated_count, 1);
    assert_null(c->stated_file);
    assert_int_equal(c->stated_scope[0].v, package.v);
    assert_int_equal(c->stated_kind[0].v, rate.v);
    assert_true(c->stated_hit[0] == 0.875 && c->stated_total[0] == 1.0);
    assay_profile_release(p);
}

static void ids_of_rows_must_exist(void **state)
{
    (void)state;
    for (int i = 0; i < 9; i++) {
        struct fixture x = start();
        const assay_file_id file = { 2 };
        const assay_func_id func = { 2 };
        const assay_str_id text = { 99 };
        if (i == 0) assay_build_coverage_line(x.b, &(struct assay_coverage_line){ .test = text });
        if (i == 1) assay_build_coverage_func(x.b, &(struct assay_coverage_func){ .func = func });
        if (i == 2) assay_build_coverage_branch(x.b, &(struct assay_coverage_branch){ .func = func });
        if (i == 3) assay_build_coverage_branch(x.b, &(struct assay_coverage_branch){ .name = text });
        if (i == 4) assay_build_coverage_sum(x.b, &(struct assay_coverage_sum){ .file = file });
        if (i == 5) assay_build_coverage_condition(x.b, &(struct assay_coverage_condition){ .text = text });
        if (i == 6) assay_build_coverage_region(x.b, &(struct assay_coverage_region){ .file = file });
        if (i == 8) assay_build_coverage_condition(x.b, &(struct assay_coverage_condition){ .test = text });
        if (i == 7) assay_build_coverage_stated(x.b, &(struct assay_coverage_stated){ .kind = text });
        if (assay_builder_failed(x.b) != ASSAY_ERR_USAGE) fail_msg("case %d", i);
        assay_builder_free(x.b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_kept_as_given_and_never_merged),
        cmocka_unit_test(lines_without_a_hit_still_have_hits),
        cmocka_unit_test(functions_and_branches_keep_every_field),
        cmocka_unit_test(sums_conditions_regions_and_statements_keep_every_field),
        cmocka_unit_test(ids_of_rows_must_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
