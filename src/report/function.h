/* How functions and their figures look, whatever table they stand in; for the files of this folder. */
#ifndef REPORT_FUNCTION_H
#define REPORT_FUNCTION_H

#include "report/report.h"

/* What rows say of a function; what is not known is empty. */
struct report_function {
    assay_slice name, file, module;
    uint32_t line;
};
struct report_function report_function_of(const assay_profile *p, uint32_t func);

enum assay_type report_type(const assay_profile *p, assay_metric_id metric);
assay_slice report_metric(const assay_profile *p, assay_metric_id metric);
/* What 100% is: the total of the metric. */
double report_whole(const assay_profile *p, assay_metric_id metric);

/* Two cells: a figure, and its share of the whole. */
void report_cost(const struct report *r, struct table *table, const assay_profile *p, assay_metric_id metric, assay_value v);
void report_calls(struct table *table, bool exact, uint64_t calls);
/* A number from 1, or an empty cell. */
void report_line_cell(struct table *table, uint32_t line);
/* As text shows it: files and modules without folders, no module that the name says or that is the only one; all of it with --full-names. */
struct report_function report_function_shown(const struct report *r, const assay_profile *p, struct report_function f);
/* A name in a text for people: long ones are shortened unless full names are wanted. */
void report_put_name(struct report *r, struct output *out, assay_slice name);
/* Without its namespaces, packages or folders: what stands after the last "::" or backslash that is not in arguments. As the scripts of pictures do. */
assay_slice report_short_name(assay_slice name);
/* "file:line [module]", as far as it is known */
void report_put_place(struct output *out, const struct report_function *f);

/* What the mark "(cycle N)" next to a function means. */
void report_cycles_note(struct output *out, bool is_collapsed);

/* "name", "file", "line", "module" */
void report_function_json(struct json *j, const struct report_function *f);
/* "file", "line" */
void report_site_json(struct json *j, assay_slice file, uint32_t line);
/* {"METRIC": n, ...}: all of `metrics`, or just number `k` where the report is short; k >= count: none */
struct report_metrics {
    const assay_metric_id *at;
    uint32_t count, k;
};
void report_values_json(struct report *r, const assay_profile *p, const struct report_metrics *metrics, const assay_value *values);

#endif
