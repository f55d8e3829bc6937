/* The parts of `assay query` (query.c): named questions and files of SQL (query_named.c), the prompt (query_prompt.c). */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "assay/query.h"
#include "base/output.h"

/* Whether there is anything by this path. */
bool query_is_file(const char *path);
/* The text of a file, to be freed; NULL = *err says why. "-" is standard input. Errors: SYSTEM, LIMIT, MEMORY. */
char *query_read(const char *path, assay_error *err);
/* The statements of a named question, to be freed: of the folder (NULL = the user's own), else those that come with the library. Errors: USAGE (no such name), those of query_read. */
char *query_named_sql(const char *folder, const char *name, assay_error *err);
/* All of them, each with what it answers. */
void query_list_named(struct output *out, const char *folder);

struct cli;

/* Names of enum assay_rows_style; ends with NULL. */
extern const char *const query_styles[];
/* All tables, or one of this name, with their columns. */
void query_print_schema(struct output *out, const assay_query *q, const char *table);
/* Runs what `sql` holds, and prints the rows. Errors: those of assay_query_prepare and assay_rows_print, USAGE (there is no statement). */
int query_run_statements(struct cli *c, struct output *out, assay_query *q, const char *sql, assay_error *err);
/* Asks for statements on the terminal until the user leaves. */
void query_prompt(struct cli *c, assay_query *q);

#endif
