/* Groups of streams that are alike; see clusters.h. */
#include "analysis/streams/clusters.h"

#include <math.h>
#include <string.h>

#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

enum { MOST_BY_ITSELF = 8, STEPS = 50 };
#define EXPLAINED 0.9 /* of the differences: then there are clusters enough */
#define ALIKE 0.01    /* root of the mean squared distance from the mean, in shares: less is noise */
#define SAME 1e-12    /* squared distance of groups that do not differ */

/* ---- shares ---- */

struct sharing {
    struct stream_clusters *c;
    const uint32_t *feature_of; /* by row, + 1 */
    enum assay_type type;
};

static int add_group(void *arg, uint32_t group, const struct stream_figures *f, assay_error *err)
{
    struct sharing *x = arg;
    double *to = x->c->shares + (size_t)group * x->c->features, whole = 0;
    (void)err;
    for (size_t i = 0; i < f->count; i++) {
        double v = value_double(x->type, f->at[i].self);
        uint32_t feature = x->feature_of[f->at[i].row];
        whole += v;
        if (feature) to[feature - 1] = v;
    }
    for (uint32_t k = 0; whole > 0 && k < x->c->features; k++) to[k] /= whole;
    return 0;
}

static int make_shares(struct stream_clusters *c, const struct stream_rows *rows, const uint32_t *order, assay_metric_id metric, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(rows->profile);
    uint32_t groups = c->groups->count;
    SCRATCH(uint32_t, feature_of, c->mem, (size_t)rows->count + 1);
    if (!feature_of) return error_memory(err);
    c->features = rows->count < STREAM_FEATURES ? rows->count : STREAM_FEATURES;
    for (uint32_t k = 0; k < c->features; k++) {
        c->row[k] = order[k];
        feature_of[order[k]] = k + 1;
    }
    c->of = mem_zalloc(c->mem, (size_t)groups + 1, 1);
    c->shares = mem_zalloc(c->mem, ((size_t)groups + 1) * STREAM_FEATURES, sizeof *c->shares);
    if (!c->of || !c->shares) return error_memory(err);
    struct sharing x = { c, feature_of, m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64 };
    TRY(stream_figures_each(rows, c->groups, metric, add_group, &x, err));
    for (uint32_t group = 1; group <= groups; group++)
        for (uint32_t k = 0; k < c->features; k++) c->share[k] += c->shares[(size_t)group * c->features + k] / groups;
    return 0;
}

/* ---- k-means ---- */

static double distance(const struct stream_clusters *c, uint32_t group, const double *centre)
{
    const double *from = c->shares + (size_t)group * c->features;
    double sum = 0;
    for (uint32_t k = 0; k < c->features; k++) sum += (from[k] - centre[k]) * (from[k] - centre[k]);
    return sum;
}

/* Squared distances from the centres, and whether an assignment changed. */
static double assign(struct stream_clusters *c, bool *has_changed)
{
    double sum = 0;
    for (uint32_t group = 1; group <= c->groups->count; group++) {
        uint32_t best = 1;
        double least = distance(c, group, c->at[1].share);
        for (uint32_t i = 2; i <= c->count; i++) {
            double d = distance(c, group, c->at[i].share);
            if (d < least) {
                least = d;
                best = i;
            }
        }
        *has_changed |= c->of[group] != best;
        c->of[group] = (uint8_t)best;
        sum += least;
    }
    return sum;
}

static void move_centres(struct stream_clusters *c)
{
    for (uint32_t i = 1; i <= c->count; i++) {
        struct stream_cluster *x = &c->at[i];
        double sum[STREAM_FEATURES] = { 0 };
        x->size = 0;
        for (uint32_t group = 1; group <= c->groups->count; group++) {
            if (c->of[group] != i) continue;
            x->size++;
            for (uint32_t k = 0; k < c->features; k++) sum[k] += c->shares[(size_t)group * c->features + k];
        }
        for (uint32_t k = 0; x->size && k < c->features; k++) x->share[k] = sum[k] / x->size;
    }
}

/* The group farthest from its centre; 0 = none is away from it. */
static uint32_t farthest(const struct stream_clusters *c)
{
    uint32_t best = 0;
    double most = SAME;
    for (uint32_t group = 1; group <= c->groups->count; group++) {
        double d = distance(c, group, c->at[c->of[group]].share);
        if (d > most) {
            most = d;
            best = group;
        }
    }
    return best;
}

static int refine(struct stream_clusters *c, double *left, assay_error *err)
{
    bool has_changed = true;
    for (int step = 0; has_changed && step < STEPS; step++) {
        TRY(cancel_step(0, err));
        has_changed = false;
        *left = assign(c, &has_changed);
        move_centres(c);
    }
    return 0;
}

static int divide(struct stream_clusters *c, uint32_t wanted, assay_error *err)
{
    double all = 0, left;
    uint32_t most = wanted ? wanted < STREAM_CLUSTERS ? wanted : STREAM_CLUSTERS : MOST_BY_ITSELF;
    c->count = 1;
    memcpy(c->at[1].share, c->share, sizeof c->share);
    TRY(refine(c, &all, err));
    left = all;
    bool is_alike = !wanted && all <= ALIKE * ALIKE * c->groups->count;
    while (!is_alike && c->count < most && (wanted || left > (1 - EXPLAINED) * all)) {
        uint32_t next = farthest(c);
        if (!next) break;
        c->count++;
        memcpy(c->at[c->count].share, c->shares + (size_t)next * c->features, c->features * sizeof *c->shares);
        TRY(refine(c, &left, err));
    }
    c->explained = all > SAME ? 1 - left / all : 1;
    return 0;
}

/* ---- the result ---- */

static int by_size(const void *pa, const void *pb)
{
    const struct stream_cluster *a = pa, *b = pb;
    ORDER_BY(b->size, a->size);
    return ORDER(a->centre, b->centre);
}

static void describe(struct stream_clusters *c)
{
    uint8_t number[STREAM_CLUSTERS + 1];
    for (uint32_t i = 1; i <= c->count; i++) {
        struct stream_cluster *x = &c->at[i];
        double least = 0, most = -1;
        for (uint32_t group = 1; group <= c->groups->count; group++) {
            double d = c->of[group] == i ? distance(c, group, x->share) : 0;
            if (c->of[group] != i || (x->centre && d >= least)) continue;
            x->centre = group;
            least = d;
        }
        for (uint32_t k = 0; k < c->features; k++)
            if (fabs(x->share[k] - c->share[k]) > most) {
                most = fabs(x->share[k] - c->share[k]);
                x->apart = k;
            }
    }
    sort_by(c->at + 1, c->count, sizeof *c->at, by_size);
    while (c->count > 1 && !c->at[c->count].size) c->count--; /* all of its groups went elsewhere */
    for (uint32_t i = 1; i <= c->count; i++) number[c->of[c->at[i].centre]] = (uint8_t)i;
    for (uint32_t group = 1; group <= c->groups->count; group++) c->of[group] = number[c->of[group]];
}

int stream_clusters_init(struct stream_clusters *c, const struct stream_rows *rows, const uint32_t *order, const struct stream_groups *groups,
                         assay_metric_id metric, uint32_t wanted, struct mem *mem, assay_error *err)
{
    *c = (struct stream_clusters){ .mem = mem, .groups = groups };
    TRY(make_shares(c, rows, order, metric, err));
    TRY(divide(c, wanted, err));
    describe(c);
    return 0;
}

void stream_clusters_done(struct stream_clusters *c)
{
    if (!c->mem) return;
    mem_free(c->mem, c->of, c->of ? (size_t)c->groups->count + 1 : 0);
    mem_free(c->mem, c->shares, c->shares ? ((size_t)c->groups->count + 1) * STREAM_FEATURES * sizeof *c->shares : 0);
    *c = (struct stream_clusters){ .mem = NULL };
}
