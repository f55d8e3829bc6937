/* Counting while reading gives what the analysis counts of the same rows: in order, out of order, repeated, and with files that come again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/coverage/tally.h"
#include "assay/assay.h"
#include "base/mem.h"

/* xorshift64: the same numbers everywhere */
static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

struct both {
    assay_builder *b;
    struct coverage_tally t;
    assay_file_id files[8];
    assay_str_id texts[6];
};

static void begin(struct both *k, struct mem *mem)
{
    char name[8];
    k->b = assay_builder_new(NULL, NULL);
    coverage_tally_init(&k->t, mem);
    for (int i = 0; i < 8; i++)
        k->files[i] = assay_build_file(k->b, assay_build_string(k->b, name, (size_t)snprintf(name, sizeof name, "f%d", i)), (assay_module_id){ 0 });
    for (int i = 0; i < 6; i++) k->texts[i] = assay_build_string(k->b, name, (size_t)snprintf(name, sizeof name, "%d", i));
}

static void add_line(struct both *k, unsigned file, uint32_t line, uint64_t hits)
{
    assert_true(coverage_tally_file(&k->t, k->files[file].v) && coverage_tally_lines(&k->t, &line, &hits, 1));
    assay_build_coverage_line(k->b, &(struct assay_coverage_line){ .file = k->files[file], .line = line, .hits = hits });
}

static void add_branch(struct both *k, unsigned file, uint32_t line, unsigned block, unsigned name, uint64_t hits)
{
    assert_true(coverage_tally_file(&k->t, k->files[file].v) && coverage_tally_branch(&k->t, line, block, name, hits > 0));
    assay_build_coverage_branch(
        k->b, &(struct assay_coverage_branch){ .file = k->files[file], .line = line, .block = k->texts[block], .name = k->texts[name], .hits = hits });
}

static void compare(struct both *k)
{
    assay_coverage_counts quick, slow;
    assay_profile *p = assay_builder_seal(k->b, NULL);
    assert_non_null(p);
    assert_int_equal(assay_coverage_count(p, &slow, NULL, NULL), 0);
    assert_true(coverage_tally_count(&k->t, &quick));
    assert_int_equal(quick.lines, slow.lines);
    assert_int_equal(quick.lines_hit, slow.lines_hit);
    assert_int_equal(quick.branches, slow.branches);
    assert_int_equal(quick.branches_hit, slow.branches_hit);
    assay_profile_release(p);
    coverage_tally_done(&k->t);
}

static void rows_in_any_order_count_the_same(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int round = 0; round < 300; round++) {
        struct both k;
        struct mem mem;
        mem_init(&mem, 0);
        begin(&k, &mem);
        bool in_order = round % 3 == 0;
        for (uint32_t i = 0; i < 60; i++) {
            uint64_t v = next(&x);
            unsigned file = in_order ? i / 8 : (unsigned)(v >> 8) % 8;
            uint32_t line = in_order ? 1 + i : 1 + (uint32_t)(v >> 16) % 12;
            if (v & 1)
                add_line(&k, file, line, v >> 24 & 3);
            else
                add_branch(&k, file, line, (unsigned)(v >> 32) % 3, (unsigned)(v >> 36) % 6, v >> 44 & 1);
        }
        compare(&k);
        assert_int_equal(mem.used, 0);
    }
}

static void nothing_counts_as_nothing(void **state)
{
    (void)state;
    struct both k;
    struct mem mem;
    mem_init(&mem, 0);
    begin(&k, &mem);
    assert_true(coverage_tally_file(&k.t, 1) && coverage_tally_file(&k.t, 2) && coverage_tally_file(&k.t, 1));
    compare(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_any_order_count_the_same),
        cmocka_unit_test(nothing_counts_as_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
