/* Scratch that ends with its block: on every way out, once, and also when memory was refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/index.h"
#include "base/scoped.h"

enum { STEPS = 4 };

/* One piece of scratch of each kind, and a way out after each of them. */
static int leave_after(struct mem *mem, int step)
{
    VEC(uint32_t) rows = { 0 };
    vec_scoped(mem, &rows);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t *row = vec_push(mem, &rows);
        if (!row) return ASSAY_ERR_MEMORY;
        *row = i;
    }
    if (step == 0) return 100;
    SCOPED(index_done) struct index ix;
    index_init(&ix, mem);
    if (!index_add(&ix, 1, 1)) return ASSAY_ERR_MEMORY;
    TRY(step == 1 ? 101 : 0);
    SCRATCH(uint64_t, sums, mem, 1000);
    SCRATCH(char, marks, mem, 1000);
    if (!sums || !marks) return ASSAY_ERR_MEMORY;
    for (size_t i = 0; i < 1000; i++) assert_true(sums[i] == 0 && marks[i] == 0);
    TRY(step == 2 ? 102 : 0);
    char *block = mem_alloc(mem, 77);
    mem_scoped(mem, block, 77);
    return block ? 103 : ASSAY_ERR_MEMORY;
}

static void every_way_out_gives_everything_back(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    for (int step = 0; step < STEPS; step++) {
        assert_int_equal(leave_after(&mem, step), 100 + step);
        assert_int_equal(mem.used, 0);
    }
}

static void each_refused_request_gives_everything_back(void **state)
{
    (void)state;
    struct mem mem;
    int rc = ASSAY_ERR_MEMORY;
    uint64_t at = 0;
    while (rc == ASSAY_ERR_MEMORY && at < 100) {
        mem_init(&mem, 0);
        mem.fail_at = ++at;
        rc = leave_after(&mem, STEPS - 1);
        assert_int_equal(mem.used, 0);
    }
    assert_int_equal(rc, 103);
    assert_true(at > STEPS); /* each kind was refused at least once */
}

static void a_loop_gives_back_at_the_end_of_each_round(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    for (int i = 0; i < 10; i++) {
        SCRATCH(uint32_t, one, &mem, 10);
        assert_non_null(one);
        assert_int_equal(mem.used, 40);
        if (i % 2) continue;
    }
    assert_int_equal(mem.used, 0);
    assert_int_equal(mem.peak, 40);
}

static void a_count_whose_bytes_overflow_is_refused(void **state)
{
    (void)state;
    struct mem mem;
    mem_init(&mem, 0);
    {
        SCRATCH(uint64_t, large, &mem, SIZE_MAX / 2);
        assert_null(large);
    }
    assert_int_equal(mem.used, 0);
}

static uint32_t *handed_over(struct mem *mem, size_t *cap)
{
    VEC(uint32_t) rows = { 0 };
    vec_scoped(mem, &rows);
    *vec_push(mem, &rows) = 7;
    uint32_t *at = rows.at;
    *cap = rows.cap;
    rows.at = NULL;
    rows.len = rows.cap = 0;
    return at;
}

static void elements_that_are_moved_out_stay(void **state)
{
    (void)state;
    struct mem mem;
    size_t cap;
    mem_init(&mem, 0);
    uint32_t *at = handed_over(&mem, &cap);
    assert_int_equal(at[0], 7);
    assert_int_equal(mem.used, cap * sizeof *at);
    mem_free(&mem, at, cap * sizeof *at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_out_gives_everything_back),        cmocka_unit_test(each_refused_request_gives_everything_back),
        cmocka_unit_test(a_loop_gives_back_at_the_end_of_each_round), cmocka_unit_test(a_count_whose_bytes_overflow_is_refused),
        cmocka_unit_test(elements_that_are_moved_out_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
