/* Labels of samples: those of all inputs, each once, and rows of samples by context and set. */
#include "analysis/merge/emit.h"
#include "base/cancel.h"
#include "base/scoped.h"
#include "base/sort.h"

/* ---- taking in ---- */

static bool same_label(const struct merge_label *a, const struct merge_label *b) { return true SCHEMA_LABELS(MERGE_SAME, _); }

static uint64_t label_hash(const struct merge_label *l)
{
    uint64_t real;
    memcpy(&real, &l->real, sizeof real);
    return hash_mix(hash_mix((uint64_t)l->key << 32 | l->text, (uint64_t)l->unit << 8 | l->kind), (uint64_t)l->number ^ real);
}

uint32_t merge_label_put(struct assay_merger *m, const struct merge_label *said)
{
    struct merge_cost *c = &m->cost;
    uint64_t hash = label_hash(said);
    for (struct index_walk w = index_walk(&c->label_index, hash); index_next(&c->label_index, &w);)
        if (same_label(&c->labels.at[w.id - 1], said)) return w.id;
    struct merge_label *slot = vec_push(&m->mem, &c->labels);
    if (!slot) return 0;
    *slot = *said;
    return index_add(&c->label_index, hash, (uint32_t)c->labels.len) ? (uint32_t)c->labels.len : 0;
}

static uint32_t put_label(struct merge_input *in, uint32_t i)
{
    const struct assay_labels *t = assay_profile_labels(in->p);
    return merge_label_put(in->m, &(struct merge_label){ SCHEMA_LABELS(MERGE_TAKE, _) });
}

static bool same_set(const struct merge_set *a, const struct merge_set *b) { return true SCHEMA_LABEL_SETS(MERGE_SAME, _); }

uint32_t merge_set_put(struct assay_merger *m, const struct merge_set *said)
{
    struct merge_cost *c = &m->cost;
    uint64_t hash = hash_mix(said->rest, said->label);
    for (struct index_walk w = index_walk(&c->set_index, hash); index_next(&c->set_index, &w);)
        if (same_set(&c->sets.at[w.id - 1], said)) return w.id;
    struct merge_set *slot = vec_push(&m->mem, &c->sets);
    if (!slot) return 0;
    *slot = *said;
    return index_add(&c->set_index, hash, (uint32_t)c->sets.len) ? (uint32_t)c->sets.len : 0;
}

static uint32_t put_set(struct merge_input *in, const uint32_t *labels, const uint32_t *sets, uint32_t i)
{
    const struct assay_labels *t = assay_profile_labels(in->p);
    return merge_set_put(in->m, &(struct merge_set){ SCHEMA_LABEL_SETS(MERGE_TAKE, _) });
}

static bool put_sets(struct merge_input *in, uint32_t *labels, uint32_t *sets)
{
    const struct assay_labels *t = assay_profile_labels(in->p);
    bool done = labels && sets;
    for (uint32_t i = 1; done && i <= t->count && (done = !cancel_at(i)); i++) done = (labels[i] = put_label(in, i)) != 0;
    for (uint32_t i = 1; done && i <= t->set_count && (done = !cancel_at(i)); i++) done = (sets[i] = put_set(in, labels, sets, i)) != 0;
    return done;
}

static bool put_samples(struct merge_input *in, const uint32_t *nodes, const uint32_t *metrics, const uint32_t *sets)
{
    struct assay_merger *m = in->m;
    const struct assay_labels *t = assay_profile_labels(in->p);
    uint32_t width = t->block.metric_count;
    for (uint32_t i = 0; i < t->sample_count; i++) {
        if (cancel_at(i)) return false;
        union merge_key key = { 0 };
        SCHEMA_SAMPLES(MERGE_KEY_TAKE, sample)
        if (!key.sample.node) continue; /* of no context */
        uint32_t row = merge_row(m, MERGE_SAMPLES, &key);
        for (uint32_t k = 0; row != UINT32_MAX && k < width; k++) {
            uint32_t metric = metrics[t->block.metrics[k].v] - 1;
            if (!merge_value(m, MERGE_SAMPLES, metric, m->cost.metrics.at[metric].type, row, t->sample_self[(size_t)i * width + k])) row = UINT32_MAX;
        }
        if (row == UINT32_MAX) return false;
    }
    return true;
}

int merge_samples_add(struct merge_input *in, const uint32_t *nodes, const uint32_t *metrics)
{
    struct mem *mem = &in->m->mem;
    const struct assay_labels *t = assay_profile_labels(in->p);
    in->m->cost.has_unlabelled |= !t->sample_count;
    SCRATCH(uint32_t, labels, mem, (size_t)t->count + 1);
    SCRATCH(uint32_t, sets, mem, (size_t)t->set_count + 1);
    return put_sets(in, labels, sets) && put_samples(in, nodes, metrics, sets) ? 0 : error_memory(in->err);
}

/* ---- putting out ---- */

struct samples_out {
    struct emitter *e;
    const struct merge_cost *c;
    const assay_metric_id *metrics;
    const uint32_t *numbers;
    uint32_t width;
    assay_set_id *sets;  /* by number; [0] = none */
    uint32_t *place;     /* by number: of sets in their order, from 1 */
    assay_value *values; /* of a row */
    assay_value *rest;   /* what the tree has beyond the rows of a context */
};

static int by_label(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_label *x = &e->m->cost.labels.at[a], *y = &e->m->cost.labels.at[b];
    const struct intern *s = &e->m->strings;
    int c = slice_compare(intern_get(s, x->key), intern_get(s, y->key));
    if (c == 0) c = ORDER(x->kind, y->kind);
    if (c == 0) c = slice_compare(intern_get(s, x->text), intern_get(s, y->text));
    if (c == 0) c = ORDER(x->number, y->number);
    if (c == 0) c = memcmp(&x->real, &y->real, sizeof x->real);
    return c ? c : slice_compare(intern_get(s, x->unit), intern_get(s, y->unit));
}

/* Labels in the order of their texts; ids by number, [0] unused. NULL = no memory. */
static assay_label_id *emit_labels(struct emitter *e)
{
    size_t count = e->m->cost.labels.len;
    assay_label_id *ids = mem_zalloc(&e->m->mem, count + 1, sizeof *ids);
    uint32_t *order = ids ? emit_sorted(e, count, by_label) : NULL;
    for (size_t i = 0; order && i < count; i++) {
        const struct merge_label *row = &e->m->cost.labels.at[order[i]];
        ids[order[i] + 1] = assay_build_label(e->b, &(struct assay_label){ SCHEMA_LABELS(EMIT_ROW, _) });
    }
    if (!order) mem_free(&e->m->mem, ids, ids ? (count + 1) * sizeof *ids : 0);
    emit_free(e, order, count);
    return order ? ids : NULL;
}

/* A set comes after the one that it goes on with, and labels are in order by now: the ids of the builder say how sets are ordered. */
static int by_chain(const void *x, const void *y, void *arg)
{
    const uint64_t *a = x, *b = y;
    (void)arg;
    return a[0] != b[0] ? ORDER(a[0], b[0]) : ORDER(a[1], b[1]);
}

/* Level by level, as the order of a level needs that of the one above. */
static bool emit_sets(struct samples_out *o, const assay_label_id *labels)
{
    struct mem *mem = &o->e->m->mem;
    size_t count = o->c->sets.len, placed = 0;
    uint32_t deepest = 0;
    SCRATCH(uint32_t, depth, mem, count + 1);
    SCRATCH(uint64_t, keys, mem, 2 * count + 2);
    bool done = depth && keys;
    for (size_t i = 0; done && i < count; i++) {
        depth[i + 1] = depth[o->c->sets.at[i].rest] + 1;
        if (depth[i + 1] > deepest) deepest = depth[i + 1];
    }
    for (uint32_t level = 1; done && level <= deepest; level++) {
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            const struct merge_set *s = &o->c->sets.at[i];
            if (depth[i + 1] != level) continue;
            keys[2 * n] = (uint64_t)o->place[s->rest] << 32 | labels[s->label].v;
            keys[2 * n++ + 1] = i + 1;
        }
        done = sort_with(keys, n, 2 * sizeof *keys, by_chain, NULL);
        for (size_t k = 0; done && k < n; k++) {
            const struct merge_set *s = &o->c->sets.at[keys[2 * k + 1] - 1];
            o->place[keys[2 * k + 1]] = (uint32_t)++placed;
            o->sets[keys[2 * k + 1]].v = builder_label_set(o->e->b, o->sets[s->rest].v, labels[s->label].v);
        }
    }
    return done;
}

static void append(struct samples_out *o, assay_node_id node, assay_set_id set, const assay_value *values)
{
    const struct schema_table *t = &schema_tables[SCHEMA_T_SAMPLES];
    union schema_cell cells[SCHEMA_COLUMNS_MAX] = { { 0 } };
    for (unsigned c = 0; c < t->count; c++) {
        if (t->columns[c].type == SCHEMA_NODE) cells[c].u = node.v;
        if (t->columns[c].type == SCHEMA_SET) cells[c].u = set.v;
        if (t->columns[c].type == SCHEMA_VALUES) cells[c].values = values;
    }
    builder_append(o->e->b, SCHEMA_T_SAMPLES, 0, cells);
}

/* Of a context that no input with labels has, or that others have too: what its samples without labels are. */
static void begin_rest(struct samples_out *o, uint32_t node)
{
    const struct merge_table *t = &o->c->tables[MERGE_NODES];
    for (uint32_t k = 0; k < o->width; k++) {
        o->rest[k].u = 0;
        for (size_t s = 0; s < o->c->scopes.len && s < t->columns.len; s++)
            if (o->c->scopes.at[s].metric == o->numbers[k] + 1 && o->c->scopes.at[s].kind == ASSAY_SCOPE_POINT)
                o->rest[k] = merge_column_value(&t->columns.at[s], node);
    }
}

static void take_from_rest(struct samples_out *o)
{
    for (uint32_t k = 0; k < o->width; k++) {
        if (o->c->metrics.at[o->numbers[k]].type == ASSAY_F64)
            o->rest[k].d -= o->values[k].d;
        else
            o->rest[k].u -= o->values[k].u;
    }
}

static void end_rest(struct samples_out *o, assay_node_id node)
{
    bool has_some = false;
    for (uint32_t k = 0; k < o->width; k++) has_some |= o->rest[k].u != 0;
    if (has_some) append(o, node, (assay_set_id){ 0 }, o->rest);
}

static int by_place(const void *x, const void *y, void *arg)
{
    const struct samples_out *o = arg;
    const union merge_key *keys = o->c->tables[MERGE_SAMPLES].keys.at, *a = &keys[*(const uint32_t *)x], *b = &keys[*(const uint32_t *)y];
    ORDER_BY(o->e->node_rank[a->sample.node - 1], o->e->node_rank[b->sample.node - 1]);
    return ORDER(o->place[a->sample.set], o->place[b->sample.set]);
}

static int emit_samples(struct samples_out *o, const uint32_t *node_order, const assay_node_id *nodes)
{
    struct mem *mem = &o->e->m->mem;
    const struct merge_table *t = &o->c->tables[MERGE_SAMPLES];
    size_t count = t->keys.len, at = 0;
    SCRATCH(uint32_t, order, mem, count + 1);
    for (uint32_t i = 0; order && i < count; i++) order[i] = i;
    bool done = order && sort_with(order, count, sizeof *order, by_place, o);
    for (size_t i = 0; done && i < o->c->tables[MERGE_NODES].keys.len && (done = !cancel_at(i)); i++) {
        uint32_t node = node_order[i];
        begin_rest(o, node);
        for (; at < count && t->keys.at[order[at]].sample.node == node + 1; at++) {
            for (uint32_t k = 0; k < o->width; k++)
                o->values[k] = o->numbers[k] < t->columns.len ? merge_column_value(&t->columns.at[o->numbers[k]], order[at]) : (assay_value){ 0 };
            append(o, nodes[node], o->sets[t->keys.at[order[at]].sample.set], o->values);
            take_from_rest(o);
        }
        if (o->c->has_unlabelled) end_rest(o, nodes[node]);
    }
    return done ? assay_builder_failed(o->e->b) : error_memory(o->e->err);
}

int merge_samples_emit(struct emitter *e, const uint32_t *node_order, const assay_node_id *nodes, const assay_metric_id *metrics, const uint32_t *numbers,
                       uint32_t count)
{
    struct mem *mem = &e->m->mem;
    const struct merge_cost *c = &e->m->cost;
    if (!c->labels.len) return 0;
    assay_label_id *ids = emit_labels(e);
    mem_scoped(mem, ids, ids ? (c->labels.len + 1) * sizeof *ids : 0);
    SCRATCH(assay_set_id, sets, mem, c->sets.len + 1);
    SCRATCH(uint32_t, place, mem, c->sets.len + 1);
    SCRATCH(assay_value, values, mem, (size_t)count + 1);
    SCRATCH(assay_value, rest, mem, (size_t)count + 1);
    struct samples_out o = { e, c, metrics, numbers, count, sets, place, values, rest };
    if (!ids || !sets || !place || !values || !rest || !emit_sets(&o, ids)) return error_memory(e->err);
    if (!c->tables[MERGE_SAMPLES].keys.len) return 0;
    builder_sample_metrics(e->b, metrics, count);
    return emit_samples(&o, node_order, nodes);
}
