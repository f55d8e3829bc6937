/* The rows of the picture at each depth: runs as horizontal strokes, one path for each context and height, in the coordinates of columns. So a zoom in
 * time is a change of the view box, and nothing is as many as the samples. */
#include <stdio.h>

#include "base/error.h"
#include "base/scoped.h"
#include "report/svg_text.h"
#include "report/timeline/timeline.h"

/* Runs by context and quarters: lists through the runs of a layer. */
struct bundles {
    uint32_t *head;    /* [frame * TIMELINE_QUARTERS + quarters - 1]: run + 1 */
    uint32_t *next;    /* by run: run + 1 */
    uint32_t *row;     /* by run */
    uint8_t *is_known; /* by frame */
    VEC(uint32_t) frames;
    uint32_t *first_of; /* by key: place in frames + 1 */
    uint32_t *after;    /* by place in frames: the next of the same key + 1 */
};

static uint32_t slot_of(const struct timeline_run *run) { return run->frame * TIMELINE_QUARTERS + run->quarters - 1u; }

static void put_number(struct output *o, double v)
{
    char buf[32];
    int len = snprintf(buf, sizeof buf, "%.1f", v);
    if (len > 2 && buf[len - 1] == '0') len -= 2;
    output_bytes(o, buf, (size_t)len);
}

/* The middle of a stroke that stands on the bottom of its row. */
static double middle_of(const struct timeline_drawing *d, uint32_t row, unsigned quarters)
{
    return (double)row * d->pitch + d->bar - (double)d->bar * quarters / TIMELINE_QUARTERS / 2;
}

static uint32_t end_of(const struct timeline_drawing *d, const struct timeline_layer *layer, uint32_t row, size_t run)
{
    return run + 1 < layer->first[row + 1] ? layer->runs.at[run + 1].column : d->picture.columns;
}

/* Links the runs, last ones first, so that lists come out in the order of rows and columns. */
static bool bundle(struct timeline_drawing *d, const struct timeline_layer *layer, struct bundles *b)
{
    for (uint32_t row = d->picture.rows; row > 0; row--)
        for (size_t i = layer->first[row]; i > layer->first[row - 1]; i--) {
            const struct timeline_run *run = &layer->runs.at[i - 1];
            if (!run->frame) continue;
            b->row[i - 1] = row - 1;
            b->next[i - 1] = b->head[slot_of(run)];
            b->head[slot_of(run)] = (uint32_t)i;
        }
    for (size_t i = 0; i < layer->runs.len; i++) {
        const struct timeline_run *run = &layer->runs.at[i];
        if (!run->frame || b->is_known[run->frame]) continue;
        uint32_t key = timeline_key(d->t, run->frame);
        b->is_known[run->frame] = 1;
        uint32_t *slot = vec_push(d->mem, &b->frames);
        if (!slot) return false;
        *slot = run->frame;
        b->after[b->frames.len - 1] = b->first_of[key];
        b->first_of[key] = (uint32_t)b->frames.len;
    }
    return true;
}

/* How many calls each of the boxes stands for, unless it is one. */
static void put_calls(struct timeline_drawing *d, const struct bundles *b, uint32_t head)
{
    uint32_t at = head;
    while (d->is_chart && at && d->calls.at[at - 1] == 1) at = b->next[at - 1];
    if (!d->is_chart || !at) return;
    output_text(d->o, " data-n=\"");
    for (at = head; at; at = b->next[at - 1]) {
        if (at != head) output_char(d->o, ',');
        output_u64(d->o, d->calls.at[at - 1]);
    }
    output_char(d->o, '"');
}

static void put_paths(struct timeline_drawing *d, const struct timeline_layer *layer, struct bundles *b, uint32_t frame)
{
    for (unsigned q = 1; q <= TIMELINE_QUARTERS; q++) {
        uint32_t at = b->head[frame * TIMELINE_QUARTERS + q - 1];
        if (!at) continue;
        output_printf(d->o, "<path class=\"q%u\" data-c=\"%u\"", q, d->context[frame] - 1);
        put_calls(d, b, at);
        output_text(d->o, " d=\"");
        for (; at; at = b->next[at - 1]) {
            uint32_t column = layer->runs.at[at - 1].column, row = b->row[at - 1];
            output_char(d->o, 'M');
            output_u64(d->o, column);
            output_char(d->o, ' ');
            put_number(d->o, middle_of(d, row, q));
            output_char(d->o, 'h');
            output_u64(d->o, end_of(d, layer, row, at - 1) - column);
        }
        output_text(d->o, "\"/>");
        b->head[frame * TIMELINE_QUARTERS + q - 1] = 0;
    }
}

static void put_functions(struct timeline_drawing *d, uint32_t k, struct bundles *b)
{
    const struct timeline_shares *shares = &d->shares[k];
    for (size_t i = 0; i < shares->rows.len; i++) {
        uint32_t key = shares->rows.at[i].key;
        char buf[48];
        if (!b->first_of[key]) continue;
        output_printf(d->o, "<g class=\"c%u\" data-f=\"%u\"><title>", d->colour[key], d->function[key] - 1);
        svg_text(d->o, timeline_name(d->t, key, buf));
        output_text(d->o, "</title>");
        for (uint32_t f = b->first_of[key]; f; f = b->after[f - 1]) put_paths(d, &d->picture.layers[k], b, b->frames.at[f - 1]);
        output_text(d->o, "</g>\n");
    }
}

static bool put_layer(struct timeline_drawing *d, uint32_t k)
{
    const struct timeline_layer *layer = &d->picture.layers[k];
    size_t frames = d->t->frames.len, runs = layer->runs.len + 1;
    SCRATCH(uint32_t, head, d->mem, frames * TIMELINE_QUARTERS);
    SCRATCH(uint32_t, next, d->mem, runs);
    SCRATCH(uint32_t, row, d->mem, runs);
    SCRATCH(uint8_t, is_known, d->mem, frames);
    SCRATCH(uint32_t, after, d->mem, runs);
    SCRATCH(uint32_t, first_of, d->mem, timeline_key_count(d->t));
    struct bundles b = { .head = head, .next = next, .row = row, .is_known = is_known, .first_of = first_of, .after = after };
    vec_scoped(d->mem, &b.frames);
    if (!head || !next || !row || !is_known || !after || !first_of || !bundle(d, layer, &b)) return false;
    output_printf(d->o, "<g class=\"layer%s\" data-depth=\"%u\">\n", k == d->seen ? " seen" : "", layer->depth);
    put_functions(d, k, &b);
    output_text(d->o, "</g>\n");
    return true;
}

/* Where anything was recorded, idle or not: the ground of the rows. It is the same at all depths. */
static void put_ground(struct timeline_drawing *d)
{
    const struct timeline_layer *layer = &d->picture.layers[d->seen];
    output_text(d->o, "<path class=\"recorded q4\" d=\"");
    for (uint32_t row = 0; row < d->picture.rows; row++)
        for (size_t i = layer->first[row]; i < layer->first[row + 1]; i++) {
            uint32_t begin = layer->runs.at[i].column;
            if (layer->runs.at[i].is_empty) continue;
            while (i + 1 < layer->first[row + 1] && !layer->runs.at[i + 1].is_empty) i++;
            output_printf(d->o, "M%u ", begin);
            put_number(d->o, middle_of(d, row, TIMELINE_QUARTERS));
            output_printf(d->o, "h%u", end_of(d, layer, row, i) - begin);
        }
    output_text(d->o, "\"/>\n");
}

int timeline_put_layers(struct timeline_drawing *d, assay_error *err)
{
    if (!d->is_chart) put_ground(d);
    for (uint32_t k = 0; k < d->picture.layer_count; k++)
        if (d->is_kept[k] && !put_layer(d, k)) return error_memory(err);
    return 0;
}
