/* `info --brief`: a line for each file, so that many can be compared. Rows are collected, and printed when all files were read. */
#include "report/info.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/function.h"
#include "analysis/core/units.h"
#include "base/number.h"
#include "base/order.h"

struct info_brief_row {
    size_t place; /* among the files */
    const char *path, *format, *command, *metric, *unit, *human, *exact;
    bool is_time;
    double quantity; /* the total, in ns where it is a time */
};

void report_brief_init(struct report_brief *b, struct report *r)
{
    *b = (struct report_brief){ .report = r };
    arena_init(&b->text, r->mem);
}

static const char *copy(struct report_brief *b, assay_slice s)
{
    const char *text = arena_copy(&b->text, s);
    if (!text) b->report->out_of_memory = true;
    return text ? text : "";
}

/* The command, else the program that wrote the file. */
static assay_slice command_of(struct report *r, const assay_profile *p, struct stream_totals *streams)
{
    if (stream_totals_init(streams, p, (assay_metric_id){ 0 }, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return SLICE("");
    }
    assay_slice command = stream_command(streams);
    return command.len ? command : assay_profile_producer(p);
}

void report_brief_add(struct report_brief *b, const char *path, const assay_profile *p)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    assay_metric_id metric = info_default(p);
    struct info_brief_row *row = vec_push(b->report->mem, &b->rows);
    struct stream_totals streams;
    char buf[48];
    if (!row) {
        b->report->out_of_memory = true;
        return;
    }
    *row = (struct info_brief_row){ .place = b->rows.len, .path = path, .metric = "", .unit = "", .human = "", .exact = "" };
    row->format = copy(b, slice_of(assay_profile_format(p)));
    row->command = copy(b, command_of(b->report, p, &streams));
    stream_totals_done(&streams);
    if (!metric.v || !metric_has_total(m, metric.v)) return;
    row->metric = copy(b, assay_profile_string(p, m->name[metric.v]));
    row->unit = copy(b, slice_of(report_text(p, MODEL_STR(m->unit, metric.v))));
    row->human = copy(b, slice_of(metric_total_text(buf, false, p, metric.v)));
    row->exact = copy(b, slice_of(metric_total_text(buf, true, p, metric.v)));
    row->is_time = units_ns(p, metric) > 0;
    row->quantity = units_quantity(p, metric);
}

/* ---- order ---- */

/* Times before what cannot be compared with them; the largest first. */
static int by_total(const void *x, const void *y)
{
    const struct info_brief_row *a = x, *b = y;
    if (a->is_time != b->is_time) return a->is_time ? -1 : 1;
    ORDER_BY(b->quantity, a->quantity);
    return a->place < b->place ? -1 : 1;
}

static int by_name(const void *x, const void *y)
{
    const struct info_brief_row *a = x, *b = y;
    int c = strcmp(a->path, b->path);
    return c ? c : a->place < b->place ? -1 : 1;
}

/* ---- styles ---- */

static void text_or_null(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_text(j, *text ? text : NULL);
}

static void put_json(struct json *j, const struct info_brief_row *row)
{
    json_object(j);
    json_key(j, "path");
    json_text(j, row->path);
    json_key(j, "format");
    json_text(j, row->format);
    text_or_null(j, "command", row->command);
    text_or_null(j, "metric", row->metric);
    text_or_null(j, "unit", row->unit);
    json_key(j, "total");
    if (*row->exact)
        json_number(j, slice_of(row->exact));
    else
        json_null(j);
    json_end(j);
}

static void put_row(const struct report *r, const struct info_brief_row *row)
{
    bool is_data = r->style == REPORT_CSV;
    table_text(r->table, row->path);
    table_text(r->table, row->format);
    table_text(r->table, is_data || r->exact ? row->exact : row->human);
    if (is_data) table_text(r->table, row->unit);
    table_text(r->table, row->metric);
    table_text(r->table, row->command);
}

void report_brief_end(struct report_brief *b, enum report_brief_sort sort)
{
    static const char *const heads[] = { "path", "format", "total", "metric", "command", NULL };
    static const char *const data[] = { "path", "format", "total", "unit", "metric", "command", NULL };
    struct report *r = b->report;
    if (b->rows.len && sort != REPORT_BRIEF_AS_GIVEN) qsort(b->rows.at, b->rows.len, sizeof *b->rows.at, sort == REPORT_BRIEF_TOTAL ? by_total : by_name);
    if (r->style == REPORT_JSON)
        report_info_begin(r);
    else
        report_table(r, r->style == REPORT_CSV ? data : heads, "llrlll");
    for (size_t i = 0; i < b->rows.len && (!r->limit || i < r->limit); i++) {
        if (r->style == REPORT_JSON)
            put_json(&r->json, &b->rows.at[i]);
        else if (r->table)
            put_row(r, &b->rows.at[i]);
        r->shown++;
    }
    if (r->style == REPORT_JSON) {
        json_end(&r->json);
        report_rows_json(&r->json, b->rows.len, r->shown);
    }
    vec_done(r->mem, &b->rows);
    arena_done(&b->text);
}
