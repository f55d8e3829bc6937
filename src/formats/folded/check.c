/* The rules of folded stacks, and the dump: both only walk over the lines. */
#include "base/text.h"
#include "formats/folded/folded.h"

int folded_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct folded_decoder d;
    struct folded_record r = { .kind = FOLDED_OTHER };
    struct folded_record first = { .kind = FOLDED_END }; /* with two numbers */
    uint64_t doubles = 0;
    int rc = 0;
    folded_decoder_init(&d, job->in, job->mem, out, err);
    while (rc == 0 && r.kind != FOLDED_END) {
        rc = folded_next(&d, &r);
        if (rc != 0 || r.kind != FOLDED_SAMPLE || !r.has_second) continue;
        if (!doubles++) first = r;
    }
    if (rc == 0 && doubles && doubles < d.samples)
        findings_add(out, "FS04", ASSAY_INFO, first.off, first.number, "%llu of %llu lines end with two numbers: the first is taken as part of the name",
                     (unsigned long long)doubles, (unsigned long long)d.samples);
    folded_decoder_done(&d);
    return rc;
}

/* ---- dump ---- */

static void put_number(struct output *o, struct folded_number n)
{
    if (n.part > 0)
        output_printf(o, "%.9g", (double)n.whole + n.part);
    else
        output_u64(o, n.whole);
}

static void record(struct output *o, const struct folded_record *r)
{
    static const char *const kinds[] = { "", "sample ", "comment ", "other " };
    output_text(o, kinds[r->kind]);
    if (r->kind == FOLDED_SAMPLE) {
        put_number(o, r->count);
        output_char(o, ' ');
        text_show(o, r->stack);
    } else
        text_show(o, r->text);
}

int folded_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct folded_decoder d;
    struct findings damage;
    struct folded_record r = { .kind = FOLDED_OTHER };
    size_t marked = 0;
    int rc = 0;
    findings_init(&damage, job->mem);
    folded_decoder_init(&d, job->in, job->mem, &damage, err);
    while (rc == 0 && r.kind != FOLDED_END && !output_failed(out)) {
        rc = folded_next(&d, &r);
        if (rc == 0 && r.kind != FOLDED_END && r.text.len) {
            text_place(out, r.off, r.number);
            record(out, &r);
            output_char(out, '\n');
        }
        findings_mark(&damage, &marked, out);
    }
    folded_decoder_done(&d);
    findings_done(&damage);
    return rc;
}
