/* Answers in columns; see sheet.h. */
#include "server/sheet.h"

#include <stdio.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

static const struct {
    const char *name;
    size_t size;
} types[] = { { "u8", 1 }, { "u16", 2 }, { "u32", 4 }, { "f32", 4 }, { "f64", 8 }, { "u64", 8 }, { "i64", 8 }, { "str", 1 } };

int sheet_begin(struct sheet *c, struct mem *mem, const char *route, assay_error *err)
{
    *c = (struct sheet){ .mem = mem };
    arena_init(&c->arena, mem);
    TRY(output_open_memory(&c->head, mem, err));
    json_init(&c->json, c->head);
    json_object(&c->json);
    json_key(&c->json, "assay");
    json_u64(&c->json, 1);
    json_key(&c->json, "route");
    json_text(&c->json, route);
    return 0;
}

void sheet_done(struct sheet *c)
{
    output_abort(c->head);
    vec_done(c->mem, &c->at);
    vec_done(c->mem, &c->names);
    vec_done(c->mem, &c->slots);
    arena_done(&c->arena);
}

struct json *sheet_header(struct sheet *c) { return &c->json; }

static void *add_bytes(struct sheet *c, const char *name, enum column_type type, size_t count, size_t bytes)
{
    struct column *to = vec_push(c->mem, &c->at);
    char *data = to ? arena_alloc(&c->arena, bytes + 8) : NULL;
    if (!data) {
        if (to) c->at.len--;
        c->failed = true;
        return NULL;
    }
    memset(data, 0, bytes + 8);
    *to = (struct column){ name, type, count, bytes, data };
    return data;
}

void *sheet_add(struct sheet *c, const char *name, enum column_type type, size_t count)
{
    size_t bytes;
    if (size_mul(&bytes, count, types[type].size)) return add_bytes(c, name, type, count, bytes);
    c->failed = true;
    return NULL;
}

/* ---- strings ---- */

/* Valid UTF-8 as it is, other bytes as \xNN: a decoder in a browser would lose
 * them. Returns the length; to = NULL only measures. */
static size_t put_text(char *to, assay_slice s)
{
    size_t n = 0;
    while (s.len) {
        unsigned step = text_utf8(s, NULL);
        char buf[8];
        size_t len = step;
        const char *from = s.data;
        if (!step) {
            len = (size_t)snprintf(buf, sizeof buf, "\\x%02x", (unsigned char)*s.data);
            from = buf;
            step = 1;
        }
        if (to) memcpy(to + n, from, len);
        n += len;
        s.data += step;
        s.len -= step;
    }
    return n;
}

void sheet_strings(struct sheet *c, const char *name, const assay_slice *text, size_t count)
{
    size_t bytes = 0, head = (count + 1) * sizeof(uint32_t), off = 0;
    for (size_t i = 0; i < count; i++) bytes += put_text(NULL, text[i]);
    if (bytes > UINT32_MAX || count >= UINT32_MAX) {
        c->failed = true;
        return;
    }
    char *data = add_bytes(c, name, COLUMN_STR, count, head + bytes);
    if (!data) return;
    for (size_t i = 0; i <= count; i++) {
        uint32_t at = (uint32_t)off;
        memcpy(data + i * sizeof at, &at, sizeof at);
        if (i < count) off += put_text(data + head + off, text[i]);
    }
}

static bool grow_slots(struct sheet *c)
{
    size_t cap = c->slots.len ? c->slots.len * 2 : 64;
    VEC(uint32_t) next = { 0 };
    if (!vec_reserve(c->mem, &next, cap)) return false;
    memset(next.at, 0, cap * sizeof *next.at);
    next.len = cap;
    for (size_t i = 1; i < c->names.len; i++) {
        size_t at = (size_t)hash_bytes(c->names.at[i].data, c->names.at[i].len) & (cap - 1);
        while (next.at[at]) at = (at + 1) & (cap - 1);
        next.at[at] = (uint32_t)i;
    }
    vec_done(c->mem, &c->slots);
    c->slots.at = next.at;
    c->slots.len = next.len;
    c->slots.cap = next.cap;
    return true;
}

uint32_t sheet_name(struct sheet *c, assay_slice text)
{
    if (!c->names.len) {
        assay_slice *none = vec_push(c->mem, &c->names);
        if (!none) c->failed = true;
        if (none) *none = (assay_slice){ "", 0 };
    }
    if (!text.len || c->failed) return 0;
    if (c->names.len * 2 >= c->slots.len && !grow_slots(c)) {
        c->failed = true;
        return 0;
    }
    size_t mask = c->slots.len - 1, at = (size_t)hash_bytes(text.data, text.len) & mask;
    for (; c->slots.at[at]; at = (at + 1) & mask)
        if (slice_equal(c->names.at[c->slots.at[at]], text)) return c->slots.at[at];
    assay_slice *to = vec_push(c->mem, &c->names);
    if (!to) {
        c->failed = true;
        return 0;
    }
    *to = text;
    return c->slots.at[at] = (uint32_t)(c->names.len - 1);
}

/* ---- figures ---- */

enum column_type sheet_type(enum assay_type type) { return type == ASSAY_U64 ? COLUMN_U64 : type == ASSAY_I64 ? COLUMN_I64 : COLUMN_F64; }

struct figures sheet_figures(struct sheet *c, const char *name, const assay_column *metrics, uint32_t width, size_t rows)
{
    struct figures f = { COLUMN_F64, width, NULL };
    size_t cells;
    bool is_one = width > 0;
    for (uint32_t k = 1; k < width; k++) is_one &= metrics[k].type == metrics[0].type;
    if (is_one) f.type = sheet_type(metrics[0].type);
    if (size_mul(&cells, rows, width))
        f.data = sheet_add(c, name, f.type, cells);
    else
        c->failed = true;
    return f;
}

void figures_put(struct figures *f, size_t row, uint32_t k, enum assay_type type, assay_value value)
{
    size_t at = row * f->width + k;
    if (!f->data) return;
    if (f->type != COLUMN_F64)
        ((assay_value *)f->data)[at] = value;
    else
        ((double *)f->data)[at] = type == ASSAY_F64 ? value.d : type == ASSAY_I64 ? (double)value.i : (double)value.u;
}

/* ---- all of it ---- */

/* Places stand in the header whose length they depend on: they have a fixed
 * width. */
static void list_column(struct output *o, const struct column *c, uint64_t at, bool is_first)
{
    output_printf(o,
                  "%s{\"name\":\"%s\",\"type\":\"%s\",\"count\":%zu,\"at\":%"
                  "12llu,\"bytes\":%zu}",
                  is_first ? "" : ",", c->name, types[c->type].name, c->count, (unsigned long long)at, c->bytes);
}

static void list_columns(const struct sheet *c, struct output *o, uint64_t at)
{
    for (size_t i = 0; i < c->at.len; i++) {
        list_column(o, &c->at.at[i], at, i == 0);
        at += (c->at.at[i].bytes + 7) & ~(uint64_t)7;
    }
}

static int list_length(const struct sheet *c, size_t *len, assay_error *err)
{
    struct output *probe;
    TRY(output_open_memory(&probe, c->mem, err));
    list_columns(c, probe, 0);
    *len = output_memory(probe).len;
    output_abort(probe);
    return 0;
}

int sheet_end(struct sheet *c, struct output *out, assay_error *err)
{
    static const char zeros[8];
    static const char list[] = ",\"columns\":[";
    size_t listed;
    if (c->names.len) sheet_strings(c, "names", c->names.at, c->names.len);
    if (c->failed || output_failed(c->head)) return error_memory(err);
    assay_slice head = output_memory(c->head); /* an object that is still open */
    while (head.len && (head.data[head.len - 1] == '\n' || head.data[head.len - 1] == ' ')) head.len--;
    TRY(list_length(c, &listed, err));
    uint64_t len = head.len + sizeof list - 1 + listed + 2, padded = (len + 7) & ~(uint64_t)7;
    if (padded > UINT32_MAX) return error_memory(err);
    output_text(out, "ASC1");
    output_u32le(out, (uint32_t)padded);
    output_slice(out, head);
    output_text(out, list);
    list_columns(c, out, 8 + padded);
    output_text(out, "]}");
    for (; len < padded; len++) output_char(out, ' ');
    for (size_t i = 0; i < c->at.len; i++) {
        output_bytes(out, c->at.at[i].data, c->at.at[i].bytes);
        output_bytes(out, zeros, (8 - (c->at.at[i].bytes & 7)) & 7);
    }
    return cancel_end(output_failed(out) ? error_memory(err) : 0, err);
}
