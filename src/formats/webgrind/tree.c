/* Recovers the call tree of version 4. A block is finished after everything it called, so a block's children are the newest invocations
 * of their functions that nobody has claimed yet: one stack for each function, taken from the last sub call to the first. */
#include "formats/webgrind/tree.h"

#include "base/error.h"
#include "base/scoped.h"

/* An invocation on the way down, and which of its sub calls comes next. */
struct step {
    uint32_t item, next, node;
};

struct work {
    const struct webgrind_decoder *d;
    assay_builder *b;
    struct webgrind_tree *t;
    uint32_t *order; /* items by the time they were finished */
    uint32_t *child; /* by entry of the area: item + 1 */
    uint32_t *top;   /* by function: item + 1 on top of its stack */
    uint32_t function_count;
    bool whole;
    assay_scope_id point, call;
    VEC(struct step) stack;
};

void webgrind_tree_init(struct webgrind_tree *t, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
}

void webgrind_tree_done(struct webgrind_tree *t) { vec_done(t->mem, &t->items); }

bool webgrind_tree_add(struct webgrind_tree *t, const struct webgrind_decoder *d, const struct webgrind_invocation *v)
{
    const struct webgrind_tree_item *last = t->items.len ? &t->items.at[t->items.len - 1] : NULL;
    /* A damaged address says nothing; the function's invocation before is the nearest in time. */
    uint32_t entry = last && last->function == v->function ? last->entry : 0;
    if (t->items.len >= UINT32_MAX - 1) return false;
    struct webgrind_tree_item *it = vec_push(t->mem, &t->items);
    if (!it) return false;
    if (v->has_sub_calls) entry = (uint32_t)webgrind_area_index(d, v->sub_call_address);
    *it = (struct webgrind_tree_item){ v->function, v->self, entry, v->has_sub_calls ? v->sub_call_count : 0, 0, 0 };
    return true;
}

/* Where an item stands in time: entries are written in the order of blocks, and a block with entries is the last at its address. */
static size_t rank(const struct webgrind_tree_item *it) { return 2 * (size_t)it->entry + (it->entry_count > 0); }

/* A counting sort: stable, and linear in the size of the file. */
static int sort_items(struct work *w, assay_error *err)
{
    struct webgrind_tree *t = w->t;
    size_t ranks = 2 * ((size_t)w->d->area_count + 1);
    SCRATCH(uint32_t, begin, t->mem, ranks);
    if (!begin) return error_memory(err);
    for (size_t i = 0; i < t->items.len; i++) begin[rank(&t->items.at[i])]++;
    uint32_t sum = 0;
    for (size_t k = 0; k < ranks; k++) {
        uint32_t count = begin[k];
        begin[k] = sum;
        sum += count;
    }
    for (size_t i = 0; i < t->items.len; i++) w->order[begin[rank(&t->items.at[i])]++] = (uint32_t)i;
    return 0;
}

/* Gives the item its children; returns how many are missing. */
static uint64_t claim(struct work *w, uint32_t item)
{
    struct webgrind_tree_item *items = w->t->items.at, *it = &items[item];
    uint64_t missing = 0;
    for (uint32_t i = it->entry_count; i-- > 0;) {
        struct webgrind_subcall c;
        uint32_t entry = it->entry + i;
        bool known = webgrind_subcall_at(w->d, entry, &c) && c.function < w->function_count;
        uint32_t kid = known ? w->top[c.function] : 0;
        if (!kid || w->child[entry]) {
            missing++;
            continue;
        }
        w->top[c.function] = items[kid - 1].below;
        w->child[entry] = kid;
        items[kid - 1].parent = item + 1;
    }
    return missing;
}

static void claim_all(struct work *w, uint64_t *missing)
{
    struct webgrind_tree_item *items = w->t->items.at;
    for (size_t i = 0; i < w->t->items.len; i++) {
        uint32_t item = w->order[i];
        *missing += claim(w, item);
        items[item].below = w->top[items[item].function];
        w->top[items[item].function] = item + 1;
    }
}

static int enter(struct work *w, uint32_t item, uint32_t parent, const struct webgrind_subcall *call, assay_error *err)
{
    const struct webgrind_tree_item *it = &w->t->items.at[item];
    struct assay_node n = {
        .parent = { parent }, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = { it->function + 1 }, .line = call ? call->line : 0
    };
    assay_node_id node = w->whole ? assay_build_node_new(w->b, &n) : assay_build_node(w->b, &n);
    assay_build_node_calls(w->b, node, 1);
    if (it->self) assay_build_value(w->b, (assay_stream_id){ 0 }, node, w->point, (assay_value){ .i = it->self });
    if (call && call->cost) assay_build_value(w->b, (assay_stream_id){ 0 }, node, w->call, (assay_value){ .i = call->cost });
    struct step *s = vec_push(w->t->mem, &w->stack);
    if (!s) return error_memory(err);
    *s = (struct step){ item, 0, node.v };
    return assay_builder_failed(w->b);
}

/* Everything below one root, callers before callees and siblings in time order. */
static int walk(struct work *w, uint32_t root, assay_error *err)
{
    TRY(enter(w, root, 0, NULL, err));
    while (w->stack.len) {
        struct step *s = &w->stack.at[w->stack.len - 1];
        const struct webgrind_tree_item *it = &w->t->items.at[s->item];
        if (s->next == it->entry_count) {
            w->stack.len--;
            continue;
        }
        uint32_t entry = it->entry + s->next++, kid = w->child[entry];
        struct webgrind_subcall c;
        /* Entries that two invocations claim belong to the first. */
        if (kid && w->t->items.at[kid - 1].parent == s->item + 1 && webgrind_subcall_at(w->d, entry, &c)) TRY(enter(w, kid - 1, s->node, &c, err));
    }
    return 0;
}

static int build(struct work *w, assay_metric_id metric, uint64_t *missing, assay_error *err)
{
    TRY(sort_items(w, err));
    claim_all(w, missing);
    w->point = assay_build_scope(w->b, metric, ASSAY_SCOPE_POINT, NULL, 0);
    w->call = assay_build_scope(w->b, metric, ASSAY_SCOPE_CUSTOM, "call", 0);
    if (w->whole) assay_build_tree_whole(w->b);
    for (size_t i = 0; i < w->t->items.len; i++)
        if (!w->t->items.at[w->order[i]].parent) TRY(walk(w, w->order[i], err));
    return 0;
}

int webgrind_tree_build(struct webgrind_tree *t, const struct webgrind_decoder *d, assay_builder *b, assay_metric_id metric, uint32_t function_count,
                        bool whole, uint64_t *missing, assay_error *err)
{
    *missing = 0;
    SCRATCH(uint32_t, order, t->mem, t->items.len);
    SCRATCH(uint32_t, child, t->mem, (size_t)d->area_count);
    SCRATCH(uint32_t, top, t->mem, function_count);
    struct work w = { .d = d, .b = b, .t = t, .order = order, .child = child, .top = top, .function_count = function_count, .whole = whole };
    vec_scoped(t->mem, &w.stack);
    return order && child && top ? build(&w, metric, missing, err) : error_memory(err);
}
