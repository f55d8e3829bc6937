/* Thread files, traces and profile.db -> streams, values and events. */
#include "formats/hpcdb-xml/read.h"

#include <math.h>

enum { GPU_THREADS = 500, LOOK_EVERY = 4096 };

/* ---- streams ---- */

uint32_t hx_read_stream(struct hx_reader *r, uint64_t rank, uint64_t thread, const uint64_t *host)
{
    uint64_t hash = hash_mix(hash_mix(0, rank), thread);
    for (struct index_walk w = index_walk(&r->stream_index, hash); index_next(&r->stream_index, &w);)
        if (r->streams.at[w.id - 1].rank == rank && r->streams.at[w.id - 1].thread == thread) return w.id;
    struct hx_stream *slot = vec_push(r->mem, &r->streams);
    if (!slot || !index_add(&r->stream_index, hash, (uint32_t)r->streams.len)) return 0;
    *slot = (struct hx_stream){ rank, thread };
    uint32_t id = assay_build_stream(r->b, NULL).v;
    if (host) assay_build_tuple(r->b, "NODE", *host, *host, 0);
    assay_build_tuple(r->b, "RANK", rank, rank, 0);
    assay_build_tuple(r->b, thread >= GPU_THREADS ? "GPUSTREAM" : "THREAD", thread, thread, 0);
    return assay_builder_failed(r->b) ? 0 : id;
}

int hx_read_no_stream(struct hx_reader *r) { return assay_builder_failed(r->b) ? assay_builder_failed(r->b) : error_memory(r->err); }

static uint32_t stream_of(struct hx_reader *r, const struct hx_part *part, uint64_t otherwise)
{
    return hx_read_stream(r, part->rank, part->is_named ? part->thread : otherwise, part->has_host ? &part->host : NULL);
}

/* ---- thread files ---- */

struct look {
    const struct hx_reader *r;
    struct findings ignored;
    bool found;
};

static int look_at(void *arg, const struct hx_part *part)
{
    struct look *l = arg;
    struct hx_matrix m;
    l->found |= part->kind == HX_MATRIX && hx_matrix_open(&m, part, &l->ignored) && m.nodes && m.metrics;
    return 0;
}

int hx_read_look(struct hx_reader *r)
{
    struct look l = { .r = r };
    findings_init(&l.ignored, r->mem);
    int rc = hx_each_part(r->job, false, &l.ignored, look_at, &l, r->err);
    findings_done(&l.ignored);
    r->has_threads = l.found;
    return rc;
}

static void put(struct hx_reader *r, uint32_t stream, uint32_t node, assay_scope_id scope, double value)
{
    if (value != 0 && isfinite(value)) assay_build_value(r->b, (assay_stream_id){ stream }, (assay_node_id){ node }, scope, (assay_value){ .d = value });
}

static void read_rows(struct hx_reader *r, const struct hx_matrix *m, uint32_t stream, size_t base)
{
    const struct hx_base *b = &r->tables.bases.at[base];
    const struct hx_column *c = &r->columns.at[base];
    for (size_t i = 0; i < r->places.list.len; i++) {
        const struct hx_place *p = &r->places.list.at[i];
        if (p->id < 2 || p->id > m->nodes || !p->node) continue;
        uint32_t row = (uint32_t)p->id - 1;
        if (b->db_exclusive >= 0 && p->is_own) put(r, stream, p->node, c->own, hx_matrix_value(m, row, (uint32_t)b->db_exclusive));
        if (b->db_inclusive >= 0 && !p->is_inside) put(r, stream, p->node, c->total, hx_matrix_value(m, row, (uint32_t)b->db_inclusive));
    }
}

static int read_matrix(struct hx_reader *r, const struct hx_part *part)
{
    struct hx_matrix m;
    if (!hx_matrix_open(&m, part, &r->damage)) return 0;
    uint32_t stream = stream_of(r, part, r->values_streams);
    if (!stream) return hx_read_no_stream(r);
    r->values_streams++;
    for (size_t i = 0; i < r->tables.bases.len; i++) {
        const struct hx_base *b = &r->tables.bases.at[i];
        if (b->has_pair) read_rows(r, &m, stream, i);
        if (b->db_inclusive >= 0) r->columns.at[i].threads += hx_matrix_value(&m, 0, (uint32_t)b->db_inclusive);
    }
    return assay_builder_failed(r->b);
}

/* ---- traces ---- */

int hx_read_samples(struct hx_reader *r, const struct hx_trace *t, uint32_t stream, const struct hx_places *places)
{
    assay_build_timeline_stream(r->b, (assay_stream_id){ stream }, "ns", false);
    for (uint64_t i = 0; i < t->count; i++) {
        const struct hx_place *p = hx_places_find(places, hx_trace_id(t, i));
        r->lost_samples += p == NULL;
        assay_build_event(r->b, (assay_stream_id){ stream }, hx_trace_ns(t, hx_trace_time(t, i)), 0, (assay_node_id){ p ? p->node : 0 }, NULL);
        if (i % LOOK_EVERY == 0 && assay_builder_failed(r->b)) break;
    }
    return assay_builder_failed(r->b);
}

static int read_trace(struct hx_reader *r, const struct hx_part *part)
{
    struct hx_trace t;
    if (!hx_trace_open(&t, part, r->tables.ticks, &r->damage)) return 0;
    r->traces++;
    r->samples += t.count;
    if (!(assay_builder_want(r->b) & ASSAY_WANT_TIMELINE)) return 0;
    uint32_t stream = stream_of(r, part, r->traces - 1);
    return stream ? hx_read_samples(r, &t, stream, &r->trace_ids) : hx_read_no_stream(r);
}

/* ---- all ---- */

static int read_part(void *arg, const struct hx_part *part)
{
    struct hx_reader *r = arg;
    switch (part->kind) {
    case HX_MATRIX: return read_matrix(r, part);
    case HX_TRACE: return read_trace(r, part);
    case HX_SPARSE: return hx_read_sparse(r, part);
    case HX_SPARSE_TRACE: return hx_read_sparse_traces(r, part);
    default: return 0;
    }
}

int hx_read_side(struct hx_reader *r)
{
    TRY(hx_each_part(r->job, r->is_sparse, &r->damage, read_part, r, r->err));
    for (size_t i = 0; r->has_threads && i < r->columns.len; i++)
        if (r->columns.at[i].has_whole) hx_compare_threads(&r->tables, i, r->values_streams, r->columns.at[i].threads, r->columns.at[i].whole);
    if (!r->values_streams && !r->is_sparse) r->values_streams = r->raw_streams;
    if (r->is_sparse && !r->has_sparse) findings_add(&r->damage, "HX40", ASSAY_ERROR, FINDING_NO_OFFSET, 0, HX40_TEXT);
    if (r->lost_samples)
        findings_add(&r->damage, "HX34", ASSAY_INFO, FINDING_NO_OFFSET, 0,
                     "%llu of %llu samples name a context that is not in the tree: they are shown as idle", (unsigned long long)r->lost_samples,
                     (unsigned long long)r->samples);
    return 0;
}
