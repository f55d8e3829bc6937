/* Every layout tells the same story (make.py): the same tree, the same values, the same names, whatever the bytes look like. And what is
 * left of files that are damaged. */
#include "hr.h"

#include "formats/hpcrun/hpcrun-flat/decode.h"
#include "formats/hpcrun/hpctrace/decode.h"

static const struct layout {
    const char *file, *version;
    unsigned epochs; /* 0 = 04.00 */
} layouts[] = {
    { "02.00l.hpcrun", "02.00l", 1 },           { "02.00l-lush.hpcrun", "02.00l", 1 },      { "02.00l-epochs.hpcrun", "02.00l", 2 },
    { "02.00l-2009.hpcrun", "02.00l-2009", 1 }, { "02.00b-2009.hpcrun", "02.00b-2009", 1 }, { "02.00b.hpcrun", "02.00b", 1 },
    { "02.00b-bits.hpcrun", "02.00b", 1 },      { "02.00b-extra.hpcrun", "02.00b", 1 },     { "02.00b-lush.hpcrun", "02.00b", 2 },
    { "03.00b.hpcrun", "03.00b", 1 },           { "04.00b.hpcrun", "04.00b", 0 },           { "04.00b-2021.hpcrun", "04.00b", 0 },
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static const char *text(const assay_profile *p, assay_str_id id) { return assay_profile_string(p, id).data; }

static size_t warnings(const assay_profile *p)
{
    size_t count;
    (void)assay_profile_warnings(p, &count);
    return count;
}

/* ---- figures ---- */

static void expect_counts(const assay_profile *p, const struct layout *l)
{
    unsigned times = l->epochs ? l->epochs : 1, more = l->epochs == 0; /* 04.00 has a node for the start of the program */
    assert_int_equal(hr_count(p, "contexts"), (6 + more) * times);
    assert_int_equal(hr_count(p, "modules"), 2 * times);
    assert_int_equal(hr_count(p, "metrics"), 2 + more); /* and a formula */
    assert_int_equal(hr_count(p, "values"), 5 * times);
    assert_int_equal(hr_count(p, "roots"), times);
    assert_int_equal(hr_count(p, "leaves"), 3 * times);
    assert_int_equal(hr_count(p, "depth"), 4 + more);
    assert_int_equal(hr_count(p, "retained_ids"), times);
    if (l->epochs) assert_int_equal(hr_count(p, "epochs"), l->epochs);
}

static void expect_totals(const assay_profile *p, unsigned times)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    assert_string_equal(text(p, m->name[1]), "CYCLES");
    assert_string_equal(text(p, m->name[2]), "WAIT (sec)");
    assert_string_equal(text(p, m->unit[2]), "sec");
    assert_int_equal(m->total[1].low, 10000 * times);
    assert_true(m->total_double[2] == 1.75 * times);
}

/* The chain from the sample in libm up to the root. */
static void expect_path(const assay_profile *p)
{
    static const char *const names[] = { "libm.so.6+0x2000", "app+0x1040", "app+0x1000" };
    const struct assay_tree *t = assay_profile_tree(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint32_t node = 1;
    while (node <= t->count && t->origin[node] != 22) node++;
    assert_true(node <= t->count);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_string_equal(text(p, f->name[t->func[node].v]), names[i]);
        node = t->parent[node].v;
    }
    while (t->parent[node].v) node = t->parent[node].v;
    assert_string_equal(text(p, f->name[t->func[node].v]), "^Primary");
    assert_int_equal(f->kind[t->func[node].v], ASSAY_FUNC_PLACEHOLDER);
}

static void every_layout_has_the_same_figures(void **state)
{
    (void)state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        const struct layout *l = &layouts[i];
        struct hr f;
        assay_error err = { 0 };
        hr_load(&f, l->file);
        assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_ALL, true, &err);
        if (!p) fail_msg("%s: %s", l->file, err.text);
        assert_string_equal(assay_profile_format(p), "hpcrun");
        assert_string_equal(assay_profile_version(p), l->version);
        assert_int_equal(warnings(p), 0);
        expect_counts(p, l);
        expect_totals(p, l->epochs ? l->epochs : 1);
        expect_path(p);
        assert_int_equal(assay_profile_streams(p)->count, l->epochs == 0 ? 1 : l->epochs > 1 ? l->epochs : 0);
        assay_profile_release(p);
    }
}

static void the_tuple_is_the_stream(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, "04.00b.hpcrun");
    assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TREE, true, NULL);
    const struct assay_streams *s = assay_profile_streams(p);
    assert_int_equal(s->tuple_count, 3);
    assert_string_equal(text(p, s->label[1]), "rank 3 thread 1");
    assert_string_equal(text(p, s->tuple_kind[0]), "NODE");
    assert_int_equal(s->tuple_physical[0], 0x7f0101);
    assert_int_equal(s->tuple_flags[0], 1);
    assert_string_equal(text(p, s->tuple_kind[2]), "THREAD");
    assert_int_equal(s->tuple_logical[2], 1);
    assay_profile_release(p);
}

static void the_hidden_formula_is_kept(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, "04.00b.hpcrun");
    assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TREE, true, NULL);
    const struct assay_metrics *m = assay_profile_metrics(p);
    assert_int_equal(m->count, 3);
    assert_string_equal(text(p, m->formula[3]), "100*#1/(#0+1)");
    assert_int_equal(m->hidden[3], 1);
    assert_string_equal(text(p, m->description[1]), "of CYCLES");
    assay_profile_release(p);
}

/* ---- records ---- */

/* What a writer needs: every byte of a sound file belongs to one record. */
static void records_cover_every_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct hr f;
        struct hpcrun_decoder d;
        struct hpcrun_record r;
        uint64_t bytes = 0;
        hr_load(&f, layouts[i].file);
        hpcrun_decoder_init(&d, (assay_slice){ (const char *)f.at, f.len });
        while (hpcrun_next(&d, &r)) {
            assert_int_not_equal(r.kind, HPCRUN_RECORD_DAMAGE);
            bytes += r.len;
        }
        assert_int_equal(bytes, f.len);
    }
}

static void lush_fields_are_there(void **state)
{
    struct hr f;
    struct hpcrun_decoder d;
    struct hpcrun_record r;
    unsigned nodes = 0;
    (void)state;
    hr_load(&f, "02.00l-lush.hpcrun");
    hpcrun_decoder_init(&d, (assay_slice){ (const char *)f.at, f.len });
    while (hpcrun_next(&d, &r)) {
        if (r.kind != HPCRUN_RECORD_NODE) continue;
        assert_int_equal(r.node.node.assoc, 0x136);
        assert_int_equal(hpcrun_le64(r.node.node.lip + 8), 0x10);
        assert_int_equal(d.span.lip_len, 16);
        nodes++;
    }
    assert_int_equal(nodes, 6);
}

/* ---- damage ---- */

static void an_unfinished_file_is_read(void **state)
{
    struct hr f;
    struct hpcrun_decoder d;
    struct hpcrun_record r;
    (void)state;
    hr_load(&f, "04.00b-unfinished.hpcrun");
    assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TREE, false, NULL);
    assert_int_equal(warnings(p), 1);
    expect_totals(p, 1);
    expect_path(p);
    assay_profile_release(p);
    assert_null(hr_read(&f, NULL, ASSAY_WANT_TREE, true, NULL));
    hpcrun_decoder_init(&d, (assay_slice){ (const char *)f.at, f.len });
    assert_true(hpcrun_next(&d, &r));
    assert_false(d.has_footer);
    const uint64_t ends[] = { 143, 1090, 2189, 3318, 4199, 5286 };
    for (unsigned i = 0; i < HPCRUN_SECTION_COUNT; i++) {
        assert_true(d.sections[i].is_whole);
        assert_int_equal(d.sections[i].begin, 1024 * i);
        assert_int_equal(d.sections[i].end, ends[i]);
    }
}

/* The process died while the tree was being written. */
static void a_cut_tree_keeps_its_whole_nodes(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, "04.00b.hpcrun");
    f.len = 2140;
    assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TREE, false, NULL);
    assert_int_equal(hr_count(p, "contexts"), 4);
    assert_int_equal(hr_count(p, "modules"), 2);
    assay_profile_release(p);
}

static void a_section_after_a_damaged_one_is_read(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, "04.00b.hpcrun");
    hr_put(&f, 1024, 4, UINT32_MAX);
    hr_put(&f, 24, 4, UINT32_MAX);
    assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TREE, false, NULL);
    expect_totals(p, 1);
    assay_profile_release(p);
}

static void old_versions_are_refused_by_name(void **state)
{
    static const struct {
        const char *head, *says;
    } files[] = { { "HPCRUN-profile____01.98b", "historic" }, { "HPCRUN-profile____01.9Ab", "historic" }, { "HPCRUN-profile____05.00b", "\"05.00\"" },
                  { "HPCRUN____03.00l", "\"03.00\"" },        { "HPCPROF-metricdb__00.10b", "metricdb" }, { "HPCLOGICAL______________", "HPCLOGICAL" } };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct hr f = { .len = strlen(files[i].head) + 8 };
        assay_error err = { 0 };
        memcpy(f.at, files[i].head, strlen(files[i].head));
        assert_null(hr_read(&f, NULL, ASSAY_WANT_TREE, false, &err));
        if (!strstr(err.text, files[i].says)) fail_msg("%s: %s", files[i].head, err.text);
    }
}

static void values_too_large_saturate(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, "04.00b.hpcrun");
    hr_put(&f, 5188, 8, UINT64_MAX);
    assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TREE, false, NULL);
    assert_int_equal(warnings(p), 1);
    assert_int_equal(assay_profile_metrics(p)->total[1].high, 1); /* 2^64 - 1 + 7000 */
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 6999);
    assay_profile_release(p);
}

/* 10^16 + 1 - 10^16 + 1 is 2, not 1, for the whole and for the stream, where only totals are wanted. */
static void sums_of_doubles_are_exact(void **state)
{
    static const double values[] = { 1e16, 1, -1e16, 1 };
    struct hr f;
    (void)state;
    hr_load(&f, "04.00b.hpcrun");
    for (size_t i = 0; i < 4; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hr_put(&f, 5188 + 10 * i, 8, bits);
        hr_put(&f, 5196 + 10 * i, 2, 1); /* of WAIT, all of them */
    }
    assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TOTALS, false, NULL);
    const struct assay_scopes *s = assay_profile_scopes(p);
    assay_value v;
    uint32_t scope = 1;
    while (s->metric[scope].v != 2) scope++;
    assert_true(assay_profile_metrics(p)->total_double[2] == 2);
    assert_int_equal(assay_tree_value(p, (assay_stream_id){ 1 }, (assay_node_id){ 0 }, (assay_scope_id){ scope }, &v, NULL), 0);
    assert_true(v.d == 2);
    assay_profile_release(p);
}

/* Ids that leave wide gaps must not cost memory for the gaps. */
static void sparse_ids_are_found(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, "04.00b.hpcrun");
    hr_put(&f, 2170, 4, UINT32_MAX);
    hr_put(&f, 5262, 4, UINT32_MAX);
    assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TREE, true, NULL);
    expect_totals(p, 1);
    assay_profile_release(p);
    struct assay_read_options small = { .max_memory = 4 << 20, .want = ASSAY_WANT_TREE };
    assert_int_equal(assay_read_memory(f.at, f.len, "x", &small, &p, NULL), 0);
    assay_profile_release(p);
}

/* ---- traces and flat files ---- */

static void traces_have_nanoseconds(void **state)
{
    static const char *const files[] = { "01.00.hpctrace", "01.01.hpctrace", "01.01-metric.hpctrace", "01.01-distance.hpctrace" };
    static const int64_t times[] = { 0, 4000000, 5000000, 9000000 };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct hr f;
        hr_load(&f, files[i]);
        assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TIMELINE, true, NULL);
        const struct assay_timeline *t = assay_profile_timeline(p);
        const struct assay_tree *tree = assay_profile_tree(p);
        assert_int_equal(t->count, 4);
        for (int k = 0; k < 4; k++) assert_true(t->time[k] == INT64_C(1700000000000000000) + times[k]);
        assert_int_equal(tree->count, 2);
        assert_int_equal(tree->origin[t->node[0].v], 19);
        assert_int_equal(tree->flags[1], ASSAY_NODE_NO_PLACE);
        assert_int_equal(hr_count(p, "descents"), 1);
        assay_profile_release(p);
    }
}

static void flat_buckets_are_leaves(void **state)
{
    struct hr f;
    (void)state;
    hr_load(&f, "01.00.hpcrun-flat");
    assay_profile *p = hr_read(&f, NULL, ASSAY_WANT_TREE, true, NULL);
    const struct assay_tree *t = assay_profile_tree(p);
    assert_int_equal(t->count, 4);
    assert_int_equal(t->kind[1], ASSAY_NODE_ENTRY);
    for (uint32_t i = 2; i <= 4; i++) assert_int_equal(t->parent[i].v, 1);
    assert_string_equal(text(p, assay_profile_funcs(p)->name[t->func[4].v]), "libm.so.6+0x2000");
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 10000);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_has_the_same_figures),
        cmocka_unit_test(the_tuple_is_the_stream),
        cmocka_unit_test(the_hidden_formula_is_kept),
        cmocka_unit_test(records_cover_every_byte),
        cmocka_unit_test(lush_fields_are_there),
        cmocka_unit_test(an_unfinished_file_is_read),
        cmocka_unit_test(a_cut_tree_keeps_its_whole_nodes),
        cmocka_unit_test(a_section_after_a_damaged_one_is_read),
        cmocka_unit_test(old_versions_are_refused_by_name),
        cmocka_unit_test(values_too_large_saturate),
        cmocka_unit_test(sums_of_doubles_are_exact),
        cmocka_unit_test(sparse_ids_are_found),
        cmocka_unit_test(traces_have_nanoseconds),
        cmocka_unit_test(flat_buckets_are_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
