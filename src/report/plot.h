/* Plots in SVG: axes, lines, bars and marks; light and dark as the reader's system is. Figures come from the analysis, this is where they stand. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "report/report.h"

struct plot {
    struct output *o;
    double x_from, x_to; /* what the axes show */
    double y_to;         /* y begins at 0 */
    const char *unit;    /* of y; "%" = shares of 1 as percent */
};

/* The picture up to its axes. `said`: a line below the title. */
void plot_begin(struct plot *p, assay_slice title, const char *said, const char *x_name, const char *y_name);
void plot_end(struct plot *p);

/* A name below the axis. */
void plot_tick(struct plot *p, double x, assay_slice name);
/* Points joined by a line, in the order of x; `kind`: 0 = data, 1 = a second one, and so on. At most a few for each pixel are drawn: the extremes. */
typedef double plot_fn(const void *arg, uint32_t i);
void plot_line(struct plot *p, uint32_t count, plot_fn *x, plot_fn *y, const void *arg, unsigned kind);
/* From x to x + width. */
void plot_bar(struct plot *p, double x, double width, double y, assay_slice tip);
/* A dashed line across, with its name. */
void plot_level(struct plot *p, double y, assay_slice name);
/* A point; one that stands out has its name beside it. */
void plot_point(struct plot *p, double x, double y, assay_slice tip, unsigned kind);
void plot_mark(struct plot *p, double x, double y, assay_slice name);

#endif
