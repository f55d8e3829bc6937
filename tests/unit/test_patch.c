/* Patch coverage and differences of reports, on figures worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "base/mem.h"

static assay_profile *report(const char *text)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    if (assay_read_memory(text, strlen(text), "report", NULL, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

static assay_changes *changes(const char *text)
{
    assay_changes *c = NULL;
    assert_int_equal(assay_changes_read_memory(text, strlen(text), "diff", NULL, &c, NULL), 0);
    return c;
}

/* Lines 2 to 9 are new. Measured: 2 hit, 4 missed, 6 hit with one of two branches, 9 hit. Lines 1 and 12 are not new. */
static const char added[] = "--- a/x.c\n+++ b/x.c\n@@ -1,0 +2,8 @@\n+2\n+3\n+4\n+5\n+6\n+7\n+8\n+9\n";
static const char measured[] = "TN:\nSF:/root/x.c\nBRDA:6,0,0,1\nBRDA:6,0,1,0\nDA:1,0\nDA:2,1\nDA:4,0\nDA:6,3\nDA:9,1\nDA:12,0\nend_of_record\n";

static assay_patch *patch_of(const char *text, const char *diff, const struct assay_patch_options *o)
{
    assay_patch *t = NULL;
    assay_profile *p = report(text);
    assay_changes *c = changes(diff);
    assert_int_equal(assay_patch_new(p, c, o, &t, NULL), 0);
    assay_profile_release(p);
    assay_changes_free(c);
    return t;
}

static void new_lines_are_measured_or_not(void **state)
{
    (void)state;
    assay_patch *t = patch_of(measured, added, NULL);
    assert_int_equal(t->count, 1);
    assert_int_equal(t->changed, 8);
    assert_int_equal(t->measured, 4);
    assert_int_equal(t->missing, 1);
    assert_string_equal(t->files[0].path, "x.c");
    assert_int_equal(t->files[0].line[1], 4);
    assert_int_equal(t->files[0].state[1], ASSAY_LINE_MISSING);
    assert_int_equal(t->files[0].state[2], ASSAY_LINE_PARTIAL);
    assay_patch_free(t);
}

static void branches_make_a_line_missing(void **state)
{
    (void)state;
    assay_patch *t = patch_of(measured, added, &(struct assay_patch_options){ .branches = true });
    assert_int_equal(t->measured, 4);
    assert_int_equal(t->missing, 2);
    assay_patch_free(t);
}

/* 2 3 hit, 4 5 missed, 6 7 8 9 hit: eight lines. */
static void lines_between_are_like_the_one_before(void **state)
{
    (void)state;
    assay_patch *t = patch_of(measured, added, &(struct assay_patch_options){ .expand = true });
    assert_int_equal(t->measured, 8);
    assert_int_equal(t->missing, 2);
    assert_int_equal(t->files[0].line[3], 5);
    assert_int_equal(t->files[0].state[3], ASSAY_LINE_MISSING);
    assay_patch_free(t);
}

static void paths_that_do_not_fit_are_no_success(void **state)
{
    (void)state;
    static const char other[] = "TN:\nSF:y.c\nDA:2,1\nend_of_record\n";
    assay_patch *t = patch_of(other, added, NULL);
    assert_int_equal(t->count, 0);
    assert_int_equal(t->unmatched_count, 1);
    assert_string_equal(t->unmatched[0], "x.c");
    assert_string_equal(t->lost, "x.c");
    assay_patch_free(t);
    t = patch_of(other, "--- a/README\n+++ b/README\n@@ -1,0 +2 @@\n+2\n", NULL);
    assert_null(t->lost);
    assert_int_equal(t->changed, 1);
    assay_patch_free(t);
    t = patch_of(other, "--- a/x.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-2\n", NULL);
    assert_int_equal(t->unmatched_count, 0);
    assay_patch_free(t);
}

/* ---- differences ---- */

static assay_coverage_diff *diff_of(const char *before, const char *after, const char *diff)
{
    assay_coverage_diff *d = NULL;
    assay_profile *p = report(before), *q = report(after);
    assay_changes *c = diff ? changes(diff) : NULL;
    assert_int_equal(assay_coverage_diff_new(p, q, c, NULL, &d, NULL), 0);
    assay_profile_release(p);
    assay_profile_release(q);
    assay_changes_free(c);
    return d;
}

static void assert_categories(const assay_coverage_diff *d, const char *want)
{
    char got[200] = "";
    for (unsigned k = 0; k < ASSAY_CATEGORIES; k++)
        if (d->by_category[k]) snprintf(got + strlen(got), sizeof got - strlen(got), "%s %u ", assay_category_name(k), (unsigned)d->by_category[k]);
    assert_string_equal(got, want);
}

/* Old lines 1 to 6: hit, missed, hit, missed, hit, missed. Old 5 and 6 are removed, two lines are put before line 1.
 * New lines: 1 new hit, 2 new missed, 3 (was 1) missed: lost, 4 (was 2) hit: gained, 5 (was 3) not in the report, 6 (was 4) not either, 7 and
 * 8 unchanged and only now in the report. */
static void each_line_has_its_category(void **state)
{
    (void)state;
    assay_coverage_diff *d = diff_of("TN:\nSF:x\nDA:1,1\nDA:2,0\nDA:3,1\nDA:4,0\nDA:5,1\nDA:6,0\nend_of_record\nSF:gone\nDA:1,1\nend_of_record\n",
                                     "TN:\nSF:y\nDA:1,1\nDA:2,0\nDA:3,0\nDA:4,1\nDA:7,1\nDA:8,0\nend_of_record\n",
                                     "diff --git a/x b/y\n--- a/x\n+++ b/y\n@@ -0,0 +1,2 @@\n+1\n+2\n@@ -5,2 +6,0 @@\n-5\n-6\n");
    assert_categories(d, "UNC 1 LBC 1 UIC 1 GBC 1 GIC 1 GNC 1 EUB 1 ECB 1 DUB 1 DCB 2 ");
    assert_int_equal(d->count, 2);
    assert_string_equal(d->files[1].old_path, "x");
    assert_string_equal(d->files[1].new_path, "y");
    assert_int_equal(d->before, 7);
    assert_int_equal(d->before_hit, 4);
    assert_int_equal(d->after_hit, 3);
    assert_int_equal(d->warning_count, 0);
    assay_coverage_diff_free(d);
}

static void without_a_diff_lines_are_those_of_the_same_number(void **state)
{
    (void)state;
    static const char text[] = "TN:\nSF:x\nVER:1\nDA:1,1\nDA:2,0\nend_of_record\n";
    assay_coverage_diff *d = diff_of(text, "TN:\nSF:./x\nVER:2\nDA:1,0\nDA:2,0\nDA:3,1\nend_of_record\n", NULL);
    assert_categories(d, "LBC 1 UBC 1 GIC 1 ");
    assert_int_equal(d->warning_count, 2);
    assert_string_equal(d->warnings[0].rule, "DF-1");
    assert_string_equal(d->warnings[1].rule, "DF-2");
    assay_coverage_diff_free(d);
    d = diff_of(text, text, NULL);
    assert_categories(d, "UBC 1 CBC 1 ");
    assay_coverage_diff_free(d);
    d = diff_of(text, "mode: count\nx:1.1,2.2 1 1\n", NULL);
    assert_string_equal(d->warnings[d->warning_count - 1].rule, "DF-3");
    assay_coverage_diff_free(d);
}

static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    assay_profile *p = report(measured);
    assay_changes *c = changes(added);
    assay_patch *t = NULL;
    assay_coverage_diff *d = NULL;
    for (uint64_t n = 1; !t || !d; n++) {
        struct assay_patch_options o = { 0 };
        assay_error err = { 0 };
        assert_true(n < 10000);
        mem_fail_new(n, 0, UINT32_MAX);
        if (!t && assay_patch_new(p, c, &o, &t, &err) != 0) assert_int_equal(err.code, ASSAY_ERR_MEMORY);
        if (!d && assay_coverage_diff_new(p, p, c, &o, &d, &err) != 0) assert_int_equal(err.code, ASSAY_ERR_MEMORY);
        mem_fail_new(0, 0, 0);
    }
    assay_patch_free(t);
    assay_coverage_diff_free(d);
    assay_changes_free(c);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_lines_are_measured_or_not),
        cmocka_unit_test(branches_make_a_line_missing),
        cmocka_unit_test(lines_between_are_like_the_one_before),
        cmocka_unit_test(paths_that_do_not_fit_are_no_success),
        cmocka_unit_test(each_line_has_its_category),
        cmocka_unit_test(without_a_diff_lines_are_those_of_the_same_number),
        cmocka_unit_test(every_refused_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
