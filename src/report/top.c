/* `top`: functions by cost. */
#include <stdio.h>

#include "analysis/cycles.h"
#include "base/number.h"
#include "base/text.h"
#include "report/function.h"

enum { LIMIT_DEFAULT = 30 };

/* ---- one function ---- */

struct row {
    struct report_function f;
    uint64_t calls;
    size_t at;      /* its figures in top->self and top->total */
    uint32_t cycle; /* that the function is in, or that the row is; 0 = none */
    uint32_t members;
    char name[32]; /* of a cycle */
};

static void row_of(const struct report_top *t, uint32_t place, struct row *row)
{
    uint32_t i = t->order[place], func = t->top->func[i].v;
    *row = (struct row){ .f = report_function_of(t->profile, func), .calls = t->top->calls[i], .at = (size_t)i * t->top->metric_count };
    if (!t->cycles) return;
    row->cycle = i < t->functions ? t->cycles->of[func] : i - t->functions + 1;
    if (i < t->functions) return;
    snprintf(row->name, sizeof row->name, "<cycle %u>", row->cycle);
    row->f.name = slice_of(row->name);
    row->members = t->cycles->members[row->cycle];
}

static uint32_t rows_shown(const struct report *r, const struct report_top *t)
{
    uint64_t limit = !r->has_limit ? LIMIT_DEFAULT : r->limit ? r->limit : UINT64_MAX;
    return t->count < limit ? t->count : (uint32_t)limit;
}

static assay_slice metric_name(const struct report_top *t, uint32_t k) { return report_metric(t->profile, t->top->metrics[k]); }

/* ---- JSON ---- */

static void put_row(struct report *r, const struct report_top *t, const struct row *row)
{
    struct json *j = &r->json;
    struct report_metrics metrics = { t->top->metrics, t->top->metric_count, t->by_calls ? t->top->metric_count : t->k };
    json_object(j);
    report_function_json(j, &row->f);
    json_key(j, "self");
    report_values_json(r, t->profile, &metrics, t->top->self + row->at);
    json_key(j, "total");
    report_values_json(r, t->profile, &metrics, t->top->total + row->at);
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
    json_key(j, "metric");
    json_string(j, t->by_calls ? SLICE("calls") : metric_name(t, t->k));
    json_key(j, "total");
    if (t->by_calls)
        json_wide(j, t->calls);
    else
        report_total_json(j, t->profile, t->top->metrics[t->k].v);
    report_filtered_json(j, t->profile, t->by_calls ? 0 : t->top->metrics[t->k].v);
    json_key(j, "rows");
    json_array(j);
    uint32_t count = rows_shown(r, t);
    for (uint32_t i = 0; i < count; i++) {
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
    report_cost(r, table, t->profile, t->top->metrics[t->k], t->top->self[row->at + t->k]);
    report_cost(r, table, t->profile, t->top->metrics[t->k], t->top->total[row->at + t->k]);
    if (with_calls) report_calls(table, r->exact || r->style == REPORT_CSV, row->calls);
}

static void put_name(struct output *out, const struct row *row)
{
    output_slice(out, row->f.name);
    if (row->cycle && !row->members) output_printf(out, " (cycle %u)", row->cycle);
}

static void put_name_cell(struct report *r, struct table *table, const struct row *row)
{
    struct output *out;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    put_name(out, row);
    table_cell(table, output_memory(out));
    output_abort(out);
}

/* "file:line [module]"; in text behind the name, in one cell: names can be very long, and a column as wide as the longest would push the
 * rest out of sight. A terminal cuts such a cell in its middle, which keeps the beginning of the name and the place. */
static void put_location(struct report *r, struct table *table, const struct row *row, bool with_name)
{
    struct output *out;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        table_text(table, "");
        return;
    }
    if (with_name) {
        put_name(out, row);
        if (row->f.file.len || row->f.module.len) output_text(out, "  ");
    }
    report_put_place(out, &row->f);
    table_cell(table, output_memory(out));
    output_abort(out);
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
    text_show(r->out, t->by_calls ? SLICE("calls") : metric_name(t, t->k));
    report_plain(r);
    output_char(r->out, ' ');
    if (t->by_calls && r->exact)
        number_put_wide(human, t->calls);
    else if (t->by_calls)
        number_human(human, wide_double(t->calls), "count");
    else
        report_total(human, r->exact, t->profile, t->top->metrics[t->k].v);
    output_text(r->out, human);
    output_printf(r->out, ", %u of %u functions by %s\n%s", rows_shown(r, t), t->top->count, sorts[t->sort], is_text ? "" : "\n");
    report_filtered(r, t->profile, t->by_calls ? 0 : t->top->metrics[t->k].v);
}

static struct table *begin_table(struct report *r, const struct report_top *t)
{
    static const char *const cost[2][8] = { { "self", "self%", "total", "total%", "function", "file" }, { "self", "self%", "total", "total%", "function" } };
    static const char *const with_calls[2][8] = { { "self", "self%", "total", "total%", "calls", "function", "file" },
                                                  { "self", "self%", "total", "total%", "calls", "function" } };
    static const char *const by_calls[2][5] = { { "calls", "calls%", "function", "file" }, { "calls", "calls%", "function" } };
    bool is_text = r->style == REPORT_TEXT;
    if (t->by_calls) return report_table(r, by_calls[is_text], "rrll");
    return has_calls(t) ? report_table(r, with_calls[is_text], "rrrrrll") : report_table(r, cost[is_text], "rrrrll");
}

/* One table for each file. */
static void put_table(struct report *r, const char *path, const struct report_top *t)
{
    bool is_text = r->style == REPORT_TEXT;
    struct table *table = begin_table(r, t);
    uint32_t count = rows_shown(r, t);
    bool has_cycles = false;
    if (!table) return;
    put_title(r, path, t);
    for (uint32_t i = 0; i < count; i++) {
        struct row row;
        row_of(t, i, &row);
        if (t->by_calls)
            put_calls_share(r, table, t, &row);
        else
            put_costs(r, table, t, has_calls(t), &row);
        if (!is_text) put_name_cell(r, table, &row);
        put_location(r, table, &row, is_text);
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
    if (t->top->metric_count)
        put_costs(r, table, t, true, row);
    else {
        for (int i = 0; i < 4; i++) table_text(table, "");
        report_calls(table, true, row->calls);
    }
    table_cell(table, row->f.name);
    table_cell(table, row->f.file);
    report_line_cell(table, row->f.line);
    table_cell(table, row->f.module);
}

/* One table for all files: a program that reads it wants one head. */
static void put_csv(struct report *r, const char *path, const struct report_top *t)
{
    static const char *const heads[] = { "path", "self", "self%", "total", "total%", "calls", "function", "file", "line", "module", NULL };
    if (!r->table) report_table(r, heads + (r->file_count == 1), &"lrrrrrllrl"[r->file_count == 1]);
    uint32_t count = rows_shown(r, t);
    for (uint32_t i = 0; r->table && i < count; i++) {
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
