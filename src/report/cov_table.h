/* The table of `assay cov show`: rows of files, folders and modules with their figures and what changed. Its layout is an interface. */
#ifndef REPORT_COV_TABLE_H
#define REPORT_COV_TABLE_H

#include "report/cov_format.h"
#include "store/changes.h"

void cov_table_print(struct output *out, const struct changes *c, const struct cov_look *look);

#endif
