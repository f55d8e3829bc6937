/* The prototype of 2020 to 2022 (version 4.0): values by context in profile.db, traces in trace.db. */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/hpcdb-xml/read.h"

/* Which column a metric of profile.db is. */
struct sparse_id {
    uint16_t metric;
    bool is_total;
    uint32_t base;
};
struct sparse_ids {
    VEC(struct sparse_id) list; /* by metric, once sorted */
};

static int by_metric(const void *a, const void *b)
{
    const struct sparse_id *x = a, *y = b;
    return ORDER(x->metric, y->metric);
}

static const struct sparse_id *find(const struct sparse_ids *ids, uint16_t metric)
{
    const struct sparse_id key = { .metric = metric };
    return ids->list.len ? bsearch(&key, ids->list.at, ids->list.len, sizeof key, by_metric) : NULL;
}

static bool add(struct hx_reader *r, struct sparse_ids *ids, int64_t metric, uint32_t base, bool is_total)
{
    if (metric < 0 || metric > UINT16_MAX) return true;
    struct sparse_id *slot = vec_push(r->mem, &ids->list);
    if (slot) *slot = (struct sparse_id){ (uint16_t)metric, is_total, base };
    return slot != NULL;
}

static void sort(struct sparse_ids *ids)
{
    if (ids->list.len) sort_by(ids->list.at, ids->list.len, sizeof *ids->list.at, by_metric);
}

/* Threads have the numbers of MetricDBTable. */
static bool thread_ids(struct hx_reader *r, struct sparse_ids *ids)
{
    for (size_t i = 0; i < r->tables.metric_dbs.len; i++) {
        const struct hx_metric_db *m = &r->tables.metric_dbs.at[i];
        enum hx_type type;
        const struct hx_base *b = hx_base_of(&r->tables, m->name, &type);
        if (b && type != HX_NIL && !add(r, ids, m->id, (uint32_t)(b - r->tables.bases.at), type == HX_INCLUSIVE)) return false;
    }
    sort(ids);
    return true;
}

/* The summary has those of the partial sums. */
static bool partial_ids(struct hx_reader *r, struct sparse_ids *ids)
{
    for (size_t i = 0; i < r->tables.metrics.len; i++) {
        const struct hx_metric *m = &r->tables.metrics.at[i];
        if (m->type != HX_NIL && slice_contains(m->name, ":PARTIAL:0 (") && !add(r, ids, m->id, m->base, m->type == HX_INCLUSIVE)) return false;
    }
    sort(ids);
    return true;
}

/* ---- values ---- */

struct filling {
    struct hx_reader *r;
    const struct sparse_ids *ids;
    uint32_t stream; /* 0 = the summary */
};

/* Context 0 is the whole, which in the model has node 0. */
static void put(const struct filling *f, uint32_t ctx, const struct hx_place *p, const struct sparse_id *id, double value)
{
    struct hx_reader *r = f->r;
    struct hx_column *c = &r->columns.at[id->base];
    assay_node_id node = { p && ctx ? p->node : 0 };
    bool is_sum = !f->stream;
    if (ctx && (!node.v || p->is_inside)) return;
    if (is_sum && id->is_total && ctx == 0) {
        c->whole = value;
        c->has_whole = true;
    }
    if (is_sum && id->is_total && ctx && p->is_root) c->roots += value;
    if (is_sum)
        assay_build_summary(r->b, node, id->is_total ? c->total_sum : c->own_sum, (assay_value){ .d = value });
    else
        assay_build_value(r->b, (assay_stream_id){ f->stream }, node, id->is_total ? c->total : c->own, (assay_value){ .d = value });
}

static int fill(const struct filling *f, const struct hx_profile *p)
{
    uint64_t begin, end = 0;
    for (uint32_t i = 0; i < p->ctx_count; i++) {
        uint32_t ctx = hx_profile_ctx(p, i);
        const struct hx_place *place = hx_places_find(&f->r->places, ctx);
        hx_profile_range(p, i, &begin, &end);
        for (uint64_t k = begin; k < end; k++) {
            uint16_t metric;
            double value = hx_profile_value(p, k, &metric);
            const struct sparse_id *id = find(f->ids, metric);
            if (id && value != 0 && isfinite(value)) put(f, ctx, place, id, value);
        }
        TRY(assay_builder_failed(f->r->b));
    }
    return 0;
}

static bool has_any(const struct hx_profile *p, const struct sparse_ids *ids)
{
    uint16_t metric;
    for (uint64_t i = 0; i < p->value_count; i++) {
        (void)hx_profile_value(p, i, &metric);
        if (find(ids, metric)) return true;
    }
    return false;
}

/* ---- streams ---- */

static uint32_t new_stream(struct hx_reader *r, const struct hx_part *part, const struct hx_profile *p)
{
    uint32_t id = assay_build_stream(r->b, NULL).v;
    uint16_t kind;
    uint64_t physical, logical;
    for (uint16_t i = 0; i < UINT16_MAX && hx_profile_tuple(part, p, i, &kind, &physical, &logical); i++) {
        const struct hx_name *name = hx_name_find(&r->tables, HX_IDENTIFIERS, kind & 0x3fff);
        assay_build_tuple(r->b, name ? name->text.data : "UNKNOWN", logical, physical, kind >> 14);
    }
    return id;
}

static int read_profiles(struct hx_reader *r, const struct hx_part *part, const struct sparse_ids *threads, const struct sparse_ids *partial)
{
    uint32_t count = hx_sparse_count(part, &r->damage);
    uint64_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct hx_profile p;
        struct filling f = { .r = r, .ids = threads };
        if (!hx_sparse_at(&p, part, i, &used, &r->damage)) return 0;
        if (i == 0 && has_any(&p, partial)) f.ids = partial;
        if (i) {
            f.stream = new_stream(r, part, &p);
            r->values_streams++;
        }
        TRY(assay_builder_failed(r->b));
        TRY(fill(&f, &p));
    }
    return 0;
}

int hx_read_sparse(struct hx_reader *r, const struct hx_part *part)
{
    struct sparse_ids threads = { .list = { NULL, 0, 0 } }, partial = { .list = { NULL, 0, 0 } };
    vec_scoped(r->mem, &threads.list);
    vec_scoped(r->mem, &partial.list);
    r->has_sparse = true;
    return thread_ids(r, &threads) && partial_ids(r, &partial) ? read_profiles(r, part, &threads, &partial) : error_memory(r->err);
}

int hx_read_sparse_traces(struct hx_reader *r, const struct hx_part *part)
{
    uint32_t count = hx_sparse_trace_count(part, &r->damage), profile;
    bool is_wanted = assay_builder_want(r->b) & ASSAY_WANT_TIMELINE;
    uint64_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct hx_trace t;
        if (!hx_sparse_trace_at(&t, part, i, &profile, &used, &r->damage)) break;
        r->traces++;
        r->samples += t.count;
        if (is_wanted && profile && profile <= r->values_streams) TRY(hx_read_samples(r, &t, profile, &r->places));
    }
    return 0;
}
