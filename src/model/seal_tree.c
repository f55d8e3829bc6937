/* Ordering the tree: every parent before its children, in linear time and without recursion; and the order of the timeline. */
#include "base/scoped.h"
#include "model/builder.h"

static size_t ids_len(const struct build_tree *t) { return ((size_t)t->count + 1) * sizeof(uint32_t); }

/* false = some parent has a larger id than its child. */
static int check_parents(assay_builder *b, bool *is_ordered)
{
    const struct build_tree *t = &b->tree;
    *is_ordered = true;
    for (uint32_t id = 1; id < t->parent.len; id++) {
        uint32_t parent = t->parent.at[id];
        if (parent > t->count) return builder_fail(b, ASSAY_ERR_DAMAGED, "the parent of node %u is node %u, but the last node is %u", id, parent, t->count);
        if (parent >= id) *is_ordered = false;
    }
    return 0;
}

/* Walks the tree parents first, siblings by id: map[old] = new; false = some nodes are not reached from a root. */
static bool number_nodes(const struct build_tree *t, uint32_t *map, uint32_t *first, uint32_t *next)
{
    for (uint32_t id = t->count; id > 0; id--) {
        uint32_t parent = get32(&t->parent, id);
        next[id] = first[parent];
        first[parent] = id;
    }
    uint32_t node = first[0], number = 0;
    while (node) {
        map[node] = ++number;
        if (first[node]) {
            node = first[node];
            continue;
        }
        while (node && !next[node]) node = get32(&t->parent, node);
        if (node) node = next[node];
    }
    return number == t->count;
}

static int damaged_by_cycle(assay_builder *b, const uint32_t *map)
{
    uint32_t id = 1;
    while (map[id]) id++;
    return builder_fail(b, ASSAY_ERR_DAMAGED, "node %u (number %llu in the file) is its own ancestor", id, (unsigned long long)get64(&b->tree.origin, id));
}

/* Moves every column of the tree; order[new] = old. */
static bool move_columns(assay_builder *b, const uint32_t *order)
{
    const struct schema_table *t = &schema_tables[SCHEMA_T_NODES];
    bool done = true;
    for (unsigned i = 0; done && i < t->count; i++) {
        void *column = builder_column(b, t, &t->columns[i]);
        struct any_column c = column_load(column);
        done = column_gather(b->mem, &c.at, &c.len, &c.cap, (size_t)b->tree.count + 1, schema_size(t->columns[i].type), order);
        column_store(column, c);
    }
    return done;
}

/* Fills map (zeroed): old -> new. */
static int make_map(assay_builder *b, uint32_t *map)
{
    struct build_tree *t = &b->tree;
    SCRATCH(uint32_t, first, b->mem, (size_t)t->count + 1);
    SCRATCH(uint32_t, next, b->mem, (size_t)t->count + 1);
    if (!first || !next)
        builder_no_memory(b);
    else if (!number_nodes(t, map, first, next))
        damaged_by_cycle(b, map);
    return b->code;
}

/* Whatever holds node numbers first, the rows of the nodes last: then the map is no longer needed, and no two columns are there twice. */
static int renumber(assay_builder *b)
{
    struct build_tree *t = &b->tree;
    uint32_t *map = mem_zalloc(b->mem, (size_t)t->count + 1, sizeof *map), *order = NULL;
    if (!map) return builder_no_memory(b);
    if (make_map(b, map) == 0 && seal_values(b, map) == 0) {
        for (size_t i = 0; i < b->timeline.node.len; i++) b->timeline.node.at[i] = map[b->timeline.node.at[i]];
        for (size_t i = 0; i < b->samples.node.len; i++) b->samples.node.at[i] = map[b->samples.node.at[i]];
        for (size_t i = 0; i < b->markers.node.len; i++) b->markers.node.at[i] = map[b->markers.node.at[i]];
        for (size_t id = 0; id < t->parent.len; id++) t->parent.at[id] = map[t->parent.at[id]];
        order = mem_alloc(b->mem, ids_len(t));
        for (uint32_t id = 0; order && id <= t->count; id++) order[map[id]] = id;
    }
    mem_free(b->mem, map, ids_len(t));
    if (!b->code && (!order || !move_columns(b, order))) builder_no_memory(b);
    mem_free(b->mem, order, order ? ids_len(t) : 0);
    return b->code;
}

/* Gives back the room to grow before room to renumber is taken. */
static void trim(assay_builder *b)
{
    const struct schema_table *t = &schema_tables[SCHEMA_T_NODES];
    for (unsigned i = 0; i < t->count; i++) {
        void *column = builder_column(b, t, &t->columns[i]);
        struct any_column c = column_load(column);
        vec_trim_(b->mem, &c.at, c.len, &c.cap, schema_size(t->columns[i].type));
        column_store(column, c);
    }
    for (size_t s = 0; s < b->p->runs.len; s++) run_trim(b->mem, &b->p->runs.at[s]);
    run_trim(b->mem, &b->p->summary);
}

int seal_tree(assay_builder *b)
{
    struct build_tree *t = &b->tree;
    bool is_ordered;
    if (check_parents(b, &is_ordered) != 0) return b->code;
    if (b->p->has_backing && t->has_values) return builder_fail(b, ASSAY_ERR_USAGE, "values were built although the profile has a backing for them");
    if (b->p->has_backing && !is_ordered) return builder_fail(b, ASSAY_ERR_USAGE, "with a backing every node must come after its parent");
    index_done(&t->index);
    index_done(&t->loose.index);
    trim(b);
    return is_ordered ? seal_values(b, NULL) : renumber(b);
}

/* ---- timeline ---- */

static bool is_sorted(const struct build_timeline *t)
{
    for (size_t i = 1; i < t->time.len; i++) {
        uint32_t before = get32(&t->stream, i - 1), now = get32(&t->stream, i);
        if (now < before || (now == before && t->time.at[i] < t->time.at[i - 1])) return false;
    }
    return true;
}

/* Stable: by time, then by stream. */
static bool find_order(assay_builder *b, uint64_t *key, uint32_t *order)
{
    const struct build_timeline *t = &b->timeline;
    for (size_t i = 0; i < t->time.len; i++) {
        key[i] = (uint64_t)t->time.at[i] ^ (uint64_t)1 << 63; /* negative times first */
        order[i] = (uint32_t)i;
    }
    if (!radix_sort(b->mem, key, order, t->time.len, 0)) return false;
    for (size_t i = 0; i < t->time.len; i++) key[i] = get32(&t->stream, order[i]);
    return radix_sort(b->mem, key, order, t->time.len, 0);
}

static bool gather_events(assay_builder *b, const uint32_t *order)
{
    struct build_timeline *t = &b->timeline;
    size_t n = t->time.len;
#define GATHER_EVENTS(column, size) column_gather(b->mem, (void **)&(column).at, &(column).len, &(column).cap, n, (size), order)
    if (!GATHER_EVENTS(t->time, 8) || !GATHER_EVENTS(t->duration, 8) || !GATHER_EVENTS(t->node, 4) || !GATHER_EVENTS(t->stream, 4) || !GATHER_EVENTS(t->set, 4))
        return false;
    if (!t->weight.len) return true;
    /* one row of weights is one element */
    size_t width = t->block.count;
    if (!column_reach(b->mem, &t->weight, n * width)) return false;
    vec_trim(b->mem, &t->weight);
    if (t->weight.cap != n * width) return false;
    size_t len = n, cap = n;
    bool done = column_gather(b->mem, (void **)&t->weight.at, &len, &cap, n, width * sizeof(assay_value), order);
#undef GATHER_EVENTS
    return done;
}

static int sort_events(assay_builder *b)
{
    size_t n = b->timeline.time.len;
    if (n > ID_MAX) return builder_fail(b, ASSAY_ERR_LIMIT, "%zu events are not in the order of time, and at most %u can be sorted", n, ID_MAX);
    uint64_t *key = mem_alloc(b->mem, n * sizeof *key);
    uint32_t *order = key ? mem_alloc(b->mem, n * sizeof *order) : NULL;
    if (!order || !find_order(b, key, order) || !gather_events(b, order)) builder_no_memory(b);
    mem_free(b->mem, key, n * sizeof *key);
    mem_free(b->mem, order, n * sizeof *order);
    return b->code;
}

int seal_timeline(assay_builder *b)
{
    struct build_timeline *t = &b->timeline;
    if (!is_sorted(t)) TRY(sort_events(b));
    if (!t->count) return 0;
    if (!column_reach(b->mem, &t->streams.begin, (size_t)b->streams.count + 2)) return builder_no_memory(b);
    for (size_t i = 0; i < t->time.len; i++) t->streams.begin.at[get32(&t->stream, i) + 1]++;
    for (size_t s = 1; s < t->streams.begin.len; s++) t->streams.begin.at[s] += t->streams.begin.at[s - 1];
    return 0;
}
