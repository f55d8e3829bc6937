/* Comparing trees: the class of a node is its path of keys; in a whole tree also its place among its siblings. */
#include "model/equal.h"

#include <stdio.h>

#include "base/index.h"

/* What distinguishes a node from its siblings: its keys in classes, the parent among them, and its place. */
struct node_key {
    uint64_t cells[SCHEMA_COLUMNS_MAX];
};

static uint32_t at32(const void *column, uint32_t i) { return column ? ((const uint32_t *)column)[i] : 0; }

static uint64_t cell_of(const struct equal *e, int side, const struct schema_column *c, uint32_t node)
{
    uint64_t v = schema_cell(e->p[side], &schema_tables[SCHEMA_T_NODES], c, node).u;
    switch (c->type) {
    case SCHEMA_NODE: return class_of(e, side, FIELD_NODE, (uint32_t)v);
    case SCHEMA_FUNC: return class_of(e, side, FIELD_FUNC, (uint32_t)v);
    case SCHEMA_FILE: return class_of(e, side, FIELD_FILE, (uint32_t)v);
    case SCHEMA_MODULE: return class_of(e, side, FIELD_MODULE, (uint32_t)v);
    case SCHEMA_STRING: return class_of(e, side, FIELD_STRING, (uint32_t)v);
    default: return v;
    }
}

static struct node_key key_of(const struct equal *e, int side, uint32_t node, const uint32_t *ordinals)
{
    const struct schema_table *t = &schema_tables[SCHEMA_T_NODES];
    struct node_key k = { { 0 } };
    for (unsigned i = 0; i < t->count; i++)
        if (t->columns[i].role == SCHEMA_KEY) k.cells[i] = cell_of(e, side, &t->columns[i], node);
    k.cells[SCHEMA_COLUMNS_MAX - 1] = ordinals ? ordinals[node] : 0;
    return k;
}

static bool same_key(const struct node_key *a, const struct node_key *c) { return memcmp(a, c, sizeof *a) == 0; }

static uint64_t hash_key(const struct node_key *k)
{
    uint64_t h = 0;
    for (int i = 0; i < SCHEMA_COLUMNS_MAX; i++) h = hash_mix(h, k->cells[i]);
    return h;
}

/* The place of each node among its siblings; NULL = no memory. */
static uint32_t *ordinals_of(struct equal *e, const struct assay_tree *t)
{
    size_t len = (size_t)t->count + 1;
    uint32_t *ordinal = mem_zalloc(&e->mem, len, sizeof *ordinal), *children = mem_zalloc(&e->mem, len, sizeof *children);
    for (uint32_t id = 1; ordinal && children && id <= t->count; id++) ordinal[id] = ++children[t->parent[id].v];
    if (!children) {
        mem_free(&e->mem, ordinal, len * sizeof *ordinal);
        ordinal = NULL;
    }
    mem_free(&e->mem, children, len * sizeof *children);
    return ordinal;
}

struct nodes {
    struct index index;
    uint32_t *ordinal[2];  /* whole trees */
    struct id_map balance; /* class -> nodes of the first profile that the second has not shown yet */
};

/* The class whose sample has this key, or 0. */
static uint32_t find_class(const struct equal *e, const struct nodes *n, const struct node_key *key, uint64_t hash)
{
    for (struct index_walk w = index_walk(&n->index, hash); index_next(&n->index, &w);) {
        struct node_key sample = key_of(e, 0, e->sample[FIELD_NODE].at[w.id], n->ordinal[0]);
        if (same_key(&sample, key)) return w.id;
    }
    return 0;
}

static int number_first(struct equal *e, struct nodes *n)
{
    uint32_t class = 0;
    for (uint32_t id = 1; id <= e->p[0]->tree.count; id++) {
        struct node_key key = key_of(e, 0, id, n->ordinal[0]);
        uint64_t hash = hash_key(&key);
        uint32_t found = find_class(e, n, &key, hash);
        if (!found) {
            found = ++class;
            e->sample[FIELD_NODE].at[found] = id;
            if (!index_add(&n->index, hash, found)) return equal_memory(e);
        }
        e->map[0][FIELD_NODE].at[id] = found;
        n->balance.at[found]++;
    }
    return 0;
}

static int say_node(struct equal *e, int side, uint32_t id)
{
    const struct assay_tree *t = &e->p[side]->tree;
    const struct assay_funcs *f = &e->p[side]->funcs;
    uint32_t func = at32(t->func, id), above = at32(t->func, t->parent[id].v);
    assay_slice name = func ? assay_profile_string(e->p[side], f->name[func]) : (assay_slice){ NULL, 0 };
    assay_slice parent = above ? assay_profile_string(e->p[side], f->name[above]) : (assay_slice){ NULL, 0 };
    return equal_differ(e, "nodes of the tree: only the %s profile has node %u, function '%.150s' line %u under '%.150s' (%u and %u nodes in total)",
                        side ? "second" : "first", id, name.data ? name.data : "", at32(t->line, id), parent.data ? parent.data : "", e->p[0]->tree.count,
                        e->p[1]->tree.count);
}

static int number_second(struct equal *e, struct nodes *n)
{
    for (uint32_t id = 1; id <= e->p[1]->tree.count; id++) {
        struct node_key key = key_of(e, 1, id, n->ordinal[1]);
        uint32_t found = find_class(e, n, &key, hash_key(&key));
        if (!found || !n->balance.at[found]) return say_node(e, 1, id);
        e->map[1][FIELD_NODE].at[id] = found;
        n->balance.at[found]--;
    }
    for (uint32_t id = 1; id <= e->p[0]->tree.count; id++)
        if (n->balance.at[e->map[0][FIELD_NODE].at[id]]) return say_node(e, 0, id);
    return 0;
}

static int number_nodes(struct equal *e)
{
    size_t len[2] = { (size_t)e->p[0]->tree.count + 1, (size_t)e->p[1]->tree.count + 1 };
    struct nodes n = { 0 };
    index_init(&n.index, &e->mem);
    bool has_room = equal_new_map(e, &n.balance, len[0]) && equal_new_map(e, &e->sample[FIELD_NODE], len[0]);
    for (int side = 0; side < 2; side++) {
        has_room = has_room && equal_new_map(e, &e->map[side][FIELD_NODE], len[side]);
        if (has_room && e->p[0]->tree.is_whole) has_room = (n.ordinal[side] = ordinals_of(e, &e->p[side]->tree)) != NULL;
    }
    int rc = has_room ? number_first(e, &n) : equal_memory(e);
    if (rc == 0) rc = number_second(e, &n);
    for (int side = 0; side < 2; side++) mem_free(&e->mem, n.ordinal[side], n.ordinal[side] ? len[side] * sizeof(uint32_t) : 0);
    mem_free(&e->mem, n.balance.at, n.balance.len * sizeof(uint32_t));
    index_done(&n.index);
    return rc;
}

/* ---- figures ---- */

/* One figure of every node, by the class of the node. */
static int equal_figure(struct equal *e, const struct schema_column *c)
{
    const struct schema_table *nodes = &schema_tables[SCHEMA_T_NODES];
    const struct field fields[] = { { "node", FIELD_NODE, true, NULL }, { c->name, FIELD_U64, false, c } };
    const struct cell_kind kinds[] = { { &fields[0], 0, 0 }, { &fields[1], 0, 0 } };
    struct table t = { .what = nodes->what, .class_kind = -1 };
    struct matrix m[2] = { { 0 } };
    bool has_room = matrix_new(e, &m[0], e->p[0]->tree.count, 2) && matrix_new(e, &m[1], e->p[1]->tree.count, 2);
    for (int side = 0; has_room && side < 2; side++)
        for (uint32_t id = 1; id <= e->p[side]->tree.count; id++) {
            m[side].cells[(size_t)(id - 1) * 2] = class_of(e, side, FIELD_NODE, id);
            m[side].cells[(size_t)(id - 1) * 2 + 1] = cell_of(e, side, c, id);
        }
    int rc = has_room ? equal_matrices(e, &t, m, kinds) : equal_memory(e);
    matrix_done(e, &m[0]);
    matrix_done(e, &m[1]);
    return rc;
}

/* ---- values ---- */

struct collect {
    const struct equal *e;
    int side;
    bool is_summary, has_failed;
    struct mem *mem;
    VEC(uint64_t) cells;
};

static int collect_cell(void *arg, const assay_cell *cell)
{
    struct collect *c = arg;
    const assay_profile *p = c->e->p[c->side];
    uint32_t columns = c->is_summary ? p->stats.count : p->scopes.count;
    uint32_t scope = cell->column && cell->column <= columns ? cell->column : 0;
    if (scope && c->is_summary) scope = p->stats.scope[scope].v;
    enum assay_type type = scope ? p->metrics.type[p->scopes.metric[scope].v] : ASSAY_U64;
    if (!vec_reserve(c->mem, &c->cells, 3)) {
        c->has_failed = true;
        return 1;
    }
    c->cells.at[c->cells.len++] = class_of(c->e, c->side, FIELD_NODE, cell->node);
    c->cells.at[c->cells.len++] = class_of(c->e, c->side, c->is_summary ? FIELD_STAT : FIELD_SCOPE, cell->column);
    c->cells.at[c->cells.len++] = value_bits(type, cell->value);
    return 0;
}

/* stream UINT32_MAX = the summary */
static int collect_cells(struct equal *e, int side, uint32_t stream, struct matrix *m)
{
    struct collect c = { .e = e, .side = side, .is_summary = stream == VALUE_SUMMARY, .mem = &e->mem };
    int rc = c.is_summary ? assay_tree_summary(e->p[side], (assay_stat_id){ 0 }, collect_cell, &c, e->err)
                          : assay_tree_column(e->p[side], (assay_stream_id){ stream }, (assay_scope_id){ 0 }, collect_cell, &c, e->err);
    if (rc == 0 && c.cells.len / 3 > UINT32_MAX)
        rc = error_set(e->err, ASSAY_ERR_LIMIT, "a stream with %zu values is too large to be compared", c.cells.len / 3);
    if (c.has_failed || (rc == 0 && !matrix_new(e, m, c.cells.len / 3, 3))) rc = equal_memory(e);
    if (rc == 0 && c.cells.len) memcpy(m->cells, c.cells.at, c.cells.len * sizeof *c.cells.at);
    vec_done(&e->mem, &c.cells);
    return rc;
}

static int equal_values(struct equal *e, uint32_t stream)
{
    bool is_summary = stream == VALUE_SUMMARY;
    char what[64];
    if (is_summary)
        snprintf(what, sizeof what, "summary of the tree");
    else
        snprintf(what, sizeof what, "values of the tree in stream %u", stream);
    const struct field fields[] = { { "node", FIELD_NODE, true, NULL },
                                    { "column", is_summary ? FIELD_STAT : FIELD_SCOPE, true, NULL },
                                    { "value", FIELD_CELL, false, NULL } };
    const struct cell_kind kinds[] = { { &fields[0], 0, 0 }, { &fields[1], 0, 0 }, { &fields[2], is_summary, 0 } };
    struct table t = { .what = what, .class_kind = -1 };
    struct matrix m[2] = { { 0 } };
    int rc = collect_cells(e, 0, stream, &m[0]);
    if (rc == 0) rc = collect_cells(e, 1, stream, &m[1]);
    if (rc == 0) rc = equal_matrices(e, &t, m, kinds);
    matrix_done(e, &m[0]);
    matrix_done(e, &m[1]);
    return rc;
}

int equal_tree(struct equal *e)
{
    const struct assay_tree *a = &e->p[0]->tree, *c = &e->p[1]->tree;
    if (a->is_whole != c->is_whole)
        return equal_differ(e, "tree: it is %s in the first profile and %s in the second", a->is_whole ? "whole" : "merged", c->is_whole ? "whole" : "merged");
    TRY(number_nodes(e));
    const struct schema_table *t = &schema_tables[SCHEMA_T_NODES];
    for (unsigned i = 0; i < t->count; i++)
        if (t->columns[i].role == SCHEMA_FIGURE) TRY(equal_figure(e, &t->columns[i]));
    for (uint32_t s = 0; s <= e->p[0]->streams.count; s++) TRY(equal_values(e, s));
    return equal_values(e, VALUE_SUMMARY);
}
