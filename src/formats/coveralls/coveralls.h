/* What the files of this folder give to the table in format.c. */
#ifndef COVERALLS_H
#define COVERALLS_H

#include "formats/coverage/json_rows.h"

/* Members of the document that are kept as attributes and written again. A token is never one of them. */
enum { COVERALLS_FACTS = 11 };
extern const assay_slice coveralls_facts[COVERALLS_FACTS];

/* The only parser of this format. docs/formats/coveralls.md has the grammar. */
int coveralls_decode(struct coverage_decoder *d);

/* A line stands at its place in an array, so that a large number costs as many entries: what is beyond is left out. */
enum { COVERALLS_LINE_MOST = 1000000, COVERALLS_SUM_MOST = 10000 };
/* Is it an MD5 sum, which is what source_digest must be? */
bool coveralls_is_digest(assay_slice text);
void coveralls_losses(const assay_profile *p, struct losses *l);
int coveralls_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
