/* The values of the tree: answered from memory, or by the backing that the reader brought. */
#include "base/cancel.h"
#include "model/profile.h"

void run_done(struct mem *m, struct value_run *run) { vec_done(m, &run->rows, &run->columns, &run->values); }

void run_trim(struct mem *m, struct value_run *run)
{
    vec_trim(m, &run->rows);
    vec_trim(m, &run->columns);
    vec_trim(m, &run->values);
}

const value_row *run_find(const struct value_run *run, uint32_t node)
{
    size_t begin = 0, end = run->rows.len;
    while (begin < end) {
        size_t mid = begin + (end - begin) / 2;
        if (row_node(run->rows.at[mid]) < node)
            begin = mid + 1;
        else
            end = mid;
    }
    return begin < run->rows.len && row_node(run->rows.at[begin]) == node ? &run->rows.at[begin] : NULL;
}

/* Passes on the cells of one row; column 0 = all. */
static int visit_row(const struct value_run *run, value_row row, uint32_t column, assay_cell_fn fn, void *arg)
{
    for (size_t i = row_begin(row);; i++) {
        uint16_t c = run->columns.at[i];
        assay_cell cell = { .node = row_node(row), .column = c & VALUE_COLUMN_MAX, .value = run->values.at[i] };
        if (!column || cell.column == column) {
            int rc = fn(arg, &cell);
            if (rc) return rc;
        }
        if (c & VALUE_LAST || (column && cell.column >= column)) return 0;
    }
}

static int visit_run(const struct value_run *run, uint32_t column, assay_cell_fn fn, void *arg, assay_error *err)
{
    for (size_t r = 0; r < run->rows.len; r++) {
        TRY(cancel_step(r, err));
        int rc = visit_row(run, run->rows.at[r], column, fn, arg);
        if (rc) return rc;
    }
    return 0;
}

static int keep_value(void *arg, const assay_cell *cell)
{
    *(assay_value *)arg = cell->value;
    return 0;
}

int assay_tree_value(const assay_profile *p, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value *out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    *out = (assay_value){ 0 };
    if (p->has_backing) return p->backing.value(p->backing_self, stream, node, column, out, err);
    if (stream.v >= p->runs.len || !column.v) return 0;
    const struct value_run *run = &p->runs.at[stream.v];
    const value_row *row = run_find(run, node.v);
    return row ? visit_row(run, *row, column.v, keep_value, out) : 0;
}

int assay_tree_row(const assay_profile *p, assay_stream_id stream, assay_node_id node, assay_cell_fn fn, void *arg, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    if (p->has_backing) return p->backing.row(p->backing_self, stream, node, fn, arg, err);
    if (stream.v >= p->runs.len) return 0;
    const struct value_run *run = &p->runs.at[stream.v];
    const value_row *row = run_find(run, node.v);
    return row ? visit_row(run, *row, 0, fn, arg) : 0;
}

int assay_tree_column(const assay_profile *p, assay_stream_id stream, assay_scope_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    if (p->has_backing) return p->backing.column(p->backing_self, stream, column, fn, arg, err);
    if (stream.v >= p->runs.len) return 0;
    return visit_run(&p->runs.at[stream.v], column.v, fn, arg, err);
}

int assay_tree_summary(const assay_profile *p, assay_stat_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    if (!p->has_backing) return visit_run(&p->summary, column.v, fn, arg, err);
    return p->backing.summary ? p->backing.summary(p->backing_self, column, fn, arg, err) : 0;
}
