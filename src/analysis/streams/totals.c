/* Cost and command of each stream. */
#include "analysis/streams/totals.h"

#include "analysis/core/frames.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "model/entry.h"

/* ---- cost ---- */

static void add(struct stream_totals *t, uint32_t stream, assay_value v)
{
    if (t->type == ASSAY_F64)
        sums_add(&t->real, stream, v);
    else
        t->whole[stream] = t->type == ASSAY_I64 ? wide_add_i64(t->whole[stream], v.i) : wide_add_u64(t->whole[stream], v.u);
}

/* The place of a metric in a block; metric_count = it is not there. */
static uint32_t place_of(const struct assay_block *block, assay_metric_id metric)
{
    uint32_t k = 0;
    while (k < block->metric_count && block->metrics[k].v != metric.v) k++;
    return k;
}

static bool from_graph(struct stream_totals *t, const struct assay_graph *g, assay_metric_id metric)
{
    uint32_t k = place_of(&g->block, metric), width = g->block.metric_count;
    if (!g->sum_count || k == width) return false;
    for (uint32_t i = 0; i < g->sum_count; i++)
        if (!g->sum_begin || k < g->sum_len[i]) add(t, ID(g->sum_stream, i), g->sum_self[g->sum_begin ? g->sum_begin[i] + k : (size_t)i * width + k]);
    return true;
}

static bool from_lines(struct stream_totals *t, const struct assay_lines *l, assay_metric_id metric)
{
    uint32_t k = place_of(&l->block, metric), width = l->block.metric_count;
    if (!l->count || !l->self || k == width) return false;
    for (uint32_t i = 0; i < l->count; i++)
        if (AT(l->level, i) == ASSAY_LEVEL_LINE) add(t, ID(l->stream, i), l->self[(size_t)i * width + k]);
    return true;
}

struct cells {
    struct stream_totals *totals;
    const struct assay_tree *tree;
    uint32_t stream;
    bool only_roots;
};

static int add_cell(void *arg, const assay_cell *cell)
{
    const struct cells *c = arg;
    bool is_root = cell->node && cell->node <= c->tree->count && !c->tree->parent[cell->node].v;
    if (!c->only_roots || is_root) add(c->totals, c->stream, cell->value);
    return 0;
}

/* What a file states of its streams as a whole stands at node 0. */
static int from_stated(struct stream_totals *t, const assay_profile *p, assay_scope_id column, bool *is_stated, assay_error *err)
{
    for (uint32_t stream = 0; stream < t->len; stream++) {
        assay_value whole = { 0 };
        TRY(assay_tree_value(p, (assay_stream_id){ stream }, (assay_node_id){ 0 }, column, &whole, err));
        *is_stated |= !value_is_zero(t->type, whole);
        add(t, stream, whole);
    }
    return 0;
}

static int from_tree(struct stream_totals *t, const assay_profile *p, assay_metric_id metric, assay_error *err)
{
    struct columns columns = columns_of(p, metric);
    assay_scope_id summed = columns.point.v ? columns.point : columns.execution;
    struct cells c = { t, assay_profile_tree(p), 0, !columns.point.v };
    bool is_stated = false;
    if (columns.execution.v) TRY(from_stated(t, p, columns.execution, &is_stated, err));
    if (is_stated || !summed.v) return 0;
    for (; c.stream < t->len; c.stream++) TRY(assay_tree_column(p, (assay_stream_id){ c.stream }, summed, add_cell, &c, err));
    return 0;
}

/* ---- command ---- */

/* By the names that formats give it, the best of them. */
static int find_commands(struct stream_totals *t, const assay_profile *p, assay_error *err)
{
    static const char *const keys[] = { "cmd", "program-name", "application", "title" };
    enum { KEYS = sizeof keys / sizeof *keys };
    const struct assay_attributes *a = assay_profile_attributes(p);
    size_t len = t->len;
    t->command = mem_zalloc(t->real.mem, len, sizeof *t->command);
    uint8_t *left = mem_zalloc(t->real.mem, len, 1); /* how many keys are worse than that of the command */
    if (!t->command || !left) {
        mem_free(t->real.mem, left, len);
        return error_memory(err);
    }
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t k = 0, stream = ID(a->stream, i);
        while (k < KEYS && !slice_is(assay_profile_string(p, a->key[i]), keys[k])) k++;
        if (stream >= len || KEYS - k <= left[stream]) continue;
        left[stream] = (uint8_t)(KEYS - k);
        t->command[stream] = assay_profile_string(p, a->value[i]);
    }
    mem_free(t->real.mem, left, len);
    return 0;
}

/* ---- both ---- */

int stream_totals_init(struct stream_totals *t, const assay_profile *p, assay_metric_id metric, struct mem *mem, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    *t = (struct stream_totals){ .type = (enum assay_type)AT(m->type, metric.v), .len = (size_t)assay_profile_streams(p)->count + 1 };
    bool has_room = sums_init(&t->real, mem, t->type, t->type == ASSAY_F64 ? t->len : 0);
    t->whole = mem_zalloc(mem, t->len, sizeof *t->whole);
    if (!has_room || !t->whole) return error_memory(err);
    TRY(find_commands(t, p, err));
    if (!metric.v) return 0;
    if (!from_graph(t, assay_profile_graph(p), metric) && !from_lines(t, assay_profile_lines(p), metric)) TRY(from_tree(t, p, metric, err));
    for (size_t i = 0; i < t->len; i++) t->is_known |= t->type == ASSAY_F64 ? !value_is_zero(t->type, t->real.at[i]) : t->whole[i].low || t->whole[i].high;
    return 0;
}

void stream_totals_done(struct stream_totals *t)
{
    mem_free(t->real.mem, t->command, t->len * sizeof *t->command);
    mem_free(t->real.mem, t->whole, t->len * sizeof *t->whole);
    sums_done(&t->real);
}

assay_slice stream_command(const struct stream_totals *t)
{
    const assay_slice none = { "", 0 };
    if (!t->command) return none;
    return t->command[0].len || t->len < 2 ? t->command[0] : t->command[1];
}
