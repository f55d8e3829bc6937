/* Devel::Cover's JSON report (cover -report json): summaries -> rows, a batch for each file. The only parser of this format.
 * docs/formats/devel-cover-json.md has the grammar. */
#ifndef FORMATS_DEVEL_COVER_JSON_DECODE_H
#define FORMATS_DEVEL_COVER_JSON_DECODE_H

#include "formats/coverage/json_rows.h"

int devel_cover_decode(struct coverage_decoder *d);
int devel_cover_check(const struct read_job *job, struct findings *out, assay_error *err);
extern const struct coverage_source devel_cover_source;

#endif
