/* Calls in order, within a limit of nodes; see formats/coarse_tree.h. */
#include "formats/coarse_tree.h"

#include "base/cancel.h"
#include "base/error.h"

void coarse_init(struct coarse_tree *t, struct mem *mem) { *t = (struct coarse_tree){ .mem = mem, .limit = COARSE_LIMIT }; }

void coarse_done(struct coarse_tree *t)
{
    if (!t->mem) return;
    vec_done(t->mem, &t->nodes);
    vec_done(t->mem, &t->unclaimed);
    vec_done(t->mem, &t->marks);
    vec_done(t->mem, &t->work);
}

static uint64_t add_up(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/* 0 = no memory. */
static uint32_t new_node(struct coarse_tree *t)
{
    uint32_t node = t->free;
    size_t more = t->nodes.len ? 1 : 2;
    if (node) {
        t->free = t->nodes.at[node].next;
    } else {
        if (t->nodes.len >= UINT32_MAX - 1 || !vec_reserve(t->mem, &t->nodes, more)) return 0;
        t->nodes.len += more;
        node = (uint32_t)t->nodes.len - 1;
    }
    t->live++;
    return node;
}

static void append(struct coarse_tree *t, uint32_t parent, uint32_t kid)
{
    struct coarse_node *at = t->nodes.at, *p = &at[parent];
    if (p->last)
        at[p->last].next = kid;
    else
        p->first = kid;
    p->last = kid;
    at[kid].next = 0;
}

/* ---- coarsening ---- */

static void give_back(struct coarse_tree *t, uint32_t node)
{
    t->nodes.at[node].next = t->free;
    t->free = node;
    t->live--;
}

/* Forgets what a node called: children become parts of the list that is gone through. */
static void forget_children(struct coarse_tree *t, uint32_t node)
{
    uint32_t kid = t->nodes.at[node].first, end = t->nodes.at[node].last;
    uint64_t calls = 0;
    for (uint32_t next; kid; kid = next) {
        struct coarse_node *k = &t->nodes.at[kid];
        if (k->first) {
            t->nodes.at[end].next = k->first;
            end = k->last;
        }
        next = k->next;
        calls += k->calls;
        give_back(t, kid);
    }
    t->nodes.at[node].calls += calls;
    t->nodes.at[node].first = t->nodes.at[node].last = 0;
    t->nodes.at[node].below = 0;
}

/* `from` becomes part of `to`, its children behind those of `to`. */
static void join(struct coarse_tree *t, uint32_t to, uint32_t from)
{
    struct coarse_node *a = &t->nodes.at[to], *b = &t->nodes.at[from];
    a->calls += b->calls;
    a->length = add_up(a->length, b->length);
    a->below = add_up(a->below, b->below);
    if (b->first) {
        if (a->last)
            t->nodes.at[a->last].next = b->first;
        else
            a->first = b->first;
        a->last = b->last;
    }
    give_back(t, from);
}

static bool put_work(struct coarse_tree *t, uint32_t node)
{
    if (!t->nodes.at[node].first) return true;
    uint32_t *slot = vec_push(t->mem, &t->work);
    if (slot) *slot = node;
    return slot;
}

/* Joins the children of a node, and puts those that are left into the work. False = no memory. */
static bool join_children(struct coarse_tree *t, uint32_t parent)
{
    uint32_t kid = t->nodes.at[parent].first;
    uint64_t length = 0;
    t->nodes.at[parent].first = t->nodes.at[parent].last = 0;
    t->group++;
    for (uint32_t next; kid; kid = next) {
        const struct coarse_node *n = &t->nodes.at[kid];
        struct coarse_mark *mark = &t->marks.at[n->func];
        next = n->next;
        if (add_up(length, n->length) > t->resolution) {
            t->group++;
            length = 0;
        }
        length = add_up(length, n->length);
        if (mark->group == t->group) {
            join(t, mark->node, kid);
            continue;
        }
        *mark = (struct coarse_mark){ t->group, kid };
        append(t, parent, kid);
    }
    for (kid = t->nodes.at[parent].first; kid; kid = t->nodes.at[kid].next)
        if (!put_work(t, kid)) return false;
    return true;
}

static bool do_work(struct coarse_tree *t)
{
    while (t->work.len) {
        uint32_t node = t->work.at[--t->work.len];
        if (t->nodes.at[node].length <= t->resolution / COARSE_FOLD)
            forget_children(t, node);
        else if (!join_children(t, node))
            return false;
    }
    return true;
}

static bool join_all(struct coarse_tree *t)
{
    for (size_t i = 0; i < t->unclaimed.len; i++)
        if (!put_work(t, t->unclaimed.at[i])) return false;
    return do_work(t);
}

/* Makes room: at this resolution, or else at the first double of it that does, as long as it may be as coarse as that. */
static bool coarsen(struct coarse_tree *t)
{
    size_t enough = t->limit / 4 * 3;
    if (t->resolution && !join_all(t)) return false;
    while (t->live > enough && t->resolution <= t->total / COARSE_CELLS / 2) {
        t->resolution = t->resolution ? 2 * t->resolution : 1;
        if (!join_all(t)) return false;
    }
    if (t->live > enough) t->limit *= 2;
    return true;
}

/* ---- invocations ---- */

static bool know(struct coarse_tree *t, uint32_t func)
{
    if (func < t->marks.len) return true;
    size_t more = func + 1 - t->marks.len;
    if (!vec_reserve(t->mem, &t->marks, more)) return false;
    memset(t->marks.at + t->marks.len, 0, more * sizeof *t->marks.at);
    t->marks.len += more;
    return true;
}

static bool push(struct coarse_tree *t, uint32_t func, uint64_t length, size_t count)
{
    uint32_t node = know(t, func) ? new_node(t) : 0;
    if (!node) return false;
    struct coarse_node *n = &t->nodes.at[node];
    size_t first = t->unclaimed.len - count;
    *n = (struct coarse_node){ .func = func, .calls = 1 };
    for (size_t i = 0; i < count; i++) {
        uint32_t kid = t->unclaimed.at[first + i];
        append(t, node, kid);
        n->below = add_up(n->below, t->nodes.at[kid].length);
    }
    n->length = add_up(n->below, length);
    t->unclaimed.len = first;
    uint32_t *top = vec_push(t->mem, &t->unclaimed);
    if (!top) return false;
    *top = node;
    t->total = add_up(t->total, length);
    return t->live <= t->limit || coarsen(t);
}

int coarse_push(struct coarse_tree *t, assay_func_id func, uint64_t length, size_t count, assay_error *err)
{
    return push(t, func.v, length, count) ? 0 : error_memory(err);
}

/* ---- to the builder ---- */

struct emitting {
    struct coarse_tree *t;
    assay_builder *b;
    assay_stream_id stream;
    assay_scope_id column;
    enum assay_type type;
};

static bool emit(struct emitting *e, uint32_t node, uint32_t parent)
{
    struct coarse_node *x = &e->t->nodes.at[node];
    struct assay_node n = { .parent = { parent }, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = { x->func } };
    assay_node_id made = assay_build_node_new(e->b, &n);
    uint64_t self = x->length - x->below;
    assay_build_node_calls(e->b, made, x->calls);
    if (self) assay_build_value(e->b, e->stream, made, e->column, e->type == ASSAY_F64 ? (assay_value){ .d = (double)self } : (assay_value){ .u = self });
    uint32_t *slot = vec_push(e->t->mem, &e->t->work);
    if (!slot) return false;
    *slot = node;
    x->last = made.v; /* the last child is not needed any more */
    return true;
}

/* Callers before what they call. */
static bool emit_root(struct emitting *e, uint32_t root)
{
    struct coarse_tree *t = e->t;
    if (!emit(e, root, 0)) return false;
    while (t->work.len) {
        struct coarse_node *above = &t->nodes.at[t->work.at[t->work.len - 1]];
        uint32_t kid = above->first;
        if (!kid) {
            t->work.len--;
            continue;
        }
        above->first = t->nodes.at[kid].next;
        if (!emit(e, kid, above->last)) return false;
    }
    return true;
}

int coarse_end(struct coarse_tree *t, assay_builder *b, assay_stream_id stream, assay_metric_id metric, enum assay_type type, assay_error *err)
{
    struct emitting e = { t, b, stream, assay_build_scope(b, metric, ASSAY_SCOPE_CUSTOM, COARSE_DRAWN, 0), type };
    bool done = true;
    for (size_t i = 0; done && i < t->unclaimed.len && (done = !cancel_at(i)); i++) done = emit_root(&e, t->unclaimed.at[i]);
    t->nodes.len = t->unclaimed.len = t->work.len = 0;
    t->live = t->free = 0;
    t->resolution = t->total = 0;
    return done ? 0 : error_memory(err);
}
