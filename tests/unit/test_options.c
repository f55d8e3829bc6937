/* Option structures of other versions of the headers: shorter ones, longer ones, and such as cannot be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "base/options.h"

/* A structure as the library knows it; its first version ended with `second`. */
struct known {
    size_t size;
    uint64_t first, second, third;
};

static int take(struct known *out, const void *given, assay_error *err)
{
    memset(out, 0xee, sizeof *out);
    *err = (assay_error){ 0 };
    return OPTIONS_TAKE(struct known, second, out, given, err);
}

static void nothing_given_is_all_defaults(void **state)
{
    (void)state;
    struct known k, zero = { 0 };
    assay_error err;
    assert_int_equal(take(&k, NULL, &err), 0);
    assert_true(k.size == sizeof k && !k.first && !k.second && !k.third);
    assert_int_equal(take(&k, &zero, &err), 0);
    assert_true(k.size == sizeof k && !k.first && !k.second && !k.third);
}

/* What stands behind a shorter structure is somebody else's. */
static void what_an_older_caller_lacks_is_zero(void **state)
{
    (void)state;
    struct known k, old = { offsetof(struct known, third), 1, 2, 0xbad };
    assay_error err;
    assert_int_equal(take(&k, &old, &err), 0);
    assert_true(k.first == 1 && k.second == 2 && k.third == 0);
    old.size = offsetof(struct known, second);
    assert_int_equal(take(&k, &old, &err), 0);
    assert_true(k.first == 1 && k.second == 0 && k.third == 0);
}

static void without_a_size_it_is_the_first_version(void **state)
{
    (void)state;
    struct known k, none = { 0, 1, 2, 0xbad };
    assay_error err;
    assert_int_equal(take(&k, &none, &err), 0);
    assert_true(k.first == 1 && k.second == 2 && k.third == 0);
}

static void what_a_newer_caller_sets_is_refused_not_ignored(void **state)
{
    (void)state;
    struct {
        struct known known;
        uint64_t fourth;
    } new = { { sizeof new, 1, 2, 3 }, 0 };
    struct known k;
    assay_error err;
    assert_int_equal(take(&k, &new, &err), 0);
    assert_true(k.size == sizeof k && k.first == 1 && k.second == 2 && k.third == 3);
    new.fourth = 4;
    assert_int_equal(take(&k, &new, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "options that this version of the library does not know");
}

static void a_size_that_cannot_be_is_refused(void **state)
{
    (void)state;
    struct known k, small = { 1, 1, 1, 1 };
    assay_error err;
    assert_int_equal(take(&k, &small, &err), ASSAY_ERR_USAGE);
}

/* ---- the calls ---- */

static const char report[] = "TN:\nSF:a.c\nDA:1,1\nend_of_record\n";
static int nowhere(void *arg, const char *data, size_t len)
{
    (void)arg, (void)data, (void)len;
    return 0;
}

/* Every call looks at the size of what it is given. */
static void each_call_refuses_a_size_that_cannot_be(void **state)
{
    (void)state;
    struct assay_read_options read = { .size = 1 };
    struct assay_write_options write = { .size = 1, .format = "lcov" }, to_lcov = { .size = sizeof to_lcov, .format = "lcov" };
    struct assay_filter filter = { .size = 1 };
    struct assay_read_options with_filter = { .size = sizeof with_filter, .filter = &filter };
    struct assay_input in = ASSAY_FROM_MEMORY(report, sizeof report - 1, "a.info"), bad = { .size = 1 };
    const struct assay_format_info *format;
    assay_profile *p, *q;
    assay_check_result *r;
    assay_changes *changes;
    assay_patch *patch;
    assay_coverage_diff *coverage;
    assay_profile_diff *diff;
    assay_error err;
    assert_int_equal(assay_read_from(&in, NULL, &p, &err), 0);
    assert_int_equal(assay_read_from(&in, &read, &q, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_read_from(&in, &with_filter, &q, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_read_from(&bad, NULL, &q, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_probe_from(&in, &read, &format, NULL, NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_check_from(&in, &read, &r, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_dump_from(&in, &read, nowhere, NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_convert_from(&in, &read, "/nowhere/at/all", &to_lcov, NULL, NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_convert_from(&in, NULL, "/nowhere/at/all", &write, NULL, NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_write_fn(p, &write, nowhere, NULL, NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_filter_apply(p, &filter, &q, &err), ASSAY_ERR_USAGE);
    assert_null(assay_builder_new(&(struct assay_build_options){ .size = 1 }, &err));
    assert_int_equal(err.code, ASSAY_ERR_USAGE);
    assert_null(assay_merger_new(&(struct assay_merge_options){ .size = 1 }, &err));
    assert_int_equal(err.code, ASSAY_ERR_USAGE);
    assert_int_equal(assay_graph_new(p, &(struct assay_graph_options){ .size = 1 }, &q, NULL, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_changes_read_memory("", 0, "x", &read, &changes, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_changes_git(&(struct assay_git_range){ .size = 1 }, &changes, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_patch_new(p, NULL, &(struct assay_patch_options){ .size = 1 }, &patch, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_coverage_diff_new(p, p, NULL, &(struct assay_patch_options){ .size = 1 }, &coverage, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_profile_diff_new(p, p, &(struct assay_profile_diff_options){ .size = 1 }, &diff, &err), ASSAY_ERR_USAGE);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_given_is_all_defaults),          cmocka_unit_test(what_an_older_caller_lacks_is_zero),
        cmocka_unit_test(without_a_size_it_is_the_first_version), cmocka_unit_test(what_a_newer_caller_sets_is_refused_not_ignored),
        cmocka_unit_test(a_size_that_cannot_be_is_refused),       cmocka_unit_test(each_call_refuses_a_size_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
