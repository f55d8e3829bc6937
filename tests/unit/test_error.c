/* Errors: filling, formatting, codes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static void check_format(const assay_error *err, const char *text)
{
    char buf[2048];
    assert_int_equal(assay_error_format(err, buf, sizeof buf), strlen(text));
    assert_string_equal(buf, text);
}

static void a_sentence_is_preceded_by_what_is_known_of_its_place(void **state)
{
    (void)state;
    assay_error err = { 0 };
    assert_int_equal(error_set(&err, ASSAY_ERR_DAMAGED, "no %s", "magic"), ASSAY_ERR_DAMAGED);
    check_format(&err, "no magic");
    error_path(&err, "samples.out");
    check_format(&err, "samples.out: no magic");
    assert_int_equal(error_at(&err, ASSAY_ERR_TRUNCATED, 1204, "ends in a record"), ASSAY_ERR_TRUNCATED);
    check_format(&err, "samples.out: offset 1204: ends in a record");
    assert_int_equal(error_line(&err, ASSAY_ERR_DAMAGED, 1204, 17, "'calls=' before any 'fn='"), ASSAY_ERR_DAMAGED);
    check_format(&err, "samples.out:17: 'calls=' before any 'fn='");
    err.path[0] = '\0';
    check_format(&err, "line 17: 'calls=' before any 'fn='");
    error_at(&err, ASSAY_ERR_DAMAGED, 0, "bad start");
    check_format(&err, "offset 0: bad start");
    error_at(&err, ASSAY_ERR_DAMAGED, UINT64_MAX, "far");
    check_format(&err, "offset 18446744073709551615: far");
}

static void a_new_error_keeps_nothing_of_the_old_one_but_the_path(void **state)
{
    (void)state;
    assay_error err = { 0 };
    error_line(&err, ASSAY_ERR_DAMAGED, 5, 6, "first");
    error_path(&err, "a");
    error_path(&err, "b");
    error_sys(&err, ASSAY_ERR_SYSTEM, ENOENT, "cannot open");
    assert_int_equal(err.code, ASSAY_ERR_SYSTEM);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_false(err.has_offset);
    assert_int_equal(err.line, 0);
    assert_string_equal(err.path, "a");
    error_set(&err, ASSAY_ERR_USAGE, "second");
    assert_int_equal(err.sys_errno, 0);
    assert_string_equal(err.text, "second");
}

static void a_system_error_says_what_the_system_said(void **state)
{
    (void)state;
    assay_error err = { 0 };
    char expected[256];
    assert_int_equal(error_sys(&err, ASSAY_ERR_WRITE, ENOSPC, "cannot write %d bytes", 7), ASSAY_ERR_WRITE);
    snprintf(expected, sizeof expected, "cannot write 7 bytes: %s", strerror(ENOSPC));
    assert_string_equal(err.text, expected);
}

static void without_an_error_to_fill_only_the_code_comes_back(void **state)
{
    (void)state;
    assert_int_equal(error_set(NULL, ASSAY_ERR_USAGE, "x"), ASSAY_ERR_USAGE);
    assert_int_equal(error_at(NULL, ASSAY_ERR_DAMAGED, 1, "x"), ASSAY_ERR_DAMAGED);
    assert_int_equal(error_line(NULL, ASSAY_ERR_DAMAGED, 1, 1, "x"), ASSAY_ERR_DAMAGED);
    assert_int_equal(error_sys(NULL, ASSAY_ERR_SYSTEM, EIO, "x"), ASSAY_ERR_SYSTEM);
    assert_int_equal(error_memory(NULL), ASSAY_ERR_MEMORY);
    error_path(NULL, "x");
    assay_error err = { 0 };
    error_path(&err, NULL);
    assert_string_equal(err.path, "");
    assert_int_equal(error_memory(&err), ASSAY_ERR_MEMORY);
    assert_int_equal(err.code, ASSAY_ERR_MEMORY);
}

static void long_texts_are_cut_and_terminated(void **state)
{
    (void)state;
    static char name[2000];
    assay_error err = { 0 };
    memset(name, 'n', sizeof name - 1);
    error_sys(&err, ASSAY_ERR_SYSTEM, EIO, "%s", name);
    error_path(&err, name);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_int_equal(strlen(err.path), sizeof err.path - 1);
}

static void a_short_buffer_gets_a_terminated_beginning_and_the_length_needed(void **state)
{
    (void)state;
    assay_error err = { 0 };
    error_set(&err, ASSAY_ERR_DAMAGED, "0123456789");
    error_path(&err, "p");
    for (size_t len = 1; len < 16; len++) {
        char buf[16];
        memset(buf, '#', sizeof buf);
        assert_int_equal(assay_error_format(&err, buf, len), 13);
        assert_int_equal(strlen(buf), len - 1 < 13 ? len - 1 : 13);
        assert_memory_equal(buf, "p: 0123456789", strlen(buf));
        if (len < sizeof buf) assert_int_equal(buf[15], '#');
    }
    assert_int_equal(assay_error_format(&err, NULL, 0), 13);
}

static int step(int code, int *calls)
{
    ++*calls;
    return code;
}

static int three_steps(int second, int *calls)
{
    TRY(step(0, calls));
    TRY(step(second, calls));
    TRY(step(0, calls));
    return 0;
}

static int failing(assay_error *err) { FAIL(err, ASSAY_ERR_LIMIT, "more than %d", 3); }

static void try_returns_at_the_first_failure_and_fail_fills(void **state)
{
    (void)state;
    int calls = 0;
    assert_int_equal(three_steps(0, &calls), 0);
    assert_int_equal(calls, 3);
    calls = 0;
    assert_int_equal(three_steps(ASSAY_ERR_EMPTY, &calls), ASSAY_ERR_EMPTY);
    assert_int_equal(calls, 2);
    assay_error err = { 0 };
    assert_int_equal(failing(&err), ASSAY_ERR_LIMIT);
    assert_string_equal(err.text, "more than 3");
}

static void every_code_has_a_token_of_its_own(void **state)
{
    (void)state;
    static const int codes[] = { ASSAY_OK,         ASSAY_ERR_INTERNAL, ASSAY_ERR_CANCELLED, ASSAY_ERR_UNKNOWN, ASSAY_ERR_AMBIGUOUS, ASSAY_ERR_VERSION,
                                 ASSAY_ERR_EMPTY,  ASSAY_ERR_DAMAGED,  ASSAY_ERR_TRUNCATED, ASSAY_ERR_LIMIT,   ASSAY_ERR_USAGE,     ASSAY_ERR_UNSUPPORTED,
                                 ASSAY_ERR_SYSTEM, ASSAY_ERR_MEMORY,   ASSAY_ERR_WRITE,     ASSAY_ERR_LOSS };
    size_t count = sizeof codes / sizeof *codes;
    for (size_t i = 0; i < count; i++) {
        assert_string_not_equal(assay_code_name(codes[i]), "unknown code");
        for (size_t k = 0; k < i; k++) assert_string_not_equal(assay_code_name(codes[i]), assay_code_name(codes[k]));
    }
    assert_string_equal(assay_code_name(ASSAY_ERR_DAMAGED), "damaged");
    assert_string_equal(assay_code_name(1), "unknown code");
    assert_string_equal(assay_code_name(-1000), "unknown code");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_is_preceded_by_what_is_known_of_its_place),
        cmocka_unit_test(a_new_error_keeps_nothing_of_the_old_one_but_the_path),
        cmocka_unit_test(a_system_error_says_what_the_system_said),
        cmocka_unit_test(without_an_error_to_fill_only_the_code_comes_back),
        cmocka_unit_test(long_texts_are_cut_and_terminated),
        cmocka_unit_test(a_short_buffer_gets_a_terminated_beginning_and_the_length_needed),
        cmocka_unit_test(try_returns_at_the_first_failure_and_fail_fills),
        cmocka_unit_test(every_code_has_a_token_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
