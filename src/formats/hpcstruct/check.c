/* What is wrong with a structure file: rules HRS01 to HRS10 of docs/formats/hpcstruct.md. The parser finds what concerns one element, the
 * index (which look-ups use) what only shows beside others. */
#include "formats/hpcstruct/hpcstruct.h"
#include "symbols/structure_index.h"

struct checker {
    struct findings *out;
    struct structure_index index;
};

static int report(void *arg, const struct structure_record *r)
{
    struct checker *c = arg;
    findings_add(c->out, r->rule, r->severity, r->off, r->line, "%s", r->message);
    return c->out->failed ? ASSAY_ERR_MEMORY : 0;
}

static int take(void *arg, const struct structure_record *r)
{
    struct checker *c = arg;
    return r->kind == STRUCTURE_DAMAGE ? report(c, r) : structure_index_add(&c->index, r);
}

int hpcstruct_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checker c = { .out = out };
    structure_index_init(&c.index, job->mem, report, &c);
    int rc = structure_parse(job->in, job->mem, take, &c, err);
    structure_index_done(&c.index);
    return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
}
