/* Growing arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"

struct item {
    uint32_t a;
    uint64_t b;
};

static void what_is_pushed_stays_in_order(void **state)
{
    (void)state;
    struct mem mem;
    VEC(struct item) v = { 0 };
    mem_init(&mem, 0);
    for (uint32_t i = 0; i < 100000; i++) {
        struct item *at = vec_push(&mem, &v);
        assert_non_null(at);
        *at = (struct item){ i, (uint64_t)i * i };
    }
    assert_int_equal(v.len, 100000);
    for (uint32_t i = 0; i < 100000; i++) {
        assert_int_equal(v.at[i].a, i);
        assert_int_equal(v.at[i].b, (uint64_t)i * i);
    }
    assert_true(mem.requests < 60); /* grows by a factor, not by steps */
    vec_done(&mem, &v);
    assert_null(v.at);
    assert_int_equal(v.len, 0);
    assert_int_equal(mem.used, 0);
}

static void reserved_room_is_pushed_into_without_allocation(void **state)
{
    (void)state;
    struct mem mem;
    VEC(uint32_t) v = { 0 };
    mem_init(&mem, 0);
    assert_true(vec_reserve(&mem, &v, 1000));
    assert_true(vec_reserve(&mem, &v, 0));
    assert_int_equal(v.len, 0);
    uint64_t requests = mem.requests;
    for (uint32_t i = 0; i < 1000; i++) assert_non_null(vec_push(&mem, &v));
    assert_int_equal(mem.requests, requests);
    vec_done(&mem, &v);
    assert_int_equal(mem.used, 0);
}

static void several_end_in_one_call(void **state)
{
    (void)state;
    struct mem mem;
    VEC(uint32_t) a = { 0 };
    VEC(struct item) b = { 0 };
    VEC(char) c = { 0 };
    mem_init(&mem, 0);
    for (uint32_t i = 0; i < 50; i++) {
        *vec_push(&mem, &a) = i;
        *vec_push(&mem, &b) = (struct item){ i, i };
        *vec_push(&mem, &c) = 'c';
    }
    vec_done(&mem, &a, &b, &c);
    assert_true(!a.at && !b.at && !c.at && !a.len && !b.len && !c.len && !a.cap && !b.cap && !c.cap);
    assert_int_equal(mem.used, 0);
}

static void trimming_gives_back_what_is_not_used(void **state)
{
    (void)state;
    struct mem mem;
    VEC(uint64_t) v = { 0 };
    mem_init(&mem, 0);
    vec_trim(&mem, &v);
    assert_null(v.at);
    assert_true(vec_reserve(&mem, &v, 1000));
    for (uint64_t i = 0; i < 10; i++) {
        uint64_t *at = vec_push(&mem, &v);
        assert_non_null(at);
        *at = i;
    }
    vec_trim(&mem, &v);
    assert_int_equal(mem.used, 10 * sizeof(uint64_t));
    for (uint64_t i = 0; i < 10; i++) assert_int_equal(v.at[i], i);
    v.len = 0;
    vec_trim(&mem, &v);
    assert_non_null(v.at);
    assert_int_equal(mem.used, sizeof(uint64_t));
    assert_non_null(vec_push(&mem, &v));
    vec_done(&mem, &v);
    assert_int_equal(mem.used, 0);
}

static void a_refused_push_leaves_the_vector_as_it_was(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        struct mem mem;
        VEC(uint32_t) v = { 0 };
        size_t pushed = 0;
        mem_init(&mem, 0);
        mem.fail_at = n;
        for (uint32_t i = 0; i < 1000; i++) {
            uint32_t *at = vec_push(&mem, &v);
            if (!at) break;
            *at = i;
            pushed++;
        }
        failed = pushed < 1000;
        assert_int_equal(failed, n <= mem.requests);
        assert_int_equal(v.len, pushed);
        for (uint32_t i = 0; i < pushed; i++) assert_int_equal(v.at[i], i);
        vec_done(&mem, &v);
        assert_int_equal(mem.used, 0);
        assert_true(n < 50);
    }
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    struct mem mem;
    VEC(uint64_t) v = { 0 };
    volatile size_t huge = SIZE_MAX;
    mem_init(&mem, 1 << 20);
    assert_non_null(vec_push(&mem, &v));
    assert_false(vec_reserve(&mem, &v, huge));
    assert_false(vec_reserve(&mem, &v, huge / 8));
    assert_false(vec_reserve(&mem, &v, huge / 16));
    assert_int_equal(v.len, 1);
    assert_non_null(vec_push(&mem, &v));
    vec_done(&mem, &v);
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_pushed_stays_in_order),
        cmocka_unit_test(reserved_room_is_pushed_into_without_allocation),
        cmocka_unit_test(several_end_in_one_call),
        cmocka_unit_test(trimming_gives_back_what_is_not_used),
        cmocka_unit_test(a_refused_push_leaves_the_vector_as_it_was),
        cmocka_unit_test(sizes_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
