/* The open-addressing index against a sorted reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/index.h"

enum { KEYS = 100000 };

static uint64_t keys[KEYS + 1], sorted[KEYS];

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    return *seed ^= *seed << 17;
}

/* The first row with this key, or 0. */
static uint32_t find(const struct index *ix, uint64_t hash, uint64_t key)
{
    for (struct index_walk w = index_walk(ix, hash); index_next(ix, &w);)
        if (keys[w.id] == key) return w.id;
    return 0;
}

static void a_hundred_thousand_keys_are_found_and_no_others(void **state)
{
    (void)state;
    struct mem mem;
    struct index ix;
    uint64_t seed = 88172645463325252u;
    mem_init(&mem, 0);
    index_init(&ix, &mem);
    for (uint32_t i = 1; i <= KEYS; i++) {
        /* Dense keys in the lower bits now and then, as ids are. */
        keys[i] = i % 2 ? random_next(&seed) : i;
        sorted[i - 1] = keys[i];
        assert_true(index_add(&ix, hash_mix(0, keys[i]), i));
    }
    qsort(sorted, KEYS, sizeof *sorted, compare);
    assert_int_equal(ix.count, KEYS);
    for (uint32_t i = 1; i <= KEYS; i++) {
        uint32_t row = find(&ix, hash_mix(0, keys[i]), keys[i]);
        assert_true(row && keys[row] == keys[i]);
    }
    for (uint32_t i = 0; i < KEYS; i++) {
        uint64_t key = i % 2 ? random_next(&seed) : 2 * KEYS - i;
        bool known = bsearch(&key, sorted, KEYS, sizeof *sorted, compare) != NULL;
        assert_int_equal(find(&ix, hash_mix(0, key), key) != 0, known);
    }
    index_done(&ix);
    assert_int_equal(mem.used, 0);
}

static void rows_of_one_hash_are_all_walked_once(void **state)
{
    (void)state;
    struct mem mem;
    struct index ix;
    enum { ROWS = 1000 };
    static unsigned seen[ROWS + 1];
    mem_init(&mem, 0);
    index_init(&ix, &mem);
    for (uint32_t i = 1; i <= ROWS; i++) {
        assert_true(index_add(&ix, 42, i));
        assert_true(index_add(&ix, 43, ROWS + i)); /* neighbours that are in the way */
    }
    for (struct index_walk w = index_walk(&ix, 42); index_next(&ix, &w);) {
        assert_in_range(w.id, 1, ROWS);
        seen[w.id]++;
    }
    for (uint32_t i = 1; i <= ROWS; i++) assert_int_equal(seen[i], 1);
    index_done(&ix);
    assert_int_equal(mem.used, 0);
}

static void hashes_that_share_a_slot_do_not_hide_each_other(void **state)
{
    (void)state;
    struct mem mem;
    struct index ix;
    mem_init(&mem, 0);
    index_init(&ix, &mem);
    /* Equal in the low 20 bits: one slot for all in any table of up to a million slots. */
    for (uint32_t i = 1; i <= 2000; i++) {
        keys[i] = (uint64_t)i << 20;
        assert_true(index_add(&ix, keys[i], i));
    }
    for (uint32_t i = 1; i <= 2000; i++) assert_int_equal(find(&ix, keys[i], keys[i]), i);
    uint64_t absent = (uint64_t)2001 << 20;
    struct index_walk w = index_walk(&ix, absent);
    assert_false(index_next(&ix, &w));
    index_done(&ix);
    assert_int_equal(mem.used, 0);
}

static void a_new_or_cleared_index_has_no_rows(void **state)
{
    (void)state;
    struct mem mem;
    struct index ix;
    mem_init(&mem, 0);
    index_init(&ix, &mem);
    struct index_walk w = index_walk(&ix, 7);
    assert_false(index_next(&ix, &w));
    index_clear(&ix);
    assert_true(index_add(&ix, 7, 1));
    w = index_walk(&ix, 7);
    assert_true(index_next(&ix, &w));
    assert_int_equal(w.id, 1);
    assert_false(index_next(&ix, &w));
    size_t used = mem.used;
    index_clear(&ix);
    assert_int_equal(ix.count, 0);
    assert_int_equal(mem.used, used);
    w = index_walk(&ix, 7);
    assert_false(index_next(&ix, &w));
    index_done(&ix);
    assert_int_equal(mem.used, 0);
}

static void after_a_refusal_all_rows_added_before_are_there(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        struct mem mem;
        struct index ix;
        uint32_t added = 0;
        mem_init(&mem, 0);
        mem.fail_at = n;
        index_init(&ix, &mem);
        for (uint32_t i = 1; i <= 2000; i++) {
            keys[i] = i * 7u;
            if (!index_add(&ix, hash_mix(1, keys[i]), i)) break;
            added = i;
        }
        failed = added < 2000;
        assert_int_equal(failed, n <= mem.requests);
        assert_int_equal(ix.count, added);
        for (uint32_t i = 1; i <= added; i++) assert_int_equal(find(&ix, hash_mix(1, keys[i]), keys[i]), i);
        index_done(&ix);
        assert_int_equal(mem.used, 0);
        assert_true(n < 50);
    }
}

/* ---- hashes ---- */

enum { SLOTS = 1 << 16, RANDOM_FILL = 41427 }; /* SLOTS * (1 - 1/e): what as many random keys fill */

static bool is_filled[SLOTS];
static int filled;

static void fill(uint64_t hash)
{
    bool *slot = &is_filled[index_fold(hash) & (SLOTS - 1)];
    filled += !*slot;
    *slot = true;
}

/* Pairs of ids as tables have them: if a pattern collided, each lookup in such a table would walk through all of it. */
static void no_pattern_of_dense_ids_collides(void **state)
{
    (void)state;
    static const char *const names[] = { "equal", "next", "previous", "grid", "one from all", "one to all", "xor is the same", "upper halves", "multiples" };
    for (size_t pattern = 0; pattern < sizeof names / sizeof *names; pattern++) {
        memset(is_filled, 0, sizeof is_filled);
        filled = 0;
        for (uint64_t i = 0; i < SLOTS; i++) {
            const uint64_t a[] = { i, i, i + 1, i >> 8, 7, i, i, i << 32 | 7, i << 12 }, b[] = { i, i + 1, i, i & 255, i, 7, i ^ 4711, 3, i << 20 };
            fill(hash_mix(a[pattern], b[pattern]));
        }
        if (filled < RANDOM_FILL * 9 / 10) fail_msg("%s: %d of %d slots", names[pattern], filled, SLOTS);
    }
}

static void swapped_arguments_differ(void **state)
{
    (void)state;
    for (uint64_t i = 1; i < 1000; i++) assert_int_not_equal(hash_mix(i, i + 1), hash_mix(i + 1, i));
}

/* The first eight bytes cancel out those of XXH3's default secret, so that without a seed the next eight would not count. */
static void names_made_to_collide_do_not(void **state)
{
    (void)state;
    char name[] = "\xb8\xfe\x6c\x39\x23\xa4\x4b\xbe........0123456789abcdef";
    memset(is_filled, 0, sizeof is_filled);
    filled = 0;
    for (uint64_t i = 0; i < SLOTS; i++) {
        memcpy(name + 8, &i, sizeof i);
        fill(hash_bytes(name, sizeof name - 1));
    }
    assert_true(filled > RANDOM_FILL * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_thousand_keys_are_found_and_no_others),
        cmocka_unit_test(rows_of_one_hash_are_all_walked_once),
        cmocka_unit_test(no_pattern_of_dense_ids_collides),
        cmocka_unit_test(swapped_arguments_differ),
        cmocka_unit_test(names_made_to_collide_do_not),
        cmocka_unit_test(hashes_that_share_a_slot_do_not_hide_each_other),
        cmocka_unit_test(a_new_or_cleared_index_has_no_rows),
        cmocka_unit_test(after_a_refusal_all_rows_added_before_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
