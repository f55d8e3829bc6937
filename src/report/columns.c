/* Columns of metrics and formulas; see columns.h. */
#include "report/columns.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "model/value.h"
#include "report/function.h"

uint32_t report_columns_metric(const struct metric_columns *c) { return c->count && !c->at[0].formula ? c->metrics[c->at[0].k].v : 0; }

/* ---- tables ---- */

void report_column_head(struct report *r, const struct metric_columns *c, uint32_t column, const char *what)
{
    struct output *out;
    if (c->count == 1) {
        table_column(r->table, what, TABLE_RIGHT);
        return;
    }
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    output_slice(out, c->at[column].name);
    output_printf(out, " %s", what);
    output_char(out, '\0');
    table_column(r->table, output_memory(out).data, TABLE_RIGHT);
    output_abort(out);
}

bool report_column_has_share(const struct report *r, const struct metric_columns *c, uint32_t column)
{
    return r->style != REPORT_TEXT || (c->at[column].is_sum && (column == 0 || !r->width));
}

bool report_column_has_average(const struct report *r, const struct metric_columns *c, uint32_t column)
{
    return r->style != REPORT_TEXT || c->at[column].is_sum;
}

void report_column_heads(struct report *r, const struct metric_columns *c, const char *const *what)
{
    for (uint32_t i = 0; i < c->count; i++)
        for (size_t k = 0; what[k]; k++) {
            bool is_there = strchr(what[k], '%') ? report_column_has_share(r, c, i) : !strchr(what[k], '/') || report_column_has_average(r, c, i);
            if (is_there) report_column_head(r, c, i, what[k]);
        }
}

void report_column_figure(const struct report *r, struct table *table, const struct metric_column *c, assay_value v)
{
    char buf[48];
    bool is_none = c->type == ASSAY_F64 && isnan(v.d), is_csv = r->style == REPORT_CSV;
    table_text(table, is_none ? is_csv ? "" : "-" : value_text(buf, r->exact || is_csv, c->type, v, c->unit));
}

void report_column_cost(const struct report *r, struct table *table, const struct metric_columns *c, uint32_t column, assay_value v)
{
    char buf[48];
    const struct metric_column *x = &c->at[column];
    report_column_figure(r, table, x, v);
    if (report_column_has_share(r, c, column)) table_text(table, report_percent(buf, r, value_double(x->type, v), x->is_sum ? x->whole : 0));
}

void report_column_average(const struct report *r, struct table *table, const struct metric_columns *c, uint32_t column, double average)
{
    struct metric_column as_double = { .unit = c->at[column].unit, .type = ASSAY_F64 };
    if (report_column_has_average(r, c, column)) report_column_figure(r, table, &as_double, (assay_value){ .d = average });
}

void report_columns_title(struct report *r, const struct metric_columns *c)
{
    char human[48];
    uint32_t metric = report_columns_metric(c);
    report_ink(r, REPORT_BOLD);
    text_show(r->out, c->at[0].name);
    report_plain(r);
    const char *total = metric ? metric_total_text(human, r->exact, c->profile, metric)
                               : value_text(human, r->exact, ASSAY_F64, (assay_value){ .d = c->at[0].whole }, c->at[0].unit);
    output_printf(r->out, " %s", metric || !isnan(c->at[0].whole) ? total : "-");
}

/* ---- JSON ---- */

void report_columns_first_json(struct report *r, const struct metric_columns *c)
{
    struct json *j = &r->json;
    json_key(j, "metric");
    json_string(j, c->at[0].name);
    json_key(j, "total");
    if (report_columns_metric(c))
        report_total_json(j, c->profile, report_columns_metric(c));
    else
        json_double(j, c->at[0].whole);
}

static bool is_column(const struct metric_columns *c, uint32_t k)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->at[i].k == (int64_t)k) return true;
    return false;
}

void report_columns_row_json(struct report *r, const struct metric_columns *c, const struct metric_row *row)
{
    struct json *j = &r->json;
    json_object(j);
    for (uint32_t k = 0; k < c->metric_count; k++) {
        if (r->is_short && !is_column(c, k)) continue;
        json_key_slice(j, metric_name(c->profile, c->metrics[k]));
        if (row->here)
            json_value(j, metric_type(c->profile, c->metrics[k]), row->here[k]);
        else
            json_null(j);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (!c->at[i].formula) continue;
        json_key_slice(j, c->at[i].name);
        if (row->here)
            json_double(j, metric_columns_value_of(c, i, row).d);
        else
            json_null(j);
    }
    json_end(j);
}

void report_columns_json(struct report *r, const struct metric_columns *c, const assay_value *values)
{
    report_columns_row_json(r, c, &(struct metric_row){ .here = values });
}

void report_averages_json(struct report *r, const struct metric_columns *c, const assay_value *values, uint64_t calls)
{
    struct json *j = &r->json;
    json_object(j);
    for (uint32_t i = 0; i < c->count; i++) {
        json_key_slice(j, c->at[i].name);
        json_double(j, metric_columns_average(c, i, values, calls));
    }
    json_end(j);
}
