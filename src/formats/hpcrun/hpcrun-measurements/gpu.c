/* Which metrics have values at GPU samples whose call path must be rebuilt: such values are divided, so their metrics have doubles; see measure.h. */
#include "base/scoped.h"
#include "formats/hpcrun/hpcrun-measurements/measure.h"

/* The parts of a profile that tell. */
struct gpu {
    struct measure *m;
    struct hpcrun_modules modules;
    struct hpcrun_ids lost; /* nodes */
    struct hpcrun_span values, index;
    VEC(bool) is_divided; /* by place in the metric table */
};

/* Nodes below nobody knows what, in modules with a call graph. */
static int find_lost(struct gpu *g, const struct hpcrun_span *nodes, assay_error *err)
{
    bool is_begun = false;
    for (uint64_t i = 0; nodes->flags_at && i < nodes->count; i++) {
        struct hpcrun_node n;
        bool has_calls = false;
        if (nodes->at[i * nodes->stride + nodes->flags_at] & HPCRUN_UNWOUND) continue;
        hpcrun_node_at(nodes, i, &n);
        struct hpcrun_lm *lm = (struct hpcrun_lm *)hpcrun_modules_find(&g->modules, n.module);
        if (!lm) continue;
        if (!lm->owned && !(lm->owned = expand_module(&g->m->expand, lm->path))) return error_memory(err);
        TRY(rebuild_has_calls(&g->m->rebuild, lm->owned, &has_calls, err));
        if (!has_calls || !n.id) continue;
        if (!is_begun && !hpcrun_ids_begin(&g->lost, nodes)) return error_memory(err);
        is_begun = true;
        if (hpcrun_ids_find(&g->lost, n.id)) continue;
        struct hpcrun_slot *slot = hpcrun_ids_add(&g->lost, n.id);
        if (!slot) return error_memory(err);
        slot->node = 1;
    }
    return 0;
}

static int mark_metrics(struct gpu *g, assay_error *err)
{
    struct hpcrun_index at, next;
    struct hpcrun_value value;
    for (uint64_t i = 0; i + 1 < g->index.count; i++) {
        hpcrun_index_at(&g->index, i, &at);
        hpcrun_index_at(&g->index, i + 1, &next);
        if (!hpcrun_ids_find(&g->lost, at.node)) continue;
        for (uint64_t v = at.first; v < next.first && v < g->values.count; v++) {
            hpcrun_value_at(&g->values, v, &value);
            while (g->is_divided.len <= value.metric) {
                bool *more = vec_push(g->m->mem, &g->is_divided);
                if (!more) return error_memory(err);
                *more = false;
            }
            g->is_divided.at[value.metric] = true;
        }
    }
    return 0;
}

static int look(struct gpu *g, const struct hpcrun_decoder *d, assay_error *err)
{
    struct hpcrun_decoder ahead = *d;
    ahead.skip_items = true;
    for (struct hpcrun_record r; hpcrun_next(&ahead, &r);) {
        if (r.kind == HPCRUN_RECORD_MODULE && !hpcrun_modules_add(&g->modules, &r.module, d->file.variant)) return error_memory(err);
        if (r.kind != HPCRUN_RECORD_LIST) continue;
        if (r.list.id == HPCRUN_LIST_NODES) TRY(find_lost(g, &r.list.span, err));
        if (r.list.id == HPCRUN_LIST_VALUES) g->values = r.list.span;
        if (r.list.id == HPCRUN_LIST_INDEX) g->index = r.list.span;
    }
    return 0;
}

static int divide_metrics(struct gpu *g, const struct hpcrun_decoder *d, assay_error *err)
{
    struct hpcrun_decoder again = *d;
    again.skip_items = true;
    for (struct hpcrun_record r; hpcrun_next(&again, &r);)
        if (r.kind == HPCRUN_RECORD_METRIC && r.metric.index < g->is_divided.len && g->is_divided.at[r.metric.index] &&
            !hpcrun_metrics_divide(&g->m->metrics, &r.metric))
            return error_memory(err);
    return 0;
}

static void gpu_done(struct gpu *g)
{
    vec_done(g->m->mem, &g->is_divided);
    hpcrun_ids_done(&g->lost);
    hpcrun_modules_done(&g->modules);
}

int measure_note_gpu(struct measure *m, const struct hpcrun_decoder *d, assay_error *err)
{
    if (d->file.variant != HPCRUN_04B || m->metrics.totals_only || !m->expand.symbols) return 0;
    SCOPED(gpu_done) struct gpu g = { .m = m };
    hpcrun_modules_init(&g.modules, m->mem);
    hpcrun_ids_init(&g.lost, m->mem);
    TRY(look(&g, d, err));
    TRY(mark_metrics(&g, err));
    return divide_metrics(&g, d, err);
}
