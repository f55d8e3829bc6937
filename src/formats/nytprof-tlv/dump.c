/* Prints every line and record of a chunked NYTProf stream with its offset, under the names of the specification; what a generation wrote
 * under other letters has the names of docs/formats/nytprof-tlv.md. */
#include <inttypes.h>

#include "base/text.h"
#include "formats/nytprof-tlv/format.h"

static void put_quoted(struct output *out, assay_slice text)
{
    output_char(out, '"');
    text_show(out, text);
    output_char(out, '"');
}

static void put_head(struct output *out, const struct tlv_head *h)
{
    if (h->start == TLV_START_BANNER) {
        output_printf(out, "%08x banner ", 0);
        put_quoted(out, h->text);
    } else
        output_printf(out, "%08x magic NYTPROF major %" PRIu64 " minor %" PRIu64, 0, h->major, h->minor);
    output_char(out, '\n');
}

static void put_chunk(struct output *out, const struct tlv_record *r)
{
    static const char *const layouts[] = { [TLV_LAYOUT_OTHER] = "",         [TLV_LAYOUT_FILES] = "",   [TLV_LAYOUT_PAIRS] = " pairs",
                                           [TLV_LAYOUT_COSTS] = "",         [TLV_LAYOUT_SUBS] = "",    [TLV_LAYOUT_RANGES] = " of the C extension",
                                           [TLV_LAYOUT_EVENTS] = " events", [TLV_LAYOUT_CALLS] = "",   [TLV_LAYOUT_SITES] = " of the C extension",
                                           [TLV_LAYOUT_ATTRIBUTES] = "",    [TLV_LAYOUT_PROCESS] = "", [TLV_LAYOUT_END] = "" };
    const struct tlv_chunk *c = &r->chunk;
    output_printf(out, "%08" PRIx64 " chunk ", r->off);
    text_show(out, (assay_slice){ &c->token, 1 });
    output_text(out, layouts[c->layout]);
    if (c->has_length)
        output_printf(out, " length %" PRIu32 "\n", c->length);
    else
        output_text(out, " without a length\n");
}

static void put_row(struct output *out, const char *const names[5], const uint32_t words[3], uint64_t x, uint64_t y)
{
    output_printf(out, "%s %" PRIu32 " %s %" PRIu32 " %s %" PRIu32 " %s %" PRIu64 " %s %" PRIu64 "\n", names[0], words[0], names[1], words[1], names[2],
                  words[2], names[3], x, names[4], y);
}

static void put_file(struct output *out, const struct tlv_file *f)
{
    if (f->is_pair) {
        output_printf(out, "fid %" PRIu32 " string_index %" PRIu32 "\n", f->fid, f->index);
        return;
    }
    output_printf(out, "fid %" PRIu32 " flags %#" PRIx32 " size %" PRIu32 " mtime %" PRIu32 " path ", f->fid, f->flags, f->size, f->mtime);
    put_quoted(out, f->path);
    output_char(out, '\n');
}

static void put_sub(struct output *out, const struct tlv_sub *s)
{
    if (s->is_range)
        output_printf(out, "sid %" PRIu32 " fid %" PRIu32 " first %" PRIu32 " last %" PRIu32 " name ", s->sid, s->fid, s->first, s->last);
    else
        output_printf(out, "sid %" PRIu32 " flags %#" PRIx32 " name ", s->sid, s->flags);
    put_quoted(out, s->name);
    output_char(out, '\n');
}

static void put_process(struct output *out, const struct tlv_process *p)
{
    if (p->is_micros)
        output_printf(out, "microseconds %" PRIu64 " pid %" PRIu32 " ppid %" PRIu32 "\n", p->micros, p->pid, p->ppid);
    else
        output_printf(out, "pid %" PRIu32 " ppid %" PRIu32 " time %.6f\n", p->pid, p->ppid, p->seconds);
}

/* What is indented under its chunk. */
static void put_item(struct output *out, const struct tlv_record *r)
{
    static const char *const cost[] = { "fid", "line", "calls", "inc_ticks", "exc_ticks" };
    static const char *const call[] = { "caller_sid", "callee_sid", "calls", "ticks", "sub_ticks" };
    static const char *const site[] = { "fid", "line", "sid", "inc_ticks", "exc_ticks" };
    output_printf(out, "%08" PRIx64 "   ", r->off);
    switch (r->kind) {
    case TLV_FILE: put_file(out, &r->file); break;
    case TLV_COST: put_row(out, cost, (const uint32_t[]){ r->cost.fid, r->cost.line, r->cost.calls }, r->cost.inclusive, r->cost.exclusive); break;
    case TLV_SUB: put_sub(out, &r->sub); break;
    case TLV_EVENT: output_printf(out, "fid %" PRIu32 " line %" PRIu32 " nanoseconds %" PRIu64 "\n", r->event.fid, r->event.line, r->event.ns); break;
    case TLV_CALL: put_row(out, call, (const uint32_t[]){ r->call.caller, r->call.callee, r->call.calls }, r->call.ticks, r->call.sub_ticks); break;
    case TLV_SITE: put_row(out, site, (const uint32_t[]){ r->site.fid, r->site.line, r->site.sid }, r->site.inclusive, r->site.exclusive); break;
    case TLV_PROCESS: put_process(out, &r->process); break;
    default:
        put_quoted(out, r->attribute.text);
        output_char(out, '\n');
        break;
    }
}

static void put_record(struct output *out, const struct tlv_record *r)
{
    switch (r->kind) {
    case TLV_HEAD: put_head(out, &r->head); break;
    case TLV_LINE:
        output_printf(out, "%08" PRIx64 " banner ", r->off);
        put_quoted(out, r->line.text);
        output_char(out, '\n');
        break;
    case TLV_CHUNK: put_chunk(out, r); break;
    case TLV_DAMAGE: output_printf(out, "%08" PRIx64 " *** %s %s\n", r->off, r->damage.rule, r->damage.message); break;
    default: put_item(out, r); break;
    }
}

int nytprof_tlv_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct tlv_source source;
    struct tlv_decoder d;
    struct tlv_record r;
    TRY(tlv_map(job, &source, err));
    tlv_decoder_init(&d, source.bytes);
    while (!output_failed(out) && tlv_next(&d, &r)) put_record(out, &r);
    if (source.is_cut) output_printf(out, "%08zx *** T36 the compressed input is damaged here\n", source.bytes.len);
    return 0;
}
