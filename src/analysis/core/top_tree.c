/* The functions table from a tree. Self: the values of the nodes that belong to a function. Total: inclusive values of its outermost
 * instances, so that recursion counts once. See assay/top.h for which stored scopes stand for which sums. */
#include "analysis/core/frames.h"
#include "analysis/core/outermost.h"
#include "analysis/core/top.h"
#include "base/error.h"
#include "base/scoped.h"

static void add_rows(struct top *t, const struct frames *f)
{
    for (uint32_t id = 1; id <= f->tree->count; id++) {
        uint32_t func = f->owner[id] == id ? frames_func(f, id) : 0;
        if (func) top_add_calls(t, top_row(t, (assay_func_id){ func }), f->tree->calls ? f->tree->calls[id] : 0);
    }
}

/* ---- by function ---- */

static void add_self(const struct top *t, const struct frames *f, const struct sums *values, struct sums *self)
{
    for (uint32_t id = 1; id <= f->tree->count; id++) {
        uint32_t func = sums_is_zero(values, id) ? 0 : frames_func(f, f->owner[id]);
        if (func) sums_add_sum(self, t->row_of[top_head(t, func)] - 1, values, id);
    }
}

static void add_total(const struct top *t, const struct frames *f, const uint8_t *is_outermost, const struct sums *values, struct sums *total)
{
    for (uint32_t id = 1; id <= f->tree->count; id++)
        if (is_outermost[id] && !sums_is_zero(values, id)) sums_add_sum(total, t->row_of[top_head(t, f->tree->func[id].v)] - 1, values, id);
}

static int sum_metric(struct top *t, const struct frames *f, const uint8_t *is_outermost, uint32_t k, assay_error *err)
{
    struct columns c = columns_of(t->profile, t->metrics[k]);
    enum assay_type type = (enum assay_type)t->types[k];
    SCOPED(sums_done) struct sums values = { 0 }, self = { 0 }, total = { 0 };
    if (!sums_init(&values, &t->mem, type, f->len)) return error_memory(err);
    if (!sums_init(&self, &t->mem, type, t->pub.count)) return error_memory(err);
    if (!sums_init(&total, &t->mem, type, t->pub.count)) return error_memory(err);
    TRY(columns_self(t->profile, f, &c, &values, err));
    add_self(t, f, &values, &self);
    TRY(columns_inclusive(t->profile, f, &c, &values, err));
    add_total(t, f, is_outermost, &values, &total);
    top_put(t, k, &self, &total);
    return 0;
}

int top_from_tree(struct top *t, assay_error *err)
{
    SCOPED(frames_done) struct frames f = { 0 };
    TRY(frames_init(&f, assay_profile_tree(t->profile), &t->mem, err));
    SCRATCH(uint8_t, is_outermost, &t->mem, f.len);
    if (!is_outermost) return error_memory(err);
    TRY(outermost_mark(&f, t->groups ? t->groups->of : NULL, t->row_of_len, is_outermost, 1, err));
    add_rows(t, &f);
    for (uint32_t k = 0; k < t->width; k++) TRY(sum_metric(t, &f, is_outermost, k, err));
    return 0;
}
