/* Rows of flame graphs that are made of other results: around one function, and of two inputs. They look like assay_paths, so that one layout serves all. */
#include "server/routes/flame_rows.h"

#include <stdlib.h>

#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/kids.h"
#include "base/order.h"
#include "base/sort.h"

enum { ROWS_MOST = 200000 };

/* The arrays of `pub`, to be written. */
struct arrays {
    uint32_t *parent, *depth, *end;
    uint8_t *kind;
    assay_func_id *func;
    assay_slice *name;
    uint64_t *calls;
    assay_value *self, *total;
};

static void *zeros(struct flame_rows *f, size_t count, size_t size)
{
    void *p = arena_alloc(&f->arena, (count + 1) * size);
    if (p) memset(p, 0, (count + 1) * size);
    return p;
}

static int make_arrays(struct flame_rows *f, struct arrays *w, size_t count, assay_error *err)
{
    assay_paths *s = &f->pub;
    s->parent = w->parent = zeros(f, count + 1, sizeof *w->parent);
    s->depth = w->depth = zeros(f, count + 1, sizeof *w->depth);
    s->end = w->end = zeros(f, count + 1, sizeof *w->end);
    s->kind = w->kind = zeros(f, count + 1, sizeof *w->kind);
    s->func = w->func = zeros(f, count + 1, sizeof *w->func);
    s->name = w->name = zeros(f, count + 1, sizeof *w->name);
    s->calls = w->calls = zeros(f, count + 1, sizeof *w->calls);
    s->self = w->self = zeros(f, count + 1, sizeof *w->self);
    s->total = w->total = zeros(f, count + 1, sizeof *w->total);
    bool is_fine = w->parent && w->depth && w->end && w->kind && w->func && w->name && w->calls && w->self && w->total;
    return is_fine ? 0 : error_memory(err);
}

struct flame_rows *flame_rows_new(void)
{
    struct flame_rows *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    mem_init(&f->mem, 0);
    arena_init(&f->arena, &f->mem);
    return f;
}

void flame_rows_free(void *rows)
{
    struct flame_rows *f = rows;
    if (!f) return;
    arena_done(&f->arena);
    assay_view_free(f->view);
    assay_paths_free(f->before);
    assay_paths_free(f->after);
    assay_profile_release(f->profile);
    assay_profile_release(f->other);
    free(f);
}

/* Rows stand in order, each before those below it: the end of one is where its depth is met again. */
static void set_ends(const assay_paths *s, uint32_t *end)
{
    for (uint32_t row = s->count; row > 0; row--) {
        uint32_t next = row + 1;
        while (next <= s->count && s->depth[next] > s->depth[row]) next = end[next];
        end[row] = next;
    }
    end[0] = s->count + 1;
}

/* ---- around one function ---- */

int flame_rows_around(struct flame_rows *f, bool callers, uint32_t func, const char *metric, double least, assay_error *err)
{
    const struct assay_funcs *funcs = assay_profile_funcs(f->profile);
    struct arrays w;
    uint32_t n = 0;
    bool is_its = false;
    if (!func || func > funcs->count) FAIL(err, ASSAY_ERR_USAGE, "there is no function %u", func);
    struct assay_view_options o = { .size = sizeof o,
                                    .kind = callers ? ASSAY_VIEW_BOTTOM_UP : ASSAY_VIEW_TOP_DOWN,
                                    .detail = ASSAY_VIEW_FUNCTIONS,
                                    .sort = ASSAY_VIEW_SORT_TOTAL,
                                    .metric = metric,
                                    .least = least,
                                    .limit = ROWS_MOST,
                                    .function = assay_profile_string(f->profile, funcs->name[func]).data };
    TRY(assay_view_new(f->profile, &o, &f->view, err));
    const assay_view *v = f->view;
    TRY(make_arrays(f, &w, v->count, err));
    uint32_t *place = zeros(f, (size_t)v->count + 1, sizeof *place);
    if (!place) return error_memory(err);
    f->pub.profile = v->profile;
    f->pub.metric = v->columns[v->key].metric;
    f->pub.type = v->columns[v->key].type;
    for (uint32_t row = 1; row <= v->count; row++) { /* another function may have the same name */
        if (v->depth[row] == 1) is_its = v->func[row].v == func;
        if (!is_its) continue;
        place[row] = ++n;
        w.parent[n] = place[v->parent[row]];
        w.depth[n] = v->depth[row];
        w.kind[n] = v->kind[row] < ASSAY_NODE_LOOP ? v->kind[row] : ASSAY_NODE_FUNCTION;
        w.func[n] = v->func[row];
        w.name[n] = v->name[row].len ? v->name[row] : SLICE("<unknown>");
        w.calls[n] = v->calls[row];
        w.self[n] = v->self[(size_t)row * v->column_count + v->key];
        w.total[n] = v->total[(size_t)row * v->column_count + v->key];
        if (w.depth[n] > f->pub.deepest) f->pub.deepest = w.depth[n];
    }
    f->pub.count = n;
    set_ends(&f->pub, w.end);
    return 0;
}

/* ---- two inputs ---- */

struct merged {
    uint32_t parent, depth, row[2]; /* of before and after; 0 = none */
    double gain, loss;              /* of all below it */
};

struct merging {
    struct flame_rows *f;
    struct kids kids; /* by parent and name */
    VEC(struct merged) at;
    VEC(uint32_t) names; /* open addressing: a row of the strings below + 1 */
    VEC(assay_slice) texts;
};

/* The number of a name: names of two profiles are compared as texts. 0 = no memory. */
static uint32_t name_number(struct merging *m, assay_slice text)
{
    struct mem *mem = &m->f->mem;
    if (m->texts.len * 2 >= m->names.len) {
        size_t cap = m->names.len ? m->names.len * 2 : 1024;
        vec_done(mem, &m->names);
        if (!vec_reserve(mem, &m->names, cap)) return 0;
        memset(m->names.at, 0, cap * sizeof *m->names.at);
        m->names.len = cap;
        for (size_t i = 0; i < m->texts.len; i++) {
            size_t at = (size_t)hash_bytes(m->texts.at[i].data, m->texts.at[i].len) & (cap - 1);
            while (m->names.at[at]) at = (at + 1) & (cap - 1);
            m->names.at[at] = (uint32_t)i + 1;
        }
    }
    size_t mask = m->names.len - 1, at = (size_t)hash_bytes(text.data, text.len) & mask;
    for (; m->names.at[at]; at = (at + 1) & mask)
        if (slice_equal(m->texts.at[m->names.at[at] - 1], text)) return m->names.at[at];
    assay_slice *to = vec_push(mem, &m->texts);
    if (!to) return 0;
    *to = text;
    return m->names.at[at] = (uint32_t)m->texts.len;
}

static int merge_side(struct merging *m, const assay_paths *s, int side, assay_error *err)
{
    struct mem *mem = &m->f->mem;
    uint32_t *place = mem_zalloc(mem, (size_t)s->count + 1, sizeof *place);
    int rc = place ? 0 : error_memory(err);
    for (uint32_t row = 1; rc == 0 && row <= s->count && (rc = cancel_step(row, err)) == 0; row++) {
        uint32_t parent = place[s->parent[row]], name = name_number(m, s->name[row]), id = name ? kids_put(&m->kids, parent, name) : 0;
        if (id == m->at.len) {
            struct merged *to = vec_push(mem, &m->at);
            if (to) *to = (struct merged){ .parent = parent, .depth = s->depth[row] };
        }
        if (!id || id >= m->at.len) rc = error_memory(err);
        if (rc == 0) m->at.at[place[row] = id].row[side] = row; /* kinds of one name are one */
    }
    mem_free(mem, place, place ? ((size_t)s->count + 1) * sizeof *place : 0);
    return rc;
}

static double figure(const assay_paths *s, const assay_value *v, uint32_t row) { return row ? value_double(s->type, v[row]) : 0; }

/* What grew and what shrank, of each row and all below it. Parents have smaller numbers. */
static void add_changes(struct merging *m)
{
    const struct flame_rows *f = m->f;
    for (size_t i = m->at.len; i-- > 1;) {
        struct merged *row = &m->at.at[i], *above = &m->at.at[row->parent];
        double change = figure(f->after, f->after->self, row->row[1]) - figure(f->before, f->before->self, row->row[0]);
        *(change > 0 ? &row->gain : &row->loss) += change > 0 ? change : -change;
        above->gain += row->gain;
        above->loss += row->loss;
    }
}

struct ranked {
    double width;
    uint32_t id;
};

static int widest_first(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    ORDER_BY(b->width, a->width);
    return ORDER(a->id, b->id);
}

/* Depth first: those below a row are laid down after it, the widest first. */
static int put_merged(struct merging *m, struct arrays *w, assay_error *err)
{
    struct flame_rows *f = m->f;
    VEC(uint32_t) stack = { 0 };
    VEC(struct ranked) kids = { 0 };
    uint32_t n = 0, *place = zeros(f, m->at.len, sizeof *place), *first = vec_push(&f->mem, &stack);
    int rc = place && first ? 0 : error_memory(err);
    if (first) *first = 0;
    while (rc == 0 && stack.len) {
        uint32_t id = stack.at[--stack.len];
        const struct merged *row = &m->at.at[id];
        if (id) {
            place[id] = ++n;
            uint32_t b = row->row[0], a = row->row[1];
            w->parent[n] = place[row->parent];
            w->depth[n] = row->depth;
            w->kind[n] = a ? f->after->kind[a] : f->before->kind[b];
            w->func[n] = b ? f->before->func[b] : (assay_func_id){ 0 };
            w->name[n] = a ? f->after->name[a] : f->before->name[b];
            w->calls[n] = a ? f->after->calls[a] : 0;
            w->total[n].d = row->gain + row->loss;
            f->before_total[n] = figure(f->before, f->before->total, b);
            f->after_total[n] = figure(f->after, f->after->total, a);
        }
        kids.len = 0;
        for (uint32_t kid = m->at.len > 1 ? m->kids.of.at[id].first : 0; rc == 0 && kid; kid = m->kids.of.at[kid].next) {
            struct ranked *to = vec_push(&f->mem, &kids);
            if (to)
                *to = (struct ranked){ m->at.at[kid].gain + m->at.at[kid].loss, kid };
            else
                rc = error_memory(err);
        }
        if (kids.len > 1) sort_by(kids.at, kids.len, sizeof *kids.at, widest_first);
        for (size_t i = kids.len; rc == 0 && i > 0; i--) {
            uint32_t *to = vec_push(&f->mem, &stack);
            if (to)
                *to = kids.at[i - 1].id;
            else
                rc = error_memory(err);
        }
        if (rc == 0) rc = cancel_step(n, err);
    }
    vec_done(&f->mem, &stack);
    vec_done(&f->mem, &kids);
    f->pub.count = n;
    return rc;
}

static int fill_merged(struct merging *m, assay_error *err)
{
    struct flame_rows *f = m->f;
    struct arrays w;
    struct merged *whole = vec_push(&f->mem, &m->at);
    if (!whole) return error_memory(err);
    *whole = (struct merged){ 0 };
    TRY(merge_side(m, f->before, 0, err));
    TRY(merge_side(m, f->after, 1, err));
    add_changes(m);
    f->before_total = zeros(f, m->at.len, sizeof *f->before_total);
    f->after_total = zeros(f, m->at.len, sizeof *f->after_total);
    if (!f->before_total || !f->after_total) return error_memory(err);
    TRY(make_arrays(f, &w, m->at.len, err));
    TRY(put_merged(m, &w, err));
    f->pub.profile = f->before->profile;
    f->pub.metric = f->before->metric;
    f->pub.type = ASSAY_F64;
    f->pub.deepest = f->before->deepest > f->after->deepest ? f->before->deepest : f->after->deepest;
    set_ends(&f->pub, w.end);
    return 0;
}

int flame_rows_merge(struct flame_rows *f, const struct assay_paths_options *options, assay_error *err)
{
    struct merging m = { .f = f };
    TRY(assay_paths_new(f->profile, options, &f->before, err));
    TRY(assay_paths_new(f->other, options, &f->after, err));
    kids_init(&m.kids, &f->mem);
    int rc = fill_merged(&m, err);
    kids_done(&m.kids);
    vec_done(&f->mem, &m.at);
    vec_done(&f->mem, &m.names);
    vec_done(&f->mem, &m.texts);
    return rc;
}
