/* Lines and the timeline. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/build.h"
#include "base/index.h"

static assay_profile *seal(assay_builder *b)
{
    assay_error err = { 0 };
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static assay_file_id file(assay_builder *b, const char *path) { return assay_build_file(b, assay_build_string(b, path, strlen(path)), (assay_module_id){ 0 }); }

static void lines_are_merged_by_stream_level_file_and_line(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_build_metric(b, "ticks", "100ns", ASSAY_U64, 0);
    assay_stream_id s = assay_build_stream(b, "s");
    assay_file_id a = file(b, "a.pl"), c = file(b, "c.pl");
    const struct assay_line at[] = { { .file = a, .line = 4 },
                                     { .file = a, .line = 5 },
                                     { .file = c, .line = 4 },
                                     { .file = a, .line = 4, .level = ASSAY_LEVEL_SUB },
                                     { .file = a, .line = 4, .stream = s } };
    for (int pass = 0; pass < 3; pass++)
        for (uint64_t i = 0; i < 5; i++) assay_build_line(b, &at[i], 2, &(assay_value){ .u = i + 1 }, NULL);
    assay_profile *p = seal(b);
    const struct assay_lines *l = assay_profile_lines(p);
    assert_int_equal(l->count, 5);
    assert_int_equal(l->block.metric_count, 1);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(l->hits[i], 6);
        assert_int_equal(l->self[i].u, 3 * (i + 1));
        assert_int_equal(l->line[i], at[i].line);
        assert_int_equal(l->file[i].v, at[i].file.v);
        assert_int_equal(l->level[i], at[i].level);
        assert_int_equal(l->stream[i].v, at[i].stream.v);
    }
    assert_null(l->total);
    assert_int_equal(assay_profile_shapes(p), ASSAY_SHAPE_LINES);
    /* blocks and subs show the same time again: 3 * (1 + 2 + 3 + 5) */
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 33);
    assay_profile_release(p);
}

/* The same lines of many files: if half of a key did not count, each lookup would walk all files. */
static void keys_that_differ_only_in_their_upper_half_have_different_hashes(void **state)
{
    (void)state;
    static bool is_seen[1 << 16];
    int distinct = 0;
    memset(is_seen, 0, sizeof is_seen);
    for (uint64_t upper = 0; upper < 1 << 16; upper++) {
        bool *seen = &is_seen[index_fold(hash_mix(upper << 32 | 7, 3)) & 0xffff];
        distinct += !*seen;
        *seen = true;
    }
    assert_true(distinct > 30000); /* 65536 * (1 - 1/e) = 41427 for random ones */
}

static void lines_have_inclusive_cost_where_it_is_given(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id count = assay_build_metric(b, "n", "count", ASSAY_U64, ASSAY_SHAPE_LINES),
                    time = assay_build_metric(b, "t", "s", ASSAY_F64, ASSAY_SHAPE_LINES);
    assay_build_line_metrics(b, (assay_metric_id[]){ time, count }, 2);
    assay_file_id f = file(b, "a");
    assay_build_line(b, &(struct assay_line){ .file = f, .line = 1 }, 1, NULL, NULL);
    const assay_value self[] = { { .d = 0.5 }, { .u = 3 } }, total[] = { { .d = 1.5 }, { .u = 8 } };
    assay_build_line(b, &(struct assay_line){ .file = f, .line = 2 }, 1, self, total);
    assay_build_line(b, &(struct assay_line){ .file = f, .line = 3 }, UINT64_MAX, self, NULL);
    assay_build_line(b, &(struct assay_line){ .file = f, .line = 3 }, 1, NULL, NULL);
    assert_true(assay_builder_saturated(b));
    assay_profile *p = seal(b);
    const struct assay_lines *l = assay_profile_lines(p);
    assert_int_equal(l->count, 3);
    assert_int_equal(l->block.metrics[0].v, time.v);
    assert_true(l->total[2].d == 1.5 && l->total[3].u == 8);
    assert_true(l->total[0].u == 0 && l->total[4].u == 0 && l->total[5].u == 0);
    assert_true(l->self[0].u == 0 && l->self[4].d == 0.5);
    assert_true(l->hits[2] == UINT64_MAX);
    assert_null(l->stream);
    assert_null(l->level);
    assert_true(assay_profile_metrics(p)->total_double[time.v] == 1.0);
    assert_int_equal(assay_profile_metrics(p)->total[count.v].low, 6);
    assay_profile_release(p);
}

static void events_are_ordered_by_stream_and_time_and_stay_stable(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id w[2] = { assay_build_metric(b, "w", "count", ASSAY_U64, 0), assay_build_metric(b, "v", "count", ASSAY_I64, 0) };
    assay_stream_id s[3] = { { 0 }, assay_build_stream(b, "1"), assay_build_stream(b, "2") };
    for (uint32_t n = 1; n <= 9; n++) assay_build_node_new(b, &(struct assay_node){ .line = n });
    assay_build_timeline(b, w, 2);
    assay_build_timeline_stream(b, s[0], "us", true);
    assay_build_timeline_stream(b, s[2], "bytes", false);
    /* stream, time, duration, node; as given, and where it must stand */
    static const struct {
        int stream;
        int64_t time, duration;
        uint32_t node;
        int place;
    } e[] = { { 2, 5, 1, 1, 6 }, { 0, 7, 2, 2, 2 }, { 2, -3, 3, 3, 4 }, { 0, 5, 4, 4, 0 },
              { 0, 5, 5, 5, 1 }, { 2, 5, 6, 6, 7 }, { 2, 0, 7, 7, 5 },  { 0, INT64_MAX, 8, 8, 3 } };
    for (size_t i = 0; i < 8; i++)
        assay_build_event(b, s[e[i].stream], e[i].time, e[i].duration, (assay_node_id){ e[i].node }, (assay_value[]){ { .u = i }, { .i = -(int64_t)i } });
    assay_profile *p = seal(b);
    const struct assay_timeline *t = assay_profile_timeline(p);
    assert_int_equal(t->count, 8);
    assert_int_equal(t->stream_count, 2);
    const uint8_t is_spans[] = { 1, 0, 0 };
    assert_memory_equal(t->is_spans, is_spans, sizeof is_spans);
    assert_string_equal(assay_profile_string(p, t->unit[0]).data, "us");
    assert_int_equal(t->unit[1].v, 0);
    assert_string_equal(assay_profile_string(p, t->unit[2]).data, "bytes");
    const uint64_t begin[] = { 0, 4, 4, 8 };
    assert_memory_equal(t->begin, begin, sizeof begin);
    for (int i = 0; i < 8; i++) {
        int k = e[i].place;
        assert_true(t->time[k] == e[i].time);
        assert_int_equal(t->duration[k], e[i].duration);
        assert_int_equal(t->node[k].v, e[i].node);
        assert_int_equal(t->weight[2 * k].u, i);
        assert_int_equal(t->weight[2 * k + 1].i, -i);
    }
    assert_int_equal(assay_profile_shapes(p), ASSAY_SHAPE_TIMELINE | ASSAY_SHAPE_TREE);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 28); /* no other shape has the weights */
    assay_profile_release(p);
}

static void samples_in_order_stay_as_they_are_and_may_be_idle(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_node_id n = assay_build_node_new(b, &(struct assay_node){ .line = 1 });
    assay_stream_id s = assay_build_stream(b, "s");
    for (int64_t i = 0; i < 5; i++) assay_build_event(b, s, i / 2, 0, i % 2 ? n : (assay_node_id){ 0 }, NULL);
    assay_profile *p = seal(b);
    const struct assay_timeline *t = assay_profile_timeline(p);
    assert_int_equal(t->is_spans[s.v], 0);
    assert_int_equal(t->unit[s.v].v, 0);
    assert_null(t->duration);
    assert_null(t->weight);
    assert_int_equal(t->block.metric_count, 0);
    assert_int_equal(t->begin[0], 0);
    assert_int_equal(t->begin[1], 0);
    assert_int_equal(t->begin[2], 5);
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(t->node[i].v, i % 2);
    assay_profile_release(p);
}

/* Against a plain count: every event is there once, each stream rises. */
static void many_events_keep_all_their_fields_together(void **state)
{
    (void)state;
    enum { EVENTS = 20000, STREAMS = 7 };
    assay_builder *b = assay_builder_new(NULL, NULL);
    for (int i = 0; i < STREAMS; i++) assay_build_timeline_stream(b, assay_build_stream(b, "s"), "ns", true);
    assay_build_timeline(b, NULL, 0);
    uint64_t r = 42;
    for (uint32_t i = 0; i < EVENTS; i++) {
        r = r * 6364136223846793005u + 1442695040888963407u;
        int64_t time = (int64_t)(r >> 20) - ((int64_t)1 << 43);
        assay_build_event(b, (assay_stream_id){ (uint32_t)(r >> 33) % (STREAMS + 1) }, time, time * 3, (assay_node_id){ 0 }, NULL);
    }
    assay_profile *p = seal(b);
    const struct assay_timeline *t = assay_profile_timeline(p);
    assert_int_equal(t->begin[0], 0);
    assert_int_equal(t->begin[STREAMS + 1], EVENTS);
    for (uint32_t s = 0; s <= STREAMS; s++)
        for (uint64_t i = t->begin[s]; i < t->begin[s + 1]; i++) {
            assert_true(i == t->begin[s] || t->time[i - 1] <= t->time[i]);
            assert_true(t->duration[i] == t->time[i] * 3);
            assert_int_equal((uint32_t)(((uint64_t)(t->time[i] + ((int64_t)1 << 43))) >> 13) % (STREAMS + 1), s);
        }
    assay_profile_release(p);
}

static void weights_are_declared_once_and_before_the_events_and_streams_must_exist(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        assay_builder *b = assay_builder_new(NULL, NULL);
        if (i == 0) assay_build_event(b, (assay_stream_id){ 0 }, 1, 0, (assay_node_id){ 0 }, NULL);
        if (i == 1) assay_build_timeline(b, NULL, 0);
        if (i == 2) assay_build_timeline_stream(b, (assay_stream_id){ 1 }, "ns", true);
        if (i < 2) assert_int_equal(assay_builder_failed(b), 0);
        if (i < 2) assay_build_timeline(b, NULL, 0);
        assert_int_equal(assay_builder_failed(b), ASSAY_ERR_USAGE);
        assay_builder_free(b);
    }
}

/* Samples of one stream and spans of another stand in one profile, as in a trace with an embedded profile. */
static void spans_may_have_no_duration_and_samples_beside_them_have_none(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_stream_id spans = assay_build_stream(b, "spans"), samples = assay_build_stream(b, "samples");
    assay_build_event(b, samples, 3, 0, (assay_node_id){ 0 }, NULL);
    assay_build_event(b, spans, 4, 0, (assay_node_id){ 0 }, NULL);
    assay_build_timeline_stream(b, spans, "ns", true);
    assay_build_timeline_stream(b, samples, "samples", false);
    assay_profile *p = seal(b);
    const struct assay_timeline *t = assay_profile_timeline(p);
    assert_int_equal(t->is_spans[spans.v], 1);
    assert_int_equal(t->is_spans[samples.v], 0);
    assert_non_null(t->duration);
    assert_int_equal(t->duration[0] | t->duration[1], 0);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_merged_by_stream_level_file_and_line),
        cmocka_unit_test(keys_that_differ_only_in_their_upper_half_have_different_hashes),
        cmocka_unit_test(lines_have_inclusive_cost_where_it_is_given),
        cmocka_unit_test(events_are_ordered_by_stream_and_time_and_stay_stable),
        cmocka_unit_test(samples_in_order_stay_as_they_are_and_may_be_idle),
        cmocka_unit_test(many_events_keep_all_their_fields_together),
        cmocka_unit_test(weights_are_declared_once_and_before_the_events_and_streams_must_exist),
        cmocka_unit_test(spans_may_have_no_duration_and_samples_beside_them_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
