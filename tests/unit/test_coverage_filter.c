/* What a filter leaves of coverage: files by patterns, under the paths of this machine, with rows that count as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "base/mem.h"
#include "base/slice.h"

static const char report[] = "TN:t\nSF:/ci/p/src/a.c\nFN:3,f\nFNDA:2,f\nBRDA:4,0,0,1\nBRDA:4,0,1,-\nDA:3,2\nDA:4,2\nDA:5,0\nLF:3\nLH:2\nend_of_record\n"
                             "SF:/ci/p/src/./a.c\nFN:3,f\nFNDA:1,f\nDA:3,1\nDA:5,1\nLF:2\nLH:2\nend_of_record\n"
                             "SF:/ci/p/test/b.c\nDA:1,7\nLF:1\nLH:1\nend_of_record\n";

static assay_profile *read_text(const char *text)
{
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, strlen(text), "x.info", NULL, &p, NULL), 0);
    return p;
}

static assay_profile *filtered(const struct assay_filter *f)
{
    assay_profile *all = read_text(report), *p = NULL;
    assert_int_equal(assay_filter_apply(all, f, &p, NULL), 0);
    assay_profile_release(all);
    return p;
}

static const char *path_of(const assay_profile *p, uint32_t file) { return assay_profile_string(p, assay_profile_files(p)->path[file]).data; }

static size_t warnings_of(const assay_profile *p, const char *rule)
{
    size_t count, n = 0;
    const assay_finding *w = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++) n += strcmp(w[i].rule, rule) == 0;
    return n;
}

static assay_coverage_counts count(const assay_profile *p)
{
    assay_coverage_counts n;
    assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
    return n;
}

static uint64_t total_hits(const assay_profile *p) { return assay_profile_metrics(p)->total[1].low; }

static void two_spellings_of_a_file_become_one(void **state)
{
    (void)state;
    assay_profile *p = filtered(&(struct assay_filter){ 0 });
    assay_coverage_counts n = count(p);
    assert_int_equal(assay_profile_files(p)->count, 2);
    assert_string_equal(path_of(p, 1), "/ci/p/src/a.c");
    assert_int_equal(warnings_of(p, "P-2"), 1);
    assert_int_equal(n.lines, 4);
    assert_int_equal(n.lines_hit, 4);
    assert_int_equal(n.functions, 1);
    assert_int_equal(n.branches, 2);
    assert_int_equal(n.branches_hit, 1);
    assert_int_equal(total_hits(p), 13);
    assay_profile_release(p);
}

static void patterns_decide_which_files_stay(void **state)
{
    (void)state;
    static const char *const only_src[] = { "src" }, *const no_test[] = { "test/**" };
    assay_profile *p = filtered(&(struct assay_filter){ .includes = only_src, .include_count = 1 });
    assay_profile *q = filtered(&(struct assay_filter){ .excludes = no_test, .exclude_count = 1 });
    assert_int_equal(assay_profile_files(p)->count, 1);
    assert_int_equal(count(p).lines, 3);
    assert_int_equal(total_hits(p), 6);
    assert_int_equal(assay_profile_equal(p, q, NULL, 0, NULL), 0);
    assay_profile_release(p);
    assay_profile_release(q);
}

static void exclusion_counts_for_more_and_nothing_left_is_said(void **state)
{
    (void)state;
    static const char *const all[] = { "*.c" }, *const none[] = { "nowhere", "/ci" };
    assay_profile *p = filtered(&(struct assay_filter){ .includes = all, .include_count = 1, .excludes = none, .exclude_count = 2 });
    assert_int_equal(assay_profile_files(p)->count, 0);
    assert_int_equal(count(p).lines, 0);
    assert_int_equal(total_hits(p), 0);
    assert_int_equal(warnings_of(p, "P-4"), 1);
    assert_int_equal(warnings_of(p, "P-5"), 1);
    assay_profile_release(p);
}

/* What a file states of itself stays with it; what the input states of the whole goes with the first file that goes. */
static void stated_totals_stay_true(void **state)
{
    (void)state;
    static const char *const no_test[] = { "test" };
    const char *xml =
        "<?xml version=\"1.0\"?><coverage line-rate=\"0.5\" lines-valid=\"2\" lines-covered=\"1\" version=\"x\"><packages><package name=\"p\"><classes>"
        "<class name=\"a\" filename=\"src/a.py\"><methods/><lines><line number=\"1\" hits=\"1\"/></lines></class>"
        "<class name=\"b\" filename=\"test/b.py\"><methods/><lines><line number=\"1\" hits=\"0\"/></lines></class>"
        "</classes></package></packages></coverage>";
    assay_profile *all = NULL, *p, *same;
    if (assay_read_memory(xml, strlen(xml), "x.xml", NULL, &all, NULL) != 0) skip();
    assert_int_equal(assay_filter_apply(all, &(struct assay_filter){ 0 }, &same, NULL), 0);
    assert_int_equal(assay_profile_equal(all, same, NULL, 0, NULL), 0);
    assert_int_equal(assay_filter_apply(all, &(struct assay_filter){ .excludes = no_test, .exclude_count = 1 }, &p, NULL), 0);
    assert_true(assay_profile_coverage(same)->stated_count > 0);
    assert_int_equal(assay_profile_coverage(p)->stated_count, 0);
    assay_profile_release(p);
    assay_profile_release(same);
    assay_profile_release(all);
    p = filtered(&(struct assay_filter){ .excludes = no_test, .exclude_count = 1 });
    assert_int_equal(assay_profile_coverage(p)->stated_count, 2);
    assay_profile_release(p);
}

static void maps_rename_files(void **state)
{
    (void)state;
    static const struct assay_path_map maps[] = { { "/ci/p", "here" } };
    assay_profile *p = filtered(&(struct assay_filter){ .maps = maps, .map_count = 1 });
    assert_string_equal(path_of(p, 1), "here/src/a.c");
    assert_string_equal(path_of(p, 2), "here/test/b.c");
    assay_profile_release(p);
}

static void make_file(const char *folder, const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void expect_found(const char *folder, const char *const *roots, size_t count, const char *written, const char *found)
{
    char text[900], want[600];
    assay_profile *all, *p;
    snprintf(text, sizeof text, "SF:%s\nDA:1,1\nend_of_record\n", written);
    snprintf(want, sizeof want, "%s%s", found[0] == '/' || !folder ? "" : folder, found);
    all = read_text(text);
    assert_int_equal(assay_filter_apply(all, &(struct assay_filter){ .source_roots = roots, .source_root_count = count }, &p, NULL), 0);
    assert_string_equal(path_of(p, 1), want);
    assay_profile_release(p);
    assay_profile_release(all);
}

static void sources_are_found_below_roots(void **state)
{
    (void)state;
    char folder[] = "/tmp/assay-filter-XXXXXX", java[400], go[400], at[400];
    assert_non_null(mkdtemp(folder));
    make_file(folder, "src/main/java/com/x/A.java", "class A {}\n");
    make_file(folder, "gosrc/go.mod", "// a comment\nmodule example.com/lru // and another\n\ngo 1.19\n");
    make_file(folder, "gosrc/lru/lru.go", "package lru\n");
    make_file(folder, "src/one.c", "\n");
    snprintf(java, sizeof java, "%s/src/main/java", folder);
    snprintf(go, sizeof go, "%s/gosrc", folder);
    snprintf(at, sizeof at, "%s/", folder);
    const char *const roots[] = { java, go, folder };
    expect_found(at, roots, 3, "com/x/A.java", "src/main/java/com/x/A.java");
    expect_found(at, roots, 3, "example.com/lru/lru/lru.go", "gosrc/lru/lru.go");
    expect_found(at, roots, 3, "/builds/77/src/one.c", "src/one.c");
    expect_found(at, roots, 3, "C:\\builds\\77\\src\\one.c", "src/one.c");
    /* A file name alone is too little, unless the folder before it is the root. */
    expect_found(at, roots, 3, "/builds/77/one.c", "/builds/77/one.c");
    const char *src = strcat(strcpy(java, folder), "/src");
    expect_found(at, &src, 1, "/builds/77/src/one.c", "src/one.c");
    expect_found(NULL, roots, 3, "../../etc/passwd", "../../etc/passwd");
    snprintf(at, sizeof at, "rm -r %s", folder);
    assert_int_equal(system(at), 0);
}

/* What the source marks is EXCLUDED: it counts no longer, and it is still there. */
static void marks_in_sources_are_followed(void **state)
{
    (void)state;
    char folder[] = "/tmp/assay-filter-XXXXXX", command[400];
    const char *root = folder;
    const char *text = "SF:src/"
                       "m.c\nFN:1,f\nFNDA:0,f\nFN:4,g\nFNDA:1,g\nBRDA:4,0,0,1\nBRDA:4,0,1,0\nBRDA:5,e0,0,0\nBRDA:5,0,1,1\nBRDA:7,0,0,1\nBRDA:7,0,1,0\nDA:1,"
                       "0\nDA:2,0\nDA:3,0\nDA:4,1\n"
                       "DA:5,2\nDA:6,4\nLF:6\nLH:3\nend_of_record\n";
    assert_non_null(mkdtemp(folder));
    make_file(folder, "src/m.c",
              "f() { // LCOV_EXCL_START\n  a;\n} // LCOV_EXCL_STOP\ng() { // LCOV_EXCL_BR_LINE\n  b; // LCOV_EXCL_EXCEPTION_BR_LINE\n  c; // "
              "LCOV_UNREACHABLE_LINE\n} // GCOVR_EXCL_BR_WITHOUT_HIT: 1/2\n");
    assay_profile *all = read_text(text), *p;
    struct assay_filter f = { .source_roots = &root, .source_root_count = 1, .marks = ASSAY_MARKS_ALL };
    assert_int_equal(assay_filter_apply(all, &f, &p, NULL), 0);
    assay_coverage_counts n = count(p);
    assert_int_equal(assay_profile_coverage(p)->line_count, 6);
    assert_int_equal(n.lines, 3);
    assert_int_equal(n.lines_hit, 2);
    assert_int_equal(n.functions, 1);
    assert_int_equal(n.branches, 1);
    assert_int_equal(n.branches_hit, 1);
    assert_int_equal(total_hits(p), 3);
    assert_int_equal(warnings_of(p, "M-4"), 1);
    assert_int_equal(assay_profile_coverage(p)->stated_count, 0);
    assay_profile_release(p);
    p = NULL;
    for (uint64_t at = 1; !p && at < 2000; at++) {
        mem_fail_new(at, 0, UINT32_MAX);
        int rc = assay_filter_apply(all, &f, &p, NULL);
        mem_fail_new(0, 0, 0);
        assert_int_equal(rc, p ? ASSAY_OK : ASSAY_ERR_MEMORY);
    }
    assert_int_equal(count(p).lines, 3);
    assay_profile_release(p);
    assay_profile_release(all);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void nothing_is_missed_silently(void **state)
{
    (void)state;
    const char *const roots[] = { "/nowhere" };
    assay_profile *p = filtered(&(struct assay_filter){ .source_roots = roots, .source_root_count = 1 });
    assert_int_equal(warnings_of(p, "P-1"), 1); /* for all three */
    assert_int_equal(assay_profile_files(p)->count, 2);
    assay_profile_release(p);
    p = filtered(&(struct assay_filter){ .marks = ASSAY_MARKS_ALL });
    assert_int_equal(warnings_of(p, "P-1"), 1); /* for all three */
    assay_profile_release(p);
}

static void filters_of_cost_do_nothing_for_coverage(void **state)
{
    (void)state;
    static const char *const one[] = { "f" }, *const all[] = { "**" };
    assay_profile *p = filtered(&(struct assay_filter){ .focus = one, .focus_count = 1 });
    assert_int_equal(warnings_of(p, "FI-7"), 1);
    assay_profile_release(p);
    p = filtered(&(struct assay_filter){ .includes = all, .include_count = 1 });
    assert_int_equal(warnings_of(p, "FI-7"), 0);
    assay_profile_release(p);
}

/* The path of a report is there as it is written, and the root is the folder of the file, or another one. */
static void a_source_outside_the_roots_is_told(void **state)
{
    (void)state;
    static const char *const roots[] = { "in", "out" };
    char folder[] = "/tmp/assay-filter-XXXXXX", text[200], root[100];
    const char *list = root;
    assert_non_null(mkdtemp(folder));
    make_file(folder, "in/a.c", "\n");
    make_file(folder, "out/b.c", "\n");
    snprintf(text, sizeof text, "SF:%s/in/a.c\nDA:1,1\nend_of_record\n", folder);
    for (int i = 0; i < 2; i++) {
        assay_profile *all = read_text(text), *p = NULL;
        snprintf(root, sizeof root, "%s/%s", folder, roots[i]);
        assert_int_equal(assay_filter_apply(all, &(struct assay_filter){ .source_roots = &list, .source_root_count = 1 }, &p, NULL), 0);
        assert_int_equal(warnings_of(p, "P-3"), i);
        assay_profile_release(p);
        assay_profile_release(all);
    }
    snprintf(text, sizeof text, "rm -r %s", folder);
    assert_int_equal(system(text), 0);
}

static void a_profile_without_coverage_comes_back_as_it_is(void **state)
{
    (void)state;
    static const char *const none[] = { "*" };
    assay_profile *all = NULL, *p;
    const char *text = "events: Ir\nfl=a.c\nfn=f\n1 5\n";
    assert_int_equal(assay_read_memory(text, strlen(text), "callgrind.out", NULL, &all, NULL), 0);
    assert_int_equal(assay_filter_apply(all, &(struct assay_filter){ .excludes = none, .exclude_count = 1 }, &p, NULL), 0);
    assert_ptr_equal(all, p);
    assay_profile_release(p);
    assay_profile_release(all);
}

static void an_empty_pattern_is_refused(void **state)
{
    (void)state;
    static const char *const none[] = { "" };
    assay_error err;
    assay_profile *all = read_text(report), *p;
    assert_int_equal(assay_filter_apply(all, &(struct assay_filter){ .excludes = none, .exclude_count = 1 }, &p, &err), ASSAY_ERR_USAGE);
    assert_null(p);
    assay_profile_release(all);
}

static void each_refused_allocation_gives_a_memory_error(void **state)
{
    (void)state;
    static const char *const only_src[] = { "src" }, *const roots[] = { "/nowhere" };
    assay_profile *all = read_text(report), *p = NULL;
    uint64_t n = 1;
    for (; !p && n < 2000; n++) {
        assay_error err = { 0 };
        struct assay_filter f = { .includes = only_src, .include_count = 1, .source_roots = roots, .source_root_count = 1 };
        mem_fail_new(n, 0, UINT32_MAX);
        int rc = assay_filter_apply(all, &f, &p, &err);
        mem_fail_new(0, 0, 0);
        assert_int_equal(rc, p ? ASSAY_OK : ASSAY_ERR_MEMORY);
        assert_int_equal(err.code, rc);
    }
    assert_true(n > 20);
    assert_non_null(p);
    assay_profile_release(p);
    assay_profile_release(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_spellings_of_a_file_become_one),
        cmocka_unit_test(patterns_decide_which_files_stay),
        cmocka_unit_test(exclusion_counts_for_more_and_nothing_left_is_said),
        cmocka_unit_test(stated_totals_stay_true),
        cmocka_unit_test(maps_rename_files),
        cmocka_unit_test(sources_are_found_below_roots),
        cmocka_unit_test(marks_in_sources_are_followed),
        cmocka_unit_test(nothing_is_missed_silently),
        cmocka_unit_test(filters_of_cost_do_nothing_for_coverage),
        cmocka_unit_test(a_source_outside_the_roots_is_told),
        cmocka_unit_test(a_profile_without_coverage_comes_back_as_it_is),
        cmocka_unit_test(an_empty_pattern_is_refused),
        cmocka_unit_test(each_refused_allocation_gives_a_memory_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
