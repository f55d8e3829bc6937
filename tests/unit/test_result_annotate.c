/* assay_annotate: cost, coverage and text of lines, side by side. */
#include "results.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char report[] = "SF:src/x.c\nBRDA:10,0,0,5\nBRDA:10,0,1,0\nDA:1,1\nDA:2,0\nDA:10,5\nend_of_record\n";

static uint32_t row_of(const assay_annotate_source *s, uint32_t line)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->line[i] == line) return i;
    fail_msg("no row of line %u", line);
    return 0;
}

static void cost_and_coverage_are_side_by_side(void **state)
{
    (void)state;
    assay_profile *p = result_graph(), *coverage = result_read(report, "x.info");
    assay_annotate *a;
    const assay_annotate_source *s;
    assay_error err;
    struct assay_annotate_options o = { .size = sizeof o, .coverage = coverage };
    assert_int_equal(assay_annotate_new(p, &o, &a, NULL), 0);
    assert_int_equal(assay_annotate_count(a), 2);
    assert_slice(assay_annotate_path(a, 0), "lib/y.c"); /* 8 of 11 */
    assert_slice(assay_annotate_path(a, 1), "src/x.c");
    assert_int_equal(assay_annotate_file(a, 0, &s, NULL), 0);
    assert_true(s->count == 1 && s->line[0] == 30 && s->self[0].u == 8 && s->total[0].u == 8 && !s->found && s->tried_count > 0);
    assert_true(s->state[0] == ASSAY_ANNOTATE_NONE && !s->has_hits[0] && s->text[0].data == NULL);
    assert_int_equal(assay_annotate_file(a, 1, &s, NULL), 0);
    assert_slice(s->path, "src/x.c");
    assert_true(s->column_count == 1 && s->columns[0].whole == 11 && s->call_column_count == 1);
    uint32_t two = row_of(s, 2), ten = row_of(s, 10);
    assert_true(s->state[two] == ASSAY_ANNOTATE_MISSED && s->has_hits[two] && s->hits[two] == 0);
    assert_true(s->has_cost[two] && s->self[two].u == 0 && s->total[two].u == 7 && s->calls[two] == 1 && s->in_calls[two].u == 7);
    assert_int_equal(s->callee_begin[two + 1] - s->callee_begin[two], 1);
    assert_slice(s->callees.name[s->callee_begin[two]], "a");
    assert_int_equal(s->callees.total[s->callee_begin[two]].u, 7);
    assert_true(s->state[ten] == ASSAY_ANNOTATE_PARTIAL && s->hits[ten] == 5 && s->branches[ten] == 2 && s->branches_hit[ten] == 1 && s->self[ten].u == 2);
    assert_int_equal(s->callee_begin[s->count], s->callees.count);
    assert_int_equal(s->callees.count, 4);
    assert_int_equal(assay_annotate_file(a, 2, &s, &err), ASSAY_ERR_USAGE);
    assert_null(assay_annotate_path(a, 2).data);
    assay_annotate_free(a);
    assay_profile_release(coverage);
    assay_profile_release(p);
}

static void the_text_comes_from_a_source_root(void **state)
{
    (void)state;
    char folder[] = "/tmp/assay-annotate-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/src", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/src/x.c", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("one\n\nthree\n", f);
    fclose(f);
    const char *root = folder;
    struct assay_filter filter = { .source_roots = &root, .source_root_count = 1 };
    struct assay_annotate_options o = { .size = sizeof o, .filter = &filter };
    assay_profile *p = result_graph();
    assay_annotate *a;
    const assay_annotate_source *s;
    assert_int_equal(assay_annotate_new(p, &o, &a, NULL), 0);
    assert_int_equal(assay_annotate_file(a, 1, &s, NULL), 0);
    assert_string_equal(s->found, path);
    assert_slice(s->text[row_of(s, 1)], "one");
    assert_true(s->text[row_of(s, 2)].data && s->text[row_of(s, 2)].len == 0);
    assert_slice(s->text[row_of(s, 3)], "three");
    assert_null(s->text[row_of(s, 10)].data);
    assay_annotate_free(a);
    assay_profile_release(p);
    unlink(path);
    snprintf(path, sizeof path, "%s/src", folder);
    rmdir(path);
    rmdir(folder);
}

static void what_has_no_lines_is_refused(void **state)
{
    (void)state;
    struct assay_annotate_options o = { .size = sizeof o, .metric = "nothing" };
    assay_profile *p = result_graph();
    assay_annotate *a;
    assay_error err;
    assert_int_equal(assay_annotate_new(p, &o, &a, &err), ASSAY_ERR_USAGE);
    assert_null(a);
    assert_int_equal(err.code, ASSAY_ERR_USAGE);
    assay_profile_release(p);
    p = assay_builder_seal(assay_builder_new(NULL, NULL), NULL);
    assert_int_equal(assay_annotate_new(p, NULL, &a, &err), ASSAY_ERR_UNSUPPORTED);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cost_and_coverage_are_side_by_side),
        cmocka_unit_test(the_text_comes_from_a_source_root),
        cmocka_unit_test(what_has_no_lines_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
