/* The table entry of `sqlite`: the tables of `assay query` as a database file of SQLite, for programs that read one. Only written. */
#include "formats/format.h"

#ifdef ASSAY_HAVE_SQLITE
#include <string.h>

#include "analysis/tables/tables.h"
#include "base/cancel.h"
#include "formats/sqlite/vfs.h"

/* ---- the database ---- */

struct writing {
    sqlite3 *db;
    struct tables tables;
    struct mem *mem;
    struct output *out;
};

static int sqlite_error(const struct writing *w, int rc, assay_error *err)
{
    if ((rc & 0xff) == SQLITE_NOMEM) return error_memory(err);
    if (output_failed(w->out)) return output_failed(w->out); /* which says why */
    FAIL(err, ASSAY_ERR_WRITE, "cannot write the database: %s", sqlite3_errmsg(w->db));
}

static int execute(const struct writing *w, const char *sql, assay_error *err)
{
    int rc = sqlite3_exec(w->db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? 0 : sqlite_error(w, rc, err);
}

/* Whole stacks of all contexts would be larger than all the rest: whoever wants one follows `parent`. */
static bool is_left_out(const struct tables_column *c) { return strcmp(c->name, "stack") == 0; }

/* "create table", or the statement that inserts a row. */
static char *statement(const struct tables_table *table, bool is_insert)
{
    sqlite3_str *s = sqlite3_str_new(NULL);
    bool is_first = true;
    sqlite3_str_appendf(s, is_insert ? "insert into \"%w\" values(" : "create table \"%w\"(", table->name);
    for (unsigned i = 0; i < table->count; i++) {
        const struct tables_column *c = &table->columns[i];
        if (is_left_out(c)) continue;
        if (!is_first) sqlite3_str_appendall(s, ", ");
        is_first = false;
        if (is_insert)
            sqlite3_str_appendchar(s, 1, '?');
        else
            sqlite3_str_appendf(s, "\"%w\" %s", c->name, tables_type_sql(c->type));
    }
    sqlite3_str_appendchar(s, 1, ')');
    return sqlite3_str_finish(s);
}

static int bind(sqlite3_stmt *stmt, int at, const struct tables_cell *cell)
{
    switch (cell->kind) {
    case TABLES_NULL: return sqlite3_bind_null(stmt, at);
    case TABLES_I64: return sqlite3_bind_int64(stmt, at, cell->i);
    case TABLES_F64: return sqlite3_bind_double(stmt, at, cell->d);
    case TABLES_STRING: return sqlite3_bind_text64(stmt, at, cell->s.data, cell->s.len, cell->is_scratch ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
    case TABLES_U64: break;
    }
    return cell->u <= INT64_MAX ? sqlite3_bind_int64(stmt, at, (sqlite3_int64)cell->u) : sqlite3_bind_double(stmt, at, (double)cell->u);
}

static int put_rows(struct writing *w, const struct tables_table *table, struct tables_cursor *rows, sqlite3_stmt *stmt, assay_error *err)
{
    int found;
    while ((found = tables_next(rows, err)) == 1) {
        int at = 0, rc = SQLITE_OK;
        for (unsigned i = 0; i < table->count && rc == SQLITE_OK; i++) {
            struct tables_cell cell;
            if (is_left_out(&table->columns[i])) continue;
            tables_cell(rows, i, &cell);
            rc = bind(stmt, ++at, &cell);
        }
        if (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_DONE) rc = sqlite3_reset(stmt);
        if (rc != SQLITE_OK) return sqlite_error(w, rc, err);
        if (cancel_due()) return error_cancelled(err);
    }
    return found;
}

/* What is looked for by its place: rows come in this order, so the index grows at its end, and nothing has to be sorted. */
static const char *index_of(const struct tables_table *table)
{
    if (strcmp(table->name, "value") == 0) return "create index value_place on value(stream, node)";
    if (strcmp(table->name, "event") == 0) return "create index event_time on event(stream, time)";
    return "";
}

static int put_table(struct writing *w, const struct tables_table *table, assay_error *err)
{
    struct tables_cursor *rows = NULL;
    sqlite3_stmt *stmt = NULL;
    char *create = statement(table, false), *insert = statement(table, true);
    int rc = create && insert ? execute(w, create, err) : error_memory(err);
    if (rc == 0) rc = execute(w, index_of(table), err);
    if (rc == 0 && (rc = sqlite3_prepare_v2(w->db, insert, -1, &stmt, NULL)) != SQLITE_OK) rc = sqlite_error(w, rc, err);
    if (rc == 0) rc = tables_open(&w->tables, table, &rows, err);
    if (rc == 0) rc = tables_seek(rows, NULL, 0, err);
    if (rc == 0) rc = put_rows(w, table, rows, stmt, err);
    tables_close(rows);
    sqlite3_finalize(stmt);
    sqlite3_free(create);
    sqlite3_free(insert);
    return rc;
}

/* The pages that were touched last stay in memory; the others are in the file. Nothing of what was deleted is left in them, so that every SQLite writes the same
 * bytes: Debian's is built so anyway. */
static const char settings[] = "pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive; pragma temp_store = 2; "
                               "pragma cache_size = -8000; pragma secure_delete = on; begin";

static int fill(struct writing *w, const assay_profile *p, assay_error *err)
{
    /* Nobody sees the file before it is whole, so it needs neither journal nor fsync. */
    TRY(execute(w, settings, err));
    TRY(tables_add(&w->tables, &(struct tables_input){ .path = "", .profile = (assay_profile *)p }, err)); /* only the count of references changes */
    for (unsigned i = 0; i < w->tables.count; i++)
        if (!w->tables.tables[i].is_wide) TRY(put_table(w, &w->tables.tables[i], err));
    return execute(w, "commit", err);
}

/* ---- the file ---- */

static int build(struct writing *w, const assay_profile *p, assay_error *err)
{
    struct sqlite_vfs vfs;
    TRY(late_sqlite3_load(err));
    if (sqlite_vfs_begin(&vfs, w->out) != SQLITE_OK) return error_memory(err);
    int rc = sqlite3_open_v2("profile", &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, vfs.name);
    rc = rc == SQLITE_OK ? fill(w, p, err) : sqlite_error(w, rc, err);
    sqlite3_close(w->db);
    sqlite_vfs_end(&vfs);
    return rc;
}

/* What cannot go back, a pipe, gets a database that was made in memory. */
static int build_first(struct writing *w, const assay_profile *p, struct output *out, assay_error *err)
{
    TRY(output_open_memory(&w->out, w->mem, err));
    int rc = build(w, p, err);
    if (rc == 0)
        output_slice(out, output_memory(w->out));
    else if (output_failed(w->out))
        rc = output_blame(w->out, rc, err);
    output_abort(w->out);
    return rc;
}

static int write_database(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct writing w = { .mem = job->mem, .out = out };
    TRY(losses_settle(job, err));
    int rc = tables_init(&w.tables, w.mem, NULL, err);
    if (rc == 0) rc = output_can_go_back(out) ? build(&w, p, err) : build_first(&w, p, out, err);
    tables_done(&w.tables);
    return rc;
}
#else
static int write_database(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    (void)p;
    (void)job;
    (void)out;
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "this build has no SQLite");
}
#endif

static uint32_t want(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_ALL & ~(uint32_t)ASSAY_WANT_WHOLE;
}

/* Only written: what a database of tables holds is in the file that it was made of. */
static int probe(const struct probe *p, const char **why)
{
    (void)p;
    *why = "";
    return 0;
}

static const char *const extensions[] = { ".db", ".sqlite", NULL };
static const char *const versions[] = { "1", NULL };
enum {
    HOLDS = ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES | ASSAY_SHAPE_TIMELINE | ASSAY_SHAPE_COVERAGE,
    FEATURES = ASSAY_HAS_METRICS | ASSAY_HAS_MARKERS | ASSAY_HAS_MODULES | ASSAY_HAS_FILES | ASSAY_HAS_COST_LINES | ASSAY_HAS_CALL_LINES | ASSAY_HAS_ADDRESSES |
               ASSAY_HAS_JUMPS | ASSAY_HAS_STREAMS | ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE | ASSAY_HAS_FRACTIONS | ASSAY_HAS_ENTRIES | ASSAY_HAS_FORMULAS |
               ASSAY_HAS_SOURCES
};

const struct format sqlite_format = {
    .info = { "sqlite", "database of tables, as 'assay query' has them", extensions, versions, "", HOLDS, ASSAY_CAN_WRITE, FEATURES },
    .probe = probe,
    .write = write_database,
    .write_wants = want,
    .takes_trees = true,
};
