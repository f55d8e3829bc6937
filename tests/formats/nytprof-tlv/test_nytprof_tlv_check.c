/* One planted defect for every rule, with its severity and its place; and what strict reading says of it. */
#include "tlv.h"

/* Makes the file; returns where the rule must be reported. */
typedef size_t (*plant_fn)(struct tl *w);

static size_t replace_banner(struct tl *w, const char *banner, size_t off)
{
    w->len = 0;
    tl_text(w, banner);
    tl_files(w), tl_costs(w), tl_subs(w), tl_calls(w), tl_finish(w);
    return off;
}

/* ---- banner ---- */

static size_t t01(struct tl *w)
{
    w->at[0] = 'M';
    return 0;
}
static size_t t01_version(struct tl *w) { return replace_banner(w, "NYTProf five 0\n\n", 0); }
static size_t t01_magic(struct tl *w)
{
    w->len = 0;
    tl_bytes(w, "NYTPROF", 8);
    tl_int(w, 5, 4), tl_int(w, 0, 4);
    tl_begin(w, 'H'), tl_int(w, 5, 4), tl_int(w, 0, 4), tl_end(w);
    tl_files(w), tl_costs(w), tl_finish(w);
    return 0;
}
static size_t t02(struct tl *w) { return replace_banner(w, "NYTProf 6 0\n:a=b\n\n", 8); }
static size_t t02_minor(struct tl *w) { return replace_banner(w, "NYTProf 5 1\n\n", 8); }
static size_t t03(struct tl *w) { return replace_banner(w, "NYTProf 5 0\n:a=b\r\n!c=d\r\n\r\n", 16); }
static size_t t04(struct tl *w)
{
    w->len = 0;
    tl_text(w, "NYTProf 5 0\n:a=b\n:appli");
    return 17;
}
static size_t t05(struct tl *w) { return replace_banner(w, "NYTProf 5 0\n:a=b\n!a=b\n:a=c\n\n", 22); }
static size_t t06(struct tl *w) { return replace_banner(w, "NYTProf 5 0\n:a=b\n:hello\n\n", 17); }
static size_t t07(struct tl *w) { return replace_banner(w, "NYTProf 5 0\n:a=b\n", 17); }
static size_t t08(struct tl *w) { return replace_banner(w, "NYTProf 5 0\n:a=b\n\n\n", 19); }
static size_t t09(struct tl *w) { return replace_banner(w, "NYTProf 5 0\n:ticks_per_sec=1000\n\n", 0); }
static size_t t09_word(struct tl *w) { return replace_banner(w, "NYTProf 5 0\n:ticks_per_sec=many\n\n", 0); }
static size_t t10(struct tl *w) { return replace_banner(w, "NYTProf 5 0\n:nv_size=16\n\n", 0); }

/* ---- chunks ---- */

static void banner(struct tl *w)
{
    w->len = 0;
    tl_text(w, BANNER "\n");
}

static void raw_process(struct tl *w)
{
    double seconds = 1751976000.25;
    uint64_t bits;
    memcpy(&bits, &seconds, sizeof bits);
    tl_text(w, "P");
    tl_int(w, 4242, 4), tl_int(w, 4241, 4), tl_int(w, bits, 8);
}

static size_t t11(struct tl *w)
{
    banner(w);
    size_t at = w->len;
    raw_process(w);
    tl_files(w), tl_costs(w), tl_subs(w), tl_calls(w), tl_finish(w);
    return at;
}
static size_t t12(struct tl *w)
{
    w->len -= 4;
    return w->len - 1;
}
static size_t t13(struct tl *w)
{
    w->len -= 2;
    return w->len - 3;
}
static size_t t14(struct tl *w)
{
    banner(w);
    tl_files(w);
    size_t at = w->len;
    tl_costs(w);
    w->len -= 30;
    return at;
}
static size_t t14_huge(struct tl *w)
{
    size_t at = t14(w);
    tl_patch(w, at + 1, UINT32_MAX);
    return at;
}
static size_t t15(struct tl *w)
{
    w->len -= 5;
    size_t at = tl_begin(w, 'X');
    tl_text(w, "who knows"), tl_end(w), tl_finish(w);
    return at;
}
static size_t t15_nul(struct tl *w)
{
    w->len -= 5;
    size_t at = tl_begin(w, 0);
    tl_end(w), tl_finish(w);
    return at;
}
static size_t t16_file(struct tl *w)
{
    banner(w);
    tl_begin(w, 'F');
    tl_file(w, 0, 0x10, 1, 2, "/app/main.py");
    size_t at = w->len;
    tl_text(w, "0123456789"), tl_end(w), tl_costs(w), tl_finish(w);
    return at;
}
static size_t t16_cut(struct tl *w)
{
    banner(w);
    tl_files(w), tl_costs(w);
    tl_begin(w, 'D');
    tl_sub(w, 0, "<module>");
    size_t at = tl_sub(w, 1, "walk");
    tl_end(w);
    w->len -= 3;
    return at;
}
static size_t t17(struct tl *w)
{
    banner(w);
    tl_files(w), tl_costs(w);
    tl_begin(w, 'D');
    size_t at = tl_sub(w, 0, "walk") + 8;
    w->len--;
    tl_end(w), tl_finish(w);
    return at;
}
static size_t t18_fid(struct tl *w)
{
    banner(w);
    tl_begin(w, 'F');
    tl_file(w, 0, 0, 1, 2, "/a"), tl_file(w, 1, 0, 1, 2, "/b");
    size_t at = tl_file(w, 0, 0, 1, 2, "/c");
    tl_end(w), tl_costs(w), tl_finish(w);
    return at;
}
static size_t t18_sid(struct tl *w)
{
    banner(w);
    tl_files(w), tl_subs(w);
    tl_begin(w, 'D');
    size_t at = tl_sub(w, 5, "again");
    tl_end(w), tl_finish(w);
    return at;
}
static size_t t19(struct tl *w)
{
    banner(w);
    tl_files(w), tl_costs(w);
    tl_begin(w, 'S');
    size_t at = tl_row(w, 0, 3, 1, 2, 2);
    tl_end(w), tl_finish(w);
    return at;
}
static size_t t20(struct tl *w)
{
    banner(w);
    tl_subs(w);
    tl_begin(w, 'C');
    tl_row(w, 0, 5, 1, 2, 2), tl_row(w, 5, 0, 1, 2, 2);
    size_t at = tl_row(w, 0, 5, 1, 2, 2);
    tl_end(w), tl_finish(w);
    return at;
}
static size_t t21(struct tl *w)
{
    banner(w);
    tl_files(w);
    tl_begin(w, 'S');
    tl_row(w, 0, 1, 1, 10, 10);
    size_t at = tl_row(w, 0, 2, 1, 10, 11);
    tl_end(w), tl_finish(w);
    return at;
}
static size_t t22(struct tl *w)
{
    banner(w);
    tl_files(w);
    tl_begin(w, 'S');
    tl_row(w, 0, 1, 1, 10, 10);
    size_t at = w->len;
    tl_text(w, "odd"), tl_end(w), tl_finish(w);
    return at;
}
static size_t t23(struct tl *w)
{
    banner(w);
    size_t at = tl_begin(w, 'A');
    tl_bytes(w, "ticks_per_sec=1000", 19), tl_end(w);
    tl_files(w), tl_costs(w), tl_finish(w);
    return at;
}
static size_t t24(struct tl *w)
{
    banner(w);
    size_t at = tl_begin(w, 'P');
    tl_int(w, 7, 4), tl_int(w, 6, 4), tl_int(w, 0, 8), tl_end(w), tl_finish(w);
    return at;
}
static size_t t25(struct tl *w)
{
    w->len -= 5;
    size_t at = tl_begin(w, 'E');
    tl_text(w, "more"), tl_end(w);
    return at;
}
static size_t t26(struct tl *w) { return w->len -= 5; }
static size_t t27(struct tl *w)
{
    size_t at = w->len;
    tl_text(w, "left over");
    return at;
}
static size_t t28(struct tl *w)
{
    banner(w);
    tl_costs(w), tl_finish(w);
    return 0;
}
static size_t t29(struct tl *w)
{
    banner(w);
    tl_calls(w), tl_finish(w);
    return 0;
}
static void events(struct tl *w, unsigned count)
{
    tl_begin(w, 'D');
    for (unsigned i = 0; i < count; i++) tl_event(w, 0, 1 + i % 3, 100 + i % 7);
    tl_int(w, 0, 1), tl_end(w);
}
static size_t t30(struct tl *w)
{
    banner(w);
    tl_files(w), tl_costs(w);
    size_t at = w->len;
    events(w, 4);
    tl_finish(w);
    return at;
}
static size_t t31(struct tl *w)
{
    banner(w);
    size_t at = tl_begin(w, 'F');
    for (uint32_t i = 0; i < 4; i++) tl_int(w, i, 4), tl_int(w, 9, 4);
    tl_end(w), tl_costs(w), tl_finish(w);
    return at;
}
static size_t t32(struct tl *w)
{
    banner(w);
    tl_files(w), tl_costs(w), events(w, 60), tl_finish(w);
    return 0;
}
static size_t t33(struct tl *w)
{
    banner(w);
    tl_files(w);
    size_t at = tl_begin(w, 'D');
    tl_int(w, 3, 4), tl_int(w, 1, 4), tl_int(w, 10, 4), tl_int(w, 20, 4), tl_bytes(w, "walk", 5), tl_end(w);
    tl_begin(w, 'C');
    tl_row(w, 0, 7, 3, 500, 200), tl_end(w), tl_finish(w);
    return at;
}
static size_t t34_after(struct tl *w, const void *data, size_t len)
{
    banner(w);
    raw_process(w);
    size_t at = w->len;
    tl_bytes(w, data, len);
    return at;
}
static size_t t34_bare(struct tl *w) { return t34_after(w, "\1\0\0\0\2\0\0\0", 8); }
static size_t t34_small(struct tl *w) { return t34_after(w, "\1\1\0\0\0", 5); }
static size_t t34_letters(struct tl *w) { return t34_after(w, "S\1\1\1\x7f more", 10); }
static size_t t34_varint(struct tl *w) { return t34_after(w, "S\3\0\0\0abcE\0\0\0\0", 13); }

static const struct {
    const char *rule;
    int severity;
    plant_fn plant;
} defects[] = {
    { "T01", ASSAY_ERROR, t01 },        { "T01", ASSAY_ERROR, t01_version }, { "T01", ASSAY_ERROR, t01_magic }, { "T02", ASSAY_ERROR, t02 },
    { "T02", ASSAY_ERROR, t02_minor },  { "T03", ASSAY_ERROR, t03 },         { "T04", ASSAY_ERROR, t04 },       { "T05", ASSAY_ERROR, t05 },
    { "T06", ASSAY_ERROR, t06 },        { "T07", ASSAY_WARNING, t07 },       { "T08", ASSAY_ERROR, t08 },       { "T09", ASSAY_ERROR, t09 },
    { "T09", ASSAY_ERROR, t09_word },   { "T10", ASSAY_ERROR, t10 },         { "T11", ASSAY_WARNING, t11 },     { "T12", ASSAY_WARNING, t12 },
    { "T13", ASSAY_ERROR, t13 },        { "T14", ASSAY_ERROR, t14 },         { "T14", ASSAY_ERROR, t14_huge },  { "T15", ASSAY_ERROR, t15 },
    { "T15", ASSAY_ERROR, t15_nul },    { "T16", ASSAY_ERROR, t16_file },    { "T16", ASSAY_ERROR, t16_cut },   { "T17", ASSAY_ERROR, t17 },
    { "T18", ASSAY_ERROR, t18_fid },    { "T18", ASSAY_ERROR, t18_sid },     { "T19", ASSAY_ERROR, t19 },       { "T20", ASSAY_ERROR, t20 },
    { "T21", ASSAY_WARNING, t21 },      { "T22", ASSAY_ERROR, t22 },         { "T23", ASSAY_WARNING, t23 },     { "T24", ASSAY_WARNING, t24 },
    { "T25", ASSAY_ERROR, t25 },        { "T26", ASSAY_ERROR, t26 },         { "T27", ASSAY_ERROR, t27 },       { "T28", ASSAY_ERROR, t28 },
    { "T29", ASSAY_ERROR, t29 },        { "T30", ASSAY_WARNING, t30 },       { "T31", ASSAY_WARNING, t31 },     { "T32", ASSAY_WARNING, t32 },
    { "T33", ASSAY_WARNING, t33 },      { "T34", ASSAY_ERROR, t34_bare },    { "T34", ASSAY_ERROR, t34_small }, { "T34", ASSAY_ERROR, t34_letters },
    { "T34", ASSAY_ERROR, t34_varint },
};

static struct findings check(struct tl_job *j, const struct tl *w)
{
    struct findings found;
    tl_open(j, w);
    findings_init(&found, &j->mem);
    assert_int_equal(nytprof_tlv_check(&j->job, &found, NULL), 0);
    return found;
}
static void check_end(struct tl_job *j, struct findings *found)
{
    findings_done(found);
    tl_close(j);
}

static const assay_finding *find_rule(const struct findings *found, const char *rule, uint64_t off)
{
    for (size_t i = 0; i < found->list.len; i++)
        if (strcmp(found->list.at[i].rule, rule) == 0 && found->list.at[i].offset == off) return &found->list.at[i];
    for (size_t i = 0; i < found->list.len; i++)
        print_error("found %s at %llu: %s\n", found->list.at[i].rule, (unsigned long long)found->list.at[i].offset, found->list.at[i].message);
    fail_msg("no %s at %llu", rule, (unsigned long long)off);
    return NULL;
}

static void the_sample_has_no_findings(void **state)
{
    (void)state;
    struct tl_job j;
    struct tl w = tl_sample();
    struct findings found = check(&j, &w);
    assert_int_equal(found.list.len, 0);
    check_end(&j, &found);
}

static void every_rule_is_found_where_it_was_planted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct tl_job j;
        struct tl w = tl_sample();
        size_t off = defects[i].plant(&w);
        struct findings found = check(&j, &w);
        assert_int_equal(find_rule(&found, defects[i].rule, off)->severity, defects[i].severity);
        check_end(&j, &found);
    }
}

/* The first error is the one that strict reading stops at; lenient reading warns of everything that check finds. */
static void reading_says_the_same_as_checking(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct tl_job j;
        struct tl w = tl_sample();
        assay_error err = { 0 };
        (void)defects[i].plant(&w);
        struct findings found = check(&j, &w);
        const assay_finding *first = NULL;
        for (size_t k = 0; k < found.list.len && !first; k++)
            if (found.list.at[k].severity == ASSAY_ERROR) first = &found.list.at[k];
        assay_profile *p = tl_read(&w, 0, true, &err);
        assert_true((p != NULL) == (first == NULL));
        if (first) {
            assert_int_equal(err.offset, first->offset);
            assert_non_null(strstr(err.text, first->rule));
        }
        assay_profile_release(p);
        p = tl_read(&w, 0, false, &err);
        size_t count = 0;
        if (p) (void)assay_profile_warnings(p, &count);
        if (p) assert_int_equal(count, found.list.len);
        assay_profile_release(p);
        check_end(&j, &found);
    }
}

static void only_a_banner_that_cannot_be_read_ends_lenient_reading(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct tl w = tl_sample();
        assay_error err = { 0 };
        (void)defects[i].plant(&w);
        assay_profile *p = tl_read(&w, 0, false, &err);
        bool is_hard = defects[i].plant == t01 || defects[i].plant == t01_version || defects[i].plant == t04;
        assert_true((p == NULL) == is_hard);
        assay_profile_release(p);
    }
}

static void a_rule_that_is_broken_often_is_counted(void **state)
{
    (void)state;
    struct tl_job j;
    struct tl w = { .len = 0 };
    banner(&w);
    tl_files(&w);
    tl_begin(&w, 'S');
    for (unsigned i = 0; i < 150; i++) tl_row(&w, 0, 1, 1, 1, 1);
    tl_end(&w), tl_finish(&w);
    struct findings found = check(&j, &w);
    assert_int_equal(found.errors, 149);
    assert_int_equal(found.list.len, 100);
    check_end(&j, &found);
}

static void several_defects_come_in_the_order_of_the_file(void **state)
{
    (void)state;
    static const char *const order[] = { "T02", "T03", "T07", "T19", "T22", "T26", "T28" };
    struct tl_job j;
    struct tl w = { .len = 0 };
    tl_text(&w, "NYTProf 6 0\r\n");
    tl_begin(&w, 'S');
    tl_row(&w, 0, 1, 1, 1, 1), tl_row(&w, 0, 1, 1, 1, 1), tl_text(&w, "x"), tl_end(&w);
    struct findings found = check(&j, &w);
    assert_int_equal(found.list.len, sizeof order / sizeof *order);
    for (size_t i = 0; i < found.list.len; i++) assert_string_equal(found.list.at[i].rule, order[i]);
    check_end(&j, &found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_has_no_findings),
        cmocka_unit_test(every_rule_is_found_where_it_was_planted),
        cmocka_unit_test(reading_says_the_same_as_checking),
        cmocka_unit_test(only_a_banner_that_cannot_be_read_ends_lenient_reading),
        cmocka_unit_test(a_rule_that_is_broken_often_is_counted),
        cmocka_unit_test(several_defects_come_in_the_order_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
