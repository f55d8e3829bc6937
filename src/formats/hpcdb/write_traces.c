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

/* How many samples put_line writes. */
static uint64_t count_line(const struct tracer *w, assay_stream_id stream)
{
    bool was_idle = false;
    uint64_t count = 0;
    for (uint64_t i = w->t->begin[stream.v]; i < w->t->begin[stream.v + 1]; i++) {
        bool is_idle = w->plan->shown[w->plan->ctx_of[ID_AT(w->t->node, i)]] == 0;
        count += !(is_idle && was_idle);
        was_idle = is_idle;
    }
    return count;
}

static void put_trace(struct tracer *w, uint32_t number)
{
    unsigned char trace[HPCDB_TRACE_LEN] = { 0 };
    uint64_t start = hpcdb_encode_align(&w->e, 8);
    uint32_t profile = w->plan->own_first + number;
    if (is_written(w, w->plan->streams[number])) put_line(w, w->plan->streams[number]);
    put_u32(trace, profile + 1);
    put_u64(trace + 8, start);
    put_u64(trace + 0x10, output_off(w->e.out));
    output_patch(w->e.out, FIRST_SECTION + HEAD + (uint64_t)profile * HPCDB_TRACE_LEN, trace, sizeof trace);
}

static void put_head(struct tracer *w)
{
    uint32_t count = w->plan->stream_count;
    hpcdb_encode_zeros(&w->e, HEAD + (uint64_t)count * HPCDB_TRACE_LEN);
    hpcdb_encode_section(&w->e, HPCDB_CTX_TRACES, FIRST_SECTION);
}

static int put_end(struct tracer *w, assay_error *err)
{
    unsigned char head[HEAD] = { 0 };
    hpcdb_encode_array(head, FIRST_SECTION + HEAD, w->plan->stream_count, HPCDB_TRACE_LEN);
    put_u64(head + 0x10, w->first);
    put_u64(head + 0x18, w->last);
    output_patch(w->e.out, FIRST_SECTION, head, sizeof head);
    hpcdb_encode_align(&w->e, 8);
    return hpcdb_encode_close(&w->e, err);
}

static int put_all(struct tracer *w, assay_error *err)
{
    put_head(w);
    for (uint32_t i = 0; i < w->plan->own_count; i++) put_trace(w, i);
    return put_end(w, err);
}

/* ---- of a team ---- */

/* Each rank has samples of its own streams, and their lengths are known before they are written. */
static uint64_t part_len(const struct tracer *w)
{
    uint64_t len = 0;
    for (uint32_t i = 0; i < w->plan->own_count; i++)
        if (is_written(w, w->plan->streams[i])) len += (count_line(w, w->plan->streams[i]) * HPCDB_SAMPLE_LEN + 7) / 8 * 8;
    return len;
}

/* The times of all ranks. */
static void share_times(struct tracer *w)
{
    const struct team *t = hpcdb_plan_team(w->plan);
    for (uint32_t rank = 0; rank < t->count; rank++) {
        uint64_t its[2] = { w->first, w->last };
        t->broadcast(t->arg, rank, its, sizeof its);
        w->first = its[0] < w->first ? its[0] : w->first;
        w->last = its[1] > w->last ? its[1] : w->last;
    }
}

static int open_part(struct tracer *w, struct output_dir *dir, assay_error *err)
{
    if (!hpcdb_plan_is_first(w->plan)) return 0;
    TRY(hpcdb_encode_open(&w->e, dir, HPCDB_TRACE, FIRST_SECTION, err));
    put_head(w);
    output_settle(w->e.out);
    return output_blame(w->e.out, output_failed(w->e.out), err);
}

static int put_parts(struct tracer *w, struct output_dir *dir, assay_error *err)
{
    const struct team *t = hpcdb_plan_team(w->plan);
    const uint64_t lines = (FIRST_SECTION + HEAD + (uint64_t)w->plan->stream_count * HPCDB_TRACE_LEN + 7) / 8 * 8;
    uint64_t total, before = team_before(t, part_len(w), &total);
    int rc = 0;
    TRY(team_agree(t, open_part(w, dir, err), err));
    if (t->rank) {
        w->e = (struct hpcdb_encoder){ .part = HPCDB_TRACE };
        rc = output_dir_join_file(dir, hpcdb_layouts[HPCDB_TRACE].name, &w->e.out, err);
    }
    TRY(team_agree(t, rc, err));
    output_resume(w->e.out, lines + before);
    for (uint32_t i = 0; i < w->plan->own_count; i++) put_trace(w, i);
    share_times(w);
    TRY(hpcdb_part_leave(w->plan, &w->e, lines + total, output_blame(w->e.out, output_failed(w->e.out), err), err));
    return t->rank ? 0 : put_end(w, err);
}

int hpcdb_write_traces(const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err)
{
    struct tracer w = { .plan = plan, .t = assay_profile_timeline(plan->p), .first = UINT64_MAX };
    const struct team *t = hpcdb_plan_team(plan);
    uint32_t has_samples = 0;
    for (uint32_t i = 0; i < plan->own_count; i++) has_samples |= is_written(&w, plan->streams[i]);
    if (t) t->add(t->arg, &has_samples, 1);
    if (!has_samples) return 0;
    int rc = t ? put_parts(&w, dir, err) : hpcdb_encode_open(&w.e, dir, HPCDB_TRACE, FIRST_SECTION, err);
    if (rc == 0 && !t) rc = put_all(&w, err);
    output_abort(w.e.out);
    return rc;
}
