/* Text in SVG: names are bytes, XML is not. */
#ifndef REPORT_SVG_TEXT_H
#define REPORT_SVG_TEXT_H

#include "base/output.h"

/* s with what XML means something else by escaped, and what it cannot hold as U+FFFD. */
void svg_text(struct output *o, assay_slice s);
/* As much of s as fits into so many pixels, with an ellipsis when that is not all; `letter` is the width of one. Nothing where not even three letters fit. */
void svg_label(struct output *o, assay_slice s, double pixels, double letter);

#endif
