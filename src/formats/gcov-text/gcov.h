/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_GCOV_TEXT_GCOV_H
#define FORMATS_GCOV_TEXT_GCOV_H

#include "formats/coverage/rows.h"

extern const struct coverage_source gcov_text_source;

int gcov_text_check(const struct read_job *job, struct findings *out, assay_error *err);

#endif
