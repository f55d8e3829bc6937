/* Calling contexts, true or estimated; see contexts.h. */
#include "report/verbs/contexts.h"

#include "analysis/core/metric_columns.h"
#include "analysis/paths/estimate.h"
#include "base/error.h"

uint32_t contexts_want(const assay_reporter *r)
{
    const uint32_t graph = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_SPARSE;
    return ASSAY_WANT_TREE | (r->set.no_estimate ? 0 : r->set.estimate ? graph : graph | ASSAY_WANT_EITHER);
}

static int refuse(const assay_reporter *r, const assay_profile *p, assay_error *err)
{
    const struct assay_format_info *format = assay_format_find(assay_profile_format(p));
    bool may_have_graph = assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH || (format && format->holds & ASSAY_SHAPE_GRAPH);
    if (r->set.no_estimate && may_have_graph)
        FAIL(err, ASSAY_ERR_UNSUPPORTED,
             "has a call graph but no call stacks: the cost of a callee is not recorded by call path; omit --no-estimate to estimate the stacks");
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "has neither call stacks nor calls ('assay top' shows what it has)");
}

int contexts_make(assay_reporter *r, assay_profile *p, assay_profile **out, bool *is_estimated, assay_error *err)
{
    struct estimate_options o = { .max_memory = r->set.read.max_memory };
    *is_estimated = false;
    *out = NULL;
    if (assay_profile_tree(p)->count) {
        *out = assay_profile_retain(p);
        return 0;
    }
    if (r->set.no_estimate || !(assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH)) return refuse(r, p, err);
    TRY(metric_choose_key(&(struct metric_set){ .profile = p, .shapes = ASSAY_SHAPE_GRAPH }, r->set.metric, &o.metric, err));
    TRY(estimate_tree(p, &o, out, err));
    *is_estimated = true;
    return 0;
}
