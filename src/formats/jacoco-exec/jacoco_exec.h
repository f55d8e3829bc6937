/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_JACOCO_EXEC_JACOCO_EXEC_H
#define FORMATS_JACOCO_EXEC_JACOCO_EXEC_H

#include "formats/format.h"

int jacoco_exec_read(const struct read_job *job, assay_builder *b, assay_error *err);
int jacoco_exec_check(const struct read_job *job, struct findings *out, assay_error *err);
int jacoco_exec_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif
