/* Inputs, statements and rows; see assay/query.h. */
#include "query/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/option.h"
#include "base/options.h"
#include "base/slice.h"

#ifdef ASSAY_HAVE_SQLITE

/* ---- the query ---- */

static unsigned count_tables(const assay_query *q) { return q->tables.count + q->tables.function_count; }

/* Tables, then those that take an argument. */
static const struct tables_table *table_at(const assay_query *q, unsigned i)
{
    return i < q->tables.count ? &q->tables.tables[i] : &q->tables.functions[i - q->tables.count];
}

/* SQLite's sentence; a table or column that does not exist is mostly another one, misspelt. */
static int explain(const assay_query *q, assay_error *err)
{
    enum { NAMES_MOST = (TABLES_MOST + 2) * TABLES_COLUMNS };
    static const char no_table[] = "no such table: ", no_column[] = "no such column: ";
    const char *text = sqlite3_errmsg(q->db), *dot, *near = NULL;
    const char *names[NAMES_MOST + 1];
    size_t count = 0;
    bool is_column = strncmp(text, no_column, sizeof no_column - 1) == 0;
    for (unsigned i = 0; i < count_tables(q); i++) {
        const struct tables_table *t = table_at(q, i);
        if (!is_column) names[count++] = t->name;
        for (unsigned k = 0; is_column && (!q->touched || (i < TABLES_MOST && q->touched >> i & 1)) && k < t->count; k++) names[count++] = t->columns[k].name;
    }
    names[count] = NULL;
    if (is_column)
        near = options_nearest((dot = strrchr(text, '.')) ? dot + 1 : text + sizeof no_column - 1, names);
    else if (strncmp(text, no_table, sizeof no_table - 1) == 0)
        near = options_nearest(text + sizeof no_table - 1, names);
    return near ? error_set(err, ASSAY_ERR_USAGE, "%s; did you mean '%s'?", text, near) : error_set(err, ASSAY_ERR_USAGE, "%s", text);
}

int query_error(assay_query *q, int rc, assay_error *err)
{
    if (q->failure.code) {
        *err = q->failure;
        return err->code;
    }
    switch (q->stop) {
    case STOP_CANCELLED: return error_cancelled(err);
    case STOP_TIME: FAIL(err, ASSAY_ERR_LIMIT, "the statement took longer than %u second%s", q->options.max_seconds, q->options.max_seconds == 1 ? "" : "s");
    case STOP_MEMORY:
        (void)error_set(err, ASSAY_ERR_MEMORY, "the statement needs more memory than it may have");
        return error_hint(err, err->code, ASSAY_HINT_MAX_MEMORY);
    case STOP_NONE: break;
    }
    if ((rc & 0xff) == SQLITE_NOMEM) return error_memory(err);
    if (q->refused) FAIL(err, ASSAY_ERR_USAGE, "a statement can only read the tables; it may not %s", q->refused);
    if ((rc & 0xff) == SQLITE_TOOBIG) FAIL(err, ASSAY_ERR_LIMIT, "a text or a statement is too long");
    (void)explain(q, err);
    for (char *c = err->text; *c; c++) /* it may quote several lines of the statement */
        if ((unsigned char)*c < ' ') *c = ' ';
    return err->code;
}

static int list_tables(assay_query *q, assay_error *err)
{
    q->public_tables = arena_alloc(&q->arena, count_tables(q) * sizeof *q->public_tables);
    if (!q->public_tables) return error_memory(err);
    for (unsigned i = 0; i < count_tables(q); i++) {
        const struct tables_table *table = table_at(q, i);
        struct assay_query_column *columns = arena_alloc(&q->arena, table->count * sizeof *columns);
        if (!columns) return error_memory(err);
        for (unsigned k = 0; k < table->count; k++) {
            const struct tables_column *c = &table->columns[k];
            columns[k] = (struct assay_query_column){ c->name, tables_type_name(c->type), c->what, c->example };
        }
        q->public_tables[i] = (struct assay_query_table){ table->name, table->what, table->example, table->count, columns };
    }
    return 0;
}

static int init(assay_query *q, assay_error *err)
{
    const struct assay_read_options *read = q->options.read;
    mem_init(&q->mem, (size_t)q->options.max_memory);
    arena_init(&q->arena, &q->mem);
    TRY(tables_init(&q->tables, &q->mem, read ? read->filter : NULL, err));
    TRY(late_sqlite3_load(err));
    if (sqlite3_open_v2(":memory:", &q->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL) != SQLITE_OK)
        return error_memory(err);
    TRY(query_add_tables(q, err));
    TRY(query_add_walks(q, err));
    TRY(list_tables(q, err));
    TRY(query_add_functions(q, err));
    return query_guard(q, err);
}

int assay_query_new(const struct assay_query_options *options, assay_query **out, assay_error *err)
{
    assay_error local;
    struct assay_query_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(options_take(&o, sizeof o, options, err));
    assay_query *q = calloc(1, sizeof *q);
    if (!q) return error_memory(err);
    q->options = o;
    int rc = init(q, err);
    if (rc == 0)
        *out = q;
    else
        assay_query_free(q);
    return rc;
}

void assay_query_free(assay_query *q)
{
    if (!q) return;
    if (q->db) {
        for (sqlite3_stmt *s; (s = sqlite3_next_stmt(q->db, NULL));) sqlite3_finalize(s);
        sqlite3_close(q->db);
    }
    tables_done(&q->tables);
    for (size_t i = 0; i < q->inputs.len; i++) assay_check_free(q->inputs.at[i].check);
    vec_done(&q->mem, &q->inputs);
    arena_done(&q->arena);
    free(q);
}

const struct assay_query_table *assay_query_table_at(const assay_query *q, size_t i) { return i < count_tables(q) ? &q->public_tables[i] : NULL; }

/* ---- inputs ---- */

static int add_input(assay_query *q, const char *name, const char *path, assay_profile *p, assay_error *err)
{
    struct query_input *in = vec_push(&q->mem, &q->inputs);
    if (!in) return error_memory(err);
    *in = (struct query_input){ .is_given = p != NULL };
    in->name = name ? arena_copy(&q->arena, slice_of(name)) : NULL;
    in->path = arena_copy(&q->arena, slice_of(path));
    if (!in->path || (name && !in->name)) return error_memory(err);
    return tables_add(&q->tables, &(struct tables_input){ .name = name, .path = path, .profile = p }, err);
}

int assay_query_file(assay_query *q, const char *name, const char *path, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    return add_input(q, name, path, NULL, err);
}

int assay_query_profile(assay_query *q, const char *name, const char *path, assay_profile *p, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    return add_input(q, name, path ? path : "", p, err);
}

/* ---- what a statement needs ---- */

enum { GRAPH_BITS = ASSAY_WANT_GRAPH | ASSAY_WANT_PAIRS };

/* The shapes of all tables that it touches. A graph that one of them needs in any case is read although another would do without. */
static uint32_t want_of(const assay_query *q)
{
    uint32_t want = 0;
    bool needs_graph = false, needs_rows = false;
    for (unsigned i = 0; i < q->tables.count; i++) {
        if (!(q->touched >> i & 1)) continue;
        uint32_t its = q->tables.tables[i].want;
        want |= its;
        needs_graph |= its & GRAPH_BITS && !(its & (ASSAY_WANT_EITHER | ASSAY_WANT_TOTALS));
        needs_rows |= its && !(its & ASSAY_WANT_TOTALS);
    }
    if (needs_graph) want &= ~(uint32_t)ASSAY_WANT_EITHER;
    if (needs_rows) want &= ~(uint32_t)ASSAY_WANT_TOTALS;
    return want;
}

/* Whether what was read serves. Totals alone, and a graph only where there is no tree, are less than without these bits. */
static bool serves(uint32_t have, uint32_t want)
{
    const uint32_t less = ASSAY_WANT_TOTALS | ASSAY_WANT_EITHER;
    return have && !(want & ~less & ~have) && !(have & ~want & less);
}

static int read_input(assay_query *q, size_t i, uint32_t want, assay_error *err)
{
    const uint32_t less = ASSAY_WANT_TOTALS | ASSAY_WANT_EITHER;
    struct query_input *in = &q->inputs.at[i];
    struct assay_read_options o = { .size = sizeof o };
    assay_profile *p;
    if (in->is_given || !want || serves(in->have, want)) return 0;
    if (q->open) FAIL(err, ASSAY_ERR_USAGE, "%s has to be read again for this statement: free the rows of the others first", in->path);
    if (q->options.read) memcpy(&o, q->options.read, q->options.read->size && q->options.read->size < sizeof o ? q->options.read->size : sizeof o);
    o.size = sizeof o;
    o.want = want | (in->have & ~less);
    if (in->have && !(in->have & want & ASSAY_WANT_TOTALS)) o.want &= ~(uint32_t)ASSAY_WANT_TOTALS;
    if (in->have && !(in->have & ASSAY_WANT_EITHER) && in->have & GRAPH_BITS) o.want &= ~(uint32_t)ASSAY_WANT_EITHER;
    int rc = assay_read(in->path, &o, &p, err);
    if (rc != 0) {
        error_path(err, in->path);
        return rc;
    }
    rc = tables_replace(&q->tables, i + 1, &(struct tables_input){ .name = in->name, .path = in->path, .profile = p }, err);
    assay_profile_release(p);
    in->have = rc == 0 ? o.want : 0;
    assay_check_free(in->check);
    in->check = NULL;
    return rc;
}

/* What `assay check` says of an input, for the table of findings. */
static int check_input(assay_query *q, size_t i, assay_error *err)
{
    struct query_input *in = &q->inputs.at[i];
    const struct tables_table *table = tables_find(&q->tables, "finding");
    if (in->is_given || in->check || !(q->touched >> table->number & 1)) return 0;
    int rc = assay_check(in->path, q->options.read, &in->check, err);
    if (rc == ASSAY_ERR_UNSUPPORTED) return 0; /* the format is not checked: then what was found while reading counts */
    if (rc != 0) {
        error_path(err, in->path);
        return rc;
    }
    tables_findings(&q->tables, i + 1, in->check->findings, in->check->count);
    return 0;
}

static int read_inputs(assay_query *q, assay_error *err)
{
    uint32_t want = want_of(q);
    for (size_t i = 0; i < q->inputs.len; i++) {
        TRY(read_input(q, i, want, err));
        TRY(check_input(q, i, err));
    }
    return 0;
}

/* ---- statements ---- */

static int prepare(assay_query *q, const char *sql, const char **rest, sqlite3_stmt **stmt, assay_error *err)
{
    q->refused = NULL;
    q->touched = 0;
    int rc = sqlite3_prepare_v3(q->db, sql, -1, 0, stmt, rest);
    if (rc != SQLITE_OK) return query_error(q, rc, err);
    return 0;
}

static int start(assay_query *q, const char *sql, const char **rest, assay_rows **out, assay_error *err)
{
    sqlite3_stmt *stmt = NULL;
    query_begin(q);
    TRY(prepare(q, sql, rest, &stmt, err));
    if (!stmt) return 0;
    sqlite3_finalize(stmt);
    /* Now it is known what the statement touches; with that in memory it is planned by the true numbers of rows. */
    TRY(read_inputs(q, err));
    TRY(prepare(q, sql, rest, &stmt, err));
    if (!sqlite3_stmt_readonly(stmt)) {
        sqlite3_finalize(stmt);
        FAIL(err, ASSAY_ERR_USAGE, "a statement can only read the tables");
    }
    assay_rows *rows = calloc(1, sizeof *rows);
    if (!rows) {
        sqlite3_finalize(stmt);
        return error_memory(err);
    }
    *rows = (assay_rows){ .q = q, .stmt = stmt };
    q->open++;
    *out = rows;
    return 0;
}

int assay_query_prepare(assay_query *q, const char *sql, const char **rest, assay_rows **out, assay_error *err)
{
    assay_error local;
    const char *unused;
    err = error_enter(err, &local);
    *out = NULL;
    int rc = cancel_end(start(q, sql, rest ? rest : &unused, out, err), err);
    if (rc != 0 && *out) { /* cancelled at the very end */
        assay_rows_free(*out);
        *out = NULL;
    }
    return rc;
}

unsigned assay_rows_column_count(const assay_rows *rows) { return (unsigned)sqlite3_column_count(rows->stmt); }

const char *assay_rows_column_name(const assay_rows *rows, unsigned column)
{
    const char *name = sqlite3_column_name(rows->stmt, (int)column);
    return name ? name : "";
}

int assay_rows_next(assay_rows *rows, assay_error *err)
{
    assay_error local;
    assay_query *q = rows->q;
    err = error_enter(err, &local);
    if (rows->is_done) return 0;
    if (!rows->count) query_begin(q);
    int rc = sqlite3_step(rows->stmt);
    if (rc == SQLITE_ROW && !q->failure.code) {
        if (q->options.max_rows && rows->count == q->options.max_rows) {
            rows->is_done = true;
            FAIL(err, ASSAY_ERR_LIMIT, "the result has more than %llu rows", (unsigned long long)q->options.max_rows);
        }
        rows->count++;
        return 1;
    }
    rows->is_done = true;
    if (rc == SQLITE_DONE && !q->failure.code) return cancel_end(0, err);
    return query_error(q, rc, err);
}

void assay_rows_cell(const assay_rows *rows, unsigned column, struct assay_query_cell *out)
{
    int i = (int)column;
    *out = (struct assay_query_cell){ .type = ASSAY_CELL_NULL };
    switch (sqlite3_column_type(rows->stmt, i)) {
    case SQLITE_INTEGER:
        out->type = ASSAY_CELL_INTEGER;
        out->integer = sqlite3_column_int64(rows->stmt, i);
        out->real = (double)out->integer;
        break;
    case SQLITE_FLOAT:
        out->type = ASSAY_CELL_REAL;
        out->real = sqlite3_column_double(rows->stmt, i);
        break;
    case SQLITE_TEXT:
        out->type = ASSAY_CELL_TEXT;
        out->text.data = (const char *)sqlite3_column_text(rows->stmt, i);
        out->text.len = (size_t)sqlite3_column_bytes(rows->stmt, i);
        break;
    case SQLITE_BLOB:
        out->type = ASSAY_CELL_BLOB;
        out->text.data = sqlite3_column_blob(rows->stmt, i);
        out->text.len = (size_t)sqlite3_column_bytes(rows->stmt, i);
        break;
    default: break;
    }
}

void assay_rows_free(assay_rows *rows)
{
    if (!rows) return;
    sqlite3_finalize(rows->stmt);
    rows->q->open--;
    free(rows);
}

#else

/* Built without SQLite. */
int assay_query_new(const struct assay_query_options *options, assay_query **out, assay_error *err)
{
    assay_error local;
    (void)options;
    *out = NULL;
    err = error_enter(err, &local);
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "this build has no SQLite, so it cannot answer questions in SQL");
}
void assay_query_free(assay_query *q) { (void)q; }
int assay_query_file(assay_query *q, const char *name, const char *path, assay_error *err)
{
    (void)q;
    (void)name;
    (void)path;
    return error_set(err, ASSAY_ERR_UNSUPPORTED, "built without SQLite");
}
int assay_query_profile(assay_query *q, const char *name, const char *path, assay_profile *p, assay_error *err)
{
    (void)p;
    return assay_query_file(q, name, path, err);
}
int assay_query_prepare(assay_query *q, const char *sql, const char **rest, assay_rows **out, assay_error *err)
{
    (void)rest;
    *out = NULL;
    return assay_query_file(q, NULL, sql, err);
}
unsigned assay_rows_column_count(const assay_rows *rows)
{
    (void)rows;
    return 0;
}
const char *assay_rows_column_name(const assay_rows *rows, unsigned column)
{
    (void)rows;
    (void)column;
    return "";
}
int assay_rows_next(assay_rows *rows, assay_error *err)
{
    (void)rows;
    return assay_query_file(NULL, NULL, NULL, err);
}
void assay_rows_cell(const assay_rows *rows, unsigned column, struct assay_query_cell *out)
{
    (void)rows;
    (void)column;
    *out = (struct assay_query_cell){ .type = ASSAY_CELL_NULL };
}
void assay_rows_free(assay_rows *rows) { (void)rows; }
const struct assay_query_table *assay_query_table_at(const assay_query *q, size_t i)
{
    (void)q;
    (void)i;
    return NULL;
}
#endif
