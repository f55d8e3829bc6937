/* trace.db: what each stream did over time. Written only when there is a sample. */
#include "base/slice.h"
#include "formats/hpcdb/write.h"

enum { FIRST_SECTION = 0x20, HEAD = 32 };

struct tracer {
    const struct hpcdb_plan *plan;
    const struct assay_timeline *t;
    struct hpcdb_encoder e;
    uint64_t first, last;
};

static bool is_written(const struct tracer *w, assay_stream_id stream)
{
    const struct assay_timeline *t = w->t;
    if (!t->begin || stream.v > t->stream_count || t->begin[stream.v] == t->begin[stream.v + 1]) return false;
    return !NUMBER_AT(t->is_spans, stream.v) && slice_is(assay_profile_string(w->plan->p, (assay_str_id){ ID_AT(t->unit, stream.v) }), "ns");
}

/* Samples without a context that follow one another are one. */
static void put_line(struct tracer *w, assay_stream_id stream)
{
    unsigned char sample[HPCDB_SAMPLE_LEN];
    bool was_idle = false;
    for (uint64_t i = w->t->begin[stream.v]; i < w->t->begin[stream.v + 1]; i++) {
        uint64_t time = (uint64_t)w->t->time[i];
        uint32_t ctx = w->plan->shown[w->plan->ctx_of[ID_AT(w->t->node, i)]];
        w->first = time < w->first ? time : w->first;
        w->last = time > w->last ? time : w->last;
        if (ctx == 0 && was_idle) continue;
        was_idle = ctx == 0;
        hpcdb_encode_sample(sample, time, ctx);
        output_bytes(w->e.out, sample, sizeof sample);
    }
}

static void put_trace(struct tracer *w, uint32_t number)
{
    unsigned char trace[HPCDB_TRACE_LEN] = { 0 };
    uint64_t start = hpcdb_encode_align(&w->e, 8);
    if (is_written(w, w->plan->streams[number])) put_line(w, w->plan->streams[number]);
    put_u32(trace, number + 1);
    put_u64(trace + 8, start);
    put_u64(trace + 0x10, output_off(w->e.out));
    output_patch(w->e.out, FIRST_SECTION + HEAD + (uint64_t)number * HPCDB_TRACE_LEN, trace, sizeof trace);
}

static int put_all(struct tracer *w, assay_error *err)
{
    unsigned char head[HEAD] = { 0 };
    uint32_t count = w->plan->stream_count;
    hpcdb_encode_zeros(&w->e, HEAD + (uint64_t)count * HPCDB_TRACE_LEN);
    hpcdb_encode_section(&w->e, HPCDB_CTX_TRACES, FIRST_SECTION);
    for (uint32_t i = 0; i < count; i++) put_trace(w, i);
    hpcdb_encode_array(head, FIRST_SECTION + HEAD, count, HPCDB_TRACE_LEN);
    put_u64(head + 0x10, w->first);
    put_u64(head + 0x18, w->last);
    output_patch(w->e.out, FIRST_SECTION, head, sizeof head);
    hpcdb_encode_align(&w->e, 8);
    return hpcdb_encode_close(&w->e, err);
}

int hpcdb_write_traces(const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err)
{
    struct tracer w = { .plan = plan, .t = assay_profile_timeline(plan->p), .first = UINT64_MAX };
    bool has_samples = false;
    for (uint32_t i = 0; i < plan->stream_count; i++) has_samples |= is_written(&w, plan->streams[i]);
    if (!has_samples) return 0;
    TRY(hpcdb_encode_open(&w.e, dir, HPCDB_TRACE, FIRST_SECTION, err));
    int rc = put_all(&w, err);
    output_abort(w.e.out);
    return rc;
}
