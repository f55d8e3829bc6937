/* The engine of views: which rows are shown, in what order, with which figures; see views.h. Rows come from a source (source.h). */
#include "analysis/views/views.h"

#include "analysis/views/source.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

/* ---- which rows ---- */

/* What decides whether a row is shown. Both only shrink on the way down the view that they are used for. */
static double weight_of(const struct view *v, const struct view_row *row)
{
    bool by_self = (v->options.kind == VIEW_BOTTOM_UP || v->options.kind == VIEW_FLAT) && v->options.sort != ASSAY_SORT_TOTAL && row->has_self;
    return value_double(v->type, by_self ? row->self : row->total);
}

int view_add_row(struct view *v, uint32_t parent, struct view_row row, assay_error *err)
{
    struct view_figures f = v->source->figures(v, &row);
    row.parent = parent;
    row.depth = v->rows.at[parent].depth + 1;
    row.self = f.self;
    row.total = f.total;
    if (v->options.kind != VIEW_HOT_PATH && v->options.least > 0 && weight_of(v, &row) < v->options.least * v->whole) {
        v->below_least++;
        return 0;
    }
    struct view_row *at = vec_push(v->mem, &v->rows);
    if (!at) return error_memory(err);
    *at = row;
    return 0;
}

static int expand(struct view *v, uint32_t row, assay_error *err)
{
    v->rows.at[row].is_shown = true;
    if (v->options.depth && v->rows.at[row].depth >= v->options.depth) return 0;
    return v->source->expand(v, row, err);
}

/* Largest first, equal ones in the order in which they were found. */
struct heap {
    VEC(uint32_t) rows;
};

static bool is_before(const struct view *v, uint32_t a, uint32_t b)
{
    double x = weight_of(v, &v->rows.at[a]), y = weight_of(v, &v->rows.at[b]);
    return x != y ? x > y : a < b;
}

static bool heap_push(const struct view *v, struct heap *h, uint32_t row)
{
    uint32_t *slot = vec_push(v->mem, &h->rows);
    if (!slot) return false;
    size_t at = h->rows.len - 1;
    for (size_t up; at && is_before(v, row, h->rows.at[up = (at - 1) / 2]); at = up) h->rows.at[at] = h->rows.at[up];
    h->rows.at[at] = row;
    return true;
}

static uint32_t heap_pop(const struct view *v, struct heap *h)
{
    uint32_t best = h->rows.at[0], last = h->rows.at[--h->rows.len];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < h->rows.len; at = child) {
        if (child + 1 < h->rows.len && is_before(v, h->rows.at[child + 1], h->rows.at[child])) child++;
        if (is_before(v, last, h->rows.at[child])) break;
        h->rows.at[at] = h->rows.at[child];
    }
    if (h->rows.len) h->rows.at[at] = last;
    return best;
}

/* The largest rows that the limit allows: a row is opened when it is shown, and then those below it compete with what is left. */
static int choose(struct view *v, assay_error *err)
{
    struct heap heap = { { 0 } };
    vec_scoped(v->mem, &heap.rows);
    size_t seen = 1;
    for (uint64_t left = v->options.limit;; left--) {
        for (; seen < v->rows.len; seen++)
            if (!heap_push(v, &heap, (uint32_t)seen)) return error_memory(err);
        if (!left || !heap.rows.len) break;
        TRY(expand(v, heap_pop(v, &heap), err));
    }
    v->beyond_limit = heap.rows.len;
    return 0;
}

/* All of them: rows are opened in the order in which they were found. */
static int show_all(struct view *v, assay_error *err)
{
    for (uint32_t row = 1; row < v->rows.len; row++) {
        TRY(cancel_step(row, err));
        TRY(expand(v, row, err));
    }
    return 0;
}

/* ---- the hot path ---- */

static bool is_hotter(const struct view *v, const struct view_row *a, const struct view_row *b)
{
    int c = value_compare(v->type, a->total, b->total);
    return c ? c > 0 : a->tie < b->tie;
}

/* To the largest child as long as it has half of what its parent has; of the rows that were looked at only that one stays. The one that has too little
 * is the fork. */
static int follow(struct view *v, assay_error *err)
{
    for (uint32_t row = 0;; row++) {
        size_t from = row + (size_t)1, best = from;
        if (row) TRY(expand(v, row, err));
        for (size_t i = from + 1; i < v->rows.len; i++)
            if (is_hotter(v, &v->rows.at[i], &v->rows.at[best])) best = i;
        v->fork_ways = 0;
        if (best >= v->rows.len) return 0;
        v->fork_ways = v->rows.len - from;
        v->rows.at[from] = v->fork = v->rows.at[best];
        v->rows.len = from + 1;
        double total = value_double(v->type, v->rows.at[from].total), above = value_double(v->type, v->rows.at[row].total);
        if (!(total > 0) || (row && !(total * 2 >= above))) {
            v->rows.len = from;
            return 0;
        }
    }
}

/* Both ends of a long path: where it begins, and where it leads. */
static void shorten(struct view *v)
{
    uint64_t limit = v->options.limit, count = v->order.len;
    if (!limit || count <= limit) return;
    size_t front = (size_t)(limit / 2), back = (size_t)limit - front;
    memmove(v->order.at + front, v->order.at + (count - back), back * sizeof *v->order.at);
    v->rows.at[v->order.at[front]].skipped = count - limit;
    v->beyond_limit = count - limit;
    v->order.len = (size_t)limit;
}

/* ---- order ---- */

static assay_slice name_of(const struct view *v, const struct view_row *row)
{
    const struct assay_files *files = assay_profile_files(v->profile);
    const struct assay_modules *modules = assay_profile_modules(v->profile);
    if (row->func) return assay_profile_string(v->profile, assay_profile_funcs(v->profile)->name[row->func]);
    if (row->kind == VIEW_MODULE) return modules->path ? assay_profile_string(v->profile, modules->path[row->module]) : SLICE("");
    return files->path ? assay_profile_string(v->profile, files->path[row->file]) : SLICE("");
}

static int by_sort(const struct view *v, const struct view_row *a, const struct view_row *b)
{
    switch (v->options.sort) {
    case ASSAY_SORT_SELF: return value_compare(v->type, b->self, a->self);
    case ASSAY_SORT_TOTAL: return value_compare(v->type, b->total, a->total);
    case ASSAY_SORT_CALLS: return ORDER(b->calls, a->calls);
    case ASSAY_SORT_NAME: break;
    }
    int c = slice_compare(name_of(v, a), name_of(v, b));
    return c ? c : ORDER(a->line, b->line);
}

static int by_parent(const void *x, const void *y, void *arg)
{
    const struct view *v = arg;
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    const struct view_row *a = &v->rows.at[i], *b = &v->rows.at[j];
    ORDER_BY(a->parent, b->parent);
    int c = by_sort(v, a, b);
    if (c == 0 && v->options.sort != ASSAY_SORT_TOTAL) c = value_compare(v->type, b->total, a->total);
    if (c == 0) c = ORDER(a->tie, b->tie);
    return c ? c : ORDER(i, j);
}

/* Depth first, without a stack: rows know their parents. */
static void walk_rows(struct view *v)
{
    size_t n = 0;
    for (uint32_t row = v->rows.at[0].first; row;) {
        v->order.at[n++] = row;
        uint32_t next = v->rows.at[row].first;
        while (!next && row) {
            next = v->rows.at[row].next;
            row = v->rows.at[row].parent;
        }
        row = next;
    }
}

static int link_rows(struct view *v, assay_error *err)
{
    if (!vec_reserve(v->mem, &v->order, v->rows.len)) return error_memory(err);
    for (uint32_t row = 1; row < v->rows.len; row++)
        if (v->rows.at[row].is_shown) v->order.at[v->order.len++] = row;
    sort_with(v->order.at, v->order.len, sizeof *v->order.at, by_parent, v);
    for (size_t i = v->order.len; i > 0; i--) {
        struct view_row *row = &v->rows.at[v->order.at[i - 1]], *above = &v->rows.at[row->parent];
        row->next = above->first;
        above->first = v->order.at[i - 1];
    }
    walk_rows(v);
    return 0;
}

/* ---- figures ---- */

enum { SELF, TOTAL, KINDS };

/* Into `to`, by place in `rows`. Leaves another metric loaded than the one that rows are chosen by, where there are several: *is_other says so. */
static int put_figures(struct view *v, const uint32_t *rows, size_t count, struct grid *to, bool *is_other, assay_error *err)
{
    if (!grid_init(to, v->mem, count, v->metric_count, KINDS)) return error_memory(err);
    for (uint32_t k = 0; k < v->metric_count; k++) {
        bool is_known = v->metrics[k].v == v->options.metric.v;
        if (!is_known) TRY(v->source->load(v, v->metrics[k], err));
        *is_other |= !is_known;
        for (size_t i = 0; i < count; i++) {
            const struct view_row *row = &v->rows.at[rows[i]];
            struct view_figures f = is_known ? (struct view_figures){ row->self, row->total } : v->source->figures(v, row);
            if (!grid_put(to, i, SELF, k, f.self) || !grid_put(to, i, TOTAL, k, f.total)) return error_memory(err);
        }
    }
    return 0;
}

static int fill(struct view *v, assay_error *err)
{
    bool is_other = false;
    return put_figures(v, v->order.at, v->order.len, &v->values, &is_other, err);
}

/* ---- all of it ---- */

int view_check(const assay_profile *p, enum view_kind kind, assay_error *err)
{
    uint32_t shapes = assay_profile_shapes(p);
    bool needs_tree = kind == VIEW_TOP_DOWN || kind == VIEW_HOT_PATH;
    if (assay_profile_tree(p)->count || (shapes & ASSAY_SHAPE_GRAPH && !needs_tree)) return 0;
    if (!(shapes & ASSAY_SHAPE_GRAPH) && (shapes | assay_profile_offers(p)) & ASSAY_SHAPE_COVERAGE)
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "has coverage, not calls; use 'assay top' to show it by file");
    if (needs_tree && assay_profile_metrics(p)->count)
        return error_hint(err, error_set(err, ASSAY_ERR_UNSUPPORTED, "has no call stacks: a call graph does not record the cost of a callee by call path"),
                          ASSAY_HINT_VIEW);
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no function costs");
}

/* ---- which metrics ---- */

static bool is_of_graph(const assay_profile *p, enum view_kind kind)
{
    bool has_graph = assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH;
    return has_graph && (kind == VIEW_FLAT || (kind == VIEW_BOTTOM_UP && !assay_profile_tree(p)->count));
}

/* A profile that has both gives the flat view of its graph, as assay_top does. */
static const struct view_source *source_of(const assay_profile *p, enum view_kind kind)
{
    if (kind == VIEW_FLAT) return is_of_graph(p, kind) ? &view_graph_flat : &view_flat;
    if (kind == VIEW_BOTTOM_UP) return is_of_graph(p, kind) ? &view_graph_bottom_up : &view_bottom_up;
    return &view_top_down;
}

/* All that the shape has. */
static int list_metrics(struct view *v, assay_error *err)
{
    const struct assay_block *block = &assay_profile_graph(v->profile)->block;
    uint32_t room = assay_profile_metrics(v->profile)->count + 1;
    v->metrics = mem_zalloc(v->mem, room, sizeof *v->metrics);
    if (!v->metrics) return error_memory(err);
    if (is_of_graph(v->profile, v->options.kind))
        for (; v->metric_count < block->metric_count && v->metric_count < room; v->metric_count++)
            v->metrics[v->metric_count] = block->metrics[v->metric_count];
    else
        v->metric_count = columns_metrics(v->profile, v->metrics);
    return 0;
}

static int choose_metrics(struct view *v, assay_error *err)
{
    TRY(list_metrics(v, err));
    struct metric_set set = { .profile = v->profile, .at = v->metrics, .count = v->metric_count };
    uint32_t k = 0;
    while (k < v->metric_count && v->metrics[k].v != v->options.metric.v) k++;
    if (v->options.metric.v && k == v->metric_count) {
        v->metrics[k = 0] = v->options.metric;
        v->metric_count = set.count = 1;
    }
    if (v->options.metric.v)
        metric_columns_one(&v->columns, &set, k);
    else
        TRY(metric_columns_init(&v->columns, v->mem, &set, v->options.columns, err));
    v->options.metric = v->metrics[metric_columns_key(&v->columns)];
    if (!v->options.all_metrics) v->metric_count = metric_columns_compact(&v->columns, v->metrics);
    return 0;
}

static double whole_of(const assay_profile *p, assay_metric_id metric, enum assay_type type)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    if (type == ASSAY_F64) return m->total_double ? m->total_double[metric.v] : 0;
    return m->total ? wide_double(m->total[metric.v]) : 0;
}

static int make(struct view *v, assay_error *err)
{
    TRY(v->source->open(v, err));
    if (v->options.kind == VIEW_HOT_PATH)
        TRY(follow(v, err));
    else if (v->options.limit)
        TRY(choose(v, err));
    else
        TRY(show_all(v, err));
    TRY(link_rows(v, err));
    if (v->options.kind == VIEW_HOT_PATH) shorten(v);
    return fill(v, err);
}

static int prepare(struct view *v, struct mem *mem, const assay_profile *p, const struct view_options *options, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    *v = (struct view){ .mem = mem, .profile = p, .options = *options };
    TRY(view_check(p, options->kind, err));
    TRY(choose_metrics(v, err));
    v->type = m->type ? (enum assay_type)m->type[v->options.metric.v] : ASSAY_U64;
    v->whole = whole_of(p, v->options.metric, v->type);
    struct view_row *whole = vec_push(mem, &v->rows);
    v->source = mem_zalloc(mem, 1, sizeof *v->source);
    if (!whole || !v->source) return error_memory(err);
    *whole = (struct view_row){ 0 };
    *v->source = *source_of(p, options->kind);
    return view_check_function(v, err);
}

int view_init(struct view *v, struct mem *mem, const assay_profile *p, const struct view_options *options, assay_error *err)
{
    TRY(prepare(v, mem, p, options, err));
    return make(v, err);
}

void view_done(struct view *v)
{
    struct mem *mem = v->mem;
    if (v->source) view_close_source(v);
    grid_done(&v->values);
    mem_free(mem, v->metrics, v->metrics ? ((size_t)assay_profile_metrics(v->profile)->count + 1) * sizeof *v->metrics : 0);
    metric_columns_done(&v->columns);
    vec_done(mem, &v->rows, &v->order);
    *v = (struct view){ .mem = mem };
}

/* ---- row by row ---- */

int view_begin(struct view *v, struct mem *mem, const assay_profile *p, const struct view_options *options, assay_error *err)
{
    TRY(prepare(v, mem, p, options, err));
    v->options.limit = v->options.depth = 0;
    return 0;
}

int view_open(struct view *v, uint32_t row, assay_error *err)
{
    size_t first = v->rows.len;
    if (v->rows.at[row].is_shown) return 0;
    TRY(row ? v->source->expand(v, row, err) : v->source->open(v, err));
    if (v->rows.len > UINT32_MAX) return error_memory(err);
    v->rows.at[row].is_shown = true;
    v->rows.at[row].first = (uint32_t)first;
    v->rows.at[row].next = (uint32_t)v->rows.len;
    return 0;
}

void view_order(struct view *v, uint32_t *rows, size_t count) { sort_with(rows, count, sizeof *rows, by_parent, v); }

int view_row_figures(struct view *v, const uint32_t *rows, size_t count, assay_value *self, assay_value *total, assay_error *err)
{
    bool is_other = false;
    size_t row_size = v->metric_count * sizeof *self;
    SCOPED(grid_done) struct grid values = { 0 };
    TRY(put_figures(v, rows, count, &values, &is_other, err));
    for (size_t i = 0; row_size && i < count; i++) {
        memcpy(self + i * v->metric_count, grid_row(&values, i, SELF), row_size);
        memcpy(total + i * v->metric_count, grid_row(&values, i, TOTAL), row_size);
    }
    return is_other ? v->source->load(v, v->options.metric, err) : 0;
}

int view_hottest(struct view *v, uint32_t row, double share, uint32_t *out, assay_error *err)
{
    *out = 0;
    TRY(view_open(v, row, err));
    const struct view_row *above = &v->rows.at[row];
    uint32_t best = above->first;
    if (above->first == above->next) return 0;
    for (uint32_t i = best + 1; i < above->next; i++)
        if (is_hotter(v, &v->rows.at[i], &v->rows.at[best])) best = i;
    double total = value_double(v->type, v->rows.at[best].total);
    if (total > 0 && (!row || total >= share * value_double(v->type, above->total))) *out = best;
    return 0;
}
