/* What the files of this folder give to the table in format.c. */
#ifndef COBERTURA_H
#define COBERTURA_H

#include "formats/format.h"

int cobertura_read(const struct read_job *job, assay_builder *b, assay_error *err);
int cobertura_check(const struct read_job *job, struct findings *out, assay_error *err);
int cobertura_dump(const struct read_job *job, struct output *out, assay_error *err);
int cobertura_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
