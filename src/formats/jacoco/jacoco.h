/* What the files of this folder give to the table in format.c. */
#ifndef JACOCO_H
#define JACOCO_H

#include "formats/format.h"

int jacoco_read(const struct read_job *job, assay_builder *b, assay_error *err);
int jacoco_check(const struct read_job *job, struct findings *out, assay_error *err);
int jacoco_dump(const struct read_job *job, struct output *out, assay_error *err);
int jacoco_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
