/* `diff --scaling`: runs on different numbers of ranks. */
#ifndef REPORT_SCALING_H
#define REPORT_SCALING_H

#include "analysis/diff/scaling.h"
#include "report/report.h"

void report_scaling(struct report *r, const struct scaling *s);
/* Efficiency by ranks, as an SVG. */
void report_scaling_svg(struct report *r, const struct scaling *s);

#endif
