/* Structure files: the parser; see structure.h. Rules: docs/formats/hpcstruct.md. */
#include "symbols/structure.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/intern.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/xml.h"

struct open_element {
    enum structure_kind kind;
    uint32_t file;
    uint64_t off, line;
    bool is_unpaired; /* a CALL_SITE that has been reported */
};

struct parser {
    struct mem *mem;
    structure_fn fn;
    void *arg;
    struct intern files;
    VEC(struct open_element) stack;
    VEC(struct structure_range) ranges;
    unsigned functions; /* P that are open */
    int rc;
};

/* The element in work, for damage in it. */
struct element {
    struct parser *p;
    struct xml *x;
    struct structure_record r;
};

static int report(struct parser *p, const char *rule, int severity, uint64_t off, uint64_t line, const char *message)
{
    struct structure_record r = { .kind = STRUCTURE_DAMAGE, .off = off, .line = line, .rule = rule, .severity = severity, .message = message };
    r.depth = (unsigned)p->stack.len;
    return p->fn(p->arg, &r);
}

static int damage(struct element *e, const char *rule, uint64_t off, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
static int damage(struct element *e, const char *rule, uint64_t off, const char *fmt, ...)
{
    char text[240];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return report(e->p, rule, ASSAY_ERROR, off, e->r.line, text);
}

static const struct open_element *top(const struct parser *p) { return p->stack.len ? &p->stack.at[p->stack.len - 1] : NULL; }

static bool is_inside(const struct parser *p, enum structure_kind kind)
{
    const struct open_element *o = top(p);
    return o && o->kind == kind;
}

/* ---- attributes ---- */

static bool take(assay_slice *s, const char *what)
{
    if (!slice_starts(*s, what)) return false;
    s->data += strlen(what);
    s->len -= strlen(what);
    return true;
}

/* 0x and hex digits. */
static bool take_address(assay_slice *s, uint64_t *out)
{
    size_t len = 0;
    if (!take(s, "0x")) return false;
    while (len < s->len &&
           ((s->data[len] >= '0' && s->data[len] <= '9') || (s->data[len] >= 'a' && s->data[len] <= 'f') || (s->data[len] >= 'A' && s->data[len] <= 'F')))
        len++;
    if (number_hex((assay_slice){ s->data, len }, out) != NUMBER_OK) return false;
    s->data += len;
    s->len -= len;
    return true;
}

/* What is wrong with one range, or NULL. */
static const char *take_range(assay_slice *s, struct structure_range *out)
{
    if (!take(s, "[")) return "range does not open with [";
    if (!take_address(s, &out->begin) || !take(s, "-") || !take_address(s, &out->end)) return "range is not 0xLOW-0xHIGH";
    if (!take(s, ")")) return "range does not close with )";
    return out->begin > out->end ? "range ends before it begins" : NULL;
}

static const char *take_ranges(struct parser *p, assay_slice s)
{
    if (!take(&s, "{")) return "set of ranges does not open with {";
    for (;;) {
        while (s.len && (s.data[0] == ' ' || s.data[0] == ',')) s.data++, s.len--;
        if (slice_is(s, "}")) return NULL;
        if (s.len == 0) return "set of ranges does not close with }";
        struct structure_range range = { 0, 0 };
        const char *why = take_range(&s, &range);
        if (why) return why;
        struct structure_range *slot = vec_push(p->mem, &p->ranges);
        if (!slot) return "";
        *slot = range;
    }
}

static int parse_ranges(struct element *e, const char *text)
{
    e->p->ranges.len = 0;
    const char *why = text ? take_ranges(e->p, slice_of(text)) : NULL;
    e->r.ranges = e->p->ranges.at;
    e->r.range_count = e->p->ranges.len;
    if (!why) return 0;
    if (!*why) return ASSAY_ERR_MEMORY;
    uint64_t name_off, value_off;
    xml_attribute_off(e->x, "v", &name_off, &value_off);
    return damage(e, "HRS05", value_off, "%s of %s: %s", "attribute v", e->r.tag, why);
}

static int parse_target(struct element *e, const char *text)
{
    assay_slice s = slice_of(text);
    if (!text || !text[0]) return 0;
    uint64_t name_off, value_off;
    if (take_address(&s, &e->r.target) && s.len == 0) {
        e->r.has_target = true;
        return 0;
    }
    xml_attribute_off(e->x, "t", &name_off, &value_off);
    return damage(e, "HRS05", value_off, "attribute t of %s is not an address", e->r.tag);
}

/* N, or N-M of old files: the first counts. */
static void parse_line(struct structure_record *r, const char *text)
{
    uint64_t v = 0;
    size_t len = 0;
    while (text && text[len] >= '0' && text[len] <= '9') len++;
    if (len && number_u64((assay_slice){ text, len }, &v) == NUMBER_OK && v <= UINT32_MAX) r->source_line = (uint32_t)v;
}

static int take_attributes(struct element *e)
{
    struct structure_record *r = &e->r;
    const char *v = NULL, *t = NULL;
    for (const char *const *a = r->attributes; a[0]; a += 2) {
        if (strcmp(a[0], "n") == 0 || strcmp(a[0], "version") == 0) {
            if (r->kind != STRUCTURE_ROOT || a[0][0] == 'v') r->name = slice_of(a[1]);
        } else if (strcmp(a[0], "ln") == 0)
            r->link_name = slice_of(a[1]);
        else if (strcmp(a[0], "l") == 0)
            parse_line(r, a[1]);
        else if (strcmp(a[0], "v") == 0)
            v = a[1];
        else if (strcmp(a[0], "t") == 0)
            t = a[1];
        else if (strcmp(a[0], "has-calls") == 0)
            r->has_calls = strcmp(a[1], "1") == 0;
    }
    /* modules and files may have a set, too, of no use to anybody */
    if (r->kind == STRUCTURE_ROOT || r->kind == STRUCTURE_MODULE || r->kind == STRUCTURE_FILE || r->kind == STRUCTURE_UNKNOWN) return 0;
    TRY(parse_ranges(e, v));
    return r->kind == STRUCTURE_CALL ? parse_target(e, t) : 0;
}

/* The file in force inside the element. */
static int take_file(struct element *e)
{
    const struct open_element *o = top(e->p);
    const char *own = NULL;
    e->r.file = o ? o->file : 0;
    if (e->r.kind == STRUCTURE_FILE)
        own = xml_attribute(e->r.attributes, "n");
    else if (e->r.kind == STRUCTURE_LOOP || e->r.kind == STRUCTURE_CALL_SITE || e->r.kind == STRUCTURE_INLINED)
        own = xml_attribute(e->r.attributes, "f");
    if (own) e->r.file = intern_put(&e->p->files, slice_of(own));
    if (own && !e->r.file) return ASSAY_ERR_MEMORY;
    e->r.file_name = intern_get(&e->p->files, e->r.file);
    return 0;
}

/* ---- elements ---- */

static enum structure_kind kind_of(const struct parser *p, const char *tag)
{
    static const struct {
        const char *tag;
        enum structure_kind kind;
    } kinds[] = { { "S", STRUCTURE_STATEMENT },
                  { "C", STRUCTURE_CALL },
                  { "L", STRUCTURE_LOOP },
                  { "P", STRUCTURE_FUNCTION },
                  { "F", STRUCTURE_FILE },
                  { "LM", STRUCTURE_MODULE },
                  { "HPCToolkitStructure", STRUCTURE_ROOT } };
    if (strcmp(tag, "A") == 0) return is_inside(p, STRUCTURE_CALL_SITE) ? STRUCTURE_INLINED : STRUCTURE_CALL_SITE;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(tag, kinds[i].tag) == 0) return kinds[i].kind;
    return STRUCTURE_UNKNOWN;
}

/* An outer A that holds anything but an inner one. */
static int check_pair(struct element *e)
{
    struct parser *p = e->p;
    if (!is_inside(p, STRUCTURE_CALL_SITE) || e->r.kind == STRUCTURE_INLINED) return 0;
    struct open_element *o = &p->stack.at[p->stack.len - 1];
    if (o->is_unpaired) return 0;
    o->is_unpaired = true;
    return report(p, "HRS09", ASSAY_WARNING, o->off, o->line, "an A that is not a pair of call site and inlined function: only its file is used");
}

static int check_place(struct element *e)
{
    struct parser *p = e->p;
    switch (e->r.kind) {
    case STRUCTURE_UNKNOWN: return damage(e, "HRS02", e->r.off, "unknown element %.64s", e->r.tag);
    case STRUCTURE_ROOT: return p->stack.len ? damage(e, "HRS10", e->r.off, "%s inside another element", e->r.tag) : 0;
    case STRUCTURE_MODULE:
        if (!is_inside(p, STRUCTURE_ROOT)) return damage(e, "HRS10", e->r.off, "LM outside HPCToolkitStructure");
        return xml_attribute(e->r.attributes, "n") ? 0 : damage(e, "HRS10", e->r.off, "LM without a name");
    case STRUCTURE_FILE: return is_inside(p, STRUCTURE_MODULE) ? 0 : damage(e, "HRS10", e->r.off, "F outside LM");
    case STRUCTURE_FUNCTION:
        if (p->functions) return damage(e, "HRS03", e->r.off, "P inside P");
        return is_inside(p, STRUCTURE_FILE) || is_inside(p, STRUCTURE_MODULE) ? 0 : damage(e, "HRS10", e->r.off, "P outside F and LM");
    case STRUCTURE_STATEMENT:
    case STRUCTURE_CALL:
        if (!p->functions) return damage(e, "HRS07", e->r.off, "%s outside P", e->r.tag);
        return e->r.file ? 0 : damage(e, "HRS07", e->r.off, "%s without a file in force", e->r.tag);
    default: return p->functions ? 0 : damage(e, "HRS10", e->r.off, "%s outside P", e->r.tag);
    }
}

static int check_ranges(struct element *e)
{
    uint64_t name_off, value_off;
    const struct structure_record *r = &e->r;
    bool is_one = r->range_count == 1;
    if (r->kind == STRUCTURE_FUNCTION && (!is_one || r->ranges[0].end - r->ranges[0].begin != 1)) {
        xml_attribute_off(e->x, "v", &name_off, &value_off);
        return damage(e, "HRS04", name_off, "P has %zu range%s; one of a single byte, its entry, was expected", r->range_count,
                      is_one ? " of another length" : "s");
    }
    if (r->kind == STRUCTURE_CALL && !is_one) {
        xml_attribute_off(e->x, "v", &name_off, &value_off);
        return damage(e, "HRS08", name_off, "C has %zu ranges; one was expected", r->range_count);
    }
    return 0;
}

static int begin(struct element *e)
{
    struct parser *p = e->p;
    TRY(take_file(e));
    TRY(take_attributes(e));
    TRY(check_place(e));
    TRY(check_ranges(e));
    TRY(check_pair(e));
    if (!p->stack.len && e->r.kind != STRUCTURE_ROOT && e->r.kind != STRUCTURE_UNKNOWN)
        TRY(damage(e, "HRS10", e->r.off, "the document is not an HPCToolkitStructure"));
    return p->fn(p->arg, &e->r);
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct parser *p = arg;
    struct element e = { .p = p, .x = x };
    e.r = (struct structure_record){ .kind = kind_of(p, name), .off = xml_off(x), .line = xml_line(x), .depth = (unsigned)p->stack.len };
    e.r.tag = name;
    e.r.attributes = attributes;
    p->rc = begin(&e);
    if (p->rc) return p->rc;
    struct open_element *o = vec_push(p->mem, &p->stack);
    if (!o) return p->rc = ASSAY_ERR_MEMORY;
    *o = (struct open_element){ .kind = e.r.kind, .file = e.r.file, .off = e.r.off, .line = e.r.line };
    p->functions += e.r.kind == STRUCTURE_FUNCTION;
    return 0;
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct parser *p = arg;
    if (!p->stack.len) return 0;
    struct open_element o = p->stack.at[--p->stack.len];
    p->functions -= o.kind == STRUCTURE_FUNCTION;
    struct structure_record r = { .kind = STRUCTURE_END, .off = xml_off(x), .line = o.line, .depth = (unsigned)p->stack.len, .tag = name, .ends = o.kind };
    return p->rc = p->fn(p->arg, &r);
}

static void parser_done(struct parser *p)
{
    intern_done(&p->files);
    vec_done(p->mem, &p->stack, &p->ranges);
}

int structure_parse(struct input *in, struct mem *mem, structure_fn fn, void *arg, assay_error *err)
{
    static const struct xml_handler handler = { .start = on_start, .end = on_end };
    struct xml_options options = { .mem = mem };
    SCOPED(parser_done) struct parser p = { .mem = mem, .fn = fn, .arg = arg };
    assay_error own = { 0 };
    intern_init(&p.files, mem);
    int rc = xml_parse(in, &options, &handler, &p, &own);
    if (p.rc == ASSAY_ERR_MEMORY) return error_memory(err);
    if (p.rc || !rc) return rc;
    if (own.has_offset && rc != ASSAY_ERR_SYSTEM && rc != ASSAY_ERR_MEMORY) return report(&p, "HRS01", ASSAY_ERROR, own.offset, own.line, own.text);
    if (err) *err = own;
    return rc;
}
