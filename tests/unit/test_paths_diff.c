/* Contexts of two profiles: matched by path, with the figures of both. */
#include "stacks.h"

#include "analysis/diff/paths.h"

struct both {
    struct mem mem;
    assay_profile *p[PATHS_SIDES];
    struct paths paths[PATHS_SIDES];
    struct paths_diff d;
};

static void compare(struct both *b, enum assay_type before_type, const char *const *before, enum assay_type after_type, const char *const *after,
                    struct paths_diff_options options)
{
    mem_init(&b->mem, 0);
    b->p[PATHS_BEFORE] = stacks_profile(before_type, before);
    b->p[PATHS_AFTER] = stacks_profile(after_type, after);
    for (int side = 0; side < PATHS_SIDES; side++) assert_int_equal(paths_init(&b->paths[side], &b->mem, b->p[side], (assay_metric_id){ 1 }, NULL), 0);
    assert_int_equal(paths_diff_init(&b->d, &b->mem, &b->paths[PATHS_BEFORE], &b->paths[PATHS_AFTER], &options, NULL), 0);
}

static void done(struct both *b)
{
    paths_diff_done(&b->d);
    for (int side = 0; side < PATHS_SIDES; side++) {
        paths_done(&b->paths[side]);
        assay_profile_release(b->p[side]);
    }
    assert_int_equal(b->mem.used, 0);
}

/* The row of "a;b;c"; 0 = there is none. */
static uint32_t row_of(const struct both *b, const char *path)
{
    uint32_t row = 0;
    for (const char *at = path; *at;) {
        size_t len = strcspn(at, ";");
        uint32_t kid = b->d.shown.rows.at[row].first;
        while (kid && !(paths_diff_name(&b->d, kid).len == len && memcmp(paths_diff_name(&b->d, kid).data, at, len) == 0)) kid = b->d.shown.rows.at[kid].next;
        if (!kid) return 0;
        row = kid;
        at += len + (at[len] == ';');
    }
    return row;
}

static void expect(const struct both *b, const char *path, double before_self, double after_self, double before_total, double after_total)
{
    uint32_t row = row_of(b, path);
    if (*path) assert_int_not_equal(row, 0);
    assert_true(paths_diff_self(&b->d, PATHS_BEFORE, row) == before_self);
    assert_true(paths_diff_self(&b->d, PATHS_AFTER, row) == after_self);
    assert_true(paths_diff_total(&b->d, PATHS_BEFORE, row) == before_total);
    assert_true(paths_diff_total(&b->d, PATHS_AFTER, row) == after_total);
}

static const char *const old_run[] = { "main;read 10", "main;sort;compare 30", "main;log 8", NULL };
static const char *const new_run[] = { "main;sort;compare 60", "main;sort;swap 4", "main;read 10", "main 2", NULL };

static void contexts_are_matched_by_their_path(void **state)
{
    (void)state;
    struct both b;
    compare(&b, ASSAY_U64, old_run, ASSAY_U64, new_run, (struct paths_diff_options){ .by = PATHS_AFTER });
    assert_int_equal(b.d.len, 7); /* the whole, main, read, sort, compare, log, swap */
    expect(&b, "", 0, 0, 48, 76);
    expect(&b, "main", 0, 2, 48, 76);
    expect(&b, "main;sort", 0, 0, 30, 64);
    expect(&b, "main;sort;compare", 30, 60, 30, 60);
    expect(&b, "main;sort;swap", 0, 4, 0, 4);
    expect(&b, "main;log", 8, 0, 8, 0);
    assert_true(paths_diff_is_new(&b.d, row_of(&b, "main;sort;swap")) && paths_diff_is_gone(&b.d, row_of(&b, "main;log")));
    assert_false(paths_diff_is_new(&b.d, row_of(&b, "main")) || paths_diff_is_gone(&b.d, row_of(&b, "main;read")));
    assert_int_equal(b.d.new_count, 1);
    assert_int_equal(b.d.gone_count, 1);
    assert_true(b.d.gone_self == 8 && b.d.largest == 30);
    done(&b);
}

static void siblings_stand_in_the_order_of_the_side_asked_for(void **state)
{
    (void)state;
    struct both b;
    static const char *const first[] = { "a 1", "b 5", NULL }, *const second[] = { "a 7", "b 2", NULL };
    for (int by = 0; by < PATHS_SIDES; by++) {
        compare(&b, ASSAY_U64, first, ASSAY_U64, second, (struct paths_diff_options){ .by = (enum paths_side)by });
        assert_int_equal(b.d.shown.rows.at[0].first, row_of(&b, by == PATHS_BEFORE ? "b" : "a"));
        done(&b);
    }
}

/* Twice the work by everything is no change of any share. */
static void normalised_figures_compare_shares(void **state)
{
    (void)state;
    struct both b;
    static const char *const first[] = { "main;a 10", "main;b 30", NULL }, *const second[] = { "main;a 20", "main;b 60", NULL };
    compare(&b, ASSAY_U64, first, ASSAY_U64, second, (struct paths_diff_options){ .by = PATHS_AFTER, .normalise = true });
    assert_true(b.d.scale == 2 && b.d.largest == 0);
    expect(&b, "main;b", 60, 60, 60, 60);
    assert_true(b.d.self[PATHS_BEFORE].at[row_of(&b, "main;b")].u == 30);
    done(&b);
}

static void whole_numbers_and_fractions_can_be_compared(void **state)
{
    (void)state;
    struct both b;
    static const char *const first[] = { "main 3", NULL }, *const second[] = { "main 3.5", NULL };
    compare(&b, ASSAY_U64, first, ASSAY_F64, second, (struct paths_diff_options){ .by = PATHS_AFTER });
    assert_int_equal(b.d.type, ASSAY_F64);
    assert_true(paths_diff_self_change(&b.d, row_of(&b, "main")) == 0.5);
    done(&b);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    struct both b;
    compare(&b, ASSAY_U64, old_run, ASSAY_U64, new_run, (struct paths_diff_options){ .by = PATHS_AFTER });
    int rc = -1;
    for (uint64_t n = 1; rc != 0; n++) {
        struct mem mem;
        struct paths_diff d;
        assay_error err = { 0 };
        mem_init(&mem, 0);
        mem.fail_at = n;
        rc = paths_diff_init(&d, &mem, &b.paths[PATHS_BEFORE], &b.paths[PATHS_AFTER], &(struct paths_diff_options){ .by = PATHS_AFTER }, &err);
        assert_int_equal(err.code, rc);
        assert_true(rc == 0 ? n > 3 : rc == ASSAY_ERR_MEMORY);
        paths_diff_done(&d);
        assert_int_equal(mem.used, 0);
    }
    done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_are_matched_by_their_path), cmocka_unit_test(siblings_stand_in_the_order_of_the_side_asked_for),
        cmocka_unit_test(normalised_figures_compare_shares),  cmocka_unit_test(whole_numbers_and_fractions_can_be_compared),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
