/* grcov's covdir: a tree of objects -> rows, a batch for the lines of each file and one for what each node states. The only parser of this
 * format. docs/formats/grcov-covdir.md has the grammar. */
#ifndef FORMATS_GRCOV_COVDIR_DECODE_H
#define FORMATS_GRCOV_COVDIR_DECODE_H

#include "formats/coverage/json_rows.h"

int covdir_decode(struct coverage_decoder *d);
int covdir_check(const struct read_job *job, struct findings *out, assay_error *err);
extern const struct coverage_source covdir_source;

#endif
