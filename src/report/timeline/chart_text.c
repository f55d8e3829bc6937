/* `timeline` in a terminal: a flame chart of each stream, one row for each depth. Boxes have the name of their function. Where there is no room for it, they
 * have a colour, or a letter: those are given to the functions that need them most, and listed below the chart. */
#include <stdio.h>

#include "base/scoped.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/timeline/timeline.h"

enum { DEPTH_MOST = 60, COLUMNS_LEAST = 20, NAME_LEAST = 5 /* letters of a name that is cut */, STREAMS_DEFAULT = 8, LETTERS = 26, LEGEND_NAME = 40 };

size_t timeline_streams_shown(const struct report_timeline *v)
{
    size_t most = v->streams ? v->streams : STREAMS_DEFAULT;
    return v->t->lines.len < most ? v->t->lines.len : most;
}

struct charting {
    struct timeline_text *s;
    struct timeline_chart chart;
    unsigned gutter; /* columns, for the depth */
    uint32_t *need;  /* by key: columns of its boxes that have no name */
    char *letter;    /* by key; 0 = none */
    uint32_t lettered[LETTERS];
    unsigned letter_count;
};

/* ---- letters ---- */

static assay_slice name_of(const struct charting *c, uint32_t key, char *buf) { return timeline_name(c->s->v->t, key, buf); }

/* Whether a box of so many columns has room for a name, or for enough of it. */
static bool is_named(const struct charting *c, const struct timeline_box *box)
{
    char buf[48];
    uint32_t wide = box->end - box->column;
    return wide >= NAME_LEAST + 2 || (wide > 2 && text_width(report_short_name(name_of(c, timeline_key(c->s->v->t, box->frame), buf))) <= wide - 2);
}

/* The functions with the most such columns get letters; of equal ones those that come first in the list of functions. */
static void give_letters(struct charting *c)
{
    const struct timeline_totals *totals = c->s->v->totals;
    for (size_t i = 0; i < c->chart.boxes.len; i++) {
        const struct timeline_box *box = &c->chart.boxes.at[i];
        if (!is_named(c, box)) c->need[timeline_key(c->s->v->t, box->frame)] += box->end - box->column;
    }
    for (; c->letter_count < LETTERS; c->letter_count++) {
        uint32_t best = 0;
        for (size_t i = 0; i < totals->rows.len; i++) {
            uint32_t key = totals->rows.at[i].key;
            if (!c->letter[key] && c->need[key] > c->need[best]) best = key;
        }
        if (!best) break;
        c->letter[best] = (char)('A' + (int)c->letter_count);
        c->lettered[c->letter_count] = best;
    }
}

static void put_legend(struct charting *c)
{
    struct output *o = c->s->r->out;
    unsigned width = timeline_text_width(c->s), at = 0;
    for (unsigned i = 0; i < c->letter_count; i++) {
        char buf[48];
        assay_slice name = report_short_name(name_of(c, c->lettered[i], buf));
        unsigned used = text_width(name) > LEGEND_NAME ? LEGEND_NAME : text_width(name);
        if (at && at + used + 4 > width) at = 0;
        if (!at)
            output_text(o, i ? "\n  " : "  ");
        else
            output_text(o, "  ");
        output_printf(o, "%c ", c->letter[c->lettered[i]]);
        text_show(o, (assay_slice){ name.data, text_width(name) > LEGEND_NAME ? text_fit(name, LEGEND_NAME - 1) : name.len });
        if (text_width(name) > LEGEND_NAME) output_text(o, "\xe2\x80\xa6");
        at += used + 4;
    }
    if (c->letter_count == LETTERS) output_text(o, "  # others");
    if (c->letter_count) output_char(o, '\n');
}

/* ---- boxes ---- */

/* As much of a name as fits into `room` columns: all of it, or without its namespace, or its beginning. Returns how many it took. */
static unsigned put_name(struct charting *c, uint32_t frame, unsigned room)
{
    struct output *o = c->s->r->out;
    char buf[48];
    assay_slice name = timeline_name(c->s->v->t, timeline_key(c->s->v->t, frame), buf);
    if (text_width(name) > room) name = report_short_name(name);
    if (text_width(name) <= room) {
        text_show(o, name);
        return text_width(name);
    }
    name.len = text_fit(name, room - 1);
    text_show(o, name);
    output_text(o, "\xe2\x80\xa6");
    return text_width(name) + 1;
}

static void put_plain(struct charting *c, const struct timeline_box *box, unsigned wide)
{
    struct output *o = c->s->r->out;
    char letter = c->letter[timeline_key(c->s->v->t, box->frame)];
    unsigned used = 0;
    if (!letter) letter = '#';
    for (; wide && wide < 3; wide--) output_char(o, letter);
    if (!wide) return;
    output_char(o, '[');
    if (is_named(c, box))
        used = put_name(c, box->frame, wide - 2);
    else
        for (; used < wide - 2; used++) output_char(o, letter);
    report_blanks(o, wide - 2 - used);
    output_char(o, ']');
}

/* A thin line tells a box from its neighbour of the same colour. Narrow ones that were busy only now and then are as high as that. */
static void put_coloured(struct charting *c, const struct timeline_box *box, unsigned wide)
{
    static const char *const blocks[] = { " ", "\xe2\x96\x82", "\xe2\x96\x84", "\xe2\x96\x86", "\xe2\x96\x88" };
    struct output *o = c->s->r->out;
    unsigned quarters = timeline_box_quarters(box), ink = timeline_ink(c->s, box->frame), used = 0;
    if (wide < 3 || quarters < TIMELINE_QUARTERS / 2) {
        output_printf(o, "\033[38;5;%um", ink);
        while (wide--) output_text(o, blocks[quarters]);
    } else {
        output_printf(o, "\033[48;5;%u;38;5;16m\xe2\x96\x8f", ink);
        if (wide > NAME_LEAST) used = put_name(c, box->frame, wide - 1);
        report_blanks(o, wide - 1 - used);
    }
    output_text(o, "\033[0m");
}

static void put_row(struct charting *c, uint32_t row, uint32_t depth)
{
    const struct timeline_chart *chart = &c->chart;
    uint32_t at = 0;
    char number[16];
    int len = snprintf(number, sizeof number, "%u", depth);
    report_blanks(c->s->r->out, c->gutter - 1 - (unsigned)len);
    output_text(c->s->r->out, number);
    for (size_t i = chart->rows.at[row].first; i < chart->rows.at[row + 1].first; i++) {
        const struct timeline_box *box = &chart->boxes.at[i];
        if (box->column == box->end) continue;
        report_blanks(c->s->r->out, box->column - at + (at == 0));
        (c->s->r->color ? put_coloured : put_plain)(c, box, box->end - box->column);
        at = box->end;
    }
    output_char(c->s->r->out, '\n');
}

/* ---- all of them ---- */

static void put_band(struct charting *c, const struct timeline_band *band)
{
    struct report *r = c->s->r;
    const struct timeline *t = c->s->v->t;
    if (t->lines.len > 1) {
        report_ink(r, REPORT_BOLD);
        text_show(r->out, slice_of(t->lines.at[band->line].label));
        report_plain(r);
        output_char(r->out, '\n');
    }
    for (uint32_t i = 0; i < band->rows; i++) put_row(c, band->row + i, i + 1);
    if (band->left_out) output_printf(r->out, "and %u deeper level%s\n", band->left_out, band->left_out == 1 ? "" : "s");
}

static unsigned gutter_of(const struct timeline *t)
{
    uint32_t deepest = t->deepest < DEPTH_MOST ? t->deepest : DEPTH_MOST;
    return deepest < 10 ? 2 : 3;
}

static void charting_done(struct charting *c) { timeline_chart_done(&c->chart); }

bool timeline_put_chart(struct timeline_text *s)
{
    size_t shown = timeline_streams_shown(s->v), more = s->v->t->lines.len - shown, keys = timeline_key_count(s->v->t);
    SCRATCH(uint32_t, need, s->r->mem, keys);
    SCRATCH(char, letter, s->r->mem, keys);
    SCOPED(charting_done) struct charting c = { .s = s, .gutter = gutter_of(s->v->t), .need = need, .letter = letter };
    unsigned width = timeline_text_width(s), columns = width > c.gutter + COLUMNS_LEAST ? width - c.gutter : COLUMNS_LEAST;
    if (!need || !letter || timeline_chart_draw(s->v->t, columns, shown, DEPTH_MOST, &c.chart, NULL) != 0) return false;
    if (!s->r->color) give_letters(&c);
    output_char(s->r->out, '\n');
    for (size_t i = 0; i < c.chart.bands.len; i++) put_band(&c, &c.chart.bands.at[i]);
    timeline_text_axis(s, c.gutter, c.chart.columns);
    put_legend(&c);
    if (more) output_printf(s->r->out, "and %zu more stream%s (--streams N draws more, --stream selects, --by-stream shows all)\n", more, more == 1 ? "" : "s");
    output_char(s->r->out, '\n');
    return true;
}
