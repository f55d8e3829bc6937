/* Istanbul's coverage-final.json (nyc, jest, c8, vitest): objects -> rows, file by file. The only parser of this format.
 * docs/formats/istanbul.md has the grammar. */
#ifndef ISTANBUL_DECODE_H
#define ISTANBUL_DECODE_H

#include "formats/coverage_rows.h"

int istanbul_decode(struct cov_decoder *d);

#endif
