/* What readers and dump make of webgrind files, whole and damaged. */
#include "wg.h"

#include <stdio.h>

#include "harness.h"

static const char *text(const assay_profile *p, assay_str_id id) { return assay_profile_string(p, id).data; }

static uint64_t count_of(const assay_profile *p, const char *name)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(text(p, c->name[i]), name) == 0) return c->value[i];
    fail_msg("no count '%s'", name);
    return 0;
}

static assay_profile *must_read(const struct wg *w, uint32_t want)
{
    assay_error err;
    assay_profile *p = wg_read(w->at, w->len, want, false, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static bool has_warning(const assay_profile *p, const char *rule, uint64_t off)
{
    size_t count;
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(f[i].rule, rule) == 0 && f[i].offset == off) return true;
    return false;
}

/* ---- the worked example ---- */

static void the_worked_example_gives_its_functions(void **state)
{
    (void)state;
    struct wg w = wg_space();
    assert_int_equal(w.len, 593);
    assay_profile *p = must_read(&w, 0);
    const struct assay_funcs *f = assay_profile_funcs(p);
    assert_int_equal(f->count, 4);
    assert_string_equal(text(p, f->name[2]), "require_once::/tmp/demo/sp ace/inc file2.php");
    assert_string_equal(text(p, f->name[4]), "{main}");
    assert_string_equal(text(p, assay_profile_files(p)->path[f->file[3].v]), "/tmp/demo/sp ace/inc file.php");
    assert_int_equal(f->first_line[3], 2);
    assert_string_equal(assay_profile_version(p), "7");
    assert_string_equal(assay_profile_producer(p).data, "xdebug 3.2.0 (PHP 8.2.35)");
    assay_profile_release(p);
}

static void the_worked_example_gives_its_figures(void **state)
{
    (void)state;
    struct wg w = wg_space();
    assay_profile *p = must_read(&w, 0);
    const struct assay_graph *g = assay_profile_graph(p);
    const struct assay_metrics *m = assay_profile_metrics(p);
    assert_int_equal(m->count, 1);
    assert_string_equal(text(p, m->name[1]), "Time_(10ns)");
    assert_string_equal(text(p, m->unit[1]), "10ns");
    assert_int_equal(m->total[1].low, 10109);
    assert_int_equal(g->arc_count, 3);
    assert_int_equal(g->arc_caller[1].v, 4);
    assert_int_equal(g->arc_callee[1].v, 2);
    assert_int_equal(g->arc_line[1], 3);
    assert_int_equal(g->arc_calls[1], 1);
    assert_int_equal(g->arc_total[1].i, 974);
    assert_int_equal(g->sum_func[3].v, 4);
    assert_int_equal(g->sum_self[3].i, 8453);
    assert_int_equal(g->stated_total[3].i, 10109);
    assert_int_equal(g->stated_calls[3], 1);
    assay_profile_release(p);
}

static void the_worked_example_gives_its_counts_and_headers(void **state)
{
    (void)state;
    struct wg w = wg_space();
    assay_profile *p = must_read(&w, 0);
    const struct assay_attributes *a = assay_profile_attributes(p);
    assert_int_equal(count_of(p, "functions"), 4);
    assert_int_equal(count_of(p, "files"), 3);
    assert_int_equal(count_of(p, "calls"), 3);
    assert_int_equal(count_of(p, "call_records"), 6);
    assert_int_equal(count_of(p, "invocations"), 4);
    assert_int_equal(count_of(p, "headers"), 7);
    assert_int_equal(a->count, 7);
    assert_string_equal(text(p, a->key[6]), "summary");
    assert_string_equal(text(p, a->value[6]), "14264 500760");
    assay_profile_release(p);
}

static void internal_functions_are_known_by_their_name(void **state)
{
    (void)state;
    struct wg w = { .len = 0 };
    NUMBERS(&w, 5u, 56u, 1u, 16u, 1u, 1u, 1u, 0u);
    wg_text(&w, "php:internal\nphp::strlen\nversion: 1\n");
    wg_patch(&w, 4, 57);
    assay_profile *p = must_read(&w, 0);
    assert_int_equal(assay_profile_funcs(p)->kind[1], ASSAY_FUNC_INTERNAL);
    assay_profile_release(p);
}

/* ---- versions ---- */

static void versions_5_to_7_say_the_same_of_calls(void **state)
{
    (void)state;
    for (uint32_t version = 5; version <= 7; version++) {
        struct wg w = wg_small(version);
        assay_profile *p = must_read(&w, 0);
        const struct assay_graph *g = assay_profile_graph(p);
        assert_int_equal(g->arc_count, 1);
        assert_int_equal(g->arc_caller[0].v, 2);
        assert_int_equal(g->arc_callee[0].v, 1);
        assert_int_equal(g->arc_line[0], 5);
        assert_int_equal(g->arc_calls[0], 2);
        assert_int_equal(g->arc_total[0].i, 10);
        assert_int_equal(count_of(p, "call_records"), version == 5 ? 1 : 2);
        assay_profile_release(p);
    }
}

static void version_4_gives_the_graph_without_a_tree(void **state)
{
    (void)state;
    struct wg w = wg_small4();
    assay_profile *p = must_read(&w, ASSAY_WANT_GRAPH);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(assay_profile_tree(p)->count, 0);
    assert_true(assay_profile_offers(p) & ASSAY_SHAPE_TREE);
    assert_int_equal(g->arc_count, 2);
    assert_int_equal(count_of(p, "calls"), 2);
    assert_int_equal(count_of(p, "invocations"), 3);
    assert_int_equal(g->stated_total[0].i, 4);
    assay_profile_release(p);
}

static void version_4_gives_each_invocation(void **state)
{
    (void)state;
    struct wg w = wg_small4();
    assay_profile *p = must_read(&w, ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE);
    const struct assay_tree *t = assay_profile_tree(p);
    assert_true(t->is_whole);
    assert_int_equal(t->count, 3);
    assert_int_equal(t->func[1].v, 2);
    assert_int_equal(t->parent[2].v, 1);
    assert_int_equal(t->line[2], 9);
    assert_int_equal(t->parent[3].v, 2);
    assert_int_equal(t->line[3], 3);
    assay_value v;
    for (uint32_t node = 1; node <= 3; node++) {
        const int64_t self[] = { 0, 5, 2, 1 }, call[] = { 0, 0, 3, 1 };
        assert_int_equal(assay_tree_value(p, (assay_stream_id){ 0 }, (assay_node_id){ node }, (assay_scope_id){ 1 }, &v, NULL), 0);
        assert_int_equal(v.i, self[node]);
        assert_int_equal(assay_tree_value(p, (assay_stream_id){ 0 }, (assay_node_id){ node }, (assay_scope_id){ 2 }, &v, NULL), 0);
        assert_int_equal(v.i, call[node]);
    }
    assay_profile_release(p);
}

/* webgrind 0.4 hands out a callee's invocations in reverse, and takes a recursive block for its own child. */
static void the_tree_does_not_trust_the_stored_links(void **state)
{
    (void)state;
    struct wg w = wg_small4();
    wg_patch(&w, 48, NOBODY); /* fact 0: no caller */
    wg_patch(&w, 176, 1);     /* fact 1 calls itself */
    assay_profile *p = must_read(&w, ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE);
    const struct assay_tree *t = assay_profile_tree(p);
    assert_int_equal(t->count, 3);
    assert_int_equal(t->parent[1].v, 0);
    assert_int_equal(t->parent[2].v, 1);
    assert_int_equal(t->parent[3].v, 2);
    assay_profile_release(p);
}

/* {main} calls f at line 2 and again at line 2: one context, entered twice. */
static void contexts_are_merged_unless_invocations_are_wanted(void **state)
{
    (void)state;
    struct wg w = { .len = 0 };
    NUMBERS(&w, 4u, 201u, 2u, 20u, 108u);
    NUMBERS(&w, 7u, 7u, 7u, 2u);
    NUMBERS(&w, 3u, 3u, 3u, 1u, 0u, 2u, 0u, 169u, 4u, 4u, 4u, 1u, 0u, 2u, 0u, 169u);
    wg_text(&w, "a.php\nf\n");
    NUMBERS(&w, 1u, 8u, 0u, 1u, 1u, 8u, 0u, NOBODY, 0u, 0u, 2u, 169u);
    wg_text(&w, "a.php\n{main}\n");
    NUMBERS(&w, 0u, 0u, 2u, 3u, 0u, 1u, 2u, 4u);
    wg_text(&w, "summary: 8\n");
    assay_profile *p = must_read(&w, ASSAY_WANT_GRAPH | ASSAY_WANT_TREE);
    const struct assay_tree *t = assay_profile_tree(p);
    assay_value v;
    assert_int_equal(t->count, 2);
    assert_int_equal(t->calls[2], 2);
    assert_int_equal(assay_tree_value(p, (assay_stream_id){ 0 }, (assay_node_id){ 2 }, (assay_scope_id){ 1 }, &v, NULL), 0);
    assert_int_equal(v.i, 7);
    assay_profile_release(p);
}

/* ---- damage ---- */

static void a_wrong_address_costs_no_function(void **state)
{
    (void)state;
    struct wg w = wg_space();
    wg_patch(&w, 16, 0x90);
    assay_profile *p = must_read(&w, 0);
    assert_true(has_warning(p, "WG06", 16));
    assert_int_equal(count_of(p, "functions"), 4);
    assert_string_equal(text(p, assay_profile_funcs(p)->name[3]), "spaced");
    assay_profile_release(p);
}

static void a_wrong_count_that_shifts_a_record_is_caught_by_the_table(void **state)
{
    (void)state;
    struct wg w = wg_space();
    wg_patch(&w, 0x30, 1); /* function 0 claims a sub call, so its names seem to begin 16 bytes later */
    assay_profile *p = must_read(&w, 0);
    assert_string_equal(text(p, assay_profile_funcs(p)->name[2]), "require_once::/tmp/demo/sp ace/inc file2.php");
    assert_string_equal(text(p, assay_profile_funcs(p)->name[4]), "{main}");
    assay_profile_release(p);
}

static void a_record_that_cannot_be_read_keeps_its_number(void **state)
{
    (void)state;
    struct wg w = wg_space();
    wg_patch(&w, 0x99, UINT32_MAX); /* called-from count of function 1 */
    assay_profile *p = must_read(&w, 0);
    const struct assay_funcs *f = assay_profile_funcs(p);
    assert_true(has_warning(p, "WG07", 0x99));
    assert_int_equal(count_of(p, "functions"), 3);
    assert_int_equal(f->count, 4);
    assert_int_equal(f->kind[2], ASSAY_FUNC_PLACEHOLDER);
    assert_string_equal(text(p, f->name[3]), "spaced");
    assert_int_equal(assay_profile_graph(p)->arc_count, 3);
    assay_profile_release(p);
}

static void strict_reading_stops_at_the_first_error_and_names_its_place(void **state)
{
    (void)state;
    struct wg w = wg_small(7);
    assay_error err;
    wg_patch(&w, 76, 18);
    assert_null(wg_read(w.at, w.len, 0, true, &err));
    assert_int_equal(err.code, ASSAY_ERR_DAMAGED);
    assert_int_equal(err.offset, 76);
    assert_non_null(strstr(err.text, "WG18"));
}

static void a_head_that_cannot_be_right_is_an_error_for_everybody(void **state)
{
    (void)state;
    const struct {
        size_t at;
        uint32_t value;
        int code;
    } heads[] = {
        { 0, 3, ASSAY_ERR_VERSION },  { 0, 99, ASSAY_ERR_VERSION },       { 4, 9999, ASSAY_ERR_DAMAGED },
        { 4, 13, ASSAY_ERR_DAMAGED }, { 8, 1u << 30, ASSAY_ERR_DAMAGED },
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct wg w = wg_small(7);
        assay_error err;
        wg_patch(&w, heads[i].at, heads[i].value);
        assert_null(wg_read(w.at, w.len, 0, false, &err));
        assert_int_equal(err.code, heads[i].code);
        assert_true(err.has_offset);
        assert_int_equal(err.offset, heads[i].at);
    }
}

/* ---- dump ---- */

static void dump_shows(const struct wg *w, const char *expected)
{
    struct wg_job j;
    struct output *out;
    wg_open(&j, w->at, w->len);
    assert_int_equal(output_open_memory(&out, &j.mem, NULL), 0);
    assert_int_equal(webgrind_dump(&j.job, out, NULL), 0);
    assay_slice got = output_memory(out);
    if (got.len != strlen(expected) || memcmp(got.data, expected, got.len) != 0) fail_msg("dump is:\n%.*s", (int)got.len, got.data);
    output_abort(out);
    wg_close(&j);
}

static void dump_names_each_field_with_its_offset(void **state)
{
    (void)state;
    struct wg w = wg_small(5);
    dump_shows(&w, "00000000 version_number 5\n00000004 header_address 89\n00000008 function_count 2\n"
                   "0000000c function_addresses[0] 20\n00000010 function_addresses[1] 60\n"
                   "00000014 functions[0]\n00000014   summed_self_cost 10\n00000018   summed_inclusive_cost 10\n0000001c   invocation_count 2\n"
                   "00000020   called_from_count 1\n00000024   called_from_information[0]\n00000024     function_number 1\n00000028     line 5\n"
                   "0000002c     call_count 2\n00000030     summed_call_cost 10\n00000034   file_name \"a.php\"\n0000003a   function_name \"f\"\n"
                   "0000003c functions[1]\n0000003c   summed_self_cost 7\n00000040   summed_inclusive_cost 17\n00000044   invocation_count 1\n"
                   "00000048   called_from_count 0\n0000004c   file_name \"a.php\"\n00000052   function_name \"{main}\"\n"
                   "00000059 headers[0] \"version: 1\"\n00000064 headers[1] \"events: Time\"\n00000071 headers[2] \"summary: 17\"\n");
}

static void dump_goes_on_behind_a_header_address_past_the_end(void **state)
{
    (void)state;
    struct wg w = wg_small(5);
    w.len = 70;
    dump_shows(&w, "00000000 version_number 5\n00000004 header_address 89\n00000008 function_count 2\n"
                   "00000004 *** WG04 header address 89 lies past the end of the file at 70\n"
                   "0000000c function_addresses[0] 20\n00000010 function_addresses[1] 60\n"
                   "00000014 functions[0]\n00000014   summed_self_cost 10\n00000018   summed_inclusive_cost 10\n0000001c   invocation_count 2\n"
                   "00000020   called_from_count 1\n00000024   called_from_information[0]\n00000024     function_number 1\n00000028     line 5\n"
                   "0000002c     call_count 2\n00000030     summed_call_cost 10\n00000034   file_name \"a.php\"\n0000003a   function_name \"f\"\n"
                   "0000003c functions[1]\n0000003c   summed_self_cost 7\n00000040   summed_inclusive_cost 17\n"
                   "00000044 *** WG01 number 2 of function 1 lies past the end of the functions at 70\n");
}

/* ---- recognising ---- */

static int score_of(const struct wg *w)
{
    const char *why = NULL;
    struct probe p = { .head = { (const char *)w->at, w->len }, .is_whole = true, .len = w->len, .path = "x" };
    int score = webgrind_format.probe(&p, &why);
    assert_non_null(why);
    return score;
}

static void whole_files_are_surely_recognised_and_damaged_ones_still(void **state)
{
    (void)state;
    struct wg w = wg_space();
    assert_int_equal(score_of(&w), 95);
    const struct {
        size_t at;
        uint32_t value;
    } changes[] = { { 0, 9 }, { 0, 0x07000000 }, { 4, 5000 }, { 8, 100 }, { 12, 30 } };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        w = wg_space();
        wg_patch(&w, changes[i].at, changes[i].value);
        assert_int_equal(score_of(&w), 60);
    }
    w.len = 7;
    wg_patch(&w, 0, 7);
    assert_int_equal(score_of(&w), 30);
    memset(w.at, 'x', 100);
    w.len = 100;
    assert_int_equal(score_of(&w), 0);
}

/* ---- the files of the original programs ---- */

/* Figures of the exact tree, computed by an independent program: shared/data/webgrind/expected.json. */
static void original_version_4_files_give_the_tree_of_their_text(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t invocations, roots, depth;
    } files[] = {
        { "recurse.xd2.v4", 137, 1, 10 }, { "shop.xd2.v4", 49, 1, 4 },      { "gen.xd2.v4", 52, 1, 8 },
        { "proxy.xd2.v4", 72, 1, 10 },    { "append2.xd2.v4", 121, 2, 10 }, { "many.xd2.v4.gz", 4861, 1, 3 },
    };
    if (!harness_shared()) skip();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[5000];
        assay_error err;
        assay_profile *p;
        struct assay_read_options o = { .format = "webgrind", .want = ASSAY_WANT_WHOLE, .strict = true };
        snprintf(path, sizeof path, "%s/data/webgrind/%s", harness_shared(), files[i].name);
        if (assay_read(path, &o, &p, &err) != 0) fail_msg("%s: %s", files[i].name, err.text);
        const struct assay_tree *t = assay_profile_tree(p);
        uint32_t *depth = calloc((size_t)t->count + 1, sizeof *depth), roots = 0, deepest = 0;
        assert_non_null(depth);
        for (uint32_t k = 1; k <= t->count; k++) {
            uint32_t parent = t->parent ? t->parent[k].v : 0;
            roots += parent == 0;
            depth[k] = depth[parent] + 1;
            if (depth[k] > deepest) deepest = depth[k];
        }
        free(depth);
        assert_int_equal(t->count, files[i].invocations);
        assert_int_equal(roots, files[i].roots);
        assert_int_equal(deepest, files[i].depth);
        size_t warnings;
        (void)assay_profile_warnings(p, &warnings);
        assert_int_equal(warnings, 0);
        assay_profile_release(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example_gives_its_functions),
        cmocka_unit_test(the_worked_example_gives_its_figures),
        cmocka_unit_test(the_worked_example_gives_its_counts_and_headers),
        cmocka_unit_test(internal_functions_are_known_by_their_name),
        cmocka_unit_test(versions_5_to_7_say_the_same_of_calls),
        cmocka_unit_test(version_4_gives_the_graph_without_a_tree),
        cmocka_unit_test(version_4_gives_each_invocation),
        cmocka_unit_test(the_tree_does_not_trust_the_stored_links),
        cmocka_unit_test(contexts_are_merged_unless_invocations_are_wanted),
        cmocka_unit_test(a_wrong_address_costs_no_function),
        cmocka_unit_test(a_wrong_count_that_shifts_a_record_is_caught_by_the_table),
        cmocka_unit_test(a_record_that_cannot_be_read_keeps_its_number),
        cmocka_unit_test(strict_reading_stops_at_the_first_error_and_names_its_place),
        cmocka_unit_test(a_head_that_cannot_be_right_is_an_error_for_everybody),
        cmocka_unit_test(dump_names_each_field_with_its_offset),
        cmocka_unit_test(dump_goes_on_behind_a_header_address_past_the_end),
        cmocka_unit_test(whole_files_are_surely_recognised_and_damaged_ones_still),
        cmocka_unit_test(original_version_4_files_give_the_tree_of_their_text),
    };
    return cmocka_run_group_tests_name("webgrind read", tests, NULL, NULL);
}
