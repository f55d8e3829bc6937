/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_COVERAGE_PY_JSON_COVERAGE_PY_H
#define FORMATS_COVERAGE_PY_JSON_COVERAGE_PY_H

#include "formats/format.h"

int coverage_py_check(const struct read_job *job, struct findings *out, assay_error *err);

#endif
