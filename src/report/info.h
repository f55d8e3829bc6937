/* The text of `info`, apart from its other styles. */
#ifndef REPORT_INFO_H
#define REPORT_INFO_H

#include "report/report.h"

void info_text(struct report *r, const char *path, uint64_t size, const assay_profile *p);

#endif
