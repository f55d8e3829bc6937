/* Contexts -> nodes of the builder, and calls by site. One walk without recursion, parents before children; see tree.h. */
#include "formats/nytprof/tree.h"

static bool reach(struct nytprof_tree *t, uint32_t func)
{
    while (t->on_path.len <= func) {
        uint32_t *slot = vec_push(t->mem, &t->on_path);
        if (!slot) return false;
        *slot = 0;
    }
    return true;
}

static void build(struct nytprof_tree *t, struct nytprof_reader *r, struct nytprof_node *n, assay_stream_id stream)
{
    struct assay_node node = {
        .parent = { t->nodes.at[n->parent].built }, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = { n->func }, .line = n->line
    };
    assay_node_id id = assay_build_node(r->b, &node);
    n->built = id.v;
    assay_build_node_calls(r->b, id, n->calls);
    assay_build_value(r->b, stream, id, t->point, (assay_value){ .d = n->excl });
}

/* A call below one of the same sub is recursive: its time counts apart. */
static bool add_arc(struct nytprof_tree *t, const struct nytprof_node *n, uint32_t process)
{
    uint32_t caller = t->nodes.at[n->parent].func, depth = t->on_path.at[n->func];
    struct nytprof_arc *a = vec_push(t->mem, &t->arcs);
    if (!a) return false;
    *a = (struct nytprof_arc){ .process = process, .caller = caller == t->unfinished ? 0 : caller, .callee = n->func, .fid = n->fid, .line = n->line };
    a->count = n->calls;
    a->excl = n->excl;
    a->depth = depth;
    *(depth ? &a->reci : &a->incl) = n->incl;
    return true;
}

static bool enter(struct nytprof_tree *t, struct nytprof_reader *r, uint32_t id, uint32_t process)
{
    struct nytprof_node *n = &t->nodes.at[id];
    if (!reach(t, n->func)) return false;
    if (t->wants_merged) build(t, r, n, nytprof_stream(r, process));
    if (t->has_arcs && n->func != t->unfinished && !add_arc(t, n, process)) return false;
    t->on_path.at[n->func]++;
    return true;
}

int nytprof_tree_book(struct nytprof_tree *t, struct nytprof_reader *r, uint32_t root, uint32_t process, assay_error *err)
{
    uint32_t at = t->nodes.at[root].first;
    while (at) {
        if (!enter(t, r, at, process)) return error_memory(err);
        if (t->nodes.at[at].first) {
            at = t->nodes.at[at].first;
            continue;
        }
        while (at != root && !t->nodes.at[at].next) {
            t->on_path.at[t->nodes.at[at].func]--;
            at = t->nodes.at[at].parent;
        }
        if (at == root) break;
        t->on_path.at[t->nodes.at[at].func]--;
        at = t->nodes.at[at].next;
    }
    return assay_builder_failed(r->b);
}
