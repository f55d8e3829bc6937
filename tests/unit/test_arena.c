/* Arenas: alignment, packing, large blocks, accounting. */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

static void blocks_are_aligned_and_do_not_overlap(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    enum { COUNT = 3000 };
    static unsigned char *block[COUNT];
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    for (size_t i = 0; i < COUNT; i++) {
        size_t len = i % 97 + 1;
        block[i] = arena_alloc(&a, len);
        assert_non_null(block[i]);
        assert_int_equal((uintptr_t)block[i] % alignof(max_align_t), 0);
        memset(block[i], (int)(i % 251), len);
        if (i % 5 == 0) assert_non_null(arena_text(&a, 3)); /* brings the next one out of step */
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < i % 97 + 1; k++) assert_int_equal(block[i][k], i % 251);
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

static void an_empty_block_is_no_refusal(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    assert_non_null(arena_alloc(&a, 0));
    arena_done(&a);
    assert_non_null(arena_text(&a, 0));
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

static void zeroed_blocks_are_zero_and_aligned_whatever_their_size(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    static const size_t counts[] = { 0, 1, 7, 500, 600, 70000, 3, 9000, 1 };
    mem_init(&mem, 0);
    for (int begins_large = 0; begins_large < 2; begins_large++) {
        arena_init(&a, &mem);
        if (begins_large) memset(arena_zalloc(&a, 5000, 8), 0xff, 40000);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            uint64_t *block = arena_zalloc(&a, counts[i], sizeof *block);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % alignof(max_align_t), 0);
            for (size_t k = 0; k < counts[i]; k++) assert_true(block[k] == 0);
            memset(block, 0xff, counts[i] * sizeof *block); /* the next one must not lie in it */
            assert_non_null(arena_text(&a, 3));
        }
        arena_done(&a);
        assert_int_equal(mem.used, 0);
    }
    arena_init(&a, &mem);
    assert_null(arena_zalloc(&a, SIZE_MAX / 2, 4));
    assert_null(arena_zalloc(&a, SIZE_MAX - 4, 1));
    arena_done(&a);
}

static void a_large_zeroed_block_leaves_the_chunk_in_use_its_room(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    char *one = arena_text(&a, 3);
    assert_non_null(arena_zalloc(&a, 100000, 1));
    assert_ptr_equal(arena_text(&a, 3), one + 3);
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

static void text_is_packed_densely(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    char *one = arena_text(&a, 3), *two = arena_text(&a, 5), *three = arena_text(&a, 1);
    assert_non_null(one);
    assert_ptr_equal(two, one + 3);
    assert_ptr_equal(three, two + 5);
    arena_done(&a);
}

static void copies_are_terminated_and_may_hold_any_byte(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    char from[] = { 'a', '\0', 'b' };
    char *copy = arena_copy(&a, (assay_slice){ from, sizeof from });
    assert_non_null(copy);
    from[0] = 'x';
    assert_memory_equal(copy, "a\0b", 4);
    char *empty = arena_copy(&a, (assay_slice){ NULL, 0 });
    assert_non_null(empty);
    assert_int_equal(*empty, '\0');
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

static void blocks_larger_than_a_chunk_are_served(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    for (size_t len = 1; len < (size_t)1 << 24; len *= 7) {
        unsigned char *p = arena_alloc(&a, len);
        assert_non_null(p);
        memset(p, 1, len);
        char *text = arena_text(&a, len);
        assert_non_null(text);
        memset(text, 2, len);
    }
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

static void a_small_owner_takes_little(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    assert_int_equal(mem.used, 0);
    assert_non_null(arena_alloc(&a, 10));
    assert_in_range(mem.used, 10, 8192);
    arena_done(&a);
}

static void a_size_that_overflows_is_refused(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    volatile size_t huge = SIZE_MAX;
    mem_init(&mem, 1 << 20);
    arena_init(&a, &mem);
    assert_non_null(arena_alloc(&a, 1));
    assert_null(arena_alloc(&a, huge));
    assert_null(arena_alloc(&a, huge - 8));
    assert_null(arena_text(&a, huge - 40));
    assert_non_null(arena_alloc(&a, 1));
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

static void after_a_refusal_the_arena_goes_on(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    mem_init(&mem, 8192);
    arena_init(&a, &mem);
    char *kept = arena_copy(&a, SLICE("kept"));
    assert_non_null(kept);
    assert_null(arena_alloc(&a, 100000));
    assert_null(arena_text(&a, 100000));
    assert_non_null(arena_copy(&a, SLICE("more")));
    assert_string_equal(kept, "kept");
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        struct mem mem;
        struct arena a;
        mem_init(&mem, 0);
        mem.fail_at = n;
        arena_init(&a, &mem);
        failed = false;
        for (size_t i = 0; i < 300; i++) failed |= !arena_alloc(&a, 1000);
        assert_int_equal(failed, n <= mem.requests);
        arena_done(&a);
        assert_int_equal(mem.used, 0);
        assert_true(n < 50);
    }
}

static void an_arena_can_be_used_again_after_done(void **state)
{
    (void)state;
    struct mem mem;
    struct arena a;
    mem_init(&mem, 0);
    arena_init(&a, &mem);
    assert_non_null(arena_alloc(&a, 10));
    arena_done(&a);
    assert_non_null(arena_alloc(&a, 10));
    arena_done(&a);
    arena_done(&a);
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_do_not_overlap),
        cmocka_unit_test(an_empty_block_is_no_refusal),
        cmocka_unit_test(zeroed_blocks_are_zero_and_aligned_whatever_their_size),
        cmocka_unit_test(a_large_zeroed_block_leaves_the_chunk_in_use_its_room),
        cmocka_unit_test(text_is_packed_densely),
        cmocka_unit_test(copies_are_terminated_and_may_hold_any_byte),
        cmocka_unit_test(blocks_larger_than_a_chunk_are_served),
        cmocka_unit_test(a_small_owner_takes_little),
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(after_a_refusal_the_arena_goes_on),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(an_arena_can_be_used_again_after_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
