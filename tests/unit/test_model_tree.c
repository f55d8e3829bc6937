/* The tree: identity and order of nodes, sparse values over streams, summaries, backings, totals. Trees that are built at random are
 * compared with a plain table kept beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assay/build.h"

static const assay_stream_id no_stream = { 0 };

struct fixture {
    assay_builder *b;
    assay_metric_id metric;
    assay_scope_id point;
    assay_func_id f, g;
};

static struct fixture start(enum assay_type type)
{
    struct fixture x = { .b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_WHOLE | ASSAY_WANT_GRAPH }, NULL) };
    x.metric = assay_build_metric(x.b, "m", "count", type, 0);
    x.point = assay_build_scope(x.b, x.metric, ASSAY_SCOPE_POINT, NULL, 0);
    x.f = assay_build_func(x.b, assay_build_string(x.b, "f", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    x.g = assay_build_func(x.b, assay_build_string(x.b, "g", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    return x;
}

static assay_profile *seal(assay_builder *b)
{
    assay_error err = { 0 };
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static int64_t value_at(const assay_profile *p, uint32_t stream, uint32_t node, uint32_t column)
{
    assay_value v = { .i = 99 };
    assert_int_equal(assay_tree_value(p, (assay_stream_id){ stream }, (assay_node_id){ node }, (assay_scope_id){ column }, &v, NULL), 0);
    return v.i;
}

struct list {
    assay_cell at[64];
    int count, stop_at;
};

static int collect(void *arg, const assay_cell *cell)
{
    struct list *l = arg;
    l->at[l->count++] = *cell;
    return l->count == l->stop_at ? 7 : 0;
}

static uint32_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* ---- nodes ---- */

static void equal_nodes_are_one_and_each_field_tells_them_apart(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_U64);
    assay_file_id file = assay_build_file(x.b, assay_build_string(x.b, "x.c", 3), (assay_module_id){ 0 });
    assay_module_id module = assay_build_module(x.b, assay_build_string(x.b, "x.so", 4), (assay_str_id){ 0 });
    struct assay_node base = { .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_CALL, .func = x.f, .line = 3, .offset = 8, .origin = 1 };
    assay_node_id id = assay_build_node(x.b, &base);
    struct assay_node again = base;
    again.origin = 2;
    assert_int_equal(assay_build_node(x.b, &again).v, id.v);
    struct assay_node others[9];
    for (int i = 0; i < 9; i++) others[i] = base;
    others[0].parent = id;
    others[1].kind = ASSAY_NODE_LOOP;
    others[2].relation = ASSAY_RELATION_LEXICAL;
    others[3].flags = ASSAY_NODE_NO_PLACE;
    others[4].func = x.g;
    others[5].file = file;
    others[6].line = 4;
    others[7].module = module;
    others[8].offset = 9;
    for (uint32_t i = 0; i < 9; i++) assert_int_equal(assay_build_node(x.b, &others[i]).v, i + 2);
    for (uint32_t i = 0; i < 9; i++) assert_int_equal(assay_build_node(x.b, &others[i]).v, i + 2);
    assert_int_equal(assay_build_node_new(x.b, &base).v, 11);
    assert_int_equal(assay_build_node(x.b, &base).v, id.v);
    assay_profile *p = seal(x.b);
    const struct assay_tree *t = assay_profile_tree(p);
    assert_int_equal(t->count, 11);
    assert_false(t->is_whole);
    assert_int_equal(t->origin[1], 1);
    assert_int_equal(t->parent[2].v, id.v);
    assert_int_equal(t->kind[3], ASSAY_NODE_LOOP);
    assert_int_equal(t->flags[5], ASSAY_NODE_NO_PLACE);
    assert_int_equal(t->module[9].v, module.v);
    assert_int_equal(t->offset[10], 9);
    assert_null(t->calls);
    assert_int_equal(assay_profile_shapes(p), ASSAY_SHAPE_TREE);
    assay_profile_release(p);
}

static void what_a_node_gets_later_is_kept(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_U64);
    assay_node_id a = assay_build_node_new(x.b, &(struct assay_node){ .func = x.f }), c = assay_build_node_new(x.b, &(struct assay_node){ .func = x.g });
    assay_build_node_line(x.b, c, 17);
    assay_build_node_calls(x.b, a, 2);
    assay_build_node_calls(x.b, a, 3);
    assay_build_node_parent(x.b, c, a);
    assay_build_tree_whole(x.b);
    assay_profile *p = seal(x.b);
    const struct assay_tree *t = assay_profile_tree(p);
    assert_true(t->is_whole);
    assert_int_equal(t->line[2], 17);
    assert_int_equal(t->calls[1], 5);
    assert_int_equal(t->calls[2], 0);
    assert_int_equal(t->parent[2].v, 1);
    assay_profile_release(p);
}

/* A random tree in preorder: parent[i] < i. Built from below it must come out in exactly this numbering. */
enum { NODES = 3000 };

static void random_tree(uint32_t *parent, uint64_t seed)
{
    uint32_t depth = 0, stack[64];
    for (uint32_t i = 1; i <= NODES; i++) {
        while (depth > 0 && (depth == 60 || random_next(&seed) % 5 < 2)) depth--;
        parent[i] = depth ? stack[depth - 1] : 0;
        stack[depth++] = i;
    }
}

/* Nodes in the order in which they end: children before parents, siblings in order. */
static uint32_t postorder(const uint32_t *parent, uint32_t *order)
{
    uint32_t stack[64], depth = 0, count = 0;
    for (uint32_t i = 1; i <= NODES; i++) {
        while (depth && stack[depth - 1] != parent[i]) order[count++] = stack[--depth];
        stack[depth++] = i;
    }
    while (depth) order[count++] = stack[--depth];
    return count;
}

static void trees_built_from_below_are_renumbered_with_all_that_speaks_of_them(void **state)
{
    (void)state;
    static uint32_t parent[NODES + 1], order[NODES];
    for (uint64_t seed = 1; seed <= 5; seed++) {
        random_tree(parent, seed);
        assert_int_equal(postorder(parent, order), NODES);
        struct fixture x = start(ASSAY_I64);
        assay_scope_id sparse = assay_build_scope(x.b, x.metric, ASSAY_SCOPE_CUSTOM, "sparse", 0);
        assay_stat_id stat = assay_build_stat(x.b, x.point, "$$", ASSAY_COMBINE_SUM);
        assay_stream_id s = assay_build_stream(x.b, "s");
        static assay_node_id made[NODES + 1];
        assay_build_tree_whole(x.b);
        assay_build_timeline_stream(x.b, s, "ns", false);
        for (uint32_t k = 0; k < NODES; k++) {
            uint32_t i = order[k];
            made[i] = assay_build_node_new(x.b, &(struct assay_node){ .func = i % 2 ? x.f : x.g, .line = i, .origin = i, .kind = (uint8_t)(i % 7) });
            assay_build_value(x.b, no_stream, made[i], x.point, (assay_value){ .i = i });
            if (i % 5 == 0) assay_build_value(x.b, s, made[i], sparse, (assay_value){ .i = -(int64_t)i });
            if (i % 11 == 0) assay_build_summary(x.b, made[i], stat, (assay_value){ .i = i });
            assay_build_event(x.b, s, (int64_t)k, 0, made[i], NULL);
            assay_build_node_calls(x.b, made[i], i);
        }
        for (uint32_t i = 1; i <= NODES; i++) assay_build_node_parent(x.b, made[i], made[parent[i]]);
        assay_profile *p = seal(x.b);
        const struct assay_tree *t = assay_profile_tree(p);
        assert_int_equal(t->count, NODES);
        assert_int_equal(t->parent[0].v, 0);
        for (uint32_t i = 1; i <= NODES; i++) {
            assert_int_equal(t->origin[i], i);
            assert_int_equal(t->parent[i].v, parent[i]);
            assert_int_equal(t->line[i], i);
            assert_int_equal(t->kind[i], i % 7);
            assert_int_equal(t->func[i].v, i % 2 ? x.f.v : x.g.v);
            assert_int_equal(t->calls[i], i);
            assert_int_equal(value_at(p, 0, i, x.point.v), i);
            assert_int_equal(value_at(p, s.v, i, sparse.v), i % 5 ? 0 : -(int64_t)i);
        }
        for (uint32_t k = 0; k < NODES; k++) assert_int_equal(assay_profile_timeline(p)->node[k].v, order[k]);
        assert_int_equal(assay_profile_metrics(p)->total[1].low, (uint64_t)NODES * (NODES + 1) / 2);
        assay_profile_release(p);
    }
}

static int count_up(void *arg, const assay_cell *cell)
{
    uint32_t *last = arg;
    assert_true(cell->node > *last);
    assert_int_equal(cell->value.u, cell->node);
    *last = cell->node;
    return 0;
}

static void a_chain_of_a_million_nodes_needs_no_stack(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    struct fixture x = start(ASSAY_U64);
    for (uint32_t i = DEPTH; i >= 1; i--) {
        assay_node_id id = assay_build_node_new(x.b, &(struct assay_node){ .line = i });
        assay_build_value(x.b, no_stream, id, x.point, (assay_value){ .u = i });
        if (id.v > 1) assay_build_node_parent(x.b, (assay_node_id){ id.v - 1 }, id);
    }
    assay_profile *p = seal(x.b);
    const struct assay_tree *t = assay_profile_tree(p);
    for (uint32_t i = 1; i <= DEPTH; i++)
        if (t->parent[i].v != i - 1 || t->line[i] != i) fail_msg("node %u", i);
    uint32_t last = 0;
    assert_int_equal(assay_tree_column(p, no_stream, x.point, count_up, &last, NULL), 0);
    assert_int_equal(last, DEPTH);
    assay_profile_release(p);
}

static void cycles_and_missing_parents_are_damage(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct fixture x = start(ASSAY_U64);
        for (int k = 0; k < 4; k++) assay_build_node_new(x.b, &(struct assay_node){ .origin = 100u + (uint64_t)k });
        if (i == 0) assay_build_node_parent(x.b, (assay_node_id){ 2 }, (assay_node_id){ 2 });
        if (i >= 1) assay_build_node_parent(x.b, (assay_node_id){ 2 }, (assay_node_id){ i == 1 ? 3 : i == 2 ? 4 : 5 });
        if (i >= 1) assay_build_node_parent(x.b, (assay_node_id){ 3 }, (assay_node_id){ 2 });
        if (i == 2) assay_build_node_parent(x.b, (assay_node_id){ 4 }, (assay_node_id){ 3 });
        assay_error err = { 0 };
        assert_null(assay_builder_seal(x.b, &err));
        assert_int_equal(err.code, ASSAY_ERR_DAMAGED);
        assert_non_null(strstr(err.text, i == 3 ? "the last node is 4" : "node 2 (number 101 in the file) is its own ancestor"));
    }
}

static void a_dropped_tree_leaves_nothing_and_can_be_begun_again(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_U64);
    assay_build_tree_whole(x.b);
    for (uint32_t i = 0; i < 3; i++) {
        assay_node_id id = assay_build_node(x.b, &(struct assay_node){ .func = x.f, .line = i, .offset = 4 });
        assay_build_value(x.b, no_stream, id, x.point, (assay_value){ .u = 4 });
        assay_build_event(x.b, no_stream, 1, 2, id, NULL);
        assay_build_node_calls(x.b, id, 1);
    }
    assay_build_tree_drop(x.b);
    assay_node_id id = assay_build_node(x.b, &(struct assay_node){ .func = x.f, .line = 1 });
    assert_int_equal(id.v, 1);
    assay_build_value(x.b, no_stream, id, x.point, (assay_value){ .u = 6 });
    assay_profile *p = seal(x.b);
    assert_int_equal(assay_profile_tree(p)->count, 1);
    assert_false(assay_profile_tree(p)->is_whole);
    assert_null(assay_profile_tree(p)->offset);
    assert_null(assay_profile_tree(p)->calls);
    assert_int_equal(assay_profile_timeline(p)->count, 0);
    assert_int_equal(value_at(p, 0, 1, x.point.v), 6);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 6);
    assay_profile_release(p);
}

/* ---- values ---- */

static void values_add_up_in_any_order_and_zeros_are_not_stored(void **state)
{
    (void)state;
    enum { STREAMS = 4, COLUMNS = 5, NODE_COUNT = 60 };
    static int64_t want[STREAMS][NODE_COUNT + 1][COLUMNS + 1];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t r = seed;
        memset(want, 0, sizeof want);
        struct fixture x = start(ASSAY_I64);
        for (uint8_t c = 2; c <= COLUMNS; c++) assay_build_scope(x.b, x.metric, ASSAY_SCOPE_CUSTOM, "c", c);
        for (int s = 1; s < STREAMS; s++) assay_build_stream(x.b, "s");
        for (uint32_t n = 0; n < NODE_COUNT; n++) assay_build_node_new(x.b, &(struct assay_node){ .parent = { n / 2 } });
        for (int i = 0; i < 1500; i++) {
            uint32_t s = random_next(&r) % STREAMS, n = random_next(&r) % (NODE_COUNT + 1), c = 1 + random_next(&r) % COLUMNS;
            if (seed % 2) n = n * (uint32_t)i / 1500; /* roughly rising */
            int64_t v = (int64_t)(random_next(&r) % 5) - 2;
            want[s][n][c] += v;
            assay_build_value(x.b, (assay_stream_id){ s }, (assay_node_id){ n }, (assay_scope_id){ c }, (assay_value){ .i = v });
        }
        assay_profile *p = seal(x.b);
        for (uint32_t s = 0; s < STREAMS; s++)
            for (uint32_t n = 0; n <= NODE_COUNT; n++) {
                struct list l = { .count = 0 };
                assert_int_equal(assay_tree_row(p, (assay_stream_id){ s }, (assay_node_id){ n }, collect, &l, NULL), 0);
                int k = 0;
                for (uint32_t c = 1; c <= COLUMNS; c++) {
                    assert_int_equal(value_at(p, s, n, c), want[s][n][c]);
                    if (!want[s][n][c]) continue;
                    assert_true(k < l.count);
                    assert_int_equal(l.at[k].node, n);
                    assert_int_equal(l.at[k].column, c);
                    assert_int_equal(l.at[k++].value.i, want[s][n][c]);
                }
                assert_int_equal(l.count, k);
            }
        assay_profile_release(p);
    }
}

static void a_column_walk_goes_by_node_and_stops_when_told(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_U64);
    assay_scope_id other = assay_build_scope(x.b, x.metric, ASSAY_SCOPE_EXECUTION, NULL, 0);
    for (uint32_t n = 1; n <= 4; n++) {
        assay_node_id id = assay_build_node_new(x.b, &(struct assay_node){ .line = n });
        if (n != 2) assay_build_value(x.b, no_stream, id, other, (assay_value){ .u = 10 * n });
        assay_build_value(x.b, no_stream, id, x.point, (assay_value){ .u = n });
    }
    assay_profile *p = seal(x.b);
    struct list all = { 0 }, one = { 0 }, stopped = { .stop_at = 2 }, none = { 0 };
    assert_int_equal(assay_tree_column(p, no_stream, (assay_scope_id){ 0 }, collect, &all, NULL), 0);
    assert_int_equal(all.count, 7);
    assert_true(all.at[0].node == 1 && all.at[0].column == x.point.v && all.at[1].column == other.v);
    assert_int_equal(assay_tree_column(p, no_stream, other, collect, &one, NULL), 0);
    assert_int_equal(one.count, 3);
    assert_int_equal(one.at[1].node, 3);
    assert_int_equal(one.at[1].value.u, 30);
    assert_int_equal(assay_tree_column(p, no_stream, x.point, collect, &stopped, NULL), 7);
    assert_int_equal(stopped.count, 2);
    assert_int_equal(assay_tree_column(p, (assay_stream_id){ 9 }, x.point, collect, &none, NULL), 0);
    assert_int_equal(assay_tree_row(p, no_stream, (assay_node_id){ 9 }, collect, &none, NULL), 0);
    assert_int_equal(none.count, 0);
    assay_profile_release(p);
}

static void a_row_can_have_many_columns_in_falling_order(void **state)
{
    (void)state;
    enum { COLUMNS = 300 };
    struct fixture x = start(ASSAY_U64);
    for (int i = 2; i <= COLUMNS; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        assay_build_scope(x.b, x.metric, ASSAY_SCOPE_CUSTOM, name, 0);
    }
    assay_node_id id = assay_build_node_new(x.b, &(struct assay_node){ .line = 1 });
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = COLUMNS; c >= 1; c--) assay_build_value(x.b, no_stream, id, (assay_scope_id){ c }, (assay_value){ .u = c });
    assay_profile *p = seal(x.b);
    for (uint32_t c = 1; c <= COLUMNS; c++) assert_int_equal(value_at(p, 0, 1, c), 2 * c);
    assay_profile_release(p);
}

static void too_many_columns_are_a_limit(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_U64);
    for (int i = 0; i < 40000 && !assay_builder_failed(x.b); i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        assay_build_scope(x.b, x.metric, ASSAY_SCOPE_CUSTOM, name, 0);
    }
    assert_int_equal(assay_builder_failed(x.b), ASSAY_ERR_LIMIT);
    assay_builder_free(x.b);
}

static void summaries_are_kept_and_combine_as_their_statistic_says(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_F64);
    assay_stat_id sum = assay_build_stat(x.b, x.point, "$$", ASSAY_COMBINE_SUM), least = assay_build_stat(x.b, x.point, "$$", ASSAY_COMBINE_MIN);
    assay_stat_id most = assay_build_stat(x.b, x.point, "$$", ASSAY_COMBINE_MAX);
    assay_node_id a = assay_build_node_new(x.b, &(struct assay_node){ .line = 1 }), c = assay_build_node_new(x.b, &(struct assay_node){ .line = 2 });
    const double parts[] = { 2.5, -1.0, 4.0 };
    for (int i = 0; i < 3; i++) {
        assay_build_summary(x.b, c, sum, (assay_value){ .d = parts[i] });
        assay_build_summary(x.b, a, least, (assay_value){ .d = parts[i] });
        assay_build_summary(x.b, c, most, (assay_value){ .d = parts[i] });
    }
    assay_profile *p = seal(x.b);
    struct list all = { 0 }, one = { 0 };
    assert_int_equal(assay_tree_summary(p, (assay_stat_id){ 0 }, collect, &all, NULL), 0);
    assert_int_equal(all.count, 3);
    assert_true(all.at[0].node == a.v && all.at[0].column == least.v && all.at[0].value.d == -1.0);
    assert_true(all.at[1].node == c.v && all.at[1].column == sum.v && all.at[1].value.d == 5.5);
    assert_true(all.at[2].column == most.v && all.at[2].value.d == 4.0);
    assert_int_equal(assay_tree_summary(p, most, collect, &one, NULL), 0);
    assert_int_equal(one.count, 1);
    assert_true(assay_profile_metrics(p)->total_double[1] == 0.0); /* summaries repeat values, they are none */
    assay_profile_release(p);
}

/* ---- totals ---- */

static void the_total_is_the_sum_of_point_values_over_all_streams(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_U64);
    assay_scope_id inclusive = assay_build_scope(x.b, x.metric, ASSAY_SCOPE_EXECUTION, NULL, 0);
    assay_stream_id s = assay_build_stream(x.b, "s");
    assay_node_id root = assay_build_node(x.b, &(struct assay_node){ .func = x.f }), kid = assay_build_node(x.b, &(struct assay_node){ .parent = root });
    assay_node_id lost = assay_build_node(x.b, &(struct assay_node){ .flags = ASSAY_NODE_NO_PLACE });
    assay_build_value(x.b, no_stream, root, x.point, (assay_value){ .u = 1 });
    assay_build_value(x.b, no_stream, root, inclusive, (assay_value){ .u = 1000 });
    assay_build_value(x.b, s, kid, x.point, (assay_value){ .u = 20 });
    assay_build_value(x.b, s, lost, x.point, (assay_value){ .u = 300 });
    assay_profile *p = seal(x.b);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 321);
    assert_int_equal(assay_profile_metrics(p)->shapes[1], ASSAY_SHAPE_TREE);
    assay_profile_release(p);
}

static void with_inclusive_values_alone_the_total_is_that_of_the_roots(void **state)
{
    (void)state;
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_metric_id m = assay_build_metric(b, "m", "s", ASSAY_F64, 0);
    assay_scope_id inclusive = assay_build_scope(b, m, ASSAY_SCOPE_EXECUTION, NULL, 0);
    assay_node_id a = assay_build_node_new(b, &(struct assay_node){ 0 }), c = assay_build_node_new(b, &(struct assay_node){ .parent = a });
    assay_node_id second = assay_build_node_new(b, &(struct assay_node){ 0 });
    assay_build_value(b, no_stream, a, inclusive, (assay_value){ .d = 4.5 });
    assay_build_value(b, no_stream, c, inclusive, (assay_value){ .d = 3.0 });
    assay_build_value(b, no_stream, second, inclusive, (assay_value){ .d = 1.0 });
    assay_profile *p = seal(b);
    assert_true(assay_profile_metrics(p)->total_double[1] == 5.5);
    assay_profile_release(p);
}

static void a_metric_in_several_shapes_is_counted_once(void **state)
{
    (void)state;
    struct fixture x = start(ASSAY_U64);
    assay_node_id n = assay_build_node(x.b, &(struct assay_node){ .func = x.f });
    assay_build_value(x.b, no_stream, n, x.point, (assay_value){ .u = 10 });
    assay_build_self(x.b, &(struct assay_place){ .func = x.f }, &(assay_value){ .u = 12 }, 1);
    assay_profile *p = seal(x.b);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 12);
    assert_int_equal(assay_profile_metrics(p)->shapes[1], ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH);
    assay_profile_release(p);
}

/* ---- backings ---- */

struct store {
    int dropped, asked;
};

static int store_row(void *self, assay_stream_id stream, assay_node_id node, assay_cell_fn fn, void *arg, assay_error *err)
{
    (void)err;
    ((struct store *)self)->asked++;
    return fn(arg, &(assay_cell){ .node = node.v, .column = 1, .value.u = 100 * stream.v + node.v });
}

static int store_column(void *self, assay_stream_id stream, assay_scope_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    (void)column;
    if (((struct store *)self)->asked < 0) {
        snprintf(err->text, sizeof err->text, "page 7 is damaged");
        return err->code = ASSAY_ERR_DAMAGED;
    }
    for (uint32_t n = 1; n <= 2; n++) {
        int rc = store_row(self, stream, (assay_node_id){ n }, fn, arg, err);
        if (rc) return rc;
    }
    return 0;
}

static int store_value(void *self, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value *out, assay_error *err)
{
    (void)column;
    (void)err;
    ((struct store *)self)->asked++;
    out->u = 100 * stream.v + node.v;
    return 0;
}

static int store_summary(void *self, assay_stat_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    (void)self;
    (void)err;
    return fn(arg, &(assay_cell){ .node = 2, .column = column.v, .value.u = 5 });
}

static void store_drop(void *self) { ((struct store *)self)->dropped++; }

static const struct assay_backing store_table = { store_row, store_column, store_value, store_summary, store_drop };

static struct fixture with_store(struct store *store, bool is_ordered)
{
    struct fixture x = start(ASSAY_U64);
    assay_build_stream(x.b, "s");
    assay_build_node_new(x.b, &(struct assay_node){ .parent = { is_ordered ? 0 : 2 } });
    assay_build_node_new(x.b, &(struct assay_node){ .parent = { is_ordered ? 1 : 0 } });
    assay_build_backing(x.b, &store_table, store);
    return x;
}

static void a_backing_answers_for_the_values_until_the_last_release(void **state)
{
    (void)state;
    struct store store = { 0 };
    struct fixture x = with_store(&store, true);
    assay_profile *p = seal(x.b);
    struct list row = { 0 }, column = { 0 }, summary = { 0 };
    assert_int_equal(value_at(p, 1, 2, 1), 102);
    assert_int_equal(assay_tree_row(p, (assay_stream_id){ 1 }, (assay_node_id){ 1 }, collect, &row, NULL), 0);
    assert_int_equal(row.at[0].value.u, 101);
    assert_int_equal(assay_tree_column(p, no_stream, x.point, collect, &column, NULL), 0);
    assert_int_equal(column.count, 2);
    assert_int_equal(assay_tree_summary(p, (assay_stat_id){ 3 }, collect, &summary, NULL), 0);
    assert_int_equal(summary.at[0].column, 3);
    /* 1 + 2 of stream 0, 101 + 102 of stream 1 */
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 206);
    assay_profile_retain(p);
    assay_profile_release(p);
    assert_int_equal(store.dropped, 0);
    assay_profile_release(p);
    assert_int_equal(store.dropped, 1);
}

static void stated_totals_spare_the_backing_a_walk(void **state)
{
    (void)state;
    struct store store = { 0 };
    struct fixture x = with_store(&store, true);
    assay_build_metric_total(x.b, x.metric, (assay_value){ .u = 206 });
    assay_profile *p = seal(x.b);
    assert_int_equal(store.asked, 0);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 206);
    assay_profile_release(p);
}

static void a_backing_is_dropped_once_whatever_fails(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct store store = { 0 }, second = { 0 };
        struct fixture x = with_store(&store, i != 0);
        assay_error err = { 0 };
        if (i == 1) assay_build_value(x.b, no_stream, (assay_node_id){ 1 }, x.point, (assay_value){ .u = 1 });
        if (i == 2) assay_build_backing(x.b, &store_table, &second);
        if (i == 3) store.asked = -10; /* the walk for the totals fails */
        if (i == 4)
            assay_builder_free(x.b);
        else
            assert_null(assay_builder_seal(x.b, &err));
        assert_int_equal(err.code, i == 4 ? 0 : i == 3 ? ASSAY_ERR_DAMAGED : ASSAY_ERR_USAGE);
        if (i == 3) assert_string_equal(err.text, "page 7 is damaged");
        assert_int_equal(store.dropped, 1);
        assert_int_equal(second.dropped, i == 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_nodes_are_one_and_each_field_tells_them_apart),
        cmocka_unit_test(what_a_node_gets_later_is_kept),
        cmocka_unit_test(trees_built_from_below_are_renumbered_with_all_that_speaks_of_them),
        cmocka_unit_test(a_chain_of_a_million_nodes_needs_no_stack),
        cmocka_unit_test(cycles_and_missing_parents_are_damage),
        cmocka_unit_test(a_dropped_tree_leaves_nothing_and_can_be_begun_again),
        cmocka_unit_test(values_add_up_in_any_order_and_zeros_are_not_stored),
        cmocka_unit_test(a_column_walk_goes_by_node_and_stops_when_told),
        cmocka_unit_test(a_row_can_have_many_columns_in_falling_order),
        cmocka_unit_test(too_many_columns_are_a_limit),
        cmocka_unit_test(summaries_are_kept_and_combine_as_their_statistic_says),
        cmocka_unit_test(the_total_is_the_sum_of_point_values_over_all_streams),
        cmocka_unit_test(with_inclusive_values_alone_the_total_is_that_of_the_roots),
        cmocka_unit_test(a_metric_in_several_shapes_is_counted_once),
        cmocka_unit_test(a_backing_answers_for_the_values_until_the_last_release),
        cmocka_unit_test(stated_totals_spare_the_backing_a_walk),
        cmocka_unit_test(a_backing_is_dropped_once_whatever_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
