/* profile.db: heads and id tuples first, then the values of each stream; the summary comes last, when cct.db is there. */
#include "base/order.h"
#include "base/parallel.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/hpcdb/kinds.h"
#include "formats/hpcdb/write.h"

enum { FIRST_SECTION = 0x30, INFO_HEAD = 16 };

/* ---- id tuples ---- */

static void put_id(struct hpcdb_encoder *e, uint16_t kind, bool physical_first, uint64_t logical, uint64_t physical)
{
    unsigned char id[HPCDB_ID_LEN] = { (unsigned char)kind };
    put_u16(id + 2, physical_first);
    put_u32(id + 4, (uint32_t)logical);
    put_u64(id + 8, physical);
    output_bytes(e->out, id, sizeof id);
}

/* Measurements say how each number is to be read: 3 = the logical one is the identity. */
static bool is_physical(const struct hpcdb_plan *plan, uint16_t kind, uint32_t flags)
{
    if (plan->is_hpcdb) return flags & 1;
    return strncmp(assay_profile_format(plan->p), "hpcrun", 6) == 0 ? flags != 3 : kind == KIND_NODE;
}

static uint64_t put_tuple(struct hpcdb_encoder *e, const struct hpcdb_plan *plan, const struct hpcdb_kinds *kinds, assay_stream_id stream)
{
    const struct assay_streams *s = assay_profile_streams(plan->p);
    unsigned char head[HPCDB_TUPLE_LEN] = { 0 };
    uint64_t off = output_off(e->out);
    uint32_t begin = stream.v && s->tuple_begin ? s->tuple_begin[stream.v] : 0, end = stream.v && s->tuple_begin ? s->tuple_begin[stream.v + 1] : 0;
    uint16_t count = (uint16_t)(end - begin < KINDS_MAX ? end - begin : KINDS_MAX);
    put_u16(head, count ? count : 1);
    output_bytes(e->out, head, sizeof head);
    for (uint32_t i = begin; i < begin + count; i++) {
        uint16_t kind = hpcdb_kinds_find(kinds, assay_profile_string(plan->p, (assay_str_id){ ID_AT(s->tuple_kind, i) }));
        uint64_t logical = NUMBER_AT(s->tuple_logical, i), physical = NUMBER_AT(s->tuple_physical, i);
        put_id(e, kind, is_physical(plan, kind, NUMBER_AT(s->tuple_flags, i)), logical, physical);
    }
    if (!count) put_id(e, KIND_THREAD, false, stream.v, stream.v);
    return off;
}

static int put_tuples(struct hpcdb_profile_file *f, assay_error *err)
{
    struct hpcdb_kinds kinds;
    uint64_t off = hpcdb_encode_align(&f->e, 8);
    TRY(hpcdb_kinds_init(&kinds, f->plan, err));
    for (uint32_t i = 0; i < f->plan->stream_count; i++) f->tuples[i + 1] = put_tuple(&f->e, f->plan, &kinds, f->plan->streams[i]);
    hpcdb_encode_section(&f->e, HPCDB_ID_TUPLES, off);
    return 0;
}

/* ---- values ---- */

static bool keep_fixes(struct hpcdb_profile_file *f, const struct hpcdb_values *v, uint32_t profile)
{
    if (!vec_reserve(f->plan->mem, &f->fixes, v->fixes.len)) return false;
    for (size_t i = 0; i < v->fixes.len; i++) {
        f->fixes.at[f->fixes.len] = v->fixes.at[i];
        f->fixes.at[f->fixes.len++].profile = profile;
    }
    return true;
}

static int by_context(const void *a, const void *b)
{
    const struct hpcdb_fix *x = a, *y = b;
    return ORDER(x->ctx, y->ctx);
}

/* Each thread makes the values of a profile; they are written in order. */
struct makers {
    struct hpcdb_profile_file *f;
    struct hpcdb_values *values; /* by worker */
};

static int make_profile(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct makers *m = arg;
    TRY(hpcdb_values_of_stream(&m->values[worker], m->f->plan->streams[job], err));
    return hpcdb_values_encode(&m->values[worker], err);
}

static void mark_rows(struct hpcdb_profile_file *f, const struct hpcdb_values *v, uint32_t profile)
{
    uint32_t *marks = f->marks + (size_t)profile * HPCDB_MARKS, row = 0, count = (uint32_t)v->rows.len - 1;
    for (uint32_t i = 0; i < HPCDB_MARKS; i++) {
        for (uint32_t ctx = hpcdb_mark_ctx(f->plan, i); row < count && v->rows.at[row].ctx < ctx;) row++;
        marks[i] = row;
    }
}

static int take_profile(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct makers *m = arg;
    struct hpcdb_profile_file *f = m->f;
    const struct hpcdb_values *v = &m->values[worker];
    uint32_t profile = f->plan->own_first + (uint32_t)job + 1;
    hpcdb_values_put(v, &f->e, &f->blocks[profile]);
    mark_rows(f, v, profile);
    for (size_t i = 0; i + 1 < v->rows.len; i++) f->weights[v->rows.at[i].ctx] += v->rows.at[i + 1].begin - v->rows.at[i].begin;
    if (!keep_fixes(f, v, profile)) return error_memory(err);
    if (output_failed(f->e.out)) FAIL(err, ASSAY_ERR_WRITE, "cannot write");
    return worker ? 0 : hpcdb_write_progress(f->plan, HPCDB_PROFILES, job + 1, f->plan->own_count, err);
}

static int put_values(struct hpcdb_profile_file *f, assay_error *err)
{
    unsigned workers = hpcdb_workers(f->plan);
    SCRATCH(struct hpcdb_values, values, f->plan->mem, workers);
    struct makers m = { f, values };
    int rc = values ? 0 : error_memory(err);
    for (unsigned i = 0; rc == 0 && i < workers; i++) rc = hpcdb_values_init(&values[i], f->plan, f->seen, err);
    const struct parallel p = { .count = f->plan->own_count, .workers = workers, .arg = &m, .make = make_profile, .take = take_profile };
    if (rc == 0) rc = parallel_run(&p, err);
    for (unsigned i = 0; values && i < workers; i++) hpcdb_values_done(&values[i]);
    if (rc != 0 && output_failed(f->e.out)) return hpcdb_encode_close(&f->e, err);
    return rc;
}

unsigned hpcdb_workers(const struct hpcdb_plan *plan)
{
    unsigned threads = plan->job->options->threads;
    return threads < 1 ? 1 : threads < PARALLEL_MOST ? threads : PARALLEL_MOST;
}

/* Whoever has a cost at a context or below it counts there; a metric that shows no execution does not tell. */
static bool make_seen(struct hpcdb_profile_file *f)
{
    const struct hpcdb_plan *plan = f->plan;
    f->seen = mem_zalloc(plan->mem, (size_t)plan->metric_count + 1, sizeof *f->seen);
    for (uint32_t m = 0; f->seen && m < plan->metric_count; m++) {
        if (!hpcdb_statistics(plan->own) || plan->is_stored || plan->metrics[m].show != SHOW_EXCLUSIVE) continue;
        f->seen[m] = mem_zalloc(plan->mem, plan->ctx_count, sizeof **f->seen);
        if (!f->seen[m]) return false;
    }
    return f->seen != NULL;
}

static void free_seen(struct hpcdb_profile_file *f)
{
    const struct hpcdb_plan *plan = f->plan;
    for (uint32_t m = 0; f->seen && m < plan->metric_count; m++) mem_free(plan->mem, f->seen[m], plan->ctx_count * sizeof **f->seen);
    mem_free(plan->mem, f->seen, ((size_t)plan->metric_count + 1) * sizeof *f->seen);
}

static size_t profile_count(const struct hpcdb_plan *plan) { return (size_t)plan->stream_count + 1; }

/* ---- of a team ---- */

/* Those of all ranks, on each. */
static int share_fixes(struct hpcdb_profile_file *f, assay_error *err)
{
    const struct team *t = hpcdb_plan_team(f->plan);
    uint64_t own = f->fixes.len, total, before = team_before(t, own, &total);
    if (!total) return 0;
    TRY(team_agree(t, vec_reserve(f->plan->mem, &f->fixes, (size_t)(total - own)) ? 0 : error_memory(err), err));
    memmove(f->fixes.at + before, f->fixes.at, (size_t)own * sizeof *f->fixes.at);
    f->fixes.len = (size_t)total;
    team_fill(t, f->fixes.at, sizeof *f->fixes.at, own);
    return 0;
}

/* The blocks come to their places, and every rank knows where all of them are and how many values a context has. */
static int share_blocks(struct hpcdb_profile_file *f, struct output_dir *dir, assay_error *err)
{
    const struct hpcdb_plan *plan = f->plan;
    const struct team *t = hpcdb_plan_team(plan);
    uint64_t base;
    TRY(hpcdb_part_settle(plan, &f->e, dir, &base, &f->end, err));
    for (uint32_t i = 1; i <= plan->own_count; i++) {
        f->blocks[plan->own_first + i].values_at += base;
        f->blocks[plan->own_first + i].ctxs_at += base;
    }
    team_fill(t, f->blocks + 1, sizeof *f->blocks, plan->own_count);
    team_fill(t, f->marks + HPCDB_MARKS, HPCDB_MARKS * sizeof *f->marks, plan->own_count);
    t->add(t->arg, f->weights, plan->ctx_count);
    for (uint32_t m = 0; m < plan->metric_count; m++)
        if (f->seen[m]) t->add(t->arg, f->seen[m], plan->ctx_count);
    return share_fixes(f, err);
}

/* ---- all ---- */

static int begin(struct hpcdb_profile_file *f, struct output_dir *dir, assay_error *err)
{
    const struct hpcdb_plan *plan = f->plan;
    f->blocks = mem_zalloc(plan->mem, profile_count(plan), sizeof *f->blocks);
    f->tuples = mem_zalloc(plan->mem, profile_count(plan), sizeof *f->tuples);
    f->weights = mem_zalloc(plan->mem, plan->ctx_count, sizeof *f->weights);
    f->marks = mem_zalloc(plan->mem, profile_count(plan), HPCDB_MARKS * sizeof *f->marks);
    if (!f->blocks || !f->tuples || !f->marks || !f->weights || !make_seen(f)) return error_memory(err);
    TRY(hpcdb_part_open(plan, &f->e, dir, HPCDB_PROFILE, FIRST_SECTION, err));
    if (!hpcdb_plan_is_first(plan)) return 0;
    hpcdb_encode_zeros(&f->e, INFO_HEAD + profile_count(plan) * HPCDB_PROFILE_LEN);
    hpcdb_encode_section(&f->e, HPCDB_PROFILE_INFOS, FIRST_SECTION);
    return put_tuples(f, err);
}

int hpcdb_write_profiles(struct hpcdb_profile_file *f, const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err)
{
    *f = (struct hpcdb_profile_file){ .plan = plan };
    int rc = begin(f, dir, err);
    if (rc == 0) rc = put_values(f, err);
    TRY(team_agree(hpcdb_plan_team(plan), rc, err));
    if (plan->share) TRY(share_blocks(f, dir, err));
    if (f->fixes.len) sort_by(f->fixes.at, f->fixes.len, sizeof *f->fixes.at, by_context);
    return 0;
}

int hpcdb_write_profiles_end(struct hpcdb_profile_file *f, assay_error *err)
{
    unsigned char head[INFO_HEAD], profile[HPCDB_PROFILE_LEN];
    hpcdb_encode_array(head, FIRST_SECTION + INFO_HEAD, (uint32_t)profile_count(f->plan), HPCDB_PROFILE_LEN);
    output_patch(f->e.out, FIRST_SECTION, head, sizeof head);
    for (uint32_t i = 0; i < profile_count(f->plan); i++) {
        hpcdb_encode_profile(profile, &f->blocks[i], f->tuples[i], i == 0 ? HPCDB_IS_SUMMARY : 0);
        output_patch(f->e.out, FIRST_SECTION + INFO_HEAD + (uint64_t)i * HPCDB_PROFILE_LEN, profile, sizeof profile);
    }
    return hpcdb_encode_close(&f->e, err);
}

void hpcdb_write_profiles_done(struct hpcdb_profile_file *f)
{
    if (!f->plan) return;
    output_abort(f->e.out);
    free_seen(f);
    mem_free(f->plan->mem, f->marks, profile_count(f->plan) * HPCDB_MARKS * sizeof *f->marks);
    mem_free(f->plan->mem, f->weights, f->plan->ctx_count * sizeof *f->weights);
    vec_done(f->plan->mem, &f->fixes);
    mem_free(f->plan->mem, f->blocks, profile_count(f->plan) * sizeof *f->blocks);
    mem_free(f->plan->mem, f->tuples, profile_count(f->plan) * sizeof *f->tuples);
}
