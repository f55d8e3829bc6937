/* One function over streams; see course.h. */
#include "report/course.h"

#include <stdio.h>

#include "analysis/core/function.h"
#include "analysis/core/units.h"
#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/function.h"
#include "report/stats.h"

enum { LIMIT_DEFAULT = 30, NAMED = 8 };

/* ---- JSON ---- */

static void put_value(struct json *j, const struct report_course *x, const char *key, enum assay_type type, assay_value v)
{
    json_key(j, key);
    json_object(j);
    json_key_slice(j, metric_name(x->groups->profile, x->metric));
    json_value(j, type, v);
    json_end(j);
}

static void put_row_json(struct json *j, const struct report_course *x, const struct stream_course *c, uint32_t group)
{
    char buf[STREAM_NAME];
    json_object(j);
    json_key(j, "name");
    json_string(j, stream_group_name(x->groups, group, buf));
    put_value(j, x, "self", c->type, c->self[group]);
    put_value(j, x, "total", c->type, c->total[group]);
    json_key(j, "outlier");
    json_bool(j, stream_course_is_outlier(c, group));
    json_end(j);
}

static void put_json(struct report *r, const struct report_course *x, const struct function_info *f, const struct stream_course *c)
{
    struct json *j = &r->json;
    char buf[STREAM_NAME];
    json_object(j);
    report_function_json(j, f);
    json_key(j, "of");
    json_text(j, c->by_total ? "total" : "self");
    json_key(j, "stats");
    report_stat_json(j, x->groups, c->type, &c->stat, c->all);
    json_key(j, "median");
    json_double(j, c->median);
    json_key(j, "outliers");
    json_array(j);
    for (uint32_t i = 0; i < c->outlier_count; i++) json_string(j, stream_group_name(x->groups, c->outliers[i], buf));
    json_end(j);
    json_key(j, "rows");
    json_array(j);
    for (uint32_t group = 1; group <= x->groups->count && !cancel_at(group); group++) put_row_json(j, x, c, group);
    json_end(j);
    json_end(j);
}

void report_course_begin_input(struct report *r, const struct report_course *x)
{
    struct json *j = &r->json;
    if (r->style != REPORT_JSON) return;
    if (r->file_count == 1)
        report_json_begin(r, x->verb);
    else
        json_object(j);
    json_key(j, "path");
    json_text(j, x->path);
    json_key(j, "metric");
    json_string(j, metric_name(x->groups->profile, x->metric));
    json_key(j, "by");
    json_text(j, stream_by_words[x->groups->by]);
    json_key(j, "functions");
    json_array(j);
}

void report_course_end_input(struct report *r, const struct report_course *x)
{
    (void)x;
    if (r->style == REPORT_JSON) {
        json_end(&r->json);
        if (r->file_count != 1) json_end(&r->json);
    }
    r->shown++;
}

/* ---- tables ---- */

static void put_cells(struct report *r, const struct report_course *x, const struct stream_course *c, uint32_t group)
{
    char buf[STREAM_NAME];
    bool exact = r->exact || r->style == REPORT_CSV;
    const char *unit = units_name(x->groups->profile, x->metric);
    double whole = c->stat.sum;
    table_cell(r->table, stream_group_name(x->groups, group, buf));
    table_text(r->table, value_text(buf, exact, c->type, c->self[group], unit));
    table_text(r->table, value_text(buf, exact, c->type, c->total[group], unit));
    table_text(r->table, report_percent(buf, r, stream_course_value(c, group), whole));
    table_text(r->table, stream_course_is_outlier(c, group) ? r->style == REPORT_CSV ? "1" : "outlier" : r->style == REPORT_CSV ? "0" : "");
}

static void put_csv(struct report *r, const struct report_course *x, const struct function_info *f, const struct stream_course *c)
{
    static const char *const heads[] = { "path", "function", "group", "self", "total", "share", "outlier", NULL };
    bool has_one = r->file_count == 1;
    if (!r->table && !report_table(r, heads + has_one, &"lllrrrr"[has_one])) return;
    uint32_t count = r->has_limit && r->limit && r->limit < x->groups->count ? (uint32_t)r->limit : x->groups->count;
    for (uint32_t group = 1; group <= count && !cancel_at(group); group++) {
        if (!has_one) table_text(r->table, x->path);
        table_cell(r->table, f->name);
        put_cells(r, x, c, group);
    }
}

static void put_outliers(struct report *r, const struct report_course *x, const struct stream_course *c)
{
    char buf[STREAM_NAME];
    if (!c->outlier_count) return;
    output_printf(r->out, "%u outlier%s: ", c->outlier_count, c->outlier_count == 1 ? "" : "s");
    for (uint32_t i = 0; i < c->outlier_count && i < NAMED; i++) {
        if (i) output_text(r->out, ", ");
        text_show(r->out, stream_group_name(x->groups, c->outliers[i], buf));
    }
    output_text(r->out, c->outlier_count > NAMED ? ", ...\n" : "\n");
}

static void put_title(struct report *r, const struct report_course *x, const struct function_info *f, const struct stream_course *c, uint32_t count)
{
    char imbalance[48], lost[48];
    uint32_t all = x->groups->count;
    number_percent(imbalance, c->stat.imbalance, 1);
    value_text(lost, r->exact, ASSAY_F64, (assay_value){ .d = c->stat.lost }, units_name(x->groups->profile, x->metric));
    if (x->shown || r->shown) output_char(r->out, '\n');
    text_show(r->out, slice_of(x->path));
    output_text(r->out, ": ");
    report_ink(r, REPORT_BOLD);
    report_put_name(r, r->out, f->name);
    report_plain(r);
    output_printf(r->out, ", %s by %s, %u of %u", c->by_total ? "total" : "self", stream_by_words[x->groups->by], count, all);
    if (c->stat.sum > 0) output_printf(r->out, ", imbalance %s, lost %s", imbalance, lost);
    output_text(r->out, r->style == REPORT_TEXT ? "\n" : "\n\n");
}

/* The largest first. */
static void put_table(struct report *r, const struct report_course *x, const struct function_info *f, const struct stream_course *c)
{
    static const char *const heads[] = { NULL, "self", "total", "share", "", NULL };
    uint32_t all = x->groups->count;
    uint64_t limit = !r->has_limit ? LIMIT_DEFAULT : r->limit ? r->limit : UINT64_MAX;
    uint32_t count = all < limit ? all : (uint32_t)limit;
    const char *named[6] = { stream_by_words[x->groups->by], heads[1], heads[2], heads[3], heads[4], NULL };
    put_title(r, x, f, c, count);
    if (!report_table(r, named, "lrrrl")) return;
    for (uint32_t i = 0; i < count && !cancel_at(i); i++) put_cells(r, x, c, c->sorted[i]);
    if (table_print(r->table, report_table_style(r), r->out, NULL) != 0) r->out_of_memory = true;
    table_free(r->table);
    r->table = NULL;
    put_outliers(r, x, c);
}

void report_course(struct report *r, struct report_course *x, uint32_t func, const struct stream_course *c)
{
    struct function_info f = function_info_of(x->groups->profile, func);
    if (r->style == REPORT_JSON)
        put_json(r, x, &f, c);
    else if (r->style == REPORT_CSV)
        put_csv(r, x, &f, c);
    else
        put_table(r, x, &f, c);
    x->shown++;
}
