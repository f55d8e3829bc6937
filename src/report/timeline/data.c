/* `timeline --depth` as JSON and CSV: the shares of functions, over all streams and for each, exactly. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/scoped.h"
#include "report/timeline/timeline.h"

enum { LIMIT_DEFAULT = 30 };

uint32_t timeline_rows_shown(const struct report *r, const struct report_timeline *v)
{
    uint64_t limit = !r->has_limit ? LIMIT_DEFAULT : r->limit ? r->limit : UINT64_MAX;
    size_t count = v->totals ? v->totals->rows.len : v->shares->rows.len;
    return count < limit ? (uint32_t)count : (uint32_t)limit;
}

struct function_info timeline_function(const struct timeline *t, uint32_t key, char *buf)
{
    struct function_info f = function_info_of(t->profile, timeline_func(t, key));
    f.name = timeline_name(t, key, buf);
    return f;
}

/* ---- JSON ---- */

static void put_u64(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_u64(j, v);
}

static void put_row(struct json *j, const struct report_timeline *v, const struct timeline_share *row)
{
    char buf[48];
    struct function_info f = timeline_function(v->t, row->key, buf);
    json_object(j);
    report_function_json(j, &f);
    json_key(j, "time");
    json_wide(j, row->time);
    put_u64(j, "streams", row->lines);
    json_end(j);
}

void timeline_json_line(struct json *j, const struct timeline_line *line)
{
    json_key(j, "label");
    json_text(j, line->label);
    json_key(j, "begin");
    json_i64(j, line->count ? line->time[0] : 0);
    json_key(j, "end");
    json_i64(j, line->count ? line->time[line->count - 1] : 0);
    put_u64(j, "samples", line->events);
    put_u64(j, "time", line->recorded);
    put_u64(j, "idle", line->idle);
}

/* `place`: by row of the shares, where it stands in "rows"; UINT32_MAX = it does not. */
static void put_line(struct json *j, const struct report_timeline *v, size_t i, const uint32_t *place)
{
    json_object(j);
    timeline_json_line(j, &v->t->lines.at[i]);
    json_key(j, "rows");
    json_array(j);
    for (size_t k = v->shares->first[i]; k < v->shares->first[i + 1]; k++) {
        const struct timeline_part *part = &v->shares->parts.at[k];
        if (place[part->node] == UINT32_MAX) continue;
        json_object(j);
        put_u64(j, "row", place[part->node]);
        put_u64(j, "time", part->time);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}
void timeline_json_head(struct json *j, const char *path, const struct report_timeline *v)
{
    const struct timeline *t = v->t;
    json_key(j, "path");
    json_text(j, path);
    json_key(j, "view");
    json_text(j, v->totals ? "chart" : "depth");
    json_key(j, "unit");
    json_text(j, t->unit);
    json_key(j, "begin");
    json_i64(j, t->begin);
    json_key(j, "end");
    json_i64(j, t->end);
    json_key(j, "window");
    json_object(j);
    put_u64(j, "from", timeline_since(t, t->from));
    put_u64(j, "to", timeline_since(t, t->to));
    json_end(j);
    json_key(j, "kind");
    json_text(j, t->is_laid_out ? "calls" : t->is_spans ? "spans" : "samples");
    json_key(j, "laid_out");
    json_bool(j, t->is_laid_out);
    put_u64(j, "samples", t->events);
    if (v->shares) json_key(j, "depth");
    if (v->shares && v->shares->depth == TIMELINE_INNERMOST)
        json_null(j);
    else if (v->shares)
        json_u64(j, v->shares->depth);
    put_u64(j, "deepest", t->deepest);
    json_key(j, "time");
    json_wide(j, v->totals ? v->totals->recorded : v->shares->recorded);
    json_key(j, "idle");
    json_wide(j, v->totals ? v->totals->idle : v->shares->idle);
    put_u64(j, "functions", v->totals ? v->totals->rows.len : v->shares->rows.len);
}

static void put_members(struct report *r, const char *path, const struct report_timeline *v, uint32_t *place)
{
    struct json *j = &r->json;
    uint32_t count = timeline_rows_shown(r, v);
    for (size_t i = 0; i < v->shares->rows.len; i++) place[i] = UINT32_MAX;
    timeline_json_head(j, path, v);
    json_key(j, "rows");
    json_array(j);
    for (uint32_t i = 0; i < count; i++) {
        put_row(j, v, &v->shares->rows.at[v->order[i]]);
        place[v->order[i]] = i;
    }
    json_end(j);
    report_rows_json(j, v->shares->rows.len, count);
    json_key(j, "streams");
    json_array(j);
    for (size_t i = 0; i < v->t->lines.len && !cancel_at(i); i++) put_line(j, v, i, place);
    json_end(j);
}

void timeline_json(struct report *r, const char *path, const struct report_timeline *v)
{
    size_t count = v->shares->rows.len + 1;
    SCRATCH(uint32_t, place, r->mem, count);
    if (!place) {
        r->out_of_memory = true;
        return;
    }
    if (r->file_count == 1)
        report_json_begin(r, "timeline");
    else
        json_object(&r->json);
    put_members(r, path, v, place);
    if (r->file_count != 1) json_end(&r->json);
}

/* ---- CSV ---- */

static void put_csv_row(struct report *r, const char *path, const struct report_timeline *v, const struct timeline_share *row)
{
    char buf[48], name[48];
    struct function_info f = timeline_function(v->t, row->key, name);
    if (r->file_count != 1) table_text(r->table, path);
    number_put_wide(buf, row->time);
    table_text(r->table, buf);
    table_text(r->table, report_percent(buf, r, wide_double(row->time), wide_double(v->shares->recorded)));
    report_cell_u64(r->table, row->lines);
    table_cell(r->table, f.name);
    table_cell(r->table, f.file);
    report_line_cell(r->table, f.line);
    table_cell(r->table, f.module);
}

/* One table for all files: a program that reads it wants one head. */
void timeline_csv(struct report *r, const char *path, const struct report_timeline *v)
{
    static const char *const heads[] = { "path", "time", "time%", "streams", "function", "file", "line", "module", NULL };
    uint32_t count = timeline_rows_shown(r, v);
    if (!r->table) report_table(r, heads + (r->file_count == 1), &"lrrrllrl"[r->file_count == 1]);
    for (uint32_t i = 0; r->table && i < count && !cancel_at(i); i++) put_csv_row(r, path, v, &v->shares->rows.at[v->order[i]]);
}
