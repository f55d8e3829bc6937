/* Calling contexts, true or estimated; see contexts.h. */
#include "cli/contexts.h"

#include "analysis/paths/estimate.h"
#include "base/error.h"
#include "cli/metric.h"

uint32_t cli_want_tree(const struct cli *c)
{
    const uint32_t graph = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS;
    return ASSAY_WANT_TREE | (c->set.no_estimate ? 0 : c->set.estimate ? graph : graph | ASSAY_WANT_EITHER);
}

static int refuse(const struct cli *c, const assay_profile *p, assay_error *err)
{
    const struct assay_format_info *format = assay_format_find(assay_profile_format(p));
    bool may_have_graph = assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH || (format && format->holds & ASSAY_SHAPE_GRAPH);
    if (c->set.no_estimate && may_have_graph)
        FAIL(err, ASSAY_ERR_UNSUPPORTED,
             "has a call graph but no call stacks: the cost of a callee is not recorded by call path; omit --no-estimate to estimate the stacks");
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "has neither call stacks nor calls ('assay top' shows what it has)");
}

int cli_make_tree(struct cli *c, assay_profile **p, bool *is_estimated, assay_error *err)
{
    struct estimate_options o = { .max_memory = cli_max_memory(c) };
    assay_profile *made = NULL;
    *is_estimated = false;
    if (assay_profile_tree(*p)->count) return 0;
    if (c->set.no_estimate || !(assay_profile_shapes(*p) & ASSAY_SHAPE_GRAPH)) return refuse(c, *p, err);
    TRY(cli_choose_key(c, *p, ASSAY_SHAPE_GRAPH, &o.metric, err));
    TRY(estimate_tree(*p, &o, &made, err));
    assay_profile_release(*p);
    *p = made;
    *is_estimated = true;
    return 0;
}

int cli_read_tree(struct cli *c, const char *path, assay_profile **out, bool *is_estimated, assay_error *err)
{
    TRY(cli_read_profile(c, path, cli_want_tree(c), out, err));
    return cli_make_tree(c, out, is_estimated, err);
}
