/* Nodes by parent and key, against a table of all pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/kids.h"

enum { PARENTS = 40, KEYS = 60 };

/* Parent p has p + 1 children, so that some are narrow and some wide; each pair has one node however often it is asked for. */
static void a_pair_has_one_node(void **state)
{
    (void)state;
    static uint32_t node[PARENTS][KEYS];
    struct mem mem;
    struct kids k;
    mem_init(&mem, 0);
    kids_init(&k, &mem);
    uint32_t parents[PARENTS];
    for (uint32_t p = 0; p < PARENTS; p++) parents[p] = p ? kids_put(&k, parents[p / 2], 1000 + p) : 0;
    for (int round = 0; round < 3; round++)
        for (uint32_t p = 0; p < PARENTS; p++)
            for (uint32_t i = 0; i <= p; i++) {
                uint64_t key = (uint64_t)i << 36 | 7;
                size_t before = kids_len(&k);
                uint32_t id = kids_put(&k, parents[p], key);
                assert_int_not_equal(id, 0);
                if (round == 0) node[p][i] = id;
                assert_int_equal(id, node[p][i]);
                assert_int_equal(kids_len(&k), before + (round == 0));
                assert_int_equal(k.of.at[id].parent, parents[p]);
                assert_true(k.of.at[id].key == key);
            }
    kids_done(&k);
    assert_int_equal(mem.used, 0);
}

static void no_memory_is_said(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 3; n++) {
        struct mem mem;
        struct kids k;
        uint32_t id = 1;
        mem_init(&mem, 0);
        mem.fail_at = n;
        kids_init(&k, &mem);
        for (uint32_t i = 0; id && i < 20; i++) id = kids_put(&k, 0, i);
        assert_int_equal(id, 0);
        kids_done(&k);
        assert_int_equal(mem.used, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_pair_has_one_node), cmocka_unit_test(no_memory_is_said) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
