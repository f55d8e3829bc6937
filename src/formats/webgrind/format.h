/* The functions of the webgrind module that its table entry names, and what they share. */
#ifndef FORMATS_WEBGRIND_FORMAT_H
#define FORMATS_WEBGRIND_FORMAT_H

#include "formats/format.h"
#include "formats/webgrind/decode.h"

extern const struct format webgrind_format;

int webgrind_read(const struct read_job *job, assay_builder *b, assay_error *err);
int webgrind_check(const struct read_job *job, struct findings *out, assay_error *err);
int webgrind_dump(const struct read_job *job, struct output *out, assay_error *err);
int webgrind_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
int webgrind_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err);

/* The bytes of an input, which can be mapped only once. */
struct webgrind_source {
    assay_slice bytes;
    bool is_cut; /* compressed, and damaged behind these bytes */
};
int webgrind_map(const struct read_job *job, struct webgrind_source *out, assay_error *err);
int webgrind_read_source(const struct read_job *job, const struct webgrind_source *source, assay_builder *b, assay_error *err);
int webgrind_check_source(const struct webgrind_source *source, struct mem *mem, struct findings *out, assay_error *err);
/* Strict reading: the first finding of severity error is the caller's error. */
int webgrind_refuse_damage(const struct webgrind_source *source, struct mem *mem, assay_error *err);
/* Turns damage into the caller's error. */
int webgrind_fail(const struct webgrind_record *r, assay_error *err);

#endif
