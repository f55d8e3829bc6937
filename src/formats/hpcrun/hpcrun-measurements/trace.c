/* The trace of a profile: what its thread did over time, as events of the timeline; see measure.h. */
#include <stdio.h>

#include "formats/hpcrun/hpcrun-measurements/measure.h"
#include "formats/hpcrun/hpctrace/decode.h"

struct tracer {
    struct measure *m;
    const struct measure_file *file;
    assay_stream_id stream;
    struct measure_nodes *nodes;
    struct hpctrace_decoder d;
};

/* A trace of a GPU stream means the call, not the instruction. Id 0 and ids that the profile does not have stand for no context. */
static bool add_event(struct tracer *t, const struct hpctrace_sample *s)
{
    const struct hpcrun_slot *slot = s->node ? hpcrun_ids_find(&t->nodes->ids, s->node) : NULL;
    if (!slot) return false;
    const struct expand_context *c = &t->nodes->list.at[slot->node - 1].context;
    assay_node_id node = t->d.head.flags & HPCTRACE_CALL ? c->called : c->full;
    assay_build_event(t->m->b, t->stream, hpctrace_ns(&t->d.head, s->time), 0, node, NULL);
    return true;
}

static int read_samples(struct tracer *t, assay_error *err)
{
    uint64_t unknown = 0;
    struct hpcrun_damage d = { .rule = "HRW09", .severity = ASSAY_WARNING };
    t->m->sample_count += t->d.head.count;
    if (!t->m->has_timeline) return 0;
    assay_build_timeline_stream(t->m->b, t->stream, "ns", false);
    for (uint64_t i = 0; i < t->d.head.count; i++) {
        struct hpctrace_sample s;
        hpctrace_sample_at(&t->d, i, &s);
        unknown += !add_event(t, &s);
    }
    if (!unknown) return 0;
    snprintf(d.message, sizeof d.message, "%llu of %llu samples name a node that the profile does not have", (unsigned long long)unknown,
             (unsigned long long)t->d.head.count);
    return measure_warn(t->m, t->file->trace_name, &d, t->d.head.len, err);
}

int measure_trace(struct measure *m, const struct measure_file *file, struct measure_opened *o, assay_stream_id stream, struct measure_nodes *nodes,
                  assay_error *err)
{
    struct tracer t = { .m = m, .file = file, .stream = stream, .nodes = nodes };
    if (!file->trace_path) return 0;
    if (o->trace_rc != 0) {
        *err = o->trace_err;
        return o->trace_rc;
    }
    hpctrace_decoder_init(&t.d, o->trace.bytes);
    for (struct hpctrace_record r; t.d.next == 0 && hpctrace_next(&t.d, &r);) {
        if (r.kind == HPCTRACE_RECORD_DAMAGE) TRY(measure_warn(m, file->trace_name, &r.damage, r.off, err));
        if (r.kind == HPCTRACE_RECORD_SAMPLE) break;
    }
    return read_samples(&t, err);
}
