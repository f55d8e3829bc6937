/* The table entries of `dot`, `mermaid` and `csv`: reports that `convert` writes. */
#include <stdlib.h>

#include "base/plural.h"

#include "analysis/core/metric_choice.h"
#include "analysis/core/top_columns.h"
#include "report/picture/picture.h"

#define LEAST_NODE 0.005
#define LEAST_EDGE 0.001
enum { MERMAID_NODES = 80, MERMAID_EDGES = 300 /* GitHub draws at most 500 edges and 50,000 characters */ };

static int choose_metric(const assay_profile *p, const assay_top *top, const char *name, uint32_t *k, assay_error *err)
{
    struct metric_set set = { .profile = p, .at = top->metrics, .count = top->metric_count };
    *k = 0;
    return name || top->metric_count ? metric_choose_place(&set, name, k, err) : 0;
}

static int refuse(const assay_profile *p, assay_error *err)
{
    if (assay_profile_shapes(p) & (ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE)) return 0;
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "this file has no function costs");
}

/* ---- losses ---- */

static void note_losses(const assay_profile *p, const assay_top *top, const struct write_job *job)
{
    uint32_t contexts = assay_profile_tree(p)->count, streams = assay_profile_streams(p)->count;
    if (contexts) losses_add(job->losses, "contexts", contexts, "%u calling contexts are added up by function", contexts);
    if (top->metric_count > 1) losses_add(job->losses, "metrics", top->metric_count - 1, "only one of %u metrics is shown", top->metric_count);
    if (streams > 1) losses_add(job->losses, "streams", streams, "%u streams are added up", streams);
}

static void note_left_out(const struct picture *x, const struct write_job *job)
{
    unsigned long long nodes = x->nodes_left_out, edges = x->edges_left_out;
    if (nodes)
        losses_add(job->losses, "functions", nodes, "%llu function%s left out: below %.3g%% of the total", nodes, plural(nodes), x->options.least_node * 100);
    if (edges)
        losses_add(job->losses, "calls", edges, "%llu call%s between functions left out: below %.3g%% of the total", edges, plural(edges),
                   x->options.least_edge * 100);
}

/* ---- pictures ---- */

static int draw(const assay_profile *p, const assay_top *top, const struct write_job *job, struct picture_options o,
                void (*put)(struct output *, const struct picture *), struct output *out, assay_error *err)
{
    struct picture x;
    bool out_of_memory = false;
    TRY(choose_metric(p, top, job->options->metric, &o.k, err));
    o.least_node = job->options->has_least ? job->options->least / 100 : LEAST_NODE;
    o.least_edge = o.least_node * (LEAST_EDGE / LEAST_NODE);
    o.is_collapsed = job->options->cycles;
    int rc = picture_init(&x, job->mem, p, top, &o, err);
    x.out_of_memory = &out_of_memory;
    if (rc == 0 && out)
        put(out, &x);
    else if (rc == 0) {
        note_losses(p, top, job);
        note_left_out(&x, job);
    }
    picture_done(&x);
    return rc == 0 && out_of_memory ? error_memory(err) : rc;
}

static int write_picture(const assay_profile *p, const struct write_job *job, struct picture_options o, void (*put)(struct output *, const struct picture *),
                         struct output *out, assay_error *err)
{
    assay_top *top;
    TRY(refuse(p, err));
    TRY(assay_top_new(p, &top, err));
    int rc = draw(p, top, job, o, put, out, err);
    assay_top_free(top);
    return rc;
}

static int write_dot(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return write_picture(p, job, (struct picture_options){ 0 }, dot_write, out, err);
}

static int write_mermaid(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return write_picture(p, job, (struct picture_options){ .most_nodes = MERMAID_NODES, .most_edges = MERMAID_EDGES }, mermaid_write, out, err);
}

/* ---- csv ---- */

static int put_csv(const assay_profile *p, const assay_top *top, const struct write_job *job, struct output *out, assay_error *err)
{
    struct report r = { .out = out, .mem = job->mem, .style = REPORT_CSV, .has_limit = true, .file_count = 1 };
    struct report_top t = { .profile = p, .top = top, .functions = top->count, .by_calls = top->metric_count == 0 };
    size_t n = (size_t)top->count + 1;
    struct top_columns columns = { 0 };
    uint32_t k;
    TRY(choose_metric(p, top, job->options->metric, &k, err));
    if (top->metric_count) top_columns_metric(&columns, p, top, k);
    t.columns = &columns;
    uint32_t *order = mem_zalloc(job->mem, n, sizeof *order);
    if (!order) return error_memory(err);
    assay_top_order(p, top, ASSAY_SORT_SELF, k, order);
    t.order = order;
    t.count = top->count;
    report_top_begin(&r);
    report_top(&r, "", &t);
    mem_free(job->mem, order, n * sizeof *order);
    return report_end(&r, err);
}

static int write_csv(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    assay_top *top;
    TRY(refuse(p, err));
    TRY(assay_top_new(p, &top, err));
    int rc = 0;
    if (out)
        rc = put_csv(p, top, job, out, err);
    else
        note_losses(p, top, job);
    assay_top_free(top);
    return rc;
}

/* ---- the entries ---- */

/* They are never read. */
static int probe(const struct probe *p, const char **why)
{
    (void)p;
    *why = "written only";
    return 0;
}

static uint32_t want_calls(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_SUMS | ASSAY_WANT_ARCS;
}

static uint32_t want_sums(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_SUMS;
}

static const char *const dot_extensions[] = { ".dot", ".gv", NULL };
static const char *const mermaid_extensions[] = { ".mmd", ".mermaid", NULL };
static const char *const csv_extensions[] = { ".csv", NULL };
static const char *const versions[] = { "1", NULL };
enum { FEATURES = ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE | ASSAY_HAS_FRACTIONS };

const struct format dot_format = {
    .info = { "dot", "call graph for Graphviz", dot_extensions, versions, "", ASSAY_SHAPE_GRAPH, ASSAY_CAN_WRITE, FEATURES },
    .probe = probe,
    .write = write_dot,
    .write_wants = want_calls,
    .takes_trees = true,
};

const struct format mermaid_format = {
    .info = { "mermaid", "call graph for Mermaid", mermaid_extensions, versions, "", ASSAY_SHAPE_GRAPH, ASSAY_CAN_WRITE, FEATURES },
    .probe = probe,
    .write = write_mermaid,
    .write_wants = want_calls,
    .takes_trees = true,
};

const struct format csv_format = {
    .info = { "csv", "table of functions with cost and calls", csv_extensions, versions, "", ASSAY_SHAPE_GRAPH, ASSAY_CAN_WRITE, FEATURES | ASSAY_HAS_MODULES },
    .probe = probe,
    .write = write_csv,
    .write_wants = want_sums,
    .takes_trees = true,
};
