/* `diff --scaling`; see scaling.h. */
#include "report/scaling.h"

#include <math.h>
#include <stdio.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/path.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/change.h"
#include "report/function.h"
#include "report/plot.h"

enum { LIMIT_DEFAULT = 30 };

static const char *const kinds[] = { "strong", "weak" };

static size_t rows_shown(const struct report *r, const struct scaling_run *run)
{
    uint64_t limit = !r->has_limit ? LIMIT_DEFAULT : r->limit ? r->limit : UINT64_MAX;
    return run->count < limit ? run->count : (size_t)limit;
}

/* ---- JSON ---- */

static void put_double(struct json *j, const char *key, double v)
{
    json_key(j, key);
    if (isnan(v))
        json_null(j);
    else
        json_double(j, v);
}

static void put_cost(struct json *j, const struct scaling_cost *c)
{
    put_double(j, "before", c->before);
    put_double(j, "ideal", c->ideal);
    put_double(j, "after", c->after);
    put_double(j, "loss", c->loss);
    put_double(j, "efficiency", c->efficiency);
}

static void put_row(struct report *r, const struct scaling_run *run, const struct scaling_row *row)
{
    struct json *j = &r->json;
    const assay_diff_func *f = &run->diff->funcs[row->row];
    struct function_info info = { .name = slice_of(f->name), .file = slice_of(f->file), .line = f->line, .module = slice_of(f->module) };
    report_bytes place = { 0 };
    json_object(j);
    report_function_json(j, &info);
    if (run->diff->by == ASSAY_DIFF_BY_CONTEXT) {
        json_key(j, "context");
        json_text(j, report_diff_place(r->mem, &place, run->diff, row->row, SIZE_MAX));
        vec_done(r->mem, &place);
    }
    json_key(j, "self");
    json_object(j);
    put_cost(j, &row->self);
    json_end(j);
    json_key(j, "total");
    json_object(j);
    put_cost(j, &row->total);
    json_end(j);
    put_double(j, "share", row->share);
    json_end(j);
}

static void put_run(struct report *r, const struct scaling_run *run)
{
    struct json *j = &r->json;
    size_t shown = rows_shown(r, run);
    json_object(j);
    json_key(j, "path");
    json_text(j, run->path);
    json_key(j, "ranks");
    json_u64(j, run->ranks);
    put_cost(j, &run->cost);
    put_double(j, "speedup", run->speedup);
    json_key(j, "rows");
    json_array(j);
    for (size_t i = 0; i < shown && !cancel_at(i); i++) put_row(r, run, &run->rows[i]);
    json_end(j);
    report_rows_json(j, run->count, shown);
    json_end(j);
}

static void put_json(struct report *r, const struct scaling *s)
{
    struct json *j = &r->json;
    report_json_begin(r, "diff");
    json_key(j, "scaling");
    json_text(j, kinds[s->kind]);
    json_key(j, "by");
    json_text(j, report_diff_nouns[s->runs[1].diff->by]);
    json_key(j, "metric");
    json_text(j, s->metric);
    json_key(j, "runs");
    json_array(j);
    for (size_t i = 0; i < s->count; i++) put_run(r, &s->runs[i]);
    json_end(j);
}

/* ---- tables ---- */

static void put_figure(const struct report *r, struct table *t, double v, const char *unit)
{
    char buf[48];
    bool is_csv = r->style == REPORT_CSV;
    table_text(t, isnan(v) ? is_csv ? "" : "-" : value_text(buf, r->exact || is_csv, ASSAY_F64, (assay_value){ .d = v }, unit));
}

static void put_ratio(const struct report *r, struct table *t, double v)
{
    char buf[48];
    if (isnan(v) || r->style == REPORT_CSV)
        put_figure(r, t, v, "");
    else
        table_text(t, report_percent(buf, r, v, 1));
}

static void put_costs(const struct report *r, struct table *t, const struct scaling_cost *c, const char *unit)
{
    put_figure(r, t, c->before, unit);
    put_figure(r, t, c->ideal, unit);
    put_figure(r, t, c->after, unit);
    put_figure(r, t, c->loss, unit);
}

static void put_place(struct report *r, const struct scaling_run *run, size_t row)
{
    report_bytes place = { 0 };
    const assay_profile_diff *d = run->diff;
    bool is_text = r->style == REPORT_TEXT;
    if (d->by == ASSAY_DIFF_BY_FUNCTION) table_text(r->table, d->funcs[row].name);
    const char *text = report_diff_place(r->mem, &place, d, row, is_text ? REPORT_NAMES_SHOWN : SIZE_MAX);
    table_text(r->table, d->by == ASSAY_DIFF_BY_FUNCTION && is_text && !r->full_names ? path_base(text) : text);
    vec_done(r->mem, &place);
}

static void put_row_cells(struct report *r, const struct scaling *s, const struct scaling_run *run, const struct scaling_row *row)
{
    put_costs(r, r->table, &row->self, s->unit);
    put_ratio(r, r->table, row->share);
    put_ratio(r, r->table, row->self.efficiency);
    put_figure(r, r->table, row->total.loss, s->unit);
    put_ratio(r, r->table, row->total.efficiency);
    put_place(r, run, row->row);
}

static void put_row_heads(struct report *r, const struct scaling *s)
{
    static const char *const heads[] = { "before", "ideal", "after", "loss", "of loss", "efficiency", "loss with callees", "with callees" };
    enum assay_diff_by by = s->runs[1].diff->by;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) table_column(r->table, heads[i], TABLE_RIGHT);
    table_column(r->table, report_diff_nouns[by], TABLE_LEFT);
    if (by == ASSAY_DIFF_BY_FUNCTION) table_column(r->table, "file", TABLE_LEFT);
}

static void print(struct report *r)
{
    if (table_print(r->table, report_table_style(r), r->out, NULL) != 0) r->out_of_memory = true;
    table_free(r->table);
    r->table = NULL;
}

static void put_runs(struct report *r, const struct scaling *s)
{
    static const char *const heads[] = { "ranks", "cost", "ideal", "loss", "efficiency", "speedup", "run", NULL };
    report_ink(r, REPORT_BOLD);
    text_show(r->out, slice_of(s->metric));
    report_plain(r);
    output_printf(r->out, ", %s scaling of %zu runs\n%s", kinds[s->kind], s->count, r->style == REPORT_TEXT ? "" : "\n");
    if (!report_table(r, heads, "rrrrrrl")) return;
    for (size_t i = 0; i < s->count; i++) {
        const struct scaling_run *run = &s->runs[i];
        report_cell_u64(r->table, run->ranks);
        put_figure(r, r->table, run->cost.after, s->unit);
        put_figure(r, r->table, run->cost.ideal, s->unit);
        put_figure(r, r->table, run->cost.loss, s->unit);
        put_ratio(r, r->table, run->cost.efficiency);
        put_figure(r, r->table, run->speedup, "");
        table_text(r->table, run->path);
    }
    print(r);
}

/* The run with most ranks has most to tell. */
static const struct scaling_run *largest(const struct scaling *s)
{
    const struct scaling_run *best = &s->runs[1];
    for (size_t i = 2; i < s->count; i++)
        if (s->runs[i].ranks >= best->ranks) best = &s->runs[i];
    return best;
}

static void put_table(struct report *r, const struct scaling *s)
{
    static const char *const none[] = { NULL };
    const struct scaling_run *run = largest(s);
    size_t shown = rows_shown(r, run);
    const char *noun = report_diff_nouns[run->diff->by];
    put_runs(r, s);
    output_char(r->out, '\n');
    text_show(r->out, slice_of(run->path));
    output_printf(r->out, ", ranks %llu against %llu: %zu of %zu %s%s by loss\n%s", (unsigned long long)run->ranks, (unsigned long long)s->runs[0].ranks, shown,
                  run->count, noun, run->count == 1 ? "" : "s", r->style == REPORT_TEXT ? "" : "\n");
    if (!report_table(r, none, "")) return;
    put_row_heads(r, s);
    for (size_t i = 0; i < shown && !cancel_at(i); i++) put_row_cells(r, s, run, &run->rows[i]);
    print(r);
}

/* All runs in one table. */
static void put_csv(struct report *r, const struct scaling *s)
{
    static const char *const heads[] = { "path", "ranks", NULL };
    if (!report_table(r, heads, "lr")) return;
    put_row_heads(r, s);
    for (size_t i = 1; i < s->count; i++) {
        size_t shown = rows_shown(r, &s->runs[i]);
        for (size_t k = 0; k < shown && !cancel_at(k); k++) {
            table_text(r->table, s->runs[i].path);
            report_cell_u64(r->table, s->runs[i].ranks);
            put_row_cells(r, s, &s->runs[i], &s->runs[i].rows[k]);
        }
    }
}

void report_scaling(struct report *r, const struct scaling *s)
{
    if (r->style == REPORT_JSON)
        put_json(r, s);
    else if (r->style == REPORT_CSV)
        put_csv(r, s);
    else
        put_table(r, s);
}

/* ---- the plot ---- */

static double x_of(const void *arg, uint32_t i) { return log2((double)((const struct scaling *)arg)->runs[i].ranks); }

static double y_of(const void *arg, uint32_t i)
{
    double efficiency = ((const struct scaling *)arg)->runs[i].cost.efficiency;
    return isnan(efficiency) ? 0 : efficiency;
}

void report_scaling_svg(struct report *r, const struct scaling *s)
{
    char title[200], tip[400], percent[48], ranks[24];
    struct plot p = { .o = r->out, .x_from = x_of(s, 0), .x_to = x_of(s, 0), .y_to = 1, .unit = "%" };
    for (uint32_t i = 0; i < s->count; i++) {
        if (x_of(s, i) < p.x_from) p.x_from = x_of(s, i);
        if (x_of(s, i) > p.x_to) p.x_to = x_of(s, i);
        if (y_of(s, i) > p.y_to) p.y_to = y_of(s, i);
    }
    snprintf(title, sizeof title, "%s scaling: %.120s", s->kind == SCALING_STRONG ? "Strong" : "Weak", s->metric);
    snprintf(tip, sizeof tip, "%zu runs against %llu ranks", s->count, (unsigned long long)s->runs[0].ranks);
    plot_begin(&p, slice_of(title), tip, "ranks", "efficiency");
    plot_level(&p, 1, SLICE("ideal"));
    plot_line(&p, (uint32_t)s->count, x_of, y_of, s, 0);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct scaling_run *run = &s->runs[i];
        number_percent(percent, y_of(s, i), 1);
        snprintf(ranks, sizeof ranks, "%llu", (unsigned long long)run->ranks);
        snprintf(tip, sizeof tip, "%.200s: %s ranks, efficiency %s", run->path, ranks, percent);
        plot_tick(&p, x_of(s, i), slice_of(ranks));
        plot_point(&p, x_of(s, i), y_of(s, i), slice_of(tip), 0);
        if (i) plot_mark(&p, x_of(s, i), y_of(s, i), slice_of(percent));
    }
    plot_end(&p);
}
