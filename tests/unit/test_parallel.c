/* Jobs on several threads: all are made, results come in order, the first error ends it. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/parallel.h"

enum { JOBS = 500, NOWHERE = JOBS + 1 };

struct work {
    uint64_t made[PARALLEL_MOST]; /* by worker: what it made last */
    uint64_t taken[JOBS];
    size_t taken_count;
    uint64_t fail_make, fail_take;
    pthread_t only; /* whoever takes, where has_only says that it is one thread */
    bool has_only;
};

static int make(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct work *w = arg;
    w->made[worker] = job * job;
    return job == w->fail_make ? error_set(err, ASSAY_ERR_DAMAGED, "job %lu", (unsigned long)job) : 0;
}

static int take(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct work *w = arg;
    if (w->has_only && !pthread_equal(w->only, pthread_self())) return error_set(err, ASSAY_ERR_INTERNAL, "another thread takes");
    if (job == w->fail_take) return error_set(err, ASSAY_ERR_WRITE, "job %lu", (unsigned long)job);
    if (w->made[worker] != job * job) return error_set(err, ASSAY_ERR_INTERNAL, "worker %u has another job", worker);
    w->taken[w->taken_count++] = job;
    return 0;
}

static void results_come_in_order(void **state)
{
    static const unsigned workers[] = { 0, 1, 2, 7, PARALLEL_MOST, PARALLEL_MOST + 9 };
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof workers / sizeof *workers); i++) {
        struct work w = { .fail_make = NOWHERE, .fail_take = NOWHERE, .only = pthread_self(), .has_only = i % 2 };
        assay_error err = { 0 };
        struct parallel p = { JOBS, workers[i / 2], &w, make, take, i % 2 };
        assert_int_equal(parallel_run(&p, &err), 0);
        assert_int_equal(w.taken_count, JOBS);
        for (uint64_t k = 0; k < JOBS; k++) assert_int_equal(w.taken[k], k);
    }
}

static void first_error_ends_it(void **state)
{
    (void)state;
    for (unsigned i = 2; i < 12; i++) {
        struct work w = { .fail_make = 300, .fail_take = 200 };
        assay_error err = { 0 };
        struct parallel p = { JOBS, i / 2, &w, make, take, i % 2 };
        assert_int_equal(parallel_run(&p, &err), ASSAY_ERR_WRITE);
        assert_string_equal(err.text, "job 200");
        assert_int_equal(w.taken_count, 200);
        w = (struct work){ .fail_make = 100, .fail_take = 200 };
        assert_int_equal(parallel_run(&p, &err), ASSAY_ERR_DAMAGED);
        assert_int_equal(w.taken_count, 100);
    }
}

static void nothing_to_do(void **state)
{
    struct work w = { .fail_make = NOWHERE, .fail_take = NOWHERE };
    struct parallel p = { 0, 3, &w, make, take, false }, here = { 0, 3, &w, make, take, true };
    (void)state;
    assert_int_equal(parallel_run(&p, NULL), 0);
    assert_int_equal(parallel_run(&here, NULL), 0);
    assert_int_equal(w.taken_count, 0);
    assert_int_equal(parallel_workers(3), 3);
    assert_int_equal(parallel_workers(1000), PARALLEL_MOST);
    assert_in_range(parallel_workers(0), 1, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(results_come_in_order), cmocka_unit_test(first_error_ends_it), cmocka_unit_test(nothing_to_do) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
