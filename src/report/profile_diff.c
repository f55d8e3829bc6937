/* `diff` of two profiles: functions that cost more or less, are new or gone. */
#include <math.h>
#include <stdio.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/path.h"
#include "base/scoped.h"
#include "report/change.h"
#include "report/function.h"
#include "report/issues.h"

enum { LIMIT_DEFAULT = 30 };

const char *const report_diff_nouns[] = { "function", "line", "context" };
static const char *const states[] = { "changed", "new", "gone" };

static size_t rows_shown(const struct report *r, const assay_profile_diff *d)
{
    uint64_t limit = !r->has_limit ? LIMIT_DEFAULT : r->limit ? r->limit : UINT64_MAX;
    return d->count < limit ? d->count : (size_t)limit;
}

static double number(enum assay_type type, assay_value v) { return type == ASSAY_F64 ? v.d : type == ASSAY_U64 ? (double)v.u : (double)v.i; }

/* The difference, exact for integers. */
static assay_wide wide_of(enum assay_type type, assay_value v)
{
    assay_wide zero = { 0, 0 };
    return type == ASSAY_U64 ? wide_add_u64(zero, v.u) : wide_add_i64(zero, v.i);
}

static assay_wide minus(assay_wide v)
{
    assay_wide one = { 1, 0 };
    return wide_add((assay_wide){ ~v.low, ~v.high }, one);
}

static assay_wide difference(enum assay_type type, assay_value before, assay_value after)
{
    return wide_add(wide_of(type, after), minus(wide_of(type, before)));
}

/* ---- names ---- */

static bool put_bytes(struct mem *mem, report_bytes *to, const char *text)
{
    size_t len = strlen(text);
    if (!vec_reserve(mem, to, len + 1)) return false;
    memcpy(to->at + to->len, text, len + 1);
    to->len += len;
    return true;
}

/* From the root on; the way up is the only one that a context knows. */
static bool put_context(struct mem *mem, report_bytes *to, const assay_profile_diff *d, uint32_t context, size_t names)
{
    VEC(const char *) list = { 0 };
    vec_scoped(mem, &list);
    bool done = true;
    for (; context && list.len < names && done; context = d->contexts[context].parent) {
        const char **slot = vec_push(mem, &list);
        done = slot != NULL;
        if (slot) *slot = d->contexts[context].name;
    }
    if (context) done = done && put_bytes(mem, to, "...;");
    for (size_t i = list.len; i > 0 && done; i--) done = put_bytes(mem, to, list.at[i - 1]) && (i == 1 || put_bytes(mem, to, ";"));
    return done;
}

const char *report_diff_place(struct mem *mem, report_bytes *to, const assay_profile_diff *d, size_t row, size_t names)
{
    const assay_diff_func *f = &d->funcs[row];
    char number[16] = "";
    bool is_line = d->by == ASSAY_DIFF_BY_LINE, done;
    to->len = 0;
    if (is_line && f->line) snprintf(number, sizeof number, ":%u", f->line);
    if (f->context)
        done = put_context(mem, to, d, f->context, names);
    else
        done = put_bytes(mem, to, is_line && !*f->file ? "<no file>" : f->file) && put_bytes(mem, to, number);
    return done ? to->at : "";
}

/* ---- JSON ---- */

enum side { BEFORE, AFTER, DELTA };

static void put_value(struct json *j, enum assay_type type, assay_value before, assay_value after, enum side side)
{
    if (side != DELTA)
        json_value(j, type, side == BEFORE ? before : after);
    else if (type == ASSAY_F64)
        json_double(j, after.d - before.d);
    else
        json_wide(j, difference(type, before, after));
}

static bool is_shown(const assay_profile_diff *d, size_t k)
{
    for (size_t i = 0; i < d->shown_count; i++)
        if (d->shown[i] == k) return true;
    return false;
}

static void put_values(struct json *j, const assay_profile_diff *d, size_t row, const assay_value *before, const assay_value *after, enum side side,
                       bool is_short)
{
    json_object(j);
    for (size_t k = 0; k < d->metric_count; k++) {
        if (is_short && !is_shown(d, k)) continue;
        size_t at = row * d->metric_count + k;
        json_key(j, d->metrics[k].name);
        put_value(j, d->metrics[k].type, before[at], after[at], side);
    }
    json_end(j);
}

static void put_side(struct json *j, const char *key, const assay_profile_diff *d, size_t row, enum side side, bool is_short)
{
    const assay_diff_func *f = &d->funcs[row];
    json_key(j, key);
    json_object(j);
    json_key(j, "self");
    put_values(j, d, row, d->before_self, d->after_self, side, is_short);
    json_key(j, "total");
    put_values(j, d, row, d->before_total, d->after_total, side, is_short);
    json_key(j, "calls");
    if (side == DELTA)
        json_wide(j, difference(ASSAY_U64, (assay_value){ .u = f->before_calls }, (assay_value){ .u = f->after_calls }));
    else
        json_u64(j, side == BEFORE ? f->before_calls : f->after_calls);
    json_end(j);
}

static void put_text(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    if (*text)
        json_text(j, text);
    else
        json_null(j);
}

/* The names from the root on. */
static void put_path(struct json *j, const assay_profile_diff *d, uint32_t context, struct report *r)
{
    VEC(const char *) names = { 0 };
    vec_scoped(r->mem, &names);
    for (; context; context = d->contexts[context].parent) {
        const char **slot = vec_push(r->mem, &names);
        if (!slot) r->out_of_memory = true;
        if (!slot) break;
        *slot = d->contexts[context].name;
    }
    json_key(j, "path");
    json_array(j);
    for (size_t i = names.len; i > 0; i--) json_text(j, names.at[i - 1]);
    json_end(j);
}

static void put_row(struct report *r, const struct report_profile_diff *p, size_t row)
{
    struct json *j = &r->json;
    const assay_profile_diff *d = p->diff;
    const assay_diff_func *f = &d->funcs[row];
    json_object(j);
    put_text(j, "name", f->name);
    if (f->context) put_path(j, d, f->context, r);
    put_text(j, "file", f->file);
    put_text(j, "module", f->module);
    json_key(j, "line");
    if (f->line)
        json_u64(j, f->line);
    else
        json_null(j);
    json_key(j, "state");
    json_text(j, states[f->state]);
    put_side(j, "before", d, row, BEFORE, r->is_short);
    put_side(j, "after", d, row, AFTER, r->is_short);
    put_side(j, "delta", d, row, DELTA, r->is_short);
    json_end(j);
}

static void put_gate(struct json *j, const struct report_profile_diff *p)
{
    json_key(j, "gate");
    if (!p->has_gate) {
        json_null(j);
        return;
    }
    json_object(j);
    json_key(j, "metric");
    json_text(j, p->diff->metrics[p->gate.k].name);
    json_key(j, "fail_above");
    json_double(j, p->gate.percent);
    json_key(j, "min_cost");
    json_double(j, p->gate.min_cost);
    json_key(j, "normalised");
    json_bool(j, p->gate.normalise);
    json_key(j, "ok");
    json_bool(j, p->is_ok);
    json_end(j);
}

static void put_json(struct report *r, const struct report_profile_diff *p)
{
    struct json *j = &r->json;
    const assay_profile_diff *d = p->diff;
    size_t count = rows_shown(r, d);
    report_json_begin(r, "diff");
    json_key(j, "before_path");
    json_text(j, p->before);
    json_key(j, "after_path");
    json_text(j, p->after);
    json_key(j, "by");
    json_text(j, report_diff_nouns[d->by]);
    json_key(j, "metrics");
    json_array(j);
    for (size_t k = 0; k < d->metric_count; k++) {
        if (r->is_short && !is_shown(d, k)) continue;
        json_object(j);
        json_key(j, "name");
        json_text(j, d->metrics[k].name);
        json_key(j, "unit");
        json_text(j, d->metrics[k].unit);
        json_key(j, "before");
        json_double(j, d->metrics[k].before_total);
        json_key(j, "after");
        json_double(j, d->metrics[k].after_total);
        json_end(j);
    }
    json_end(j);
    report_u64_json(j, "changed", d->count);
    report_u64_json(j, "same", d->same);
    json_key(j, "rows");
    json_array(j);
    for (size_t i = 0; i < count && !cancel_at(i); i++) put_row(r, p, i);
    json_end(j);
    report_rows_json(j, d->count, count);
    put_gate(j, p);
    json_end(j);
}

/* ---- tables ---- */

static void put_cell(const struct report *r, struct table *t, const assay_diff_metric *m, assay_value v)
{
    char buf[48];
    bool is_csv = r->style == REPORT_CSV;
    table_text(t, isnan(number(m->type, v)) ? is_csv ? "" : "-" : value_text(buf, r->exact || is_csv, m->type, v, m->unit));
}

/* "+12.3 k", exact where that is asked for. */
static void put_delta(const struct report *r, struct table *t, const assay_diff_metric *m, assay_value before, assay_value after)
{
    char buf[64] = "+", *text = buf;
    bool is_exact = r->exact || r->style == REPORT_CSV;
    double change = number(m->type, after) - number(m->type, before);
    if (change > 0) text++;
    if (isnan(change))
        snprintf(buf, sizeof buf, "%s", r->style == REPORT_CSV ? "" : "-");
    else if (!is_exact)
        number_human(text, change, m->unit);
    else if (m->type == ASSAY_F64)
        number_put_double(text, change);
    else
        number_put_wide(text, difference(m->type, before, after));
    table_text(t, buf);
}

enum { GROWTH_SIZE = 49 };

/* By how much it grew: "+12.34%", "<0.01%"; "" from nothing. */
static const char *growth(char *buf, const struct report *r, double before, double after)
{
    buf[0] = '\0';
    if (!(before > 0) || !isfinite(after)) return buf;
    buf[0] = '+';
    report_percent(buf + 1, r, after - before, before);
    return after >= before && buf[1] != '<' ? buf : buf + 1;
}

static void put_percent(const struct report *r, struct table *t, double before, double after)
{
    char buf[GROWTH_SIZE];
    table_text(t, growth(buf, r, before, after));
}

static void put_share(const struct report *r, struct table *t, double value, double whole)
{
    char buf[48];
    table_text(t, report_percent(buf, r, value, whole));
}

static double share_of(double value, double whole) { return whole > 0 ? value / whole : 0; }

static void put_name(struct report *r, struct table *t, const char *name)
{
    struct output *out;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    report_put_name(r, out, slice_of(name));
    table_cell(t, output_memory(out));
    output_abort(out);
}

/* On a terminal only the first of several metrics has shares; what does not add up has none in text. */
static bool has_share(const struct report *r, const assay_profile_diff *d, size_t i)
{
    return r->style != REPORT_TEXT || (d->shown[i] < d->first_formula && (i == 0 || !r->width));
}

static void put_metric(const struct report *r, const struct report_profile_diff *p, size_t row, size_t i, struct table *t)
{
    const assay_profile_diff *d = p->diff;
    const assay_diff_metric *m = &d->metrics[d->shown[i]];
    size_t at = row * d->metric_count + d->shown[i];
    bool is_sum = d->shown[i] < d->first_formula, with_share = has_share(r, d, i);
    double before = number(m->type, d->before_self[at]), after = number(m->type, d->after_self[at]);
    put_cell(r, t, m, d->before_self[at]);
    if (with_share) put_share(r, t, before, is_sum ? m->before_total : 0);
    put_cell(r, t, m, d->after_self[at]);
    if (with_share) put_share(r, t, after, is_sum ? m->after_total : 0);
    put_delta(r, t, m, d->before_self[at], d->after_self[at]);
    if (p->gate.normalise && is_sum)
        put_percent(r, t, share_of(before, m->before_total), share_of(after, m->after_total));
    else
        put_percent(r, t, before, after);
    put_delta(r, t, m, d->before_total[at], d->after_total[at]);
}

static void put_cells(struct report *r, const struct report_profile_diff *p, size_t row, struct table *t)
{
    const assay_profile_diff *d = p->diff;
    report_bytes place = { 0 };
    for (size_t i = 0; i < d->shown_count; i++) put_metric(r, p, row, i, t);
    table_text(t, states[d->funcs[row].state]);
    if (d->by != ASSAY_DIFF_BY_LINE) put_name(r, t, d->funcs[row].name);
    const char *text = report_diff_place(r->mem, &place, d, row, r->style == REPORT_CSV || r->full_names ? SIZE_MAX : REPORT_NAMES_SHOWN);
    table_text(t, d->by == ASSAY_DIFF_BY_FUNCTION && r->style == REPORT_TEXT && !r->full_names ? path_base(text) : text);
    vec_done(r->mem, &place);
}

/* Heads of one metric, with its name where there are several. */
static void put_heads(struct report *r, const assay_profile_diff *d, size_t i, struct table *t)
{
    static const char *const heads[] = { "before", "share", "after", "share", "change", "percent", "with callees" };
    char head[256];
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        if (k % 2 == 1 && k < 4 && !has_share(r, d, i)) continue;
        snprintf(head, sizeof head, "%.200s %s", d->metrics[d->shown[i]].name, heads[k]);
        table_column(t, d->shown_count > 1 ? head : heads[k], TABLE_RIGHT);
    }
}

static void put_total(struct report *r, const struct report_profile_diff *p)
{
    const assay_profile_diff *d = p->diff;
    char before[48], after[48], change[GROWTH_SIZE];
    for (size_t i = 0; i < d->shown_count; i++) {
        const assay_diff_metric *m = &d->metrics[d->shown[i]];
        number_human(before, m->before_total, m->unit);
        number_human(after, m->after_total, m->unit);
        output_printf(r->out, "%s%s: %s before, %s after", i ? "; " : "\n", m->name, before, after);
        if (m->before_total > 0) output_printf(r->out, " (%s)", growth(change, r, m->before_total, m->after_total));
    }
    output_printf(r->out, "; %zu %s%s, %zu unchanged\n", d->count, report_diff_nouns[d->by], d->count == 1 ? " differs" : "s differ", d->same);
}

static void put_table(struct report *r, const struct report_profile_diff *p)
{
    static const char *const places[] = { "file", "line", "context" };
    enum assay_diff_by by = p->diff->by;
    static const char *const none[] = { NULL };
    struct table *t = report_table(r, none, "");
    for (size_t i = 0; t && i < p->diff->shown_count; i++) put_heads(r, p->diff, i, t);
    if (t) {
        table_column(t, "state", TABLE_LEFT);
        table_column(t, by == ASSAY_DIFF_BY_LINE ? "line" : "function", TABLE_LEFT);
        if (by != ASSAY_DIFF_BY_LINE) table_column(t, places[by], TABLE_LEFT);
    }
    size_t count = rows_shown(r, p->diff);
    for (size_t i = 0; t && i < count && !cancel_at(i); i++) put_cells(r, p, i, t);
    if (!t || r->style == REPORT_CSV) return;
    assay_error err = { 0 };
    if (p->diff->count && table_print(t, report_table_style(r), r->out, &err) != 0) r->out_of_memory = true;
    table_free(t);
    r->table = NULL;
    put_total(r, p);
}

/* ---- what a gate found ---- */

void report_diff_growth(char *buf, size_t len, const assay_profile_diff *d, size_t row, const char *name, const struct assay_diff_gate *gate)
{
    double percent = assay_diff_growth(d, row, gate);
    const char *how = row == SIZE_MAX ? "is higher" : "costs more";
    if (row != SIZE_MAX && d->funcs[row].state == ASSAY_DIFF_NEW)
        snprintf(buf, len, "%s is new and costs %.2f%% of the total%s", name, percent, gate->normalise ? "" : " before");
    else if (isinf(percent))
        snprintf(buf, len, "%s %s, up from zero", name, how);
    else
        snprintf(buf, len, "%s %s: +%.2f%%", name, how, percent);
}

/* The total (SIZE_MAX), or a row, where it grew more than allowed. */
static void put_grown(struct report *r, const struct report_profile_diff *p, size_t row)
{
    const assay_profile_diff *d = p->diff;
    const assay_diff_func *f = row == SIZE_MAX ? NULL : &d->funcs[row];
    char text[1200];
    report_bytes place = { 0 };
    vec_scoped(r->mem, &place);
    if (!(assay_diff_growth(d, row, &p->gate) > p->gate.percent)) return;
    const char *name = !f ? "the total" : d->by == ASSAY_DIFF_BY_FUNCTION ? f->name : report_diff_place(r->mem, &place, d, row, REPORT_NAMES_SHOWN);
    report_diff_growth(text, sizeof text, d, row, name, &p->gate);
    struct report_issue i = { .rule = row == SIZE_MAX ? "total-cost" : "cost",
                              .severity = ASSAY_ERROR,
                              .path = f && *f->file ? f->file : p->after,
                              .line = f && *f->file ? f->line : 0,
                              .fails = true,
                              .text = text };
    report_issue(r, &i);
}

static void put_issues(struct report *r, const struct report_profile_diff *p)
{
    char text[400];
    const char *metric = p->diff->metrics[p->gate.k].name;
    if (p->has_gate)
        snprintf(text, sizeof text, "total of %.120s grows by at most %g%%", metric, p->gate.percent);
    else
        snprintf(text, sizeof text, "%.120s", metric);
    report_case(r, "assay diff", text);
    if (!p->has_gate) return;
    put_grown(r, p, SIZE_MAX);
    snprintf(text, sizeof text, "%.120s of each %s grows by at most %g%%", metric, report_diff_nouns[p->diff->by], p->gate.percent);
    report_case(r, "assay diff", text);
    for (size_t i = 0; i < p->diff->count && !cancel_at(i); i++) put_grown(r, p, i);
}

void report_profile_diff(struct report *r, const struct report_profile_diff *p)
{
    if (r->style == REPORT_JSON)
        put_json(r, p);
    else if (report_has_issues(r))
        put_issues(r, p);
    else
        put_table(r, p);
}
