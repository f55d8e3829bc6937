/* Planted defects for the rules of speedscope's files, and what is written and read again. */
#include "../planted.h"

#define BEGIN "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"}]},\"profiles\":[\n"
#define END "\n]}"
#define SAMPLED "{\"type\":\"sampled\",\"name\":\"p\",\"unit\":\"none\",\"startValue\":0,\"endValue\":3,\n"
#define EVENTED "{\"type\":\"evented\",\"name\":\"p\",\"unit\":\"none\",\"startValue\":0,\"endValue\":9,\"events\":[\n"

static const struct defect defects[] = {
    { "J-1", E, BEGIN SAMPLED "\"samples\":[[0],[1]],\n@" },
    { "J-2", E, BEGIN "@7" END },
    { "J-2", E, BEGIN SAMPLED "\"samples\":[[\n@1.5]],\"weights\":[1]}" END },
    { "J-2", E, BEGIN SAMPLED "\"samples\":[[\n@true]],\"weights\":[1]}" END },
    { "J-3", E, BEGIN "@{\"name\":\"p\"}" END },
    { "J-3", E, BEGIN EVENTED "@{\"type\":\"O\",\"at\":3}]}" END },
    { "SP01", E, BEGIN SAMPLED "\"samples\":[[0],[1]],\n@\"weights\":[1]}" END },
    { "SP01", E, BEGIN "@{\"type\":\"sampled\",\"samples\":[[0]]}" END },
    { "SP02", E, BEGIN EVENTED "{\"type\":\"O\",\"frame\":0,\"at\":5},\n@{\"type\":\"C\",\"frame\":0,\"at\":4}]}" END },
    { "SP03", E, BEGIN EVENTED "{\"type\":\"O\",\"frame\":0,\"at\":5},\n@{\"type\":\"C\",\"frame\":1,\"at\":6}]}" END },
    { "SP03", E, BEGIN EVENTED "@{\"type\":\"C\",\"frame\":1,\"at\":6}]}" END },
    { "SP04", W, BEGIN EVENTED "@{\"type\":\"O\",\"frame\":0,\"at\":5}]}" END },
    { "SP05", E, BEGIN "{\"type\":\n@\"flat\"}" END },
    { "SP06", W, BEGIN "{\"type\":\"evented\",\"events\":[],\"unit\":\n@\"fortnights\"}" END },
    { "SP07", E, BEGIN SAMPLED "\"samples\":[[0,\n@2]],\"weights\":[1]}" END },
    { "SP08", E, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"profiles\":[]}" },
};

static const struct defect sound[] = {
    { "SP01", E, BEGIN SAMPLED "\"weights\":[],\"samples\":[]}" END },
    { "SP02", E, BEGIN EVENTED "{\"type\":\"O\",\"frame\":0,\"at\":-5},{\"type\":\"C\",\"frame\":0,\"at\":-5}]}" END },
    { "SP03", E, BEGIN EVENTED "{\"type\":\"O\",\"frame\":0,\"at\":5},{\"type\":\"C\",\"frame\":0,\"at\":6}]}" END },
    { "SP04", W, BEGIN EVENTED "]}" END },
    { "SP06", W, BEGIN SAMPLED "\"weights\":[],\"samples\":[]}" END },
    { "SP07", E, BEGIN SAMPLED "\"samples\":[[0,1]],\"weights\":[1]}" END },
};

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct planted p = plant(defects[i].text);
        struct checked c;
        check_text(&c, "speedscope", p.text, p.len);
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
    near_misses_are_not_reported("speedscope", sound, sizeof sound / sizeof *sound);
}

/* ---- write, then read ---- */

static assay_profile *read_text(const char *text, size_t len)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .size = sizeof o, .want = ASSAY_WANT_TREE | ASSAY_WANT_TIMELINE };
    assay_error err = { 0 };
    if (assay_read_memory(text, len, "x", &o, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

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

/* Samples stay in their order, with their weights and the idle one; spans stay spans; a frame that is listed twice is one function. */
static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    static const char text[] = BEGIN
        "{\"type\":\"sampled\",\"name\":\"s\",\"unit\":\"milliseconds\",\"startValue\":2,\"endValue\":9,\"samples\":[[0,1],[],[0],[0,1]],\"weights\":[1,2,3,0."
        "25]},"
        "{\"type\":\"evented\",\"name\":\"e\",\"unit\":\"milliseconds\",\"startValue\":0,\"endValue\":9,\"events\":[{\"type\":\"O\",\"frame\":0,\"at\":1},"
        "{\"type\":\"O\",\"frame\":1,\"at\":1},{\"type\":\"C\",\"frame\":1,\"at\":1},{\"type\":\"O\",\"frame\":1,\"at\":2},{\"type\":\"C\",\"frame\":1,\"at\":"
        "3.5},"
        "{\"type\":\"C\",\"frame\":0,\"at\":4}]}" END;
    assay_profile *p = read_text(text, sizeof text - 1);
    struct text out = { .len = 0 };
    struct assay_write_options o = { .size = sizeof o, .format = "speedscope" };
    assert_int_equal(assay_write_fn(p, &o, take, &out, NULL, NULL), 0);
    assay_profile *q = read_text(out.at, out.len);
    const struct assay_timeline *a = assay_profile_timeline(p), *b = assay_profile_timeline(q);
    assert_int_equal(a->count, 4 + 3);
    assert_int_equal(a->count, b->count);
    for (uint64_t i = 0; i < a->count; i++) {
        assert_int_equal(a->time[i], b->time[i]);
        assert_int_equal(a->duration[i], b->duration[i]);
        assert_int_equal(a->node[i].v, b->node[i].v);
        assert_true(a->weight[i].d == b->weight[i].d);
    }
    assert_int_equal(a->time[0], 2000000);
    assert_int_equal(a->node[1].v, 0);
    assert_true(assay_profile_metrics(q)->total_double[1] == 6.25 + 3);
    assay_profile_release(p);
    assay_profile_release(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(what_is_written_reads_back_the_same),
    };
    return cmocka_run_group_tests_name("speedscope", tests, NULL, NULL);
}
