/* What one rank of a team has made, made again by another; see expand.h. Nodes are told by what they were made of, not by what they look like: so the
 * functions, files and contexts that come out of it, and their order, are those of one process that reads all files itself. */
#include "base/arena.h"
#include "base/cancel.h"
#include "base/scoped.h"
#include "formats/hpcrun/hpcrun-measurements/expand.h"

/* ---- what is made is noted ---- */

void expand_note(struct expand *x, enum expand_name kind, uint64_t number, uint32_t more, assay_slice text)
{
    if (!x->is_shared) return;
    wire_put_u64(&x->names, kind);
    wire_put_u64(&x->names, number);
    wire_put_u64(&x->names, more);
    wire_put_text(&x->names, text);
    x->name_count++;
}

void expand_note_placeholder(struct expand *x, assay_func_id f, const char *name, uint64_t number, uint32_t flags)
{
    if (!x->is_shared || (f.v < x->placeholder_of.len && x->placeholder_of.at[f.v])) return;
    if (f.v >= x->placeholder_of.len) {
        size_t more = f.v + 1 - x->placeholder_of.len;
        if (!vec_reserve(x->mem, &x->placeholder_of, more)) {
            x->names.failed = true;
            return;
        }
        memset(x->placeholder_of.at + x->placeholder_of.len, 0, more * sizeof *x->placeholder_of.at);
        x->placeholder_of.len += more;
    }
    x->placeholder_of.at[f.v] = ++x->placeholder_count;
    expand_note(x, EXPAND_PLACEHOLDER, number, flags, (assay_slice){ name, strlen(name) });
}

assay_node_id expand_node(struct expand *x, const struct assay_node *node, enum expand_made made, uint32_t from, uint32_t more)
{
    assay_node_id id = assay_build_node(x->b, node);
    if (!x->is_shared || id.v <= x->origins.len) return id;
    struct expand_origin *o = vec_push(x->mem, &x->origins);
    if (!o) {
        x->names.failed = true;
        return id;
    }
    *o = (struct expand_origin){ .parent = node->parent.v, .from = from, .info = (uint32_t)made | more };
    if (made == EXPAND_OF_PLACE) return id;
    o->from = from < x->placeholder_of.len ? x->placeholder_of.at[from] : 0;
    o->low = (uint32_t)node->offset;
    o->high = (uint32_t)(node->offset >> 32);
    return id;
}

/* ---- and made again ---- */

/* By number there - 1: the number here. */
struct numbers {
    uint32_t *at;
    size_t len, cap;
};
struct adopter {
    struct expand *x;
    struct numbers modules, places, placeholders; /* of placeholders the function */
};

static bool add(struct adopter *a, struct numbers *to, uint32_t id)
{
    uint32_t *slot = vec_push(a->x->mem, to);
    if (slot) *slot = id;
    return slot != NULL;
}

static uint32_t known(const struct numbers *n, uint64_t number) { return number && number <= n->len ? n->at[number - 1] : 0; }

static int adopt_name(struct adopter *a, struct wire_in *in, struct arena *text, assay_error *err)
{
    uint64_t kind = wire_take_u64(in), number = wire_take_u64(in), more = wire_take_u64(in);
    assay_slice name = wire_take_text(in);
    uint32_t id = 0;
    bool has_room = true;
    if (in->failed) FAIL(err, ASSAY_ERR_INTERNAL, "what another rank sent cannot be understood");
    if (kind == EXPAND_MODULE) {
        id = expand_module(a->x, name);
        has_room = id && add(a, &a->modules, id);
    } else if (kind == EXPAND_PLACE) {
        uint32_t module = known(&a->modules, more);
        if (!module) FAIL(err, ASSAY_ERR_INTERNAL, "a place that another rank sent has no module");
        TRY(expand_place(a->x, module, number, &id, err));
        has_room = add(a, &a->places, id);
    } else {
        const char *copy = arena_copy(text, name);
        if (copy) id = expand_placeholder(a->x, copy, number, (uint32_t)more).v;
        has_room = id && add(a, &a->placeholders, id);
    }
    return has_room ? 0 : error_memory(err);
}

/* The node as it is here; false = it names what does not exist. */
static bool node_of(const struct adopter *a, const struct expand_origin *o, struct assay_node *out, uint32_t *from)
{
    const struct expand *x = a->x;
    if ((o->info & 3) == EXPAND_OF_PLACE) {
        uint32_t step = o->info >> 8;
        *from = known(&a->places, o->from);
        if (!*from || step >= x->places.at[*from - 1].count) return false;
        *out = x->steps.at[x->places.at[*from - 1].first + step];
        if (step == 0 && o->info & EXPAND_IS_LOST) out->flags = ASSAY_NODE_CALL_UNKNOWN;
        return true;
    }
    *from = known(&a->placeholders, o->from);
    *out = (struct assay_node){ .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = { *from }, .offset = (uint64_t)o->high << 32 | o->low };
    if ((o->info & 3) == EXPAND_OF_ENTRY) {
        out->kind = ASSAY_NODE_ENTRY;
        out->flags = (uint8_t)(o->info >> 8);
    }
    return *from != 0;
}

static int adopt_nodes(struct adopter *a, const struct expand_origin *origins, uint32_t count, uint32_t *map, assay_error *err)
{
    map[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct assay_node node;
        uint32_t from;
        TRY(cancel_step(i, err));
        if (origins[i].parent > i || !node_of(a, &origins[i], &node, &from))
            FAIL(err, ASSAY_ERR_INTERNAL, "a context that another rank sent names what it has not");
        node.parent.v = map[origins[i].parent];
        map[i + 1] = expand_node(a->x, &node, (enum expand_made)(origins[i].info & 3), from, origins[i].info & ~3u).v;
        if (!map[i + 1]) return error_memory(err);
    }
    return a->x->names.failed ? error_memory(err) : 0;
}

int expand_adopt(struct expand *x, struct wire_in *names, uint64_t name_count, const struct expand_origin *origins, uint32_t origin_count, uint32_t *map,
                 assay_error *err)
{
    struct adopter a = { .x = x };
    SCOPED(arena_done) struct arena text = { 0 };
    vec_scoped(x->mem, &a.modules);
    vec_scoped(x->mem, &a.places);
    vec_scoped(x->mem, &a.placeholders);
    arena_init(&text, x->mem);
    for (uint64_t i = 0; i < name_count; i++) TRY(adopt_name(&a, names, &text, err));
    return adopt_nodes(&a, origins, origin_count, map, err);
}
