/* How the columns that --metric asks for look, whatever table they stand in; for the files of this folder. */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "analysis/core/metric_columns.h"
#include "report/report.h"

/* The head of a column, for example "self"; with the name of the metric where there are several. */
void report_column_head(struct report *r, const struct metric_columns *c, uint32_t column, const char *what);
/* Heads of all columns: `what`, ended by NULL, for each of them; those of shares ("self%") and averages ("self/call") where the column has them. */
void report_column_heads(struct report *r, const struct metric_columns *c, const char *const *what);
/* A figure; NAN is "-" for people and empty in CSV. */
void report_column_figure(const struct report *r, struct table *table, const struct metric_column *c, assay_value v);
/* Whether there are cells for shares, for averages: always in data; in text only of sums, and on a terminal only the first of several columns has shares. */
bool report_column_has_share(const struct report *r, const struct metric_columns *c, uint32_t column);
bool report_column_has_average(const struct report *r, const struct metric_columns *c, uint32_t column);
/* Two cells: a figure, and its share of the whole, where there are cells for shares. */
void report_column_cost(const struct report *r, struct table *table, const struct metric_columns *c, uint32_t column, assay_value v);
/* A cell, where there are cells for averages. */
void report_column_average(const struct report *r, struct table *table, const struct metric_columns *c, uint32_t column, double average);

/* "metric" and "total" of the first column. */
void report_columns_first_json(struct report *r, const struct metric_columns *c);
/* {"METRIC": n, ...}: every metric, or in a short report those of the columns; then the formulas. values = NULL: they are not known. */
void report_columns_json(struct report *r, const struct metric_columns *c, const assay_value *values);
/* The same of a row of which self and total are known; row->here = NULL: nothing is. */
void report_columns_row_json(struct report *r, const struct metric_columns *c, const struct metric_row *row);
/* {"METRIC": n, ...}: the average of each column. */
void report_averages_json(struct report *r, const struct metric_columns *c, const assay_value *values, uint64_t calls);
/* As text: "Ir 36.3 K", the name in bold. */
void report_columns_title(struct report *r, const struct metric_columns *c);
/* The metric that the first column is; 0 = a formula. */
uint32_t report_columns_metric(const struct metric_columns *c);

#endif
