/* Callgrind text in and out, record by record: nothing is summed up, so headers, single invocations, targets of calls and the order of
 * lines stay. Names and positions are written anew (with numbers and distances, or in full), lines that cannot be understood are left
 * out: that is how a damaged file is repaired. */
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/callgrind/callgrind.h"
#include "formats/callgrind/encode.h"

struct rewriter {
    struct cg_decoder d;
    struct cg_encoder e;
    uint64_t dropped; /* lines */
    bool is_waiting;  /* calls= or jump= whose cost line has not come yet */
};

static void header(struct rewriter *w, const struct cg_record *r)
{
    output_slice(w->e.out, r->key);
    output_text(w->e.out, ": ");
    output_slice(w->e.out, r->value);
    output_char(w->e.out, '\n');
}

/* calls= and jump= are written with their cost line, so that none stands alone: one whose line did not come is dropped. */
static void wait_ends(struct rewriter *w)
{
    w->dropped += w->is_waiting;
    w->is_waiting = false;
}

static void cost(struct rewriter *w, const struct cg_record *r)
{
    int64_t costs[CG_MAX_EVENTS];
    for (uint32_t k = 0; k < r->cost_count; k++) costs[k] = r->costs[k].i;
    w->e.has_address = w->d.has_address;
    w->e.has_line = w->d.has_line;
    if (r->role != CG_SELF) w->is_waiting = false;
    wait_ends(w);
    if (r->role == CG_CALL) cg_encode_calls(&w->e, r->calls, r->target);
    if (r->role == CG_JUMP_FROM) cg_encode_jump(&w->e, r->calls, r->followed, r->conditional, r->target);
    cg_encode_position(&w->e, r->at);
    cg_encode_costs(&w->e, costs, r->cost_count);
}

static void other(struct rewriter *w, const struct cg_record *r, bool is_damaged)
{
    bool is_known = !slice_trim(r->text).len || r->text.data[0] == '#' || slice_starts(r->text, "====");
    if (is_damaged || !is_known) {
        w->dropped++;
        return;
    }
    output_slice(w->e.out, r->text);
    output_char(w->e.out, '\n');
}

/* The first error found, as an error. */
static int refuse(const struct findings *damage, assay_error *err)
{
    const assay_finding *f = damage->list.at;
    while (f->severity != ASSAY_ERROR) f++;
    return error_line(err, ASSAY_ERR_DAMAGED, f->offset, f->line, "%s (%s)", f->message, f->rule);
}

static int records(struct rewriter *w, struct findings *damage, bool strict, assay_error *err)
{
    struct cg_record r;
    for (;;) {
        uint64_t before = damage->errors;
        TRY(cg_next(&w->d, &r));
        if (strict && damage->errors) return refuse(damage, err);
        switch (r.kind) {
        case CG_END: wait_ends(w); return w->e.failed ? error_memory(err) : output_failed(w->e.out);
        case CG_PART: cg_encode_part(&w->e); break;
        case CG_HEADER: header(w, &r); break;
        case CG_NAME: cg_encode_name(&w->e, r.spec, r.name, cg_string(&w->d, r.name)); break;
        case CG_CALLS:
        case CG_JUMP:
            wait_ends(w);
            w->is_waiting = true;
            break;
        case CG_COST: cost(w, &r); break;
        case CG_OTHER: other(w, &r, damage->errors != before); break;
        default: break;
        }
        if (output_failed(w->e.out)) return output_failed(w->e.out);
    }
}

int callgrind_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err)
{
    SCOPED(findings_done) struct findings damage = { 0 };
    struct rewriter *w = mem_alloc(job->mem, sizeof *w);
    if (!w) return error_memory(err);
    mem_scoped(job->mem, w, sizeof *w);
    findings_init(&damage, job->mem);
    cg_init(&w->d, job->in, job->mem, &damage, err);
    cg_encoder_init(&w->e, out, job->mem, write->own);
    w->dropped = 0;
    w->is_waiting = false;
    int rc = records(w, &damage, write->options->strict || job->options->strict, err);
    if (rc == 0 && w->dropped)
        losses_add(write->losses, "damaged", w->dropped, "%llu unrecognized line%s left out", (unsigned long long)w->dropped, plural_is(w->dropped));
    cg_encoder_done(&w->e);
    cg_done(&w->d);
    return rc;
}
