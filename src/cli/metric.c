/* The metric to show; see metric.h. */
#include "cli/metric.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"

static bool is_carried(const struct assay_metrics *m, uint32_t id, uint32_t shapes)
{
    return (!m->shapes || m->shapes[id] & shapes) && !(m->formula && m->formula[id].v);
}

static int refuse(const struct cli *c, const assay_profile *p, uint32_t shapes, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    char list[400] = "";
    size_t used = 0;
    for (uint32_t id = 1; id <= m->count && used < sizeof list - 1; id++) {
        assay_slice name = assay_profile_string(p, m->name[id]);
        if (!is_carried(m, id, shapes)) continue;
        int n = snprintf(list + used, sizeof list - used, "%s%.*s", used ? ", " : "", (int)(name.len < 100 ? name.len : 100), name.data);
        used += n > 0 ? (size_t)n : 0;
    }
    if (!used) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no metric that can be shown this way");
    FAIL(err, ASSAY_ERR_USAGE, "there is no metric '%.60s'; it has %s", c->set.metric, list);
}

int cli_choose_metric(const struct cli *c, const assay_profile *p, uint32_t shapes, assay_metric_id *out, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    uint32_t hidden = 0;
    out->v = 0;
    for (uint32_t id = 1; id <= m->count && !out->v; id++) {
        if (!is_carried(m, id, shapes)) continue;
        bool is_hidden = m->hidden && m->hidden[id];
        if (c->set.metric ? slice_is(assay_profile_string(p, m->name[id]), c->set.metric) : !is_hidden) out->v = id;
        if (is_hidden && !hidden) hidden = id;
    }
    if (!out->v && !c->set.metric) out->v = hidden;
    return out->v ? 0 : refuse(c, p, shapes, err);
}
