/* Text tables: rows are collected, then printed aligned, as CSV (RFC 4180) or as Markdown. Cells are copied. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/arena.h"
#include "base/output.h"
#include "base/vec.h"

enum table_style { TABLE_TEXT, TABLE_CSV, TABLE_CSV_RAW, TABLE_MARKDOWN };
enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table;

/* `width`: of the terminal; to fit, left columns are cut in their middle, the last one first, but not below their heads or 8 columns; 0 = never cut.
 * `color` emboldens the head. NULL = no memory. */
struct table *table_new(struct mem *mem, unsigned width, bool color);
/* NULL is allowed. */
void table_free(struct table *t);
void table_column(struct table *t, const char *head, enum table_align align);
/* Cells in the order of the columns; a row is complete when every column has one. Bytes that are no printable UTF-8 are shown as \xNN. In
 * CSV what a spreadsheet would take for a formula (= + - @ at the beginning, but no number) begins with an apostrophe; raw CSV has all bytes as they are.
 * An incomplete row is not printed. */
void table_cell(struct table *t, assay_slice s);
void table_text(struct table *t, const char *text);
/* A cell whose first `keep` bytes are what matters: where it is cut, the rest gives way first. */
void table_cell_keep(struct table *t, assay_slice s, size_t keep);
/* The rows from now on in this ink (the number of an SGR code, 0 = none); only text of a table with colour shows it. */
void table_ink(struct table *t, unsigned ink);
/* Prints everything. 0 or the sticky error (MEMORY). */
int table_print(const struct table *t, enum table_style style, struct output *out, assay_error *err);
/* Prints the rows so far and forgets them, where the style is CSV: a table of any length takes little memory. Only whole rows may be there. */
int table_flush(struct table *t, enum table_style style, struct output *out, assay_error *err);

#endif
