/* A source with the counts of its lines, for people: only the parts that were missed, unless nothing was. */
#ifndef REPORT_COV_SOURCE_H
#define REPORT_COV_SOURCE_H

#include "report/cov_format.h"
#include "store/source.h"

void cov_source_print(struct output *out, const struct source *s, const struct cov_lines *lines, const struct cov_look *look);

#endif
