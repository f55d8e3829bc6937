/* Contexts from returns; see tree.h. */
#include "formats/nytprof/tree.h"

#include <inttypes.h>

enum { STALE_MIN = 1024, PARTS = 256 /* of a tick, in coarse trees */ };

struct nytprof_tree *nytprof_tree_new(struct nytprof_reader *r, assay_error *err)
{
    struct nytprof_tree *t = mem_zalloc(r->mem, 1, sizeof *t);
    (void)err;
    if (!t) return NULL;
    t->mem = r->mem;
    index_init(&t->index, t->mem);
    arena_init(&t->text, t->mem);
    t->wants_whole = r->want & ASSAY_WANT_WHOLE;
    t->wants_coarse = t->wants_whole && r->want & ASSAY_WANT_COARSE && !(r->want & ASSAY_WANT_GRAPH);
    t->wants_merged = !t->wants_whole && r->want & ASSAY_WANT_TREE;
    if (t->wants_whole || t->wants_merged) t->point = assay_build_scope(r->b, r->sub_ticks, ASSAY_SCOPE_POINT, NULL, 0);
    if (t->wants_whole) assay_build_tree_whole(r->b);
    coarse_init(&t->coarse, t->mem);
    struct nytprof_node *none = vec_push(t->mem, &t->nodes);
    if (none) {
        *none = (struct nytprof_node){ 0 };
        return t;
    }
    nytprof_tree_free(t);
    return NULL;
}

void nytprof_tree_free(struct nytprof_tree *t)
{
    if (!t) return;
    vec_done(t->mem, &t->nodes, &t->levels, &t->whole, &t->entries, &t->invocations);
    coarse_done(&t->coarse);
    vec_done(t->mem, &t->work, &t->arcs, &t->on_path);
    index_done(&t->index);
    arena_done(&t->text);
    mem_free(t->mem, t, sizeof *t);
}

/* ---- nodes ---- */

static uint64_t node_hash(uint32_t parent, const struct nytprof_node *n)
{
    return hash_mix(hash_mix(0, (uint64_t)parent << 32 | n->func), (uint64_t)n->fid << 32 | n->line);
}

static uint32_t new_node(struct nytprof_tree *t)
{
    uint32_t id = t->free_list;
    if (id)
        t->free_list = t->nodes.at[id].next;
    else {
        if (t->nodes.len >= UINT32_MAX || !vec_reserve(t->mem, &t->nodes, 1)) return 0;
        id = (uint32_t)t->nodes.len++;
    }
    t->nodes.at[id] = (struct nytprof_node){ 0 };
    t->live++;
    return id;
}

static void free_node(struct nytprof_tree *t, uint32_t id)
{
    t->nodes.at[id] = (struct nytprof_node){ .next = t->free_list };
    t->free_list = id;
    t->live--;
}

static uint32_t find_child(const struct nytprof_tree *t, uint32_t parent, const struct nytprof_node *key)
{
    for (struct index_walk w = index_walk(&t->index, node_hash(parent, key)); index_next(&t->index, &w);) {
        const struct nytprof_node *n = &t->nodes.at[w.id];
        if (n->parent == parent && n->func == key->func && n->fid == key->fid && n->line == key->line) return w.id;
    }
    return 0;
}

/* Most of the index may be about nodes that have moved: then it is made anew. */
static bool index_node(struct nytprof_tree *t, uint32_t id)
{
    if (t->index.count > 2 * (uint64_t)t->live + STALE_MIN) {
        index_clear(&t->index);
        for (uint32_t i = 1; i < t->nodes.len; i++)
            if (t->nodes.at[i].parent && i != id && !index_add(&t->index, node_hash(t->nodes.at[i].parent, &t->nodes.at[i]), i)) return false;
    }
    return index_add(&t->index, node_hash(t->nodes.at[id].parent, &t->nodes.at[id]), id);
}

static bool link_child(struct nytprof_tree *t, uint32_t parent, uint32_t id)
{
    struct nytprof_node *p = &t->nodes.at[parent], *n = &t->nodes.at[id];
    n->parent = parent;
    n->next = 0;
    if (p->last)
        t->nodes.at[p->last].next = id;
    else
        p->first = id;
    p->last = id;
    return index_node(t, id);
}

/* Everything below `from` goes below `to`, equal contexts become one; `from` is no more. */
static bool merge(struct nytprof_tree *t, uint32_t to, uint32_t from)
{
    struct nytprof_whole *w = vec_push(t->mem, &t->work);
    if (!w) return false;
    *w = (struct nytprof_whole){ to, from };
    while (t->work.len) {
        struct nytprof_whole pair = t->work.at[--t->work.len];
        uint32_t next;
        for (uint32_t c = t->nodes.at[pair.node].first; c; c = next) {
            struct nytprof_node *n = &t->nodes.at[c];
            uint32_t same = find_child(t, pair.depth, n);
            next = n->next;
            if (!same) {
                if (!link_child(t, pair.depth, c)) return false;
                continue;
            }
            struct nytprof_node *s = &t->nodes.at[same];
            s->calls += n->calls;
            s->incl += n->incl;
            s->excl += n->excl;
            w = vec_push(t->mem, &t->work);
            if (!w) return false;
            *w = (struct nytprof_whole){ same, c };
        }
        free_node(t, pair.node);
    }
    return true;
}

/* ---- returns ---- */

int nytprof_tree_entry(struct nytprof_tree *t, const struct nytprof_site *site, assay_error *err)
{
    struct nytprof_site *s = vec_push(t->mem, &t->entries);
    if (!s) return error_memory(err);
    *s = *site;
    return 0;
}

static uint32_t name_id(struct nytprof_tree *t, struct nytprof_reader *r, assay_slice name)
{
    uint64_t hash = hash_mix(
        name.len, name.len ? (uint64_t)(uint8_t)name.data[0] << 16 | (uint64_t)(uint8_t)name.data[name.len - 1] << 8 | (uint8_t)name.data[name.len / 2] : 0);
    struct nytprof_name_slot *slot = &t->names[hash % NYTPROF_NAME_SLOTS];
    if (slot->func && slot->len == name.len && (name.len == 0 || memcmp(slot->text, name.data, name.len) == 0)) return slot->func;
    uint32_t func = nytprof_sub_id(r, name);
    if (func && func != slot->func) {
        char *text = arena_copy(&t->text, name);
        if (!text) return 0;
        *slot = (struct nytprof_name_slot){ func, (uint32_t)name.len, text };
    }
    return func;
}

/* The holder for depth `d`, which is the deepest one from now on; those deeper must be gone. */
static uint32_t level_at(struct nytprof_tree *t, uint32_t d)
{
    if (t->levels.len && t->levels.at[t->levels.len - 1].depth == d) return t->levels.at[t->levels.len - 1].node;
    uint32_t id = new_node(t);
    struct nytprof_whole *l = id ? vec_push(t->mem, &t->levels) : NULL;
    if (!l) return 0;
    *l = (struct nytprof_whole){ d, id };
    return id;
}

/* Takes what has returned deeper than `d` as one holder, 0 = nothing; false = no memory. */
static bool take_deeper(struct nytprof_tree *t, uint32_t d, uint32_t *kids)
{
    *kids = 0;
    while (t->levels.len && t->levels.at[t->levels.len - 1].depth > d) {
        uint32_t holder = t->levels.at[--t->levels.len].node;
        if (*kids && !merge(t, holder, *kids)) return false;
        *kids = holder;
    }
    return true;
}

/* The node for `key` below `parent`, which takes the children of `kids`; 0 = no memory. */
static uint32_t settle(struct nytprof_tree *t, uint32_t parent, const struct nytprof_node *key, uint32_t kids)
{
    uint32_t id = find_child(t, parent, key);
    if (id) return !kids || merge(t, id, kids) ? id : 0;
    id = kids ? kids : new_node(t);
    if (!id) return 0;
    t->nodes.at[id].func = key->func;
    t->nodes.at[id].fid = key->fid;
    t->nodes.at[id].line = key->line;
    return link_child(t, parent, id) ? id : 0;
}

static int whole_return(struct nytprof_tree *t, struct nytprof_reader *r, const struct nytprof_node *key, const struct nytprof_return *ret, assay_error *err)
{
    struct assay_node n = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = { key->func }, .line = key->line };
    assay_node_id id = assay_build_node_new(r->b, &n);
    assay_build_node_calls(r->b, id, 1);
    struct nytprof_invocation *v = vec_push(t->mem, &t->invocations);
    if (!v) return error_memory(err);
    *v = (struct nytprof_invocation){ id, ret->excl };
    while (t->whole.len && t->whole.at[t->whole.len - 1].depth > ret->depth)
        assay_build_node_parent(r->b, (assay_node_id){ t->whole.at[--t->whole.len].node }, id);
    struct nytprof_whole *w = vec_push(t->mem, &t->whole);
    if (!w) return error_memory(err);
    *w = (struct nytprof_whole){ ret->depth, id.v };
    return assay_builder_failed(r->b);
}

/* A call that returned at `depth`, or never did: those that are deeper are its own. */
static int coarse_return(struct nytprof_tree *t, uint32_t func, uint32_t depth, double excl, assay_error *err)
{
    size_t count = 0;
    while (t->whole.len && t->whole.at[t->whole.len - 1].depth > depth) {
        t->whole.len--;
        count++;
    }
    struct nytprof_whole *w = vec_push(t->mem, &t->whole);
    if (!w) return error_memory(err);
    *w = (struct nytprof_whole){ depth, 0 };
    uint64_t length = excl > 0 ? excl < 0x1p54 ? (uint64_t)(excl * PARTS + 0.5) : (uint64_t)1 << 62 : 0;
    return coarse_push(&t->coarse, (assay_func_id){ func }, length, count, err);
}

int nytprof_tree_return(struct nytprof_tree *t, struct nytprof_reader *r, const struct nytprof_return *ret, assay_error *err)
{
    struct nytprof_node key = { .func = name_id(t, r, ret->name.bytes) };
    uint32_t kids;
    if (!key.func) return assay_builder_failed(r->b) ? assay_builder_failed(r->b) : error_memory(err);
    if (t->entries.len) {
        struct nytprof_site site = t->entries.at[--t->entries.len];
        key.fid = site.fid;
        key.line = site.line;
    }
    if (t->wants_coarse) return coarse_return(t, key.func, ret->depth, ret->excl, err); /* contexts are not needed */
    if (t->wants_whole) TRY(whole_return(t, r, &key, ret, err));
    if (!take_deeper(t, ret->depth, &kids)) return error_memory(err);
    uint32_t level = level_at(t, ret->depth), id = level ? settle(t, level, &key, kids) : 0;
    if (!id) return error_memory(err);
    struct nytprof_node *n = &t->nodes.at[id];
    n->calls++;
    n->incl += ret->incl;
    n->excl += ret->excl;
    return 0;
}

/* ---- ends ---- */

static uint32_t unfinished(struct nytprof_tree *t, struct nytprof_reader *r)
{
    if (!t->unfinished) {
        t->unfinished = nytprof_sub_id(r, SLICE("(unfinished)"));
        if (t->unfinished) assay_build_func_kind(r->b, (assay_func_id){ t->unfinished }, ASSAY_FUNC_PLACEHOLDER, 0);
    }
    return t->unfinished;
}

/* Invocations whose caller never returned: each depth below a frame of its own. */
static int end_whole(struct nytprof_tree *t, struct nytprof_reader *r, assay_stream_id stream)
{
    assay_node_id frame = { 0 };
    uint32_t depth = 1; /* of the children of `frame` */
    for (size_t i = 0; i < t->whole.len; i++) {
        if (t->whole.at[i].depth > depth) {
            struct assay_node n = { .parent = frame, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = { unfinished(t, r) } };
            frame = assay_build_node_new(r->b, &n);
            depth = t->whole.at[i].depth;
        }
        if (frame.v) assay_build_node_parent(r->b, (assay_node_id){ t->whole.at[i].node }, frame);
    }
    t->whole.len = 0;
    for (size_t i = 0; i < t->invocations.len; i++)
        assay_build_value(r->b, stream, t->invocations.at[i].node, t->point, (assay_value){ .d = t->invocations.at[i].excl });
    t->invocations.len = 0;
    return assay_builder_failed(r->b);
}

/* The same: the deepest first, below a frame that is as deep as those before. */
static int end_coarse(struct nytprof_tree *t, struct nytprof_reader *r, assay_stream_id stream, assay_error *err)
{
    while (t->whole.len && t->whole.at[t->whole.len - 1].depth > 1) {
        size_t i = t->whole.len;
        uint32_t depth = t->whole.at[i - 1].depth;
        while (i && t->whole.at[i - 1].depth == depth) i--;
        TRY(coarse_return(t, unfinished(t, r), i ? t->whole.at[i - 1].depth : 1, 0, err));
    }
    t->whole.len = 0;
    return coarse_end(&t->coarse, stream, err);
}

/* One holder for the roots of the process; 0 = no memory. */
static uint32_t fold(struct nytprof_tree *t, struct nytprof_reader *r)
{
    uint32_t kids = 0, deepest = t->levels.len ? t->levels.at[t->levels.len - 1].depth : 1;
    if (t->wants_coarse && t->whole.len) deepest = t->whole.at[t->whole.len - 1].depth;
    if (deepest > 1) t->open_calls += deepest - 1;
    while (t->levels.len) {
        struct nytprof_whole top = t->levels.at[t->levels.len - 1];
        if (kids) {
            struct nytprof_node key = { .func = unfinished(t, r) };
            if (!key.func || !settle(t, top.node, &key, kids)) return 0;
        }
        t->levels.len--;
        kids = top.node;
        if (t->levels.len == 0 && top.depth > 1 && !level_at(t, 1)) return 0;
    }
    return kids ? kids : new_node(t);
}

static int end_process(struct nytprof_tree *t, struct nytprof_reader *r, uint32_t process, bool arcs, assay_error *err)
{
    uint32_t root = fold(t, r);
    if (!root) return assay_builder_failed(r->b) ? assay_builder_failed(r->b) : error_memory(err);
    t->has_arcs = arcs;
    if (t->wants_coarse)
        TRY(end_coarse(t, r, nytprof_stream(r, process), err));
    else if (t->wants_whole)
        TRY(end_whole(t, r, nytprof_stream(r, process)));
    TRY(nytprof_tree_book(t, r, root, process, err));
    t->nodes.len = 1;
    t->free_list = t->live = 0;
    t->entries.len = 0;
    index_clear(&t->index);
    return 0;
}

int nytprof_tree_end_process(struct nytprof_tree *t, struct nytprof_reader *r, uint32_t process, assay_error *err)
{
    return end_process(t, r, process, true, err);
}

static int build_coarse(struct nytprof_tree *t, struct nytprof_reader *r, assay_error *err)
{
    double ns = r->has_tps && r->ticks_per_sec > 0 ? 1e9 / r->ticks_per_sec / PARTS : 0;
    return coarse_build(&t->coarse, r->b, &(struct coarse_unit){ r->sub_ticks, ASSAY_F64, 1.0 / PARTS, ns }, r->job->options, err);
}

int nytprof_tree_end(struct nytprof_tree *t, struct nytprof_reader *r, uint32_t process, assay_error *err)
{
    TRY(end_process(t, r, process, r->is_salvaged, err));
    if (t->wants_coarse) TRY(build_coarse(t, r, err));
    if (t->open_calls)
        nytprof_warn(r, "N42", ASSAY_WARNING, FINDING_NO_OFFSET, "%" PRIu64 " call%s no return: shown as (unfinished)", t->open_calls,
                     t->open_calls == 1 ? " has" : "s have");
    double scale = r->has_tps ? r->ticks_per_sec : 1;
    for (size_t i = 0; r->is_salvaged && i < t->arcs.len; i++) {
        struct nytprof_arc a = t->arcs.at[i];
        a.incl /= scale;
        a.excl /= scale;
        a.reci /= scale;
        r->subs.at[a.callee].is_listed = true;
        if (a.fid && !nytprof_fid_row(r, a.fid, 0)) return error_memory(err);
        TRY(nytprof_add_arc(r, &a, err));
    }
    return 0;
}
