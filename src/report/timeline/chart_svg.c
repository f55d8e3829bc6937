/* The flame chart as a picture: its boxes as the runs of one layer whose rows are the depths of each stream, so that the script and the drawing of runs serve
 * both views. */
#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/svg_text.h"
#include "report/timeline/timeline.h"

enum { DEPTH_MOST = 200, COLUMNS_LEAST = 600, COLUMNS_MOST = 4000, CELLS = 640000, EDGE_LEAST = 8 /* columns of boxes with a line between them */ };
#define LETTER 6.6

/* ---- boxes as runs ---- */

/* Rows of all bands, with an empty one between them. */
static uint32_t count_rows(const struct timeline_chart *c)
{
    uint32_t rows = 0;
    for (size_t i = 0; i < c->bands.len; i++) rows += c->bands.at[i].rows + (i > 0);
    return rows ? rows : 1;
}

/* Where a band begins in the picture. */
static uint32_t first_row(const struct timeline_chart *c, size_t band) { return c->bands.at[band].row + (uint32_t)band; }

static bool add_run(struct timeline_drawing *d, struct timeline_run run, uint64_t calls)
{
    uint64_t *count = vec_push(d->mem, &d->calls);
    struct timeline_run *slot = count ? vec_push(d->mem, &d->picture.layers[0].runs) : NULL;
    if (!slot) return false;
    *count = calls;
    *slot = run;
    return true;
}

static bool add_row(struct timeline_drawing *d, const struct timeline_chart *c, uint32_t row)
{
    uint32_t at = 0;
    for (size_t i = c->rows.at[row].first; i < c->rows.at[row + 1].first; i++) {
        const struct timeline_box *box = &c->boxes.at[i];
        if (box->column == box->end) continue;
        if (box->column > at && !add_run(d, (struct timeline_run){ .column = at, .is_empty = true }, 0)) return false;
        if (!add_run(d, (struct timeline_run){ .column = box->column, .frame = box->frame, .quarters = (uint8_t)timeline_box_quarters(box) }, box->calls))
            return false;
        at = box->end;
    }
    return at == c->columns || add_run(d, (struct timeline_run){ .column = at, .is_empty = true }, 0);
}

static bool add_rows(struct timeline_drawing *d, const struct timeline_chart *c)
{
    struct timeline_layer *layer = &d->picture.layers[0];
    uint32_t row = 0;
    for (size_t b = 0; b < c->bands.len; b++) {
        if (b) layer->first[row++] = layer->runs.len;
        for (uint32_t i = 0; i < c->bands.at[b].rows; i++) {
            layer->first[row++] = layer->runs.len;
            if (!add_row(d, c, c->bands.at[b].row + i)) return false;
        }
    }
    while (row <= d->picture.rows) layer->first[row++] = layer->runs.len;
    return true;
}

/* What the legend says: functions by self time. */
static bool add_shares(struct timeline_drawing *d, const struct timeline_totals *totals)
{
    d->shares = mem_zalloc(d->mem, 1, sizeof *d->shares);
    if (!d->shares) return false;
    *d->shares = (struct timeline_shares){ .mem = d->mem, .recorded = totals->recorded, .idle = totals->idle };
    if (!vec_reserve(d->mem, &d->shares->rows, totals->rows.len)) return false;
    for (size_t i = 0; i < totals->rows.len; i++)
        d->shares->rows.at[d->shares->rows.len++] =
            (struct timeline_share){ .key = totals->rows.at[i].key, .lines = totals->rows.at[i].lines, .time = totals->rows.at[i].self };
    return true;
}

static bool begin_picture(struct timeline_drawing *d, const struct timeline_chart *c)
{
    struct timeline_picture *p = &d->picture;
    *p = (struct timeline_picture){ .mem = d->mem, .columns = c->columns, .rows = count_rows(c), .lines_each = 1 };
    d->is_kept = mem_zalloc(d->mem, 1, sizeof *d->is_kept);
    p->layers = mem_zalloc(d->mem, 1, sizeof *p->layers);
    p->layer_count = p->layers != NULL;
    if (!d->is_kept || !p->layers) return false;
    d->is_kept[0] = true;
    p->layers[0].first = mem_zalloc(d->mem, (size_t)p->rows + 1, sizeof *p->layers[0].first);
    return p->layers[0].first;
}

int timeline_draw_chart(struct timeline_drawing *d, const struct report_timeline *v, assay_error *err)
{
    size_t shown = timeline_streams_shown(v);
    uint64_t rows = shown * (d->t->deepest < DEPTH_MOST ? d->t->deepest + 1 : DEPTH_MOST), columns = CELLS / (rows ? rows : 1);
    if (columns > COLUMNS_MOST) columns = COLUMNS_MOST;
    if (columns < COLUMNS_LEAST) columns = COLUMNS_LEAST;
    int rc = timeline_chart_draw(d->t, (uint32_t)columns, shown, DEPTH_MOST, &d->chart, err);
    if (rc != 0) return rc;
    return begin_picture(d, &d->chart) && add_rows(d, &d->chart) && add_shares(d, v->totals) ? 0 : error_memory(err);
}

/* ---- what stands beside and on them ---- */

void timeline_chart_labels(struct timeline_drawing *d, unsigned top)
{
    if (d->t->lines.len < 2) return;
    output_text(d->o, "<g id=\"labels\">\n");
    for (size_t i = 0; i < d->chart.bands.len; i++) {
        const char *label = d->t->lines.at[d->chart.bands.at[i].line].label;
        output_printf(d->o, "<text x=\"%u\" y=\"%u\" text-anchor=\"end\"><title>", d->left - 6, top + first_row(&d->chart, i) * d->pitch + 13);
        svg_text(d->o, slice_of(label));
        output_text(d->o, "</title>");
        svg_label(d->o, slice_of(label), d->left - 14.0, LETTER);
        output_text(d->o, "</text>\n");
    }
    output_text(d->o, "</g>\n");
}

/* Lines between neighbours, which often have the same colour. */
void timeline_chart_edges(struct timeline_drawing *d)
{
    const struct timeline_chart *c = &d->chart;
    output_text(d->o, "<path id=\"edges\" d=\"");
    for (size_t b = 0; b < c->bands.len; b++)
        for (uint32_t i = 0; i < c->bands.at[b].rows; i++)
            for (size_t k = c->rows.at[c->bands.at[b].row + i].first + 1; k < c->rows.at[c->bands.at[b].row + i + 1].first; k++) {
                const struct timeline_box *box = &c->boxes.at[k], *last = box - 1;
                if (last->end != box->column || last->end - last->column < EDGE_LEAST || box->end - box->column < EDGE_LEAST) continue;
                output_printf(d->o, "M%u %uv%u", box->column, (first_row(c, b) + i) * d->pitch, d->bar);
            }
    output_text(d->o, "\"/>\n");
}

static void put_name(struct timeline_drawing *d, const struct timeline_box *box, unsigned y)
{
    enum { MARGIN = 8, LEAST = 32 };
    double wide = (double)(box->end - box->column) / d->picture.columns * d->plot;
    char buf[48];
    if (wide < LEAST || timeline_box_quarters(box) < 3) return;
    assay_slice name = timeline_name(d->t, timeline_key(d->t, box->frame), buf);
    if (text_width(name) * LETTER > wide - MARGIN) name = report_short_name(name);
    output_printf(d->o, "<text x=\"%.1f\" y=\"%u\">", d->left + (double)box->column / d->picture.columns * d->plot + 4, y);
    svg_label(d->o, name, wide - MARGIN, LETTER);
    output_text(d->o, "</text>\n");
}

/* For readers that run no scripts; the script puts its own there. */
void timeline_chart_names(struct timeline_drawing *d, unsigned top)
{
    const struct timeline_chart *c = &d->chart;
    for (size_t b = 0; b < c->bands.len; b++)
        for (uint32_t i = 0; i < c->bands.at[b].rows; i++)
            for (size_t k = c->rows.at[c->bands.at[b].row + i].first; k < c->rows.at[c->bands.at[b].row + i + 1].first; k++)
                put_name(d, &c->boxes.at[k], top + (first_row(c, b) + i) * d->pitch + d->bar / 2 + 4);
}

/* By row: the label of its stream; nothing of those between bands. */
void timeline_chart_rows_json(struct timeline_drawing *d, struct json *j)
{
    for (size_t b = 0; b < d->chart.bands.len; b++) {
        if (b) json_text(j, "");
        for (uint32_t i = 0; i < d->chart.bands.at[b].rows; i++) json_text(j, d->t->lines.at[d->chart.bands.at[b].line].label);
    }
}
