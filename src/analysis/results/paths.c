/* assay_paths: contexts by function (analysis/paths) as columns; and estimated contexts. */
#include "analysis/paths/paths.h"

#include <stdlib.h>

#include "analysis/paths/estimate.h"
#include "analysis/results/result.h"
#include "assay/paths.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"
#include "base/scoped.h"

struct paths_result {
    assay_paths pub; /* first, so that an assay_paths * is a struct paths_result * */
    struct result base;
};

struct rows {
    uint32_t *parent, *depth, *end;
    uint8_t *kind;
    assay_func_id *func;
    assay_slice *name;
    uint64_t *calls;
    assay_value *self, *total;
};

static int make_rows(struct paths_result *r, struct rows *w, size_t count, assay_error *err)
{
    bool failed = false;
    assay_paths *p = &r->pub;
    p->parent = w->parent = result_array(&r->base, count, sizeof *w->parent, &failed);
    p->depth = w->depth = result_array(&r->base, count, sizeof *w->depth, &failed);
    p->end = w->end = result_array(&r->base, count, sizeof *w->end, &failed);
    p->kind = w->kind = result_array(&r->base, count, sizeof *w->kind, &failed);
    p->func = w->func = result_array(&r->base, count, sizeof *w->func, &failed);
    p->name = w->name = result_array(&r->base, count, sizeof *w->name, &failed);
    p->calls = w->calls = result_array(&r->base, count, sizeof *w->calls, &failed);
    p->self = w->self = result_array(&r->base, count, sizeof *w->self, &failed);
    p->total = w->total = result_array(&r->base, count, sizeof *w->total, &failed);
    return failed ? error_memory(err) : 0;
}

static void put_row(struct paths_result *r, const struct rows *w, const struct paths *s, uint32_t row, uint32_t parent, uint32_t to)
{
    const struct path_row *from = &s->rows.at[row];
    w->parent[to] = parent;
    w->depth[to] = from->depth;
    w->kind[to] = from->kind;
    w->func[to] = (assay_func_id){ from->func };
    w->name[to] = paths_name(s, row);
    w->calls[to] = from->calls;
    w->self[to] = sums_value(&s->self, row);
    w->total[to] = sums_value(&s->total, row);
    if (from->depth > r->pub.deepest) r->pub.deepest = from->depth;
}

/* From `row` on along its siblings: the first that is large enough; 0 = none is. */
static uint32_t large_enough(const struct paths *s, uint32_t row, double least)
{
    while (row && paths_total(s, row) < least) row = s->rows.at[row].next;
    return row;
}

/* Each row before those below it. */
static int walk(struct paths_result *r, const struct rows *w, const struct paths *s, double least, assay_error *err)
{
    uint32_t row = 0, to = 0, count = 0;
    for (uint64_t step = 0;; step++) {
        TRY(cancel_step(step, err));
        uint32_t below = large_enough(s, s->rows.at[row].first, least);
        while (!below) { /* all below `row`, which is `to` here, is done */
            w->end[to] = count + 1;
            if (!row) break;
            below = large_enough(s, s->rows.at[row].next, least);
            row = s->rows.at[row].parent;
            to = w->parent[to];
        }
        if (!below) break;
        put_row(r, w, s, below, to, ++count);
        row = below;
        to = count;
    }
    r->pub.count = count;
    return 0;
}

static int put_rows(struct paths_result *r, const struct paths *s, double least, assay_error *err)
{
    struct rows w = { 0 };
    TRY(make_rows(r, &w, s->rows.len, err));
    w.self[0] = sums_value(&s->self, 0);
    w.total[0] = sums_value(&s->total, 0);
    return walk(r, &w, s, least * paths_total(s, 0), err);
}

static int fill(struct paths_result *r, const struct assay_paths_options *o, assay_error *err)
{
    struct metric_set set = { .profile = r->base.profile, .shapes = ASSAY_SHAPE_TREE };
    SCOPED(paths_done) struct paths s = { 0 };
    if (!assay_profile_tree(r->base.profile)->count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no call stacks");
    TRY(metric_choose_one(&set, r->base.metric, &r->pub.metric, err));
    int rc = o->callers ? paths_init_callers(&s, &r->base.mem, r->base.profile, r->pub.metric, o->least, err)
                        : paths_init_folded(&s, &r->base.mem, r->base.profile, r->pub.metric, (enum paths_recursion)o->recursion, err);
    r->pub.profile = r->base.profile;
    r->pub.is_estimated = r->base.is_estimated;
    r->pub.type = s.type;
    if (rc == 0) rc = put_rows(r, &s, o->least, err);
    return rc;
}

int assay_paths_new(const assay_profile *p, const struct assay_paths_options *options, assay_paths **out, assay_error *err)
{
    assay_error local;
    struct assay_paths_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(options_take(&o, sizeof o, options, err));
    if (o.recursion > ASSAY_RECURSION_NONE) FAIL(err, ASSAY_ERR_USAGE, "no such way to show recursion");
    struct paths_result *r = calloc(1, sizeof *r);
    if (!r) return error_memory(err);
    int rc = result_init(&r->base, p, o.metric, err);
    if (rc == 0 && o.estimate) rc = result_estimate(&r->base, err);
    if (rc == 0) rc = fill(r, &o, err);
    rc = cancel_end(rc, err);
    if (rc == 0)
        *out = &r->pub;
    else
        assay_paths_free(&r->pub);
    return rc;
}

void assay_paths_free(assay_paths *paths)
{
    struct paths_result *r = (struct paths_result *)paths;
    if (!r) return;
    result_done(&r->base);
    free(r);
}

int assay_estimate_new(const assay_profile *p, const struct assay_estimate_options *options, assay_profile **out, assay_error *err)
{
    assay_error local;
    struct assay_estimate_options o;
    struct metric_set set = { .profile = p, .shapes = ASSAY_SHAPE_GRAPH };
    err = error_enter(err, &local);
    *out = NULL;
    TRY(options_take(&o, sizeof o, options, err));
    struct estimate_options inner = { .max_nodes = o.max_nodes, .max_memory = o.max_memory };
    int rc = assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH ? metric_choose_key(&set, o.metric, &inner.metric, err) : 0;
    if (rc == 0) rc = estimate_tree(p, &inner, out, err);
    rc = cancel_end(rc, err);
    if (rc == 0) return 0;
    assay_profile_release(*out);
    *out = NULL;
    return rc;
}
