/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_SONARQUBE_GENERIC_SONARQUBE_H
#define FORMATS_SONARQUBE_GENERIC_SONARQUBE_H

#include "formats/coverage/rows.h"

extern const struct coverage_source sonarqube_source;

int sonarqube_decode(struct coverage_decoder *d);
int sonarqube_check(const struct read_job *job, struct findings *out, assay_error *err);
int sonarqube_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
