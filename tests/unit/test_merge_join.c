/* Mergers into each other: whatever way a row of inputs is cut into blocks, what comes out is what one merger makes of all of them; as bytes they go to
 * another process and back; and no allocation may not fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/merge/join.h"
#include "analysis/merge/parcel.h"
#include "assay/assay.h"

enum { INPUTS_MOST = 8 };

struct inputs {
    assay_profile *list[INPUTS_MOST];
    size_t count;
};

static struct inputs read_all(const char *const *names)
{
    struct inputs in = { .count = 0 };
    for (; *names; names++) {
        char path[512];
        assay_error err = { 0 };
        struct assay_read_options o = { .want = ASSAY_WANT_ALL & ~(uint32_t)ASSAY_WANT_WHOLE };
        snprintf(path, sizeof path, "%s/../../tests/data/%s", ASSAY_HEADERS, *names);
        if (assay_read(path, &o, &in.list[in.count++], &err) != 0) fail_msg("%s: %s", path, err.text);
    }
    return in;
}

static void release_all(struct inputs *in)
{
    for (size_t i = 0; i < in->count; i++) assay_profile_release(in->list[i]);
}

static assay_merger *added(const struct assay_merge_options *o, const struct inputs *in, size_t from, size_t to)
{
    assay_error err = { 0 };
    assay_merger *m = assay_merger_new(o, &err);
    assert_non_null(m);
    for (size_t i = from; i < to; i++)
        if (assay_merger_add(m, in->list[i], &err) != 0) fail_msg("%s", err.text);
    return m;
}

/* As it arrives at another process. */
static int sent(assay_merger *m, assay_merger **out, assay_error *err)
{
    struct wire w = { .mem = &m->mem };
    merge_pack(m, &w);
    *out = w.failed ? NULL : assay_merger_new(&m->options, err);
    int rc = *out ? merge_unpack(*out, (struct wire_in){ w.bytes.at, w.bytes.len, false }, err) : error_memory(err);
    vec_done(&m->mem, &w.bytes);
    return rc;
}

static assay_profile *finished(assay_merger *m)
{
    assay_error err = { 0 };
    assay_profile *p = assay_merger_finish(m, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static void assert_same(const assay_profile *a, const assay_profile *b)
{
    char why[400] = "";
    size_t x, y;
    if (assay_profile_equal(a, b, why, sizeof why, NULL) != 0) fail_msg("%s", why);
    const assay_finding *f = assay_profile_warnings(a, &x), *g = assay_profile_warnings(b, &y);
    assert_int_equal(x, y);
    for (size_t i = 0; i < x; i++) {
        assert_string_equal(f[i].rule, g[i].rule);
        assert_string_equal(f[i].message, g[i].message);
        assert_true(f[i].repeats == g[i].repeats);
    }
}

/* Blocks of inputs as the bits of `cuts` say: set = a new block begins with this one. */
static assay_profile *in_blocks(const struct assay_merge_options *o, const struct inputs *in, unsigned cuts)
{
    assay_merger *whole = NULL;
    for (size_t from = 0, to; from < in->count; from = to) {
        assay_error err = { 0 };
        assay_merger *got;
        for (to = from + 1; to < in->count && !(cuts >> to & 1); to++) {
        }
        assay_merger *block = added(o, in, from, to);
        if (!whole) {
            whole = block;
            continue;
        }
        assert_int_equal(sent(block, &got, &err), 0);
        assert_int_equal(merge_join(whole, got, &err), 0);
        assay_merger_free(got);
        assay_merger_free(block);
    }
    return finished(whole);
}

static void check_blocks(const char *const *names)
{
    struct inputs in = read_all(names);
    for (int keep = 0; keep < 2; keep++) {
        struct assay_merge_options o = { .keep_tests = keep };
        assay_profile *want = finished(added(&o, &in, 0, in.count));
        for (unsigned cuts = 0; cuts < 1U << in.count; cuts += 2) {
            assay_profile *got = in_blocks(&o, &in, cuts);
            assert_same(want, got);
            assay_profile_release(got);
        }
        assay_profile_release(want);
    }
    release_all(&in);
}

static const char *const coverage[] = { "demo.info",          "demo.cobertura.xml", "demo-2x.info",    "demo.clover.xml",
                                        "demo.llvm-cov.json", "demo.gcov",          "demo.jacoco.xml", NULL };
static const char *const cost[] = { "demo.callgrind", "demo-cache.callgrind", "demo.callgrind", "demo.nytprof", "demo.perf-script", NULL };
static const char *const trees[] = { "demo.pprof", "demo.speedscope.json", "demo.pprof", "demo.chrome-trace.json", "demo.otlp-profiles", NULL };
static const char *const streams[] = { "app.m", "gpu.m", "app.m", NULL };

static void coverage_in_blocks(void **state)
{
    (void)state;
    check_blocks(coverage);
}
static void cost_in_blocks(void **state)
{
    (void)state;
    check_blocks(cost);
}
static void trees_in_blocks(void **state)
{
    (void)state;
    check_blocks(trees);
}
static void streams_in_blocks(void **state)
{
    (void)state;
    check_blocks(streams);
}

static assay_profile *real(double value, const char *unit)
{
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id m = assay_build_metric(b, "time", unit, ASSAY_F64, 0);
    assay_build_graph_metrics(b, &m, 1);
    assay_func_id f = assay_build_func(b, assay_build_string(b, "f", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_self(b, &(struct assay_place){ .func = f }, &(assay_value){ .d = value }, 1);
    return assay_builder_seal(b, NULL);
}

/* 1e300 needs parts of its own, and 1 is lost whenever a sum is rounded on the way. */
static void doubles_are_not_rounded_on_the_way(void **state)
{
    (void)state;
    static const double values[] = { 1e300, 1, 1e-300, 1e16, -1e300, 3e-200, -1e16 };
    struct inputs in = { .count = 0 };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) in.list[in.count++] = real(values[i], "s");
    for (unsigned cuts = 0; cuts < 1U << in.count; cuts += 2) {
        assay_profile *p = in_blocks(NULL, &in, cuts);
        assert_true(assay_profile_graph(p)->cost_self[0].d == 1);
        assay_profile_release(p);
    }
    release_all(&in);
}

static void an_input_that_contradicts_is_refused(void **state)
{
    (void)state;
    struct inputs in = { { real(1, "s"), real(1, "s"), real(2, "ms") }, 3 };
    assay_error err = { 0 };
    struct assay_merge_options o = { .strict = true };
    assay_merger *first = added(&o, &in, 0, 2), *other = added(&o, &in, 2, 3);
    assert_int_equal(merge_join(first, other, &err), ASSAY_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "'time' has a different unit"));
    assay_merger_free(first);
    assay_merger_free(other);
    release_all(&in);
}

/* Bytes that were cut anywhere are refused, and nothing is lost. */
static void cut_bytes_are_refused(void **state)
{
    (void)state;
    struct inputs in = read_all((const char *const[]){ "demo.info", "demo.callgrind", "app.m", NULL });
    assay_merger *m = added(NULL, &in, 0, in.count);
    struct wire w = { .mem = &m->mem };
    merge_pack(m, &w);
    assert_false(w.failed);
    for (size_t len = 0; len < w.bytes.len; len += len < 400 || w.bytes.len - len < 400 ? 1 : 37) {
        assay_error err = { 0 };
        assay_merger *out = assay_merger_new(NULL, &err);
        assert_int_equal(merge_unpack(out, (struct wire_in){ w.bytes.at, len, false }, &err), ASSAY_ERR_INTERNAL);
        assay_merger_free(out);
    }
    vec_done(&m->mem, &w.bytes);
    assay_merger_free(m);
    release_all(&in);
}

static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    struct inputs in = read_all((const char *const[]){ "demo.info", "demo.callgrind", "demo.pprof", "demo-2x.info", "demo.nytprof", NULL });
    in.list[in.count++] = real(1e300, "s");
    in.list[in.count++] = real(1, "s");
    in.list[in.count++] = real(1e-300, "s");
    for (int which = 0; which < 3; which++) { /* of the three mergers has no memory */
        bool is_done = false;
        uint64_t n = 1;
        for (; !is_done; n++) {
            assay_error err = { 0 };
            assay_merger *whole = added(NULL, &in, 0, 3), *block = added(NULL, &in, 3, in.count), *got = NULL;
            if (which == 0) whole->mem.fail_at = whole->mem.requests + n;
            if (which == 1) block->mem.fail_at = block->mem.requests + n;
            if (which == 2) mem_fail_new(n, 0, UINT32_MAX);
            int rc = sent(block, &got, &err);
            if (rc == 0) rc = merge_join(whole, got, &err);
            mem_fail_new(0, 0, 0);
            is_done = rc == 0;
            assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
            assay_merger_free(whole);
            assay_merger_free(block);
            assay_merger_free(got);
        }
        assert_true(n > 10);
    }
    release_all(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage_in_blocks),
        cmocka_unit_test(cost_in_blocks),
        cmocka_unit_test(trees_in_blocks),
        cmocka_unit_test(streams_in_blocks),
        cmocka_unit_test(doubles_are_not_rounded_on_the_way),
        cmocka_unit_test(an_input_that_contradicts_is_refused),
        cmocka_unit_test(cut_bytes_are_refused),
        cmocka_unit_test(every_refused_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
