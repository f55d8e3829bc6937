/* assay_table: functions, groups of them and lines, in order, with figures that were added up by hand. */
#include "analysis/core/kinds.h"
#include "results.h"

struct wanted {
    const char *name;
    uint64_t self, total, calls;
};

static void check_rows(const assay_table *t, const struct wanted *want, uint32_t count)
{
    assert_int_equal(t->count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_slice(t->name[i], want[i].name);
        assert_int_equal(t->self[i].u, want[i].self);
        if (t->total) assert_int_equal(t->total[i].u, want[i].total);
        assert_int_equal(t->calls[i], want[i].calls);
    }
}

static assay_table *table_of(const assay_profile *p, struct assay_table_options o)
{
    assay_table *t;
    o.size = sizeof o;
    assert_int_equal(assay_table_new(p, &o, &t, NULL), 0);
    return t;
}

static void functions_are_sorted_and_limited(void **state)
{
    (void)state;
    static const struct wanted by_self[] = { { "c", 8, 8, 8 }, { "a", 2, 7, 1 }, { "main", 1, 11, 0 }, { "b", 0, 3, 4 } };
    static const struct wanted by_total[] = { { "main", 1, 11, 0 }, { "c", 8, 8, 8 } };
    assay_profile *p = result_graph();
    assay_table *t = table_of(p, (struct assay_table_options){ 0 });
    check_rows(t, by_self, 4);
    assert_true(t->line[0] == 30 && t->func[0].v != 0 && t->file[0].v != t->file[1].v && t->column_count == 1 && t->columns[0].whole == 11);
    assay_table_free(t);
    t = table_of(p, (struct assay_table_options){ .sort = ASSAY_SORT_TOTAL, .limit = 2 });
    check_rows(t, by_total, 2);
    assert_int_equal(t->left_out, 2);
    assay_table_free(t);
    t = table_of(p, (struct assay_table_options){ .least = 0.1 }); /* 1.1 */
    check_rows(t, by_self, 2);
    assay_table_free(t);
    assay_profile_release(p);
}

/* Stacks of main and of a and b are in x.c, so that all of the cost passes there; what a file costs with all it calls is not in a graph. */
static void groups_add_functions_up(void **state)
{
    (void)state;
    static const struct wanted files[] = { { "lib/y.c", 8, 0, 8 }, { "src/x.c", 3, 0, 5 } };
    assay_profile *p = result_graph();
    assay_error err;
    assay_table *t = table_of(p, (struct assay_table_options){ .by = ASSAY_TABLE_BY_FILE });
    check_rows(t, files, 2);
    assert_null(t->total);
    assert_int_equal(t->func[0].v, 0);
    assay_table_free(t);
    struct assay_table_options o = { .size = sizeof o, .by = ASSAY_TABLE_BY_FILE, .sort = ASSAY_SORT_TOTAL };
    assert_int_equal(assay_table_new(p, &o, &t, &err), ASSAY_ERR_USAGE);
    assert_null(t);
    o = (struct assay_table_options){ .size = sizeof o, .by = ASSAY_TABLE_BY_FILE, .cycles = true };
    assert_int_equal(assay_table_new(p, &o, &t, &err), ASSAY_ERR_USAGE);
    assay_profile_release(p);
}

static void lines_have_their_own_cost_and_that_of_their_calls(void **state)
{
    (void)state;
    static const struct {
        uint32_t line;
        uint64_t self, total;
    } want[] = { { 30, 8, 8 }, { 2, 0, 7 }, { 11, 0, 5 } };
    assay_profile *p = result_graph();
    assay_table *t = table_of(p, (struct assay_table_options){ .by = ASSAY_TABLE_BY_LINE, .sort = ASSAY_SORT_TOTAL, .limit = 3 });
    assert_int_equal(t->count, 3);
    assert_non_null(t->total);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(t->line[i], want[i].line);
        assert_int_equal(t->self[i].u, want[i].self);
        assert_int_equal(t->total[i].u, want[i].total);
    }
    assert_slice(t->name[0], "c");
    assay_table_free(t);
    assay_profile_release(p);
}

/* With cycles the total of a member is its self cost and its calls that leave the cycle. */
static void cycles_are_taken_together(void **state)
{
    (void)state;
    static const struct wanted want[] = { { "main", 1, 20, 0 }, { "<cycle 1>", 10, 19, 1 }, { "q", 6, 15, 2 }, { "r", 9, 9, 1 }, { "p", 4, 4, 2 } };
    assay_profile *p = result_read(result_cycle, "x.callgrind");
    assay_table *t = table_of(p, (struct assay_table_options){ .cycles = true, .sort = ASSAY_SORT_TOTAL });
    check_rows(t, want, 5);
    assert_true(t->cycle[1] == 1 && t->members[1] == 2 && t->func[1].v == 0);
    assert_true(t->cycle[2] == 1 && t->members[2] == 0 && t->cycle[3] == 0);
    assay_table_free(t);
    t = table_of(p, (struct assay_table_options){ 0 });
    assert_int_equal(t->count, 4);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(t->cycle[i], t->name[i].data[0] == 'p' || t->name[i].data[0] == 'q');
    assay_table_free(t);
    assay_profile_release(p);
}

static void coverage_has_calls_alone(void **state)
{
    (void)state;
    static const char report[] = "SF:a.c\nFN:2,f\nFN:5,g\nFNDA:3,f\nFNDA:7,g\nDA:2,3\nDA:5,7\nend_of_record\n";
    assay_profile *p = result_read(report, "x.info");
    assay_table *t = table_of(p, (struct assay_table_options){ 0 });
    assert_true(t->count == 2 && t->column_count == 0);
    assert_slice(t->name[0], "g");
    assert_int_equal(t->calls[0], 7);
    assay_table_free(t);
    assay_profile_release(p);
}

/* c has 8 of 11, a 2 and main 1: one row less would be too little. */
static void rows_make_up_a_share(void **state)
{
    (void)state;
    static const uint32_t rows[] = { 0, 1, 2, 3 };
    assay_profile *p = result_graph();
    assay_table *t = table_of(p, (struct assay_table_options){ 0 });
    assert_true(table_self_sum(t, 0, rows, 4) == 11 && table_self_sum(t, 0, rows + 1, 1) == 2);
    assert_int_equal(table_rows_of_share(t, 0, rows, 4, 0.72), 1);
    assert_int_equal(table_rows_of_share(t, 0, rows, 4, 0.73), 2);
    assert_int_equal(table_rows_of_share(t, 0, rows, 4, 1), 3);
    assert_int_equal(table_rows_of_share(t, 0, rows, 0, 1), 0);
    assay_table_free(t);
    assay_profile_release(p);
}

/* Names tell kinds in PHP only. */
static void kinds_go_by_name_in_php(void **state)
{
    (void)state;
    static const char php[] = "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.0)\ncmd: x.php\npart: 1\npositions: line\nevents: Time_(10ns)\n\n"
                              "fl=(1) php:internal\nfn=(1) php::strlen\n3 5\n\nfl=(2) /x.php\nfn=(2) include::/y.php\n1 7\n\n"
                              "fl=(2)\nfn=(3) A->b\n2 11\n\nfl=(2)\nfn=(4) C::d\n2 13\n\nfl=(2)\nfn=(5) {main}\n1 17\n";
    static const char other[] = "events: Ir\nfl=x.cc\nfn=A::b\n1 4\n";
    static const double want[] = { 17, 5, 0, 0, 7, 24 };
    double sums[FUNC_SORTS];
    assay_profile *p = result_read(php, "x.xdebug");
    assay_table *t = table_of(p, (struct assay_table_options){ 0 });
    assert_true(func_sorts_by_name(p));
    assert_int_equal(func_sort_sums(t, 0, sums, NULL), 0);
    for (unsigned k = 0; k < FUNC_SORTS; k++) assert_true(sums[k] == want[k]);
    assert_string_equal(func_sort_name(FUNC_SORT_PLAIN, true), "procedural");
    assay_table_free(t);
    assay_profile_release(p);
    p = result_read(other, "x.callgrind");
    assert_false(func_sorts_by_name(p));
    assert_int_equal(func_sort_of(p, (assay_func_id){ 1 }, false), FUNC_SORT_PLAIN);
    assert_true(func_sort_is_own(FUNC_SORT_CLASS) && !func_sort_is_own(FUNC_SORT_INTERNAL));
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_sorted_and_limited),
        cmocka_unit_test(groups_add_functions_up),
        cmocka_unit_test(lines_have_their_own_cost_and_that_of_their_calls),
        cmocka_unit_test(cycles_are_taken_together),
        cmocka_unit_test(coverage_has_calls_alone),
        cmocka_unit_test(rows_make_up_a_share),
        cmocka_unit_test(kinds_go_by_name_in_php),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
