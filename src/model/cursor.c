/* Values of the tree that a caller pulls: those in memory from where they stand, those of a backing a stream at a time. */
#include "model/cursor.h"

#include "base/cancel.h"
#include "base/order.h"
#include "base/sort.h"
#include "model/profile.h"

enum { BLOCK_CELLS = 512 }; /* that cursor_block takes out of memory at once */

/* Cells of one node that a backing gave one after the other. */
struct cell_group {
    uint32_t node, begin, len;
};

struct assay_cursor {
    struct mem mem;
    assay_profile *profile;
    uint32_t stream; /* of the next cell */
    uint32_t column; /* the only one that is asked for; 0 = all */
    size_t row;      /* in memory: of the run */
    size_t at;       /* in memory: the value behind the first of the row; else the cell */
    bool is_loaded;  /* `cells` has the stream */
    VEC(assay_cell) cells;

    /* for bringing those of a backing into their order */
    VEC(assay_cell) given;
    VEC(struct cell_group) groups;
    VEC(uint32_t) by_node; /* group + 1 */
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
    vec_done(&c->mem, &c->cells, &c->given, &c->groups, &c->by_node);
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
    assay_cell *to = vec_push(&c->mem, &c->given);
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

static int by_group(const void *a, const void *b)
{
    const struct cell_group *x = a, *y = b;
    return ORDER(x->node, y->node);
}

/* The cells as given, in groups. false = no memory. */
static bool make_groups(assay_cursor *c)
{
    c->groups.len = 0;
    for (size_t i = 0; i < c->given.len; i++) {
        struct cell_group *last = c->groups.len ? &c->groups.at[c->groups.len - 1] : NULL;
        if (last && last->node == c->given.at[i].node) {
            last->len++;
            continue;
        }
        struct cell_group *to = vec_push(&c->mem, &c->groups);
        if (!to) return false;
        *to = (struct cell_group){ c->given.at[i].node, (uint32_t)i, 1 };
    }
    return true;
}

/* Groups by their nodes: where most nodes have one, each goes to the place of its node, and nothing has to be compared. A node that has two groups leaves them out of
 * order, which shows in the end. */
static int order_groups(assay_cursor *c, assay_error *err)
{
    size_t nodes = (size_t)c->profile->tree.count + 1, count = 0;
    bool is_usual = nodes / 8 <= c->groups.len;
    for (size_t i = 0; is_usual && i < c->groups.len; i++) is_usual = c->groups.at[i].node < nodes;
    if (!is_usual) return sort_by(c->groups.at, c->groups.len, sizeof *c->groups.at, by_group) ? 0 : error_cancelled(err);
    c->by_node.len = 0;
    if (!vec_reserve(&c->mem, &c->by_node, nodes) || !vec_reserve(&c->mem, &c->groups, c->groups.len)) return error_memory(err);
    memset(c->by_node.at, 0, nodes * sizeof *c->by_node.at);
    for (size_t i = 0; i < c->groups.len; i++) c->by_node.at[c->groups.at[i].node] = (uint32_t)i + 1;
    struct cell_group *to = c->groups.at + c->groups.len;
    for (size_t i = 0; i < nodes; i++)
        if (c->by_node.at[i]) to[count++] = c->groups.at[c->by_node.at[i] - 1];
    if (count && count == c->groups.len) memcpy(c->groups.at, to, count * sizeof *to);
    return 0;
}

/* A backing gives its values in any order, mostly with those of a node together. */
static int load(assay_cursor *c, assay_error *err)
{
    bool is_sorted = true;
    c->given.len = c->cells.len = 0;
    int rc = assay_tree_column(c->profile, (assay_stream_id){ c->stream }, (assay_scope_id){ c->column }, keep_cell, c, err);
    if (rc) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
    if (c->given.len > UINT32_MAX || !make_groups(c) || !vec_reserve(&c->mem, &c->cells, c->given.len)) return error_memory(err);
    TRY(order_groups(c, err));
    assay_cell *to = c->cells.at, last = { 0 };
    for (size_t i = 0; i < c->groups.len; i++) {
        const assay_cell *from = c->given.at + c->groups.at[i].begin;
        for (uint32_t k = 0; k < c->groups.at[i].len; k++) {
            is_sorted &= last.node < from[k].node || (last.node == from[k].node && last.column <= from[k].column);
            *to++ = last = from[k];
        }
    }
    c->cells.len = (size_t)(to - c->cells.at);
    if (!is_sorted && !sort_by(c->cells.at, c->cells.len, sizeof *c->cells.at, by_place)) return error_cancelled(err);
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

/* Whether the next cell is one of this stream. */
static bool goes_on(const assay_cursor *c, assay_stream_id stream)
{
    if (c->stream != stream.v) return false;
    return c->profile->has_backing ? c->at < c->cells.len : c->row < c->profile->runs.at[c->stream].rows.len;
}

int assay_cursor_read(assay_cursor *c, size_t room, assay_stream_id *stream, assay_node_id *node, assay_scope_id *column, assay_value *value, size_t *count,
                      assay_error *err)
{
    assay_error local;
    assay_cell cell;
    err = error_enter(err, &local);
    *count = 0;
    if (room == 0) return 0;
    int rc = assay_cursor_next(c, stream, &cell, err);
    for (size_t i = 0; rc == 1; rc = assay_cursor_next(c, stream, &cell, err)) {
        if (node) node[i] = (assay_node_id){ cell.node };
        if (column) column[i] = (assay_scope_id){ cell.column };
        if (value) value[i] = cell.value;
        *count = ++i;
        if (i == room || !goes_on(c, *stream)) break;
    }
    return rc;
}

/* ---- for whoever goes through all of them ---- */

void cursor_only(assay_cursor *c, assay_scope_id column)
{
    if (c->profile->has_backing) c->column = column.v;
}

int cursor_block(assay_cursor *c, assay_stream_id *stream, const assay_cell **cells, size_t *count, assay_error *err)
{
    assay_cell cell;
    int rc = assay_cursor_next(c, stream, &cell, err);
    if (rc != 1) return rc;
    if (c->profile->has_backing) {
        *cells = &c->cells.at[c->at - 1];
        *count = c->cells.len - c->at + 1;
        c->at = c->cells.len;
        return 1;
    }
    c->cells.len = 0;
    if (!vec_reserve(&c->mem, &c->cells, BLOCK_CELLS)) return error_memory(err);
    do c->cells.at[c->cells.len++] = cell;
    while (c->cells.len < BLOCK_CELLS && c->stream == stream->v && c->row < c->profile->runs.at[c->stream].rows.len && next_in_memory(c, stream, &cell) == 1);
    *cells = c->cells.at;
    *count = c->cells.len;
    return 1;
}
