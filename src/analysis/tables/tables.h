/* Profiles as tables: what `assay query`, SQLite and Parquet have, each table declared once. Raw tables are the model as it is and come from
 * model/schema.def; the others are what the verbs show, from the same analysis.
 *
 *     tables_init(&t, mem, NULL, &err);
 *     tables_add(&t, &(struct tables_input){ .name = "before", .path = path, .profile = p }, &err);
 *     tables_open(&t, tables_find(&t, "top"), &cursor, &err);
 *     tables_seek(cursor, NULL, 0, &err);                        // or with constraints
 *     while ((rc = tables_next(cursor, &err)) == 1) tables_cell(cursor, column, &cell);
 *     tables_close(cursor);
 *
 * The first column says which profile a row belongs to, from 1 in the order in which they were added. Ids are those of that profile; what is the same in several
 * profiles has the same `source` (files) and `key` (functions). An id that is none is NULL, save for streams: 0 is what has no stream. */
#ifndef ANALYSIS_TABLES_TABLES_H
#define ANALYSIS_TABLES_TABLES_H

#include "assay/build.h"
#include "assay/filter.h"
#include "base/arena.h"
#include "base/vec.h"

/* ---- what there is ---- */

enum tables_type {
    TABLES_INTEGER, /* of 63 bits and a sign: ids, lines, times */
    TABLES_REAL,
    TABLES_TEXT,
    TABLES_NUMBER,   /* a figure: as the type of its metric says */
    TABLES_UNSIGNED, /* an integer of 64 bits, never negative: addresses, calls, hits */
};

/* For people: integer, real, text, number. */
const char *tables_type_name(enum tables_type type);
/* What SQL declares: the same, but nothing of a figure. */
const char *tables_type_sql(enum tables_type type);

struct tables_column {
    const char *name;
    enum tables_type type;
    const char *what;    /* a phrase */
    const char *example; /* a value; "" = none */
};

enum tables_kind { TABLES_RAW, TABLES_ANALYSIS, TABLES_GLOBAL /* of no profile: it has no first column that names one */ };

struct tables_ops;
struct schema_table;

struct tables_table {
    const char *name;
    const char *what;    /* a sentence without full stop */
    const char *example; /* a statement to copy */
    enum tables_kind kind;
    uint32_t want; /* ASSAY_WANT_*: what has to be read for it */
    bool
        is_wide; /* it may have as many rows as there are values, and holds them in memory: not for files, which are written in memory that does not grow with values */
    unsigned count;
    const struct tables_column *columns;

    /* ---- of this room ---- */
    unsigned number;
    const struct tables_ops *ops;
    const struct schema_table *schema; /* of raw tables */
    const int16_t *from;               /* of raw tables: the column of the schema, or negative: enum raw_extra */
};

enum { TABLES_COLUMNS = 24, TABLES_MOST = 64 };

/* ---- the profiles ---- */

struct tables_profile;
struct tables_sources;

struct tables {
    struct mem *mem;
    struct arena arena;
    const struct assay_filter *filter; /* maps for `source`; NULL = none */
    unsigned count;
    struct tables_table *tables;
    const struct tables_table *functions; /* tables that take an argument and are made elsewhere: docs lists them too */
    unsigned function_count;
    VEC(struct tables_profile *) profiles;
    struct tables_sources *sources; /* what is the same in several profiles; NULL = not needed yet */
    assay_error failure;            /* of a cell, which cannot fail itself: the next row does */
};

struct tables_input {
    const char *name; /* what the user calls it; NULL = nothing */
    const char *path;
    assay_profile *profile;        /* a reference is kept; NULL = it has no rows */
    const assay_finding *findings; /* of a check, borrowed; NULL = the warnings of the profile */
    size_t finding_count;
};

/* `filter` is borrowed; tables_done is due in either case. Errors of all: MEMORY. */
int tables_init(struct tables *t, struct mem *mem, const struct assay_filter *filter, assay_error *err);
void tables_done(struct tables *t);
int tables_add(struct tables *t, const struct tables_input *input, assay_error *err);
/* In place of profile `number` (from 1), which was read again. No cursor may be open. */
int tables_replace(struct tables *t, size_t number, const struct tables_input *input, assay_error *err);
/* What a check found of profile `number`, borrowed: the rows of the table of findings. */
void tables_findings(struct tables *t, size_t number, const assay_finding *findings, size_t count);
/* Profile `number`, from 1 to how many there are; NULL = it was not read. */
const assay_profile *tables_profile(const struct tables *t, size_t number);
/* NULL = there is none. Names are in lower case. */
const struct tables_table *tables_find(const struct tables *t, const char *name);
/* The number of a column; -1 = none. */
int tables_column(const struct tables_table *table, const char *name);

/* ---- rows ---- */

enum tables_cell_kind { TABLES_NULL, TABLES_I64, TABLES_U64, TABLES_F64, TABLES_STRING };

struct tables_cell {
    enum tables_cell_kind kind;
    bool is_scratch; /* the text lasts until the next cell of the cursor; else as long as the profile */
    union {
        int64_t i;
        uint64_t u;
        double d;
        assay_slice s;
    };
};

enum tables_op { TABLES_EQ, TABLES_GE, TABLES_LE };

/* What rows must fulfil. Rows that do not may come all the same where it takes no less work to leave them out: whoever asks looks again. */
struct tables_constraint {
    unsigned column;
    enum tables_op op;
    struct tables_cell value;
};

/* Which constraints a cursor would use, and what that costs: rows that come, and rows that are looked at. */
struct tables_plan {
    uint32_t used; /* a bit for each constraint */
    double rows, cost;
    bool is_unique; /* one row at most */
};

/* `count` is 32 at most; values are not looked at. */
void tables_plan(const struct tables *t, const struct tables_table *table, const struct tables_constraint *constraints, unsigned count,
                 struct tables_plan *plan);

/* Whether rows come sorted by these columns, the smallest first. */
bool tables_are_sorted(const struct tables *t, const struct tables_table *table, const unsigned *columns, unsigned count);

struct tables_cursor;

/* Owned by the caller. */
int tables_open(struct tables *t, const struct tables_table *table, struct tables_cursor **out, assay_error *err);
void tables_close(struct tables_cursor *c);
/* Before the first row that fulfils the constraints, which are copied (texts are borrowed until the next call). May be called again. Errors: MEMORY, those of the analysis and of stored
 * values; a profile that lacks what the table shows has no rows. */
int tables_seek(struct tables_cursor *c, const struct tables_constraint *constraints, unsigned count, assay_error *err);
/* 1 = there is one, 0 = no more; negative = an error. */
int tables_next(struct tables_cursor *c, assay_error *err);
void tables_cell(struct tables_cursor *c, unsigned column, struct tables_cell *out);

/* How many rows the whole table has, or will have. */
double tables_rows(const struct tables *t, const struct tables_table *table);

/* ---- for functions of SQL ---- */

/* The names from the root to a node of profile `number`, separated by semicolons, as folded stacks have them, into the arena; {NULL, 0} = no such node, or no memory (*err is
 * set). */
assay_slice tables_stack(struct tables *t, size_t number, uint64_t node, struct arena *arena, assay_error *err);

#endif
