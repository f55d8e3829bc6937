/* Writing profiles and traces: from their own kind, record by record, and from the model. */
#ifndef FORMATS_HPCRUN_WRITE_WRITE_H
#define FORMATS_HPCRUN_WRITE_WRITE_H

#include "formats/hpcrun/hpcrun.h"
#include "formats/hpcrun/write/encode.h"

/* "04.00" (the default) and "02.00"; "01.01" */
extern const char *const hpcrun_versions[], *const hpctrace_versions[];

int hpcrun_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err);
int hpctrace_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err);
int hpcrun_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
int hpctrace_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
uint32_t hpctrace_write_wants(const struct assay_write_options *options, const char *version);
uint32_t hpcrun_write_wants(const struct assay_write_options *options, const char *version);

/* Turns an image into the version wanted, names what is lost, refuses where losses are not allowed, and writes unless `out` is NULL. */
int hpcrun_image_write(struct hpcrun_image *m, const struct write_job *job, struct output *out, assay_error *err);

#endif
