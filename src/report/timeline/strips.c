/* `timeline --depth` in a terminal: a strip for each stream, in which each column shows what filled most of it. */
#include <stdio.h>

#include "base/slice.h"
#include "base/text.h"
#include "report/timeline/timeline.h"

enum { LABEL_MOST = 28, STRIP_LEAST = 20, ROWS_MOST = 50 };

struct strips {
    struct timeline_text *s;
    struct timeline_picture picture;
    unsigned label, strip; /* columns */
};

/* ---- one strip ---- */

/* Small letters where less than half of the time was busy. */
static void put_letters(struct strips *s, const struct timeline_run *run, uint32_t count)
{
    char c = run->is_empty ? ' ' : !run->frame ? '.' : timeline_letter(s->s, run->frame);
    if (run->quarters && run->quarters * 2 <= TIMELINE_QUARTERS && c >= 'A') c = (char)(c - 'A' + 'a');
    while (count--) output_char(s->s->r->out, c);
}

static void put_blocks(struct strips *s, const struct timeline_run *run, uint32_t count)
{
    static const char *const blocks[] = { "\xc2\xb7", "\xe2\x96\x82", "\xe2\x96\x84", "\xe2\x96\x86", "\xe2\x96\x88" };
    if (run->frame) output_printf(s->s->r->out, "\033[38;5;%um", timeline_ink(s->s, run->frame));
    while (count--) output_text(s->s->r->out, run->is_empty ? " " : blocks[run->quarters]);
    if (run->frame) output_text(s->s->r->out, "\033[0m");
}

static void put_runs(struct strips *s, uint32_t row)
{
    const struct timeline_layer *layer = &s->picture.layers[0];
    for (size_t i = layer->first[row]; i < layer->first[row + 1]; i++) {
        const struct timeline_run *run = &layer->runs.at[i];
        uint32_t end = i + 1 < layer->first[row + 1] ? run[1].column : s->picture.columns;
        if (s->s->r->color)
            put_blocks(s, run, end - run->column);
        else
            put_letters(s, run, end - run->column);
    }
}

/* ---- labels ---- */

/* The label of the first line of a row, and how many more there are. */
static void label_of(const struct strips *s, uint32_t row, char *buf, size_t len)
{
    size_t first = (size_t)row * s->picture.lines_each, end = first + s->picture.lines_each;
    if (end > s->s->v->t->lines.len) end = s->s->v->t->lines.len;
    if (end - first > 1)
        snprintf(buf, len, "%.300s +%zu", s->s->v->t->lines.at[first].label, end - first - 1);
    else
        snprintf(buf, len, "%.300s", s->s->v->t->lines.at[first].label);
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
        output_text(s->s->r->out, "\xe2\x80\xa6");
        report_padded(s->s->r->out, shown, s->label - 1);
    } else {
        report_padded(s->s->r->out, all, s->label);
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

/* ---- all of them ---- */

static bool draw(struct strips *s)
{
    unsigned width = timeline_text_width(s->s);
    size_t lines = s->s->v->t->lines.len;
    s->picture.lines_each = (uint32_t)((lines + ROWS_MOST - 1) / ROWS_MOST);
    s->label = label_width(s, (uint32_t)((lines + s->picture.lines_each - 1) / s->picture.lines_each));
    s->strip = width > s->label + 1 + STRIP_LEAST ? width - s->label - 1 : STRIP_LEAST;
    return timeline_draw(s->s->v->t, s->strip, ROWS_MOST, &s->s->v->shares->depth, 1, &s->picture, NULL) == 0;
}

static void put_strips(struct strips *s)
{
    if (s->picture.lines_each > 1) output_printf(s->s->r->out, "each row shows what most of up to %u streams did\n", s->picture.lines_each);
    output_char(s->s->r->out, '\n');
    for (uint32_t row = 0; row < s->picture.rows; row++) {
        char buf[400];
        label_of(s, row, buf, sizeof buf);
        put_label(s, buf);
        output_char(s->s->r->out, ' ');
        put_runs(s, row);
        output_char(s->s->r->out, '\n');
    }
    timeline_text_axis(s->s, s->label + 1, s->picture.columns);
    output_char(s->s->r->out, '\n');
}

bool timeline_put_strips(struct timeline_text *s)
{
    struct strips strips = { .s = s };
    bool done = draw(&strips);
    if (done) put_strips(&strips);
    timeline_picture_done(&strips.picture);
    return done;
}
