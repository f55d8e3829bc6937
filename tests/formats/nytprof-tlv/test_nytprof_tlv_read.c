/* What the model holds of a chunked stream: figures, names, generations, and what is left of a stream that was cut. Expected figures are
 * those that the tests put into the bytes. */
#include "tlv.h"

#include <zlib.h>

#include "assay/analysis.h"

static const struct assay_lines *line(const assay_profile *p, uint32_t number, uint32_t *row)
{
    const struct assay_lines *l = assay_profile_lines(p);
    for (*row = 0; *row < l->count; ++*row)
        if (l->line[*row] == number) return l;
    fail_msg("no line %u", number);
    return NULL;
}

static const char *path_of(const assay_profile *p, uint32_t file) { return assay_profile_string(p, assay_profile_files(p)->path[file]).data; }

static const char *name_of(const assay_profile *p, uint32_t func) { return assay_profile_string(p, assay_profile_funcs(p)->name[func]).data; }

static void lines_have_calls_and_both_times(void **state)
{
    (void)state;
    struct tl w = tl_sample();
    assay_profile *p = tl_must_read(&w);
    uint32_t row;
    const struct assay_lines *l = line(p, 3, &row);
    assert_int_equal(l->count, 3);
    assert_int_equal(l->hits[row], 7);
    assert_int_equal(l->self[row].u, 40);
    assert_int_equal(l->total[row].u, 50);
    line(p, 9, &row);
    assert_string_equal(path_of(p, l->file[row].v), "/app/util.py");
    assert_int_equal(tl_total(p, "line_exclusive"), 170);
    assert_int_equal(tl_total(p, "line_inclusive"), 980);
    assert_int_equal(tl_total(p, "line_calls"), 10);
    assert_int_equal(tl_count(p, "lines"), 3);
    assert_int_equal(tl_count(p, "chunks"), 5);
    assert_int_equal(tl_count(p, "banner_bytes"), strlen(BANNER) + 1);
    assay_profile_release(p);
}

static void subs_have_the_sums_over_the_calls_to_them(void **state)
{
    (void)state;
    struct tl w = tl_sample();
    assay_profile *p = tl_must_read(&w);
    const struct assay_graph *g = assay_profile_graph(p);
    assay_top *top;
    assert_int_equal(assay_top_new(p, &top, NULL), 0);
    assert_int_equal(top->count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        bool is_walk = strcmp(name_of(p, top->func[i].v), "walk") == 0;
        assert_int_equal(top->calls[i], is_walk ? 6 : 0);
        assert_int_equal(top->self[i].u, is_walk ? 320 : 0);
        assert_int_equal(top->total[i].u, is_walk ? 860 : 0);
        assert_int_equal(assay_profile_funcs(p)->offset[top->func[i].v], is_walk ? 5 : 0);
    }
    assert_int_equal(g->arc_count, 2);
    assert_string_equal(name_of(p, g->arc_caller[0].v), "<module>");
    assert_int_equal(g->arc_calls[0], 2);
    assert_int_equal(g->arc_total[0].u, 800);
    assert_int_equal(g->arc_self[0].u, 300);
    assert_int_equal(tl_total(p, "sub_ticks"), 320);
    assert_int_equal(tl_total(p, "sub_calls"), 6);
    assert_int_equal(tl_count(p, "functions"), 2);
    assert_int_equal(tl_count(p, "calls"), 2);
    assay_top_free(top);
    assay_profile_release(p);
}

/* What is wanted changes what is kept, never a total or a count. */
static void totals_do_not_depend_on_what_is_wanted(void **state)
{
    (void)state;
    static const uint32_t wants[] = { ASSAY_WANT_SUMS, ASSAY_WANT_LINES, ASSAY_WANT_ARCS, ASSAY_WANT_INFO, ASSAY_WANT_ALL };
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        struct tl w = tl_sample();
        assay_error err = { 0 };
        assay_profile *p = tl_read(&w, wants[i], false, &err);
        assert_int_equal(tl_total(p, "line_exclusive"), 170);
        assert_int_equal(tl_total(p, "line_inclusive"), 980);
        assert_int_equal(tl_count(p, "functions"), 2);
        assert_int_equal(tl_count(p, "lines"), 3);
        if (!(wants[i] & ASSAY_WANT_LINES)) assert_int_equal(assay_profile_lines(p)->count, 0);
        assay_profile_release(p);
    }
}

static void files_keep_size_time_and_flags(void **state)
{
    (void)state;
    struct tl w = tl_sample();
    assay_profile *p = tl_must_read(&w);
    const struct assay_files *f = assay_profile_files(p);
    assert_int_equal(f->count, 2);
    assert_int_equal(f->flags[1], 0x10);
    assert_string_equal(assay_profile_string(p, f->origin[1]).data, "size=420 mtime=1751876004");
    assert_string_equal(tl_attribute(p, "ticks_per_sec"), "10000000");
    assert_string_equal(tl_attribute(p, "!calls"), "1");
    assert_string_equal(tl_attribute(p, "generation"), "G6");
    assert_string_equal(assay_profile_version(p), "5.0");
    assert_string_equal(assay_profile_producer(p).data, "Pynytprof");
    assay_profile_release(p);
}

static void chunks_may_come_in_any_order_and_again(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, BANNER "\n");
    tl_calls(&w), tl_costs(&w);
    tl_begin(&w, 'S');
    tl_row(&w, 0, 77, 5, 6, 6), tl_end(&w);
    tl_subs(&w), tl_files(&w), tl_finish(&w);
    assay_error err = { 0 };
    assay_profile *p = tl_read(&w, 0, true, &err), *sample;
    struct tl usual = tl_sample();
    sample = tl_must_read(&usual);
    assert_non_null(p);
    assert_int_equal(tl_total(p, "line_calls"), 15);
    assert_int_equal(tl_total(p, "sub_ticks"), tl_total(sample, "sub_ticks"));
    assert_string_equal(name_of(p, assay_profile_graph(p)->arc_callee[0].v), "walk");
    assay_profile_release(p);
    assay_profile_release(sample);
}

static void repeated_records_are_added_and_repeated_names_replaced(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    uint32_t row;
    tl_text(&w, BANNER "\n");
    tl_files(&w), tl_costs(&w), tl_costs(&w), tl_subs(&w), tl_calls(&w), tl_calls(&w);
    tl_begin(&w, 'D');
    tl_sub(&w, 5, "run"), tl_end(&w), tl_finish(&w);
    assay_profile *p = tl_must_read(&w);
    const struct assay_lines *l = line(p, 3, &row);
    assert_int_equal(l->count, 3);
    assert_int_equal(l->hits[row], 14);
    assert_int_equal(l->total[row].u, 100);
    assert_int_equal(assay_profile_graph(p)->arc_count, 2);
    assert_string_equal(name_of(p, assay_profile_graph(p)->arc_callee[0].v), "run");
    assert_int_equal(tl_count(p, "functions"), 2);
    assert_int_equal(tl_count(p, "calls"), 2);
    assay_profile_release(p);
}

static void numbers_that_nothing_defines_get_names(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, BANNER "\n");
    tl_costs(&w), tl_calls(&w), tl_finish(&w);
    assay_profile *p = tl_must_read(&w);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_string_equal(name_of(p, g->arc_caller[0].v), "sub#0");
    assert_string_equal(name_of(p, g->arc_callee[0].v), "sub#5");
    assert_string_equal(path_of(p, assay_profile_lines(p)->file[0].v), "file#0");
    assert_int_equal(tl_count(p, "files"), 0);
    assert_int_equal(tl_count(p, "functions"), 2);
    assay_profile_release(p);
}

static void numbers_above_18_bits_are_numbers_like_others(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, BANNER "\n");
    tl_begin(&w, 'F');
    tl_file(&w, UINT32_MAX, 0, 0, 0, "/far.py"), tl_file(&w, 262144, 0, 0, 0, "/near.py"), tl_end(&w);
    tl_begin(&w, 'S');
    tl_row(&w, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 1), tl_row(&w, 262144, 0, 1, 1, 1), tl_end(&w);
    tl_finish(&w);
    assay_error err = { 0 };
    assay_profile *p = tl_read(&w, 0, true, &err);
    uint32_t row;
    assert_non_null(p);
    const struct assay_lines *l = line(p, UINT32_MAX, &row);
    assert_string_equal(path_of(p, l->file[row].v), "/far.py");
    assert_int_equal(l->hits[row], UINT32_MAX);
    assay_profile_release(p);
}

static void names_are_utf8_or_latin1(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, BANNER "\n");
    tl_begin(&w, 'D');
    tl_sub(&w, 0,
           "gr\xc3\xb6\xc3\x9f"
           "e"),
        tl_sub(&w, 1, "caf\xe9"), tl_sub(&w, 2, ""), tl_end(&w), tl_finish(&w);
    assay_profile *p = tl_must_read(&w);
    assert_string_equal(name_of(p, 1), "gr\xc3\xb6\xc3\x9f"
                                       "e");
    assert_string_equal(name_of(p, 2), "caf\xc3\xa9");
    assert_string_equal(name_of(p, 3), "");
    assay_profile_release(p);
}

static void an_a_chunk_overrides_the_ticks_of_the_banner(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, "NYTProf 5 0\n:ticks_per_sec=1000000000\n\n");
    tl_begin(&w, 'A');
    tl_bytes(&w, "ticks_per_sec=10000000\0start_time=17", 37), tl_end(&w), tl_finish(&w);
    assay_profile *p = tl_must_read(&w);
    assert_int_equal(tl_count(p, "ticks_per_sec"), 10000000);
    assert_string_equal(tl_attribute(p, "ticks_per_sec"), "1000000000");
    assert_string_equal(tl_attribute(p, "A.start_time"), "17");
    assert_string_equal(tl_attribute(p, "generation"), "G3");
    assay_profile_release(p);
}

static void a_sum_above_64_bits_is_said(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, BANNER "\n");
    tl_files(&w);
    tl_begin(&w, 'S');
    tl_row(&w, 0, 1, 1, UINT64_MAX, 1), tl_row(&w, 0, 2, 1, 2, 1), tl_end(&w), tl_finish(&w);
    assay_profile *p = tl_must_read(&w);
    assert_int_equal(tl_total(p, "line_inclusive"), UINT64_MAX);
    assert_non_null(tl_warning(p, "T35"));
    assay_profile_release(p);
    struct tl usual = tl_sample();
    p = tl_must_read(&usual);
    assert_null(tl_warning(p, "T35"));
    assay_profile_release(p);
}

/* ---- generations ---- */

static void events_of_d_stand_beside_the_lines(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, BANNER "\n");
    tl_files(&w), tl_costs(&w);
    tl_begin(&w, 'D');
    tl_event(&w, 0, 3, 1000), tl_event(&w, 0, 3, 500), tl_event(&w, 0, 99, 7);
    tl_int(&w, 0, 1), tl_end(&w), tl_finish(&w);
    assay_profile *p = tl_must_read(&w);
    uint32_t row;
    const struct assay_lines *l = line(p, 3, &row);
    assert_int_equal(l->block.metric_count, 3);
    assert_int_equal(l->self[row * 3].u, 40);
    assert_int_equal(l->self[row * 3 + 1].u, 2);
    assert_int_equal(l->self[row * 3 + 2].u, 1500);
    assert_int_equal(l->hits[row], 7);
    assert_int_equal(tl_total(p, "d_time"), 1507);
    assert_int_equal(tl_count(p, "d_events"), 3);
    assert_int_equal(tl_count(p, "lines"), 3);
    assert_string_equal(assay_profile_version(p), "5.0 G7");
    assay_profile_release(p);
}

/* The sites of the C extension may stand before the subs that tell what they are. */
static void sites_of_the_c_extension_have_places_but_no_callers(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, BANNER "\n");
    tl_files(&w);
    tl_begin(&w, 'C');
    tl_row(&w, 1, 7, 3, 500, 200), tl_end(&w);
    tl_begin(&w, 'D');
    tl_int(&w, 3, 4), tl_int(&w, 1, 4), tl_int(&w, 10, 4), tl_int(&w, 20, 4), tl_bytes(&w, "walk", 5), tl_end(&w), tl_finish(&w);
    assay_profile *p = tl_must_read(&w);
    const struct assay_graph *g = assay_profile_graph(p);
    const struct assay_funcs *u = assay_profile_funcs(p);
    assert_int_equal(g->arc_count, 1);
    assert_int_equal(g->arc_caller[0].v, 0);
    assert_int_equal(g->arc_line[0], 7);
    assert_string_equal(path_of(p, g->arc_file[0].v), "/app/util.py");
    assert_int_equal(g->arc_total[0].u, 500);
    assert_int_equal(g->arc_self[0].u, 200);
    assert_int_equal(u->first_line[1], 10);
    assert_int_equal(u->last_line[1], 20);
    assert_string_equal(path_of(p, u->file[1].v), "/app/util.py");
    assert_int_equal(tl_count(p, "call_sites"), 1);
    assert_int_equal(tl_count(p, "calls"), 0);
    assert_string_equal(tl_attribute(p, "generation"), "C extension");
    assay_profile_release(p);
}

static void pairs_of_f_have_no_names(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, BANNER "\n");
    tl_begin(&w, 'F');
    tl_int(&w, 0, 4), tl_int(&w, 0, 4), tl_int(&w, 1, 4), tl_int(&w, 1, 4), tl_end(&w), tl_costs(&w), tl_finish(&w);
    assay_profile *p = tl_must_read(&w);
    assert_int_equal(tl_count(p, "files"), 2);
    assert_string_equal(path_of(p, 2), "file#1");
    assay_profile_release(p);
}

static void put_magic(struct tl *w)
{
    w->len = 0;
    tl_bytes(w, "NYTPROF", 8);
    tl_int(w, 5, 4);
}

static void the_first_generations_are_read_without_a_banner(void **state)
{
    (void)state;
    static const char entries[] = "ticks_per_sec=10000000\0perl=python";
    for (int g = 0; g < 3; g++) {
        struct tl w = { .len = 0 };
        const char version[] = { '5', '.', '0', ' ', 'G', (char)('0' + g), 0 };
        put_magic(&w);
        tl_int(&w, g == 1 ? sizeof entries + 5 : 0, g == 1 ? 8 : 4);
        if (g == 0) tl_begin(&w, 'H'), tl_int(&w, 5, 8), tl_end(&w);
        if (g == 1) tl_begin(&w, 'H'), tl_bytes(&w, entries, sizeof entries), tl_end(&w);
        if (g == 2) tl_bytes(&w, entries, sizeof entries);
        tl_files(&w), tl_costs(&w), tl_finish(&w);
        assay_profile *p = tl_must_read(&w);
        assert_string_equal(assay_profile_version(p), version);
        assert_int_equal(tl_total(p, "line_exclusive"), 170);
        assert_int_equal(tl_count(p, "files"), 2);
        if (g) assert_string_equal(tl_attribute(p, "perl"), "python");
        assay_profile_release(p);
    }
}

/* The fixed process of two days in July 2025 has microseconds first. */
static void both_layouts_of_a_process_are_told_apart(void **state)
{
    (void)state;
    for (int micros = 0; micros < 2; micros++) {
        struct tl w = { .len = 0 };
        double seconds = 1752400000.5;
        uint64_t bits;
        memcpy(&bits, &seconds, sizeof bits);
        tl_text(&w, BANNER "P");
        if (micros) tl_int(&w, UINT64_C(1752400000500000), 8);
        tl_int(&w, 4242, 4), tl_int(&w, 4241, 4);
        if (!micros) tl_int(&w, bits, 8);
        tl_costs(&w), tl_finish(&w);
        assay_profile *p = tl_must_read(&w);
        assert_string_equal(tl_attribute(p, "pid"), "4242");
        assert_string_equal(tl_attribute(p, "ppid"), "4241");
        assert_string_equal(tl_attribute(p, "start"), "1752400000.5");
        assert_int_equal(tl_total(p, "line_calls"), 10);
        assay_profile_release(p);
    }
}

/* ---- salvage ---- */

/* Where each record of the sample ends, counted as the specification says. */
static uint64_t whole_rows(size_t begin, size_t count, size_t cut)
{
    size_t there = cut <= begin ? 0 : (cut - begin) / 28;
    return there < count ? there : count;
}

static void a_stream_cut_anywhere_gives_all_records_before_the_cut(void **state)
{
    (void)state;
    struct tl whole = tl_sample();
    size_t banner = strlen(BANNER) + 1, files = 2 * (16 + 13), s = banner + 5 + files + 5, d = s + 3 * 28 + 5, c = d + 8 + 9 + 8 + 5 + 5;
    for (size_t cut = banner; cut < whole.len; cut++) {
        struct tl w = whole;
        w.len = cut;
        assay_profile *p = tl_must_read(&w);
        assert_int_equal(tl_count(p, "lines"), whole_rows(s, 3, cut));
        assert_int_equal(tl_count(p, "calls"), whole_rows(c, 2, cut));
        assert_int_equal(tl_count(p, "files"), (cut >= banner + 5 + 29) + (cut >= banner + 5 + 58));
        if (cut <= c - 5) assert_int_equal(tl_count(p, "functions"), (cut >= d + 17) + (cut >= d + 30));
        bool has_raw_end = cut == whole.len - 4; /* an E without its length is one all the same */
        assert_true(has_raw_end || tl_warning(p, "T26"));
        assay_profile_release(p);
    }
}

static void what_is_missing_is_counted(void **state)
{
    (void)state;
    struct tl w = tl_sample();
    size_t s = strlen(BANNER) + 1 + 5 + 2 * 29;
    w.len = s + 5 + 28 + 10;
    assay_profile *p = tl_must_read(&w);
    const assay_finding *f = tl_warning(p, "T14");
    assert_non_null(f);
    assert_int_equal(f->offset, s);
    assert_non_null(strstr(f->message, "46 bytes are missing"));
    assert_non_null(strstr(f->message, "2 of its 3 records"));
    assay_profile_release(p);
}

static void events_that_were_cut_are_still_events(void **state)
{
    (void)state;
    struct tl w = { .len = 0 };
    tl_text(&w, BANNER "\n");
    tl_files(&w);
    size_t at = tl_begin(&w, 'D');
    for (uint32_t i = 0; i < 6; i++) tl_event(&w, 0, i, 10);
    tl_int(&w, 0, 1), tl_end(&w);
    w.len = at + 5 + 3 * 17 + 4;
    assay_profile *p = tl_must_read(&w);
    assert_int_equal(tl_count(p, "d_events"), 3);
    assert_int_equal(tl_total(p, "d_time"), 30);
    assay_profile_release(p);
}

static void a_packed_stream_that_is_damaged_gives_what_could_be_unpacked(void **state)
{
    (void)state;
    struct tl w = tl_sample(), compressed = { .len = 0 };
    z_stream z = { 0 };
    assert_int_equal(deflateInit2(&z, Z_NO_COMPRESSION, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = w.at, z.avail_in = (uInt)w.len, z.next_out = compressed.at, z.avail_out = sizeof compressed.at;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    compressed.len = z.total_out;
    deflateEnd(&z);
    compressed.at[compressed.len - 6] ^= 1; /* of the checksum */
    assay_profile *p = tl_must_read(&compressed);
    assert_non_null(tl_warning(p, "T36"));
    assert_int_equal(tl_total(p, "line_calls"), 10);
    assay_profile_release(p);
    assay_error err = { 0 };
    assert_null(tl_read(&compressed, 0, true, &err));
    assert_non_null(strstr(err.text, "T36"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_calls_and_both_times),
        cmocka_unit_test(subs_have_the_sums_over_the_calls_to_them),
        cmocka_unit_test(totals_do_not_depend_on_what_is_wanted),
        cmocka_unit_test(files_keep_size_time_and_flags),
        cmocka_unit_test(chunks_may_come_in_any_order_and_again),
        cmocka_unit_test(repeated_records_are_added_and_repeated_names_replaced),
        cmocka_unit_test(numbers_that_nothing_defines_get_names),
        cmocka_unit_test(numbers_above_18_bits_are_numbers_like_others),
        cmocka_unit_test(names_are_utf8_or_latin1),
        cmocka_unit_test(an_a_chunk_overrides_the_ticks_of_the_banner),
        cmocka_unit_test(a_sum_above_64_bits_is_said),
        cmocka_unit_test(events_of_d_stand_beside_the_lines),
        cmocka_unit_test(sites_of_the_c_extension_have_places_but_no_callers),
        cmocka_unit_test(pairs_of_f_have_no_names),
        cmocka_unit_test(the_first_generations_are_read_without_a_banner),
        cmocka_unit_test(both_layouts_of_a_process_are_told_apart),
        cmocka_unit_test(a_stream_cut_anywhere_gives_all_records_before_the_cut),
        cmocka_unit_test(what_is_missing_is_counted),
        cmocka_unit_test(events_that_were_cut_are_still_events),
        cmocka_unit_test(a_packed_stream_that_is_damaged_gives_what_could_be_unpacked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
