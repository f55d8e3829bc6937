/* From the log of all calls to what is drawn of them, and to exact sums; see formats/coarse/tree.h. */
#include "formats/coarse/tree.h"

#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/index.h"
#include "base/time_window.h"
#include "base/wide.h"
#include "formats/coarse/log.h"

enum { COLUMNS_DEFAULT = 4096, LEADERS = 8 /* functions of merged calls that are told apart */ };

struct node {
    uint32_t func, first, next; /* first child, next sibling; func 0 = outside the window */
    uint64_t calls, length;
};

/* An invocation that the walk is in: its calls come from the last to the first. */
struct frame {
    uint32_t func, node;    /* node 0 = it is narrow, or outside */
    uint32_t depth;         /* below the node that merged calls hang on; 0 = it is such a node */
    uint32_t context;       /* of contexts */
    uint64_t left;          /* calls that have not come yet */
    uint64_t begin, cursor; /* where it begins; where the next of its calls ends */
    bool is_outside;
};

/* One depth of merged calls. */
struct layer {
    uint64_t time, calls;
    struct {
        uint32_t func;
        uint64_t time;
    } leaders[LEADERS];
    unsigned count;
};

/* What a function took. */
struct sum {
    uint64_t self, total;
    uint32_t open; /* times that it is on the stack */
};

struct context {
    uint32_t parent, func, made;
    uint64_t self, calls;
};

struct building {
    struct coarse_tree *t;
    assay_builder *b;
    const struct coarse_unit *unit;
    assay_scope_id point, drawn, total;
    assay_stream_id stream;
    bool has_contexts;
    uint64_t from, to, columns; /* the window */
    VEC(struct node) nodes;     /* [0]: the roots hang on it */
    VEC(struct frame) frames;   /* [0]: the roots are its calls */
    VEC(struct layer) group;    /* calls that are being merged, by depth */
    size_t depth;               /* layers in use */
    uint64_t group_begin, group_end;
    uint32_t parent;              /* of the group */
    VEC(struct sum) sums;         /* by function */
    VEC(struct context) contexts; /* [0] unused */
    struct index index;           /* of them, by parent and function */
    VEC(uint32_t) work;
};

static uint64_t overlap(const struct building *h, uint64_t begin, uint64_t end)
{
    uint64_t low = begin > h->from ? begin : h->from, high = end < h->to ? end : h->to;
    return high > low ? high - low : 0;
}

/* ---- nodes ---- */

/* The new first child of `parent`; 0 = no memory. */
static uint32_t add_node(struct building *h, uint32_t parent, struct node node)
{
    struct node *slot = h->nodes.len < UINT32_MAX ? vec_push(h->t->mem, &h->nodes) : NULL;
    if (!slot) return 0;
    uint32_t id = (uint32_t)h->nodes.len - 1;
    *slot = node;
    slot->next = h->nodes.at[parent].first;
    h->nodes.at[parent].first = id;
    return id;
}

/* ---- merged calls ---- */

static uint32_t leader_of(const struct layer *l)
{
    unsigned best = 0;
    for (unsigned i = 1; i < l->count; i++)
        if (l->leaders[i].time > l->leaders[best].time) best = i;
    return l->leaders[best].func;
}

static bool end_group(struct building *h)
{
    uint32_t parent = h->parent;
    for (size_t i = 0; i < h->depth; i++) {
        struct layer *l = &h->group.at[i];
        parent = add_node(h, parent, (struct node){ .func = leader_of(l), .calls = l->calls, .length = l->time });
        if (!parent) return false;
    }
    h->depth = 0;
    return true;
}

/* Of more functions than are told apart, another takes the place of the least. */
static void add_leader(struct layer *l, uint32_t func, uint64_t time)
{
    unsigned i = 0, least = 0;
    for (; i < l->count && l->leaders[i].func != func; i++)
        if (l->leaders[i].time < l->leaders[least].time) least = i;
    if (i == LEADERS) {
        i = least;
        l->leaders[i].func = func;
    } else if (i == l->count) {
        l->leaders[l->count].func = func;
        l->leaders[l->count++].time = 0;
    }
    l->leaders[i].time += time;
}

/* A narrow call, `depth` levels below the node that the group hangs on. */
static bool merge_call(struct building *h, const struct coarse_call *c, size_t depth)
{
    if (depth > h->depth) {
        if (depth > h->group.len) {
            if (!vec_reserve(h->t->mem, &h->group, 1)) return false;
            h->group.len++;
        }
        h->group.at[depth - 1].time = h->group.at[depth - 1].calls = h->group.at[depth - 1].count = 0;
        h->depth = depth;
    }
    struct layer *l = &h->group.at[depth - 1];
    l->time += c->length;
    l->calls++;
    add_leader(l, c->func, c->length);
    return true;
}

/* ---- sums ---- */

static struct sum *sum_of(struct building *h, uint32_t func)
{
    while (func >= h->sums.len) {
        struct sum *slot = vec_push(h->t->mem, &h->sums);
        if (!slot) return NULL;
        *slot = (struct sum){ 0 };
    }
    return &h->sums.at[func];
}

/* 0 = no memory. */
static uint32_t context_of(struct building *h, uint32_t parent, uint32_t func)
{
    uint64_t hash = hash_mix(parent, func);
    for (struct index_walk w = index_walk(&h->index, hash); index_next(&h->index, &w);)
        if (h->contexts.at[w.id].parent == parent && h->contexts.at[w.id].func == func) return w.id;
    struct context *slot = h->contexts.len < UINT32_MAX ? vec_push(h->t->mem, &h->contexts) : NULL;
    if (!slot) return 0;
    *slot = (struct context){ .parent = parent, .func = func };
    return index_add(&h->index, hash, (uint32_t)h->contexts.len - 1) ? (uint32_t)h->contexts.len - 1 : 0;
}

static bool add_sums(struct building *h, const struct coarse_call *c, const struct frame *above, struct frame *f)
{
    uint64_t end = f->begin + c->length, self = overlap(h, end - c->self, end);
    if (h->has_contexts) {
        f->context = context_of(h, above->context, c->func);
        if (!f->context) return false;
        h->contexts.at[f->context].self += self;
        h->contexts.at[f->context].calls++;
        return true;
    }
    struct sum *s = sum_of(h, c->func);
    if (!s) return false;
    s->self += self;
    if (!s->open++) s->total += overlap(h, f->begin, end);
    return true;
}

/* ---- the walk ---- */

/* What is not in the window: as long as it was, with what it called. */
static bool skip_call(struct building *h, const struct coarse_call *c, uint32_t parent)
{
    uint32_t first = h->nodes.at[parent].first;
    if (h->depth && !end_group(h)) return false;
    if (!first || h->nodes.at[first].func || h->nodes.at[parent].first != first) first = add_node(h, parent, (struct node){ 0 });
    if (!first) return false;
    h->nodes.at[first].length += c->length;
    h->nodes.at[first].calls++;
    return true;
}

/* Draws a call: as a node, as a part of merged ones, or not at all. */
static bool draw_call(struct building *h, const struct coarse_call *c, const struct frame *above, struct frame *f)
{
    uint64_t end = f->begin + c->length, seen = overlap(h, f->begin, end), span = h->to - h->from;
    if (above->depth) { /* its caller is narrow, and so it is */
        f->depth = above->depth + 1;
        return merge_call(h, c, f->depth);
    }
    if (!seen && (end <= h->from || f->begin >= h->to)) {
        f->is_outside = true;
        return skip_call(h, c, above->node);
    }
    if (u128_compare(u128_product(seen, h->columns), u128_of(span)) >= 0 || f->begin < h->from || end > h->to) {
        if (h->depth && !end_group(h)) return false;
        f->node = add_node(h, above->node, (struct node){ .func = c->func, .calls = 1, .length = c->length });
        return f->node;
    }
    if (h->depth && (h->parent != above->node || u128_compare(u128_product(h->group_end - h->group_begin, h->columns), u128_of(span)) >= 0) && !end_group(h))
        return false;
    if (!h->depth) h->group_end = end;
    h->group_begin = f->begin;
    h->parent = above->node;
    f->depth = 1;
    return merge_call(h, c, 1);
}

static bool enter(struct building *h)
{
    struct coarse_call c = coarse_take(&h->t->log);
    struct frame *above = &h->frames.at[h->frames.len - 1];
    if (c.length > above->cursor - above->begin) c.length = above->cursor - above->begin; /* sums that were cut */
    if (c.self > c.length) c.self = c.length;
    struct frame f = { .func = c.func, .left = c.count, .begin = above->cursor - c.length, .cursor = above->cursor - c.self, .is_outside = above->is_outside };
    above->left--;
    above->cursor = f.begin;
    if (f.is_outside) {
        h->nodes.at[h->nodes.at[h->parent].first].calls++;
    } else {
        if (!draw_call(h, &c, above, &f)) return false;
        if (f.is_outside) h->parent = above->node;
        if (!f.is_outside && !add_sums(h, &c, above, &f)) return false;
    }
    struct frame *slot = vec_push(h->t->mem, &h->frames);
    if (slot) *slot = f;
    return slot;
}

/* Calls of the last stream of the log, from the last to the first, callers before what they called. */
static bool walk_run(struct building *h, const struct coarse_run *run)
{
    h->nodes.len = h->frames.len = h->contexts.len = h->depth = 0;
    index_clear(&h->index);
    for (size_t i = 0; i < h->sums.len; i++) h->sums.at[i] = (struct sum){ 0 };
    if (!vec_reserve(h->t->mem, &h->nodes, 1) || !vec_reserve(h->t->mem, &h->frames, 1) || !vec_reserve(h->t->mem, &h->contexts, 1)) return false;
    h->nodes.at[h->nodes.len++] = (struct node){ 0 };
    h->contexts.at[h->contexts.len++] = (struct context){ 0 };
    h->frames.at[h->frames.len++] = (struct frame){ .left = run->roots, .cursor = run->total };
    for (uint64_t step = 0; h->frames.len; step++) {
        if (cancel_at(step)) return false;
        const struct frame *top = &h->frames.at[h->frames.len - 1];
        if (top->left) {
            if (!enter(h)) return false;
            continue;
        }
        if (!top->is_outside && !h->has_contexts && top->func) h->sums.at[top->func].open--;
        h->frames.len--;
    }
    return !h->depth || end_group(h);
}

/* ---- to the builder ---- */

static assay_node_id make_node(struct building *h, uint32_t parent, uint32_t func, uint64_t calls)
{
    struct assay_node n = { .parent = { parent }, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = { func } };
    assay_node_id made = assay_build_node_new(h->b, &n);
    if (calls) assay_build_node_calls(h->b, made, calls);
    return made;
}

static void put_value(struct building *h, assay_node_id node, assay_scope_id column, uint64_t length)
{
    if (!length) return;
    assay_value v = h->unit->type == ASSAY_F64 ? (assay_value){ .d = (double)length * h->unit->value } : (assay_value){ .u = length };
    assay_build_value(h->b, h->stream, node, column, v);
}

/* What is drawn, callers before what they call, in order of time. `first` becomes the next child to come. */
static bool put_drawn(struct building *h)
{
    struct node *at = h->nodes.at;
    h->work.len = 0;
    for (uint32_t parent = 0, node = 0;;) {
        uint32_t kid = at[node].first;
        if (kid) {
            uint64_t self = at[kid].length;
            at[node].first = at[kid].next;
            for (uint32_t k = at[kid].first; k; k = at[k].next) self -= at[k].length < self ? at[k].length : self;
            if (!vec_reserve(h->t->mem, &h->work, 2)) return false;
            h->work.at[h->work.len++] = node;
            h->work.at[h->work.len++] = parent;
            assay_node_id made = make_node(h, parent, at[kid].func, at[kid].calls);
            put_value(h, made, h->drawn, self);
            parent = made.v;
            node = kid;
        } else {
            if (!h->work.len) return true;
            parent = h->work.at[--h->work.len];
            node = h->work.at[--h->work.len];
        }
    }
}

static void put_sums(struct building *h)
{
    for (uint32_t func = 1; !h->has_contexts && func < h->sums.len; func++) {
        const struct sum *s = &h->sums.at[func];
        if (!s->total) continue;
        assay_node_id node = make_node(h, 0, func, 0);
        put_value(h, node, h->point, s->self);
        put_value(h, node, h->total, s->total);
    }
    for (size_t i = 1; i < h->contexts.len; i++) {
        struct context *c = &h->contexts.at[i];
        assay_node_id node = make_node(h, h->contexts.at[c->parent].made, c->func, c->calls);
        c->made = node.v;
        put_value(h, node, h->point, c->self);
    }
}

/* The window, in units of length, of the longest stream. */
static void choose_window(struct building *h, const char *time)
{
    struct time_window w;
    int64_t from = 0, to = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < h->t->runs.len; i++)
        if (h->t->runs.at[i].total > total) total = h->t->runs.at[i].total;
    h->to = total;
    double ns = h->unit->ns, end = (double)total * ns;
    if (!time || !(ns > 0) || end >= 0x1p62 || time_window_parse(time, &w, NULL) != 0) return;
    int64_t last = ns == floor(ns) ? (int64_t)(total * (uint64_t)ns) : (int64_t)round(end);
    if (time_window_apply(&w, 1e9, 0, last, &from, &to, NULL) != 0) return;
    time_window_snap(ns, last, &from, &to);
    h->from = (uint64_t)round((double)from / ns);
    h->to = to == last ? total : (uint64_t)round((double)to / ns);
}

static int build_runs(struct building *h, assay_error *err)
{
    for (size_t i = h->t->runs.len; i > 0; i--) {
        h->stream = h->t->runs.at[i - 1].stream;
        if (!walk_run(h, &h->t->runs.at[i - 1])) return error_memory(err);
        if (h->t->log.is_broken) FAIL(err, ASSAY_ERR_SYSTEM, "cannot read a temporary file back");
        if (!put_drawn(h)) return error_memory(err);
        put_sums(h);
    }
    return assay_builder_failed(h->b);
}

int coarse_build(struct coarse_tree *t, assay_builder *b, const struct coarse_unit *unit, const struct assay_read_options *options, assay_error *err)
{
    struct building h = { .t = t, .b = b, .unit = unit, .has_contexts = options->contexts, .columns = options->columns ? options->columns : COLUMNS_DEFAULT };
    h.point = assay_build_scope(b, unit->metric, ASSAY_SCOPE_POINT, NULL, 0);
    h.drawn = assay_build_scope(b, unit->metric, ASSAY_SCOPE_CUSTOM, COARSE_DRAWN, 0);
    if (!h.has_contexts) h.total = assay_build_scope(b, unit->metric, ASSAY_SCOPE_CUSTOM, COARSE_TOTAL, 0);
    index_init(&h.index, t->mem);
    choose_window(&h, options->time);
    int rc = build_runs(&h, err);
    vec_done(t->mem, &h.nodes, &h.frames, &h.group, &h.sums, &h.contexts, &h.work);
    index_done(&h.index);
    return rc;
}
