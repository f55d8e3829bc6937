/* `timeline` in a terminal: a flame chart or a strip for each stream, a time axis, and the functions by their share of the time. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/timeline/timeline.h"

enum { WIDTH_DEFAULT = 100, LETTERS = 26 };

/* 256-colour numbers for the colours of the picture. */
static const uint8_t inks[TIMELINE_COLOURS] = { 69,  208, 66,  220, 167, 175, 153, 186, 110, 221, 115, 178,
                                                216, 140, 117, 107, 73,  173, 151, 186, 175, 224, 104, 146 };

/* ---- signs ---- */

static size_t row_count(const struct report_timeline *v) { return v->totals ? v->totals->rows.len : v->shares->rows.len; }

static uint32_t key_of(const struct report_timeline *v, size_t row) { return v->totals ? v->totals->rows.at[row].key : v->shares->rows.at[row].key; }

static bool choose_signs(struct timeline_text *s)
{
    const struct report_timeline *v = s->v;
    size_t rows = row_count(v);
    SCRATCH(uint32_t, list, s->r->mem, rows + 1);
    if (!list) return false;
    for (size_t i = 0; i < rows; i++) {
        list[i] = key_of(v, i);
        s->row_of[list[i]] = (uint32_t)i + 1;
    }
    timeline_colours(v->t, list, rows, s->colour);
    return true;
}

char timeline_letter(const struct timeline_text *s, uint32_t frame)
{
    uint32_t place = s->row_of[timeline_key(s->v->t, frame)] - 1;
    return place < LETTERS ? (char)('A' + place) : '#';
}

unsigned timeline_ink(const struct timeline_text *s, uint32_t frame) { return inks[s->colour[s->row_of[timeline_key(s->v->t, frame)] - 1]]; }

unsigned timeline_text_width(const struct timeline_text *s) { return s->v->width ? s->v->width : s->r->width ? s->r->width : WIDTH_DEFAULT; }

/* ---- axis ---- */

void timeline_text_axis(struct timeline_text *s, unsigned left, uint32_t columns)
{
    const struct timeline *t = s->v->t;
    struct timeline_axis a = timeline_axis_of(t, columns);
    uint64_t from = timeline_since(t, t->from), span = timeline_since(t, t->to) - from;
    size_t used = 0;
    report_blanks(s->r->out, left);
    for (uint64_t at = a.first; span && at <= from + span; at += a.step) {
        char buf[64];
        size_t len = timeline_mark(&a, at, buf), column = (size_t)((double)(at - from) / (double)span * columns);
        if (column >= used && column + len < columns + left) {
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
    output_text(r->out, value_text(buf, r->exact, ASSAY_U64, (assay_value){ .u = v }, t->unit));
    if (r->exact || strcmp(t->unit, "ns") != 0) output_printf(r->out, " %.20s", t->unit);
}

static void put_depth(struct report *r, const struct report_timeline *v)
{
    if (v->totals)
        output_printf(r->out, "stacks of up to %u frame%s", v->t->deepest ? v->t->deepest : 1, v->t->deepest > 1 ? "s" : "");
    else if (v->shares->depth == TIMELINE_INNERMOST)
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

/* ---- functions ---- */

/* "name  file:line [module]" in one cell, as `top` has it. */
static void put_function(struct report *r, struct table *table, const struct timeline *t, const struct function_info *f)
{
    struct function_info shown = report_function_shown(r, t->profile, *f);
    struct output *out;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    report_put_name(r, out, shown.name);
    size_t keep = output_memory(out).len;
    if (shown.file.len || shown.module.len) output_text(out, "  ");
    function_put_place(out, &shown);
    table_cell_keep(table, output_memory(out), keep);
    output_abort(out);
}

static void put_figures(struct report *r, struct table *table, const struct report_timeline *v, assay_wide time)
{
    assay_wide whole = v->totals ? v->totals->recorded : v->shares->recorded;
    char buf[48];
    if (r->exact)
        number_put_wide(buf, time);
    else
        number_human(buf, wide_double(time), v->t->unit);
    table_text(table, buf);
    number_percent(buf, wide_double(time), wide_double(whole));
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
        char buf[48];
        struct function_info f = timeline_function(v->t, key_of(v, v->order[i]), buf);
        put_figures(r, table, v, v->totals ? v->totals->rows.at[v->order[i]].self : v->shares->rows.at[v->order[i]].time);
        if (v->totals) put_figures(r, table, v, v->totals->rows.at[v->order[i]].total);
        report_cell_u64(table, v->totals ? v->totals->rows.at[v->order[i]].lines : v->shares->rows.at[v->order[i]].lines);
        put_function(r, table, v->t, &f);
    }
    if (!idle_lines(v->t)) return;
    put_figures(r, table, v, v->totals ? v->totals->idle : v->shares->idle);
    if (v->totals) put_figures(r, table, v, v->totals->idle);
    report_cell_u64(table, idle_lines(v->t));
    put_function(r, table, v->t, &(struct function_info){ .name = SLICE("<idle>") });
}

/* The sign of the i-th row of the table: what stands for it in the strips. */
static void put_sign(struct timeline_text *s, uint32_t i)
{
    uint32_t count = timeline_rows_shown(s->r, s->v), place = i < count ? s->v->order[i] : 0;
    if (i >= count)
        output_text(s->r->out, s->r->color ? "\xc2\xb7" : ".");
    else if (s->r->color)
        output_printf(s->r->out, "\033[38;5;%um\xe2\x96\x88\033[0m", inks[s->colour[place]]);
    else
        output_char(s->r->out, (char)(place < LETTERS ? 'A' + (int)place : '#'));
    output_text(s->r->out, "  ");
}

/* The letters of a chart are listed below it. */
static bool has_signs(const struct timeline_text *s) { return s->r->color || !s->v->totals; }

/* The table, line by line after its signs. */
static void put_signed(struct timeline_text *s, assay_slice text)
{
    bool is_head = true;
    for (uint32_t i = 0; text.len;) {
        const char *end = memchr(text.data, '\n', text.len);
        size_t len = end ? (size_t)(end - text.data) + 1 : text.len;
        if (!has_signs(s))
            i++;
        else if (is_head)
            output_text(s->r->out, "   ");
        else
            put_sign(s, i++);
        output_bytes(s->r->out, text.data, len);
        text = (assay_slice){ text.data + len, text.len - len };
        is_head = false;
    }
}

static struct table *new_table(struct report *r, const struct report_timeline *v, unsigned width)
{
    static const char *const heads[2][7] = { { "time", "time%", "streams", "function", NULL },
                                             { "self", "self%", "total", "total%", "streams", "function", NULL } };
    struct table *table = table_new(r->mem, width, r->color && r->style == REPORT_TEXT);
    const char *const *head = heads[v->totals != NULL];
    for (; table && *head; head++) table_column(table, *head, head[1] ? TABLE_RIGHT : TABLE_LEFT);
    return table;
}

static bool put_table(struct timeline_text *s)
{
    struct report *r = s->r;
    struct table *table = new_table(r, s->v, r->width > 3 && has_signs(s) ? r->width - 3 : r->width);
    struct output *out = NULL;
    bool done = table && output_open_memory(&out, r->mem, NULL) == 0;
    if (done) fill_table(r, table, s->v);
    done = done && table_print(table, TABLE_TEXT, out, NULL) == 0;
    if (done) put_signed(s, output_memory(out));
    output_abort(out);
    table_free(table);
    uint32_t shown = timeline_rows_shown(r, s->v);
    size_t more = row_count(s->v) - shown;
    if (done && more) output_printf(r->out, "%sand %zu more function%s\n", has_signs(s) ? "   " : "", more, more == 1 ? "" : "s");
    return done;
}

static bool put_markdown(struct report *r, const struct report_timeline *v)
{
    struct table *table = new_table(r, v, 0);
    output_char(r->out, '\n');
    if (table) fill_table(r, table, v);
    bool done = table && table_print(table, TABLE_MARKDOWN, r->out, NULL) == 0;
    table_free(table);
    return done;
}

static bool put_text(struct report *r, const struct report_timeline *v)
{
    SCRATCH(uint32_t, row_of, r->mem, timeline_key_count(v->t));
    SCRATCH(uint8_t, colour, r->mem, row_count(v) + 1);
    struct timeline_text s = { .r = r, .v = v, .row_of = row_of, .colour = colour };
    return row_of && colour && choose_signs(&s) && (v->totals ? timeline_put_chart : timeline_put_strips)(&s) && put_table(&s);
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
        (v->totals ? timeline_chart_json : timeline_json)(r, path, v);
    } else if (r->style == REPORT_CSV) {
        (v->totals ? timeline_chart_csv : timeline_csv)(r, path, v);
    } else {
        put_title(r, path, v);
        if (!(r->style == REPORT_MARKDOWN ? put_markdown(r, v) : put_text(r, v))) r->out_of_memory = true;
    }
    r->shown++;
}
