/* The rules of pstats files beyond those of the decoder, and the dump. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "formats/pstats/pstats.h"

/* What the interpreter never writes: figures that do not go together. */
static void look(const struct pstats_record *r, struct findings *out)
{
    if (r->primitive > r->calls)
        findings_add(out, "PS09", ASSAY_WARNING, r->off, 0, "%llu primitive calls, but only %llu calls in all", (unsigned long long)r->primitive,
                     (unsigned long long)r->calls);
    if (r->has_times && (r->self < 0 || r->total < 0)) findings_add(out, "PS10", ASSAY_WARNING, r->off, 0, "a negative time: the clock went backwards");
}

static int check_records(const struct read_job *job, struct pstats_decoder *d, struct findings *out, assay_error *err)
{
    struct pstats_record r = { .kind = PSTATS_FUNCTION };
    TRY(pstats_decoder_init(d, job, out, err));
    for (uint64_t i = 0; r.kind != PSTATS_END; i++) {
        TRY(cancel_step(i, err));
        TRY(pstats_next(d, &r));
        look(&r, out);
    }
    return out->failed ? error_memory(err) : 0;
}

int pstats_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct pstats_decoder d = { .m.mem = job->mem };
    int rc = check_records(job, &d, out, err);
    pstats_decoder_done(&d);
    return rc;
}

/* ---- dump ---- */

static void put_seconds(struct output *o, const char *name, double v)
{
    char buf[48];
    number_put_double(buf, v);
    output_printf(o, " %s %s", name, buf);
}

static void record(struct output *o, const struct pstats_record *r)
{
    output_hex(o, r->off, 8);
    output_text(o, r->kind == PSTATS_FUNCTION ? " function " : "   caller ");
    text_show(o, r->file);
    output_printf(o, ":%u ", r->line);
    text_show(o, r->name);
    output_printf(o, " nc %llu cc %llu", (unsigned long long)r->calls, (unsigned long long)r->primitive);
    if (r->has_times) {
        put_seconds(o, "tt", r->self);
        put_seconds(o, "ct", r->total);
    }
    output_char(o, '\n');
}

static int dump_records(const struct read_job *job, struct pstats_decoder *d, struct findings *damage, struct output *out, assay_error *err)
{
    struct pstats_record r = { .kind = PSTATS_FUNCTION };
    size_t marked = 0;
    TRY(pstats_decoder_init(d, job, damage, err));
    while (r.kind != PSTATS_END && !output_failed(out)) {
        TRY(pstats_next(d, &r));
        if (r.kind != PSTATS_END) record(out, &r);
        findings_mark(damage, &marked, out);
    }
    return 0;
}

int pstats_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct pstats_decoder d = { .m.mem = job->mem };
    struct findings damage;
    findings_init(&damage, job->mem);
    int rc = dump_records(job, &d, &damage, out, err);
    pstats_decoder_done(&d);
    findings_done(&damage);
    return rc;
}
