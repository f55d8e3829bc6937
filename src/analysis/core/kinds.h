/* Kinds of functions, as readers of a profile tell them apart: what the format says, and of PHP also what the name says, by webgrind's rules. And which rows
 * of a table make up a share of its cost. */
#ifndef ANALYSIS_CORE_KINDS_H
#define ANALYSIS_CORE_KINDS_H

#include "assay/top.h"

/* The first four are those of enum assay_func_kind. */
enum func_sort { FUNC_SORT_PLAIN, FUNC_SORT_INTERNAL, FUNC_SORT_OPCODE, FUNC_SORT_PLACEHOLDER, FUNC_SORT_INCLUDE, FUNC_SORT_CLASS, FUNC_SORTS };

/* Whether names in this profile are PHP's, so that they tell includes and methods. */
bool func_sorts_by_name(const assay_profile *p);
enum func_sort func_sort_of(const assay_profile *p, assay_func_id func, bool by_name);
/* "procedural" where names tell, else "own code"; "internal", "class", ... */
const char *func_sort_name(enum func_sort sort, bool by_name);
/* Code of the program itself, not of its language's runtime. */
bool func_sort_is_own(enum func_sort sort);

/* The self cost of a table of functions by kind: column `key`, which must be a sum. Errors: CANCELLED. */
int func_sort_sums(const assay_table *t, uint32_t key, double sums[FUNC_SORTS], assay_error *err);

/* The self cost of some rows together. */
double table_self_sum(const assay_table *t, uint32_t key, const uint32_t *rows, uint32_t count);
/* How many of `rows`, the largest self first, make up `share` (0 to 1) of what all of them have: one less would be too little. */
uint32_t table_rows_of_share(const assay_table *t, uint32_t key, const uint32_t *rows, uint32_t count, double share);

#endif
