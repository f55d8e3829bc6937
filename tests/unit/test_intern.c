/* Interned strings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/intern.h"

static assay_slice name_of(char *buf, size_t len, unsigned i) { return (assay_slice){ buf, (size_t)snprintf(buf, len, "name::%u::of<%u>", i, i * 31) }; }

static void ids_are_dense_from_one_in_order_of_first_use(void **state)
{
    (void)state;
    struct mem mem;
    struct intern in;
    char buf[64];
    enum { COUNT = 50000 };
    mem_init(&mem, 0);
    intern_init(&in, &mem);
    for (unsigned i = 1; i <= COUNT; i++) {
        assert_int_equal(intern_put(&in, name_of(buf, sizeof buf, i)), i);
        assert_int_equal(intern_put(&in, name_of(buf, sizeof buf, i / 2 + 1)), i / 2 + 1);
    }
    assert_int_equal(intern_count(&in), COUNT);
    for (unsigned i = 1; i <= COUNT; i++) {
        assay_slice name = name_of(buf, sizeof buf, i);
        assert_int_equal(intern_find(&in, name), i);
        assert_true(slice_equal(intern_get(&in, i), name));
        assert_int_equal(intern_get(&in, i).data[name.len], '\0');
    }
    assert_int_equal(intern_find(&in, SLICE("never put")), 0);
    intern_done(&in);
    assert_int_equal(mem.used, 0);
}

static void strings_are_bytes_and_the_empty_one_is_one_of_them(void **state)
{
    (void)state;
    struct mem mem;
    struct intern in;
    mem_init(&mem, 0);
    intern_init(&in, &mem);
    assert_int_equal(intern_find(&in, (assay_slice){ NULL, 0 }), 0);
    uint32_t empty = intern_put(&in, (assay_slice){ NULL, 0 });
    assert_int_equal(empty, 1);
    assert_int_equal(intern_put(&in, SLICE("")), empty);
    uint32_t a = intern_put(&in, SLICE("a")), a0 = intern_put(&in, SLICE("a\0")), a0b = intern_put(&in, SLICE("a\0b"));
    assert_int_equal(a, 2);
    assert_int_equal(a0, 3);
    assert_int_equal(a0b, 4);
    assert_int_equal(intern_put(&in, SLICE("\xff\xfe")), 5);
    assert_int_equal(intern_get(&in, a0b).len, 3);
    assert_memory_equal(intern_get(&in, a0b).data, "a\0b", 4);
    assert_non_null(intern_get(&in, empty).data);
    intern_done(&in);
    assert_int_equal(mem.used, 0);
}

static void none_and_unknown_ids_give_no_string(void **state)
{
    (void)state;
    struct mem mem;
    struct intern in;
    mem_init(&mem, 0);
    intern_init(&in, &mem);
    assert_int_equal(intern_count(&in), 0);
    assert_null(intern_get(&in, 0).data);
    assert_null(intern_get(&in, 1).data);
    assert_int_equal(intern_put(&in, SLICE("x")), 1);
    assert_null(intern_get(&in, 0).data);
    assert_null(intern_get(&in, 2).data);
    assert_null(intern_get(&in, UINT32_MAX).data);
    intern_done(&in);
}

static void the_copy_does_not_need_its_original(void **state)
{
    (void)state;
    struct mem mem;
    struct intern in;
    char name[] = "main";
    mem_init(&mem, 0);
    intern_init(&in, &mem);
    uint32_t id = intern_put(&in, slice_of(name));
    name[0] = 'p';
    assert_true(slice_is(intern_get(&in, id), "main"));
    assert_int_equal(intern_put(&in, slice_of(name)), id + 1);
    intern_done(&in);
}

static void after_a_refusal_ids_stay_dense_and_known(void **state)
{
    (void)state;
    bool failed = true;
    char buf[64];
    enum { COUNT = 5000 };
    for (uint64_t n = 1; failed; n++) {
        struct mem mem;
        struct intern in;
        unsigned put = 0;
        mem_init(&mem, 0);
        mem.fail_at = n;
        intern_init(&in, &mem);
        for (unsigned i = 1; i <= COUNT; i++) {
            if (!intern_put(&in, name_of(buf, sizeof buf, i))) break;
            put = i;
        }
        failed = put < COUNT;
        assert_int_equal(failed, n <= mem.requests);
        assert_int_equal(intern_count(&in), put);
        for (unsigned i = 1; i <= put; i++) assert_int_equal(intern_find(&in, name_of(buf, sizeof buf, i)), i);
        mem.fail_at = 0;
        assert_int_equal(intern_put(&in, SLICE("after all")), put + 1);
        intern_done(&in);
        assert_int_equal(mem.used, 0);
        assert_true(n < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_dense_from_one_in_order_of_first_use), cmocka_unit_test(strings_are_bytes_and_the_empty_one_is_one_of_them),
        cmocka_unit_test(none_and_unknown_ids_give_no_string),          cmocka_unit_test(the_copy_does_not_need_its_original),
        cmocka_unit_test(after_a_refusal_ids_stay_dense_and_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
