/* What writers of functions share; see functions.h. */
#include "formats/callgraph/functions.h"

#include "analysis/core/metric_choice.h"
#include "base/error.h"

int callgraph_probe(const struct probe *p, const char **why)
{
    (void)p;
    *why = "written only";
    return 0;
}

int callgraph_functions(const assay_profile *p, assay_top **top, assay_error *err)
{
    if (assay_profile_shapes(p) & (ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE)) return assay_top_new(p, top, err);
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "this file has no function costs");
}

int callgraph_metric(const assay_profile *p, const assay_top *top, const char *name, uint32_t *k, assay_error *err)
{
    struct metric_set set = { .profile = p, .at = top->metrics, .count = top->metric_count };
    *k = 0;
    return name || top->metric_count ? metric_choose_place(&set, name, k, err) : 0;
}

void callgraph_losses(const assay_profile *p, const assay_top *top, const struct write_job *job)
{
    uint32_t contexts = assay_profile_tree(p)->count, streams = assay_profile_streams(p)->count;
    if (contexts) losses_add(job->losses, "contexts", contexts, "%u calling contexts are added up by function", contexts);
    if (top->metric_count > 1) losses_add(job->losses, "metrics", top->metric_count - 1, "only one of %u metrics is shown", top->metric_count);
    if (streams > 1) losses_add(job->losses, "streams", streams, "%u streams are added up", streams);
}
