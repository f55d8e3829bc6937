/* Questions in SQL: profiles and coverage reports as tables of one database, any number of them, of any formats. docs/query.md has the tables and many questions.
 *
 *     assay_query_new(NULL, &q, &err);
 *     assay_query_file(q, NULL, "callgrind.out.4711", &err);
 *     assay_query_prepare(q, "select name, self from top order by self desc limit 10", NULL, &rows, &err);
 *     while ((rc = assay_rows_next(rows, &err)) == 1) assay_rows_cell(rows, 0, &cell);
 *     assay_rows_free(rows);
 *     assay_query_free(q);
 *
 * Statements only read: nothing can be attached, written, loaded or opened from SQL. An assay_query and its rows belong to one thread at a time. What is built without
 * SQLite refuses with UNSUPPORTED. */
#ifndef ASSAY_QUERY_H
#define ASSAY_QUERY_H

#include "assay/format.h"

#ifdef __cplusplus
extern "C" {
#endif

struct assay_query_options {
    size_t size;                           /* of this structure, as in assay_read_options */
    const struct assay_read_options *read; /* how inputs are read; `want` is what statements need. Borrowed until the query is freed; NULL = defaults */
    uint64_t max_rows;                     /* of a result; 0 = no limit */
    uint64_t max_memory;                   /* bytes for tables and statements; 0 = no limit */
    uint32_t max_seconds;                  /* that a statement may take; 0 = no limit */
    bool exact; /* numbers of 2^63 and more, which SQL has no integers for, are texts; else reals, the nearest ones. Never negative */
};

typedef struct assay_query assay_query;

/* *out is owned by the caller. Errors: MEMORY, UNSUPPORTED (built without SQLite). */
ASSAY_API int assay_query_new(const struct assay_query_options *options, assay_query **out, assay_error *err);
/* Ends what is open. NULL is allowed. */
ASSAY_API void assay_query_free(assay_query *q);
/* One more input, read when a statement needs it, and only what it needs. `name` (NULL = none) is what the table profile calls it. */
ASSAY_API int assay_query_file(assay_query *q, const char *name, const char *path, assay_error *err);
/* The same of a profile that the caller has; a reference is kept. */
ASSAY_API int assay_query_profile(assay_query *q, const char *name, const char *path, assay_profile *p, assay_error *err);

/* ---- statements ---- */

typedef struct assay_rows assay_rows;

enum assay_cell_type { ASSAY_CELL_NULL = 0, ASSAY_CELL_INTEGER = 1, ASSAY_CELL_REAL = 2, ASSAY_CELL_TEXT = 3, ASSAY_CELL_BLOB = 4 };

struct assay_query_cell {
    enum assay_cell_type type;
    int64_t integer;
    double real;
    assay_slice text; /* of TEXT and BLOB: borrowed until the next row. Names are bytes, not necessarily UTF-8 */
};

/* Prepares the first statement of `sql` and reads what it needs of the inputs. *rest (may be NULL) is what follows it; *out is NULL when there is no statement, only blanks and
 * comments. Errors: USAGE (no such table or column, what is not allowed, a mistake in the SQL), those of assay_read, MEMORY. */
ASSAY_API int assay_query_prepare(assay_query *q, const char *sql, const char **rest, assay_rows **out, assay_error *err);
ASSAY_API unsigned assay_rows_column_count(const assay_rows *rows);
/* Borrowed until the rows are freed. */
ASSAY_API const char *assay_rows_column_name(const assay_rows *rows, unsigned column);
/* 1 = there is a row, 0 = no more. Errors: USAGE, LIMIT (of rows, time or memory), CANCELLED (assay/cancel.h), MEMORY, those of the analysis. */
ASSAY_API int assay_rows_next(assay_rows *rows, assay_error *err);
ASSAY_API void assay_rows_cell(const assay_rows *rows, unsigned column, struct assay_query_cell *out);
/* NULL is allowed. */
ASSAY_API void assay_rows_free(assay_rows *rows);

enum assay_rows_style { ASSAY_ROWS_TABLE = 0, ASSAY_ROWS_CSV = 1, ASSAY_ROWS_JSON = 2, ASSAY_ROWS_JSONL = 3, ASSAY_ROWS_MARKDOWN = 4 };

struct assay_rows_print_options {
    size_t size; /* of this structure, as in assay_read_options */
    enum assay_rows_style style;
    unsigned width; /* of the terminal, 0 = none: nothing is cut */
    bool color;
};
/* Prints all rows that are left; *count (may be NULL) becomes their number. JSON has one object for each row, with the names of the columns. Errors: those of assay_rows_next,
 * WRITE (the sink refused). */
ASSAY_API int assay_rows_print(assay_rows *rows, const struct assay_rows_print_options *options, assay_text_fn fn, void *arg, uint64_t *count,
                               assay_error *err);

/* The rows of a statement as a tree, for whatever draws one: its first four columns are the id of a row, the id of the one above it (NULL, or one that no row has: it is a root), its name,
 * and its own value, a number from 0 on, of what is called as the fourth column is. *out is a profile with calling contexts, released by the caller. Errors: those of assay_query_prepare and
 * assay_rows_next, USAGE (fewer columns, an id twice, a row below itself, a value that is no such number). */
ASSAY_API int assay_query_tree(assay_query *q, const char *sql, assay_profile **out, assay_error *err);

/* ---- what there is to ask ---- */

struct assay_query_column {
    const char *name;
    const char *type; /* integer, real, text; number = integer or real, as its metric */
    const char *text; /* a phrase */
    const char *example;
};

struct assay_query_table {
    const char *name;
    const char *text;    /* a phrase */
    const char *example; /* a statement */
    size_t column_count;
    const struct assay_query_column *columns;
};

/* The tables, in the order in which they are listed; NULL = no more. Borrowed until the query is freed. */
ASSAY_API const struct assay_query_table *assay_query_table_at(const assay_query *q, size_t i);

/* Statements that come with the library, by name; NULL = no more. Static storage. */
struct assay_named_query {
    const char *name, *text, *sql; /* text: a phrase */
};
ASSAY_API const struct assay_named_query *assay_named_query_at(size_t i);

#ifdef __cplusplus
}
#endif
#endif
