/* What the files of this folder give to the table in format.c. */
#ifndef CLOVER_H
#define CLOVER_H

#include "formats/coverage/rows.h"

extern const struct coverage_source clover_source;

int clover_decode(struct coverage_decoder *d);
int clover_check(const struct read_job *job, struct findings *out, assay_error *err);
int clover_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
