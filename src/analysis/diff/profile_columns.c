/* The metrics and formulas that a difference shows; see profile.h. A formula that does not add up is one more metric, computed from the sums of each
 * row and side. */
#include "analysis/diff/profile.h"
#include "base/error.h"

/* A metric that only one profile has would show 0 for the other: one that was asked for is refused, and the default is the first that both have. */
static int check_common(struct differ *d, size_t *column)
{
    const assay_diff_metric *m = &d->out->metrics.at[*column];
    if (m->is_before == m->is_after || !d->side[BEFORE].count || !d->side[AFTER].count) return 0;
    if (d->options->metric) FAIL(d->err, ASSAY_ERR_UNSUPPORTED, "only the %s profile has the metric '%.60s'", m->is_after ? "second" : "first", m->name);
    for (size_t k = d->out->first_formula; k-- > 0;)
        if (d->out->metrics.at[k].is_before && d->out->metrics.at[k].is_after) *column = k;
    return 0;
}

struct totals {
    const struct differ *d;
    int side;
};

static double total_of(void *arg, enum formula_of of, uint32_t number)
{
    (void)of;
    const struct totals *t = arg;
    const assay_diff_metric *m = &t->d->out->metrics.at[t->d->side[t->d->named].column[number]];
    return t->side == BEFORE ? m->before_total : m->after_total;
}

static int add_formula(struct differ *d, const struct metric_column *c)
{
    struct totals before = { d, BEFORE }, after = { d, AFTER };
    const struct diff_side *from = &d->side[d->named];
    for (uint32_t i = 0; i < c->formula->count; i++)
        if (formula_is_metric(c->formula->ops[i].op)) TRY(check_common(d, &(size_t){ from->column[c->formula->ops[i].metric] }));
    assay_diff_metric m = { .name = arena_copy(&d->out->text, c->name), .unit = "", .type = ASSAY_F64, .is_before = true, .is_after = true };
    m.before_total = formula_value(c->formula, total_of, &before);
    m.after_total = formula_value(c->formula, total_of, &after);
    assay_diff_metric *at = vec_push(&d->out->mem, &d->out->metrics);
    if (!at || !m.name) return error_memory(d->err);
    *at = m;
    return 0;
}

static int show(struct differ *d)
{
    struct diff *out = d->out;
    const struct diff_side *from = &d->side[d->named];
    for (uint32_t i = 0; i < d->columns.count; i++) {
        const struct metric_column *c = &d->columns.at[i];
        size_t column = c->formula ? out->metrics.len : from->column[c->k];
        TRY(c->formula ? add_formula(d, c) : check_common(d, &column));
        out->shown[out->shown_count++] = column;
    }
    out->pub.metric = out->shown[0];
    return 0;
}

/* As the second profile names them, else the first. */
int diff_choose_columns(struct differ *d)
{
    int rc = 0;
    d->out->first_formula = d->out->metrics.len;
    for (d->named = AFTER; d->named >= BEFORE; d->named--) {
        const struct diff_side *from = &d->side[d->named];
        struct metric_set set = { .profile = from->profile, .at = from->metrics, .count = from->count };
        if (!from->count && !d->options->metric) continue;
        metric_columns_done(&d->columns);
        rc = metric_columns_init(&d->columns, &d->out->mem, &set, d->options->metric, d->err);
        if (rc == 0) return show(d);
    }
    return rc;
}

struct row {
    const struct differ *d;
    int side, kind;
    uint32_t row;
};

static double value_of(void *arg, enum formula_of of, uint32_t number)
{
    const struct row *r = arg;
    size_t k = r->d->side[r->d->named].column[number];
    int kind = of == FORMULA_SELF ? SELF : of == FORMULA_TOTAL ? TOTAL : r->kind;
    if (of == FORMULA_WHOLE) return total_of(&(struct totals){ r->d, r->side }, of, number);
    return value_double(r->d->out->metrics.at[k].type, sums_value(&r->d->sums[r->side][kind][k], r->row));
}

void diff_compute_columns(struct differ *d)
{
    size_t k = d->out->first_formula;
    for (uint32_t i = 0; i < d->columns.count; i++) {
        if (!d->columns.at[i].formula) continue;
        for (uint32_t row = 0; row < d->out->funcs.len; row++)
            for (int side = 0; side < SIDES; side++)
                for (int kind = 0; kind < KINDS; kind++) {
                    struct row r = { d, side, kind, row };
                    sums_add(&d->sums[side][kind][k], row, (assay_value){ .d = formula_value(d->columns.at[i].formula, value_of, &r) });
                }
        k++;
    }
}
