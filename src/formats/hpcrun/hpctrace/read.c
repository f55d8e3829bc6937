/* Traces alone: records -> a timeline of nodes that have no place, and what is wrong with the file. */
#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "base/plural.h"
#include "formats/hpcrun/hpcrun.h"
#include "formats/hpcrun/hpctrace/decode.h"
#include "formats/hpcrun/ids.h"

enum { LOOK_EVERY = 4096 };

struct trace_reader {
    const struct read_job *job;
    assay_builder *b;
    struct hpctrace_decoder d;
    struct hpcrun_ids ids;
    uint64_t contexts, descents;
};

/* ---- reading ---- */

/* The node that stands for an id; made when it is met for the first time. 0 = no memory, or a failed builder. */
static uint32_t node_of(struct trace_reader *r, uint32_t id)
{
    struct hpcrun_slot *slot = hpcrun_ids_find(&r->ids, id);
    if (slot) return slot->node;
    slot = hpcrun_ids_add(&r->ids, id);
    struct assay_node row = { .kind = ASSAY_NODE_OTHER, .flags = ASSAY_NODE_NO_PLACE, .origin = id };
    if (slot) slot->node = assay_build_node_new(r->b, &row).v;
    r->contexts++;
    return slot ? slot->node : 0;
}

/* The ids as a span, so that the table of them can be sized. */
static struct hpcrun_span ids_of(const struct hpctrace_decoder *d)
{
    return (struct hpcrun_span){
        .at = (const unsigned char *)d->bytes.data + d->head.len + 8, .stride = d->head.record_len, .count = d->head.count, .is_big_endian = true
    };
}

static int read_samples(struct trace_reader *r, assay_error *err)
{
    bool wants_events = assay_builder_want(r->b) & ASSAY_WANT_TIMELINE;
    struct hpcrun_span ids = ids_of(&r->d);
    struct hpctrace_sample s;
    uint64_t before = 0;
    if (ids.count && !hpcrun_ids_begin(&r->ids, &ids)) return error_memory(err);
    for (uint64_t i = 0; i < r->d.head.count; i++) {
        hpctrace_sample_at(&r->d, i, &s);
        uint32_t node = node_of(r, s.node);
        if (!node) return assay_builder_failed(r->b) ? assay_builder_failed(r->b) : error_memory(err);
        r->descents += s.time < before;
        before = s.time;
        if (wants_events) assay_build_event(r->b, (assay_stream_id){ 0 }, hpctrace_ns(&r->d.head, s.time), 0, (assay_node_id){ node }, NULL);
        if (i % LOOK_EVERY == 0 && assay_builder_failed(r->b)) break;
    }
    return assay_builder_failed(r->b);
}

static void put_facts(struct trace_reader *r)
{
    const struct hpctrace_head *h = &r->d.head;
    struct hpctrace_sample first = { .time = 0 }, last = { .time = 0 };
    char text[48];
    if (h->count) {
        hpctrace_sample_at(&r->d, 0, &first);
        hpctrace_sample_at(&r->d, h->count - 1, &last);
        assay_build_count(r->b, "first", first.time);
        assay_build_count(r->b, "last", last.time);
        assay_build_count(r->b, "first_context", first.node);
        assay_build_count(r->b, "last_context", last.node);
    }
    assay_build_count(r->b, "samples", h->count);
    assay_build_count(r->b, "contexts", r->contexts);
    assay_build_count(r->b, "descents", r->descents);
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, "flags", 5, text, number_put_u64(text, h->flags));
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, "unit", 4, h->is_micro ? "us" : "ns", 2);
    assay_build_timeline_stream(r->b, (assay_stream_id){ 0 }, "ns", false);
    assay_build_source(r->b, "hpctrace", h->version, "hpcrun");
    assay_build_offers(r->b, ASSAY_SHAPE_TIMELINE);
    if (r->descents)
        hpcrun_warn(r->b, "HRW09", ASSAY_WARNING, FINDING_NO_OFFSET, "%" PRIu64 " sample%s earlier than the one before: samples are sorted by time",
                    r->descents, plural_is(r->descents));
}

static int read_trace(struct trace_reader *r, const struct hpcrun_source *source, assay_error *err)
{
    struct hpctrace_record rec;
    hpctrace_decoder_init(&r->d, source->bytes);
    (void)hpctrace_next(&r->d, &rec);
    while (r->d.pending_next < r->d.pending_count) {
        (void)hpctrace_next(&r->d, &rec);
        if (rec.damage.is_fatal) return hpcrun_fail(&rec.damage, rec.off, err);
        hpcrun_warn(r->b, rec.damage.rule, rec.damage.severity, rec.off, "%s", rec.damage.message);
    }
    TRY(read_samples(r, err));
    put_facts(r);
    hpcrun_warn_cut(r->b, source);
    return assay_builder_failed(r->b);
}

int hpctrace_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct trace_reader r = { .job = job, .b = b };
    struct hpcrun_source source;
    TRY(hpcrun_map(job, &source, err));
    if (job->options->strict) TRY(hpcrun_refuse_damage(hpctrace_check_source, &source, job->mem, err));
    hpcrun_ids_init(&r.ids, job->mem);
    int rc = read_trace(&r, &source, err);
    hpcrun_ids_done(&r.ids);
    return rc;
}

/* ---- checking ---- */

static void check_head(const struct hpctrace_record *r, struct findings *out)
{
    const uint64_t known = HPCTRACE_DATA_CENTRIC | HPCTRACE_LCA | HPCTRACE_CALL;
    if (r->head.flags & ~known) findings_add(out, "HRW03", ASSAY_WARNING, 24, 0, "the flags 0x%" PRIx64 " have unknown bits", r->head.flags);
}

/* Disorder is declared by the profile beside it, so here it is only counted. */
static void check_order(const struct hpctrace_decoder *d, struct findings *out)
{
    struct hpctrace_sample s;
    uint64_t before = 0, descents = 0, first = 0;
    for (uint64_t i = 0; i < d->head.count; i++) {
        hpctrace_sample_at(d, i, &s);
        if (s.time < before && descents++ == 0) first = hpctrace_off(d, i);
        before = s.time;
    }
    if (descents)
        findings_add(out, "HRW09", ASSAY_INFO, first, 0, "%" PRIu64 " sample%s earlier than the one before, the first of them here", descents,
                     plural_is(descents));
}

int hpctrace_check_source(const struct hpcrun_source *source, struct mem *mem, struct findings *out, assay_error *err)
{
    struct hpctrace_decoder d;
    struct hpctrace_record r;
    (void)mem;
    hpctrace_decoder_init(&d, source->bytes);
    (void)hpctrace_next(&d, &r);
    check_head(&r, out);
    while (d.pending_next < d.pending_count) {
        (void)hpctrace_next(&d, &r);
        findings_add(out, r.damage.rule, r.damage.severity, r.off, 0, "%s", r.damage.message);
    }
    check_order(&d, out);
    if (source->is_cut) findings_add(out, "HRC21", ASSAY_ERROR, source->bytes.len, 0, "the compressed input is damaged here");
    return out->failed ? error_memory(err) : 0;
}

int hpctrace_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct hpcrun_source source;
    TRY(hpcrun_map(job, &source, err));
    return hpctrace_check_source(&source, job->mem, out, err);
}
