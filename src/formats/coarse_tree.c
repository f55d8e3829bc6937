/* Calls in order, within a limit of nodes; see formats/coarse_tree.h. */
#include "formats/coarse_tree.h"

#include "base/error.h"
#include "model/value.h"

void coarse_init(struct coarse_tree *t, struct mem *mem) { *t = (struct coarse_tree){ .mem = mem, .limit = COARSE_LIMIT }; }

void coarse_done(struct coarse_tree *t)
{
    if (!t->mem) return;
    vec_done(t->mem, &t->nodes);
    vec_done(t->mem, &t->values);
    vec_done(t->mem, &t->unclaimed);
    vec_done(t->mem, &t->marks);
    vec_done(t->mem, &t->work);
}

void coarse_begin(struct coarse_tree *t, enum assay_type type, uint32_t width)
{
    t->type = type;
    t->width = width;
    t->resolution = t->total = 0;
}

static assay_value *row_of(const struct coarse_tree *t, uint32_t node) { return t->values.at + (size_t)node * t->width; }

static uint64_t add_up(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/* Sums of whole numbers wrap on purpose: absurd figures must not stop the tree. */
static void add_row(const struct coarse_tree *t, uint32_t to, uint32_t from)
{
    assay_value *sum = row_of(t, to), *more = row_of(t, from);
    for (uint32_t k = 0; k < t->width; k++) {
        if (t->type == ASSAY_F64)
            sum[k].d += more[k].d;
        else
            sum[k].u += more[k].u;
    }
}

/* 0 = no memory. */
static uint32_t new_node(struct coarse_tree *t)
{
    uint32_t node = t->free;
    size_t more = t->nodes.len ? 1 : 2;
    if (node) {
        t->free = t->nodes.at[node].next;
    } else {
        if (t->nodes.len >= UINT32_MAX - 1 || !vec_reserve(t->mem, &t->nodes, more) || !vec_reserve(t->mem, &t->values, more * t->width)) return 0;
        t->nodes.len += more;
        t->values.len += more * t->width;
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

/* `from` becomes part of `to`, its children behind those of `to`. */
static void join(struct coarse_tree *t, uint32_t to, uint32_t from)
{
    struct coarse_node *a = &t->nodes.at[to], *b = &t->nodes.at[from];
    add_row(t, to, from);
    a->calls += b->calls;
    a->length = add_up(a->length, b->length);
    if (b->first) {
        if (a->last)
            t->nodes.at[a->last].next = b->first;
        else
            a->first = b->first;
        a->last = b->last;
    }
    b->next = t->free;
    t->free = from;
    t->live--;
}

static bool put_work(struct coarse_tree *t, uint32_t node)
{
    if (!t->nodes.at[node].first) return true;
    uint32_t *slot = vec_push(t->mem, &t->work);
    if (slot) *slot = node;
    return slot;
}

/* Joins the children of a node, and puts those into the work whose own children may be joined now: those that grew, or `all`. False = no memory. */
static bool join_children(struct coarse_tree *t, uint32_t parent, bool all)
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
            if (!all && !mark->is_fed && !put_work(t, mark->node)) return false;
            mark->is_fed = t->nodes.at[mark->node].first;
            continue;
        }
        *mark = (struct coarse_mark){ t->group, kid, false };
        append(t, parent, kid);
    }
    for (kid = all ? t->nodes.at[parent].first : 0; kid; kid = t->nodes.at[kid].next)
        if (!put_work(t, kid)) return false;
    return true;
}

static bool do_work(struct coarse_tree *t, bool all)
{
    while (t->work.len)
        if (!join_children(t, t->work.at[--t->work.len], all)) return false;
    return true;
}

/* Doubles the resolution until there is room again, or it is as coarse as it may be. */
static bool coarsen(struct coarse_tree *t)
{
    while (t->live > t->limit / 4 * 3 && t->resolution <= t->total / COARSE_CELLS / 2) {
        t->resolution = t->resolution ? 2 * t->resolution : 1;
        for (size_t i = 0; i < t->unclaimed.len; i++)
            if (!put_work(t, t->unclaimed.at[i])) return false;
        if (!do_work(t, true)) return false;
    }
    if (t->live > t->limit / 4 * 3) t->limit *= 2;
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

static bool push(struct coarse_tree *t, uint32_t func, uint64_t length, const assay_value *self, size_t count)
{
    uint32_t node = know(t, func) ? new_node(t) : 0;
    if (!node) return false;
    struct coarse_node *n = &t->nodes.at[node];
    *n = (struct coarse_node){ .func = func, .calls = 1, .length = length };
    if (t->width) memcpy(row_of(t, node), self, t->width * sizeof *self);
    size_t first = t->unclaimed.len - count;
    for (size_t i = 0; i < count; i++) {
        uint32_t kid = t->unclaimed.at[first + i];
        append(t, node, kid);
        n->length = add_up(n->length, t->nodes.at[kid].length);
    }
    t->unclaimed.len = first;
    uint32_t *top = vec_push(t->mem, &t->unclaimed);
    if (!top) return false;
    *top = node;
    t->total = add_up(t->total, length);
    if (t->resolution && (!join_children(t, node, false) || !do_work(t, false))) return false;
    return t->live <= t->limit || coarsen(t);
}

int coarse_push(struct coarse_tree *t, assay_func_id func, uint64_t length, const assay_value *self, size_t count, assay_error *err)
{
    return push(t, func.v, length, self, count) ? 0 : error_memory(err);
}

/* ---- to the builder ---- */

static bool emit(struct coarse_tree *t, assay_builder *b, assay_stream_id stream, const assay_scope_id *columns, uint32_t node, uint32_t parent)
{
    struct coarse_node *x = &t->nodes.at[node];
    struct assay_node n = { .parent = { parent }, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = { x->func } };
    assay_node_id made = assay_build_node_new(b, &n);
    assay_build_node_calls(b, made, x->calls);
    for (uint32_t k = 0; k < t->width; k++)
        if (row_of(t, node)[k].i) assay_build_value(b, stream, made, columns[k], row_of(t, node)[k]);
    uint32_t *slot = vec_push(t->mem, &t->work);
    if (!slot) return false;
    *slot = node;
    x->last = made.v; /* the last child is not needed any more */
    return true;
}

/* Callers before what they call. */
static bool emit_root(struct coarse_tree *t, assay_builder *b, assay_stream_id stream, const assay_scope_id *columns, uint32_t root)
{
    if (!emit(t, b, stream, columns, root, 0)) return false;
    while (t->work.len) {
        struct coarse_node *above = &t->nodes.at[t->work.at[t->work.len - 1]];
        uint32_t kid = above->first;
        if (!kid) {
            t->work.len--;
            continue;
        }
        above->first = t->nodes.at[kid].next;
        if (!emit(t, b, stream, columns, kid, above->last)) return false;
    }
    return true;
}

int coarse_end(struct coarse_tree *t, assay_builder *b, assay_stream_id stream, const assay_scope_id *columns, assay_error *err)
{
    bool done = true;
    for (size_t i = 0; done && i < t->unclaimed.len; i++) done = emit_root(t, b, stream, columns, t->unclaimed.at[i]);
    t->nodes.len = t->values.len = t->unclaimed.len = t->work.len = 0;
    t->live = t->free = 0;
    return done ? 0 : error_memory(err);
}
