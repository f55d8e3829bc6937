/* The encoder of webgrind files: the layouts of decode.h, written. */
#include "formats/webgrind/encode.h"

uint64_t webgrind_record_len(const struct webgrind_layout *layout, const struct webgrind_function *f)
{
    uint64_t len = webgrind_fields_len(layout) + f->file.len + f->name.len + 2;
    if (layout->has_invocations) return len + (uint64_t)f->fields[WEBGRIND_INVOCATIONS] * WEBGRIND_INVOCATION_LEN;
    len += (uint64_t)f->fields[WEBGRIND_CALLED_FROM] * WEBGRIND_CALL_LEN;
    if (layout->has_sub_calls) len += (uint64_t)f->fields[WEBGRIND_SUB_CALLS] * WEBGRIND_CALL_LEN;
    return len;
}

void webgrind_put_head(struct output *out, const struct webgrind_head *head)
{
    output_u32le(out, head->version);
    output_u32le(out, head->header_address);
    output_u32le(out, head->function_count);
}

void webgrind_put_fields(struct output *out, const struct webgrind_layout *layout, const struct webgrind_function *f)
{
    for (unsigned i = 0; i < layout->count; i++) output_u32le(out, f->fields[layout->field[i]]);
}

static void put_numbers(struct output *out, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) output_u32le(out, numbers[i]);
}

void webgrind_put_call(struct output *out, const struct webgrind_call *c)
{
    put_numbers(out, (const uint32_t[]){ c->function, c->line, c->count, c->cost }, 4);
}

void webgrind_put_invocation(struct output *out, const struct webgrind_invocation *v)
{
    put_numbers(out,
                (const uint32_t[]){ v->self, v->inclusive, v->call_cost, v->caller, v->caller_invocation, v->line, v->sub_call_count, v->sub_call_address }, 8);
}

void webgrind_put_subcall(struct output *out, const struct webgrind_subcall *c)
{
    put_numbers(out, (const uint32_t[]){ c->function, c->invocation, c->line, c->cost }, 4);
}

bool webgrind_text_changes(assay_slice s) { return s.len && (memchr(s.data, '\n', s.len) || memchr(s.data, 0, s.len)); }

void webgrind_put_text(struct output *out, assay_slice s)
{
    if (webgrind_text_changes(s))
        for (size_t i = 0; i < s.len; i++) output_char(out, s.data[i] == '\n' || s.data[i] == 0 ? ' ' : s.data[i]);
    else if (s.len)
        output_slice(out, s);
    output_char(out, '\n');
}
