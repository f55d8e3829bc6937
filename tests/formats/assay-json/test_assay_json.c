/* Planted defects for the rules of assay's own JSON, texts that are nearly wrong but are not, and that nothing is lost: every
 * file at hand, and a profile in which every column is filled, is equal to itself after it was written and read. */
#include "../coverage_rules.h"
#include "harness.h"

#include <stdlib.h>

#define OF(members) "{\"assay-json\":1," members "}\n"
#define SOUND OF("\"files\":[{\"path\":\"a\",\"lines\":[{\"line\":1,\"hits\":2}]}]")

/* A document with one metric; calls of a context, and values of a function. */
#define COST(calls, values)                                                                                                                                    \
    "\"metrics\":[{\"name\":\"m\"}],\"metrics_of\":{\"graph\":[1]},\"functions\":[{\"name\":\"f\"}],\"contexts\":[{\"calls\":" calls                           \
    "}],\"costs\":[{\"function\":1,"                                                                                                                           \
    "\"self\":[" values "]}]"

static const struct defect defects[] = {
    { "J-1", E, "{\"assay-json\":1,\n@}" },
    { "J-2", E, "@[]\n" },
    { "J-2", E, OF("\"files\":[{\"path\":\"a\",\"lines\":[{\"hits\":1,\"line\":\n@\"x\"}]}]") },
    { "J-2", E, OF("\"files\":[{\"path\":\"a\",\"lines\":[{\"hits\":1,\"line\":\n@-1}]}]") },
    { "J-2", E, OF("\"files\":[{\"path\":\"a\",\"lines\":[{\"line\":1,\"hits\":1,\"flags\":[\n@\"red\"]}]}]") },
    { "J-2", E, OF("\"regions\":[{\"kind\":\n@\"red\"}]") },
    { "J-3", E, "@{\"files\":[]}\n" },
    { "J-3", E, OF("\"files\":[\n@{}]") },
    { "J-3", E, OF("\"stated\":[\n@{\"kind\":\"x\",\"hit\":1}]") },
    { "J-5", W, OF("\"files\":[],\n@\"files\":[]") },
    { "J-6", I, OF("\n@\"colour\":[]") },
    { "AJ-1", E, "{\"assay-json\":\n@2}" },
    { "AJ-2", E, OF("\"functions\":[\n@{\"name\":\"f\",\"file\":1}]") },
    { "AJ-2", E, OF("\"branches\":[\n@{\"line\":1,\"hits\":0,\"function\":1}]") },
    { "AJ-2", E, OF("\"files\":[\n@{\"path\":\"a\",\"module\":1}]") },
    { "AJ-3", W, OF("\"sums\":[\n@{\"kind\":\"x\",\"hit\":3,\"total\":2}]") },
    { "AJ-2", E, OF("\"contexts\":[\n@{\"parent\":1}]") },
    { "AJ-2", E, OF("\"scopes\":[\n@{\"metric\":1}],\"metrics\":[{\"name\":\"m\"}]") },
    { "AJ-2", E, OF("\"values\":[\n@{\"scope\":1,\"value\":1}]") },
    { "AJ-2", E, OF("\"summary\":[\n@{\"statistic\":1,\"value\":1}]") },
    { "AJ-2", E, OF("\"events\":[\n@{\"time\":1,\"stream\":1}]") },
    { "AJ-4", E, OF("\"functions\":[{\"name\":\"f\"}],\"costs\":[{\"function\":1,\"self\":\n@[1]}]") },
    { "J-2", E, OF(COST("2", "1,\n@2")) },
    { "J-2", E, OF(COST("\n@1.5", "1")) },
    { "J-2", E, OF("\"metrics\":[{\"name\":\"m\"}],\"metrics_of\":{\"graph\":[\n@2]}") },
    { "J-2", E, OF("\"metrics\":[{\"name\":\"m\"}],\"metrics_of\":{\"lines\":[1,\n@1]}") },
    { "J-3", E, OF("\"values\":[\n@{\"scope\":1}]") },
};
static const struct defect near_misses[] = {
    { "J-1", E, SOUND },
    { "J-2", E, OF("\"regions\":[{\"kind\":\"gap\",\"hits\":18446744073709551615}],\"branches\":[{\"line\":1,\"hits\":0,\"target\":-9}]") },
    { "J-3", E, "{\"assay-json\":1}" },
    { "J-5", W, SOUND },
    { "J-6", I, OF("\"producer\":\"x\"") },
    { "AJ-1", E, SOUND },
    { "AJ-2", E, OF("\"functions\":[{\"name\":\"f\",\"file\":1}],\"files\":[{\"path\":\"a\",\"parent\":1}]") },
    { "AJ-3", W, OF("\"sums\":[{\"kind\":\"x\",\"hit\":2,\"total\":2}]") },
    { "AJ-2", E, OF("\"contexts\":[{\"kind\":\"entry\"},{\"parent\":1,\"function\":1}],\"functions\":[{\"name\":\"f\"}]") },
    { "AJ-4", E, OF(COST("1", "18446744073709551615")) },
};
static const char *const rules[] = { "J-1", "J-2", "J-3", "J-5", "J-6", "AJ-1", "AJ-2", "AJ-3", "AJ-4", NULL };

RULE_TESTS("assay-json")

/* ---- nothing is lost ---- */

struct text {
    char *at;
    size_t len, room;
};

static int keep(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    while (t->room - t->len < len) {
        t->room = t->room * 2 + 4096;
        t->at = realloc(t->at, t->room);
        assert_non_null(t->at);
    }
    memcpy(t->at + t->len, data, len);
    t->len += len;
    return 0;
}

static struct text write_text(const assay_profile *p)
{
    struct assay_write_options o = { .format = "assay-json", .strict = true };
    struct text out = { NULL, 0, 0 };
    assay_error err = { 0 };
    if (assay_write_fn(p, &o, keep, &out, NULL, &err) != 0) fail_msg("%s", err.text);
    return out;
}

static void is_equal_again(const assay_profile *p, const char *name)
{
    struct text once = write_text(p);
    struct assay_read_options strict = { .strict = true };
    assay_profile *q = NULL;
    assay_error err = { 0 };
    char why[400] = "";
    size_t warnings;
    if (assay_read_memory(once.at, once.len, "text", &strict, &q, &err) != 0) fail_msg("%s: %s", name, err.text);
    assert_string_equal(assay_profile_format(q), "assay-json");
    assay_profile_warnings(q, &warnings);
    assert_int_equal(warnings, 0);
    if (assay_profile_equal(p, q, why, sizeof why, NULL) != 0) fail_msg("%s: %s", name, why);
    free(once.at);
    assay_profile_release(q);
}

static void every_file_survives(void **state)
{
    (void)state;
    static const char *const areas[] = { "coverage/cobertura",
                                         "coverage/coveragepy",
                                         "coverage/coveralls",
                                         "coverage/gcov",
                                         "coverage/gcovr",
                                         "coverage/go",
                                         "coverage/grcov",
                                         "coverage/istanbul",
                                         "coverage/lcov",
                                         "coverage/llvm",
                                         "coverage/simplecov",
                                         "coverage/v8",
                                         "coverage/public",
                                         "coverage/devel-cover",
                                         "callgrind",
                                         "nytprof",
                                         "webgrind",
                                         "hpcrun",
                                         NULL };
    const struct assay_read_options all = { .want = ASSAY_WANT_ALL & ~(uint32_t)ASSAY_WANT_WHOLE };
    struct samples samples = { 0 };
    unsigned coverage = 0, trees = 0, graphs = 0;
    samples_load(&samples, 0, areas);
    for (size_t i = 0; i < samples.count; i++) {
        assay_profile *p = NULL;
        if (assay_read_memory(samples.at[i].data, samples.at[i].len, samples.at[i].name, &all, &p, NULL) != 0) continue;
        is_equal_again(p, samples.at[i].path);
        coverage += (assay_profile_shapes(p) & ASSAY_SHAPE_COVERAGE) != 0;
        trees += (assay_profile_shapes(p) & ASSAY_SHAPE_TREE) != 0;
        graphs += (assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH) != 0;
        assay_profile_release(p);
    }
    samples_free(&samples);
    assert_true(coverage >= 15 && trees >= 5 && graphs >= 5);
}

static void every_column_survives(void **state)
{
    (void)state;
    assay_error err = { 0 };
    assay_builder *b = assay_builder_new(NULL, &err);
    assay_str_id s = assay_build_string(b, "text\x80\n\"", 7), t = assay_build_string(b, "", 0);
    assay_module_id m = assay_build_module(b, s, t);
    assay_file_id f = assay_build_file(b, s, m), g = assay_build_file(b, t, (assay_module_id){ 0 });
    assay_func_id fn = assay_build_func_new(b, s, f, m, UINT64_MAX, 7), twin = assay_build_func_new(b, s, f, m, UINT64_MAX, 7);
    assay_build_file_source(b, f, s, t);
    assay_build_file_parent(b, g, f, 3, 5);
    assay_build_func_lines(b, fn, 7, 9);
    assay_build_func_column(b, fn, 2);
    assay_build_func_kind(b, fn, ASSAY_FUNC_OPCODE, 77);
    assay_build_func_link(b, fn, t);
    assay_metric_id metric = assay_build_metric(b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_build_metric_text(b, metric, "long", "", true);
    assay_build_metric_total_wide(b, metric, (assay_wide){ 5, 3 });
    assay_build_coverage_line(b, &(struct assay_coverage_line){ .test = s, .file = g, .line = 4, .hits = UINT64_MAX, .flags = 63, .checksum = s });
    assay_build_coverage_line(b, &(struct assay_coverage_line){ .line = 4 });
    assay_build_coverage_func(
        b, &(struct assay_coverage_func){ .test = t, .func = twin, .calls = 1, .first_column = 2, .last_column = 3, .blocks = 4, .blocks_hit = 5, .flags = 6 });
    assay_build_coverage_func(b, &(struct assay_coverage_func){ .func = fn });
    assay_build_coverage_branch(b, &(struct assay_coverage_branch){ .test = t,
                                                                    .file = f,
                                                                    .line = 1,
                                                                    .func = twin,
                                                                    .block = s,
                                                                    .name = t,
                                                                    .index = 2,
                                                                    .hits = 3,
                                                                    .flags = 31,
                                                                    .column = 4,
                                                                    .end_line = 5,
                                                                    .end_column = 6,
                                                                    .target = INT64_MIN });
    assay_build_coverage_sum(
        b, &(struct assay_coverage_sum){ .test = s, .file = f, .line = 1, .hit = 2, .total = UINT32_MAX, .kind = t, .flags = ASSAY_COVERAGE_AT_LEAST });
    assay_build_coverage_condition(
        b, &(struct assay_coverage_condition){ .file = f, .line = 1, .group = 2, .index = 3, .sense = 1, .hits = 4, .text = t, .test = s, .flags = 31 });
    assay_build_coverage_region(b, &(struct assay_coverage_region){ .file = g,
                                                                    .func = fn,
                                                                    .kind = ASSAY_REGION_OTHER,
                                                                    .first = UINT64_MAX,
                                                                    .last = 1,
                                                                    .first_column = 2,
                                                                    .last_column = 3,
                                                                    .statements = 4,
                                                                    .hits = 5 });
    assay_build_coverage_stated(b, &(struct assay_coverage_stated){ .file = f, .scope = s, .kind = t, .hit = 0.1, .total = -1 });
    assay_build_attribute(b, (assay_stream_id){ 0 }, "b", 1, "2", 1);
    assay_build_attribute(b, (assay_stream_id){ 0 }, "a", 1, "", 0);
    assay_build_count(b, "scripts", UINT64_MAX);
    assay_build_offers(b, ASSAY_SHAPE_COVERAGE);
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    is_equal_again(p, "a profile with everything");
    assay_profile_release(p);
}

static void members_may_stand_in_any_order(void **state)
{
    (void)state;
    assay_profile *p = read_text("{\"functions\":[{\"called\":[{\"calls\":3}],\"file\":2,\"name\":\"f\"}],\"files\":[{\"path\":\"a\"},{\"branches\":[{"
                                 "\"function\":1,\"hits\":0,\"line\":7}],\"path\":\"b\"}],"
                                 "\"assay-json\":1}",
                                 NULL);
    const struct assay_coverage *c = assay_profile_coverage(p);
    assert_string_equal(assay_profile_string(p, assay_profile_files(p)->path[assay_profile_funcs(p)->file[c->func[0].v].v]).data, "b");
    assert_int_equal(c->branch_func[0].v, c->func[0].v);
    assert_int_equal(c->func_calls[0], 3);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(every_file_survives),
        cmocka_unit_test(every_column_survives),
        cmocka_unit_test(members_may_stand_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
