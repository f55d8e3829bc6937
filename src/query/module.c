/* The tables as virtual tables of SQLite: nothing is copied, constraints go down to the tables, and rows are estimated as they are. */
#include "query/query.h"

#ifdef ASSAY_HAVE_SQLITE
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { CONSTRAINTS = 32 };

struct query_table {
    sqlite3_vtab base; /* first: SQLite's part */
    assay_query *q;
    const struct tables_table *table;
};

struct query_cursor {
    sqlite3_vtab_cursor base;
    assay_query *q;
    struct tables_cursor *rows;
    bool is_end;
    sqlite3_int64 row;
    char *texts;     /* of the constraints: SQLite's last only as long as the call */
    assay_error err; /* here, for on the stack it would cost each row its guard */
};

/* What a module is registered with. */
struct query_module {
    assay_query *q;
    const struct tables_table *table;
};

/* ---- results ---- */

void query_result(const assay_query *q, sqlite3_context *to, const struct tables_cell *cell)
{
    switch (cell->kind) {
    case TABLES_NULL: sqlite3_result_null(to); return;
    case TABLES_I64: sqlite3_result_int64(to, cell->i); return;
    case TABLES_F64: sqlite3_result_double(to, cell->d); return;
    case TABLES_STRING: sqlite3_result_text64(to, cell->s.data, cell->s.len, cell->is_scratch ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8); return;
    case TABLES_U64: break;
    }
    if (cell->u <= INT64_MAX)
        sqlite3_result_int64(to, (sqlite3_int64)cell->u);
    else if (q->options.exact) {
        char text[24];
        sqlite3_snprintf(sizeof text, text, "%llu", (unsigned long long)cell->u);
        sqlite3_result_text(to, text, -1, SQLITE_TRANSIENT);
    } else
        sqlite3_result_double(to, (double)cell->u);
}

int query_fail(assay_query *q, sqlite3_vtab *vtab, const assay_error *err)
{
    if (!q->failure.code) q->failure = *err;
    if (vtab) {
        sqlite3_free(vtab->zErrMsg);
        vtab->zErrMsg = sqlite3_mprintf("%s", err->text);
    }
    return SQLITE_ERROR;
}

/* ---- a table ---- */

int query_declare(assay_query *q, const struct tables_table *table, const char *argument)
{
    sqlite3_str *s = sqlite3_str_new(q->db);
    sqlite3_str_appendf(s, "create table x(");
    for (unsigned i = 0; i < table->count; i++)
        sqlite3_str_appendf(s, "%s\"%w\" %s", i ? ", " : "", table->columns[i].name, tables_type_sql(table->columns[i].type));
    if (argument) sqlite3_str_appendf(s, ", \"%w\" hidden", argument);
    sqlite3_str_appendf(s, ")");
    char *text = sqlite3_str_finish(s);
    q->is_declaring = true;
    int rc = text ? sqlite3_declare_vtab(q->db, text) : SQLITE_NOMEM;
    q->is_declaring = false;
    sqlite3_free(text);
    return rc;
}

static int connect(sqlite3 *db, void *arg, int count, const char *const *args, sqlite3_vtab **out, char **message)
{
    const struct query_module *m = arg;
    (void)count;
    (void)args;
    (void)message;
    int rc = query_declare(m->q, m->table, NULL);
    if (rc != SQLITE_OK) return rc;
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    struct query_table *v = sqlite3_malloc(sizeof *v);
    if (!v) return SQLITE_NOMEM;
    *v = (struct query_table){ .q = m->q, .table = m->table };
    *out = &v->base;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *vtab)
{
    sqlite3_free(vtab);
    return SQLITE_OK;
}

/* ---- plans ---- */

/* The column and comparison of a constraint that can go down; false = it cannot. */
static bool take_constraint(sqlite3_index_info *info, int i, struct tables_constraint *out)
{
    const struct sqlite3_index_constraint *c = &info->aConstraint[i];
    if (!c->usable || c->iColumn < 0) return false;
    out->column = (unsigned)c->iColumn;
    switch (c->op) {
    case SQLITE_INDEX_CONSTRAINT_EQ: out->op = TABLES_EQ; break;
    case SQLITE_INDEX_CONSTRAINT_GE:
    case SQLITE_INDEX_CONSTRAINT_GT: out->op = TABLES_GE; break;
    case SQLITE_INDEX_CONSTRAINT_LE:
    case SQLITE_INDEX_CONSTRAINT_LT: out->op = TABLES_LE; break;
    default: return false;
    }
    const char *collation = sqlite3_vtab_collation(info, i);
    return !collation || sqlite3_stricmp(collation, "BINARY") == 0;
}

/* Whether rows come in the order that is asked for, which is also what grouping needs. */
static bool is_in_order(const struct query_table *v, const sqlite3_index_info *info)
{
    unsigned columns[TABLES_COLUMNS];
    if (info->nOrderBy < 1 || info->nOrderBy > TABLES_COLUMNS) return false;
    for (int i = 0; i < info->nOrderBy; i++) {
        if (info->aOrderBy[i].desc || info->aOrderBy[i].iColumn < 0) return false;
        columns[i] = (unsigned)info->aOrderBy[i].iColumn;
    }
    return tables_are_sorted(&v->q->tables, v->table, columns, (unsigned)info->nOrderBy);
}

static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    const struct query_table *v = (const struct query_table *)vtab;
    struct tables_constraint constraints[CONSTRAINTS];
    int from[CONSTRAINTS];
    unsigned count = 0;
    static const char ops[] = { '=', '>', '<' }; /* by enum tables_op */
    struct tables_plan plan;
    memset(constraints, 0, sizeof constraints);
    for (int i = 0; i < info->nConstraint && count < CONSTRAINTS; i++)
        if (take_constraint(info, i, &constraints[count])) from[count++] = i;
    tables_plan(&v->q->tables, v->table, constraints, count, &plan);
    char *text = sqlite3_malloc(2 * CONSTRAINTS + 1), *to = text;
    if (!text) return SQLITE_NOMEM;
    int used = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!(plan.used >> i & 1)) continue;
        info->aConstraintUsage[from[i]].argvIndex = ++used;
        *to++ = (char)('A' + constraints[i].column);
        *to++ = ops[constraints[i].op];
    }
    *to = 0;
    info->idxStr = text;
    info->needToFreeIdxStr = 1;
    info->estimatedRows = plan.rows < 1e15 ? (sqlite3_int64)plan.rows : (sqlite3_int64)1e15;
    info->estimatedCost = plan.cost;
    info->orderByConsumed = is_in_order(v, info);
    if (plan.is_unique) info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    return SQLITE_OK;
}

/* ---- rows ---- */

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
    const struct query_table *v = (const struct query_table *)vtab;
    assay_error err;
    struct query_cursor *c = sqlite3_malloc(sizeof *c);
    if (!c) return SQLITE_NOMEM;
    *c = (struct query_cursor){ .q = v->q };
    if (tables_open(&v->q->tables, v->table, &c->rows, &err) != 0) {
        sqlite3_free(c);
        return SQLITE_NOMEM;
    }
    *out = &c->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    struct query_cursor *c = (struct query_cursor *)cursor;
    tables_close(c->rows);
    sqlite3_free(c->texts);
    sqlite3_free(c);
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
    struct query_cursor *c = (struct query_cursor *)cursor;
    int rc = tables_next(c->rows, &c->err);
    c->row++;
    if (rc == 1) return SQLITE_OK;
    c->is_end = true;
    return rc == 0 ? SQLITE_OK : query_fail(c->q, cursor->pVtab, &c->err);
}

/* What SQLite compares with; texts are copied to *to. */
static struct tables_cell cell_of(sqlite3_value *value, char **to)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return (struct tables_cell){ .kind = TABLES_I64, .i = sqlite3_value_int64(value) };
    case SQLITE_NULL: return (struct tables_cell){ .kind = TABLES_NULL };
    case SQLITE_TEXT: break;
    default: return (struct tables_cell){ .kind = TABLES_F64, .d = sqlite3_value_double(value) };
    }
    const unsigned char *text = sqlite3_value_text(value);
    size_t len = (size_t)sqlite3_value_bytes(value);
    if (text) memcpy(*to, text, len);
    struct tables_cell cell = { .kind = TABLES_STRING, .s = { *to, len } };
    *to += len;
    return cell;
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *plan, int count, sqlite3_value **values)
{
    struct query_cursor *c = (struct query_cursor *)cursor;
    struct tables_constraint constraints[CONSTRAINTS];
    size_t len = 1;
    (void)number;
    for (int i = 0; i < count; i++)
        if (sqlite3_value_type(values[i]) == SQLITE_TEXT) len += (size_t)sqlite3_value_bytes(values[i]);
    sqlite3_free(c->texts);
    char *to = c->texts = sqlite3_malloc64(len);
    if (!to) return SQLITE_NOMEM;
    for (int i = 0; i < count; i++) {
        constraints[i] = (struct tables_constraint){ .column = (unsigned)(plan[2 * i] - 'A'),
                                                     .op = plan[2 * i + 1] == '='   ? TABLES_EQ
                                                           : plan[2 * i + 1] == '>' ? TABLES_GE
                                                                                    : TABLES_LE,
                                                     .value = cell_of(values[i], &to) };
    }
    c->row = 0;
    c->is_end = false;
    if (tables_seek(c->rows, constraints, (unsigned)count, &c->err) != 0) return query_fail(c->q, cursor->pVtab, &c->err);
    return next(cursor);
}

static int is_end(sqlite3_vtab_cursor *cursor) { return ((struct query_cursor *)cursor)->is_end; }

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int number)
{
    struct query_cursor *c = (struct query_cursor *)cursor;
    struct tables_cell cell;
    tables_cell(c->rows, (unsigned)number, &cell);
    query_result(c->q, to, &cell);
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = ((struct query_cursor *)cursor)->row;
    return SQLITE_OK;
}

/* Without xCreate there is one table of each module, by its name. */
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

int query_add_tables(assay_query *q, assay_error *err)
{
    for (unsigned i = 0; i < q->tables.count; i++) {
        struct query_module *m = arena_alloc(&q->arena, sizeof *m);
        if (!m) return error_memory(err);
        *m = (struct query_module){ q, &q->tables.tables[i] };
        int rc = sqlite3_create_module(q->db, m->table->name, &module, m);
        if (rc != SQLITE_OK) return query_error(q, rc, err);
    }
    return 0;
}
#endif
