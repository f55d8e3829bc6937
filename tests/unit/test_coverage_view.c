/* Coverage of a file line by line, and files in their folders: what views show adds up to what is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/coverage/tree.h"
#include "analysis/coverage/view.h"
#include "assay/assay.h"

static assay_str_id str(assay_builder *b, const char *s) { return assay_build_string(b, s, strlen(s)); }
static assay_file_id file(assay_builder *b, const char *path) { return assay_build_file(b, str(b, path), (assay_module_id){ 0 }); }

static void line(assay_builder *b, assay_file_id f, uint32_t number, uint64_t hits, uint8_t flags)
{
    assay_build_coverage_line(b, &(struct assay_coverage_line){ .file = f, .line = number, .hits = hits, .flags = flags });
}

static void branch(assay_builder *b, assay_file_id f, uint32_t number, const char *name, uint64_t hits, uint8_t flags)
{
    assay_build_coverage_branch(
        b, &(struct assay_coverage_branch){ .file = f, .line = number, .block = str(b, "0"), .name = str(b, name), .hits = hits, .flags = flags });
}

static assay_profile *two_files(void)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id other = file(b, "b.c"), f = file(b, "a.c");
    line(b, f, 9, 1, 0);
    line(b, other, 1, 5, 0);
    line(b, f, 3, 0, 0);
    line(b, f, 3, UINT64_MAX, 0);
    line(b, f, 3, 2, 0);
    line(b, f, 4, 7, ASSAY_COVERAGE_EXCLUDED);
    line(b, f, 5, 3, ASSAY_COVERAGE_ONLY_HIT);
    branch(b, f, 9, "1", 0, ASSAY_COVERAGE_BRANCH_NOT_EVALUATED);
    branch(b, f, 9, "0", 4, 0);
    branch(b, f, 9, "1", 0, 0);
    branch(b, f, 7, "0", 0, ASSAY_COVERAGE_BRANCH_UNREACHABLE);
    assay_build_coverage_sum(b, &(struct assay_coverage_sum){ .file = f, .line = 3, .hit = 1, .total = 2, .kind = str(b, "branches") });
    assay_build_coverage_sum(b, &(struct assay_coverage_sum){ .file = f, .line = 3, .hit = 2, .total = 2, .kind = str(b, "branches") });
    assay_func_id g = assay_build_func(b, str(b, "g"), f, (assay_module_id){ 0 }, 0, 9);
    assay_func_id h = assay_build_func(b, str(b, "h"), f, (assay_module_id){ 0 }, 0, 3);
    assay_build_coverage_func(b, &(struct assay_coverage_func){ .func = g, .calls = 1 });
    assay_build_coverage_func(b, &(struct assay_coverage_func){ .func = h, .calls = 0 });
    assay_build_coverage_func(b, &(struct assay_coverage_func){ .func = g, .calls = 2 });
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

static void rows_of_one_line_become_one(void **state)
{
    (void)state;
    struct mem mem;
    struct coverage_view v;
    assay_profile *p = two_files();
    mem_init(&mem, 0);
    assert_int_equal(coverage_view_init(&v, &mem, p, NULL), 0);
    assert_int_equal(coverage_view_file(&v, 2, NULL), 0);
    assert_int_equal(v.lines.len, 5); /* 3 4 5 7 9 */
    const struct view_line *l = v.lines.at;
    assert_true(l[0].line == 3 && l[0].is_code && l[0].hits == UINT64_MAX && l[0].branches == 2 && l[0].branches_hit == 2 && l[0].branch_count == 0);
    assert_true(l[1].line == 4 && !l[1].is_code && l[1].flags == ASSAY_COVERAGE_EXCLUDED && l[1].hits == 0);
    assert_true(l[2].line == 5 && l[2].is_code && l[2].hits == 1);
    assert_true(l[3].line == 7 && !l[3].is_code && l[3].branches == 0 && l[3].branch_count == 1);
    assert_true(l[4].line == 9 && l[4].branches == 2 && l[4].branches_hit == 1 && l[4].branch_count == 2);
    assert_int_equal(v.branches.at[l[4].first_branch].flags, 0); /* evaluated once is evaluated */
    assert_int_equal(v.functions.len, 2);
    assert_true(v.functions.at[0].line == 3 && v.functions.at[0].calls == 0);
    assert_true(v.functions.at[1].line == 9 && v.functions.at[1].calls == 3);
    assert_int_equal(coverage_view_file(&v, 1, NULL), 0);
    assert_int_equal(v.lines.len, 1);
    assert_int_equal(v.functions.len, 0);
    coverage_view_done(&v);
    assert_int_equal(mem.used, 0);
    assay_profile_release(p);
}

static void refused_memory_leaks_nothing(void **state)
{
    (void)state;
    assay_profile *p = two_files();
    int rc = 1;
    for (uint64_t n = 1; rc != 0; n++) {
        struct mem mem;
        struct coverage_view v;
        struct coverage_tree t;
        assay_error err = { 0 };
        mem_init(&mem, 0);
        mem.fail_at = n;
        rc = coverage_view_init(&v, &mem, p, &err);
        if (rc == 0) rc = coverage_view_file(&v, 2, &err);
        coverage_view_done(&v);
        if (rc == 0)
            rc = coverage_tree_init(&t, &mem, p, &err);
        else
            memset(&t, 0, sizeof t), t.mem = &mem;
        coverage_tree_done(&t);
        if (rc != 0) assert_int_equal(err.code, ASSAY_ERR_MEMORY);
        assert_int_equal(mem.used, 0);
        assert_true(n < 100);
    }
    assay_profile_release(p);
}

static void check_tree(const char *const *paths, size_t count, const char *want)
{
    char got[1000] = "";
    struct mem mem;
    struct coverage_tree t;
    assay_builder *b = assay_builder_new(NULL, NULL);
    for (size_t i = 0; i < count; i++) line(b, file(b, paths[i]), 1, i % 2, 0);
    assay_profile *p = assay_builder_seal(b, NULL);
    mem_init(&mem, 0);
    assert_int_equal(coverage_tree_init(&t, &mem, p, NULL), 0);
    snprintf(got, sizeof got, "%.*s:", (int)t.prefix.len, t.prefix.data ? t.prefix.data : "");
    for (size_t i = 0; i < t.rows.len; i++) {
        const struct tree_row *r = &t.rows.at[i];
        size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, " %u%.*s%s=%u/%u>%u", r->depth, (int)r->name.len, r->name.data, r->file ? "" : "/", (unsigned)r->counts.lines_hit,
                 (unsigned)r->counts.lines, r->end);
    }
    assert_string_equal(got, want);
    coverage_tree_done(&t);
    assert_int_equal(mem.used, 0);
    assay_profile_release(p);
}

static void files_stand_in_their_folders(void **state)
{
    (void)state;
    check_tree((const char *const[]){ "/w/src/b/x.c", "/w/src/a/y.c", "/w/src/main.c", "/w/src/a/z.c" }, 4,
               "/w/src/: 0a/=2/2>3 1y.c=1/1>2 1z.c=1/1>3 0b/=0/1>5 1x.c=0/1>5 0main.c=0/1>6");
}

static void folders_with_nothing_else_in_them_become_one_row(void **state)
{
    (void)state;
    check_tree((const char *const[]){ "com/x/y/A.java", "com/x/y/B.java", "org/p/q/r/C.java", "org/p/D.java" }, 4,
               ": 0com/x/y/=1/2>3 1A.java=0/1>2 1B.java=1/1>3 0org/p/=1/2>7 1D.java=1/1>5 1q/r/=0/1>7 2C.java=0/1>7");
}

static void a_name_may_begin_like_a_folder(void **state)
{
    (void)state;
    check_tree((const char *const[]){ "a-b/x.c", "a/x.c", "a.c" }, 3, ": 0a/=1/1>2 1x.c=1/1>2 0a-b/=0/1>4 1x.c=0/1>4 0a.c=0/1>5");
    check_tree((const char *const[]){ "only.c" }, 1, ": 0only.c=0/1>1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_one_line_become_one),    cmocka_unit_test(refused_memory_leaks_nothing),
        cmocka_unit_test(files_stand_in_their_folders),   cmocka_unit_test(folders_with_nothing_else_in_them_become_one_row),
        cmocka_unit_test(a_name_may_begin_like_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
