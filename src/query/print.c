/* Rows as text: a table, CSV, JSON, JSON lines, Markdown. */
#include <math.h>
#include <string.h>

#include "assay/query.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/options.h"
#include "base/slice.h"
#include "base/table.h"

struct printing {
    assay_rows *rows;
    unsigned columns;
    struct mem mem;
    struct output *out;
    uint64_t count;
};

/* A number as text, exact; 48 bytes suffice. */
static assay_slice number_text(const struct assay_query_cell *cell, char *buf)
{
    if (cell->type == ASSAY_CELL_INTEGER) return (assay_slice){ buf, number_put_i64(buf, cell->integer) };
    if (isfinite(cell->real)) return (assay_slice){ buf, number_put_double(buf, cell->real) };
    return isnan(cell->real) ? SLICE("") : cell->real > 0 ? SLICE("Inf") : SLICE("-Inf");
}

static bool is_number(const struct assay_query_cell *cell) { return cell->type == ASSAY_CELL_INTEGER || cell->type == ASSAY_CELL_REAL; }

/* ---- tables ---- */

static void put_cell(struct table *t, const struct assay_query_cell *cell)
{
    char buf[48];
    table_cell(t, is_number(cell) ? number_text(cell, buf) : cell->text);
}

/* Columns align by what the first row has in them. */
static int print_table(struct printing *p, struct table *t, enum table_style style, assay_error *err)
{
    struct assay_query_cell cell;
    int rc = assay_rows_next(p->rows, err);
    if (rc < 0) return rc;
    for (unsigned i = 0; i < p->columns; i++) {
        if (rc == 1) assay_rows_cell(p->rows, i, &cell);
        table_column(t, assay_rows_column_name(p->rows, i), rc == 1 && is_number(&cell) ? TABLE_RIGHT : TABLE_LEFT);
    }
    for (; rc == 1; rc = assay_rows_next(p->rows, err)) {
        for (unsigned i = 0; i < p->columns; i++) {
            assay_rows_cell(p->rows, i, &cell);
            put_cell(t, &cell);
        }
        p->count++;
    }
    return rc < 0 ? rc : table_print(t, style, p->out, err);
}

/* ---- CSV, row by row: the result may be larger than memory ---- */

static void put_csv(struct output *out, assay_slice s)
{
    bool quotes = memchr(s.data ? s.data : "", ',', s.len) || memchr(s.data ? s.data : "", '"', s.len) || memchr(s.data ? s.data : "", '\n', s.len) ||
                  memchr(s.data ? s.data : "", '\r', s.len);
    if (!quotes) {
        output_slice(out, s);
        return;
    }
    output_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] == '"') output_char(out, '"');
        output_char(out, s.data[i]);
    }
    output_char(out, '"');
}

static int print_csv(struct printing *p, assay_error *err)
{
    int rc;
    char buf[48];
    for (unsigned i = 0; i < p->columns; i++) {
        if (i) output_char(p->out, ',');
        put_csv(p->out, slice_of(assay_rows_column_name(p->rows, i)));
    }
    output_text(p->out, "\r\n");
    while ((rc = assay_rows_next(p->rows, err)) == 1) {
        for (unsigned i = 0; i < p->columns; i++) {
            struct assay_query_cell cell;
            assay_rows_cell(p->rows, i, &cell);
            if (i) output_char(p->out, ',');
            put_csv(p->out, is_number(&cell) ? number_text(&cell, buf) : cell.text);
        }
        output_text(p->out, "\r\n");
        p->count++;
    }
    return rc;
}

/* ---- JSON ---- */

static void put_json(struct json *j, const struct assay_query_cell *cell)
{
    switch (cell->type) {
    case ASSAY_CELL_NULL: json_null(j); break;
    case ASSAY_CELL_INTEGER: json_i64(j, cell->integer); break;
    case ASSAY_CELL_REAL: json_double(j, cell->real); break;
    default: json_string(j, cell->text.data ? cell->text : SLICE(""));
    }
}

static void put_object(struct printing *p, struct json *j)
{
    json_object(j);
    for (unsigned i = 0; i < p->columns; i++) {
        struct assay_query_cell cell;
        assay_rows_cell(p->rows, i, &cell);
        json_key(j, assay_rows_column_name(p->rows, i));
        put_json(j, &cell);
    }
    json_end(j);
}

/* A line for each row, which is an object by itself. */
static int print_jsonl(struct printing *p, assay_error *err)
{
    int rc;
    while ((rc = assay_rows_next(p->rows, err)) == 1) {
        struct json j;
        json_init_line(&j, p->out);
        put_object(p, &j);
        p->count++;
    }
    return rc;
}

static int print_json(struct printing *p, assay_error *err)
{
    struct json j;
    int rc;
    json_init(&j, p->out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    json_key(&j, "verb");
    json_text(&j, "query");
    json_key(&j, "columns");
    json_array(&j);
    for (unsigned i = 0; i < p->columns; i++) json_text(&j, assay_rows_column_name(p->rows, i));
    json_end(&j);
    json_key(&j, "rows");
    json_array(&j);
    while ((rc = assay_rows_next(p->rows, err)) == 1) {
        put_object(p, &j);
        p->count++;
    }
    json_end(&j);
    json_end(&j);
    return rc;
}

/* ---- all ---- */

static int print(struct printing *p, const struct assay_rows_print_options *o, assay_error *err)
{
    if (o->style == ASSAY_ROWS_CSV) return print_csv(p, err);
    if (o->style == ASSAY_ROWS_JSON) return print_json(p, err);
    if (o->style == ASSAY_ROWS_JSONL) return print_jsonl(p, err);
    struct table *t = table_new(&p->mem, o->width, o->color);
    int rc = t ? print_table(p, t, o->style == ASSAY_ROWS_MARKDOWN ? TABLE_MARKDOWN : TABLE_TEXT, err) : error_memory(err);
    table_free(t);
    return rc;
}

int assay_rows_print(assay_rows *rows, const struct assay_rows_print_options *options, assay_text_fn fn, void *arg, uint64_t *count, assay_error *err)
{
    assay_error local;
    struct assay_rows_print_options o;
    struct printing p = { .rows = rows, .columns = assay_rows_column_count(rows) };
    err = error_enter(err, &local);
    TRY(options_take(&o, sizeof o, options, err));
    mem_init(&p.mem, 0);
    TRY(output_open_fn(&p.out, fn, arg, &p.mem, err));
    int rc = print(&p, &o, err);
    if (count) *count = p.count;
    if (rc != 0)
        output_abort(p.out);
    else
        rc = output_commit(p.out, err);
    return cancel_end(rc, err);
}
