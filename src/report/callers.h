/* For the two files of `callers`: tables for people, and data. */
#ifndef REPORT_CALLERS_H
#define REPORT_CALLERS_H

#include "analysis/callers.h"
#include "report/function.h"

/* The metric that is shown. */
static inline assay_metric_id callers_metric(const struct report_callers *s) { return s->c->top->metrics[s->c->options.k]; }

/* What a block is about; the name of a cycle is written into `name`, of 32 bytes. */
struct report_function callers_subject_of(const struct report_callers *s, const struct callers_block *b, char *name);
/* The function of a row: its name, and the place of the call. */
struct report_function callers_function_of(const struct report_callers *s, const struct callers_row *row);
/* The number of the cycle that is to be shown next to a function; 0 = none. */
uint32_t callers_cycle_of(const struct report_callers *s, uint32_t func);
/* The cycle of the subject itself. */
uint32_t callers_subject_cycle(const struct report_callers *s, const struct callers_block *b);
/* The share that a row has of what the block is about, as text; buf has 48 bytes. */
void callers_share(char *buf, const struct report *r, const struct report_callers *s, const struct callers_block *b, assay_value total);

void callers_json_begin_input(struct report *r, const struct report_callers *s);
void callers_json_block(struct report *r, const struct report_callers *s, const struct callers_block *b);
void callers_json_end_input(struct report *r, const struct report_callers *s);
void callers_csv_block(struct report *r, const struct report_callers *s, const struct callers_block *b);

#endif
