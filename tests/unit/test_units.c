/* Units: whatever format a figure is written in, value times unit comes back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/core/units.h"
#include "assay/assay.h"
#include "base/slice.h"

static const struct {
    const char *name, *unit, *ticks_per_sec;
    enum assay_type type;
    double ns; /* of one; 0 = no time */
} metrics[] = {
    { "Time", "ns", NULL, ASSAY_U64, 1 },
    { "Time", "us", NULL, ASSAY_U64, 1000 },
    { "Time", "s", NULL, ASSAY_F64, 1e9 },
    { "Time_(10ns)", "10ns", NULL, ASSAY_U64, 10 },
    { "sub_ticks", "tick", "10000000", ASSAY_U64, 100 },
    { "sub_ticks", "tick", "1000000", ASSAY_U64, 1000 },
    { "sub_ticks", "tick", "4000000", ASSAY_U64, 250 },
    { "CPUTIME (usec)", "usec", NULL, ASSAY_U64, 1000 },
    { "wall", "ms", NULL, ASSAY_U64, 1e6 },
    { "Time", "count", NULL, ASSAY_U64, 0 },
    { "Ir", "count", NULL, ASSAY_U64, 0 },
    { "heap", "bytes", NULL, ASSAY_U64, 0 },
    { "energy", "J", NULL, ASSAY_U64, 0 },
};
enum { METRICS = sizeof metrics / sizeof *metrics, FIGURE = 3000000 };

/* 3,000,000 of each unit, or 0.003 of seconds, in one function: a tree, or a graph. */
static assay_profile *profile_of(size_t i, bool is_tree)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, NULL);
    assay_func_id f = assay_build_func(b, assay_build_string(b, "f", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_metric_id m = assay_build_metric(b, metrics[i].name, metrics[i].unit, metrics[i].type, 0);
    assay_value v = { .u = FIGURE };
    if (metrics[i].type == ASSAY_F64) v.d = FIGURE / 1e9;
    if (metrics[i].ticks_per_sec)
        assay_build_attribute(b, (assay_stream_id){ 0 }, "ticks_per_sec", 13, metrics[i].ticks_per_sec, strlen(metrics[i].ticks_per_sec));
    if (is_tree) {
        assay_scope_id s = assay_build_scope(b, m, ASSAY_SCOPE_POINT, NULL, 0);
        assay_node_id n = assay_build_node(b, &(struct assay_node){ .kind = ASSAY_NODE_FUNCTION, .func = f });
        assay_build_value(b, assay_build_stream(b, "main"), n, s, v);
    } else {
        assay_build_graph_metrics(b, &m, 1);
        assay_build_self(b, &(struct assay_place){ .func = f }, &v, 1);
    }
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

static assay_profile *written_and_read(const assay_profile *p, const char *format, assay_losses **losses)
{
    char path[] = "/tmp/assay-units-XXXXXX", command[100];
    assay_error err;
    assay_profile *back;
    assert_non_null(mkdtemp(path));
    snprintf(command, sizeof command, "%s/out", path);
    if (assay_write(p, command, &(struct assay_write_options){ .format = format }, losses, &err) != 0) fail_msg("%s: %s", format, err.text);
    if (assay_read(command, &(struct assay_read_options){ .want = ASSAY_WANT_ALL & ~(uint32_t)ASSAY_WANT_WHOLE }, &back, &err) != 0)
        fail_msg("%s: %s", format, err.text);
    snprintf(command, sizeof command, "rm -r %s", path);
    assert_int_equal(system(command), 0);
    return back;
}

static bool is_lost(const assay_losses *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->at[i].kind, "units") == 0 && strstr(l->at[i].message, name)) return true;
    return false;
}

/* The same time, or the same number of the same unit, is there. */
static void check(const char *format, size_t i, bool is_tree)
{
    assay_losses *losses;
    assay_profile *p = profile_of(i, is_tree), *back = written_and_read(p, format, &losses);
    const struct assay_metrics *m = assay_profile_metrics(back);
    bool is_found = false;
    double figure = metrics[i].type == ASSAY_F64 ? FIGURE / 1e9 : FIGURE;
    for (uint32_t k = 1; k <= m->count && !is_found; k++) {
        double ns = units_ns(back, (assay_metric_id){ k });
        assay_slice unit = assay_profile_string(back, m->unit[k]);
        bool is_same_unit = slice_is(unit, metrics[i].unit) || (units_is_count(unit) && units_is_count(slice_of(metrics[i].unit)));
        if (metrics[i].ns > 0)
            is_found = ns > 0 && fabs(m->total_double[k] * ns - figure * metrics[i].ns) < 1;
        else
            is_found = is_same_unit && !(ns > 0) && fabs(m->total_double[k] - figure) < 0.5;
    }
    if (!is_found && !(metrics[i].ns <= 0 && is_lost(losses, metrics[i].name)))
        fail_msg("%s of %s in %s comes back as %f of %s", metrics[i].name, metrics[i].unit, format, m->total_double[1],
                 assay_profile_string(back, m->unit[1]).data);
    assay_losses_free(losses);
    assay_profile_release(back);
    assay_profile_release(p);
}

static void a_graph_keeps_its_quantities(void **state)
{
    (void)state;
    static const char *const formats[] = { "callgrind", "webgrind:7", "nytprof", "nytprof-tlv" };
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t i = 0; i < METRICS; i++) check(formats[f], i, false);
}

static void a_tree_keeps_its_quantities(void **state)
{
    (void)state;
    for (size_t i = 0; i < METRICS; i++) {
        check("hpcrun", i, true);
        check("hpcdb", i, true);
    }
}

static void a_unit_of_time_may_have_a_number(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double ns;
    } units[] = { { "ns", 1 },     { "10ns", 10 }, { "0.5us", 500 }, { "s", 1e9 }, { "sec", 1e9 },
                  { "usec", 1e3 }, { "tick", 0 },  { "10", 0 },      { "", 0 },    { "J", 0 } };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) assert_true(fabs(units_time(slice_of(units[i].unit)) - units[i].ns) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_keeps_its_quantities),
        cmocka_unit_test(a_tree_keeps_its_quantities),
        cmocka_unit_test(a_unit_of_time_may_have_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
