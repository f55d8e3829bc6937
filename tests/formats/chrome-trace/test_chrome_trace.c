/* Planted defects for the rules of traces, how events are matched and nested, embedded profiles, and what is written and read again. */
#include "../planted.h"

#define AT(ts) "\"pid\":1,\"tid\":1,\"ts\":" #ts
#define SPAN(ts, dur, name) "{\"ph\":\"X\"," AT(ts) ",\"dur\":" #dur ",\"name\":\"" name "\"}"
#define BEGIN(ts, name) "{\"ph\":\"B\"," AT(ts) ",\"name\":\"" name "\"}"
#define END(ts, name) "{\"ph\":\"E\"," AT(ts) ",\"name\":\"" name "\"}"
#define FRAMES "{\"traceEvents\":[],\"stackFrames\":{\n"
#define SAMPLE(frame) "{\"pid\":1,\"tid\":1,\"ts\":0,\"sf\":" #frame ",\"weight\":1}"
#define CHUNK(ts, more) "{\"ph\":\"P\",\"id\":\"0x1\"," AT(ts) ",\"name\":\"ProfileChunk\",\"args\":{\"data\":{" more "}}}"
#define ROOT "{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}}"
#define MAIN "{\"id\":2,\"parent\":1,\"callFrame\":{\"functionName\":\"main\",\"url\":\"a.js\",\"lineNumber\":4,\"columnNumber\":0}}"

static const struct defect defects[] = {
    { "J-1", E, "[" SPAN(1, 1, "a") ",\n@?]" },
    { "J-1", E, "[{\"ph\":\"X\",\"args\":{\"a\":\n@x}}]" },
    { "J-2", E, "[" SPAN(1, 1, "a") ",\n@7]" },
    { "J-2", E, "{\"traceEvents\":\n@{}}" },
    { "J-2", E, "[{\"ph\":\n@\"XY\"," AT(1) "}]" },
    { "J-2", E, "[{\"ph\":\"X\"," AT(1) ",\"name\":\n@{}}]" },
    { "J-2", E, "[{\"ph\":\"X\"," AT(1) ",\"dur\":\n@\"long\"}]" },
    { "CT01", W, "[" SPAN(1, 1, "a") ",\n@{\"ph\":\"X\"," AT(3) },
    { "CT01", W, "[" SPAN(1, 1, "a") ",\n@{\"ph\":\"X\",\"args\":{\"a\":tr" },
    { "CT01", W, "[" SPAN(1, 1, "a") ",\n@{\"ph\":\"X\",\"ts\":1." },
    { "CT02", I, "[" SPAN(1, 1, "a") ",\n@" },
    { "CT02", I, "[" SPAN(1, 1, "a") "\n@" },
    { "CT03", W, "{\"traceEvents\":[" SPAN(1, 1, "a") "\n@" },
    { "CT04", E, "[\n@{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"name\":\"a\"}]" },
    { "CT04", E, "[\n@{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":\"noon\",\"name\":\"a\"}]" },
    { "CT04", E, "[\n@" SPAN(4600000000000000, 1, "a") "]" },
    { "CT04", E, "[\n@" SPAN("9999999999999999.9", 1, "a") "]" },
    { "CT04", E, FRAMES "\"1\":{\"name\":\"a\"}},\"samples\":[\n@{\"pid\":1,\"tid\":1,\"sf\":1}]}" },
    { "CT05", W, "[" SPAN(1, 1, "a") ",\n@{" AT(1) "}]" },
    { "CT06", W, "[" SPAN(1, 1, "a") ",\n@{\"ph\":\"Z\"," AT(1) "}]" },
    { "CT07", W, "[" BEGIN(1, "a") ",\n@" END(2, "b") "," END(3, "a") "]" },
    { "CT07", W, "[\n@" END(2, "b") "," BEGIN(3, "b") "," END(4, "b") "]" },
    { "CT08", W, "[" BEGIN(1, "a") ",\n@" BEGIN(2, "b") "," END(3, "a") "]" },
    { "CT08", W, "[" SPAN(1, 5, "b") ",\n@" BEGIN(1, "a") "]" },
    { "CT09", W, "[" SPAN(1, 5, "a") ",\n@" SPAN(3, 5, "b") "]" },
    { "CT10", W, "[\n@" SPAN(1, -5, "a") "]" },
    { "CT11", E, FRAMES "\"1\":{\"name\":\"a\"}},\"samples\":[\n@" SAMPLE(9) "]}" },
    { "CT12", E, FRAMES "\"3\":{\"name\":\"c\"},\"1\":\n@{\"name\":\"a\",\"parent\":2},\"2\":{\"name\":\"b\",\"parent\":1}},\"samples\":[" SAMPLE(1) "]}" },
    { "CT12", E, FRAMES "\"1\":\n@{\"name\":\"a\",\"parent\":1}},\"samples\":[" SAMPLE(1) "]}" },
    { "CT13", E, FRAMES "\"1\":\n@{\"name\":\"a\",\"parent\":2}},\"samples\":[" SAMPLE(1) "]}" },
    { "CT14", I, "[\n@{\"ph\":\"e\"," AT(1) ",\"cat\":\"n\",\"id\":1,\"name\":\"a\"}]" },
    { "CT14", I, "[\n@{\"ph\":\"b\"," AT(1) ",\"cat\":\"n\",\"id\":1,\"name\":\"a\"}]" },
    { "CT14", I, "[{\"ph\":\"b\"," AT(1) ",\"cat\":\"n\",\"id\":1,\"name\":\"a\"},\n@{\"ph\":\"e\"," AT(2) ",\"cat\":\"n\",\"id\":1,\"name\":\"b\"}]" },
    { "CT15", W, "[\n@" CHUNK(1, "\"cpuProfile\":{\"nodes\":[" ROOT "],\"samples\":[1,7]},\"timeDeltas\":[1,1]") "]" },
    { "CT16", W, "[\n@" CHUNK(1, "\"cpuProfile\":{\"nodes\":[" ROOT "],\"samples\":[1]},\"timeDeltas\":[1,1]") "]" },
};

static const struct defect sound[] = {
    { "CT01", W, "[" SPAN(1, 1, "a") "]" },
    { "CT02", I, "[]" },
    { "CT03", W, "{\"traceEvents\":[]}" },
    { "CT04", E, "[{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"p\"}}]" },
    { "CT04", E, "[" SPAN(4599999999999999, 1, "a") "]" },
    { "CT04", E, "[" SPAN("-4599999999999999.999", 1, "a") "]" },
    { "CT05", W, "[{\"ph\":\"v\"}]" },
    { "CT06", W, "[{\"ph\":\"(\"},{\"ph\":\"=\"}]" },
    { "CT07", W, "[" END(2, "b") "," BEGIN(2, "b") "]" },
    { "CT08", W, "[" BEGIN(1, "a") ",{\"ph\":\"E\"," AT(2) "}]" },
    { "CT09", W, "[" SPAN(1, 5, "a") "," SPAN(3, 3, "b") "]" },
    { "CT10", W, "[" SPAN(1, 0, "a") "]" },
    { "CT11", E, FRAMES "\"1\":{\"name\":\"a\"}},\"samples\":[" SAMPLE("1") ",{\"pid\":1,\"tid\":1,\"ts\":1}]}" },
    { "CT12", E, FRAMES "\"1\":{\"name\":\"a\",\"parent\":2},\"3\":{\"name\":\"a\",\"parent\":2},\"2\":{\"name\":\"b\"}},\"samples\":[" SAMPLE(1) "]}" },
    { "CT13", E, FRAMES "\"1\":{\"name\":\"a\",\"parent\":\"2\"},\"2\":{\"name\":\"b\"}},\"samples\":[]}" },
    { "CT14", I,
      "[{\"ph\":\"b\"," AT(1) ",\"cat\":\"n\",\"id\":1,\"name\":\"a\"},{\"ph\":\"e\",\"pid\":2,\"tid\":2,\"ts\":1,\"cat\":\"n\",\"id\":1,\"name\":\"a\"}]" },
    { "CT15", W, "[" CHUNK(1, "\"cpuProfile\":{\"nodes\":[" ROOT "," MAIN "],\"samples\":[1,2]},\"timeDeltas\":[1,1]") "]" },
    { "CT16", W, "[{\"ph\":\"P\",\"id\":\"0x1\"," AT(1) ",\"name\":\"ProfileChunk\"}]" },
};

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct planted p = plant(defects[i].text);
        struct checked c;
        check_text(&c, "chrome-trace", p.text, p.len);
        const assay_finding *f = found_rule(&c, defects[i].rule);
        if (!f) fail_msg("defect %zu: no %s", i, defects[i].rule);
        assert_int_equal(f->severity, defects[i].severity);
        if (p.has_place && f->offset != p.off)
            fail_msg("defect %zu: %s at %llu, not %llu", i, f->rule, (unsigned long long)f->offset, (unsigned long long)p.off);
        check_done(&c);
    }
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("chrome-trace", sound, sizeof sound / sizeof *sound);
}

/* ---- reading ---- */

static assay_profile *read_text(const char *text, size_t len)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .size = sizeof o, .want = ASSAY_WANT_TREE | ASSAY_WANT_TIMELINE | ASSAY_WANT_LABELS, .format = "chrome-trace" };
    assay_error err = { 0 };
    if (assay_read_memory(text, len, "x", &o, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

/* The node with this path of names, "/a/b". */
static uint32_t node_at(const assay_profile *p, const char *path)
{
    const struct assay_tree *t = assay_profile_tree(p);
    for (uint32_t node = 1; node <= t->count; node++) {
        char full[200] = "";
        for (uint32_t n = node; n; n = t->parent[n].v) {
            assay_slice name = assay_profile_string(p, assay_profile_funcs(p)->name[t->func[n].v]);
            char longer[200];
            snprintf(longer, sizeof longer, "/%.*s%s", (int)name.len, name.data, full);
            memcpy(full, longer, sizeof full);
        }
        if (strcmp(full, path) == 0) return node;
    }
    fail_msg("no context %s", path);
    return 0;
}

static double value_at(const assay_profile *p, const char *metric, const char *path)
{
    const struct assay_scopes *s = assay_profile_scopes(p);
    uint32_t node = node_at(p, path);
    double sum = 0;
    for (uint32_t scope = 1; scope <= s->count; scope++) {
        assay_slice name = assay_profile_string(p, assay_profile_metrics(p)->name[s->metric[scope].v]);
        if (name.len != strlen(metric) || memcmp(name.data, metric, name.len) != 0) continue;
        for (uint32_t stream = 0; stream <= assay_profile_streams(p)->count; stream++) {
            assay_value v = { 0 };
            assert_int_equal(assay_tree_value(p, (assay_stream_id){ stream }, (assay_node_id){ node }, (assay_scope_id){ scope }, &v, NULL), 0);
            sum += assay_profile_metrics(p)->type[s->metric[scope].v] == ASSAY_F64 ? v.d : (double)v.i;
        }
    }
    return sum;
}

static uint64_t count_of(const assay_profile *p, const char *name)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++) {
        assay_slice key = assay_profile_string(p, c->name[i]);
        if (key.len == strlen(name) && memcmp(key.data, name, key.len) == 0) return c->value[i];
    }
    return 0;
}

/* The nesting rules of docs/formats/chrome-trace.md, on events in any order; times as numbers, with fractions, as text. */
static void spans_are_matched_and_nested(void **state)
{
    (void)state;
    static const char text[] = "[" SPAN(2, 3.25, "in") "," END(20, "out") "," BEGIN("0", "out") "," SPAN(2, 3.25, "twin") "," BEGIN(10, "late") "," END(
        10, "late") ","
                    "{\"ph\":\"X\",\"pid\":\"1\",\"tid\":1,\"ts\":\"1.5e1\",\"tdur\":1,\"cat\":\"c\",\"name\":\"tail\"}," SPAN(19, 5, "over") "]";
    assay_profile *p = read_text(text, sizeof text - 1);
    assert_true(value_at(p, "wall", "/out") == 20 - 3.25 - 1 - 1);
    assert_true(value_at(p, "wall", "/out/in") == 0);
    assert_true(value_at(p, "wall", "/out/in/twin") == 3.25);
    assert_true(value_at(p, "wall", "/out/late") == 0);
    assert_true(value_at(p, "wall", "/out/tail") == 1);
    assert_true(value_at(p, "wall", "/out/over") == 1);
    assert_int_equal(count_of(p, "spans"), 6);
    assert_int_equal(count_of(p, "streams"), 1);
    assay_profile_release(p);
}

/* Chunks by the time of their events; a node of a chunk that was lost is unknown, and the last sample lasts as long as the others on average. */
static void embedded_profiles_are_joined(void **state)
{
    (void)state;
    static const char text[] = "[" CHUNK(30, "\"cpuProfile\":{\"samples\":[2,9]},\"timeDeltas\":[10,20]") "," CHUNK(
        20, "\"cpuProfile\":{\"nodes\":[" ROOT "," MAIN "],\"samples\":[2,1]},\"timeDeltas\":[5,15]") "]";
    assay_profile *p = read_text(text, sizeof text - 1);
    assert_true(value_at(p, "time", "/(root)/main") == 15 + 20); /* at 5 until 20, at 30 until 50 */
    assert_true(value_at(p, "time", "/(root)") == 10);
    assert_true(value_at(p, "time", "/(unknown)") == 15); /* (50 - 5) / 3 */
    assert_true(value_at(p, "samples", "/(root)/main") == 2);
    assert_int_equal(count_of(p, "embedded_profiles"), 1);
    assert_int_equal(count_of(p, "contexts"), 0);
    assay_profile_release(p);
}

/* ---- write, then read ---- */

struct text {
    char at[8192];
    size_t len;
};

static int take(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    assert_true(t->len + len < sizeof t->at);
    memcpy(t->at + t->len, data, len);
    t->len += len;
    return 0;
}

static assay_profile *write_and_read(const assay_profile *p)
{
    struct text out = { .len = 0 };
    struct assay_write_options o = { .size = sizeof o, .format = "chrome-trace" };
    assay_error err = { 0 };
    if (assay_write_fn(p, &o, take, &out, NULL, &err) != 0) fail_msg("%s", err.text);
    return read_text(out.at, out.len);
}

/* Spans with their arguments, async events, markers, counters and samples with a last one that lasts. */
static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    static const char text[] =
        "{\"traceEvents\":[{\"ph\":\"M\",\"pid\":7,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"main\"}},"
        "{\"ph\":\"X\",\"pid\":7,\"tid\":1,\"ts\":1.001,\"dur\":8,\"cat\":\"c\",\"name\":\"a\",\"args\":{\"k\":1,\"t\":\"x\",\"o\":{\"y\":[true,null]}}},"
        "{\"ph\":\"X\",\"pid\":7,\"tid\":1,\"ts\":2,\"dur\":3,\"name\":\"b\"},{\"ph\":\"i\",\"pid\":7,\"tid\":1,\"ts\":3,\"name\":\"mark\",\"cat\":\"c\"},"
        "{\"ph\":\"C\",\"pid\":7,\"ts\":3,\"name\":\"mem\",\"args\":{\"rss\":10.5,\"heap\":\"4\"}},"
        "{\"ph\":\"b\",\"pid\":7,\"tid\":1,\"ts\":1,\"cat\":\"n\",\"id\":1,\"name\":\"get\"},{\"ph\":\"e\",\"pid\":7,\"tid\":2,\"ts\":9,\"cat\":\"n\",\"id\":1,"
        "\"name\":\"get\"}],"
        "\"stackFrames\":{\"5\":{\"name\":\"f\",\"category\":\"js\"},\"6\":{\"name\":\"g\",\"category\":\"js\",\"parent\":5}},"
        "\"samples\":[{\"pid\":7,\"tid\":3,\"ts\":10,\"sf\":5,\"weight\":\"2\"},{\"pid\":7,\"tid\":3,\"ts\":12.5,\"sf\":6},{\"pid\":7,\"tid\":3,\"ts\":13},"
        "{\"pid\":7,\"tid\":3,\"ts\":20,\"sf\":6,\"weight\":0}]}";
    assay_profile *p = read_text(text, sizeof text - 1), *q = write_and_read(p);
    for (const assay_profile *x = p; x; x = x == p ? q : NULL) {
        const struct assay_timeline *t = assay_profile_timeline(x);
        assert_true(value_at(x, "wall", "/a") == 5 && value_at(x, "wall", "/a/b") == 3);
        assert_true(value_at(x, "time", "/f") == 2.5 && value_at(x, "samples", "/f") == 2);
        assert_true(value_at(x, "time", "/f/g") == 0.5 && value_at(x, "samples", "/f/g") == 1);
        assert_int_equal(count_of(x, "spans"), 2);
        assert_int_equal(count_of(x, "async_spans"), 1);
        assert_int_equal(count_of(x, "counters"), 2);
        assert_int_equal(count_of(x, "instants"), 1);
        assert_int_equal(assay_profile_markers(x)->time[0], 3000);
        assert_true(assay_profile_counters(x)->reading_value[0] == 10.5);
        assert_int_equal(t->time[t->begin[1]], 1001);
        assert_int_equal(t->duration[t->begin[1]], 8000);
        assert_int_equal(assay_profile_labels(x)->count, 3);
        assert_true(t->set[t->begin[1]].v != 0);
        for (uint32_t m = 1; m <= assay_profile_metrics(x)->count; m++) /* time without a stack counts as a whole */
            assert_true(assay_profile_metrics(x)->total_double[m] == (m == 1 ? 8 : m == 2 ? 4 : 10));
    }
    assay_profile_release(p);
    assay_profile_release(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),  cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(spans_are_matched_and_nested),        cmocka_unit_test(embedded_profiles_are_joined),
        cmocka_unit_test(what_is_written_reads_back_the_same),
    };
    return cmocka_run_group_tests_name("chrome-trace", tests, NULL, NULL);
}
