/* The columns of a table of functions; see top_columns.h. */
#include "analysis/top_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metric_choice.h"
#include "analysis/top.h"
#include "analysis/units.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

enum { NAME_LONGEST = 200 };

static struct metric_set set_of(const struct top_columns *c)
{
    return (struct metric_set){ .profile = c->profile, .at = c->top->metrics, .count = c->top->metric_count, .also = "calls" };
}

static enum assay_type type_of(const assay_profile *p, assay_metric_id id)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    return m->type ? (enum assay_type)m->type[id.v] : ASSAY_U64;
}

static double total_of(const struct top_columns *c, uint32_t k)
{
    const struct assay_metrics *m = assay_profile_metrics(c->profile);
    uint32_t id = c->top->metrics[k].v;
    if (type_of(c->profile, c->top->metrics[k]) == ASSAY_F64) return m->total_double ? m->total_double[id] : 0;
    return m->total ? wide_double(m->total[id]) : 0;
}

static void put_metric(struct top_columns *c, uint32_t k)
{
    assay_metric_id id = c->top->metrics[k];
    c->at[c->count++] = (struct top_column){ .name = assay_profile_string(c->profile, assay_profile_metrics(c->profile)->name[id.v]),
                                             .unit = units_name(c->profile, id),
                                             .type = type_of(c->profile, id),
                                             .whole = total_of(c, k),
                                             .is_sum = true,
                                             .k = k };
}

/* ---- names in formulas ---- */

/* A formula that the file carries: Callgrind's `event: NAME = ...`. */
static const char *carried_formula(const struct top_columns *c, assay_slice name)
{
    const struct assay_metrics *m = assay_profile_metrics(c->profile);
    for (uint32_t id = 1; m->formula && id <= m->count; id++)
        if (m->formula[id].v && slice_equal(assay_profile_string(c->profile, m->name[id]), name)) return assay_profile_string(c->profile, m->formula[id]).data;
    return NULL;
}

struct names {
    struct top_columns *c;
    bool is_any; /* of the names in the formula one is a metric */
};

static const char *known_formula(const struct top_columns *c, assay_slice name)
{
    const char *text = carried_formula(c, name);
    return text ? text : formula_ready(name);
}

/* In a formula that is ready-made or the file's own, events that were not counted are 0. */
static int find_name(void *arg, assay_slice name, bool is_nested, struct formula_name *out, assay_error *err)
{
    struct names *n = arg;
    struct metric_set set = set_of(n->c);
    char text[NAME_LONGEST];
    if (name.len >= sizeof text) FAIL(err, ASSAY_ERR_USAGE, "a name in a formula is too long");
    snprintf(text, sizeof text, "%.*s", (int)name.len, name.len ? name.data : "");
    if (!metric_is_named(&set, text)) {
        out->text = known_formula(n->c, name);
        if (!out->text && is_nested) out->text = "0";
        if (out->text) return 0;
    }
    TRY(metric_choose_place(&set, text, &out->metric, err));
    n->is_any = true;
    return 0;
}

static double metric_total(void *arg, uint32_t k) { return total_of(arg, k); }

static int put_formula(struct top_columns *c, assay_slice name, assay_slice text, assay_error *err)
{
    struct names n = { .c = c };
    struct top_column *column = &c->at[c->count];
    *column = (struct top_column){ .name = name, .unit = "", .type = ASSAY_F64, .k = TOP_COLUMN_FORMULA };
    column->formula = mem_zalloc(c->mem, 1, sizeof *column->formula);
    if (!column->formula) return error_memory(err);
    c->count++;
    TRY(formula_parse(column->formula, text, find_name, &n, err));
    if (!n.is_any) FAIL(err, ASSAY_ERR_USAGE, "'%.*s' uses no metric of this file", (int)(text.len < 60 ? text.len : 60), text.data);
    column->whole = formula_value(column->formula, metric_total, c);
    column->is_sum = formula_is_sum(column->formula);
    return 0;
}

/* ---- the specification ---- */

static bool is_formula(const struct top_columns *c, assay_slice part)
{
    for (size_t i = 0; i < part.len; i++)
        if (strchr("+*/()='\"", part.data[i])) return true;
    return known_formula(c, part) != NULL || memchr(part.data, '-', part.len);
}

static int put_part(struct top_columns *c, assay_slice part, assay_error *err)
{
    struct metric_set set = set_of(c);
    char name[NAME_LONGEST];
    assay_error cause = { 0 };
    uint32_t k;
    if (c->count == TOP_COLUMNS_MOST) FAIL(err, ASSAY_ERR_USAGE, "more than %d metrics", TOP_COLUMNS_MOST);
    if (!part.len) FAIL(err, ASSAY_ERR_USAGE, "missing metric name");
    snprintf(name, sizeof name, "%.*s", (int)(part.len < sizeof name ? part.len : sizeof name - 1), part.data);
    bool is_known = metric_is_named(&set, name);
    if (is_known || !known_formula(c, part)) {
        int rc = metric_choose_place(&set, name, &k, &cause);
        if (rc == 0) return put_metric(c, k), 0;
        if (!is_formula(c, part)) return *err = cause, rc;
    }
    const char *equals = memchr(part.data, '=', part.len);
    assay_slice text = equals ? slice_from(equals + 1, part.data + part.len) : part;
    return put_formula(c, equals ? slice_trim(slice_from(part.data, equals)) : part, slice_trim(text), err);
}

/* Commas outside quotes and parentheses part the columns. */
static int put_parts(struct top_columns *c, const char *spec, assay_error *err)
{
    int depth = 0;
    char quote = '\0';
    const char *begin = spec;
    for (const char *s = spec;; s++) {
        if (*s && (quote ? *s == quote : *s == '\'' || *s == '"')) quote = quote ? '\0' : *s;
        if (!quote) depth += (*s == '(') - (*s == ')' && depth > 0);
        if (*s && (quote || depth || *s != ',')) continue;
        TRY(put_part(c, slice_trim(slice_from(begin, s)), err));
        if (!*s) return 0;
        begin = s + 1;
    }
}

int top_columns_init(struct top_columns *c, struct mem *mem, const assay_profile *p, const assay_top *top, const char *spec, assay_error *err)
{
    *c = (struct top_columns){ .mem = mem, .profile = p, .top = top };
    struct metric_set set = set_of(c);
    uint32_t k;
    if (spec && !metric_is_named(&set, spec)) return put_parts(c, spec, err);
    TRY(metric_choose_place(&set, spec, &k, err));
    put_metric(c, k);
    return 0;
}

void top_columns_metric(struct top_columns *c, const assay_profile *p, const assay_top *top, uint32_t k)
{
    *c = (struct top_columns){ .profile = p, .top = top };
    put_metric(c, k);
}

/* ---- figures ---- */

struct cell {
    const struct top_columns *c;
    const assay_value *row;
};

static double metric_cell(void *arg, uint32_t k)
{
    const struct cell *x = arg;
    return value_double(type_of(x->c->profile, x->c->top->metrics[k]), x->row[k]);
}

int top_columns_compute(struct top_columns *c, const assay_top *top, assay_error *err)
{
    const assay_value *from[2] = { top->self, top->total };
    c->top = top;
    c->rows = (size_t)top->count + 1;
    for (uint32_t i = 0; i < c->count; i++)
        for (int kind = 0; c->at[i].formula && kind < 2; kind++) {
            assay_value *to = c->at[i].computed[kind] = mem_zalloc(c->mem, c->rows, sizeof *to);
            if (!to) return error_memory(err);
            for (uint32_t row = 0; row < top->count; row++) {
                struct cell x = { c, from[kind] + (size_t)row * top->metric_count };
                to[row].d = formula_value(c->at[i].formula, metric_cell, &x);
            }
        }
    return 0;
}

void top_columns_done(struct top_columns *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        mem_free(c->mem, c->at[i].formula, c->at[i].formula ? sizeof *c->at[i].formula : 0);
        for (int kind = 0; kind < 2; kind++) mem_free(c->mem, c->at[i].computed[kind], c->at[i].computed[kind] ? c->rows * sizeof(assay_value) : 0);
    }
    *c = (struct top_columns){ 0 };
}

assay_value top_columns_value(const struct top_columns *c, uint32_t column, uint32_t row, enum top_kind kind)
{
    const struct top_column *x = &c->at[column];
    if (x->formula) return x->computed[kind][row];
    return (kind == TOP_SELF ? c->top->self : c->top->total)[(size_t)row * c->top->metric_count + (size_t)x->k];
}

double top_columns_per_call(const struct top_columns *c, uint32_t column, uint32_t row, enum top_kind kind)
{
    uint64_t calls = c->top->calls[row];
    return calls && c->at[column].is_sum ? value_double(c->at[column].type, top_columns_value(c, column, row, kind)) / (double)calls : (double)NAN;
}

/* ---- order ---- */

struct order {
    const struct top_columns *c;
    enum top_kind kind;
    const uint32_t *rank; /* by row: where it stands otherwise */
};

static int by_formula(const void *pa, const void *pb, void *arg)
{
    const struct order *o = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    double x = top_columns_value(o->c, 0, a, o->kind).d, y = top_columns_value(o->c, 0, b, o->kind).d;
    if (isnan(x) != isnan(y)) return isnan(x) ? 1 : -1;
    if (x != y && !isnan(x)) return x < y ? 1 : -1;
    return (o->rank[a] > o->rank[b]) - (o->rank[a] < o->rank[b]);
}

int top_columns_order(const struct top_columns *c, enum assay_sort sort, uint32_t *order, assay_error *err)
{
    bool by_value = sort == ASSAY_SORT_SELF || sort == ASSAY_SORT_TOTAL;
    assay_top_order(c->profile, c->top, sort, c->count && !c->at[0].formula ? (uint32_t)c->at[0].k : 0, order);
    if (!c->count || !c->at[0].formula || !by_value) return 0;
    uint32_t *rank = mem_zalloc(c->mem, c->rows, sizeof *rank);
    if (!rank) return error_memory(err);
    for (uint32_t i = 0; i < c->top->count; i++) rank[order[i]] = i;
    struct order o = { c, sort == ASSAY_SORT_SELF ? TOP_SELF : TOP_TOTAL, rank };
    qsort_r(order, c->top->count, sizeof *order, by_formula, &o);
    mem_free(c->mem, rank, c->rows * sizeof *rank);
    return 0;
}

uint32_t top_columns_keep(const struct top_columns *c, enum assay_sort sort, double share, uint32_t *order)
{
    uint32_t kept = 0;
    enum top_kind kind = sort == ASSAY_SORT_TOTAL ? TOP_TOTAL : TOP_SELF;
    for (uint32_t i = 0; i < c->top->count; i++)
        if (!c->at[0].is_sum || value_double(c->at[0].type, top_columns_value(c, 0, order[i], kind)) >= share * c->at[0].whole) order[kept++] = order[i];
    return kept;
}
