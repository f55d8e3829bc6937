/* Planted defects for the rules of OpenTelemetry profiles, mostly in JSON, which has the same checks as the binary form; what is read of every layout; and what
 * is written and read again. */
#include "../planted.h"
#include "harness.h"

/* ---- rules ---- */

#define PROFILE "\"sampleType\":{\"typeStrindex\":1,\"unitStrindex\":2},\"timeUnixNano\":\"100\",\"durationNano\":\"50\""
#define TABLES                                                                                                                                                 \
    "\"mappingTable\":[{},{\"memoryStart\":\"4096\",\"memoryLimit\":\"8192\",\"filenameStrindex\":5}],"                                                        \
    "\"locationTable\":[{},{\"mappingIndex\":1,\"address\":\"4112\",\"lines\":[{\"functionIndex\":1,\"line\":\"3\"}]},{\"mappingIndex\":1,\"address\":"        \
    "\"8191\"}],"                                                                                                                                              \
    "\"functionTable\":[{},{\"nameStrindex\":3,\"filenameStrindex\":4}],\"stackTable\":[{},{\"locationIndices\":[1]},{\"locationIndices\":[2,1]}],"            \
    "\"linkTable\":[{},{\"traceId\":\"000102030405060708090a0b0c0d0e0f\",\"spanId\":\"0001020304050607\"}],"                                                   \
    "\"attributeTable\":[{},{\"keyStrindex\":6,\"value\":{\"intValue\":\"1\"}},{\"keyStrindex\":6,\"value\":{\"intValue\":\"2\"}},{\"value\":{\"intValue\":"   \
    "\"1\"}}]"
#define STRINGS "\"stringTable\":[\"\",\"cpu\",\"ns\",\"main\",\"a.c\",\"app\",\"key\"]"
#define OTHERS "{\"stackIndex\":1,\"linkIndex\":1,\"values\":[1]},{\"stackIndex\":2,\"values\":[1]}"
#define FILE_OF(profile, samples, tables)                                                                                                                      \
    "{\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[{" profile ",\"samples\":[\n" samples "]}]}]}],\"dictionary\":{\n" tables "}}"
#define SAMPLE(...) FILE_OF(PROFILE, "@" __VA_ARGS__ "," OTHERS, TABLES "," STRINGS)
#define SOUND(...) FILE_OF(PROFILE, __VA_ARGS__ "," OTHERS, TABLES "," STRINGS)
#define TABLE(tables) FILE_OF(PROFILE, OTHERS, tables)
#define OF_PROFILE(more)                                                                                                                                       \
    "{\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[\n@{" more ",\"samples\":[" OTHERS "]}]}]}],\"dictionary\":{" TABLES "," STRINGS "}}"

static const struct defect defects[] = {
    { "J-1", E, FILE_OF(PROFILE, OTHERS, TABLES "," STRINGS ",\n@x") },
    { "OT03", E, "{\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[\n@{" PROFILE ",\"samples\":[" OTHERS "]}]}]}]}" },
    { "OT04", E, TABLE(TABLES ",\"stringTable\":[\n@\"x\",\"cpu\",\"ns\",\"main\",\"a.c\",\"app\",\"key\"]") },
    { "OT04", W, TABLE("\"stackTable\":[\n@{\"locationIndices\":[1]},{},{}]," STRINGS ",\"linkTable\":[{},{}],\"locationTable\":[{},{}]") },
    { "OT05", E, TABLE(TABLES "," STRINGS ",\"functionTable\":[\n@{\"nameStrindex\":7}]") },
    { "OT05", E, TABLE(TABLES "," STRINGS ",\"functionTable\":[\n@{\"nameStrindex\":-1}]") },
    { "OT06", E, SAMPLE("{\"stackIndex\":3,\"values\":[1]}") },
    { "OT06", E, SAMPLE("{\"stackIndex\":-1,\"values\":[1]}") },
    { "OT07", E, TABLE(TABLES "," STRINGS ",\"stackTable\":[\n@{\"locationIndices\":[3]}]") },
    { "OT07", E, TABLE(TABLES "," STRINGS ",\"locationTable\":[\n@{\"mappingIndex\":2}]") },
    { "OT07", E, TABLE(TABLES "," STRINGS ",\"locationTable\":[\n@{\"lines\":[{\"functionIndex\":2}]}]") },
    { "OT08", E, SAMPLE("{\"stackIndex\":1,\"attributeIndices\":[4],\"values\":[1]}") },
    { "OT08", E, TABLE(TABLES "," STRINGS ",\"locationTable\":[\n@{\"attributeIndices\":[9]}]") },
    { "OT08", E, OF_PROFILE(PROFILE ",\"attributeIndices\":[9]") },
    { "OT09", E, SAMPLE("{\"stackIndex\":1,\"linkIndex\":2,\"values\":[1]}") },
    { "OT10", E, SAMPLE("{\"stackIndex\":1}") },
    { "OT11", E, SAMPLE("{\"stackIndex\":1,\"values\":[1],\"timestampsUnixNano\":[\"101\",\"102\"]}") },
    { "OT12", W, OF_PROFILE(PROFILE ",\"samples\":[{\"timestampsUnixNano\":[\"101\"]}]") },
    { "OT13", W, SAMPLE("{\"stackIndex\":1,\"attributeIndices\":[1,2],\"values\":[1]}") },
    { "OT13", W, SAMPLE("{\"stackIndex\":1,\"attributeIndices\":[3],\"values\":[1]}") },
    { "OT14", W, SAMPLE("{\"stackIndex\":1,\"values\":[1],\"timestampsUnixNano\":[\"150\"]}") },
    { "OT14", W, SAMPLE("{\"stackIndex\":1,\"values\":[1],\"timestampsUnixNano\":[\"99\"]}") },
    { "OT14", W, OF_PROFILE(PROFILE ",\"durationNano\":\"400000000000000000\"") },
    { "OT15", W, OF_PROFILE("\"timeUnixNano\":\"1\"") },
    { "OT15", W, OF_PROFILE("\"sampleType\":{}") },
    { "OT15", W, OF_PROFILE(PROFILE ",\"period\":\"7\"") },
    { "OT16", E, TABLE(TABLES "," STRINGS ",\"linkTable\":[{\"traceId\":\n@\"000102030405060708090a0b0c0d0e0g\"}]") },
    { "OT16", E, TABLE(TABLES "," STRINGS ",\"linkTable\":[{\"spanId\":\n@\"00\"}]") },
    { "OT16", E, FILE_OF(PROFILE ",\"originalPayload\":\n@\"a*\"", OTHERS, TABLES "," STRINGS) },
    { "OT17", E, FILE_OF(PROFILE, "{\"stackIndex\":\n@1.5,\"values\":[1]}", TABLES "," STRINGS) },
    { "OT17", E, FILE_OF(PROFILE, "{\"stackIndex\":\n@4294967296,\"values\":[1]}", TABLES "," STRINGS) },
    { "OT17", E, FILE_OF(PROFILE, "{\"stackIndex\":1,\"values\":[\n@\"x\"]}", TABLES "," STRINGS) },
    { "OT17", E, FILE_OF(PROFILE, "{\"stackIndex\":1,\"values\":[\n@[1]]}", TABLES "," STRINGS) },
    { "OT17", E, TABLE("\"stringTable\":[\"\",\n@7]") },
    { "OT17", E, TABLE(TABLES "," STRINGS ",\"functionTable\":[\n@7]") },
    { "OT17", I, FILE_OF("\"sample_type\":{\"typeStrindex\":1}", OTHERS, TABLES "," STRINGS) },
    { "OT18", I, FILE_OF(PROFILE, "{\"stackIndex\":1,\"values\":[1]}", TABLES "," STRINGS) },
    { "OT18", I, TABLE(TABLES ",\"stringTable\":[\"\",\"cpu\",\"ns\",\"main\",\"a.c\",\"app\",\"app\"]") },
    { "OT19", W, OF_PROFILE(PROFILE ",\"originalPayloadFormat\":\"jfr\"") },
    { "OT19", W, OF_PROFILE(PROFILE ",\"originalPayload\":\"AAAA\"") },
    { "OT19", I, OF_PROFILE(PROFILE ",\"originalPayload\":\"AAAA\",\"originalPayloadFormat\":\"jfr\"") },
    { "OT20", W, TABLE(TABLES "," STRINGS ",\"functionTable\":[\n@{}]") },
    { "OT20", W, TABLE(TABLES "," STRINGS ",\"locationTable\":[\n@{\"mappingIndex\":1,\"address\":\"8192\"}]") },
    { "OT21", W, OF_PROFILE(PROFILE ",\"profileId\":\"AAEC\"") },
    { "OT21", W, OF_PROFILE(PROFILE ",\"profileId\":\"00000000000000000000000000000000\"") },
    { "OT22", I, FILE_OF(PROFILE ",\"colour\":{\"red\":[1]}", OTHERS, TABLES "," STRINGS) },
    { "OT23", W, TABLE(TABLES ",\"stringTable\":[\"\",\"cpu\",\"ns\",\"main\",\"a.c\",\"app\",\"\xff\"]") },
    { "OT24", W, FILE_OF(PROFILE, "", TABLES "," STRINGS) },
};

static const struct defect sound[] = {
    { "OT03", E, "{\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[{" PROFILE "}]}]}]}" },
    { "OT04", W, TABLE(TABLES "," STRINGS) },
    { "OT05", E, TABLE(TABLES "," STRINGS ",\"functionTable\":[{\"nameStrindex\":6}]") },
    { "OT06", E, SOUND("{\"stackIndex\":2,\"values\":[1]},{\"values\":[1]}") },
    { "OT07", E,
      TABLE(TABLES "," STRINGS ",\"stackTable\":[{\"locationIndices\":[2]}],\"locationTable\":[{\"mappingIndex\":1,\"lines\":[{\"functionIndex\":1},{}]}]") },
    { "OT08", E, SOUND("{\"stackIndex\":1,\"attributeIndices\":[3,0],\"values\":[1]}") },
    { "OT09", E, SOUND("{\"stackIndex\":1,\"linkIndex\":0,\"values\":[1]}") },
    { "OT10", E, SOUND("{\"stackIndex\":1,\"timestampsUnixNano\":[101]}") },
    { "OT11", E, SOUND("{\"stackIndex\":1,\"values\":[1,2],\"timestampsUnixNano\":[\"101\",\"102\"]},{\"values\":[1,2]}") },
    { "OT12", W, SOUND("{\"values\":[1,2]}") },
    { "OT13", W, SOUND("{\"stackIndex\":1,\"attributeIndices\":[1],\"values\":[1]}") },
    { "OT14", W, SOUND("{\"values\":[1],\"timestampsUnixNano\":[\"100\"]},{\"values\":[1],\"timestampsUnixNano\":[\"149\"]}") },
    { "OT15", W, OF_PROFILE(PROFILE ",\"period\":\"7\",\"periodType\":{}") },
    { "OT16", E, TABLE(TABLES "," STRINGS ",\"linkTable\":[{\"traceId\":\"000102030405060708090A0B0C0D0E0F\",\"spanId\":\"\"}]") },
    { "OT16", E, FILE_OF(PROFILE ",\"originalPayload\":\"_-8=\",\"originalPayloadFormat\":\"x\"", OTHERS, TABLES "," STRINGS) },
    { "OT17", E, SOUND("{\"stackIndex\":\"1\",\"values\":[1e3,5.0,\"-7\"],\"linkIndex\":null}") },
    { "OT18", I, TABLE(TABLES "," STRINGS) },
    { "OT20", W, TABLE(TABLES "," STRINGS) },
    { "OT21", W, OF_PROFILE(PROFILE ",\"profileId\":\"000102030405060708090a0b0c0d0e0f\"") },
    { "OT21", W, OF_PROFILE(PROFILE ",\"profileId\":\"AAECAwQFBgcICQoLDA0ODw==\"") },
    { "OT22", I, TABLE(TABLES "," STRINGS) },
    { "OT23", W, TABLE(TABLES ",\"stringTable\":[\"\",\"cpu\",\"ns\",\"main\",\"a.c\",\"app\",\"\xc3\xa4\"]") },
    { "OT24", W, TABLE(TABLES "," STRINGS) },
};

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct planted p = plant(defects[i].text);
        struct checked c;
        const assay_finding *f = NULL;
        check_text(&c, "otlp-profiles", p.text, p.len);
        for (size_t k = 0; k < c.found.list.len && !f; k++)
            if (strcmp(c.found.list.at[k].rule, defects[i].rule) == 0 && c.found.list.at[k].severity == defects[i].severity) f = &c.found.list.at[k];
        if (!f) fail_msg("defect %zu: no %s in:\n%s", i, defects[i].rule, p.text);
        if (p.has_place && f->offset != p.off)
            fail_msg("defect %zu: %s at %llu, not %llu", i, f->rule, (unsigned long long)f->offset, (unsigned long long)p.off);
        read_strictly("otlp-profiles", &p, &c);
        check_done(&c);
    }
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("otlp-profiles", sound, sizeof sound / sizeof *sound);
}

/* ---- files of the corpus, which is made by a script ---- */

struct bytes {
    unsigned char at[65536];
    size_t len;
};

static void load(struct bytes *b, const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/%s/%s", harness_source(), folder, name);
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("cannot open %s", path);
    b->len = fread(b->at, 1, sizeof b->at, f);
    fclose(f);
    assert_in_range(b->len, 1, sizeof b->at - 1);
}

static assay_profile *read_bytes(const struct bytes *b, uint32_t want)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    struct assay_read_options o = { .want = want };
    if (assay_read_memory(b->at, b->len, "x", &o, &p, &err) != 0) fail_msg("%s", err.text);
    assert_string_equal(assay_profile_format(p), "otlp-profiles");
    return p;
}

static uint32_t metric(const assay_profile *p, const char *name)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    for (uint32_t i = 1; i <= m->count; i++)
        if (strcmp(assay_profile_string(p, m->name[i]).data, name) == 0) return i;
    fail_msg("no metric %s", name);
    return 0;
}

static void every_layout_is_told_and_read(void **state)
{
    /* as tests/data/make-otlp.py writes them */
    static const struct {
        const char *file, *version, *metrics[2];
        uint64_t totals[2];
        uint64_t events;
    } files[] = {
        { "1.3", "1.3", { "samples", "cpu" }, { 3, 30 }, 4 },         { "1.4", "1.4", { "samples", "cpu" }, { 3, 30 }, 4 },
        { "1.6", "1.6", { "samples", "cpu" }, { 3, 30 }, 4 },         { "1.7", "1.7", { "samples", "cpu" }, { 3, 30 }, 4 },
        { "1.8", "1.8", { "samples", "off_cpu" }, { 6, 1500 }, 7 },   { "1.9", "1.9", { "samples", "off_cpu" }, { 6, 1500 }, 7 },
        { "1.10", "1.10", { "samples", "off_cpu" }, { 6, 1500 }, 7 }, { "dictionary-first", "1.10", { "samples", "off_cpu" }, { 6, 1500 }, 7 },
        { "framed", "1.10", { "samples", "cpu" }, { 9, 30 }, 11 },    { "json", "1.10", { "cpu", "cpu" }, { 35, 35 }, 2 },
        { "json-lines", "1.10", { "cpu", "cpu" }, { 70, 70 }, 4 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct bytes b;
        load(&b, "fuzz/corpus/otlp-profiles", files[i].file);
        assay_profile *p = read_bytes(&b, ASSAY_WANT_ALL);
        assert_string_equal(assay_profile_version(p), files[i].version);
        for (int k = 0; k < 2; k++) assert_int_equal(assay_profile_metrics(p)->total[metric(p, files[i].metrics[k])].low, files[i].totals[k]);
        assert_int_equal(assay_profile_timeline(p)->count, files[i].events);
        assay_profile_release(p);
    }
}

static void the_layout_can_be_given(void **state)
{
    (void)state;
    struct bytes b;
    struct assay_option own = { "layout", "1.9" };
    struct assay_read_options o = { .size = sizeof o, .want = ASSAY_WANT_ALL, .options = &own, .option_count = 1 };
    assay_profile *p = NULL;
    load(&b, "fuzz/corpus/otlp-profiles", "1.10");
    assert_int_equal(assay_read_memory(b.at, b.len, "x", &o, &p, NULL), 0);
    assert_string_equal(assay_profile_version(p), "1.9");
    assert_int_not_equal(assay_profile_metrics(p)->total[metric(p, "off_cpu")].low, 1500);
    assay_profile_release(p);
}

/* Stack 1 is serve, inlined into main; threads are streams, other attributes labels, and the link two of them. */
static void streams_labels_and_times_are_read(void **state)
{
    (void)state;
    struct bytes b;
    load(&b, "data", "demo.otlp-profiles");
    assay_profile *p = read_bytes(&b, ASSAY_WANT_ALL);
    const struct assay_streams *s = assay_profile_streams(p);
    const struct assay_labels *l = assay_profile_labels(p);
    const struct assay_timeline *t = assay_profile_timeline(p);
    assert_int_equal(s->count, 2); /* the thread, and the process where no thread is said */
    assert_string_equal(assay_profile_string(p, s->label[1]).data, "worker");
    assert_string_equal(assay_profile_string(p, s->label[2]).data, "shop");
    assert_int_equal(s->tuple_count, 3);
    assert_int_equal(s->tuple_logical[0], 1200);
    assert_int_equal(s->tuple_logical[1], 7);
    unsigned links = 0, units = 0;
    for (uint32_t i = 1; i <= l->count; i++) {
        links += strcmp(assay_profile_string(p, l->key[i]).data, "trace_id") == 0 &&
                 strcmp(assay_profile_string(p, l->text[i]).data, "0102030405060708090a0b0c0d0e0f10") == 0;
        units += l->unit[i].v && l->number[i] == 4096;
    }
    assert_int_equal(links, 1);
    assert_int_equal(units, 1);
    assert_int_equal(t->time[t->begin[1]], 1700000000000000001);
    assert_int_equal(assay_profile_metrics(p)->is_default[metric(p, "samples")], 1);
    assert_string_equal(assay_profile_string(p, assay_profile_modules(p)->build_id[1]).data, "0123abcd");
    assay_profile_release(p);
}

static void what_cannot_be_told_is_said(void **state)
{
    /* field 2 of the sample may be a value or an attribute: one time, one small number */
    static const unsigned char bytes[] = { 0x0a, 0x1d, 0x12, 0x1b, 0x12, 0x19, 0x0a, 0x04, 0x08, 1,    0x10, 2,    0x12, 0x11, 0x08, 1,
                                           0x12, 1,    1,    0x2a, 8,    5,    0,    0,    0,    0,    0,    0,    0,    0x18, 0,    0x12,
                                           0x1e, 0x2a, 0,    0x2a, 1,    'c',  0x2a, 1,    'n',  0x32, 0,    0x32, 2,    0x08, 1,    0x3a,
                                           0,    0x3a, 3,    0x0a, 1,    1,    0x12, 0,    0x12, 0,    0x1a, 0,    0x22, 0 };
    (void)state;
    struct checked c;
    check_text(&c, "otlp-profiles", bytes, sizeof bytes);
    const assay_finding *f = found_rule(&c, "OT02");
    assert_non_null(f);
    assert_int_equal(f->severity, ASSAY_WARNING);
    check_done(&c);
    struct bytes whole;
    load(&whole, "data", "demo.otlp-profiles");
    check_text(&c, "otlp-profiles", whole.at, whole.len);
    assert_null(found_rule(&c, "OT02"));
    check_done(&c);
}

static void a_message_that_is_cut_is_read_as_far_as_it_goes(void **state)
{
    (void)state;
    struct bytes b;
    struct checked c;
    load(&b, "data", "demo.otlp-profiles");
    check_text(&c, "otlp-profiles", b.at, b.len);
    assert_null(found_rule(&c, "OT01"));
    check_done(&c);
    check_text(&c, "otlp-profiles", b.at, b.len - 1);
    const assay_finding *f = found_rule(&c, "OT01");
    assert_non_null(f);
    assert_int_equal(f->severity, ASSAY_ERROR);
    check_done(&c);
    b.len--;
    assay_profile *p = read_bytes(&b, ASSAY_WANT_ALL);
    assert_int_equal(assay_profile_metrics(p)->total[metric(p, "off_cpu")].low, 1500);
    assay_profile_release(p);
}

static unsigned saturated(const char *value, uint64_t total)
{
    struct planted text = { .len = 0 };
    size_t count;
    unsigned found = 0;
    text.len = (size_t)snprintf(text.text, sizeof text.text, FILE_OF(PROFILE, "{\"stackIndex\":1,\"values\":[\"%s\",10]}", TABLES "," STRINGS), value);
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text.text, text.len, "x", &(struct assay_read_options){ .want = ASSAY_WANT_ALL }, &p, NULL), 0);
    const assay_finding *w = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++) found += strcmp(w[i].rule, "OT25") == 0;
    assert_int_equal(assay_profile_metrics(p)->total[1].low, total);
    assay_profile_release(p);
    return found;
}

static void sums_that_are_too_large_are_told(void **state)
{
    (void)state;
    assert_int_equal(saturated("9223372036854775807", INT64_MAX), 1);
    assert_int_equal(saturated("9223372036854775797", INT64_MAX), 0);
}

/* ---- writing ---- */

static int collect(void *arg, const char *data, size_t len)
{
    struct bytes *b = arg;
    if (b->len + len > sizeof b->at) return 1;
    memcpy(b->at + b->len, data, len);
    b->len += len;
    return 0;
}

static void write_as(const assay_profile *p, const char *version, struct bytes *out)
{
    struct assay_write_options w = { .size = sizeof w, .format = version };
    assay_error err = { 0 };
    out->len = 0;
    if (assay_write_fn(p, &w, collect, out, NULL, &err) != 0) fail_msg("%s", err.text);
}

/* Counts are those of the file: what is written once has the counts of what is written again. */
static void what_is_written_reads_back_equal(void **state)
{
    static const char *const files[] = { "1.4", "1.7", "framed", "1.8", "1.10", "json" };
    (void)state;
    static struct bytes b, first, second;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        /* in old layouts some samples have times and some have none, which is not written */
        const uint32_t want = ASSAY_WANT_TREE | ASSAY_WANT_LABELS | (i < 3 ? 0 : ASSAY_WANT_TIMELINE);
        load(&b, "fuzz/corpus/otlp-profiles", files[i]);
        assay_profile *p = read_bytes(&b, want);
        for (int k = 0; k < 2; k++) {
            char why[512] = "";
            const char *version = k ? "otlp-profiles:1.10-json" : "otlp-profiles:1.10";
            write_as(p, version, &first);
            assay_profile *q = read_bytes(&first, want);
            if (assay_profile_equal(p, q, why, sizeof why, NULL) != 0 && strncmp(why, "count", 5) != 0) fail_msg("%s as %s: %s", files[i], version, why);
            write_as(q, version, &second);
            assay_profile *r = read_bytes(&second, want);
            if (assay_profile_equal(q, r, why, sizeof why, NULL) != 0) fail_msg("%s as %s, again: %s", files[i], version, why);
            assert_int_equal(first.len, second.len);
            assert_memory_equal(first.at, second.at, first.len);
            assay_profile_release(q);
            assay_profile_release(r);
        }
        assay_profile_release(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(every_layout_is_told_and_read),
        cmocka_unit_test(the_layout_can_be_given),
        cmocka_unit_test(streams_labels_and_times_are_read),
        cmocka_unit_test(what_cannot_be_told_is_said),
        cmocka_unit_test(a_message_that_is_cut_is_read_as_far_as_it_goes),
        cmocka_unit_test(what_is_written_reads_back_equal),
        cmocka_unit_test(sums_that_are_too_large_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
