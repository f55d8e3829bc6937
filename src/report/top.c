/* `top`: functions by cost. */
#include <stdio.h>

#include "analysis/core/cycles.h"
#include "analysis/core/top.h"
#include "analysis/core/top_columns.h"
#include "analysis/core/top_groups.h"
#include "analysis/core/top_lines.h"
#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/columns.h"
#include "report/function.h"
#include "report/stats.h"

enum { LIMIT_DEFAULT = 30 };

/* ---- one function ---- */

struct row {
    struct function_info f;
    uint64_t calls;
    uint32_t i;     /* of the table */
    uint32_t cycle; /* that the function is in, or that the row is; 0 = none */
    uint32_t members;
    char name[32]; /* of a cycle */
};

static void row_of(const struct report_top *t, uint32_t place, struct row *row)
{
    uint32_t i = t->order[place], func = t->top->func[i].v;
    *row = (struct row){ .f = function_info_of(t->profile, func), .calls = t->top->calls[i], .i = i };
    if (t->groups) row->f = (struct function_info){ .name = t->groups->name[func] };
    if (t->lines) {
        const struct assay_files *files = assay_profile_files(t->profile);
        row->f = (struct function_info){ .name = func ? row->f.name : SLICE(""),
                                         .file = assay_profile_string(t->profile, MODEL_STR(files->path, t->lines->file.at[i].v)),
                                         .line = t->lines->line.at[i] };
    }
    if (!t->cycles) return;
    row->cycle = i < t->functions ? t->cycles->of[func] : i - t->functions + 1;
    if (i < t->functions) return;
    snprintf(row->name, sizeof row->name, "<cycle %u>", row->cycle);
    row->f.name = slice_of(row->name);
    row->members = t->cycles->members[row->cycle];
}

uint64_t report_top_limit(const struct report *r) { return !r->has_limit ? LIMIT_DEFAULT : r->limit ? r->limit : UINT64_MAX; }

static uint32_t rows_shown(const struct report *r, const struct report_top *t)
{
    uint64_t limit = report_top_limit(r);
    return t->count < limit ? t->count : (uint32_t)limit;
}

/* Of groups of functions and of lines it may not be known. */
static enum top_kind last_kind(const struct report_top *t)
{
    bool has_totals = !t->has_no_totals && (t->groups ? t->groups->has_totals : !t->lines || t->lines->costs.has_totals);
    return has_totals ? TOP_TOTAL : TOP_SELF;
}

/* What rows are sorted by; NULL = calls. */
static const struct metric_column *first_column(const struct report_top *t) { return t->by_calls ? NULL : &t->columns->set.at[0]; }

static assay_slice first_name(const struct report_top *t) { return first_column(t) ? first_column(t)->name : SLICE("calls"); }

/* The metric that it is; 0 = calls, or a formula. */
static uint32_t first_metric(const struct report_top *t)
{
    const struct metric_column *c = first_column(t);
    return c && !c->formula ? t->top->metrics[c->k].v : 0;
}

/* ---- JSON ---- */

/* Of groups totals may not be known. */
static void put_values(struct report *r, const struct report_top *t, const struct row *row, const char *key, enum top_kind kind)
{
    static const struct metric_columns none;
    struct metric_columns all = { .profile = t->profile, .metrics = t->top->metrics, .metric_count = t->top->metric_count };
    json_key(&r->json, key);
    struct metric_row figures = top_columns_both(t->columns, row->i, kind);
    report_columns_row_json(r, kind > last_kind(t) ? &none : t->by_calls ? &all : &t->columns->set, &figures);
}

static void put_average(struct report *r, const struct report_top *t, const struct row *row, const char *key, enum top_kind kind)
{
    json_key(&r->json, key);
    report_averages_json(r, &t->columns->set, top_columns_row(t->columns, row->i, kind), row->calls);
}

/* "file:line" */
static void put_line(struct output *out, const struct function_info *f, bool is_short)
{
    const char *slash = is_short && f->file.len ? memrchr(f->file.data, '/', f->file.len) : NULL;
    output_slice(out, !f->file.len ? SLICE("<unknown file>") : slash ? slice_from(slash + 1, f->file.data + f->file.len) : f->file);
    if (f->line) output_printf(out, ":%u", f->line);
}

static void put_line_json(struct report *r, const struct row *row)
{
    struct json *j = &r->json;
    struct output *out;
    struct function_info f = { .file = row->f.file, .line = row->f.line };
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    put_line(out, &row->f, false);
    f.name = output_memory(out);
    report_function_json(j, &f);
    output_abort(out);
    json_key(j, "function");
    if (row->f.name.len)
        json_string(j, row->f.name);
    else
        json_null(j);
}

static void put_row(struct report *r, const struct report_top *t, const struct row *row)
{
    struct json *j = &r->json;
    json_object(j);
    if (t->lines)
        put_line_json(r, row);
    else
        report_function_json(j, &row->f);
    put_values(r, t, row, "self", TOP_SELF);
    put_values(r, t, row, "total", TOP_TOTAL);
    if (r->per_call) {
        put_average(r, t, row, "self_per_call", TOP_SELF);
        if (last_kind(t) == TOP_TOTAL) put_average(r, t, row, "total_per_call", TOP_TOTAL);
    }
    if (t->stats) report_stats_json(j, t->stats, row->i);
    json_key(j, "calls");
    json_u64(j, row->calls);
    if (row->cycle) {
        json_key(j, "cycle");
        json_u64(j, row->cycle);
    }
    if (row->members) {
        json_key(j, "members");
        json_u64(j, row->members);
    }
    json_end(j);
}

static void put_members(struct report *r, const char *path, const struct report_top *t)
{
    struct json *j = &r->json;
    json_key(j, "path");
    json_text(j, path);
    if (t->by_calls) {
        json_key(j, "metric");
        json_text(j, "calls");
        json_key(j, "total");
        json_wide(j, t->calls);
    } else
        report_columns_first_json(r, &t->columns->set);
    if (t->by) {
        json_key(j, "by");
        json_text(j, t->by);
    }
    if (t->stats) report_over_json(j, t->stats->of->groups, t->stats->of->all);
    report_filtered_json(j, t->profile, first_metric(t));
    json_key(j, "rows");
    json_array(j);
    uint32_t count = rows_shown(r, t);
    for (uint32_t i = 0; i < count && !cancel_at(i); i++) {
        struct row row;
        row_of(t, i, &row);
        put_row(r, t, &row);
    }
    json_end(j);
    report_rows_json(j, t->top->count, count);
}

/* One file: its members stand in the outermost object. */
static void put_json(struct report *r, const char *path, const struct report_top *t)
{
    if (r->file_count == 1)
        report_json_begin(r, "top");
    else
        json_object(&r->json);
    put_members(r, path, t);
    if (r->file_count != 1) json_end(&r->json);
}

/* ---- tables ---- */

/* Samplers count none: a column of zeros would look like an answer. */
static bool has_calls(const struct report_top *t) { return wide_double(t->calls) > 0; }

static void put_calls_share(const struct report *r, struct table *table, const struct report_top *t, const struct row *row)
{
    char buf[48];
    report_calls(table, r->exact, row->calls);
    table_text(table, report_percent(buf, r, (double)row->calls, wide_double(t->calls)));
}

static void put_costs(const struct report *r, struct table *table, const struct report_top *t, bool with_calls, const struct row *row)
{
    const struct metric_columns *c = &t->columns->set;
    for (uint32_t i = 0; i < c->count; i++)
        for (int kind = TOP_SELF; kind <= (int)last_kind(t); kind++)
            report_column_cost(r, table, c, i, top_columns_value(t->columns, i, row->i, (enum top_kind)kind));
    if (t->stats) report_stats_cells(r, table, t->stats, row->i);
    if (with_calls) report_calls(table, r->exact || r->style == REPORT_CSV, row->calls);
    for (uint32_t i = 0; r->per_call && i < c->count; i++)
        for (int kind = TOP_SELF; kind <= (int)last_kind(t); kind++)
            report_column_average(r, table, c, i, metric_columns_average(c, i, top_columns_row(t->columns, row->i, (enum top_kind)kind), row->calls));
}

static void put_name(struct report *r, struct output *out, const struct row *row, assay_slice name, bool is_group)
{
    if (is_group)
        output_slice(out, name);
    else
        report_put_name(r, out, name);
    if (row->cycle && !row->members) output_printf(out, " (cycle %u)", row->cycle);
}

static void put_name_cell(struct report *r, struct table *table, const struct row *row, bool is_group)
{
    struct output *out;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    put_name(r, out, row, row->f.name, is_group);
    table_cell(table, output_memory(out));
    output_abort(out);
}

/* "file:line [module]"; in text after the name, in one cell: names can be very long, and a column as wide as the longest would push the
 * rest out of sight. A terminal cuts the place before the name. */
static void put_location(struct report *r, struct table *table, const struct report_top *t, const struct row *row, bool with_name)
{
    struct function_info f = report_function_shown(r, t->profile, row->f);
    struct output *out;
    size_t keep = 0;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        table_text(table, "");
        return;
    }
    if (with_name) {
        put_name(r, out, row, f.name, false);
        keep = output_memory(out).len;
        if (f.file.len || f.module.len) output_text(out, "  ");
    }
    function_put_place(out, &f);
    table_cell_keep(table, output_memory(out), keep);
    output_abort(out);
}

/* "file:line  [function]", in Markdown two cells. */
static void put_line_cell(struct report *r, struct table *table, const struct row *row)
{
    struct output *out;
    bool is_text = r->style == REPORT_TEXT;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    put_line(out, &row->f, is_text && !r->full_names);
    size_t keep = output_memory(out).len;
    if (is_text && row->f.name.len) {
        output_text(out, "  [");
        report_put_name(r, out, row->f.name);
        output_char(out, ']');
    }
    table_cell_keep(table, output_memory(out), keep);
    output_abort(out);
    if (!is_text) table_cell(table, row->f.name);
}

static void put_names(struct report *r, struct table *table, const struct report_top *t, const struct row *row)
{
    bool is_text = r->style == REPORT_TEXT;
    if (t->lines) {
        put_line_cell(r, table, row);
        return;
    }
    if (!is_text || t->groups) put_name_cell(r, table, row, t->groups != NULL);
    if (!t->groups) put_location(r, table, t, row, is_text);
}

static void put_title(struct report *r, const char *path, const struct report_top *t)
{
    static const char *const sorts[] = { "self", "total", "calls", "name" };
    char human[48];
    bool is_text = r->style == REPORT_TEXT;
    if (r->shown) output_char(r->out, '\n');
    text_show(r->out, slice_of(path));
    output_text(r->out, ": ");
    report_ink(r, REPORT_BOLD);
    text_show(r->out, first_name(t));
    report_plain(r);
    output_char(r->out, ' ');
    if (t->by_calls && r->exact)
        number_put_wide(human, t->calls);
    else if (t->by_calls)
        number_human(human, wide_double(t->calls), "count");
    else if (first_metric(t))
        metric_total_text(human, r->exact, t->profile, first_metric(t));
    else
        value_text(human, r->exact, ASSAY_F64, (assay_value){ .d = first_column(t)->whole }, "");
    output_text(r->out, human);
    const char *one = t->by ? t->by : "function", *several = t->by ? t->by_several : "functions";
    output_printf(r->out, ", %u of %u %s by %s", rows_shown(r, t), t->top->count, t->top->count == 1 ? one : several, t->sorted ? t->sorted : sorts[t->sort]);
    if (t->stats) report_stats_title(r, t->stats);
    output_text(r->out, is_text ? "\n" : "\n\n");
    report_filtered(r, t->profile, first_metric(t));
}

static void put_heads(struct report *r, const struct report_top *t, bool with_calls)
{
    static const char *const costs[] = { "self", "self%", "total", "total%", NULL }, *const self[] = { "self", "self%", NULL };
    static const char *const averages[] = { "self/call", "total/call", NULL }, *const average[] = { "self/call", NULL };
    bool has_totals = last_kind(t) == TOP_TOTAL;
    report_column_heads(r, &t->columns->set, has_totals ? costs : self);
    if (t->stats) report_stats_heads(r, t->stats->of->groups->by);
    if (with_calls) table_column(r->table, "calls", TABLE_RIGHT);
    if (r->per_call) report_column_heads(r, &t->columns->set, has_totals ? averages : average);
}

static struct table *begin_table(struct report *r, const struct report_top *t)
{
    static const char *const calls[] = { "calls", "calls%", NULL }, *const none[] = { NULL };
    if (!report_table(r, t->by_calls ? calls : none, "rr")) return NULL;
    if (!t->by_calls) put_heads(r, t, has_calls(t));
    table_column(r->table, t->by ? t->by : "function", TABLE_LEFT);
    if (r->style != REPORT_TEXT && !t->groups) table_column(r->table, t->lines ? "function" : "file", TABLE_LEFT);
    return r->table;
}

/* One table for each file. */
static void put_table(struct report *r, const char *path, const struct report_top *t)
{
    struct table *table = begin_table(r, t);
    uint32_t count = rows_shown(r, t);
    bool has_cycles = false;
    if (!table) return;
    put_title(r, path, t);
    for (uint32_t i = 0; i < count && !cancel_at(i); i++) {
        struct row row;
        row_of(t, i, &row);
        if (t->by_calls)
            put_calls_share(r, table, t, &row);
        else
            put_costs(r, table, t, has_calls(t), &row);
        put_names(r, table, t, &row);
        has_cycles |= row.cycle != 0;
    }
    if (table_print(table, report_table_style(r), r->out, NULL) != 0) r->out_of_memory = true;
    table_free(table);
    r->table = NULL;
    if (!has_cycles) return;
    output_char(r->out, '\n');
    report_cycles_note(r->out, t->functions < t->top->count);
}

static void put_csv_row(struct report *r, const char *path, const struct report_top *t, const struct row *row)
{
    struct table *table = r->table;
    if (r->file_count != 1) table_text(table, path);
    if (t->columns->set.count)
        put_costs(r, table, t, true, row);
    else {
        for (int i = 0; i < 4; i++) table_text(table, "");
        report_calls(table, true, row->calls);
    }
    if (!t->lines) table_cell(table, row->f.name);
    if (t->groups) return;
    table_cell(table, row->f.file);
    report_line_cell(table, row->f.line);
    table_cell(table, t->lines ? row->f.name : row->f.module);
}

/* One table for all files: a program that reads it wants one head. */
static void put_csv(struct report *r, const char *path, const struct report_top *t)
{
    static const char *const heads[] = { "path", NULL }, *const without[] = { "self", "self%", "total", "total%", "calls", NULL };
    static const char *const names[] = { "function", "file", "line", "module" };
    if (!r->table && report_table(r, heads + (r->file_count == 1), "l")) {
        if (t->columns->set.count)
            put_heads(r, t, true);
        else
            for (size_t i = 0; without[i]; i++) table_column(r->table, without[i], TABLE_RIGHT);
        if (t->groups) table_column(r->table, t->by, TABLE_LEFT);
        for (size_t i = t->lines ? 1 : 0; !t->groups && i < (t->lines ? 3 : 4); i++) table_column(r->table, names[i], i == 2 ? TABLE_RIGHT : TABLE_LEFT);
        if (t->lines) table_column(r->table, "function", TABLE_LEFT);
    }
    uint32_t count = rows_shown(r, t);
    for (uint32_t i = 0; r->table && i < count && !cancel_at(i); i++) {
        struct row row;
        row_of(t, i, &row);
        put_csv_row(r, path, t, &row);
    }
}

void report_top_begin(struct report *r)
{
    if (r->style != REPORT_JSON || r->file_count == 1) return;
    report_json_begin(r, "top");
    json_key(&r->json, "files");
    json_array(&r->json);
}

void report_top(struct report *r, const char *path, const struct report_top *t)
{
    if (r->style == REPORT_JSON)
        put_json(r, path, t);
    else if (r->style == REPORT_CSV)
        put_csv(r, path, t);
    else
        put_table(r, path, t);
    r->shown++;
}
