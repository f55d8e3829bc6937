/* One planted defect for every rule, with its severity and its place. */
#include "hr.h"

#include "formats/hpcrun/check.h"

/* A fixture with one number changed. */
struct defect {
    const char *rule;
    int severity;
    const char *file;
    size_t at; /* of the bytes that are changed */
    unsigned size;
    uint64_t value;
    uint64_t off; /* where the rule must be reported */
};

#define E ASSAY_ERROR
#define W ASSAY_WARNING
static const char f04[] = "04.00b.hpcrun", f02l[] = "02.00l.hpcrun", f02b[] = "02.00b.hpcrun", flat[] = "01.00.hpcrun-flat", trace[] = "01.01.hpctrace";

static const struct defect defects[] = {
    { "HRC01", E, f04, 0, 1, 'X', 0 },
    { "HRC01", E, trace, 3, 1, 'X', 0 },
    { "HRC01", E, flat, 3, 1, 'X', 0 },
    { "HRC02", E, f04, 19, 1, '5', 18 },
    { "HRC02", E, f02l, 14, 1, '1', 10 },
    { "HRC02", E, flat, 19, 1, '3', 18 },
    { "HRC03", E, f04, 23, 1, 'l', 23 },
    { "HRC03", E, f02l, 15, 1, 'b', 10 },
    { "HRC03", E, f02l, 15, 1, 'x', 10 },
    { "HRC03", E, trace, 23, 1, 'l', 23 },
    { "HRC03", E, flat, 23, 1, 'b', 23 },
    { "HRC04", E, f04, 24, 4, 7, 143 },                     /* a pair more than there are */
    { "HRC04", E, f04, 28, 4, 1000, 28 },                   /* a string past the section */
    { "HRC04", E, f04, 1024, 4, UINT32_MAX, 1090 },         /* huge number of modules */
    { "HRC04", E, f04, 3072, 4, UINT32_MAX, 3318 },         /* of metrics */
    { "HRC04", E, f04, 4096, 2, 9, 4199 },                  /* of kinds */
    { "HRC04", E, f04, 5120, 2, UINT16_MAX, 5286 },         /* of elements of the tuple */
    { "HRC04", E, f04, 5176, 8, UINT64_C(1) << 40, 5176 },  /* of values */
    { "HRC04", E, f04, 5184, 4, UINT32_MAX, 5184 },         /* of index pairs */
    { "HRC04", E, f02b, 388, 8, UINT64_C(1) << 60, 396 },   /* of nodes */
    { "HRC04", E, f02l, 303, 4, 0x07000000, 499 },          /* of nodes, little-endian */
    { "HRC04", E, "02.00l-lush.hpcrun", 173, 1, '0', 169 }, /* LIP-size */
    { "HRC04", E, flat, 24, 4, UINT32_MAX, 208 },
    { "HRC04", E, flat, 91, 1, 9, 207 },
    { "HRC05", E, f02b, 133, 1, 'X', 129 },
    { "HRC05", E, f02l, 125, 1, 'X', 125 },
    { "HRC06", E, f04, 6255, 1, 0, 6248 },
    { "HRC06", E, f04, 6240, 8, 7, 6240 },
    { "HRC07", E, f04, 6160, 8, 9999, 6160 },
    { "HRC07", E, f04, 6152, 8, 5, 6144 },
    { "HRC07", E, f04, 6176, 8, 100, 6176 },
    { "HRC08", E, f04, 2048, 8, 8, 2048 },
    { "HRC08", E, f04, 6168, 8, 1100, 1090 },
    { "HRC09", E, f02b, 600, 4, 0, 600 },
    { "HRC09", E, f02l, 499, 2, 0, 499 },
    { "HRC09", E, flat, 208, 2, 0, 208 },
    { "HRC10", E, f04, 2113, 4, 0, 2113 },
    { "HRC10", E, f04, 2132, 4, 18, 2132 },
    { "HRC10", E, f04, 2117, 4, 20, 2113 },
    { "HRC10", E, f02b, 434, 4, 999, 430 },
    { "HRC11", E, f04, 2121, 2, 77, 2113 },
    { "HRC11", E, f02b, 438, 2, 3, 430 },
    { "HRC13", E, f04, 5196, 2, 3, 5196 },
    { "HRC14", E, f04, 5238, 4, 26, 5238 },
    { "HRC15", E, f04, 5254, 8, 9, 5254 },
    { "HRC15", E, f04, 5266, 8, 1, 5266 },
    { "HRC15", E, f04, 5274, 4, 5, 5274 },
    { "HRC15", E, f04, 5278, 8, 4, 5278 },
    { "HRC16", E, f04, 5122, 2, 9 | 1 << 14, 5122 },
    { "HRC17", E, f04, 1028, 2, 0, 1028 },
    { "HRC17", E, f04, 1058, 2, 1, 1058 },
    { "HRC18", E, f04, 3101, 1, 3, 3099 },
    { "HRC19", E, trace, 80, 3, 0, 80 },
    { "HRC19", E, trace, 19, 1, '2', 18 },
    { "HRC20", E, f04, 3281, 1, 'x', 3277 },
    { "HRC20", E, f04, 3286, 1, '9', 3277 },
    { "HRW03", W, f04, 1050, 8, 2, 1028 },
    { "HRW03", W, f04, 2074, 1, 3, 2074 },
    { "HRW03", W, f04, 4098, 2, 9, 4098 },
    { "HRW03", W, f04, 2085, 8, UINT64_C(0x4141414141414141), 2075 },
    { "HRW03", W, f02b, 137, 8, 4, 137 },
    { "HRW03", W, trace, 24, 8, 12, 24 },
    { "HRW04", W, f02b, 498, 4, 22, 498 },
    { "HRW04", W, f02b, 430, 4, 0 - UINT32_C(18), 430 },
    { "HRW05", W, f04, 1500, 1, 1, 1500 },
    { "HRW06", W, f04, 5188, 8, 0, 5188 },
    { "HRW06", W, f04, 5206, 2, 0, 5198 },
    { "HRW06", W, flat, 99, 4, 0, 99 },
    { "HRW07", W, f04, 2066, 8, UINT64_C(0x4e6f416374767479), 2056 },
    { "HRW07", W, f04, 2066, 8, UINT64_C(0x4e6f416374767479), 2075 },
    { "HRW07", W, f04, 2117, 4, 12, 2113 },
    { "HRW08", W, f04, 2131, 1, 0, 2132 },
    { "HRW10", W, f04, 5198, 8, UINT64_C(0x7ff8000000000000), 5198 },
    { "HRW10", W, f04, 5198, 8, UINT64_C(0xbff0000000000000), 5198 },
    { "HRW10", W, f04, 5188, 8, UINT64_C(1) << 50, 3076 },
    { "HRW13", W, f04, 3115, 8, 0, 3076 },
    { "HRW13", W, f02b, 243, 8, 0, 204 },
    { "HRW15", W, f04, 1040, 1, 0, 1040 },
};

static void each_rule_has_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        const struct defect *d = &defects[i];
        struct hr f;
        struct hr_check c;
        hr_load(&f, d->file);
        hr_put(&f, d->at, d->size, d->value);
        hr_check(&c, &f, d->file);
        const assay_finding *found = hr_find(&c.found, d->rule, d->off);
        if (found->severity != d->severity) fail_msg("%s in %s: severity %d", d->rule, d->file, found->severity);
        hr_check_done(&c);
    }
}

/* ---- what takes more than one number ---- */

static struct hr_check checked;

static const assay_finding *after(const struct hr *f, const char *name, const char *rule, uint64_t off)
{
    hr_check(&checked, f, name);
    return hr_find(&checked.found, rule, off);
}

static void an_empty_load_map(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, f02l);
    memset(f.at + 217, 0, 8); /* no modules, no nodes, and what was theirs goes */
    f.len = 225;
    assert_int_equal(after(&f, f02l, "HRC12", 217)->severity, ASSAY_ERROR);
    hr_check_done(&checked);
}

static void an_empty_tuple(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, f04);
    memmove(f.at + 5122, f.at + 5176, 110);
    hr_put(&f, 5120, 2, 0);
    hr_put(&f, 6232, 8, 5232); /* the section ends so much earlier */
    memset(f.at + 5232, 0, 54);
    assert_int_equal(after(&f, f04, "HRC16", 5120)->severity, ASSAY_ERROR);
    assert_int_equal(checked.found.errors, 1);
    hr_check_done(&checked);
}

static void empty_strings(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, f02l);
    hr_put(&f, 36, 4, 0);                      /* the length of "app" */
    memmove(f.at + 40, f.at + 43, f.len - 43); /* and its characters */
    f.len -= 3;
    assert_int_equal(after(&f, f02l, "HRW01", 36)->severity, ASSAY_WARNING);
    assert_int_equal(checked.found.errors, 0);
    hr_check_done(&checked);
}

/* 04.00 has empty values by the dozen: job-id. */
static void empty_values_of_today(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, f04);
    hr_check(&checked, &f, f04);
    assert_int_equal(checked.found.list.len, 0);
    hr_check_done(&checked);
}

static void pairs_twice_or_not_at_all(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, f04);
    memcpy(f.at + 32, "mpi-rank\0\0\0\7abcdefg", 19); /* program-name/app: the lengths are set below */
    hr_put(&f, 28, 4, 8);
    assert_int_equal(after(&f, f04, "HRW02", 24)->severity, ASSAY_WARNING);
    assert_int_equal(hr_find(&checked.found, "HRW02", 51)->severity, ASSAY_WARNING);
    hr_check_done(&checked);
}

static void the_name_of_the_file(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, f04);
    hr_check(&checked, &f, "dir-1/app-000003-001-007f0101-1234-0.hpcrun");
    assert_int_equal(checked.found.list.len, 0);
    hr_check_done(&checked);
    hr_check(&checked, &f, "app-000004-002-007f0102-1235-0.hpcrun");
    assert_int_equal(checked.found.list.len, 4);
    for (size_t i = 0; i < 4; i++) assert_string_equal(checked.found.list.at[i].rule, "HRW12");
    hr_check_done(&checked);
}

static void a_trace_that_is_cut(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, trace);
    f.len = 27;
    assert_int_equal(after(&f, trace, "HRC19", 24)->severity, ASSAY_ERROR);
    hr_check_done(&checked);
    f.len = 20;
    assert_int_equal(after(&f, trace, "HRC19", 20)->severity, ASSAY_ERROR);
    hr_check_done(&checked);
    hr_load(&f, trace);
    assert_int_equal(after(&f, trace, "HRW09", 56)->severity, ASSAY_INFO);
    hr_check_done(&checked);
}

static void a_packed_input_that_is_damaged(void **state)
{
    struct hr f;
    struct mem mem;
    struct findings found;
    (void)state;
    mem_init(&mem, 0);
    hr_load(&f, f04);
    hpcrun_check_fn *const checks[] = { hpcrun_check_source, hpctrace_check_source, hpcrun_flat_check_source };
    for (size_t i = 0; i < 3; i++) {
        struct hpcrun_source source = { { (const char *)f.at, 500 }, "x", true };
        findings_init(&found, &mem);
        assert_int_equal(checks[i](&source, &mem, &found, NULL), 0);
        assert_int_equal(hr_find(&found, "HRC21", 500)->severity, ASSAY_ERROR);
        findings_done(&found);
    }
}

static void formulas(void **state)
{
    static const char *const good[] = { "#0", " 1.5 * ( #1 - -2 ) ", "min(100, max(0, 100*#1/#0))", "2^#0^.5", "(#0/#0) + (#1/#0)" };
    static const char *const bad[] = { "", "#", "#2", "1 +", "(1", "1)", "1,2", "min(1", "avg(1)", "1 2", ".", "#99999999999999999999999", "1 ? 2" };
    size_t at;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_null(hpcrun_formula_problem(slice_of(good[i]), 2, &at));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_non_null(hpcrun_formula_problem(slice_of(bad[i]), 2, &at));
    char deep[200];
    memset(deep, '(', sizeof deep);
    assert_non_null(hpcrun_formula_problem((assay_slice){ deep, sizeof deep }, 2, &at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_has_its_place),
        cmocka_unit_test(an_empty_load_map),
        cmocka_unit_test(an_empty_tuple),
        cmocka_unit_test(empty_strings),
        cmocka_unit_test(empty_values_of_today),
        cmocka_unit_test(pairs_twice_or_not_at_all),
        cmocka_unit_test(the_name_of_the_file),
        cmocka_unit_test(a_trace_that_is_cut),
        cmocka_unit_test(formulas),
        cmocka_unit_test(a_packed_input_that_is_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
