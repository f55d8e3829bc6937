/* Public results when memory runs out: with every limit up to the one that is enough there is an error, no result, and nothing is left behind. */
#include "results.h"

#include "model/profile.h"

enum { STEP = 48, ENOUGH = 4 << 20 };

static assay_profile *tree, *graph;

static int make_table(const assay_profile *p, assay_error *err)
{
    struct assay_table_options o = { .size = sizeof o, .metric = "Ir / 2", .cycles = true };
    assay_table *t;
    int rc = assay_table_new(p, &o, &t, err);
    assert_true((t != NULL) == (rc == 0));
    assay_table_free(t);
    return rc;
}
static int make_lines(const assay_profile *p, assay_error *err)
{
    struct assay_table_options o = { .size = sizeof o, .by = ASSAY_TABLE_BY_LINE };
    assay_table *t;
    int rc = assay_table_new(p, &o, &t, err);
    assert_true((t != NULL) == (rc == 0));
    assay_table_free(t);
    return rc;
}
static int make_view(const assay_profile *p, assay_error *err)
{
    struct assay_view_options o = { .size = sizeof o, .estimate = true };
    assay_view *v;
    int rc = assay_view_new(p, &o, &v, err);
    assert_true((v != NULL) == (rc == 0));
    assay_view_free(v);
    return rc;
}
static int make_callers(const assay_profile *p, assay_error *err)
{
    assay_callers *c;
    int rc = assay_callers_new(p, "^[abc]$", NULL, &c, err);
    assert_true((c != NULL) == (rc == 0));
    assay_callers_free(c);
    return rc;
}
static int make_paths(const assay_profile *p, assay_error *err)
{
    struct assay_paths_options o = { .size = sizeof o, .estimate = true, .callers = true };
    assay_paths *s;
    int rc = assay_paths_new(p, &o, &s, err);
    assert_true((s != NULL) == (rc == 0));
    assay_paths_free(s);
    return rc;
}
static int make_annotate(const assay_profile *p, assay_error *err)
{
    assay_annotate *a;
    const assay_annotate_source *s = NULL;
    int rc = assay_annotate_new(p, NULL, &a, err);
    if (rc == 0) rc = assay_annotate_file(a, 0, &s, err);
    assert_true((s != NULL) == (rc == 0));
    assay_annotate_free(a);
    return rc;
}

static void refuse_in_turn(assay_profile *p, int (*make)(const assay_profile *p, assay_error *err))
{
    size_t used = p->mem.used, room = 1;
    for (int rc = -1; rc != 0; room += STEP) {
        assay_error err;
        p->mem.limit = used + room;
        rc = make(p, &err);
        assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
        assert_int_equal(err.code, rc);
        assert_true(room < ENOUGH);
        assert_int_equal(p->mem.used, used);
    }
    assert_true(room > STEP);
    p->mem.limit = 0;
}

static void memory_runs_out(void **state)
{
    (void)state;
    tree = result_tree();
    graph = result_graph();
    refuse_in_turn(graph, make_table);
    refuse_in_turn(graph, make_lines);
    refuse_in_turn(graph, make_view);
    refuse_in_turn(tree, make_view);
    refuse_in_turn(graph, make_callers);
    refuse_in_turn(tree, make_callers);
    refuse_in_turn(graph, make_paths);
    refuse_in_turn(tree, make_paths);
    refuse_in_turn(graph, make_annotate);
    assay_profile_release(tree);
    assay_profile_release(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(memory_runs_out) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
