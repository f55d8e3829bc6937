/* Merged trees: a context for each path of functions, while invocations come in the order they returned.
 *
 * Every unclaimed invocation owns a small tree of its own. When its caller's block ends it becomes a child there; if the caller has a
 * child of the same function already, the two trees become one: equal children are merged, others move over. Each step frees a context
 * or moves one, so memory grows with the distinct contexts, and the work with the invocations. Callees mostly come in the same order again, so
 * the sibling behind the last one found is tried first, then the list is looked through; the children of wide contexts are found by a hash of
 * (parent, function) with deletion by shifting back. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/index.h"
#include "formats/callgrind/tree.h"

enum { FEW = 8 }; /* children that are looked through */

/* ---- the hash of children ---- */

static uint32_t home(const struct cg_tree *t, uint32_t parent, uint32_t func) { return index_fold(hash_mix(parent, func)) & t->slot_mask; }
static uint32_t home_of(const struct cg_tree *t, uint32_t c) { return home(t, t->contexts.at[c].parent, t->contexts.at[c].func); }

/* The child of `parent` for this function; `near`, a child or 0, is tried first. */
static uint32_t find(const struct cg_tree *t, uint32_t parent, uint32_t func, uint32_t near)
{
    const struct cg_context *at = t->contexts.at;
    if (near && at[near].func == func) return near;
    if (at[parent].count <= FEW) {
        uint32_t c = at[parent].first;
        while (c && at[c].func != func) c = at[c].next;
        return c;
    }
    for (uint32_t i = home(t, parent, func); t->slots[i]; i = (i + 1) & t->slot_mask) {
        const struct cg_context *c = &at[t->slots[i]];
        if (c->parent == parent && c->func == func) return t->slots[i];
    }
    return 0;
}

static void place(struct cg_tree *t, uint32_t c)
{
    uint32_t i = home_of(t, c);
    while (t->slots[i]) i = (i + 1) & t->slot_mask;
    t->slots[i] = c;
}

static bool grow(struct cg_tree *t, struct mem *m)
{
    uint32_t *old = t->slots;
    size_t count = old ? (size_t)t->slot_mask + 1 : 0, to = count ? count * 2 : 1024;
    if (to > (size_t)1 << 31) return false;
    t->slots = mem_zalloc(m, to, sizeof *t->slots);
    if (!t->slots) {
        t->slots = old;
        return false;
    }
    t->slot_mask = (uint32_t)(to - 1);
    for (size_t i = 0; i < count; i++)
        if (old[i]) place(t, old[i]);
    mem_free(m, old, count * sizeof *old);
    return true;
}

static void take_out(struct cg_tree *t, uint32_t c)
{
    uint32_t i = home_of(t, c);
    while (t->slots[i] != c) i = (i + 1) & t->slot_mask;
    for (uint32_t j = i;;) {
        t->slots[i] = 0;
        do {
            j = (j + 1) & t->slot_mask;
            if (!t->slots[j]) {
                t->slot_count--;
                return;
            }
        } while (((j - home_of(t, t->slots[j])) & t->slot_mask) < ((j - i) & t->slot_mask)); /* it must not move before its home */
        t->slots[i] = t->slots[j];
        i = j;
    }
}

/* ---- contexts ---- */

static assay_value *row_of(const struct cg_tree *t, uint32_t c) { return t->values.at + (size_t)c * 2 * t->width; }

/* A context without parent; 0 = no memory. */
static uint32_t new_context(struct cg_tree *t, struct mem *m, uint32_t func, const assay_value *self)
{
    uint32_t c = t->free;
    if (c) {
        t->free = t->contexts.at[c].next;
    } else {
        if (t->contexts.len >= UINT32_MAX / 2 || !vec_reserve(m, &t->contexts, 2) || !vec_reserve(m, &t->values, 4 * (size_t)t->width)) return 0;
        if (!t->contexts.len) {
            t->contexts.len = 1;
            t->values.len = 2 * (size_t)t->width;
        }
        c = (uint32_t)t->contexts.len++;
        t->values.len += 2 * (size_t)t->width;
    }
    t->contexts.at[c] = (struct cg_context){ .func = func, .calls = 1 };
    if (t->width) memcpy(row_of(t, c), self, t->width * sizeof *self);
    if (t->width) memset(row_of(t, c) + t->width, 0, t->width * sizeof *self);
    return c;
}

static bool put_slot(struct cg_tree *t, struct mem *m, uint32_t c)
{
    if ((!t->slots || (size_t)t->slot_count * 8 >= ((size_t)t->slot_mask + 1) * 5) && !grow(t, m)) return false;
    place(t, c);
    t->slot_count++;
    return true;
}

/* Makes c the last child of parent, which has none of this function. */
static bool attach(struct cg_tree *t, struct mem *m, uint32_t parent, uint32_t c)
{
    struct cg_context *at = t->contexts.at, *p = &at[parent];
    at[c].parent = parent;
    at[c].next = 0;
    if (p->last)
        at[p->last].next = c;
    else
        p->first = c;
    p->last = c;
    p->count++;
    if (p->count > FEW + 1) return put_slot(t, m, c);
    bool done = true;
    if (p->count == FEW + 1)
        for (uint32_t kid = p->first; done && kid; kid = at[kid].next) done = put_slot(t, m, kid);
    return done;
}

/* Adds tree `from` to tree `to`, of the same function, and frees what became double. Pairs still to be done are chained through the
 * parent field of the contexts that go away, so depth costs no memory. */
static bool merge(struct cg_tree *t, struct mem *m, uint32_t to, uint32_t from)
{
    struct cg_context *at = t->contexts.at;
    uint32_t todo = from;
    at[from].parent = to; /* while it waits: where it goes; `last` is the next one waiting */
    uint32_t rest = 0;
    for (;;) {
        uint32_t src = todo, dst = at[src].parent, kid = at[src].first, near = at[dst].first;
        at[dst].calls += at[src].calls;
        for (uint32_t k = 0; k < 2 * t->width; k++) row_of(t, dst)[k].u += row_of(t, src)[k].u;
        while (kid) {
            uint32_t next = at[kid].next, twin;
            if (at[src].count > FEW) take_out(t, kid);
            twin = find(t, dst, at[kid].func, near);
            if (twin) {
                near = at[twin].next;
                at[kid].parent = twin;
                at[kid].last = rest; /* its own last child is found again from the first */
                rest = kid;
            } else if (!attach(t, m, dst, kid))
                return false;
            kid = next;
        }
        at[src].next = t->free;
        t->free = src;
        if (!rest) return true;
        todo = rest;
        rest = at[todo].last;
    }
}

int cg_merge_push(struct cg_reader *r, struct cg_tree *t, uint32_t func, const assay_value *self, const assay_value *rows, size_t count, assay_error *err)
{
    struct mem *m = r->job->mem;
    uint32_t c = new_context(t, m, func, self);
    if (!c) return error_memory(err);
    size_t first = t->nodes.len - count;
    for (size_t i = 0; i < count; i++) {
        TRY(cancel_step(i, err));
        uint32_t kid = t->nodes.at[first + i], twin = find(t, c, t->contexts.at[kid].func, t->contexts.at[c].last);
        for (uint32_t k = 0; k < t->width; k++) row_of(t, kid)[t->width + k].u += rows[i * t->width + k].u;
        if (twin ? !merge(t, m, twin, kid) : !attach(t, m, c, kid)) return error_memory(err);
    }
    t->nodes.len = first;
    uint32_t *slot = vec_push(m, &t->nodes);
    if (!slot) return error_memory(err);
    *slot = c;
    return 0;
}

/* ---- to the builder ---- */

static assay_node_id emit(struct cg_reader *r, struct cg_tree *t, uint32_t c, assay_node_id parent)
{
    const struct cg_context *x = &t->contexts.at[c];
    struct assay_node n = { .parent = parent, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = cg_reader_func(r, x->func, true) };
    assay_node_id node = assay_build_node(r->b, &n);
    assay_build_node_calls(r->b, node, x->calls);
    cg_tree_values(r, t, node, t->point, row_of(t, c));
    cg_tree_values(r, t, node, t->charged, row_of(t, c) + t->width);
    return node;
}

/* One root and all below it, parents first; a context's `last` holds its node once its children are being visited. */
static void emit_tree(struct cg_reader *r, struct cg_tree *t, uint32_t root)
{
    struct cg_context *at = t->contexts.at;
    uint32_t c = root;
    at[root].parent = 0;
    at[root].last = emit(r, t, root, (assay_node_id){ 0 }).v;
    for (;;) {
        uint32_t kid = at[c].first;
        if (kid) {
            at[c].first = at[kid].next; /* taken */
            at[kid].parent = c;
            at[kid].last = emit(r, t, kid, (assay_node_id){ at[c].last }).v;
            c = kid;
        } else if (c == root) {
            return;
        } else {
            c = at[c].parent;
        }
    }
}

int cg_merge_end(struct cg_reader *r, struct cg_tree *t, assay_error *err)
{
    (void)err;
    for (size_t i = 0; i < t->nodes.len; i++) emit_tree(r, t, t->nodes.at[i]);
    t->contexts.len = t->values.len = 0;
    t->free = t->slot_count = 0;
    if (t->slots) memset(t->slots, 0, ((size_t)t->slot_mask + 1) * sizeof *t->slots);
    return 0;
}
