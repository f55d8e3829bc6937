/* Istanbul's coverage-final.json (nyc, jest, c8, vitest): objects -> rows, file by file. The only parser of this format.
 * docs/formats/istanbul.md has the grammar. */
#ifndef ISTANBUL_DECODE_H
#define ISTANBUL_DECODE_H

#include "formats/coverage/json_rows.h"

int istanbul_decode(struct coverage_decoder *d);
int istanbul_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
