/* One side of a block: rows by function or by call site, summed up, sorted and limited. See side.h. */
#include "analysis/callers/side.h"

#include "analysis/core/top.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

void side_init(struct side *s, const struct callers *c)
{
    *s = (struct side){ .c = c };
    index_init(&s->row_index, c->mem);
    index_init(&s->site_index, c->mem);
}

void side_done(struct side *s)
{
    vec_done(s->c->mem, &s->rows, &s->sites, &s->items);
    index_done(&s->row_index);
    index_done(&s->site_index);
}

/* ---- gathering ---- */

static bool is_row_of(const struct side *s, const struct callers_row *r, const struct side_call *call)
{
    if (r->parent != call->parent || r->func != call->func) return false;
    return !s->c->options.by_site || (r->file == call->file && r->line == call->line);
}

static uint32_t row_for(struct side *s, const struct side_call *call)
{
    uint64_t hash = hash_mix(call->parent, call->func);
    if (s->c->options.by_site) hash = hash_mix(hash_mix(hash, call->file), call->line);
    for (struct index_walk w = index_walk(&s->row_index, hash); index_next(&s->row_index, &w);)
        if (is_row_of(s, &s->rows.at[w.id - 1], call)) return w.id;
    struct callers_row *row = vec_push(s->c->mem, &s->rows);
    if (!row || !index_add(&s->row_index, hash, (uint32_t)s->rows.len)) return 0;
    *row = (struct callers_row){ .func = call->func, .parent = call->parent, .file = call->file, .line = call->line };
    row->depth = call->parent ? s->rows.at[call->parent - 1].depth + 1 : 1;
    row->is_recursion = call->is_recursion;
    row->is_inside = call->is_inside;
    return (uint32_t)s->rows.len;
}

static uint32_t site_for(struct side *s, uint32_t row, const struct side_call *call)
{
    uint64_t hash = hash_mix(hash_mix(row, call->file), call->line);
    for (struct index_walk w = index_walk(&s->site_index, hash); index_next(&s->site_index, &w);) {
        const struct side_site *site = &s->sites.at[w.id - 1];
        if (site->row == row && site->file == call->file && site->line == call->line) return w.id;
    }
    struct side_site *site = vec_push(s->c->mem, &s->sites);
    if (!site || !index_add(&s->site_index, hash, (uint32_t)s->sites.len)) return 0;
    *site = (struct side_site){ row, call->file, call->line };
    s->rows.at[row - 1].sites++;
    return (uint32_t)s->sites.len;
}

uint32_t side_add(struct side *s, const struct side_call *call)
{
    uint32_t row = row_for(s, call), site = row ? site_for(s, row, call) : 0;
    struct side_item *item = site ? vec_push(s->c->mem, &s->items) : NULL;
    if (!item) return 0;
    *item = (struct side_item){ row - 1, site - 1, call->source, call->is_counted };
    struct callers_row *r = &s->rows.at[row - 1];
    if (__builtin_add_overflow(r->calls, call->calls, &r->calls)) r->calls = UINT64_MAX;
    r->contexts += call->contexts;
    return row;
}

/* ---- figures ---- */

static enum assay_type type_of(const struct side *s, uint32_t k) { return (enum assay_type)((const struct top *)s->c->top)->types[k]; }

static assay_value item_total(const struct side *s, const struct side_item *item, uint32_t k)
{
    const struct levels *x = s->c->levels;
    if (!x) return arcs_total(&s->c->arcs, item->source, k);
    return item->is_counted ? sums_value(&x->totals[k], item->source) : (assay_value){ 0 };
}

static assay_value item_recursive(const struct side *s, const struct side_item *item, uint32_t k)
{
    const struct levels *x = s->c->levels;
    if (!x) return arcs_recursive(&s->c->arcs, item->source, k);
    return item->is_counted ? (assay_value){ 0 } : sums_value(&x->totals[k], item->source);
}

static int sum_metric(const struct side *s, uint32_t k, struct callers_side *out, assay_error *err)
{
    size_t width = s->c->top->metric_count;
    SCOPED(sums_done) struct sums total = { 0 }, recursive = { 0 };
    if (!sums_init(&total, s->c->mem, type_of(s, k), s->rows.len + 1)) return error_memory(err);
    if (!sums_init(&recursive, s->c->mem, type_of(s, k), s->rows.len + 1)) return error_memory(err);
    for (size_t i = 0; i < s->items.len; i++) {
        TRY(cancel_step(i, err));
        sums_add(&total, s->items.at[i].row, item_total(s, &s->items.at[i], k));
        sums_add(&recursive, s->items.at[i].row, item_recursive(s, &s->items.at[i], k));
    }
    for (size_t row = 0; row < s->rows.len; row++) {
        TRY(cancel_step(row, err));
        out->total[row * width + k] = sums_value(&total, row);
        out->recursive[row * width + k] = sums_value(&recursive, row);
    }
    return 0;
}

/* A row of several sites shows the one that cost most; of equal ones the first. */
static int choose_sites(struct side *s, assay_error *err)
{
    uint32_t k = s->c->options.k;
    SCOPED(sums_done) struct sums sums = { 0 };
    SCRATCH(uint32_t, best, s->c->mem, s->rows.len + 1);
    if (!best || !sums_init(&sums, s->c->mem, type_of(s, k), s->sites.len + 1)) return error_memory(err);
    for (size_t i = 0; i < s->items.len; i++) {
        TRY(cancel_step(i, err));
        sums_add(&sums, s->items.at[i].site, item_total(s, &s->items.at[i], k));
    }
    for (uint32_t i = 0; i < s->sites.len; i++) {
        TRY(cancel_step(i, err));
        uint32_t row = s->sites.at[i].row - 1;
        if (best[row] && value_compare(sums.type, sums_value(&sums, i), sums_value(&sums, best[row] - 1)) <= 0) continue;
        best[row] = i + 1;
        s->rows.at[row].file = s->sites.at[i].file;
        s->rows.at[row].line = s->sites.at[i].line;
    }
    return 0;
}

/* ---- order ---- */

struct ordering {
    const struct side *s;
    const assay_value *total;
    enum assay_sort sort;
};

static int by_total(const struct ordering *o, uint32_t a, uint32_t b)
{
    uint32_t width = o->s->c->top->metric_count, k = o->s->c->options.k;
    return width ? value_compare(type_of(o->s, k), o->total[(size_t)b * width + k], o->total[(size_t)a * width + k]) : 0;
}

static int compare(const void *x, const void *y, void *arg)
{
    const struct ordering *o = arg;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const struct callers_row *p = &o->s->rows.at[a], *q = &o->s->rows.at[b];
    int by_calls = ORDER(q->calls, p->calls), c = 0;
    if (o->sort == ASSAY_SORT_CALLS) c = by_calls;
    if (o->sort != ASSAY_SORT_NAME && !c) c = by_total(o, a, b);
    if (o->sort == ASSAY_SORT_TOTAL && !c) c = by_calls;
    if (!c) c = ORDER(p->depth, q->depth); /* callers of callers come after what they belong to */
    if (!c) c = slice_compare(arcs_name(&o->s->c->arcs, p->func), arcs_name(&o->s->c->arcs, q->func));
    if (!c) c = by_total(o, a, b);
    return c ? c : ORDER(a, b);
}

static bool is_large(const struct ordering *o, uint32_t row)
{
    const struct callers *c = o->s->c;
    uint32_t width = c->top->metric_count, k = c->options.k;
    const double *whole = assay_profile_metrics(c->profile)->total_double;
    if (!width || !whole || !(c->options.least > 0)) return true;
    return value_double(type_of(o->s, k), o->total[(size_t)row * width + k]) >= c->options.least * whole[c->top->metrics[k].v];
}

/* What is to be shown: rows of more than one level by total, because then what a row belongs to comes before it. */
static void choose_rows(const struct side *s, const struct ordering *by, uint32_t *list, uint8_t *is_shown)
{
    uint32_t n = (uint32_t)s->rows.len;
    uint64_t left = s->c->options.limit ? s->c->options.limit : UINT64_MAX;
    struct ordering o = *by;
    if (s->c->options.depth > 1) o.sort = ASSAY_SORT_TOTAL;
    for (uint32_t i = 0; i < n; i++) list[i] = i;
    sort_with(list, n, sizeof *list, compare, &o);
    for (uint32_t i = 0; i < n && left; i++) {
        uint32_t parent = s->rows.at[list[i]].parent;
        if ((parent && !is_shown[parent - 1]) || !is_large(&o, list[i])) continue;
        is_shown[list[i]] = 1;
        left--;
    }
    if (o.sort != by->sort) sort_with(list, n, sizeof *list, compare, (void *)by);
}

/* Lists of children in the order of `list`: first[0] of the function itself, first[row + 1] of a row; next[row]. Numbers are row + 1. */
static void link_rows(const struct side *s, const uint32_t *list, uint32_t *first, uint32_t *next)
{
    for (size_t i = s->rows.len; i > 0; i--) {
        uint32_t row = list[i - 1], parent = s->rows.at[row].parent;
        next[row] = first[parent];
        first[parent] = row + 1;
    }
}

/* The rows that are shown, each before those that belong to it: `list` gets their numbers; returns how many. */
static uint32_t lay_out(const struct side *s, const uint8_t *is_shown, const uint32_t *first, const uint32_t *next, uint32_t *list)
{
    uint32_t n = 0, at = first[0];
    while (at) {
        uint32_t row = at - 1;
        if (is_shown[row]) list[n++] = row;
        if (is_shown[row] && first[at]) {
            at = first[at];
            continue;
        }
        while (at && !next[at - 1]) at = s->rows.at[at - 1].parent;
        if (at) at = next[at - 1];
    }
    return n;
}

static int sum_rest(const struct side *s, const uint8_t *is_shown, uint32_t k, struct callers_side *out, assay_error *err)
{
    size_t width = s->c->top->metric_count;
    SCOPED(sums_done) struct sums rest = { 0 };
    if (!sums_init(&rest, s->c->mem, type_of(s, k), 1)) return error_memory(err);
    for (size_t row = 0; row < s->rows.len && !cancel_at(row); row++)
        if (!is_shown[row] && !s->rows.at[row].parent) sums_add(&rest, 0, out->total[row * width + k]);
    out->rest[k] = sums_value(&rest, 0);
    return 0;
}

static int note_rest(const struct side *s, const uint8_t *is_shown, struct callers_side *out, assay_error *err)
{
    for (size_t row = 0; row < s->rows.len; row++) out->left_out += !is_shown[row] && !s->rows.at[row].parent;
    for (uint32_t k = 0; out->left_out && k < s->c->top->metric_count; k++) TRY(sum_rest(s, is_shown, k, out, err));
    return 0;
}

/* ---- the result ---- */

/* Rows and figures in the order of `list`; parents by their new numbers. */
static int move_rows(const struct side *s, const uint32_t *list, uint32_t *place, struct callers_side *out, assay_error *err)
{
    size_t width = s->c->top->metric_count, cells = out->len * width;
    assay_value *total = mem_zalloc(s->c->mem, cells, sizeof *total), *recursive = mem_zalloc(s->c->mem, cells, sizeof *recursive);
    bool has_room = total && recursive;
    for (uint32_t i = 0; has_room && i < out->count && (has_room = !cancel_at(i)); i++) {
        uint32_t row = list[i];
        out->rows[i] = s->rows.at[row];
        place[row] = i + 1;
        if (out->rows[i].parent) out->rows[i].parent = place[out->rows[i].parent - 1];
        for (size_t k = 0; k < width; k++) {
            total[i * width + k] = out->total[row * width + k];
            recursive[i * width + k] = out->recursive[row * width + k];
        }
    }
    mem_free(s->c->mem, has_room ? out->total : total, cells * sizeof *total);
    mem_free(s->c->mem, has_room ? out->recursive : recursive, cells * sizeof *recursive);
    if (!has_room) return error_memory(err);
    out->total = total;
    out->recursive = recursive;
    return 0;
}

static int put_in_order(const struct side *s, struct callers_side *out, assay_error *err)
{
    size_t n = s->rows.len + 1;
    SCRATCH(uint32_t, list, s->c->mem, n);
    SCRATCH(uint32_t, first, s->c->mem, n);
    SCRATCH(uint32_t, next, s->c->mem, n);
    SCRATCH(uint8_t, is_shown, s->c->mem, n);
    struct ordering o = { s, out->total, s->c->options.sort };
    if (!list || !first || !next || !is_shown) return error_memory(err);
    choose_rows(s, &o, list, is_shown);
    link_rows(s, list, first, next);
    out->count = lay_out(s, is_shown, first, next, list);
    TRY(note_rest(s, is_shown, out, err));
    return move_rows(s, list, next, out, err); /* `next` is not needed any longer */
}

int side_finish(struct side *s, struct callers_side *out, assay_error *err)
{
    size_t cells, width = s->c->top->metric_count;
    out->len = s->rows.len + 1;
    if (!size_mul(&cells, out->len, width)) return error_memory(err);
    out->rows = mem_zalloc(s->c->mem, out->len, sizeof *out->rows);
    out->total = mem_zalloc(s->c->mem, cells, sizeof *out->total);
    out->recursive = mem_zalloc(s->c->mem, cells, sizeof *out->recursive);
    out->rest = mem_zalloc(s->c->mem, width + 1, sizeof *out->rest);
    if (!out->rows || !out->total || !out->recursive || !out->rest) return error_memory(err);
    for (uint32_t k = 0; k < width; k++)
        if (s->c->options.all_metrics || k == s->c->options.k) TRY(sum_metric(s, k, out, err));
    TRY(choose_sites(s, err));
    return put_in_order(s, out, err);
}
