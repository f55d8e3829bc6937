/* convert: an input as a file of another format, with the filters of the state. change: what a change of the sources means for coverage. */
#include "assay/graph.h"
#include "base/error.h"
#include "formats/format.h"
#include "registry.h"
#include "server/routes.h"

/* ---- convert ---- */

static int put_bytes(void *arg, const char *data, size_t len)
{
    output_bytes(arg, data, len);
    return output_failed(arg) ? -1 : 0;
}

/* Functions and calls of a filtered profile, which is a tree, where the target holds nothing else: as assay_convert does. */
static int write_as(struct request *r, const struct format *f, const struct assay_write_options *o, assay_profile *p, assay_error *err)
{
    struct assay_graph_options g = { .per_second = f->info.features & ASSAY_HAS_64_BITS ? 1000000000 : 1000000 };
    uint32_t shapes = assay_profile_shapes(p), want = f->write_wants ? f->write_wants(o, "") : 0;
    bool is_by_graph = !f->takes_trees && want & ASSAY_WANT_GRAPH && !(want & ASSAY_WANT_TREE);
    assay_profile *graph = NULL;
    if (is_by_graph && !(shapes & ASSAY_SHAPE_GRAPH) && shapes & ASSAY_SHAPE_TREE) TRY(assay_graph_new(p, &g, &graph, NULL, err));
    int rc = assay_write_fn(graph ? graph : p, o, put_bytes, r->out, NULL, err);
    assay_profile_release(graph);
    return rc;
}

int route_convert(struct request *r, assay_error *err)
{
    static const char *const names[] = { "folded", "pprof", "speedscope", "callgrind", "lcov", "cobertura", NULL };
    unsigned to = 0;
    assay_profile *p;
    TRY(params_word(&r->params, "to", names, &to, err));
    TRY(params_end(&r->params, err));
    const struct format *f = registry_find(slice_of(names[to]));
    struct assay_write_options o = { .size = sizeof o, .format = names[to], .estimate = true, .metric = r->state.metric };
    if (!f) FAIL(err, ASSAY_ERR_UNSUPPORTED, "this assay was built without %s", names[to]);
    TRY(request_want(r, r->state.a, r->state.a_count, f->write_wants ? f->write_wants(&o, "") : ASSAY_WANT_GRAPH, &p, err));
    TRY(write_as(r, f, &o, p, err));
    r->type = "application/octet-stream";
    return output_failed(r->out) ? error_memory(err) : 0;
}

/* ---- change ---- */

int route_change(struct request *r, assay_error *err)
{
    assay_changes *changes = NULL;
    const char *name = "dropped.diff";
    TRY(params_text(&r->params, "name", &name, err));
    TRY(params_end(&r->params, err));
    if (!r->body_len) FAIL(err, ASSAY_ERR_EMPTY, "the diff is empty");
    TRY(assay_changes_read_memory(r->body, r->body_len, name, &r->server->read, &changes, err));
    int rc = answer_report(r, r->state.b ? "diff" : "patch", changes, "--diff FILE", err);
    assay_changes_free(changes);
    return rc;
}
