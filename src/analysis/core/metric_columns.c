/* What --metric asks for; see metric_columns.h. */
#include "analysis/core/metric_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/units.h"
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/value.h"
#include "model/weighted.h"

enum { NAME_LONGEST = 200, SHOWN = 60 };

static struct metric_set set_of(const struct metric_columns *c)
{
    return (struct metric_set){ .profile = c->profile, .at = c->metrics, .count = c->metric_count, .also = c->also };
}

static enum assay_type type_of(const assay_profile *p, assay_metric_id id)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    return m->type ? (enum assay_type)m->type[id.v] : ASSAY_U64;
}

static double total_of(const struct metric_columns *c, uint32_t k)
{
    const struct assay_metrics *m = assay_profile_metrics(c->profile);
    uint32_t id = c->metrics[k].v;
    if (type_of(c->profile, c->metrics[k]) == ASSAY_F64) return m->total_double ? m->total_double[id] : 0;
    return m->total ? wide_double(m->total[id]) : 0;
}

static void put_metric(struct metric_columns *c, uint32_t k)
{
    assay_metric_id id = c->metrics[k];
    c->at[c->count++] = (struct metric_column){ .name = assay_profile_string(c->profile, assay_profile_metrics(c->profile)->name[id.v]),
                                                .unit = units_name(c->profile, id),
                                                .type = type_of(c->profile, id),
                                                .whole = total_of(c, k),
                                                .is_sum = true,
                                                .k = k };
}

/* ---- names in formulas ---- */

#define CARRIED "formula." /* attributes */

/* A formula that the file carries: Callgrind's `event: NAME = ...`, columns of HPCToolkit's default.yaml. */
static const char *carried_formula(const assay_profile *p, assay_slice name)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    for (uint32_t id = 1; m->formula && id <= m->count; id++)
        if (m->formula[id].v && slice_equal(assay_profile_string(p, m->name[id]), name)) return assay_profile_string(p, m->formula[id]).data;
    const struct assay_attributes *a = assay_profile_attributes(p);
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(p, a->key[i]);
        if (!slice_starts(key, CARRIED) || (a->stream && a->stream[i].v)) continue;
        assay_slice of = { key.data + strlen(CARRIED), key.len - strlen(CARRIED) };
        if (slice_equal(of, name)) return assay_profile_string(p, a->value[i]).data;
    }
    return NULL;
}

struct names {
    struct metric_columns *c;
    bool is_any; /* of the names in the formula one is a metric */
};

static const char *known_formula(const assay_profile *p, assay_slice name)
{
    const char *text = carried_formula(p, name);
    return text ? text : formula_ready(name);
}

/* In a formula that is ready-made or the file's own, events that were not counted are 0. */
static int find_name(void *arg, assay_slice name, bool is_nested, struct formula_name *out, assay_error *err)
{
    struct names *n = arg;
    struct metric_set set = set_of(n->c);
    char text[NAME_LONGEST];
    if (name.len >= sizeof text) FAIL(err, ASSAY_ERR_USAGE, "a name in a formula is too long");
    if (name.len > 1 && name.data[0] == '#') name = (assay_slice){ name.data + 1, name.len - 1 }; /* hpcrun: by number */
    snprintf(text, sizeof text, "%.*s", (int)name.len, name.len ? name.data : "");
    if (!metric_is_named(&set, text)) {
        out->text = known_formula(n->c->profile, name);
        if (!out->text && is_nested) out->text = "0";
        if (out->text) return 0;
    }
    TRY(metric_choose_place(&set, text, &out->metric, err));
    n->is_any = true;
    return 0;
}

static double metric_total(void *arg, enum formula_of of, uint32_t k)
{
    (void)of;
    return total_of(arg, k);
}

static int put_formula(struct metric_columns *c, assay_slice name, assay_slice text, assay_error *err)
{
    struct names n = { .c = c };
    char quoted[NAME_LONGEST + 2];
    const assay_slice asked = text;
    if (known_formula(c->profile, text) && text.len < NAME_LONGEST && !memchr(text.data, '\'', text.len)) { /* its name may have blanks */
        int len = snprintf(quoted, sizeof quoted, "'%.*s'", (int)text.len, text.data);
        text = (assay_slice){ quoted, (size_t)len };
    }
    struct metric_column *column = &c->at[c->count];
    *column = (struct metric_column){ .name = name, .unit = "", .type = ASSAY_F64, .k = METRIC_COLUMN_FORMULA };
    column->formula = mem_zalloc(c->mem, 1, sizeof *column->formula);
    if (!column->formula) return error_memory(err);
    c->count++;
    TRY(formula_parse(column->formula, text, find_name, &n, err));
    if (!n.is_any) FAIL(err, ASSAY_ERR_USAGE, "'%.*s' uses no metric of this file", (int)(asked.len < SHOWN ? asked.len : SHOWN), asked.data);
    column->whole = formula_value(column->formula, metric_total, c);
    column->is_sum = formula_is_sum(column->formula);
    return 0;
}

/* ---- the specification ---- */

static bool is_formula(const assay_profile *p, assay_slice part)
{
    for (size_t i = 0; i < part.len; i++)
        if (strchr("+*/^()='\"", part.data[i])) return true;
    return known_formula(p, part) != NULL || memchr(part.data, '-', part.len);
}

/* Terminated, cut where it is too long to be a name. */
static const char *text_of(char *buf, assay_slice s)
{
    snprintf(buf, NAME_LONGEST, "%.*s", (int)(s.len < NAME_LONGEST ? s.len : NAME_LONGEST - 1), s.len ? s.data : "");
    return buf;
}

struct part {
    assay_slice name, formula; /* the same text where it has no name of its own */
};

static struct part part_of(assay_slice text)
{
    const char *equals = text.len ? memchr(text.data, '=', text.len) : NULL;
    if (!equals) return (struct part){ text, text };
    return (struct part){ slice_trim(slice_from(text.data, equals)), slice_trim(slice_from(equals + 1, text.data + text.len)) };
}

static int put_part(struct metric_columns *c, assay_slice text, assay_error *err)
{
    struct metric_set set = set_of(c);
    struct part part = part_of(text);
    char name[NAME_LONGEST];
    assay_error cause = { 0 };
    uint32_t k;
    if (c->count == METRIC_COLUMNS_MOST) FAIL(err, ASSAY_ERR_USAGE, "more than %d metrics", METRIC_COLUMNS_MOST);
    if (!text.len) FAIL(err, ASSAY_ERR_USAGE, "missing metric name");
    if (metric_is_meant(&set, text_of(name, part.name)) || !known_formula(c->profile, text)) { /* a sum that was added has its name */
        if (!metric_is_named(&set, name)) text_of(name, text);
        int rc = metric_choose_place(&set, name, &k, &cause);
        if (rc == 0) return put_metric(c, k), 0;
        if (!is_formula(c->profile, text)) return *err = cause, rc;
    }
    return put_formula(c, part.name, part.formula, err);
}

/* Calls fn with each part: commas outside quotes and parentheses separate them. */
typedef int part_fn(void *arg, assay_slice part, assay_error *err);

static int each_part(const char *spec, part_fn *fn, void *arg, assay_error *err)
{
    int depth = 0;
    char quote = '\0';
    const char *begin = spec;
    for (const char *s = spec;; s++) {
        if (*s && (quote ? *s == quote : *s == '\'' || *s == '"')) quote = quote ? '\0' : *s;
        if (!quote) depth += (*s == '(') - (*s == ')' && depth > 0);
        if (*s && (quote || depth || *s != ',')) continue;
        TRY(fn(arg, slice_trim(slice_from(begin, s)), err));
        if (!*s) return 0;
        begin = s + 1;
    }
}

static int put_each(void *arg, assay_slice part, assay_error *err) { return put_part(arg, part, err); }

static void begin(struct metric_columns *c, struct mem *mem, const struct metric_set *set)
{
    *c = (struct metric_columns){ .mem = mem, .profile = set->profile, .metrics = set->at, .metric_count = set->count, .also = set->also };
}

int metric_columns_init(struct metric_columns *c, struct mem *mem, const struct metric_set *set, const char *spec, assay_error *err)
{
    uint32_t k;
    begin(c, mem, set);
    if (spec && !metric_is_named(set, spec)) return each_part(spec, put_each, c, err);
    TRY(metric_choose_place(set, spec, &k, err));
    put_metric(c, k);
    return 0;
}

void metric_columns_one(struct metric_columns *c, const struct metric_set *set, uint32_t k)
{
    begin(c, NULL, set);
    put_metric(c, k);
}

void metric_columns_done(struct metric_columns *c)
{
    for (uint32_t i = 0; i < c->count; i++) mem_free(c->mem, c->at[i].formula, c->at[i].formula ? sizeof *c->at[i].formula : 0);
    *c = (struct metric_columns){ 0 };
}

/* ---- figures ---- */

uint32_t metric_columns_key(const struct metric_columns *c)
{
    struct metric_set set = set_of(c);
    uint32_t k = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->at[i].formula) return (uint32_t)c->at[i].k;
    return metric_choose_place(&set, NULL, &k, NULL) == 0 ? k : 0;
}

struct cell {
    const struct metric_columns *c;
    const struct metric_row *row;
};

static double metric_cell(void *arg, enum formula_of of, uint32_t k)
{
    const struct cell *x = arg;
    if (of == FORMULA_WHOLE) return total_of(x->c, k);
    const assay_value *values = of == FORMULA_SELF ? x->row->self : of == FORMULA_TOTAL ? x->row->total : x->row->here;
    return values ? value_double(type_of(x->c->profile, x->c->metrics[k]), values[k]) : (double)NAN;
}

assay_value metric_columns_value_of(const struct metric_columns *c, uint32_t column, const struct metric_row *row)
{
    const struct metric_column *x = &c->at[column];
    struct cell cell = { c, row };
    return x->formula ? (assay_value){ .d = formula_value(x->formula, metric_cell, &cell) } : row->here[x->k];
}

assay_value metric_columns_value(const struct metric_columns *c, uint32_t column, const assay_value *values)
{
    return metric_columns_value_of(c, column, &(struct metric_row){ .here = values });
}

int metric_columns_refuse_rows(const struct metric_columns *c, const char *what, assay_error *err)
{
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t n = 0; c->at[i].formula && n < c->at[i].formula->count; n++)
            if (c->at[i].formula->ops[n].op == 's' || c->at[i].formula->ops[n].op == 't')
                FAIL(err, ASSAY_ERR_USAGE, "$self and $total are not known of the rows of %s; leave them out of '%.*s'", what, (int)c->at[i].name.len,
                     c->at[i].name.data);
    return 0;
}

double metric_columns_average(const struct metric_columns *c, uint32_t column, const assay_value *values, uint64_t calls)
{
    if (!calls || !c->at[column].is_sum) return (double)NAN;
    return value_double(c->at[column].type, metric_columns_value(c, column, values)) / (double)calls;
}

/* Whether a column uses metric `from`; it then has place `to`. */
static bool renumber(struct metric_columns *c, uint32_t from, uint32_t to)
{
    bool is_used = false;
    for (uint32_t i = 0; i < c->count; i++) {
        struct formula *f = c->at[i].formula;
        if (c->at[i].k == (int64_t)from) {
            c->at[i].k = to;
            is_used = true;
        }
        for (uint32_t n = 0; f && n < f->count; n++)
            if (formula_is_metric(f->ops[n].op) && f->ops[n].metric == from) {
                f->ops[n].metric = to;
                is_used = true;
            }
    }
    return is_used;
}

uint32_t metric_columns_compact(struct metric_columns *c, assay_metric_id *metrics)
{
    uint32_t key = metric_columns_key(c), count = 0;
    for (uint32_t k = 0; k < c->metric_count; k++)
        if (renumber(c, k, count) || k == key) metrics[count++] = metrics[k];
    c->metric_count = count;
    return count;
}

/* ---- formulas as metrics ---- */

static double is_metric(void *arg, enum formula_of of, uint32_t k)
{
    (void)of;
    return *(const uint32_t *)arg == k;
}

/* By metric id, what a formula multiplies each metric with. */
static void weights_of(const struct metric_columns *c, const struct metric_column *x, double *weight)
{
    for (uint32_t k = 0; k < c->metric_count; k++) weight[c->metrics[k].v] = formula_value(x->formula, is_metric, &k);
}

struct adding {
    struct metric_columns all; /* metrics of any shape, and the formulas of the specification */
    struct mem mem;
};

/* Names that match nothing are refused where it is known what can be shown. */
static int add_part(void *arg, assay_slice text, assay_error *err)
{
    struct adding *a = arg;
    struct metric_set set = set_of(&a->all);
    struct part part = part_of(text);
    char name[NAME_LONGEST];
    uint32_t k;
    if (!text.len || a->all.count == METRIC_COLUMNS_MOST) return 0;
    if (part.name.data != part.formula.data && metric_is_named(&set, text_of(name, part.name)))
        FAIL(err, ASSAY_ERR_USAGE, "a metric is called '%.60s' already; use another name for the formula", name);
    text_of(name, text);
    if (!is_formula(set.profile, text) || metric_is_meant(&set, name)) return 0;
    if (!known_formula(set.profile, text) && metric_choose_place(&set, name, &k, NULL) == 0) return 0;
    TRY(put_formula(&a->all, part.name, part.formula, err));
    struct metric_column *last = &a->all.at[a->all.count - 1];
    if (last->is_sum) return 0;
    mem_free(&a->mem, last->formula, sizeof *last->formula);
    a->all.count--;
    return 0;
}

static void adding_done(struct adding *a) { metric_columns_done(&a->all); }

static int add_sums(struct adding *a, assay_profile **p, uint64_t max_memory, assay_error *err)
{
    struct weighted_sum sums[METRIC_COLUMNS_MOST];
    size_t width = (size_t)assay_profile_metrics(*p)->count + 1;
    assay_profile *made;
    SCRATCH(double, weights, &a->mem, a->all.count *width);
    if (!weights) return error_memory(err);
    for (uint32_t i = 0; i < a->all.count; i++) {
        sums[i] = (struct weighted_sum){ a->all.at[i].name, weights + i * width };
        weights_of(&a->all, &a->all.at[i], weights + i * width);
    }
    TRY(profile_with_sums(*p, sums, a->all.count, max_memory, &made, err));
    assay_profile_release(*p);
    *p = made;
    return 0;
}

int metric_sums_add(assay_profile **p, const char *spec, uint64_t max_memory, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(*p);
    SCOPED(adding_done) struct adding a = { .all = { 0 } };
    struct metric_set set = { .profile = *p, .shapes = UINT32_MAX };
    if (!spec || !m->count) return 0;
    mem_init(&a.mem, (size_t)max_memory);
    SCRATCH(assay_metric_id, list, &a.mem, (size_t)m->count + 1);
    if (!list) return error_memory(err);
    set.count = metric_set_list(&set, list);
    set.at = list;
    begin(&a.all, &a.mem, &set);
    if (!metric_is_named(&set, spec)) TRY(each_part(spec, add_part, &a, err));
    return a.all.count ? add_sums(&a, p, max_memory, err) : 0;
}

/* ---- one metric ---- */

struct choosing {
    assay_slice part;
    uint32_t count;
};

static int count_part(void *arg, assay_slice part, assay_error *err)
{
    struct choosing *c = arg;
    (void)err;
    c->part = part;
    c->count++;
    return 0;
}

int metric_choose_one(const struct metric_set *set, const char *spec, assay_metric_id *out, assay_error *err)
{
    struct choosing c = { .count = 0 };
    char name[NAME_LONGEST];
    if (!spec || metric_is_named(set, spec)) return metric_choose(set, spec, out, err);
    TRY(each_part(spec, count_part, &c, err));
    if (c.count > 1) FAIL(err, ASSAY_ERR_USAGE, "only one metric can be shown this way, not '%.60s'", spec);
    struct part part = part_of(c.part);
    if (metric_is_named(set, text_of(name, part.name))) return metric_choose(set, name, out, err);
    int rc = metric_choose(set, text_of(name, c.part), out, err);
    if (rc == 0 || !is_formula(set->profile, c.part) || rc == ASSAY_ERR_MEMORY) return rc;
    FAIL(err, ASSAY_ERR_USAGE, "'%.60s' does not add up over calls, so it cannot be shown this way; use a formula that only adds metrics up", name);
}

int metric_choose_key(const struct metric_set *set, const char *spec, assay_metric_id *out, assay_error *err)
{
    struct mem mem;
    SCOPED(metric_columns_done) struct metric_columns columns = { 0 };
    struct metric_set listed = *set;
    mem_init(&mem, 0);
    SCRATCH(assay_metric_id, list, &mem, (size_t)assay_profile_metrics(set->profile)->count + 1);
    if (!list) return error_memory(err);
    listed.count = metric_set_list(set, list);
    listed.at = list;
    TRY(metric_columns_init(&columns, &mem, &listed, spec, err));
    *out = list[metric_columns_key(&columns)];
    return 0;
}
