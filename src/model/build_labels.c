/* Labels, sets of labels, and samples by labels. A set is a chain: its last label, and the set without it. Labels of a set are in the order of their texts,
 * not of their ids, so that equal sets have equal chains in every profile. */
#include "base/sort.h"
#include "model/builder.h"

/* ---- labels ---- */

static uint64_t real_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static uint64_t label_hash(const struct assay_label *l)
{
    uint64_t h = hash_mix((uint64_t)l->key.v << 32 | l->text.v, (uint64_t)l->unit.v << 8 | l->kind);
    return hash_mix(h, real_bits(l->real) ^ (uint64_t)l->number);
}

static int64_t number_of(const struct build_labels *t, uint32_t id) { return id < t->number.len ? t->number.at[id] : 0; }
static double real_of(const struct build_labels *t, uint32_t id) { return id < t->real.len ? t->real.at[id] : 0; }

static bool is_label(const struct build_labels *t, uint32_t id, const struct assay_label *l)
{
    return get32(&t->key, id) == l->key.v && get8(&t->kind, id) == l->kind && get32(&t->text, id) == l->text.v && number_of(t, id) == l->number &&
           real_bits(real_of(t, id)) == real_bits(l->real) && get32(&t->unit, id) == l->unit.v;
}

static uint32_t new_label(assay_builder *b, const struct assay_label *l, uint64_t hash)
{
    struct build_labels *t = &b->labels;
    uint32_t id = builder_next(b, t->count, "labels");
    if (!id) return 0;
    put32(b, &t->key, id, l->key.v);
    put8(b, &t->kind, id, l->kind);
    put32(b, &t->text, id, l->text.v);
    put_int(b, &t->number, id, l->number);
    if (real_bits(l->real)) put_double(b, &t->real, id, l->real);
    put32(b, &t->unit, id, l->unit.v);
    if (!index_add(&t->index, hash, id)) builder_no_memory(b);
    if (b->code) return 0;
    t->count = id;
    return id;
}

assay_label_id assay_build_label(assay_builder *b, const struct assay_label *l)
{
    if (b->code || !builder_has_string(b, l->key.v) || !builder_has_string(b, l->text.v) || !builder_has_string(b, l->unit.v)) return (assay_label_id){ 0 };
    uint64_t hash = label_hash(l);
    for (struct index_walk w = index_walk(&b->labels.index, hash); index_next(&b->labels.index, &w);)
        if (is_label(&b->labels, w.id, l)) return (assay_label_id){ w.id };
    return (assay_label_id){ new_label(b, l, hash) };
}

/* ---- sets ---- */

static int by_string(const assay_builder *b, uint32_t x, uint32_t y)
{
    return x == y ? 0 : slice_compare(intern_get(&b->p->strings, x), intern_get(&b->p->strings, y));
}

/* Any order will do that does not depend on ids. */
static int by_label(const void *x, const void *y, void *arg)
{
    const assay_builder *b = arg;
    const struct build_labels *t = &b->labels;
    uint32_t m = *(const uint32_t *)x, n = *(const uint32_t *)y;
    int c = by_string(b, get32(&t->key, m), get32(&t->key, n));
    if (c == 0) c = (get8(&t->kind, m) > get8(&t->kind, n)) - (get8(&t->kind, m) < get8(&t->kind, n));
    if (c == 0) c = by_string(b, get32(&t->text, m), get32(&t->text, n));
    if (c == 0) c = (number_of(t, m) > number_of(t, n)) - (number_of(t, m) < number_of(t, n));
    uint64_t p = real_bits(real_of(t, m)), q = real_bits(real_of(t, n));
    if (c == 0) c = (p > q) - (p < q);
    return c ? c : by_string(b, get32(&t->unit, m), get32(&t->unit, n));
}

static uint32_t extend_set(assay_builder *b, uint32_t rest, uint32_t label)
{
    struct build_label_sets *t = &b->label_sets;
    uint64_t hash = hash_mix(rest, label);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (get32(&t->rest, w.id) == rest && get32(&t->label, w.id) == label) return w.id;
    uint32_t id = builder_next(b, t->count, "sets of labels");
    if (!id) return 0;
    put32(b, &t->rest, id, rest);
    put32(b, &t->label, id, label);
    if (!index_add(&t->index, hash, id)) builder_no_memory(b);
    if (b->code) return 0;
    t->count = id;
    return id;
}

uint32_t builder_label_set(assay_builder *b, uint32_t rest, uint32_t label)
{
    bool has_both = !b->code && builder_has(b, rest, b->label_sets.count, "label set") && builder_has(b, label, b->labels.count, "label");
    return has_both && label ? extend_set(b, rest, label) : 0;
}

/* Sets are small, and mostly in order already: a pass or two. */
static void order_labels(assay_builder *b, uint32_t *at, uint32_t count)
{
    if (count > 16) {
        sort_with(at, count, sizeof *at, by_label, b);
        return;
    }
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && by_label(&at[k - 1], &at[k], b) > 0; k--) {
            uint32_t swap = at[k];
            at[k] = at[k - 1];
            at[k - 1] = swap;
        }
}

assay_set_id assay_build_label_set(assay_builder *b, const assay_label_id *labels, uint32_t count)
{
    const assay_set_id none = { 0 };
    struct build_label_sets *t = &b->label_sets;
    if (b->code) return none;
    t->scratch.len = 0;
    if (!vec_reserve(b->mem, &t->scratch, count)) {
        builder_no_memory(b);
        return none;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!builder_has(b, labels[i].v, b->labels.count, "label")) return none;
        if (labels[i].v) t->scratch.at[t->scratch.len++] = labels[i].v;
    }
    uint32_t *at = t->scratch.at, n = (uint32_t)t->scratch.len, set = 0;
    order_labels(b, at, n);
    for (uint32_t i = 0; i < n && !b->code; i++)
        if (i == 0 || at[i] != at[i - 1]) set = extend_set(b, set, at[i]);
    return (assay_set_id){ b->code ? 0 : set };
}

/* ---- samples ---- */

void assay_build_sample_metrics(assay_builder *b, const assay_metric_id *metrics, uint32_t count)
{
    struct build_samples *t = &b->samples;
    block_set(b, &t->block, metrics, count, ASSAY_SHAPE_LABELS);
    for (uint32_t k = 0; k < t->block.count && !b->code; k++)
        put32(b, &t->scopes, k, assay_build_scope(b, (assay_metric_id){ t->block.metrics.at[k] }, ASSAY_SCOPE_POINT, NULL, 0).v);
}

/* The row (from 1), made when it is not there yet. */
static uint32_t sample_row(assay_builder *b, uint32_t stream, uint32_t node, uint32_t set)
{
    struct build_samples *t = &b->samples;
    uint64_t hash = hash_mix((uint64_t)stream << 32 | node, set);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (get32(&t->node, w.id - 1) == node && get32(&t->set, w.id - 1) == set && get32(&t->stream, w.id - 1) == stream) return w.id;
    uint32_t id = builder_next(b, t->count, "samples by labels");
    if (!id) return 0;
    put32(b, &t->stream, id - 1, stream);
    put32(b, &t->node, id - 1, node);
    put32(b, &t->set, id - 1, set);
    if (!index_add(&t->index, hash, id)) builder_no_memory(b);
    if (b->code) return 0;
    t->count = id;
    return id;
}

void assay_build_sample(assay_builder *b, assay_stream_id stream, assay_node_id node, assay_set_id set, const assay_value *values)
{
    struct build_samples *t = &b->samples;
    if (!b->code && !t->block.is_set) assay_build_sample_metrics(b, NULL, 0);
    if (b->code || !builder_has(b, stream.v, b->streams.count, "stream") || !builder_has(b, node.v, b->tree.count, "node")) return;
    if (!builder_has(b, set.v, b->label_sets.count, "label set")) return;
    b->tree.has_values = true;
    for (uint32_t k = 0; k < t->block.count; k++)
        if (!value_is_zero((enum assay_type)get8(&t->block.types, k), values[k])) values_add(b, stream.v, node.v, get32(&t->scopes, k), values[k]);
    if (!(b->want & ASSAY_WANT_LABELS)) return;
    uint32_t row = sample_row(b, stream.v, node.v, set.v);
    if (row) block_add_row(b, &t->block, &t->self, row - 1, values);
}

int seal_labels(assay_builder *b)
{
    const struct build_label_sets *s = &b->label_sets;
    struct build_samples *t = &b->samples;
    for (uint32_t id = 1; id <= s->count; id++)
        if (get32(&s->rest, id) >= id)
            return builder_fail(b, ASSAY_ERR_DAMAGED, "label set %u goes on with set %u, which is not before it", id, get32(&s->rest, id));
    if (s->count) return 0;
    t->count = 0;
    t->stream.len = t->node.len = t->set.len = t->self.len = 0;
    for (uint32_t k = 0; k < t->block.count; k++) b->metrics.carried.at[t->block.metrics.at[k]] &= (uint8_t)~ASSAY_SHAPE_LABELS;
    t->block.count = 0;
    return 0;
}
