/* `tree` for programs: JSON and CSV; and the names of rows. */
#include "report/tree.h"

#include "base/cancel.h"
#include "base/number.h"
#include "base/slice.h"
#include "report/columns.h"
#include "report/function.h"
#include "report/stats.h"

/* ---- names ---- */

assay_slice tree_file(const struct view *v, uint32_t file)
{
    const struct assay_files *f = assay_profile_files(v->profile);
    return assay_profile_string(v->profile, MODEL_STR(f->path, file));
}

assay_slice tree_module(const struct view *v, uint32_t module)
{
    const struct assay_modules *m = assay_profile_modules(v->profile);
    return assay_profile_string(v->profile, MODEL_STR(m->path, module));
}

assay_slice tree_base(assay_slice path)
{
    const char *slash = path.len ? memrchr(path.data, '/', path.len) : NULL;
    return slash ? slice_from(slash + 1, path.data + path.len) : path;
}

/* "FILE:LINE", else "MODULE+0xOFFSET", else what there is. */
static void put_place(struct output *out, const struct view *v, const struct view_row *row, bool is_short)
{
    assay_slice file = tree_file(v, row->file), module = tree_module(v, row->module);
    if (is_short) file = tree_base(file), module = tree_base(module);
    if (file.len || (row->line && !module.len)) {
        output_slice(out, file.len ? file : SLICE("<unknown file>"));
        if (row->line) output_printf(out, ":%u", row->line);
        return;
    }
    output_slice(out, module.len ? module : SLICE("<unknown>"));
    if (row->offset) {
        output_text(out, "+0x");
        output_hex(out, row->offset, 1);
    }
}

/* A called instruction is named by the path of its module. */
static void put_function(struct report *r, struct output *out, const struct view *v, const struct view_row *row, bool is_short)
{
    assay_slice name = row->func ? assay_profile_string(v->profile, assay_profile_funcs(v->profile)->name[row->func]) : SLICE("<unknown>");
    bool is_bare = row->kind == ASSAY_NODE_ENTRY && !slice_starts(name, "<");
    if (is_bare) output_char(out, '<');
    if (is_short)
        report_put_name(r, out, row->kind == ASSAY_NODE_INSTRUCTION ? tree_base(name) : name);
    else
        output_slice(out, name);
    if (is_bare) output_char(out, '>');
}

static void put_path(struct output *out, assay_slice path, const char *unknown, bool is_short)
{
    if (!path.len) output_text(out, unknown);
    output_slice(out, is_short ? tree_base(path) : path);
}

void tree_label(struct report *r, struct output *out, const struct view *v, const struct view_row *row, bool is_short)
{
    is_short = is_short && !r->full_names;
    if (row->kind == VIEW_MODULE)
        put_path(out, tree_module(v, row->module), "<unknown module>", is_short);
    else if (row->kind == VIEW_FILE)
        put_path(out, tree_file(v, row->file), "<unknown file>", is_short);
    else if (row->func || row->kind == ASSAY_NODE_FUNCTION || row->kind == ASSAY_NODE_ENTRY || row->kind == VIEW_CALL)
        put_function(r, out, v, row, is_short);
    else if (row->kind == ASSAY_NODE_OTHER)
        output_text(out, "<other>");
    else {
        if (row->kind == ASSAY_NODE_LOOP) output_text(out, "loop at ");
        put_place(out, v, row, is_short);
    }
}

/* ---- cells ---- */

void tree_heads(struct report *r, const struct view *v, bool with_calls)
{
    static const char *const costs[] = { "self", "self%", "total", "total%", NULL }, *const averages[] = { "self/call", "total/call", NULL };
    report_column_heads(r, &v->columns, costs);
    if (v->stats) report_stats_heads(r, v->stats->groups->by);
    if (with_calls) table_column(r->table, "calls", TABLE_RIGHT);
    if (r->per_call) report_column_heads(r, &v->columns, averages);
}

void tree_cells(const struct report *r, struct table *table, const struct view *v, size_t place)
{
    bool has_self = v->rows.at[v->order.at[place]].has_self;
    struct metric_row total = { view_total(v, place), has_self ? view_self(v, place) : NULL, view_total(v, place) };
    for (uint32_t i = 0; i < v->columns.count; i++) {
        if (has_self)
            report_column_cost(r, table, &v->columns, i,
                               metric_columns_value_of(&v->columns, i, &(struct metric_row){ view_self(v, place), view_self(v, place), view_total(v, place) }));
        else {
            table_text(table, "");
            if (report_column_has_share(r, &v->columns, i)) table_text(table, "");
        }
        report_column_cost(r, table, &v->columns, i, metric_columns_value_of(&v->columns, i, &total));
    }
    if (v->stats) report_stats_cells(r, table, &(struct report_stats){ v->stats, v->stats_of_total }, (uint32_t)place);
}

void tree_averages(const struct report *r, struct table *table, const struct view *v, size_t place)
{
    const struct view_row *row = &v->rows.at[v->order.at[place]];
    for (uint32_t i = 0; r->per_call && i < v->columns.count; i++) {
        report_column_average(r, table, &v->columns, i, metric_columns_average(&v->columns, i, view_self(v, place), row->has_self ? row->calls : 0));
        report_column_average(r, table, &v->columns, i, metric_columns_average(&v->columns, i, view_total(v, place), row->calls));
    }
}

void tree_label_cell(struct report *r, struct table *table, const struct view *v, const struct view_row *row)
{
    struct output *out;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        table_text(table, "");
        return;
    }
    tree_label(r, out, v, row, false);
    table_cell(table, output_memory(out));
    output_abort(out);
}

/* ---- JSON ---- */

const char *const tree_kinds[] = { "function", "entry", "inlined", "loop", "line", "instruction", "other", "module", "file", "call" };

static void string_or_null(struct json *j, const char *key, assay_slice s)
{
    json_key(j, key);
    json_string(j, s.len ? s : (assay_slice){ NULL, 0 });
}

static void line_or_null(struct json *j, uint32_t line)
{
    json_key(j, "line");
    if (line)
        json_u64(j, line);
    else
        json_null(j);
}

static void put_values(struct report *r, const struct view *v, const char *key, const assay_value *values, size_t place)
{
    bool has_self = v->rows.at[v->order.at[place]].has_self;
    json_key(&r->json, key);
    report_columns_row_json(r, &v->columns, &(struct metric_row){ values, has_self ? view_self(v, place) : NULL, view_total(v, place) });
}

static void put_averages(struct report *r, const struct view *v, const char *key, const assay_value *values, uint64_t calls)
{
    json_key(&r->json, key);
    report_averages_json(r, &v->columns, values, calls);
}

static void put_site(struct json *j, const struct view *v, const struct view_row *row)
{
    json_key(j, "site");
    if (!row->site_line && !row->site_file) {
        json_null(j);
        return;
    }
    json_object(j);
    string_or_null(j, "file", tree_file(v, row->site_file));
    line_or_null(j, row->site_line);
    json_end(j);
}

static void put_name(struct report *r, const struct view *v, const struct view_row *row)
{
    struct output *out;
    json_key(&r->json, "name");
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        json_text(&r->json, "");
        return;
    }
    tree_label(r, out, v, row, false);
    json_string(&r->json, output_memory(out).data ? output_memory(out) : SLICE(""));
    output_abort(out);
}

void tree_row_json(struct report *r, const struct view *v, size_t place)
{
    struct json *j = &r->json;
    const struct view_row *row = &v->rows.at[v->order.at[place]];
    json_object(j);
    json_key(j, "depth");
    json_u64(j, row->depth);
    put_name(r, v, row);
    json_key(j, "kind");
    json_text(j, tree_kinds[row->kind]);
    string_or_null(j, "file", tree_file(v, row->file));
    line_or_null(j, row->line);
    string_or_null(j, "module", tree_module(v, row->module));
    put_site(j, v, row);
    put_values(r, v, "self", row->has_self ? view_self(v, place) : NULL, place);
    put_values(r, v, "total", view_total(v, place), place);
    if (r->per_call) {
        put_averages(r, v, "self_per_call", view_self(v, place), row->has_self ? row->calls : 0);
        put_averages(r, v, "total_per_call", view_total(v, place), row->calls);
    }
    if (v->stats) report_stats_json(j, &(struct report_stats){ v->stats, v->stats_of_total }, (uint32_t)place);
    json_key(j, "calls");
    json_u64(j, row->calls);
    json_end(j);
}

void tree_begin_json(struct report *r, const char *path, const struct view *v)
{
    static const char *const views[] = { "top-down", "bottom-up", "flat", "hot-path" };
    struct json *j = &r->json;
    if (r->file_count == 1)
        report_json_begin(r, "tree");
    else
        json_object(j);
    json_key(j, "path");
    json_text(j, path);
    report_columns_first_json(r, &v->columns);
    json_key(j, "view");
    json_text(j, views[v->options.kind]);
    json_key(j, "estimated");
    json_bool(j, v->options.is_estimated);
    if (v->stats) report_over_json(j, v->stats->groups, v->stats->all);
}

static void put_json(struct report *r, const char *path, const struct view *v)
{
    struct json *j = &r->json;
    tree_begin_json(r, path, v);
    json_key(j, "rows");
    json_array(j);
    for (size_t i = 0; i < v->order.len && !cancel_at(i); i++) tree_row_json(r, v, i);
    json_end(j);
    report_rows_json(j, v->order.len + v->below_least + v->beyond_limit, v->order.len);
    if (r->file_count != 1) json_end(j);
}

/* ---- CSV ---- */

static void line_cell(struct table *table, uint32_t line)
{
    if (line)
        report_cell_u64(table, line);
    else
        table_text(table, "");
}

static void put_csv_row(struct report *r, const char *path, const struct view *v, size_t place)
{
    struct table *table = r->table;
    const struct view_row *row = &v->rows.at[v->order.at[place]];
    if (r->file_count != 1) table_text(table, path);
    report_cell_u64(table, row->depth);
    table_text(table, tree_kinds[row->kind]);
    tree_cells(r, table, v, place);
    report_cell_u64(table, row->calls);
    tree_averages(r, table, v, place);
    tree_label_cell(r, table, v, row);
    table_cell(table, tree_file(v, row->file));
    line_cell(table, row->line);
    table_cell(table, tree_module(v, row->module));
    table_cell(table, tree_file(v, row->site_file));
    line_cell(table, row->site_line);
}

/* One table for all files: a program that reads it wants one head. */
static void put_csv(struct report *r, const char *path, const struct view *v)
{
    static const char *const first[] = { "path", "depth", "kind", NULL }, *const last[] = { "name", "file", "line", "module", "site_file", "site_line", NULL };
    bool has_one = r->file_count == 1;
    if (!r->table && report_table(r, first + has_one, &"lrl"[has_one])) {
        tree_heads(r, v, true);
        for (size_t i = 0; last[i]; i++) table_column(r->table, last[i], "llrllr"[i] == 'r' ? TABLE_RIGHT : TABLE_LEFT);
    }
    for (size_t i = 0; r->table && i < v->order.len && !cancel_at(i); i++) put_csv_row(r, path, v, i);
}

void report_tree_begin(struct report *r)
{
    if (r->style != REPORT_JSON || r->file_count == 1) return;
    report_json_begin(r, "tree");
    json_key(&r->json, "files");
    json_array(&r->json);
}

void report_tree(struct report *r, const char *path, const struct view *v)
{
    switch (r->style) {
    case REPORT_JSON: put_json(r, path, v); break;
    case REPORT_CSV: put_csv(r, path, v); break;
    case REPORT_MARKDOWN: tree_markdown(r, path, v); break;
    default: tree_text(r, path, v); break; /* nothing else is offered */
    }
    r->shown++;
}
