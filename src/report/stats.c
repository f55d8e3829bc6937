/* Statistics over streams; see stats.h. */
#include "report/stats.h"

#include <math.h>
#include <stdio.h>

#include "analysis/core/units.h"
#include "base/number.h"
#include "base/plural.h"

enum { WIDE = 150 }; /* columns: a narrower terminal does without some */

static bool is_wide(const struct report *r) { return r->style != REPORT_TEXT || !r->width || r->width >= WIDE; }

/* ---- tables ---- */

void report_stats_heads(struct report *r, enum stream_by by)
{
    bool is_csv = r->style == REPORT_CSV;
    table_column(r->table, stream_by_several[by], TABLE_RIGHT);
    if (is_csv) table_column(r->table, "measured", TABLE_RIGHT);
    table_column(r->table, "min", TABLE_RIGHT);
    table_column(r->table, "mean", TABLE_RIGHT);
    table_column(r->table, "max", TABLE_RIGHT);
    if (is_wide(r)) table_column(r->table, "stddev", TABLE_RIGHT);
    if (is_wide(r)) table_column(r->table, "cv", TABLE_RIGHT);
    table_column(r->table, "imbalance", TABLE_RIGHT);
    table_column(r->table, "lost", TABLE_RIGHT);
    table_column(r->table, "slowest", TABLE_LEFT);
}

static void put_double(const struct report *r, struct table *table, double v, const char *unit)
{
    char buf[48];
    bool is_csv = r->style == REPORT_CSV;
    table_text(table, isnan(v) ? is_csv ? "" : "-" : value_text(buf, r->exact || is_csv, ASSAY_F64, (assay_value){ .d = v }, unit));
}

/* A ratio: as percent for people, as it is in CSV. */
static void put_ratio(const struct report *r, struct table *table, double v)
{
    char buf[48];
    if (isnan(v) || r->style == REPORT_CSV)
        put_double(r, table, v, "");
    else
        table_text(table, report_percent(buf, r, v, 1));
}

static void put_count(const struct report *r, struct table *table, uint32_t count, uint32_t all)
{
    char buf[32];
    if (r->style == REPORT_CSV) {
        report_cell_u64(table, count);
        report_cell_u64(table, all);
        return;
    }
    snprintf(buf, sizeof buf, count == all ? "%u" : "%u/%u", count, all);
    table_text(table, buf);
}

void report_stats_blank(const struct report *r, struct table *table)
{
    int cells = 7 + (r->style == REPORT_CSV) + 2 * is_wide(r);
    for (int i = 0; i < cells; i++) table_text(table, "");
}

void report_stat_cells(const struct report *r, struct table *table, const struct stream_groups *g, assay_metric_id metric, const struct stream_stat *s,
                       uint32_t all)
{
    char buf[STREAM_NAME];
    const char *unit = units_name(g->profile, metric);
    enum assay_type type = metric_type(g->profile, metric);
    bool exact = r->exact || r->style == REPORT_CSV;
    if (!s->count) {
        report_stats_blank(r, table);
        return;
    }
    put_count(r, table, s->count, all);
    table_text(table, value_text(buf, exact, type, s->min, unit));
    put_double(r, table, s->mean, unit);
    table_text(table, value_text(buf, exact, type, s->max, unit));
    if (is_wide(r)) put_double(r, table, s->deviation, unit);
    if (is_wide(r)) put_ratio(r, table, s->cv);
    put_ratio(r, table, s->imbalance);
    put_double(r, table, s->lost, unit);
    table_cell(table, s->largest ? stream_group_name(g, s->largest, buf) : (assay_slice){ "", 0 });
}

void report_stats_cells(const struct report *r, struct table *table, const struct report_stats *s, uint32_t row)
{
    report_stat_cells(r, table, s->of->groups, s->of->metric, &(s->by_total ? s->of->total : s->of->self)[row], s->of->all);
}

void report_stats_title(const struct report *r, const struct report_stats *s)
{
    const struct stream_groups *g = s->of->groups;
    output_printf(r->out, ", %s over %u %s", s->by_total ? "total" : "self", s->of->all, s->of->all == 1 ? stream_by_words[g->by] : stream_by_several[g->by]);
    if (s->of->all != g->count) output_printf(r->out, " of %u", g->count);
}

/* ---- JSON ---- */

static void put_number(struct json *j, const char *key, double v)
{
    json_key(j, key);
    if (isnan(v))
        json_null(j);
    else
        json_double(j, v);
}

void report_stat_json(struct json *j, const struct stream_groups *g, enum assay_type type, const struct stream_stat *s, uint32_t all)
{
    char buf[STREAM_NAME];
    json_object(j);
    json_key(j, "groups");
    json_u64(j, s->count);
    json_key(j, "measured");
    json_u64(j, all);
    json_key(j, "min");
    json_value(j, type, s->min);
    put_number(j, "mean", s->mean);
    json_key(j, "max");
    json_value(j, type, s->max);
    put_number(j, "stddev", s->deviation);
    put_number(j, "cv", s->cv);
    put_number(j, "imbalance", s->imbalance);
    put_number(j, "lost", s->lost);
    json_key(j, "slowest");
    if (s->largest)
        json_string(j, stream_group_name(g, s->largest, buf));
    else
        json_null(j);
    json_end(j);
}

void report_stats_json(struct json *j, const struct report_stats *s, uint32_t row)
{
    json_key(j, "stats");
    json_object(j);
    json_key(j, "self");
    report_stat_json(j, s->of->groups, s->of->type, &s->of->self[row], s->of->all);
    json_key(j, "total");
    if (s->of->has_totals)
        report_stat_json(j, s->of->groups, s->of->type, &s->of->total[row], s->of->all);
    else
        json_null(j);
    json_end(j);
}

void report_over_json(struct json *j, const struct stream_groups *g, uint32_t all)
{
    json_key(j, "over");
    json_object(j);
    json_key(j, "by");
    json_text(j, stream_by_words[g->by]);
    json_key(j, "groups");
    json_u64(j, g->count);
    json_key(j, "measured");
    json_u64(j, all);
    json_end(j);
}
