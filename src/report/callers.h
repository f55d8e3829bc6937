/* For the two files of `callers`: tables for people, and data. */
#ifndef REPORT_CALLERS_H
#define REPORT_CALLERS_H

#include "analysis/callers/callers.h"
#include "report/columns.h"
#include "report/function.h"

/* What is shown. */
static inline const struct metric_columns *callers_columns(const struct report_callers *s) { return s->c->options.columns; }

/* What a block is about; the name of a cycle is written into `name`, of 32 bytes. */
struct function_info callers_subject_of(const struct report_callers *s, const struct callers_block *b, char *name);
/* The function of a row: its name, and the place of the call. */
struct function_info callers_function_of(const struct report_callers *s, const struct callers_row *row);
/* The number of the cycle that is to be shown next to a function; 0 = none. */
uint32_t callers_cycle_of(const struct report_callers *s, uint32_t func);
/* The cycle of the subject itself. */
uint32_t callers_subject_cycle(const struct report_callers *s, const struct callers_block *b);
/* Heads of callers_cells, of a cell of calls, and of callers_averages. */
void callers_heads(struct report *r, const struct report_callers *s, const char *share);
/* Self (NULL = not known) and total of a row, by metric, and the share that it has of what the block is about; NULL = blanks. */
void callers_cells(const struct report *r, const struct report_callers *s, const struct callers_block *b, const assay_value *self, const assay_value *total);
/* The averages, with --per-call. */
void callers_averages(const struct report *r, const struct report_callers *s, const assay_value *self, const assay_value *total, uint64_t calls);

void callers_json_begin_input(struct report *r, const struct report_callers *s);
void callers_json_block(struct report *r, const struct report_callers *s, const struct callers_block *b);
void callers_json_end_input(struct report *r, const struct report_callers *s);
void callers_csv_block(struct report *r, const struct report_callers *s, const struct callers_block *b);

#endif
