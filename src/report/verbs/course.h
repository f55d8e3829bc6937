/* One function over streams: `callers --by` and `tree --by`. For option tables: include base/option_table.h first. */
#ifndef REPORT_VERBS_COURSE_H
#define REPORT_VERBS_COURSE_H

#include "analysis/core/metric_columns.h"
#include "analysis/streams/groups.h"
#include "report/course.h"
#include "report/verb.h"

extern const char *const course_plots[]; /* ends with NULL */

#define OPTION_PLOT                                                                                                                                            \
    {                                                                                                                                                          \
        .name = "plot", .type = OPTION_WORD, .argument = "KIND", AT(plot), GIVEN(has_plot), .words = course_plots,                                             \
        .help = "with --by: draw an SVG instead: line, sorted or histogram",                                                                                   \
        .text = "In the order of ids, the largest first, or how many have which cost. The mean is drawn, and outliers are named: those more than 1.5 "         \
                "quartile ranges beyond the quartiles."                                                                                                        \
    }

/* The functions of rows[0 .. count) of `top`, over groups of kind `by`. With a plot, the first one. Errors: those of the parts. */
int course_show(assay_reporter *r, const char *path, const assay_profile *p, const assay_top *top, const struct metric_columns *columns, const uint32_t *rows,
                size_t count, enum stream_by by, assay_error *err);
/* The functions of this name. Errors: USAGE (there is none), those of the parts. */
int course_show_named(assay_reporter *r, const char *path, const assay_profile *p, const char *name, enum stream_by by, assay_error *err);
/* What cannot be combined with --by and --plot. Errors: USAGE. */
int course_check(const assay_reporter *r, assay_error *err);

#endif
