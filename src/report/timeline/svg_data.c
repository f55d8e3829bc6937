/* What the script of the picture needs besides the paths, as JSON: names of functions, stacks of contexts, labels of rows, shares at each depth. And the
 * legend, which stands without a script. */
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "report/svg_text.h"
#include "report/timeline/timeline.h"

enum { LEGEND_MOST = 24, LEGEND_ROW = 20, LEGEND_COLUMN = 380, EDGE = 12 };
#define LETTER 6.7

/* ---- data ---- */

static void put_functions(struct timeline_drawing *d, struct json *j)
{
    size_t keys = timeline_key_count(d->t);
    uint32_t count = 0;
    for (size_t key = 0; key < keys; key++)
        if (d->function[key]) count++;
    SCRATCH(uint32_t, key_of, d->mem, (size_t)count + 1);
    json_key(j, "functions");
    json_array(j);
    for (uint32_t key = 0; key_of && key < keys; key++)
        if (d->function[key]) key_of[d->function[key] - 1] = key;
    for (uint32_t i = 0; key_of && i < count; i++) {
        char buf[48];
        struct output *place;
        struct function_info f = timeline_function(d->t, key_of[i], buf);
        json_array(j);
        json_string(j, f.name);
        json_u64(j, d->colour[key_of[i]]);
        if (output_open_memory(&place, d->mem, NULL) == 0) {
            function_put_place(place, &f);
            json_string(j, output_memory(place).len ? output_memory(place) : SLICE(""));
            output_abort(place);
        }
        json_end(j);
    }
    json_end(j);
}

/* [parent + 1, function] of each context, parents first. */
static void put_contexts(struct timeline_drawing *d, struct json *j)
{
    const struct frames *f = &d->t->frames;
    json_key(j, "contexts");
    json_array(j);
    for (uint32_t node = 1; node < f->len; node++) {
        if (!d->context[node]) continue;
        uint32_t above = f->owner[frames_parent(f, node)];
        json_array(j);
        json_u64(j, above ? d->context[above] : 0);
        json_u64(j, d->function[timeline_key(d->t, node)] - 1);
        json_end(j);
    }
    json_end(j);
}

static void put_labels(struct timeline_drawing *d, struct json *j)
{
    json_key(j, "labels");
    json_array(j);
    for (size_t i = 0; !d->is_chart && i < d->t->lines.len; i++) json_text(j, d->t->lines.at[i].label);
    if (d->is_chart) timeline_chart_rows_json(d, j);
    json_end(j);
}

static void put_layers(struct timeline_drawing *d, struct json *j)
{
    json_key(j, "layers");
    json_array(j);
    for (uint32_t k = 0; k < d->picture.layer_count; k++) {
        const struct timeline_shares *s = &d->shares[k];
        if (!d->is_kept[k]) continue;
        json_object(j);
        json_key(j, "depth");
        json_u64(j, d->picture.layers[k].depth);
        json_key(j, "functions");
        json_u64(j, s->rows.len);
        json_key(j, "shares"); /* function, time, streams */
        json_array(j);
        for (size_t i = 0; i < s->rows.len && i < LEGEND_MOST; i++) {
            json_array(j);
            json_u64(j, d->function[s->rows.at[i].key] - 1);
            json_wide(j, s->rows.at[i].time);
            json_u64(j, s->rows.at[i].lines);
            json_end(j);
        }
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void put_numbers(struct timeline_drawing *d, struct json *j)
{
    const struct timeline_shares *s = &d->shares[d->seen];
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = { { "from", timeline_since(d->t, d->t->from) },
                    { "to", timeline_since(d->t, d->t->to) },
                    { "columns", d->picture.columns },
                    { "rows", d->picture.rows },
                    { "linesEach", d->picture.lines_each },
                    { "pitch", d->pitch },
                    { "bar", d->bar },
                    { "left", d->left },
                    { "plot", d->plot } };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_key(j, numbers[i].name);
        json_u64(j, numbers[i].value);
    }
    json_key(j, "unit");
    json_text(j, d->t->unit);
    json_key(j, "time");
    json_wide(j, s->recorded);
    json_key(j, "idle");
    json_wide(j, s->idle);
}

/* JSON has line ends between its items, and none in them. */
static void put_lines(struct output *o, assay_slice text)
{
    while (text.len) {
        const char *end = memchr(text.data, '\n', text.len);
        size_t len = end ? (size_t)(end - text.data) : text.len;
        svg_text(o, (assay_slice){ text.data, len });
        if (end) output_char(o, '\n');
        len += end != NULL;
        text = (assay_slice){ text.data + len, text.len - len };
    }
}

int timeline_put_data(struct timeline_drawing *d, assay_error *err)
{
    struct output *text;
    struct json j;
    TRY(output_open_memory(&text, d->mem, err));
    json_init(&j, text);
    json_object(&j);
    put_numbers(d, &j);
    put_labels(d, &j);
    put_functions(d, &j);
    put_contexts(d, &j);
    put_layers(d, &j);
    json_end(&j);
    output_text(d->o, "<script type=\"application/json\" id=\"data\">");
    put_lines(d->o, output_memory(text));
    output_text(d->o, "</script>\n");
    int rc = output_failed(text) ? error_memory(err) : 0;
    output_abort(text);
    return rc;
}

/* ---- legend ---- */

static void put_entry(struct timeline_drawing *d, unsigned i, unsigned y, unsigned columns, int colour, int function, assay_slice name, const char *percent)
{
    unsigned x = EDGE + i % columns * ((d->width - 2 * EDGE) / columns), top = y + i / columns * LEGEND_ROW;
    double room = (d->width - 2.0 * EDGE) / columns - 96;
    output_printf(d->o, "<g class=\"entry\" data-f=\"%d\" role=\"button\" tabindex=\"0\"><title>", function);
    svg_text(d->o, name);
    output_text(d->o, "</title>");
    if (colour >= 0)
        output_printf(d->o, "<rect class=\"c%d\" x=\"%u\" y=\"%u\" width=\"14\" height=\"12\" rx=\"2\"/>", colour, x, top);
    else
        output_printf(d->o, "<rect class=\"idle\" x=\"%u\" y=\"%u\" width=\"14\" height=\"12\" rx=\"2\"/>", x, top);
    output_printf(d->o, "<text class=\"figure\" x=\"%u\" y=\"%u\" text-anchor=\"end\">", x + 72, top + 11);
    svg_text(d->o, slice_of(percent));
    output_printf(d->o, "</text><text x=\"%u\" y=\"%u\">", x + 80, top + 11);
    svg_label(d->o, name, room, LETTER);
    output_text(d->o, "</text></g>\n");
}

static unsigned entries_across(const struct timeline_drawing *d) { return d->width / LEGEND_COLUMN ? d->width / LEGEND_COLUMN : 1; }

unsigned timeline_legend_height(const struct timeline_drawing *d, const struct timeline_shares *s)
{
    unsigned count = s->rows.len < LEGEND_MOST ? (unsigned)s->rows.len + 1 : LEGEND_MOST + 1;
    return (count + entries_across(d) - 1) / entries_across(d) * LEGEND_ROW;
}

void timeline_put_legend(struct timeline_drawing *d, unsigned y)
{
    const struct timeline_shares *s = &d->shares[d->seen];
    unsigned columns = entries_across(d), count = 0;
    double whole = wide_double(s->recorded);
    char percent[48], name[48];
    output_text(d->o, "<g id=\"legend\">\n");
    for (; count < s->rows.len && count < LEGEND_MOST; count++) {
        const struct timeline_share *row = &s->rows.at[count];
        number_percent(percent, wide_double(row->time), whole);
        put_entry(d, count, y, columns, d->colour[row->key], (int)d->function[row->key] - 1, timeline_name(d->t, row->key, name), percent);
    }
    number_percent(percent, wide_double(s->idle), whole);
    put_entry(d, count, y, columns, -1, -1, SLICE("idle"), percent);
    output_text(d->o, "</g>\n");
}
