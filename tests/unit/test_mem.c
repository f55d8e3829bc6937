/* Counted, limited and fault-injecting memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

static void what_is_freed_is_no_longer_counted(void **state)
{
    (void)state;
    struct mem m;
    mem_init(&m, 0);
    void *a = mem_alloc(&m, 100);
    void *b = mem_zalloc(&m, 10, 20);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(m.used, 300);
    a = mem_resize(&m, a, 100, 1000);
    assert_int_equal(m.used, 1200);
    a = mem_resize(&m, a, 1000, 50);
    assert_int_equal(m.used, 250);
    assert_int_equal(m.peak, 1200);
    mem_free(&m, a, 50);
    mem_free(&m, b, 200);
    mem_free(&m, NULL, 77);
    assert_int_equal(m.used, 0);
    assert_int_equal(m.peak, 1200);
}

static void zalloc_gives_zeros(void **state)
{
    (void)state;
    struct mem m;
    static const unsigned char zeros[512];
    mem_init(&m, 0);
    void *p = mem_zalloc(&m, 4, 128);
    assert_non_null(p);
    assert_memory_equal(p, zeros, 512);
    mem_free(&m, p, 512);
}

/* Small and large blocks come from different places; every change between them, either way, and each within its kind. */
static void growing_and_shrinking_keeps_the_bytes(void **state)
{
    static const size_t lens[] = { 1000, 300 << 10, 2 << 20, (2 << 20) + 1, 5 << 20, 4 << 20, 40 << 20, 3 << 20, (2 << 20) - 1, 9 << 20, 10 };
    (void)state;
    struct mem m;
    mem_init(&m, 0);
    size_t len = 0, written = 0;
    unsigned char *p = NULL;
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        p = mem_resize(&m, p, len, lens[i]);
        assert_non_null(p);
        len = lens[i];
        if (written > len) written = len;
        for (size_t k = 0; k < written; k++)
            if (p[k] != k % 251) fail_msg("byte %zu of %zu is %u", k, len, p[k]);
        for (; written < len; written++) p[written] = (unsigned char)(written % 251);
        assert_int_equal(m.used, len);
    }
    mem_free(&m, p, len);
    assert_int_equal(m.used, 0);
    p = mem_zalloc(&m, 3, 1 << 20);
    assert_non_null(p);
    for (size_t k = 0; k < 3 << 20; k++) assert_int_equal(p[k], 0);
    mem_free(&m, p, 3 << 20);
}

/* What is dropped may read as anything; what stands around it stays, also where the next part is dropped from where the last one ended. */
static void what_is_not_dropped_stays(void **state)
{
    enum { LEN = 13 << 20, STEP = 3 << 20, FIRST = 100, END = 11 << 20 };
    (void)state;
    struct mem m;
    mem_init(&m, 0);
    unsigned char *p = mem_alloc(&m, LEN);
    assert_non_null(p);
    for (size_t k = 0; k < LEN; k++) p[k] = (unsigned char)(k % 251);
    size_t from = FIRST;
    for (size_t to = STEP; to <= END; to += STEP) {
        size_t done = mem_drop(p, LEN, from, to);
        assert_true(done >= from && done <= to);
        from = done;
        for (size_t k = done; k < LEN; k++)
            if (p[k] != k % 251) fail_msg("byte %zu behind %zu was dropped", k, done);
    }
    for (size_t k = 0; k < FIRST; k++) assert_int_equal(p[k], k % 251);
    assert_int_equal(m.used, LEN);
    mem_free(&m, p, LEN);
    unsigned char *small = mem_zalloc(&m, 1, 100);
    assert_non_null(small);
    assert_int_equal(mem_drop(small, 100, 10, 90), 90);
    mem_free(&m, small, 100);
}

static void resizing_keeps_the_bytes(void **state)
{
    (void)state;
    struct mem m;
    mem_init(&m, 0);
    char *p = mem_alloc(&m, 4);
    assert_non_null(p);
    memcpy(p, "abcd", 4);
    p = mem_resize(&m, p, 4, 100000);
    assert_non_null(p);
    assert_memory_equal(p, "abcd", 4);
    p = mem_resize(&m, p, 100000, 2);
    assert_non_null(p);
    assert_memory_equal(p, "ab", 2);
    mem_free(&m, p, 2);
    assert_int_equal(m.used, 0);
}

static void an_empty_block_is_no_refusal(void **state)
{
    (void)state;
    struct mem m;
    mem_init(&m, 1);
    void *a = mem_alloc(&m, 0), *b = mem_zalloc(&m, 0, 8), *c = mem_resize(&m, NULL, 0, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_int_equal(m.used, 0);
    mem_free(&m, a, 0);
    mem_free(&m, b, 0);
    mem_free(&m, c, 0);
}

static void the_limit_holds_to_the_byte(void **state)
{
    (void)state;
    struct mem m;
    mem_init(&m, 100);
    void *a = mem_alloc(&m, 60);
    assert_non_null(a);
    assert_null(mem_alloc(&m, 41));
    assert_int_equal(m.used, 60);
    void *b = mem_alloc(&m, 40);
    assert_non_null(b);
    assert_null(mem_alloc(&m, 1));
    assert_null(mem_resize(&m, b, 40, 41));
    b = mem_resize(&m, b, 40, 39);
    assert_non_null(b);
    void *c = mem_alloc(&m, 1);
    assert_non_null(c);
    assert_int_equal(m.peak, 100);
    mem_free(&m, a, 60);
    mem_free(&m, b, 39);
    mem_free(&m, c, 1);
    assert_int_equal(m.used, 0);
}

static void a_refused_resize_leaves_the_block(void **state)
{
    (void)state;
    struct mem m;
    mem_init(&m, 10);
    char *p = mem_alloc(&m, 5);
    assert_non_null(p);
    memcpy(p, "12345", 5);
    assert_null(mem_resize(&m, p, 5, 11));
    assert_memory_equal(p, "12345", 5);
    assert_int_equal(m.used, 5);
    mem_free(&m, p, 5);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    struct mem m;
    volatile size_t huge = SIZE_MAX;
    mem_init(&m, 0);
    void *p = mem_alloc(&m, 16), *other = mem_alloc(&m, 8);
    assert_non_null(p);
    assert_non_null(other);
    assert_null(mem_zalloc(&m, huge / 2 + 1, 2));
    assert_null(mem_alloc(&m, huge));
    assert_null(mem_resize(&m, p, 16, huge));
    assert_int_equal(m.used, 24);
    mem_free(&m, p, 16);
    mem_free(&m, other, 8);
    size_t out;
    assert_false(size_mul(&out, huge, 2));
    assert_true(size_mul(&out, huge, 1));
    assert_false(size_add(&out, huge, 1));
    assert_true(size_add(&out, huge - 1, 1));
    assert_true(out == huge);
}

static void the_fault_refuses_the_nth_request_and_all_later_ones(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 4; n++) {
        struct mem m;
        mem_init(&m, 0);
        m.fail_at = n;
        void *a = mem_alloc(&m, 8);
        void *b = mem_zalloc(&m, 1, 8);
        void *c = a ? mem_resize(&m, a, 8, 16) : NULL;
        assert_int_equal(a != NULL, n > 1);
        assert_int_equal(b != NULL, n > 2);
        assert_int_equal(c != NULL, n > 3);
        mem_free(&m, c ? c : a, c ? 16 : 8);
        mem_free(&m, b, 8);
        assert_int_equal(m.used, 0);
    }
}

static void shrinking_is_never_refused(void **state)
{
    (void)state;
    struct mem m;
    mem_init(&m, 0);
    m.fail_at = 2;
    char *p = mem_alloc(&m, 100);
    assert_non_null(p);
    p = mem_resize(&m, p, 100, 10);
    assert_non_null(p);
    mem_free(&m, p, 10);
    assert_int_equal(m.used, 0);
}

static void large_blocks_beyond_what_is_kept_come_from_a_file(void **state)
{
    (void)state;
    struct mem m;
    static const char zeros[100000];
    mem_init(&m, 8192);
    mem_keep(&m, 4096);
    void *kept = mem_alloc(&m, 4096);
    char *p = mem_zalloc(&m, 10, 10000), *small = mem_alloc(&m, 100);
    assert_non_null(kept);
    assert_non_null(p);
    assert_non_null(small);
    assert_int_equal(m.used, 4196);
    assert_memory_equal(p, zeros, 100000);
    memset(p, 'x', 100000);
    p = mem_resize(&m, p, 100000, 200000);
    assert_non_null(p);
    assert_true(p[0] == 'x' && p[99999] == 'x' && p[100000] == 0);
    void *newer = mem_alloc(&m, 50000);
    assert_non_null(newer);
    p = mem_resize(&m, p, 200000, 300000);
    assert_non_null(p);
    assert_true(p[0] == 'x' && p[99999] == 'x');
    p = mem_resize(&m, p, 300000, 2);
    assert_memory_equal(p, "xx", 2);
    mem_free(&m, p, 2);
    mem_free(&m, newer, 50000);
    mem_free(&m, small, 100);
    mem_free(&m, kept, 4096);
    assert_int_equal(m.used, 0);
    mem_end(&m);
}

static void a_block_that_grows_moves_to_the_file(void **state)
{
    (void)state;
    struct mem m;
    mem_init(&m, 0);
    mem_keep(&m, 2000);
    char *p = mem_alloc(&m, 1000);
    assert_non_null(p);
    memset(p, 'y', 1000);
    assert_int_equal(m.used, 1000);
    p = mem_resize(&m, p, 1000, 5000);
    assert_non_null(p);
    assert_int_equal(m.used, 0);
    assert_true(p[0] == 'y' && p[999] == 'y');
    /* one that is larger than what the file grows by */
    p = mem_resize(&m, p, 5000, 80 << 20);
    assert_non_null(p);
    assert_int_equal(m.used, 0);
    assert_true(p[0] == 'y' && p[999] == 'y' && p[(80 << 20) - 1] == 0);
    mem_free(&m, p, 80 << 20);
    mem_end(&m);
}

static void without_a_file_everything_is_memory(void **state)
{
    (void)state;
    struct mem m;
    const char *before = getenv("TMPDIR");
    char *folder = before ? strdup(before) : NULL;
    setenv("TMPDIR", "/dev/null/none", 1);
    mem_init(&m, 0);
    mem_keep(&m, 10);
    void *p = mem_alloc(&m, 100000);
    assert_non_null(p);
    assert_int_equal(m.used, 100000);
    mem_free(&m, p, 100000);
    mem_end(&m);
    if (folder)
        setenv("TMPDIR", folder, 1);
    else
        unsetenv("TMPDIR");
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_blocks_beyond_what_is_kept_come_from_a_file),
        cmocka_unit_test(a_block_that_grows_moves_to_the_file),
        cmocka_unit_test(without_a_file_everything_is_memory),
        cmocka_unit_test(what_is_freed_is_no_longer_counted),
        cmocka_unit_test(zalloc_gives_zeros),
        cmocka_unit_test(resizing_keeps_the_bytes),
        cmocka_unit_test(an_empty_block_is_no_refusal),
        cmocka_unit_test(the_limit_holds_to_the_byte),
        cmocka_unit_test(a_refused_resize_leaves_the_block),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(the_fault_refuses_the_nth_request_and_all_later_ones),
        cmocka_unit_test(growing_and_shrinking_keeps_the_bytes),
        cmocka_unit_test(what_is_not_dropped_stays),
        cmocka_unit_test(shrinking_is_never_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
