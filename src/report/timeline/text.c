/* `timeline` in a terminal: a strip for each stream, a time axis, and the functions by their share of the time. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/timeline/timeline.h"

enum { WIDTH_DEFAULT = 100, LABEL_MOST = 28, STRIP_LEAST = 20, ROWS_MOST = 50, LETTERS = 26 };

/* 256-colour numbers for the colours of the picture. */
static const uint8_t inks[TIMELINE_COLOURS] = { 69,  208, 66,  220, 167, 175, 153, 186, 110, 221, 115, 178,
                                                216, 140, 117, 107, 73,  173, 151, 186, 175, 224, 104, 146 };

struct strips {
    struct report *r;
    const struct report_timeline *v;
    struct timeline_picture picture;
    unsigned label, strip; /* columns */
    uint32_t *row_of;      /* by key: its place in the order of time + 1 */
    uint8_t *colour;       /* by that place */
};

/* ---- one strip ---- */

static char letter_of(uint32_t place) { return place < LETTERS ? (char)('A' + place) : '#'; }

/* Small letters where less than half of the time was busy. */
static void put_letters(struct strips *s, const struct timeline_run *run, uint32_t place, uint32_t count)
{
    char c = run->is_empty ? ' ' : !run->frame ? '.' : letter_of(place);
    if (run->quarters && run->quarters * 2 <= TIMELINE_QUARTERS && c >= 'A') c = (char)(c - 'A' + 'a');
    while (count--) output_char(s->r->out, c);
}

static void put_blocks(struct strips *s, const struct timeline_run *run, uint32_t place, uint32_t count)
{
    static const char *const blocks[] = { "\xc2\xb7", "\xe2\x96\x82", "\xe2\x96\x84", "\xe2\x96\x86", "\xe2\x96\x88" };
    if (run->frame) output_printf(s->r->out, "\033[38;5;%um", inks[s->colour[place]]);
    while (count--) output_text(s->r->out, run->is_empty ? " " : blocks[run->quarters]);
    if (run->frame) output_text(s->r->out, "\033[0m");
}

static void put_runs(struct strips *s, uint32_t row)
{
    const struct timeline_layer *layer = &s->picture.layers[0];
    for (size_t i = layer->first[row]; i < layer->first[row + 1]; i++) {
        const struct timeline_run *run = &layer->runs.at[i];
        uint32_t end = i + 1 < layer->first[row + 1] ? run[1].column : s->picture.columns;
        uint32_t place = run->frame ? s->row_of[timeline_key(s->v->t, run->frame)] - 1 : 0;
        if (s->r->color)
            put_blocks(s, run, place, end - run->column);
        else
            put_letters(s, run, place, end - run->column);
    }
}

/* ---- labels ---- */

/* The label of the first line of a row, and how many more there are. */
static void label_of(const struct strips *s, uint32_t row, char *buf, size_t len)
{
    size_t first = (size_t)row * s->picture.lines_each, end = first + s->picture.lines_each;
    if (end > s->v->t->lines.len) end = s->v->t->lines.len;
    if (end - first > 1)
        snprintf(buf, len, "%.300s +%zu", s->v->t->lines.at[first].label, end - first - 1);
    else
        snprintf(buf, len, "%.300s", s->v->t->lines.at[first].label);
}

/* Ends of labels differ, their beginnings often do not. */
static void put_label(struct strips *s, const char *text)
{
    assay_slice all = slice_of(text), shown = all;
    if (text_width(all) > s->label) {
        while (shown.len && text_width(shown) >= s->label) {
            unsigned len = text_utf8(shown, NULL);
            len = len ? len : 1;
            shown = (assay_slice){ shown.data + len, shown.len - len };
        }
        output_text(s->r->out, "\xe2\x80\xa6");
        report_padded(s->r->out, shown, s->label - 1);
    } else {
        report_padded(s->r->out, all, s->label);
    }
}

static unsigned label_width(const struct strips *s, uint32_t rows)
{
    unsigned width = 0;
    for (uint32_t row = 0; row < rows; row++) {
        char buf[400];
        label_of(s, row, buf, sizeof buf);
        unsigned one = text_width(slice_of(buf));
        if (one > width) width = one;
    }
    return width < LABEL_MOST ? width : LABEL_MOST;
}

/* ---- axis ---- */

static void put_axis(struct strips *s)
{
    const struct timeline *t = s->v->t;
    struct timeline_axis a = timeline_axis_of(t, s->picture.columns);
    uint64_t from = timeline_since(t, t->from), span = timeline_since(t, t->to) - from;
    size_t used = 0;
    report_blanks(s->r->out, s->label + 1);
    for (uint64_t at = a.first; span && at <= from + span; at += a.step) {
        char buf[64];
        size_t len = timeline_mark(&a, at, buf), column = (size_t)((double)(at - from) / (double)span * s->picture.columns);
        if (column >= used && column + len < s->picture.columns + s->label) {
            report_blanks(s->r->out, column - used);
            output_printf(s->r->out, "|%s", buf);
            used = column + 1 + len;
        }
        if (at > UINT64_MAX - a.step) break;
    }
    output_char(s->r->out, '\n');
}

/* ---- what it is ---- */

static void put_value(struct report *r, const struct timeline *t, uint64_t v)
{
    char buf[48];
    output_text(r->out, report_value(buf, r->exact, ASSAY_U64, (assay_value){ .u = v }, t->unit));
    if (r->exact || strcmp(t->unit, "ns") != 0) output_printf(r->out, " %.20s", t->unit);
}

static void put_depth(struct report *r, const struct report_timeline *v)
{
    if (v->shares->depth == TIMELINE_INNERMOST)
        output_text(r->out, "the innermost frames");
    else if (!v->t->used.len)
        output_text(r->out, "no durations");
    else if (!v->t->deepest)
        output_text(r->out, "contexts with unknown functions");
    else
        output_printf(r->out, "frames at depth %u of %u%s", v->shares->depth, v->t->deepest, v->is_chosen ? " (--depth shows another)" : "");
}

static void put_title(struct report *r, const char *path, const struct report_timeline *v)
{
    const struct timeline *t = v->t;
    uint64_t span = timeline_since(t, t->end);
    if (r->shown) output_char(r->out, '\n');
    text_show(r->out, slice_of(path));
    output_text(r->out, ": ");
    report_ink(r, REPORT_BOLD);
    if (t->from != t->begin || t->to != t->end) {
        put_value(r, t, timeline_since(t, t->from));
        output_text(r->out, " to ");
        put_value(r, t, timeline_since(t, t->to));
        output_text(r->out, " of ");
    }
    put_value(r, t, span);
    report_plain(r);
    output_printf(r->out, ", %zu stream%s", t->lines.len, t->lines.len == 1 ? "" : "s");
    if (t->stream_count > t->lines.len) output_printf(r->out, " of %u", t->stream_count);
    output_printf(r->out, ", %llu %s, ", (unsigned long long)t->events, t->is_laid_out ? "calls" : t->is_spans ? "spans" : "samples");
    put_depth(r, v);
    output_char(r->out, '\n');
    if (t->is_laid_out)
        output_text(
            r->out,
            "start times were not recorded, only order and durations: calls are laid out one after the other, followed by the self time of their caller\n");
    if (t->other_units) output_printf(r->out, "left out: %u streams not in %s\n", t->other_units, t->unit);
}

/* ---- strips ---- */

static bool prepare(struct strips *s)
{
    const struct report_timeline *v = s->v;
    size_t keys = timeline_key_count(v->t), rows = v->shares->rows.len;
    uint32_t *list = mem_zalloc(s->r->mem, rows + 1, sizeof *list);
    s->row_of = mem_zalloc(s->r->mem, keys, sizeof *s->row_of);
    s->colour = mem_zalloc(s->r->mem, rows + 1, sizeof *s->colour);
    bool done = list && s->row_of && s->colour;
    for (size_t i = 0; done && i < rows; i++) {
        list[i] = v->shares->rows.at[i].key;
        s->row_of[list[i]] = (uint32_t)i + 1;
    }
    if (done) timeline_colours(v->t, list, rows, s->colour);
    mem_free(s->r->mem, list, (rows + 1) * sizeof *list);
    return done;
}

static bool draw(struct strips *s)
{
    unsigned width = s->v->width ? s->v->width : s->r->width ? s->r->width : WIDTH_DEFAULT;
    size_t lines = s->v->t->lines.len;
    s->picture.lines_each = (uint32_t)((lines + ROWS_MOST - 1) / ROWS_MOST);
    s->label = label_width(s, (uint32_t)((lines + s->picture.lines_each - 1) / s->picture.lines_each));
    s->strip = width > s->label + 1 + STRIP_LEAST ? width - s->label - 1 : STRIP_LEAST;
    return timeline_draw(s->v->t, s->strip, ROWS_MOST, &s->v->shares->depth, 1, &s->picture, NULL) == 0;
}

static void put_strips(struct strips *s)
{
    if (s->picture.lines_each > 1) output_printf(s->r->out, "each row shows what most of up to %u streams did\n", s->picture.lines_each);
    output_char(s->r->out, '\n');
    for (uint32_t row = 0; row < s->picture.rows; row++) {
        char buf[400];
        label_of(s, row, buf, sizeof buf);
        put_label(s, buf);
        output_char(s->r->out, ' ');
        put_runs(s, row);
        output_char(s->r->out, '\n');
    }
    put_axis(s);
    output_char(s->r->out, '\n');
}

/* ---- functions ---- */

/* "name  file:line [module]" in one cell, as `top` has it. */
static void put_function(struct report *r, struct table *table, const struct timeline *t, const struct report_function *f)
{
    struct report_function shown = report_function_shown(r, t->profile, *f);
    struct output *out;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    report_put_name(r, out, shown.name);
    size_t keep = output_memory(out).len;
    if (shown.file.len || shown.module.len) output_text(out, "  ");
    report_put_place(out, &shown);
    table_cell_keep(table, output_memory(out), keep);
    output_abort(out);
}

static void put_figures(struct report *r, struct table *table, const struct report_timeline *v, assay_wide time)
{
    char buf[48];
    if (r->exact)
        number_put_wide(buf, time);
    else
        number_human(buf, wide_double(time), v->t->unit);
    table_text(table, buf);
    number_percent(buf, wide_double(time), wide_double(v->shares->recorded));
    table_text(table, buf);
}

static uint32_t idle_lines(const struct timeline *t)
{
    uint32_t count = 0;
    for (size_t i = 0; i < t->lines.len; i++) count += t->lines.at[i].idle > 0;
    return count;
}

static void fill_table(struct report *r, struct table *table, const struct report_timeline *v)
{
    uint32_t count = timeline_rows_shown(r, v);
    for (uint32_t i = 0; i < count; i++) {
        const struct timeline_share *row = &v->shares->rows.at[v->order[i]];
        char buf[48];
        struct report_function f = timeline_function(v->t, row->key, buf);
        put_figures(r, table, v, row->time);
        report_cell_u64(table, row->lines);
        put_function(r, table, v->t, &f);
    }
    if (!idle_lines(v->t)) return;
    put_figures(r, table, v, v->shares->idle);
    report_cell_u64(table, idle_lines(v->t));
    put_function(r, table, v->t, &(struct report_function){ .name = SLICE("<idle>") });
}

/* The sign of the i-th row of the table: what stands for it in the strips. */
static void put_sign(struct strips *s, uint32_t i)
{
    uint32_t count = timeline_rows_shown(s->r, s->v), place = i < count ? s->v->order[i] : 0;
    if (i >= count)
        output_text(s->r->out, s->r->color ? "\xc2\xb7" : ".");
    else if (s->r->color)
        output_printf(s->r->out, "\033[38;5;%um\xe2\x96\x88\033[0m", inks[s->colour[place]]);
    else
        output_char(s->r->out, letter_of(place));
    output_text(s->r->out, "  ");
}

/* The table, line by line after its signs. */
static void put_signed(struct strips *s, assay_slice text)
{
    bool is_head = true;
    for (uint32_t i = 0; text.len;) {
        const char *end = memchr(text.data, '\n', text.len);
        size_t len = end ? (size_t)(end - text.data) + 1 : text.len;
        if (is_head)
            output_text(s->r->out, "   ");
        else
            put_sign(s, i++);
        output_bytes(s->r->out, text.data, len);
        text = (assay_slice){ text.data + len, text.len - len };
        is_head = false;
    }
}

static struct table *new_table(struct report *r, unsigned width)
{
    static const char *const heads[] = { "time", "time%", "streams", "function" };
    struct table *table = table_new(r->mem, width, r->color && r->style == REPORT_TEXT);
    for (size_t i = 0; table && i < 4; i++) table_column(table, heads[i], i < 3 ? TABLE_RIGHT : TABLE_LEFT);
    return table;
}

static bool put_table(struct strips *s)
{
    struct report *r = s->r;
    struct table *table = new_table(r, r->width > 3 ? r->width - 3 : 0);
    struct output *out = NULL;
    bool done = table && output_open_memory(&out, r->mem, NULL) == 0;
    if (done) fill_table(r, table, s->v);
    done = done && table_print(table, TABLE_TEXT, out, NULL) == 0;
    if (done) put_signed(s, output_memory(out));
    output_abort(out);
    table_free(table);
    uint32_t shown = timeline_rows_shown(r, s->v);
    if (done && shown < s->v->shares->rows.len)
        output_printf(r->out, "   and %zu more function%s\n", s->v->shares->rows.len - shown, s->v->shares->rows.len - shown == 1 ? "" : "s");
    return done;
}

static bool put_markdown(struct report *r, const struct report_timeline *v)
{
    struct table *table = new_table(r, 0);
    output_char(r->out, '\n');
    if (table) fill_table(r, table, v);
    bool done = table && table_print(table, TABLE_MARKDOWN, r->out, NULL) == 0;
    table_free(table);
    return done;
}

static bool put_text(struct report *r, const struct report_timeline *v)
{
    struct strips s = { .r = r, .v = v };
    bool done = prepare(&s) && draw(&s);
    if (done) put_strips(&s);
    done = done && put_table(&s);
    timeline_picture_done(&s.picture);
    mem_free(r->mem, s.row_of, timeline_key_count(v->t) * sizeof *s.row_of);
    mem_free(r->mem, s.colour, (v->shares->rows.len + 1) * sizeof *s.colour);
    return done;
}

/* ---- all styles ---- */

void report_timeline_begin(struct report *r)
{
    if (r->style != REPORT_JSON || r->file_count == 1) return;
    report_json_begin(r, "timeline");
    json_key(&r->json, "files");
    json_array(&r->json);
}

void report_timeline(struct report *r, const char *path, const struct report_timeline *v)
{
    if (r->style == REPORT_JSON) {
        timeline_json(r, path, v);
    } else if (r->style == REPORT_CSV) {
        timeline_csv(r, path, v);
    } else {
        put_title(r, path, v);
        if (!(r->style == REPORT_MARKDOWN ? put_markdown(r, v) : put_text(r, v))) r->out_of_memory = true;
    }
    r->shown++;
}
