/* The table entry of `dot`: a call graph for Graphviz. Only written. */
#include <math.h>

#include "base/cancel.h"
#include "formats/callgraph/callgraph.h"

/* Inside a quoted string of the language; & would begin an entity. */
static void escape(struct output *out, assay_slice s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] == '&')
            output_text(out, "&amp;");
        else {
            if (s.data[i] == '"' || s.data[i] == '\\') output_char(out, '\\');
            output_char(out, s.data[i]);
        }
    }
}

static void put_tooltip(struct output *out, const struct picture *x, const struct picture_node *n)
{
    struct output *text;
    if (output_open_memory(&text, x->mem, NULL) != 0) {
        if (x->out_of_memory) *x->out_of_memory = true;
        return;
    }
    picture_place(text, x, n);
    output_text(out, ", tooltip=\"");
    picture_put(out, x, output_memory(text), 0, escape);
    output_char(out, '"');
    output_abort(text);
}

static void put_node(struct output *out, const struct picture *x, size_t i, const char *indent)
{
    const struct picture_node *n = &x->nodes.at[i];
    const struct picture_ink *ink = &picture_inks[picture_step(n->total_share)];
    char self[112], total[112], calls[64];
    picture_figure(self, x, n->self);
    picture_figure(total, x, n->total);
    picture_calls(calls, x, n->calls);
    output_printf(out, "%sn%zu [label=\"", indent, i + 1);
    picture_put(out, x, arcs_name(&x->arcs, n->func), PICTURE_NAME, escape);
    output_printf(out, "\\nself %s\\ntotal %s%s%s\"", self, total, calls[0] ? "\\n" : "", calls);
    output_printf(out, ", fillcolor=\"%s\", color=\"%s\", fontcolor=\"%s\", fontsize=%.0f", ink->fill, ink->line, ink->text, 10 + 10 * sqrt(n->self_share));
    put_tooltip(out, x, n);
    output_text(out, "]\n");
}

static void put_cycles(struct output *out, const struct picture *x)
{
    char text[400];
    for (uint32_t cycle = 1; cycle <= x->cycles.count; cycle++) {
        bool is_open = false;
        for (size_t i = 0; i < x->nodes.len && !cancel_at(i); i++) {
            if (x->nodes.at[i].cycle != cycle) continue;
            picture_cycle(text, x, cycle);
            if (!is_open)
                output_printf(out, "    subgraph cluster_%u {\n        label=\"%s\"; style=\"dashed,rounded\"; color=\"" PICTURE_GREY "\"\n", cycle, text);
            is_open = true;
            put_node(out, x, i, "        ");
        }
        if (is_open) output_text(out, "    }\n");
    }
}

static void put_edge(struct output *out, const struct picture *x, const struct picture_edge *e)
{
    char total[112], calls[64];
    picture_figure(total, x, e->total);
    picture_calls(calls, x, e->calls);
    output_printf(out, "    n%u -> n%u [label=\" %s%s%s\", penwidth=%.2f, weight=%.0f]\n", e->from + 1, e->to + 1, total, calls[0] ? "\\n " : "", calls,
                  0.6 + 4.4 * e->share, 1 + 99 * e->share);
}

static void draw(struct output *out, const struct picture *x)
{
    char caption[400];
    picture_caption(caption, x);
    output_text(out, "digraph calls {\n    graph [label=\"");
    picture_put(out, x, slice_of(caption), 0, escape);
    output_text(out,
                "\", labelloc=t, bgcolor=transparent, fontname=\"Helvetica,Arial,sans-serif\", fontsize=12, fontcolor=\"" PICTURE_GREY
                "\", nodesep=0.3, ranksep=0.45]\n"
                "    node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica,Arial,sans-serif\", margin=\"0.16,0.09\"]\n"
                "    edge [color=\"" PICTURE_GREY "\", fontcolor=\"" PICTURE_GREY "\", fontname=\"Helvetica,Arial,sans-serif\", fontsize=9, arrowsize=0.7]\n");
    for (size_t i = 0; i < x->nodes.len && !cancel_at(i); i++)
        if (!x->nodes.at[i].cycle) put_node(out, x, i, "    ");
    put_cycles(out, x);
    for (size_t i = 0; i < x->edges.len && !cancel_at(i); i++) put_edge(out, x, &x->edges.at[i]);
    output_text(out, "}\n");
}

/* ---- the entry ---- */

static int write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return picture_write(p, job, (struct picture_options){ 0 }, draw, out, err);
}

static const char *const extensions[] = { ".dot", ".gv", NULL };
static const char *const versions[] = { "1", NULL };

const struct format dot_format = {
    .info = { "dot", "call graph for Graphviz", extensions, versions, "", ASSAY_SHAPE_GRAPH, ASSAY_CAN_WRITE, PICTURE_FEATURES },
    .probe = callgraph_probe,
    .writing = PICTURE_WRITING,
    .write = write,
    .write_wants = picture_wants,
    .takes_trees = true,
};
