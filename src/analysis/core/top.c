/* The functions table: self, total and calls of each function; see assay/top.h for what they mean. */
#include "analysis/core/top.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/frames.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "model/profile.h"

static void *column(struct top *t, size_t count, size_t size, bool *failed)
{
    void *p = mem_zalloc(&t->mem, count, size);
    if (!p) *failed = true;
    return p;
}

static int make_columns(struct top *t, const assay_metric_id *metrics, uint32_t width, uint32_t room, assay_error *err)
{
    const struct assay_metrics *all = assay_profile_metrics(t->profile);
    bool failed = false;
    t->room = room;
    t->width = width;
    t->row_of_len = (size_t)assay_profile_funcs(t->profile)->count + 1;
    t->metrics = column(t, width + 1, sizeof *t->metrics, &failed);
    t->types = column(t, width + 1, sizeof *t->types, &failed);
    t->func = column(t, room, sizeof *t->func, &failed);
    t->calls = column(t, room, sizeof *t->calls, &failed);
    t->row_of = column(t, t->row_of_len, sizeof *t->row_of, &failed);
    if (failed) return error_memory(err);
    for (uint32_t k = 0; k < width; k++) {
        t->metrics[k] = metrics[k];
        t->types[k] = all->type ? all->type[metrics[k].v] : ASSAY_U64;
    }
    t->pub = (assay_top){ 0, width, t->metrics, t->func, t->calls, NULL, NULL, NULL };
    return 0;
}

static int make_values(struct top *t, size_t cells, assay_error *err)
{
    bool failed = false;
    t->cells = cells;
    t->pub.self = t->self = column(t, cells, sizeof *t->self, &failed);
    t->pub.total = t->total = column(t, cells, sizeof *t->total, &failed);
    return failed ? error_memory(err) : 0;
}

static int make_full_values(struct top *t, assay_error *err)
{
    size_t cells;
    return size_mul(&cells, t->room, t->width ? t->width : 1) ? make_values(t, cells, err) : error_memory(err);
}

static int make_full_columns(struct top *t, const assay_metric_id *metrics, uint32_t width, uint32_t room, assay_error *err)
{
    TRY(make_columns(t, metrics, width, room, err));
    return make_full_values(t, err);
}

/* Each row is as long as the longest of the sums that it is made of. */
static int make_short_values(struct top *t, const struct assay_graph *g, assay_error *err)
{
    bool failed = false;
    t->begin = column(t, (size_t)t->room + 1, sizeof *t->begin, &failed);
    if (failed) return error_memory(err);
    for (uint32_t i = 0; i < g->sum_count; i++) {
        uint64_t *len = &t->begin[top_row(t, g->sum_func[i]) + 1];
        if (g->sum_len[i] > *len) *len = g->sum_len[i];
    }
    for (uint32_t row = 0; row < t->room; row++) t->begin[row + 1] += t->begin[row];
    t->pub.begin = t->begin;
    return make_values(t, (size_t)t->begin[t->room], err);
}

uint32_t top_row(struct top *t, assay_func_id func)
{
    uint32_t head = top_head(t, func.v), *at = &t->row_of[head];
    if (!*at) {
        t->func[t->pub.count] = (assay_func_id){ head };
        *at = ++t->pub.count;
    }
    return *at - 1;
}

void top_add_calls(struct top *t, uint32_t row, uint64_t calls)
{
    if (__builtin_add_overflow(t->calls[row], calls, &t->calls[row])) t->calls[row] = UINT64_MAX;
}

/* What the file states; else, where the call tree is known, what its invocations cost that are not inside another one; else what
 * others were charged for the function; else, where it is never called, its self cost and the calls it makes. */
void top_graph_total(const struct assay_graph *g, uint32_t i, size_t at, struct sums *total, uint32_t row)
{
    if (g->has_stated && g->has_stated[i])
        sums_add(total, row, g->stated_total[at]);
    else if (g->knows_nesting) {
        sums_add(total, row, g->sum_self[at]);
        sums_add(total, row, g->sum_out[at]);
        sums_add(total, row, value_minus(total->type, g->sum_recursive[at], g->sum_nested ? g->sum_nested[at] : (assay_value){ 0 }));
    } else if (g->sum_calls[i] > 0)
        sums_add(total, row, g->sum_in[at]);
    else {
        sums_add(total, row, g->sum_self[at]);
        sums_add(total, row, g->sum_out[at]);
    }
}

/* Every invocation where the file has them one by one; else the calls that were counted. */
static uint64_t calls_of(const struct assay_graph *g, uint32_t i)
{
    if (g->has_stated && g->has_stated[i]) return g->stated_calls[i];
    if (!g->knows_nesting) return g->sum_calls[i];
    return g->sum_entered ? g->sum_entered[i] : 0;
}

static int sum_metric(struct top *t, const struct assay_graph *g, uint32_t k, assay_error *err)
{
    enum assay_type type = (enum assay_type)t->types[k];
    SCOPED(sums_done) struct sums self = { 0 }, total = { 0 };
    if (!sums_init(&self, &t->mem, type, t->room)) return error_memory(err);
    if (!sums_init(&total, &t->mem, type, t->room)) return error_memory(err);
    for (uint32_t i = 0; i < g->sum_count; i++) {
        TRY(cancel_step(i, err));
        if (g->sum_len && k >= g->sum_len[i]) continue;
        uint32_t row = top_row(t, g->sum_func[i]);
        size_t at = g->sum_begin ? (size_t)g->sum_begin[i] + k : (size_t)i * t->width + k;
        sums_add(&self, row, g->sum_self[at]);
        top_graph_total(g, i, at, &total, row);
    }
    top_put(t, k, &self, &total);
    return 0;
}

static int from_graph(struct top *t, assay_error *err)
{
    const struct assay_graph *g = assay_profile_graph(t->profile);
    TRY(make_columns(t, g->block.metrics, g->block.metric_count, g->sum_count, err));
    for (uint32_t i = 0; i < g->sum_count; i++) top_add_calls(t, top_row(t, g->sum_func[i]), calls_of(g, i));
    TRY(g->sum_begin ? make_short_values(t, g, err) : make_full_values(t, err));
    for (uint32_t k = 0; k < t->width; k++) TRY(sum_metric(t, g, k, err));
    return 0;
}

/* Functions that were only counted: calls over all tests, no metric. */
static int from_coverage(struct top *t, assay_error *err)
{
    const struct assay_coverage *c = assay_profile_coverage(t->profile);
    TRY(make_full_columns(t, NULL, 0, assay_profile_funcs(t->profile)->count, err));
    for (uint32_t i = 0; i < c->func_count; i++)
        if (c->func[i].v) top_add_calls(t, top_row(t, c->func[i]), c->func_calls[i]);
    return 0;
}

void top_put(struct top *t, uint32_t k, const struct sums *self, const struct sums *total)
{
    uint32_t count = t->pub.count, width = t->width;
    const uint64_t *begin = t->begin;
    for (uint32_t row = 0; row < count; row++) {
        if (begin && k >= begin[row + 1] - begin[row]) continue;
        size_t at = (begin ? (size_t)begin[row] : (size_t)row * width) + k;
        t->self[at] = sums_value(self, row);
        t->total[at] = sums_value(total, row);
    }
}

/* The metrics of a tree: those that have a scope. */
static int tree_columns(struct top *t, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(t->profile);
    SCRATCH(assay_metric_id, list, &t->mem, (size_t)m->count + 1);
    if (!list) return error_memory(err);
    uint32_t n = columns_metrics(t->profile, list);
    return make_full_columns(t, list, n, assay_profile_funcs(t->profile)->count + 1, err);
}

int top_groups_table(const assay_profile *p, const struct top_groups *g, assay_top **out, assay_error *err)
{
    uint32_t shapes = assay_profile_shapes(p);
    struct top *t = calloc(1, sizeof *t);
    int rc;
    *out = NULL;
    if (!t) return error_memory(err);
    mem_init(&t->mem, profile_room(p));
    t->profile = p;
    t->groups = g;
    if (shapes & ASSAY_SHAPE_GRAPH || (!shapes && assay_profile_graph(p)->block.metric_count)) /* also a profile in which nothing was measured */
        rc = from_graph(t, err);
    else if (shapes & ASSAY_SHAPE_TREE) {
        rc = tree_columns(t, err);
        if (rc == 0) rc = top_from_tree(t, err);
    } else if (shapes & ASSAY_SHAPE_COVERAGE || assay_profile_metrics(p)->count)
        rc = from_coverage(t, err);
    else
        rc = error_set(err, ASSAY_ERR_UNSUPPORTED, "has no function costs");
    rc = cancel_end(rc, err);
    if (rc != 0) {
        assay_top_free(&t->pub);
        return rc;
    }
    *out = &t->pub;
    return 0;
}

int assay_top_new(const assay_profile *p, assay_top **out, assay_error *err)
{
    assay_error local;
    return top_groups_table(p, NULL, out, error_enter(err, &local));
}

static int copy_begin(struct top *t, const uint64_t *begin, assay_error *err)
{
    bool failed = false;
    t->pub.begin = t->begin = column(t, (size_t)t->room + 1, sizeof *t->begin, &failed);
    if (failed) return error_memory(err);
    memcpy(t->begin, begin, ((size_t)t->room + 1) * sizeof *begin);
    return make_values(t, (size_t)begin[t->room], err);
}

int top_make(const assay_profile *p, const assay_metric_id *metrics, uint32_t width, uint32_t room, const uint64_t *begin, struct top **out, assay_error *err)
{
    struct top *t = *out = calloc(1, sizeof *t);
    if (!t) return error_memory(err);
    mem_init(&t->mem, profile_room(p));
    t->profile = p;
    int rc = make_columns(t, metrics, width, room, err);
    if (rc == 0) rc = begin ? copy_begin(t, begin, err) : make_full_values(t, err);
    if (rc == 0) return 0;
    assay_top_free(&t->pub);
    *out = NULL;
    return rc;
}

int top_copy(const struct top *from, uint32_t more, struct top **out, assay_error *err)
{
    uint32_t count = from->pub.count;
    *out = NULL;
    if (more > UINT32_MAX - count) return error_memory(err);
    TRY(top_make(from->profile, from->metrics, from->width, count + more, NULL, out, err));
    struct top *t = *out;
    memcpy(t->func, from->func, count * sizeof *t->func);
    memcpy(t->calls, from->calls, count * sizeof *t->calls);
    for (uint32_t row = 0; row < count; row++) {
        size_t to = (size_t)row * t->width, at = from->begin ? (size_t)from->begin[row] : to, len = top_len(&from->pub, row) * sizeof *t->self;
        memcpy(t->self + to, from->self + at, len);
        memcpy(t->total + to, from->total + at, len);
    }
    memcpy(t->row_of, from->row_of, t->row_of_len * sizeof *t->row_of);
    t->pub.count = count + more;
    return 0;
}

void assay_top_free(assay_top *top)
{
    if (!top) return;
    struct top *t = (struct top *)top;
    mem_free(&t->mem, t->metrics, (t->width + 1) * sizeof *t->metrics);
    mem_free(&t->mem, t->types, (t->width + 1) * sizeof *t->types);
    mem_free(&t->mem, t->func, t->room * sizeof *t->func);
    mem_free(&t->mem, t->calls, t->room * sizeof *t->calls);
    mem_free(&t->mem, t->self, t->cells * sizeof *t->self);
    mem_free(&t->mem, t->total, t->cells * sizeof *t->total);
    mem_free(&t->mem, t->begin, ((size_t)t->room + 1) * sizeof *t->begin);
    mem_free(&t->mem, t->row_of, t->row_of_len * sizeof *t->row_of);
    free(t);
}

/* ---- order ---- */

struct order {
    const assay_profile *p;
    const struct top *t;
    enum assay_sort sort;
    uint32_t k;
};

static int by_lines(const struct order *o, uint32_t a, uint32_t b)
{
    const struct top_lines *l = o->t->lines;
    const struct assay_files *files = assay_profile_files(o->p);
    assay_file_id x = l->file.at[a], y = l->file.at[b];
    int c = files->path ? slice_compare(assay_profile_string(o->p, files->path[x.v]), assay_profile_string(o->p, files->path[y.v])) : 0;
    if (c == 0) c = ORDER(l->line.at[a], l->line.at[b]);
    return c ? c : ORDER(a, b);
}

static int by_names(const struct order *o, uint32_t a, uint32_t b)
{
    if (o->t->lines) return by_lines(o, a, b);
    const struct assay_funcs *f = assay_profile_funcs(o->p);
    const struct assay_files *files = assay_profile_files(o->p);
    const struct assay_modules *modules = assay_profile_modules(o->p);
    assay_func_id x = o->t->func[a], y = o->t->func[b];
    if (o->t->groups) return slice_compare(o->t->groups->name[x.v], o->t->groups->name[y.v]);
    int c = slice_compare(assay_profile_string(o->p, f->name[x.v]), assay_profile_string(o->p, f->name[y.v]));
    if (c == 0 && f->file && files->path)
        c = slice_compare(assay_profile_string(o->p, files->path[f->file[x.v].v]), assay_profile_string(o->p, files->path[f->file[y.v].v]));
    if (c == 0 && f->module && modules->path)
        c = slice_compare(assay_profile_string(o->p, modules->path[f->module[x.v].v]), assay_profile_string(o->p, modules->path[f->module[y.v].v]));
    if (c == 0 && f->first_line) c = ORDER(f->first_line[x.v], f->first_line[y.v]);
    if (c == 0 && f->first_column) c = ORDER(f->first_column[x.v], f->first_column[y.v]);
    if (c == 0) c = ORDER(x.v, y.v);
    return c ? c : ORDER(a, b);
}

static int by_short_values(const struct order *o, const assay_value *column, uint32_t a, uint32_t b)
{
    const assay_top *t = &o->t->pub;
    uint32_t end = top_len(t, a) > top_len(t, b) ? top_len(t, a) : top_len(t, b), first = o->k < end ? o->k : 0;
    for (uint32_t n = 0, k = first; n < end; n++, k = k + 1 < end ? k + 1 : 0) {
        int c = value_compare((enum assay_type)o->t->types[k], top_cell(t, column, b, k), top_cell(t, column, a, k));
        if (c) return c;
    }
    return 0;
}

static int by_values(const struct order *o, const assay_value *column, uint32_t a, uint32_t b)
{
    const struct top *t = o->t;
    if (t->begin) return by_short_values(o, column, a, b);
    for (uint32_t n = 0; n < t->width; n++) {
        uint32_t k = (o->k + n) % t->width; /* the chosen metric, then those after it */
        int c = value_compare((enum assay_type)t->types[k], column[(size_t)b * t->width + k], column[(size_t)a * t->width + k]);
        if (c) return c;
    }
    return 0;
}

static int compare(const void *pa, const void *pb, void *arg)
{
    const struct order *o = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    const struct top *t = o->t;
    int c = 0;
    switch (o->sort) {
    case ASSAY_SORT_SELF: c = by_values(o, t->self, a, b); break;
    case ASSAY_SORT_TOTAL: c = by_values(o, t->total, a, b); break;
    case ASSAY_SORT_CALLS: c = ORDER(t->calls[b], t->calls[a]); break;
    case ASSAY_SORT_NAME: break;
    }
    return c ? c : by_names(o, a, b);
}

void assay_top_order(const assay_profile *p, const assay_top *top, enum assay_sort sort, uint32_t k, uint32_t *order)
{
    top_order_first(p, top, sort, k, top->count, order);
}

void top_order_first(const assay_profile *p, const assay_top *top, enum assay_sort sort, uint32_t k, size_t first, uint32_t *order)
{
    struct order o = { p, (const struct top *)top, sort, k };
    for (uint32_t i = 0; i < top->count; i++) order[i] = i;
    sort_first(order, top->count, sizeof *order, first, compare, &o);
}
