/* Table functions: flame(metric), the rows of a flame graph; subtree(node), the nodes below one. What they show depends on an argument, so it is computed for
 * each call. */
#include "query/query.h"

#ifdef ASSAY_HAVE_SQLITE
#include <string.h>

#include "analysis/tables/parts.h"
#include "assay/paths.h"
#include "base/cancel.h"
#include "base/error.h"

enum walk_kind { WALK_FLAME, WALK_SUBTREE };
enum { FLAME_PROFILE, FLAME_ID, FLAME_PARENT, FLAME_DEPTH, FLAME_NAME, FLAME_CALLS, FLAME_SELF, FLAME_TOTAL, FLAME_METRIC };
enum { SUBTREE_PROFILE, SUBTREE_NODE, SUBTREE_DEPTH, SUBTREE_ROOT };

static const struct tables_column flame_columns[FLAME_METRIC] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "id", TABLES_INTEGER, "number of the frame in its graph, from 1", "7" },
    { "parent", TABLES_INTEGER, "frame that it stands on; NULL = none", "3" },
    { "depth", TABLES_INTEGER, "from 1 at a root", "4" },
    { "name", TABLES_TEXT, "name of the function", "solve" },
    { "calls", TABLES_INTEGER, "how often it was called", "12" },
    { "self", TABLES_NUMBER, "own cost", "1205" },
    { "total", TABLES_NUMBER, "cost with everything above it: the width of the frame", "5120" },
};

static const struct tables_column subtree_columns[SUBTREE_ROOT] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "node", TABLES_INTEGER, "id in the table node", "12" },
    { "depth", TABLES_INTEGER, "from 1 at the node that was asked for", "2" },
};

/* By enum walk_kind. The argument is one more column, which is hidden. */
static const struct tables_table walks[] = {
    { .name = "flame",
      .what = "flame(metric), or flame for the default metric: the frames of a flame graph, from the root up",
      .example = "select name, depth, total from flame('Ir') order by id limit 20",
      .count = FLAME_METRIC,
      .columns = flame_columns },
    { .name = "subtree",
      .what = "subtree(node): a node and all nodes below it",
      .example = "select stack(node) from subtree(12) where depth > 1",
      .count = SUBTREE_ROOT,
      .columns = subtree_columns },
};
static const char *const arguments[] = { "metric", "root" };

struct walk_module {
    assay_query *q;
    enum walk_kind kind;
};

struct walk_table {
    sqlite3_vtab base;
    const struct walk_module *module;
};

struct walk_cursor {
    sqlite3_vtab_cursor base;
    const struct walk_module *module;
    size_t profile, last; /* the next to look at, and the one behind the last */
    char *metric;
    uint64_t root;
    assay_paths *paths; /* flame: of the profile at hand */
    const assay_profile *tree;
    uint32_t at; /* row or node; 0 = no more */
    sqlite3_int64 row;
    /* subtree: depth below the root, by node; 0 = not below it */
    VEC(uint32_t) depth;
};

/* ---- tables ---- */

static int connect(sqlite3 *db, void *arg, int count, const char *const *args, sqlite3_vtab **out, char **message)
{
    const struct walk_module *m = arg;
    (void)count;
    (void)args;
    (void)message;
    int rc = query_declare(m->q, &walks[m->kind], arguments[m->kind]);
    if (rc != SQLITE_OK) return rc;
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    struct walk_table *v = sqlite3_malloc(sizeof *v);
    if (!v) return SQLITE_NOMEM;
    *v = (struct walk_table){ .module = m };
    *out = &v->base;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *vtab)
{
    sqlite3_free(vtab);
    return SQLITE_OK;
}

/* idxNum: 1 = the argument is there, 2 = the profile is; in this order. */
static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    const struct walk_module *m = ((const struct walk_table *)vtab)->module;
    int argument = -1, profile = -1, used = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (c->op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (c->iColumn == (int)walks[m->kind].count) {
            if (!c->usable) return SQLITE_CONSTRAINT; /* only in another order of tables */
            argument = i;
        } else if (c->iColumn == 0 && c->usable)
            profile = i;
    }
    if (argument >= 0) {
        info->aConstraintUsage[argument].argvIndex = ++used;
        info->aConstraintUsage[argument].omit = 1;
        info->idxNum |= 1;
    }
    if (profile >= 0) {
        info->aConstraintUsage[profile].argvIndex = ++used;
        info->idxNum |= 2;
    }
    double nodes = 0;
    for (size_t i = 0; i < m->q->tables.profiles.len; i++) {
        const struct tables_profile *p = m->q->tables.profiles.at[i];
        if (p->p) nodes += assay_profile_tree(p->p)->count;
    }
    info->estimatedRows = (sqlite3_int64)(profile >= 0 && nodes > 1 ? nodes / (double)m->q->tables.profiles.len : nodes) + 1;
    info->estimatedCost = nodes + 1;
    return SQLITE_OK;
}

/* ---- rows ---- */

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
    struct walk_cursor *c = sqlite3_malloc(sizeof *c);
    if (!c) return SQLITE_NOMEM;
    *c = (struct walk_cursor){ .module = ((const struct walk_table *)vtab)->module };
    *out = &c->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    struct walk_cursor *c = (struct walk_cursor *)cursor;
    assay_paths_free(c->paths);
    vec_done(&c->module->q->mem, &c->depth);
    sqlite3_free(c->metric);
    sqlite3_free(c);
    return SQLITE_OK;
}

static int begin_flame(struct walk_cursor *c, struct tables_profile *p, assay_error *err)
{
    struct assay_paths_options o = { .size = sizeof o, .metric = c->metric, .estimate = true };
    assay_paths_free(c->paths);
    c->paths = NULL;
    int rc = assay_paths_new(p->p, &o, &c->paths, err);
    if (rc == ASSAY_ERR_UNSUPPORTED || (rc == ASSAY_ERR_USAGE && c->module->q->inputs.len > 1)) return 0; /* it has no stacks, or no such metric */
    TRY(rc);
    c->at = c->paths->count ? 1 : 0;
    return 0;
}

static int begin_subtree(struct walk_cursor *c, struct tables_profile *p, assay_error *err)
{
    struct mem *mem = &c->module->q->mem;
    TRY(tables_contexts(&c->module->q->tables, p, &c->tree, err));
    const struct assay_tree *t = c->tree ? assay_profile_tree(c->tree) : NULL;
    if (!t || !c->root || c->root > t->count) return 0;
    c->depth.len = 0;
    if (!vec_reserve(mem, &c->depth, (size_t)t->count + 1)) return error_memory(err);
    c->depth.len = (size_t)t->count + 1;
    memset(c->depth.at, 0, c->depth.len * sizeof *c->depth.at);
    c->at = (uint32_t)c->root;
    c->depth.at[c->at] = 1;
    return 0;
}

static int next_profile(struct walk_cursor *c, assay_error *err)
{
    c->at = 0;
    while (!c->at && c->profile < c->last) {
        struct tables_profile *p = c->module->q->tables.profiles.at[c->profile++];
        if (p->p) TRY(c->module->kind == WALK_FLAME ? begin_flame(c, p, err) : begin_subtree(c, p, err));
    }
    return 0;
}

/* Parents come before their children, so one pass finds all. */
static int next_node(struct walk_cursor *c, assay_error *err)
{
    const struct assay_tree *t = assay_profile_tree(c->tree);
    while (++c->at <= t->count) {
        TRY(cancel_step(c->at, err));
        uint32_t above = c->depth.at[t->parent[c->at].v];
        if (!above || !t->parent[c->at].v) continue;
        c->depth.at[c->at] = above + 1;
        return 0;
    }
    return next_profile(c, err);
}

static int next(sqlite3_vtab_cursor *cursor)
{
    struct walk_cursor *c = (struct walk_cursor *)cursor;
    assay_error err;
    c->row++;
    int rc = c->module->kind == WALK_SUBTREE ? next_node(c, &err) : c->at < c->paths->count ? (c->at++, 0) : next_profile(c, &err);
    return rc == 0 ? SQLITE_OK : query_fail(c->module->q, cursor->pVtab, &err);
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *plan, int count, sqlite3_value **values)
{
    struct walk_cursor *c = (struct walk_cursor *)cursor;
    const struct tables *t = &c->module->q->tables;
    assay_error err;
    (void)plan;
    (void)count;
    sqlite3_free(c->metric);
    c->metric = NULL;
    c->root = 0;
    c->profile = 0;
    c->last = t->profiles.len;
    c->row = 0;
    if (number & 1 && c->module->kind == WALK_FLAME && sqlite3_value_type(values[0]) != SQLITE_NULL) {
        const char *text = (const char *)sqlite3_value_text(values[0]);
        if (!(c->metric = sqlite3_mprintf("%s", text ? text : ""))) return SQLITE_NOMEM;
    } else if (number & 1) {
        sqlite3_int64 root = sqlite3_value_int64(values[0]);
        c->root = root > 0 ? (uint64_t)root : 0;
    }
    if (number & 2) {
        sqlite3_int64 profile = sqlite3_value_int64(values[number & 1]);
        c->profile = profile > 0 && (size_t)profile <= c->last ? (size_t)profile - 1 : c->last;
        c->last = c->profile < c->last ? c->profile + 1 : c->last;
    }
    return next_profile(c, &err) == 0 ? SQLITE_OK : query_fail(c->module->q, cursor->pVtab, &err);
}

static int is_end(sqlite3_vtab_cursor *cursor) { return ((struct walk_cursor *)cursor)->at == 0; }

static void flame_column(const struct walk_cursor *c, sqlite3_context *to, int number)
{
    const assay_paths *p = c->paths;
    struct tables_cell cell;
    switch (number) {
    case FLAME_ID: cell = cell_u64(c->at); break;
    case FLAME_PARENT: cell = cell_id(p->parent[c->at]); break;
    case FLAME_DEPTH: cell = cell_u64(p->depth[c->at]); break;
    case FLAME_NAME: cell = cell_text(p->name[c->at]); break;
    case FLAME_CALLS: cell = cell_u64(p->calls[c->at]); break;
    case FLAME_SELF: cell = cell_value(p->type, p->self[c->at]); break;
    case FLAME_TOTAL: cell = cell_value(p->type, p->total[c->at]); break;
    default: cell = cell_null();
    }
    query_result(c->module->q, to, &cell);
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int number)
{
    const struct walk_cursor *c = (const struct walk_cursor *)cursor;
    if (number == 0)
        sqlite3_result_int64(to, (sqlite3_int64)c->profile);
    else if (c->module->kind == WALK_FLAME)
        flame_column(c, to, number);
    else if (number == SUBTREE_NODE)
        sqlite3_result_int64(to, c->at);
    else if (number == SUBTREE_DEPTH)
        sqlite3_result_int64(to, c->depth.at[c->at]);
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = ((struct walk_cursor *)cursor)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = { .xConnect = connect,
                                       .xBestIndex = best_index,
                                       .xDisconnect = disconnect,
                                       .xOpen = open_cursor,
                                       .xClose = close_cursor,
                                       .xFilter = filter,
                                       .xNext = next,
                                       .xEof = is_end,
                                       .xColumn = column,
                                       .xRowid = row_id };

int query_add_walks(assay_query *q, assay_error *err)
{
    q->tables.functions = walks;
    q->tables.function_count = sizeof walks / sizeof *walks;
    for (unsigned i = 0; i < q->tables.function_count; i++) {
        struct walk_module *m = arena_alloc(&q->arena, sizeof *m);
        if (!m) return error_memory(err);
        *m = (struct walk_module){ q, (enum walk_kind)i };
        int rc = sqlite3_create_module(q->db, walks[i].name, &module, m);
        if (rc != SQLITE_OK) return query_error(q, rc, err);
    }
    return 0;
}
#endif
