/* The walk over the context tree: an explicit stack, and a bit for each place where a context began, so that neither depth nor a cycle of
 * the file can lead astray; see formats/hpcdb/decode.h. */
#include <inttypes.h>

#include "base/fetch.h"
#include "formats/hpcdb/decode.h"

int hpcdb_walk_init(struct hpcdb_walk *w, const struct hpcdb *db, struct mem *mem, assay_error *err)
{
    const struct hpcdb_section *s = &db->file[HPCDB_META].sections[HPCDB_CONTEXT];
    *w = (struct hpcdb_walk){ .db = db, .mem = mem };
    if (!s->is_ok || db->entries.count == 0) return 0;
    w->bytes_left = s->size;
    w->seen_len = (size_t)(s->size / 64 + 1);
    w->seen = mem_zalloc(mem, w->seen_len, 1);
    return w->seen ? 0 : error_memory(err);
}

void hpcdb_walk_done(struct hpcdb_walk *w)
{
    if (w->seen) mem_free(w->mem, w->seen, w->seen_len);
    w->seen = NULL;
    vec_done(w->mem, &w->stack);
}

static void say(const struct hpcdb_walk *w, const char *rule, uint64_t off, const char *what, uint64_t pointer)
{
    hpcdb_say(w->db, HPCDB_META, rule, ASSAY_ERROR, off, "%s 0x%" PRIx64, what, pointer);
}

/* false = a context began here before. */
static bool mark_seen(struct hpcdb_walk *w, uint64_t off)
{
    uint64_t bit = (off - w->db->file[HPCDB_META].sections[HPCDB_CONTEXT].off) / 8;
    uint8_t mask = (uint8_t)(1u << (bit % 8));
    bool is_new = !(w->seen[bit / 8] & mask);
    w->seen[bit / 8] |= mask;
    return is_new;
}

static bool was_seen(const struct hpcdb_walk *w, uint64_t off)
{
    uint64_t bit = (off - w->db->file[HPCDB_META].sections[HPCDB_CONTEXT].off) / 8;
    return w->seen[bit / 8] >> (bit % 8) & 1;
}

/* The children of the context handed out before come next. */
static void enter(struct hpcdb_walk *w)
{
    uint64_t at = w->pending_at, len = w->pending_len, owner = w->pending_owner;
    w->pending_len = 0;
    if (len == 0) return;
    if (!hpcdb_in_section(w->db, HPCDB_META, HPCDB_CONTEXT, at, len)) {
        say(w, "H071", owner, "children are outside section Context:", at);
        return;
    }
    if (was_seen(w, at) || len > w->bytes_left) {
        say(w, "H074", owner, "children that belong to another context as well, or to themselves:", at);
        return;
    }
    w->bytes_left -= len;
    struct hpcdb_level *l = vec_push(w->mem, &w->stack);
    w->failed = !l;
    if (l) *l = (struct hpcdb_level){ at, at + len, owner, w->mark };
}

static uint32_t element(const struct hpcdb_walk *w, const struct hpcdb_array *a, uint64_t pointer, uint64_t field, const char *what)
{
    uint32_t i = hpcdb_element_at(a, pointer);
    if (i == HPCDB_NONE) say(w, "H077", field, what, pointer);
    return i;
}

/* The words that the flags ask for, in order; `words` has been checked against the bytes. */
static void take_flex(const struct hpcdb_walk *w, const unsigned char *p, struct hpcdb_context *c)
{
    const struct hpcdb *db = w->db;
    uint32_t need = (c->flags & HPCDB_HAS_FUNCTION ? 1 : 0) + (c->flags & HPCDB_HAS_SOURCE ? 2 : 0) + (c->flags & HPCDB_HAS_POINT ? 2 : 0);
    if (need > c->words) {
        hpcdb_say(db, HPCDB_META, "H073", ASSAY_ERROR, c->off + 0x14, "the flags 0x%02x ask for %u words of data, but there are %u", c->flags, need, c->words);
        return;
    }
    uint64_t at = HPCDB_CONTEXT_LEN;
    if (c->flags & HPCDB_HAS_FUNCTION) {
        c->function_at = bytes_u64le(p + at);
        c->function = element(w, &db->functions, c->function_at, c->off + at, "no function begins at");
        at += 8;
    }
    if (c->flags & HPCDB_HAS_SOURCE) {
        c->file_at = bytes_u64le(p + at);
        c->file = element(w, &db->files, c->file_at, c->off + at, "no source file begins at");
        c->line = bytes_u32le(p + at + 8);
        at += 16;
    }
    if (c->flags & HPCDB_HAS_POINT) {
        c->module_at = bytes_u64le(p + at);
        c->module = element(w, &db->modules, c->module_at, c->off + at, "no load module begins at");
        c->offset = bytes_u64le(p + at + 8);
    }
}

static void take_entry(struct hpcdb_walk *w, struct hpcdb_context *c)
{
    const struct hpcdb *db = w->db;
    const unsigned char *p = hpcdb_element(&db->entries, w->entry);
    *c = (struct hpcdb_context){ .off = hpcdb_element_off(&db->entries, w->entry),
                                 .children_len = bytes_u64le(p),
                                 .children_at = bytes_u64le(p + 8),
                                 .is_entry = true,
                                 .depth = 1,
                                 .id = bytes_u32le(p + 0x10),
                                 .entry_point = bytes_u16le(p + 0x14),
                                 .name_at = bytes_u64le(p + 0x18),
                                 .function = HPCDB_NONE,
                                 .file = HPCDB_NONE,
                                 .module = HPCDB_NONE };
    w->entry++;
    if (!hpcdb_text(db, HPCDB_STRINGS, c->name_at, &c->name))
        say(w, "H062", c->off + 0x18, "the name of an entry point is not inside section Strings:", c->name_at);
}

/* false = the rest of these siblings cannot be read. */
static bool take_context(struct hpcdb_walk *w, struct hpcdb_level *l, struct hpcdb_context *c)
{
    const unsigned char *p = hpcdb_meta(w->db, l->at);
    uint64_t left = l->end - l->at;
    if (left < HPCDB_CONTEXT_LEN || left < HPCDB_CONTEXT_LEN + 8u * p[0x17]) {
        say(w, "H072", l->owner, "the size of the children ends inside a context:", l->at);
        return false;
    }
    if (!mark_seen(w, l->at)) {
        say(w, "H074", l->owner, "children that overlap those of another context:", l->at);
        return false;
    }
    /* field by field: zeroing the whole first takes as long as the rest */
    c->off = l->at;
    c->children_len = bytes_u64le(p);
    c->children_at = bytes_u64le(p + 8);
    c->is_entry = false;
    c->depth = (uint32_t)w->stack.len + 1;
    c->parent = l->mark;
    c->id = bytes_u32le(p + 0x10);
    c->entry_point = 0;
    c->name_at = 0;
    c->name = (assay_slice){ NULL, 0 };
    c->flags = p[0x14];
    c->relation = p[0x15];
    c->lexical = p[0x16];
    c->words = p[0x17];
    c->propagation = bytes_u16le(p + 0x18);
    c->function_at = c->file_at = c->module_at = c->offset = 0;
    c->function = c->file = c->module = HPCDB_NONE;
    c->line = 0;
    take_flex(w, p, c);
    l->at += HPCDB_CONTEXT_LEN + 8u * c->words;
    return true;
}

/* Children lie far from their parents: those of this context and of its next sibling are fetched while the caller works. */
static void fetch_ahead(const struct hpcdb_walk *w, const struct hpcdb_context *c)
{
    const struct hpcdb_section *s = &w->db->file[HPCDB_META].sections[HPCDB_CONTEXT];
    if (c->children_len && c->children_at - s->off < s->size) fetch(hpcdb_meta(w->db, c->children_at));
    if (w->stack.len == 0) return;
    const struct hpcdb_level *l = &w->stack.at[w->stack.len - 1];
    if (l->end - l->at < HPCDB_CONTEXT_LEN) {
        /* the last of its siblings: after it and its children comes one of those of the parent */
        if (w->stack.len > 1 && l[-1].at < l[-1].end) fetch(hpcdb_meta(w->db, l[-1].at));
        return;
    }
    uint64_t next = bytes_u64le(hpcdb_meta(w->db, l->at + 8));
    if (next - s->off < s->size) fetch(hpcdb_meta(w->db, next));
}

bool hpcdb_walk_next(struct hpcdb_walk *w, struct hpcdb_context *c)
{
    enter(w);
    while (!w->failed && w->stack.len) {
        struct hpcdb_level *l = &w->stack.at[w->stack.len - 1];
        if (l->at < l->end && take_context(w, l, c)) break;
        w->stack.len--;
    }
    if (w->failed) return false;
    if (w->stack.len == 0) {
        if (w->entry >= w->db->entries.count) return false;
        take_entry(w, c);
    }
    w->mark = 0;
    w->pending_at = c->children_at;
    w->pending_len = c->children_len;
    w->pending_owner = c->off;
    fetch_ahead(w, c);
    return true;
}
