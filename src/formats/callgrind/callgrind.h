/* What the files of this folder give to the table in format.c. */
#ifndef CALLGRIND_H
#define CALLGRIND_H

#include "formats/format.h"

int callgrind_read(const struct read_job *job, assay_builder *b, assay_error *err);
int cachegrind_read(const struct read_job *job, assay_builder *b, assay_error *err);
int callgrind_check(const struct read_job *job, struct findings *out, assay_error *err);
int cachegrind_check(const struct read_job *job, struct findings *out, assay_error *err);
int callgrind_dump(const struct read_job *job, struct output *out, assay_error *err);
int callgrind_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
int cachegrind_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
int callgrind_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err);

#endif
