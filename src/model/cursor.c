/* Values of the tree that a caller pulls: those in memory from where they stand, those of a backing a stream at a time. */
#include "base/cancel.h"
#include "base/order.h"
#include "base/sort.h"
#include "model/profile.h"

struct assay_cursor {
    struct mem mem;
    assay_profile *profile;
    uint32_t stream; /* of the next cell */
    size_t row;      /* in memory: of the run */
    size_t at;       /* in memory: the value behind the first of the row; else the cell */
    bool is_loaded;  /* `cells` has the stream */
    VEC(assay_cell) cells;
};

assay_cursor *assay_cursor_new(assay_profile *p, assay_error *err)
{
    assay_error local;
    struct mem first;
    err = error_enter(err, &local);
    mem_init(&first, profile_room(p));
    assay_cursor *c = mem_zalloc(&first, 1, sizeof *c);
    if (!c) {
        error_memory(err);
        return NULL;
    }
    mem_init(&c->mem, first.limit);
    atomic_init(&c->mem.used, sizeof *c);
    c->profile = assay_profile_retain(p);
    return c;
}

void assay_cursor_free(assay_cursor *c)
{
    if (!c) return;
    vec_done(&c->mem, &c->cells);
    assay_profile_release(c->profile);
    struct mem last = c->mem;
    mem_free(&last, c, sizeof *c);
}

/* ---- values in memory ---- */

static void seek_run(assay_cursor *c, uint32_t node, uint32_t column)
{
    const struct value_run *run = &c->profile->runs.at[c->stream];
    size_t begin = 0, end = run->rows.len;
    while (begin < end) {
        size_t mid = begin + (end - begin) / 2;
        if (row_node(run->rows.at[mid]) < node)
            begin = mid + 1;
        else
            end = mid;
    }
    c->row = begin;
    if (begin == run->rows.len || row_node(run->rows.at[begin]) != node) return;
    for (size_t i = row_begin(run->rows.at[begin]); (run->columns.at[i] & VALUE_COLUMN_MAX) < column; i++, c->at++)
        if (run->columns.at[i] & VALUE_LAST) {
            c->row++;
            c->at = 0;
            return;
        }
}

static int next_in_memory(assay_cursor *c, assay_stream_id *stream, assay_cell *out)
{
    const assay_profile *p = c->profile;
    for (; c->stream < p->runs.len; c->stream++, c->row = c->at = 0) {
        const struct value_run *run = &p->runs.at[c->stream];
        if (c->row >= run->rows.len) continue;
        value_row row = run->rows.at[c->row];
        size_t i = row_begin(row) + c->at++;
        *stream = (assay_stream_id){ c->stream };
        *out = (assay_cell){ .node = row_node(row), .column = run->columns.at[i] & VALUE_COLUMN_MAX, .value = run->values.at[i] };
        if (run->columns.at[i] & VALUE_LAST) {
            c->row++;
            c->at = 0;
        }
        return 1;
    }
    return 0;
}

/* ---- values of a backing ---- */

static int keep_cell(void *arg, const assay_cell *cell)
{
    assay_cursor *c = arg;
    assay_cell *to = vec_push(&c->mem, &c->cells);
    if (!to) return ASSAY_ERR_MEMORY;
    *to = *cell;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const assay_cell *x = a, *y = b;
    ORDER_BY(x->node, y->node);
    return ORDER(x->column, y->column);
}

/* A backing gives its values in any order. */
static int load(assay_cursor *c, assay_error *err)
{
    bool is_sorted = true;
    c->cells.len = 0;
    int rc = assay_tree_column(c->profile, (assay_stream_id){ c->stream }, (assay_scope_id){ 0 }, keep_cell, c, err);
    if (rc) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
    for (size_t i = 1; is_sorted && i < c->cells.len; i++) is_sorted = by_place(&c->cells.at[i - 1], &c->cells.at[i]) <= 0;
    if (!is_sorted) sort_by(c->cells.at, c->cells.len, sizeof *c->cells.at, by_place);
    c->is_loaded = true;
    return 0;
}

static void seek_cells(assay_cursor *c, uint32_t node, uint32_t column)
{
    const assay_cell key = { .node = node, .column = column };
    size_t begin = 0, end = c->cells.len;
    while (begin < end) {
        size_t mid = begin + (end - begin) / 2;
        if (by_place(&c->cells.at[mid], &key) < 0)
            begin = mid + 1;
        else
            end = mid;
    }
    c->at = begin;
}

static int next_of_backing(assay_cursor *c, assay_stream_id *stream, assay_cell *out, assay_error *err)
{
    uint32_t last = c->profile->streams.count;
    for (; c->stream <= last; c->stream++, c->at = 0, c->is_loaded = false) {
        if (!c->is_loaded) TRY(load(c, err));
        if (c->at >= c->cells.len) continue;
        *stream = (assay_stream_id){ c->stream };
        *out = c->cells.at[c->at++];
        return 1;
    }
    return 0;
}

/* ---- both ---- */

int assay_cursor_seek(assay_cursor *c, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    bool has_backing = c->profile->has_backing;
    c->is_loaded = c->is_loaded && c->stream == stream.v;
    c->stream = stream.v;
    c->row = c->at = 0;
    if (!has_backing && stream.v < c->profile->runs.len) seek_run(c, node.v, column.v);
    if (!has_backing || stream.v > c->profile->streams.count) return 0;
    if (!c->is_loaded) TRY(load(c, err));
    seek_cells(c, node.v, column.v);
    return 0;
}

int assay_cursor_next(assay_cursor *c, assay_stream_id *stream, assay_cell *out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    return c->profile->has_backing ? next_of_backing(c, stream, out, err) : next_in_memory(c, stream, out);
}
