/* What is left of the events over time: those of the streams and contexts that are left; see select.h. */
#include "analysis/select/select.h"
#include "base/scoped.h"
#include "model/entry.h"

struct copying {
    struct select *s;
    const struct assay_timeline *t;
    const uint32_t *to;     /* by node of the source */
    assay_value *no_weight; /* zeros */
};

/* A sample lasts until the next one: where its stack is left out, nothing is seen until then. A span is simply not there. */
static void copy_stream(struct copying *c, uint32_t from)
{
    const struct assay_timeline *t = c->t;
    assay_stream_id stream = { c->s->stream[from] };
    bool is_spans = AT(t->is_spans, from), is_gap = false;
    if (t->begin[from] == t->begin[from + 1]) return;
    assay_build_timeline_stream(c->s->b, stream, assay_profile_string(c->s->p, (assay_str_id){ ID(t->unit, from) }).data, is_spans);
    for (uint64_t i = t->begin[from]; i < t->begin[from + 1]; i++) {
        uint32_t was = ID(t->node, i), node = c->to[was];
        bool is_left_out = was && !node;
        if (is_left_out && (is_spans || is_gap)) continue;
        is_gap = !node;
        const assay_value *weights = !t->weight ? NULL : is_left_out ? c->no_weight : t->weight + i * t->block.metric_count;
        assay_build_event(c->s->b, stream, t->time[i], AT(t->duration, i), (assay_node_id){ node }, weights);
        if (ID(t->set, i) && !is_left_out) assay_build_event_set(c->s->b, t->set[i]);
    }
}

int select_timeline(struct select *s, const uint32_t *to, assay_error *err)
{
    const struct assay_timeline *t = assay_profile_timeline(s->p);
    uint32_t width = t->block.metric_count;
    if (!t->count || !s->keeps_events) return 0;
    SCRATCH(assay_metric_id, weights, &s->mem, (size_t)width + 1);
    SCRATCH(assay_value, no_weight, &s->mem, (size_t)width + 1);
    if (!weights || !no_weight) return error_memory(err);
    for (uint32_t k = 0; k < width; k++) weights[k].v = s->metric[t->block.metrics[k].v];
    assay_build_timeline(s->b, weights, width);
    struct copying c = { .s = s, .t = t, .to = to, .no_weight = no_weight };
    for (uint32_t stream = 0; stream <= t->stream_count; stream++)
        if (s->stream[stream] != SELECT_NO_STREAM) copy_stream(&c, stream);
    return 0;
}
