/* A planted defect for every rule of the stream: it is found, with the severity and at the place that docs/formats/nytprof.md promise, and a
 * sound stream has none of them. */
#include "nyt.h"

#include <math.h>

#include "formats/nytprof/read.h"

static struct nyt s;
static uint64_t at; /* of the defect */

static void mark(void) { at = s.len; }

/* ---- one defect each ---- */

static void n01(void) { memcpy(s.at, "NYTPROF", 7), at = 0; }
static void n02(void) { s.at[8] = '6', at = 8; }
static void n03(void) { s.at[10] = '7', at = 8; }
static void n04(void) { mark(), nyt_raw(&s, ":cut", 4); }
static void n05(void) { mark(), nyt_line(&s, ":no equal sign"); }
static void n06(void) { mark(), nyt_line(&s, ":nv_size=16"); }
static void n07(void) { mark(), nyt_line(&s, ":ticks_per_sec=0"); }
static void n08(void) { mark(), nyt_byte(&s, '?'); }
static void n09(void) { mark(), nyt_raw(&s, "S\1\1x", 4); }
static void n10(void) { mark(), nyt_raw(&s, "+\1", 2); }
static void n17(void) { mark(), nyt_put(&s, 'p', "id", 7u, 1.5e9); }
static void n19(void) { mark(), nyt_time(&s, 1, 9, 1); }
static void n20(void) { mark(), nyt_put(&s, '@', "iiiiiis", 1u, 0u, 0u, 0x12u, 0u, 0u, "/other.pl"); }
static void n21(void) { mark(), nyt_put(&s, '@', "iiiiiis", 2u, 2u, 1u, 0x12u, 0u, 0u, "(eval 1)[/a.pl:1]"); }
static void n22(void) { nyt_put(&s, '@', "iiiiiis", 5u, 0u, 0u, 0x12u, 0u, 0u, "/b.pl"), at = UINT64_MAX; }
static void n23(void)
{
    nyt_put(&s, 's', "isii", 1u, "main::f", 3u, 4u);
    mark();
    nyt_put(&s, 's', "isii", 1u, "main::f", 5u, 6u);
}
static void n24(void)
{
    nyt_byte(&s, '-');
    mark();
    nyt_byte(&s, '-');
    nyt_time(&s, 1, 1, 1);
}
static void n25(void) { mark(), nyt_time(&s, -120, 1, 1); }
static void n26(void) { mark(), nyt_return(&s, 1, NAN, 1, "main::f"), nyt_call(&s, 1, "main::RUNTIME", 1, 1, 1, 0, 0, "main::f"); }
static void n27(void) { nyt_return(&s, 1, 1, 1, "main::f"), mark(), nyt_call(&s, 1, "main::RUNTIME", 1, 1e-3, 1e-2, 0, 0, "main::f"); }
static void n28(void) { mark(), nyt_time(&s, 1, 1, 0); }
static void n29(void) { mark(), nyt_raw(&s, "+\xc0\0\1\1\1", 6); }
static void n30(void) { nyt_time(&s, 2000000000, 1, 1), at = UINT64_MAX; }
static void n31(void) { nyt_return(&s, 1, 1, 1, "main::f"), at = UINT64_MAX; }
static void n32(void) { mark(), nyt_return(&s, 0, 1, 1, "main::f"), nyt_call(&s, 1, "main::RUNTIME", 1, 1, 1, 0, 0, "main::f"); }
static void n33(void) { mark(), nyt_put(&s, '@', "iiiiiis", 2u, 0u, 0u, 0x4012u, 0u, 0u, "/b.pl"); }
static void n34(void) { nyt_line(&s, "!blocks=0"), mark(), nyt_put(&s, '*', "iiiii", 1u, 1u, 2u, 2u, 2u); }
static void n35(void) { mark(), nyt_line(&s, "!stmts=0"); }
static void n36(void) { nyt_put(&s, 'S', "iis", 1u, 1u, "x\n"), mark(), nyt_put(&s, 'S', "iis", 1u, 1u, "x\n"); }
static void n37(void) { mark(), nyt_raw(&s, "S\1\1\"\1\xff", 6); }
static void n39(void) { mark(), nyt_put(&s, 's', "isii", 1u, "main::f", 5u, 4u); }
static void n41(void)
{
    mark();
    nyt_put(&s, '@', "iiiiiis", 2u, 3u, 1u, 0x12u, 0u, 0u, "(eval 1)[/b.pl:1]");
    nyt_put(&s, '@', "iiiiiis", 3u, 0u, 0u, 0x12u, 0u, 0u, "/b.pl");
}
static void n42(void)
{
    nyt_return(&s, 3, 1, 1, "main::f");
    nyt_call(&s, 1, "main::RUNTIME", 1, 1, 1, 0, 0, "main::f");
    mark();
}

static const struct rule {
    const char *name;
    void (*plant)(void);
    int severity;
} rules[] = {
    { "N01", n01, ASSAY_ERROR },   { "N02", n02, ASSAY_ERROR },   { "N03", n03, ASSAY_WARNING }, { "N05", n05, ASSAY_WARNING }, { "N06", n06, ASSAY_ERROR },
    { "N07", n07, ASSAY_ERROR },   { "N08", n08, ASSAY_ERROR },   { "N09", n09, ASSAY_ERROR },   { "N17", n17, ASSAY_WARNING }, { "N19", n19, ASSAY_ERROR },
    { "N20", n20, ASSAY_WARNING }, { "N21", n21, ASSAY_ERROR },   { "N22", n22, ASSAY_WARNING }, { "N23", n23, ASSAY_WARNING }, { "N24", n24, ASSAY_WARNING },
    { "N25", n25, ASSAY_WARNING }, { "N26", n26, ASSAY_WARNING }, { "N27", n27, ASSAY_WARNING }, { "N28", n28, ASSAY_WARNING }, { "N29", n29, ASSAY_WARNING },
    { "N30", n30, ASSAY_WARNING }, { "N31", n31, ASSAY_WARNING }, { "N32", n32, ASSAY_WARNING }, { "N33", n33, ASSAY_WARNING }, { "N34", n34, ASSAY_WARNING },
    { "N35", n35, ASSAY_INFO },    { "N36", n36, ASSAY_WARNING }, { "N37", n37, ASSAY_WARNING }, { "N39", n39, ASSAY_WARNING }, { "N41", n41, ASSAY_WARNING },
    { "N42", n42, ASSAY_WARNING },
};

static void expect(const char *rule, int severity, uint64_t off)
{
    int found_severity = -1;
    uint64_t found_off = 0;
    unsigned count = nyt_findings(&s, rule, &found_severity, &found_off);
    if (!count) fail_msg("%s is not found", rule);
    if (found_severity != severity || found_off != off)
        fail_msg("%s: severity %d at %lld, expected %d at %lld", rule, found_severity, (long long)found_off, severity, (long long)off);
}

static void each_defect_is_found_where_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        nyt_begin(&s);
        rules[i].plant();
        nyt_end(&s);
        expect(rules[i].name, rules[i].severity, at);
    }
}

static void a_sound_stream_has_no_findings(void **state)
{
    (void)state;
    struct nyt_job j;
    struct findings f;
    nyt_begin(&s);
    nyt_time(&s, 5, 1, 2);
    nyt_return(&s, 1, 3, 3, "main::f");
    nyt_put(&s, 'S', "iis", 1u, 1u, "f();\n");
    nyt_put(&s, 's', "isii", 1u, "main::f", 1u, 1u);
    nyt_call(&s, 2, "main::RUNTIME", 1, 3e-7, 3e-7, 0, 0, "main::f");
    nyt_end(&s);
    nyt_open(&j, s.at, s.len, false);
    findings_init(&f, &j.mem);
    assert_int_equal(nyt_format()->check(&j.job, &f, NULL), 0);
    assert_int_equal(f.list.len, 0);
    findings_done(&f);
    nyt_close(&j);
}

/* ---- what ends a stream ---- */

static void a_cut_stream_is_told_by_what_was_cut(void **state)
{
    (void)state;
    nyt_begin(&s);
    n04();
    expect("N04", ASSAY_ERROR, at);
    nyt_begin(&s);
    n10();
    expect("N10", ASSAY_ERROR, at);
    expect("N16", ASSAY_ERROR, s.len);
    nyt_begin(&s);
    expect("N16", ASSAY_ERROR, s.len);
    nyt_begin(&s);
    mark();
    nyt_raw(&s, "S\1\1'\xff\xff\xff\xff\xf0", 9); /* 4 GB in a small file */
    expect("N10", ASSAY_ERROR, at);
}

static void times_of_day_must_fit(void **state)
{
    (void)state;
    nyt_begin(&s);
    mark();
    nyt_put(&s, 'p', "id", 100u, 1.4e9);
    expect("N38", ASSAY_WARNING, at);
    nyt_begin(&s);
    nyt_end(&s);
    mark();
    nyt_time(&s, 1, 1, 1);
    expect("N18", ASSAY_WARNING, at);
}

/* ---- the compressed part ---- */

static size_t compressed(const char *tail)
{
    nyt_begin(&s);
    size_t from = s.len;
    nyt_time(&s, 5, 1, 2);
    nyt_end(&s);
    nyt_compress(&s, from, tail);
    return from;
}

static void the_compressed_part_must_be_sound(void **state)
{
    (void)state;
    compressed("");
    expect("N15", ASSAY_INFO, s.len);
    compressed("# x\n");
    uint64_t end = s.len - 4;
    compressed("x y\n");
    expect("N14", ASSAY_WARNING, end);
    size_t from = compressed("");
    s.at[s.len - 1] ^= 1;
    expect("N11", ASSAY_ERROR, 14); /* + 3 bytes, p 100 and a double: 4 + 10 inflated bytes */
    compressed("");
    s.len = from + 3;
    expect("N12", ASSAY_ERROR, 0);
    nyt_begin(&s);
    nyt_byte(&s, 'z');
    nyt_compress(&s, s.len - 1, "");
    expect("N13", ASSAY_ERROR, 0);
}

static void a_packed_file_is_told(void **state)
{
    (void)state;
    static uint8_t copy[1 << 16];
    z_stream z = { 0 };
    nyt_begin(&s);
    nyt_end(&s);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = s.at;
    z.avail_in = (unsigned)s.len;
    z.next_out = copy;
    z.avail_out = sizeof copy;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t whole = s.len;
    s.len = z.total_out;
    memcpy(s.at, copy, s.len);
    deflateEnd(&z);
    expect("N40", ASSAY_INFO, UINT64_MAX);
    s.len -= 8; /* check sum and length: every byte of the stream is still there */
    expect("N43", ASSAY_ERROR, whole);
}

static void doubles_of_other_machines_are_turned(void **state)
{
    (void)state;
    unsigned char start[8];
    nyt_double_bytes(1.5e9, start);
    nyt_begin(&s);
    for (size_t i = 0; i + 8 <= s.len; i++)
        if (memcmp(s.at + i, start, 8) == 0) {
            for (int k = 0; k < 4; k++) {
                uint8_t t = s.at[i + (size_t)k];
                s.at[i + (size_t)k] = s.at[i + 7 - (size_t)k];
                s.at[i + 7 - (size_t)k] = t;
            }
            at = i - 3; /* P 100 1 */
            break;
        }
    expect("N44", ASSAY_INFO, at);
}

/* A stream that was cut after the return, and after the call site that tells of it. */
static void calls_without_sites_are_lower_bounds(void **state)
{
    (void)state;
    for (int has_site = 0; has_site < 2; has_site++) {
        nyt_begin(&s);
        nyt_return(&s, 1, 1, 1, "main::f");
        if (has_site) nyt_call(&s, 1, "main::RUNTIME", 1, 1, 1, 0, 0, "main::f");
        assay_profile *p = nyt_read(&s, ASSAY_WANT_ALL);
        size_t count, told = 0;
        const assay_finding *f = assay_profile_warnings(p, &count);
        for (size_t i = 0; i < count; i++) told += strcmp(f[i].rule, "N45") == 0;
        assert_int_equal(told, !has_site);
        assay_profile_release(p);
    }
}

/* Reads a stream with one more statement of `ticks` where line 7 has had `line` of them, and all lines `all`; how often N46 is told, and what is booked. */
static unsigned saturated(int64_t line, int64_t all, int32_t ticks, int64_t *booked, int64_t *total)
{
    struct nyt_job j;
    assay_error err = { 0 };
    struct nytprof_reader *r = test_calloc(1, sizeof *r);
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_LINES }, &err);
    unsigned told = 0;
    size_t count;
    nyt_begin(&s);
    nyt_time(&s, ticks, 1, 7);
    nyt_end(&s);
    nyt_open(&j, s.at, s.len, false);
    assert_int_equal(nytprof_reader_begin(r, &j.job, b, &err), 0);
    nytprof_lines_row(&r->lines[ASSAY_LEVEL_LINE], 1, 7)->ticks = line;
    r->ticks = all;
    assert_int_equal(nytprof_reader_take(r, &err), 0);
    assert_int_equal(nytprof_reader_finish(r, &err), 0);
    nytprof_reader_done(r);
    assay_profile *p = assay_builder_seal(b, &err);
    assert_non_null(p);
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++) told += strcmp(f[i].rule, "N46") == 0;
    *booked = assay_profile_lines(p)->self[0].i;
    const struct assay_metrics *m = assay_profile_metrics(p);
    for (uint32_t i = 1; i <= m->count; i++)
        if (slice_is(assay_profile_string(p, m->name[i]), "stmt_ticks")) *total = (int64_t)m->total[i].low;
    assay_profile_release(p);
    nyt_close(&j);
    test_free(r);
    return told;
}

static void sums_of_ticks_stay_at_the_limit(void **state)
{
    (void)state;
    int64_t booked = 0, total = 0;
    assert_int_equal(saturated(INT64_MAX - 10, 0, 10, &booked, &total), 0);
    assert_int_equal(booked, INT64_MAX);
    assert_int_equal(total, 10);
    assert_int_equal(saturated(INT64_MAX - 10, 0, 11, &booked, &total), 1);
    assert_int_equal(booked, INT64_MAX);
    assert_int_equal(saturated(INT64_MIN + 10, 0, -11, &booked, &total), 1);
    assert_int_equal(booked, INT64_MIN);
    assert_int_equal(total, -11);
    assert_int_equal(saturated(0, INT64_MAX - 10, 10, &booked, &total), 0);
    assert_int_equal(saturated(0, INT64_MAX - 10, 11, &booked, &total), 1);
    assert_int_equal(booked, 11);
    assert_int_equal(total, INT64_MAX);
}

static void strict_reading_refuses_what_check_calls_an_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        assay_profile *p = NULL;
        assay_error err = { 0 };
        struct assay_read_options o = { .format = "nytprof", .strict = true };
        nyt_begin(&s);
        rules[i].plant();
        nyt_end(&s);
        int rc = assay_read_memory(s.at, s.len, "test", &o, &p, &err);
        if ((rc != 0) != (rules[i].severity == ASSAY_ERROR)) fail_msg("%s: strict reading gives %d %s", rules[i].name, rc, err.text);
        assay_profile_release(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_defect_is_found_where_it_is),     cmocka_unit_test(a_sound_stream_has_no_findings),
        cmocka_unit_test(a_cut_stream_is_told_by_what_was_cut), cmocka_unit_test(times_of_day_must_fit),
        cmocka_unit_test(the_compressed_part_must_be_sound),    cmocka_unit_test(a_packed_file_is_told),
        cmocka_unit_test(doubles_of_other_machines_are_turned), cmocka_unit_test(strict_reading_refuses_what_check_calls_an_error),
        cmocka_unit_test(calls_without_sites_are_lower_bounds), cmocka_unit_test(sums_of_ticks_stay_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
