/* What is written: from files of its own format record by record and through the model, and from profiles of other kinds. */
#include "base/mem.h"
#include "wg.h"

#include <stdio.h>
#include <unistd.h>

#include "harness.h"

static struct wg sample(uint32_t version) { return version == 4 ? wg_small4() : wg_small(version); }

static const char *target(uint32_t version)
{
    static const char *const names[] = { [4] = "webgrind:4", [5] = "webgrind:5", [6] = "webgrind:6", [7] = "webgrind:7" };
    return names[version];
}

static assay_profile *must_read(const struct wg *w, uint32_t want)
{
    assay_error err;
    assay_profile *p = wg_read(w->at, w->len, want, false, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static void must_write(const assay_profile *p, const struct assay_write_options *options, struct wg_out *out)
{
    assay_error err;
    if (wg_write(p, options, out, &err) != 0) fail_msg("%s", err.text);
}

/* ---- its own files ---- */

static void a_file_read_and_written_again_is_the_same(void **state)
{
    (void)state;
    for (uint32_t version = 4; version <= 7; version++) {
        struct wg w = sample(version);
        struct wg_out out;
        assay_profile *p = must_read(&w, ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE);
        must_write(p, &(struct assay_write_options){ .format = target(version) }, &out);
        assert_int_equal(out.losses->count, 0);
        wg_same(&out.bytes, &w);
        assay_losses_free(out.losses);
        assay_profile_release(p);
    }
}

static int rewrite(const struct wg *w, uint32_t version, const struct assay_write_options *options, struct wg *out, struct losses *losses, assay_error *err)
{
    struct wg_job j;
    struct output *o;
    wg_open(&j, w->at, w->len);
    assert_int_equal(output_open_memory(&o, &j.mem, NULL), 0);
    struct write_job job = { options, target(version) + 9, &j.mem, losses, true, assay_format_find("webgrind"), NULL, NULL };
    int rc = webgrind_rewrite(&j.job, &job, o, err);
    assay_slice bytes = output_memory(o);
    out->len = bytes.len;
    memcpy(out->at, bytes.data, bytes.len);
    output_abort(o);
    wg_close(&j);
    return rc;
}

static const char *rewrite_loss(const struct wg *w, uint32_t version, struct wg *out)
{
    static char kind[32];
    struct mem mem;
    struct losses losses;
    assay_error err;
    struct assay_write_options options = { .format = "webgrind" };
    mem_init(&mem, 0);
    losses_init(&losses, &mem);
    if (rewrite(w, version, &options, out, &losses, &err) != 0) fail_msg("%s", err.text);
    assert_true(losses.list.len <= 1);
    snprintf(kind, sizeof kind, "%s", losses.list.len ? losses.list.at[0].kind : "");
    losses_done(&losses);
    return kind;
}

static void rewriting_the_same_version_copies_every_byte(void **state)
{
    (void)state;
    for (uint32_t version = 4; version <= 7; version++) {
        struct wg w = sample(version), out;
        wg_text(&w, "odd header: \r\nsummary: 3\n");
        assert_string_equal(rewrite_loss(&w, version, &out), "");
        wg_same(&out, &w);
    }
}

/* Keys that the PHP writer merged: the callee has one record where its callers have two. */
static void rewriting_keeps_merged_records(void **state)
{
    (void)state;
    struct wg w = wg_small(7), out;
    wg_patch(&w, 48, 51); /* line of the called-from record */
    assert_string_equal(rewrite_loss(&w, 7, &out), "");
    wg_same(&out, &w);
}

static void versions_7_and_6_differ_by_the_line_of_the_function(void **state)
{
    (void)state;
    struct wg seven = wg_small(7), six = wg_small(6), out;
    assert_string_equal(rewrite_loss(&seven, 6, &out), "lines");
    wg_same(&out, &six);
    wg_patch(&seven, 20, 0);
    wg_patch(&seven, 68, 0);
    assert_string_equal(rewrite_loss(&six, 7, &out), "");
    wg_same(&out, &seven);
}

static void version_5_is_turned_round_for_6_and_6_loses_a_side_for_5(void **state)
{
    (void)state;
    struct wg six = wg_small(6), five = wg_small(5), out;
    assert_string_equal(rewrite_loss(&five, 6, &out), "");
    wg_same(&out, &six);
    assert_string_equal(rewrite_loss(&six, 5, &out), "calls");
    wg_same(&out, &five);
}

static void version_4_becomes_7_by_adding_up(void **state)
{
    (void)state;
    struct wg four = wg_small4(), out, expected = { .len = 0 };
    NUMBERS(&expected, 7u, 156u, 2u, 20u, 103u);
    NUMBERS(&expected, 0u, 3u, 4u, 2u, 2u, 1u, 0u, 3u, 1u, 1u, 1u, 9u, 1u, 3u, 0u, 3u, 1u, 1u);
    wg_text(&expected, "a.php\nfact\n");
    NUMBERS(&expected, 0u, 5u, 8u, 1u, 0u, 1u, 0u, 9u, 1u, 3u);
    wg_text(&expected, "a.php\n{main}\nversion: 0.9.6\nevents: Time\nsummary: 8\n");
    assert_string_equal(rewrite_loss(&four, 7, &out), "");
    wg_same(&out, &expected);
}

static void strict_rewriting_refuses_losses(void **state)
{
    (void)state;
    struct mem mem;
    struct losses losses;
    assay_error err;
    struct wg seven = wg_small(7), out;
    struct assay_write_options options = { .format = "webgrind:6", .strict = true };
    mem_init(&mem, 0);
    losses_init(&losses, &mem);
    assert_int_equal(rewrite(&seven, 6, &options, &out, &losses, &err), ASSAY_ERR_LOSS);
    assert_int_equal(out.len, 0);
    losses_done(&losses);
}

/* Only the tree is asked for there, so the profile in between is empty. */
static void rewriting_7_as_4_is_refused_without_leave_to_estimate(void **state)
{
    (void)state;
    struct mem mem;
    struct losses losses;
    assay_error err;
    struct wg seven = wg_small(7), out;
    struct assay_write_options options = { .format = "webgrind:4" };
    mem_init(&mem, 0);
    losses_init(&losses, &mem);
    assert_int_equal(rewrite(&seven, 4, &options, &out, &losses, &err), ASSAY_ERR_UNSUPPORTED);
    assert_int_equal(err.hint, ASSAY_HINT_ESTIMATE);
    assert_int_equal(out.len, 0);
    losses_done(&losses);
}

/* ---- profiles of other kinds ---- */

struct pair {
    const char *name, *file;
    uint32_t line;
    int64_t self;
};

/* Functions with self cost, in this order; the last calls each of the others once at line 5 for its self cost. */
static assay_builder *build(const struct pair *f, uint32_t count, const char *producer)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assert_non_null(b);
    assay_metric_id m = assay_build_metric(b, "Ir", "count", ASSAY_I64, 0);
    assay_build_graph_metrics(b, &m, 1);
    struct assay_place at[8] = { { .line = 0 } };
    for (uint32_t i = 0; i < count; i++) {
        assay_str_id name = assay_build_string(b, f[i].name, strlen(f[i].name));
        at[i].file = assay_build_file(b, assay_build_string(b, f[i].file, strlen(f[i].file)), (assay_module_id){ 0 });
        at[i].func = assay_build_func(b, name, at[i].file, (assay_module_id){ 0 }, 0, 0);
        at[i].line = f[i].line;
        assay_build_self(b, &at[i], &(assay_value){ .i = f[i].self }, 1);
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        struct assay_place site = at[count - 1];
        site.line = 5;
        assay_build_call(b, &site, at[i].func, 1, &(assay_value){ .i = f[i].self }, 1);
    }
    assay_build_source(b, "callgrind", "1", producer);
    return b;
}

static assay_profile *seal(assay_builder *b)
{
    assay_error err;
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static const struct pair twins[] = { { "f", "a.php", 3, 10 }, { "f", "b.php", 4, 20 }, { "{main}", "a.php", 1, 7 } };

static void equal_names_are_one_function_in_profiles_of_xdebug(void **state)
{
    (void)state;
    struct wg_out out;
    struct wg expected = { .len = 0 };
    assay_builder *b = build(twins, 3, "xdebug 3.2.0");
    assay_build_attribute(b, (assay_stream_id){ 0 }, "version", 7, "1", 1);
    assay_build_attribute(b, (assay_stream_id){ 0 }, "assay.note", 10, "x", 1);
    assay_build_attribute(b, (assay_stream_id){ 0 }, "summary", 7, "37", 2);
    assay_profile *p = seal(b);
    must_write(p, &(struct assay_write_options){ .format = "webgrind" }, &out);
    NUMBERS(&expected, 7u, 121u, 2u, 20u, 68u);
    NUMBERS(&expected, 3u, 30u, 30u, 2u, 1u, 0u, 1u, 5u, 2u, 30u);
    wg_text(&expected, "a.php\nf\n");
    NUMBERS(&expected, 1u, 7u, 37u, 1u, 0u, 1u, 0u, 5u, 2u, 30u);
    wg_text(&expected, "a.php\n{main}\nversion: 1\nsummary: 37\n");
    wg_same(&out.bytes, &expected);
    assay_losses_free(out.losses);
    assay_profile_release(p);
}

static void equal_names_are_two_functions_elsewhere_and_headers_are_made(void **state)
{
    (void)state;
    struct wg_out out;
    struct wg expected = { .len = 0 };
    assay_profile *p = seal(build(twins, 3, "callgrind-3.19.0"));
    must_write(p, &(struct assay_write_options){ .format = "webgrind" }, &out);
    NUMBERS(&expected, 7u, 189u, 3u, 24u, 72u, 120u);
    NUMBERS(&expected, 3u, 10u, 10u, 1u, 1u, 0u, 2u, 5u, 1u, 10u);
    wg_text(&expected, "a.php\nf\n");
    NUMBERS(&expected, 4u, 20u, 20u, 1u, 1u, 0u, 2u, 5u, 1u, 20u);
    wg_text(&expected, "b.php\nf\n");
    NUMBERS(&expected, 1u, 7u, 37u, 1u, 0u, 2u, 0u, 5u, 1u, 10u, 1u, 5u, 1u, 20u);
    wg_text(&expected, "a.php\n{main}\nversion: 1\ncreator: callgrind-3.19.0\ncmd: \npart: 1\nevents: Ir\nsummary: 37\n");
    wg_same(&out.bytes, &expected);
    assay_losses_free(out.losses);
    assay_profile_release(p);
}

static uint32_t u32_at(const struct wg *w, size_t off)
{
    return (uint32_t)w->at[off] | (uint32_t)w->at[off + 1] << 8 | (uint32_t)w->at[off + 2] << 16 | (uint32_t)w->at[off + 3] << 24;
}

static const struct pair large[] = { { "slow", "a.php", 3, 5000000000 }, { "{main}", "a.php", 1, 7 } };

static void figures_above_32_bits_saturate_and_are_named(void **state)
{
    (void)state;
    struct wg_out out;
    assay_profile *p = seal(build(large, 2, "x"));
    must_write(p, &(struct assay_write_options){ .format = "webgrind:7" }, &out);
    assert_int_equal(u32_at(&out.bytes, 24), UINT32_MAX);
    const assay_loss *l = wg_loss(&out, "saturated");
    assert_non_null(l);
    assert_int_equal(l->count, 4); /* self and inclusive of slow, the call, inclusive of {main} */
    assert_non_null(strstr(l->message, "'slow'"));
    assay_losses_free(out.losses);
    assay_profile_release(p);
}

static void figures_above_32_bits_wrap_on_request(void **state)
{
    (void)state;
    struct wg_out out;
    assay_profile *p = seal(build(large, 2, "x"));
    must_write(p, &(struct assay_write_options){ .format = "webgrind:7", .options = &(struct assay_option){ "wrap", NULL }, .option_count = 1 }, &out);
    assert_int_equal(u32_at(&out.bytes, 24), 705032704); /* 5000000000 - 2^32 */
    assert_non_null(wg_loss(&out, "wrapped"));
    assert_null(wg_loss(&out, "saturated"));
    assay_losses_free(out.losses);
    assay_profile_release(p);
}

static void strict_writing_refuses_losses(void **state)
{
    (void)state;
    struct wg_out out;
    assay_error err;
    assay_profile *p = seal(build(large, 2, "x"));
    assert_int_equal(wg_write(p, &(struct assay_write_options){ .format = "webgrind:7", .strict = true }, &out, &err), ASSAY_ERR_LOSS);
    assert_int_equal(out.bytes.len, 0);
    assay_losses_free(out.losses);
    assay_profile_release(p);
}

/* One function with a metric of each kind, two streams, two lines, a module, an address and a jump. */
static assay_profile *rich(void)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assert_non_null(b);
    assay_metric_id m[] = { assay_build_metric(b, "Ir", "count", ASSAY_I64, 0), assay_build_metric(b, "Minutes", "min", ASSAY_F64, 0) };
    assay_build_graph_metrics(b, m, 2);
    assay_module_id module = assay_build_module(b, assay_build_string(b, "libc.so", 7), (assay_str_id){ 0 });
    assay_file_id file = assay_build_file(b, assay_build_string(b, "a.c", 3), (assay_module_id){ 0 });
    assay_func_id func = assay_build_func(b, assay_build_string(b, "a\nb", 3), file, module, 0, 0);
    for (uint32_t i = 1; i <= 2; i++) {
        assay_stream_id s = assay_build_stream(b, i == 1 ? "one" : "two");
        struct assay_place at = { s, func, file, i, 0x400 * i }, to = at;
        const assay_value values[] = { { .i = -3 }, { .d = 1.25 } };
        assay_build_self(b, &at, values, 2);
        assay_build_jump(b, &at, &to, 1, 1, false);
    }
    assay_build_source(b, "callgrind", "1", "callgrind-3.19.0");
    return seal(b);
}

static void every_loss_is_named(void **state)
{
    (void)state;
    static const char *const kinds[] = { "metrics", "modules", "streams", "lines", "addresses", "jumps", "negative", "names" };
    struct wg_out out;
    assay_profile *p = rich();
    must_write(p, &(struct assay_write_options){ .format = "webgrind:7" }, &out);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!wg_loss(&out, kinds[i])) fail_msg("no loss '%s'", kinds[i]);
    assert_int_equal(wg_loss(&out, "metrics")->count, 1);
    assert_int_equal(wg_loss(&out, "streams")->count, 2);
    assert_int_equal(wg_loss(&out, "jumps")->count, 2);
    assert_int_equal(u32_at(&out.bytes, 20), 0); /* self */
    assert_memory_equal(out.bytes.at + 40, "a.c\na b\n", 8);
    assay_losses_free(out.losses);
    assay_profile_release(p);
}

static void the_metric_is_chosen_by_name_and_rounded(void **state)
{
    (void)state;
    struct wg_out out;
    assay_error err;
    assay_profile *p = rich();
    must_write(p, &(struct assay_write_options){ .format = "webgrind:7", .metric = "Minutes" }, &out);
    assert_int_equal(u32_at(&out.bytes, 20), 3); /* 2.5 */
    assert_non_null(wg_loss(&out, "fractions"));
    assert_non_null(strstr((char *)out.bytes.at + 48, "events: Minutes_(min)\nsummary: 3\n"));
    assay_losses_free(out.losses);
    assert_int_equal(wg_write(p, &(struct assay_write_options){ .format = "webgrind:7", .metric = "No" }, &out, &err), ASSAY_ERR_USAGE);
    assay_losses_free(out.losses);
    assay_profile_release(p);
}

/* ---- version 4 ---- */

static void version_4_needs_invocations_or_leave_to_estimate(void **state)
{
    (void)state;
    struct wg_out out;
    assay_error err;
    struct wg w = wg_small(7), expected = { .len = 0 };
    assay_profile *p = must_read(&w, ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE);
    assert_int_equal(wg_write(p, &(struct assay_write_options){ .format = "webgrind:4" }, &out, &err), ASSAY_ERR_UNSUPPORTED);
    assert_int_equal(err.hint, ASSAY_HINT_ESTIMATE);
    assay_losses_free(out.losses);
    must_write(p, &(struct assay_write_options){ .format = "webgrind:4", .estimate = true }, &out);
    NUMBERS(&expected, 4u, 153u, 2u, 20u, 76u);
    NUMBERS(&expected, 10u, 10u, 10u, 1u, 10u, 10u, 10u, 1u, 0u, 5u, 0u, 137u);
    wg_text(&expected, "a.php\nf\n");
    NUMBERS(&expected, 7u, 17u, 0u, 1u, 7u, 17u, 0u, NOBODY, 0u, 0u, 1u, 137u);
    wg_text(&expected, "a.php\n{main}\n");
    NUMBERS(&expected, 0u, 0u, 5u, 10u);
    wg_text(&expected, "version: 1\nevents: Time\nsummary: 17\n");
    wg_same(&out.bytes, &expected);
    assert_int_equal(wg_loss(&out, "estimated")->count, 2);
    assay_losses_free(out.losses);
    assay_profile_release(p);
}

static void functions_that_call_each_other_can_be_estimated(void **state)
{
    (void)state;
    struct wg_out out;
    assay_builder *b = build(twins, 3, "x");
    struct assay_place site = { .func = { 1 }, .line = 8 };
    assay_build_call(b, &site, (assay_func_id){ 3 }, 1, &(assay_value){ .i = 1 }, 1);
    assay_build_call(b, &site, (assay_func_id){ 1 }, 1, &(assay_value){ .i = 1 }, 1);
    assay_profile *p = seal(b), *back;
    assay_error err;
    must_write(p, &(struct assay_write_options){ .format = "webgrind:4", .estimate = true }, &out);
    back = wg_read(out.bytes.at, out.bytes.len, ASSAY_WANT_WHOLE, true, &err);
    assert_non_null(back);
    assert_int_equal(assay_profile_tree(back)->count, 3);
    assay_profile_release(back);
    assay_losses_free(out.losses);
    assay_profile_release(p);
}

/* Written with true links, an original file's tree stays what it was. */
static void original_version_4_files_keep_their_tree(void **state)
{
    (void)state;
    static const char *const names[] = { "recurse.xd2.v4", "shop.xd2.v4", "gen.xd2.v4", "proxy.xd2.v4", "append2.xd2.v4", "many.xd2.v4.gz" };
    if (!harness_shared()) skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[5000], why[300] = "", copy[] = "/tmp/assay-wg-XXXXXX";
        struct assay_read_options o = { .format = "webgrind", .want = ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE, .strict = true };
        assay_error err;
        assay_profile *p, *back;
        int fd = mkstemp(copy);
        assert_true(fd >= 0);
        close(fd);
        snprintf(path, sizeof path, "%s/data/webgrind/%s", harness_shared(), names[i]);
        assert_int_equal(assay_read(path, &o, &p, &err), 0);
        assert_int_equal(assay_write(p, copy, &(struct assay_write_options){ .format = "webgrind:4", .strict = true }, NULL, &err), 0);
        assert_int_equal(assay_read(copy, &o, &back, &err), 0);
        if (assay_profile_equal(p, back, why, sizeof why, &err) != 0) fail_msg("%s: %s", names[i], why);
        unlink(copy);
        assay_profile_release(back);
        assay_profile_release(p);
    }
}

/* ---- no memory ---- */

static void a_failed_allocation_is_an_error_and_leaks_nothing(void **state)
{
    (void)state;
    for (uint32_t version = 4; version <= 7; version++) {
        struct wg w = sample(version);
        assay_error err;
        int rc = ASSAY_ERR_MEMORY;
        for (uint64_t n = 1; rc != 0; n++) {
            assay_profile *p = NULL;
            struct assay_read_options o = { .format = "webgrind", .want = ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE };
            mem_fail_new(n, 0, UINT32_MAX);
            rc = assay_read_memory(w.at, w.len, "sample", &o, &p, &err);
            mem_fail_new(0, 0, 0);
            assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
            assay_profile_release(p);
        }
        assay_profile *p = must_read(&w, ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE);
        for (uint64_t n = 1; n == 1 || rc != 0; n++) {
            struct wg_out out;
            mem_fail_new(n, 0, UINT32_MAX);
            rc = wg_write(p, &(struct assay_write_options){ .format = target(version) }, &out, &err);
            mem_fail_new(0, 0, 0);
            assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
            assay_losses_free(out.losses);
        }
        assay_profile_release(p);
        for (uint64_t n = 1; n == 1 || rc != 0; n++) {
            struct wg_job j;
            struct findings found;
            wg_open(&j, w.at, w.len);
            findings_init(&found, &j.mem);
            j.mem.fail_at = j.mem.requests + n;
            rc = webgrind_check(&j.job, &found, &err);
            assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
            findings_done(&found);
            wg_close(&j);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_read_and_written_again_is_the_same),
        cmocka_unit_test(rewriting_the_same_version_copies_every_byte),
        cmocka_unit_test(rewriting_keeps_merged_records),
        cmocka_unit_test(versions_7_and_6_differ_by_the_line_of_the_function),
        cmocka_unit_test(version_5_is_turned_round_for_6_and_6_loses_a_side_for_5),
        cmocka_unit_test(version_4_becomes_7_by_adding_up),
        cmocka_unit_test(strict_rewriting_refuses_losses),
        cmocka_unit_test(rewriting_7_as_4_is_refused_without_leave_to_estimate),
        cmocka_unit_test(equal_names_are_one_function_in_profiles_of_xdebug),
        cmocka_unit_test(equal_names_are_two_functions_elsewhere_and_headers_are_made),
        cmocka_unit_test(figures_above_32_bits_saturate_and_are_named),
        cmocka_unit_test(figures_above_32_bits_wrap_on_request),
        cmocka_unit_test(strict_writing_refuses_losses),
        cmocka_unit_test(every_loss_is_named),
        cmocka_unit_test(the_metric_is_chosen_by_name_and_rounded),
        cmocka_unit_test(version_4_needs_invocations_or_leave_to_estimate),
        cmocka_unit_test(functions_that_call_each_other_can_be_estimated),
        cmocka_unit_test(original_version_4_files_keep_their_tree),
        cmocka_unit_test(a_failed_allocation_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests_name("webgrind write", tests, NULL, NULL);
}
