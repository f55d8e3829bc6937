/* What is wrong with a chunked NYTProf stream, or worth knowing: rules T01 to T36 of docs/formats/nytprof-tlv.md. The decoder finds what
 * concerns the structure; here numbers and keys are laid against each other. */
#include "formats/nytprof-tlv/check.h"

#include <inttypes.h>

#include "base/cancel.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

void tlv_judge_init(struct tlv_judge *j, struct mem *mem, struct findings *out)
{
    *j = (struct tlv_judge){ .out = out };
    intern_init(&j->keys, mem);
    tlv_ids_init(&j->files, mem);
    tlv_ids_init(&j->subs, mem);
    tlv_pairs_init(&j->lines, mem);
    tlv_pairs_init(&j->calls, mem);
}

void tlv_judge_done(struct tlv_judge *j)
{
    intern_done(&j->keys);
    tlv_ids_done(&j->files);
    tlv_ids_done(&j->subs);
    tlv_pairs_done(&j->lines);
    tlv_pairs_done(&j->calls);
}

/* ---- records ---- */

/* The row of a number that is used here; 0 = no memory. */
static uint32_t use(struct tlv_ids *t, uint32_t number)
{
    uint32_t row = tlv_ids_row(t, number);
    if (row) t->rows.at[row - 1].bits |= TLV_USED;
    return row;
}

static uint32_t define(struct tlv_judge *j, struct tlv_ids *t, uint32_t number, const char *what, uint64_t off)
{
    uint32_t row = tlv_ids_row(t, number);
    if (!row) return 0;
    uint32_t *bits = &t->rows.at[row - 1].bits;
    if (*bits & TLV_DEFINED) findings_add(j->out, "T18", ASSAY_ERROR, off, 0, "%s %" PRIu32 " is defined again: the later one counts", what, number);
    *bits |= TLV_DEFINED;
    return row;
}

static bool judge_line(struct tlv_judge *j, const struct tlv_record *r)
{
    const struct tlv_line *l = &r->line;
    if (!l->has_value) return true;
    /* the mark stands before the key, in the text as in the set */
    uint32_t before = intern_count(&j->keys), id = intern_put(&j->keys, slice_from(l->text.data, l->key.data + l->key.len));
    if (!id) return false;
    if (id <= before) findings_add(j->out, "T05", ASSAY_ERROR, r->off, 0, "a key appears twice in the banner: the last one counts");
    return true;
}

static bool judge_cost(struct tlv_judge *j, const struct tlv_record *r)
{
    const struct tlv_cost *c = &r->cost;
    bool is_new;
    j->file = use(&j->files, c->fid);
    if (!j->file || !tlv_pairs_add(&j->lines, c->fid, c->line, &is_new)) return false;
    if (!is_new)
        findings_add(j->out, "T19", ASSAY_ERROR, r->off, 0, "line %" PRIu32 " of fid %" PRIu32 " already has a record: the figures are added", c->line, c->fid);
    if (c->exclusive > c->inclusive)
        findings_add(j->out, "T21", ASSAY_WARNING, r->off, 0, "%" PRIu64 " exclusive ticks are more than %" PRIu64 " inclusive ones", c->exclusive,
                     c->inclusive);
    return true;
}

static bool judge_call(struct tlv_judge *j, const struct tlv_record *r)
{
    const struct tlv_call *c = &r->call;
    bool is_new;
    j->caller = use(&j->subs, c->caller);
    j->sub = use(&j->subs, c->callee);
    if (!j->caller || !j->sub || !tlv_pairs_add(&j->calls, c->caller, c->callee, &is_new)) return false;
    if (!is_new)
        findings_add(j->out, "T20", ASSAY_ERROR, r->off, 0, "the call of sid %" PRIu32 " by %" PRIu32 " already has a record: the figures are added", c->callee,
                     c->caller);
    return true;
}

static bool judge_sub(struct tlv_judge *j, const struct tlv_record *r)
{
    j->sub = define(j, &j->subs, r->sub.sid, "sid", r->off);
    j->file = r->sub.is_range ? use(&j->files, r->sub.fid) : 0;
    return j->sub && (j->file || !r->sub.is_range);
}

static bool judge_site(struct tlv_judge *j, const struct tlv_record *r)
{
    j->file = use(&j->files, r->site.fid);
    j->sub = use(&j->subs, r->site.sid);
    return j->file && j->sub;
}

static void judge_damage(struct tlv_judge *j, const struct tlv_record *r)
{
    findings_add(j->out, r->damage.rule, r->damage.severity, r->off, 0, "%s", r->damage.message);
}

int tlv_judge_record(struct tlv_judge *j, const struct tlv_record *r, assay_error *err)
{
    bool has_room = true;
    switch (r->kind) {
    case TLV_LINE: has_room = judge_line(j, r); break;
    case TLV_FILE: has_room = (j->file = define(j, &j->files, r->file.fid, "fid", r->off)) != 0; break;
    case TLV_COST: has_room = judge_cost(j, r); break;
    case TLV_SUB: has_room = judge_sub(j, r); break;
    case TLV_EVENT: has_room = (j->file = tlv_ids_row(&j->files, r->event.fid)) != 0; break; /* it may have a file of its own: not T28 */
    case TLV_CALL: has_room = judge_call(j, r); break;
    case TLV_SITE: has_room = judge_site(j, r); break;
    case TLV_DAMAGE: judge_damage(j, r); break;
    default: break;
    }
    return has_room ? 0 : error_memory(err);
}

/* ---- the end ---- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return ORDER(x, y);
}

/* The numbers that are used and nowhere defined, in their order. */
static int judge_ids(struct tlv_judge *j, const struct tlv_ids *t, const char *rule, const char *what, assay_error *err)
{
    VEC(uint32_t) missing = { 0 };
    vec_scoped(t->mem, &missing);
    for (size_t i = 0; i < t->rows.len; i++) {
        TRY(cancel_step(i, err));
        if (t->rows.at[i].bits != TLV_USED) continue;
        uint32_t *slot = vec_push(t->mem, &missing);
        if (!slot) return error_memory(err);
        *slot = t->rows.at[i].number;
    }
    if (missing.len) sort_by(missing.at, missing.len, sizeof *missing.at, by_number);
    for (size_t i = 0; i < missing.len; i++) findings_add(j->out, rule, ASSAY_ERROR, 0, 0, "%s %" PRIu32 " is not defined", what, missing.at[i]);
    return 0;
}

int tlv_judge_end(struct tlv_judge *j, const struct tlv_source *source, assay_error *err)
{
    TRY(judge_ids(j, &j->files, "T28", "fid", err));
    TRY(judge_ids(j, &j->subs, "T29", "sid", err));
    if (source->is_cut) findings_add(j->out, "T36", ASSAY_ERROR, source->bytes.len, 0, "the compressed input is damaged here");
    return j->out->failed ? error_memory(err) : 0;
}

int tlv_judge_refuse(const struct tlv_judge *j, assay_error *err)
{
    for (size_t i = 0; j->out->errors && i < j->out->list.len; i++) {
        const assay_finding *f = &j->out->list.at[i];
        if (f->severity == ASSAY_ERROR) return error_at(err, ASSAY_ERR_DAMAGED, f->offset, "%s (%s)", f->message, f->rule);
    }
    return j->out->failed ? error_memory(err) : 0;
}

/* ---- checking ---- */

int tlv_judge_all(struct tlv_judge *j, const struct tlv_source *source, assay_error *err)
{
    struct tlv_decoder d;
    struct tlv_record r;
    tlv_decoder_init(&d, source->bytes);
    while (tlv_next(&d, &r)) TRY(tlv_judge_record(j, &r, err));
    return tlv_judge_end(j, source, err);
}

int nytprof_tlv_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct tlv_source source = { .forgotten = 0 };
    SCOPED(tlv_judge_done) struct tlv_judge j = { 0 };
    struct tlv_decoder d;
    TRY(tlv_map(job, &source, err));
    tlv_judge_init(&j, job->mem, out);
    tlv_decoder_init(&d, source.bytes);
    for (struct tlv_record r; tlv_next(&d, &r);) {
        TRY(tlv_judge_record(&j, &r, err));
        tlv_forget(job, &source, &d, &r);
    }
    return tlv_judge_end(&j, &source, err);
}
