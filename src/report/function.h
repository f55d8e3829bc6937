/* How functions and their figures look, whatever table they stand in; for the files of this folder. */
#ifndef REPORT_FUNCTION_H
#define REPORT_FUNCTION_H

#include "analysis/core/function.h"
#include "report/report.h"

/* Two cells: a figure, and its share of the whole. */
void report_cost(const struct report *r, struct table *table, const assay_profile *p, assay_metric_id metric, assay_value v);
void report_calls(struct table *table, bool exact, uint64_t calls);
/* A number from 1, or an empty cell. */
void report_line_cell(struct table *table, uint32_t line);
/* As text shows it: files and modules without folders, no module that the name says or that is the only one; all of it with --full-names. */
struct function_info report_function_shown(const struct report *r, const assay_profile *p, struct function_info f);
/* A name in a text for people: long ones are shortened unless full names are wanted. */
void report_put_name(struct report *r, struct output *out, assay_slice name);
/* Without its namespaces, packages or folders: what stands after the last "::" or backslash that is not in arguments. As the scripts of pictures do. */
assay_slice report_short_name(assay_slice name);
/* What the mark "(cycle N)" next to a function means. */
void report_cycles_note(struct output *out, bool is_collapsed);

/* "name", "file", "line", "module" */
void report_function_json(struct json *j, const struct function_info *f);
/* "file", "line" */
void report_site_json(struct json *j, assay_slice file, uint32_t line);
/* {"METRIC": n, ...}: all of `metrics`, or just number `k` where the report is short; k >= count: none */
struct report_metrics {
    const assay_metric_id *at;
    uint32_t count, k;
};
void report_values_json(struct report *r, const assay_profile *p, const struct report_metrics *metrics, const assay_value *values);

#endif
