/* Statistics over groups of streams; see stats.h. */
#include "analysis/streams/stats.h"

#include <math.h>

#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

/* ---- one value after the other ---- */

/* Welford's way: the mean and the squares of the distances from it are right at every step. */
static void add_value(struct stream_stat *s, enum assay_type type, uint32_t group, assay_value v)
{
    double x = value_double(type, v), off = x - s->mean;
    if (!s->count || value_compare(type, v, s->min) < 0) s->min = v;
    if (!s->count || value_compare(type, v, s->max) > 0) {
        s->max = v;
        s->largest = group;
    }
    s->count++;
    s->mean += off / s->count;
    s->squares += off * (x - s->mean);
    double sum = s->sum + x, part = sum - s->sum;
    s->other += (s->sum - (sum - part)) + (x - part);
    s->sum = sum;
}

static double quotient(double a, double b) { return b != 0 ? a / b : (double)NAN; }

double stream_imbalance(double max, double sum, uint32_t all)
{
    /* what rounding leaves where all are alike */
    return fabs(max * all - sum) < 1e-12 * fabs(max) * all ? 0 : quotient(max * all, sum) - 1;
}

/* What follows from sum, count and deviation. */
static void derive(struct stream_stat *s, enum assay_type type, uint32_t all)
{
    double most = value_double(type, s->max);
    s->cv = quotient(s->deviation, s->mean);
    s->imbalance = stream_imbalance(most, s->sum, all);
    s->lost = s->imbalance != 0 ? most * all - s->sum : 0;
}

static void settle(struct stream_stat *s, enum assay_type type, uint32_t all)
{
    if (!s->count) {
        s->cv = s->imbalance = (double)NAN;
        return;
    }
    if (value_is_zero(type, s->max)) s->largest = 0;
    s->sum += s->other;
    s->mean = s->sum / s->count;
    s->deviation = value_compare(type, s->min, s->max) == 0 ? 0 : sqrt(s->squares / s->count);
    derive(s, type, all);
}

struct stream_stat stream_stat_of(enum assay_type type, const assay_value *values, uint32_t count, uint32_t all)
{
    struct stream_stat s = { .count = 0 };
    for (uint32_t group = 1; group <= count; group++)
        if (!value_is_zero(type, values[group])) add_value(&s, type, group, values[group]);
    settle(&s, type, all);
    return s;
}

/* ---- rows ---- */

static int add_group(void *arg, uint32_t group, const struct stream_figures *f, assay_error *err)
{
    struct stream_stats *s = arg;
    (void)err;
    s->all += f->is_measured;
    for (size_t i = 0; i < f->count; i++) {
        add_value(&s->self[f->at[i].row], s->type, group, f->at[i].self);
        add_value(&s->total[f->at[i].row], s->type, group, f->at[i].total);
    }
    return 0;
}

int stream_stats_init(struct stream_stats *s, const struct stream_rows *rows, const struct stream_groups *groups, assay_metric_id metric, struct mem *mem,
                      assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(rows->profile);
    *s = (struct stream_stats){ .mem = mem, .groups = groups, .metric = metric, .rows = rows->count, .has_totals = rows->has_totals };
    s->type = m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64;
    s->self = mem_zalloc(mem, (size_t)s->rows + 1, sizeof *s->self);
    s->total = mem_zalloc(mem, (size_t)s->rows + 1, sizeof *s->total);
    if (!s->self || !s->total) return error_memory(err);
    TRY(stream_figures_each(rows, groups, metric, add_group, s, err));
    for (uint32_t row = 0; row < s->rows; row++) {
        settle(&s->self[row], s->type, s->all);
        settle(&s->total[row], s->type, s->all);
    }
    return 0;
}

void stream_stats_done(struct stream_stats *s)
{
    if (!s->mem) return;
    mem_free(s->mem, s->self, s->self ? ((size_t)s->rows + 1) * sizeof *s->self : 0);
    mem_free(s->mem, s->total, s->total ? ((size_t)s->rows + 1) * sizeof *s->total : 0);
    *s = (struct stream_stats){ .mem = NULL };
}

/* ---- order ---- */

struct order {
    const struct stream_stats *s;
    const struct stream_stat *of;
    enum stream_sort sort;
    const uint32_t *rank;
};

static double key_of(const struct order *o, uint32_t row)
{
    const struct stream_stat *s = &o->of[row];
    if (!s->count) return (double)NAN;
    switch (o->sort) {
    case STREAM_SORT_IMBALANCE: return s->imbalance;
    case STREAM_SORT_CV: return s->cv;
    case STREAM_SORT_MAX: return value_double(o->s->type, s->max);
    default: return s->lost;
    }
}

static int by_key(const void *pa, const void *pb, void *arg)
{
    const struct order *o = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    double x = key_of(o, a), y = key_of(o, b);
    if (isnan(x) != isnan(y)) return isnan(x) ? 1 : -1;
    if (x != y && !isnan(x)) return x < y ? 1 : -1;
    return ORDER(o->rank[a], o->rank[b]);
}

int stream_stats_order(const struct stream_stats *s, bool by_total, enum stream_sort sort, uint32_t *order, uint32_t count, assay_error *err)
{
    SCRATCH(uint32_t, rank, s->mem, (size_t)s->rows + 1);
    if (!rank) return error_memory(err);
    for (uint32_t i = 0; i < count; i++) rank[order[i]] = i;
    struct order o = { s, by_total ? s->total : s->self, sort, rank };
    sort_with(order, count, sizeof *order, by_key, &o);
    return 0;
}

/* ---- what a file stores ---- */

/* The statistics of a column: what they are made of, and how they are combined. */
enum stored { STORED_COUNT, STORED_SUM, STORED_SQUARES, STORED_MIN, STORED_MAX, STORED };

static assay_stat_id find_stored(const assay_profile *p, assay_scope_id column, enum stored which)
{
    static const struct {
        const char *formula;
        enum assay_combine combine;
    } forms[STORED] = {
        { "1", ASSAY_COMBINE_SUM }, { "$$", ASSAY_COMBINE_SUM }, { "($$^2)", ASSAY_COMBINE_SUM }, { "$$", ASSAY_COMBINE_MIN }, { "$$", ASSAY_COMBINE_MAX },
    };
    const struct assay_stats *s = assay_profile_stats(p);
    for (uint32_t id = 1; column.v && id <= s->count; id++)
        if (s->scope[id].v == column.v && s->combine[id] == forms[which].combine && slice_is(assay_profile_string(p, s->formula[id]), forms[which].formula))
            return (assay_stat_id){ id };
    return (assay_stat_id){ 0 };
}

struct storing {
    double *at; /* by row */
    const uint32_t *row_of;
    size_t nodes;
    enum assay_type type;
};

static int keep_cell(void *arg, const assay_cell *cell)
{
    struct storing *x = arg;
    if (cell->node < x->nodes && x->row_of[cell->node]) x->at[x->row_of[cell->node] - 1] = value_double(x->type, cell->value);
    return 0;
}

static assay_value as_value(enum assay_type type, double x)
{
    return type == ASSAY_F64 ? (assay_value){ .d = x } : type == ASSAY_I64 ? (assay_value){ .i = (int64_t)x } : (assay_value){ .u = (uint64_t)x };
}

/* From the sums that are stored. hpcprof writes the sum in place of the squares: the deviation that was computed then stands. Its minimum leaves out zeros. */
static void take(struct stream_stat *to, enum assay_type type, const double at[STORED], uint32_t all)
{
    double mean = at[STORED_SUM] / at[STORED_COUNT], variance = at[STORED_SQUARES] / at[STORED_COUNT] - mean * mean;
    to->count = (uint32_t)at[STORED_COUNT];
    to->sum = at[STORED_SUM];
    to->mean = mean;
    to->min = as_value(type, at[STORED_MIN]);
    to->max = as_value(type, at[STORED_MAX]);
    if (at[STORED_SQUARES] != at[STORED_SUM]) to->deviation = variance > 0 ? sqrt(variance) : 0;
    derive(to, type, all);
}

/* The rows whose nodes have one column stored. */
static int fill(struct stream_stats *s, struct stream_stat *to, assay_scope_id column, const uint32_t *row_of, size_t nodes, uint32_t *filled, assay_error *err)
{
    const assay_profile *p = s->groups->profile;
    SCRATCH(double, at, s->mem, (size_t)STORED *(s->rows + 1));
    if (!at) return error_memory(err);
    for (int which = 0; which < STORED; which++) {
        struct storing x = { at + (size_t)which * s->rows, row_of, nodes, s->type };
        assay_stat_id id = find_stored(p, column, (enum stored)which);
        if (!id.v) return 0;
        TRY(assay_tree_summary(p, id, keep_cell, &x, err));
    }
    for (uint32_t row = 0; row < s->rows; row++) {
        double row_at[STORED];
        for (int which = 0; which < STORED; which++) row_at[which] = at[(size_t)which * s->rows + row];
        if (!(row_at[STORED_COUNT] > 0) || !to[row].count) continue;
        take(&to[row], s->type, row_at, s->all);
        ++*filled;
    }
    return 0;
}

int stream_stats_stored(struct stream_stats *s, const struct frames *f, const uint32_t *node, uint32_t *filled, assay_error *err)
{
    struct columns c = columns_of(s->groups->profile, s->metric);
    *filled = 0;
    if (s->groups->by != STREAM_BY_STREAM) return 0;
    SCRATCH(uint32_t, row_of, s->mem, f->len);
    SCRATCH(uint32_t, loop_of, s->mem, f->len);
    if (!row_of || !loop_of) return error_memory(err);
    for (uint32_t row = 0; row < s->rows; row++)
        if (node[row]) row_of[node[row]] = row + 1;
    TRY(fill(s, s->total, c.execution, row_of, f->len, filled, err));
    /* a loop's own cost is without the loops in it */
    for (uint32_t id = 1; id < f->len; id++)
        if (row_of[id] && frames_kind(f, id) == ASSAY_NODE_LOOP && f->owner[id] != id) {
            loop_of[id] = row_of[id];
            row_of[id] = 0;
        }
    TRY(fill(s, s->self, c.function, row_of, f->len, filled, err));
    return fill(s, s->self, c.lex_aware, loop_of, f->len, filled, err);
}
