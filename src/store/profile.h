/* A store as an input of every verb: the functions behind the table entry `cov` for folders. */
#ifndef STORE_PROFILE_H
#define STORE_PROFILE_H

#include "formats/cov/cov.h"
#include "store/scan.h"

int store_profile(const struct read_job *job, assay_builder *b, assay_error *err);
int store_check(const struct read_job *job, struct findings *out, assay_error *err);
int store_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif
