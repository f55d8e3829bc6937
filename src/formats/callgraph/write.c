/* Pictures of call graphs: the metric, the losses, the drawing; see callgraph.h. */
#include "base/error.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/callgraph/callgraph.h"

#define LEAST_NODE 0.005
#define LEAST_EDGE 0.001

const struct option_spec picture_options_table[] = {
    { .name = "min",
      .type = OPTION_PERCENT,
      .argument = "PERCENT",
      .at = offsetof(struct picture_settings, least),
      .given = offsetof(struct picture_settings, has_least),
      .help = "hide functions below PERCENT of the total; 0.5 by default",
      .text = "Calls are kept down to a fifth of it." },
    { .name = "cycles",
      .type = OPTION_FLAG,
      .at = offsetof(struct picture_settings, cycles),
      .help = "exclude recursion from the totals of functions that call each other" },
    { .name = NULL },
};

static void note_left_out(const struct picture *x, const struct write_job *job)
{
    unsigned long long nodes = x->nodes_left_out, edges = x->edges_left_out;
    if (nodes)
        losses_add(job->losses, "functions", nodes, "%llu function%s left out: below %.3g%% of the total", nodes, plural(nodes), x->options.least_node * 100);
    if (edges)
        losses_add(job->losses, "calls", edges, "%llu call%s between functions left out: below %.3g%% of the total", edges, plural(edges),
                   x->options.least_edge * 100);
}

static int draw(const assay_profile *p, const assay_top *top, const struct write_job *job, struct picture_options o, picture_write_fn put, struct output *out,
                assay_error *err)
{
    SCOPED(picture_done) struct picture x = { 0 };
    bool out_of_memory = false;
    static const struct picture_settings none;
    const struct picture_settings *own = job->own ? job->own : &none;
    TRY(callgraph_metric(p, top, job->options->metric, &o.k, err));
    o.least_node = own->has_least ? own->least / 100 : LEAST_NODE;
    o.least_edge = o.least_node * (LEAST_EDGE / LEAST_NODE);
    o.is_collapsed = own->cycles;
    int rc = picture_init(&x, job->mem, p, top, &o, err);
    x.out_of_memory = &out_of_memory;
    if (rc == 0) {
        callgraph_losses(p, top, job);
        note_left_out(&x, job);
        rc = losses_settle(job, err);
    }
    if (rc == 0) put(out, &x);
    return rc == 0 && out_of_memory ? error_memory(err) : rc;
}

int picture_write(const assay_profile *p, const struct write_job *job, struct picture_options o, picture_write_fn put, struct output *out, assay_error *err)
{
    assay_top *top;
    TRY(callgraph_functions(p, &top, err));
    int rc = draw(p, top, job, o, put, out, err);
    assay_top_free(top);
    return rc;
}

uint32_t picture_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_SUMS | ASSAY_WANT_ARCS;
}
