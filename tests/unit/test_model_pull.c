/* What a profile gives in one call, or piece by piece: its strings, and its values by a cursor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "cursor_check.h"
#include "model/cursor.h"
#include "model_sample.h"

static void all_strings_come_at_once(void **state)
{
    (void)state;
    assay_profile *p = sample_build(NULL, SAME, false, NULL);
    uint32_t count;
    const assay_slice *at = assay_profile_strings(p, &count);
    assert_true(count > 10);
    assert_null(at[0].data);
    for (uint32_t i = 0; i <= count; i++) {
        assay_slice one = assay_profile_string(p, (assay_str_id){ i });
        assert_true(at[i].data == one.data && at[i].len == one.len);
    }
    assert_null(assay_profile_string(p, (assay_str_id){ count + 1 }).data);
    assay_profile_release(p);
    p = assay_builder_seal(assay_builder_new(NULL, NULL), NULL);
    at = assay_profile_strings(p, &count);
    assert_non_null(at);
    for (uint32_t i = 0; i <= count; i++) assert_int_equal(at[i].len, assay_profile_string(p, (assay_str_id){ i }).len);
    assay_profile_release(p);
}

static void values_in_memory_are_pulled_in_order(void **state)
{
    (void)state;
    for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
        assay_profile *p = sample_build(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, SAME, is_reversed, NULL);
        assert_true(cursor_check(p) > 4);
        assay_profile_release(p);
    }
}

static void a_profile_without_values_has_none_to_pull(void **state)
{
    (void)state;
    assay_profile *p = assay_builder_seal(assay_builder_new(NULL, NULL), NULL);
    assert_int_equal(cursor_check(p), 0);
    assay_profile_release(p);
}

static void a_cursor_keeps_its_profile(void **state)
{
    (void)state;
    assay_profile *p = sample_build(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, SAME, false, NULL);
    assay_cursor *c = assay_cursor_new(p, NULL);
    assay_stream_id stream;
    assay_cell cell;
    assay_profile_release(p);
    assert_int_equal(assay_cursor_next(c, &stream, &cell, NULL), 1);
    assay_cursor_free(c);
    assay_cursor_free(NULL);
}

/* ---- a backing ---- */

enum { NODES = 40, COLUMNS = 2 };

/* Cells of one stream in the order in which they are given. */
struct given {
    const assay_cell *at;
    size_t count;
};

static int given_column(void *self, assay_stream_id stream, assay_scope_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    const struct given *g = self;
    (void)err;
    for (size_t i = 0; i < g->count && stream.v == 1; i++)
        if (!column.v || column.v == g->at[i].column) {
            int rc = fn(arg, &g->at[i]);
            if (rc) return rc;
        }
    return 0;
}

static int given_value(void *self, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value *out, assay_error *err)
{
    const struct given *g = self;
    (void)err;
    for (size_t i = 0; i < g->count; i++)
        if (stream.v == 1 && g->at[i].node == node.v && g->at[i].column == column.v) *out = g->at[i].value;
    return 0;
}

static void given_drop(void *self) { (void)self; }

static assay_profile *with_backing(struct given *g)
{
    static const struct assay_backing table = { .column = given_column, .value = given_value, .drop = given_drop };
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_TREE }, NULL);
    assay_metric_id m = assay_build_metric(b, "m", "", ASSAY_U64, ASSAY_SHAPE_TREE);
    assay_build_scope(b, m, ASSAY_SCOPE_POINT, NULL, 0);
    assay_build_scope(b, m, ASSAY_SCOPE_FUNCTION, NULL, 0);
    assay_build_stream(b, "s");
    for (uint32_t i = 0; i < NODES; i++) assay_build_node_new(b, &(struct assay_node){ .parent = { i ? 1 : 0 } });
    assay_build_backing(b, &table, g);
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

/* Every cell once by blocks; of one column, those of that column. */
static void check_blocks(assay_profile *p, const struct given *g, uint32_t column)
{
    assay_stream_id stream;
    const assay_cell *cells;
    size_t count, pulled = 0, want = 0;
    uint32_t last = 0;
    assay_cursor *c = assay_cursor_new(p, NULL);
    cursor_only(c, (assay_scope_id){ column });
    while (cursor_block(c, &stream, &cells, &count, NULL) == 1)
        for (size_t i = 0; i < count; i++, pulled++) {
            uint32_t place = cells[i].node * (COLUMNS + 1) + cells[i].column;
            assert_true(stream.v == 1 && place > last && (!column || cells[i].column == column));
            last = place;
        }
    for (size_t i = 0; i < g->count; i++) want += !column || g->at[i].column == column;
    assert_int_equal(pulled, want);
    assay_cursor_free(c);
}

static void check_given(const assay_cell *cells, size_t count)
{
    struct given g = { cells, count };
    assay_profile *p = with_backing(&g);
    assert_int_equal(cursor_check(p), count);
    for (uint32_t column = 0; column <= COLUMNS; column++) check_blocks(p, &g, column);
    assay_profile_release(p);
}

/* Nodes in any order, with their cells together, apart, or turned round; many of them and few. */
static void values_of_a_backing_are_pulled_in_order(void **state)
{
    assay_cell together[NODES * COLUMNS], apart[NODES * COLUMNS], turned[NODES * COLUMNS];
    (void)state;
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t k = 0; k < COLUMNS; k++) {
            uint32_t node = i * 27 % NODES + 1;
            assay_cell cell = { .node = node, .column = k + 1, .value.u = 1000 * node + k };
            together[i * COLUMNS + k] = apart[k * NODES + i] = turned[i * COLUMNS + COLUMNS - 1 - k] = cell;
        }
    check_given(together, NODES * COLUMNS);
    check_given(apart, NODES * COLUMNS);
    check_given(turned, NODES * COLUMNS);
    check_given(together + 6, 4);
    check_given(apart + NODES - 3, 6);
    check_given(together, 0);
}

static void values_in_memory_come_in_blocks_too(void **state)
{
    (void)state;
    assay_profile *p = sample_build(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, SAME, false, NULL);
    assay_cursor *one = assay_cursor_new(p, NULL), *many = assay_cursor_new(p, NULL);
    assay_stream_id stream, other;
    const assay_cell *cells;
    size_t count;
    assay_cell cell;
    while (cursor_block(many, &stream, &cells, &count, NULL) == 1)
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(assay_cursor_next(one, &other, &cell, NULL), 1);
            assert_true(other.v == stream.v && cell.node == cells[i].node && cell.column == cells[i].column && cell.value.u == cells[i].value.u);
        }
    assert_int_equal(assay_cursor_next(one, &other, &cell, NULL), 0);
    assay_cursor_free(one);
    assay_cursor_free(many);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_strings_come_at_once),
        cmocka_unit_test(values_in_memory_are_pulled_in_order),
        cmocka_unit_test(a_profile_without_values_has_none_to_pull),
        cmocka_unit_test(a_cursor_keeps_its_profile),
        cmocka_unit_test(values_of_a_backing_are_pulled_in_order),
        cmocka_unit_test(values_in_memory_come_in_blocks_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
