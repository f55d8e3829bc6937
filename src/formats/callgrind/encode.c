/* How lines of callgrind text look; see encode.h. */
#include "formats/callgrind/encode.h"

void cg_encoder_init(struct cg_encoder *e, struct output *out, struct mem *mem, const struct cg_options *options)
{
    *e = (struct cg_encoder){ .out = out, .mem = mem, .has_line = true };
    if (options) e->no_ids = options->no_ids, e->no_relative = options->no_relative;
}

void cg_encoder_done(struct cg_encoder *e)
{
    for (int i = 0; i < 3; i++) vec_done(e->mem, &e->numbers[i]);
}

void cg_encode_part(struct cg_encoder *e)
{
    e->part++;
    e->last[0] = e->last[1] = e->last[2] = 0;
    e->base = (struct cg_position){ 0, 0 };
}

/* ---- names ---- */

/* "(12)" at the start would be read as a number of ours. */
static bool looks_numbered(assay_slice s)
{
    size_t i = 1;
    if (s.len < 3 || s.data[0] != '(') return false;
    while (i < s.len && s.data[i] >= '0' && s.data[i] <= '9') i++;
    return i > 1 && i < s.len && s.data[i] == ')';
}

/* A name must stay on its line; everything else is kept. */
static void name_bytes(struct cg_encoder *e, assay_slice s)
{
    for (size_t at = 0; at < s.len;) {
        size_t n = at;
        while (n < s.len && s.data[n] != '\n' && s.data[n] != '\r') n++;
        output_bytes(e->out, s.data + at, n - at);
        if (n < s.len) output_char(e->out, ' ');
        at = n + 1;
    }
}

static struct cg_number *number_of(struct cg_encoder *e, unsigned table, uint32_t key)
{
    size_t len = e->numbers[table].len;
    if (key >= len) {
        if (!vec_reserve(e->mem, &e->numbers[table], key + 1 - len)) {
            e->failed = true;
            return NULL;
        }
        memset(e->numbers[table].at + len, 0, (key + 1 - len) * sizeof *e->numbers[table].at);
        e->numbers[table].len = (size_t)key + 1;
    }
    return &e->numbers[table].at[key];
}

void cg_encode_name(struct cg_encoder *e, enum cg_spec spec, uint32_t key, assay_slice name)
{
    unsigned table = cg_spec_table(spec);
    while (name.len && (name.data[0] == ' ' || name.data[0] == '\t')) name.data++, name.len--; /* no reader keeps them */
    output_text(e->out, cg_spec_text(spec));
    if (key && name.len && e->no_ids && !looks_numbered(name)) {
        name_bytes(e, name);
    } else if (key && name.len) {
        struct cg_number *n = number_of(e, table, key);
        if (!n) return;
        bool is_new = n->part != e->part;
        if (is_new) *n = (struct cg_number){ e->part, ++e->last[table] };
        output_char(e->out, '(');
        output_u64(e->out, n->number);
        output_char(e->out, ')');
        if (is_new) {
            output_char(e->out, ' ');
            name_bytes(e, name);
        }
    }
    output_char(e->out, '\n');
}

/* ---- numbers ---- */

static void distance(struct cg_encoder *e, uint64_t v, uint64_t base, bool hex)
{
    bool is_near = v >= base ? v - base < 1000 : base - v < 1000;
    if (e->no_relative || !is_near) {
        if (hex) {
            output_text(e->out, "0x");
            output_hex(e->out, v, 1);
        } else {
            output_u64(e->out, v);
        }
    } else if (v == base) {
        output_char(e->out, '*');
    } else {
        output_char(e->out, v > base ? '+' : '-');
        output_u64(e->out, v > base ? v - base : base - v);
    }
}

void cg_encode_position(struct cg_encoder *e, struct cg_position at)
{
    if (e->has_address) distance(e, at.address, e->base.address, true);
    if (e->has_address && e->has_line) output_char(e->out, ' ');
    if (e->has_line) distance(e, at.line, e->base.line, false);
    e->base = at;
}

/* Where a call or jump leads: written in full, it is no base for anything. */
static void target(struct cg_encoder *e, struct cg_position at)
{
    if (e->has_address) {
        output_text(e->out, " 0x");
        output_hex(e->out, at.address, 1);
    }
    if (e->has_line) {
        output_char(e->out, ' ');
        output_u64(e->out, at.line);
    }
    output_char(e->out, '\n');
}

void cg_encode_calls(struct cg_encoder *e, uint64_t calls, struct cg_position to)
{
    output_text(e->out, "calls=");
    output_u64(e->out, calls);
    target(e, to);
}

void cg_encode_jump(struct cg_encoder *e, uint64_t executed, uint64_t followed, bool conditional, struct cg_position to)
{
    output_text(e->out, conditional ? "jcnd=" : "jump=");
    if (conditional) {
        output_u64(e->out, followed);
        output_char(e->out, '/');
    }
    output_u64(e->out, executed);
    target(e, to);
}

void cg_encode_costs(struct cg_encoder *e, const int64_t *costs, uint32_t count)
{
    while (count > 0 && costs[count - 1] == 0) count--;
    for (uint32_t k = 0; k < count; k++) {
        output_char(e->out, ' ');
        output_i64(e->out, costs[k]);
    }
    output_char(e->out, '\n');
}
