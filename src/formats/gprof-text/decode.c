/* Lines -> records: which table a line is in decides what it may be. Everything outside of the two tables is text. */
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "formats/gprof-text/gprof.h"

void gprof_decoder_init(struct gprof_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err)
{
    memset(d, 0, sizeof *d);
    d->damage = damage;
    d->err = err;
    lines_init(&d->lines, in, mem, damage, err);
}

void gprof_decoder_done(struct gprof_decoder *d) { lines_done(&d->lines); }

/* ---- damage ---- */

static void cut_entry(struct gprof_decoder *d)
{
    if (d->in_entry) findings_add(d->damage, "GP04", ASSAY_ERROR, d->entry_off, d->entry_number, "an entry of the call graph is cut short: no dashes end it");
    d->in_entry = false;
}

static void warn_large(struct gprof_decoder *d, const struct gprof_record *r)
{
    if (r->calls == UINT64_MAX || r->recursive == UINT64_MAX || r->all_calls == UINT64_MAX)
        findings_add(d->damage, "GP05", ASSAY_WARNING, r->off, r->number, "a number of calls is too large: %llu is used", (unsigned long long)UINT64_MAX);
}

/* ---- tables ---- */

static void flat(struct gprof_decoder *d, struct gprof_record *r)
{
    if (!slice_trim(r->text).len || r->text.data[0] == '\f') {
        d->section = GPROF_OUTSIDE;
        return;
    }
    if (!gprof_flat_row(r->text, d->scale, r)) {
        findings_add(d->damage, "GP02", ASSAY_ERROR, r->off, r->number, "a row of the flat profile is malformed or cut short");
        return;
    }
    r->kind = GPROF_FLAT;
    d->rows++;
    warn_large(d, r);
}

static void open_entry(struct gprof_decoder *d, const struct gprof_record *r)
{
    if (d->in_entry) return;
    d->in_entry = true;
    d->has_primary = false;
    d->entry_off = r->off;
    d->entry_number = r->number;
}

static void end_entry(struct gprof_decoder *d, struct gprof_record *r)
{
    r->kind = GPROF_RULE;
    if (d->in_entry && !d->has_primary)
        findings_add(d->damage, "GP03", ASSAY_ERROR, d->entry_off, d->entry_number, "an entry of the call graph has no line that begins with its index");
    d->in_entry = false;
}

static void entry_line(struct gprof_decoder *d, struct gprof_record *r)
{
    bool is_primary = r->text.data[0] == '[';
    if (!gprof_graph_line(r->text, is_primary, r)) {
        if (!d->in_entry && !is_primary) { /* what follows the table */
            d->section = GPROF_OUTSIDE;
            return;
        }
        open_entry(d, r);
        d->has_primary |= is_primary;
        findings_add(d->damage, "GP03", ASSAY_ERROR, r->off, r->number, "a line of the call graph is malformed or cut short");
        return;
    }
    open_entry(d, r);
    r->kind = d->has_primary ? GPROF_CALLEE : GPROF_CALLER;
    if (is_primary) {
        bool is_cycle = slice_starts(r->who.name, "<cycle ") && slice_ends(r->who.name, " as a whole>");
        if (d->has_primary) cut_entry(d);
        open_entry(d, r);
        r->kind = is_cycle ? GPROF_CYCLE : GPROF_ENTRY;
        d->has_primary = true;
        d->entries++;
        d->cycles += is_cycle;
    }
    d->callees += r->kind == GPROF_CALLEE;
    warn_large(d, r);
}

static void graph(struct gprof_decoder *d, struct gprof_record *r)
{
    assay_slice text = slice_trim(r->text);
    if (!text.len) return; /* gprof -T has blank lines inside of entries */
    if (slice_is(text, "called/total       children")) return;
    if (r->text.data[0] == '\f') {
        cut_entry(d);
        d->section = GPROF_OUTSIDE;
    } else if (slice_starts(text, "----"))
        end_entry(d, r);
    else if (slice_is(text, "<spontaneous>")) {
        open_entry(d, r);
        r->kind = GPROF_UNKNOWN;
    } else
        entry_line(d, r);
}

static bool sample(assay_slice line, struct gprof_record *r)
{
    static const char before[] = "Each sample counts as ";
    if (!slice_starts(line, before)) return false;
    const char *from = line.data + sizeof before - 1, *to = memchr(from, ' ', line.len - sizeof before + 1);
    return to && number_double(slice_from(from, to), &r->self) == NUMBER_OK;
}

static void outside(struct gprof_decoder *d, struct gprof_record *r)
{
    if (sample(r->text, r))
        r->kind = GPROF_SAMPLE;
    else if (gprof_flat_header(r->text, &r->who.name, &d->scale)) {
        d->section = GPROF_IN_FLAT;
        r->kind = GPROF_HEADER;
    } else if (gprof_graph_header(r->text))
        d->section = GPROF_IN_GRAPH;
}

static int end(struct gprof_decoder *d, struct gprof_record *r)
{
    r->kind = GPROF_END;
    cut_entry(d);
    if (!d->rows && !d->entries && !d->damage->errors)
        findings_add(d->damage, "GP01", ASSAY_ERROR, 0, 1, "neither a flat profile nor a call graph of gprof has any rows");
    return d->damage->failed ? error_memory(d->err) : 0;
}

int gprof_next(struct gprof_decoder *d, struct gprof_record *r)
{
    struct line l;
    TRY(lines_next(&d->lines, &l));
    *r = (struct gprof_record){ .kind = GPROF_TEXT, .off = l.off, .number = l.number, .text = l.text };
    if (!l.text.data) return end(d, r);
    switch (d->section) {
    case GPROF_OUTSIDE: outside(d, r); break;
    case GPROF_IN_FLAT: flat(d, r); break;
    case GPROF_IN_GRAPH:
        graph(d, r);
        if (d->section == GPROF_OUTSIDE) outside(d, r);
        break;
    }
    return d->damage->failed ? error_memory(d->err) : 0;
}
