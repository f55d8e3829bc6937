/* tree: calling contexts with what they cost, a row for each node and metric; and stacks of nodes. Figures are those of analysis/core/node_costs.h, which the views
 * of contexts show; contexts are estimated where the profile has a call graph alone. */
#include <string.h>

#include "analysis/core/node_costs.h"
#include "analysis/tables/parts.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/profile.h"
#include "model/schema.h"

enum {
    TREE_PROFILE,
    TREE_METRIC,
    TREE_NODE,
    TREE_PARENT,
    TREE_DEPTH,
    TREE_KIND,
    TREE_FUNCTION,
    TREE_KEY,
    TREE_NAME,
    TREE_SOURCE,
    TREE_LINE,
    TREE_CALLS,
    TREE_SELF,
    TREE_TOTAL,
    TREE_ESTIMATED,
    TREE_STACK,
    TREE_COLUMNS
};

static const struct tables_column tree_columns[TREE_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "metric", TABLES_TEXT, "metric of the figures in this row", "Ir" },
    { "node", TABLES_INTEGER, "id in the table node", "12" },
    { "parent", TABLES_INTEGER, "node above it; NULL = a root", "3" },
    { "depth", TABLES_INTEGER, "from 1 at a root", "2" },
    { "kind", TABLES_TEXT, "function, entry, inlined, loop, line, instruction or other", "function" },
    { "function", TABLES_INTEGER, "id in the table function; NULL = none of its own", "7" },
    { "key", TABLES_INTEGER, "the same for the same function in other profiles", "4611686018427387905" },
    { "name", TABLES_TEXT, "name of the function", "main" },
    { "source", TABLES_TEXT, "file: of a function where it is defined, of other nodes where they are", "src/main.c" },
    { "line", TABLES_INTEGER, "line in that file", "42" },
    { "calls", TABLES_UNSIGNED, "how often it was entered", "10" },
    { "self", TABLES_NUMBER, "own cost; of a function with its lines and loops, of a loop without those in it", "1205" },
    { "total", TABLES_NUMBER, "cost with everything below", "20413" },
    { "estimated", TABLES_INTEGER, "1 = contexts were estimated from a call graph; node is then in no other table", "0" },
    { "stack", TABLES_TEXT, "functions from the root to here, separated by semicolons", "main;work" },
};

struct tree_costs {
    bool is_loaded;
    struct node_costs costs;
};

struct tree_data {
    struct mem *mem;
    const assay_profile *p; /* whose tree it is */
    bool is_estimated;
    bool has_frames;
    struct frames frames;
    uint32_t *depth;
    uint32_t metric_count;
    assay_metric_id *metrics;
    struct tree_costs *costs;
};

static void tree_drop(void *data)
{
    struct tree_data *d = data;
    for (uint32_t i = 0; d->costs && i < d->metric_count; i++)
        if (d->costs[i].is_loaded) node_costs_done(&d->costs[i].costs);
    if (d->has_frames) frames_done(&d->frames);
}

static int load_nodes(struct tree_data *d, struct arena *arena, assay_error *err)
{
    const struct assay_tree *tree = &d->p->tree;
    d->depth = arena_alloc(arena, ((size_t)tree->count + 1) * sizeof *d->depth);
    d->metrics = arena_alloc(arena, ((size_t)d->p->metrics.count + 1) * sizeof *d->metrics);
    if (!d->depth || !d->metrics) return error_memory(err);
    d->has_frames = true;
    TRY(frames_init(&d->frames, tree, d->mem, err));
    d->depth[0] = 0;
    for (uint32_t i = 1; i <= tree->count; i++) {
        TRY(cancel_step(i, err));
        d->depth[i] = d->depth[tree->parent[i].v] + 1;
    }
    uint32_t count = columns_metrics(d->p, d->metrics);
    d->costs = arena_alloc(arena, ((size_t)count + 1) * sizeof *d->costs);
    if (!d->costs) return error_memory(err);
    memset(d->costs, 0, ((size_t)count + 1) * sizeof *d->costs);
    d->metric_count = count;
    return 0;
}

static int tree_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    const assay_profile *contexts;
    (void)table;
    TRY(tables_contexts(t, p, &contexts, err));
    if (!contexts) return ASSAY_ERR_UNSUPPORTED;
    struct tree_data *d = arena_alloc(&cache->arena, sizeof *d);
    if (!d) return error_memory(err);
    *d = (struct tree_data){ .mem = t->mem, .p = contexts, .is_estimated = contexts != p->p };
    cache->data = d;
    return load_nodes(d, &cache->arena, err);
}

static uint64_t tree_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    const struct tree_data *d = data;
    (void)table;
    if (d) return (uint64_t)d->p->tree.count * (d->metric_count ? d->metric_count : 1);
    uint64_t nodes = p->p->tree.count ? p->p->tree.count : p->p->graph.arc_count;
    return nodes * (p->p->metrics.count ? p->p->metrics.count : 1);
}

static void tree_move(struct tables_place *at)
{
    const struct tree_data *d = at->data;
    at->base = at->row % d->p->tree.count + 1;
    at->k = (uint32_t)(at->row / d->p->tree.count);
}

/* Rows of one metric follow each other, in the order of nodes. */
static bool tree_range(struct tables_place *at, const struct tables_constraint *c, unsigned count, uint64_t *first, uint64_t *end)
{
    const struct tree_data *d = at->data;
    uint64_t nodes = d->p->tree.count, node = 0;
    uint32_t k = UINT32_MAX;
    for (unsigned i = 0; i < count; i++) {
        if (c[i].column == TREE_PROFILE || c[i].op != TABLES_EQ) continue;
        if (c[i].column == TREE_METRIC && c[i].value.kind == TABLES_STRING) {
            for (k = 0; k < d->metric_count && !slice_equal(metric_name_of(d->p, d->metrics[k]), c[i].value.s);) k++;
        } else if (c[i].column == TREE_NODE && (c[i].value.kind == TABLES_U64 || (c[i].value.kind == TABLES_I64 && c[i].value.i > 0)))
            node = c[i].value.u;
        else
            return false;
    }
    if (k == UINT32_MAX && node && d->metric_count <= 1) k = 0;
    if (k == UINT32_MAX) return false;
    *first = *end = 0;
    if (k >= d->metric_count || node > nodes) return true;
    *first = k * nodes + (node ? node - 1 : 0);
    *end = node ? *first + 1 : *first + nodes;
    return true;
}

/* Of a metric, when the first of its figures is looked at. */
static const struct node_costs *costs_of(struct tables_place *at)
{
    struct tree_data *d = at->data;
    struct tree_costs *c = &d->costs[at->k];
    if (!d->metric_count || at->t->failure.code) return NULL;
    if (c->is_loaded) return &c->costs;
    c->is_loaded = true;
    return node_costs_load(&c->costs, d->p, &d->frames, d->metrics[at->k], &at->t->failure) == 0 ? &c->costs : NULL;
}

static struct tables_cell figure(struct tables_place *at, bool is_total)
{
    const struct node_costs *c = costs_of(at);
    const struct sums *s = c ? is_total ? &c->total : &c->self : NULL;
    return s ? cell_value(s->type, sums_value(s, (size_t)at->base)) : cell_null();
}

/* ---- places and stacks ---- */

static uint32_t func_of(const assay_profile *p, uint64_t node) { return p->tree.func ? p->tree.func[node].v : 0; }

static struct tables_cell place_cell(struct tables_place *at, bool is_line)
{
    const struct tree_data *d = at->data;
    const assay_profile *p = d->p;
    uint32_t func = func_of(p, at->base), file, line;
    if (func) {
        file = p->funcs.file ? p->funcs.file[func].v : 0;
        line = p->funcs.first_line ? p->funcs.first_line[func] : 0;
    } else {
        file = p->tree.file ? p->tree.file[at->base].v : 0;
        line = p->tree.line ? p->tree.line[at->base] : 0;
    }
    return is_line ? cell_id(line) : cell_text(tables_source(at->t, at->p, file));
}

/* What a node adds to a stack: the name of the function that it begins; {NULL, 0} = nothing, it is inside one. */
static assay_slice frame_name(const struct tree_data *d, uint32_t node)
{
    if (d->frames.owner[node] != node) return (assay_slice){ NULL, 0 };
    uint32_t func = func_of(d->p, node);
    if (func) return assay_profile_string(d->p, d->p->funcs.name[func]);
    return frames_kind(&d->frames, node) == ASSAY_NODE_ENTRY ? (assay_slice){ NULL, 0 } : SLICE("<unknown>");
}

static size_t stack_len(const struct tree_data *d, uint32_t node)
{
    size_t len = 0;
    for (; node; node = d->p->tree.parent[node].v) {
        assay_slice name = frame_name(d, node);
        if (name.data) len += name.len + 1;
    }
    return len ? len - 1 : 0;
}

/* From the end, so that nothing has to be turned round. */
static void put_stack(const struct tree_data *d, uint32_t node, char *text, size_t len)
{
    bool is_first = true;
    for (; node; node = d->p->tree.parent[node].v) {
        assay_slice name = frame_name(d, node);
        if (!name.data) continue;
        if (!is_first) text[--len] = ';';
        is_first = false;
        len -= name.len;
        memcpy(text + len, name.data, name.len);
    }
}

static struct tables_cell stack_cell(struct tables_place *at)
{
    const struct tree_data *d = at->data;
    size_t len = stack_len(d, (uint32_t)at->base);
    at->scratch.len = 0;
    if (!vec_reserve(at->t->mem, &at->scratch, len + 1)) {
        (void)error_memory(&at->t->failure);
        return cell_null();
    }
    put_stack(d, (uint32_t)at->base, at->scratch.at, len);
    return (struct tables_cell){ .kind = TABLES_STRING, .is_scratch = true, .s = { at->scratch.at, len } };
}

assay_slice tables_stack(struct tables *t, size_t number, uint64_t node, struct arena *arena, assay_error *err)
{
    const assay_slice none = { NULL, 0 };
    if (!number || number > t->profiles.len) return none;
    struct tables_profile *p = t->profiles.at[number - 1];
    const struct tables_table *table = tables_find(t, tables_tree.name);
    if (tables_load(t, p, table, err) != 0) return none;
    const struct tables_cache *cache = &p->caches[table->number];
    const struct tree_data *d = cache->data;
    if (!cache->has_rows || !node || node > d->p->tree.count) return none;
    size_t len = stack_len(d, (uint32_t)node);
    char *text = arena_text(arena, len + 1);
    if (!text) {
        (void)error_memory(err);
        return none;
    }
    put_stack(d, (uint32_t)node, text, len);
    return (assay_slice){ text, len };
}

/* ---- the table ---- */

static void tree_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    static const char *const kinds[] = { "function", "entry", "inlined", "loop", "line", "instruction", "other" };
    const struct tree_data *d = at->data;
    const assay_profile *p = d->p;
    uint32_t node = (uint32_t)at->base, func = func_of(p, node);
    uint8_t kind = frames_kind(&d->frames, node);
    switch (column) {
    case TREE_PROFILE: *out = cell_u64(at->p->number); break;
    case TREE_METRIC: *out = d->metric_count ? cell_text(metric_name_of(p, d->metrics[at->k])) : cell_null(); break;
    case TREE_NODE: *out = cell_u64(node); break;
    case TREE_PARENT: *out = cell_id(p->tree.parent[node].v); break;
    case TREE_DEPTH: *out = cell_u64(d->depth[node]); break;
    case TREE_KIND: *out = cell_text(slice_of(kinds[kind <= ASSAY_NODE_OTHER ? kind : ASSAY_NODE_OTHER])); break;
    case TREE_FUNCTION: *out = cell_id(func); break;
    case TREE_KEY: *out = tables_key(at->t, at->p, func); break;
    case TREE_NAME: *out = func ? cell_name(assay_profile_string(p, p->funcs.name[func])) : cell_null(); break;
    case TREE_SOURCE: *out = place_cell(at, false); break;
    case TREE_LINE: *out = place_cell(at, true); break;
    case TREE_CALLS: *out = cell_u64(p->tree.calls ? p->tree.calls[node] : 0); break;
    case TREE_SELF: *out = figure(at, false); break;
    case TREE_TOTAL: *out = figure(at, true); break;
    case TREE_ESTIMATED: *out = cell_u64(d->is_estimated); break;
    default: *out = stack_cell(at);
    }
}

static const struct tables_ops tree_ops = {
    .load = tree_load, .drop = tree_drop, .rows = tree_rows, .move = tree_move, .cell = tree_cell, .range = tree_range
};

const struct tables_table tables_tree = {
    .name = "tree",
    .what = "calling contexts with what they cost, by metric: what `assay tree` shows of contexts",
    .example = "select name, self, stack from tree where metric = 'Ir' order by self desc limit 10",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_EITHER,
    .count = TREE_COLUMNS,
    .columns = tree_columns,
    .ops = &tree_ops,
};
