/* Nodes of the tree, and where their values go. */
#include "model/builder.h"

static uint64_t node_hash(const struct assay_node *n)
{
    uint64_t h = hash_mix((uint64_t)n->parent.v << 32 | n->func.v, (uint64_t)n->file.v << 32 | n->line);
    h = hash_mix(h, n->offset);
    return hash_mix(h, (uint64_t)n->module.v << 32 | (uint64_t)n->kind << 16 | (uint64_t)n->relation << 8 | n->flags);
}

/* The identity of a node are the keys of schema.def; `calls` is its only figure, which is added later. */
#define SAME_NODE(c, x) get32((c), id) == (x).v
#define SAME_FUNC(c, x) get32((c), id) == (x).v
#define SAME_FILE(c, x) get32((c), id) == (x).v
#define SAME_MODULE(c, x) get32((c), id) == (x).v
#define SAME_U32(c, x) get32((c), id) == (x)
#define SAME_U64(c, x) get64((c), id) == (x)
#define SAME_WORD(c, x) get8((c), id) == (x)
#define SAME_FLAGS(c, x) get8((c), id) == (x)
#define SAME_KEY(name, type) &&SAME_##type(&t->name, n->name)
#define SAME_NOTE(name, type)
#define SAME_FIGURE(name, type)
#define SAME(T, name, member, type, role, ...) SAME_##role(name, type)
#define HAS_KEY(name, type) &&ROW_HAS_##type(n->name)
#define HAS_NOTE(name, type) HAS_KEY(name, type)
#define HAS_FIGURE(name, type)
#define HAS(T, name, member, type, role, ...) HAS_##role(name, type)
#define PUT_KEY(name, type) ROW_PUT_##type(&t->name, id, n->name);
#define PUT_NOTE(name, type) PUT_KEY(name, type)
#define PUT_FIGURE(name, type)
#define PUT(T, name, member, type, role, ...) PUT_##role(name, type)

static bool is_node(const struct build_tree *t, uint32_t id, const struct assay_node *n) { return true SCHEMA_NODES(SAME, _); }

assay_node_id assay_build_node_new(assay_builder *b, const struct assay_node *n)
{
    const assay_node_id none = { 0 };
    struct build_tree *t = &b->tree;
    if (!(b->code == 0 SCHEMA_NODES(HAS, _))) return none;
    uint32_t id = builder_next(b, t->count, "nodes");
    if (!id) return none;
    SCHEMA_NODES(PUT, _)
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
    empty_columns(b, SCHEMA_T_SAMPLES);
    b->samples.count = 0;
    index_clear(&b->samples.index);
    b->markers.node.len = 0;
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
