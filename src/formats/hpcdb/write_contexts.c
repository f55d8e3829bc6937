/* The context tree of meta.db. Children of one context stand side by side; families come in the reverse order of their numbers, so that each
 * stands before its parent's, and the entries last. Hidden contexts are left out, and their children go to the one above them. */
#include "base/scoped.h"
#include "formats/hpcdb/write.h"

enum { HEAD = 16, MAX_ENTRIES = 32767 };

struct families {
    uint32_t *begin; /* by context: its children in `kids` */
    uint32_t *kids;  /* ascending */
    uint64_t *place; /* by context: where its children begin */
    uint64_t *len;   /* and how many bytes they take */
};

uint8_t hpcdb_write_lexical(const struct assay_tree *t, uint32_t node)
{
    switch (NUMBER_AT(t->kind, node)) {
    case ASSAY_NODE_LOOP: return HPCDB_LEXICAL_LOOP;
    case ASSAY_NODE_LINE: return HPCDB_LEXICAL_LINE;
    case ASSAY_NODE_INSTRUCTION: return ID_AT(t->module, node) ? HPCDB_LEXICAL_INSTRUCTION : HPCDB_LEXICAL_FUNCTION;
    default: return HPCDB_LEXICAL_FUNCTION;
    }
}

static uint8_t flags_of(const struct hpcdb_plan *plan, uint32_t node)
{
    const struct assay_tree *t = assay_profile_tree(plan->p);
    bool has_function = hpcdb_write_lexical(t, node) == HPCDB_LEXICAL_FUNCTION && !hpcdb_plan_is_unknown(plan, ID_AT(t->func, node));
    return (uint8_t)((has_function ? HPCDB_HAS_FUNCTION : 0) | (ID_AT(t->file, node) ? HPCDB_HAS_SOURCE : 0) | (ID_AT(t->module, node) ? HPCDB_HAS_POINT : 0));
}

static uint8_t words_of(uint8_t flags)
{
    return (uint8_t)((flags & HPCDB_HAS_FUNCTION ? 1 : 0) + (flags & HPCDB_HAS_SOURCE ? 2 : 0) + (flags & HPCDB_HAS_POINT ? 2 : 0));
}

static uint64_t size_of(const struct hpcdb_plan *plan, uint32_t ctx)
{
    if (plan->bits[ctx] & PLAN_ENTRY) return HPCDB_ENTRY_LEN;
    return HPCDB_CONTEXT_LEN + 8 * (uint64_t)words_of(flags_of(plan, plan->node[ctx]));
}

/* ---- families ---- */

static bool is_listed(const struct hpcdb_plan *plan, uint32_t ctx) { return ctx && !hpcdb_plan_is_hidden(plan, ctx); }
static uint32_t family_of(const struct hpcdb_plan *plan, uint32_t ctx) { return plan->shown[plan->parent[ctx]]; }

static int gather(const struct hpcdb_plan *plan, struct arena *arena, struct families *f, assay_error *err)
{
    uint32_t count = plan->ctx_count;
    f->begin = arena_alloc(arena, ((size_t)count + 2) * sizeof *f->begin);
    f->kids = arena_alloc(arena, ((size_t)count + 1) * sizeof *f->kids);
    f->place = arena_alloc(arena, ((size_t)count + 1) * sizeof *f->place);
    f->len = arena_alloc(arena, ((size_t)count + 1) * sizeof *f->len);
    if (!f->begin || !f->kids || !f->place || !f->len) return error_memory(err);
    memset(f->begin, 0, ((size_t)count + 2) * sizeof *f->begin);
    memset(f->len, 0, ((size_t)count + 1) * sizeof *f->len);
    for (uint32_t c = 1; c < count; c++)
        if (is_listed(plan, c)) f->begin[family_of(plan, c) + 2]++; /* two ahead, so that filling leaves the begins where they belong */
    return 0;
}

static void fill(const struct hpcdb_plan *plan, struct families *f)
{
    uint32_t count = plan->ctx_count;
    for (uint32_t c = 2; c < count + 2; c++) f->begin[c] += f->begin[c - 1];
    for (uint32_t c = 1; c < count; c++) {
        if (!is_listed(plan, c)) continue;
        uint32_t family = family_of(plan, c);
        f->kids[f->begin[family + 1]++] = c;
        f->len[family] += size_of(plan, c);
    }
}

/* ---- bytes ---- */

static void put_entry(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, const struct families *f, const struct hpcdb_meta_places *at, uint32_t ctx)
{
    const struct assay_funcs *funcs = assay_profile_funcs(plan->p);
    unsigned char entry[HPCDB_ENTRY_LEN] = { 0 };
    uint32_t func = plan->node[ctx] ? ID_AT(assay_profile_tree(plan->p)->func, plan->node[ctx]) : 0;
    put_u64(entry, f->len[ctx]);
    put_u64(entry + 8, f->len[ctx] ? f->place[ctx] : 0);
    put_u32(entry + 0x10, ctx);
    put_u16(entry + 0x14, func ? (uint16_t)NUMBER_AT(funcs->flags, func) : 0);
    put_u64(entry + 0x18, at->entry_names[ctx]);
    output_bytes(e->out, entry, sizeof entry);
}

static void put_context(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, const struct families *f, const struct hpcdb_meta_places *at, uint32_t ctx)
{
    const struct assay_tree *t = assay_profile_tree(plan->p);
    unsigned char context[HPCDB_CONTEXT_LEN + 5 * 8] = { 0 }, *flex = context + HPCDB_CONTEXT_LEN;
    uint32_t node = plan->node[ctx];
    uint8_t flags = flags_of(plan, node), relation = NUMBER_AT(t->relation, node);
    put_u64(context, f->len[ctx]);
    put_u64(context + 8, f->len[ctx] ? f->place[ctx] : 0);
    put_u32(context + 0x10, ctx);
    context[0x14] = flags;
    context[0x15] = relation < ASSAY_RELATION_OTHER ? relation : ASSAY_RELATION_CALL;
    context[0x16] = hpcdb_write_lexical(t, node);
    context[0x17] = words_of(flags);
    put_u16(context + 0x18, plan->bits[ctx] & PLAN_LEXICAL ? 1 : 0);
    if (flags & HPCDB_HAS_FUNCTION) {
        put_u64(flex, at->functions[ID_AT(t->func, node)]);
        flex += 8;
    }
    if (flags & HPCDB_HAS_SOURCE) {
        put_u64(flex, at->files[ID_AT(t->file, node)]);
        put_u32(flex + 8, NUMBER_AT(t->line, node));
        flex += 16;
    }
    if (flags & HPCDB_HAS_POINT) {
        put_u64(flex, at->modules[ID_AT(t->module, node)]);
        put_u64(flex + 8, NUMBER_AT(t->offset, node));
        flex += 16;
    }
    output_bytes(e->out, context, (size_t)(flex - context));
}

static void put_families(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, struct families *f, const struct hpcdb_meta_places *at)
{
    uint64_t off = output_off(e->out);
    for (uint32_t c = plan->ctx_count; c-- > 0;) {
        f->place[c] = off;
        off += f->len[c];
    }
    for (uint32_t c = plan->ctx_count; c-- > 0;)
        for (uint32_t i = f->begin[c]; i < f->begin[c + 1]; i++) {
            if (plan->bits[f->kids[i]] & PLAN_ENTRY)
                put_entry(plan, e, f, at, f->kids[i]);
            else
                put_context(plan, e, f, at, f->kids[i]);
        }
}

int hpcdb_write_contexts(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, const struct hpcdb_meta_places *at, assay_error *err)
{
    SCOPED(arena_done) struct arena arena = { 0 };
    struct families f;
    unsigned char head[HEAD] = { 0 };
    arena_init(&arena, plan->mem);
    TRY(gather(plan, &arena, &f, err));
    fill(plan, &f);
    if (f.begin[1] > MAX_ENTRIES) FAIL(err, ASSAY_ERR_UNSUPPORTED, "hpcdb holds at most %d entries", MAX_ENTRIES);
    uint64_t off = hpcdb_encode_align(e, 8);
    hpcdb_encode_zeros(e, sizeof head);
    put_families(plan, e, &f, at);
    put_u64(head, f.place[0]);
    put_u16(head + 8, (uint16_t)f.begin[1]);
    head[0xa] = HPCDB_ENTRY_LEN;
    output_patch(e->out, off, head, sizeof head);
    hpcdb_encode_section(e, HPCDB_CONTEXT, off);
    return 0;
}
