/* Figures by row and metric: a table of many metrics, of which most are 0, answers as a small one does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/core/grid.h"

enum { ROWS = 300, KINDS = 3 };

/* What the test puts: nothing in most places. */
static uint64_t figure(size_t row, uint32_t kind, uint32_t k) { return (row * 7 + kind * 3 + k) % 11 == 0 ? row * 1000 + kind * 100 + k + 1 : 0; }

static void same_for(uint32_t width)
{
    struct mem mem;
    struct grid g;
    mem_init(&mem, 0);
    assert_true(grid_init(&g, &mem, ROWS, width, KINDS));
    assert_int_equal(g.cells != NULL, width < GRID_SPARSE_FROM);
    for (uint32_t k = 0; k < width; k++)
        for (size_t row = 0; row < ROWS; row++)
            for (uint32_t kind = 0; kind < KINDS; kind++) assert_true(grid_put(&g, row, kind, k, (assay_value){ .u = figure(row, kind, k) }));
    for (size_t row = ROWS; row-- > 0;)
        for (uint32_t kind = 0; kind < KINDS; kind++)
            for (uint32_t k = 0; k < width; k++) assert_int_equal(grid_row(&g, row, kind)[k].u, figure(row, kind, k));
    grid_done(&g);
    assert_int_equal(mem.used, 0);
}

static void few_and_many_metrics_answer_alike(void **state)
{
    (void)state;
    same_for(1);
    same_for(GRID_SPARSE_FROM - 1);
    same_for(GRID_SPARSE_FROM);
    same_for(40);
}

static void rows_of_two_kinds_last_side_by_side(void **state)
{
    (void)state;
    struct mem mem;
    struct grid g;
    mem_init(&mem, 0);
    assert_true(grid_init(&g, &mem, 2, 20, 2));
    assert_true(grid_put(&g, 1, 0, 19, (assay_value){ .u = 5 }) && grid_put(&g, 1, 1, 19, (assay_value){ .u = 6 }));
    const assay_value *self = grid_row(&g, 1, 0), *total = grid_row(&g, 1, 1);
    assert_int_equal(self[19].u, 5);
    assert_int_equal(total[19].u, 6);
    grid_done(&g);
}

static void a_lack_of_memory_is_told(void **state)
{
    (void)state;
    struct mem mem;
    struct grid g;
    for (size_t room = 0; room < 4000; room += 16) {
        bool done = true;
        mem_init(&mem, room + 1);
        done = grid_init(&g, &mem, 100, 20, 2);
        for (size_t row = 0; done && row < 100; row++) done = grid_put(&g, row, 0, 3, (assay_value){ .u = row + 1 });
        if (done) assert_int_equal(grid_row(&g, 99, 0)[3].u, 100);
        grid_done(&g);
        assert_int_equal(mem.used, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_and_many_metrics_answer_alike),
        cmocka_unit_test(rows_of_two_kinds_last_side_by_side),
        cmocka_unit_test(a_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
