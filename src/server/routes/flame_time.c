/* The boxes of a flame graph in the order of time: a flame chart of one stream. */
#include "analysis/timeline/chart.h"
#include "base/error.h"
#include "server/routes.h"

enum { LEVELS_MOST = 1000 };

static void put_header(struct request *r, struct sheet *c, const struct timeline *t, size_t rows)
{
    struct json *j = sheet_header(c);
    json_key(j, "metric");
    json_text(j, "time");
    json_key(j, "metrics");
    json_array(j);
    json_object(j);
    json_key(j, "name");
    json_text(j, "time");
    json_key(j, "unit");
    json_text(j, t->unit);
    json_key(j, "type");
    json_text(j, "u64");
    json_key(j, "total");
    json_i64(j, t->to - t->from);
    json_key(j, "is_sum");
    json_bool(j, true);
    json_end(j);
    json_end(j);
    json_key(j, "root_total");
    json_i64(j, t->to - t->from);
    json_key(j, "rows");
    json_u64(j, rows);
    json_key(j, "deepest");
    json_u64(j, t->deepest);
    json_key(j, "begin");
    json_i64(j, t->begin);
    json_key(j, "from");
    json_i64(j, t->from);
    json_key(j, "to");
    json_i64(j, t->to);
    json_key(j, "estimated");
    json_bool(j, false);
    json_key(j, "is_laid_out");
    json_bool(j, t->is_laid_out);
    json_key(j, "label");
    json_text(j, t->lines.len ? t->lines.at[0].label : "");
    json_key(j, "streams");
    json_u64(j, t->lines.len);
    json_key(j, "ancestors");
    json_array(j);
    json_end(j);
    state_command(r, j, "timeline", "");
}

static assay_slice module_of(const struct timeline *t, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(t->profile);
    uint32_t module = func && f->module ? f->module[func].v : 0;
    return module ? assay_profile_string(t->profile, assay_profile_modules(t->profile)->path[module]) : (assay_slice){ NULL, 0 };
}

/* Rows of a band are its depths: what a box stands on is the box of the row above that covers its beginning. */
static void put_boxes(struct request *r, struct sheet *c, const struct timeline *t, const struct timeline_chart *chart)
{
    size_t n = chart->boxes.len, above = 0;
    double length = (double)(t->to - t->from);
    uint32_t *id = sheet_add(c, "id", COLUMN_U32, n), *parent = sheet_add(c, "parent", COLUMN_U32, n), *more = sheet_add(c, "more", COLUMN_U32, n);
    uint32_t *first = sheet_add(c, "first", COLUMN_U32, n), *name = sheet_add(c, "name", COLUMN_U32, n), *module = sheet_add(c, "module", COLUMN_U32, n);
    uint32_t *func = sheet_add(c, "func", COLUMN_U32, n);
    double *x = sheet_add(c, "x", COLUMN_F64, n), *w = sheet_add(c, "w", COLUMN_F64, n);
    uint16_t *level = sheet_add(c, "level", COLUMN_U16, n);
    uint8_t *kind = sheet_add(c, "kind", COLUMN_U8, n);
    uint64_t *calls = sheet_add(c, "calls", COLUMN_U64, n), *total = sheet_add(c, "total", COLUMN_U64, n), *self = sheet_add(c, "self", COLUMN_U64, n);
    (void)self;
    for (size_t row = 0; row + 1 < chart->rows.len && !c->failed; row++) {
        size_t begin = chart->rows.at[row].first, end = chart->rows.at[row + 1].first;
        for (size_t i = begin; i < end; i++) {
            const struct timeline_box *box = &chart->boxes.at[i];
            uint32_t key = timeline_key(t, box->frame);
            char buf[48];
            assay_slice text = timeline_name(t, key, buf);
            char *copy = text.data == buf ? arena_copy(&r->text, text) : NULL;
            while (row && above + 1 < begin && chart->boxes.at[above + 1].from <= box->from) above++;
            id[i] = box->frame;
            parent[i] = row ? (uint32_t)above + 1 : 0;
            more[i] = box->is_merged;
            first[i] = box->is_merged ? box->frame : 0;
            func[i] = timeline_func(t, key);
            name[i] = sheet_name(c, copy ? slice_of(copy) : text.data == buf ? (assay_slice){ NULL, 0 } : text);
            module[i] = sheet_name(c, module_of(t, func[i]));
            x[i] = length > 0 ? (double)(box->from - t->from) / length : 0;
            w[i] = length > 0 ? (double)(box->to - box->from) / length : 1;
            level[i] = (uint16_t)row;
            kind[i] = ASSAY_NODE_FUNCTION;
            calls[i] = box->calls;
            total[i] = box->time;
        }
        above = begin;
    }
}

static int draw(struct request *r, struct timeline *t, void *arg, assay_error *err)
{
    struct timeline_chart chart = { 0 };
    struct sheet c;
    uint32_t columns = *(const uint32_t *)arg;
    int rc = timeline_chart_draw(t, columns, 1, LEVELS_MOST, &chart, err);
    if (rc == 0) {
        rc = sheet_begin(&c, &r->mem, "flame", err);
        if (rc == 0) {
            put_header(r, &c, t, chart.boxes.len);
            put_boxes(r, &c, t, &chart);
            rc = answer_sheet(r, &c, err);
        }
        sheet_done(&c);
    }
    timeline_chart_done(&chart);
    return rc;
}

int flame_over_time(struct request *r, uint32_t columns, assay_error *err)
{
    if (!columns) columns = 1200;
    return timeline_use(r, draw, &columns, err);
}
