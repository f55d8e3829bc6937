/* The functions table from a tree. Self: the values of the nodes that belong to a function. Total: inclusive values of its outermost
 * instances, so that recursion counts once. See assay/top.h for which stored scopes stand for which sums. */
#include "analysis/core/frames.h"
#include "analysis/core/outermost.h"
#include "analysis/core/top.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/fetch.h"
#include "base/parallel.h"
#include "base/scoped.h"
#include "model/profile.h"

enum { SOON = 16 }; /* nodes between fetching the sum of a row, and adding to it: rows are anywhere */

struct top_tree {
    struct top *t;
    struct frames f;
    uint32_t *row;         /* by node: the row of the function that it belongs to + 1; 0 = none */
    uint8_t *is_outermost; /* by node */
};

static int add_rows(struct top_tree *x, assay_error *err)
{
    const struct assay_tree *tree = x->f.tree;
    for (uint32_t id = 1; id <= tree->count; id++) {
        TRY(cancel_step(id, err));
        uint32_t owner = x->f.owner[id], func = owner == id ? frames_func(&x->f, id) : 0;
        x->row[id] = func ? top_row(x->t, (assay_func_id){ func }) + 1 : owner == id ? 0 : x->row[owner];
        if (func && tree->calls) top_add_calls(x->t, x->row[id] - 1, tree->calls[id]);
    }
    return 0;
}

static void fetch_row(const struct top_tree *x, const struct sums *sums, uint32_t id)
{
    uint32_t row = id + SOON <= x->f.tree->count ? x->row[id + SOON] : 0;
    if (!row) return;
    fetch_to_write(&sums->at[row - 1]);
    if (sums->error) fetch_to_write(&sums->error[row - 1]);
}

static void add_self(const struct top_tree *x, const struct sums *values, struct sums *self)
{
    for (uint32_t id = 1; id <= x->f.tree->count; id++) {
        fetch_row(x, self, id);
        if (x->row[id] && !sums_is_zero(values, id)) sums_add_sum(self, x->row[id] - 1, values, id);
    }
}

static void add_total(const struct top_tree *x, const struct sums *values, struct sums *total)
{
    for (uint32_t id = 1; id <= x->f.tree->count; id++) {
        fetch_row(x, total, id);
        if (x->is_outermost[id] && !sums_is_zero(values, id)) sums_add_sum(total, x->row[id] - 1, values, id);
    }
}

static int sum_metric(void *arg, unsigned worker, uint64_t k, assay_error *err)
{
    struct top_tree *x = arg;
    struct top *t = x->t;
    struct columns c = columns_of(t->profile, t->metrics[k]);
    enum assay_type type = (enum assay_type)t->types[k];
    SCOPED(sums_done) struct sums values = { 0 }, self = { 0 }, total = { 0 };
    (void)worker;
    if (!sums_init(&values, &t->mem, type, x->f.len)) return error_memory(err);
    if (!sums_init(&self, &t->mem, type, t->pub.count)) return error_memory(err);
    if (!sums_init(&total, &t->mem, type, t->pub.count)) return error_memory(err);
    TRY(columns_self(t->profile, &x->f, &c, &values, err));
    add_self(x, &values, &self);
    TRY(columns_inclusive(t->profile, &x->f, &c, &values, err));
    add_total(x, &values, &total);
    top_put(t, (uint32_t)k, &self, &total);
    return 0;
}

/* Each metric has cells of its own. */
static int nothing_left(void *arg, unsigned worker, uint64_t k, assay_error *err)
{
    (void)arg, (void)worker, (void)k, (void)err;
    return 0;
}

int top_from_tree(struct top *t, assay_error *err)
{
    struct top_tree x = { .t = t };
    SCOPED(frames_done) struct frames f = { 0 };
    TRY(frames_init(&f, assay_profile_tree(t->profile), &t->mem, err));
    SCRATCH(uint8_t, is_outermost, &t->mem, f.len);
    SCRATCH(uint32_t, row, &t->mem, f.len);
    if (!is_outermost || !row) return error_memory(err);
    TRY(outermost_mark(&f, t->groups ? t->groups->of : NULL, t->row_of_len, is_outermost, 1, err));
    x.f = f;
    x.row = row;
    x.is_outermost = is_outermost;
    TRY(add_rows(&x, err));
    return parallel_run(&(struct parallel){ .count = t->width, .workers = t->profile->threads, .arg = &x, .make = sum_metric, .take = nothing_left }, err);
}
