/* What pictures of call graphs share; see callgraph.h. */
#include <math.h>
#include <stdio.h>

#include "analysis/core/function.h"
#include "analysis/core/metric_text.h"
#include "analysis/core/units.h"
#include "analysis/core/value.h"
#include "base/number.h"
#include "base/plural.h"
#include "base/text.h"
#include "formats/callgraph/callgraph.h"

const struct picture_ink picture_inks[PICTURE_STEPS] = {
    { "#fff7ec", "#b5a48b", "#000000" }, { "#fee8c8", "#b99a6b", "#000000" }, { "#fdd49e", "#b8833f", "#000000" },
    { "#fc8d59", "#a9502a", "#000000" }, { "#d7301f", "#8c1a12", "#ffffff" }, { "#990000", "#5c0000", "#ffffff" },
};

/* By the root: a tenth of the whole is to be seen as well as nine of them. */
unsigned picture_step(double share)
{
    unsigned step = (unsigned)(sqrt(share) * PICTURE_STEPS);
    return step < PICTURE_STEPS ? step : PICTURE_STEPS - 1;
}

static size_t whole_characters(assay_slice s, size_t len)
{
    while (len > 0 && len < s.len && ((unsigned char)s.data[len] & 0xc0) == 0x80) len--;
    return len;
}

void picture_put(struct output *out, const struct picture *x, assay_slice s, size_t most, picture_escape_fn escape)
{
    struct output *shown;
    if (output_open_memory(&shown, x->mem, NULL) != 0) {
        if (x->out_of_memory) *x->out_of_memory = true;
        return;
    }
    text_show(shown, s);
    if (output_failed(shown) && x->out_of_memory) *x->out_of_memory = true;
    assay_slice text = output_memory(shown);
    if (most && text.len > most) {
        size_t head = whole_characters(text, most * 2 / 3), tail = whole_characters(text, text.len - most / 3);
        escape(out, (assay_slice){ text.data, head });
        escape(out, SLICE("..."));
        escape(out, (assay_slice){ text.data + tail, text.len - tail });
    } else
        escape(out, text);
    output_abort(shown);
}

void picture_figure(char *buf, const struct picture *x, assay_value v)
{
    char value[48], percent[48];
    value_text(value, false, x->type, v, units_name(x->profile, x->top->metrics[x->options.k]));
    number_percent(percent, value_double(x->type, v), x->whole);
    snprintf(buf, 112, "%s (%s)", value, percent);
}

void picture_calls(char *buf, const struct picture *x, uint64_t calls)
{
    char value[48];
    buf[0] = '\0';
    if (!x->arcs.has_calls || !calls) return;
    number_human(value, (double)calls, "count");
    snprintf(buf, 64, "%s call%s", value, plural(calls));
}

void picture_caption(char *buf, const struct picture *x)
{
    char total[48];
    assay_metric_id metric = x->top->metrics[x->options.k];
    assay_slice name = metric_name(x->profile, metric);
    metric_total_text(total, false, x->profile, metric.v);
    int used = snprintf(buf, 400, "%.*s %s: %zu functions, %zu calls between them", (int)(name.len < 100 ? name.len : 100), name.data ? name.data : "", total,
                        x->nodes.len, x->edges.len);
    if (x->nodes_left_out && used > 0 && used < 400)
        used += snprintf(buf + used, 400 - (size_t)used, "; left out: %llu function%s below %.3g%%", (unsigned long long)x->nodes_left_out,
                         plural(x->nodes_left_out), x->options.least_node * 100);
    if (x->edges_left_out && used > 0 && used < 400)
        snprintf(buf + used, 400 - (size_t)used, "%s %llu call%s below %.3g%%", x->nodes_left_out ? "," : "; left out:", (unsigned long long)x->edges_left_out,
                 plural(x->edges_left_out), x->options.least_edge * 100);
}

void picture_place(struct output *out, const struct picture *x, const struct picture_node *n)
{
    struct function_info f = function_info_of(x->profile, n->func);
    output_slice(out, f.name);
    if (f.file.len || f.module.len) output_text(out, "  ");
    function_put_place(out, &f);
}

void picture_cycle(char *buf, const struct picture *x, uint32_t cycle)
{
    char self[112], total[112], calls[64];
    size_t at = (size_t)cycle * x->cycles.width + x->options.k;
    picture_figure(self, x, x->cycles.self[at]);
    picture_figure(total, x, x->cycles.total[at]);
    picture_calls(calls, x, x->cycles.calls[cycle]);
    snprintf(buf, 400, "cycle %u: %u functions, self %s, total %s, %s", cycle, x->cycles.members[cycle], self, total, calls);
}
