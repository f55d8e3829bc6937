/* The context tree: rules H075 to H087. What the walk itself finds (H070 to H074, H077) it says. */
#include <inttypes.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "formats/hpcdb/check.h"

enum { DEEP = 1000 };

static void say(struct hpcdb_checker *c, const char *rule, int severity, uint64_t off, const char *text)
{
    hpcdb_say(&c->db, HPCDB_META, rule, severity, off, "%s", text);
}

static void check_kind(struct hpcdb_checker *c, const struct hpcdb_context *x, unsigned function_bit)
{
    if (x->relation > 2) hpcdb_say(&c->db, HPCDB_META, "H078", ASSAY_WARNING, x->off + 0x15, "relation %u is not known", x->relation);
    if (x->lexical > 3) hpcdb_say(&c->db, HPCDB_META, "H078", ASSAY_WARNING, x->off + 0x16, "lexical type %u is not known", x->lexical);
    if ((x->lexical == 1 || x->lexical == 2) && !(x->flags & HPCDB_HAS_SOURCE))
        say(c, "H079", ASSAY_WARNING, x->off + 0x14, x->lexical == 1 ? "a loop without a place in the source" : "a line without a place in the source");
    if (x->lexical == 3 && !(x->flags & HPCDB_HAS_POINT)) say(c, "H079", ASSAY_WARNING, x->off + 0x14, "an instruction without an address");
    if (function_bit < 16 && x->relation <= 2 && (x->propagation >> function_bit & 1) != (x->relation == 0))
        say(c, "H081", ASSAY_WARNING, x->off + 0x18, "the propagation bit of scope 'function' and the relation disagree: it is set where nothing is called");
}

static int add_node(struct hpcdb_checker *c, struct hpcdb_walk *w, const struct hpcdb_context *x, assay_error *err)
{
    struct hpcdb_check_node *n = vec_push(c->mem, &c->tree);
    if (!n || !hpcdb_ids_put(&c->nodes, x->id)) return error_memory(err);
    *n = (struct hpcdb_check_node){ x->parent, x->relation, x->lexical, x->is_entry, x->off };
    w->mark = (uint32_t)(c->tree.len - 1);
    if (x->id > c->largest_id) c->largest_id = x->id;
    return 0;
}

static void refuse_id(void *arg, uint32_t number, uint32_t id)
{
    struct hpcdb_checker *c = arg;
    uint64_t off = c->tree.at[number].off + 0x10;
    if (id == 0)
        say(c, "H075", ASSAY_ERROR, off, "context id 0, which stands for the whole program");
    else
        hpcdb_say(&c->db, HPCDB_META, "H076", ASSAY_ERROR, off, "context id %u is used twice", id);
}

static void check_context(struct hpcdb_checker *c, const struct hpcdb_context *x, unsigned function_bit)
{
    if (x->children_len && x->children_at % 8) say(c, "H080", ASSAY_WARNING, x->off + 8, "children are not at a multiple of 8");
    if (x->id >= UINT32_C(1) << 31) hpcdb_say(&c->db, HPCDB_META, "H086", ASSAY_WARNING, x->off + 0x10, "context id %u: hpcviewer reads 31 bits", x->id);
    if (!x->is_entry)
        check_kind(c, x, function_bit);
    else if (x->entry_point > 2)
        hpcdb_say(&c->db, HPCDB_META, "H082", ASSAY_WARNING, x->off + 0x14, "entry point %u is not known", x->entry_point);
}

static unsigned find_function_bit(const struct hpcdb_checker *c)
{
    for (size_t i = 1; i < c->prop.list.len; i++)
        if (c->prop.list.at[i].is_function) return c->prop.list.at[i].index;
    return 255;
}

int hpcdb_check_tree(struct hpcdb_checker *c, assay_error *err)
{
    SCOPED(hpcdb_walk_done) struct hpcdb_walk w = { 0 };
    struct hpcdb_context x;
    unsigned function_bit = find_function_bit(c);
    uint32_t deepest = 0;
    uint64_t deepest_off = 0;
    if (!hpcdb_ids_init(&c->nodes, c->mem, c->db.ctxs.count)) return error_memory(err);
    struct hpcdb_check_node *whole = vec_push(c->mem, &c->tree);
    if (!whole) return error_memory(err);
    *whole = (struct hpcdb_check_node){ .is_entry = false };
    TRY(hpcdb_walk_init(&w, &c->db, c->mem, err));
    while (hpcdb_walk_next(&w, &x)) {
        if (cancel_at(c->tree.len)) return error_cancelled(err);
        TRY(add_node(c, &w, &x, err));
        check_context(c, &x, function_bit);
        if (x.depth > deepest) {
            deepest = x.depth;
            deepest_off = x.off;
        }
    }
    if (w.failed) return error_memory(err);
    if (deepest > DEEP) hpcdb_say(&c->db, HPCDB_META, "H087", ASSAY_INFO, deepest_off, "contexts are nested %u deep: some readers fail", deepest);
    if (!hpcdb_ids_settle(&c->nodes, refuse_id, c)) return error_memory(err);
    c->has_value = mem_zalloc(c->mem, c->tree.len, 1);
    return c->has_value ? 0 : error_memory(err);
}
