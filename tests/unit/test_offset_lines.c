/* Ranges of offsets become lines when the source is there: whole lines by the innermost range, offsets in UTF-16, one file for several runs. The
 * expected figures follow from the rules of docs/formats/v8.md, "Lines"; tests/formats/v8_lines.py compares with c8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "base/mem.h"
#include "base/slice.h"

#define RANGE(a, b, n) "{\"startOffset\":" #a ",\"endOffset\":" #b ",\"count\":" #n "}"
#define FUNCTION(name, blocks, ranges) "{\"functionName\":\"" name "\",\"isBlockCoverage\":" blocks ",\"ranges\":[" ranges "]}"
#define SCRIPT(url, source, functions) "{\"scriptId\":\"1\",\"url\":\"" url "\"" source ",\"functions\":[" functions "]}"
#define SOURCE(text) ",\"source\":\"" text "\""
#define DOCUMENT(scripts) "{\"result\":[" scripts "]}"

static assay_profile *read_text(const char *text)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    if (assay_read_memory(text, strlen(text), "x.json", &(struct assay_read_options){ .format = "v8" }, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

static assay_profile *filtered(const char *text, const struct assay_filter *f)
{
    assay_profile *all = read_text(text), *p = NULL;
    assert_int_equal(assay_filter_apply(all, f, &p, NULL), 0);
    assay_profile_release(all);
    return p;
}

static assay_profile *with_own_sources(const char *text) { return filtered(text, &(struct assay_filter){ .lines = true }); }

/* The hits of all lines, '~' behind those that are partial: "1 1~ 0". */
static const char *lines_of(const assay_profile *p)
{
    static char text[400];
    const struct assay_coverage *c = assay_profile_coverage(p);
    text[0] = '\0';
    for (uint32_t i = 0; i < c->line_count; i++) {
        assert_int_equal(c->line_number[i], i + 1);
        bool is_partial = c->line_flags && c->line_flags[i] & ASSAY_COVERAGE_PARTIAL;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%llu%s", i ? " " : "", (unsigned long long)c->line_hits[i], is_partial ? "~" : "");
    }
    return text;
}

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

static void check(const char *text, const char *want)
{
    assay_profile *p = with_own_sources(text);
    assert_string_equal(lines_of(p), want);
    assay_profile_release(p);
}

/* ---- rules ---- */

static void the_innermost_range_that_holds_a_whole_line_counts(void **state)
{
    (void)state;
    /* offsets of lines:  0-1 2-3 4-5 6-7 8-9 */
    check(DOCUMENT(SCRIPT("a.js", SOURCE("a\\nb\\nc\\nd\\ne\\n"), FUNCTION("", "true", RANGE(0, 10, 1) "," RANGE(2, 7, 3) "," RANGE(4, 5, 0)))), "1 3 0 3 1");
    check(DOCUMENT(SCRIPT("a.js", SOURCE("a\\nb\\nc\\n"), FUNCTION("", "true", RANGE(0, 6, 1)) "," FUNCTION("f", "false", RANGE(2, 3, 0)))), "1 0 1");
}

static void a_missed_part_makes_a_line_partial(void **state)
{
    (void)state;
    check(DOCUMENT(SCRIPT("a.js", SOURCE("abcd\\nefgh\\nijkl\\n"), FUNCTION("", "true", RANGE(0, 15, 1) "," RANGE(2, 12, 0)))), "1~ 0 1~");
    check(DOCUMENT(SCRIPT("a.js", SOURCE("abcd\\nefgh\\n"), FUNCTION("", "true", RANGE(0, 10, 1) "," RANGE(2, 4, 5)))), "1 1");
}

static void a_range_that_begins_behind_a_line_belongs_to_the_next(void **state)
{
    (void)state;
    assay_profile *p = with_own_sources(DOCUMENT(SCRIPT("a.js", SOURCE("ab\\ncd\\nef\\n"), FUNCTION("", "true", RANGE(0, 9, 1) "," RANGE(2, 5, 0)))));
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_string_equal(lines_of(p), "1 0 1");
    assert_int_equal(c->branch_count, 2);
    assert_int_equal(c->branch_line[1], 2);
    assert_int_equal(c->branch_column[1], 1);
    assert_int_equal(c->branch_end_line[1], 2);
    assert_int_equal(c->branch_end_column[1], 3);
    assay_profile_release(p);
}

static void neighbours_with_the_same_count_are_one(void **state)
{
    (void)state;
    /* Neither 2 to 6 nor 6 to 9 holds the line "defg" from 4 to 8, but both together do. */
    const char source[] =
        DOCUMENT(SCRIPT("a.js", SOURCE("abc\\ndefg\\nhi\\n"), FUNCTION("", "true", RANGE(0, 12, 1) "," RANGE(2, 6, 0) "," RANGE(6, 9, 0) "," RANGE(9, 11, 2))));
    assay_profile *p = with_own_sources(source);
    assert_string_equal(lines_of(p), "1~ 0 2");
    assert_int_equal(count(p).branches, 3);
    assert_int_equal(count(p).branches_hit, 2);
    assay_profile_release(p);
}

static void a_range_that_fills_the_one_around_it_takes_its_place(void **state)
{
    (void)state;
    assay_profile *p = with_own_sources(
        DOCUMENT(SCRIPT("a.js", SOURCE("a\\nb\\n"), FUNCTION("", "true", RANGE(0, 4, 1)) "," FUNCTION("f", "true", RANGE(2, 3, 4) "," RANGE(2, 3, 2)))));
    assert_string_equal(lines_of(p), "1 2");
    assay_profile_release(p);
    p = with_own_sources(
        DOCUMENT(SCRIPT("a.js", SOURCE("abc\\nd\\n"), FUNCTION("", "true", RANGE(0, 6, 1) "," RANGE(0, 3, 2) "," RANGE(0, 1, 7) "," RANGE(1, 3, 7)))));
    assert_string_equal(lines_of(p), "7 1");
    assert_int_equal(count(p).branches, 2);
    assay_profile_release(p);
}

static void offsets_count_units_of_utf_16(void **state)
{
    (void)state;
    /* a-umlaut: 1 unit of 2 bytes; euro: 1 of 3; a smile: 2 of 4; CR LF: 2; a byte order mark is no part of the script */
    check(DOCUMENT(SCRIPT("a.js", SOURCE("\\u00e4\\u20ac\\n\\ud83d\\ude00x\\r\\ny\\r\\n"), FUNCTION("", "true", RANGE(0, 11, 1) "," RANGE(3, 6, 0)))), "1 0 1");
    check(DOCUMENT(SCRIPT("a.js", SOURCE("\\ufeffa\\nb\\n"), FUNCTION("", "true", RANGE(0, 4, 1) "," RANGE(2, 3, 0)))), "1 0");
}

static void blank_lines_count_but_not_at_the_end(void **state)
{
    (void)state;
    check(DOCUMENT(SCRIPT("a.js", SOURCE("a\\n\\nb\\n \\n\\n"), FUNCTION("", "true", RANGE(0, 8, 1) "," RANGE(0, 4, 0)))), "0 0 0");
    check(DOCUMENT(SCRIPT("a.js", SOURCE("a"), FUNCTION("", "true", RANGE(0, 1, 1)))), "1");
}

static void runs_of_one_script_are_added(void **state)
{
    (void)state;
    const char text[] = DOCUMENT(SCRIPT("a.js", SOURCE("a\\nb\\n"), FUNCTION("", "true", RANGE(0, 4, 1)) "," FUNCTION("f", "true", RANGE(2, 3, 0))) "," SCRIPT(
        "a.js", SOURCE("a\\nb\\n"), FUNCTION("", "true", RANGE(0, 4, 1)) "," FUNCTION("f", "true", RANGE(2, 3, 5))));
    assay_profile *p = with_own_sources(text);
    assert_string_equal(lines_of(p), "2 5");
    assert_int_equal(count(p).functions, 1);
    assert_int_equal(count(p).functions_hit, 1);
    assert_int_equal(count(p).branches, 2);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 7);
    assay_profile_release(p);
    check(
        DOCUMENT(SCRIPT("a.js", SOURCE("a\\n"), FUNCTION("", "true", RANGE(0, 2, 1))) "," SCRIPT("a.js", SOURCE("a\\n"), FUNCTION("", "true", RANGE(0, 2, 1)))),
        "2");
}

static void functions_get_lines_and_their_plain_names(void **state)
{
    (void)state;
    assay_profile *p = with_own_sources(
        DOCUMENT(SCRIPT("a.js", SOURCE("a\\n  bcd\\ne\\n"),
                        FUNCTION("", "true", RANGE(0, 10, 1)) "," FUNCTION("f", "false", RANGE(4, 9, 3)) "," FUNCTION("", "true", RANGE(5, 6, 0)))));
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    assert_int_equal(c->func_count, 1);
    assert_string_equal(assay_profile_string(p, f->name[c->func[0].v]).data, "f");
    assert_int_equal(f->first_line[1], 2);
    assert_int_equal(f->last_line[1], 3);
    assert_int_equal(c->func_first_column[0], 3);
    assert_int_equal(c->func_last_column[0], 2);
    assert_int_equal(c->branch_count, 2); /* not of f, of which only calls were counted */
    assert_int_equal(c->region_first[1], 2);
    assert_int_equal(c->region_first_column[1], 3);
    assay_profile_release(p);
}

/* ---- sources ---- */

#define ON_DISK DOCUMENT(SCRIPT("file:///ci/app/src/a.js", "", FUNCTION("", "true", RANGE(0, 4, 1) "," RANGE(2, 3, 0))))

static void write_source(const char *folder, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/src/a.js", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void sources_are_found_below_roots_and_must_be_those_that_ran(void **state)
{
    (void)state;
    char folder[] = "/tmp/assay-offsets-XXXXXX", command[400];
    assert_non_null(mkdtemp(folder));
    const char *const roots[] = { folder };
    const struct assay_filter f = { .source_roots = roots, .source_root_count = 1 };
    snprintf(command, sizeof command, "mkdir %s/src", folder);
    assert_int_equal(system(command), 0);

    assay_profile *p = filtered(ON_DISK, &f);
    assert_int_equal(warnings_of(p, "P-1"), 1);
    assert_string_equal(lines_of(p), "");
    assert_int_equal(assay_profile_coverage(p)->region_last[0], 4);
    assay_profile_release(p);

    write_source(folder, "a\nb\n");
    p = filtered(ON_DISK, &f);
    assert_string_equal(lines_of(p), "1 0");
    assay_profile_release(p);

    static const char *const others[] = { "a\n", "a\nb\nc\n" };
    for (int i = 0; i < 2; i++) {
        write_source(folder, others[i]);
        p = filtered(ON_DISK, &f);
        assert_int_equal(warnings_of(p, "P-6"), 1);
        assert_string_equal(lines_of(p), "");
        assay_profile_release(p);
    }

    write_source(folder, "a\nb /* v8 ignore next */\n");
    p = filtered(DOCUMENT(SCRIPT("file:///ci/app/src/a.js", "", FUNCTION("f", "true", RANGE(0, 3, 1) "," RANGE(2, 3, 0)))),
                 &(struct assay_filter){ .source_roots = roots, .source_root_count = 1, .marks = ASSAY_MARKS_ALL });
    assert_int_equal(warnings_of(p, "P-6"), 0); /* the whole script was not told */
    assert_int_equal(count(p).lines, 1);
    assert_int_equal(count(p).branches, 1);
    assay_profile_release(p);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void without_a_source_nothing_changes(void **state)
{
    (void)state;
    assay_profile *p = filtered(ON_DISK, &(struct assay_filter){ 0 });
    assert_int_equal(warnings_of(p, "P-1"), 0);
    assert_int_equal(assay_profile_coverage(p)->line_count, 0);
    assert_string_equal(assay_profile_string(p, assay_profile_funcs(p)->name[1]).data, "@0");
    assay_profile_release(p);
    p = filtered(ON_DISK, &(struct assay_filter){ .lines = true });
    assert_int_equal(warnings_of(p, "P-1"), 1);
    assay_profile_release(p);
}

/* Damaged ranges must neither hang nor read beyond the text. */
static void odd_ranges_do_no_harm(void **state)
{
    (void)state;
    check(DOCUMENT(SCRIPT("a.js", SOURCE("a\\nb\\n"), FUNCTION("f", "true", RANGE(3, 1, 9) "," RANGE(2, 2, 7) "," RANGE(0, 3, 2) "," RANGE(1, 4, 0)))), "2 0");
    check(DOCUMENT(SCRIPT("a.js", SOURCE(""), FUNCTION("", "true", RANGE(0, 0, 1)))), "");
    assay_profile *p = with_own_sources(DOCUMENT(SCRIPT("a.js", SOURCE("a\\n"), FUNCTION("", "true", RANGE(0, 2000000000, 1)))));
    assert_int_equal(warnings_of(p, "P-6"), 1);
    assay_profile_release(p);
}

static void memory_that_ends_is_an_error(void **state)
{
    (void)state;
    assay_profile *all = read_text(DOCUMENT(SCRIPT("a.js", SOURCE("a\\nb\\n"), FUNCTION("f", "true", RANGE(0, 4, 1) "," RANGE(2, 3, 0))))), *p = NULL;
    struct assay_filter f = { .lines = true };
    uint64_t n = 1;
    for (; !p && n < 2000; n++) {
        mem_fail_new(n, 0, UINT32_MAX);
        int rc = assay_filter_apply(all, &f, &p, NULL);
        mem_fail_new(0, 0, 0);
        assert_int_equal(rc, p ? ASSAY_OK : ASSAY_ERR_MEMORY);
    }
    assert_true(n > 20);
    assert_string_equal(lines_of(p), "1 0");
    assay_profile_release(p);
    assay_profile_release(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_innermost_range_that_holds_a_whole_line_counts),
        cmocka_unit_test(a_missed_part_makes_a_line_partial),
        cmocka_unit_test(a_range_that_begins_behind_a_line_belongs_to_the_next),
        cmocka_unit_test(neighbours_with_the_same_count_are_one),
        cmocka_unit_test(a_range_that_fills_the_one_around_it_takes_its_place),
        cmocka_unit_test(offsets_count_units_of_utf_16),
        cmocka_unit_test(blank_lines_count_but_not_at_the_end),
        cmocka_unit_test(runs_of_one_script_are_added),
        cmocka_unit_test(functions_get_lines_and_their_plain_names),
        cmocka_unit_test(sources_are_found_below_roots_and_must_be_those_that_ran),
        cmocka_unit_test(without_a_source_nothing_changes),
        cmocka_unit_test(odd_ranges_do_no_harm),
        cmocka_unit_test(memory_that_ends_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
