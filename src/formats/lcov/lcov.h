/* What the files of this folder give to the table in format.c. */
#ifndef LCOV_H
#define LCOV_H

#include "formats/format.h"

int lcov_read(const struct read_job *job, assay_builder *b, assay_error *err);
int lcov_check(const struct read_job *job, struct findings *out, assay_error *err);
int lcov_dump(const struct read_job *job, struct output *out, assay_error *err);
int lcov_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
