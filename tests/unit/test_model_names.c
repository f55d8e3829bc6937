/* Names, metrics, streams, facts and references of a profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/build.h"

static const assay_file_id no_file = { 0 };
static const assay_module_id no_module = { 0 };

static assay_str_id put(assay_builder *b, const char *text) { return assay_build_string(b, text, strlen(text)); }

static assay_profile *seal(assay_builder *b)
{
    assay_error err = { 0 };
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static void an_empty_profile_has_tables_and_nothing_in_them(void **state)
{
    (void)state;
    assay_profile *p = seal(assay_builder_new(NULL, NULL));
    size_t warnings = 9;
    assert_int_equal(assay_profile_shapes(p), 0);
    assert_int_equal(assay_profile_offers(p), 0);
    assert_string_equal(assay_profile_format(p), "");
    assert_string_equal(assay_profile_version(p), "");
    assert_null(assay_profile_producer(p).data);
    assert_int_equal(assay_profile_modules(p)->count, 0);
    assert_int_equal(assay_profile_files(p)->count, 0);
    assert_int_equal(assay_profile_funcs(p)->count, 0);
    assert_int_equal(assay_profile_metrics(p)->count, 0);
    assert_int_equal(assay_profile_scopes(p)->count, 0);
    assert_int_equal(assay_profile_stats(p)->count, 0);
    assert_int_equal(assay_profile_tree(p)->count, 0);
    assert_int_equal(assay_profile_graph(p)->sum_count, 0);
    assert_int_equal(assay_profile_lines(p)->count, 0);
    assert_int_equal(assay_profile_coverage(p)->line_count, 0);
    assert_int_equal(assay_profile_attributes(p)->count, 0);
    assert_int_equal(assay_profile_counts(p)->count, 0);
    assert_int_equal(assay_profile_streams(p)->count, 0);
    assert_int_equal(assay_profile_streams(p)->tuple_begin[0], 0);
    assert_int_equal(assay_profile_streams(p)->tuple_begin[1], 0);
    assert_int_equal(assay_profile_timeline(p)->begin[1], 0);
    assay_profile_warnings(p, &warnings);
    assert_int_equal(warnings, 0);
    assay_profile_release(p);
}

static void equal_strings_have_one_id_and_an_empty_one_is_not_none(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_str_id a = assay_build_string(b, "main", 4), c = assay_build_string(b, "mainly", 4), zero = assay_build_string(b, "a\0b", 3);
    assay_str_id empty = assay_build_string(b, "", 0), none = assay_build_string(b, NULL, 0);
    assert_int_equal(a.v, c.v);
    assert_int_equal(none.v, 0);
    assert_int_not_equal(empty.v, 0);
    assay_profile *p = seal(b);
    assert_string_equal(assay_profile_string(p, a).data, "main");
    assert_int_equal(assay_profile_string(p, zero).len, 3);
    assert_memory_equal(assay_profile_string(p, zero).data, "a\0b", 4);
    assert_string_equal(assay_profile_string(p, empty).data, "");
    assert_null(assay_profile_string(p, none).data);
    assert_null(assay_profile_string(p, (assay_str_id){ 77 }).data);
    assert_int_equal(assay_profile_find_string(p, "main").v, a.v);
    assert_int_equal(assay_profile_find_string(p, "mainly").v, 0);
    assay_profile_release(p);
}

static void equal_arguments_give_equal_ids_and_new_ones_never_do(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_module_id m = assay_build_module(b, put(b, "a.so"), put(b, "1")), other = assay_build_module(b, put(b, "a.so"), put(b, "2"));
    assert_int_equal(assay_build_module(b, put(b, "a.so"), put(b, "1")).v, m.v);
    assert_int_not_equal(other.v, m.v);
    assay_file_id f = assay_build_file(b, put(b, "a.c"), m);
    assert_int_equal(assay_build_file(b, put(b, "a.c"), m).v, f.v);
    assert_int_not_equal(assay_build_file(b, put(b, "a.c"), other).v, f.v);
    assert_int_not_equal(assay_build_file_new(b, put(b, "a.c"), m).v, f.v);
    assert_int_equal(assay_build_file(b, put(b, "a.c"), m).v, f.v);
    assay_func_id g = assay_build_func(b, put(b, "g"), f, m, 16, 3);
    assert_int_equal(assay_build_func(b, put(b, "g"), f, m, 16, 3).v, g.v);
    assert_int_not_equal(assay_build_func(b, put(b, "g"), f, m, 17, 3).v, g.v);
    assert_int_not_equal(assay_build_func(b, put(b, "g"), f, m, 16, 4).v, g.v);
    assert_int_not_equal(assay_build_func(b, put(b, "g"), f, other, 16, 3).v, g.v);
    assert_int_not_equal(assay_build_func(b, put(b, "g"), no_file, m, 16, 3).v, g.v);
    assert_int_not_equal(assay_build_func_new(b, put(b, "g"), f, m, 16, 3).v, g.v);
    assert_int_equal(assay_build_func(b, put(b, "g"), f, m, 16, 3).v, g.v);
    assay_builder_free(b);
}

static void the_identity_of_a_function_stays_when_its_lines_are_set_later(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_func_id f = assay_build_func(b, put(b, "f"), no_file, no_module, 0, 0);
    assay_build_func_lines(b, f, 10, 20);
    assay_build_func_kind(b, f, ASSAY_FUNC_INTERNAL, 5);
    assert_int_equal(assay_build_func(b, put(b, "f"), no_file, no_module, 0, 0).v, f.v);
    assert_int_not_equal(assay_build_func(b, put(b, "f"), no_file, no_module, 0, 10).v, f.v);
    assay_profile *p = seal(b);
    const struct assay_funcs *t = assay_profile_funcs(p);
    assert_int_equal(t->count, 2);
    assert_int_equal(t->first_line[f.v], 10);
    assert_int_equal(t->last_line[f.v], 20);
    assert_int_equal(t->kind[f.v], ASSAY_FUNC_INTERNAL);
    assert_int_equal(t->flags[f.v], 5);
    assay_profile_release(p);
}

static void the_identity_of_a_function_stays_when_its_place_is_set_later(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_module_id module = assay_build_module(b, put(b, "/bin/app"), (assay_str_id){ 0 });
    assay_file_id file = assay_build_file(b, put(b, "f.pl"), no_module);
    assay_func_id f = assay_build_func(b, put(b, "f"), no_file, no_module, 0, 0), g = assay_build_func(b, put(b, "g"), file, module, 7, 3);
    assay_func_id other = assay_build_func_new(b, put(b, "f"), no_file, no_module, 0, 0);
    assay_build_func_place(b, f, file, module, 64);
    assay_build_func_place(b, g, no_file, no_module, 0);
    assert_int_equal(assay_build_func(b, put(b, "f"), no_file, no_module, 0, 0).v, f.v);
    assert_int_equal(assay_build_func(b, put(b, "g"), file, module, 7, 3).v, g.v);
    assert_int_not_equal(assay_build_func(b, put(b, "f"), file, module, 64, 0).v, f.v);
    assert_int_not_equal(assay_build_func(b, put(b, "g"), no_file, no_module, 0, 3).v, g.v);
    assay_profile *p = seal(b);
    const struct assay_funcs *t = assay_profile_funcs(p);
    assert_int_equal(t->count, 5);
    assert_int_equal(t->file[f.v].v, file.v);
    assert_int_equal(t->module[f.v].v, module.v);
    assert_int_equal(t->offset[f.v], 64);
    assert_int_equal(t->file[g.v].v, 0);
    assert_int_equal(t->module[g.v].v, 0);
    assert_int_equal(t->offset[g.v], 0);
    assert_int_equal(t->first_line[g.v], 3);
    assert_int_equal(t->file[other.v].v, 0);
    assay_profile_release(p);
}

static void functions_have_a_second_name_a_column_and_the_mark_of_places(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_func_id f = assay_build_func(b, put(b, "ns::f()"), no_file, no_module, 0, 4), g = assay_build_func(b, put(b, "g"), no_file, no_module, 0, 4);
    assay_build_func_link(b, f, put(b, "_ZN2ns1fEv"));
    assay_build_func_column(b, f, 17);
    assay_build_func_kind(b, f, ASSAY_FUNC_PLAIN, ASSAY_FUNC_BY_PLACE | 0xffffff);
    assay_profile *p = seal(b);
    const struct assay_funcs *t = assay_profile_funcs(p);
    assert_string_equal(assay_profile_string(p, t->link_name[f.v]).data, "_ZN2ns1fEv");
    assert_int_equal(t->first_column[f.v], 17);
    assert_true(t->flags[f.v] == 0x80ffffffu);
    assert_int_equal(t->link_name[g.v].v, 0);
    assert_int_equal(t->first_column[g.v], 0);
    assert_int_equal(t->flags[g.v], 0);
    assay_profile_release(p);
}

static void places_and_names_of_functions_must_exist(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        assay_builder *b = assay_builder_new(NULL, NULL);
        assay_func_id f = assay_build_func(b, put(b, "f"), no_file, no_module, 0, 0), none = { 2 };
        if (i == 0) assay_build_func_place(b, f, (assay_file_id){ 1 }, no_module, 0);
        if (i == 1) assay_build_func_place(b, f, no_file, (assay_module_id){ 1 }, 0);
        if (i == 2) assay_build_func_place(b, none, no_file, no_module, 0);
        if (i == 3) assay_build_func_link(b, f, (assay_str_id){ 99 });
        if (i == 4) assay_build_func_link(b, none, (assay_str_id){ 0 });
        if (i == 5) assay_build_func_column(b, none, 1);
        if (assay_builder_failed(b) != ASSAY_ERR_USAGE) fail_msg("case %d: code %d", i, assay_builder_failed(b));
        assay_builder_free(b);
    }
}

static void columns_that_no_row_fills_are_null_and_entry_0_is_zero(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_file_id a = assay_build_file(b, put(b, "a.c"), no_module), c = assay_build_file(b, put(b, "b.c"), no_module);
    assay_file_id d = assay_build_file(b, put(b, "c.c"), no_module);
    assay_build_file_source(b, c, put(b, "text"), (assay_str_id){ 0 });
    assay_build_file_parent(b, c, a, 4, 0);
    assay_profile *p = seal(b);
    const struct assay_files *t = assay_profile_files(p);
    assert_int_equal(t->count, 3);
    assert_int_equal(t->path[0].v, 0);
    assert_null(t->module);
    assert_null(t->origin);
    assert_null(t->flags);
    assert_int_equal(t->source[0].v, 0);
    assert_int_equal(t->source[a.v].v, 0);
    assert_string_equal(assay_profile_string(p, t->source[c.v]).data, "text");
    assert_int_equal(t->source[d.v].v, 0);
    assert_int_equal(t->parent[c.v].v, a.v);
    assert_int_equal(t->parent_line[c.v], 4);
    assay_profile_release(p);
}

static void metrics_are_one_by_name_and_shapes_add_up(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id ir = assay_build_metric(b, "Ir", "count", ASSAY_U64, ASSAY_SHAPE_GRAPH),
                    time = assay_build_metric(b, "time", "ns", ASSAY_F64, ASSAY_SHAPE_TREE);
    assert_int_equal(assay_build_metric(b, "Ir", "other", ASSAY_U64, ASSAY_SHAPE_LINES).v, ir.v);
    assay_build_metric_text(b, time, "wall clock", "a + b", true);
    assay_profile *p = seal(b);
    const struct assay_metrics *m = assay_profile_metrics(p);
    assert_int_equal(m->count, 2);
    assert_int_equal(m->shapes[ir.v], ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES);
    assert_int_equal(m->type[time.v], ASSAY_F64);
    assert_string_equal(assay_profile_string(p, m->unit[ir.v]).data, "count");
    assert_string_equal(assay_profile_string(p, m->description[time.v]).data, "wall clock");
    assert_string_equal(assay_profile_string(p, m->formula[time.v]).data, "a + b");
    assert_int_equal(m->hidden[ir.v], 0);
    assert_int_equal(m->hidden[time.v], 1);
    assay_profile_release(p);
}

static void a_formula_has_a_total_only_when_it_is_stated(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id hits = assay_build_metric(b, "hits", "n", ASSAY_U64, 0), rate = assay_build_metric(b, "rate", "n", ASSAY_F64, 0);
    assay_build_metric_text(b, hits, NULL, "hits", false);
    assay_build_metric_text(b, rate, NULL, "a / b", false);
    assay_build_metric_total(b, hits, (assay_value){ .u = 7 });
    assay_profile *p = seal(b);
    const struct assay_metrics *m = assay_profile_metrics(p);
    assert_int_equal(m->has_stated[hits.v], 1);
    assert_int_equal(m->total[hits.v].low, 7);
    assert_int_equal(m->has_stated[rate.v], 0);
    assay_profile_release(p);
}

static void a_metric_of_two_types_is_refused(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_build_metric(b, "Ir", "count", ASSAY_U64, 0);
    assert_int_equal(assay_build_metric(b, "Ir", "count", ASSAY_F64, 0).v, 0);
    assay_error err = { 0 };
    assert_null(assay_builder_seal(b, &err));
    assert_int_equal(err.code, ASSAY_ERR_USAGE);
    assert_non_null(strstr(err.text, "'Ir'"));
}

static void stated_totals_are_kept_exactly(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id u = assay_build_metric(b, "u", "count", ASSAY_U64, 0), i = assay_build_metric(b, "i", "count", ASSAY_I64, 0);
    assay_metric_id d = assay_build_metric(b, "d", "s", ASSAY_F64, 0);
    assay_build_metric_total(b, u, (assay_value){ .u = UINT64_MAX });
    assay_build_metric_total(b, i, (assay_value){ .i = -2 });
    assay_build_metric_total(b, d, (assay_value){ .d = 0.75 });
    assay_profile *p = seal(b);
    const struct assay_metrics *m = assay_profile_metrics(p);
    assert_true(m->total[u.v].low == UINT64_MAX && m->total[u.v].high == 0);
    assert_true(m->total[i.v].low == UINT64_MAX - 1 && m->total[i.v].high == -1);
    assert_true(m->total_double[d.v] == 0.75);
    assay_profile_release(p);
}

static void streams_have_tuples_between_two_begins(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_stream_id first = assay_build_stream(b, "rank 0 thread 1");
    assay_build_tuple(b, "RANK", 0, 4000, 0);
    assay_build_tuple(b, "THREAD", 1, 4001, 2);
    assay_stream_id second = assay_build_stream(b, "no tuple"), third = assay_build_stream(b, NULL);
    assay_build_tuple(b, "PART", 3, 0, 0);
    assay_profile *p = seal(b);
    const struct assay_streams *s = assay_profile_streams(p);
    assert_int_equal(s->count, 3);
    assert_int_equal(s->tuple_count, 3);
    const uint32_t begins[] = { 0, 0, 2, 2, 3 };
    for (int i = 0; i < 5; i++) assert_int_equal(s->tuple_begin[i], begins[i]);
    assert_string_equal(assay_profile_string(p, s->label[first.v]).data, "rank 0 thread 1");
    assert_string_equal(assay_profile_string(p, s->label[second.v]).data, "no tuple");
    assert_int_equal(s->label[third.v].v, 0);
    assert_string_equal(assay_profile_string(p, s->tuple_kind[1]).data, "THREAD");
    assert_int_equal(s->tuple_physical[0], 4000);
    assert_int_equal(s->tuple_logical[2], 3);
    assert_int_equal(s->tuple_flags[1], 2);
    assay_profile_release(p);
}

static void scopes_and_statistics_are_one_by_what_they_are(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id m = assay_build_metric(b, "cycles", "cycles", ASSAY_F64, 0);
    assay_scope_id point = assay_build_scope(b, m, ASSAY_SCOPE_POINT, NULL, 0), custom = assay_build_scope(b, m, ASSAY_SCOPE_CUSTOM, "call", 2);
    assert_int_equal(assay_build_scope(b, m, ASSAY_SCOPE_POINT, NULL, 0).v, point.v);
    assert_int_not_equal(assay_build_scope(b, m, ASSAY_SCOPE_CUSTOM, "call", 3).v, custom.v);
    assay_stat_id sum = assay_build_stat(b, point, "$$", ASSAY_COMBINE_SUM), most = assay_build_stat(b, point, "$$", ASSAY_COMBINE_MAX);
    assert_int_equal(assay_build_stat(b, point, "$$", ASSAY_COMBINE_SUM).v, sum.v);
    assay_profile *p = seal(b);
    const struct assay_scopes *s = assay_profile_scopes(p);
    const struct assay_stats *t = assay_profile_stats(p);
    assert_int_equal(s->count, 3);
    assert_int_equal(s->metric[custom.v].v, m.v);
    assert_int_equal(s->kind[custom.v], ASSAY_SCOPE_CUSTOM);
    assert_int_equal(s->propagation[custom.v], 2);
    assert_string_equal(assay_profile_string(p, s->name[custom.v]).data, "call");
    assert_int_equal(t->count, 2);
    assert_int_equal(t->combine[most.v], ASSAY_COMBINE_MAX);
    assert_string_equal(assay_profile_string(p, t->formula[sum.v]).data, "$$");
    assay_profile_release(p);
}

static void attributes_keep_their_order_and_counts_are_set(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_stream_id s = assay_build_stream(b, "x");
    assay_build_attribute(b, (assay_stream_id){ 0 }, "cmd", 3, "ls -l", 5);
    assay_build_attribute(b, s, "cmd", 3, "again", 5);
    assay_build_count(b, "lines", 4);
    assay_build_count(b, "records", 0);
    assay_build_count(b, "lines", 9);
    assay_build_source(b, "callgrind", "1", "valgrind-3.19");
    assay_build_offers(b, ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
    assay_profile *p = seal(b);
    const struct assay_attributes *a = assay_profile_attributes(p);
    const struct assay_counts *c = assay_profile_counts(p);
    assert_int_equal(a->count, 2);
    assert_int_equal(a->stream[0].v, 0);
    assert_int_equal(a->stream[1].v, s.v);
    assert_string_equal(assay_profile_string(p, a->value[0]).data, "ls -l");
    assert_string_equal(assay_profile_string(p, a->value[1]).data, "again");
    assert_int_equal(c->count, 2);
    assert_int_equal(c->value[0], 9);
    assert_int_equal(c->value[1], 0);
    assert_string_equal(assay_profile_string(p, c->name[1]).data, "records");
    assert_string_equal(assay_profile_format(p), "callgrind");
    assert_string_equal(assay_profile_version(p), "1");
    assert_string_equal(assay_profile_producer(p).data, "valgrind-3.19");
    assert_int_equal(assay_profile_offers(p), ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
    assay_profile_release(p);
}

static void warnings_are_copied_and_the_101st_of_a_rule_is_counted(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    for (uint64_t i = 1; i <= 105; i++) {
        char rule[8] = "CG05", text[32];
        snprintf(text, sizeof text, "finding %d", (int)i);
        assay_build_warning(b, &(assay_finding){ .rule = rule, .severity = ASSAY_WARNING, .line = i, .message = text });
        memset(rule, 'x', sizeof rule - 1);
        memset(text, 'x', sizeof text - 1);
    }
    assay_profile *p = seal(b);
    size_t count;
    const assay_finding *w = assay_profile_warnings(p, &count);
    assert_int_equal(count, 100);
    assert_string_equal(w[0].rule, "CG05");
    assert_string_equal(w[99].message, "finding 100");
    assert_int_equal(w[99].line, 100);
    assert_int_equal(w[99].repeats, 5);
    assay_profile_release(p);
}

static void a_profile_lives_until_its_last_reference(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_str_id id = put(b, "still here");
    assay_profile *p = seal(b);
    assert_ptr_equal(assay_profile_retain(p), p);
    assay_profile_release(p);
    assert_string_equal(assay_profile_string(p, id).data, "still here");
    assay_profile_release(p);
    assay_profile_release(NULL);
}

static void nothing_wanted_means_everything_but_trees(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    uint32_t all_but_trees = ASSAY_WANT_GRAPH | ASSAY_WANT_LINES | ASSAY_WANT_TIMELINE | ASSAY_WANT_COVERAGE | ASSAY_WANT_COUNTS | ASSAY_WANT_LABELS;
    assert_int_equal(assay_builder_want(b), all_but_trees);
    assay_builder_free(b);
    b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_WHOLE }, NULL);
    assert_int_equal(assay_builder_want(b), ASSAY_WANT_WHOLE | ASSAY_WANT_TREE);
    assay_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_profile_has_tables_and_nothing_in_them),
        cmocka_unit_test(equal_strings_have_one_id_and_an_empty_one_is_not_none),
        cmocka_unit_test(equal_arguments_give_equal_ids_and_new_ones_never_do),
        cmocka_unit_test(the_identity_of_a_function_stays_when_its_lines_are_set_later),
        cmocka_unit_test(the_identity_of_a_function_stays_when_its_place_is_set_later),
        cmocka_unit_test(functions_have_a_second_name_a_column_and_the_mark_of_places),
        cmocka_unit_test(places_and_names_of_functions_must_exist),
        cmocka_unit_test(columns_that_no_row_fills_are_null_and_entry_0_is_zero),
        cmocka_unit_test(metrics_are_one_by_name_and_shapes_add_up),
        cmocka_unit_test(a_formula_has_a_total_only_when_it_is_stated),
        cmocka_unit_test(a_metric_of_two_types_is_refused),
        cmocka_unit_test(stated_totals_are_kept_exactly),
        cmocka_unit_test(streams_have_tuples_between_two_begins),
        cmocka_unit_test(scopes_and_statistics_are_one_by_what_they_are),
        cmocka_unit_test(attributes_keep_their_order_and_counts_are_set),
        cmocka_unit_test(warnings_are_copied_and_the_101st_of_a_rule_is_counted),
        cmocka_unit_test(a_profile_lives_until_its_last_reference),
        cmocka_unit_test(nothing_wanted_means_everything_but_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
