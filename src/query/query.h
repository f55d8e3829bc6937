/* Between the files of src/query; see assay/query.h. */
#ifndef QUERY_QUERY_H
#define QUERY_QUERY_H

#include "analysis/tables/tables.h"
#include "assay/query.h"

#ifdef ASSAY_HAVE_SQLITE
#include <late_sqlite3.h>
#include <time.h>

struct query_input {
    const char *name, *path;
    bool is_given; /* by the caller: it cannot be read again */
    uint32_t have; /* ASSAY_WANT_* that were read */
    assay_check_result *check;
};

/* Why a statement was ended. */
enum query_stop { STOP_NONE, STOP_CANCELLED, STOP_TIME, STOP_MEMORY };

struct assay_query {
    struct mem mem;
    struct arena arena;
    struct assay_query_options options;
    struct tables tables;
    VEC(struct query_input) inputs;
    struct assay_query_table *public_tables;
    sqlite3 *db;
    unsigned open;     /* statements */
    bool is_declaring; /* a table, which looks like creating one */

    /* What the statement that is being prepared touches: a bit for each table. */
    uint64_t touched;
    const char *refused; /* what it may not do; NULL = nothing */
    char refused_text[96];

    /* of the statement that runs */
    enum query_stop stop;
    struct timespec deadline;
    int64_t memory_before;
    assay_error failure; /* of a table or a function; code 0 = none */
};

struct assay_rows {
    assay_query *q;
    sqlite3_stmt *stmt;
    uint64_t count;
    bool is_done;
};

/* ---- tables (module.c), table functions (walk.c), functions (function.c) ---- */

int query_add_tables(assay_query *q, assay_error *err);
int query_add_walks(assay_query *q, assay_error *err);
int query_add_functions(assay_query *q, assay_error *err);

/* Declares the columns of a virtual table, and a hidden one for its argument (NULL = it has none); returns SQLite's code. */
int query_declare(assay_query *q, const struct tables_table *table, const char *argument);
/* A cell as a result of SQLite. */
void query_result(const assay_query *q, sqlite3_context *to, const struct tables_cell *cell);
/* Keeps the error for whoever asked, and makes it SQLite's. */
int query_fail(assay_query *q, sqlite3_vtab *vtab, const assay_error *err);
/* The error of an SQLite call. */
int query_error(assay_query *q, int rc, assay_error *err);

/* ---- what is allowed (guard.c) ---- */

int query_guard(assay_query *q, assay_error *err);
/* Begins the time and memory of a statement. */
void query_begin(assay_query *q);

#endif

#endif
