/* The rules of perf script's text beyond those of the decoder, and the dump: both only walk over the lines. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "formats/perf-script/perf_script.h"

struct empties {
    uint64_t count, off, number; /* samples without frames; the first of them */
    struct perf_script_record last;
    bool is_open; /* `last` is a sample, and no frame came since */
};

static void look(struct empties *e, const struct perf_script_record *r)
{
    bool is_over = r->kind == PERF_SCRIPT_SAMPLE || r->kind == PERF_SCRIPT_BLANK || r->kind == PERF_SCRIPT_END;
    if (e->is_open && is_over && e->count++ == 0) {
        e->off = e->last.off;
        e->number = e->last.number;
    }
    if (r->kind == PERF_SCRIPT_SAMPLE) {
        e->is_open = !r->head.frame.len;
        e->last = *r;
    } else if (is_over || r->kind == PERF_SCRIPT_FRAME)
        e->is_open = false;
}

static int check_lines(struct perf_script_decoder *d, struct findings *out, assay_error *err)
{
    struct perf_script_record r = { .kind = PERF_SCRIPT_OTHER };
    struct empties e = { 0 };
    for (uint64_t i = 0; r.kind != PERF_SCRIPT_END; i++) {
        TRY(cancel_step(i, err));
        TRY(perf_script_next(d, &r));
        look(&e, &r);
    }
    if (e.count)
        findings_add(out, "PF06", ASSAY_INFO, e.off, e.number, "%llu of %llu samples have no frames: they count in the total only", (unsigned long long)e.count,
                     (unsigned long long)d->samples);
    return out->failed ? error_memory(err) : 0;
}

int perf_script_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct perf_script_decoder d;
    perf_script_decoder_init(&d, job->in, job->mem, out, err);
    int rc = check_lines(&d, out, err);
    perf_script_decoder_done(&d);
    return rc;
}

/* ---- dump ---- */

static void put_text(struct output *o, const char *before, assay_slice s)
{
    output_text(o, before);
    text_show(o, s);
}

static void put_frame(struct output *o, assay_slice text)
{
    struct perf_script_frame f = perf_script_frame(text);
    output_text(o, "frame ip 0x");
    output_hex(o, f.ip, 1);
    put_text(o, " symbol ", f.symbol);
    if (f.module.len) put_text(o, " dso ", f.module);
    if (f.is_inlined) output_text(o, " inlined");
}

static void put_head(struct output *o, const struct perf_script_head *h)
{
    put_text(o, "sample comm ", h->comm);
    put_text(o, " tid ", h->thread);
    if (h->has_time) output_printf(o, " time %lld.%09lld", (long long)(h->time / 1000000000), (long long)(h->time % 1000000000));
    if (h->has_period) output_printf(o, " period %llu", (unsigned long long)h->period);
    put_text(o, " event ", h->event);
    if (!h->frame.len) return;
    output_char(o, ' ');
    put_frame(o, h->frame);
}

static void put_record(struct output *o, const struct perf_script_record *r)
{
    static const char *const kinds[] = { "", "", "", "  source ", "", "comment ", "record ", "other " };
    text_place(o, r->off, r->number);
    if (r->kind == PERF_SCRIPT_SAMPLE)
        put_head(o, &r->head);
    else if (r->kind == PERF_SCRIPT_FRAME) {
        output_text(o, "  ");
        put_frame(o, r->text);
    } else
        put_text(o, kinds[r->kind], r->text);
    if (r->kind == PERF_SCRIPT_SOURCE && r->is_inlined) output_text(o, " inlined");
    output_char(o, '\n');
}

int perf_script_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct perf_script_decoder d;
    struct findings damage;
    struct perf_script_record r = { .kind = PERF_SCRIPT_OTHER };
    size_t marked = 0;
    int rc = 0;
    findings_init(&damage, job->mem);
    perf_script_decoder_init(&d, job->in, job->mem, &damage, err);
    while (rc == 0 && r.kind != PERF_SCRIPT_END && !output_failed(out)) {
        rc = perf_script_next(&d, &r);
        if (rc == 0 && r.kind != PERF_SCRIPT_END && r.kind != PERF_SCRIPT_BLANK) put_record(out, &r);
        findings_mark(&damage, &marked, out);
    }
    perf_script_decoder_done(&d);
    findings_done(&damage);
    return rc;
}
