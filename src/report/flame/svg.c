/* The SVG: boxes, parents first, with all that the script needs to zoom and search in their places and titles. It stands without the script. */
#include <math.h>
#include <stdio.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/flame/flame.h"
#include "report/function.h"
#include "report/svg_text.h"

enum { ROW = 17, HEAD = 56, LEGEND = 22, FOOT = 26, EDGE = 10, COLOURS = 12, STEPS = 4 };
#define LETTER 7.22 /* width of a letter of the font, about */

struct drawing {
    struct output *o;
    const struct flame *f;
    double whole;   /* cost of everything */
    double usable;  /* pixels */
    uint32_t depth; /* of the deepest box */
    unsigned head;  /* pixels above the boxes */
};

/* ---- text ---- */

/* What fits into so many pixels, as the script does after a zoom; nothing where not even three letters do. */
static unsigned columns_of(double pixels)
{
    double letters = (pixels - 6) / LETTER;
    return letters < 3 ? 0 : letters > 4000 ? 4000 : (unsigned)letters;
}

static void put_label(struct output *o, assay_slice name, unsigned columns)
{
    if (text_width(name) > columns) name = report_short_name(name);
    if (text_width(name) <= columns) {
        svg_text(o, name);
        return;
    }
    svg_text(o, (assay_slice){ name.data, text_fit(name, columns - 1) });
    output_text(o, "\xe2\x80\xa6");
}

/* A ten-thousandth of a pixel: enough to zoom into what is too thin to be seen. */
static void put_pixels(struct output *o, double v)
{
    enum { PARTS = 10000 };
    uint64_t n = v > 0 ? (uint64_t)(v * PARTS + 0.5) : 0;
    output_u64(o, n / PARTS);
    unsigned part = (unsigned)(n % PARTS);
    if (!part) return;
    char digits[5] = { (char)('0' + part / 1000), (char)('0' + part / 100 % 10), (char)('0' + part / 10 % 10), (char)('0' + part % 10), '\0' };
    for (size_t len = 4; len && digits[len - 1] == '0'; len--) digits[len - 1] = '\0';
    output_char(o, '.');
    output_text(o, digits);
}

/* ---- what is said of a box ---- */

static void put_figures(struct drawing *d, uint32_t row)
{
    char value[48], percent[48];
    const struct paths *p = d->f->paths;
    value_text(value, d->f->exact, p->type, sums_value(&p->total, row), d->f->unit);
    number_percent(percent, paths_total(p, row), d->whole);
    output_text(d->o, value);
    output_char(d->o, ' ');
    svg_text(d->o, slice_of(d->f->metric));
    output_text(d->o, ", ");
    svg_text(d->o, slice_of(percent));
    output_text(d->o, " of total");
    if (row && paths_self(p, row) > 0) {
        number_percent(percent, paths_self(p, row), d->whole);
        output_text(d->o, ", self ");
        svg_text(d->o, slice_of(percent));
    }
    uint64_t calls = row ? p->rows.at[row].calls : 0;
    if (calls) {
        output_text(d->o, ", ");
        output_u64(d->o, calls);
        output_text(d->o, calls == 1 ? " call" : " calls");
    }
}

/* "total 10 ms to 15 ms (+5 ms, +50.0%)" */
static void put_change(struct drawing *d, const char *what, double before, double after, bool may_be_new)
{
    char was[48], is[48], change[48], growth[48];
    value_text(was, d->f->exact, ASSAY_F64, (assay_value){ .d = before }, d->f->unit);
    value_text(is, d->f->exact, ASSAY_F64, (assay_value){ .d = after }, d->f->unit);
    flame_growth(growth, before, after);
    if (!may_be_new && !(before > 0 && after > 0)) *growth = '\0';
    output_printf(d->o, "%s %s to %s (%s%s%s)", what, was, is, flame_change(change, d->f, after - before), *growth ? ", " : "", growth);
}

static void put_both_figures(struct drawing *d, uint32_t row)
{
    const struct paths_diff *diff = d->f->diff;
    char before[48], after[48];
    put_change(d, "total", paths_diff_total(diff, PATHS_BEFORE, row), paths_diff_total(diff, PATHS_AFTER, row), true);
    if (!row) return;
    output_text(d->o, ", ");
    put_change(d, "self", paths_diff_self(diff, PATHS_BEFORE, row), paths_diff_self(diff, PATHS_AFTER, row), false);
    number_percent(before, paths_diff_total(diff, PATHS_BEFORE, row), paths_diff_total(diff, PATHS_BEFORE, 0));
    number_percent(after, paths_diff_total(diff, PATHS_AFTER, row), paths_diff_total(diff, PATHS_AFTER, 0));
    output_text(d->o, ", ");
    svg_text(d->o, slice_of(before));
    output_text(d->o, " to ");
    svg_text(d->o, slice_of(after));
    output_text(d->o, " of total");
}

/* ---- boxes ---- */

/* From -STEPS (takes less) to STEPS (takes more): the change of self cost, beside the largest one. */
static int step_of(const struct paths_diff *diff, uint32_t row)
{
    static const double from[STEPS] = { 0.005, 0.05, 0.2, 0.5 };
    double change = row ? paths_diff_self_change(diff, row) : 0, part = diff->largest > 0 ? fabs(change) / diff->largest : 0;
    int step = 0;
    while (step < STEPS && part >= from[step]) step++;
    return change < 0 ? -step : step;
}

static void put_class(struct drawing *d, uint32_t row, assay_slice name)
{
    if (d->f->diff) {
        int step = step_of(d->f->diff, row);
        output_printf(d->o, "%c%d%s", step < 0 ? 'l' : 'm', step < 0 ? -step : step,
                      paths_diff_is_new(d->f->diff, row)    ? " new"
                      : paths_diff_is_gone(d->f->diff, row) ? " lost"
                                                            : "");
        return;
    }
    output_char(d->o, 'c');
    output_u64(d->o, row ? XXH64(name.data, name.len, 0) % COLOURS : COLOURS);
}

/* Behind it the label has room for the name. */
static void put_mark(struct drawing *d, uint32_t row)
{
    char text[48];
    if (!d->f->diff || !step_of(d->f->diff, row)) return;
    output_printf(d->o, " data-mark=\"%s \"", flame_change(text, d->f, paths_diff_self_change(d->f->diff, row)));
}

static void put_box_text(struct drawing *d, uint32_t row, assay_slice name, double x, unsigned y, unsigned columns)
{
    char mark[48] = "";
    output_text(d->o, "<text x=\"");
    put_pixels(d->o, x + 3);
    output_text(d->o, "\" y=\"");
    output_u64(d->o, y + ROW - 5);
    output_text(d->o, "\">");
    if (d->f->diff && step_of(d->f->diff, row)) flame_change(mark, d->f, paths_diff_self_change(d->f->diff, row));
    size_t used = *mark ? strlen(mark) + 1 : 0;
    if (used && used + 3 <= columns) {
        output_printf(d->o, "%s ", mark);
        columns -= (unsigned)used;
    }
    put_label(d->o, name, columns);
    output_text(d->o, "</text>");
}

static void put_box(void *arg, uint32_t row, double from, double share)
{
    struct drawing *d = arg;
    struct output *o = d->o;
    assay_slice name = flame_name(d->f, row);
    uint32_t depth = d->f->paths->rows.at[row].depth;
    unsigned y = d->head + ROW * (d->f->is_icicle ? depth : d->depth - depth), columns = columns_of(share * d->usable);
    double x = EDGE + from * d->usable;
    output_text(o, "<g class=\"");
    put_class(d, row, name);
    output_char(o, '"');
    put_mark(d, row);
    output_text(o, "><title>");
    svg_text(o, name);
    output_char(o, '\n');
    if (d->f->diff)
        put_both_figures(d, row);
    else
        put_figures(d, row);
    output_text(o, "</title><rect x=\"");
    put_pixels(o, x);
    output_text(o, "\" y=\"");
    output_u64(o, y);
    output_text(o, "\" width=\"");
    put_pixels(o, share * d->usable);
    output_text(o, "\" height=\"16\"/>");
    if (columns) put_box_text(d, row, name, x, y, columns);
    output_text(o, "</g>\n");
}

static void note_depth(void *arg, uint32_t row, double from, double share)
{
    struct drawing *d = arg;
    (void)from;
    (void)share;
    uint32_t depth = d->f->paths->rows.at[row].depth;
    if (depth > d->depth) d->depth = depth;
}

/* ---- the picture ---- */

/* What the figures are, the total, and what must be known of it. */
static void put_subject(struct drawing *d)
{
    const struct flame *f = d->f;
    char value[48];
    svg_text(d->o, slice_of(f->metric));
    output_text(d->o, ", ");
    if (f->diff)
        put_change(d, "total", paths_diff_total(f->diff, PATHS_BEFORE, 0), paths_diff_total(f->diff, PATHS_AFTER, 0), false);
    else
        output_printf(d->o, "%s total", value_text(value, f->exact, f->paths->type, sums_value(&f->paths->total, 0), f->unit));
    if (*f->note) {
        output_text(d->o, "; ");
        svg_text(d->o, slice_of(f->note));
    }
}

static void put_legend(struct drawing *d)
{
    const struct paths_diff *diff = d->f->diff;
    enum { SWATCH = 22 };
    char least[48], most[48], percent[48];
    unsigned at = EDGE + 150;
    flame_change(least, d->f, -diff->largest);
    flame_change(most, d->f, diff->largest);
    output_printf(d->o,
                  "<g id=\"legend\" aria-label=\"colours: lower self cost is blue, higher self cost is orange\">\n<text class=\"said\" x=\"%u\" y=\"66\" "
                  "text-anchor=\"end\">costs less, %s</text>\n",
                  at - 6, least);
    for (int step = -STEPS; step <= STEPS; step++, at += SWATCH)
        output_printf(d->o, "<g class=\"%c%d\"><rect x=\"%u\" y=\"55\" width=\"%d\" height=\"14\"/></g>\n", step < 0 ? 'l' : 'm', step < 0 ? -step : step, at,
                      SWATCH);
    output_printf(d->o, "<text class=\"said\" x=\"%u\" y=\"66\">%s, costs more (self)", at + 6, most);
    if (diff->new_count) output_printf(d->o, "; %u new%s", diff->new_count, diff->options.by == PATHS_AFTER ? " (dashed)" : "");
    if (diff->gone_count) {
        number_percent(percent, diff->gone_self, paths_diff_total(diff, PATHS_BEFORE, 0));
        output_printf(d->o, "; %u gone, ", diff->gone_count);
        svg_text(d->o, slice_of(percent));
        output_printf(d->o, " of before%s", diff->options.by == PATHS_AFTER ? ": see --before" : " (dashed)");
    }
    output_text(d->o, "</text>\n</g>\n");
}

static void put_head(struct drawing *d, unsigned height)
{
    const struct flame *f = d->f;
    struct output *o = d->o;
    output_printf(o,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\" "
                  "data-edge=\"%u\" data-row=\"%u\" data-head=\"%u\" data-letter=\"%g\" data-icicle=\"%d\" data-depth=\"%u\" data-fluid=\"%d\" role=\"img\" "
                  "aria-labelledby=\"name subject\" tabindex=\"0\">\n<title id=\"name\">",
                  f->width, height, f->width, height, EDGE, ROW, d->head, LETTER, f->is_icicle, d->depth, f->is_fluid);
    svg_text(o, f->title);
    output_text(o, "</title>\n<style><![CDATA[\n");
    output_bytes(o, flame_style, flame_style_len);
    output_text(o, "]]></style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
}

/* It stays in sight when the picture is scrolled, so it has a ground of its own and comes after the boxes. */
static void put_bar(struct drawing *d)
{
    struct output *o = d->o;
    output_printf(o, "<g id=\"bar\">\n<rect class=\"ground\" width=\"100%%\" height=\"%u\"/>\n<text class=\"head\" x=\"%u\" y=\"24\" data-text=\"", d->head - 4,
                  EDGE);
    svg_text(o, d->f->title);
    output_text(o, "\">");
    put_label(o, d->f->title, columns_of((double)d->f->width - 250));
    output_printf(o, "</text>\n<text class=\"said\" id=\"subject\" x=\"%u\" y=\"44\">", EDGE);
    put_subject(d);
    output_text(
        o, "</text>\n<text class=\"button\" id=\"reset\" x=\"100%\" dx=\"-120\" y=\"24\" text-anchor=\"end\" role=\"button\" tabindex=\"0\">show all</text>\n"
           "<text class=\"button\" id=\"search\" x=\"100%\" dx=\"-10\" y=\"24\" text-anchor=\"end\" role=\"button\" tabindex=\"0\">search ( / )</text>\n"
           "<text class=\"said\" id=\"found\" x=\"100%\" dx=\"-10\" y=\"44\" text-anchor=\"end\" aria-live=\"polite\"></text>\n");
    if (d->f->diff) put_legend(d);
    output_text(o, "</g>\n");
}

void flame_svg(struct output *o, const struct flame *f)
{
    struct drawing d = { .o = o, .f = f, .whole = flame_total(f, 0), .usable = (double)f->width - 2 * EDGE, .head = f->diff ? HEAD + LEGEND : HEAD };
    flame_walk(f, false, note_depth, &d);
    unsigned height = d.head + ROW * (d.depth + 1) + FOOT;
    put_head(&d, height);
    output_text(o, "<g id=\"boxes\">\n");
    if (d.whole > 0) flame_walk(f, false, put_box, &d);
    output_text(o, "</g>\n");
    put_bar(&d);
    output_printf(o,
                  "<g id=\"foot\" transform=\"translate(0,%u)\"><rect class=\"ground\" width=\"100%%\" height=\"%u\"/>"
                  "<text class=\"said\" id=\"said\" x=\"%u\" y=\"17\" aria-live=\"polite\"></text></g>\n<script><![CDATA[\n",
                  height - FOOT + 2, FOOT - 2, EDGE);
    output_bytes(o, flame_script, flame_script_len);
    output_text(o, "]]></script>\n</svg>\n");
}
