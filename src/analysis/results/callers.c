/* assay_callers: blocks of callers and callees (analysis/callers) as columns. */
#include "analysis/callers/callers.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/core/top.h"
#include "analysis/results/result.h"
#include "assay/callers.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"
#include "base/scoped.h"
#include "base/slice.h"

struct callers_result {
    assay_callers pub; /* first, so that an assay_callers * is a struct callers_result * */
    struct result base;
    /* while it is made */
    const struct callers *from;
    struct result_columns shown;
};

struct rows {
    uint32_t *parent, *depth, *line, *sites, *cycle;
    assay_slice *name;
    assay_func_id *func;
    assay_file_id *file;
    uint64_t *calls, *contexts;
    uint8_t *flags;
    assay_value *total, *recursive, *rest;
};

/* ---- one side of a block ---- */

static int make_rows(struct callers_result *r, struct rows *w, size_t count, assay_callers_side *s, assay_error *err)
{
    bool failed = false;
    struct result *base = &r->base;
    size_t cells;
    if (!size_mul(&cells, count, r->shown.count)) return error_memory(err);
    s->parent = w->parent = result_array(base, count, sizeof *w->parent, &failed);
    s->depth = w->depth = result_array(base, count, sizeof *w->depth, &failed);
    s->name = w->name = result_array(base, count, sizeof *w->name, &failed);
    s->func = w->func = result_array(base, count, sizeof *w->func, &failed);
    s->file = w->file = result_array(base, count, sizeof *w->file, &failed);
    s->line = w->line = result_array(base, count, sizeof *w->line, &failed);
    s->sites = w->sites = result_array(base, count, sizeof *w->sites, &failed);
    s->calls = w->calls = result_array(base, count, sizeof *w->calls, &failed);
    s->contexts = w->contexts = result_array(base, count, sizeof *w->contexts, &failed);
    s->cycle = w->cycle = result_array(base, count, sizeof *w->cycle, &failed);
    s->flags = w->flags = result_array(base, count, sizeof *w->flags, &failed);
    s->total = w->total = result_array(base, cells, sizeof *w->total, &failed);
    w->recursive = r->from->arcs.recursive ? result_array(base, cells, sizeof *w->recursive, &failed) : NULL;
    s->recursive = w->recursive;
    s->rest = w->rest = result_array(base, r->shown.count, sizeof *w->rest, &failed);
    return failed ? error_memory(err) : 0;
}

static void put_row(const struct callers_result *r, const struct rows *w, size_t at, const struct callers_row *row)
{
    const struct callers *c = r->from;
    w->parent[at] = row->parent;
    w->depth[at] = row->depth;
    w->name[at] = arcs_name(&c->arcs, row->func);
    w->func[at] = result_func_id(&r->base, row->func);
    w->file[at] = (assay_file_id){ row->file };
    w->line[at] = row->line;
    w->sites[at] = row->sites;
    w->calls[at] = row->calls;
    w->contexts[at] = c->arcs.is_tree ? row->contexts : 0;
    w->cycle[at] = c->cycles.of[row->func];
    w->flags[at] = (uint8_t)((row->is_recursion ? ASSAY_CALLERS_RECURSION : 0) | (row->is_inside ? ASSAY_CALLERS_INSIDE : 0));
}

static int put_side(struct callers_result *r, const struct callers_side *from, assay_callers_side *to, assay_error *err)
{
    struct rows w = { 0 };
    size_t width = r->from->top->metric_count;
    TRY(make_rows(r, &w, (size_t)from->count + 1, to, err));
    for (uint32_t i = 0; i < from->count; i++) {
        TRY(cancel_step(i, err));
        put_row(r, &w, (size_t)i + 1, &from->rows[i]);
        result_put(&r->shown, w.total, (size_t)i + 1, from->total + i * width);
        if (w.recursive) result_put(&r->shown, w.recursive, (size_t)i + 1, from->recursive + i * width);
    }
    to->count = from->count;
    to->left_out = from->left_out;
    result_put(&r->shown, w.rest, 0, from->rest);
    return 0;
}

/* ---- blocks ---- */

static int name_block(struct callers_result *r, const struct callers_subject *s, assay_callers_block *to, assay_error *err)
{
    const struct callers *c = r->from;
    char name[32];
    if (!s->cycle) {
        to->func = c->top->func[s->row];
        to->name = result_function(&r->base, to->func.v);
        to->cycle = c->cycles.of[to->func.v];
        return 0;
    }
    int len = snprintf(name, sizeof name, "<cycle %u>", s->cycle);
    to->name = (assay_slice){ arena_copy(&r->base.arena, slice_of(name)), (size_t)len };
    to->cycle = s->cycle;
    to->members = c->cycles.members[s->cycle];
    return to->name.data ? 0 : error_memory(err);
}

static int put_block(struct callers_result *r, const struct callers_block *from, assay_callers_block *to, assay_error *err)
{
    const struct callers *c = r->from;
    bool failed = false;
    assay_value *self = result_array(&r->base, r->shown.count, sizeof *self, &failed);
    assay_value *total = result_array(&r->base, r->shown.count, sizeof *total, &failed);
    if (failed) return error_memory(err);
    TRY(name_block(r, &from->subject, to, err));
    to->calls = callers_calls(c, from->subject);
    result_put(&r->shown, self, 0, callers_self(c, from->subject));
    result_put(&r->shown, total, 0, callers_total(c, from->subject));
    to->self = self;
    to->total = total;
    TRY(put_side(r, &from->callers, &to->callers, err));
    return put_side(r, &from->callees, &to->callees, err);
}

static int refuse(const struct callers *c, const char *function, assay_error *err)
{
    assay_slice near = callers_nearest(c, function);
    if (near.data) FAIL(err, ASSAY_ERR_USAGE, "no function matches '%.100s'; did you mean '%.100s'?", function, near.data);
    FAIL(err, ASSAY_ERR_USAGE, "no function matches '%.100s'", function);
}

static int put_blocks(struct callers_result *r, const struct callers_found *found, uint64_t most, assay_error *err)
{
    bool failed = false;
    size_t count = most && most < found->len ? (size_t)most : found->len;
    assay_callers_block *blocks = result_array(&r->base, count, sizeof *blocks, &failed);
    int rc = failed ? error_memory(err) : 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        struct callers_block block;
        rc = callers_block_init(&block, r->from, found->at[i], err);
        if (rc == 0) rc = put_block(r, &block, &blocks[i], err);
        callers_block_done(&block, r->from);
    }
    r->pub.blocks = blocks;
    r->pub.count = (uint32_t)count;
    r->pub.found = found->len;
    return rc;
}

/* ---- all of it ---- */

static struct callers_options options_of(const struct assay_callers_options *o, const struct metric_columns *columns, bool is_all)
{
    return (struct callers_options){ .k = metric_columns_key(columns),
                                     .all_metrics = is_all || columns->count > 1 || columns->at[0].formula,
                                     .columns = columns,
                                     .sort = (enum assay_sort)(ASSAY_SORT_TOTAL + o->sort),
                                     .by_site = o->by_site,
                                     .depth = o->depth ? o->depth : 1,
                                     .limit = o->limit,
                                     .least = o->least,
                                     .is_collapsed = o->cycles };
}

static int find(struct callers_result *r, const char *function, const struct assay_callers_options *o, const assay_top *top,
                const struct metric_columns *columns, assay_error *err)
{
    struct callers c;
    struct callers_found found = { 0 };
    struct callers_options options = options_of(o, columns, !r->base.metric);
    int rc = callers_init(&c, &r->base.mem, r->base.profile, top, &options, err);
    r->from = &c;
    if (rc == 0) rc = result_columns_init(&r->shown, &r->base, columns, err);
    if (rc == 0) rc = callers_find(&c, function, &found, err);
    if (rc == 0 && !found.len) rc = refuse(&c, function, err);
    if (rc == 0) rc = put_blocks(r, &found, o->functions, err);
    vec_done(&r->base.mem, &found);
    callers_done(&c);
    r->from = NULL;
    r->pub.profile = r->base.profile;
    r->pub.column_count = r->shown.count;
    r->pub.columns = r->shown.at;
    r->pub.key = r->shown.key;
    return rc;
}

static int fill(struct callers_result *r, const char *function, const struct assay_callers_options *o, assay_error *err)
{
    SCOPED(top_drop) assay_top *top = NULL;
    SCOPED(metric_columns_done) struct metric_columns columns = { 0 };
    TRY(assay_top_new(r->base.profile, &top, err));
    struct metric_set set = { .profile = r->base.profile, .at = top->metrics, .count = top->metric_count };
    TRY(metric_columns_init(&columns, &r->base.mem, &set, r->base.metric, err));
    return find(r, function, o, top, &columns, err);
}

int assay_callers_new(const assay_profile *p, const char *function, const struct assay_callers_options *options, assay_callers **out, assay_error *err)
{
    assay_error local;
    struct assay_callers_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(options_take(&o, sizeof o, options, err));
    if (o.sort > ASSAY_CALLERS_SORT_NAME) FAIL(err, ASSAY_ERR_USAGE, "no such order of callers");
    struct callers_result *r = calloc(1, sizeof *r);
    if (!r) return error_memory(err);
    int rc = result_init(&r->base, p, o.metric, err);
    if (rc == 0) rc = fill(r, function, &o, err);
    rc = cancel_end(rc, err);
    if (rc == 0)
        *out = &r->pub;
    else
        assay_callers_free(&r->pub);
    return rc;
}

void assay_callers_free(assay_callers *callers)
{
    struct callers_result *r = (struct callers_result *)callers;
    if (!r) return;
    result_done(&r->base);
    free(r);
}
