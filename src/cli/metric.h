/* Which metric a verb shows: the one that --metric names, else the default of analysis/core/metric_choice.h. */
#ifndef CLI_METRIC_H
#define CLI_METRIC_H

#include "cli/cli.h"

/* Among the metrics that one of `shapes` (ASSAY_SHAPE_*) carries; formulas have no values. Errors: USAGE (there is none of that name; the sentence lists
 * those that there are), UNSUPPORTED (there is none at all). */
int cli_choose_metric(const struct cli *c, const assay_profile *p, uint32_t shapes, assay_metric_id *out, assay_error *err);
/* Where several may be named: the one that rows are chosen and sorted by. */
int cli_choose_key(const struct cli *c, const assay_profile *p, uint32_t shapes, assay_metric_id *out, assay_error *err);

#endif
