/* Symbols beside a measurement: kernel symbols and logical files (docs/symbols.md). */
#include "base/cursor.h"
#include "base/input.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "symbols/demangle.h"
#include "symbols/sources.h"

static struct input *open_side(const char *path, struct mem *mem, const struct trouble *trouble)
{
    struct input *in = NULL;
    assay_error err = { 0 };
    struct input_options o = { .mem = mem, .max_output = (uint64_t)1 << 30 };
    if (input_open(&in, path, &o, &err) != 0) {
        trouble_tell(trouble, "SY02", "%s: %s", path, err.text);
        return NULL;
    }
    if (!input_is_dir(in)) return in;
    input_close(in);
    return NULL;
}

/* ---- kernel symbols ---- */

static assay_slice next_word(assay_slice *line)
{
    while (line->len && (line->data[0] == ' ' || line->data[0] == '\t')) line->data++, line->len--;
    const char *begin = line->data;
    while (line->len && line->data[0] != ' ' && line->data[0] != '\t' && line->data[0] != '\r') line->data++, line->len--;
    return slice_from(begin, line->data);
}

/* `ADDRESS t NAME [MODULE]` -> a function with an open end. */
static void kernel_line(struct symtab *t, struct arena *scratch, assay_slice line)
{
    uint64_t address;
    assay_slice number = next_word(&line), type = next_word(&line), name = next_word(&line), module = next_word(&line);
    if (number_hex(number, &address) != NUMBER_OK || (!slice_is(type, "t") && !slice_is(type, "T")) || !name.len) return;
    size_t len = name.len + (module.len ? module.len + 1 : 0) + sizeof " [vmlinux]" - 1;
    char *text = arena_text(scratch, len + 1);
    if (!text) {
        t->failed = true;
        return;
    }
    char *p = text;
    p = mempcpy(p, name.data, name.len);
    if (module.len) *p++ = ' ', p = mempcpy(p, module.data, module.len);
    memcpy(p, " [vmlinux]", sizeof " [vmlinux]");
    struct symbols_function f = { .name = { text, len }, .link_name = name, .has_address = true, .address = address, .identity = address };
    struct symbols_scope s = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .address = address };
    s.function = symtab_function(t, &f);
    symtab_span(t, address, UINT64_MAX, symtab_node(t, 0, &s));
}

static bool kernel_text(struct symtab *t, struct input *in, assay_error *err)
{
    SCOPED(arena_done) struct arena scratch = { .mem = t->mem };
    assay_slice block;
    uint64_t off;
    int rc;
    while ((rc = input_block(in, true, &block, &off, err)) == 0 && block.len) {
        for (const char *p = block.data, *end = block.data + block.len; p < end;) {
            const char *stop = memchr(p, '\n', (size_t)(end - p));
            if (!stop) stop = end;
            kernel_line(t, &scratch, slice_from(p, stop));
            p = stop + 1;
        }
        arena_done(&scratch); /* it may be used again */
    }
    return rc == 0;
}

static int by_begin(const void *a, const void *b)
{
    const struct symtab_span *x = a, *y = b;
    ORDER_BY(x->begin, y->begin);
    return ORDER(x->node, y->node);
}

/* Each reaches to the next address; of equal ones the first line stays. */
static void close_spans(struct symtab *t)
{
    size_t kept = 0;
    if (t->spans.len > 1) sort_by(t->spans.at, t->spans.len, sizeof *t->spans.at, by_begin);
    for (size_t i = 0; i < t->spans.len; i++) {
        if (kept && t->spans.at[kept - 1].begin == t->spans.at[i].begin) continue;
        if (kept) t->spans.at[kept - 1].end = t->spans.at[i].begin;
        t->spans.at[kept++] = t->spans.at[i];
    }
    t->spans.len = kept;
}

bool kernel_load(struct symtab *t, const char *path, const struct trouble *trouble)
{
    assay_error err = { 0 };
    SCOPED(input_drop) struct input *in = open_side(path, t->mem, trouble);
    if (!in) return false;
    if (!kernel_text(t, in, &err)) {
        t->failed |= err.code == ASSAY_ERR_MEMORY;
        trouble_tell(trouble, err.code == ASSAY_ERR_UNSUPPORTED ? "SY05" : "SY02", "%s: %s", path, err.text);
    }
    close_spans(t);
    return t->spans.len > 0;
}

/* ---- logical files ---- */

static bool get_string(struct cursor *c, assay_slice *out)
{
    uint32_t len;
    return cursor_u32be(c, &len) && cursor_bytes(c, len, out);
}

struct logical {
    uint32_t id, line;
    uint8_t mangling;
    assay_slice function, file;
};

static bool get_logical(struct cursor *c, struct logical *r)
{
    return cursor_u32be(c, &r->id) && get_string(c, &r->function) && cursor_u8(c, &r->mangling) && get_string(c, &r->file) && cursor_u32be(c, &r->line);
}

/* One scope for each id, at the addresses id << 32 and on: the line is added when it is asked for (symbols.c). */
static void add_logical(struct symtab *t, const struct logical *r)
{
    uint32_t file = r->file.len ? symtab_file(t, r->file) : 0;
    struct symbols_scope s = { .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_CALL, .file = file };
    if (r->function.len) {
        const char *name = arena_copy(&t->text, r->function);
        assay_slice shown = { NULL, 0 };
        if (name && r->mangling == 1) shown = demangle(&t->text, name, &t->failed);
        struct symbols_function f = { .name = shown.len ? shown : r->function, .link_name = r->function, .file = file, .line = r->line, .identity = r->id };
        s.kind = ASSAY_NODE_FUNCTION;
        s.function = symtab_function(t, &f);
        s.line = r->line;
        t->failed |= !name;
    } else if (!file)
        return;
    symtab_span(t, (uint64_t)r->id << 32, ((uint64_t)r->id << 32 | UINT32_MAX) + (r->id != UINT32_MAX), symtab_node(t, 0, &s));
}

bool logical_load(struct symtab *t, const char *path, const struct trouble *trouble)
{
    static const char magic[] = "HPCLOGICAL";
    assay_error err = { 0 };
    assay_slice bytes = { NULL, 0 };
    struct logical r;
    SCOPED(input_drop) struct input *in = open_side(path, t->mem, trouble);
    if (!in || input_peek(in, &bytes, &err) != 0 || !slice_starts(bytes, magic) || input_map(in, &bytes, &err) != 0) return false;
    struct cursor c = cursor_of(bytes.data, bytes.len);
    (void)cursor_skip(&c, sizeof magic - 1);
    uint64_t at = cursor_off(&c);
    while (!t->failed && cursor_left(&c) && get_logical(&c, &r)) {
        if (r.id) add_logical(t, &r);
        at = cursor_off(&c);
    }
    if (at < bytes.len) trouble_tell(trouble, "SY02", "%s: offset %llu: a record is truncated", path, (unsigned long long)at);
    symtab_seal_first(t);
    return true;
}
