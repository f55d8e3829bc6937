/* The functions table from a tree. Self: the values of the nodes that belong to a function. Total: inclusive values of its outermost
 * instances, so that recursion counts once. See assay/top.h for which stored scopes stand for which sums. */
#include "analysis/core/frames.h"
#include "analysis/core/outermost.h"
#include "analysis/core/top.h"
#include "base/error.h"

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
        uint32_t func = frames_func(f, f->owner[id]);
        if (func) sums_add_sum(self, t->row_of[top_head(t, func)] - 1, values, id);
    }
}

static void add_total(const struct top *t, const struct frames *f, const uint8_t *is_outermost, const struct sums *values, struct sums *total)
{
    for (uint32_t id = 1; id <= f->tree->count; id++)
        if (is_outermost[id]) sums_add_sum(total, t->row_of[top_head(t, f->tree->func[id].v)] - 1, values, id);
}

static int sum_metric(struct top *t, const struct frames *f, const uint8_t *is_outermost, uint32_t k, assay_error *err)
{
    struct columns c = columns_of(t->profile, t->metrics[k]);
    enum assay_type type = (enum assay_type)t->types[k];
    struct sums values, self, total;
    bool has_room = sums_init(&values, &t->mem, type, f->len);
    has_room = sums_init(&self, &t->mem, type, t->pub.count) && has_room;
    has_room = sums_init(&total, &t->mem, type, t->pub.count) && has_room;
    int rc = has_room ? columns_self(t->profile, f, &c, &values, err) : error_memory(err);
    if (rc == 0) {
        add_self(t, f, &values, &self);
        rc = columns_inclusive(t->profile, f, &c, &values, err);
    }
    if (rc == 0) {
        add_total(t, f, is_outermost, &values, &total);
        top_put(t, k, &self, &total);
    }
    sums_done(&values);
    sums_done(&self);
    sums_done(&total);
    return rc;
}

int top_from_tree(struct top *t, assay_error *err)
{
    struct frames f;
    int rc = frames_init(&f, assay_profile_tree(t->profile), &t->mem, err);
    size_t len = f.len;
    uint8_t *is_outermost = rc == 0 ? mem_zalloc(&t->mem, len, 1) : NULL;
    if (rc == 0 && !is_outermost) rc = error_memory(err);
    if (rc == 0) rc = outermost_mark(&f, t->groups ? t->groups->of : NULL, t->row_of_len, is_outermost, 1, err);
    if (rc == 0) add_rows(t, &f);
    for (uint32_t k = 0; rc == 0 && k < t->width; k++) rc = sum_metric(t, &f, is_outermost, k, err);
    mem_free(&t->mem, is_outermost, len);
    frames_done(&f);
    return rc;
}
