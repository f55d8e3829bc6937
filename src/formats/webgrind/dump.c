/* Prints every number and name of a webgrind file with its offset, under the names of webgrind's own description of the format. */
#include <inttypes.h>

#include "base/text.h"
#include "formats/webgrind/format.h"

/* What the description calls the numbers of a function record, by enum webgrind_field; version 4 has other words than 5 to 7. */
static const char *const field_names[WEBGRIND_FIELD_COUNT] = { "line_number",      "summed_self_cost",  "summed_inclusive_cost", "total_call_cost",
                                                               "invocation_count", "called_from_count", "sub_call_count" };
static const char *const field_names_4[WEBGRIND_FIELD_COUNT] = { "line_number",     "total_self_cost",  "total_inclusive_self_cost",
                                                                 "total_call_cost", "invocation_count", "called_from_count",
                                                                 "sub_call_count" };

static void put_number(struct output *out, uint64_t off, unsigned indent, const char *name, uint32_t value)
{
    output_printf(out, "%08" PRIx64 " %*s%s %" PRIu32 "\n", off, (int)indent, "", name, value);
}

static void put_item(struct output *out, uint64_t off, unsigned indent, const char *name, uint32_t index)
{
    output_printf(out, "%08" PRIx64 " %*s%s[%" PRIu32 "]\n", off, (int)indent, "", name, index);
}

static void put_text(struct output *out, uint64_t off, unsigned indent, const char *name, assay_slice text)
{
    output_printf(out, "%08" PRIx64 " %*s%s \"", off, (int)indent, "", name);
    text_show(out, text);
    output_text(out, "\"\n");
}

static void put_head(struct output *out, const struct webgrind_head *h)
{
    const char *const names[] = { "version_number", "header_address", "function_count" };
    const uint32_t values[] = { h->version, h->header_address, h->function_count };
    for (uint32_t i = 0; i < h->present; i++) put_number(out, 4 * (uint64_t)i, 0, names[i], values[i]);
}

static void put_fields(struct output *out, const struct webgrind_decoder *d, const struct webgrind_record *r)
{
    const struct webgrind_function *f = &r->function;
    const char *const *names = d->layout->has_invocations ? field_names_4 : field_names;
    put_item(out, r->off, 0, "functions", f->number);
    for (uint32_t i = 0; i < f->field_count; i++) put_number(out, r->off + 4 * (uint64_t)i, 2, names[d->layout->field[i]], f->fields[d->layout->field[i]]);
}

static void put_names(struct output *out, const struct webgrind_function *f)
{
    put_text(out, f->file_off, 2, "file_name", f->file);
    put_text(out, f->name_off, 2, "function_name", f->name);
}

static void put_call(struct output *out, uint64_t off, const struct webgrind_call *c)
{
    put_item(out, off, 2, c->is_sub_call ? "sub_call_information" : "called_from_information", c->index);
    put_number(out, off, 4, "function_number", c->function);
    put_number(out, off + 4, 4, "line", c->line);
    put_number(out, off + 8, 4, "call_count", c->count);
    put_number(out, off + 12, 4, "summed_call_cost", c->cost);
}

static void put_invocation(struct output *out, uint64_t off, const struct webgrind_invocation *v)
{
    const char *const names[] = {
        "self_cost", "inclusive_self_cost", "call_cost", "function", "invocation", "line_number", "subcall_count", "subcall_address"
    };
    const uint32_t values[] = { v->self, v->inclusive, v->call_cost, v->caller, v->caller_invocation, v->line, v->sub_call_count, v->sub_call_address };
    put_item(out, off, 2, "invocations", v->index);
    for (uint32_t i = 0; i < 8; i++) {
        if (i == 2) output_printf(out, "%08" PRIx64 "     called_from\n", off + 8);
        put_number(out, off + 4 * (uint64_t)i, i >= 2 && i < 6 ? 6 : 4, names[i], values[i]);
    }
}

static void put_subcall(struct output *out, uint64_t off, const struct webgrind_subcall *c)
{
    put_item(out, off, 0, "subcalls", c->index);
    put_number(out, off, 2, "function", c->function);
    put_number(out, off + 4, 2, "invocation", c->invocation);
    put_number(out, off + 8, 2, "line_number", c->line);
    put_number(out, off + 12, 2, "call_cost", c->cost);
}

static void put_damage(struct output *out, const struct webgrind_record *r)
{
    output_printf(out, "%08" PRIx64 " *** %s %s\n", r->off, r->damage.rule, r->damage.message);
}

static void put_record(struct output *out, const struct webgrind_decoder *d, const struct webgrind_record *r)
{
    switch (r->kind) {
    case WEBGRIND_RECORD_HEAD: put_head(out, &r->head); break;
    case WEBGRIND_RECORD_ADDRESS:
        output_printf(out, "%08" PRIx64 " function_addresses[%" PRIu32 "] %" PRIu32 "\n", r->off, r->address.number, r->address.address);
        break;
    case WEBGRIND_RECORD_FUNCTION: put_fields(out, d, r); break;
    case WEBGRIND_RECORD_CALL: put_call(out, r->off, &r->call); break;
    case WEBGRIND_RECORD_INVOCATION: put_invocation(out, r->off, &r->invocation); break;
    case WEBGRIND_RECORD_SUBCALL: put_subcall(out, r->off, &r->subcall); break;
    case WEBGRIND_RECORD_LINE:
        output_printf(out, "%08" PRIx64 " headers[%" PRIu32 "] \"", r->off, r->line.index);
        text_show(out, r->line.text);
        output_text(out, "\"\n");
        break;
    case WEBGRIND_RECORD_DAMAGE: put_damage(out, r); break;
    }
}

int webgrind_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct webgrind_decoder d;
    struct webgrind_record r;
    struct webgrind_source source;
    TRY(webgrind_map(job, &source, err));
    webgrind_decoder_init(&d, source.bytes);
    d.keep_going = true;
    /* A record's names stand behind its items, but the decoder hands them out with it: they are printed when the next record comes. */
    struct webgrind_function open = { 0 };
    while (!output_failed(out) && webgrind_next(&d, &r)) {
        bool ends = r.kind == WEBGRIND_RECORD_FUNCTION || r.kind == WEBGRIND_RECORD_SUBCALL || r.kind == WEBGRIND_RECORD_LINE;
        if (open.is_whole && ends) {
            put_names(out, &open);
            open.is_whole = false;
        }
        put_record(out, &d, &r);
        if (r.kind == WEBGRIND_RECORD_FUNCTION) open = r.function;
    }
    if (open.is_whole) put_names(out, &open);
    if (source.is_cut) output_printf(out, "%08zx *** WG27 the compressed input is damaged here\n", source.bytes.len);
    return 0;
}
