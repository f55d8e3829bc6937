/* Every line of callgrind text with what it means: offset, line number, and the decoded record. Damage is marked where it stands. */
#include "base/scoped.h"
#include "base/text.h"
#include "formats/callgrind/callgrind.h"
#include "formats/callgrind/decode.h"

static void name(struct output *o, const struct cg_decoder *d, uint32_t handle)
{
    if (handle)
        text_show(o, cg_string(d, handle));
    else
        output_text(o, "-");
}

static void func(struct output *o, const struct cg_decoder *d, uint32_t number)
{
    const struct cg_func *f = &d->funcs.at[number];
    name(o, d, f->name);
    output_text(o, " (");
    name(o, d, f->file);
    if (f->object) {
        output_text(o, ", ");
        name(o, d, f->object);
    }
    output_char(o, ')');
}

static void position(struct output *o, const struct cg_decoder *d, struct cg_position p)
{
    if (d->has_address) {
        output_text(o, " 0x");
        output_hex(o, p.address, 1);
    }
    if (d->has_line) {
        output_text(o, " line ");
        output_u64(o, p.line);
    }
}

static void cost(struct output *o, const struct cg_decoder *d, const struct cg_record *r)
{
    static const char *const roles[] = { "self", "call", "jump" };
    output_text(o, roles[r->role]);
    position(o, d, r->at);
    output_text(o, " in ");
    func(o, d, r->func);
    if (r->file != d->funcs.at[r->func].file) {
        output_text(o, " from ");
        name(o, d, r->file);
    }
    if (r->role == CG_CALL) {
        output_text(o, " to ");
        func(o, d, r->callee);
        output_text(o, " calls ");
        output_u64(o, r->calls);
    }
    for (uint32_t i = 0; i < r->cost_count; i++) {
        output_char(o, ' ');
        name(o, d, d->events[i]);
        output_char(o, '=');
        output_i64(o, r->costs[i].i);
    }
}

static void record(struct output *o, const struct cg_decoder *d, const struct cg_record *r)
{
    switch (r->kind) {
    case CG_PART:
        output_text(o, "part ");
        output_u64(o, d->part);
        break;
    case CG_HEADER:
        output_text(o, "header ");
        text_show(o, r->key);
        output_text(o, ": ");
        text_show(o, r->value);
        break;
    case CG_NAME:
        output_text(o, cg_spec_text(r->spec));
        name(o, d, r->name);
        if (r->defines) output_text(o, " (defined here)");
        break;
    case CG_CALLS:
        output_text(o, "calls ");
        output_u64(o, r->calls);
        output_text(o, " to");
        position(o, d, r->target);
        break;
    case CG_JUMP:
        output_text(o, r->conditional ? "conditional jump, followed " : "jump, followed ");
        output_u64(o, r->followed);
        output_text(o, " of ");
        output_u64(o, r->calls);
        output_text(o, " to");
        position(o, d, r->target);
        break;
    case CG_COST: cost(o, d, r); break;
    default: text_show(o, r->text); break;
    }
}

/* Findings that came with the last record. */
static size_t marks(struct output *o, const struct findings *f, size_t from)
{
    static const char *const severity[] = { "note", "warning", "error" };
    for (; from < f->list.len; from++)
        output_printf(o, "                     ^ %s %s: %s\n", severity[f->list.at[from].severity], f->list.at[from].rule, f->list.at[from].message);
    return from;
}

static int records(struct cg_decoder *d, struct output *o, const struct findings *damage)
{
    struct cg_record r;
    size_t marked = 0;
    for (;;) {
        TRY(cg_next(d, &r));
        if (r.kind != CG_END) {
            if (!(r.kind == CG_OTHER && r.text.len == 0)) {
                text_place(o, r.off, r.line);
                record(o, d, &r);
                output_char(o, '\n');
            }
        }
        marked = marks(o, damage, marked);
        if (r.kind == CG_END || output_failed(o)) return 0;
    }
}

int callgrind_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    SCOPED(findings_done) struct findings damage = { 0 };
    struct cg_decoder *d = mem_alloc(job->mem, sizeof *d);
    if (!d) return error_memory(err);
    mem_scoped(job->mem, d, sizeof *d);
    findings_init(&damage, job->mem);
    cg_init(d, job->in, job->mem, &damage, err);
    int rc = records(d, out, &damage);
    if (rc == 0 && damage.failed) rc = error_memory(err); /* a mark is missing */
    cg_done(d);
    return rc;
}
