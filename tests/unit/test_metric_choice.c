/* Which metric is meant: never one of zeros while another has a value; time before work before the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/core/metric_choice.h"
#include "assay/assay.h"
#include "base/slice.h"

struct metric {
    const char *name, *unit;
    uint64_t total;
    bool is_hidden;
};
enum { MOST = 6 };

static assay_profile *profile(const struct metric *metrics, const char *named)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH }, NULL);
    for (size_t i = 0; i < MOST && metrics[i].name; i++) {
        assay_metric_id m = assay_build_metric(b, metrics[i].name, metrics[i].unit, ASSAY_U64, ASSAY_SHAPE_GRAPH);
        assay_build_metric_total(b, m, (assay_value){ .u = metrics[i].total });
        if (metrics[i].is_hidden) assay_build_metric_text(b, m, NULL, NULL, true);
    }
    if (named) assay_build_attribute(b, (assay_stream_id){ 0 }, "default_metric", strlen("default_metric"), named, strlen(named));
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

static assay_slice name_of(const assay_profile *p, assay_metric_id id) { return assay_profile_string(p, assay_profile_metrics(p)->name[id.v]); }

static void the_default_has_a_value_and_is_time_first(void **state)
{
    (void)state;
    static const struct {
        struct metric metrics[MOST];
        const char *named, *want;
    } cases[] = {
        { { { "GXCOPY:UNK (B)", "B", 0, false }, { "GKER (sec)", "sec", 3, false } }, NULL, "GKER (sec)" },
        { { { "Ir", "count", 900, false }, { "Time", "us", 5, false } }, NULL, "Time" },
        { { { "Ir", "count", 900, false }, { "Time", "us", 0, false } }, NULL, "Ir" },
        { { { "Time", "us", 7, false }, { "Other", "ns", 9, false } }, NULL, "Time" },
        { { { "Ir", "count", 900, false }, { "sysCount", "count", 9, false }, { "sysTime", "ms", 5, false } }, NULL, "Ir" },
        { { { "Dr", "count", 10, false }, { "PAPI_TOT_CYC", "", 5, false } }, NULL, "PAPI_TOT_CYC" },
        { { { "stalled-cycles-frontend", "", 10, false }, { "instructions", "", 5, false } }, NULL, "instructions" },
        { { { "Dr", "count", 10, false }, { "Dw", "count", 12, false }, { "Bc", "count", 12, false } }, NULL, "Dw" },
        { { { "Time", "us", 7, true }, { "Dw", "count", 12, false } }, NULL, "Dw" },
        { { { "Time", "us", 7, true }, { "Dw", "count", 0, false } }, NULL, "Time" },
        { { { "Time", "us", 7, false }, { "inuse_space", "bytes", 12, false } }, "inuse_space", "inuse_space" },
        { { { "Time", "us", 7, false }, { "inuse_space", "bytes", 0, false } }, "inuse_space", "Time" },
        { { { "Time", "us", 7, false } }, "gone", "Time" },
        { { { "A", "count", 0, false }, { "B", "count", 0, false } }, NULL, "A" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_profile *p = profile(cases[i].metrics, cases[i].named);
        assay_metric_id id = metric_default(&(struct metric_set){ .profile = p, .shapes = ASSAY_SHAPE_GRAPH });
        assert_string_equal(name_of(p, id).data, cases[i].want);
        assay_profile_release(p);
    }
}

static void there_may_be_none(void **state)
{
    (void)state;
    static const struct metric metrics[MOST] = { { "Ir", "count", 5, false } };
    assay_error err = { 0 };
    assay_metric_id id;
    assay_profile *p = profile(metrics, NULL);
    assert_int_equal(metric_default(&(struct metric_set){ .profile = p, .shapes = ASSAY_SHAPE_TREE }).v, 0);
    assert_int_equal(metric_choose(&(struct metric_set){ .profile = p, .shapes = ASSAY_SHAPE_TREE }, NULL, &id, &err), ASSAY_ERR_UNSUPPORTED);
    assert_int_equal(metric_choose(&(struct metric_set){ .profile = p, .shapes = ASSAY_SHAPE_GRAPH }, NULL, &id, &err), 0);
    assert_int_equal(id.v, 1);
    assay_profile_release(p);
}

static void any_part_of_a_name_in_any_case_will_do_when_one_has_it(void **state)
{
    (void)state;
    static const struct metric metrics[MOST] = {
        { "CPUTIME (sec)", "sec", 5, false }, { "REALTIME (sec)", "sec", 6, false }, { "Memory_(bytes)", "bytes", 7, false }, { "mem", "", 1, false }
    };
    static const struct {
        const char *name;
        uint32_t want; /* 0 = an error */
        const char *text;
    } cases[] = {
        { "CPUTIME (sec)", 1, NULL },
        { "cputime", 1, NULL },
        { "real", 2, NULL },
        { "memory", 3, NULL },
        { "mem", 4, NULL }, /* the whole name before a part of another */
        { "MEM", 4, NULL },
        { "time", 0, "'time' matches several metrics: CPUTIME (sec), REALTIME (sec)" },
        { "none", 0, "no metric matches 'none'; use CPUTIME (sec), REALTIME (sec), Memory_(bytes), mem" },
    };
    assay_profile *p = profile(metrics, NULL);
    struct metric_set set = { .profile = p, .shapes = ASSAY_SHAPE_GRAPH };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_error err = { 0 };
        assay_metric_id id;
        assert_int_equal(metric_choose(&set, cases[i].name, &id, &err), cases[i].want ? 0 : ASSAY_ERR_USAGE);
        assert_int_equal(id.v, cases[i].want);
        if (cases[i].text) assert_string_equal(err.text, cases[i].text);
    }
    assay_profile_release(p);
}

/* NYTProf has time in seconds of subs and in ticks of contexts. */
static void a_name_of_another_shape_means_the_same_time_here(void **state)
{
    (void)state;
    assay_error err = { 0 };
    assay_metric_id id;
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_GRAPH }, NULL);
    assay_build_metric(b, "sub_time", "s", ASSAY_F64, ASSAY_SHAPE_GRAPH);
    assay_build_metric(b, "sub_ticks", "10ns", ASSAY_U64, ASSAY_SHAPE_TREE);
    assay_build_metric(b, "stmt_time", "s", ASSAY_F64, ASSAY_SHAPE_LINES);
    assay_profile *p = assay_builder_seal(b, NULL);
    struct metric_set set = { .profile = p, .shapes = ASSAY_SHAPE_TREE };
    assert_int_equal(metric_choose(&set, "sub_time", &id, &err), 0);
    assert_int_equal(id.v, 2);
    assert_int_equal(metric_choose(&set, "stmt_time", &id, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "metric 'stmt_time' cannot be shown this way; use sub_ticks");
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_has_a_value_and_is_time_first),
        cmocka_unit_test(there_may_be_none),
        cmocka_unit_test(any_part_of_a_name_in_any_case_will_do_when_one_has_it),
        cmocka_unit_test(a_name_of_another_shape_means_the_same_time_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
