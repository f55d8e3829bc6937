/* A cursor over the values of a tree against the calls that visit them: every cell once, in order, the same value, from wherever it begins. */
#ifndef UNIT_CURSOR_CHECK_H
#define UNIT_CURSOR_CHECK_H

#include <cmocka.h>

#include "assay/assay.h"

static int cursor_count(void *arg, const assay_cell *cell)
{
    (void)cell;
    ++*(uint64_t *)arg;
    return 0;
}

static bool cursor_before(uint32_t stream, const assay_cell *a, uint32_t other, const assay_cell *b)
{
    if (stream != other) return stream < other;
    return a->node != b->node ? a->node < b->node : a->column < b->column;
}

/* Seeks each cell, and the place right behind it: what is found is that cell and the next. */
static void cursor_check_seek(assay_cursor *c, uint32_t stream, const assay_cell *cell, uint32_t next_stream, const assay_cell *next)
{
    assay_stream_id at;
    assay_cell got;
    assay_error err;
    assert_int_equal(assay_cursor_seek(c, (assay_stream_id){ stream }, (assay_node_id){ cell->node }, (assay_scope_id){ cell->column }, &err), 0);
    assert_int_equal(assay_cursor_next(c, &at, &got, &err), 1);
    assert_true(at.v == stream && got.node == cell->node && got.column == cell->column && got.value.u == cell->value.u);
    assert_int_equal(assay_cursor_seek(c, (assay_stream_id){ stream }, (assay_node_id){ cell->node }, (assay_scope_id){ cell->column + 1 }, &err), 0);
    assert_int_equal(assay_cursor_next(c, &at, &got, &err), next != NULL);
    if (next) assert_true(at.v == next_stream && got.node == next->node && got.column == next->column && got.value.u == next->value.u);
}

/* Read in columns, `room` at a time, they are the same cells. */
static void cursor_check_columns(assay_profile *p, size_t room)
{
    enum { ROOM = 64 };
    assay_error err;
    assay_node_id node[ROOM];
    assay_scope_id column[ROOM];
    assay_value value[ROOM];
    assay_stream_id stream, at;
    assay_cell cell;
    size_t count;
    assay_cursor *one = assay_cursor_new(p, &err), *many = assay_cursor_new(p, &err);
    assert_true(one && many && room <= ROOM);
    assert_int_equal(assay_cursor_read(many, 0, &stream, NULL, NULL, NULL, &count, &err), 0);
    while (assay_cursor_read(many, room, &stream, node, column, value, &count, &err) == 1) {
        assert_true(count > 0 && count <= room);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(assay_cursor_next(one, &at, &cell, &err), 1);
            assert_true(at.v == stream.v && cell.node == node[i].v && cell.column == column[i].v && cell.value.u == value[i].u);
        }
    }
    assert_int_equal(count, 0);
    assert_int_equal(assay_cursor_next(one, &at, &cell, &err), 0);
    assay_cursor_free(one);
    assay_cursor_free(many);
}

/* Returns how many cells there are. */
static uint64_t cursor_check(assay_profile *p)
{
    assay_error err;
    assay_stream_id stream = { 0 }, last_stream = { 0 };
    assay_cell cell, last = { 0 };
    uint64_t visited = 0, pulled = 0;
    int rc;
    for (uint32_t s = 0; s <= assay_profile_streams(p)->count; s++)
        assert_int_equal(assay_tree_column(p, (assay_stream_id){ s }, (assay_scope_id){ 0 }, cursor_count, &visited, &err), 0);
    assay_cursor *c = assay_cursor_new(p, &err), *other = assay_cursor_new(p, &err);
    assert_true(c && other);
    for (; (rc = assay_cursor_next(c, &stream, &cell, &err)) == 1; pulled++, last = cell, last_stream = stream) {
        assay_value value;
        assert_int_equal(assay_tree_value(p, stream, (assay_node_id){ cell.node }, (assay_scope_id){ cell.column }, &value, &err), 0);
        assert_true(value.u == cell.value.u);
        if (!pulled) continue;
        assert_true(cursor_before(last_stream.v, &last, stream.v, &cell));
        cursor_check_seek(other, last_stream.v, &last, stream.v, &cell);
    }
    assert_int_equal(rc, 0);
    assert_int_equal(assay_cursor_next(c, &stream, &cell, &err), 0);
    assert_int_equal(pulled, visited);
    if (pulled) cursor_check_seek(other, last_stream.v, &last, 0, NULL);
    assert_int_equal(assay_cursor_seek(c, (assay_stream_id){ UINT32_MAX }, (assay_node_id){ 0 }, (assay_scope_id){ 0 }, &err), 0);
    assert_int_equal(assay_cursor_next(c, &stream, &cell, &err), 0);
    assay_cursor_free(c);
    assay_cursor_free(other);
    for (size_t room = 1; room <= 64; room *= 4) cursor_check_columns(p, room);
    return pulled;
}

#endif
