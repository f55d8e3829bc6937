/* The table entry of `mermaid`: a call graph as GitHub and others show it inside Markdown. Only written. */
#include <string.h>

#include "base/cancel.h"
#include "formats/callgraph/callgraph.h"

enum { MOST_NODES = 80, MOST_EDGES = 300 /* GitHub draws at most 500 edges and 50,000 characters */ };

/* Inside a quoted text: everything that the language, Markdown or HTML could take for its own becomes an entity. */
static void escape(struct output *out, assay_slice s)
{
    static const char special[] = "\"#&<>`%{}|\\;$*_[]()~^@'=";
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (strchr(special, c))
            output_printf(out, "#%u;", c);
        else
            output_char(out, (char)c);
    }
}

/* The beginning of a text, where a number or a dash would begin a list. */
static void escape_first(struct output *out, assay_slice s)
{
    bool is_list = s.len && (s.data[0] == '-' || s.data[0] == '+' || (s.data[0] >= '0' && s.data[0] <= '9'));
    if (is_list) output_printf(out, "#%u;", (unsigned char)s.data[0]);
    escape(out, (assay_slice){ s.data + is_list, s.len - is_list });
}

static void put_figure(struct output *out, const struct picture *x, const char *what, assay_value v)
{
    char text[112];
    picture_figure(text, x, v);
    output_text(out, what);
    escape(out, slice_of(text));
}

static void put_node(struct output *out, const struct picture *x, size_t i)
{
    const struct picture_node *n = &x->nodes.at[i];
    char calls[64];
    picture_calls(calls, x, n->calls);
    output_printf(out, "    n%zu[\"", i + 1);
    picture_put(out, x, arcs_name(&x->arcs, n->func), PICTURE_NAME, escape_first);
    put_figure(out, x, "<br/>self ", n->self);
    put_figure(out, x, "<br/>total ", n->total);
    output_printf(out, "%s%s\"]:::h%u\n", calls[0] ? "<br/>" : "", calls, picture_step(n->total_share));
}

static void put_cycles(struct output *out, const struct picture *x)
{
    char text[400];
    for (uint32_t cycle = 1; cycle <= x->cycles.count; cycle++) {
        bool is_open = false;
        for (size_t i = 0; i < x->nodes.len && !cancel_at(i); i++) {
            if (x->nodes.at[i].cycle != cycle) continue;
            if (!is_open) {
                picture_cycle(text, x, cycle);
                output_printf(out, "    subgraph c%u[\"", cycle);
                escape(out, slice_of(text));
                output_text(out, "\"]\n");
            }
            is_open = true;
            put_node(out, x, i);
        }
        if (is_open) output_text(out, "    end\n");
    }
}

static void put_edge(struct output *out, const struct picture *x, const struct picture_edge *e)
{
    char calls[64];
    picture_calls(calls, x, e->calls);
    output_printf(out, "    n%u -->|\"", e->from + 1);
    put_figure(out, x, "", e->total);
    output_printf(out, "%s%s\"| n%u\n", calls[0] ? "<br/>" : "", calls, e->to + 1);
}

static void draw(struct output *out, const struct picture *x)
{
    char caption[400];
    picture_caption(caption, x);
    output_text(out, "flowchart TD\n    caption[\"");
    picture_put(out, x, slice_of(caption), 0, escape);
    output_text(out, "\"]:::caption\n");
    for (size_t i = 0; i < x->nodes.len && !cancel_at(i); i++)
        if (!x->nodes.at[i].cycle) put_node(out, x, i);
    put_cycles(out, x);
    for (size_t i = 0; i < x->edges.len && !cancel_at(i); i++) put_edge(out, x, &x->edges.at[i]);
    for (unsigned i = 0; i < PICTURE_STEPS; i++)
        output_printf(out, "    classDef h%u fill:%s,stroke:%s,color:%s\n", i, picture_inks[i].fill, picture_inks[i].line, picture_inks[i].text);
    output_text(out, "    classDef caption fill:none,stroke:none,color:" PICTURE_GREY "\n");
}

/* ---- the entry ---- */

static int write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return picture_write(p, job, (struct picture_options){ .most_nodes = MOST_NODES, .most_edges = MOST_EDGES }, draw, out, err);
}

static const char *const extensions[] = { ".mmd", ".mermaid", NULL };
static const char *const versions[] = { "1", NULL };

const struct format mermaid_format = {
    .info = { "mermaid", "call graph for Mermaid", extensions, versions, "", ASSAY_SHAPE_GRAPH, ASSAY_CAN_WRITE, PICTURE_FEATURES },
    .probe = callgraph_probe,
    .writing = PICTURE_WRITING,
    .write = write,
    .write_wants = picture_wants,
    .takes_trees = true,
};
