/* Sorting that can be cancelled (base/sort.h), and the question itself (base/cancel.h). */
#include "base/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cancel.h"
#include "base/mem.h"
#include "base/parallel.h"

struct row {
    uint32_t key, was;
    char rest[9];
};

static int by_key(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_key_with(const void *a, const void *b, void *arg)
{
    ++*(uint64_t *)arg;
    return by_key(a, b);
}

static struct row *make(size_t count, uint32_t keys)
{
    struct row *rows = calloc(count + 1, sizeof *rows);
    uint32_t x = 12345;
    assert_non_null(rows);
    for (uint32_t i = 0; i < count; i++) {
        x = x * 1664525u + 1013904223u;
        rows[i] = (struct row){ (x >> 8) % keys, i, "row" };
    }
    return rows;
}

static void sorts_any_number_and_keeps_equal_ones_in_order(void **state)
{
    (void)state;
    static const size_t counts[] = { 0, 1, 2, 1000, 16384, 16385, 32768, 50001, 100000, 131073 };
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int with = 0; with < 2; with++) {
            size_t count = counts[k];
            uint64_t compared = 0, sum = 0;
            struct row *rows = make(count, 500);
            assert_true(with ? sort_with(rows, count, sizeof *rows, by_key_with, &compared) : sort_by(rows, count, sizeof *rows, by_key));
            for (size_t i = 0; i < count; i++) {
                sum += rows[i].was;
                assert_string_equal(rows[i].rest, "row");
                if (i) assert_true(rows[i - 1].key < rows[i].key || (rows[i - 1].key == rows[i].key && rows[i - 1].was < rows[i].was));
            }
            assert_int_equal(sum, count ? (uint64_t)count * (count - 1) / 2 : 0);
            free(rows);
        }
}

static void what_is_sorted_costs_one_look(void **state)
{
    (void)state;
    enum { COUNT = 60000 };
    uint64_t compared = 0;
    struct row *rows = make(COUNT, 500);
    assert_true(sort_with(rows, COUNT, sizeof *rows, by_key_with, &compared));
    compared = 0;
    assert_true(sort_with(rows, COUNT, sizeof *rows, by_key_with, &compared));
    assert_int_equal(compared, COUNT - 1);
    free(rows);
}

static int at_nth(void *arg)
{
    uint64_t *left = arg;
    return *left && --*left == 0;
}

static void a_cancelled_sort_loses_nothing(void **state)
{
    (void)state;
    enum { COUNT = 70000 };
    bool is_done = false;
    for (uint64_t n = 1; !is_done; n += 1 + n / 4) {
        uint64_t left = n, sum = 0;
        struct row *rows = make(COUNT, 500);
        assay_cancel_set(at_nth, &left);
        is_done = sort_by(rows, COUNT, sizeof *rows, by_key);
        assert_int_equal(is_done, !assay_cancelled());
        assay_cancel_set(NULL, NULL);
        for (size_t i = 0; i < COUNT; i++) sum += rows[i].was;
        assert_int_equal(sum, (uint64_t)COUNT * (COUNT - 1) / 2);
        free(rows);
    }
}

static void nothing_is_given_once_it_is_cancelled(void **state)
{
    (void)state;
    struct mem mem;
    assay_error err;
    uint64_t left = 2;
    mem_init(&mem, 0);
    assay_cancel_set(at_nth, &left);
    void *first = mem_alloc(&mem, 10);
    assert_non_null(first);
    assert_false(assay_cancelled());
    assert_null(mem_alloc(&mem, 10));
    assert_null(mem_alloc(&mem, 10));
    assert_true(assay_cancelled() && cancel_due());
    assert_int_equal(error_memory(&err), ASSAY_ERR_CANCELLED);
    assert_int_equal(cancel_end(ASSAY_ERR_DAMAGED, &err), ASSAY_ERR_CANCELLED);
    assay_cancel_set(NULL, NULL);
    assert_false(assay_cancelled() || cancel_due());
    assert_int_equal(error_memory(&err), ASSAY_ERR_MEMORY);
    mem_free(&mem, first, 10);
    assert_int_equal(mem.used, 0);
}

static int make_job(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    (void)arg, (void)worker;
    for (uint64_t i = 1; i < 100000; i++)
        if (cancel_at(i)) return error_cancelled(err);
    (void)job;
    return 0;
}

static int take_job(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    (void)arg, (void)worker, (void)job, (void)err;
    return 0;
}

static void workers_ask_for_the_thread_that_started_them(void **state)
{
    (void)state;
    assay_error err = { 0 };
    struct parallel p = { .count = 100, .workers = 4, .make = make_job, .take = take_job };
    uint64_t left = 50;
    assay_cancel_set(at_nth, &left);
    assert_int_equal(parallel_run(&p, &err), ASSAY_ERR_CANCELLED);
    assay_cancel_set(NULL, NULL);
    assert_int_equal(err.code, ASSAY_ERR_CANCELLED);
    assert_int_equal(parallel_run(&p, &err), 0);
}

static int by_key_and_place(const void *a, const void *b, void *arg)
{
    const struct row *x = a, *y = b;
    int c = by_key_with(a, b, arg);
    return c ? c : (x->was > y->was) - (x->was < y->was);
}

/* What a whole sort puts first comes first, and nothing is lost behind it; with few wanted each element is looked at a few times at most. */
static void sorts_the_first_ones_alone(void **state)
{
    (void)state;
    static const size_t counts[] = { 0, 1, 5, 1000, 20000, 100000 }, firsts[] = { 0, 1, 2, 30, 250, 251, 1000, 30000, SIZE_MAX };
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (size_t n = 0; n < sizeof firsts / sizeof *firsts; n++) {
            size_t count = counts[k], first = firsts[n] < count ? firsts[n] : count;
            uint64_t whole = 0, compared = 0, sum = 0;
            struct row *want = make(count, 500), *got = make(count, 500);
            assert_true(sort_with(want, count, sizeof *want, by_key_and_place, &whole));
            assert_true(sort_first(got, count, sizeof *got, firsts[n], by_key_and_place, &compared));
            assert_memory_equal(want, got, first * sizeof *want);
            for (size_t i = 0; i < count; i++) sum += got[i].was;
            assert_int_equal(sum, count ? (uint64_t)count * (count - 1) / 2 : 0);
            if (count == 100000 && first <= 30) assert_true(compared < 2 * count);
            free(want);
            free(got);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_any_number_and_keeps_equal_ones_in_order),
        cmocka_unit_test(sorts_the_first_ones_alone),
        cmocka_unit_test(what_is_sorted_costs_one_look),
        cmocka_unit_test(a_cancelled_sort_loses_nothing),
        cmocka_unit_test(nothing_is_given_once_it_is_cancelled),
        cmocka_unit_test(workers_ask_for_the_thread_that_started_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
