/* Streams by cost; see loads.h. */
#include "report/loads.h"

#include <math.h>
#include <stdio.h>

#include "analysis/core/units.h"
#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/function.h"
#include "report/stats.h"

enum { LIMIT_DEFAULT = 30, FEATURES_SHOWN = 3 };

static uint32_t rows_shown(const struct report *r, const struct report_loads *l)
{
    uint64_t limit = !r->has_limit ? LIMIT_DEFAULT : r->limit ? r->limit : UINT64_MAX;
    return l->loads->groups->count < limit ? l->loads->groups->count : (uint32_t)limit;
}

static const assay_profile *profile_of(const struct report_loads *l) { return l->loads->groups->profile; }

static struct function_info function_of(const struct report_loads *l, uint32_t row) { return function_info_of(profile_of(l), l->top->func[row].v); }

static uint32_t streams_of(const struct stream_groups *g, uint32_t group) { return g->begin[group + 1] - g->begin[group]; }

/* ---- JSON ---- */

static void put_key_double(struct json *j, const char *key, double v)
{
    json_key(j, key);
    if (isnan(v))
        json_null(j);
    else
        json_double(j, v);
}

static void put_hottest(struct json *j, const struct report_loads *l, uint32_t group)
{
    const struct stream_loads *x = l->loads;
    const struct stream_load *load = &x->at[group];
    json_key(j, "hottest");
    if (!load->hottest) {
        json_null(j);
        return;
    }
    struct function_info f = function_of(l, load->hottest - 1);
    json_object(j);
    report_function_json(j, &f);
    json_key(j, "self");
    json_value(j, x->type, load->heat);
    put_key_double(j, "share", stream_load_heat(x, group));
    json_end(j);
}

static void put_row_json(struct json *j, const struct report_loads *l, uint32_t group)
{
    const struct stream_loads *x = l->loads;
    const struct stream_load *load = &x->at[group];
    char buf[STREAM_NAME];
    json_object(j);
    json_key(j, "name");
    json_string(j, stream_group_name(x->groups, group, buf));
    json_key(j, "streams");
    json_u64(j, streams_of(x->groups, group));
    json_key(j, "total");
    json_object(j);
    json_key_slice(j, metric_name(profile_of(l), x->metric));
    json_value(j, x->type, load->cost);
    json_end(j);
    put_key_double(j, "share", stream_load_share(x, group));
    put_key_double(j, "off_mean", stream_load_off(x, group));
    put_hottest(j, l, group);
    if (l->clusters) {
        json_key(j, "cluster");
        json_u64(j, l->clusters->of[group]);
    }
    json_end(j);
}

static void put_shares_json(struct json *j, const struct report_loads *l, const struct stream_cluster *x)
{
    json_key(j, "shares");
    json_array(j);
    for (uint32_t k = 0; k < l->clusters->features; k++) {
        struct function_info f = function_of(l, l->clusters->row[k]);
        json_object(j);
        report_function_json(j, &f);
        put_key_double(j, "share", x->share[k]);
        put_key_double(j, "mean_share", l->clusters->share[k]);
        json_end(j);
    }
    json_end(j);
}

static void put_clusters_json(struct json *j, const struct report_loads *l)
{
    const struct stream_clusters *c = l->clusters;
    char buf[STREAM_NAME];
    json_key(j, "clusters");
    json_array(j);
    for (uint32_t i = 1; i <= c->count; i++) {
        json_object(j);
        json_key(j, "cluster");
        json_u64(j, i);
        json_key(j, "size");
        json_u64(j, c->at[i].size);
        json_key(j, "typical");
        json_string(j, stream_group_name(c->groups, c->at[i].centre, buf));
        json_key(j, "members");
        json_array(j);
        for (uint32_t group = 1; group <= c->groups->count; group++)
            if (c->of[group] == i) json_string(j, stream_group_name(c->groups, group, buf));
        json_end(j);
        put_shares_json(j, l, &c->at[i]);
        json_end(j);
    }
    json_end(j);
    put_key_double(j, "explained", c->explained);
}

static void put_json(struct report *r, const char *path, const struct report_loads *l)
{
    struct json *j = &r->json;
    const struct stream_loads *x = l->loads;
    if (r->file_count == 1)
        report_json_begin(r, "top");
    else
        json_object(j);
    json_key(j, "path");
    json_text(j, path);
    json_key(j, "metric");
    json_string(j, metric_name(profile_of(l), x->metric));
    json_key(j, "total");
    report_total_json(j, profile_of(l), x->metric.v);
    json_key(j, "by");
    json_text(j, stream_by_words[x->groups->by]);
    report_filtered_json(j, profile_of(l), x->metric.v);
    json_key(j, "stats");
    report_stat_json(j, x->groups, x->type, &x->stat, x->all);
    json_key(j, "rows");
    json_array(j);
    uint32_t count = rows_shown(r, l);
    for (uint32_t i = 0; i < count && !cancel_at(i); i++) put_row_json(j, l, l->order[i]);
    json_end(j);
    report_rows_json(j, x->groups->count, count);
    if (l->clusters) put_clusters_json(j, l);
    if (r->file_count != 1) json_end(j);
}

/* ---- tables ---- */

/* "+12.3%" for people. */
static void put_off(const struct report *r, struct table *table, double off)
{
    char buf[49];
    if (isnan(off))
        table_text(table, r->style == REPORT_CSV ? "" : "-");
    else if (r->style == REPORT_CSV)
        table_text(table, value_text(buf, true, ASSAY_F64, (assay_value){ .d = off }, ""));
    else {
        buf[0] = '+';
        number_percent(buf + (off >= 0), off, 1);
        table_text(table, buf);
    }
}

static void put_name(struct report *r, struct table *table, assay_slice name)
{
    struct output *out;
    if (r->style != REPORT_TEXT) {
        table_cell(table, name);
        return;
    }
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    report_put_name(r, out, name);
    table_cell(table, output_memory(out));
    output_abort(out);
}

static void put_row(struct report *r, struct table *table, const struct report_loads *l, uint32_t group)
{
    const struct stream_loads *x = l->loads;
    const struct stream_load *load = &x->at[group];
    char buf[STREAM_NAME];
    bool is_csv = r->style == REPORT_CSV, exact = r->exact || is_csv;
    const char *unit = units_name(profile_of(l), x->metric);
    table_text(table, value_text(buf, exact, x->type, load->cost, unit));
    table_text(table, report_percent(buf, r, value_double(x->type, load->cost), x->whole));
    put_off(r, table, stream_load_off(x, group));
    report_cell_u64(table, streams_of(x->groups, group));
    if (l->clusters) report_cell_u64(table, l->clusters->of[group]);
    table_cell(table, stream_group_name(x->groups, group, buf));
    if (!load->hottest) {
        for (int i = 0; i < (is_csv ? 4 : 3); i++) table_text(table, "");
        return;
    }
    struct function_info f = function_of(l, load->hottest - 1);
    table_text(table, value_text(buf, exact, x->type, load->heat, unit));
    table_text(table, report_percent(buf, r, value_double(x->type, load->heat), value_double(x->type, load->cost)));
    put_name(r, table, f.name);
    if (is_csv) table_cell(table, f.file);
}

static void put_heads(struct report *r, const struct report_loads *l)
{
    static const char *const costs[] = { "cost", "cost%", "off mean", "streams" };
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) table_column(r->table, costs[i], TABLE_RIGHT);
    if (l->clusters) table_column(r->table, "cluster", TABLE_RIGHT);
    table_column(r->table, stream_by_words[l->loads->groups->by], TABLE_LEFT);
    table_column(r->table, "self", TABLE_RIGHT);
    table_column(r->table, "self%", TABLE_RIGHT);
    table_column(r->table, "hottest function", TABLE_LEFT);
    if (r->style == REPORT_CSV) table_column(r->table, "file", TABLE_LEFT);
}

static void print(struct report *r)
{
    if (table_print(r->table, report_table_style(r), r->out, NULL) != 0) r->out_of_memory = true;
    table_free(r->table);
    r->table = NULL;
}

/* "rank 0 to rank 6, rank 9": neighbours are taken together. */
static void put_members(struct output *out, const struct stream_clusters *c, uint32_t cluster)
{
    enum { PARTS = 6 };
    char buf[STREAM_NAME];
    uint32_t parts = 0;
    for (uint32_t group = 1, to; group <= c->groups->count; group = to + 1) {
        to = group;
        if (c->of[group] != cluster) continue;
        while (to < c->groups->count && c->of[to + 1] == cluster) to++;
        if (parts++ == PARTS) {
            output_text(out, ", ...");
            return;
        }
        if (parts > 1) output_text(out, ", ");
        output_slice(out, stream_group_name(c->groups, group, buf));
        if (to == group) continue;
        output_text(out, to == group + 1 ? ", " : " to ");
        output_slice(out, stream_group_name(c->groups, to, buf));
    }
}

static void put_cluster(struct report *r, const struct report_loads *l, uint32_t cluster)
{
    const struct stream_clusters *c = l->clusters;
    const struct stream_cluster *x = &c->at[cluster];
    char buf[48];
    struct output *out;
    report_cell_u64(r->table, cluster);
    report_cell_u64(r->table, x->size);
    table_text(r->table, report_percent(buf, r, x->share[x->apart], 1));
    table_text(r->table, report_percent(buf, r, c->share[x->apart], 1));
    put_name(r, r->table, function_of(l, c->row[x->apart]).name);
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    put_members(out, c, cluster);
    table_cell(r->table, output_memory(out));
    output_abort(out);
}

static void put_clusters(struct report *r, const struct report_loads *l)
{
    static const char *const heads[] = { "cluster", "size", "share", "all", "function that sets it apart", "members", NULL };
    const struct stream_clusters *c = l->clusters;
    char buf[48];
    if (c->count == 1) {
        output_printf(r->out, "\none cluster: all spend their cost alike\n");
        return;
    }
    number_percent(buf, c->explained, 1);
    output_printf(r->out, "\n%u clusters by the shares of the %u most expensive functions; they explain %s of the differences\n%s", c->count, c->features, buf,
                  r->style == REPORT_TEXT ? "" : "\n");
    if (!report_table(r, heads, "rrrrll")) return;
    for (uint32_t i = 1; i <= c->count; i++) put_cluster(r, l, i);
    print(r);
}

static void put_table(struct report *r, const char *path, const struct report_loads *l)
{
    static const char *const none[] = { NULL };
    const struct stream_loads *x = l->loads;
    uint32_t count = rows_shown(r, l), all = x->groups->count;
    char total[48], percent[48];
    if (!report_table(r, none, "")) return;
    put_heads(r, l);
    if (r->shown) output_char(r->out, '\n');
    text_show(r->out, slice_of(path));
    output_text(r->out, ": ");
    report_ink(r, REPORT_BOLD);
    text_show(r->out, metric_name(profile_of(l), x->metric));
    report_plain(r);
    output_printf(r->out, " %s, %u of %u %s", metric_total_text(total, r->exact, profile_of(l), x->metric.v), count, all,
                  all == 1 ? stream_by_words[x->groups->by] : stream_by_several[x->groups->by]);
    if (!isnan(x->stat.imbalance)) {
        number_percent(percent, x->stat.imbalance, 1);
        value_text(total, r->exact, ASSAY_F64, (assay_value){ .d = x->stat.lost }, units_name(profile_of(l), x->metric));
        output_printf(r->out, ", imbalance %s, lost %s", percent, total);
    }
    output_text(r->out, r->style == REPORT_TEXT ? "\n" : "\n\n");
    report_filtered(r, profile_of(l), x->metric.v);
    for (uint32_t i = 0; i < count && !cancel_at(i); i++) put_row(r, r->table, l, l->order[i]);
    print(r);
    if (l->clusters) put_clusters(r, l);
}

static void put_csv(struct report *r, const char *path, const struct report_loads *l)
{
    static const char *const heads[] = { "path", NULL };
    if (!r->table && report_table(r, heads + (r->file_count == 1), "l")) put_heads(r, l);
    uint32_t count = rows_shown(r, l);
    for (uint32_t i = 0; r->table && i < count && !cancel_at(i); i++) {
        if (r->file_count != 1) table_text(r->table, path);
        put_row(r, r->table, l, l->order[i]);
    }
}

void report_loads(struct report *r, const char *path, const struct report_loads *l)
{
    if (r->style == REPORT_JSON)
        put_json(r, path, l);
    else if (r->style == REPORT_CSV)
        put_csv(r, path, l);
    else
        put_table(r, path, l);
    r->shown++;
}
