/* What the files of this folder give to the table in format.c. */
#ifndef COBERTURA_H
#define COBERTURA_H

#include "formats/coverage/rows.h"

extern const struct coverage_source cobertura_source;

int cobertura_decode(struct coverage_decoder *d);
int cobertura_check(const struct read_job *job, struct findings *out, assay_error *err);
int cobertura_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
