/* Labels, sets, samples by labels, markers and counters: what the builder makes of them, and what merging and filters leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "assay/analysis.h"
#include "assay/build.h"

static assay_str_id str(assay_builder *b, const char *s) { return assay_build_string(b, s, strlen(s)); }
static assay_label_id text(assay_builder *b, const char *key, const char *value)
{
    return assay_build_label(b, &(struct assay_label){ .key = str(b, key), .text = str(b, value) });
}
static assay_label_id number(assay_builder *b, const char *key, int64_t value, const char *unit)
{
    return assay_build_label(b, &(struct assay_label){ .key = str(b, key), .kind = ASSAY_LABEL_INTEGER, .number = value, .unit = str(b, unit) });
}
static assay_builder *begin(uint32_t want)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = want }, NULL);
    assay_build_metric(b, "samples", "count", ASSAY_I64, ASSAY_SHAPE_TREE);
    assay_build_metric(b, "cpu", "ns", ASSAY_I64, ASSAY_SHAPE_TREE);
    return b;
}
static assay_node_id node(assay_builder *b, assay_node_id parent, const char *name)
{
    assay_func_id f = assay_build_func(b, str(b, name), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    return assay_build_node(b, &(struct assay_node){ .parent = parent, .relation = parent.v ? ASSAY_RELATION_CALL : 0, .func = f });
}
static void sample(assay_builder *b, assay_node_id at, assay_set_id set, int64_t count, int64_t cpu)
{
    assay_build_sample(b, (assay_stream_id){ 0 }, at, set, (assay_value[]){ { .i = count }, { .i = cpu } });
}
static assay_profile *seal(assay_builder *b)
{
    assay_error err = { 0 };
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static void equal_labels_and_sets_are_one(void **state)
{
    (void)state;
    assay_builder *b = begin(ASSAY_WANT_ALL);
    assay_label_id a = text(b, "endpoint", "/a"), c = text(b, "worker", "1"), d = number(b, "worker", 1, ""), e = number(b, "worker", 1, "bytes");
    assert_int_equal(text(b, "endpoint", "/a").v, a.v);
    assert_true(c.v != d.v && d.v != e.v);
    assay_set_id s = assay_build_label_set(b, (assay_label_id[]){ c, a }, 2);
    assert_int_equal(assay_build_label_set(b, (assay_label_id[]){ a, c, a }, 3).v, s.v);
    assert_int_equal(assay_build_label_set(b, NULL, 0).v, 0);
    assay_profile *p = seal(b);
    const struct assay_labels *l = assay_profile_labels(p);
    assert_int_equal(l->set_label[s.v].v, c.v);
    assert_int_equal(l->set_label[l->set_rest[s.v].v].v, a.v);
    assert_int_equal(l->set_rest[l->set_rest[s.v].v].v, 0);
    assay_profile_release(p);
}

static assay_profile *labelled(uint32_t want, bool is_reversed)
{
    assay_builder *b = begin(want);
    assay_node_id top = node(b, (assay_node_id){ 0 }, "main"), leaf = node(b, top, "work");
    assay_label_id x = { 0 }, y = { 0 };
    if (is_reversed) y = text(b, "id", "2");
    x = text(b, "endpoint", "/a");
    if (!is_reversed) y = text(b, "id", "2");
    assay_set_id one = assay_build_label_set(b, &x, 1), both = assay_build_label_set(b, (assay_label_id[]){ x, y }, 2);
    sample(b, leaf, both, 1, 10);
    sample(b, leaf, one, 2, 20);
    sample(b, leaf, both, 4, 40);
    sample(b, top, (assay_set_id){ 0 }, 8, 80);
    return seal(b);
}

static void samples_are_added_up_by_context_and_set(void **state)
{
    (void)state;
    assay_profile *p = labelled(ASSAY_WANT_ALL, false), *q = labelled(ASSAY_WANT_ALL, true);
    const struct assay_labels *l = assay_profile_labels(p);
    char why[300] = "";
    assert_int_equal(l->sample_count, 3);
    assert_int_equal(l->sample_self[0].i, 5);
    assert_int_equal(l->sample_self[1].i, 50);
    assert_int_equal(assay_profile_metrics(p)->total[2].low, 150);
    assert_true(assay_profile_shapes(p) & ASSAY_SHAPE_LABELS);
    if (assay_profile_equal(p, q, why, sizeof why, NULL) != 0) fail_msg("%s", why);
    assay_profile_release(p);
    assay_profile_release(q);
}

static void without_the_wish_or_labels_there_are_no_rows(void **state)
{
    (void)state;
    assay_profile *p = labelled(ASSAY_WANT_TREE, false);
    assert_int_equal(assay_profile_labels(p)->sample_count, 0);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 15);
    assay_profile_release(p);
    assay_builder *b = begin(ASSAY_WANT_ALL);
    sample(b, node(b, (assay_node_id){ 0 }, "main"), (assay_set_id){ 0 }, 1, 1);
    p = seal(b);
    assert_int_equal(assay_profile_labels(p)->sample_count, 0);
    assert_false(assay_profile_shapes(p) & ASSAY_SHAPE_LABELS);
    assay_profile_release(p);
}

static assay_profile *merge(const assay_profile *const *in, size_t count)
{
    assay_error err = { 0 };
    assay_merger *m = assay_merger_new(NULL, &err);
    for (size_t i = 0; i < count; i++)
        if (assay_merger_add(m, in[i], &err) != 0) fail_msg("%s", err.text);
    assay_profile *p = assay_merger_finish(m, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

/* The rows of a context add up to its values, whichever input has labels. */
static void merging_keeps_labels(void **state)
{
    (void)state;
    assay_builder *b = begin(ASSAY_WANT_ALL);
    sample(b, node(b, node(b, (assay_node_id){ 0 }, "main"), "work"), (assay_set_id){ 0 }, 16, 160);
    assay_profile *plain = seal(b), *p = labelled(ASSAY_WANT_ALL, false);
    assay_profile *m = merge((const assay_profile *[]){ p, plain, p }, 3), *n = merge((const assay_profile *[]){ plain, p, p }, 3);
    const struct assay_labels *l = assay_profile_labels(m);
    int64_t sum = 0, without = 0;
    char why[300] = "";
    for (uint32_t i = 0; i < l->sample_count; i++) {
        sum += l->sample_self[i * 2].i + l->sample_self[i * 2 + 1].i;
        if (!l->sample_set[i].v) without += l->sample_self[i * 2].i + l->sample_self[i * 2 + 1].i;
    }
    assert_int_equal(sum, 2 * (15 + 150) + 176);
    assert_int_equal(without, 2 * 88 + 176);
    if (assay_profile_equal(m, n, why, sizeof why, NULL) != 0) fail_msg("%s", why);
    assay_profile_release(p);
    assay_profile_release(plain);
    assay_profile_release(m);
    assay_profile_release(n);
}

static void merging_keeps_what_all_say_of_a_metric(void **state)
{
    (void)state;
    assay_profile *p[3];
    for (int i = 0; i < 3; i++) {
        assay_builder *b = begin(ASSAY_WANT_ALL);
        assay_build_metric_kind(b, (assay_metric_id){ 1 }, ASSAY_METRIC_LEVEL);
        assay_build_metric_default(b, (assay_metric_id){ 2 });
        assay_build_metric_period(b, (assay_metric_id){ 2 }, i < 2 ? 100 : 250, "cpu", "ns");
        sample(b, node(b, (assay_node_id){ 0 }, "main"), (assay_set_id){ 0 }, 1, 1);
        p[i] = seal(b);
    }
    assay_profile *same = merge((const assay_profile *[]){ p[0], p[1] }, 2), *other = merge((const assay_profile *[]){ p[0], p[2], p[1] }, 3);
    assert_int_equal(assay_profile_metrics(same)->period[2], 100);
    assert_int_equal(assay_profile_metrics(same)->is_default[2], 1);
    assert_int_equal(assay_profile_metrics(same)->kind[1], ASSAY_METRIC_LEVEL);
    assert_null(assay_profile_metrics(other)->period);
    for (int i = 0; i < 3; i++) assay_profile_release(p[i]);
    assay_profile_release(same);
    assay_profile_release(other);
}

/* A filter of functions keeps the labels of what it keeps; one of time cuts markers and readings. */
static void filters_keep_labels_and_moments(void **state)
{
    (void)state;
    assay_builder *b = begin(ASSAY_WANT_ALL);
    assay_node_id top = node(b, (assay_node_id){ 0 }, "main"), leaf = node(b, top, "work");
    assay_label_id x = text(b, "endpoint", "/a");
    assay_set_id set = assay_build_label_set(b, &x, 1);
    sample(b, top, (assay_set_id){ 0 }, 1, 10);
    sample(b, leaf, set, 2, 20);
    assay_build_timeline_stream(b, (assay_stream_id){ 0 }, "ns", false);
    for (int i = 0; i < 10; i++) {
        assay_build_event(b, (assay_stream_id){ 0 }, i * 1000000000LL, 0, leaf, NULL);
        assay_build_event_set(b, set);
        assay_build_marker(b, &(struct assay_marker){ .time = i * 1000000000LL, .name = str(b, "tick"), .text = str(b, "x"), .node = leaf, .set = set });
    }
    assay_counter_id c = assay_build_counter(b, &(struct assay_counter){ .name = str(b, "memory"), .unit = str(b, "bytes"), .kind = ASSAY_METRIC_LEVEL });
    for (int i = 0; i < 10; i++) assay_build_reading(b, c, i * 1000000000LL, i);
    assay_profile *p = seal(b), *q = NULL, *r = NULL;
    assay_error err = { 0 };
    assert_int_equal(assay_profile_timeline(p)->set[3].v, set.v);
    if (assay_filter_apply(p, &(struct assay_filter){ .focus = (const char *[]){ "work" }, .focus_count = 1 }, &q, &err) != 0) fail_msg("%s", err.text);
    assert_int_equal(assay_profile_labels(q)->sample_count, 1);
    assert_int_equal(assay_profile_labels(q)->sample_self[1].i, 20);
    assert_int_equal(assay_profile_timeline(q)->set[3].v, set.v);
    assert_int_equal(assay_profile_markers(q)->count, 10);
    assert_int_equal(assay_profile_counters(q)->reading_count, 10);
    if (assay_filter_apply(p, &(struct assay_filter){ .time = "2s..5s" }, &r, &err) != 0) fail_msg("%s", err.text);
    assert_int_equal(assay_profile_markers(r)->count, 3);
    assert_int_equal(assay_profile_counters(r)->reading_count, 3);
    assert_true(assay_profile_counters(r)->reading_value[0] == 2);
    assay_profile_release(p);
    assay_profile_release(q);
    assay_profile_release(r);
}

static void ids_that_are_not_there_are_errors(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        assay_builder *b = begin(ASSAY_WANT_ALL);
        assay_node_id top = node(b, (assay_node_id){ 0 }, "main");
        if (i == 0) assay_build_label_set(b, &(assay_label_id){ 7 }, 1);
        if (i == 1) sample(b, top, (assay_set_id){ 7 }, 1, 1);
        if (i == 2) assay_build_reading(b, (assay_counter_id){ 7 }, 0, 0);
        if (i == 3) assay_build_marker(b, &(struct assay_marker){ .name = str(b, "x"), .node = { 7 } });
        assert_int_not_equal(assay_builder_failed(b), 0);
        assay_builder_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_labels_and_sets_are_one),
        cmocka_unit_test(samples_are_added_up_by_context_and_set),
        cmocka_unit_test(without_the_wish_or_labels_there_are_no_rows),
        cmocka_unit_test(merging_keeps_labels),
        cmocka_unit_test(merging_keeps_what_all_say_of_a_metric),
        cmocka_unit_test(filters_keep_labels_and_moments),
        cmocka_unit_test(ids_that_are_not_there_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
