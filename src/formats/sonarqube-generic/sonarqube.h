/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_SONARQUBE_GENERIC_SONARQUBE_H
#define FORMATS_SONARQUBE_GENERIC_SONARQUBE_H

#include "formats/format.h"

int sonarqube_read(const struct read_job *job, assay_builder *b, assay_error *err);
int sonarqube_check(const struct read_job *job, struct findings *out, assay_error *err);
int sonarqube_dump(const struct read_job *job, struct output *out, assay_error *err);
int sonarqube_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
