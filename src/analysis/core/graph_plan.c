/* Which place of the graph each node of the tree is, and which call each function node; see analysis/core/graph.h. */
#include "analysis/core/graph.h"
#include "analysis/core/walk.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"

static uint32_t line_of(const struct grapher *g, uint32_t node) { return node && g->f.tree->line ? g->f.tree->line[node] : 0; }
static uint32_t file_of(const struct grapher *g, uint32_t node) { return node && g->f.tree->file ? g->f.tree->file[node].v : 0; }

static uint64_t address_of(const struct grapher *g, uint32_t node)
{
    return node && g->f.tree->offset && frames_kind(&g->f, node) == ASSAY_NODE_INSTRUCTION ? g->f.tree->offset[node] : 0;
}

/* The function of a function node; here an ENTRY is one too. */
static uint32_t func_of(const struct grapher *g, uint32_t node)
{
    uint32_t func = node && g->f.tree->func ? g->f.tree->func[node].v : 0;
    return func ? func : GRAPH_STAND_IN(GRAPH_UNKNOWN);
}

static uint32_t func_file(const struct grapher *g, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(g->p);
    return f->file && func <= f->count ? f->file[func].v : 0;
}

static uint32_t func_line(const struct grapher *g, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(g->p);
    return f->first_line && func <= f->count ? f->first_line[func] : 0;
}

/* ---- places ---- */

/* Where a node inside a function stands; line 0 = its function node knows no line inside itself. */
static struct assay_place inside(const struct grapher *g, uint32_t node)
{
    struct assay_place at = { .func = { func_of(g, g->f.owner[node]) }, .line = line_of(g, g->line_node[node]), .address = address_of(g, node) };
    at.file.v = file_of(g, g->line_node[node]);
    if (!at.file.v) at.file.v = func_file(g, at.func.v);
    return at;
}

static uint64_t place_hash(const struct assay_place *p) { return hash_mix(hash_mix(hash_mix(hash_mix(1, p->func.v), p->file.v), p->line), p->address); }

static bool same_place(const struct assay_place *a, const struct assay_place *b)
{
    return a->func.v == b->func.v && a->file.v == b->file.v && a->line == b->line && a->address == b->address;
}

static int add_place(struct grapher *g, uint32_t node, assay_error *err)
{
    struct assay_place at = inside(g, node);
    if (!at.line && at.file.v == func_file(g, at.func.v)) at.line = func_line(g, at.func.v);
    uint64_t hash = place_hash(&at);
    for (struct index_walk w = index_walk(&g->place_index, hash); index_next(&g->place_index, &w);)
        if (same_place(&g->places.at[w.id - 1], &at)) {
            g->place[node] = w.id - 1;
            return 0;
        }
    struct assay_place *row = vec_push(g->mem, &g->places);
    if (!row || !index_add(&g->place_index, hash, (uint32_t)g->places.len)) return error_memory(err);
    *row = at;
    g->place[node] = (uint32_t)g->places.len - 1;
    return 0;
}

/* ---- calls ---- */

/* Where a function node was called from. */
static struct assay_place call_site(const struct grapher *g, uint32_t node)
{
    const struct assay_tree *t = g->f.tree;
    uint32_t parent = frames_parent(&g->f, node), relation = t->relation ? t->relation[node] : ASSAY_RELATION_LEXICAL;
    bool is_unknown = t->flags && t->flags[node] & (ASSAY_NODE_NO_PLACE | ASSAY_NODE_CALL_UNKNOWN);
    if (!parent) return (struct assay_place){ .func = { GRAPH_STAND_IN(is_unknown ? GRAPH_UNKNOWN : GRAPH_ROOT) } };
    struct assay_place at = inside(g, parent);
    bool is_call = relation == ASSAY_RELATION_CALL || relation == ASSAY_RELATION_INLINED_CALL;
    if (is_call && line_of(g, node)) {
        at.line = line_of(g, node);
        if (file_of(g, node)) at.file.v = file_of(g, node);
    }
    return at;
}

static int add_pair(struct grapher *g, uint32_t node, uint32_t caller, uint32_t callee, assay_error *err)
{
    uint64_t hash = hash_mix(hash_mix(2, caller), callee);
    for (struct index_walk w = index_walk(&g->pair_index, hash); index_next(&g->pair_index, &w);)
        if (g->pairs.at[w.id - 1].caller == caller && g->pairs.at[w.id - 1].callee == callee) {
            g->pair[node] = w.id;
            return 0;
        }
    struct graph_pair *row = vec_push(g->mem, &g->pairs);
    if (!row || !index_add(&g->pair_index, hash, (uint32_t)g->pairs.len)) return error_memory(err);
    *row = (struct graph_pair){ caller, callee };
    g->pair[node] = (uint32_t)g->pairs.len;
    return 0;
}

static uint32_t find_site(const struct grapher *g, uint64_t hash, const struct assay_place *at, uint32_t callee)
{
    for (struct index_walk w = index_walk(&g->site_index, hash); index_next(&g->site_index, &w);)
        if (g->sites.at[w.id - 1].callee == callee && same_place(&g->sites.at[w.id - 1].at, at)) return w.id;
    return 0;
}

static int add_site(struct grapher *g, uint32_t node, assay_error *err)
{
    if (!frames_parent(&g->f, node) && frames_kind(&g->f, node) == ASSAY_NODE_ENTRY) return 0; /* nothing calls where a stack begins */
    struct assay_place at = call_site(g, node);
    uint32_t callee = func_of(g, node);
    uint64_t hash = hash_mix(place_hash(&at), callee);
    g->site[node] = find_site(g, hash, &at, callee);
    if (!g->site[node]) {
        struct graph_site *row = vec_push(g->mem, &g->sites);
        if (!row || !index_add(&g->site_index, hash, (uint32_t)g->sites.len)) return error_memory(err);
        *row = (struct graph_site){ .at = at, .callee = callee };
        g->site[node] = (uint32_t)g->sites.len;
    }
    uint64_t calls = g->f.tree->calls ? g->f.tree->calls[node] : 0, *sum = &g->sites.at[g->site[node] - 1].calls;
    if (__builtin_add_overflow(*sum, calls, sum)) *sum = UINT64_MAX;
    return add_pair(g, node, at.func.v, callee, err);
}

/* ---- recursion ---- */

/* Finds the calls that are not inside another call of the same pair. */
static int find_counted(struct grapher *g, assay_error *err)
{
    SCRATCH(uint32_t, open, g->mem, g->pairs.len + 1);
    SCOPED(walk_done) struct walk w = { 0 };
    if (!open) return error_memory(err);
    TRY(walk_init(&w, g->f.tree, g->mem, err));
    while (walk_next(&w)) {
        TRY(cancel_step(w.node, err));
        uint32_t pair = g->pair[w.node];
        if (!pair) continue;
        if (w.is_leaving)
            open[pair]--;
        else
            g->is_counted[w.node] = open[pair]++ == 0;
    }
    return 0;
}

int graph_plan(struct grapher *g, assay_error *err)
{
    size_t n = g->f.len;
    arena_init(&g->by_node, g->mem);
    index_init(&g->place_index, g->mem);
    index_init(&g->site_index, g->mem);
    index_init(&g->pair_index, g->mem);
    g->line_node = arena_zalloc(&g->by_node, n, sizeof *g->line_node);
    g->site = arena_zalloc(&g->by_node, n, sizeof *g->site);
    g->pair = arena_zalloc(&g->by_node, n, sizeof *g->pair);
    g->is_counted = arena_zalloc(&g->by_node, n, 1);
    if (!g->line_node || !g->site || !g->pair || !g->is_counted) return error_memory(err);
    for (uint32_t id = 1; id <= g->f.tree->count; id++) {
        TRY(cancel_step(id, err));
        bool is_function = g->f.owner[id] == id;
        if (!is_function) g->line_node[id] = line_of(g, id) ? id : g->line_node[frames_parent(&g->f, id)];
        if (is_function) TRY(add_site(g, id, err));
    }
    return find_counted(g, err);
}

int graph_places(struct grapher *g, assay_error *err)
{
    g->place = arena_zalloc(&g->by_node, g->f.len, sizeof *g->place);
    if (!g->place) return error_memory(err);
    for (uint32_t id = 1; id <= g->f.tree->count; id++) {
        TRY(cancel_step(id, err));
        TRY(add_place(g, id, err));
    }
    return 0;
}

void graph_plan_done(struct grapher *g)
{
    arena_done(&g->by_node);
    vec_done(g->mem, &g->places, &g->sites, &g->pairs);
    index_done(&g->place_index);
    index_done(&g->site_index);
    index_done(&g->pair_index);
}
