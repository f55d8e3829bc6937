/* The rules of include/assay/model.h, checked on a profile: what every reader of its tables relies on. */
#include "harness.h"

#include "model/profile.h"

#include <string.h>

/* Every id of a column is that of a row; a NULL column is all zeros. `first`..`first + n` are the entries. */
#define IDS(column, n, limit)                                                                                                                                  \
    do {                                                                                                                                                       \
        for (uint64_t i_ = 0; (column) && i_ < (n); i_++)                                                                                                      \
            harness_promise((column)[i_].v <= (limit), "%s[%llu] is %u of %u", #column, (unsigned long long)i_, (column)[i_].v, (uint32_t)(limit));            \
    } while (0)

/* Reads every entry, so that a sanitizer sees columns that are too short. */
#define TOUCH(column, n)                                                                                                                                       \
    do {                                                                                                                                                       \
        unsigned char sum_ = 0;                                                                                                                                \
        const unsigned char *at_ = (const unsigned char *)(column);                                                                                            \
        for (uint64_t i_ = 0; (column) && i_ < (uint64_t)(n) * sizeof *(column); i_++) sum_ = (unsigned char)(sum_ + at_[i_]);                                 \
        touched += sum_;                                                                                                                                       \
    } while (0)

struct limits {
    uint32_t strings, modules, files, funcs, metrics, scopes, streams, nodes;
};

static volatile unsigned touched;

/* Strings have no table of their own: a known id has bytes that end with NUL. */
static void strings(const assay_profile *p, const assay_str_id *column, uint64_t n, const char *what)
{
    for (uint64_t i = 0; column && i < n; i++) {
        if (column[i].v == 0) continue;
        assay_slice s = assay_profile_string(p, column[i]);
        harness_promise(s.data != NULL && s.data[s.len] == '\0', "%s[%llu]: no string %u", what, (unsigned long long)i, column[i].v);
    }
}
#define STRINGS(column, n) strings(p, (column), (n), #column)

static void names(const assay_profile *p, const struct limits *l)
{
    const struct assay_modules *m = assay_profile_modules(p);
    const struct assay_files *f = assay_profile_files(p);
    const struct assay_funcs *u = assay_profile_funcs(p);
    STRINGS(m->path, (uint64_t)m->count + 1);
    STRINGS(m->build_id, (uint64_t)m->count + 1);
    STRINGS(f->path, (uint64_t)f->count + 1);
    STRINGS(f->source, (uint64_t)f->count + 1);
    STRINGS(f->origin, (uint64_t)f->count + 1);
    IDS(f->module, (uint64_t)f->count + 1, l->modules);
    IDS(f->parent, (uint64_t)f->count + 1, l->files);
    TOUCH(f->parent_line, f->count + 1);
    STRINGS(u->name, (uint64_t)u->count + 1);
    IDS(u->module, (uint64_t)u->count + 1, l->modules);
    IDS(u->file, (uint64_t)u->count + 1, l->files);
    TOUCH(u->first_line, u->count + 1);
    TOUCH(u->last_line, u->count + 1);
    TOUCH(u->offset, u->count + 1);
    TOUCH(u->kind, u->count + 1);
}

static void metrics(const assay_profile *p, const struct limits *l)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    const struct assay_scopes *s = assay_profile_scopes(p);
    const struct assay_stats *t = assay_profile_stats(p);
    const struct assay_streams *r = assay_profile_streams(p);
    STRINGS(m->name, (uint64_t)m->count + 1);
    STRINGS(m->unit, (uint64_t)m->count + 1);
    STRINGS(m->description, (uint64_t)m->count + 1);
    STRINGS(m->formula, (uint64_t)m->count + 1);
    TOUCH(m->total, m->count + 1);
    TOUCH(m->total_double, m->count + 1);
    TOUCH(m->has_stated, m->count + 1);
    for (uint32_t i = 0; m->type && i <= m->count; i++) harness_promise(m->type[i] <= ASSAY_F64, "metric %u of type %d", i, m->type[i]);
    IDS(s->metric, (uint64_t)s->count + 1, l->metrics);
    STRINGS(s->name, (uint64_t)s->count + 1);
    IDS(t->scope, (uint64_t)t->count + 1, l->scopes);
    STRINGS(t->formula, (uint64_t)t->count + 1);
    STRINGS(r->label, (uint64_t)r->count + 1);
    STRINGS(r->tuple_kind, r->tuple_count);
    TOUCH(r->tuple_logical, r->tuple_count);
    for (uint32_t i = 0; r->tuple_begin && i <= r->count; i++)
        harness_promise(r->tuple_begin[i] <= r->tuple_begin[i + 1] && r->tuple_begin[i + 1] <= r->tuple_count, "tuples of stream %u", i);
}

static void block(const struct assay_block *b, const struct limits *l)
{
    IDS(b->metrics, b->metric_count, l->metrics);
    for (uint32_t k = 0; k < b->metric_count; k++) harness_promise(b->metrics[k].v != 0, "block metric %u is none", k);
}

struct walk {
    const struct limits *l;
    bool any_order; /* a backing answers in the order of its file */
    uint32_t node, column;
};

static int cell(void *arg, const assay_cell *c)
{
    struct walk *w = arg;
    harness_promise(c->node <= w->l->nodes && c->column >= 1 && c->column <= w->l->scopes, "cell of node %u, column %u", c->node, c->column);
    harness_promise(w->any_order || c->node > w->node || (c->node == w->node && c->column > w->column) || w->column == 0, "cells out of order at node %u",
                    c->node);
    harness_promise(c->value.u != 0, "a stored zero at node %u", c->node);
    w->node = c->node;
    w->column = c->column;
    return 0;
}

static void tree(const assay_profile *p, const struct limits *l)
{
    const struct assay_tree *t = assay_profile_tree(p);
    uint64_t n = (uint64_t)t->count + 1;
    for (uint32_t i = 1; t->parent && i <= t->count; i++) harness_promise(t->parent[i].v < i, "parent %u of node %u comes after it", t->parent[i].v, i);
    for (uint64_t i = 0; t->kind && i < n; i++) harness_promise(t->kind[i] <= ASSAY_NODE_OTHER, "node %llu of kind %d", (unsigned long long)i, t->kind[i]);
    IDS(t->func, n, l->funcs);
    IDS(t->file, n, l->files);
    IDS(t->module, n, l->modules);
    TOUCH(t->relation, n);
    TOUCH(t->flags, n);
    TOUCH(t->line, n);
    TOUCH(t->offset, n);
    TOUCH(t->calls, n);
    TOUCH(t->origin, n);
    for (uint32_t s = 0; s <= l->streams; s++) {
        assay_error err = { 0 };
        struct walk w = { l, p->has_backing, 0, 0 };
        int rc = assay_tree_column(p, (assay_stream_id){ s }, (assay_scope_id){ 0 }, cell, &w, &err);
        harness_code(rc, &err, "assay_tree_column");
    }
}

static void graph(const assay_profile *p, const struct limits *l)
{
    const struct assay_graph *g = assay_profile_graph(p);
    uint64_t k = g->block.metric_count;
    block(&g->block, l);
    IDS(g->sum_stream, g->sum_count, l->streams);
    IDS(g->sum_func, g->sum_count, l->funcs);
    TOUCH(g->sum_self, g->sum_count * k);
    TOUCH(g->sum_in, g->sum_count * k);
    TOUCH(g->sum_out, g->sum_count * k);
    TOUCH(g->sum_recursive, g->sum_count * k);
    TOUCH(g->sum_calls, g->sum_count);
    TOUCH(g->sum_calls_recursive, g->sum_count);
    TOUCH(g->sum_entered, g->sum_count);
    TOUCH(g->has_stated, g->sum_count);
    TOUCH(g->stated_calls, g->sum_count);
    TOUCH(g->stated_total, g->sum_count * k);
    IDS(g->cost_stream, g->cost_count, l->streams);
    IDS(g->cost_func, g->cost_count, l->funcs);
    IDS(g->cost_file, g->cost_count, l->files);
    TOUCH(g->cost_line, g->cost_count);
    TOUCH(g->cost_address, g->cost_count);
    TOUCH(g->cost_self, g->cost_count * k);
    IDS(g->arc_stream, g->arc_count, l->streams);
    IDS(g->arc_caller, g->arc_count, l->funcs);
    IDS(g->arc_callee, g->arc_count, l->funcs);
    IDS(g->arc_file, g->arc_count, l->files);
    TOUCH(g->arc_line, g->arc_count);
    TOUCH(g->arc_address, g->arc_count);
    TOUCH(g->arc_calls, g->arc_count);
    TOUCH(g->arc_total, g->arc_count * k);
    TOUCH(g->arc_self, g->arc_count * k);
    TOUCH(g->arc_recursive, g->arc_count * k);
    TOUCH(g->arc_depth, g->arc_count);
    IDS(g->jump_stream, g->jump_count, l->streams);
    IDS(g->jump_func, g->jump_count, l->funcs);
    IDS(g->jump_to_func, g->jump_count, l->funcs);
    IDS(g->jump_file, g->jump_count, l->files);
    IDS(g->jump_to_file, g->jump_count, l->files);
    TOUCH(g->jump_executed, g->jump_count);
    TOUCH(g->jump_followed, g->jump_count);
}

static void lines(const assay_profile *p, const struct limits *l)
{
    const struct assay_lines *t = assay_profile_lines(p);
    block(&t->block, l);
    IDS(t->stream, t->count, l->streams);
    IDS(t->file, t->count, l->files);
    TOUCH(t->level, t->count);
    TOUCH(t->line, t->count);
    TOUCH(t->hits, t->count);
    TOUCH(t->self, (uint64_t)t->count * t->block.metric_count);
    TOUCH(t->total, (uint64_t)t->count * t->block.metric_count);
}

static void timeline(const assay_profile *p, const struct limits *l)
{
    const struct assay_timeline *t = assay_profile_timeline(p);
    block(&t->block, l);
    IDS(t->node, t->count, l->nodes);
    TOUCH(t->time, t->count);
    TOUCH(t->duration, t->count);
    TOUCH(t->weight, t->count * t->block.metric_count);
    for (uint32_t s = 0; t->begin && s <= t->stream_count; s++)
        harness_promise(t->begin[s] <= t->begin[s + 1] && t->begin[s + 1] <= t->count, "events of stream %u", s);
}

static void coverage_rows(const assay_profile *p, const struct assay_coverage *c, const struct limits *l)
{
    STRINGS(c->line_test, c->line_count);
    IDS(c->line_file, c->line_count, l->files);
    TOUCH(c->line_number, c->line_count);
    TOUCH(c->line_hits, c->line_count);
    TOUCH(c->line_flags, c->line_count);
    STRINGS(c->line_checksum, c->line_count);
    STRINGS(c->func_test, c->func_count);
    IDS(c->func, c->func_count, l->funcs);
    TOUCH(c->func_calls, c->func_count);
    STRINGS(c->branch_test, c->branch_count);
    IDS(c->branch_file, c->branch_count, l->files);
    IDS(c->branch_func, c->branch_count, l->funcs);
    STRINGS(c->branch_block, c->branch_count);
    STRINGS(c->branch_name, c->branch_count);
    TOUCH(c->branch_line, c->branch_count);
    TOUCH(c->branch_index, c->branch_count);
    TOUCH(c->branch_hits, c->branch_count);
    TOUCH(c->branch_flags, c->branch_count);
}

static void coverage(const assay_profile *p, const struct limits *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    coverage_rows(p, c, l);
    IDS(c->sum_file, c->sum_count, l->files);
    STRINGS(c->sum_kind, c->sum_count);
    for (uint32_t i = 0; i < c->sum_count; i++) harness_promise(c->sum_hit[i] <= c->sum_total[i], "%u of %u", c->sum_hit[i], c->sum_total[i]);
    IDS(c->condition_file, c->condition_count, l->files);
    STRINGS(c->condition_text, c->condition_count);
    TOUCH(c->condition_hits, c->condition_count);
    IDS(c->region_file, c->region_count, l->files);
    IDS(c->region_func, c->region_count, l->funcs);
    TOUCH(c->region_first, c->region_count);
    TOUCH(c->region_last, c->region_count);
    TOUCH(c->region_hits, c->region_count);
    IDS(c->stated_file, c->stated_count, l->files);
    STRINGS(c->stated_kind, c->stated_count);
}

static void facts(const assay_profile *p, const struct limits *l)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    const struct assay_counts *c = assay_profile_counts(p);
    IDS(a->stream, a->count, l->streams);
    STRINGS(a->key, a->count);
    STRINGS(a->value, a->count);
    STRINGS(c->name, c->count);
    TOUCH(c->value, c->count);
}

void harness_profile(const assay_profile *p)
{
    struct limits l = {
        .modules = assay_profile_modules(p)->count,
        .files = assay_profile_files(p)->count,
        .funcs = assay_profile_funcs(p)->count,
        .metrics = assay_profile_metrics(p)->count,
        .scopes = assay_profile_scopes(p)->count,
        .streams = assay_profile_streams(p)->count,
        .nodes = assay_profile_tree(p)->count,
    };
    names(p, &l);
    metrics(p, &l);
    tree(p, &l);
    graph(p, &l);
    lines(p, &l);
    timeline(p, &l);
    coverage(p, &l);
    facts(p, &l);
}
