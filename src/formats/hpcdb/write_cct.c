/* cct.db: the values of profile.db once more, by context. Ranges of contexts are made by several threads (transpose.c) and written in order; the
 * summary goes to the end of profile.db on the way. */
#include "base/parallel.h"
#include "base/scoped.h"
#include "formats/hpcdb/transpose.h"

enum {
    FIRST_SECTION = 0x30,
    INFO_HEAD = 16,
    MEMORY_USUAL = 32 << 20,
    MEMORY_LEAST = 1 << 20,
    RANGE_MOST = 1 << 18,  /* values of a range, if it has more than one context */
    RANGE_LEAST = 1 << 12, /* and not less than this when memory is short */
    BYTES_OF_VALUE = 64,   /* that a value of a range takes, at most */
    STREAMS_MOST = 500     /* with more, threads would spend their time on finding their places */
};

struct cct {
    struct hpcdb_profile_file *f;
    const struct hpcdb_plan *plan;
    struct hpcdb_encoder e;
    struct transposer *workers;
    unsigned worker_count;
    VEC(uint32_t) ranges; /* where each begins, and where the last one ends */
    unsigned char *infos; /* CtxInfos, written at the end */
    struct hpcdb_block summary;
    VEC(unsigned char) summary_index;
    /* Of a team: the ranges first_range .. end_range are made here, and the values of the summary wait until their place is known. */
    uint32_t first_range, end_range;
    VEC(unsigned char) summary_values;
};

/* ---- ranges ---- */

static bool add_range(struct cct *c, uint32_t at)
{
    uint32_t *slot = vec_push(c->plan->mem, &c->ranges);
    if (slot) *slot = at;
    return slot != NULL;
}

static bool make_ranges(struct cct *c, uint64_t most)
{
    uint64_t values = 0;
    uint32_t first = 0;
    if (!add_range(c, 0)) return false;
    for (uint32_t ctx = 0; ctx < c->plan->ctx_count; ctx++) {
        if (ctx > first && (values + c->f->weights[ctx] > most || ctx - first == TRANSPOSE_MOST)) {
            if (!add_range(c, ctx)) return false;
            first = ctx;
            values = 0;
        }
        values += c->f->weights[ctx];
    }
    return add_range(c, c->plan->ctx_count);
}

static int make_workers(struct cct *c, assay_error *err)
{
    const struct assay_write_options *o = c->plan->job->options;
    uint64_t memory = o->memory ? o->memory : MEMORY_USUAL;
    if (memory < MEMORY_LEAST) memory = MEMORY_LEAST;
    c->worker_count = c->plan->stream_count > STREAMS_MOST ? 1 : hpcdb_workers(c->plan);
    memory /= c->worker_count;
    uint64_t most = memory / 2 / BYTES_OF_VALUE;
    if (!make_ranges(c, most > RANGE_MOST ? RANGE_MOST : most < RANGE_LEAST ? RANGE_LEAST : most)) return error_memory(err);
    c->workers = mem_zalloc(c->plan->mem, c->worker_count, sizeof *c->workers);
    c->infos = mem_zalloc(c->plan->mem, c->plan->ctx_count, HPCDB_CTX_LEN);
    if (!c->workers || !c->infos) return error_memory(err);
    for (unsigned i = 0; i < c->worker_count; i++) TRY(transpose_init(&c->workers[i], c->f, memory / 2, err));
    return 0;
}

static int make_range(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct cct *c = arg;
    const uint32_t *range = &c->ranges.at[c->first_range + job];
    return transpose_range(&c->workers[worker], range[0], range[1], err);
}

/* Elements of CtxInfos with their places in the file. */
static void take_infos(struct cct *c, const struct transposer *t, uint64_t base)
{
    unsigned char *to = c->infos + (size_t)t->first * HPCDB_CTX_LEN;
    memcpy(to, t->infos.at, t->infos.len);
    for (size_t i = 0; i < t->infos.len; i += HPCDB_CTX_LEN) {
        put_u64(to + i + 8, bytes_u64le(to + i + 8) + base);
        put_u64(to + i + 0x18, bytes_u64le(to + i + 0x18) + base);
    }
}

static int take_summary(struct cct *c, const struct transposer *t, assay_error *err)
{
    if (!c->plan->share) {
        output_bytes(c->f->e.out, t->stats.at, t->stats.len);
    } else if (t->stats.len) {
        if (!vec_reserve(c->plan->mem, &c->summary_values, t->stats.len)) return error_memory(err);
        memcpy(c->summary_values.at + c->summary_values.len, t->stats.at, t->stats.len);
        c->summary_values.len += t->stats.len;
    }
    if (!vec_reserve(c->plan->mem, &c->summary_index, t->index.len)) return error_memory(err);
    for (size_t i = 0; i < t->index.len; i += HPCDB_INDEX_LEN) {
        const unsigned char *from = t->index.at + i;
        hpcdb_encode_index(c->summary_index.at + c->summary_index.len, bytes_u32le(from), bytes_u64le(from + 4) + c->summary.value_count);
        c->summary_index.len += HPCDB_INDEX_LEN;
    }
    c->summary.value_count += t->stats.len / HPCDB_VALUE_LEN;
    c->summary.ctx_count += (uint32_t)(t->index.len / HPCDB_INDEX_LEN);
    return 0;
}

static int take_range(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct cct *c = arg;
    const struct transposer *t = &c->workers[worker];
    uint64_t base = hpcdb_encode_align(&c->e, 4);
    output_bytes(c->e.out, t->bytes.at, t->bytes.len);
    take_infos(c, t, base);
    TRY(take_summary(c, t, err));
    if (output_failed(c->e.out) || output_failed(c->f->e.out)) FAIL(err, ASSAY_ERR_WRITE, "cannot write");
    return worker ? 0 : hpcdb_write_progress(c->plan, HPCDB_CONTEXTS, job + 1, c->end_range - c->first_range, err);
}

/* ---- one process, or its share ---- */

/* The ranges of this process: all of them, or in a team those whose middle lies in its share of the values. */
static void deal_ranges(struct cct *c)
{
    const struct team *t = hpcdb_plan_team(c->plan);
    uint32_t count = (uint32_t)c->ranges.len - 1;
    double total = 0, before = 0;
    c->end_range = count;
    if (!t) return;
    for (uint32_t ctx = 0; ctx < c->plan->ctx_count; ctx++) total += (double)c->f->weights[ctx] + 1;
    c->first_range = t->rank ? count : 0;
    c->end_range = 0;
    for (uint32_t i = 0; i < count; i++) {
        double size = 0;
        for (uint32_t ctx = c->ranges.at[i]; ctx < c->ranges.at[i + 1]; ctx++) size += (double)c->f->weights[ctx] + 1;
        uint32_t owner = (uint32_t)((before + size / 2) / total * t->count);
        if (owner >= t->count) owner = t->count - 1;
        if (owner == t->rank && c->first_range > i) c->first_range = i;
        if (owner <= t->rank) c->end_range = i + 1;
        before += size;
    }
    if (c->first_range > c->end_range) c->first_range = c->end_range;
}

static void put_head(struct cct *c)
{
    unsigned char head[INFO_HEAD];
    uint32_t count = c->plan->ctx_count;
    hpcdb_encode_array(head, FIRST_SECTION + INFO_HEAD, count, HPCDB_CTX_LEN);
    output_bytes(c->e.out, head, sizeof head);
    hpcdb_encode_zeros(&c->e, (uint64_t)count * HPCDB_CTX_LEN);
    hpcdb_encode_section(&c->e, HPCDB_CTX_INFOS, FIRST_SECTION);
}

static int make_ranges_here(struct cct *c, assay_error *err)
{
    deal_ranges(c);
    if (hpcdb_plan_is_first(c->plan)) put_head(c);
    c->summary.values_at = c->plan->share ? c->f->end : hpcdb_encode_align(&c->f->e, 4);
    output_settle(c->f->e.out);
    const struct parallel p = { .count = c->end_range - c->first_range, .workers = c->worker_count, .arg = c, .make = make_range, .take = take_range };
    int rc = parallel_run(&p, err);
    /* the outputs know better why they cannot be written */
    if (output_failed(c->f->e.out)) return hpcdb_encode_close(&c->f->e, err);
    if (rc != 0 && output_failed(c->e.out)) return hpcdb_encode_close(&c->e, err);
    return rc;
}

static int write_all(struct cct *c, assay_error *err)
{
    TRY(make_ranges_here(c, err));
    hpcdb_encode_align(&c->e, 4);
    output_patch(c->e.out, FIRST_SECTION + INFO_HEAD, c->infos, (size_t)c->plan->ctx_count * HPCDB_CTX_LEN);
    return hpcdb_encode_close(&c->e, err);
}

/* ---- of a team ---- */

/* The elements of CtxInfos of this rank, whose offsets count from the beginning of its part. */
static void put_infos(struct cct *c, uint64_t base)
{
    uint32_t first = c->ranges.at[c->first_range], end = c->ranges.at[c->end_range];
    unsigned char *at = c->infos + (size_t)first * HPCDB_CTX_LEN;
    for (uint32_t ctx = first; ctx < end; ctx++, at += HPCDB_CTX_LEN) {
        put_u64(at + 8, bytes_u64le(at + 8) + base);
        put_u64(at + 0x18, bytes_u64le(at + 0x18) + base);
    }
    if (end > first)
        output_patch(c->e.out, FIRST_SECTION + INFO_HEAD + (uint64_t)first * HPCDB_CTX_LEN, c->infos + (size_t)first * HPCDB_CTX_LEN,
                     (size_t)(end - first) * HPCDB_CTX_LEN);
}

/* Values of all ranks, then contexts of all ranks, behind the blocks of profile.db. */
static void put_summary(struct cct *c)
{
    const struct team *t = hpcdb_plan_team(c->plan);
    struct hpcdb_block *s = &c->summary;
    uint64_t values, ctxs, before = team_before(t, s->value_count, &values), ctx_before = team_before(t, s->ctx_count, &ctxs);
    for (size_t i = 0; i < c->summary_index.len; i += HPCDB_INDEX_LEN) put_u64(c->summary_index.at + i + 4, bytes_u64le(c->summary_index.at + i + 4) + before);
    s->value_count = values;
    s->ctx_count = (uint32_t)ctxs;
    s->ctxs_at = (s->values_at + values * HPCDB_VALUE_LEN + 3) / 4 * 4;
    output_resume(c->f->e.out, s->values_at + before * HPCDB_VALUE_LEN);
    output_bytes(c->f->e.out, c->summary_values.at, c->summary_values.len);
    output_resume(c->f->e.out, s->ctxs_at + ctx_before * HPCDB_INDEX_LEN);
    output_bytes(c->f->e.out, c->summary_index.at, c->summary_index.len);
    output_settle(c->f->e.out);
    c->f->blocks[0] = *s;
}

static int write_parts(struct cct *c, struct output_dir *dir, int rc, assay_error *err)
{
    uint64_t base, end;
    const struct team *t = hpcdb_plan_team(c->plan);
    if (rc == 0) rc = make_ranges_here(c, err);
    TRY(team_agree(t, rc, err));
    TRY(hpcdb_part_settle(c->plan, &c->e, dir, &base, &end, err));
    put_infos(c, base);
    TRY(hpcdb_part_leave(c->plan, &c->e, end, output_blame(c->e.out, output_failed(c->e.out), err), err));
    put_summary(c);
    end = c->summary.ctxs_at + (uint64_t)c->summary.ctx_count * HPCDB_INDEX_LEN;
    TRY(hpcdb_part_leave(c->plan, &c->f->e, end, output_blame(c->f->e.out, output_failed(c->f->e.out), err), err));
    return hpcdb_plan_is_first(c->plan) ? hpcdb_encode_close(&c->e, err) : 0;
}

/* ---- all ---- */

/* The summary's block: made above, or as it is stored. */
static int end_summary(struct cct *c, assay_error *err)
{
    struct hpcdb_encoder *e = &c->f->e;
    if (hpcdb_plan_has_summary(c->plan)) {
        SCOPED(hpcdb_values_done) struct hpcdb_values v;
        TRY(hpcdb_values_init(&v, c->plan, c->f->seen, err));
        TRY(hpcdb_values_of_summary(&v, err));
        TRY(hpcdb_values_encode(&v, err));
        hpcdb_values_put(&v, e, &c->f->blocks[0]);
        return 0;
    }
    c->summary.ctxs_at = hpcdb_encode_align(e, 4);
    output_bytes(e->out, c->summary_index.at, c->summary_index.len);
    c->f->blocks[0] = c->summary;
    return 0;
}

int hpcdb_write_cct(struct hpcdb_profile_file *f, struct output_dir *dir, assay_error *err)
{
    struct cct c = { .f = f, .plan = f->plan };
    struct mem *mem = f->plan->mem;
    int rc = hpcdb_part_open(c.plan, &c.e, dir, HPCDB_CCT, FIRST_SECTION, err);
    if (rc == 0) rc = make_workers(&c, err);
    if (c.plan->share)
        rc = write_parts(&c, dir, rc, err);
    else if (rc == 0) {
        rc = write_all(&c, err);
        if (rc == 0) rc = end_summary(&c, err);
    }
    output_abort(c.e.out);
    for (unsigned i = 0; c.workers && i < c.worker_count; i++) transpose_done(&c.workers[i]);
    mem_free(mem, c.workers, c.worker_count * sizeof *c.workers);
    mem_free(mem, c.infos, (size_t)f->plan->ctx_count * HPCDB_CTX_LEN);
    vec_done(mem, &c.ranges, &c.summary_index, &c.summary_values);
    return rc;
}
