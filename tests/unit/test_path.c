/* Paths: one spelling for each, maps by whole components, patterns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/path.h"

static struct mem mem;

static void expect_normal(const char *path, const char *normal)
{
    struct arena a;
    arena_init(&a, &mem);
    assert_string_equal(path_normal(&a, slice_of(path)), normal);
    assert_string_equal(path_normal(&a, slice_of(normal)), normal);
    arena_done(&a);
}

static void a_path_has_one_spelling(void **state)
{
    (void)state;
    expect_normal("./a/b.c", "a/b.c");
    expect_normal("a//b/./c/../d.c", "a/b/d.c");
    expect_normal("../x/y.c", "../x/y.c");
    expect_normal("../../x/../y.c", "../../y.c");
    expect_normal("a/../../b", "../b");
    expect_normal("/../etc//passwd", "/etc/passwd");
    expect_normal("/a/b/..", "/a");
    expect_normal("/", "/");
    expect_normal("", "");
    expect_normal(".", "");
    expect_normal("C:\\proj\\src\\x.c", "C:/proj/src/x.c");
    expect_normal("C:\\..\\x.c", "C:/x.c");
    expect_normal("src\\x.c", "src/x.c");
    expect_normal("src/odd\\name.c", "src/odd\\name.c");
    expect_normal("file:///home/a%20b/x.js", "/home/a b/x.js");
    expect_normal("file:///C:/a/x.js", "C:/a/x.js");
    expect_normal("webpack:///./src/x.js", "src/x.js");
    expect_normal("webpack://shop/./src/x.js", "src/x.js");
    expect_normal("external/dep/x.cc", "external/dep/x.cc");
    expect_normal("SRC/X.C", "SRC/X.C");
}

static void expect_join(const char *folder, const char *path, const char *joined)
{
    struct arena a;
    arena_init(&a, &mem);
    assert_string_equal(path_join(&a, slice_of(folder), slice_of(path)), joined);
    arena_done(&a);
}

static void a_path_is_joined_to_a_folder(void **state)
{
    (void)state;
    expect_join("src/main/java", "com/x/A.java", "src/main/java/com/x/A.java");
    expect_join(".", "a.c", "a.c");
    expect_join("", "./a.c", "a.c");
    expect_join("/r/", "a.c", "/r/a.c");
    expect_join("/r", "/abs/a.c", "/abs/a.c");
    expect_join("/r", "", "/r");
    expect_join("x", "../a.c", "a.c");
}

static void the_first_map_that_fits_wins(void **state)
{
    static const struct assay_path_map maps[] = { { "/ci/build", "." }, { "/ci", "other" }, { "/home/*/proj", "here" } };
    const char *rest;
    (void)state;
    assert_ptr_equal(path_map(maps, 3, "/ci/build/a.c", &rest), &maps[0]);
    assert_string_equal(rest, "/a.c");
    assert_ptr_equal(path_map(maps, 3, "/ci/builds/a.c", &rest), &maps[1]);
    assert_ptr_equal(path_map(maps, 3, "/home/ann/proj/x/a.c", &rest), &maps[2]);
    assert_string_equal(rest, "/x/a.c");
    assert_null(path_map(maps, 3, "ci/build/a.c", &rest));
}

static bool matches(const char *path, const char *pattern) { return path_matches(slice_of(path), pattern); }

static void stars_stay_within_a_component(void **state)
{
    (void)state;
    assert_true(matches("src/a.c", "*.c"));
    assert_true(matches("src/a.c", "src/*.c"));
    assert_false(matches("src/x/a.c", "src/*.c"));
    assert_true(matches("src/x/a.c", "src/*/a.?"));
    assert_true(matches("src/abcabd", "*ab*d"));
    assert_false(matches("src/abcabe", "*ab*d"));
    assert_true(matches("a*b", "a\\*b"));
    assert_false(matches("axb", "a\\*b"));
}

static void two_stars_stand_for_any_number_of_components(void **state)
{
    (void)state;
    assert_true(matches("src/a.c", "src/**/a.c"));
    assert_true(matches("src/x/y/a.c", "src/**/a.c"));
    assert_false(matches("lib/x/a.c", "src/**/a.c"));
    assert_true(matches("a/b/c/b/d", "a/**/b/d"));
    assert_true(matches("src/x", "src/**"));
    assert_false(matches("src", "src/**"));
    assert_true(matches("anything", "**"));
    assert_true(matches("a/x/b/y/c/z", "**/b/**/z"));
    assert_false(matches("a/x/b/y/c/z", "**/b/**/q"));
}

static void a_pattern_fits_at_any_depth_unless_it_says_where(void **state)
{
    (void)state;
    assert_true(matches("/home/ci/src/a.c", "src/*.c"));
    assert_true(matches("/home/ci/src/a.c", "*/src/*"));
    assert_false(matches("x/src/a.c", "./src/*.c"));
    assert_true(matches("src/a.c", "./src/*.c"));
    assert_false(matches("/x/src/a.c", "/src/*.c"));
    assert_true(matches("/src/a.c", "/src/*.c"));
    assert_false(matches("src/a.c", "/src/*.c"));
    assert_false(matches("/src/a.c", "./src/*.c"));
}

static void a_folder_takes_along_what_is_below(void **state)
{
    (void)state;
    assert_true(matches("x/third_party/y/z.c", "third_party"));
    assert_true(matches("x/third_party/y/z.c", "third_party/"));
    assert_true(matches("/usr/include/stdio.h", "/usr"));
    assert_false(matches("/usr2/stdio.h", "/usr"));
    assert_false(matches("x/third_party2/z.c", "third_party"));
    assert_false(matches("a", ""));
    assert_false(matches("a", "/"));
    assert_false(matches("", "*"));
}

static void sets_hold_single_bytes_and_ranges(void **state)
{
    (void)state;
    assert_true(matches("a1.c", "a[0-9].c"));
    assert_false(matches("ax.c", "a[0-9].c"));
    assert_true(matches("ax.c", "a[!0-9].c"));
    assert_true(matches("a].c", "a[]].c"));
    assert_true(matches("a-.c", "a[x-].c"));
    assert_true(matches("a[.c", "a[.c"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_has_one_spelling),
        cmocka_unit_test(a_path_is_joined_to_a_folder),
        cmocka_unit_test(the_first_map_that_fits_wins),
        cmocka_unit_test(stars_stay_within_a_component),
        cmocka_unit_test(two_stars_stand_for_any_number_of_components),
        cmocka_unit_test(a_pattern_fits_at_any_depth_unless_it_says_where),
        cmocka_unit_test(a_folder_takes_along_what_is_below),
        cmocka_unit_test(sets_hold_single_bytes_and_ranges),
    };
    mem_init(&mem, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
