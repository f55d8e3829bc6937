/* Metrics, scopes, statistics, streams, and the blocks of metrics that the value tables have. */
#include "model/builder.h"

static uint32_t find_metric(const struct build_metrics *t, uint32_t name)
{
    for (struct index_walk w = index_walk(&t->index, hash_mix(name, 0)); index_next(&t->index, &w);)
        if (get32(&t->name, w.id) == name) return w.id;
    return 0;
}

static uint32_t new_metric(assay_builder *b, uint32_t name, uint32_t unit, enum assay_type type)
{
    struct build_metrics *t = &b->metrics;
    uint32_t id = builder_next(b, t->count, "metrics");
    if (!id) return 0;
    put32(b, &t->name, id, name);
    put32(b, &t->unit, id, unit);
    put8(b, &t->type, id, (uint8_t)type);
    if (!index_add(&t->index, hash_mix(name, 0), id)) builder_no_memory(b);
    if (b->code) return 0;
    t->count = id;
    return id;
}

assay_metric_id assay_build_metric(assay_builder *b, const char *name, const char *unit, enum assay_type type, uint32_t shapes)
{
    const assay_metric_id none = { 0 };
    struct build_metrics *t = &b->metrics;
    uint32_t text = builder_text(b, name ? name : ""), unit_text = builder_text(b, unit);
    if (b->code) return none;
    uint32_t id = find_metric(t, text);
    if (id && get8(&t->type, id) != type) {
        builder_fail(b, ASSAY_ERR_USAGE, "metric '%.200s' was declared with type %d, now with type %d", name ? name : "", get8(&t->type, id), type);
        return none;
    }
    if (!id) id = new_metric(b, text, unit_text, type);
    if (!id) return none;
    put32(b, &t->shapes, id, get32(&t->shapes, id) | shapes);
    if (shapes == 0) put8(b, &t->any_shape, id, 1);
    return (assay_metric_id){ b->code ? 0 : id };
}

static bool has_metric(assay_builder *b, assay_metric_id m) { return !b->code && m.v && builder_has(b, m.v, b->metrics.count, "metric"); }

void assay_build_metric_text(assay_builder *b, assay_metric_id m, const char *description, const char *formula, bool hidden)
{
    uint32_t d = builder_text(b, description), f = builder_text(b, formula);
    if (!has_metric(b, m)) return;
    put32(b, &b->metrics.description, m.v, d);
    put32(b, &b->metrics.formula, m.v, f);
    put8(b, &b->metrics.hidden, m.v, hidden);
}

void assay_build_metric_total(assay_builder *b, assay_metric_id m, assay_value total)
{
    if (!has_metric(b, m)) return;
    if (!column_reach(b->mem, &b->metrics.stated, (size_t)m.v + 1)) {
        builder_no_memory(b);
        return;
    }
    b->metrics.stated.at[m.v] = total;
    put8(b, &b->metrics.has_stated, m.v, 1);
}

void assay_build_metric_total_wide(assay_builder *b, assay_metric_id m, assay_wide total)
{
    assay_build_metric_total(b, m, (assay_value){ .u = total.low });
    if (has_metric(b, m)) put64(b, &b->metrics.stated_high, m.v, (uint64_t)total.high);
}

void assay_build_metric_kind(assay_builder *b, assay_metric_id m, enum assay_metric_kind kind)
{
    if (has_metric(b, m)) put8(b, &b->metrics.kind, m.v, (uint8_t)kind);
}

void assay_build_metric_default(assay_builder *b, assay_metric_id m)
{
    struct col8 *is_default = &b->metrics.is_default;
    if (!has_metric(b, m)) return;
    if (is_default->len) memset(is_default->at, 0, is_default->len);
    put8(b, is_default, m.v, 1);
}

void assay_build_metric_period(assay_builder *b, assay_metric_id m, int64_t period, const char *type, const char *unit)
{
    uint32_t type_text = builder_text(b, type), unit_text = builder_text(b, unit);
    if (!has_metric(b, m)) return;
    put_int(b, &b->metrics.period, m.v, period);
    put32(b, &b->metrics.period_type, m.v, type_text);
    put32(b, &b->metrics.period_unit, m.v, unit_text);
}

assay_scope_id assay_build_scope(assay_builder *b, assay_metric_id m, enum assay_scope_kind kind, const char *name, uint8_t propagation)
{
    const assay_scope_id none = { 0 };
    struct build_scopes *t = &b->scopes;
    uint32_t text = builder_text(b, name);
    if (!has_metric(b, m)) return none;
    uint64_t hash = hash_mix(hash_mix(m.v, text), (uint64_t)kind << 8 | propagation);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (get32(&t->metric, w.id) == m.v && get32(&t->name, w.id) == text && get8(&t->kind, w.id) == kind && get8(&t->propagation, w.id) == propagation)
            return (assay_scope_id){ w.id };
    if (t->count >= VALUE_COLUMN_MAX) {
        builder_fail(b, ASSAY_ERR_LIMIT, "too many scopes: a tree has at most %d columns", VALUE_COLUMN_MAX);
        return none;
    }
    uint32_t id = t->count + 1;
    put32(b, &t->metric, id, m.v);
    put32(b, &t->name, id, text);
    put8(b, &t->kind, id, (uint8_t)kind);
    put8(b, &t->propagation, id, propagation);
    put8(b, &b->tree.scope_type, id, get8(&b->metrics.type, m.v));
    put8(b, &b->metrics.carried, m.v, get8(&b->metrics.carried, m.v) | ASSAY_SHAPE_TREE);
    if (!index_add(&t->index, hash, id)) builder_no_memory(b);
    if (b->code) return none;
    t->count = id;
    return (assay_scope_id){ id };
}

assay_stat_id assay_build_stat(assay_builder *b, assay_scope_id s, const char *formula, enum assay_combine combine)
{
    const assay_stat_id none = { 0 };
    struct build_stats *t = &b->stats;
    uint32_t text = builder_text(b, formula);
    if (b->code || !s.v || !builder_has(b, s.v, b->scopes.count, "scope")) return none;
    uint64_t hash = hash_mix(hash_mix(s.v, text), (uint64_t)combine);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (get32(&t->scope, w.id) == s.v && get32(&t->formula, w.id) == text && get8(&t->combine, w.id) == combine) return (assay_stat_id){ w.id };
    if (t->count >= VALUE_COLUMN_MAX) {
        builder_fail(b, ASSAY_ERR_LIMIT, "too many statistics: a summary has at most %d columns", VALUE_COLUMN_MAX);
        return none;
    }
    uint32_t id = t->count + 1;
    put32(b, &t->scope, id, s.v);
    put32(b, &t->formula, id, text);
    put8(b, &t->combine, id, (uint8_t)combine);
    put8(b, &b->tree.stat_type, id, get8(&b->tree.scope_type, s.v));
    if (!index_add(&t->index, hash, id)) builder_no_memory(b);
    if (b->code) return none;
    t->count = id;
    return (assay_stat_id){ id };
}

assay_stream_id assay_build_stream(assay_builder *b, const char *label)
{
    const assay_stream_id none = { 0 };
    struct build_streams *t = &b->streams;
    uint32_t text = builder_text(b, label);
    if (b->code) return none;
    uint32_t id = builder_next(b, t->count, "streams");
    if (!id) return none;
    put32(b, &t->label, id, text);
    put32(b, &t->tuple_begin, id, b->tuples.count);
    if (b->code) return none;
    t->count = id;
    return (assay_stream_id){ id };
}

void assay_build_tuple(assay_builder *b, const char *kind, uint64_t logical, uint64_t physical, uint32_t flags)
{
    struct build_tuples *t = &b->tuples;
    uint32_t text = builder_text(b, kind);
    if (b->code) return;
    if (!b->streams.count) {
        builder_fail(b, ASSAY_ERR_USAGE, "a tuple element needs a stream, but there is none yet");
        return;
    }
    uint32_t next = builder_next(b, t->count, "tuple elements"), row = t->count;
    if (!next) return;
    put32(b, &t->kind, row, text);
    put64(b, &t->logical, row, logical);
    put64(b, &t->physical, row, physical);
    put32(b, &t->flags, row, flags);
    t->count = next;
}

static bool is_default(const struct build_metrics *t, uint32_t m, uint32_t shape)
{
    return (get8(&t->any_shape, m) || (get32(&t->shapes, m) & shape)) && !get32(&t->formula, m);
}

static void block_push(assay_builder *b, struct build_block *block, uint32_t m, uint32_t shape)
{
    struct build_metrics *t = &b->metrics;
    if (!m || !builder_has(b, m, t->count, "metric")) {
        builder_fail(b, ASSAY_ERR_USAGE, "metric 0 stands for none and has no values");
        return;
    }
    uint8_t type = get8(&t->type, m), carried = get8(&t->carried, m);
    if (carried & shape) {
        builder_fail(b, ASSAY_ERR_USAGE, "metric %u is given twice for one table", m);
        return;
    }
    put8(b, &t->carried, m, (uint8_t)(carried | shape));
    put32(b, &block->metrics, block->count, m);
    put8(b, &block->types, block->count, type);
    if (block->count == 0) block->same = type;
    if (block->same != type) block->same = -1;
    if (!b->code) block->count++;
}

void block_set(assay_builder *b, struct build_block *block, const assay_metric_id *metrics, uint32_t count, uint32_t shape)
{
    if (b->code) return;
    if (block->is_set) {
        builder_fail(b, ASSAY_ERR_USAGE, "the metrics of a table can be given only once, before its first row");
        return;
    }
    block->is_set = true;
    block->same = -1;
    for (uint32_t k = 0; metrics && k < count && !b->code; k++) block_push(b, block, metrics[k].v, shape);
    for (uint32_t m = 1; !metrics && m <= b->metrics.count && !b->code; m++)
        if (is_default(&b->metrics, m, shape == ASSAY_SHAPE_LABELS ? ASSAY_SHAPE_TREE : shape)) block_push(b, block, m, shape);
}

void block_extend(assay_builder *b, struct build_block *block, const assay_metric_id *metrics, uint32_t count, uint32_t shape)
{
    for (uint32_t k = block->count; k < count && !b->code; k++) block_push(b, block, metrics[k].v, shape);
}

void block_add_mixed(assay_builder *b, const struct build_block *block, assay_value *to, const assay_value *more, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (!value_add(get8(&block->types, k), &to[k], more[k])) b->saturated = true;
}

void block_add_row(assay_builder *b, const struct build_block *block, struct colvalue *column, uint32_t row, const assay_value *more)
{
    size_t begin = (size_t)row * block->count;
    if (!column_reach(b->mem, column, begin + block->count)) {
        builder_no_memory(b);
        return;
    }
    if (block->count) block_add(b, block, column->at + begin, more, block->count);
}
