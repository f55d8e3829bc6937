/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_GCOV_TEXT_GCOV_H
#define FORMATS_GCOV_TEXT_GCOV_H

#include "formats/format.h"
#include "formats/gcov-text/decode.h"

int gcov_text_read(const struct read_job *job, assay_builder *b, assay_error *err);
int gcov_text_check(const struct read_job *job, struct findings *out, assay_error *err);
int gcov_text_dump(const struct read_job *job, struct output *out, assay_error *err);
int gcov_intermediate_read(const struct read_job *job, assay_builder *b, assay_error *err);
int gcov_intermediate_check(const struct read_job *job, struct findings *out, assay_error *err);
int gcov_intermediate_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif
