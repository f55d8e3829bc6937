/* The SVG. Boxes carry their place as shares of the whole, so that the script can zoom without knowing anything else. */
#include <stdio.h>
#include <xxhash.h>

#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/flame/flame.h"

enum { ROW = 17, FONT = 12, HEAD = 56, FOOT = 26, EDGE = 10, COLOURS = 12 };
#define LETTER 7.22 /* width of a letter of the font, about */

/* ---- text ---- */

static void put_text(struct output *o, assay_slice s)
{
    while (s.len) {
        uint32_t code = 0;
        unsigned len = text_utf8(s, &code);
        if (*s.data == '&')
            output_text(o, "&amp;");
        else if (*s.data == '<')
            output_text(o, "&lt;");
        else if (*s.data == '>')
            output_text(o, "&gt;");
        else if (*s.data == '"')
            output_text(o, "&quot;");
        else if (len && code >= 0x20 && code != 0x7f && code != 0xfffe && code != 0xffff && !(code >= 0x80 && code < 0xa0))
            output_bytes(o, s.data, len);
        else
            output_text(o, "\xef\xbf\xbd");
        len = len ? len : 1;
        s = (assay_slice){ s.data + len, s.len - len };
    }
}

/* What fits into a box, as the script does after a zoom. */
static void put_label(struct output *o, assay_slice name, double pixels)
{
    double letters = (pixels - 6) / LETTER;
    unsigned columns = letters < 3 ? 0 : letters > 4000 ? 4000 : (unsigned)letters;
    if (!columns) return;
    if (text_width(name) <= columns) {
        put_text(o, name);
        return;
    }
    put_text(o, (assay_slice){ name.data, text_fit(name, columns - 1) });
    output_text(o, "\xe2\x80\xa6");
}

/* ---- boxes ---- */

struct drawing {
    struct output *o;
    const struct flame *f;
    double whole;   /* cost of everything */
    double usable;  /* pixels */
    uint32_t depth; /* of the deepest box */
};

static void put_figures(struct drawing *d, uint32_t row)
{
    char value[48], percent[48];
    const struct paths *p = d->f->paths;
    report_value(value, false, p->type, sums_value(&p->total, row), d->f->unit);
    number_percent(percent, paths_total(p, row), d->whole);
    output_printf(d->o, " (%s%s%s, %s", value, *d->f->metric ? " " : "", d->f->metric, percent);
    if (row && paths_self(p, row) > 0) {
        number_percent(percent, paths_self(p, row), d->whole);
        output_printf(d->o, ", self %s", percent);
    }
    if (row && p->rows.at[row].calls) output_printf(d->o, ", %llu calls", (unsigned long long)p->rows.at[row].calls);
    output_char(d->o, ')');
}

static void put_box(struct drawing *d, uint32_t row, double from, double share)
{
    const struct paths *p = d->f->paths;
    assay_slice name = row ? paths_name(p, row) : SLICE("all");
    uint32_t depth = p->rows.at[row].depth;
    unsigned y = HEAD + ROW * (d->f->is_icicle ? depth : d->depth - depth);
    unsigned colour = row ? (unsigned)(XXH64(name.data, name.len, 0) % COLOURS) : COLOURS;
    double pixels = share * d->usable;
    output_printf(d->o, "<g class=\"c%u\" data-x=\"%.7g\" data-w=\"%.7g\" data-d=\"%u\"><title>", colour, from, share, depth);
    put_text(d->o, name);
    put_figures(d, row);
    output_printf(d->o, "</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\"/><text x=\"%.2f\" y=\"%u\">", EDGE + from * d->usable, y, pixels,
                  ROW - 1, EDGE + from * d->usable + 3, y + ROW - 5);
    put_label(d->o, name, pixels);
    output_text(d->o, "</text></g>\n");
}

/* Calls fn for each row that is wide enough, parents first, with its place. `ends` has room for every depth: where the next child begins. */
static void each_box(struct drawing *d, double *ends, void (*fn)(struct drawing *d, uint32_t row, double from, double share))
{
    const struct paths *p = d->f->paths;
    uint32_t row = 0, deepest = d->f->depth ? d->f->depth : UINT32_MAX;
    ends[0] = 0;
    for (;;) {
        uint32_t depth = p->rows.at[row].depth;
        double share = row ? paths_total(p, row) / d->whole : 1, from = ends[depth];
        bool is_shown = share > 0 && share >= d->f->least && depth <= deepest && from < 1;
        if (is_shown) {
            if (share > 1 - from) share = 1 - from;
            fn(d, row, from, share);
            ends[depth] = from + share;
        }
        if (is_shown && p->rows.at[row].first) {
            ends[depth + 1] = from;
            row = p->rows.at[row].first;
            continue;
        }
        while (row && !p->rows.at[row].next) row = p->rows.at[row].parent;
        if (!row) return;
        row = p->rows.at[row].next;
    }
}

static void note_depth(struct drawing *d, uint32_t row, double from, double share)
{
    (void)from;
    (void)share;
    uint32_t depth = d->f->paths->rows.at[row].depth;
    if (depth > d->depth) d->depth = depth;
}

/* ---- the picture ---- */

static void put_head(struct drawing *d, unsigned height)
{
    output_printf(
        d->o,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\" "
        "data-edge=\"%u\" data-row=\"%u\" data-head=\"%u\" data-letter=\"%g\" data-icicle=\"%d\" data-depth=\"%u\" role=\"img\" tabindex=\"0\">\n<title>",
        d->f->width, height, d->f->width, height, EDGE, ROW, HEAD, LETTER, d->f->is_icicle, d->depth);
    put_text(d->o, d->f->title);
    output_text(d->o, "</title>\n<style><![CDATA[\n");
    output_bytes(d->o, flame_style, flame_style_len);
    output_text(d->o, "]]></style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
    output_printf(d->o, "<text class=\"head\" x=\"%u\" y=\"24\">", EDGE);
    put_label(d->o, d->f->title, (double)d->f->width - 340);
    output_printf(d->o, "</text>\n<text class=\"button\" id=\"reset\" x=\"%u\" y=\"44\" tabindex=\"0\">show all</text>\n", EDGE);
    output_printf(d->o, "<text class=\"button\" id=\"search\" x=\"%u\" y=\"24\" text-anchor=\"end\" tabindex=\"0\">search ( / )</text>\n", d->f->width - EDGE);
    output_printf(d->o, "<text class=\"said\" id=\"found\" x=\"%u\" y=\"44\" text-anchor=\"end\"></text>\n", d->f->width - EDGE);
}

void flame_svg(struct output *o, const struct flame *f)
{
    struct drawing d = { .o = o, .f = f, .whole = paths_total(f->paths, 0), .usable = (double)f->width - 2 * EDGE };
    size_t room = (size_t)f->paths->depth + 2;
    double *ends = mem_zalloc(f->paths->mem, room, sizeof *ends);
    if (!ends) return;
    if (d.whole > 0) each_box(&d, ends, note_depth);
    unsigned height = HEAD + ROW * (d.depth + 1) + FOOT;
    put_head(&d, height);
    output_text(o, "<g id=\"boxes\">\n");
    if (d.whole > 0) each_box(&d, ends, put_box);
    output_printf(o, "</g>\n<text class=\"said\" id=\"said\" x=\"%u\" y=\"%u\"></text>\n<script><![CDATA[\n", EDGE, height - 8);
    output_bytes(o, flame_script, flame_script_len);
    output_text(o, "]]></script>\n</svg>\n");
    mem_free(f->paths->mem, ends, room * sizeof *ends);
}
