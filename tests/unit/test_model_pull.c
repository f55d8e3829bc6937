/* What a profile gives in one call, or piece by piece: its strings, and its values by a cursor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "cursor_check.h"
#include "model_sample.h"

static void all_strings_come_at_once(void **state)
{
    (void)state;
    assay_profile *p = sample_build(NULL, SAME, false, NULL);
    uint32_t count;
    const assay_slice *at = assay_profile_strings(p, &count);
    assert_true(count > 10);
    assert_null(at[0].data);
    for (uint32_t i = 0; i <= count; i++) {
        assay_slice one = assay_profile_string(p, (assay_str_id){ i });
        assert_true(at[i].data == one.data && at[i].len == one.len);
    }
    assert_null(assay_profile_string(p, (assay_str_id){ count + 1 }).data);
    assay_profile_release(p);
    p = assay_builder_seal(assay_builder_new(NULL, NULL), NULL);
    at = assay_profile_strings(p, &count);
    assert_non_null(at);
    for (uint32_t i = 0; i <= count; i++) assert_int_equal(at[i].len, assay_profile_string(p, (assay_str_id){ i }).len);
    assay_profile_release(p);
}

static void values_in_memory_are_pulled_in_order(void **state)
{
    (void)state;
    for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
        assay_profile *p = sample_build(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, SAME, is_reversed, NULL);
        assert_true(cursor_check(p) > 4);
        assay_profile_release(p);
    }
}

static void a_profile_without_values_has_none_to_pull(void **state)
{
    (void)state;
    assay_profile *p = assay_builder_seal(assay_builder_new(NULL, NULL), NULL);
    assert_int_equal(cursor_check(p), 0);
    assay_profile_release(p);
}

static void a_cursor_keeps_its_profile(void **state)
{
    (void)state;
    assay_profile *p = sample_build(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, SAME, false, NULL);
    assay_cursor *c = assay_cursor_new(p, NULL);
    assay_stream_id stream;
    assay_cell cell;
    assay_profile_release(p);
    assert_int_equal(assay_cursor_next(c, &stream, &cell, NULL), 1);
    assay_cursor_free(c);
    assay_cursor_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_strings_come_at_once),
        cmocka_unit_test(values_in_memory_are_pulled_in_order),
        cmocka_unit_test(a_profile_without_values_has_none_to_pull),
        cmocka_unit_test(a_cursor_keeps_its_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
