/* Unified diffs, old lines as new ones, and paths that are meant by others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sources/path_finder.h"
#include "assay/assay.h"
#include "base/mem.h"
#include "base/slice.h"

static assay_changes *read_diff(const char *text)
{
    assay_changes *c = NULL;
    assay_error err = { 0 };
    if (assay_changes_read_memory(text, strlen(text), "diff", NULL, &c, &err) != 0) fail_msg("%s", err.text);
    return c;
}

static void assert_edit(const assay_edit *e, uint32_t old_before, uint32_t old_count, uint32_t new_before, uint32_t new_count)
{
    assert_int_equal(e->old_before, old_before);
    assert_int_equal(e->old_count, old_count);
    assert_int_equal(e->new_before, new_before);
    assert_int_equal(e->new_count, new_count);
}

static void context_is_no_change(void **state)
{
    (void)state;
    assay_changes *c = read_diff("From: someone\n\n--- no head, for no +++ follows\n\ndiff --git a/x.c b/x.c\nindex 1..2\n--- a/x.c\n+++ b/x.c\n"
                                 "@@ -1,4 +1,4 @@ f()\n a\n-b\n+B\n+C\n c\n--- text that looks like a head\n@@ -9,0 +10,2 @@\n+p\n+++ q\n\\ No newline\n");
    assert_int_equal(c->count, 1);
    assert_int_equal(c->warning_count, 0);
    assert_string_equal(c->files[0].old_path, "x.c");
    assert_string_equal(c->files[0].new_path, "x.c");
    assert_int_equal(c->files[0].edit_count, 3);
    assert_edit(&c->files[0].edits[0], 1, 1, 1, 2);
    assert_edit(&c->files[0].edits[1], 3, 1, 4, 0);
    assert_edit(&c->files[0].edits[2], 9, 0, 9, 2);
    assert_int_equal(c->added, 4);
    assert_int_equal(c->removed, 2);
    assay_changes_free(c);
}

/* Insertion after line 6, line 14 changed, 17 and 18 removed. */
static void old_lines_have_new_numbers(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = { { 1, 1 }, { 6, 6 }, { 7, 11 }, { 13, 17 }, { 14, 0 }, { 15, 19 }, { 16, 20 }, { 17, 0 }, { 18, 0 }, { 19, 21 } };
    assay_changes *c = read_diff("--- a/x\n+++ b/x\n@@ -6,0 +7,4 @@\n+1\n+2\n+3\n+4\n@@ -14 +18 @@\n-a\n+b\n@@ -17,2 +20,0 @@\n-a\n-b\n");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) assert_int_equal(assay_changed_line(&c->files[0], pairs[i][0]), pairs[i][1]);
    assay_changes_free(c);
}

static void paths_as_tools_write_them(void **state)
{
    (void)state;
    static const struct {
        const char *text, *old_path, *new_path;
    } cases[] = {
        { "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n", "x", "y" },
        { "--- i/x\n+++ w/x\n@@ -1 +1 @@\n-1\n+2\n", "x", "x" },
        { "--- src/x\t2024-01-01 00:00\n+++ src/x\t2024-01-01 00:01\r\n@@ -1 +1 @@\n-1\n+2\n", "src/x", "src/x" },
        { "--- a/x\n+++ a/x\n@@ -1 +1 @@\n-1\n+2\n", "a/x", "a/x" }, /* without letters: a is a folder */
        { "--- /dev/null\n+++ b/x y\n@@ -0,0 +1 @@\n+2\n", NULL, "x y" },
        { "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-2\n", "x", NULL },
        { "--- \"a/\\303\\244\\t\\\"\"\n+++ \"b/\\303\\244\"\n@@ -1 +1 @@\n-1\n+2\n", "\303\244\t\"", "\303\244" },
        { "diff --git a/o b/n\nrename from o\nrename to n\n", "o", "n" },
        { "diff --git a/o b/n\nrename from o\nrename to n\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-1\n+2\n", "o", "n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_changes *c = read_diff(cases[i].text);
        assert_int_equal(c->count, 1);
        assert_int_equal(c->warning_count, 0);
        if (cases[i].old_path) assert_string_equal(c->files[0].old_path, cases[i].old_path);
        if (cases[i].new_path) assert_string_equal(c->files[0].new_path, cases[i].new_path);
        assert_true(!cases[i].old_path == !c->files[0].old_path && !cases[i].new_path == !c->files[0].new_path);
        assay_changes_free(c);
    }
}

static void damage_is_found_and_refused_when_strict(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *text;
        size_t edits; /* what is whole is kept */
    } cases[] = {
        { "UD-1", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n", 1 }, { "UD-1", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\ndiff --git a/y b/y\n", 0 },
        { "UD-2", "--- a/x\n+++ b/x\n@@ -1 +x @@\n-b\n+c\n", 0 },         { "UD-2", "--- a/x\n+++ b/x\n@@ -4294967295,9 +1 @@\n-b\n+c\n", 0 },
        { "UD-2", "--- a/x\n+++ b/x\n@@ -0,2 +1 @@\n-b\n+c\n", 0 },       { "UD-3", "--- a/x\n+++ b/x\ndiff --git a/y b/y\n@@ -1 +1 @@\n-b\n+c\n", 0 },
        { "UD-4", "--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n++c\n", 0 },       { "UD-5", "--- a/x\n+++ b/x\n@@ -9 +9 @@\n-b\n+c\n@@ -3 +3 @@\n-b\n+c\n", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_changes *c = read_diff(cases[i].text), *strict = NULL;
        assay_error err = { 0 };
        assert_int_equal(c->warning_count, 1);
        assert_string_equal(c->warnings[0].rule, cases[i].rule);
        assert_int_equal(c->files[0].edit_count, cases[i].edits);
        assay_changes_free(c);
        int rc = assay_changes_read_memory(cases[i].text, strlen(cases[i].text), "diff", &(struct assay_read_options){ .strict = true }, &strict, &err);
        assert_int_equal(rc, ASSAY_ERR_DAMAGED);
        assert_null(strict);
    }
}

static void what_is_no_diff_is_said(void **state)
{
    (void)state;
    assay_changes *c = read_diff("");
    assay_error err = { 0 };
    assert_int_equal(c->count, 0);
    assay_changes_free(c);
    assert_int_equal(assay_changes_read_memory("TN:\nSF:x\n", 9, "diff", NULL, &c, &err), ASSAY_ERR_UNKNOWN);
}

static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    static const char text[] = "--- \"a/x\"\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n@@ -1 +1 @@\n-b\nrename from a\nrename to b\n";
    assay_changes *c = NULL;
    uint64_t n = 1;
    for (; !c && n < 1000; n++) {
        assay_error err = { 0 };
        mem_fail_new(n, 0, UINT32_MAX);
        int rc = assay_changes_read_memory(text, strlen(text), "diff", NULL, &c, &err);
        mem_fail_new(0, 0, 0);
        assert_int_equal(rc, c ? 0 : ASSAY_ERR_MEMORY);
    }
    assert_true(c && n > 5);
    assay_changes_free(c);
}

static void paths_that_are_meant_by_others(void **state)
{
    (void)state;
    static const char *const texts[] = { "/build/p/src/a.c", "src/b.c", "/build/p/lib/c.c", "/build/q/lib/c.c", "xa.c", "./d.c", "lib/xsrc/a.c" };
    static const struct {
        const char *path;
        uint32_t number;
    } cases[] = { { "src/a.c", 0 },   { "p/src/a.c", 0 }, { "src/b.c", 1 },          { "sub/src/b.c", 1 }, { "b.c", 1 },      { "lib/c.c", UINT32_MAX },
                  { "p/lib/c.c", 2 }, { "d.c", 5 },       { "sub/d.c", UINT32_MAX }, { "c", UINT32_MAX },  { "", UINT32_MAX } };
    assay_slice paths[sizeof texts / sizeof *texts];
    struct path_finder f;
    struct mem mem;
    assay_error err;
    mem_init(&mem, 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) paths[i] = slice_of(texts[i]);
    assert_int_equal(path_finder_init(&f, paths, sizeof texts / sizeof *texts, &mem, &err), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (path_finder_find(&f, slice_of(cases[i].path)) != cases[i].number) fail_msg("'%s' is taken for another", cases[i].path);
    path_finder_done(&f);
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(context_is_no_change),           cmocka_unit_test(old_lines_have_new_numbers),
        cmocka_unit_test(paths_as_tools_write_them),      cmocka_unit_test(damage_is_found_and_refused_when_strict),
        cmocka_unit_test(what_is_no_diff_is_said),        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(paths_that_are_meant_by_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
