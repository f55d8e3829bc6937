/* Marks in sources: each family marks the lines that its tool leaves out. A case is a source and, for each of its lines, '.' nothing, 'L' the line,
 * 'B' its branches, 'E' its branches to handlers, 'U' unreachable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/coverage/exclusion.h"

static struct mem mem;

static char letter(unsigned mark)
{
    return mark & MARK_UNREACHABLE ? 'U' : mark & MARK_LINE ? 'L' : mark & MARK_BRANCHES ? 'B' : mark & MARK_EXCEPTIONS ? 'E' : '.';
}

/* `rules`: the rules of the findings, each with a blank behind it. */
static void expect_of(uint32_t families, const char *path, const char *source, const char *marks, const char *rules)
{
    struct source_text text;
    struct line_marks m;
    struct findings found;
    char got[200] = "", said[200] = "";
    findings_init(&found, &mem);
    assert_int_equal(source_text_of(&text, slice_of(source), &mem, NULL), 0);
    assert_true(exclusion_find(&text, path, families, &(struct exclusion_rules){ .mem = &mem }, &mem, &m, &found));
    for (uint32_t i = 1; i <= text.lines.len; i++) got[i - 1] = letter(line_marks_at(&m, i));
    for (size_t i = 0; i < found.list.len; i++) snprintf(said + strlen(said), sizeof said - strlen(said), "%s ", found.list.at[i].rule);
    assert_string_equal(got, marks);
    assert_string_equal(said, rules);
    exclusion_done(&m, &mem);
    source_text_done(&text);
    findings_done(&found);
    assert_int_equal(mem.used, 0);
}

static void expect(const char *path, const char *source, const char *marks) { expect_of(ASSAY_MARKS_ALL, path, source, marks, ""); }

static void a_range_ends_before_its_stop(void **state)
{
    (void)state;
    expect("a.c", "a\nb // LCOV_EXCL_START\nc\nd // LCOV_EXCL_STOP\ne\n", ".LL..");
    expect("a.c", "a\n/* GCOV_EXCL_START */\nc\n/* GCOV_EXCL_STOP */\nGRCOV_EXCL_START\nf\nGRCOV_EXCL_STOP\n", ".LL.LL.");
    expect("a.c", "x LCOV_EXCL_LINE\nx GCOVR_EXCL_LINE\nx GRCOV_EXCL_LINE\nx GCOV_EXCL_LINE\nx XLCOV_EXCL_LINE\nx LCOV_EXCL_LINES\n", "LLLL..");
}

static void branches_have_marks_of_their_own(void **state)
{
    (void)state;
    expect("a.c", "x LCOV_EXCL_BR_LINE\nLCOV_EXCL_BR_START\nx\nLCOV_EXCL_BR_STOP\n", "BBB.");
    expect("a.c", "x LCOV_EXCL_EXCEPTION_BR_LINE\nLCOV_EXCL_EXCEPTION_BR_START\nx\nLCOV_EXCL_EXCEPTION_BR_STOP\n", "EEE.");
    expect("a.c", "x LCOV_UNREACHABLE_LINE\nLCOV_UNREACHABLE_START\nx\nLCOV_UNREACHABLE_STOP\n", "UUU.");
}

static void families_are_apart(void **state)
{
    (void)state;
    const char *both = "LCOV_EXCL_START\nGCOVR_EXCL_START\nLCOV_EXCL_STOP\nx\nGCOVR_EXCL_STOP\n";
    expect("a.c", both, "LLLL.");
    expect_of(ASSAY_MARKS_LCOV, "a.c", both, "LL...", "");
    expect_of(ASSAY_MARKS_GCOVR, "a.c", both, ".LLL.", "");
    expect_of(ASSAY_MARKS_PYTHON, "a.c", both, ".....", "");
    expect_of(ASSAY_MARKS_ALL, "a.c", "LCOV_EXCL_START\nGCOVR_EXCL_STOP\n", "LL", "M-2 M-1 ");
}

static void ranges_that_do_not_fit_are_said(void **state)
{
    (void)state;
    expect_of(ASSAY_MARKS_ALL, "a.c", "a\nLCOV_EXCL_START\nb\n", ".LL", "M-1 ");
    expect_of(ASSAY_MARKS_ALL, "a.c", "a\nLCOV_EXCL_STOP\nb\n", "...", "M-2 ");
    expect_of(ASSAY_MARKS_ALL, "a.c", "LCOV_EXCL_START\nLCOV_EXCL_START\nLCOV_EXCL_STOP\n", "LL.", "M-3 ");
    expect_of(ASSAY_MARKS_ALL, "a.c", "x GCOVR_EXCL_BR_SOURCE\nx LCOV_EXCLUDE_BRANCH 1\n", "..", "M-5 M-5 ");
    expect_of(ASSAY_MARKS_ALL, "a.c", "x GCOVR_EXCL_BR_WITHOUT_HIT\nx GCOVR_EXCL_BR_WITHOUT_HIT: 1\nx GCOVR_EXCL_BR_WITHOUT_HIT:1/2\n", "...", "M-5 M-5 M-5 ");
    expect_of(ASSAY_MARKS_ALL, "a.js", "/* c8 ignore start */\na\n", "LL", "M-1 ");
}

static void a_marked_function_goes_whole(void **state)
{
    (void)state;
    expect("a.c", "int f(int a) // GCOVR_EXCL_FUNCTION\n{\n  if (a) { g(); }\n  return '}';\n}\nint h;\n", "LLLLL.");
    expect("a.c", "#define X {\nint f(void) { /* GCOVR_EXCL_FUNCTION { */\n  puts(\"{\");\n}\nint h;\n", ".LLL.");
}

static void coverage_py_leaves_out_whole_blocks(void **state)
{
    (void)state;
    expect("a.py", "def f():  # pragma: no cover\n    a()\n\n    b()\nc()\n", "LLLL.");
    expect("a.py", "if x:  # pragma: no cover\n    a()\nelse:\n    b()\n", "LL..");
    expect("a.py", "if x:\n    a()\nelse:  #pragma:no cover\n    b()\nc()\n", "..LL.");
    expect("a.py", "x = 1  # PRAGMA: NO COVER\ny = 2  # pragma no cover\nz = 3  # pragma: nothing\n", "LL.");
    expect("a.py", "f(a,\n  b,  # pragma: no cover\n  c)\nd()\n", "LLL.");
    expect("a.py", "@one  # pragma: no cover\n@two(3)\ndef f():\n    a()\n\nb()\n", "LLLL..");
    expect("a.py", "class A:  # pragma: no cover\n    '''text:\nleft:\n'''\n    def f(self):\n        pass\nb()\n", "LLLLLL.");
    expect("a.py", "if a:  # pragma: no branch\n    b()\n", "B.");
    expect("a.py", "s = \"# pragma: no cover\"\nd = {'a':\n  1}\n", "L..");
    expect("a.js", "f() # pragma: no cover\n", ".");
}

static void istanbul_leaves_out_the_next_node(void **state)
{
    (void)state;
    expect("a.js", "/* istanbul ignore next */\nfunction f() {\n  return 1;\n}\ng();\n", ".LLL.");
    expect("a.js", "class A {\n  /* istanbul ignore next: why */\n  debug() { log(this.#x); }\n  b() {}\n}\n", "..L..");
    expect("a.js", "/* istanbul ignore next */\nif (a) {\n  b();\n} else {\n  c();\n}\nd();\n", ".LLLLL.");
    expect("a.js", "// istanbul ignore next\nconst f = (x) => {\n  return `}${x}`;\n};\ng();\n", ".LLL.");
    expect("a.js", "/* istanbul ignore next */\nfoo()\nbar()\n", ".L.");
    expect("a.js", "/* istanbul ignore next */\nif (a)\n  b()\nc()\n", ".LL.");
    expect("a.js", "/* istanbul ignore next */\ntry {\n  a();\n} catch (e) {\n  b(/[/}]/);\n}\nc();\n", ".LLLLL.");
    expect("a.js", "x = {\n  /* istanbul ignore next */\n  a: 1,\n  b: 2\n};\n", "..L..");
    expect("a.js", "/* istanbul ignore if */\nif (a) {\n  b();\n}\nc();\n", "..LL.");
    expect("a.js", "/* istanbul ignore else */\nif (a) {\n  b();\n} else {\n  c();\n}\nd();\n", "....LL.");
    expect("a.js", "a();\n/* istanbul ignore file */\nb();\n", "LLL");
    expect_of(ASSAY_MARKS_ALL, "a.js", "/* istanbul ignore class methods: a */\nb();\n", "..", "M-5 ");
}

static void c8_and_node_count_lines(void **state)
{
    (void)state;
    expect("a.js", "/* c8 ignore next */\na();\nb();\n", ".L.");
    expect("a.js", "/* c8 ignore next 2 */\na();\nb();\nc();\n", ".LL.");
    expect("a.js", "a(); /* c8 ignore next */\nb();\n", "L.");
    expect("a.js", "a();\n/* c8 ignore start */\nb();\n/* c8 ignore stop */\nc();\n", ".LL..");
    expect("a.ts", "/* v8 ignore start */\nb();\n/* v8 ignore stop */\n/* v8 ignore next 1 */\nd();\n", "LL..L");
    expect("a.mjs", "/* node:coverage disable */\nb();\n/* node:coverage enable */\n/* node:coverage ignore next 2 */\nc();\nd();\ne();\n", "LL..LL.");
    expect("a.js", "/* c8 ignore file */\na();\n", "LL");
}

static void phpunit_leaves_out_what_is_documented_so(void **state)
{
    (void)state;
    expect("a.php", "<?php\n// @codeCoverageIgnoreStart\nf();\n// @codeCoverageIgnoreEnd\ng();\n", ".LL..");
    expect("a.php", "f(); // @codeCoverageIgnore\ng();\n", "L.");
    expect("a.php", "/**\n * Text.\n * @codeCoverageIgnore\n */\npublic function f(): int\n{\n    return 1;\n}\ng();\n", "....LLLL.");
    expect("a.php", "/** @codeCoverageIgnore */\nclass A\n{\n  function f() {}\n}\nclass B {}\n", ".LLLL.");
}

static void ruby_toggles_and_dart_ranges(void **state)
{
    (void)state;
    expect("a.rb", "a\n  # :nocov:\nb\n  # :nocov:\nc # :nocov:\n", ".LL..");
    expect("a.dart", "a(); // coverage:ignore-line\n// coverage:ignore-start\nb();\n// coverage:ignore-end\nc();\n", "LLL..");
    expect("a.dart", "// coverage:ignore-file\na();\n", "LL");
    expect_of(ASSAY_MARKS_ALL, "a.rb", "# :nocov:\nb\n", "LL", "M-1 ");
}

static void an_empty_source_marks_nothing(void **state)
{
    (void)state;
    expect("a.c", "", "");
    expect("a.c", "\n\n", "..");
    expect("a.js", "/* istanbul ignore next */", ".");
    expect("a.js", "/* c8 ignore next 9999999999 */\na\n", ".L");
    expect("a.php", "/** @codeCoverageIgnore */", ".");
}

/* With little memory expressions may be made but not matched: that is no "not excluded". */
static void a_lack_of_memory_excludes_nothing_silently(void **state)
{
    (void)state;
    const char *expression = "x+$";
    struct assay_filter filter = { .exclude_lines = &expression, .exclude_line_count = 1 };
    for (size_t limit = 16, has_found = 0; !has_found; limit += 16) {
        struct mem small;
        struct exclusion_rules rules;
        struct source_text text;
        struct line_marks m = { 0 };
        struct findings found;
        assay_error err;
        mem_init(&small, limit);
        assert_int_equal(source_text_of(&text, slice_of("xx\ny\n"), &mem, NULL), 0);
        findings_init(&found, &mem);
        if (exclusion_rules_init(&rules, &filter, &small, &err) == 0 && exclusion_find(&text, "a.c", 0, &rules, &mem, &m, &found)) {
            assert_true(line_marks_at(&m, 1) & MARK_LINE);
            has_found = 1;
        }
        exclusion_done(&m, &mem);
        exclusion_rules_done(&rules);
        source_text_done(&text);
        findings_done(&found);
        assert_int_equal(small.used, 0);
    }
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_ends_before_its_stop),
        cmocka_unit_test(branches_have_marks_of_their_own),
        cmocka_unit_test(families_are_apart),
        cmocka_unit_test(ranges_that_do_not_fit_are_said),
        cmocka_unit_test(a_marked_function_goes_whole),
        cmocka_unit_test(coverage_py_leaves_out_whole_blocks),
        cmocka_unit_test(istanbul_leaves_out_the_next_node),
        cmocka_unit_test(c8_and_node_count_lines),
        cmocka_unit_test(phpunit_leaves_out_what_is_documented_so),
        cmocka_unit_test(ruby_toggles_and_dart_ranges),
        cmocka_unit_test(an_empty_source_marks_nothing),
        cmocka_unit_test(a_lack_of_memory_excludes_nothing_silently),
    };
    mem_init(&mem, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
