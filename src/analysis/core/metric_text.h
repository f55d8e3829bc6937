/* Metrics and their values as people and other programs read them. */
#ifndef ANALYSIS_CORE_METRIC_TEXT_H
#define ANALYSIS_CORE_METRIC_TEXT_H

#include <stdbool.h>

#include "assay/model.h"

enum { METRIC_TEXT_LEN = 48 }; /* bytes for any value as text */

enum assay_type metric_type(const assay_profile *p, assay_metric_id metric);
assay_slice metric_name(const assay_profile *p, assay_metric_id metric);
/* What 100% is: the total of the metric. */
double metric_total(const assay_profile *p, assay_metric_id metric);
/* A formula has a total only when the reader stated one. */
bool metric_has_total(const struct assay_metrics *m, uint32_t metric);
/* Text of the total of a metric, exact or for people; "" when it has none. `buf` has METRIC_TEXT_LEN bytes; returns buf. */
const char *metric_total_text(char *buf, bool exact, const assay_profile *p, uint32_t metric);
/* The same of any value. */
const char *value_text(char *buf, bool exact, enum assay_type type, assay_value v, const char *unit);

#endif
