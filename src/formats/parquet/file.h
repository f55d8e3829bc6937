/* One file of Parquet: rows are collected to row groups, the footer comes at the end.
 *
 *     parquet_file_begin(&f, scratch, out, table, what, count, &err);    then parquet_column_init for each of f.columns
 *     for each row: parquet_column_add(&f.columns[i], ...) for each column, then parquet_file_row(&f, &err);
 *     parquet_file_end(&f, &err);
 *     parquet_file_done(&f);
 */
#ifndef FORMATS_PARQUET_FILE_H
#define FORMATS_PARQUET_FILE_H

#include "formats/parquet/column.h"

struct parquet_group {
    uint64_t off, rows;
};

struct parquet_file {
    struct parquet_scratch *scratch;
    struct output *out; /* borrowed */
    const char *table, *what;
    unsigned count;
    struct parquet_column columns[TABLES_COLUMNS];
    struct arena keep; /* texts of `chunks` */
    VEC(struct parquet_group) groups;
    VEC(struct parquet_chunk) chunks; /* of each group, by column */
    uint64_t rows, pending;           /* in groups; not yet */
};

/* Writes what a file begins with. parquet_file_done is due. */
void parquet_file_begin(struct parquet_file *f, struct parquet_scratch *s, struct output *out, const char *table, const char *what, unsigned count);
/* After the cells of a row. Errors of this and the next: MEMORY, LIMIT, WRITE. */
int parquet_file_row(struct parquet_file *f, assay_error *err);
int parquet_file_end(struct parquet_file *f, assay_error *err);
void parquet_file_done(struct parquet_file *f);

#endif
