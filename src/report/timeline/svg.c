/* The picture: title, rows of streams, a time axis, and the functions with their shares. It stands without its script, which zooms, searches, changes the
 * depth and describes what is pointed at. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/svg_text.h"
#include "report/timeline/timeline.h"

enum { CHART_PITCH = 18, CAPTION = 20 };
enum { WIDTH_DEFAULT = 1200, WIDTH_LEAST = 600, EDGE = 12, HEAD = 64, AXIS = 26, FOOT = 30, LABEL_MOST = 220, HEIGHT_LEAST = 320 };
enum {
    ROWS_MOST = 300,
    COLUMNS_LEAST = 600,
    COLUMNS_MOST = 4000,
    CELLS = 160000,
    LAYERS_MOST = 24,
    LAYER_CELLS = 3000000,
    RUNS_MOST = 250000,
    LAYER_EVENTS = 30000000
};
#define LETTER 7.4 /* of labels, most of which are capitals */

/* ---- which depths ---- */

/* The depth that was asked for is seen first; others around it. Returns how many there are. */
static uint32_t choose_depths(struct timeline_drawing *d, uint32_t depth, uint32_t cells, uint32_t *depths)
{
    uint32_t deepest = d->t->deepest ? d->t->deepest : 1, most = LAYER_CELLS / cells;
    uint64_t affordable = LAYER_EVENTS / (d->t->events_inside + 1);
    if (affordable < most) most = affordable > 3 ? (uint32_t)affordable : 3;
    if (most > LAYERS_MOST) most = LAYERS_MOST;
    if (most < 1) most = 1;
    if (depth > deepest) depth = deepest;
    uint32_t first = depth > most / 3 ? depth - most / 3 : 1;
    if (first + most > deepest + 1) first = deepest + 1 > most ? deepest + 1 - most : 1;
    uint32_t count = deepest - first + 1 < most ? deepest - first + 1 : most;
    for (uint32_t i = 0; i < count; i++) depths[i] = first + i;
    d->seen = depth - first;
    return count;
}

/* Those next to the one that is seen first, as long as there is room. */
static void keep_layers(struct timeline_drawing *d)
{
    uint32_t count = d->picture.layer_count;
    size_t runs = 0;
    for (uint32_t away = 0; away < count; away++)
        for (int side = -1; side <= 1; side += 2) {
            int64_t k = (int64_t)d->seen + side * (int64_t)away;
            if (k < 0 || k >= count || d->is_kept[k] || (away && runs + d->picture.layers[k].runs.len > RUNS_MOST)) continue;
            d->is_kept[k] = true;
            runs += d->picture.layers[k].runs.len;
        }
}

/* ---- numbers of functions and contexts ---- */

static void number_frames(struct timeline_drawing *d)
{
    const struct frames *f = &d->t->frames;
    uint32_t functions = 0, contexts = 0;
    for (uint32_t k = 0; k < d->picture.layer_count; k++) {
        const struct timeline_layer *layer = &d->picture.layers[k];
        for (size_t i = 0; d->is_kept[k] && i < layer->runs.len; i++) d->context[layer->runs.at[i].frame] = 1;
        for (size_t i = 0; d->is_kept[k] && i < d->shares[k].rows.len; i++) d->function[d->shares[k].rows.at[i].key] = 1;
    }
    d->context[0] = 0;
    for (uint32_t node = (uint32_t)f->len - 1; node > 0; node--)
        if (d->context[node]) d->context[f->owner[frames_parent(f, node)]] = 1;
    for (uint32_t node = d->context[0] = 0; node < f->len; node++) {
        if (!d->context[node]) continue;
        d->context[node] = ++contexts;
        d->function[timeline_key(d->t, node)] = 1;
    }
    size_t keys = timeline_key_count(d->t);
    for (size_t key = 0; key < keys; key++)
        if (d->function[key]) d->function[key] = ++functions;
}

/* By the layer that is seen first, then by the others; so what is large there has a colour of its own. */
static bool choose_colours(struct timeline_drawing *d)
{
    size_t keys = timeline_key_count(d->t), count = 0;
    SCRATCH(uint32_t, list, d->mem, keys);
    SCRATCH(uint8_t, colours, d->mem, keys);
    SCRATCH(uint8_t, is_there, d->mem, keys);
    bool done = list && colours && is_there;
    const struct timeline_shares *seen = &d->shares[d->seen];
    for (size_t i = 0; done && i < seen->rows.len; i++) is_there[list[count++] = seen->rows.at[i].key] = 1;
    for (uint32_t key = 1; done && key < keys; key++)
        if (d->function[key] && !is_there[key]) list[count++] = key;
    if (done) timeline_colours(d->t, list, count, colours);
    for (size_t i = 0; done && i < count; i++) d->colour[list[i]] = colours[i];
    return done;
}

/* ---- head ---- */

static void put_value(struct output *o, const struct timeline *t, uint64_t v)
{
    char buf[48];
    number_human(buf, (double)v, t->unit);
    output_printf(o, "%s%s%.20s", buf, strcmp(t->unit, "ns") == 0 ? "" : " ", strcmp(t->unit, "ns") == 0 ? "" : t->unit);
}

static void put_summary(struct timeline_drawing *d)
{
    const struct timeline *t = d->t;
    if (t->from != t->begin || t->to != t->end) {
        put_value(d->o, t, timeline_since(t, t->from));
        output_text(d->o, " to ");
        put_value(d->o, t, timeline_since(t, t->to));
        output_text(d->o, " of ");
    }
    put_value(d->o, t, timeline_since(t, t->end));
    output_printf(d->o, ", %zu stream%s, %llu %s", t->lines.len, t->lines.len == 1 ? "" : "s", (unsigned long long)t->events,
                  t->is_laid_out ? "calls, laid out in order: start times were not recorded"
                  : t->is_spans  ? "spans"
                                 : "samples");
    size_t more = d->is_chart ? t->lines.len - d->chart.bands.len : 0;
    if (more) output_printf(d->o, "; %zu more stream%s not drawn", more, more == 1 ? " is" : "s are");
    if (d->picture.lines_each > 1) output_printf(d->o, "; a row shows what most of %u streams did", d->picture.lines_each);
}

static void put_style(struct timeline_drawing *d)
{
    output_text(d->o, "<style><![CDATA[\n");
    output_bytes(d->o, timeline_style, timeline_style_len);
    for (unsigned q = 1; q <= TIMELINE_QUARTERS; q++) output_printf(d->o, ".q%u { stroke-width: %.2f; }\n", q, (double)d->bar * q / TIMELINE_QUARTERS);
    output_text(d->o, "]]></style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
}

static void put_head(struct timeline_drawing *d, unsigned height)
{
    struct output *o = d->o;
    output_printf(o,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\" "
                  "role=\"img\" aria-labelledby=\"name summary\" tabindex=\"0\">\n<title id=\"name\">",
                  d->width, height, d->width, height);
    svg_text(o, d->title);
    output_text(o, "</title>\n<desc id=\"summary\">");
    put_summary(d);
    output_text(o, "</desc>\n");
    put_style(d);
    output_printf(o, "<text class=\"head\" x=\"%u\" y=\"24\">", EDGE);
    svg_label(o, d->title, d->width - 420.0, 8);
    output_printf(o, "</text>\n<text class=\"said\" x=\"%u\" y=\"45\">", EDGE);
    put_summary(d);
    output_printf(o, "</text>\n<g id=\"controls\"><text class=\"said\" id=\"depth\" x=\"%u\" y=\"24\" text-anchor=\"end\">", d->width - 190);
    if (d->t->deepest && !d->is_chart) output_printf(o, "depth %u of %u", d->picture.layers[d->seen].depth, d->t->deepest);
    output_printf(o, "</text><text class=\"said\" id=\"found\" x=\"%u\" y=\"45\" text-anchor=\"end\"></text></g>\n", d->width - EDGE);
}

/* ---- rows ---- */

static void put_labels(struct timeline_drawing *d)
{
    unsigned every = d->pitch >= 12 ? 1 : (12 + d->pitch - 1) / d->pitch;
    output_text(d->o, "<g id=\"labels\">\n");
    for (uint32_t row = 0; row < d->picture.rows; row += every) {
        const char *label = d->t->lines.at[(size_t)row * d->picture.lines_each].label;
        double y = HEAD + (double)row * d->pitch + (d->pitch >= 12 ? d->bar / 2.0 + 4 : 8);
        output_printf(d->o, "<text x=\"%u\" y=\"%.1f\" text-anchor=\"end\"><title>", d->left - 6, y);
        svg_text(d->o, slice_of(label));
        output_text(d->o, "</title>");
        svg_label(d->o, slice_of(label), d->left - EDGE - 2.0, LETTER);
        output_text(d->o, "</text>\n");
    }
    output_text(d->o, "</g>\n");
}

static void put_axis(struct timeline_drawing *d, unsigned y)
{
    struct timeline_axis a = timeline_axis_of(d->t, d->plot / 9);
    uint64_t from = timeline_since(d->t, d->t->from), span = timeline_since(d->t, d->t->to) - from;
    output_text(d->o, "<g id=\"axis\">\n");
    for (uint64_t at = a.first; span && at <= from + span; at += a.step) {
        char buf[64];
        double x = d->left + (double)(at - from) / (double)span * d->plot;
        timeline_mark(&a, at, buf);
        output_printf(d->o, "<path class=\"tick\" d=\"M%.1f %uV%u\"/><text x=\"%.1f\" y=\"%u\" text-anchor=\"%s\">", x, HEAD - 4, y + 6, x, y + 20,
                      x > d->width - 40.0 ? "end" : "middle");
        svg_text(d->o, slice_of(buf));
        output_text(d->o, "</text>\n");
        if (at > UINT64_MAX - a.step) break;
    }
    output_text(d->o, "</g>\n");
}

static int put_rows(struct timeline_drawing *d, assay_error *err)
{
    unsigned height = d->pitch * d->picture.rows;
    if (d->is_chart)
        timeline_chart_labels(d, HEAD);
    else
        put_labels(d);
    put_axis(d, HEAD + height);
    output_printf(d->o, "<svg id=\"rows\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" preserveAspectRatio=\"none\">\n", d->left, HEAD,
                  d->plot, height, d->picture.columns, height);
    output_printf(d->o, "<rect class=\"catch\" width=\"%u\" height=\"%u\"/>\n", d->picture.columns, height);
    TRY(timeline_put_layers(d, err));
    if (d->is_chart) timeline_chart_edges(d);
    output_text(d->o, "</svg>\n<g id=\"names\">\n");
    if (d->is_chart) timeline_chart_names(d, HEAD);
    output_text(d->o, "</g>\n");
    return 0;
}

/* Of the depth that needs most: the script changes it in place. */
static unsigned legend_height(const struct timeline_drawing *d)
{
    unsigned most = 0;
    for (uint32_t k = 0; k < d->picture.layer_count; k++) {
        unsigned one = d->is_kept[k] ? timeline_legend_height(d, &d->shares[k]) : 0;
        if (one > most) most = one;
    }
    return most;
}

static int put_all(struct timeline_drawing *d, assay_error *err)
{
    unsigned rows = d->pitch * d->picture.rows, legend = HEAD + rows + AXIS + 14 + (d->is_chart ? CAPTION : 0), height = legend + legend_height(d) + FOOT;
    if (height < HEIGHT_LEAST) height = HEIGHT_LEAST; /* what is said of a stack needs room */
    put_head(d, height);
    TRY(put_rows(d, err));
    if (d->is_chart) output_printf(d->o, "<text class=\"said\" x=\"%u\" y=\"%u\">Functions by self time</text>\n", EDGE, legend - 12);
    timeline_put_legend(d, legend);
    output_printf(d->o, "<text class=\"said\" id=\"said\" x=\"%u\" y=\"%u\" aria-live=\"polite\"></text>\n<g id=\"tip\"></g>\n", EDGE, height - 10);
    TRY(timeline_put_data(d, err));
    output_text(d->o, "<script><![CDATA[\n");
    output_bytes(d->o, timeline_script, timeline_script_len);
    output_text(d->o, "]]></script>\n</svg>\n");
    return 0;
}

/* ---- sizes ---- */

static void choose_sizes(struct timeline_drawing *d)
{
    static const struct {
        size_t rows;
        unsigned pitch;
    } pitches[] = { { 4, 40 }, { 12, 30 }, { 24, 22 }, { 48, 16 }, { 100, 9 }, { 200, 5 } };
    unsigned letters = 0, i = 0;
    size_t rows = d->t->lines.len < ROWS_MOST ? d->t->lines.len : ROWS_MOST;
    d->pitch = 3;
    while (i < sizeof pitches / sizeof *pitches && rows > pitches[i].rows) i++;
    if (i < sizeof pitches / sizeof *pitches) d->pitch = pitches[i].pitch;
    d->bar = d->pitch >= 9 ? d->pitch - 2 : d->pitch;
    for (size_t k = 0; k < d->t->lines.len; k++) {
        unsigned one = text_width(slice_of(d->t->lines.at[k].label));
        if (one > letters) letters = one;
    }
    d->left = EDGE + (unsigned)(letters * LETTER) + 12;
    if (d->is_chart) d->pitch = CHART_PITCH;
    if (d->is_chart) d->bar = CHART_PITCH - 1;
    if (d->is_chart && d->t->lines.len == 1) d->left = EDGE;
    if (d->left > LABEL_MOST) d->left = LABEL_MOST;
    d->plot = d->width - d->left - EDGE;
}

static int draw_depths(struct timeline_drawing *d, uint32_t depth, assay_error *err)
{
    uint32_t depths[LAYERS_MOST], rows = d->t->lines.len < ROWS_MOST ? (uint32_t)d->t->lines.len : ROWS_MOST, columns = CELLS / rows;
    if (columns > COLUMNS_MOST) columns = COLUMNS_MOST;
    if (columns < COLUMNS_LEAST) columns = COLUMNS_LEAST;
    uint32_t count = choose_depths(d, depth, rows * columns, depths);
    TRY(timeline_draw(d->t, columns, ROWS_MOST, depths, count, &d->picture, err));
    d->shares = mem_zalloc(d->mem, count, sizeof *d->shares);
    d->is_kept = mem_zalloc(d->mem, count, sizeof *d->is_kept);
    if (!d->shares || !d->is_kept) return error_memory(err);
    keep_layers(d);
    for (uint32_t k = 0; k < count; k++)
        if (d->is_kept[k]) TRY(timeline_shares_at(d->t, depths[k], &d->shares[k], err));
    return 0;
}

static int draw(struct timeline_drawing *d, const struct report_timeline *v, assay_error *err)
{
    TRY(d->is_chart ? timeline_draw_chart(d, v, err) : draw_depths(d, v->shares->depth, err));
    number_frames(d);
    return choose_colours(d) ? put_all(d, err) : error_memory(err);
}

static void drawing_done(struct timeline_drawing *d)
{
    for (uint32_t k = 0; d->shares && k < d->picture.layer_count; k++) timeline_shares_done(&d->shares[k]);
    mem_free(d->mem, d->shares, d->picture.layer_count * sizeof *d->shares);
    mem_free(d->mem, d->is_kept, d->picture.layer_count * sizeof *d->is_kept);
    timeline_picture_done(&d->picture);
    timeline_chart_done(&d->chart);
    vec_done(d->mem, &d->calls);
}

int timeline_svg(struct output *o, struct mem *mem, assay_slice title, const struct report_timeline *v, assay_error *err)
{
    SCRATCH(uint8_t, colour, mem, timeline_key_count(v->t));
    SCRATCH(uint32_t, function, mem, timeline_key_count(v->t));
    SCRATCH(uint32_t, context, mem, v->t->frames.len);
    if (!colour || !function || !context) return error_memory(err);
    SCOPED(drawing_done)
    struct timeline_drawing d = { .o = o, .mem = mem, .t = v->t, .title = title, .is_chart = v->totals, .width = v->width ? v->width : WIDTH_DEFAULT };
    if (d.width < WIDTH_LEAST) d.width = WIDTH_LEAST;
    d.colour = colour;
    d.function = function;
    d.context = context;
    choose_sizes(&d);
    return draw(&d, v, err);
}
