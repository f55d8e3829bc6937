/* One function or context over all groups of streams: values, outliers, histogram; see loads.h. */
#include <math.h>

#include "analysis/streams/loads.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

#define FENCE 1.5     /* Tukey's: so many quartile ranges beyond the quartiles */
#define NOTABLE 0.005 /* of the median: what is nearer is no outlier, however alike the others are */

double stream_course_value(const struct stream_course *c, uint32_t group) { return value_double(c->type, c->by_total ? c->total[group] : c->self[group]); }

struct collecting {
    struct stream_course *c;
    uint32_t row;
};

static int collect(void *arg, uint32_t group, const struct stream_figures *f, assay_error *err)
{
    struct collecting *x = arg;
    (void)err;
    x->c->all += f->is_measured;
    for (size_t i = 0; i < f->count; i++) {
        if (f->at[i].row != x->row) continue;
        x->c->self[group] = f->at[i].self;
        x->c->total[group] = f->at[i].total;
    }
    return 0;
}

/* ---- what the values say ---- */

static int by_value(const void *pa, const void *pb, void *arg)
{
    const struct stream_course *c = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    double x = stream_course_value(c, a), y = stream_course_value(c, b);
    return x != y ? (x < y ? 1 : -1) : ORDER(a, b);
}

static int by_distance(const void *pa, const void *pb, void *arg)
{
    const struct stream_course *c = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    double x = fabs(stream_course_value(c, a) - c->median), y = fabs(stream_course_value(c, b) - c->median);
    return x != y ? (x < y ? 1 : -1) : ORDER(a, b);
}

/* Between two values where the place is between two; `sorted` is descending. */
static double quantile(const struct stream_course *c, double share)
{
    uint32_t last = c->groups->count - 1;
    double place = share * last, below = floor(place);
    uint32_t i = (uint32_t)below, next = i < last ? i + 1 : last;
    double x = stream_course_value(c, c->sorted[last - i]), y = stream_course_value(c, c->sorted[last - next]);
    return x + (y - x) * (place - below);
}

bool stream_course_is_outlier(const struct stream_course *c, uint32_t group)
{
    double v = stream_course_value(c, group);
    return (v < c->low || v > c->high) && fabs(v - c->median) > NOTABLE * fabs(c->median);
}

static void find_outliers(struct stream_course *c)
{
    double lower = quantile(c, 0.25), upper = quantile(c, 0.75);
    c->median = quantile(c, 0.5);
    c->low = lower - FENCE * (upper - lower);
    c->high = upper + FENCE * (upper - lower);
    for (uint32_t group = 1; group <= c->groups->count; group++)
        if (stream_course_is_outlier(c, group)) c->outliers[c->outlier_count++] = group;
    sort_with(c->outliers, c->outlier_count, sizeof *c->outliers, by_distance, c);
}

static void fill_bins(struct stream_course *c)
{
    double least = stream_course_value(c, c->sorted[c->groups->count - 1]), most = stream_course_value(c, c->sorted[0]);
    double wanted = ceil(2 * cbrt(c->groups->count));
    c->bins = most > least ? wanted < STREAM_BINS ? (uint32_t)wanted : STREAM_BINS : 1;
    c->bin_from = least;
    c->bin_width = (most - least) / c->bins;
    for (uint32_t group = 1; group <= c->groups->count; group++) {
        double at = c->bin_width > 0 ? (stream_course_value(c, group) - least) / c->bin_width : 0;
        c->bin[at < c->bins ? (uint32_t)at : c->bins - 1]++;
    }
}

int stream_course_init(struct stream_course *c, const struct stream_rows *rows, uint32_t row, const struct stream_groups *groups, assay_metric_id metric,
                       bool by_total, struct mem *mem, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(groups->profile);
    size_t room = (size_t)groups->count + 1;
    *c = (struct stream_course){ .mem = mem, .groups = groups, .by_total = by_total && rows->has_totals };
    c->type = m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64;
    c->self = mem_zalloc(mem, room, sizeof *c->self);
    c->total = mem_zalloc(mem, room, sizeof *c->total);
    c->sorted = mem_zalloc(mem, room, sizeof *c->sorted);
    c->outliers = mem_zalloc(mem, room, sizeof *c->outliers);
    if (!c->self || !c->total || !c->sorted || !c->outliers) return error_memory(err);
    struct collecting x = { c, row };
    TRY(stream_figures_each(rows, groups, metric, collect, &x, err));
    c->stat = stream_stat_of(c->type, c->by_total ? c->total : c->self, groups->count, c->all);
    for (uint32_t i = 0; i < groups->count; i++) c->sorted[i] = i + 1;
    sort_with(c->sorted, groups->count, sizeof *c->sorted, by_value, c);
    find_outliers(c);
    fill_bins(c);
    return 0;
}

void stream_course_done(struct stream_course *c)
{
    if (!c->mem) return;
    size_t room = (size_t)c->groups->count + 1;
    mem_free(c->mem, c->self, c->self ? room * sizeof *c->self : 0);
    mem_free(c->mem, c->total, c->total ? room * sizeof *c->total : 0);
    mem_free(c->mem, c->sorted, c->sorted ? room * sizeof *c->sorted : 0);
    mem_free(c->mem, c->outliers, c->outliers ? room * sizeof *c->outliers : 0);
    *c = (struct stream_course){ .mem = NULL };
}
