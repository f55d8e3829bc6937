/* Statistics over streams for the rows of a verb; see over.h. */
#include "report/verbs/over.h"

#include "analysis/core/metric_columns.h"
#include "base/error.h"

int over_metric(const struct metric_columns *columns, const char *option, assay_metric_id *out, assay_error *err)
{
    if (!columns->count) FAIL(err, ASSAY_ERR_USAGE, "%s needs a metric; this file has only calls", option);
    if (columns->at[0].formula)
        FAIL(err, ASSAY_ERR_USAGE, "%s needs a metric that adds up, not '%.*s'", option, (int)columns->at[0].name.len, columns->at[0].name.data);
    *out = columns->metrics[columns->at[0].k];
    return 0;
}

int over_stats(assay_reporter *r, const assay_profile *p, const assay_top *top, const struct top_groups *groups, const struct metric_columns *columns,
               bool by_total, struct over *o, assay_error *err)
{
    assay_metric_id metric;
    TRY(over_metric(columns, "--stats", &metric, err));
    TRY(stream_groups_init(&o->groups, p, stats_by(&r->set), &r->mem, err));
    TRY(stream_rows_functions(&o->rows, p, top, groups, &r->mem, err));
    TRY(stream_stats_init(&o->stats, &o->rows, &o->groups, metric, &r->mem, err));
    o->shown = (struct report_stats){ &o->stats, by_total && o->stats.has_totals };
    return 0;
}

void over_done(struct over *o)
{
    stream_stats_done(&o->stats);
    stream_rows_done(&o->rows);
    stream_groups_done(&o->groups);
}
