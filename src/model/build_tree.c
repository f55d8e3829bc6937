/* Nodes of the tree, and where their values go. */
#include "model/builder.h"

static uint64_t node_hash(const struct assay_node *n)
{
    uint64_t h = hash_mix((uint64_t)n->parent.v << 32 | n->func.v, (uint64_t)n->file.v << 32 | n->line);
    h = hash_mix(h, n->offset);
    return hash_mix(h, (uint64_t)n->module.v << 32 | (uint64_t)n->kind << 16 | (uint64_t)n->relation << 8 | n->flags);
}

static bool is_node(const struct build_tree *t, uint32_t id, const struct assay_node *n)
{
    return get32(&t->parent, id) == n->parent.v && get32(&t->func, id) == n->func.v && get32(&t->file, id) == n->file.v && get32(&t->line, id) == n->line &&
           get32(&t->module, id) == n->module.v && get64(&t->offset, id) == n->offset && get8(&t->kind, id) == n->kind &&
           get8(&t->relation, id) == n->relation && get8(&t->flags, id) == n->flags;
}

assay_node_id assay_build_node_new(assay_builder *b, const struct assay_node *n)
{
    const assay_node_id none = { 0 };
    struct build_tree *t = &b->tree;
    if (b->code || !builder_has(b, n->func.v, b->funcs.count, "function") || !builder_has(b, n->file.v, b->files.count, "file") ||
        !builder_has(b, n->module.v, b->modules.count, "module"))
        return none;
    uint32_t id = builder_next(b, t->count, "nodes");
    if (!id) return none;
    put32(b, &t->parent, id, n->parent.v);
    put8(b, &t->kind, id, n->kind);
    put8(b, &t->relation, id, n->relation);
    put8(b, &t->flags, id, n->flags);
    put32(b, &t->func, id, n->func.v);
    put32(b, &t->file, id, n->file.v);
    put32(b, &t->line, id, n->line);
    put32(b, &t->module, id, n->module.v);
    put64(b, &t->offset, id, n->offset);
    put64(b, &t->origin, id, n->origin);
    if (b->code) return none;
    t->count = id;
    return (assay_node_id){ id };
}

assay_node_id assay_build_node(assay_builder *b, const struct assay_node *n)
{
    const assay_node_id none = { 0 };
    struct build_tree *t = &b->tree;
    if (b->code || !builder_has(b, n->parent.v, t->count, "node")) return none;
    uint64_t hash = node_hash(n);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (is_node(t, w.id, n)) return (assay_node_id){ w.id };
    assay_node_id id = assay_build_node_new(b, n);
    if (id.v && !index_add(&t->index, hash, id.v)) builder_no_memory(b);
    return b->code ? none : id;
}

static bool has_node(assay_builder *b, assay_node_id node) { return !b->code && node.v && builder_has(b, node.v, b->tree.count, "node"); }

void assay_build_node_parent(assay_builder *b, assay_node_id node, assay_node_id parent)
{
    if (has_node(b, node)) put32(b, &b->tree.parent, node.v, parent.v);
}

void assay_build_node_line(assay_builder *b, assay_node_id node, uint32_t line)
{
    if (has_node(b, node)) put32(b, &b->tree.line, node.v, line);
}

void assay_build_node_calls(assay_builder *b, assay_node_id node, uint64_t more)
{
    if (has_node(b, node)) add64(b, &b->tree.calls, node.v, more);
}

void assay_build_tree_whole(assay_builder *b) { b->tree.is_whole = true; }

static void empty_columns(assay_builder *b, enum schema_number number)
{
    const struct schema_table *t = &schema_tables[number];
    for (unsigned i = 0; i < t->count; i++) {
        void *column = builder_column(b, t, &t->columns[i]);
        struct any_column c = column_load(column);
        c.len = 0;
        column_store(column, c);
    }
}

/* The nodes stay allocated until seal; nothing refers to them any more. */
void assay_build_tree_drop(assay_builder *b)
{
    struct build_tree *t = &b->tree;
    for (size_t i = 0; i < b->p->runs.len; i++) run_done(b->mem, &b->p->runs.at[i]);
    run_done(b->mem, &b->p->summary);
    t->count = 0;
    t->is_whole = t->has_values = false;
    index_clear(&t->index);
    index_clear(&t->loose.index);
    t->loose.cells.len = 0;
    b->timeline.count = 0;
    b->timeline.stream.len = 0;
    empty_columns(b, SCHEMA_T_NODES);
    empty_columns(b, SCHEMA_T_EVENTS);
}

void assay_build_value(assay_builder *b, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value value)
{
    if (b->code || !builder_has(b, stream.v, b->streams.count, "stream") || !builder_has(b, node.v, b->tree.count, "node")) return;
    if (!builder_has(b, column.v, b->scopes.count, "scope")) return;
    if (!column.v) {
        builder_fail(b, ASSAY_ERR_USAGE, "scope 0 stands for none and has no values");
        return;
    }
    b->tree.has_values = true;
    values_add(b, stream.v, node.v, column.v, value);
}

void assay_build_summary(assay_builder *b, assay_node_id node, assay_stat_id column, assay_value value)
{
    if (b->code || !builder_has(b, node.v, b->tree.count, "node") || !builder_has(b, column.v, b->stats.count, "statistic")) return;
    if (!column.v) {
        builder_fail(b, ASSAY_ERR_USAGE, "statistic 0 stands for none and has no values");
        return;
    }
    b->tree.has_values = true;
    values_add(b, VALUE_SUMMARY, node.v, column.v, value);
}

/* Taken in every case, so that `self` is dropped also after an error. */
void assay_build_backing(assay_builder *b, const struct assay_backing *table, void *self)
{
    assay_profile *p = b->p;
    if (p->has_backing) {
        if (table->drop) table->drop(self);
        builder_fail(b, ASSAY_ERR_USAGE, "a profile has only one backing for its values");
        return;
    }
    p->has_backing = true;
    p->backing = *table;
    p->backing_self = self;
}
