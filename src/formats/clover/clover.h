/* What the files of this folder give to the table in format.c. */
#ifndef CLOVER_H
#define CLOVER_H

#include "formats/format.h"

int clover_read(const struct read_job *job, assay_builder *b, assay_error *err);
int clover_check(const struct read_job *job, struct findings *out, assay_error *err);
int clover_dump(const struct read_job *job, struct output *out, assay_error *err);
int clover_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
