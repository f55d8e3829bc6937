/* Trees and values of a profile: the loops that every node goes through. */
#include <inttypes.h>

#include "base/cancel.h"
#include "base/fetch.h"
#include "formats/hpcrun/read.h"

enum { AHEAD = 16 };        /* nodes between fetching and use of a slot */
enum { LOOK_EVERY = 4096 }; /* nodes between two looks at the builder's error */
enum { FORGET = 4 << 20 };

/* Items before number `i` have been read: their memory is given back, some MB at a time. `forgotten`: bytes of the span that were. */
static void forget(struct hpcrun_reader *r, const struct hpcrun_span *s, uint64_t *forgotten, uint64_t i)
{
    uint64_t len = i * s->stride - *forgotten;
    if (len >= FORGET) *forgotten += input_forget(r->job->in, (assay_slice){ (const char *)s->at + *forgotten, (size_t)len });
}

/* ---- where a node stands ---- */

/* By run-time address, as 02.00l has it. */
static assay_func_id func_at(struct hpcrun_reader *r, uint64_t ip)
{
    if (ip == 0 || (r->has_placeholders && hpcrun_placeholder_name(ip)))
        return ip ? hpcrun_func_special(&r->funcs, HPCRUN_LM_PLACEHOLDER, ip) : hpcrun_func_root(&r->funcs, 0);
    const struct hpcrun_lm *lm = hpcrun_modules_at(&r->modules, ip);
    if (!lm) return hpcrun_func_root(&r->funcs, ip);
    return hpcrun_func_in(&r->funcs, (assay_module_id){ lm->owned }, lm->base, ip - lm->shift);
}

static assay_func_id func_of(struct hpcrun_reader *r, const struct hpcrun_node *n, uint64_t off)
{
    const assay_func_id none = { 0 };
    bool is_brief = r->metrics.totals_only;
    if (r->d.file.variant < HPCRUN_02B) return is_brief ? none : func_at(r, n->ip);
    const struct hpcrun_lm *lm = hpcrun_modules_find(&r->modules, n->module);
    if (lm) return is_brief ? none : hpcrun_func_in(&r->funcs, (assay_module_id){ lm->owned }, lm->base, n->ip);
    if (n->module == HPCRUN_LM_PLACEHOLDER && r->d.file.variant < HPCRUN_04B) return hpcrun_func_root(&r->funcs, n->ip);
    if (n->module != HPCRUN_LM_PLACEHOLDER && (n->module < HPCRUN_LM_GPU_CONTEXT || n->module > HPCRUN_LM_GPU_ROOT))
        hpcrun_warn(r->b, "HRC11", ASSAY_ERROR, off, "node %" PRIu32 " names load module %u, which is not in the load map", n->id, n->module);
    return hpcrun_func_special(&r->funcs, n->module, n->ip);
}

/* The slot of the parent; NULL for a root, also for one whose parent is not there. */
static struct hpcrun_slot *parent_of(struct hpcrun_reader *r, const struct hpcrun_node *n, uint64_t off, uint8_t *flags)
{
    *flags = n->flags & HPCRUN_UNWOUND ? 0 : ASSAY_NODE_CALL_UNKNOWN;
    if (n->raw_parent == 0) return NULL;
    struct hpcrun_slot *slot = hpcrun_ids_find(&r->ids, n->raw_parent);
    if (slot) return slot;
    hpcrun_warn(r->b, "HRC10", ASSAY_ERROR, off, "parent %" PRIu32 " of node %" PRIu32 " does not come before it: the node becomes a root", n->raw_parent,
                n->id);
    *flags = ASSAY_NODE_CALL_UNKNOWN;
    return NULL;
}

/* Tables of large trees do not fit the caches: what a later node needs is fetched while this one is worked on. */
static void look_ahead(struct hpcrun_reader *r, const unsigned char *p)
{
    uint32_t parent = hpcrun_be32(p + 4);
    const struct hpcrun_lm *lm = hpcrun_modules_find(&r->modules, hpcrun_be16(p + 8));
    if (lm && !r->metrics.totals_only) hpcrun_func_soon(&r->funcs, (assay_module_id){ lm->owned }, hpcrun_be64(p + 10));
    if (!r->ids.is_hashed) fetch(hpcrun_ids_slot(&r->ids, parent));
}

/* Makes the node known to its children and values; false = no memory. */
static bool enter(struct hpcrun_reader *r, const struct hpcrun_node *n, uint64_t off, assay_node_id node, uint32_t depth)
{
    if (n->id == 0) {
        hpcrun_warn(r->b, "HRC10", ASSAY_ERROR, off, "a node has the id 0, which stands for none");
        return true;
    }
    if (hpcrun_ids_find(&r->ids, n->id)) {
        hpcrun_warn(r->b, "HRC10", ASSAY_ERROR, off, "the id %" PRIu32 " is given to a second node: its children and values go to the first", n->id);
        return true;
    }
    struct hpcrun_slot *slot = hpcrun_ids_add(&r->ids, n->id);
    if (slot) *slot = (struct hpcrun_slot){ node.v, depth };
    return slot != NULL;
}

static void add_dense(struct hpcrun_reader *r, const struct hpcrun_span *s, const struct hpcrun_node *n, assay_node_id node)
{
    uint32_t count = s->value_count < r->metrics.table.len ? s->value_count : (uint32_t)r->metrics.table.len;
    assay_value v;
    for (uint32_t i = 0; i < count; i++) {
        const struct hpcrun_table_row *row = &r->metrics.table.at[i];
        uint64_t bits = hpcrun_dense(s, n, i);
        if (!hpcrun_metrics_value(&r->metrics, row, r->stream, bits, &v)) continue;
        if (hpcrun_metrics_builds(&r->metrics, row)) assay_build_value(r->b, r->stream, node, row->scope, v);
        r->n.values++;
    }
}

static bool add_node(struct hpcrun_reader *r, const struct hpcrun_node *n, uint64_t off, assay_node_id *node)
{
    struct assay_node row = { .kind = ASSAY_NODE_FUNCTION, .origin = n->id };
    struct hpcrun_slot *parent = parent_of(r, n, off, &row.flags);
    uint32_t depth = 1;
    if (parent) {
        row.parent.v = parent->node;
        row.relation = ASSAY_RELATION_CALL;
        depth = (parent->depth & ~HPCRUN_HAS_CHILD) + 1;
        r->n.parents += !(parent->depth & HPCRUN_HAS_CHILD);
        parent->depth |= HPCRUN_HAS_CHILD;
    } else {
        r->n.roots++;
    }
    if (depth > r->n.depth) r->n.depth = depth;
    row.func = func_of(r, n, off);
    r->n.retained += n->id & 1;
    r->n.not_unwound += !(n->flags & HPCRUN_UNWOUND);
    *node = r->metrics.totals_only ? (assay_node_id){ 1 } : assay_build_node_new(r->b, &row);
    return enter(r, n, off, *node, depth);
}

int hpcrun_read_nodes(struct hpcrun_reader *r, const struct hpcrun_span *nodes, assay_error *err)
{
    bool is_sparse = r->d.file.variant == HPCRUN_04B, has_flags = nodes->flags_at != 0;
    struct hpcrun_node n;
    assay_node_id node;
    uint64_t forgotten = 0;
    if (!hpcrun_ids_begin(&r->ids, nodes) || (r->d.file.variant < HPCRUN_02B && !hpcrun_modules_settle(&r->modules))) return error_memory(err);
    for (uint64_t i = 0; i < nodes->count; i++) {
        TRY(cancel_step(i, err));
        uint64_t off = hpcrun_item_off(nodes, i);
        if (is_sparse) {
            const unsigned char *p = nodes->at + i * nodes->stride;
            if (i + AHEAD < nodes->count) look_ahead(r, p + AHEAD * nodes->stride);
            hpcrun_node_sparse(p, has_flags, &n);
        } else {
            hpcrun_node_at(nodes, i, &n);
        }
        if (!add_node(r, &n, off, &node) || r->funcs.failed) return error_memory(err);
        if (n.values) add_dense(r, nodes, &n, node);
        r->n.negative += n.id != n.raw_id;
        if (i % LOOK_EVERY) continue;
        if (assay_builder_failed(r->b)) break;
        forget(r, nodes, &forgotten, i);
    }
    r->n.contexts += nodes->count;
    return assay_builder_failed(r->b);
}

/* ---- sparse values ---- */

static void add_sparse(struct hpcrun_reader *r, uint64_t begin, uint64_t end, assay_node_id node)
{
    struct hpcrun_value stored;
    assay_value v;
    for (uint64_t i = begin; i < end; i++) {
        hpcrun_value_at(&r->values, i, &stored);
        if (stored.metric >= r->metrics.table.len) {
            hpcrun_warn(r->b, "HRC13", ASSAY_ERROR, hpcrun_item_off(&r->values, i) + 8, "value %" PRIu64 " is for metric %u, but there are only %zu", i,
                        stored.metric, r->metrics.table.len);
            continue;
        }
        const struct hpcrun_table_row *row = &r->metrics.table.at[stored.metric];
        if (!hpcrun_metrics_value(&r->metrics, row, r->stream, stored.bits, &v)) continue;
        if (hpcrun_metrics_builds(&r->metrics, row)) assay_build_value(r->b, r->stream, node, row->scope, v);
        r->n.values++;
    }
}

int hpcrun_read_values(struct hpcrun_reader *r, const struct hpcrun_span *index, assay_error *err)
{
    struct hpcrun_index now, next;
    uint64_t nodes = index->count ? index->count - 1 : 0, least = 0, forgotten = 0, forgotten_values = 0;
    (void)err;
    for (uint64_t i = 0; i < nodes; i++) {
        hpcrun_index_at(index, i, &now);
        hpcrun_index_at(index, i + 1, &next);
        uint64_t off = hpcrun_item_off(index, i);
        struct hpcrun_slot *slot = hpcrun_ids_find(&r->ids, now.node);
        /* Each value belongs to one node; so hostile indices cannot make work out of nothing. */
        if (now.first < least || next.first < now.first || next.first > r->values.count) {
            hpcrun_warn(r->b, "HRC15", ASSAY_ERROR, off + 4,
                        "the values of node %" PRIu32 " go from %" PRIu64 " to %" PRIu64 ": expected to ascend from %" PRIu64 " to %" PRIu64, now.node,
                        now.first, next.first, least, r->values.count);
            continue;
        }
        least = next.first;
        if (slot)
            add_sparse(r, now.first, next.first, (assay_node_id){ slot->node });
        else
            hpcrun_warn(r->b, "HRC14", ASSAY_ERROR, off, "values are given to node %" PRIu32 ", which does not exist", now.node);
        if (i % LOOK_EVERY) continue;
        if (assay_builder_failed(r->b)) break;
        forget(r, index, &forgotten, i);
        forget(r, &r->values, &forgotten_values, least);
    }
    r->n.nonzero_nodes += nodes;
    r->n.stored_values += r->values.count;
    return assay_builder_failed(r->b);
}
