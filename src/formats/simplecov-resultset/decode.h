/* simplecov's .resultset.json: objects -> rows, a batch for each command and file. The only parser of this format.
 * docs/formats/simplecov-resultset.md has the grammar. */
#ifndef FORMATS_SIMPLECOV_RESULTSET_DECODE_H
#define FORMATS_SIMPLECOV_RESULTSET_DECODE_H

#include "formats/coverage/json_rows.h"

int simplecov_decode(struct coverage_decoder *d);

#endif
