/* What a statement may do: read the tables, and no more than its limits allow. */
#include "query/query.h"

#ifdef ASSAY_HAVE_SQLITE
#include <stdio.h>
#include <string.h>

#include "base/cancel.h"
#include "base/error.h"

enum { PROGRESS_STEPS = 4000, LENGTH_MOST = 64 << 20, SQL_MOST = 1 << 20 };

/* ---- what is allowed ---- */

/* Pragmas that only tell. */
static bool is_telling(const char *pragma)
{
    static const char *const names[] = { "table_info", "table_xinfo", "table_list", "function_list", NULL };
    for (const char *const *n = names; *n; n++)
        if (strcmp(*n, pragma) == 0) return true;
    return false;
}

static void touch(assay_query *q, const char *name)
{
    const struct tables_table *table = tables_find(&q->tables, name);
    if (table) q->touched |= (uint64_t)1 << table->number;
}

static int refuse(assay_query *q, const char *what)
{
    snprintf(q->refused_text, sizeof q->refused_text, "%.80s", what);
    q->refused = q->refused_text;
    return SQLITE_DENY;
}

/* Stacks, flame graphs and subtrees are made of the tree. */
static int take_function(assay_query *q, const char *name)
{
    if (sqlite3_stricmp(name, "load_extension") == 0 || sqlite3_stricmp(name, "fts3_tokenizer") == 0) return refuse(q, "load extensions");
    if (sqlite3_stricmp(name, "stack") == 0) touch(q, "tree");
    if (sqlite3_stricmp(name, "label_of") == 0) touch(q, "label");
    return SQLITE_OK;
}

static int authorize(void *arg, int action, const char *first, const char *second, const char *database, const char *inner)
{
    assay_query *q = arg;
    (void)database;
    (void)inner;
    if (q->is_declaring) return SQLITE_OK;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_READ:
        if (strcmp(first, "flame") == 0 || strcmp(first, "subtree") == 0) first = "tree";
        touch(q, first);
        return SQLITE_OK;
    case SQLITE_FUNCTION: return take_function(q, second);
    case SQLITE_PRAGMA: return is_telling(first) ? SQLITE_OK : refuse(q, "use this pragma");
    case SQLITE_ATTACH:
    case SQLITE_DETACH: return refuse(q, "attach databases");
    default: return refuse(q, "change anything");
    }
}

/* ---- limits ---- */

static bool is_late(const assay_query *q)
{
    struct timespec now;
    if (!q->options.max_seconds) return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > q->deadline.tv_sec || (now.tv_sec == q->deadline.tv_sec && now.tv_nsec >= q->deadline.tv_nsec);
}

/* Asked every few thousand steps. What SQLite itself takes is counted over the process: it has no other count. */
static int go_on(void *arg)
{
    assay_query *q = arg;
    if (cancel_due())
        q->stop = STOP_CANCELLED;
    else if (is_late(q))
        q->stop = STOP_TIME;
    else if (q->options.max_memory && sqlite3_memory_used() - q->memory_before > (int64_t)q->options.max_memory)
        q->stop = STOP_MEMORY;
    return q->stop != STOP_NONE;
}

void query_begin(assay_query *q)
{
    q->stop = STOP_NONE;
    q->failure.code = 0;
    q->memory_before = sqlite3_memory_used();
    if (!q->options.max_seconds) return;
    clock_gettime(CLOCK_MONOTONIC, &q->deadline);
    const uint32_t longest = INT32_MAX / 2; /* 34 years; more may not fit into the time of a 32-bit machine */
    q->deadline.tv_sec += (time_t)(q->options.max_seconds < longest ? q->options.max_seconds : longest);
}

int query_guard(assay_query *q, assay_error *err)
{
    static const int limits[][2] = { { SQLITE_LIMIT_LENGTH, LENGTH_MOST },       { SQLITE_LIMIT_SQL_LENGTH, SQL_MOST }, { SQLITE_LIMIT_ATTACHED, 0 },
                                     { SQLITE_LIMIT_COMPOUND_SELECT, 100 },      { SQLITE_LIMIT_EXPR_DEPTH, 200 },      { SQLITE_LIMIT_VDBE_OP, 1 << 20 },
                                     { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000 }, { SQLITE_LIMIT_WORKER_THREADS, 0 },    { SQLITE_LIMIT_TRIGGER_DEPTH, 0 } };
    /* Sorting needs temporary tables; they stay in memory. */
    if (sqlite3_exec(q->db, "pragma temp_store = 2", NULL, NULL, NULL) != SQLITE_OK) return error_memory(err);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) sqlite3_limit(q->db, limits[i][0], limits[i][1]);
    sqlite3_db_config(q->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(q->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(q->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_progress_handler(q->db, PROGRESS_STEPS, go_on, q);
    return sqlite3_set_authorizer(q->db, authorize, q) == SQLITE_OK ? 0 : error_memory(err);
}
#endif
