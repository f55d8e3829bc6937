/* The metric to show; see metric.h. */
#include "cli/metric.h"

#include "analysis/core/metric_columns.h"

int cli_choose_metric(const struct cli *c, const assay_profile *p, uint32_t shapes, assay_metric_id *out, assay_error *err)
{
    return metric_choose_one(&(struct metric_set){ .profile = p, .shapes = shapes }, c->set.metric, out, err);
}

int cli_choose_key(const struct cli *c, const assay_profile *p, uint32_t shapes, assay_metric_id *out, assay_error *err)
{
    return metric_choose_key(&(struct metric_set){ .profile = p, .shapes = shapes }, c->set.metric, out, err);
}
