/* One planted defect for every rule, with its severity and its place; and files that are cut or changed at every byte. */
#include "wg.h"

#include "harness.h"

#include <zlib.h>

/* ---- one defect for each rule ---- */

/* A sample with one number changed. */
struct defect {
    const char *rule;
    int severity;
    uint32_t version; /* of the sample */
    size_t at;        /* of the number that is changed */
    uint32_t value;
    uint64_t off; /* where the rule must be reported */
};

static const struct defect defects[] = {
    { "WG02", ASSAY_ERROR, 7, 0, 9, 0 },
    { "WG02", ASSAY_ERROR, 7, 0, 0x07000000, 0 },
    { "WG03", ASSAY_ERROR, 7, 8, 1000, 8 },
    { "WG03", ASSAY_ERROR, 7, 8, UINT32_MAX, 8 },
    { "WG04", ASSAY_ERROR, 7, 4, 5000, 4 },
    { "WG04", ASSAY_ERROR, 5, 4, 16, 4 },
    { "WG05", ASSAY_ERROR, 7, 16, 150, 16 },
    { "WG06", ASSAY_ERROR, 7, 16, 70, 16 },
    { "WG06", ASSAY_ERROR, 7, 12, 24, 12 },
    { "WG07", ASSAY_ERROR, 7, 36, 100, 36 },
    { "WG07", ASSAY_ERROR, 7, 40, UINT32_MAX, 40 },
    { "WG07", ASSAY_ERROR, 4, 32, 1u << 27, 32 },
    { "WG07", ASSAY_ERROR, 4, 92, 3, 92 },
    { "WG09", ASSAY_ERROR, 7, 44, 5, 44 },
    { "WG09", ASSAY_ERROR, 6, 84, 2, 84 },
    { "WG09", ASSAY_ERROR, 4, 48, 7, 48 },
    { "WG09", ASSAY_ERROR, 4, 172, 2, 172 },
    { "WG10", ASSAY_ERROR, 4, 176, 9, 176 },
    { "WG10", ASSAY_ERROR, 4, 52, 2, 52 },
    { "WG11", ASSAY_ERROR, 4, 64, 173, 64 },
    { "WG11", ASSAY_ERROR, 4, 64, 220, 64 },
    { "WG15", ASSAY_ERROR, 4, 20, 99, 20 },
    { "WG15", ASSAY_ERROR, 4, 115, 99, 115 },
    { "WG16", ASSAY_INFO, 4, 52, 0, 172 },
    { "WG17", ASSAY_ERROR, 7, 52, 1, 52 },
    { "WG17", ASSAY_ERROR, 6, 52, 9, 52 },
    { "WG18", ASSAY_ERROR, 7, 76, 18, 76 },
    { "WG19", ASSAY_WARNING, 7, 32, 1, 32 },
    { "WG19", ASSAY_WARNING, 5, 28, 1, 28 },
    { "WG22", ASSAY_WARNING, 5, 64, 1, 64 },
    { "WG22", ASSAY_WARNING, 5, 64, UINT32_MAX, 64 },
    { "WG24", ASSAY_WARNING, 7, 44, 0, 44 },
    { "WG25", ASSAY_WARNING, 7, 80, 0, 80 },
    { "WG26", ASSAY_WARNING, 7, 48, 6, 92 },
};

static struct findings check(struct wg_job *j, const struct wg *w)
{
    struct findings found;
    wg_open(j, w->at, w->len);
    findings_init(&found, &j->mem);
    assert_int_equal(webgrind_check(&j->job, &found, NULL), 0);
    return found;
}

static void check_end(struct wg_job *j, struct findings *found)
{
    findings_done(found);
    wg_close(j);
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

static void expect(const struct wg *w, const char *rule, int severity, uint64_t off, const char *says)
{
    struct wg_job j;
    struct findings found = check(&j, w);
    const assay_finding *f = find_rule(&found, rule, off);
    assert_int_equal(f->severity, severity);
    assert_non_null(strstr(f->message, says));
    check_end(&j, &found);
}

static struct wg sample(uint32_t version) { return version == 4 ? wg_small4() : wg_small(version); }

static void each_changed_number_gives_its_rule_and_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct wg w = sample(defects[i].version);
        wg_patch(&w, defects[i].at, defects[i].value);
        expect(&w, defects[i].rule, defects[i].severity, defects[i].off, "");
    }
}

static void sound_samples_give_nothing(void **state)
{
    (void)state;
    for (uint32_t version = 4; version <= 7; version++) {
        struct wg_job j;
        struct wg w = sample(version);
        struct findings found = check(&j, &w);
        assert_int_equal(found.list.len, 0);
        check_end(&j, &found);
    }
}

static void a_file_shorter_than_its_head_is_WG01(void **state)
{
    (void)state;
    struct wg w = wg_small(7);
    w.len = 7;
    expect(&w, "WG01", ASSAY_ERROR, 4, "7 bytes");
    w.len = 0;
    expect(&w, "WG01", ASSAY_ERROR, 0, "0 bytes");
}

static void a_record_that_ends_past_the_functions_is_WG01(void **state)
{
    (void)state;
    struct wg w = { .len = 0 };
    NUMBERS(&w, 7u, 24u, 1u, 16u, 1u, 2u);
    wg_text(&w, "version: 1\n");
    expect(&w, "WG01", ASSAY_ERROR, 24, "number 2 of function 0");
}

static void version_3_is_named(void **state)
{
    (void)state;
    struct wg w = wg_small4();
    wg_patch(&w, 0, 3);
    expect(&w, "WG02", ASSAY_ERROR, 0, "version 3");
}

static void swapped_bytes_are_named(void **state)
{
    (void)state;
    struct wg w = wg_small(6);
    wg_patch(&w, 0, 0x06000000);
    expect(&w, "WG02", ASSAY_ERROR, 0, "wrong order");
}

static void a_name_without_end_is_WG08(void **state)
{
    (void)state;
    struct wg w = wg_small(7);
    w.at[120] = 'x';
    expect(&w, "WG08", ASSAY_ERROR, 114, "function name");
}

static void an_area_of_odd_length_is_WG12(void **state)
{
    (void)state;
    struct wg w = wg_small4(), odd = w;
    odd.len = 204;
    wg_u32(&odd, 0);
    wg_text(&odd, "version: 1\nsummary: 8\n");
    wg_patch(&odd, 4, 208);
    expect(&odd, "WG12", ASSAY_ERROR, 204, "36 bytes");
}

static void bytes_between_functions_and_headers_are_WG13(void **state)
{
    (void)state;
    struct wg w = wg_small(7);
    w.len = 121;
    wg_text(&w, "\n\n\n\nversion: 1\nsummary: 17\n");
    wg_patch(&w, 4, 125);
    expect(&w, "WG13", ASSAY_ERROR, 4, "121");
}

static void a_header_line_without_newline_or_colon_is_WG14(void **state)
{
    (void)state;
    struct wg w = wg_small(7);
    w.len--;
    expect(&w, "WG14", ASSAY_ERROR, 156, "newline");
    w = wg_small(7);
    w.at[128] = '-'; /* version- 1 */
    expect(&w, "WG14", ASSAY_ERROR, 121, "': '");
}

static void equal_functions_are_WG20(void **state)
{
    (void)state;
    struct wg w = { .len = 0 };
    NUMBERS(&w, 5u, 68u, 2u, 20u, 44u);
    NUMBERS(&w, 1u, 1u, 1u, 0u);
    wg_text(&w, "a.php\nf\n");
    NUMBERS(&w, 1u, 1u, 1u, 0u);
    wg_text(&w, "a.php\nf\nsummary: 2\n");
    expect(&w, "WG20", ASSAY_WARNING, 66, "same name");
}

static void a_file_without_summary_is_WG21(void **state)
{
    (void)state;
    struct wg w = wg_small(7);
    w.at[145] = 'S';
    expect(&w, "WG21", ASSAY_WARNING, 121, "summary");
}

static void a_summary_above_32_bits_is_WG22(void **state)
{
    (void)state;
    struct wg w = wg_small(7);
    w.len = 145;
    wg_text(&w, "summary: 4294967296\n");
    expect(&w, "WG22", ASSAY_WARNING, 145, "32 bits");
}

static void a_nul_in_names_or_headers_is_WG23(void **state)
{
    (void)state;
    const size_t at[] = { 61, 66, 150 };
    for (size_t i = 0; i < 3; i++) {
        struct wg w = wg_small(7);
        w.at[at[i]] = 0;
        expect(&w, "WG23", ASSAY_ERROR, at[i], "NUL");
    }
}

static void recursion_alone_is_not_taken_for_the_faulty_writer(void **state)
{
    (void)state;
    struct wg w = { .len = 0 };
    struct wg_job j;
    NUMBERS(&w, 7u, 80u, 1u, 16u, 1u, 3u, 4u, 2u, 1u, 1u, 0u, 3u, 1u, 1u, 0u, 3u, 1u, 1u);
    wg_text(&w, "a.php\nf\nsummary: 3\n");
    struct findings found = check(&j, &w);
    for (size_t i = 0; i < found.list.len; i++) assert_string_not_equal(found.list.at[i].rule, "WG24");
    check_end(&j, &found);
}

static void a_packed_file_that_is_cut_is_WG27(void **state)
{
    (void)state;
    struct wg w = wg_space(), compressed = { .len = 0 };
    z_stream z = { 0 };
    assert_int_equal(deflateInit2(&z, 0, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK); /* stored, so that a cut leaves most bytes */
    z.next_in = w.at;
    z.avail_in = (uInt)w.len;
    z.next_out = compressed.at;
    z.avail_out = sizeof compressed.at;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    compressed.len = z.total_out - 8; /* the checksum */
    deflateEnd(&z);
    struct wg_job j;
    struct findings found = check(&j, &compressed);
    assert_int_equal(found.errors, 1);
    assert_string_equal(found.list.at[0].rule, "WG27");
    check_end(&j, &found);
    assay_error err;
    assay_profile *p = wg_read(compressed.at, compressed.len, 0, false, &err);
    assert_non_null(p);
    size_t count;
    assert_string_equal(assay_profile_warnings(p, &count)->rule, "WG27");
    assay_profile_release(p);
    assert_null(wg_read(compressed.at, compressed.len, 0, true, &err));
}

static void a_sub_call_without_invocation_is_WG28(void **state)
{
    (void)state;
    struct wg w = wg_small4();
    wg_patch(&w, 188, 1); /* {main} calls {main} */
    assay_error err;
    size_t count;
    assay_profile *p = wg_read(w.at, w.len, ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE, false, &err);
    assert_non_null(p);
    const assay_finding *f = assay_profile_warnings(p, &count);
    bool found = false;
    for (size_t i = 0; i < count; i++) found |= strcmp(f[i].rule, "WG28") == 0;
    assert_true(found);
    assay_profile_release(p);
}

/* ---- damage everywhere ---- */

static size_t header_address(const struct wg *w) { return w->at[4] | (size_t)w->at[5] << 8; }

static void a_cut_anywhere_before_the_headers_is_an_error(void **state)
{
    (void)state;
    for (uint32_t version = 4; version <= 7; version++) {
        struct wg w = sample(version);
        for (size_t len = 0, end = header_address(&w); len < end; len++) {
            struct wg_job j;
            struct wg cut = w;
            cut.len = len;
            struct findings found = check(&j, &cut);
            assert_true(found.errors > 0);
            check_end(&j, &found);
        }
    }
}

/* Exact copies on the heap, so that a byte read past the end is seen. Of the formats to write each takes a few, chosen by its bytes: all of them for two thousand
 * files would be most of the time of all tests on an emulated machine. */
static void run(const unsigned char *data, size_t len)
{
    void *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    memcpy(copy, data, len);
    harness_run(&webgrind_format, copy, len, RUN_ALL | RUN_SOME, 0);
    free(copy);
}

static void files_cut_at_every_byte_keep_every_promise(void **state)
{
    (void)state;
    for (uint32_t version = 4; version <= 8; version++) {
        struct wg w = version == 8 ? wg_space() : sample(version);
        for (size_t len = 0; len <= w.len; len++) {
            harness_doing("version %u cut to %zu bytes", version, len);
            run(w.at, len);
        }
    }
}

static void files_changed_at_every_byte_keep_every_promise(void **state)
{
    (void)state;
    const unsigned char masks[] = { 0x01, 0x80, 0xff };
    for (uint32_t version = 4; version <= 7; version++) {
        struct wg w = sample(version);
        for (size_t i = 0; i < w.len * 3; i++) {
            w.at[i / 3] ^= masks[i % 3];
            harness_doing("version %u, byte %zu changed by %02x", version, i / 3, masks[i % 3]);
            run(w.at, w.len);
            w.at[i / 3] ^= masks[i % 3];
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_changed_number_gives_its_rule_and_place),
        cmocka_unit_test(sound_samples_give_nothing),
        cmocka_unit_test(a_file_shorter_than_its_head_is_WG01),
        cmocka_unit_test(a_record_that_ends_past_the_functions_is_WG01),
        cmocka_unit_test(version_3_is_named),
        cmocka_unit_test(swapped_bytes_are_named),
        cmocka_unit_test(a_name_without_end_is_WG08),
        cmocka_unit_test(an_area_of_odd_length_is_WG12),
        cmocka_unit_test(bytes_between_functions_and_headers_are_WG13),
        cmocka_unit_test(a_header_line_without_newline_or_colon_is_WG14),
        cmocka_unit_test(equal_functions_are_WG20),
        cmocka_unit_test(a_file_without_summary_is_WG21),
        cmocka_unit_test(a_summary_above_32_bits_is_WG22),
        cmocka_unit_test(a_nul_in_names_or_headers_is_WG23),
        cmocka_unit_test(recursion_alone_is_not_taken_for_the_faulty_writer),
        cmocka_unit_test(a_packed_file_that_is_cut_is_WG27),
        cmocka_unit_test(a_sub_call_without_invocation_is_WG28),
        cmocka_unit_test(a_cut_anywhere_before_the_headers_is_an_error),
        cmocka_unit_test(files_cut_at_every_byte_keep_every_promise),
        cmocka_unit_test(files_changed_at_every_byte_keep_every_promise),
    };
    return cmocka_run_group_tests_name("webgrind check", tests, NULL, NULL);
}
