/* The rules of gprof's text beyond those of the decoder: figures that do not go together; and the dump. */
#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "formats/gprof-text/gprof.h"

struct looking {
    struct findings *out;
    double sum;         /* of the flat rows so far */
    uint64_t rows;      /* of them */
    bool is_off;        /* said once: all rows below would be off too */
    uint64_t all_calls; /* what the callers of the entry at hand say that it is called */
    uint64_t all_off, all_number;
    bool has_all;
};

/* Each figure is rounded to hundredths. */
static void look_flat(struct looking *k, const struct gprof_record *r)
{
    k->sum += r->self;
    k->rows++;
    if (k->is_off || fabs(r->cumulative - k->sum) <= 0.005 * (double)(k->rows + 1) + 1e-9) return;
    k->is_off = true;
    findings_add(k->out, "GP07", ASSAY_WARNING, r->off, r->number,
                 "%.2f cumulative seconds, but the rows up to here add up to %.2f: rows are missing or changed", r->cumulative, k->sum);
}

static void look_arc(struct looking *k, const struct gprof_record *r)
{
    if (r->has_all && r->calls > r->all_calls)
        findings_add(k->out, "GP06", ASSAY_WARNING, r->off, r->number, "%llu of %llu calls", (unsigned long long)r->calls, (unsigned long long)r->all_calls);
    if (r->kind != GPROF_CALLER || !r->has_all || k->has_all) return;
    k->has_all = true;
    k->all_calls = r->all_calls;
    k->all_off = r->off;
    k->all_number = r->number;
}

/* Callers of a member of a cycle say how often the cycle is called. */
static void look_entry(struct looking *k, const struct gprof_record *r)
{
    if (k->has_all && r->kind == GPROF_ENTRY && !r->who.cycle && k->all_calls != r->calls)
        findings_add(k->out, "GP08", ASSAY_WARNING, k->all_off, k->all_number, "a caller says that the function is called %llu times, its own line says %llu",
                     (unsigned long long)k->all_calls, (unsigned long long)r->calls);
    k->has_all = false;
}

static void look(struct looking *k, const struct gprof_record *r)
{
    if (r->kind == GPROF_HEADER) {
        k->sum = 0;
        k->rows = 0;
    }
    if (r->kind == GPROF_FLAT) look_flat(k, r);
    if (r->kind == GPROF_CALLER || r->kind == GPROF_CALLEE) look_arc(k, r);
    if (r->kind == GPROF_ENTRY || r->kind == GPROF_CYCLE || r->kind == GPROF_RULE) look_entry(k, r);
}

static int check_lines(struct gprof_decoder *d, struct findings *out, assay_error *err)
{
    struct gprof_record r = { .kind = GPROF_TEXT };
    struct looking k = { .out = out };
    for (uint64_t i = 0; r.kind != GPROF_END; i++) {
        TRY(cancel_step(i, err));
        TRY(gprof_next(d, &r));
        look(&k, &r);
    }
    return out->failed ? error_memory(err) : 0;
}

int gprof_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct gprof_decoder d;
    gprof_decoder_init(&d, job->in, job->mem, out, err);
    int rc = check_lines(&d, out, err);
    gprof_decoder_done(&d);
    return rc;
}

/* ---- dump ---- */

static void put_double(struct output *o, const char *name, double v)
{
    char buf[48];
    number_put_double(buf, v);
    output_printf(o, " %s %s", name, buf);
}

static void put_name(struct output *o, const struct gprof_name *n)
{
    output_text(o, " name ");
    text_show(o, n->name);
    if (n->file.len) {
        output_text(o, " file ");
        text_show(o, n->file);
        output_printf(o, ":%u", n->line);
    }
    if (n->address) output_printf(o, " address 0x%llx", (unsigned long long)n->address);
    if (n->cycle) output_printf(o, " cycle %llu", (unsigned long long)n->cycle);
    if (n->index) output_printf(o, " index %llu", (unsigned long long)n->index);
}

static void put_record(struct output *o, const struct gprof_record *r)
{
    static const char *const kinds[] = { "", "", "sample", "flat profile", "row", "  caller", "  spontaneous", "entry", "cycle", "  callee", "end" };
    bool is_row = r->kind == GPROF_FLAT, is_primary = r->kind == GPROF_ENTRY || r->kind == GPROF_CYCLE;
    output_hex(o, r->off, 8);
    output_printf(o, " %6llu  %s", (unsigned long long)r->number, kinds[r->kind]);
    if (is_row || is_primary) put_double(o, "percent", r->percent);
    if (is_row) put_double(o, "cumulative", r->cumulative);
    if (is_row || r->has_times || r->kind == GPROF_SAMPLE) put_double(o, "self", r->self);
    if (r->has_times) put_double(o, "children", r->children);
    if (r->has_calls) output_printf(o, " called %llu", (unsigned long long)r->calls);
    if (r->recursive) output_printf(o, "+%llu", (unsigned long long)r->recursive);
    if (r->has_all) output_printf(o, "/%llu", (unsigned long long)r->all_calls);
    if (r->who.name.len) put_name(o, &r->who);
    output_char(o, '\n');
}

int gprof_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct gprof_decoder d;
    struct findings damage;
    struct gprof_record r = { .kind = GPROF_TEXT };
    size_t marked = 0;
    int rc = 0;
    findings_init(&damage, job->mem);
    gprof_decoder_init(&d, job->in, job->mem, &damage, err);
    while (rc == 0 && r.kind != GPROF_END && !output_failed(out)) {
        rc = gprof_next(&d, &r);
        if (rc == 0 && r.kind != GPROF_END && r.kind != GPROF_TEXT) put_record(out, &r);
        findings_mark(&damage, &marked, out);
    }
    gprof_decoder_done(&d);
    findings_done(&damage);
    return rc;
}
