/* Events of a timeline that have to be made: of spans, and of a whole tree whose order and durations are known, but not its times. */
#include <math.h>

#include "analysis/core/units.h"
#include "analysis/core/walk.h"
#include "analysis/timeline/timeline.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

/* Another event from own_time[begin] on: of several at one time the last stands, and one that changes nothing is left out. */
static bool emit(struct timeline *t, size_t begin, int64_t time, uint32_t node)
{
    size_t len = t->own_time.len;
    if (len > begin && t->own_time.at[len - 1] == time) {
        t->own_node.at[len - 1].v = node;
        return true;
    }
    if (len > begin && t->own_node.at[len - 1].v == node) return true;
    int64_t *at = vec_push(t->mem, &t->own_time);
    assay_node_id *what = at ? vec_push(t->mem, &t->own_node) : NULL;
    if (!what) return false;
    *at = time;
    what->v = node;
    return true;
}

/* ---- spans ---- */

struct span {
    int64_t begin, end;
    uint32_t node;
    size_t place;
};

struct spanning {
    struct timeline *t;
    size_t begin;              /* of the line, in own_time */
    VEC(struct span) open;     /* the last one gives the context */
    VEC(struct span) together; /* that begin at one time */
};

static struct span span_at(const int64_t *time, const int64_t *duration, const assay_node_id *node, size_t i)
{
    struct span s = { .begin = time[i], .node = node[i].v, .place = i };
    int64_t length = duration && duration[i] > 0 ? duration[i] : 0;
    if (__builtin_add_overflow(s.begin, length, &s.end)) s.end = INT64_MAX;
    return s;
}

/* The outer ones first. */
static int by_length(const void *x, const void *y)
{
    const struct span *a = x, *b = y;
    ORDER_BY(b->end, a->end);
    return ORDER(a->place, b->place);
}

/* Ends what is over at `now`. */
static bool close_until(struct spanning *s, int64_t now)
{
    while (s->open.len && s->open.at[s->open.len - 1].end <= now) {
        int64_t end = s->open.at[s->open.len - 1].end;
        while (s->open.len && s->open.at[s->open.len - 1].end <= end) s->open.len--;
        if (!emit(s->t, s->begin, end, s->open.len ? s->open.at[s->open.len - 1].node : 0)) return false;
    }
    return true;
}

static bool open_together(struct spanning *s)
{
    if (s->together.len > 1) sort_by(s->together.at, s->together.len, sizeof *s->together.at, by_length);
    for (size_t i = 0; i < s->together.len; i++) {
        struct span *slot = vec_push(s->t->mem, &s->open);
        if (!slot || !emit(s->t, s->begin, s->together.at[i].begin, s->together.at[i].node)) return false;
        *slot = s->together.at[i];
    }
    s->together.len = 0;
    return true;
}

static bool add_spans(struct spanning *s, const int64_t *time, const int64_t *duration, const assay_node_id *node, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i && time[i] != time[i - 1] && !open_together(s)) return false;
        struct span span = span_at(time, duration, node, i);
        if (span.end == span.begin) continue; /* an instant fills no time */
        if (!close_until(s, span.begin)) return false;
        struct span *slot = vec_push(s->t->mem, &s->together);
        if (!slot) return false;
        *slot = span;
    }
    return open_together(s) && close_until(s, INT64_MAX);
}

int timeline_add_spans(struct timeline *t, const int64_t *time, const int64_t *duration, const assay_node_id *node, size_t count, assay_error *err)
{
    struct spanning s = { .t = t, .begin = t->own_time.len };
    vec_scoped(t->mem, &s.open);
    vec_scoped(t->mem, &s.together);
    return add_spans(&s, time, duration, node, count) ? 0 : error_memory(err);
}

/* ---- whole trees ---- */

struct layout {
    struct timeline *t;
    const struct assay_tree *tree;
    size_t len;
    double scale; /* ns in a unit of the metric */
    enum assay_type type;
    uint32_t stream;   /* whose cells are being read */
    uint64_t *length;  /* by node: ns, with everything below */
    uint32_t *line_of; /* by root: its stream + 1; 0 = no cell of it was seen */
    uint32_t *root;    /* by node */
    int64_t *begin;    /* by node */
    int64_t *next;     /* by node: where its next child begins */
    uint64_t entered;  /* calls of the line */
};

static assay_metric_id find_time(struct layout *l)
{
    const struct assay_metrics *m = assay_profile_metrics(l->t->profile);
    for (uint32_t id = 1; id <= m->count; id++) {
        bool is_carried = (!m->shapes || m->shapes[id] & ASSAY_SHAPE_TREE) && columns_of(l->t->profile, (assay_metric_id){ id }).point.v;
        l->scale = is_carried ? units_ns(l->t->profile, (assay_metric_id){ id }) : 0;
        l->type = m->type ? (enum assay_type)m->type[id] : ASSAY_U64;
        if (l->scale > 0) return (assay_metric_id){ id };
    }
    return (assay_metric_id){ 0 };
}

/* A column of a coarse tree (formats/coarse/tree.h); 0 = it is none. */
static assay_scope_id find_column(const struct layout *l, assay_metric_id metric, const char *name)
{
    const struct assay_scopes *s = assay_profile_scopes(l->t->profile);
    for (uint32_t id = 1; id <= s->count; id++)
        if (s->metric[id].v == metric.v && s->name && slice_is(assay_profile_string(l->t->profile, s->name[id]), name)) return (assay_scope_id){ id };
    return (assay_scope_id){ 0 };
}

static uint64_t add_up(uint64_t a, uint64_t b) { return a > (uint64_t)INT64_MAX - b ? INT64_MAX : a + b; }

/* A negative cost fills no time. */
static uint64_t ns_of(const struct layout *l, const assay_cell *cell)
{
    double v = round(value_double(l->type, cell->value) * l->scale);
    uint64_t ns = v > 0 ? v < 0x1p62 ? (uint64_t)v : (uint64_t)INT64_MAX : 0, exact;
    if (l->type != ASSAY_F64 && v > 0 && l->scale == floor(l->scale) && !__builtin_mul_overflow(cell->value.u, (uint64_t)l->scale, &exact) && exact < INT64_MAX)
        ns = exact;
    return ns;
}

static int take_cell(void *arg, const assay_cell *cell)
{
    struct layout *l = arg;
    if (cell->node >= l->len) return 0;
    l->length[cell->node] = add_up(l->length[cell->node], ns_of(l, cell));
    if (!l->line_of[l->root[cell->node]]) l->line_of[l->root[cell->node]] = l->stream + 1;
    return 0;
}

static int take_exact(void *arg, const assay_cell *cell)
{
    struct layout *l = arg;
    uint64_t ns = ns_of(l, cell);
    if (cell->node >= l->len || !ns) return 0;
    struct timeline_exact *e = vec_push(l->t->mem, &l->t->exact);
    if (e) *e = (struct timeline_exact){ l->stream, cell->node, ns };
    return e ? 0 : ASSAY_ERR_MEMORY;
}

static int take_total(void *arg, const assay_cell *cell)
{
    struct layout *l = arg;
    uint64_t ns = ns_of(l, cell);
    if (cell->node >= l->len || !ns) return 0;
    struct timeline_exact *e = vec_push(l->t->mem, &l->t->totals);
    if (e) *e = (struct timeline_exact){ l->stream, cell->node, ns };
    return e ? 0 : ASSAY_ERR_MEMORY;
}

static uint32_t parent_of(const struct layout *l, uint32_t node) { return l->tree->parent ? l->tree->parent[node].v : 0; }

/* Roots of a stream follow each other, and so do the calls of a function, from its beginning; what it spent itself comes after them. `clock` is by
 * stream. */
static void place_nodes(struct layout *l, int64_t *clock)
{
    for (uint32_t node = l->tree->count; node > 0; node--) {
        uint32_t parent = parent_of(l, node);
        if (parent) l->length[parent] = add_up(l->length[parent], l->length[node]);
    }
    for (uint32_t node = 1; node <= l->tree->count; node++) {
        uint32_t parent = parent_of(l, node), line = l->line_of[l->root[node]];
        int64_t *at = parent ? &l->next[parent] : &clock[line ? line - 1 : 0];
        l->begin[node] = l->next[node] = *at;
        *at = (int64_t)add_up((uint64_t)*at, l->length[node]);
    }
}

/* The events of the roots of one stream. */
static bool emit_stream(struct layout *l, struct walk *w, uint32_t stream, size_t begin)
{
    for (uint32_t root = w->first_child[0]; root; root = w->next[root]) {
        if (l->line_of[root] != stream + 1 || !l->length[root]) continue;
        for (uint32_t node = root, leaving = 0; node;) {
            uint32_t parent = node == root ? 0 : parent_of(l, node);
            int64_t end = l->begin[node] + (int64_t)l->length[node];
            if (!leaving) l->entered += l->tree->calls && l->tree->calls[node] ? l->tree->calls[node] : 1;
            if (!emit(l->t, begin, leaving ? end : l->begin[node], leaving ? parent : node)) return false;
            uint32_t child = leaving ? node == root ? 0 : w->next[node] : w->first_child[node];
            if (child) {
                node = child;
                leaving = 0;
            } else if (leaving) {
                node = parent;
            } else {
                leaving = 1;
            }
        }
    }
    return true;
}

static int emit_all(struct layout *l, assay_error *err)
{
    SCOPED(walk_done) struct walk w = { 0 };
    TRY(walk_init(&w, l->tree, l->t->mem, err));
    bool done = true;
    for (uint32_t s = 0; done && s <= assay_profile_streams(l->t->profile)->count; s++) {
        size_t begin = l->t->own_time.len;
        l->entered = 0;
        done = emit_stream(l, &w, s, begin);
        if (!done || l->t->own_time.len == begin) continue;
        struct timeline_line *line = vec_push(l->t->mem, &l->t->lines);
        if ((done = line)) *line = (struct timeline_line){ .stream = s, .count = l->t->own_time.len - begin, .events = l->entered };
    }
    return done ? 0 : error_memory(err);
}

static int lay_out(struct layout *l, assay_metric_id metric, int64_t *clock, assay_error *err)
{
    assay_scope_id point = columns_of(l->t->profile, metric).point, drawn = find_column(l, metric, "drawn"), total = find_column(l, metric, "total");
    l->t->is_coarse = drawn.v;
    l->t->tick = l->scale;
    for (uint32_t node = 1; node <= l->tree->count; node++) l->root[node] = parent_of(l, node) ? l->root[parent_of(l, node)] : node;
    for (uint32_t s = 0; s <= assay_profile_streams(l->t->profile)->count; s++) {
        l->stream = s;
        TRY(assay_tree_column(l->t->profile, (assay_stream_id){ s }, drawn.v ? drawn : point, take_cell, l, err));
        if (drawn.v) TRY(assay_tree_column(l->t->profile, (assay_stream_id){ s }, point, take_exact, l, err));
        if (total.v) TRY(assay_tree_column(l->t->profile, (assay_stream_id){ s }, total, take_total, l, err));
    }
    place_nodes(l, clock);
    return emit_all(l, err);
}

int timeline_lay_out(struct timeline *t, assay_error *err)
{
    struct layout l = { .t = t, .tree = assay_profile_tree(t->profile), .len = t->frames.len };
    SCOPED(arena_done) struct arena scratch;
    arena_init(&scratch, t->mem);
    size_t clocks = (size_t)assay_profile_streams(t->profile)->count + 1;
    assay_metric_id metric = find_time(&l);
    if (!metric.v) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has an order of calls, but no time metric");
    l.length = arena_zalloc(&scratch, l.len, sizeof *l.length);
    l.line_of = arena_zalloc(&scratch, l.len, sizeof *l.line_of);
    l.root = arena_zalloc(&scratch, l.len, sizeof *l.root);
    l.begin = arena_zalloc(&scratch, l.len, sizeof *l.begin);
    l.next = arena_zalloc(&scratch, l.len, sizeof *l.next);
    int64_t *clock = arena_zalloc(&scratch, clocks, sizeof *clock);
    if (!l.length || !l.line_of || !l.root || !l.begin || !l.next || !clock) return error_memory(err);
    return lay_out(&l, metric, clock, err);
}
