/* The columns of a table of functions; see top_columns.h. */
#include "analysis/core/top_columns.h"

#include <math.h>

#include "analysis/core/top.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

static struct metric_set set_of(const assay_profile *p, const assay_top *top)
{
    return (struct metric_set){ .profile = p, .at = top->metrics, .count = top->metric_count, .also = "calls" };
}

int top_columns_init(struct top_columns *c, struct mem *mem, const assay_profile *p, const assay_top *top, const char *spec, assay_error *err)
{
    struct metric_set set = set_of(p, top);
    *c = (struct top_columns){ .top = top };
    return metric_columns_init(&c->set, mem, &set, spec, err);
}

/* ---- figures ---- */

const assay_value *top_columns_row(const struct top_columns *c, uint32_t row, enum top_kind kind)
{
    const assay_value *from = kind == TOP_SELF ? c->top->self : c->top->total;
    if (!c->top->begin) return from + (size_t)row * c->top->metric_count;
    for (uint32_t k = 0; k < c->top->metric_count; k++) c->whole_row[kind][k] = top_cell(c->top, from, row, k);
    return c->whole_row[kind];
}

struct metric_row top_columns_both(const struct top_columns *c, uint32_t row, enum top_kind kind)
{
    const assay_value *self = top_columns_row(c, row, TOP_SELF), *total = top_columns_row(c, row, TOP_TOTAL);
    return (struct metric_row){ kind == TOP_SELF ? self : total, self, total };
}

int top_columns_compute(struct top_columns *c, const assay_top *top, assay_error *err)
{
    c->top = top;
    c->rows = (size_t)top->count + 1;
    for (int kind = 0; top->begin && kind < 2; kind++)
        if (!(c->whole_row[kind] = mem_zalloc(c->set.mem, top->metric_count, sizeof **c->whole_row))) return error_memory(err);
    for (uint32_t i = 0; i < c->set.count; i++)
        for (int kind = 0; c->set.at[i].formula && kind < 2; kind++) {
            assay_value *to = c->computed[i][kind] = mem_zalloc(c->set.mem, c->rows, sizeof *to);
            if (!to) return error_memory(err);
            for (uint32_t row = 0; row < top->count; row++) {
                struct metric_row r = top_columns_both(c, row, (enum top_kind)kind);
                to[row] = metric_columns_value_of(&c->set, i, &r);
            }
        }
    return 0;
}

void top_columns_done(struct top_columns *c)
{
    for (uint32_t i = 0; i < c->set.count; i++)
        for (int kind = 0; kind < 2; kind++) mem_free(c->set.mem, c->computed[i][kind], c->computed[i][kind] ? c->rows * sizeof(assay_value) : 0);
    for (int kind = 0; kind < 2; kind++) mem_free(c->set.mem, c->whole_row[kind], c->whole_row[kind] ? c->top->metric_count * sizeof **c->whole_row : 0);
    metric_columns_done(&c->set);
    *c = (struct top_columns){ .top = NULL };
}

assay_value top_columns_value(const struct top_columns *c, uint32_t column, uint32_t row, enum top_kind kind)
{
    const struct metric_column *x = &c->set.at[column];
    if (x->formula) return c->computed[column][kind][row];
    return top_cell(c->top, kind == TOP_SELF ? c->top->self : c->top->total, row, (uint32_t)x->k);
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
    return ORDER(o->rank[a], o->rank[b]);
}

int top_columns_order(const struct top_columns *c, enum assay_sort sort, size_t first, uint32_t *order, assay_error *err)
{
    bool by_value = sort == ASSAY_SORT_SELF || sort == ASSAY_SORT_TOTAL, by_rank = c->set.count && c->set.at[0].formula && by_value;
    uint32_t k = c->set.count && !c->set.at[0].formula ? (uint32_t)c->set.at[0].k : 0;
    top_order_first(c->set.profile, c->top, sort, k, by_rank ? c->top->count : first, order);
    if (!by_rank) return 0;
    SCRATCH(uint32_t, rank, c->set.mem, c->rows);
    if (!rank) return error_memory(err);
    for (uint32_t i = 0; i < c->top->count; i++) rank[order[i]] = i;
    struct order o = { c, sort == ASSAY_SORT_SELF ? TOP_SELF : TOP_TOTAL, rank };
    sort_with(order, c->top->count, sizeof *order, by_formula, &o);
    return 0;
}

uint32_t top_columns_keep(const struct top_columns *c, enum assay_sort sort, double share, uint32_t *order)
{
    uint32_t kept = 0;
    enum top_kind kind = sort == ASSAY_SORT_TOTAL ? TOP_TOTAL : TOP_SELF;
    struct metric_columns key = { 0 };
    struct metric_set set = set_of(c->set.profile, c->top);
    metric_columns_one(&key, &set, metric_columns_key(&c->set));
    const struct metric_column *x = c->set.at[0].is_sum ? &c->set.at[0] : &key.at[0];
    for (uint32_t i = 0; i < c->top->count; i++) {
        assay_value v =
            x->formula ? top_columns_value(c, 0, order[i], kind) : top_cell(c->top, kind == TOP_SELF ? c->top->self : c->top->total, order[i], (uint32_t)x->k);
        if (value_double(x->type, v) >= share * x->whole) order[kept++] = order[i];
    }
    return kept;
}

uint32_t top_columns_within(const struct top_columns *c, enum assay_sort sort, double least, double most, uint32_t *order, uint32_t count)
{
    uint32_t kept = 0;
    enum top_kind kind = sort == ASSAY_SORT_TOTAL ? TOP_TOTAL : TOP_SELF;
    for (uint32_t i = 0; i < count; i++) {
        double v = value_double(c->set.at[0].type, top_columns_value(c, 0, order[i], kind));
        if (v >= least && v <= most) order[kept++] = order[i];
    }
    return kept;
}
