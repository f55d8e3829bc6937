/* One function over streams, threads, ranks, nodes or GPUs: as a table, as JSON or CSV, as a plot. */
#ifndef REPORT_COURSE_H
#define REPORT_COURSE_H

#include "analysis/streams/loads.h"
#include "report/report.h"

enum course_plot { COURSE_LINE, COURSE_SORTED, COURSE_HISTOGRAM };

struct report_course {
    const char *verb, *path;
    assay_metric_id metric;
    const struct stream_groups *groups;
    size_t shown; /* functions so far */
};
/* For each input begin_input, its functions one by one, end_input. */
void report_course_begin_input(struct report *r, const struct report_course *x);
void report_course(struct report *r, struct report_course *x, uint32_t func, const struct stream_course *c);
void report_course_end_input(struct report *r, const struct report_course *x);

/* The whole picture. */
void report_course_svg(struct report *r, const struct report_course *x, uint32_t func, const struct stream_course *c, enum course_plot plot);

#endif
