/* What the text and the data of `annotate` share. */
#ifndef REPORT_ANNOTATE_H
#define REPORT_ANNOTATE_H

#include "analysis/annotate/annotate.h"
#include "report/columns.h"

/* The name of a state, for data; "" = none. */
extern const char *const annotate_states[];
/* The name of metric k of a block of its figures. */
assay_slice annotate_metric(const struct annotate *a, const struct assay_block *block, uint32_t k);
/* The figures of a row of lines, by metric; until the next call. */
const assay_value *annotate_values(const struct report_annotate *n, const line_sums *sums, size_t row);
void annotate_json_begin(struct report *r);
void annotate_json_begin_input(struct report *r, const struct report_annotate *n);
void annotate_json_file(struct report *r, const struct report_annotate *n);
void annotate_json_end_input(struct report *r, const struct report_annotate *n);
void annotate_csv_file(struct report *r, const struct report_annotate *n);

#endif
