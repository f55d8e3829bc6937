/* `callers` as JSON and as CSV. */
#include "base/cancel.h"
#include "base/number.h"
#include "report/callers.h"

/* ---- JSON ---- */

static void put_values(struct report *r, const struct report_callers *s, const char *key, const assay_value *values)
{
    json_key(&r->json, key);
    report_columns_json(r, callers_columns(s), values);
}

static void put_averages(struct report *r, const struct report_callers *s, const char *key, const assay_value *values, uint64_t calls)
{
    if (!r->per_call) return;
    json_key(&r->json, key);
    report_averages_json(r, callers_columns(s), values, calls);
}

static void put_row(struct report *r, const struct report_callers *s, const struct callers_side *side, uint32_t i)
{
    struct json *j = &r->json;
    const struct callers_row *row = &side->rows[i];
    const struct arcs *a = &s->c->arcs;
    struct function_info f = function_info_of(s->c->profile, row->func), site = callers_function_of(s, row);
    size_t at = (size_t)i * s->c->top->metric_count;
    f.name = site.name;
    json_object(j);
    json_key(j, "depth");
    json_u64(j, row->depth);
    report_function_json(j, &f);
    json_key(j, "site");
    json_object(j);
    report_site_json(j, site.file, site.line);
    json_end(j);
    json_key(j, "sites");
    json_u64(j, row->sites);
    if (a->is_tree) {
        json_key(j, "contexts");
        json_u64(j, row->contexts);
    }
    put_values(r, s, "total", side->total + at);
    if (a->recursive) put_values(r, s, "recursive", side->recursive + at);
    put_averages(r, s, "total_per_call", side->total + at, row->calls);
    json_key(j, "calls");
    json_u64(j, row->calls);
    json_key(j, "recursion");
    json_bool(j, row->is_recursion);
    if (callers_cycle_of(s, row->func)) {
        json_key(j, "cycle");
        json_u64(j, callers_cycle_of(s, row->func));
    }
    json_end(j);
}

static void put_side(struct report *r, const struct report_callers *s, const struct callers_side *side, const char *key, const char *left_out)
{
    struct json *j = &r->json;
    json_key(j, key);
    json_array(j);
    for (uint32_t i = 0; i < side->count && !cancel_at(i); i++) put_row(r, s, side, i);
    json_end(j);
    json_key(j, left_out);
    json_u64(j, side->left_out);
}

void callers_json_begin_input(struct report *r, const struct report_callers *s)
{
    struct json *j = &r->json;
    if (r->file_count == 1)
        report_json_begin(r, "callers");
    else
        json_object(j);
    json_key(j, "path");
    json_text(j, s->path);
    json_key(j, "function");
    json_text(j, s->function);
    report_columns_first_json(r, callers_columns(s));
    json_key(j, "found");
    json_u64(j, s->found);
    json_key(j, "rows");
    json_array(j);
}

void callers_json_block(struct report *r, const struct report_callers *s, const struct callers_block *b)
{
    struct json *j = &r->json;
    char name[32];
    struct function_info f = callers_subject_of(s, b, name);
    json_object(j);
    report_function_json(j, &f);
    put_values(r, s, "self", callers_self(s->c, b->subject));
    put_values(r, s, "total", callers_total(s->c, b->subject));
    put_averages(r, s, "self_per_call", callers_self(s->c, b->subject), callers_calls(s->c, b->subject));
    put_averages(r, s, "total_per_call", callers_total(s->c, b->subject), callers_calls(s->c, b->subject));
    json_key(j, "calls");
    json_u64(j, callers_calls(s->c, b->subject));
    if (callers_subject_cycle(s, b)) {
        json_key(j, "cycle");
        json_u64(j, callers_subject_cycle(s, b));
    }
    if (b->subject.cycle) {
        json_key(j, "members");
        json_u64(j, s->c->cycles.members[b->subject.cycle]);
    }
    if (!s->no_callers) put_side(r, s, &b->callers, "callers", "callers_left_out");
    if (!s->no_callees) put_side(r, s, &b->callees, "callees", "callees_left_out");
    json_end(j);
}

void callers_json_end_input(struct report *r, const struct report_callers *s)
{
    json_end(&r->json);
    report_rows_json(&r->json, s->found, s->shown);
    if (r->file_count != 1) json_end(&r->json);
}

/* ---- CSV ---- */

/* Path and function that the rows are about. */
static void put_about(struct report *r, const struct report_callers *s, const struct function_info *about, const char *relation)
{
    if (r->file_count != 1) table_text(r->table, s->path);
    table_cell(r->table, about->name);
    table_text(r->table, relation);
}

static void put_csv_side(struct report *r, const struct report_callers *s, const struct callers_block *b, const struct function_info *about, bool is_caller)
{
    const struct callers_side *side = is_caller ? &b->callers : &b->callees;
    for (uint32_t i = 0; i < side->count; i++) {
        const struct callers_row *row = &side->rows[i];
        struct function_info f = callers_function_of(s, row);
        const assay_value *total = side->total + (size_t)i * s->c->top->metric_count;
        put_about(r, s, about, is_caller ? "caller" : "callee");
        report_cell_u64(r->table, row->depth);
        callers_cells(r, s, b, NULL, total);
        report_calls(r->table, true, row->calls);
        callers_averages(r, s, NULL, total, row->calls);
        table_cell(r->table, f.name);
        table_cell(r->table, f.file);
        report_line_cell(r->table, f.line);
        report_cell_u64(r->table, row->sites);
    }
}

static void put_csv_subject(struct report *r, const struct report_callers *s, const struct callers_block *b, const struct function_info *f)
{
    const assay_value *self = callers_self(s->c, b->subject), *total = callers_total(s->c, b->subject);
    put_about(r, s, f, "function");
    table_text(r->table, "0");
    callers_cells(r, s, b, self, total);
    report_calls(r->table, true, callers_calls(s->c, b->subject));
    callers_averages(r, s, self, total, callers_calls(s->c, b->subject));
    table_cell(r->table, f->name);
    table_cell(r->table, f->file);
    report_line_cell(r->table, f->line);
    table_text(r->table, "");
}

/* One table for all files and functions. */
void callers_csv_block(struct report *r, const struct report_callers *s, const struct callers_block *b)
{
    static const char *const first[] = { "path", "of", "relation", "depth", NULL }, *const last[] = { "function", "file", "line", "sites" };
    char name[32];
    struct function_info f = callers_subject_of(s, b, name);
    bool has_one = r->file_count == 1;
    if (!r->table && report_table(r, first + has_one, &"lllr"[has_one])) {
        callers_heads(r, s, "share");
        for (size_t i = 0; i < 4; i++) table_column(r->table, last[i], i < 2 ? TABLE_LEFT : TABLE_RIGHT);
    }
    if (!r->table) return;
    if (!s->no_callers) put_csv_side(r, s, b, &f, true);
    put_csv_subject(r, s, b, &f);
    if (!s->no_callees) put_csv_side(r, s, b, &f, false);
}
