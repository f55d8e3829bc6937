/* Groups of streams as wholes; see loads.h. */
#include "analysis/streams/loads.h"

#include <math.h>

#include "analysis/core/metric_choice.h"
#include "analysis/streams/totals.h"
#include "base/error.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

/* ---- what a group cost ---- */

static assay_value nearest(enum assay_type type, assay_wide w)
{
    if (type == ASSAY_I64) return (assay_value){ .i = w.high == (w.low >> 63 ? -1 : 0) ? (int64_t)w.low : w.high < 0 ? INT64_MIN : INT64_MAX };
    return (assay_value){ .u = w.high ? UINT64_MAX : w.low };
}

/* values[group], from 1. */
static int cost_of_groups(const struct stream_groups *groups, assay_metric_id metric, enum assay_type type, struct mem *mem, assay_value *values,
                          assay_error *err)
{
    SCOPED(stream_totals_done) struct stream_totals t = { .is_known = false };
    SCOPED(sums_done) struct sums sums = { 0 };
    TRY(stream_totals_init(&t, groups->profile, metric, mem, err));
    if (!sums_init(&sums, mem, type, (size_t)groups->count + 1)) return error_memory(err);
    for (uint32_t stream = 1; stream < t.len; stream++) {
        assay_value v = type == ASSAY_F64 ? sums_value(&t.real, stream) : nearest(type, t.whole[stream]);
        if (groups->group_of[stream]) sums_add(&sums, groups->group_of[stream], v);
    }
    for (uint32_t group = 1; group <= groups->count; group++) values[group] = sums_value(&sums, group);
    return 0;
}

static enum assay_type type_of(const assay_profile *p, assay_metric_id metric)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    return m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64;
}

/* Those that cost anything. */
static uint32_t count_any(const struct stream_groups *groups, enum assay_type type, const assay_value *values)
{
    uint32_t count = 0;
    for (uint32_t group = 1; group <= groups->count; group++) count += !value_is_zero(type, values[group]);
    return count;
}

int stream_metrics_init(struct stream_metrics *m, const struct stream_groups *groups, struct mem *mem, assay_error *err)
{
    const struct assay_metrics *all = assay_profile_metrics(groups->profile);
    *m = (struct stream_metrics){ .mem = mem, .groups = groups };
    m->metric = mem_zalloc(mem, (size_t)all->count + 1, sizeof *m->metric);
    m->stat = mem_zalloc(mem, (size_t)all->count + 1, sizeof *m->stat);
    SCRATCH(assay_value, values, mem, (size_t)groups->count + 1);
    if (!m->metric || !m->stat || !values) return error_memory(err);
    for (uint32_t id = 1; id <= all->count; id++) {
        assay_metric_id metric = { id };
        enum assay_type type = type_of(groups->profile, metric);
        if ((all->formula && all->formula[id].v) || !metric_has_value(groups->profile, metric)) continue;
        TRY(cost_of_groups(groups, metric, type, mem, values, err));
        m->metric[m->count] = metric;
        m->stat[m->count++] = stream_stat_of(type, values, groups->count, count_any(groups, type, values));
    }
    return 0;
}

void stream_metrics_done(struct stream_metrics *m)
{
    if (!m->mem) return;
    size_t room = (size_t)assay_profile_metrics(m->groups->profile)->count + 1;
    mem_free(m->mem, m->metric, m->metric ? room * sizeof *m->metric : 0);
    mem_free(m->mem, m->stat, m->stat ? room * sizeof *m->stat : 0);
    *m = (struct stream_metrics){ .mem = NULL };
}

/* ---- with the hottest function ---- */

static int find_hottest(void *arg, uint32_t group, const struct stream_figures *f, assay_error *err)
{
    const struct stream_figure *at = f->at;
    struct stream_loads *l = arg;
    struct stream_load *to = &l->at[group];
    (void)err;
    for (size_t i = 0; i < f->count; i++) {
        int c = to->hottest ? value_compare(l->type, at[i].self, to->heat) : !value_is_zero(l->type, at[i].self);
        if (c < 0 || (c == 0 && (!to->hottest || at[i].row >= to->hottest - 1))) continue;
        to->hottest = at[i].row + 1;
        to->heat = at[i].self;
    }
    return 0;
}

int stream_loads_init(struct stream_loads *l, const struct stream_rows *rows, const struct stream_groups *groups, assay_metric_id metric, struct mem *mem,
                      assay_error *err)
{
    *l = (struct stream_loads){ .mem = mem, .groups = groups, .metric = metric, .type = type_of(groups->profile, metric) };
    l->at = mem_zalloc(mem, (size_t)groups->count + 1, sizeof *l->at);
    SCRATCH(assay_value, values, mem, (size_t)groups->count + 1);
    if (!l->at || !values) return error_memory(err);
    TRY(cost_of_groups(groups, metric, l->type, mem, values, err));
    l->all = count_any(groups, l->type, values);
    l->stat = stream_stat_of(l->type, values, groups->count, l->all);
    l->whole = assay_profile_metrics(groups->profile)->total_double[metric.v];
    for (uint32_t group = 1; group <= groups->count; group++) l->at[group].cost = values[group];
    return stream_figures_each(rows, groups, metric, find_hottest, l, err);
}

void stream_loads_done(struct stream_loads *l)
{
    if (l->mem) mem_free(l->mem, l->at, l->at ? ((size_t)l->groups->count + 1) * sizeof *l->at : 0);
    *l = (struct stream_loads){ .mem = NULL };
}

static int by_cost(const void *pa, const void *pb, void *arg)
{
    const struct stream_loads *l = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    int c = value_compare(l->type, l->at[b].cost, l->at[a].cost);
    return c ? c : ORDER(a, b);
}

void stream_loads_order(const struct stream_loads *l, bool by_id, uint32_t *order)
{
    struct stream_loads borrowed = *l;
    for (uint32_t i = 0; i < l->groups->count; i++) order[i] = i + 1;
    if (!by_id) sort_with(order, l->groups->count, sizeof *order, by_cost, &borrowed);
}

static double quotient(double a, double b) { return b != 0 ? a / b : (double)NAN; }

double stream_load_off(const struct stream_loads *l, uint32_t group) { return quotient(value_double(l->type, l->at[group].cost), l->stat.mean) - 1; }

double stream_load_share(const struct stream_loads *l, uint32_t group) { return quotient(value_double(l->type, l->at[group].cost), l->whole); }

double stream_load_heat(const struct stream_loads *l, uint32_t group)
{
    return quotient(value_double(l->type, l->at[group].heat), value_double(l->type, l->at[group].cost));
}
