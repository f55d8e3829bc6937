/* What public results share; see result.h. */
#include "analysis/results/result.h"

#include <string.h>

#include "analysis/paths/estimate.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/profile.h"

int result_init(struct result *r, const assay_profile *p, const char *metric, assay_error *err)
{
    mem_init(&r->mem, profile_room(p));
    arena_init(&r->arena, &r->mem);
    r->profile = p;
    if (!metric) return 0;
    r->metric = arena_copy(&r->arena, slice_of(metric));
    if (!r->metric) return error_memory(err);
    assay_profile *with_sums = assay_profile_retain((assay_profile *)p); /* only the count of references changes */
    int rc = metric_sums_add(&with_sums, r->metric, profile_room(p), err);
    if (rc != 0 || with_sums == p) {
        assay_profile_release(with_sums);
        return rc;
    }
    r->profile = r->made = with_sums;
    return 0;
}

void result_done(struct result *r)
{
    arena_done(&r->arena);
    assay_profile_release(r->made);
}

int result_estimate(struct result *r, assay_error *err)
{
    struct estimate_options o = { .max_memory = profile_room(r->profile) };
    struct metric_set set = { .profile = r->profile, .shapes = ASSAY_SHAPE_GRAPH };
    assay_profile *estimated;
    if (assay_profile_tree(r->profile)->count || !(assay_profile_shapes(r->profile) & ASSAY_SHAPE_GRAPH)) return 0;
    TRY(metric_choose_key(&set, r->metric, &o.metric, err));
    TRY(estimate_tree(r->profile, &o, &estimated, err));
    assay_profile_release(r->made);
    r->profile = r->made = estimated;
    r->is_estimated = true;
    return 0;
}

void *result_array(struct result *r, size_t count, size_t size, bool *failed)
{
    size_t bytes;
    void *p = size_mul(&bytes, count ? count : 1, size) ? arena_alloc(&r->arena, bytes) : NULL;
    if (p)
        memset(p, 0, bytes);
    else
        *failed = true;
    return p;
}

assay_slice result_string(const struct result *r, const assay_str_id *ids, uint32_t i)
{
    return ids ? assay_profile_string(r->profile, ids[i]) : (assay_slice){ "", 0 };
}

assay_slice result_function(const struct result *r, uint32_t func)
{
    return func ? assay_profile_string(r->profile, assay_profile_funcs(r->profile)->name[func]) : SLICE("<unknown>");
}

assay_func_id result_func_id(const struct result *r, uint32_t func) { return (assay_func_id){ func <= assay_profile_funcs(r->profile)->count ? func : 0 }; }

/* ---- columns ---- */

static assay_column column_of(const struct metric_columns *set, const struct metric_column *c)
{
    assay_metric_id metric = { 0 };
    if (!c->formula) metric = set->metrics[c->k];
    return (assay_column){ .name = c->name, .unit = c->unit, .metric = metric, .type = c->type, .whole = c->whole, .is_sum = c->is_sum };
}

int result_columns_init(struct result_columns *c, struct result *r, const struct metric_columns *set, assay_error *err)
{
    bool failed = false;
    *c = (struct result_columns){ .set = set, .is_all = !r->metric };
    c->count = c->is_all ? set->metric_count : set->count;
    c->at = result_array(r, c->count, sizeof *c->at, &failed);
    if (failed) return error_memory(err);
    if (c->is_all) c->key = metric_columns_key(set);
    while (!c->is_all && c->key + 1 < c->count && set->at[c->key].formula) c->key++;
    for (uint32_t i = 0; i < c->count; i++) {
        struct metric_columns one;
        struct metric_set all = { .profile = set->profile, .at = set->metrics, .count = set->metric_count };
        if (c->is_all) metric_columns_one(&one, &all, i);
        c->at[i] = column_of(set, c->is_all ? &one.at[0] : &set->at[i]);
    }
    return 0;
}

void result_put(const struct result_columns *c, assay_value *to, size_t row, const assay_value *values)
{
    result_put_row(c, to, row, &(struct metric_row){ .here = values });
}

void result_put_row(const struct result_columns *c, assay_value *to, size_t row, const struct metric_row *values)
{
    to += row * c->count;
    for (uint32_t i = 0; values->here && i < c->count; i++) to[i] = c->is_all ? values->here[i] : metric_columns_value_of(c->set, i, values);
}
