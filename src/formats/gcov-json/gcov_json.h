/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_GCOV_JSON_GCOV_JSON_H
#define FORMATS_GCOV_JSON_GCOV_JSON_H

#include "formats/format.h"

/* `format` is the name that the profile gets: both formats are read alike. */
int gcov_json_read(const struct read_job *job, const char *format, assay_builder *b, assay_error *err);
int gcov_json_check(const struct read_job *job, struct findings *out, assay_error *err);
int gcov_json_dump(const struct read_job *job, struct output *out, assay_error *err);
int gcovr_json_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
