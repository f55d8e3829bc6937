/* `tree --by context,rank`: every context on every rank that has any of it. Nothing is kept: groups come one after the other and are printed at once. */
#include "analysis/core/units.h"
#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"
#include "report/tree.h"

static const struct view_row *row_at(const struct report_tree_over *x, uint32_t place) { return &x->view->rows.at[x->view->order.at[place]]; }

/* ---- begin ---- */

static void begin_json(const struct report_tree_over *x)
{
    struct report *r = x->report;
    struct json *j = &r->json;
    char buf[STREAM_NAME];
    tree_begin_json(r, x->path, x->view);
    json_key(j, "by");
    json_text(j, stream_by_words[x->groups->by]);
    json_key(j, "rows");
    json_array(j);
    for (size_t i = 0; i < x->view->order.len && !cancel_at(i); i++) tree_row_json(r, x->view, i);
    json_end(j);
    report_rows_json(j, x->view->order.len + x->view->below_least + x->view->beyond_limit, x->view->order.len);
    json_key(j, "groups");
    json_array(j);
    for (uint32_t group = 1; group <= x->groups->count && !cancel_at(group); group++) json_string(j, stream_group_name(x->groups, group, buf));
    json_end(j);
    json_key(j, "values");
    json_array(j);
}

void report_tree_over_begin(const struct report_tree_over *x)
{
    static const char *const first[] = { "path", "group", "context", "depth", "kind", "self", "total", "name", "file", "line", "module", NULL };
    struct report *r = x->report;
    bool has_one = r->file_count == 1;
    if (r->style == REPORT_JSON)
        begin_json(x);
    else if (!r->table)
        report_table(r, first + has_one, &"llrrlrrllrl"[has_one]);
}

/* ---- groups ---- */

static int by_row(const void *a, const void *b) { return ORDER(((const struct stream_figure *)a)->row, ((const struct stream_figure *)b)->row); }

static void put_value(struct json *j, enum assay_type type, uint32_t group, const struct stream_figure *f)
{
    json_array(j);
    json_u64(j, f->row);
    json_u64(j, group - 1);
    json_value(j, type, f->self);
    json_value(j, type, f->total);
    json_end(j);
}

static void put_cells(const struct report_tree_over *x, uint32_t group, const struct stream_figure *f)
{
    struct report *r = x->report;
    const struct view_row *row = row_at(x, f->row);
    const char *unit = units_name(x->view->profile, x->view->options.metric);
    bool exact = r->exact || r->style == REPORT_CSV;
    char buf[STREAM_NAME];
    if (r->file_count != 1) table_text(r->table, x->path);
    table_cell(r->table, stream_group_name(x->groups, group, buf));
    report_cell_u64(r->table, f->row);
    report_cell_u64(r->table, row->depth);
    table_text(r->table, tree_kinds[row->kind]);
    table_text(r->table, value_text(buf, exact, x->view->type, f->self, unit));
    table_text(r->table, value_text(buf, exact, x->view->type, f->total, unit));
    tree_label_cell(r, r->table, x->view, row);
    table_cell(r->table, tree_file(x->view, row->file));
    if (row->line)
        report_cell_u64(r->table, row->line);
    else
        table_text(r->table, "");
    table_cell(r->table, tree_module(x->view, row->module));
}

int report_tree_over_group(void *arg, uint32_t group, const struct stream_figures *f, assay_error *err)
{
    size_t count = f->count;
    const struct report_tree_over *x = arg;
    struct report *r = x->report;
    struct stream_figure *sorted = mem_zalloc(r->mem, count + 1, sizeof *sorted);
    if (!sorted) return error_memory(err);
    for (size_t i = 0; i < count; i++) sorted[i] = f->at[i];
    sort_by(sorted, count, sizeof *sorted, by_row);
    for (size_t i = 0; i < count && !cancel_at(i); i++) {
        if (r->style == REPORT_JSON)
            put_value(&r->json, x->view->type, group, &sorted[i]);
        else if (r->table)
            put_cells(x, group, &sorted[i]);
    }
    mem_free(r->mem, sorted, (count + 1) * sizeof *sorted);
    return r->table ? table_flush(r->table, report_table_style(r), r->out, err) : 0;
}

void report_tree_over_end(const struct report_tree_over *x)
{
    struct report *r = x->report;
    if (r->style == REPORT_JSON) {
        json_end(&r->json);
        if (r->file_count != 1) json_end(&r->json);
    }
    r->shown++;
}
