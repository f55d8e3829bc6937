/* Rows of a statement as a tree: a profile with calling contexts, for whatever shows one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/build.h"
#include "assay/query.h"
#include "base/arena.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/index.h"
#include "base/slice.h"
#include "base/vec.h"

enum { COLUMN_ID, COLUMN_PARENT, COLUMN_NAME, COLUMN_VALUE, COLUMN_COUNT };

/* Rows are numbered from 1. */
struct tree_row {
    assay_slice id, parent; /* as texts: 1 and '1' are the same; parent {NULL, 0} = none */
    assay_slice name;
    uint32_t above; /* row; 0 = a root */
    uint32_t node;
    double value;
    uint64_t whole; /* the same where all are integers */
};

struct reading {
    struct mem mem;
    struct arena text;
    struct index ids;
    VEC(struct tree_row) rows;
    bool is_whole; /* no value has a fraction */
};

static void reading_done(struct reading *r)
{
    index_done(&r->ids);
    vec_done(&r->mem, &r->rows);
    arena_done(&r->text);
}

/* ---- rows ---- */

/* {NULL, 0} = NULL; without memory too, which *err says. */
static assay_slice text_of(struct reading *r, const struct assay_query_cell *cell, assay_error *err)
{
    char number[40];
    assay_slice s = cell->text;
    if (cell->type == ASSAY_CELL_NULL) return (assay_slice){ NULL, 0 };
    if (cell->type == ASSAY_CELL_INTEGER) s = (assay_slice){ number, (size_t)snprintf(number, sizeof number, "%lld", (long long)cell->integer) };
    if (cell->type == ASSAY_CELL_REAL) s = (assay_slice){ number, (size_t)snprintf(number, sizeof number, "%.17g", cell->real) };
    char *copy = arena_copy(&r->text, s);
    if (!copy) (void)error_memory(err);
    return (assay_slice){ copy, s.len };
}

static int take_value(struct reading *r, struct tree_row *row, const struct assay_query_cell *cell, assay_error *err)
{
    switch (cell->type) {
    case ASSAY_CELL_NULL: return 0;
    case ASSAY_CELL_INTEGER:
        row->whole = (uint64_t)cell->integer;
        row->value = (double)cell->integer;
        break;
    case ASSAY_CELL_REAL:
        row->value = cell->real;
        r->is_whole = false;
        break;
    default: FAIL(err, ASSAY_ERR_USAGE, "the value of row %zu is not a number", r->rows.len - 1);
    }
    if (!(row->value >= 0) || isinf(row->value))
        FAIL(err, ASSAY_ERR_USAGE, "the value of row %zu is negative or infinite; a box needs a width", r->rows.len - 1);
    return 0;
}

static uint32_t find_row(const struct reading *r, assay_slice id)
{
    for (struct index_walk w = index_walk(&r->ids, hash_bytes(id.data, id.len)); index_next(&r->ids, &w);)
        if (slice_equal(r->rows.at[w.id].id, id)) return w.id;
    return 0;
}

static int take_row(struct reading *r, const assay_rows *rows, assay_error *err)
{
    struct assay_query_cell cells[COLUMN_COUNT];
    for (unsigned i = 0; i < COLUMN_COUNT; i++) assay_rows_cell(rows, i, &cells[i]);
    struct tree_row *row = vec_push(&r->mem, &r->rows);
    if (!row || r->rows.len > UINT32_MAX / 2) return error_memory(err);
    *row = (struct tree_row){ 0 };
    err->code = 0;
    row->id = text_of(r, &cells[COLUMN_ID], err);
    row->parent = text_of(r, &cells[COLUMN_PARENT], err);
    row->name = text_of(r, &cells[COLUMN_NAME], err);
    if (err->code) return err->code;
    TRY(take_value(r, row, &cells[COLUMN_VALUE], err));
    if (!row->id.data) return 0; /* nothing can be below it */
    if (find_row(r, row->id)) FAIL(err, ASSAY_ERR_USAGE, "two rows have the id '%.80s'", row->id.data);
    return index_add(&r->ids, hash_bytes(row->id.data, row->id.len), (uint32_t)r->rows.len - 1) ? 0 : error_memory(err);
}

/* A row whose parent is not among the rows is a root. No row may be above itself. */
static int link_rows(struct reading *r, assay_error *err)
{
    for (size_t i = 1; i < r->rows.len; i++) {
        struct tree_row *row = &r->rows.at[i];
        row->above = row->parent.data ? find_row(r, row->parent) : 0;
    }
    /* `node` says in which walk a row was met first: a walk that comes back to its own has gone in a circle */
    for (uint32_t i = 1; i < r->rows.len; i++) {
        uint32_t at = i;
        TRY(cancel_step(i, err));
        for (; at && !r->rows.at[at].node; at = r->rows.at[at].above) r->rows.at[at].node = i;
        if (at && r->rows.at[at].node == i) FAIL(err, ASSAY_ERR_USAGE, "the row with the id '%.80s' is below itself", r->rows.at[at].id.data);
    }
    return 0;
}

static int read_rows(struct reading *r, assay_rows *rows, assay_error *err)
{
    int rc;
    if (assay_rows_column_count(rows) < COLUMN_COUNT) FAIL(err, ASSAY_ERR_USAGE, "a tree needs four columns: id, parent, name, value");
    if (!vec_reserve(&r->mem, &r->rows, 1)) return error_memory(err);
    r->rows.at[r->rows.len++] = (struct tree_row){ 0 }; /* number 0 */
    while ((rc = assay_rows_next(rows, err)) == 1) TRY(take_row(r, rows, err));
    return rc == 0 ? link_rows(r, err) : rc;
}

/* ---- the profile ---- */

static int build(struct reading *r, const char *metric, assay_profile **out, assay_error *err)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .size = sizeof(struct assay_build_options), .want = ASSAY_WANT_TREE }, err);
    if (!b) return err->code;
    assay_metric_id m = assay_build_metric(b, metric, "", r->is_whole ? ASSAY_U64 : ASSAY_F64, ASSAY_SHAPE_TREE);
    assay_scope_id scope = assay_build_scope(b, m, ASSAY_SCOPE_POINT, NULL, 0);
    for (size_t i = 1; i < r->rows.len; i++) {
        struct tree_row *row = &r->rows.at[i];
        struct assay_node node = { .kind = ASSAY_NODE_FUNCTION };
        if (row->name.data)
            node.func = assay_build_func(b, assay_build_string(b, row->name.data, row->name.len), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        row->node = assay_build_node_new(b, &node).v;
        assay_value v = r->is_whole ? (assay_value){ .u = row->whole } : (assay_value){ .d = row->value };
        if (row->value > 0) assay_build_value(b, (assay_stream_id){ 0 }, (assay_node_id){ row->node }, scope, v);
    }
    for (size_t i = 1; i < r->rows.len; i++)
        if (r->rows.at[i].above) assay_build_node_parent(b, (assay_node_id){ r->rows.at[i].node }, (assay_node_id){ r->rows.at[r->rows.at[i].above].node });
    *out = assay_builder_seal(b, err);
    return *out ? 0 : err->code;
}

int assay_query_tree(assay_query *q, const char *sql, assay_profile **out, assay_error *err)
{
    assay_error local;
    assay_rows *rows;
    const char *rest;
    struct reading r = { .is_whole = true };
    err = error_enter(err, &local);
    *out = NULL;
    TRY(assay_query_prepare(q, sql, &rest, &rows, err));
    if (!rows) FAIL(err, ASSAY_ERR_USAGE, "there is no statement");
    mem_init(&r.mem, 0);
    arena_init(&r.text, &r.mem);
    index_init(&r.ids, &r.mem);
    int rc = read_rows(&r, rows, err);
    if (rc == 0) rc = build(&r, assay_rows_column_name(rows, COLUMN_VALUE), out, err);
    reading_done(&r);
    assay_rows_free(rows);
    rc = cancel_end(rc, err);
    if (rc != 0) assay_profile_release(*out);
    if (rc != 0) *out = NULL;
    return rc;
}
