/* `info --stats`: how evenly each metric is spread over streams. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/function.h"
#include "analysis/streams/loads.h"
#include "base/number.h"
#include "base/slice.h"
#include "report/info.h"
#include "report/stats.h"

void info_stats_text(struct report *r, const struct info *i)
{
    static const char *const heads[] = { "metric", NULL };
    const struct stream_metrics *m = i->stats;
    const struct stream_groups *g = m->groups;
    output_printf(r->out, "\nover %u %s\n", g->count, g->count == 1 ? stream_by_words[g->by] : stream_by_several[g->by]);
    if (!report_table(r, heads, "l")) return;
    report_stats_heads(r, g->by);
    for (uint32_t k = 0; k < m->count; k++) {
        table_cell(r->table, metric_name(i->profile, m->metric[k]));
        report_stat_cells(r, r->table, g, m->metric[k], &m->stat[k], m->stat[k].count);
    }
    if (table_print(r->table, report_table_style(r), r->out, NULL) != 0) r->out_of_memory = true;
    table_free(r->table);
    r->table = NULL;
}

void info_stats_json(struct json *j, const struct info *i, uint32_t metric)
{
    const struct stream_metrics *m = i->stats;
    for (uint32_t k = 0; k < m->count; k++) {
        if (m->metric[k].v != metric) continue;
        report_over_json(j, m->groups, m->stat[k].count);
        json_key(j, "stats");
        report_stat_json(j, m->groups, metric_type(i->profile, m->metric[k]), &m->stat[k], m->stat[k].count);
    }
}

static void put_row(struct table *t, const struct info *i, uint32_t k, const char *what, const char *value)
{
    const struct assay_metrics *m = assay_profile_metrics(i->profile);
    char name[160];
    assay_slice metric = metric_name(i->profile, i->stats->metric[k]);
    snprintf(name, sizeof name, "%.*s %s", (int)(metric.len < 120 ? metric.len : 120), metric.data, what);
    table_text(t, i->path);
    table_text(t, "stats");
    table_text(t, name);
    table_text(t, value);
    table_text(t, strcmp(what, "cv") == 0 || strcmp(what, "imbalance") == 0 ? "" : report_text(i->profile, MODEL_STR(m->unit, i->stats->metric[k].v)));
}

void info_stats_rows(struct table *t, const struct info *i)
{
    char buf[48];
    for (uint32_t k = 0; k < i->stats->count; k++) {
        const struct stream_stat *s = &i->stats->stat[k];
        enum assay_type type = metric_type(i->profile, i->stats->metric[k]);
        const struct {
            const char *name;
            double value;
        } figures[] = { { "mean", s->mean }, { "stddev", s->deviation }, { "cv", s->cv }, { "imbalance", s->imbalance }, { "lost", s->lost } };
        put_row(t, i, k, "min", value_text(buf, true, type, s->min, ""));
        put_row(t, i, k, "max", value_text(buf, true, type, s->max, ""));
        for (size_t n = 0; n < sizeof figures / sizeof *figures; n++)
            put_row(t, i, k, figures[n].name, isnan(figures[n].value) ? "" : value_text(buf, true, ASSAY_F64, (assay_value){ .d = figures[n].value }, ""));
    }
}
