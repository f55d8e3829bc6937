/* The rows of `top --by rank`; see loads.h. */
#include "report/verbs/loads.h"

#include "analysis/core/top.h"
#include "analysis/core/top_columns.h"
#include "base/error.h"
#include "base/scoped.h"
#include "report/loads.h"
#include "report/verbs/over.h"

struct work {
    struct stream_groups groups;
    struct stream_rows rows;
    struct stream_loads loads;
    struct stream_clusters clusters;
    struct metric_columns columns;
    assay_top *top;
};

static void work_done(struct work *w)
{
    stream_clusters_done(&w->clusters);
    stream_loads_done(&w->loads);
    stream_rows_done(&w->rows);
    stream_groups_done(&w->groups);
    metric_columns_done(&w->columns);
    assay_top_free(w->top);
}

static int find_clusters(assay_reporter *r, struct work *w, const assay_profile *p, assay_metric_id metric, assay_error *err)
{
    SCRATCH(uint32_t, order, &r->mem, (size_t)w->top->count + 1);
    if (!order) return error_memory(err);
    assay_top_order(p, w->top, ASSAY_SORT_SELF, (uint32_t)w->columns.at[0].k, order);
    return stream_clusters_init(&w->clusters, &w->rows, order, &w->groups, metric, r->set.cluster > 1 ? r->set.cluster : 0, &r->mem, err);
}

int loads_show(assay_reporter *r, const char *path, const assay_profile *p, enum stream_by by, assay_error *err)
{
    SCOPED(work_done) struct work w = { .top = NULL };
    assay_metric_id metric;
    TRY(assay_top_new(p, &w.top, err));
    struct metric_set set = { .profile = p, .at = w.top->metrics, .count = w.top->metric_count };
    TRY(metric_columns_init(&w.columns, &r->mem, &set, r->set.metric, err));
    TRY(over_metric(&w.columns, "--by", &metric, err));
    TRY(stream_groups_init(&w.groups, p, by, &r->mem, err));
    TRY(stream_rows_functions(&w.rows, p, w.top, NULL, &r->mem, err));
    TRY(stream_loads_init(&w.loads, &w.rows, &w.groups, metric, &r->mem, err));
    if (r->set.cluster) TRY(find_clusters(r, &w, p, metric, err));
    SCRATCH(uint32_t, order, &r->mem, (size_t)w.groups.count + 1);
    if (!order) return error_memory(err);
    stream_loads_order(&w.loads, r->set.has_sort && r->set.sort == ASSAY_SORT_NAME, order);
    struct report_loads show = { .loads = &w.loads, .top = w.top, .order = order, .clusters = r->set.cluster ? &w.clusters : NULL };
    report_loads(&r->report, path, &show);
    return 0;
}
