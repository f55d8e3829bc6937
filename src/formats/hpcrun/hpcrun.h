/* The functions of the measurement formats that their table entries name, and what they share. */
#ifndef FORMATS_HPCRUN_HPCRUN_H
#define FORMATS_HPCRUN_HPCRUN_H

#include "formats/format.h"
#include "formats/hpcrun/decode.h"

extern const struct format hpcrun_format, hpctrace_format, hpcrun_flat_format;

int hpcrun_read(const struct read_job *job, assay_builder *b, assay_error *err);
int hpcrun_check(const struct read_job *job, struct findings *out, assay_error *err);
int hpctrace_read(const struct read_job *job, assay_builder *b, assay_error *err);
int hpctrace_check(const struct read_job *job, struct findings *out, assay_error *err);
int hpcrun_flat_read(const struct read_job *job, assay_builder *b, assay_error *err);
int hpcrun_flat_check(const struct read_job *job, struct findings *out, assay_error *err);

/* The bytes of an input, which can be mapped only once. */
struct hpcrun_source {
    assay_slice bytes;
    const char *path; /* what the file is called */
    bool is_cut;      /* compressed, and damaged behind these bytes */
};
int hpcrun_map(const struct read_job *job, struct hpcrun_source *out, assay_error *err);
int hpcrun_read_source(const struct read_job *job, const struct hpcrun_source *source, assay_builder *b, assay_error *err);
int hpcrun_check_source(const struct hpcrun_source *source, struct mem *mem, struct findings *out, assay_error *err);
int hpctrace_check_source(const struct hpcrun_source *source, struct mem *mem, struct findings *out, assay_error *err);
int hpcrun_flat_check_source(const struct hpcrun_source *source, struct mem *mem, struct findings *out, assay_error *err);

/* Strict reading: the first finding of severity error is the caller's error. */
typedef int hpcrun_check_fn(const struct hpcrun_source *source, struct mem *mem, struct findings *out, assay_error *err);
int hpcrun_refuse_damage(hpcrun_check_fn *check, const struct hpcrun_source *source, struct mem *mem, assay_error *err);
/* Turns damage into the caller's error. */
int hpcrun_fail(const struct hpcrun_damage *damage, uint64_t off, assay_error *err);
/* A warning of the profile; off FINDING_NO_OFFSET = none. */
void hpcrun_warn(assay_builder *b, const char *rule, int severity, uint64_t off, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void hpcrun_warn_cut(assay_builder *b, const struct hpcrun_source *source);
/* The text in the last parentheses of a metric's name, as HPCToolkit writes units; empty when there is none. */
assay_slice hpcrun_unit(assay_slice name);

#endif
