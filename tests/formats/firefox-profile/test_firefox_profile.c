/* Planted defects for the rules of the Firefox Profiler's processed profiles; times, markers and counters; what is written and read again. */
#include "../planted.h"

#define META "{\"meta\":{\"preprocessedProfileVersion\":70,\"interval\":1,\"categories\":[{\"name\":\"Other\",\"color\":\"grey\"},{\"name\":\"Layout\"}]},\n"
#define NAMES "\"funcTable\":{\"length\":2,\"name\":[0,1],\"resource\":[-1,-1]},\"stringArray\":[\"a\",\"b\",\"mark\"]"
#define FRAMES "\"frameTable\":{\"length\":2,\"func\":[0,1]},"
#define STACKS "\"stackTable\":{\"length\":2,\"frame\":[0,1],\"prefixOffset\":[0,1]},"
#define SHARED "\"shared\":{" STACKS FRAMES NAMES "},\n"
#define BEGIN META SHARED "\"threads\":[{\"name\":\"t\",\"samples\":"
#define SAMPLES "{\"length\":2,\"stack\":[1,0],\"time\":[1,2]}"
#define END "}]}"

static const struct defect defects[] = {
    { "J-1", E, BEGIN SAMPLES "\n@" },
    { "J-2", E, BEGIN "{\"length\":1,\"stack\":[\n@\"0\"],\"time\":[1]}" END },
    { "J-2", E, BEGIN "\n@7" END },
    { "J-2", E,
      META "\"shared\":{\"stringArray\":[\n@1]},"
           "\"threads\":[]}" },
    { "J-3", E, BEGIN "\n@{\"stack\":[0]}" END },
    { "J-3", E, BEGIN "\n@{\"length\":1,\"time\":[1]}" END },
    { "J-3", E, META SHARED "\"threads\":[]}" },
    { "J-3", E, META SHARED "\"threads\":[\n@{\"name\":\"t\"}]}" },
    { "FX01", E, BEGIN "{\"length\":2,\n@\"stack\":[0],\"time\":[1,2]}" END },
    { "FX01", E, BEGIN "{\n@\"time\":[1],\"stack\":[0,1],\"length\":2}" END },
    { "FX01", E,
      META "\"shared\":{\"stackTable\":{\n@\"frame\":[0],\"prefixOffset\":[0,1],\"length\":2}," FRAMES NAMES "},\"threads\":[{\"samples\":" SAMPLES END },
    { "FX02", E,
      META "\"shared\":{\"stackTable\":{\"length\":2,\"frame\":[0,1],\"prefixOffset\":[0,\n@2]}," FRAMES NAMES "},\"threads\":[{\"samples\":" SAMPLES END },
    { "FX02", E,
      META "\"shared\":{\"stackTable\":{\"length\":2,\"frame\":[0,1],\"prefix\":[null,\n@1]}," FRAMES NAMES "},\"threads\":[{\"samples\":" SAMPLES END },
    { "FX02", E,
      META "\"shared\":{\"stackTable\":{\"length\":2,\"frame\":[0,1],\"prefixOffset\":[0,\n@0.5]}," FRAMES NAMES "},\"threads\":[{\"samples\":" SAMPLES END },
    { "FX03", E, BEGIN "{\"length\":2,\"stack\":[1,\n@2],\"time\":[1,2]}" END },
    { "FX03", E, BEGIN "{\"length\":2,\"stack\":[1,\n@1e99],\"time\":[1,2]}" END },
    { "FX03", E,
      META "\"shared\":{\"stackTable\":{\"length\":2,\"frame\":[0,\n@2],\"prefixOffset\":[0,1]}," FRAMES NAMES "},\"threads\":[{\"samples\":" SAMPLES END },
    { "FX03", E,
      META "\"shared\":{\"stackTable\":{\"length\":2,\"frame\":[0,\n@null],\"prefixOffset\":[0,1]}," FRAMES NAMES "},\"threads\":[{\"samples\":" SAMPLES END },
    { "FX03", E, META "\"shared\":{" STACKS "\"frameTable\":{\"length\":2,\"func\":[0,\n@7]}," NAMES "},\"threads\":[{\"samples\":" SAMPLES END },
    { "FX03", E,
      META "\"shared\":{" STACKS FRAMES "\"funcTable\":{\"length\":2,\"name\":[0,\n@1]},\"stringArray\":[\"a\"]},\"threads\":[{\"samples\":" SAMPLES END },
    { "FX03", E, BEGIN SAMPLES ",\"markers\":{\"length\":1,\"name\":[\n@3],\"startTime\":[1]}" END },
    { "FX04", W,
      "{\"meta\":\n@{\"preprocessedProfileVersion\":70,\"categories\":[{\"name\":\"Other\",\"color\":\"blue\"}]}," SHARED
      "\"threads\":[{\"samples\":" SAMPLES END },
    { "FX05", W, "{\"meta\":{\"categories\":[{\"color\":\"grey\"}],\"preprocessedProfileVersion\":\n@71}," SHARED "\"threads\":[{\"samples\":" SAMPLES END },
    { "FX06", W, BEGIN "{\"length\":0,\"stack\":[],\"weightType\":\n@\"stones\"}" END },
    { "FX07", W, BEGIN "{\"length\":2,\"stack\":[0,1],\"time\":[2,\n@1]}" END },
    { "FX07", W, BEGIN "{\"length\":2,\"stack\":[0,1],\"timeDeltas\":[2,\n@-1]}" END },
};

static const struct defect sound[] = {
    { "J-3", E, BEGIN "{\"length\":0,\"time\":[]}" END },
    { "FX01", E, BEGIN "{\"length\":1,\"stack\":[0,1,1],\"time\":[1,2]}" END },
    { "FX02", E,
      META "\"shared\":{\"stackTable\":{\"length\":2,\"frame\":[0,1],\"prefix\":[null,0]}," FRAMES NAMES "},\"threads\":[{\"samples\":" SAMPLES END },
    { "FX02", E, BEGIN SAMPLES END },
    { "FX03", E, BEGIN "{\"length\":2,\"stack\":[1,null],\"time\":[1,2]}" END },
    { "FX03", E, BEGIN SAMPLES ",\"markers\":{\"length\":1,\"name\":[2],\"startTime\":[1]}" END },
    { "FX04", W, BEGIN SAMPLES END },
    { "FX04", W, "{\"meta\":{\"preprocessedProfileVersion\":11}," SHARED "\"threads\":[{\"samples\":" SAMPLES END },
    { "FX05", W, BEGIN SAMPLES END },
    { "FX06", W, BEGIN "{\"length\":0,\"stack\":[],\"weightType\":\"bytes\"}" END },
    { "FX07", W, BEGIN "{\"length\":2,\"stack\":[0,1],\"time\":[2,2]}" END },
    { "FX07", W, BEGIN "{\"length\":2,\"stack\":[0,1],\"timeDeltas\":[-2,0]}" END },
};

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct planted p = plant(defects[i].text);
        struct checked c;
        check_text(&c, "firefox-profile", p.text, p.len);
        const assay_finding *f = found_rule(&c, defects[i].rule);
        if (!f) fail_msg("defect %zu: no %s", i, defects[i].rule);
        assert_int_equal(f->severity, defects[i].severity);
        if (p.has_place && (f->offset != p.off || f->line != p.line))
            fail_msg("defect %zu: %s at %llu in line %llu, not %llu in line %llu", i, f->rule, (unsigned long long)f->offset, (unsigned long long)f->line,
                     (unsigned long long)p.off, (unsigned long long)p.line);
        read_strictly("firefox-profile", &p, &c);
        check_done(&c);
    }
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("firefox-profile", sound, sizeof sound / sizeof *sound);
}

/* ---- times, markers, counters ---- */

static const char everything[] = META SHARED
    "\"counters\":[{\"name\":\"malloc\",\"category\":\"Memory\",\"mainThreadIndex\":0,\"samples\":{\"length\":2,\"time\":[1,3],\"count\":[10,-4],\"number\":[1,"
    "2]}}],"
    "\"threads\":[{\"name\":\"t\",\"pid\":\"5\",\"tid\":6,\"samples\":{\"length\":3,\"stack\":[1,null,0],\"timeDeltas\":[1.5,0.25,2],\"weight\":[2,1,4],"
    "\"weightType\":\"samples\"},\"nativeAllocations\":{\"length\":1,\"time\":[1],\"stack\":[1],\"weight\":[64],\"weightType\":\"bytes\"},"
    "\"markers\":{\"length\":4,\"name\":[2,0,2,2],\"phase\":[2,1,3,0],\"startTime\":[1,2,null,6.5],\"endTime\":[null,3,5,null],\"category\":[1,0,1,0],"
    "\"data\":[{\"type\":\"Log\",\"name\":\"hello\",\"n\":7},null,null,{\"type\":\"Log\",\"x\":1.5,\"ok\":true}]}" END;

static assay_profile *read_text(const char *text, size_t len)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .size = sizeof o, .want = ASSAY_WANT_TREE | ASSAY_WANT_TIMELINE };
    assay_error err = { 0 };
    if (assay_read_memory(text, len, "x", &o, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

static void text_is(const assay_profile *p, assay_str_id id, const char *want)
{
    assay_slice text = assay_profile_string(p, id);
    assert_int_equal(text.len, strlen(want));
    assert_memory_equal(text.data, want, text.len);
}

/* The label of a set with this key; 0 = none. */
static uint32_t label_of(const assay_profile *p, assay_set_id set, const char *key)
{
    const struct assay_labels *l = assay_profile_labels(p);
    for (uint32_t s = set.v; s; s = l->set_rest[s].v)
        if (strcmp(assay_profile_string(p, l->key[l->set_label[s].v]).data, key) == 0) return l->set_label[s].v;
    return 0;
}

static void is_everything(const assay_profile *p)
{
    const struct assay_timeline *t = assay_profile_timeline(p);
    const struct assay_markers *m = assay_profile_markers(p);
    const struct assay_counters *c = assay_profile_counters(p);
    const struct assay_labels *l = assay_profile_labels(p);
    static const int64_t times[] = { 1500000, 1750000, 3750000 };
    assert_int_equal(t->count, 3);
    assert_memory_equal(t->time, times, sizeof times);
    assert_int_equal(t->node[1].v, 0);
    assert_true(t->node[0].v && t->node[2].v && t->node[0].v != t->node[2].v);
    assert_int_equal(t->weight[0].i, 2);
    assert_int_equal(t->weight[2].i, 4);
    assert_int_equal(assay_profile_metrics(p)->count, 2);
    assert_true(assay_profile_metrics(p)->total_double[1] == 6); /* a sample without a stack is idle */
    assert_true(assay_profile_metrics(p)->total_double[2] == 64);
    /* The first one ends where the third begins: an end belongs to the last start of its name. */
    assert_int_equal(m->count, 3);
    text_is(p, m->name[0], "mark");
    text_is(p, m->category[0], "Layout");
    text_is(p, m->text[0], "hello");
    assert_int_equal(m->time[0], 1000000);
    assert_int_equal(m->duration[0], 4000000);
    assert_int_equal(m->duration[1], 1000000);
    assert_int_equal(m->time[2], 6500000);
    assert_int_equal(m->duration[2], 0);
    assert_int_equal(l->number[label_of(p, m->set[0], "n")], 7);
    assert_int_equal(label_of(p, m->set[0], "name"), 0);
    assert_true(l->real[label_of(p, m->set[2], "x")] == 1.5);
    assert_int_equal(l->kind[label_of(p, m->set[2], "ok")], ASSAY_LABEL_BOOLEAN);
    text_is(p, l->text[label_of(p, m->set[2], "type")], "Log");
    assert_int_equal(c->count, 2);
    text_is(p, c->name[1], "malloc");
    text_is(p, c->unit[1], "bytes");
    text_is(p, c->series[2], "number");
    assert_int_equal(c->reading_count, 4);
    assert_int_equal(c->reading_time[1], 3000000);
    assert_true(c->reading_value[1] == -4 && c->reading_value[3] == 2);
    assert_int_equal(assay_profile_streams(p)->tuple_physical[0], 5);
    assert_int_equal(assay_profile_streams(p)->tuple_physical[1], 6);
}

static void times_markers_and_counters_are_read(void **state)
{
    (void)state;
    assay_profile *p = read_text(everything, sizeof everything - 1);
    is_everything(p);
    assay_profile_release(p);
}

struct text {
    char at[16384];
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

static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    assay_profile *p = read_text(everything, sizeof everything - 1);
    struct text out = { .len = 0 };
    struct assay_write_options o = { .size = sizeof o, .format = "firefox-profile", .strict = true };
    assert_int_equal(assay_write_fn(p, &o, take, &out, NULL, NULL), 0);
    assay_profile *q = read_text(out.at, out.len);
    is_everything(q);
    assay_profile_release(p);
    assay_profile_release(q);
}

/* A thread with an error is left out, and the others are read. */
static void a_damaged_thread_is_left_out(void **state)
{
    (void)state;
    static const char text[] = BEGIN "{\"length\":1,\"stack\":[9],\"time\":[1]}},{\"name\":\"good\",\"samples\":" SAMPLES END;
    assay_profile *p = read_text(text, sizeof text - 1);
    assert_int_equal(assay_profile_streams(p)->count, 1);
    text_is(p, assay_profile_streams(p)->label[1], "good");
    assert_true(assay_profile_metrics(p)->total_double[1] == 2);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),  cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(times_markers_and_counters_are_read), cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(a_damaged_thread_is_left_out),
    };
    return cmocka_run_group_tests_name("firefox-profile", tests, NULL, NULL);
}
