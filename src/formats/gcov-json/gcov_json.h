/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_GCOV_JSON_GCOV_JSON_H
#define FORMATS_GCOV_JSON_GCOV_JSON_H

#include "formats/coverage/rows.h"

int gcov_json_check(const struct read_job *job, struct findings *out, assay_error *err);
int gcovr_json_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
/* Both formats are read alike, but a profile says which one it was. */
extern const struct coverage_source gcov_json_source, gcovr_json_source;

#endif
