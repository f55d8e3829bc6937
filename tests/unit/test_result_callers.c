/* assay_callers: blocks, sides and levels of a graph and a tree that were added up by hand. */
#include "results.h"

static void check_row(const assay_callers_side *s, uint32_t row, uint32_t parent, const char *name, uint64_t total, uint64_t calls)
{
    assert_true(row <= s->count);
    assert_int_equal(s->parent[row], parent);
    assert_slice(s->name[row], name);
    assert_int_equal(s->total[row].u, total);
    assert_int_equal(s->calls[row], calls);
}

static void a_graph_has_callers_and_callees_with_sites(void **state)
{
    (void)state;
    assay_profile *p = result_graph();
    assay_callers *c;
    assert_int_equal(assay_callers_new(p, "a", NULL, &c, NULL), 0);
    assert_true(c->count == 1 && c->found == 1 && c->column_count == 1);
    const assay_callers_block *b = c->blocks;
    assert_slice(b->name, "a");
    assert_true(b->self[0].u == 2 && b->total[0].u == 7 && b->calls == 1 && !b->cycle && !b->members);
    assert_true(b->callers.count == 1 && b->callees.count == 1);
    check_row(&b->callers, 1, 0, "main", 7, 1);
    check_row(&b->callees, 1, 0, "c", 5, 5);
    assert_true(b->callers.line[1] == 2 && b->callees.line[1] == 11 && b->callees.sites[1] == 1 && !b->callees.flags[1]);
    assert_int_equal(b->callees.contexts[1], 0);
    assay_callers_free(c);
    assay_profile_release(p);
}

static void what_the_limit_leaves_out_is_added_up(void **state)
{
    (void)state;
    struct assay_callers_options o = { .size = sizeof o, .limit = 1 };
    assay_profile *p = result_graph();
    assay_callers *c;
    assert_int_equal(assay_callers_new(p, "c", &o, &c, NULL), 0);
    const assay_callers_side *s = &c->blocks[0].callers;
    assert_int_equal(s->count, 1);
    check_row(s, 1, 0, "a", 5, 5);
    assert_true(s->left_out == 1 && s->rest[0].u == 3);
    assay_callers_free(c);
    o = (struct assay_callers_options){ .size = sizeof o, .sort = ASSAY_CALLERS_SORT_NAME };
    assert_int_equal(assay_callers_new(p, "main", &o, &c, NULL), 0);
    check_row(&c->blocks[0].callees, 2, 0, "b", 3, 4);
    assay_callers_free(c);
    assay_profile_release(p);
}

/* c was reached by way of a for 5 and by way of b for 3, both from main. */
static void levels_of_a_tree_add_up(void **state)
{
    (void)state;
    struct assay_callers_options o = { .size = sizeof o, .depth = 2 };
    assay_profile *p = result_tree();
    assay_callers *c;
    assert_int_equal(assay_callers_new(p, "c", &o, &c, NULL), 0);
    const assay_callers_side *s = &c->blocks[0].callers;
    assert_int_equal(s->count, 4);
    check_row(s, 1, 0, "a", 5, 0);
    check_row(s, 2, 1, "main", 5, 0);
    check_row(s, 3, 0, "b", 3, 0);
    check_row(s, 4, 3, "main", 3, 0);
    assert_true(s->depth[2] == 2 && s->depth[3] == 1 && s->contexts[1] == 1);
    assert_int_equal(c->blocks[0].callees.count, 0);
    assay_callers_free(c);
    assay_profile_release(p);
    p = result_graph();
    assay_error err;
    assert_int_equal(assay_callers_new(p, "c", &o, &c, &err), ASSAY_ERR_UNSUPPORTED);
    assay_profile_release(p);
}

static void an_expression_finds_several(void **state)
{
    (void)state;
    struct assay_callers_options o = { .size = sizeof o };
    assay_profile *p = result_graph();
    assay_callers *c;
    assay_error err;
    assert_int_equal(assay_callers_new(p, "^[ab]$", &o, &c, NULL), 0);
    assert_true(c->found == 2 && c->count == 2);
    assert_slice(c->blocks[0].name, "a");
    assert_slice(c->blocks[1].name, "b");
    assay_callers_free(c);
    o.functions = 1;
    assert_int_equal(assay_callers_new(p, "^[ab]$", &o, &c, NULL), 0);
    assert_true(c->found == 2 && c->count == 1);
    assay_callers_free(c);
    assert_int_equal(assay_callers_new(p, "mian", &o, &c, &err), ASSAY_ERR_USAGE);
    assert_non_null(strstr(err.text, "'main'"));
    assert_null(c);
    assay_profile_release(p);
}

/* p and q have 10 of their own, and 9 for r. */
static void cycles_are_items_of_their_own(void **state)
{
    (void)state;
    struct assay_callers_options o = { .size = sizeof o, .cycles = true };
    assay_profile *p = result_read(result_cycle, "x.callgrind");
    assay_callers *c;
    assert_int_equal(assay_callers_new(p, "<cycle 1>", &o, &c, NULL), 0);
    const assay_callers_block *b = c->blocks;
    assert_slice(b->name, "<cycle 1>");
    assert_true(b->func.v == 0 && b->cycle == 1 && b->members == 2 && b->calls == 1);
    assert_true(b->self[0].u == 10 && b->total[0].u == 19);
    assay_callers_free(c);
    o.cycles = false;
    assert_int_equal(assay_callers_new(p, "p", &o, &c, NULL), 0);
    b = c->blocks;
    assert_true(b->cycle == 1 && b->members == 0);
    for (uint32_t i = 1; i <= b->callers.count; i++) {
        bool is_inside = b->callers.cycle[i] == 1;
        assert_int_equal(b->callers.flags[i], is_inside ? ASSAY_CALLERS_INSIDE : 0);
    }
    assay_callers_free(c);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_has_callers_and_callees_with_sites),
        cmocka_unit_test(what_the_limit_leaves_out_is_added_up),
        cmocka_unit_test(levels_of_a_tree_add_up),
        cmocka_unit_test(an_expression_finds_several),
        cmocka_unit_test(cycles_are_items_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
