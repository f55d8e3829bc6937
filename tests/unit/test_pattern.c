/* Regular expressions on names: what matches, what is refused, and what a hostile pattern may cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/pattern.h"
#include "base/slice.h"

static bool matches(const char *text, assay_slice name)
{
    struct mem mem;
    struct pattern *p;
    assay_error err = { 0 };
    mem_init(&mem, 0);
    assert_int_equal(pattern_new(&p, text, &mem, &err), 0);
    bool answer = pattern_matches(p, name);
    assert_false(pattern_gave_up(p));
    pattern_free(p);
    assert_int_equal(mem.used, 0);
    return answer;
}

static void is_found_anywhere(void **state)
{
    (void)state;
    assert_true(matches("sort", SLICE("quick_sort_r")));
    assert_false(matches("^sort", SLICE("quick_sort_r")));
    assert_true(matches("^std::(vector|map)<", SLICE("std::map<int, int>::find")));
    assert_true(matches("(?i)MAIN", SLICE("Main")));
    assert_false(matches("MAIN", SLICE("Main")));
    assert_true(matches("", SLICE("")));
    assert_true(matches("^$", (assay_slice){ NULL, 0 }));
}

static void takes_any_bytes(void **state)
{
    (void)state;
    assert_true(matches("caf.$", SLICE("caf\xc3\xa9"))); /* one character of two bytes */
    assert_true(matches("main", SLICE("\xff\xfe main")));
    assert_true(matches("b", (assay_slice){ "a\0b", 3 }));
}

static void refuses_with_the_place(void **state)
{
    (void)state;
    struct mem mem;
    struct pattern *p;
    assay_error err = { 0 };
    mem_init(&mem, 0);
    assert_int_equal(pattern_new(&p, "a(b", &mem, &err), ASSAY_ERR_USAGE);
    assert_null(p);
    assert_non_null(strstr(err.text, "'a(b'"));
    assert_non_null(strstr(err.text, "at character 4"));
    assert_int_equal(mem.used, 0);
}

static void gives_up_in_time(void **state)
{
    (void)state;
    struct mem mem;
    struct pattern *p;
    assay_error err = { 0 };
    char name[64];
    memset(name, 'a', sizeof name);
    mem_init(&mem, 0);
    assert_int_equal(pattern_new(&p, "^(a+)+(a+)+(a+)+$|b", &mem, &err), 0);
    name[63] = '!';
    assert_false(pattern_matches(p, (assay_slice){ name, sizeof name }));
    assert_true(pattern_gave_up(p));
    pattern_free(p);
}

/* That a name does not match and that there is no memory to tell are two things: compiled code may be refused, and then the memory to do without it. */
static void says_that_it_lacked_memory(void **state)
{
    (void)state;
    for (size_t limit = 16, matched = 0; !matched; limit += 16) {
        struct mem mem;
        struct pattern *p;
        assay_error err;
        mem_init(&mem, limit);
        if (pattern_new(&p, "a|b", &mem, &err) != 0) continue;
        matched = pattern_matches(p, SLICE("a"));
        assert_true(matched != pattern_lacked_memory(p));
        assert_false(pattern_gave_up(p));
        pattern_free(p);
    }
}

static void survives_refused_memory(void **state)
{
    (void)state;
    bool done = false;
    for (uint64_t n = 1; !done && n < 50; n++) {
        struct mem mem;
        struct pattern *p;
        assay_error err = { 0 };
        mem_init(&mem, 0);
        mem.fail_at = n;
        int rc = pattern_new(&p, "a|b", &mem, &err);
        done = rc == 0;
        if (!done) assert_int_equal(rc, ASSAY_ERR_MEMORY);
        pattern_free(p);
        assert_int_equal(mem.used, 0);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_found_anywhere),          cmocka_unit_test(takes_any_bytes),
        cmocka_unit_test(refuses_with_the_place),     cmocka_unit_test(gives_up_in_time),
        cmocka_unit_test(says_that_it_lacked_memory), cmocka_unit_test(survives_refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
