/* Figures -> visits; see visits.h.
 *
 * A sample has no length in the file: it lasts until the next one, and the last one as long as all others do on average. Where the last visit is not of that
 * length it is given further samples at its end, the last of which is. */
#include "formats/v8-cpuprofile/visits.h"

#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"

static const double same = 1e-9; /* lengths that differ by less than this share are the same */
enum { FURTHER_SAMPLES = 1000 }; /* at most, on top of as many as there are visits */

void cpuprofile_visits_done(struct cpuprofile_visits *v) { vec_done(v->mem, &v->list); }

static int add_visit(struct cpuprofile_visits *v, const struct stacks *s, uint32_t node, double us)
{
    if (us < 0) {
        v->negative++;
        return 0;
    }
    struct cpuprofile_visit *visit = vec_push(v->mem, &v->list);
    if (!visit) return error_memory(s->err);
    *visit = (struct cpuprofile_visit){ node, us };
    v->us += us;
    return 0;
}

/* ---- samples with times ---- */

/* The place of a metric among the weights of samples in ns; -1 = the stream has no such samples. */
static int weight_of(const struct stacks *s, uint32_t stream, assay_metric_id m)
{
    const struct assay_timeline *t = assay_profile_timeline(s->p);
    if (!t->count || stream > t->stream_count || t->begin[stream] == t->begin[stream + 1] || (t->is_spans && t->is_spans[stream])) return -1;
    if (!slice_is(assay_profile_string(s->p, t->unit[stream]), "ns")) return -1;
    for (uint32_t k = 0; t->weight && k < t->block.metric_count; k++)
        if (t->block.metrics[k].v == m.v) return (int)k;
    return -1;
}

/* A sample that does not begin where the one before it ends is moved. */
static int take_samples(struct cpuprofile_visits *v, const struct stacks *s, uint32_t stream, assay_metric_id m, double factor, uint32_t k)
{
    const struct assay_timeline *t = assay_profile_timeline(s->p);
    enum assay_type type = (enum assay_type)assay_profile_metrics(s->p)->type[m.v];
    for (uint64_t i = t->begin[stream]; i < t->begin[stream + 1]; i++) {
        double us = value_double(type, t->weight[i * t->block.metric_count + k]) * factor;
        TRY(cancel_step(i, s->err));
        if (i + 1 < t->begin[stream + 1]) v->moved += fabs((double)(t->time[i + 1] - t->time[i]) - us * 1000) > 1;
        TRY(add_visit(v, s, t->node && t->node[i].v ? s->frames.owner[t->node[i].v] : 0, us));
    }
    if (!v->is_timed) v->start = (double)t->time[t->begin[stream]] / 1000;
    v->is_timed = true;
    return 0;
}

/* ---- sums ---- */

/* One visit of each stack. The longest comes last, as its length can always be told. */
static int take_sums(struct cpuprofile_visits *v, const struct stacks *s, const struct sums *self, double factor)
{
    size_t longest = 0, before = v->list.len;
    for (size_t node = 1; node < s->frames.len; node++) {
        double us = value_double(self->type, sums_value(self, node)) * factor;
        TRY(cancel_step(node, s->err));
        if (us != 0) TRY(add_visit(v, s, (uint32_t)node, us));
        if (v->list.len && v->list.at[v->list.len - 1].us > v->list.at[longest].us) longest = v->list.len - 1;
    }
    if (v->list.len == before || longest < before) return 0;
    struct cpuprofile_visit last = v->list.at[longest];
    memmove(v->list.at + longest, v->list.at + longest + 1, (v->list.len - 1 - longest) * sizeof *v->list.at);
    v->list.at[v->list.len - 1] = last;
    return 0;
}

/* ---- the end ---- */

static void settle_end(struct cpuprofile_visits *v)
{
    size_t count = v->list.len;
    if (!count) return;
    double last = v->list.at[count - 1].us, mean = count > 1 ? (v->us - last) / (double)(count - 1) : -1;
    if (fabs(last - mean) <= same * fabs(mean)) return;
    double samples = last > 0 ? ceil(v->us / last) : INFINITY;
    samples = fmax(samples, (double)count + 1);
    if (samples > 2 * (double)count + FURTHER_SAMPLES) {
        v->wrong_end = 1;
        return;
    }
    v->again = (uint32_t)(samples - (double)count);
    v->rest = v->us / samples;
}

int cpuprofile_visits_take(struct cpuprofile_visits *v, const struct stacks *s, assay_metric_id m, double factor)
{
    const struct assay_timeline *t = assay_profile_timeline(s->p);
    SCOPED(sums_done) struct sums self = { 0 };
    bool has_sums = false;
    *v = (struct cpuprofile_visits){ .mem = s->job->mem };
    if (!sums_init(&self, v->mem, (enum assay_type)assay_profile_metrics(s->p)->type[m.v], s->frames.len)) return error_memory(s->err);
    for (uint32_t stream = 0; stream <= assay_profile_streams(s->p)->count; stream++) {
        int k = weight_of(s, stream, m);
        bool any = false;
        TRY(cancel_step(stream, s->err));
        if (k >= 0)
            TRY(take_samples(v, s, stream, m, factor, (uint32_t)k));
        else if (stacks_has_values(s, (assay_stream_id){ stream }, m)) {
            TRY(stacks_self(s, (assay_stream_id){ stream }, m, &self, &any));
            if (t->count && stream <= t->stream_count) v->untimed += t->begin[stream + 1] - t->begin[stream];
        }
        v->streams += k >= 0 || any;
        has_sums |= any;
    }
    if (has_sums) TRY(take_sums(v, s, &self, factor));
    settle_end(v);
    return 0;
}
