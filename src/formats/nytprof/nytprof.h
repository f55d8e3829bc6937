/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_NYTPROF_NYTPROF_H
#define FORMATS_NYTPROF_NYTPROF_H

#include "formats/format.h"

int nytprof_read(const struct read_job *job, assay_builder *b, assay_error *err);
int nytprof_check(const struct read_job *job, struct findings *out, assay_error *err);
int nytprof_dump(const struct read_job *job, struct output *out, assay_error *err);
int nytprof_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
int nytprof_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err);

#endif
