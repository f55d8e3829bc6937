/* `annotate` as JSON and CSV. */
#include "analysis/core/function.h"
#include "base/cancel.h"
#include "base/number.h"
#include "report/annotate.h"

const char *const annotate_states[] = { "", "hit", "partial", "missed", "excluded", "unknown" };

assay_slice annotate_metric(const struct annotate *a, const struct assay_block *block, uint32_t k)
{
    const assay_profile *p = line_costs_profile(&a->cost);
    return assay_profile_string(p, assay_profile_metrics(p)->name[block->metrics[k].v]);
}

const assay_value *annotate_values(const struct report_annotate *n, const line_sums *sums, size_t row)
{
    for (uint32_t k = 0; k < n->columns->metric_count; k++) n->values[k] = line_value(sums, k, row);
    return n->values;
}

/* ---- JSON ---- */

/* What is behind the functions that put a line. */
struct lines {
    struct report *r;
    struct json *j;
    const struct annotate *a;
    const struct report_annotate *n;
};

static void put_values(const struct lines *l, const char *key, const struct assay_block *block, const line_sums *sums, size_t row)
{
    struct json *j = l->j;
    const struct annotate *a = l->a;
    json_key(j, key);
    if (block == a->cost.block) {
        report_columns_json(l->r, l->n->columns, annotate_values(l->n, sums, row));
        return;
    }
    json_object(j);
    for (uint32_t k = 0; k < block->metric_count; k++) {
        if (l->r->is_short && k != l->n->call_k) continue;
        json_key_slice(j, annotate_metric(a, block, k));
        json_value(j, sums->at[k].type, line_value(sums, k, row));
    }
    json_end(j);
}

static void put_coverage(struct json *j, const struct annotate *a, const struct annotate_row *row)
{
    const struct view_line *l = &a->view.lines.at[row->view - 1];
    if (row->state) {
        json_key(j, "state");
        json_text(j, annotate_states[row->state]);
    }
    if (!l->branches) return;
    json_key(j, "branches");
    json_u64(j, l->branches);
    json_key(j, "branches_hit");
    json_u64(j, l->branches_hit);
}

static void put_functions(struct json *j, const struct annotate *a, const struct annotate_row *row)
{
    const struct assay_funcs *f = assay_profile_funcs(a->coverage);
    json_key(j, "functions");
    json_array(j);
    for (uint32_t i = 0; i < row->functions; i++) {
        const struct view_function *v = &a->view.functions.at[row->function + i];
        json_object(j);
        json_key(j, "name");
        json_string(j, assay_profile_string(a->coverage, MODEL_STR(f->name, v->func)));
        json_key(j, "calls");
        json_u64(j, v->calls);
        json_end(j);
    }
    json_end(j);
}

static void put_callee(const struct lines *l, const struct line_callee *c)
{
    struct json *j = l->j;
    const struct line_costs *t = &l->a->cost;
    const assay_profile *p = line_costs_profile(t);
    const struct assay_funcs *f = assay_profile_funcs(p);
    assay_slice file = assay_profile_string(p, MODEL_STR(assay_profile_files(p)->path, f->file ? f->file[c->func].v : 0));
    json_object(j);
    json_key(j, "name");
    json_string(j, assay_profile_string(p, MODEL_STR(f->name, c->func)));
    json_key(j, "file");
    if (file.data)
        json_string(j, file);
    else
        json_null(j);
    json_key(j, "calls");
    json_u64(j, c->calls);
    put_values(l, "total", t->calls_block, &t->callee_total, c->sum);
    put_values(l, "recursive", t->calls_block, &t->callee_recursive, c->sum);
    json_end(j);
}

/* What the profile measured of a line. */
static void put_cost(const struct lines *l, const struct annotate_row *row)
{
    struct json *j = l->j;
    const struct annotate *a = l->a;
    const struct line_costs *t = &a->cost;
    const struct line_cost *c = annotate_cost(a, row);
    size_t at = row->cost - 1;
    put_values(l, "self", t->block, &t->self, at);
    if (a->has_totals) put_values(l, "total", t->block, &t->total, at);
    if (c->has_hits && row->view && row->state) {
        json_key(j, "profile_hits");
        json_u64(j, c->hits);
    }
    json_key(j, "calls");
    json_u64(j, c->calls);
    if (!c->callee_count) return;
    if (t->calls_block != t->block) put_values(l, "in_calls", t->calls_block, &t->within, at);
    json_key(j, "callees");
    json_array(j);
    for (uint32_t i = 0; i < c->callee_count; i++) put_callee(l, &t->callees.at[c->callee + i]);
    json_end(j);
}

static void put_line(const struct lines *l, size_t i)
{
    struct json *j = l->j;
    const struct annotate *a = l->a;
    const struct annotate_row *row = &a->rows.at[i];
    json_object(j);
    json_key(j, "line");
    json_u64(j, row->line);
    if (row->has_hits) {
        json_key(j, "hits");
        json_u64(j, row->hits);
    }
    if (row->view) put_coverage(j, a, row);
    if (row->functions) put_functions(j, a, row);
    if (a->has_cost && row->cost) put_cost(l, row);
    if (row->has_text) {
        json_key(j, "text");
        json_string(j, row->text.data ? row->text : SLICE(""));
    }
    json_end(j);
}

void annotate_json_begin(struct report *r)
{
    report_json_begin(r, "annotate");
    if (r->file_count == 1) return;
    json_key(&r->json, "files");
    json_array(&r->json);
}

void annotate_json_begin_input(struct report *r, const struct report_annotate *n)
{
    struct json *j = &r->json;
    if (r->file_count != 1) json_object(j);
    json_key(j, "path");
    json_text(j, n->path);
    if (n->coverage_count) {
        json_key(j, "coverage");
        json_array(j);
        for (size_t i = 0; i < n->coverage_count; i++) json_text(j, n->coverage[i]);
        json_end(j);
    }
    json_key(j, "sources");
    json_array(j);
}

static void put_place(struct json *j, const struct annotate *a)
{
    json_key(j, "source");
    if (!a->text.path)
        json_null(j);
    else
        json_text(j, *a->text.path ? a->text.path : "(in the profile)");
    if (a->text.path) return;
    json_key(j, "tried");
    json_array(j);
    for (size_t i = 0; i < a->tried.len; i++) json_text(j, a->tried.at[i]);
    json_end(j);
}

void annotate_json_file(struct report *r, const struct report_annotate *n)
{
    struct json *j = &r->json;
    const struct annotate *a = n->a;
    assay_slice path = annotate_path(a, n->source);
    json_object(j);
    json_key(j, "file");
    json_string(j, path.data ? path : SLICE(""));
    put_place(j, a);
    json_key(j, "lines");
    json_array(j);
    struct lines l = { r, j, a, n };
    uint64_t shown = 0;
    for (size_t i = 0; i < a->rows.len && !cancel_at(i); i++) {
        if (!a->rows.at[i].is_shown) continue;
        put_line(&l, i);
        shown++;
    }
    json_end(j);
    report_rows_json(j, a->rows.len, shown);
    json_end(j);
}

void annotate_json_end_input(struct report *r, const struct report_annotate *n)
{
    json_end(&r->json);
    report_rows_json(&r->json, n->shown + n->left_out, n->shown);
    if (r->file_count != 1) json_end(&r->json);
}

/* ---- CSV ---- */

static void put_cell(struct table *t, bool is_there, uint64_t v)
{
    if (is_there)
        report_cell_u64(t, v);
    else
        table_text(t, "");
}

/* Self and total of each column. */
static void put_costs(struct report *r, const struct report_annotate *n, bool is_there, size_t row)
{
    const struct annotate *a = n->a;
    const struct metric_columns *c = n->columns;
    for (uint32_t i = 0; i < (c->count ? c->count : 1); i++)
        for (int kind = 0; kind < 2; kind++) {
            if (is_there && c->count && (kind == 0 || a->has_totals))
                report_column_figure(r, r->table, &c->at[i], metric_columns_value(c, i, annotate_values(n, kind ? &a->cost.total : &a->cost.self, row)));
            else
                table_text(r->table, "");
        }
}

static void put_row(struct report *r, const struct report_annotate *n, assay_slice file, size_t i)
{
    const struct annotate *a = n->a;
    const struct annotate_row *row = &a->rows.at[i];
    const struct view_line *l = row->view ? &a->view.lines.at[row->view - 1] : NULL;
    const struct line_cost *c = a->has_cost ? annotate_cost(a, row) : NULL;
    if (r->file_count != 1) table_text(r->table, n->path);
    table_cell(r->table, file);
    report_cell_u64(r->table, row->line);
    table_text(r->table, annotate_states[row->state]);
    put_cell(r->table, row->has_hits, row->hits);
    put_cell(r->table, l && l->branches, l ? l->branches_hit : 0);
    put_cell(r->table, l && l->branches, l ? l->branches : 0);
    put_costs(r, n, c != NULL, c ? row->cost - 1 : 0);
    put_cell(r->table, c != NULL, c ? c->calls : 0);
    table_cell(r->table, row->has_text ? row->text : (assay_slice){ "", 0 });
}

void annotate_csv_file(struct report *r, const struct report_annotate *n)
{
    static const char *const first[] = { "path", "file", "line", "state", "hits", "branches_hit", "branches", NULL };
    static const char *const costs[] = { "self", "total", NULL };
    const struct annotate *a = n->a;
    assay_slice file = annotate_path(a, n->source);
    bool has_one = r->file_count == 1;
    if (!r->table && report_table(r, first + has_one, &"llrlrrr"[has_one])) {
        report_column_heads(r, n->columns, costs);
        for (size_t i = 0; !n->columns->count && costs[i]; i++) table_column(r->table, costs[i], TABLE_RIGHT);
        table_column(r->table, "calls", TABLE_RIGHT);
        table_column(r->table, "text", TABLE_LEFT);
    }
    for (size_t i = 0; r->table && i < a->rows.len && !cancel_at(i); i++)
        if (a->rows.at[i].is_shown) put_row(r, n, file, i);
}
