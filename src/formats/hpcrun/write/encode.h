/* Records -> bytes: profiles of 04.00 and 02.00l from an image that has the layout, traces of 01.01. Layouts: docs/formats/hpcrun.md. Errors of
 * writing are sticky in the output. */
#ifndef FORMATS_HPCRUN_WRITE_ENCODE_H
#define FORMATS_HPCRUN_WRITE_ENCODE_H

#include "base/output.h"
#include "formats/hpcrun/hpctrace/decode.h"
#include "formats/hpcrun/write/image.h"

/* Errors: MEMORY, LIMIT (more than a count of the format can say). */
int hpcrun_encode_sparse(const struct hpcrun_image *m, struct output *out, assay_error *err);
int hpcrun_encode_literal(const struct hpcrun_image *m, struct output *out, assay_error *err);

void hpctrace_put_head(struct output *out, uint64_t flags);
/* With a metric where the flags say data-centric. */
void hpctrace_put_sample(struct output *out, uint64_t flags, uint64_t time, uint32_t node, uint32_t metric);

#endif
