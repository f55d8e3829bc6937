/* `annotate` as JSON and CSV. */
#include "base/number.h"
#include "report/annotate.h"

const char *const annotate_states[] = { "", "hit", "partial", "missed", "excluded", "unknown" };

const assay_profile *annotate_metrics_of(const struct annotate *a) { return a->graph ? a->graph : a->profile; }

assay_slice annotate_metric(const struct annotate *a, uint32_t k)
{
    const assay_profile *p = annotate_metrics_of(a);
    return assay_profile_string(p, assay_profile_metrics(p)->name[a->block->metrics[k].v]);
}

/* ---- JSON ---- */

static void put_values(struct json *j, const struct annotate *a, const char *key, const struct sums *sums, size_t row)
{
    json_key(j, key);
    json_object(j);
    for (uint32_t k = 0; k < a->block->metric_count; k++) {
        json_key_slice(j, annotate_metric(a, k));
        json_value(j, sums[k].type, sums_value(&sums[k], row));
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
    const struct assay_funcs *f = assay_profile_funcs(a->profile);
    json_key(j, "functions");
    json_array(j);
    for (uint32_t i = 0; i < row->functions; i++) {
        const struct view_function *v = &a->view.functions.at[row->function + i];
        json_object(j);
        json_key(j, "name");
        json_string(j, assay_profile_string(a->profile, REPORT_STR(f->name, v->func)));
        json_key(j, "calls");
        json_u64(j, v->calls);
        json_end(j);
    }
    json_end(j);
}

static void put_line(struct json *j, const struct annotate *a, size_t i)
{
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
    if (a->has_cost && row->is_measured) {
        put_values(j, a, "self", a->self.at, i);
        if (a->has_totals) put_values(j, a, "total", a->total.at, i);
        json_key(j, "calls");
        json_u64(j, row->calls);
    }
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
    for (size_t i = 0; i < a->paths.tried.len; i++) json_text(j, a->paths.tried.at[i]);
    json_end(j);
}

void annotate_json_file(struct report *r, const struct report_annotate *n)
{
    struct json *j = &r->json;
    const struct annotate *a = n->a;
    assay_slice path = assay_profile_string(a->profile, assay_profile_files(a->profile)->path[n->file]);
    json_object(j);
    json_key(j, "file");
    json_string(j, path.data ? path : SLICE(""));
    put_place(j, a);
    json_key(j, "lines");
    json_array(j);
    for (size_t i = 0; i < a->rows.len; i++)
        if (a->rows.at[i].is_shown) put_line(j, a, i);
    json_end(j);
    json_end(j);
}

void annotate_json_end_input(struct report *r)
{
    json_end(&r->json);
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

static void put_value(struct table *t, bool is_there, const struct sums *s, size_t row)
{
    char buf[48];
    table_text(t, is_there ? report_value(buf, true, s->type, sums_value(s, row), "") : "");
}

static void put_row(struct report *r, const struct report_annotate *n, assay_slice file, size_t i)
{
    const struct annotate *a = n->a;
    const struct annotate_row *row = &a->rows.at[i];
    const struct view_line *l = row->view ? &a->view.lines.at[row->view - 1] : NULL;
    bool has_cost = a->has_cost && n->k < a->block->metric_count && row->is_measured;
    if (r->file_count != 1) table_text(r->table, n->path);
    table_cell(r->table, file);
    report_cell_u64(r->table, row->line);
    table_text(r->table, annotate_states[row->state]);
    put_cell(r->table, row->has_hits, row->hits);
    put_cell(r->table, l && l->branches, l ? l->branches_hit : 0);
    put_cell(r->table, l && l->branches, l ? l->branches : 0);
    put_value(r->table, has_cost, has_cost ? &a->self.at[n->k] : NULL, i);
    put_value(r->table, has_cost && a->has_totals, has_cost ? &a->total.at[n->k] : NULL, i);
    table_cell(r->table, row->has_text ? row->text : (assay_slice){ "", 0 });
}

void annotate_csv_file(struct report *r, const struct report_annotate *n)
{
    static const char *const heads[] = { "path", "file", "line", "state", "hits", "branches_hit", "branches", "self", "total", "text", NULL };
    const struct annotate *a = n->a;
    assay_slice file = assay_profile_string(a->profile, assay_profile_files(a->profile)->path[n->file]);
    if (!r->table) report_table(r, heads + (r->file_count == 1), &"llrlrrrrrl"[r->file_count == 1]);
    for (size_t i = 0; r->table && i < a->rows.len; i++)
        if (a->rows.at[i].is_shown) put_row(r, n, file, i);
}
