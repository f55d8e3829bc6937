/* A profile with weighted sums; see weighted.h. Tables without values are those of the base; values of graphs, lines and events are laid out anew, those of
 * trees are computed when they are asked for (weighted_values.c). */
#include "model/weighted.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "model/entry.h"
#include "model/profile.h"
#include "model/value.h"
#include "model/weighted_values.h"

struct widening {
    assay_profile *base, *to;
    const struct weighted_sum *sums;
    size_t count;
    /* columns of `to`, by id */
    assay_str_id *name, *unit, *scope_name, *stat_formula;
    uint8_t *type, *scope_kind;
    uint32_t *carried;
    double *total;
    assay_metric_id *scope_metric;
    assay_scope_id *stat_scope;
};

static enum assay_type type_of(const assay_profile *p, uint32_t metric) { return p->metrics.type ? (enum assay_type)p->metrics.type[metric] : ASSAY_U64; }

/* Zeroed memory of the new profile; NULL = there is none. */
static void *take(struct widening *w, size_t count, size_t size)
{
    struct owned_block *block = vec_push(&w->to->mem, &w->to->blocks);
    if (!block) return NULL;
    *block = (struct owned_block){ mem_zalloc(&w->to->mem, count + 1, size), (count + 1) * size };
    if (block->at) return block->at;
    w->to->blocks.len--;
    return NULL;
}

/* ---- the metrics ---- */

/* A copy of a column (rows from 1) with room for more; NULL = no memory. */
static void *lengthen(struct widening *w, const void *from, size_t rows, size_t more, size_t size)
{
    void *to = take(w, rows + more, size);
    if (to && from) memcpy(to, from, (rows + 1) * size);
    return to;
}
#define LONGER(column, rows, more) lengthen(w, column, rows, more, sizeof *(column))

static bool is_part(const struct weighted_sum *s, uint32_t metric) { return s->weight[metric] < 0 || s->weight[metric] > 0; }

static double total_of(const assay_profile *p, uint32_t metric)
{
    const struct assay_metrics *m = &p->metrics;
    if (type_of(p, metric) == ASSAY_F64) return AT(m->total_double, metric);
    return m->total ? wide_double(m->total[metric]) : 0;
}

/* That of all parts, where they are only added or subtracted: who multiplies may mean another. */
static uint32_t unit_of(const struct widening *w, const struct weighted_sum *s)
{
    uint32_t unit = 0;
    bool is_first = true;
    for (uint32_t k = 1; k <= w->base->metrics.count; k++) {
        if (!is_part(s, k)) continue;
        uint32_t its = ID(w->base->metrics.unit, k);
        bool is_once = s->weight[k] == 1 || s->weight[k] == -1;
        if (!is_once || (!is_first && its != unit)) return 0;
        unit = its;
        is_first = false;
    }
    return unit;
}

static int put_metric(struct widening *w, size_t i)
{
    const struct weighted_sum *s = &w->sums[i];
    uint32_t count = w->base->metrics.count, id = count + 1 + (uint32_t)i, shapes = UINT32_MAX;
    double total = 0;
    for (uint32_t k = 1; k <= count; k++) {
        if (!is_part(s, k)) continue;
        shapes &= AT(w->base->metrics.shapes, k);
        total += s->weight[k] * total_of(w->base, k);
    }
    w->unit[id].v = unit_of(w, s);
    w->name[id].v = intern_put(&w->to->strings, s->name);
    w->type[id] = ASSAY_F64;
    w->carried[id] = shapes == UINT32_MAX ? 0 : shapes;
    w->total[id] = total;
    return w->name[id].v ? 0 : ASSAY_ERR_MEMORY;
}

static int put_metrics(struct widening *w)
{
    struct assay_metrics *m = &w->to->metrics;
    size_t rows = m->count, more = w->count;
    m->name = w->name = LONGER(m->name, rows, more);
    m->type = w->type = LONGER(m->type, rows, more);
    m->shapes = w->carried = LONGER(m->shapes, rows, more);
    m->total_double = w->total = LONGER(m->total_double, rows, more);
    m->total = LONGER(m->total, rows, more);
    m->unit = w->unit = LONGER(m->unit, rows, more);
    m->description = LONGER(m->description, rows, more);
    m->formula = LONGER(m->formula, rows, more);
    m->hidden = LONGER(m->hidden, rows, more);
    m->has_stated = LONGER(m->has_stated, rows, more);
    m->kind = LONGER(m->kind, rows, more);
    m->is_default = LONGER(m->is_default, rows, more);
    m->period = LONGER(m->period, rows, more);
    m->period_type = LONGER(m->period_type, rows, more);
    m->period_unit = LONGER(m->period_unit, rows, more);
    bool is_there = m->name && m->type && m->shapes && m->total_double && m->total && m->unit && m->description && m->formula && m->hidden && m->has_stated &&
                    m->kind && m->is_default && m->period && m->period_type && m->period_unit;
    if (!is_there) return ASSAY_ERR_MEMORY;
    m->count += (uint32_t)more;
    for (size_t i = 0; i < more; i++) TRY(put_metric(w, i));
    return 0;
}

/* ---- blocks of values ---- */

struct block_plan {
    struct widening *w;
    const struct assay_block *from;
    uint32_t *sum; /* of the columns that are new: which sum */
    uint32_t more;
};

static bool has_all(const struct block_plan *b, const struct weighted_sum *s)
{
    uint32_t parts = 0, found = 0;
    for (uint32_t k = 1; k <= b->w->base->metrics.count; k++) parts += is_part(s, k);
    for (uint32_t k = 0; k < b->from->metric_count; k++) found += is_part(s, b->from->metrics[k].v);
    return parts && parts == found;
}

static int plan_block(struct block_plan *b, struct assay_block *to)
{
    b->sum = take(b->w, b->w->count, sizeof *b->sum);
    assay_metric_id *metrics = take(b->w, b->from->metric_count + b->w->count, sizeof *metrics);
    if (!b->sum || !metrics) return ASSAY_ERR_MEMORY;
    for (uint32_t k = 0; k < b->from->metric_count; k++) metrics[k] = b->from->metrics[k];
    for (uint32_t i = 0; i < b->w->count; i++) {
        if (!has_all(b, &b->w->sums[i])) continue;
        metrics[b->from->metric_count + b->more].v = b->w->base->metrics.count + 1 + i;
        b->sum[b->more++] = i;
    }
    *to = (struct assay_block){ b->from->metric_count + b->more, metrics };
    return 0;
}

static double sum_of(const struct block_plan *b, const struct weighted_sum *s, const assay_value *row)
{
    double sum = 0;
    for (uint32_t k = 0; k < b->from->metric_count; k++)
        if (is_part(s, b->from->metrics[k].v)) sum += s->weight[b->from->metrics[k].v] * value_double(type_of(b->w->base, b->from->metrics[k].v), row[k]);
    return sum;
}

/* Where the values of short rows stand; NULL = rows are full. */
struct short_layout {
    const uint64_t *begin;
    const uint32_t *len;
};

/* The same rows with the sums after them, and full. A column that is NULL stays so, unless its short rows are only empty. */
static int widen_short(const struct block_plan *b, uint64_t rows, const struct short_layout *layout, const assay_value **values)
{
    size_t width = b->from->metric_count, to_width = width + b->more, cells;
    if (!b->more || (!*values && !layout->begin)) return 0;
    if (!size_mul(&cells, (size_t)rows, to_width)) return ASSAY_ERR_MEMORY;
    assay_value *to = take(b->w, cells, sizeof *to);
    if (!to) return ASSAY_ERR_MEMORY;
    for (size_t row = 0; *values && row < rows; row++) {
        const assay_value *from = *values + (layout->begin ? layout->begin[row] : row * width);
        memcpy(to + row * to_width, from, (layout->begin ? layout->len[row] : width) * sizeof *to);
        for (uint32_t i = 0; i < b->more; i++) to[row * to_width + width + i].d = sum_of(b, &b->w->sums[b->sum[i]], to + row * to_width);
    }
    *values = to;
    return 0;
}

static int widen(const struct block_plan *b, uint64_t rows, const assay_value **values)
{
    return *values ? widen_short(b, rows, &(struct short_layout){ NULL, NULL }, values) : 0;
}

static int widen_graph(struct widening *w)
{
    struct assay_graph *g = &w->to->graph;
    struct block_plan b = { .w = w, .from = &w->base->graph.block };
    const struct short_layout sums = { g->sum_begin, g->sum_len }, costs = { g->cost_begin, g->cost_len }, arcs = { g->arc_begin, g->arc_len };
    const assay_value **full[] = { &g->sum_self, &g->sum_in, &g->sum_out, &g->sum_recursive }, **lazy[] = { &g->sum_nested, &g->stated_total };
    const assay_value **more[] = { &g->arc_self, &g->arc_recursive, &g->arc_nested };
    TRY(plan_block(&b, &g->block));
    if (!b.more) return 0;
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) TRY(widen_short(&b, g->sum_count, &sums, full[i]));
    for (size_t i = 0; i < sizeof lazy / sizeof *lazy; i++)
        if (*lazy[i]) TRY(widen_short(&b, g->sum_count, &sums, lazy[i]));
    TRY(widen_short(&b, g->arc_count, &arcs, &g->arc_total));
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (*more[i]) TRY(widen_short(&b, g->arc_count, &arcs, more[i]));
    TRY(widen_short(&b, g->cost_count, &costs, &g->cost_self));
    g->sum_begin = g->cost_begin = g->arc_begin = NULL;
    g->sum_len = g->cost_len = g->arc_len = NULL;
    return 0;
}

static int widen_lines(struct widening *w)
{
    struct assay_lines *l = &w->to->lines;
    struct block_plan b = { .w = w, .from = &w->base->lines.block };
    TRY(plan_block(&b, &l->block));
    TRY(widen(&b, l->count, &l->self));
    return widen(&b, l->count, &l->total);
}

static int widen_timeline(struct widening *w)
{
    struct assay_timeline *t = &w->to->timeline;
    struct block_plan b = { .w = w, .from = &w->base->timeline.block };
    TRY(plan_block(&b, &t->block));
    return widen(&b, t->count, &t->weight);
}

/* ---- the columns of a tree ---- */

static uint32_t scope_of(const assay_profile *p, uint32_t metric, uint8_t kind, const char *name)
{
    const struct assay_scopes *s = &p->scopes;
    for (uint32_t id = 1; id <= s->count; id++)
        if (s->metric[id].v == metric && s->kind[id] == kind && (!name || slice_is(intern_get(&p->strings, ID(s->name, id)), name))) return id;
    return 0;
}

static uint32_t stat_of(const assay_profile *p, uint32_t scope)
{
    const struct assay_stats *s = &p->stats;
    for (uint32_t id = 1; id <= s->count; id++)
        if (s->scope[id].v == scope && s->combine[id] == ASSAY_COMBINE_SUM && slice_is(intern_get(&p->strings, s->formula[id].v), "$$")) return id;
    return 0;
}

/* The parts of one new column: a scope of each metric that has a weight, or its sum over the streams. 0 parts = one of them has none. */
static int find_parts(struct widening *w, const struct weighted_sum *s, uint8_t kind, bool is_summary, struct weighted_column *out)
{
    const assay_profile *p = w->base;
    *out = (struct weighted_column){ .at = take(w, p->metrics.count, sizeof *out->at) };
    if (!out->at) return ASSAY_ERR_MEMORY;
    for (uint32_t m = 1; m <= p->metrics.count; m++) {
        if (!is_part(s, m)) continue;
        uint32_t column = scope_of(p, m, kind, kind == ASSAY_SCOPE_CUSTOM ? "call" : NULL);
        if (is_summary && column) column = stat_of(p, column);
        if (!column) {
            out->count = 0;
            return 0;
        }
        out->at[out->count++] = (struct weighted_part){ column, type_of(p, m), s->weight[m] };
    }
    return 0;
}

enum { KINDS = ASSAY_SCOPE_CUSTOM + 1 };

static int put_scope(struct widening *w, size_t i, uint8_t kind, struct weighted_values *v)
{
    struct assay_scopes *s = &w->to->scopes;
    struct assay_stats *t = &w->to->stats;
    struct weighted_column column, stat;
    TRY(find_parts(w, &w->sums[i], kind, false, &column));
    if (!column.count) return 0;
    TRY(find_parts(w, &w->sums[i], kind, true, &stat));
    uint32_t id = ++s->count;
    w->scope_metric[id].v = w->base->metrics.count + 1 + (uint32_t)i;
    w->scope_kind[id] = kind;
    if (kind == ASSAY_SCOPE_CUSTOM) w->scope_name[id].v = intern_find(&w->to->strings, SLICE("call"));
    v->columns[v->column_count++] = column;
    if (!stat.count) return 0;
    uint32_t of = ++t->count;
    w->stat_scope[of].v = id;
    w->stat_formula[of].v = intern_find(&w->to->strings, SLICE("$$"));
    v->stats[v->stat_count++] = stat;
    return 0;
}

static int widen_tree(struct widening *w)
{
    struct assay_scopes *s = &w->to->scopes;
    struct assay_stats *t = &w->to->stats;
    size_t more = w->count * KINDS, scopes = s->count, stats = t->count;
    struct weighted_values *v = take(w, 1, sizeof *v);
    if (!v) return ASSAY_ERR_MEMORY;
    *v = (struct weighted_values){ .base = w->base, .columns = take(w, more, sizeof *v->columns), .stats = take(w, more, sizeof *v->stats) };
    s->metric = w->scope_metric = LONGER(s->metric, scopes, more);
    s->kind = w->scope_kind = LONGER(s->kind, scopes, more);
    s->name = w->scope_name = LONGER(s->name, scopes, more);
    s->propagation = LONGER(s->propagation, scopes, more);
    t->scope = w->stat_scope = LONGER(t->scope, stats, more);
    t->formula = w->stat_formula = LONGER(t->formula, stats, more);
    t->combine = LONGER(t->combine, stats, more);
    bool is_there = v->columns && v->stats && s->metric && s->kind && s->name && s->propagation && t->scope && t->formula && t->combine;
    if (!is_there) return ASSAY_ERR_MEMORY;
    for (size_t i = 0; i < w->count; i++)
        for (uint8_t kind = 0; kind < KINDS; kind++) TRY(put_scope(w, i, kind, v));
    w->to->has_backing = true;
    w->to->backing = weighted_backing;
    w->to->backing_self = v;
    return 0;
}

/* ---- all of it ---- */

static int copy_strings(struct widening *w)
{
    intern_init(&w->to->strings, &w->to->mem);
    for (uint32_t id = 1; id <= intern_count(&w->base->strings); id++)
        if (!intern_put(&w->to->strings, intern_get(&w->base->strings, id))) return ASSAY_ERR_MEMORY;
    return 0;
}

static int fill(struct widening *w)
{
    TRY(copy_strings(w));
    TRY(put_metrics(w));
    TRY(widen_graph(w));
    TRY(widen_lines(w));
    TRY(widen_timeline(w));
    return w->base->tree.count ? widen_tree(w) : 0;
}

int profile_with_sums(assay_profile *p, const struct weighted_sum *sums, size_t count, uint64_t max_memory, assay_profile **out, assay_error *err)
{
    struct mem mem;
    *out = NULL;
    mem_init(&mem, (size_t)max_memory);
    assay_profile *to = mem_zalloc(&mem, 1, sizeof *to);
    if (!to) return error_memory(err);
    struct widening w = { .base = p, .to = to, .sums = sums, .count = count };
    *to = (assay_profile){ .mem = mem, .refs = 1, .base = assay_profile_retain(p), .format = p->format, .version = p->version, .producer = p->producer };
    to->shapes = p->shapes;
    to->offers = p->offers;
    to->warnings = p->warnings;
    to->modules = p->modules;
    to->files = p->files;
    to->funcs = p->funcs;
    to->metrics = p->metrics;
    to->scopes = p->scopes;
    to->stats = p->stats;
    to->streams = p->streams;
    to->tree = p->tree;
    to->graph = p->graph;
    to->lines = p->lines;
    to->timeline = p->timeline;
    to->coverage = p->coverage;
    to->attributes = p->attributes;
    to->counts = p->counts;
    if (fill(&w) == 0) {
        *out = to;
        return 0;
    }
    profile_free(to);
    return error_memory(err);
}
