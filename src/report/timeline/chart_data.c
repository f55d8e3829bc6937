/* `timeline` as JSON and CSV: the boxes of a flame chart, and the functions with their times. */
#include "base/number.h"
#include "base/scoped.h"
#include "report/timeline/timeline.h"

enum { COLUMNS_DEFAULT = 500, DEPTH_MOST = 4096 };

static bool draw(const struct report_timeline *v, struct timeline_chart *chart)
{
    return timeline_chart_draw(v->t, v->width ? v->width : COLUMNS_DEFAULT, v->streams ? v->streams : SIZE_MAX, DEPTH_MOST, chart, NULL) == 0;
}

/* ---- JSON ---- */

static void put_u64(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_u64(j, v);
}

static void put_row(struct json *j, const struct report_timeline *v, const struct timeline_total *row)
{
    char buf[48];
    struct function_info f = timeline_function(v->t, row->key, buf);
    json_object(j);
    report_function_json(j, &f);
    json_key(j, "self");
    json_wide(j, row->self);
    json_key(j, "total");
    json_wide(j, row->total);
    put_u64(j, "streams", row->lines);
    json_end(j);
}

static void put_box(struct json *j, const struct timeline *t, uint32_t depth, const struct timeline_box *box)
{
    char buf[48];
    json_object(j);
    put_u64(j, "depth", depth);
    put_u64(j, "from", timeline_since(t, box->from));
    put_u64(j, "to", timeline_since(t, box->to));
    put_u64(j, "time", box->time);
    put_u64(j, "calls", box->calls);
    json_key(j, "merged");
    json_bool(j, box->is_merged);
    json_key(j, "name");
    json_string(j, timeline_name(t, timeline_key(t, box->frame), buf));
    json_end(j);
}

static void put_band(struct json *j, const struct timeline *t, const struct timeline_chart *chart, const struct timeline_band *band)
{
    json_object(j);
    timeline_json_line(j, &t->lines.at[band->line]);
    put_u64(j, "levels", (uint64_t)band->rows + band->left_out);
    json_key(j, "boxes");
    json_array(j);
    for (uint32_t i = 0; i < band->rows; i++)
        for (size_t k = chart->rows.at[band->row + i].first; k < chart->rows.at[band->row + i + 1].first; k++) put_box(j, t, i + 1, &chart->boxes.at[k]);
    json_end(j);
    json_end(j);
}

static void put_members(struct report *r, const char *path, const struct report_timeline *v, const struct timeline_chart *chart)
{
    struct json *j = &r->json;
    uint32_t count = timeline_rows_shown(r, v);
    timeline_json_head(j, path, v);
    put_u64(j, "columns", chart->columns);
    json_key(j, "rows");
    json_array(j);
    for (uint32_t i = 0; i < count; i++) put_row(j, v, &v->totals->rows.at[v->order[i]]);
    json_end(j);
    report_rows_json(j, v->totals->rows.len, count);
    put_u64(j, "streams_total", v->t->lines.len);
    json_key(j, "streams");
    json_array(j);
    for (size_t i = 0; i < chart->bands.len; i++) put_band(j, v->t, chart, &chart->bands.at[i]);
    json_end(j);
}

void timeline_chart_json(struct report *r, const char *path, const struct report_timeline *v)
{
    SCOPED(timeline_chart_done) struct timeline_chart chart = { 0 };
    if (!draw(v, &chart)) r->out_of_memory = true;
    if (r->file_count == 1)
        report_json_begin(r, "timeline");
    else
        json_object(&r->json);
    put_members(r, path, v, &chart);
    if (r->file_count != 1) json_end(&r->json);
}

/* ---- CSV ---- */

static void put_csv_box(struct report *r, const char *path, const struct timeline *t, const char *label, uint32_t depth, const struct timeline_box *box)
{
    char name[48];
    struct function_info f = timeline_function(t, timeline_key(t, box->frame), name);
    if (r->file_count != 1) table_text(r->table, path);
    table_text(r->table, label);
    report_cell_u64(r->table, depth);
    report_cell_u64(r->table, timeline_since(t, box->from));
    report_cell_u64(r->table, timeline_since(t, box->to));
    report_cell_u64(r->table, box->time);
    report_cell_u64(r->table, box->calls);
    table_cell(r->table, f.name);
    table_cell(r->table, f.file);
    report_line_cell(r->table, f.line);
    table_cell(r->table, f.module);
}

void timeline_chart_csv(struct report *r, const char *path, const struct report_timeline *v)
{
    static const char *const heads[] = { "path", "stream", "depth", "from", "to", "time", "calls", "function", "file", "line", "module", NULL };
    SCOPED(timeline_chart_done) struct timeline_chart chart = { 0 };
    if (!draw(v, &chart)) r->out_of_memory = true;
    if (!r->table) report_table(r, heads + (r->file_count == 1), &"llrrrrrllrl"[r->file_count == 1]);
    for (size_t b = 0; r->table && b < chart.bands.len; b++) {
        const struct timeline_band *band = &chart.bands.at[b];
        for (uint32_t i = 0; i < band->rows; i++)
            for (size_t k = chart.rows.at[band->row + i].first; k < chart.rows.at[band->row + i + 1].first; k++)
                put_csv_box(r, path, v->t, v->t->lines.at[band->line].label, i + 1, &chart.boxes.at[k]);
    }
}
