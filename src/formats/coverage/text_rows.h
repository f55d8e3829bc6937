/* What decoders of rows in text share; see formats/coverage/rows.h. */
#ifndef FORMATS_COVERAGE_TEXT_ROWS_H
#define FORMATS_COVERAGE_TEXT_ROWS_H

#include "base/lines.h"
#include "formats/coverage/rows.h"

typedef int (*coverage_line_fn)(struct coverage_decoder *d, void *arg, const struct line *line);
/* Every line of the input goes to fn, which gives rows. Rows are given on when there are many, so that they may be changed only during the call. */
int coverage_lines(struct coverage_decoder *d, coverage_line_fn fn, void *arg);
/* For dumps: a row with the text of a line as it stands; `before` is the number of findings before it was looked at. */
int coverage_add_text(struct coverage_decoder *d, const struct line *line, assay_slice text, size_t before);
/* A whole number up to 2^31-1: lines, columns. */
enum { COVERAGE_SMALL_MAX = 0x7fffffff };
bool coverage_text_small(assay_slice s, uint32_t *out);

#endif
